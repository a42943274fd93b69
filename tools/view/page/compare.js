// SPDX-License-Identifier: MIT
// compare.js: two runs on one axis, and where they first differ.

/** The act of a second run to compare with: that of the same test, or the one at the same place.
 * @returns {Act|null} */
function actLike(scene, act) {
    const { acts } = scene;
    for (let i = 0; i < acts.rows && act.name; i++)
        if (scene.text(acts.name[i]) === act.name)
            return new Act(scene, i);
    const unnamed = act.index < acts.rows && !(act.name && acts.name[act.index]);
    return unnamed ? new Act(scene, act.index) : null;
}

/** The first events of the story that two acts do not share: what happened, or to whom, or when.
 * @returns {{a: number, b: number}|null} NONE: that run was over */
function firstDifference(a, b) {
    const story = function* (act) {
        for (let i = act.events.first; i < act.events.end; i++)
            if (act.scene.events.level[i] === 0)
                yield i;
    };
    const left = story(a);
    const right = story(b);
    for (;;) {
        const one = left.next();
        const two = right.next();
        if (one.done && two.done)
            return null;
        if (one.done || two.done)
            return { a: one.done ? NONE : one.value, b: two.done ? NONE : two.value };
        const text = (act, row) => act.scene.text(act.scene.events.sentence[row]);
        if (a.time(one.value) !== b.time(two.value) || text(a, one.value) !== text(b, two.value))
            return { a: one.value, b: two.value };
    }
}

/** With what an act ran: the policies, and settings that are not as usual.
 * @returns {Map<string, string>} */
function settingsOf(act) {
    const { text, answer } = act.scene.said;
    return new Map(saidRows(act, 'setting').map((row) =>
        [act.scene.text(text[row]), act.scene.text(answer[row])]));
}

/** "eviction wddm, placement wddm, strict on": what is the same in all of them. */
function settingWords(...acts) {
    const [first, ...others] = acts.map(settingsOf);
    return [...first].filter(([name, value]) => others.every((it) => it.get(name) === value))
        .map(([name, value]) => `${name} ${value}`).join(', ');
}

/** In what the beginnings of two acts differ. @returns {[string, string, string][]} name, A, B */
function settingsApart(a, b) {
    const [one, two] = [settingsOf(a), settingsOf(b)];
    const [left, right] = [a.scene.about, b.scene.about];
    const rows = [...new Set([...one.keys(), ...two.keys()])]
        .map((name) => [name, one.get(name) ?? 'as usual', two.get(name) ?? 'as usual']);
    rows.push(['seed', left.seed, right.seed]);
    if (left.input !== right.input)
        rows.unshift(['file', left.run, right.run]);
    return rows.filter(([, x, y]) => x !== y);
}

/** What an act came to. @returns {Map<string, string>} */
function totalsOf(act) {
    const { events, counters, points, about } = act.scene;
    const kinds = new Map();
    for (let i = act.events.first; i < act.events.end; i++)
        kinds.set(events.kind[i], (kinds.get(events.kind[i]) ?? 0) + 1);
    const count = (kind) => String(kinds.get(about.kinds.indexOf(kind)) ?? 0);
    const totals = new Map([['evictions', count('evict')], ['page-ins', count('page-in')],
        ['contents lost', count('lost')], ['refusals', count('refusal')]]);
    for (let row = act.counters.first; row < act.counters.end; row++)
        if (counters.segment[row] === NONE && counters.count[row])
            totals.set(act.scene.text(counters.name[row]), formatValue(
                points.value[counters.first[row] + counters.count[row] - 1],
                act.scene.text(counters.unit[row])));
    return totals.set('ended at', formatTime(act.end))
        .set('verdict', verdictWords(about.totals)[1]);
}

/** Those totals that differ. @returns {[string, string, string][]} name, A, B */
function totalsApart(a, b) {
    const [one, two] = [totalsOf(a), totalsOf(b)];
    return [...new Set([...one.keys(), ...two.keys()])]
        .map((name) => [name, one.get(name) ?? '0', two.get(name) ?? '0'])
        .filter(([, x, y]) => x !== y);
}

/** The caption of each of two runs: what is different about it, and what it was.
 * @returns {[string, string][]} */
function runNames(a, b) {
    const apart = settingsApart(a, b);
    const name = (side) => apart.map((row) =>
        row[0] === 'file' ? row[side] : `${row[0]}: ${row[side]}`).join(', ');
    const more = ({ scene: { about } }) => `${about.run} · ${verdictWords(about.totals)[1]}`;
    return [[`A  ${name(1)}`, more(a)], [`B  ${name(2)}`, more(b)]];
}

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

/** A row for each run, a column for each thing that differs. */
function apartTable(apart) {
    const row = (side) => make('tr', { children: [
        make('th', { scope: 'row', text: 'AB'[side - 1] }),
        ...apart.map((cells) => make('td', { text: cells[side] }))] });
    const head = make('tr', { children: [make('td'),
        ...apart.map(([name]) => make('th', { scope: 'col', text: name }))] });
    const table = make('table', { children: [make('thead', { children: [head] }),
        make('tbody', { children: [row(1), row(2)] })] });
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

function paintDifference(stage, event, height) {
    const { ctx, act, axis, palette, left, width, x } = stage;
    const at = x(axis.of(event, act.time(event)));
    if (at < left || at > left + width)
        return;
    ctx.strokeStyle = palette.bad;
    ctx.lineWidth = 2;
    ctx.setLineDash([3, 3]);
    ctx.beginPath();
    ctx.moveTo(at, AXIS_HEIGHT);
    ctx.lineTo(at, height);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.lineWidth = 1;
    ctx.fillStyle = palette.bad;
    ctx.font = FONT(11, 600);
    ctx.textBaseline = 'bottom';
    const text = '≠ first difference';
    const wide = ctx.measureText(text).width;
    ctx.textAlign = at + wide + 10 > left + width ? 'right' : 'left';
    ctx.fillText(text, at + (ctx.textAlign === 'left' ? 5 : -5), height - 3);
}
