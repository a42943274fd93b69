// SPDX-License-Identifier: MIT
// format.js: numbers, sizes and times as people read them. Exact where the C program is exact.

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** 25165824 is "24 MiB", 1536 is "1.5 KiB", 100001 stays "100,001 bytes". @param {number} bytes */
function formatSize(bytes) {
    let unit = 0;
    let value = bytes;
    while (unit < UNITS.length - 1 && value >= 1024 && (value * 2) % 1024 === 0) {
        value /= 1024;
        unit++;
    }
    return `${value.toLocaleString('en-US')} ${bytes === 1 ? 'byte' : UNITS[unit]}`;
}

/** Of a free range or a sum, where three digits are enough. @param {number} bytes */
function formatRoughSize(bytes) {
    let unit = 0;
    let value = bytes;
    while (unit < UNITS.length - 1 && value >= 1024) {
        value /= 1024;
        unit++;
    }
    const digits = value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2;
    return `${Number(value.toFixed(digits))} ${bytes === 1 ? 'byte' : UNITS[unit]}`;
}

/** Sizes that stand together, all in one unit: that of the largest. Where two digits behind the
 * point would make nothing of one, it keeps its own. @param {number} largest */
function sizesLike(largest) {
    const unit = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, largest)) / 10));
    return (bytes) => {
        const value = bytes / 1024 ** unit;
        return unit === 0 || (bytes && value < 0.01) ? formatSize(bytes) :
            `${value.toLocaleString('en-US', { maximumFractionDigits: 2 })} ${UNITS[unit]}`;
    };
}

/** Offsets of a segment, in the unit of its size where two digits behind the point say all.
 * @param {number} size */
function offsetsLike(size) {
    const inUnit = sizesLike(size);
    const unit = 1024 ** Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, size)) / 10));
    return (offset) => !offset ? '0' : Number.isInteger(offset * 100 / unit) ? inUnit(offset) :
        formatSize(offset);
}

/** As a debugger has it. @param {number} offset */
function formatOffset(offset) {
    return offset === 0 ? '0' : `0x${offset.toString(16).toUpperCase()}`;
}

const TIMES = [[1e9, 's'], [1e6, 'ms'], [0, 'us']];

/** Virtual time in the unit of its magnitude: "0", "12.5 us", "2.892 ms".
 * @param {number} ns @param {number} [digits] behind the point; of 9, none is lost
 * @param {number} [like] a time whose unit it has */
function formatTime(ns, digits = 3, like = ns) {
    if (ns === 0)
        return '0';
    const [size, unit] = TIMES.find(([least]) => like >= least);
    const value = ns / (size || 1e3);
    return `${value.toLocaleString('en-US', { maximumFractionDigits: digits })} ${unit}`;
}

/** A label of the axis: as many digits as the distance between two of them needs.
 * @param {number} ns @param {number} step */
function formatTick(ns, step) {
    const [size] = TIMES.find(([least]) => ns >= least);
    const digits = Math.ceil(Math.log10((size || 1e3) / Math.max(step, 1)));
    return formatTime(ns, Math.max(0, Math.min(9, digits)));
}

/** The greatest value of a counter. @param {number} value @param {string} unit of the scene */
function formatValue(value, unit) {
    if (unit === 'bytes')
        return formatRoughSize(value);
    if (unit === 'ns')
        return formatTime(value);
    const share = { 'per mille': 10, 'permille': 10, 'percent': 1 }[unit];
    return share ? `${value / share} %` : value.toLocaleString('en-US');
}

/** @param {number} count @param {string} one @param {string} [many] */
function formatCount(count, one, many = `${one}s`) {
    return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** The step of a scale with about `wanted` marks: 1, 2 or 5 times a power of ten. */
function niceStep(span, wanted) {
    const rough = span / Math.max(1, wanted);
    const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1e-9)));
    const times = rough / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

/** The step of a scale of addresses: a power of two. */
function niceBytes(span, wanted) {
    return 2 ** Math.max(0, Math.ceil(Math.log2(span / Math.max(1, wanted))));
}
