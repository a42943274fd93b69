// SPDX-License-Identifier: MIT
// reason.js: why did these leave and not others: whose turn it was, in one paragraph. No drawing
// here.
//
// A paragraph is a list of parts: words, or {allocation} for a name that leads to its box. Each
// number in it is one that an event told.

const MOST_TURNS = 7; // that are told one by one
const MOST_STAYING = 3;

/** What a turn, or one that stays, told beside its sentence. @returns {Record<string, string>} */
function factsOf(scene, row) {
    const lines = scene.text(scene.events.facts[row]).split('\n').filter(Boolean);
    return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

/** A turn begins a plan of its own: that of a limit is over when the limit holds, and room is
 * looked for after it. */
function beginsPlan(plan, facts) {
    if (!plan || facts.result === 'next')
        return !plan;
    const { facts: last } = plan.turns.at(-1);
    return last.result === 'next' || 'before' in facts ||
        ('needs' in last) !== ('needs' in facts) ||
        (last.result === 'enough' && !('needs' in last));
}

/**
 * The plans in the rows of a trail: who was pretended away, in order, and who stays after all. What
 * a search planned is told before the search.
 * @returns {{search: number, pass: number, turns: {row: number, facts: Record<string, string>}[],
 * staying: Map<string, number[]>}[]} `staying`: allocations by cause
 */
function plansOf(act, rows) {
    const { events, about } = act.scene;
    const plans = [];
    let plan = null;
    let search = 0;
    for (const row of rows) {
        const kind = about.kinds[events.kind[row]];
        const facts = factsOf(act.scene, row);
        if (kind === 'turn') {
            if (beginsPlan(plan, facts))
                plans.push(plan = { search, pass: 0, turns: [], staying: new Map() });
            plan.turns.push({ row, facts });
        } else if (kind === 'pass-over' && plan && facts.cause in STAYING) {
            const before = plan.staying.get(facts.cause) ?? [];
            plan.staying.set(facts.cause, [...before, events.allocation[row]]);
        } else if (kind === 'candidate') {
            for (const made of plans.filter((it) => it.search === search))
                made.pass = events.pass[row];
            search++;
            plan = null;
        }
    }
    return plans;
}

const opens = ({ turns }) => turns.some(({ facts }) => facts.result === 'enough');

/** Those of the last search that found who leaves; if none did, of the last one. */
function plansThatCount(plans) {
    const last = (plans.findLast(opens) ?? plans.at(-1))?.search;
    return plans.filter(({ search }) => search === last);
}

// ---- in words ----------------------------------------------------------------------------------

// What comes first in the order of victims stands first.
const ORDER = [['offer', () => 'what was offered'], ['priority', () => 'lower priority'],
    ['policy', (policy) => `what policy ${policy} names`], ['last-use', () => 'longest unused'],
    ['offset', () => 'of equally long unused ones the lowest address']];
const STAYING = {
    'not-in-the-way': ['stays after all', 'stay after all', 'the place that opened is elsewhere'],
    'not-needed': ['stays after all', 'stay after all', 'the limit holds without that'],
    'no-system-pages': ['has to stay', 'have to stay', 'system memory has no room for the content'],
};

const upper = (words) => words.slice(0, 1).toUpperCase() + words.slice(1);

/** What was free before anybody left, and what was looked for. */
function shortOf(act, { row, facts }) {
    const { events, segments } = act.scene;
    const comer = { allocation: events.other[row] };
    if (!('needs' in facts))
        return [comer, ' would exceed a limit. '];
    const segment = act.scene.text(segments.name[events.segment[row]]);
    const needs = Number(facts.needs);
    const free = Number(facts.free) - Number(facts.bytes);
    const hole = 'before' in facts ? Number(facts.before) : free;
    const size = `${formatSize(free)} of ${segment} ${free === 1 ? 'was' : 'were'} free`;
    const ends = ['; ', comer, ` needs ${formatSize(needs)}. `];
    if (!free)
        return [`Nothing was free in ${segment}`, ...ends];
    if (!hole)
        return [`${size}, but nothing where `, comer, ` may lie; it needs ${formatSize(needs)}. `];
    if (hole >= needs)
        return [`${size}, but not as `, comer, ` has to lie; it needs ${formatSize(needs)}. `];
    if (free >= needs)
        return [`${size}, but the largest hole has ${formatSize(hole)}`, ...ends];
    const whole = 'before' in facts ? ', in one hole' : '';
    const largest = hole < free ? `, the largest hole ${formatSize(hole)}` : whole;
    return [`Only ${size}${largest}`, ...ends];
}

/** Nobody came after it: it was the only one, in that pass. */
function aloneParts(act, pass, turn) {
    const { events, allocations: { priority } } = act.scene;
    const name = { allocation: events.allocation[turn.row] };
    const opened = ` (${openedWords(turn, true)})`;
    const lower = priority[name.allocation] < priority[events.other[turn.row]];
    if (pass !== 1 || !(turn.facts.offered || lower))
        return ['Only ', name, ` may leave${opened}`];
    return ['Of those that may leave only ', name,
        ` ${turn.facts.offered ? 'was offered' : 'has a lower priority'}${opened}`];
}

/** What sets the order of those that were reached: "Lower priority leaves first, then longest
 * unused: ". */
function orderWords(turns) {
    const words = ORDER.map(([by, say]) => [turns.find(({ facts }) => facts.by === by), say])
        .filter(([turn]) => turn).map(([turn, say]) => say(turn.facts.policy));
    const order = upper(words.join(', then ')).replace(/(,|$)/, ' leaves first$1');
    return words.length ? `${order}: ` : '';
}

/** What there is without it, and all before it. */
function openedWords({ facts }, first) {
    const enough = { enough: 'enough', small: 'too small' }[facts.result];
    if (!('needs' in facts) && 'lack' in facts)
        return `${formatSize(Number(facts.lack))} too much`;
    if (!('needs' in facts))
        return enough ?? 'not enough';
    const size = formatSize(Number(facts.hole ?? facts.free));
    const opened = 'hole' in facts ? `opens a hole of ${size}` : `${size} free`;
    return `${first ? opened : size}, ${enough ?? 'but not as it has to lie'}`;
}

/** " in vram[1]" of one that lies elsewhere than the first. */
function elsewhere(act, row, first) {
    const { events: { segment }, segments } = act.scene;
    const name = act.scene.text(segments.name[segment[row]]);
    return segment[row] === segment[first] ? '' : ` in ${name}`;
}

/** One after the other; of many the first ones and the last. */
function turnWords(act, turns) {
    const named = turns.length > MOST_TURNS ?
        [...turns.slice(0, MOST_TURNS - 2), turns.at(-1)] : turns;
    const untold = turns.reduce((sum, { facts }) => sum + Number(facts.untold ?? 0),
        turns.length - named.length);
    return named.flatMap((turn, i) => {
        const more = untold && i === named.length - 1 ?
            `then ${formatCount(untold, 'more', 'more')}, ` : '';
        return [i ? `, ${more}then ` : '', { allocation: act.scene.events.allocation[turn.row] },
            `${elsewhere(act, turn.row, turns[0].row)} (${openedWords(turn, !i)})`];
    });
}

/** "a, b and 7 more". */
function nameParts(allocations) {
    const named = allocations.slice(0, MOST_STAYING);
    const more = allocations.length - named.length;
    const names = named.flatMap((allocation, i) =>
        [!i ? '' : i === named.length - 1 && !more ? ' and ' : ', ', { allocation }]);
    return more ? [...names, ` and ${more} more`] : names;
}

function planWords(act, plan) {
    const { events } = act.scene;
    const reached = plan.turns.filter(({ facts }) => facts.result !== 'next');
    const next = plan.turns.find(({ facts }) => facts.result === 'next');
    const alone = reached.length === 1 && !reached[0].facts.by;
    const parts = [...shortOf(act, plan.turns[0]),
        ...alone ? aloneParts(act, plan.pass, reached[0]) :
            [orderWords(reached), ...turnWords(act, reached)], '.'];
    for (const [cause, allocations] of plan.staying) {
        const [one, many, why] = STAYING[cause];
        parts.push(' ', ...nameParts(allocations),
            ` ${allocations.length === 1 ? one : many}: ${why}.`);
    }
    if (next)
        parts.push(' ', { allocation: events.allocation[next.row] },
            `${elsewhere(act, next.row, plan.turns[0].row)} was not reached.`);
    if (!opens(plan))
        parts.push(' That is all that may leave.');
    return parts;
}

/** Why these left and not others; empty: it was nobody's turn.
 * @returns {(string | {allocation: number})[]} */
function reasonParts(act, rows) {
    const plans = plansOf(act, rows).filter(({ turns }) => turns[0].facts.result !== 'next');
    return plansThatCount(plans).flatMap((plan, i) => [i ? ' ' : '', ...planWords(act, plan)])
        .filter(Boolean);
}
