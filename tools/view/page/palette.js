// SPDX-License-Identifier: MIT
// palette.js: colours and hatches. Colour never carries a meaning alone: every box has its name,
// every state its hatch or frame.

const HUES = 7; // --hue0 to --hue6 in tokens.css; --hue7 is what no allocation has
const EDGE = 0.55; // how much of a hue its outline has; the rest is black, in the dark white

const FADE = 0.62; // of what is beside a chosen box

const mix = (a, b, share) => a.map((value, i) => Math.round(value * share + b[i] * (1 - share)));
const css = ([red, green, blue], alpha = 1) =>
    alpha === 1 ? `rgb(${red} ${green} ${blue})` : `rgb(${red} ${green} ${blue} / ${alpha})`;

/** The outline of a box, and what its name is written with. */
const edgeOf = (hue, dark) => mix(hue, dark ? [255, 255, 255] : [0, 0, 0], EDGE);
const boxInk = (dark) => (dark ? [255, 255, 255] : [0x14, 0x17, 0x1C]);

/** A custom property of the page, #rrggbb or declared a colour, as three numbers. */
function readColor(styles, name) {
    const text = styles.getPropertyValue(name).trim();
    return text.startsWith('#') ? [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16)) :
        text.match(/[\d.]+/g).slice(0, 3).map(Number);
}

/** A square of pixels that is repeated. @param {(ctx: CanvasRenderingContext2D) => void} draw */
function makePattern(ctx, size, scale, draw) {
    if (ctx.pattern)
        return ctx.pattern(size, draw); // vector.js
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
    const hues = Array.from({ length: HUES + 1 }, (_, i) => color(`--hue${i}`));
    const palette = {
        dark, paper, ink,
        surface: css(paper),
        text: css(ink),
        quiet: css(color('--quiet')),
        line: css(color('--line')),
        free: css(color('--free')),
        leaving: css(color('--free'), 0.55),
        accent: css(color('--accent')),
        bad: css(color('--bad')),
        good: css(color('--good')),
        bank: css(color('--quiet'), 0.65),
        pinned: css(color('--quiet'), 0.8),
        lane: css(mix(ink, paper, 0.13)),
        boxText: css(boxInk(dark)),
        fills: hues,
        edges: hues.map((hue) => css(edgeOf(hue, dark))),
    };
    palette.fillText = palette.fills.map((fill) => css(fill));
    palette.faded = palette.fills.map((fill) => css(mix(fill, paper, 1 - FADE)));
    palette.dirty = makePattern(ctx, 7, scale,
        (pen) => diagonal(pen, 7, css(ink, dark ? 0.45 : 0.36), 1.1, true));
    const faint = css(ink, dark ? 0.4 : 0.3);
    palette.paging = makePattern(ctx, 5, scale, (pen) => diagonal(pen, 5, faint, 1, true));
    palette.wait = makePattern(ctx, 6, scale, (pen) => {
        pen.fillStyle = faint;
        for (const at of [1, 4])
            pen.fillRect(at, at, 1.4, 1.4);
    });
    palette.moving = makePattern(ctx, 6, scale,
        (pen) => diagonal(pen, 6, dark ? css(ink, 0.3) : css(paper, 0.6), 2, false));
    return palette;
}

/** Which hue an allocation has: no two have the same that touch each other (tools/scene/hues.c). */
const hueOf = (act, allocation) =>
    allocation === NONE ? HUES : act.scene.allocations.hue[allocation];
