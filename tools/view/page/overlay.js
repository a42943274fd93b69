// SPDX-License-Identifier: MIT
// overlay.js: what moves over the stage: the cursor, the chosen allocation, arrows of cause.

/** Where an event happened on the stage, or null when it has no place there. */
function spotOf(stage, event) {
    const { act, panels, axis, x } = stage;
    const { stays, slices } = act.scene;
    const at = x(axis.of(event, act.time(event)));
    const { stay, slice } = act.thingsAt(event);
    const panelOf = (kind, row) => panels.find((panel) => panel.kind === kind && panel.row === row);
    const segment = stay === NONE ? undefined : panelOf('segment', stays.segment[stay]);
    if (segment) {
        const box = stayBox(stage, segment, stay);
        return { x: at, y: (box.y0 + box.y1) / 2 };
    }
    const lane = slice === NONE ? undefined : panelOf('lane', slices.lane[slice]);
    return lane ? { x: at, y: lane.y + lane.height / 2 } : null;
}

const within = ({ left, width }, { x }) => x >= left - 1 && x <= left + width + 1;

/** By kind, as in the legend and in a still picture. */
const ARROW_DASHES = [[6, 3], [], [10, 3, 2, 3], [2, 3]];
const MOST_ARROWS = 300;
const LEAST_ARROW = 12; // pixels; a shorter one is but its head
const ARROW_HEAD = 8;

/** The arrows that can be told from each other, and how many there are in sight.
 * @returns {{rows: number[], all: number}} */
function arrowsInSight(stage) {
    const { act, axis, left, width, x } = stage;
    const { from, to } = act.scene.arrows;
    const long = [];
    let all = 0;
    for (let arrow = act.arrows.first; arrow < act.arrows.end; arrow++) {
        const [a, b] = [from[arrow], to[arrow]].map((row) => x(axis.of(row, act.time(row))));
        if (!act.isKnown(arrow) || Math.max(a, b) < left || Math.min(a, b) > left + width)
            continue;
        const spots = [spotOf(stage, from[arrow]), spotOf(stage, to[arrow])];
        if (!spots[0] || !spots[1])
            continue;
        all++;
        if (Math.hypot(spots[0].x - spots[1].x, spots[0].y - spots[1].y) >= LEAST_ARROW)
            long.push(arrow);
    }
    const step = Math.max(1, long.length / MOST_ARROWS);
    const rows = Array.from({ length: Math.min(long.length, MOST_ARROWS) },
        (_, i) => long[Math.floor(i * step)]);
    return { rows, all };
}

/** All arrows, within the plot. @returns {string} what is said of those that are not drawn */
function paintArrows(stage) {
    const { rows, all } = arrowsInSight(stage);
    for (const arrow of rows)
        paintArrow(stage, arrow, false);
    return rows.length === all ? '' : `${rows.length.toLocaleString('en-US')} of ` +
        `${formatCount(all, 'arrow')} are drawn; zoom in to see the others.`;
}

/** One arrow from cause to effect. The kinds differ in their dashes, too. */
function paintArrow(stage, arrow, strong, words = []) {
    const { ctx, act, palette } = stage;
    const { from, to, kind } = act.scene.arrows;
    const a = spotOf(stage, from[arrow]);
    const b = spotOf(stage, to[arrow]);
    if (!a || !b || (!within(stage, a) && !within(stage, b)))
        return;
    const { left, width } = stage;
    const held = (at) => Math.max(left, Math.min(left + width, at));
    const bend = Math.max(24, Math.abs(b.x - a.x) / 2);
    const side = b.x - ARROW_HEAD < left ? -1 : 1; // at the edge it comes from the right
    ctx.save();
    ctx.beginPath();
    ctx.rect(left - 3, 0, width + 6, 1e5);
    ctx.clip();
    ctx.strokeStyle = palette.text;
    ctx.fillStyle = palette.text;
    ctx.globalAlpha = strong ? 0.95 : 0.35;
    ctx.lineWidth = strong ? 2 : 1;
    ctx.setLineDash(ARROW_DASHES[kind[arrow]] ?? []);
    ctx.beginPath();
    ctx.moveTo(a.x, a.y);
    ctx.bezierCurveTo(held(a.x + bend), a.y, held(b.x - side * bend), b.y, b.x - side * 6, b.y);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.beginPath();
    ctx.moveTo(b.x, b.y);
    ctx.lineTo(b.x - side * ARROW_HEAD, b.y - 4.5);
    ctx.lineTo(b.x - side * ARROW_HEAD, b.y + 4.5);
    ctx.fill();
    ctx.beginPath();
    ctx.arc(a.x, a.y, 3, 0, 7);
    ctx.fill();
    ctx.restore();
    if (Math.abs(a.y - b.y) < 8)
        rewrite(stage, words, Math.min(a.x, b.x), Math.max(a.x, b.x), a.y - 8, a.y + 8);
}

