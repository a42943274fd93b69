// SPDX-License-Identifier: MIT
// lanes.js: what the nodes did, what the scenario said, and counters, under and over the maps.

/** May it be seen in an exercise? What begins at the time of the last event known may come after
 * it. */
function isKnownSlice(act, slice) {
    return act.until === NONE || act.scene.slices.begin[slice] < act.time(act.until);
}

/** A wait of the CPU is named for its reason; that the scenario waits has none of its own. */
function sliceName({ scene }, slice) {
    const { name, lane } = scene.slices;
    const words = scene.text(name[slice]);
    return LANES[scene.lanes.kind[lane[slice]]] === 'cpu' && words === 'script' ? 'wait' : words;
}

/** What a slice is, as in a still: 'work', 'paging' or 'wait'. */
function sliceKind({ scene }, slice) {
    const { name, lane } = scene.slices;
    return LANES[scene.lanes.kind[lane[slice]]] === 'cpu' ? 'wait' :
        scene.text(name[slice]).startsWith('paging') ? 'paging' : 'work';
}

/** Packets on a node: a thin line while one waits in the queue, a box while it runs. */
function paintLane(stage, panel) {
    const { ctx, act, axis, palette, left, width, view, x } = stage;
    const kind = LANES[act.scene.lanes.kind[panel.row]];
    const { first, from, to } = axis.slices();
    const queued = axis.queued();
    const high = Math.min(panel.height - 9, 22);
    const top = panel.y + Math.min(4, panel.height - high - 7);
    const [name, detail = ''] = act.scene.text(act.scene.lanes.name[panel.row]).split(' (');
    paintGutter(stage, panel, name, detail.replace(/\)$/, ''));
    ctx.strokeStyle = palette.line;
    horizontal(ctx, left, width, panel.y + panel.height - 4);
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, panel.y, width, panel.height);
    ctx.clip();
    let done = -1;
    for (const slice of act.slicesIn.of(panel.row)) {
        const i = slice - first;
        if (from[i] > view.to || to[i] < view.from || !isKnownSlice(act, slice))
            continue;
        const x0 = x(from[i]);
        const x1 = Math.max(x(to[i]), x0 + 1);
        if (x1 < done + 0.5)
            continue;
        done = x1;
        ctx.fillStyle = palette.quiet;
        if (kind !== 'cpu')
            ctx.fillRect(x(queued.from[i]), top + high + 3, Math.max(0, x0 - x(queued.from[i])), 1);
        ctx.fillStyle = palette.lane;
        ctx.fillRect(x0, top, x1 - x0, high);
        const hatch = palette[sliceKind(act, slice)];
        if (hatch) {
            ctx.fillStyle = hatch;
            ctx.fillRect(x0, top, x1 - x0, high);
        }
        if (x1 - x0 > 3) {
            ctx.fillStyle = palette.quiet;
            ctx.fillRect(x0, top, 1.5, high);
        }
        const seen = Math.max(x0, left);
        ctx.fillStyle = palette.boxText;
        ctx.font = FONT(11, 500);
        ctx.textAlign = 'left';
        ctx.textBaseline = 'middle';
        label(ctx, sliceName(act, slice), seen + 6, top + high / 2,
            Math.min(x1, left + width) - seen - 10, palette.lane);
    }
    ctx.restore();
}

const FLAG_HALF = 9;

/** Where a node is asked to stop, and where the scheduler notices that work does not end: lines
 * through the lanes, as in a still. */
function paintHangs(stage) {
    const { act, palette } = stage;
    paintSigns(stage, act.preempts, '?', palette.quiet);
    paintSigns(stage, act.hangs, '!', palette.bad);
}

function paintSigns(stage, events, sign, color) {
    const { ctx, act, axis, palette, panels, left, width, x } = stage;
    const lanes = panels.filter(({ kind }) => kind === 'lane');
    if (!lanes.length)
        return;
    const top = Math.min(...lanes.map(({ y }) => y));
    const bottom = Math.max(...lanes.map(({ y, height }) => y + height));
    let next = left;
    for (const event of events) {
        const at = x(axis.of(event, act.time(event)));
        if (at < next || at > left + width)
            continue;
        next = at + 2 * FLAG_HALF + 1;
        ctx.fillStyle = color;
        ctx.fillRect(at - 1, top, 2, bottom - top);
        ctx.fillRect(at - FLAG_HALF, top - 2, 2 * FLAG_HALF, 14);
        ctx.fillStyle = palette.surface;
        ctx.font = FONT(11, 700);
        ctx.textAlign = 'left';
        ctx.textBaseline = 'middle';
        label(ctx, sign, at - ctx.measureText(sign).width / 2, top + 5, 2 * FLAG_HALF, color);
    }
}

