// SPDX-License-Identifier: MIT
// why.js: why was it decided so: the searches with what each met, who left for it, the rules, and
// what caused what.

const PASSES = ['', 'Pass 1: only lower priorities may leave.',
    'Pass 2: any may leave that is not soft-pinned.', 'Pass 3: soft-pinned ones may leave, too.'];
const STANDINGS = { documented: 'documented', choice: 'our choice',
    mixed: 'documented, partly our choice' };

/** The text of a rule: paragraphs, and lines that begin with | as a table as it was written. */
function ruleText(text) {
    return text.split('\n').reduce((parts, line) => {
        const tag = line.startsWith('|') ? 'pre' : 'p';
        const last = parts.at(-1);
        if (last?.tag === tag && line)
            last.lines.push(line);
        else if (line)
            parts.push({ tag, lines: [line] });
        return parts;
    }, []).map(({ tag, lines }) => make(tag, { text: lines.join(tag === 'p' ? ' ' : '\n') }));
}

/** A rule as a chip that opens: id, name, whether documents say so; then what it says. */
function ruleChip(scene, rule) {
    const known = scene.about.rules[rule];
    if (!known)
        return null;
    const [id, name, standing, text] = known;
    return make('details', { className: `rule ${standing}`, children: [
        make('summary', { children: [make('b', { text: id }), ` ${name} `,
            make('span', { className: 'standing', text: STANDINGS[standing] })] }),
        make('div', { className: 'rule-text', children: [...ruleText(text ?? ''),
            make('p', { className: 'quiet', children: ['With its sources: ',
                make('code', { text: `vidmm explain ${id}` })] })] }),
    ] });
}

/** Each rule once, in the order of the rows. */
function ruleChips(scene, rules) {
    const chips = [...new Set(rules)].map((rule) => ruleChip(scene, rule)).filter(Boolean);
    return chips.length ? make('div', { className: 'rules', children: chips }) : null;
}

// ---- what was looked at ------------------------------------------------------------------------

/**
 * The rows of a trail as searches. A search tells first who stays, then its result, then its holes;
 * whose turn it was is no part of one.
 * @returns {{head: number, search: boolean, met: number[], same: number}[]} `head` is the row with
 * the result; `same` is the place, from 1, of an earlier search that met the same; 0: none did
 */
function groupTrail(act, rows) {
    const { events, about } = act.scene;
    const kindOf = (row) => about.kinds[events.kind[row]];
    const groups = [];
    let stays = [];
    for (const row of rows) {
        if (kindOf(row) === 'turn')
            continue;
        if (kindOf(row) === 'pass-over') {
            stays.push(row);
        } else if (kindOf(row) === 'hole' && groups.length) {
            groups.at(-1).met.push(row);
        } else {
            groups.push({ head: row, search: kindOf(row) === 'candidate', met: stays, same: 0 });
            stays = [];
        }
    }
    if (stays.length)
        groups.push({ head: NONE, search: false, met: stays, same: 0 });
    return markSame(act, groups);
}

function markSame(act, groups) {
    const seen = new Map();
    let number = 0;
    for (const group of groups) {
        number += group.search;
        const met = group.met.map((row) =>
            act.scene.text(act.scene.events.sentence[row])).join('\n');
        if (group.met.length < 2 || !group.search)
            continue;
        group.same = seen.get(met) ?? 0;
        seen.set(met, group.same || number);
    }
    return groups;
}

/** Evictions that made room for what came at an event; for one of them, what it made room for. */
function roomOf(act, event) {
    const { from, to, kind } = act.scene.arrows;
    const made = act.arrowsAt(event).filter((arrow) => ARROWS[kind[arrow]] === ARROWS[1]);
    return { victims: made.filter((arrow) => to[arrow] === event).map((arrow) => from[arrow]),
        comers: made.filter((arrow) => from[arrow] === event).map((arrow) => to[arrow]) };
}

/** All rows that were looked at on the way to a decision: its own, and those of the searches that
 * made others leave for it. */
function rowsBehind(act, event) {
    const { victims, comers } = roomOf(act, event);
    const own = act.trailOf(event);
    if (own.length || victims.length)
        return [...victims.flatMap((victim) => act.trailOf(victim)), ...own];
    return comers.length ? rowsBehind(act, comers[0]) : [];
}

/** How many of the rows behind a decision the page does not hold. */
function rowsLeftOut(act, event) {
    const { trail_more: more } = act.scene.events;
    const { victims } = roomOf(act, event);
    return [event, ...victims].reduce((sum, row) => sum + more[row], 0);
}

// ---- as elements -------------------------------------------------------------------------------

const MOST_MET = 8;

