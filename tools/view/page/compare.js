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

/** In what the beginnings of two acts differ.
 * @returns {[string, string, string, string][]} name, A, B, and no difference of numbers */
function settingsApart(a, b) {
    const [one, two] = [settingsOf(a), settingsOf(b)];
    const [left, right] = [a.scene.about, b.scene.about];
    const rows = [...new Set([...one.keys(), ...two.keys()])]
        .map((name) => [name, one.get(name) ?? 'as usual', two.get(name) ?? 'as usual']);
    rows.push(['seed', left.seed, right.seed]);
    if (left.input !== right.input)
        rows.unshift(['file', left.run, right.run]);
    return rows.filter(([, x, y]) => x !== y).map((row) => [...row, '']);
}

/** What an act came to: counts, sums, times.
 * @returns {Map<string, {value: number, unit: string}>} */
function totalsOf(act) {
    const { events, counters, points, about } = act.scene;
    const kinds = new Map();
    for (let i = act.events.first; i < act.events.end; i++)
        kinds.set(events.kind[i], (kinds.get(events.kind[i]) ?? 0) + 1);
    const count = (kind) => ({ value: kinds.get(about.kinds.indexOf(kind)) ?? 0, unit: '' });
    const totals = new Map([['evictions', count('evict')], ['page-ins', count('page-in')],
        ['contents lost', count('lost')], ['refusals', count('refusal')]]);
    for (let row = act.counters.first; row < act.counters.end; row++)
        if (counters.segment[row] === NONE && counters.count[row])
            totals.set(act.scene.text(counters.name[row]), {
                value: points.value[counters.first[row] + counters.count[row] - 1],
                unit: act.scene.text(counters.unit[row]) });
    return totals.set('ended at', { value: act.end, unit: 'ns' });
}

/** "+4", "−3.1 MiB": how much more B has of something than A. */
function moreWords(one, two, unit) {
    const more = Math.abs(two - one);
    return (two > one ? '+' : '−') +
        (unit === 'ns' ? formatTime(more, 3, Math.max(one, two)) : formatValue(more, unit));
}

/** Those totals that differ.
 * @returns {[string, string, string, string][]} name, A, B, difference */
function totalsApart(a, b) {
    const [one, two] = [totalsOf(a), totalsOf(b)];
    const rows = [...new Set([...one.keys(), ...two.keys()])].map((name) => {
        const unit = (one.get(name) ?? two.get(name)).unit;
        return [name, unit, one.get(name)?.value ?? 0, two.get(name)?.value ?? 0];
    }).filter(([, , x, y]) => x !== y).map(([name, unit, x, y]) =>
        [name, formatValue(x, unit), formatValue(y, unit), moreWords(x, y, unit)]);
    const verdict = ({ scene: { about } }) => verdictWords(about.totals)[1];
    return verdict(a) === verdict(b) ? rows : [...rows, ['verdict', verdict(a), verdict(b), '']];
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
