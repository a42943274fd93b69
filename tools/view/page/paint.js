// SPDX-License-Identifier: MIT
// paint.js: the stage: segment maps, lanes and counters on one axis.

const MANY = 5000; // boxes of a panel; beyond, they become pixels

/** What all painters get. @typedef {object} Stage
 * @property {CanvasRenderingContext2D} ctx @property {Act} act @property {Axis} axis
 * @property {object} palette @property {Panel[]} panels
 * @property {{from: number, to: number}} view
 * @property {number} left where the plot begins @property {number} width of the plot
 * @property {(position: number) => number} x
 */

const STUMP = 8; // letters: a word that is cut to fewer says nothing

/** What of a text is shown: all of it, whole words, or so much of a word that it can be guessed.
 * @param {(text: string) => boolean} fits @param {number} [least] letters of a word that is cut */
function cutText(text, fits, least = STUMP) {
    if (fits(text))
        return text;
    const letters = Array.from(text);
    let count = letters.length - 1;
    while (count > 0 && !fits(`${letters.slice(0, count).join('')}…`))
        count--;
    const word = letters.slice(0, count + 1).lastIndexOf(' ');
    const kept = count - word - 1 >= least ? count : Math.max(word, 0);
    return kept ? `${letters.slice(0, kept).join('').trimEnd()}…` : '';
}

/** A text in the room that it has; `halo` is the colour that it stands on, where lines cross it.
 * `ctx.words`: what may have to be written again over the cursor. */
function label(ctx, text, x, y, room, halo, least) {
    const wide = (part) => ctx.measureText(part).width;
    const shown = room < 14 ? '' : cutText(text, (part) => wide(part) <= room, least);
    if (!shown)
        return;
    if (halo) { // hatches that cross would make the letters hard to read
        const high = parseFloat(/([\d.]+)px/.exec(ctx.font)[1]) * 0.9;
        const ink = ctx.fillStyle;
        ctx.fillStyle = halo;
        ctx.fillRect(x - 2, y - high / 2, wide(shown) + 4, high);
        ctx.fillStyle = ink;
    }
    write(ctx, shown, x, y, halo);
    if (halo)
        ctx.words?.push({ shown, x, y, halo, width: wide(shown), font: ctx.font,
            ink: ctx.fillStyle });
}

function write(ctx, text, x, y, halo) {
    if (halo) {
        ctx.strokeStyle = halo;
        ctx.lineWidth = 3;
        ctx.lineJoin = 'round';
        ctx.strokeText(text, x, y);
        ctx.lineWidth = 1;
    }
    ctx.fillText(text, x, y);
}

const FONT = (size, weight = 400) =>
    `${weight} ${size}px system-ui, -apple-system, "Segoe UI", "Liberation Sans", ` +
    '"DejaVu Sans", sans-serif';

const TWO_LINES = 28; // a panel as high as this has a name and a detail under it

/** The words to the left of a panel. */
function paintGutter({ ctx, palette, left }, panel, name, detail) {
    ctx.textAlign = 'left';
    ctx.textBaseline = 'alphabetic';
    ctx.fillStyle = palette.text;
    ctx.font = FONT(13, 600);
    const oneLine = panel.height < TWO_LINES;
    const middle = panel.kind === 'segment' && !panel.small ? panel.y + 12 :
        panel.y + panel.height / 2 + (detail && !oneLine ? -2 : 4);
    label(ctx, name, 0, middle, left - 8, undefined, 2);
    const wide = ctx.measureText(name).width + 6;
    ctx.fillStyle = palette.quiet;
    ctx.font = FONT(11);
    if (detail)
        label(ctx, detail, oneLine ? wide : 0, oneLine ? middle : middle + 14,
            left - 8 - (oneLine ? wide : 0), undefined, 2);
}

function horizontal(ctx, left, width, y) {
    ctx.beginPath();
    ctx.moveTo(left, Math.round(y) + 0.5);
    ctx.lineTo(left + width, Math.round(y) + 0.5);
    ctx.stroke();
}

/** Is there room for the size of a segment beside its name? */
function topFits({ ctx, act, left }, panel, bytes) {
    const words = ctx.measureText(formatRoughSize(bytes)).width;
    ctx.save();
    ctx.font = FONT(13, 600);
    const name = ctx.measureText(act.scene.text(act.scene.segments.name[panel.row])).width;
    ctx.restore();
    return name + words + 14 <= left;
}