/** A frame around every stay of the chosen allocation; the rest steps back. */
function paintChosen(stage, allocation) {
    const { ctx, act, palette, left, width } = stage;
    for (const panel of stage.panels) {
        if (panel.kind !== 'segment' || panel.small)
            continue;
        ctx.save();
        ctx.beginPath();
        ctx.rect(left, panel.y, width, panel.height);
        const boxes = Array.from(act.staysBy.of(allocation))
            .filter((stay) => act.scene.stays.segment[stay] === panel.row)
            .map((stay) => stayBox(stage, panel, stay));
        for (const { x0, x1, y0, y1 } of boxes)
            ctx.rect(x0, y0, Math.max(1, x1 - x0), y1 - y0);
        ctx.clip('evenodd');
        ctx.fillStyle = palette.surface;
        ctx.globalAlpha = FADE;
        ctx.fillRect(left, panel.y, width, panel.height);
        ctx.restore();
        paintOthers(stage, panel, allocation);
        ctx.strokeStyle = palette.accent;
        ctx.lineWidth = 2.5;
        for (const { x0, x1, y0, y1 } of boxes)
            if (x1 >= left && x0 <= left + width)
                ctx.strokeRect(Math.max(left, x0) + 0.5, y0 + 0.5,
                    Math.max(2, Math.min(left + width, x1) - Math.max(left, x0) - 1), y1 - y0 - 1);
        ctx.lineWidth = 1;
    }
}

/** What lies beside it is asked, too: the names stay as they were. */
function paintOthers(stage, panel, allocation) {
    const { act, palette } = stage;
    const faded = { ...stage, palette: { ...palette, fillText: palette.faded } };
    const stays = visibleStays(stage, panel);
    if (stays.length <= MANY)
        for (const stay of stays)
            if (act.scene.stays.allocation[stay] !== allocation)
                paintBoxText(faded, panel, stay);
}

/** Words are written again over a line that goes from one place to another through them. */
function rewrite({ ctx }, words, from, to, top, bottom) {
    ctx.textAlign = 'left';
    ctx.textBaseline = 'middle';
    for (const { shown, x, y, halo, width, font, ink } of words)
        if (x - 2 <= to && x + width + 2 >= from && y >= top && y <= bottom) {
            ctx.font = font;
            ctx.fillStyle = ink;
            write(ctx, shown, x, y, halo);
        }
}

/** The part of a stage that may be seen in an exercise: it ends behind the last event known.
 * @returns {Stage} all of it, where nothing is hidden */
function knownPart(stage, event) {
    if (event === NONE)
        return stage;
    const { act, axis, left, width, view, x } = stage;
    const end = x(axis.after(event, act.time(event)));
    // A pixel at least: the painters divide by what they have. It is cut off, too.
    const known = Math.max(1, Math.min(width, end - left));
    const to = view.from + known / width * (view.to - view.from);
    return { ...stage, width: known, view: { from: view.from, to }, future: Math.max(left, end) };
}

/** Paints what is known: nothing is drawn beyond it, so that nothing can be read there. */
function clipFuture({ ctx, future }, height, paint) {
    ctx.save();
    if (future !== undefined) {
        ctx.beginPath();
        ctx.rect(0, 0, future, height);
        ctx.clip();
    }
    paint();
    ctx.restore();
}

