// SPDX-License-Identifier: MIT
// source.js: the scenario as it was written: which line runs now, which expectations held.

const SIGNS = { held: '✓', failed: '✗', warned: '!', ran: '' };

/** What became of each line of a file: the worst of its statements.
 * @returns {Map<number, {verdict: string, statement: number, message: string}>} */
function verdictsOf(act, file) {
    const { line, verdict, message, file: files } = act.scene.statements;
    const worst = { ran: 0, held: 1, warned: 2, failed: 3 };
    const lines = new Map();
    let [known, here] = [NONE, false]; // is the file of the statement before this one
    for (let i = act.statements.first; i < act.statements.end; i++) {
        if (files[i] !== known)
            [known, here] = [files[i], act.scene.text(files[i]) === file];
        if (!here)
            continue;
        const word = VERDICTS[verdict[i]];
        const before = lines.get(line[i]);
        if (!before || worst[word] > worst[before.verdict])
            lines.set(line[i],
                { verdict: word, statement: i, message: act.scene.text(message[i]) });
    }
    return lines;
}

const COMMENT = /^(\s*)(#.*)$/;
const TALK = /^(\s*)(note|lesson|exercise|ask)(\s+)("(?:[^"\\]|\\.)*")(.*)$/;
const WORD = /^(\s*)([a-z-]+)(.*)$/;

const OPENS = [/^\s*(always|choose|for|quietly|repeat|resource|test)\b/,
    /^\s*expect\s+(events|map)\b/,
    /^\s*submit\s[^#]*\swith\s*(#.*)?$/];

/** What the quiz does not tell of an exercise: what is expected, and which cases were not chosen.
 * @param {string[]} lines @param {(number: number) => boolean} ran @returns {Set<number>} */
function heldBack(lines, ran) {
    const SILENT = /^\s*(expect|always|let|choose|case|mark|proves)\b/;
    const found = new Set();
    const blocks = [];
    const within = (...words) => blocks.some(({ word }) => words.includes(word));
    lines.forEach((text, i) => {
        const [word = ''] = /[a-z-]+/.exec(text) ?? [];
        const held = /^\s*end\s*(#.*)?$/.test(text) ? Boolean(blocks.pop()?.held) :
            SILENT.test(text) || within('expect', 'always') || (within('choose') && !ran(i + 1));
        if (held)
            found.add(i + 1);
        if (OPENS.some((form) => form.test(text)))
            blocks.push({ word, held });
    });
    return found;
}

/** A question whose answer is not told yet. */
function withoutAnswer(text) {
    const found = TALK.exec(text);
    return found ? `${found[1]}${found[2]}${found[3]}${found[4]} = ?` :
        text.replace(/(\bask\b).*/, '$1 ?');
}

/** One line with its words set apart, without ever making markup of it. */
function colourLine(text) {
    let found = COMMENT.exec(text);
    if (found)
        return [make('span', { className: 'comment', text })];
    found = TALK.exec(text);
    if (found)
        return [found[1], make('span', { className: 'word', text: found[2] }), found[3],
            make('span', { className: 'said', text: found[4] }), found[5]];
    found = WORD.exec(text);
    return found ? [found[1], make('span', { className: 'word', text: found[2] }), found[3]] :
        [text];
}

const NOTE = /^\s*note\s+"((?:[^"\\]|\\.)*)"\s*$/;

/** Notes that follow each other are one paragraph: by the number of its line the first one has the
 * text of all, the others have ''. @param {string[]} lines @returns {Map<number, string>} */
function joinNotes(lines) {
    const notes = new Map();
    let first = 0;
    lines.forEach((text, i) => {
        const said = NOTE.exec(text)?.[1].replace(/\\(.)/g, '$1');
        if (said === undefined)
            first = 0;
        else if (first)
            notes.set(first, `${notes.get(first)} ${said}`).set(i + 1, '');
        else
            notes.set(first = i + 1, said);
    });
    return notes;
}

const MOST_LINES = 400; // as elements; of a longer file those around the current line

class SourcePane {
    /** @param {HTMLElement} box @param {(statement: number) => void} onLine */
    constructor(box, onLine) {
        this.box = box;
        this.onLine = onLine;
    }