/** Scale of addresses, banks, the pinned line, the commit limit. */
function paintSegmentLines(stage, panel) {
    const { ctx, act, palette, left, width } = stage;
    const { size, banks, pin_start: pinStart, commit_limit: limit } = act.scene.segments;
    const bytes = size[panel.row];
    ctx.strokeStyle = palette.line;
    ctx.fillStyle = palette.quiet;
    ctx.font = FONT(10.5);
    ctx.textAlign = 'right';
    ctx.textBaseline = 'middle';
    ctx.lineWidth = 1;
    const step = niceBytes(bytes, panel.height / 34);
    const pin = pinStart[panel.row] && pinStart[panel.row] < bytes ?
        offsetToY(panel, bytes, pinStart[panel.row]) : -100;
    const places = Array.from({ length: Math.ceil(bytes / step) }, (_, i) => i * step);
    for (const at of [...places, bytes]) {
        const y = offsetToY(panel, bytes, at);
        if ((y < panel.y + 34 && !(at === bytes && topFits(stage, panel, bytes))) ||
            Math.abs(y - pin) < 14)
            continue;
        ctx.fillText(at === 0 ? '0' : formatRoughSize(at), left - 7, Math.max(panel.y + 5, y));
        ctx.beginPath();
        ctx.moveTo(left - 4, Math.round(y) + 0.5);
        ctx.lineTo(left, Math.round(y) + 0.5);
        ctx.stroke();
    }
    ctx.strokeRect(left - 0.5, panel.y - 0.5, width + 1, panel.height + 1);
    ctx.setLineDash([1, 3]);
    ctx.strokeStyle = palette.bank;
    for (let bank = 1; bank < banks[panel.row]; bank++)
        horizontal(ctx, left, width, offsetToY(panel, bytes, bytes / banks[panel.row] * bank));
    ctx.setLineDash([7, 4]);
    ctx.strokeStyle = palette.pinned;
    ctx.fillStyle = palette.pinned;
    if (pin > 0) {
        horizontal(ctx, left, width, pin);
        if (pin > panel.y + 34)
            ctx.fillText('pinned ↑', left - 7, pin);
    }
    ctx.setLineDash([2, 2]);
    if (limit[panel.row] && limit[panel.row] < bytes)
        horizontal(ctx, left, width, offsetToY(panel, bytes, limit[panel.row]));
    ctx.setLineDash([]);
    ctx.lineWidth = 1;
}

function stayBox({ act, axis, x }, panel, stay) {
    const { offset, bytes } = act.scene.stays;
    const { first, from, to } = axis.stays();
    const size = act.scene.segments.size[panel.row];
    const y0 = offsetToY(panel, size, offset[stay] + bytes[stay]);
    return { x0: x(from[stay - first]), x1: x(to[stay - first]), y0,
        y1: offsetToY(panel, size, offset[stay]) };
}

/** A box, its edge, its name; a name stays in sight while a part of its box does. */
function paintBox(stage, panel, stay) {
    const { ctx, act, palette, left, width } = stage;
    const allocation = act.scene.stays.allocation[stay];
    const hue = hueOf(act, allocation);
    const box = stayBox(stage, panel, stay);
    const x0 = Math.max(left, box.x0);
    const x1 = Math.max(Math.min(left + width, box.x1), x0 + 1.5);
    const high = Math.max(box.y1 - box.y0, 1);
    ctx.fillStyle = palette.fillText[hue];
    ctx.fillRect(x0, box.y0, x1 - x0, high);
    const { left: gone, gone: freed } = act.scene.stays;
    if (gone[stay] !== NONE && gone[stay] !== freed[stay]) {
        const from = Math.max(x0, stage.x(stage.axis.of(gone[stay], act.time(gone[stay]))));
        ctx.fillStyle = palette.leaving;
        if (from < x1)
            ctx.fillRect(from, box.y0, x1 - from, high);
    }
    ctx.fillStyle = palette.edges[hue];
    if (box.x0 >= left && x1 - x0 > 3)
        ctx.fillRect(x0, box.y0, 2.5, high);
    if (high > 4 && x1 - x0 > 3) {
        ctx.strokeStyle = palette.edges[hue];
        ctx.lineWidth = 1;
        ctx.strokeRect(x0 + 0.5, box.y0 + 0.5, x1 - x0 - 1, high - 1);
    }
}

