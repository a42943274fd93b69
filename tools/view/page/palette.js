// SPDX-License-Identifier: MIT
// palette.js: colours and hatches. Colour never carries a meaning alone: every box has its name,
// every state its hatch or frame.
//
// The hues are those of Okabe and Ito, which people with any kind of colour vision tell apart.

const HUES = [
    [0x56, 0xB4, 0xE9], [0xE6, 0x9F, 0x00], [0x00, 0x9E, 0x73], [0xCC, 0x79, 0xA7],
    [0x00, 0x72, 0xB2], [0xD5, 0x5E, 0x00], [0xF0, 0xE4, 0x42],
];

const mix = (a, b, share) => a.map((value, i) => Math.round(value * share + b[i] * (1 - share)));
const css = ([red, green, blue], alpha = 1) =>
    alpha === 1 ? `rgb(${red} ${green} ${blue})` : `rgb(${red} ${green} ${blue} / ${alpha})`;

/** A custom property of the page (tokens.css makes it a colour) as three numbers. */
function readColor(styles, name) {
    return styles.getPropertyValue(name).match(/[\d.]+/g).slice(0, 3).map(Number);
}

/** A square of pixels that is repeated. @param {(ctx: CanvasRenderingContext2D) => void} draw */
function makePattern(ctx, size, scale, draw) {
    const tile = document.createElement('canvas');
    tile.width = tile.height = Math.round(size * scale);
    const pen = tile.getContext('2d');
    pen.scale(tile.width / size, tile.width / size);
    draw(pen);
    const pattern = ctx.createPattern(tile, 'repeat');
    pattern.setTransform(new DOMMatrix().scale(size / tile.width));
    return pattern;
}

function diagonal(pen, size, color, width, rising) {
    pen.strokeStyle = color;
    pen.lineWidth = width;
    pen.beginPath();
    for (const shift of [-size, 0, size]) {
        pen.moveTo(shift - 1, rising ? size + 1 : -1);
        pen.lineTo(shift + size + 1, rising ? -1 : size + 1);
    }
    pen.stroke();
}

/** The colours of the page as the canvas needs them; made again when light becomes dark. */
function makePalette(ctx, scale) {
    const styles = getComputedStyle(document.documentElement);
    const color = (name) => readColor(styles, name);
    const paper = color('--surface');
    const ink = color('--ink');
    const dark = paper[0] < 128;
    const palette = {
        dark, paper, ink,
        surface: css(paper),
        text: css(ink),
        quiet: css(color('--quiet')),
        line: css(color('--line')),
        faint: css(ink, dark ? 0.07 : 0.05),
        accent: css(color('--accent')),
        bad: css(color('--bad')),
        good: css(color('--good')),
        bank: css(color('--quiet'), 0.65),
        pinned: css(color('--pinned')),
        boxText: css(dark ? [255, 255, 255] : [0x14, 0x17, 0x1C]),
        // The last one is what no allocation has: paging buffers, broken memory.
        fills: [...HUES.map((hue) => mix(hue, paper, dark ? 0.5 : 0.42)), mix(ink, paper, 0.16)],
        edges: [...HUES.map((hue) => css(dark ? hue : mix(hue, [0, 0, 0], 0.82))), css(ink, 0.5)],
    };
    palette.fillText = palette.fills.map((fill) => css(fill));
    palette.free = makePattern(ctx, 9, scale, (pen) => {
        diagonal(pen, 9, palette.faint, 1, true);
        diagonal(pen, 9, palette.faint, 1, false);
    });
    palette.dirty = makePattern(ctx, 7, scale,
        (pen) => diagonal(pen, 7, css(ink, dark ? 0.45 : 0.36), 1.1, true));
    palette.moving = makePattern(ctx, 6, scale,
        (pen) => diagonal(pen, 6, css(paper, dark ? 0.5 : 0.6), 2, false));
    return palette;
}

/** Which hue an allocation has: by its place among those of its act, so that it is always the same. */
const hueOf = (act, allocation) =>
    allocation === NONE ? HUES.length : (allocation - act.allocations.first) % HUES.length;
