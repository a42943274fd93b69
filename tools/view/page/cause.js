// SPDX-License-Identifier: MIT
// cause.js: causes that no search tells: why a node was asked to stop, what hangs, and what beat
// what where a direction was chosen. In words; no drawing here.

/** Packets that came to a lane while a slice ran there, and had to wait for it.
 * @param {number} until the event up to which they count @returns {string[]} */
function waitingFor(act, slice, until) {
    const { events, slices, lanes, about } = act.scene;
    const lane = act.scene.text(lanes.name[slices.lane[slice]]);
    const names = [];
    for (let i = slices.submitted[slice] + 1; i < until; i++) {
        const sentence = act.scene.text(events.sentence[i]);
        const [, name] = about.kinds[events.kind[i]] === 'submit' && sentence.endsWith(lane) ?
            /^(.*) was submitted to /.exec(sentence) ?? [] : [];
        if (name)
            names.push(name);
    }
    return names;
}

/** The slice that runs at an event on the node that the event is about; NONE: none is known. */
function stoppedSlice(act, event) {
    const { slices, lanes, events } = act.scene;
    const sentence = act.scene.text(events.sentence[event]);
    for (let i = act.slices.first; i < act.slices.end; i++) {
        const runs = slices.submitted[i] < event && slices.ended[i] > event &&
            slices.begin[i] <= act.time(event) && slices.end[i] >= act.time(event);
        const lane = act.scene.text(lanes.name[slices.lane[i]]);
        const packet = `${act.scene.text(slices.name[i])} (fence ${slices.fence[i]}) `;
        if (runs && (sentence.startsWith(packet) || sentence.startsWith(`${lane} is asked`)))
            return i;
    }
    return NONE;
}

/** When the node of a slice was asked to stop it; NONE: it was not, before an event. */
function askedToStop(act, slice, event) {
    const { events, slices, lanes, about } = act.scene;
    const start = `${act.scene.text(lanes.name[slices.lane[slice]])} is asked`;
    for (let i = event; i > slices.submitted[slice]; i--)
        if (about.kinds[events.kind[i]] === 'preempt' &&
            act.scene.text(events.sentence[i]).startsWith(start))
            return i;
    return NONE;
}

/** Why a node is asked to stop, or why work is taken for hung: what runs since when, what waits,
 * and how long it had. @returns {string} empty: the event is about something else */
function hangWords(act, event) {
    const { events, slices, about } = act.scene;
    const kind = about.kinds[events.kind[event]];
    if (kind !== 'preempt' && !(kind === 'tdr' && act.hangs.includes(event)))
        return '';
    const slice = stoppedSlice(act, event);
    const asked = slice === NONE ? NONE : askedToStop(act, slice, event);
    if (asked === NONE)
        return '';
    const time = act.time(asked);
    const [first, ...more] = waitingFor(act, slice, asked);
    const others = more.length ? ` and ${formatCount(more.length, 'other packet')}` : '';
    const why = first ? `, because ${first}${others} waited` : '';
    const words = `${act.scene.text(slices.name[slice])} (fence ${slices.fence[slice]}) had run ` +
        `since ${formatTime(slices.begin[slice])}, for ` +
        `${formatTime(time - slices.begin[slice])}, when its node was asked to stop it` +
        ` at ${formatTime(time)}${why}.`;
    const had = act.time(event) - time;
    return had ? `${words} It had ${formatTime(had)} to stop (TdrDelay), until ` +
        `${formatTime(act.time(event))}, and did not.` : words;
}

const DIRECTIONS = { 'bottom-up': 'upwards', 'top-down': 'downwards' };

/** What an allocation asks for beside a bank: by its flag, and by its preference for a segment.
 * @returns {{flag: string, preferred: string}} directions; preferred: '' if it prefers another */
function directionsOf(act, allocation, segment) {
    const { allocations, segments } = act.scene;
    const words = act.scene.text(allocations.flags[allocation]);
    const name = act.scene.text(segments.name[segment]);
    const [first = ''] = /prefers .*/.exec(words) ?? [];
    const preferred = first.replace('prefers ', '').split(', ')
        .find((it) => it === name || it === `${name} from the end`);
    return { flag: words.includes('FromEndOfSegment') ? 'top-down' : '',
        preferred: !preferred ? '' : preferred === name ? 'bottom-up' : 'top-down' };
}

/** What beat what, where a place was looked for in another direction than something weaker asks.
 * @returns {string} empty: nothing was beaten */
function directionWords(act, event) {
    const { events, about } = act.scene;
    if (about.kinds[events.kind[event]] !== 'place' || events.allocation[event] === NONE)
        return '';
    const [, way] = /\((bottom-up|top-down),/.exec(act.scene.text(events.sentence[event])) ?? [];
    const { flag, preferred } =
        directionsOf(act, events.allocation[event], events.segment[event]);
    const hinted = about.rules[events.rule[event]]?.[0] === 'PLACE-010';
    const beaten = [hinted && preferred && preferred !== way &&
        `the preferred segment (${DIRECTIONS[preferred]})`,
    flag && flag !== way && `the flag FromEndOfSegment (${DIRECTIONS[flag]})`].filter(Boolean);
    const stronger = hinted ? 'the hinted bank' : preferred === way ? 'the preferred segment' : '';
    return !way || !stronger || !beaten.length ? '' :
        `Searched ${DIRECTIONS[way]}: ${stronger} beats ${beaten.join(' and ')}.`;
}

/** @returns {string} empty: nothing is to be said */
const causeWords = (act, event) => hangWords(act, event) || directionWords(act, event);