/** Where words of a height stand in a box: if they can, a line at `pin` does not cross them. */
function wordsTop(box, high, wish, pin) {
    const free = (top) => top >= box.y0 && top + high <= box.y1 &&
        (pin < top - 1 || pin > top + high + 1);
    return [wish, pin + 3, pin - high - 3].find(free) ?? wish;
}

function paintBoxText(stage, panel, stay) {
    const { ctx, act, palette, left, width } = stage;
    const box = stayBox(stage, panel, stay);
    const x0 = Math.max(left, box.x0);
    const room = Math.min(left + width, box.x1) - x0 - 12;
    const high = box.y1 - box.y0;
    if (high < 9.5 || room < 14)
        return;
    const two = high > 34;
    const size = high > 22 ? 13 : high > 12 ? 11 : 9.5;
    const { size: sizes, pin_start: pin } = act.scene.segments;
    const top = wordsTop(box, two ? 30 : size, two ? box.y0 + 5 : (box.y0 + box.y1 - size) / 2,
        offsetToY(panel, sizes[panel.row], pin[panel.row]));
    const halo = palette.fillText[hueOf(act, act.scene.stays.allocation[stay])];
    ctx.textAlign = 'left';
    ctx.textBaseline = 'middle';
    ctx.fillStyle = palette.boxText;
    ctx.font = FONT(size, 600);
    label(ctx, stayName(act, stay), x0 + 8, top + (two ? 8 : size / 2 + 0.5), room, halo);
    ctx.font = FONT(11);
    const bytes = formatSize(act.scene.stays.bytes[stay]);
    if (two && ctx.measureText(bytes).width <= room)
        label(ctx, bytes, x0 + 8, top + 24, room, halo);
}

/** From the lowest to the highest: frames come over hatches. */
const MARK_LAYERS = ['moving', 'dirty', 'locked', 'offered', 'pinned'];

/** All marks on the boxes of a panel. The stays of an allocation follow each other, so that those
 * under a mark are found by halving. */
function paintMarks(stage, panel, stays) {
    const { act, axis, view } = stage;
    const { kind, allocation } = act.scene.marks;
    const marks = axis.marks();
    const { first, from, to } = axis.stays();
    const byOwner = Map.groupBy(stays, (stay) => act.scene.stays.allocation[stay]);
    const layers = MARK_LAYERS.map(() => []);
    const layerOf = MARKS.map((word) => layers[MARK_LAYERS.indexOf(word)]);
    for (let mark = act.marks.first; mark < act.marks.end; mark++)
        if (marks.from[mark - marks.first] <= view.to && marks.to[mark - marks.first] >= view.from)
            layerOf[kind[mark]].push(mark);
    for (const mark of layers.flat()) {
        const owned = byOwner.get(allocation[mark]) ?? [];
        const begin = marks.from[mark - marks.first];
        const end = marks.to[mark - marks.first];
        for (let i = lowerBound(0, owned.length, (at) => to[owned[at] - first] > begin);
            i < owned.length && from[owned[i] - first] < end; i++)
            paintMark(stage, panel, mark, owned[i]);
    }
}

/** What was true of an allocation for a while, on each of its boxes. */
function paintMark(stage, panel, mark, stay) {
    const { ctx, act, axis, palette, left, width, x } = stage;
    const box = stayBox(stage, panel, stay);
    const { first, from, to } = axis.marks();
    const x0 = Math.max(left, box.x0, x(from[mark - first]));
    const x1 = Math.min(left + width, box.x1, x(to[mark - first]));
    const high = box.y1 - box.y0;
    if (x1 - x0 < 0.5 || high < 2)
        return;
    switch (MARKS[act.scene.marks.kind[mark]]) {
    case 'dirty':
    case 'moving':
        ctx.fillStyle = palette[MARKS[act.scene.marks.kind[mark]]];
        ctx.fillRect(x0, box.y0, x1 - x0, high);
        break;
    case 'pinned':
        ctx.strokeStyle = palette.text;
        ctx.lineWidth = 2;
        ctx.strokeRect(x0 + 1, box.y0 + 1, Math.max(1, x1 - x0 - 2), Math.max(1, high - 2));
        break;
    case 'offered':
        ctx.strokeStyle = palette.text;
        ctx.lineWidth = 1.5;
        ctx.setLineDash([4, 3]);
        ctx.strokeRect(x0 + 1, box.y0 + 1, Math.max(1, x1 - x0 - 2), Math.max(1, high - 2));
        ctx.setLineDash([]);
        break;
    case 'locked':
        ctx.fillStyle = palette.text;
        ctx.fillRect(x0, box.y0, x1 - x0, Math.min(4, high / 2));
        break;
    }
    ctx.lineWidth = 1;
}