/** The statements of the scenario, from the begin of one to that of the next. */
function paintScript(stage, panel) {
    const { ctx, act, axis, palette, left, width, x } = stage;
    const { first: event, time, text, verdict } = act.scene.statements;
    paintGutter(stage, panel, 'scenario', '');
    ctx.textAlign = 'left';
    ctx.textBaseline = 'middle';
    ctx.font = FONT(11);
    const { first, end } = act.statements;
    const at = (row) => row < end ? x(axis.of(event[row], time[row])) : left + width;
    let done = -1;
    for (let row = first; row < end; row++) {
        const x0 = Math.max(left, at(row));
        const x1 = Math.min(left + width, row + 1 < end ? at(row + 1) : x(axis.length));
        if (x1 <= left || x0 >= left + width ||
            (x1 < done + 1 && VERDICTS[verdict[row]] !== 'failed'))
            continue;
        done = x1;
        const word = VERDICTS[verdict[row]];
        ctx.fillStyle = word === 'failed' ? palette.bad : palette.line;
        ctx.fillRect(x0, panel.y, 1.5, panel.height);
        if (x1 - x0 > 40) {
            ctx.fillStyle = word === 'failed' ? palette.bad : palette.quiet;
            const sign = word === 'failed' ? '✗ ' : word === 'held' ? '✓ ' : '';
            const words = act.scene.text(text[row]).replace(/^(ask\s+"[^"]*").*/, '$1');
            label(ctx, sign + words, x0 + 6, panel.y + panel.height / 2, x1 - x0 - 10,
                palette.surface);
        }
    }
}

/** A value over time as a step curve on its own scale, which begins at 0. */
function paintCounter(stage, panel) {
    const { ctx, act, axis, palette, left, width, view } = stage;
    const { name, unit, first, count, segment } = act.scene.counters;
    const { time, value, event } = act.scene.points;
    const wide = Math.ceil(width);
    const perUnit = width / (view.to - view.from);
    const { low, high } = decimate(value, first[panel.row], count[panel.row],
        (point) => (axis.of(event[point], time[point]) - view.from) * perUnit, wide);
    let most = 0;
    // The greatest value of what may be seen: in an exercise it would tell the answer.
    for (let i = first[panel.row]; i < first[panel.row] + count[panel.row] &&
        (act.until === NONE || event[i] <= act.until); i++)
        most = Math.max(most, value[i]);
    const place = segment[panel.row] === NONE ? '' :
        act.scene.text(act.scene.segments.name[segment[panel.row]]);
    const words = act.scene.text(name[panel.row]);
    const short = place && words.startsWith(`${place} `) ? words.slice(place.length + 1) : words;
    paintGutter(stage, panel, short,
        `${place && `${place}, `}to ${formatValue(most, act.scene.text(unit[panel.row]))}`);
    const y = (it) => panel.y + panel.height - (most ? it / most : 0) * (panel.height - 4);
    ctx.strokeStyle = palette.line;
    horizontal(ctx, left, width, panel.y + panel.height);
    ctx.fillStyle = palette.lane;
    for (let column = 0; column < wide; column++)
        ctx.fillRect(left + column, y(high[column]), 1, panel.y + panel.height - y(high[column]));
    ctx.strokeStyle = palette.quiet;
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    for (let column = 0; column < wide; column++) {
        ctx.lineTo(left + column, y(high[column]));
        if (low[column] !== high[column])
            ctx.lineTo(left + column, y(low[column]));
    }
    ctx.stroke();
    ctx.lineWidth = 1;
}

const TICK_WIDTH = 110;

/** The axis itself, over the panels. */
function paintAxis(stage, y, height) {
    const { ctx, axis, palette, left, width, view, x } = stage;
    ctx.fillStyle = palette.quiet;
    ctx.strokeStyle = palette.line;
    ctx.font = FONT(11);
    ctx.textBaseline = 'middle';
    ctx.textAlign = 'left';
    const byEvent = left < 100 ? 'by event' : 'event by event'; // not to the scale of time
    label(ctx, axis.kind === 'time' ? 'virtual time' : byEvent, 0, y + height / 2, left - 8);
    let free = -Infinity;
    for (const { at, text } of axis.ticks(view.from, view.to, width / TICK_WIDTH)) {
        const place = x(at);
        ctx.beginPath();
        ctx.moveTo(Math.round(place) + 0.5, y + height - 5);
        ctx.lineTo(Math.round(place) + 0.5, y + height);
        ctx.stroke();
        const half = ctx.measureText(text).width / 2;
        const middle = Math.max(left + half, Math.min(left + width - half, place));
        if (!text || middle - half < free)
            continue;
        ctx.textAlign = 'center';
        ctx.fillText(text, middle, y + height / 2 - 2);
        free = middle + half + 12;
    }
}
