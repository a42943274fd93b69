// SPDX-License-Identifier: MIT
// why.js: why was it decided so: the reason, the searches with what each met, who left for it, the
// rules, and what caused what.

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
 * The rows of a trail as searches. A search tells first who stays, then its result, then its holes.
 * Whose turn it was stands in the reason (reason.js).
 * @returns {{head: number, search: boolean, met: number[], again: number}[]} `head` is the row with
 * the result; `again` is how many more it met that an earlier search had met
 */
function groupTrail(act, rows) {
    const { events, about } = act.scene;
    const groups = [];
    let stays = [];
    for (const row of rows) {
        const kind = about.kinds[events.kind[row]];
        if (kind === 'turn')
            continue;
        if (kind === 'pass-over') {
            stays.push(row);
        } else if (kind === 'hole' && groups.length) {
            groups.at(-1).met.push(row);
        } else {
            groups.push({ head: row, search: kind === 'candidate', met: stays, again: 0 });
            stays = [];
        }
    }
    if (stays.length)
        groups.push({ head: NONE, search: false, met: stays, again: 0 });
    return tellOnce(act, groups);
}

function tellOnce(act, groups) {
    const told = new Set();
    for (const group of groups) {
        const { sentence } = act.scene.events;
        const met = group.met.filter((row) => !told.has(sentence[row]));
        group.again = group.met.length - met.length;
        group.met = met;
        for (const row of met)
            told.add(sentence[row]);
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
    const link = make('a', { href: app.linkTo(event), text });
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

function searchItem(act, { head, search, met, again, more }) {
    const { events } = act.scene;
    const children = [];
    if (more)
        children.push(make('p', { className: 'quiet',
            text: `${formatCount(more, 'other step')} left out of this page` }));
    if (head !== NONE)
        children.push(make('p', { children: resultWords(act.scene.text(events.sentence[head])) }));
    if (search && PASSES[events.pass[head]])
        children.push(make('p', { className: 'quiet', text: PASSES[events.pass[head]] }));
    if (met.length)
        children.push(...metList(act, met));
    if (again)
        children.push(make('p', { className: 'quiet',
            text: met.length ? `and ${again} met before` : 'It met the same as before.' }));
    return make('li', { className: search ? 'search' : 'alone', children });
}

/** "2 passes" over one segment, "5 searches" in several. */
function searchedWords(act, groups) {
    const { segment, pass } = act.scene.events;
    const heads = groups.filter(({ search }) => search).map(({ head }) => head);
    const different = (column) => new Set(heads.map((head) => column[head])).size;
    return different(segment) === 1 && different(pass) === heads.length ?
        formatCount(heads.length, 'pass', 'passes') :
        formatCount(heads.length, 'search', 'searches');
}

/** The searches, behind a line when the reason has told what came of them. */
function searchList(act, groups, told) {
    if (!groups.length)
        return null;
    const list = make('ol', { className: 'searches',
        children: groups.map((group) => searchItem(act, group)) });
    return told ? make('details', { className: 'searched', children: [
        make('summary', { text: `How it was searched: ${searchedWords(act, groups)}` }),
        list] }) : list;
}

// ---- who left -----------------------------------------------------------------------------------

/** A name that leads to its box, and to where it left, if it did. */
function boxLink(app, allocation, victims) {
    const { act } = app;
    const { events } = act.scene;
    const left = victims.find((victim) => events.allocation[victim] === allocation);
    const name = act.label(allocation);
    const link = make('a', { text: name, href: app.linkTo(left ?? app.event, name) });
    link.addEventListener('click', (happened) => {
        happened.preventDefault();
        app.choose(allocation, true);
        if (left !== undefined)
            app.goTo(left);
    });
    return link;
}

/** Why these left, and not others; null: nothing is known of that. */
function reasonWords(app, parts, victims) {
    if (!parts.length)
        return null;
    return make('p', { className: 'reason', children: parts.map((part) =>
        typeof part === 'string' ? part : boxLink(app, part.allocation, victims)) });
}

/** In an exercise nothing leads behind the question. */
const mayTell = ({ act }, event) => act.until === NONE || event <= act.until;

/** Who left for it, unless the reason names them all, or what it left for: words that lead there.
 * @param {Set<number>} named allocations */
function roomWords(app, event, named) {
    const { act } = app;
    const { allocation } = act.scene.events;
    const { victims: all, comers } = roomOf(act, event);
    const victims = all.every((victim) => named.has(allocation[victim])) ? [] : all;
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

/** Rules of a decision, of who left for it, and of what was looked at. */
function rulesBehind(act, event, rows) {
    const { rule, kind } = act.scene.events;
    const met = rows.filter((row) =>
        !['hole', 'pass-over'].includes(act.scene.about.kinds[kind[row]]));
    return [event, ...roomOf(act, event).victims, ...met].map((row) => rule[row]);
}

/** Reason, searches and rules of a decision; null: nothing was decided. */
function whyOf(app, event) {
    const { act } = app;
    const rows = rowsBehind(act, event);
    const groups = groupTrail(act, rows);
    const { victims, comers } = roomOf(act, event);
    const parts = reasonParts(act, rows);
    const chips = ruleChips(act.scene, rulesBehind(act, event, rows));
    const room = roomWords(app, event, new Set(parts.map(({ allocation }) => allocation)));
    const cause = causeWords(act, event);
    if (!groups.length && !room && !cause)
        return chips;
    const more = rowsLeftOut(act, event);
    if (more)
        groups.push({ head: NONE, search: false, met: [], more, again: 0 });
    const leaving = comers.length ? roomOf(act, comers[0]).victims : victims;
    return make('div', { className: 'why', children: [make('h3', { text: 'Why' }), room,
        cause ? make('p', { className: 'reason', text: cause }) : null,
        reasonWords(app, parts, leaving), searchList(act, groups, parts.length > 0),
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
