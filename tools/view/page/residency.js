// SPDX-License-Identifier: MIT
// residency.js: where each allocation was over time: in which segment, on its way through an
// aperture, in system memory only, or with its content lost. A row for each.

const MOST_RESIDENTS = 24;
const LOSSES = ['lost', 'discard-offered'];

/** The allocations of an act to show: those that moved most, and the chosen one.
 * @returns {{rows: number[], more: number}} more: how many are left out */
function residents(act, chosen) {
    const { first, end } = act.allocations;
    const { created } = act.scene.allocations;
    const { came } = act.scene.stays;
    // In an exercise not all may be seen.
    const known = (event) => event === NONE || event <= act.until;
    const knownStays = (allocation) => act.staysBy.of(allocation).filter((it) => known(came[it]));
    const moves = (allocation) => knownStays(allocation).length;
    if (act.moversUntil !== act.until) {
        act.moversUntil = act.until;
        act.movers = Array.from({ length: end - first }, (_, i) => first + i)
            .filter((allocation) => known(created[allocation]))
            .map((allocation) => ({ allocation, moves: moves(allocation) }))
            .sort((a, b) => b.moves - a.moves || a.allocation - b.allocation)
            .map(({ allocation }) => allocation);
    }
    const most = act.movers.slice(0, MOST_RESIDENTS);
    const rows = chosen === NONE || most.includes(chosen) ? most :
        [...most.slice(0, MOST_RESIDENTS - 1), chosen];
    return { rows: rows.toSorted((a, b) => a - b), more: act.movers.length - rows.length };
}

/** The events at which the content of an allocation was given up, by allocation. */
function lossesOf(act) {
    if (act.losses)
        return act.losses;
    const { events, about } = act.scene;
    const kinds = new Set(LOSSES.map((name) => about.kinds?.indexOf(name) ?? -1));
    act.losses = new Map();
    for (let i = act.events.first; i < act.events.end; i++) {
        const allocation = events.allocation[i];
        if (!kinds.has(events.kind[i]) || allocation === NONE)
            continue;
        if (!act.losses.has(allocation))
            act.losses.set(allocation, []);
        act.losses.get(allocation).push(i);
    }
    return act.losses;
}

/**
 * Where an allocation was, from its creation to its end.
 * @param {Act} act @param {Axis} axis
 * @returns {{what: 'stay'|'system'|'lost',
 *     from: number, to: number, stay: number, event: number}[]} positions; `event` of what was lost
 */
function whereabouts(act, axis, allocation) {
    const { created, destroyed } = act.scene.allocations;
    const { came, segment } = act.scene.stays;
    const { first, from, to } = axis.stays();
    const place = (event) => axis.of(event, act.time(event));
    const end = destroyed[allocation] === NONE ? axis.length : place(destroyed[allocation]);
    const pieces = [];
    let at = created[allocation] === NONE ? 0 : place(created[allocation]);
    const losses = lossesOf(act).get(allocation) ?? [];
    let next = 0; // of the losses
    const away = (until) => {
        if (until <= at)
            return;
        let since = until;
        const lost = losses[next];
        for (; next < losses.length && place(losses[next]) < until; next++)
            since = Math.min(since, Math.max(at, place(losses[next])));
        if (since > at)
            pieces.push({ what: 'system', from: at, to: since, stay: NONE, event: NONE });
        if (since < until)
            pieces.push({ what: 'lost', from: since, to: until, stay: NONE, event: lost });
    };
    let last = NONE;
    const stays = Array.from(act.staysBy.of(allocation))
        .sort((a, b) => from[a - first] - from[b - first] || a - b);
    for (const stay of stays) {
        // Of a place in several runs the first one stands for all.
        if (last !== NONE && came[stay] === came[last] && segment[stay] === segment[last])
            continue;
        away(Math.min(end, from[stay - first]));
        pieces.push({ what: 'stay', from: from[stay - first], to: to[stay - first], stay,
            event: NONE });
        at = Math.max(at, to[stay - first]);
        last = stay;
    }
    away(end);
    return pieces;
}

/** What a piece is called. */
function pieceName(act, { what, stay, event }) {
    const { stays, segments, events, about } = act.scene;
    if (what === 'lost')
        return about.kinds[events.kind[event]] === 'lost' ? 'content lost' : 'discarded';
    if (what === 'system')
        return 'system memory';
    const name = act.scene.text(segments.name[stays.segment[stay]]);
    return stays.kind[stay] === 1 ? `through ${name}` : name;
}

function paintPiece(stage, piece, top, hue) {
    const { ctx, act, axis, palette, left, width, x } = stage;
    const x0 = Math.max(left, x(piece.from));
    const x1 = Math.min(left + width, x(piece.to));
    const high = ROWS.resident - 4;
    if (x1 - x0 < 0.5)
        return;
    if (piece.what === 'stay') {
        const { stays, segments } = act.scene;
        const memory = act.scene.text(segments.kind[stays.segment[piece.stay]]) === 'memory';
        const gone = stays.left[piece.stay];
        const leaving = gone === NONE ? x1 : Math.max(x0, x(axis.of(gone, act.time(gone))));
        ctx.fillStyle = memory ? palette.fillText[hue] : palette.surface;
        ctx.fillRect(x0, top, x1 - x0, high);
        ctx.fillStyle = palette.moving;
        if (memory && leaving < x1)
            ctx.fillRect(leaving, top, x1 - leaving, high);
        ctx.strokeStyle = palette.edges[hue];
        if (!memory)
            ctx.strokeRect(x0 + 0.5, top + 0.5, Math.max(0, x1 - x0 - 1), high - 1);
        ctx.fillStyle = palette.edges[hue];
        ctx.fillRect(x0, top, Math.min(2.5, x1 - x0), high);
    } else {
        ctx.strokeStyle = piece.what === 'lost' ? palette.bad : palette.quiet;
        ctx.setLineDash(piece.what === 'lost' ? [2, 3] : []);
        horizontal(ctx, x0, x1 - x0, top + high - 2);
        ctx.setLineDash([]);
    }
    ctx.fillStyle = piece.what === 'stay' ? palette.boxText :
        piece.what === 'lost' ? palette.bad : palette.quiet;
    ctx.font = FONT(10.5, piece.what === 'stay' ? 500 : 400);
    label(ctx, pieceName(act, piece), x0 + 6, top + high / 2, x1 - x0 - 10);
}

/** All rows. @param {Panel} panel with `rows` and `more` */
function paintResidence(stage, panel) {
    const { ctx, act, axis, palette, left, width } = stage;
    panel.rows.forEach((allocation, i) => {
        const top = panel.y + i * ROWS.resident + 2;
        const hue = hueOf(act, allocation);
        ctx.textAlign = 'left';
        ctx.textBaseline = 'middle';
        ctx.fillStyle = palette.text;
        ctx.font = FONT(12, 500);
        label(ctx, act.label(allocation), 0, top + ROWS.resident / 2 - 2, left - 8);
        ctx.save();
        ctx.beginPath();
        ctx.rect(left, top, width, ROWS.resident);
        ctx.clip();
        for (const piece of whereabouts(act, axis, allocation))
            paintPiece(stage, piece, top, hue);
        ctx.restore();
    });
    if (!panel.more)
        return;
    ctx.fillStyle = palette.quiet;
    ctx.font = FONT(11);
    ctx.textAlign = 'left';
    ctx.textBaseline = 'middle';
    const more = formatCount(panel.more, 'allocation');
    label(ctx, `${more} more, which moved less often: choose one to see it`,
        left, panel.y + panel.height - 9, width);
}
