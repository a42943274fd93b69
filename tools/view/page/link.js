// SPDX-License-Identifier: MIT
// link.js: the state of the page as the fragment of its address: #e=418&a=grass.

/** @param {string} hash @returns {Record<string, string>} */
function readLink(hash) {
    return Object.fromEntries(new URLSearchParams(hash.replace(/^#/, '')));
}

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
    return Math.max(first, lowerBound(first, end, (i) => seq[i] > number) - 1);
}

/** The allocation of a name; of several, the first. */
function allocationOfName(act, name) {
    for (let i = act.allocations.first; i < act.allocations.end; i++)
        if (act.label(i) === name)
            return i;
    return NONE;
}

/** What an address names and a page does not have. */
function missingWords(act, { e, a }) {
    const words = [];
    const number = Number(e);
    const shown = number ? eventOfNumber(act, number) : NONE;
    if (e && !number)
        words.push(`“${e}” is no number of an event.`);
    else if (shown !== NONE && act.scene.events.seq[shown] !== number)
        words.push(`This page does not have event ${number}; this is ${act.scene.events.seq[shown]}.`);
    if (a && allocationOfName(act, a) === NONE)
        words.push(`There is no allocation ${a}.`);
    return words.join(' ');
}
