// SPDX-License-Identifier: MIT
// axis.js: from a moment to a place on the horizontal axis, and back.
//
// Two axes: "time" is linear in virtual time; on "events" each event of the story is as wide as
// every other one, so that a microsecond with forty decisions can be read. A position is a number
// in units of the axis; a view is the range of positions that can be seen.

class Axis {
    /** @param {Act} act @param {'time'|'events'} kind */
    constructor(act, kind) {
        this.act = act;
        this.kind = kind;
        const { time, level } = act.scene.events;
        const { first, end } = act.events;
        if (kind === 'time') {
            this.length = Math.max(act.end, 1);
            return;
        }
        // rank[i]: how many events of the story stand before event first + i.
        this.rank = new Uint32Array(end - first + 1);
        const moments = [];
        for (let i = first; i < end; i++) {
            this.rank[i - first] = moments.length;
            if (level[i] === 0)
                moments.push(time[i]);
        }
        this.rank[end - first] = moments.length;
        this.moments = Float64Array.from(moments);
        this.length = moments.length + 1;
    }

    /** Of a time alone. */
    ofTime(time) {
        if (this.kind === 'time')
            return time;
        const { moments } = this;
        const next = lowerBound(0, moments.length, (i) => moments[i] >= time);
        if (next === moments.length)
            return moments.length + (time >= this.act.end ? 1 : 0.5);
        if (moments[next] === time || next === 0)
            return next;
        return next - 1 + (time - moments[next - 1]) / (moments[next] - moments[next - 1]);
    }

    /** Of an event; without one (NONE), of its time. */
    of(event, time) {
        if (this.kind === 'time' || event === NONE)
            return this.ofTime(time);
        return this.rank[event - this.act.events.first];
    }

    /** Where what an event did ends, and what comes after it begins. An event that is left out of
     * the story has no room of its own: it shares that of the next one. */
    after(event, time) {
        return this.kind === 'time' ? this.ofTime(time) :
            this.rank[event - this.act.events.first + 1];
    }

    /** The last event of the story at or before a position. */
    eventAt(position) {
        if (this.kind === 'time')
            return this.act.eventAt(position);
        const { first, end } = this.act.events;
        if (this.act.empty)
            return NONE;
        const rank = Math.max(0, Math.min(this.moments.length - 1, Math.floor(position)));
        return Math.max(first, Math.min(end - 1,
            first + lowerBound(0, end - first, (i) => this.rank[i + 1] > rank)));
    }

    /** Marks of the axis in a view, about `wanted` of them: positions and words, each once. */
    ticks(from, to, wanted) {
        const step = Math.max(1, niceStep(to - from, wanted));
        const marks = [];
        let before = '';
        for (let at = Math.ceil(from / step) * step; at <= to && marks.length < 200; at += step) {
            const text = this.tickText(at, step);
            marks.push({ at, text: text === before ? '' : text });
            before = text;
        }
        return marks;
    }

    tickText(at, step) {
        if (this.kind === 'time')
            return formatTick(at, step);
        const time = this.moments[Math.min(at, this.moments.length - 1)] ?? 0;
        return formatTick(time, 1000);
    }

    /** Begin and end of each row of a table of spans, as positions; made once. */
    spans(name, table, cameColumn, leftColumn, beginColumn = 'begin') {
        this.known ??= new Map();
        if (!this.known.has(name)) {
            const range = this.act[name.split(' ')[0]];
            const from = new Float64Array(range.end - range.first);
            const to = new Float64Array(range.end - range.first);
            for (let i = range.first; i < range.end; i++) {
                from[i - range.first] = this.of(cameColumn ? table[cameColumn][i] : NONE,
                    table[beginColumn][i]);
                const left = leftColumn ? table[leftColumn][i] : NONE;
                to[i - range.first] = left === NONE && table.end[i] >= this.act.end ? this.length :
                    this.of(left, table.end[i]);
            }
            this.known.set(name, { first: range.first, from, to });
        }
        return this.known.get(name);
    }

    stays() {
        return this.spans('stays', this.act.scene.stays, 'came', 'gone');
    }

    marks() {
        return this.spans('marks', this.act.scene.marks, 'began', 'ended');
    }

    slices() {
        return this.spans('slices', this.act.scene.slices, null, 'ended');
    }

    queued() {
        return this.spans('slices queued', this.act.scene.slices, 'submitted', 'ended', 'queued');
    }
}

/** A view of `from` to `to`, within the axis and not narrower than a thousandth of a unit. */
function clampView(axis, from, to) {
    const least = axis.kind === 'time' ? 10 : 2;
    const span = Math.min(axis.length, Math.max(least, to - from));
    const middle = (from + to) / 2;
    const begin = Math.max(0, Math.min(axis.length - span, middle - span / 2));
    return { from: begin, to: begin + span };
}
