// SPDX-License-Identifier: MIT
// beside.js: two runs that are shown together: in what they differ, and the moment of both.

/** What one of two runs did where they first differ. */
function differenceLine(app, letter, act, event) {
    const { scene } = act;
    const sentence = event === NONE ? 'nothing more happens' :
        scene.text(scene.events.sentence[event]);
    const link = make('a', { href: '#', text: sentence });
    link.addEventListener('click', (happened) => {
        happened.preventDefault();
        app.goTo(event, act);
    });
    const when = event === NONE ? '' :
        ` Event ${scene.events.seq[event]}, ${formatTime(act.time(event))}.`;
    return make('p', { children: [make('b', { text: letter }), event === NONE ? sentence : link,
        make('span', { className: 'quiet', text: when })] });
}

/** A row for each run and one for the difference, a column for each thing that differs. */
function apartTable(apart) {
    const row = (side, name, className) => make('tr', { className, children: [
        make('th', { scope: 'row', text: name }),
        ...apart.map((cells) => make('td', { text: cells[side] }))] });
    const head = make('tr', { children: [make('td'),
        ...apart.map(([name]) => make('th', { scope: 'col', text: name }))] });
    const more = apart.some(([, , , difference]) => difference) ? [row(3, 'B − A', 'more')] : [];
    const table = make('table', { children: [make('thead', { children: [head] }),
        make('tbody', { children: [row(1, 'A'), row(2, 'B'), ...more] })] });
    return make('div', { className: 'scroll', tabindex: '0', role: 'region',
        'aria-label': 'What differs', children: [table] });
}

/** Above the maps: what two runs have different, from their beginning to their end. */
function renderComparison(app, place) {
    const { act, otherAct: other, difference } = app;
    place.hidden = !other;
    if (!other)
        return;
    const apart = [...settingsApart(act, other), ...totalsApart(act, other)];
    const words = difference ? [differenceLine(app, 'A', act, difference.a),
        differenceLine(app, 'B', other, difference.b)] : [make('p', { text: NO_DIFFERENCE })];
    place.replaceChildren(...(apart.length ? [apartTable(apart)] : []), make('div', { children: [
        make('h2', { text: difference ? 'First difference' : 'No difference' }), ...words] }));
}

/** Did both do the same at the moment that is shown? */
function sameMoment(a, b) {
    const words = ({ act, event }) => act.scene.text(act.scene.events.sentence[event]);
    return b.event !== NONE && a.act.time(a.event) === b.act.time(b.event) && words(a) === words(b);
}

/** The moment of both runs, each with its reason; where they did the same, it is told once. */
function renderBoth(app, place) {
    const other = app.sideOf(app.otherAct);
    const [[nameA], [nameB]] = runNames(app.act, app.otherAct);
    const side = (name, parts) => make('section', { className: 'of-run', children: [
        make('p', { className: 'run-name', text: name }), ...parts] });
    if (sameMoment(app, other)) {
        place.replaceChildren(side('A and B  the same in both', momentParts(app)));
        return;
    }
    place.replaceChildren(side(nameA, momentParts(app)), side(nameB, other.event === NONE ?
        [make('p', { text: NOTHING_HAPPENED })] : momentParts(other)));
}

/** Where the two runs first differ: a line through the map. */
function paintDifference(stage, event, height) {
    const { ctx, act, axis, palette, x } = stage;
    const at = x(axis.of(event, act.time(event)));
    if (!within(stage, { x: at }))
        return;
    ctx.strokeStyle = palette.bad;
    ctx.lineWidth = 2;
    ctx.setLineDash([5, 4]);
    ctx.beginPath();
    ctx.moveTo(Math.round(at), AXIS_HEIGHT - 4);
    ctx.lineTo(Math.round(at), height);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.lineWidth = 1;
}
