// SPDX-License-Identifier: MIT
// layout.js: where each panel of the stage stands, and what is under a point. No drawing here.

/**
 * @typedef {object} Panel
 * @property {'script'|'segment'|'lane'|'residence'|'counter'} kind
 * @property {number} row its row in the table of the scene
 * @property {number} y @property {number} height
 * @property {boolean} [small] a segment in which nothing ever was
 */

const GAP = 10;
const ROWS = { script: 22, lane: 34, counter: 46, empty: 30, resident: 20, least: 88 };
/** Of two runs, both of which shall be in sight. */
const DENSE_GAP = 6;
const DENSE_ROWS = { ...ROWS, script: 20, lane: 22, counter: 34, empty: 20, least: 36 };

/** How much of the height each segment gets: memory twice as much as an aperture. */
function segmentShare(act, segment) {
    return act.scene.text(act.scene.segments.kind[segment]) === 'memory' ? 2 : 1;
}

/**
 * All panels from top to bottom.
 * @param {Act} act
 * @param {{height: number, counters: number[], alone: number, residence?: object, dense?: boolean}}
 * wish `alone` is the one segment to show, or NONE
 * @returns {{panels: Panel[], height: number}}
 */
function layOut(act, wish) {
    const [rows, gap] = wish.dense ? [DENSE_ROWS, DENSE_GAP] : [ROWS, GAP];
    const panels = [{ kind: 'script', row: 0, height: rows.script }];
    const segments = [];
    for (let row = act.segments.first; row < act.segments.end; row++)
        if (wish.alone === NONE || wish.alone === row)
            segments.push({ kind: 'segment', row, small: act.staysIn.of(row).length === 0 });
    segments.sort((a, b) => a.small - b.small || a.row - b.row);
    panels.push(...segments);
    for (let row = act.lanes.first; row < act.lanes.end; row++)
        if (act.slicesIn.of(row).length)
            panels.push({ kind: 'lane', row, height: rows.lane });
    if (wish.residence?.rows.length)
        panels.push({ kind: 'residence', ...wish.residence,
            height: (wish.residence.rows.length + (wish.residence.more ? 1 : 0)) * rows.resident });
    for (const row of wish.counters)
        panels.push({ kind: 'counter', row, height: rows.counter });
    const large = segments.filter((panel) => !panel.small);
    const shares = large.reduce((sum, { row }) => sum + segmentShare(act, row), 0);
    // Counters and residency come in addition: the maps keep their size.
    const fixed = panels.reduce((sum, { kind, small, height }) =>
        sum + (kind === 'counter' || kind === 'residence' ? 0 :
            gap + (small ? rows.empty : height ?? 0)), 0);
    for (const panel of segments)
        panel.height = panel.small ? rows.empty :
            Math.max(rows.least,
                Math.floor((wish.height - fixed) * segmentShare(act, panel.row) / shares));
    let y = 0;
    for (const panel of panels) {
        panel.y = y;
        y += panel.height + gap;
    }
    return { panels, height: y };
}

/** @param {Panel} panel @returns {number} address goes up */
function offsetToY(panel, size, offset) {
    return panel.y + panel.height * (1 - offset / size);
}

function yToOffset(panel, size, y) {
    return size * (1 - (y - panel.y) / panel.height);
}

function panelAt(panels, y) {
    return panels.find((panel) => y >= panel.y && y < panel.y + panel.height);
}

/**
 * The row under a point: the stay in a segment, the slice on a lane, the allocation of a row.
 * @returns {{kind: string, row: number}|null}
 */
function hitTest(act, axis, panels, position, slack, y) {
    const panel = panelAt(panels, y);
    if (!panel)
        return null;
    if (panel.kind === 'segment') {
        const { offset, bytes } = act.scene.stays;
        const { first, from, to } = axis.stays();
        const at = yToOffset(panel, act.scene.segments.size[panel.row], y);
        const found = act.staysIn.of(panel.row).findLast((stay) =>
            from[stay - first] <= position + slack && to[stay - first] >= position - slack &&
            at >= offset[stay] && at < offset[stay] + bytes[stay]);
        return found === undefined ? null : { kind: 'stay', row: found };
    }
    if (panel.kind === 'lane') {
        const { first, from, to } = axis.slices();
        const found = act.slicesIn.of(panel.row).findLast((slice) =>
            from[slice - first] <= position + slack && to[slice - first] >= position - slack);
        return found === undefined ? null : { kind: 'slice', row: found };
    }
    if (panel.kind === 'residence') {
        const allocation = panel.rows[Math.floor((y - panel.y) / ROWS.resident)];
        if (allocation === undefined)
            return null;
        const { first, from, to } = axis.stays();
        const found = Array.from(act.staysBy.of(allocation)).findLast((stay) =>
            from[stay - first] <= position && to[stay - first] >= position);
        return found === undefined ? { kind: 'allocation', row: allocation } :
            { kind: 'stay', row: found };
    }
    return null;
}

/**
 * Too many boxes to draw each: one pixel per cell of the panel, the last one wins.
 * @param {Uint32Array} pixels of width x height
 * @param {object} boxes columns x0, x1, y0, y1 by a call
 */
function fillPixels(pixels, width, height, count, boxOf) {
    for (let i = 0; i < count; i++) {
        const { x0, x1, y0, y1, color } = boxOf(i);
        const left = Math.max(0, Math.floor(x0));
        const right = Math.min(width, Math.max(left + 1, Math.ceil(x1)));
        const top = Math.max(0, Math.floor(y0));
        const bottom = Math.min(height, Math.max(top + 1, Math.ceil(y1)));
        for (let y = top; y < bottom; y++)
            pixels.fill(color, y * width + left, y * width + right);
    }
}

/**
 * A step curve for a plot of `width` columns: the least and the greatest value in each column.
 * Without points in a column the value goes on. @returns {{low: Float64Array, high: Float64Array}}
 */
function decimate(values, first, count, toColumn, width) {
    const low = new Float64Array(width).fill(NaN);
    const high = new Float64Array(width).fill(NaN);
    let last = 0;
    let done = 0;
    const hold = (until) => {
        for (; done < until; done++) {
            low[done] = Number.isNaN(low[done]) ? last : Math.min(low[done], last);
            high[done] = Number.isNaN(high[done]) ? last : Math.max(high[done], last);
        }
    };
    for (let i = first; i < first + count; i++) {
        const column = Math.floor(toColumn(i));
        if (column >= width)
            break;
        if (column >= 0) {
            hold(column);
            const value = values[i];
            low[column] = Number.isNaN(low[column]) ? Math.min(last, value) :
                Math.min(low[column], value);
            high[column] = Number.isNaN(high[column]) ? Math.max(last, value) :
                Math.max(high[column], value);
        }
        last = values[i];
    }
    hold(width);
    return { low, high };
}
