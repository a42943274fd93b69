// SPDX-License-Identifier: MIT
// link.js: the state of the page as the fragment of its address: #e=418&a=grass.

/** @param {string} hash @returns {Record<string, string>} */
function readLink(hash) {
    return Object.fromEntries(new URLSearchParams(hash.replace(/^#/, '')));
}

/** A number of an address; NaN: it is none, or none that counts. */
const wholeOf = (word = '') => /^\d{1,9}$/.test(word) ? Number(word) : NaN;

/** Values that say nothing are left out. @param {Record<string, string|number|undefined>} state */
function writeLink(state) {
    const words = new URLSearchParams();
    for (const [name, value] of Object.entries(state))
        if (value !== undefined && value !== '')
            words.set(name, String(value));
    return `#${words}`;
}

/** The event of an act with this number, or the last one before it. */
function eventOfNumber(act, number) {
    const { seq } = act.scene.events;
    const { first, end } = act.events;
    if (act.empty)
        return NONE;
    // A page-in stands before the search for its place, whose events have lower numbers.
    const exact = seq.subarray(first, end).indexOf(number);
    return exact >= 0 ? first + exact :
        Math.max(first, lowerBound(first, end, (i) => seq[i] > number) - 1);
}

/** The allocation of a name; of several, the first. */
function allocationOfName(act, name) {
    for (let i = act.allocations.first; i < act.allocations.end; i++)
        if (act.label(i) === name)
            return i;
    return NONE;
}

/** Why the run has an event that its page does not have. */
function whyMissing({ about, events }) {
    const call = 'a call of the miniport: vidmm view --calls shows those.';
    if (!eventsOmitted(about.omitted))
        return `It is ${call}`;
    // A page of --calls has some, or leaves some out.
    const calls = events.kind.includes(about.kinds.indexOf('driver-call')) ||
        "events 'driver-call'" in about.omitted;
    return calls ? 'What it leaves out is listed above the map.' :
        `It is one of those that are left out, which are listed above the map, or ${call}`;
}

/** What an address names and a page does not have. */
function missingWords(act, { e, a }) {
    const words = [];
    const { seq } = act.scene.events;
    const number = Number(e);
    const shown = number ? eventOfNumber(act, number) : NONE;
    if (e && !number)
        words.push(`“${e}” is no number of an event.`);
    else if (shown !== NONE && seq[shown] !== number)
        words.push(`This page does not have event ${number}; this is ${seq[shown]}` +
            (number > seq[act.events.end - 1] ? ', its last.' : `. ${whyMissing(act.scene)}`));
    if (a && allocationOfName(act, a) === NONE)
        words.push(`There is no allocation ${a}.`);
    return words.join(' ');
}

/** What is shown, in the address. @param {App} app */
function saveLink(app) {
    const { act, scene, statement, view, exercise } = app;
    const all = view.from <= 0 && view.to >= app.length;
    const link = writeLink({
        act: act.index ? act.index + 1 : undefined,
        e: scene.events.seq[app.event],
        s: statement === NONE ? undefined : statement - act.statements.first,
        a: app.chosen === NONE ? undefined : act.label(app.chosen),
        x: app.axisKind,
        z: all ? undefined : `${Math.round(view.from)}-${Math.round(view.to)}`,
        q: app.filter.words || undefined,
        ask: exercise.on === isExercise(scene) ? undefined : Number(exercise.on),
    });
    if (link === location.hash)
        return;
    app.written = link;
    history.replaceState(null, '', link);
}

/** Does the page begin with a question? */
function asksAtOnce(scene) {
    const { ask } = readLink(location.hash);
    return ask ? ask === '1' : isExercise(scene);
}

/** What the address names, shown. @param {App} app */
function openLink(app) {
    const { scene } = app;
    const link = readLink(location.hash);
    if (link.x === 'time' || link.x === 'events')
        app.axisKind = link.x;
    app.searchBox.value = app.filter.words = link.q ?? '';
    const wanted = link.act || link.e ? (wholeOf(link.act) || 1) - 1 : openingAct(scene);
    app.exercise.on = asksAtOnce(scene);
    app.openAct(Math.max(0, Math.min(scene.acts.rows - 1, wanted)));
    app.chosen = link.a ? allocationOfName(app.act, link.a) : NONE;
    const [from, to] = (link.z ?? '').split('-').map(Number);
    if (to > from)
        app.see(from, to);
    if (app.filter.onlyChosen)
        app.refilter();
    app.say(missingWords(app.act, link));
    if (!Number(link.e)) {
        app.open();
        return;
    }
    const { first, end } = app.act.statements;
    const statement = first + wholeOf(link.s);
    app.goTo(eventOfNumber(app.act, Number(link.e)), app.act, statement < end ? statement : NONE);
}
