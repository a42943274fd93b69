// SPDX-License-Identifier: MIT
// decode.js: the run, as the C program packed it into the page, becomes typed arrays.
//
// The element holds base64 of a raw deflate stream. Unpacked: a 32-bit length, that many bytes of
// JSON (the directory: each table with its rows and columns), then the columns one after the other,
// little endian, each on a multiple of four bytes, read where they stand. A word of 32 bits is the
// difference to that of the row before. A column "u64" is two columns of 32 bits, the low words
// before the high ones; it becomes doubles, exact up to 2^53, when somebody asks for it.
//
// Texts that a map is drawn without, half of all bytes, are in a second element: their letters,
// which follow those of the first.

const NONE = 0xFFFFFFFF;

/** @param {string} base64 @returns {Uint8Array} */
function fromBase64(base64) {
    if (Uint8Array.fromBase64)
        return Uint8Array.fromBase64(base64);
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

const SLICE = 1 << 18; // of what is packed, at once

/** Lets the browser answer a key before the next slice. */
const breathe = () => new Promise((done) => { setTimeout(done); });

/** @param {Uint8Array} packed @param {() => Promise<void>} [between] slices
 * @returns {ReadableStream} */
function inflated(packed, between) {
    let at = 0;
    return new ReadableStream({ async pull(stream) {
        await between?.();
        if (at < packed.length)
            stream.enqueue(packed.subarray(at, at += SLICE));
        else
            stream.close();
    } }).pipeThrough(new DecompressionStream('deflate-raw'));
}

/** Unpacks an element of the page, which is not needed again.
 * @param {HTMLElement} element @param {Uint8Array} bytes that it fills
 * @param {() => Promise<void>} [between] slices */
async function unpack(element, bytes, between) {
    const packed = fromBase64(element.textContent);
    element.textContent = '';
    const reader = inflated(packed, between).getReader();
    const size = Number(element.dataset.bytes);
    let at = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done)
            break;
        bytes.set(value, at);
        at += value.length;
    }
    if (at !== size)
        throw new Error(`the data of this page are not whole: ${at} of ${size} bytes`);
}

/** Differences become what they are differences of. @param {Uint32Array} words */
function sumUp(words) {
    let sum = 0;
    for (let i = 0; i < words.length; i++)
        words[i] = sum = sum + words[i] | 0;
    return words;
}

/** @returns {Float64Array} */
function joinWords(low, high) {
    const joined = new Float64Array(low.length);
    for (let i = 0; i < low.length; i++)
        joined[i] = high[i] * 4294967296 + low[i];
    return joined;
}

/** Makes a member of a table that is worked out when it is first asked for. */
function setLater(table, name, work) {
    Object.defineProperty(table, name, { configurable: true, enumerable: true, get() {
        const value = work();
        Object.defineProperty(table, name, { value, enumerable: true });
        return value;
    } });
}

/** A column of a table; returns where the next begins. @param {Uint8Array} bytes */
function readColumn(bytes, at, [name, type], table) {
    const { rows } = table;
    const start = bytes.byteOffset + at;
    const whole = (size) => (rows * size + 3) & ~3;
    switch (type) {
    case 'u8': table[name] = new Uint8Array(bytes.buffer, start, rows); return at + whole(1);
    case 'u16': table[name] = new Uint16Array(bytes.buffer, start, rows); return at + whole(2);
    case 'u32':
        table[name] = sumUp(new Uint32Array(bytes.buffer, start, rows));
        return at + whole(4);
    case 'u64':
        setLater(table, name, () => joinWords(sumUp(new Uint32Array(bytes.buffer, start, rows)),
            sumUp(new Uint32Array(bytes.buffer, start + whole(4), rows))));
        return at + 2 * whole(4);
    default: throw new Error(`the data of this page have a column of type ${type}`);
    }
}

/**
 * @typedef {object} Scene a run: tables of columns, texts, and what it says about itself
 * @property {object} about
 * @property {(text: number) => string} text '' while it is not there yet
 * @property {number} lettersThere
 *
 * Each table is a member: scene.events.time[i]; `rows` is how many rows it has.
 * @param {Uint8Array} bytes @returns {Scene}
 */
function readScene(bytes) {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    const directory = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    const scene = { about: directory.about };
    let at = (4 + length + 3) & ~3;
    for (const { name, rows, columns } of directory.tables) {
        const table = { rows };
        for (const column of columns)
            at = readColumn(bytes, at, column, table);
        scene[name] = table;
    }
    scene.letters.byte = makeRoom(scene);
    const known = new Map();
    const decoder = new TextDecoder();
    scene.text = (text) => {
        const end = scene.texts.end[text];
        if (end > scene.lettersThere)
            return '';
        if (!known.has(text)) {
            const begin = text ? scene.texts.end[text - 1] : 0;
            known.set(text, decoder.decode(scene.letters.byte.subarray(begin, end)));
        }
        return known.get(text);
    };
    return scene;
}

/** Room for all letters, the late ones too. */
function makeRoom(scene) {
    const { byte } = scene.letters;
    scene.lettersThere = byte.length;
    const all = new Uint8Array(scene.texts.end.at(-1) ?? 0);
    all.set(byte);
    return all;
}

/** What led to a decision is no story of its own: it is told with the decision. */
function settleTrails({ events }) {
    for (let i = 0; i < events.rows; i++)
        for (let row = i - events.trail[i]; row < i; row++)
            if (!events.trail[row] && events.level[row] === 0)
                events.level[row] = 1;
}

/** A scene without its late texts. @param {HTMLElement} element @returns {Promise<Scene>} */
async function loadScene(element) {
    const bytes = new Uint8Array(Number(element.dataset.bytes));
    await unpack(element, bytes);
    const scene = readScene(bytes);
    settleTrails(scene);
    return scene;
}

/** @param {Scene} scene @param {HTMLElement} element with the letters of its late texts
 * @param {() => Promise<void>} [between] slices */
async function loadLate(scene, element, between) {
    const { byte } = scene.letters;
    await unpack(element, byte.subarray(scene.lettersThere), between);
    scene.lettersThere = byte.length;
    scene.lower = undefined; // list.js: what was searched had holes
}
