// SPDX-License-Identifier: MIT
// list.js: the list of events. Only the rows in sight are elements; a list longer than browsers can
// scroll is scrolled in proportion. A sentence has as many lines as it needs: how many is reckoned
// from its letters, as nobody can lay out a million rows to see.

const LINE_REMS = 1.1875; // as in page.css
const PAD_REMS = 0.4375;
const BESIDE_REMS = 6.75; // the time, and the room around it
const MOST_LINES_OF_ROW = 4;
const MOST_HEIGHT = 8_000_000;

/** Where each row of a list begins, and the end of the last, in pixels.
 * @param {Uint32Array} rows events
 * @param {{line: number, pad: number, room: number, wide: Float64Array?}} size heights, the
 * room that a line has, and how wide each byte is; without that each row is a line
 * @returns {Uint32Array} */
function rowTops(scene, rows, { line, pad, room, wide }) {
    const { sentence } = scene.events;
    const { end } = scene.texts;
    const { byte } = scene.letters;
    const short = room * 0.9; // a word that does not fit leaves the end of its line empty
    const tops = new Uint32Array(rows.length + 1);
    for (let i = 0; i < rows.length; i++) {
        const text = sentence[rows[i]];
        let width = 0;
        for (let at = text ? end[text - 1] : 0; wide && at < end[text]; at++)
            width += wide[byte[at]];
        const lines = width <= room ? 1 : Math.min(MOST_LINES_OF_ROW, Math.ceil(width / short));
        tops[i + 1] = tops[i] + lines * line + pad;
    }
    return tops;
}

/** How wide each byte of a text is; a letter of several bytes is as wide as an m.
 * @returns {Float64Array} */
function byteWidths(font) {
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = font;
    return Float64Array.from({ length: 256 }, (_, byte) => byte >= 0x80 && byte < 0xC0 ? 0 :
        pen.measureText(byte < 0x80 ? String.fromCharCode(byte) : 'm').width);
}

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

/** Which events the list has.
 * @param {{level: number, kind: number, chosen: number, words: string}} filter
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

/** A sentence with what was searched for marked in it. @returns {(string|HTMLElement)[]} */
function markWords(sentence, words) {
    const [text, wanted] = [sentence.toLowerCase(), words.toLowerCase()];
    if (!wanted || text.length !== sentence.length) // a few letters are longer when they are small
        return [sentence];
    const parts = [];
    let done = 0;
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, done)) {
        parts.push(sentence.slice(done, at),
            make('mark', { text: sentence.slice(at, at + wanted.length) }));
        done = at + wanted.length;
    }
    return [...parts, sentence.slice(done)];
}

class EventList {
    /** @param {HTMLElement} box that scrolls @param {(event: number) => void} onChoose */
    constructor(box, onChoose) {
        this.box = box;
        this.onChoose = onChoose;
        this.rows = new Uint32Array(0);
        this.words = ''; // that are marked
        this.tops = new Uint32Array(1);
        this.body = make('div', { className: 'rows' });
        box.append(this.body);
        box.addEventListener('scroll', () => this.draw(), { passive: true });
        this.measure();
        // A question above takes room from the list: the row of the moment stays in sight.
        new ResizeObserver(() => {
            this.measure();
            if (this.event !== undefined)
                this.mark(this.event);
        }).observe(box);
    }

    /** Lines are as high as letters are large. */
    measure() {
        const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
        const { fontSize, fontFamily } = getComputedStyle(this.box);
        const size = { line: Math.round(LINE_REMS * rem), pad: Math.round(PAD_REMS * rem),
            room: Math.max(4 * rem, this.box.clientWidth - BESIDE_REMS * rem),
            font: `${fontSize} ${fontFamily}` };
        // Nothing to reckon anew: an observer speaks up when it begins, too.
        if (this.size && Object.keys(size).every((key) => size[key] === this.size[key]))
            return;
        this.size = size;
        if (this.act)
            this.show(this.act, this.rows);
    }

    /** @param {Act} act @param {Uint32Array} rows */
    show(act, rows) {
        this.act = act;
        this.rows = rows;
        if (act.scene.lettersThere === act.scene.letters.byte.length)
            this.size.wide ??= byteWidths(this.size.font);
        this.tops = rowTops(act.scene, rows, this.size);
        this.height = Math.min(MOST_HEIGHT, this.tops[rows.length]);
        this.body.style.height = `${this.height}px`;
        this.draw();
    }

    /** How far the list moves when the box is scrolled by a pixel. */
    get perPixel() {
        const room = this.height - this.box.clientHeight;
        return room > 0 ? (this.tops[this.rows.length] - this.box.clientHeight) / room : 1;
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
        const last = this.rows.length - 1;
        return last < 0 ? event : this.rows[Math.max(0, Math.min(last, next))];
    }

    mark(event) {
        this.event = event;
        const at = Math.max(0, this.placeOf(event));
        const seen = this.box.clientHeight;
        const top = this.box.scrollTop * this.perPixel;
        if (this.rows.length && (this.tops[at] < top || this.tops[at + 1] > top + seen))
            this.box.scrollTop = Math.max(0, this.tops[at] - seen / 3) / this.perPixel;
        this.draw();
    }

    draw() {
        if (!this.act)
            return;
        const { tops } = this;
        const scrolled = this.box.scrollTop;
        const top = scrolled * this.perPixel;
        const count = this.rows.length;
        const first = lowerBound(0, count, (i) => tops[i + 1] > top);
        const rows = [];
        for (let i = first; i < count && tops[i] <= top + this.box.clientHeight; i++)
            rows.push(this.row(i, scrolled + tops[i] - top));
        this.body.replaceChildren(...rows);
    }

    row(i, top) {
        const { events } = this.act.scene;
        const event = this.rows[i];
        const sentence = this.act.scene.text(events.sentence[event]);
        const row = make('button', { type: 'button', tabindex: '-1',
            className: `event level${events.level[event]}${event === this.event ? ' here' : ''}`,
            children: [
                make('span', { className: 'time', text: formatTime(events.time[event]) }),
                make('span', { className: 'what', title: sentence,
                    children: markWords(sentence, this.words) }),
            ] });
        if (event === this.event)
            row.setAttribute('aria-current', 'true');
        row.style.top = `${top}px`;
        row.style.height = `${this.tops[i + 1] - this.tops[i]}px`;
        row.addEventListener('click', () => this.onChoose(event));
        return row;
    }
}
