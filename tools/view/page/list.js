// SPDX-License-Identifier: MIT
// list.js: the list of events. Only the rows in sight are elements; a list longer than browsers can
// scroll is scrolled in proportion.

const ROW_REMS = 1.625; // as in page.css
const MOST_HEIGHT = 8_000_000;

/**
 * Which texts hold some words, capital or small. All texts are searched at once, as one string with
 * a letter for each byte, because a long run has a million of them.
 * @returns {Uint8Array} by text: 1 if it does
 */
function searchTexts(scene, words) {
    const narrow = new TextDecoder('latin1');
    const { end } = scene.texts;
    scene.lower ??= narrow.decode(scene.letters.byte).toLowerCase();
    const wanted = narrow.decode(new TextEncoder().encode(words)).toLowerCase();
    const found = new Uint8Array(end.length);
    let text = 0;
    for (let at = scene.lower.indexOf(wanted); at >= 0; at = scene.lower.indexOf(wanted, at + 1)) {
        text = lowerBound(text, end.length, (i) => end[i] > at);
        if (text < end.length && at + wanted.length <= end[text])
            found[text] = 1;
        else
            continue; // it stands across two texts
        at = end[text] - 1;
    }
    return found;
}

/** Which events the list has. @param {{level: number, kind: number, chosen: number, words: string}} filter
 * @returns {Uint32Array} */
function filterEvents(act, filter) {
    const { level, kind, allocation, sentence } = act.scene.events;
    const says = filter.words ? searchTexts(act.scene, filter.words) : null;
    const rows = new Uint32Array(act.events.end - act.events.first);
    let count = 0;
    for (let i = act.events.first; i < act.events.end; i++) {
        if (level[i] > filter.level || (filter.kind !== NONE && kind[i] !== filter.kind) ||
            (filter.chosen !== NONE && allocation[i] !== filter.chosen) ||
            (says && !says[sentence[i]]))
            continue;
        rows[count++] = i;
    }
    return rows.slice(0, count);
}

class EventList {
    /** @param {HTMLElement} box that scrolls @param {(event: number) => void} onChoose */
    constructor(box, onChoose) {
        this.measure();
        this.box = box;
        this.onChoose = onChoose;
        this.rows = new Uint32Array(0);
        this.body = make('div', { className: 'rows' });
        box.append(this.body);
        box.addEventListener('scroll', () => this.draw(), { passive: true });
        new ResizeObserver(() => this.measure()).observe(box);
    }

    /** Rows are as high as letters are large. */
    measure() {
        this.rowHeight = ROW_REMS * parseFloat(getComputedStyle(document.documentElement).fontSize);
        if (this.act)
            this.show(this.act, this.rows);
    }

    /** @param {Act} act @param {Uint32Array} rows */
    show(act, rows) {
        this.act = act;
        this.rows = rows;
        this.height = Math.min(MOST_HEIGHT, rows.length * this.rowHeight);
        this.body.style.height = `${this.height}px`;
        this.draw();
    }

    /** How many rows a pixel of scrolling is. */
    get perPixel() {
        const room = this.height - this.box.clientHeight;
        const rows = this.rows.length - this.box.clientHeight / this.rowHeight;
        return room > 0 ? rows / room : 1 / this.rowHeight;
    }

    /** The place of an event in the list, or of the last row before it. */
    placeOf(event) {
        return lowerBound(0, this.rows.length, (i) => this.rows[i] > event) - 1;
    }

    /** The event `step` rows after (or before) an event. */
    neighbour(event, step) {
        const at = this.placeOf(event);
        const here = at >= 0 && this.rows[at] === event;
        const next = step > 0 || here ? at + step : at;
        return this.rows.length ? this.rows[Math.max(0, Math.min(this.rows.length - 1, next))] : event;
    }

    mark(event) {
        this.event = event;
        const at = Math.max(0, this.placeOf(event));
        const seen = Math.floor(this.box.clientHeight / this.rowHeight);
        const top = this.box.scrollTop * this.perPixel;
        if (at < top || at >= top + seen - 1)
            this.box.scrollTop = Math.max(0, at - seen / 3) / this.perPixel;
        this.draw();
    }

    draw() {
        if (!this.act)
            return;
        const first = Math.max(0, Math.floor(this.box.scrollTop * this.perPixel));
        const count = Math.ceil(this.box.clientHeight / this.rowHeight) + 1;
        const rows = [];
        const shift = this.height === MOST_HEIGHT ? this.box.scrollTop : first * this.rowHeight;
        for (let i = first; i < Math.min(this.rows.length, first + count); i++)
            rows.push(this.row(this.rows[i], shift + (i - first) * this.rowHeight));
        this.body.replaceChildren(...rows);
    }

    row(event, top) {
        const { events } = this.act.scene;
        const sentence = this.act.scene.text(events.sentence[event]);
        const row = make('button', { type: 'button', tabindex: '-1',
            className: `event level${events.level[event]}${event === this.event ? ' here' : ''}`,
            children: [
                make('span', { className: 'time', text: formatTime(events.time[event]) }),
                make('span', { className: 'what', text: sentence, title: sentence }),
            ] });
        if (event === this.event)
            row.setAttribute('aria-current', 'true');
        row.style.top = `${top}px`;
        row.addEventListener('click', () => this.onChoose(event));
        return row;
    }
}