/** So many that each is a few pixels: they are written as pixels. */
function paintManyBoxes(stage, panel, stays) {
    const { ctx, act, palette, left, width } = stage;
    const scale = ctx.getTransform().a;
    const wide = Math.max(1, Math.round(width * scale));
    const high = Math.max(1, Math.round(panel.height * scale));
    const image = ctx.createImageData(wide, high);
    const pixels = new Uint32Array(image.data.buffer);
    const colors = palette.fills.map(([red, green, blue]) =>
        (0xFF000000 | blue << 16 | green << 8 | red) >>> 0);
    const { allocation, offset, bytes } = act.scene.stays;
    const { first, from, to } = stage.axis.stays();
    const perUnit = wide / (stage.view.to - stage.view.from);
    const perByte = high / act.scene.segments.size[panel.row];
    const box = { x0: 0, x1: 0, y0: 0, y1: 0, color: 0 };
    fillPixels(pixels, wide, high, stays.length, (i) => {
        const stay = stays[i];
        box.x0 = (from[stay - first] - stage.view.from) * perUnit;
        box.x1 = (to[stay - first] - stage.view.from) * perUnit;
        box.y0 = high - (offset[stay] + bytes[stay]) * perByte;
        box.y1 = high - offset[stay] * perByte;
        box.color = colors[hueOf(act, allocation[stay])];
        return box;
    });
    const layer = new OffscreenCanvas(wide, high);
    layer.getContext('2d').putImageData(image, 0, 0);
    ctx.drawImage(layer, left, panel.y, width, panel.height);
}

/** The stays of a panel that can be seen. */
function visibleStays({ act, axis, view }, panel) {
    const { first, from, to } = axis.stays();
    return act.staysIn.of(panel.row).filter((stay) =>
        from[stay - first] <= view.to && to[stay - first] >= view.from);
}

function paintSegment(stage, panel) {
    const { ctx, act, palette, left, width } = stage;
    const { segments } = act.scene;
    const size = formatSize(segments.size[panel.row]);
    ctx.fillStyle = palette.free;
    ctx.fillRect(left, panel.y, width, panel.height);
    if (panel.small) {
        paintGutter(stage, panel, act.scene.text(segments.name[panel.row]), size);
        ctx.strokeStyle = palette.line;
        ctx.strokeRect(left - 0.5, panel.y - 0.5, width + 1, panel.height + 1);
        ctx.fillStyle = palette.quiet;
        ctx.font = FONT(12);
        ctx.textBaseline = 'middle';
        label(ctx, 'nothing was placed here', left + 10, panel.y + panel.height / 2, width - 20);
        return;
    }
    const stays = visibleStays(stage, panel);
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, panel.y, width, panel.height);
    ctx.clip();
    if (stays.length > MANY) {
        paintManyBoxes(stage, panel, stays);
    } else {
        for (const stay of stays)
            paintBox(stage, panel, stay);
        paintMarks(stage, panel, stays);
    }
    ctx.restore();
    paintSegmentLines(stage, panel);
    if (stays.length <= MANY)
        for (const stay of stays)
            paintBoxText(stage, panel, stay);
    paintGutter(stage, panel, act.scene.text(segments.name[panel.row]),
        act.scene.text(segments.kind[panel.row]));
}

/** @param {Stage} stage */
function paintStage(stage) {
    for (const panel of stage.panels) {
        if (panel.kind === 'segment')
            paintSegment(stage, panel);
        else if (panel.kind === 'lane')
            paintLane(stage, panel);
        else if (panel.kind === 'residence')
            paintResidence(stage, panel);
        else if (panel.kind === 'counter')
            paintCounter(stage, panel);
        else
            paintScript(stage, panel);
    }
    paintHangs(stage);
}