    /** @param {Act} act @param {number} source row of the table of sources */
    show(act, source) {
        const { sources } = act.scene;
        this.act = act;
        this.file = act.scene.text(sources.name[source]);
        this.lines = act.scene.text(sources.text[source]).replace(/\n$/, '').split('\n');
        this.notes = joinNotes(this.lines);
        this.verdicts = verdictsOf(act, this.file);
        this.hidden = null;
        this.open(0);
    }

    /** Makes elements of the lines around one of them. */
    open(line) {
        this.first = this.lines.length <= MOST_LINES ? 0 :
            Math.max(0, Math.min(line - MOST_LINES / 2, this.lines.length - MOST_LINES));
        this.rows = this.lines.slice(this.first, this.first + MOST_LINES)
            .map((text, i) => this.line(text, this.first + i + 1));
        const end = this.first + this.rows.length;
        this.box.replaceChildren(...[
            this.more('earlier', this.first, this.first - 1),
            make('ol', { className: 'code', children: this.rows }),
            this.more('later', this.lines.length - end, end),
        ].filter(Boolean));
        this.here = undefined;
    }

    more(which, count, line) {
        if (!count)
            return null;
        const button = make('button', { type: 'button', className: 'link',
            text: `${formatCount(count, `${which} line`)}` });
        button.addEventListener('click', () => this.open(line));
        return button;
    }

    line(text, number) {
        const verdict = this.verdicts.get(number);
        const told = verdict && !this.hidden?.all;
        const sign = told ? SIGNS[verdict.verdict] : '';
        const row = make('li', { className: told ? verdict.verdict : '', children: [
            make('span', { className: 'sign', text: sign,
                ...(sign ? { role: 'img', 'aria-label': verdict.verdict } : {}) }),
            make('span', { className: 'line', text: String(number) }),
            make('code', { children:
                colourLine(number === this.hidden?.line ? withoutAnswer(text) : text) }),
        ] });
        if (told && verdict.message)
            row.append(make('p', { className: 'message', text: verdict.message }));
        const note = this.notes.get(number);
        if (note !== undefined)
            row.lastChild.replaceWith(
                make('p', { className: 'prose', text: withValues(this.act, note) }));
        row.hidden = note === '';
        if (verdict) {
            row.addEventListener('click', () => this.onLine(verdict.statement));
            row.classList.add('runs');
        }
        row.classList.toggle('later', Boolean(this.hidden) && number > this.hidden.line);
        if (this.withheld?.has(number))
            row.style.display = 'none';
        return row;
    }

    /** The line of a statement becomes the current one. */
    mark(statement) {
        this.here?.removeAttribute('aria-current');
        if (statement === NONE || !this.act)
            return;
        const { line, file } = this.act.scene.statements;
        if (this.act.scene.text(file[statement]) !== this.file)
            return;
        let index = line[statement] - 1;
        while (this.notes.get(index + 1) === '')
            index--;
        if (index < this.first || index >= this.first + this.rows.length)
            this.open(index);
        this.here = this.rows[index - this.first];
        if (!this.here)
            return;
        this.here.setAttribute('aria-current', 'true');
        if (this.asked) { // once: then the lines follow the cursor
            this.showAsked();
            this.asked = null;
            return;
        }
        const box = this.box.getBoundingClientRect();
        const row = this.here.getBoundingClientRect();
        if (row.top < box.top + 30 || row.bottom > box.bottom - 30)
            this.box.scrollTop += row.top - box.top - box.height / 3;
    }

    /** In an exercise: what stands behind the line of a question is not shown yet, nor its answer.
     * @param {{line: number, all: boolean}|null} hidden `all`: nor what came of anything */
    hide(hidden) {
        if (!this.lines || (!hidden && !this.hidden))
            return;
        this.hidden = hidden;
        this.withheld = !hidden?.all ? null :
            heldBack(this.lines, (number) => this.verdicts.has(number));
        this.open(hidden ? hidden.line - 1 : this.first);
        this.asked = hidden && this.rows[hidden.line - 1 - this.first];
        if (this.asked)
            this.showAsked();
    }

    /** A new question is in sight, and what is given above it, whatever the moment is. */
    showAsked() {
        this.box.scrollTop += this.asked.getBoundingClientRect().bottom -
            this.box.getBoundingClientRect().bottom + 30;
    }
}
