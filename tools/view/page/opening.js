// SPDX-License-Identifier: MIT
// opening.js: what a reader looks for first: what failed, where two runs differ, who had to leave,
// then what else went wrong or went away.

const NEAR_EVENTS = 60; // around the first moment, with the steps between

/** The statements that failed, in their order. @returns {number[]} */
function failedStatements({ statements }) {
    const rows = [];
    for (let i = 0; i < statements.rows; i++)
        if (VERDICTS[statements.verdict[i]] === 'failed')
            rows.push(i);
    return rows;
}

/** The act that a statement belongs to. */
function actOfStatement({ acts }, statement) {
    for (let i = acts.rows - 1; i > 0; i--)
        if (statement >= acts.statements_first[i] && acts.statements_count[i])
            return i;
    return 0;
}

/** The act to begin with: the first one in which something failed. */
function openingAct(scene) {
    const [failed] = failedStatements(scene);
    return failed === undefined ? 0 : actOfStatement(scene, failed);
}

/** Where a statement is seen: at its first event. Of an expectation, which has none, what it was
 * asked of: the event before it. */
function eventOfStatement(act, statement) {
    const { events, statements } = act.scene;
    const { first, end } = act.events;
    const next = statements.first[statement];
    if (act.empty)
        return NONE;
    return next < end && events.statement[next] === statement ? next :
        Math.max(first, Math.min(next, end) - 1);
}

/** The first event to which an arrow of a kind leads. */
function firstArrow(act, kind) {
    const { arrows } = act.scene;
    let first = NONE;
    for (let i = act.arrows.first; i < act.arrows.end; i++)
        if (arrows.kind[i] === kind)
            first = Math.min(first, arrows.to[i]);
    return first;
}

/** The first event of the story, of some kinds or of any. @param {number} [from] */
function firstTold(act, kinds, from = act.events.first) {
    const { events, about } = act.scene;
    for (let i = from; i < act.events.end; i++)
        if (events.level[i] === 0 && (!kinds || kinds.includes(about.kinds[events.kind[i]])))
            return i;
    return NONE;
}

/** What a question is answered by; of what has to come in, the place that it gets. */
function firstAfterQuestion(act) {
    const { said, events, about } = act.scene;
    let asked = act.said.first;
    while (asked < act.said.end && SAID[said.kind[asked]] !== 'ask')
        asked++;
    if (asked === act.said.end)
        return NONE;
    const event = firstTold(act, null, Math.max(act.events.first, said.event[asked]));
    return event !== NONE && about.kinds[events.kind[event]] === 'page-in' ?
        firstTold(act, ['place'], event) : event;
}

function firstPlaced(act) {
    const { stays, events } = act.scene;
    for (let stay = act.stays.first; stay < act.stays.end; stay++)
        if (stays.came[stay] !== NONE && events.level[stays.came[stay]] === 0)
            return stays.came[stay];
    return NONE;
}

// Most telling first. A refusal is often but the last remark of a lesson.
const SIGHTS = [(act) => firstArrow(act, MADE_ROOM),
    (act) => firstTold(act, ['tdr', 'bugcheck', 'page-fault']), (act) => firstTold(act, ['lost']),
    (act) => firstTold(act, ['evict']), (act) => firstArrow(act, MOVED_HERE),
    (act) => firstTold(act, ['refuse']), firstAfterQuestion, firstPlaced];

/** Where a reader begins. @param {number} difference event, or NONE
 * @returns {{event: number, statement: number}} */
function openingOf(act, difference) {
    const inAct = (statement) =>
        statement >= act.statements.first && statement < act.statements.end;
    const failed = failedStatements(act.scene).find(inAct);
    if (failed !== undefined)
        return { event: eventOfStatement(act, failed), statement: failed };
    let event = difference;
    for (let i = 0; i < SIGHTS.length && event === NONE; i++)
        event = SIGHTS[i](act);
    return { event: event === NONE && !act.empty ? act.events.first : event, statement: NONE };
}

/** The part of an axis in which what happened at an event can be seen, with those that left for it;
 * null: in the whole of it, too. @param {number} length of all
 * @returns {{from: number, to: number}?} */
function closeUpOf(act, axis, event, length) {
    const place = (row) => axis.of(row, act.time(row));
    const { first, end } = act.events;
    const near = (by) => place(Math.max(first, Math.min(end - 1, event + by)));
    const at = place(event);
    const from = Math.min(at, ...roomOf(act, event).victims.slice(0, 100).map(place));
    const span = Math.max((at - from) * 5, near(NEAR_EVENTS) - near(-NEAR_EVENTS));
    return span * 3 < length ? { from: at - span * 0.6, to: at + span * 0.4 } : null;
}

/** What is said of a statement that failed, above the moment; null: it did not. */
function failureNote(act, statement) {
    if (statement === NONE)
        return null;
    const { verdict, message, line, text } = act.scene.statements;
    if (VERDICTS[verdict[statement]] !== 'failed')
        return null;
    return make('p', { className: 'failure', text: `✗ line ${line[statement]}: ` +
        `${act.scene.text(text[statement])}\n${act.scene.text(message[statement])}` });
}