/** What has not happened yet in an exercise. @param {Stage} stage all of it */
function paintFuture({ ctx, palette, left, width }, from, height) {
    const wide = left + width - from;
    if (!(wide > 0))
        return;
    ctx.fillStyle = palette.free;
    ctx.fillRect(from, 0, wide + 1, height);
    ctx.fillStyle = palette.quiet;
    ctx.font = FONT(13, 600);
    ctx.textBaseline = 'middle';
    const words = 'answer first';
    const lines = ctx.measureText(words).width + 16 <= wide ? ['?', words] :
        ['?', ...words.split(' ')];
    ctx.textAlign = 'center';
    lines.filter((line) => ctx.measureText(line).width + 8 <= wide).forEach((line, i) =>
        ctx.fillText(line, from + wide / 2, height / 3 + i * 18));
}

/** The moment that the table shows. */
function paintCursor(stage, event, height, words) {
    const { ctx, act, axis, palette, left, width, x } = stage;
    const at = x(axis.of(event, act.time(event)));
    if (at < left - 1 || at > left + width + 1)
        return;
    if (axis.kind === 'events') {
        ctx.fillStyle = palette.accent;
        ctx.globalAlpha = 0.13;
        ctx.fillRect(at, 0, Math.max(1, Math.min(x(1) - x(0), left + width - at)), height);
        ctx.globalAlpha = 1;
    }
    ctx.strokeStyle = palette.accent;
    ctx.lineWidth = 2;
    ctx.beginPath();
    ctx.moveTo(Math.round(at), 0);
    ctx.lineTo(Math.round(at), height);
    ctx.stroke();
    rewrite(stage, words, at, at, 0, height);
}

const FLAG_PAD = 6;

/** Where a flag with a text stands on the axis: over its place, within the plot. */
function flagOver({ ctx, left, width }, at, text) {
    ctx.font = FONT(11, 600);
    const wide = ctx.measureText(text).width + 2 * FLAG_PAD;
    return { text, wide, from: Math.max(left, Math.min(at - wide / 2, left + width - wide)) };
}

/** The words of the axis make way for flags. */
function clearTicks({ ctx, axis, palette, left, width, view, x }, flags) {
    ctx.fillStyle = palette.surface;
    for (const tick of axis.ticks(view.from, view.to, width / TICK_WIDTH)) {
        const half = ctx.measureText(tick.text).width / 2 + 1;
        const middle = Math.max(left + half, Math.min(left + width - half, x(tick.at)));
        if (flags.some(({ from, wide }) =>
            middle + half > from - 4 && middle - half < from + wide + 4))
            ctx.fillRect(middle - half, 0, 2 * half, AXIS_HEIGHT - 8);
    }
}

function paintFlag({ ctx, palette }, { text, from, wide }, color) {
    ctx.fillStyle = color;
    ctx.beginPath();
    ctx.roundRect(from, 1, wide, 18, 4);
    ctx.fill();
    ctx.fillStyle = palette.surface;
    ctx.textAlign = 'left';
    ctx.textBaseline = 'middle';
    ctx.fillText(text, from + FLAG_PAD, 10.5);
    ctx.lineWidth = 1;
}

/** On the axis: the time of the cursor, and beside it where two runs first differ. */
function paintFlags(stage, event, difference) {
    const { act, axis, palette, left, width, x } = stage;
    const placeOf = (row) => row === NONE ? -Infinity : x(axis.of(row, act.time(row)));
    const [at, apart] = [placeOf(event), placeOf(difference)];
    const cursor = within(stage, { x: at }) ?
        flagOver(stage, at, formatTime(act.time(event))) : null;
    const mark = within(stage, { x: apart }) ? flagOver(stage, apart, '≠ first difference') : null;
    if (cursor && mark && mark.from < cursor.from + cursor.wide + 3 &&
        mark.from + mark.wide + 3 > cursor.from) {
        const after = cursor.from + cursor.wide + 3;
        const before = cursor.from - mark.wide - 3;
        const goesAfter = after + mark.wide <= left + width && (apart >= at || before < left);
        mark.from = goesAfter ? after : before;
    }
    clearTicks(stage, [cursor, mark].filter(Boolean));
    if (mark)
        paintFlag(stage, mark, palette.bad);
    if (cursor)
        paintFlag(stage, cursor, palette.accent);
}
