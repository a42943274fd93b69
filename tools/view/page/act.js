// SPDX-License-Identifier: MIT
// act.js: one start of an adapter, and what was true in it after an event. No drawing here.
//
// Rows keep the numbers that they have in the scene; an act is a range of each table. `first` and
// `end` of a range are an index and the index behind the last.

/** For rows with a key from first to end: all rows of one key side by side.
 * @returns {{of: (key: number) => Uint32Array}} */
function groupRows(keys, range, keyFirst, keyCount) {
    const starts = new Uint32Array(keyCount + 1);
    for (let i = range.first; i < range.end; i++)
        if (keys[i] !== NONE)
            starts[keys[i] - keyFirst + 1]++;
    for (let k = 0; k < keyCount; k++)
        starts[k + 1] += starts[k];
    const rows = new Uint32Array(starts[keyCount]);
    const next = starts.slice();
    for (let i = range.first; i < range.end; i++)
        if (keys[i] !== NONE)
            rows[next[keys[i] - keyFirst]++] = i;
    return { of: (key) => rows.subarray(starts[key - keyFirst], starts[key - keyFirst + 1]) };
}

/** The first place from `low` on where `test` holds; `high` when it holds nowhere. */
function lowerBound(low, high, test) {
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (test(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

class Act {
    /** @param {Scene} scene @param {number} index */
    constructor(scene, index) {
        this.scene = scene;
        this.index = index;
        const acts = scene.acts;
        const range = (name) => ({
            first: acts[`${name}_first`][index],
            end: acts[`${name}_first`][index] + acts[`${name}_count`][index],
        });
        for (const name of ['events', 'statements', 'said', 'segments', 'allocations', 'stays',
            'marks', 'lanes', 'slices', 'arrows', 'counters'])
            this[name] = range(name);
        this.end = acts.end[index];
        this.until = NONE; // the last event that may be seen: in an exercise not all
        this.passed = acts.passed[index] !== 0;
        this.name = scene.text(acts.name[index]);
        this.file = scene.text(acts.file[index]);
        const count = ({ first, end }) => end - first;
        this.staysIn = groupRows(scene.stays.segment, this.stays, this.segments.first,
            count(this.segments));
        this.staysBy = groupRows(scene.stays.allocation, this.stays, this.allocations.first,
            count(this.allocations));
        this.marksBy = groupRows(scene.marks.allocation, this.marks, this.allocations.first,
            count(this.allocations));
        this.slicesIn = groupRows(scene.slices.lane, this.slices, this.lanes.first,
            count(this.lanes));
    }

    get empty() {
        return this.events.first === this.events.end;
    }

    time(event) {
        return event === NONE || event < this.events.first ? 0 : this.scene.events.time[event];
    }

    /** The last event at or before a time. */
    eventAt(time) {
        const { first, end } = this.events;
        const times = this.scene.events.time;
        if (this.empty)
            return NONE;
        return Math.max(first, lowerBound(first, end, (i) => times[i] > time) - 1);
    }

    /** Does a row hold after an event? Events decide where a time has several; where they are left
     * out, the time does. */
    holds(table, row, event, began, ended) {
        const time = this.time(event);
        const here = began[row] === NONE ? table.begin[row] <= time : began[row] <= event;
        const over = ended[row] === NONE ? !table.still_there[row] && table.end[row] <= time :
            ended[row] <= event;
        return here && !over;
    }

    /** Is its range taken after this event? What leaves holds it until the memory is free. */
    isThere(stay, event) {
        const { stays } = this.scene;
        return this.holds(stays, stay, event, stays.came, stays.gone);
    }

    /** Is it decided that it leaves, and its range not free yet? */
    isLeaving(stay, event) {
        const { left } = this.scene.stays;
        return left[stay] !== NONE && left[stay] <= event && this.isThere(stay, event);
    }

    /** The stays of a segment after an event, in the order of their offsets. */
    staysAt(segment, event) {
        const { offset } = this.scene.stays;
        return Array.from(this.staysIn.of(segment)).filter((stay) => this.isThere(stay, event))
            .sort((a, b) => offset[a] - offset[b]);
    }

    marksOf(allocation) {
        return allocation === NONE ? [] : this.marksBy.of(allocation);
    }

    /** What is true of an allocation after an event: a set of the words of MARKS. */
    marksAt(allocation, event) {
        const { marks } = this.scene;
        const words = new Set();
        for (const mark of this.marksOf(allocation)) {
            if (this.holds(marks, mark, event, marks.began, marks.ended))
                words.add(MARKS[marks.kind[mark]]);
        }
        return words;
    }

    /**
     * A segment after an event, as a table: its stays and the free ranges between them.
     * @returns {{rows: {stay: number, offset: number, bytes: number}[], used: number, free: number,
     *            largest: number}}  a free range has the stay NONE
     */
    tableAt(segment, event) {
        const { stays, segments } = this.scene;
        const rows = [];
        let at = 0;
        let used = 0;
        let largest = 0;
        const hole = (end) => {
            if (end > at) {
                rows.push({ stay: NONE, offset: at, bytes: end - at });
                largest = Math.max(largest, end - at);
            }
        };
        for (const stay of this.staysAt(segment, event)) {
            hole(stays.offset[stay]);
            rows.push({ stay, offset: stays.offset[stay], bytes: stays.bytes[stay] });
            used += stays.bytes[stay];
            at = Math.max(at, stays.offset[stay] + stays.bytes[stay]);
        }
        hole(segments.size[segment]);
        return { rows, used, free: Math.max(0, segments.size[segment] - used), largest };
    }

    /** The value of a counter after an event; null: the adapter had not started. */
    counterAt(counter, event) {
        const { counters, points } = this.scene;
        const first = counters.first[counter];
        const time = this.time(event);
        const next = lowerBound(first, first + counters.count[counter], (i) =>
            points.event[i] === NONE ? points.time[i] > time : points.event[i] > event);
        return next > first ? points.value[next - 1] : null;
    }

    /** The next event (or the one before) at which something came into a segment, began to leave
     * it, or was gone. */
    changeOf(segment, event, forward) {
        const { came, left, gone } = this.scene.stays;
        let best = NONE;
        const look = (other) => {
            if (other === NONE || (forward ? other <= event : other >= event))
                return;
            if (best === NONE || (forward ? other < best : other > best))
                best = other;
        };
        for (const stay of this.staysIn.of(segment)) {
            look(came[stay]);
            look(left[stay]);
            look(gone[stay]);
        }
        return best;
    }

    /** May an arrow be seen? In an exercise none that comes from what is hidden, or leads there. */
    isKnown(arrow) {
        const { from, to } = this.scene.arrows;
        return from[arrow] <= this.until && to[arrow] <= this.until;
    }

    /** The arrows that begin or end at an event, and lead to nothing that is hidden.
     * @returns {number[]} */
    arrowsAt(event) {
        const { from, to } = this.scene.arrows;
        const found = [];
        for (let i = this.arrows.first; i < this.arrows.end && found.length < 200; i++)
            if ((from[i] === event || to[i] === event) && this.isKnown(i))
                found.push(i);
        return found;
    }

    /** The stay that came or left at an event, the slice that began or ended; NONE: none. */
    thingsAt(event) {
        if (!this.things) {
            const { first, end } = this.events;
            const note = (range, ...columns) => {
                const rows = new Uint32Array(end - first).fill(NONE);
                for (let row = range.end - 1; row >= range.first; row--)
                    for (const column of columns)
                        if (column[row] !== NONE)
                            rows[column[row] - first] = row;
                return rows;
            };
            const { stays, slices } = this.scene;
            this.things = { stays: note(this.stays, stays.left, stays.came),
                slices: note(this.slices, slices.ended, slices.submitted) };
        }
        const at = event - this.events.first;
        return { stay: this.things.stays[at] ?? NONE, slice: this.things.slices[at] ?? NONE };
    }

    /** The reason trail: the rows directly before the event of a decision. @returns {number[]} */
    trailOf(event) {
        const count = Math.min(this.scene.events.trail[event], event - this.events.first);
        return Array.from({ length: count }, (_, i) => event - count + i);
    }

    /** Where the scheduler notices that work does not end, as far as it may be seen. */
    get hangs() {
        const { events, about } = this.scene;
        if (!this.noticed) {
            this.noticed = [];
            for (let i = this.events.first; i < this.events.end; i++)
                if (about.kinds[events.kind[i]] === 'tdr' &&
                    about.rules[events.rule[i]]?.[0] === 'TDR-001')
                    this.noticed.push(i);
        }
        return this.noticed.filter((event) => event <= this.until);
    }

    /** Where a node was asked to stop what it runs, as far as it may be seen. */
    get preempts() {
        const { events, about } = this.scene;
        if (!this.asked) {
            this.asked = [];
            for (let i = this.events.first; i < this.events.end; i++)
                if (about.kinds[events.kind[i]] === 'preempt' &&
                    this.scene.text(events.sentence[i]).includes(' is asked to stop'))
                    this.asked.push(i);
        }
        return this.asked.filter((event) => event <= this.until);
    }

    label(allocation) {
        return allocation === NONE ? '' : this.scene.text(this.scene.allocations.label[allocation]);
    }
}

const MARKS = ['pinned', 'dirty', 'locked', 'offered', 'moving'];
const VERDICTS = ['ran', 'held', 'failed', 'warned'];
const SAID = ['note', 'ask', 'map', 'lesson', 'given', 'setting'];
const LANES = ['node', 'paging', 'cpu'];
const MADE_ROOM = 1;
const MOVED_HERE = 3;
const ARROWS = ['needed this paging', 'made room for this', 'ended this wait', 'moved here'];
const STAYS = ['', '', 'paging buffer', 'DMA buffer', 'broken memory', 'protected range'];

/** Whose box it is. An allocation on its way through an aperture keeps its name. */
function stayName(act, stay) {
    const { allocation, kind } = act.scene.stays;
    return STAYS[kind[stay]] || act.label(allocation[stay]);
}