/** Words that lead to an event. */
function eventLink(app, event, text) {
    const { index, scene } = app.act;
    const href = writeLink({ act: index ? index + 1 : undefined, e: scene.events.seq[event] });
    const link = make('a', { href, text });
    link.addEventListener('click', (happened) => {
        happened.preventDefault();
        app.goTo(event);
    });
    return link;
}

function metList(act, met) {
    const items = met.map((row) =>
        make('li', { text: act.scene.text(act.scene.events.sentence[row]) }));
    const list = make('ul', { children: items.slice(0, MOST_MET) });
    if (items.length <= MOST_MET)
        return [list];
    return [list, make('details', { className: 'more', children: [
        make('summary', { text: `${formatCount(items.length - MOST_MET, 'more', 'more')}` }),
        make('ul', { children: items.slice(MOST_MET) })] })];
}

/** "vram was tried between 0 and 32 MiB: there is no room": the end is what matters. */
function resultWords(sentence) {
    const at = sentence.lastIndexOf(': ');
    return at < 0 ? [sentence] :
        [sentence.slice(0, at + 2), make('b', { text: sentence.slice(at + 2) })];
}

function searchItem(act, { head, search, met, same, more }) {
    const { events } = act.scene;
    const children = [];
    if (more)
        children.push(make('p', { className: 'quiet',
            text: `${formatCount(more, 'other step')} left out of this page` }));
    if (head !== NONE)
        children.push(make('p', { children: resultWords(act.scene.text(events.sentence[head])) }));
    if (search && PASSES[events.pass[head]])
        children.push(make('p', { className: 'quiet', text: PASSES[events.pass[head]] }));
    if (same)
        children.push(make('ul', { children: [make('li', { text: `the same as in ${same}` })] }));
    else if (met.length)
        children.push(...metList(act, met));
    return make('li', { className: search ? 'search' : 'alone', children });
}

/** In an exercise nothing leads behind the question. */
const mayTell = (app, event) => app.horizonIn(app.act) === NONE || event <= app.horizonIn(app.act);

/** Who left for it, or what it left for: words that lead there. */
function roomWords(app, event) {
    const { act } = app;
    const { allocation } = act.scene.events;
    const { victims, comers } = roomOf(act, event);
    const words = [];
    victims.slice(0, 12).forEach((victim, i) => words.push(
        i ? i === victims.length - 1 ? ' and ' : ', ' : '',
        eventLink(app, victim, act.label(allocation[victim]))));
    if (victims.length > 12)
        words.push(` and ${victims.length - 12} more`);
    if (victims.length)
        words.push(' left to make room.');
    if (comers.length && mayTell(app, comers[0]))
        words.push('It left to make room for ',
            eventLink(app, comers[0], act.label(allocation[comers[0]])), '.');
    return words.length ? make('p', { className: 'room', children: words }) : null;
}

/** Searches, victims and rules of a decision; null: nothing was decided. */
function whyOf(app, event) {
    const { act } = app;
    const { rule } = act.scene.events;
    const rows = rowsBehind(act, event);
    const groups = groupTrail(act, rows);
    const { victims } = roomOf(act, event);
    const chips = ruleChips(act.scene, [rule[event], ...victims.map((row) => rule[row]),
        ...groups.map(({ head }) => rule[head])]);
    const room = roomWords(app, event);
    if (!groups.length && !room)
        return chips;
    const more = rowsLeftOut(act, event);
    if (more)
        groups.push({ head: NONE, search: false, met: [], more, same: 0 });
    const searches = groups.filter(({ search }) => search).length;
    return make('div', { className: 'why', children: [
        make('h3', { text: searches > 1 ?
            `Why: ${formatCount(searches, 'search', 'searches')}` : 'Why' }),
        room,
        make('ol', { className: 'searches',
            children: groups.map((group) => searchItem(act, group)) }),
        chips].filter(Boolean) });
}

const WAYS_BACK = ['Needed by:', '', 'Ended by:', 'Moved after:'];
const WAYS_ON = ['Needed for it:', '', 'Ended a wait:', 'Moved to:'];

/** Links to causes and effects, but for those that the reasons name. */
function causeList(app, event) {
    const { act } = app;
    const { from, to, kind } = act.scene.arrows;
    const links = act.arrowsAt(event).filter((arrow) => WAYS_ON[kind[arrow]] &&
        mayTell(app, Math.max(from[arrow], to[arrow]))).slice(0, 12).map((arrow) => {
        const back = to[arrow] === event;
        const other = back ? from[arrow] : to[arrow];
        return make('li', { children: [
            make('span', { className: 'way',
                text: (back ? WAYS_BACK : WAYS_ON)[kind[arrow]] }), ' ',
            eventLink(app, other, act.scene.text(act.scene.events.sentence[other])),
        ] });
    });
    return links.length ? make('ul', { className: 'causes', children: links }) : null;
}
