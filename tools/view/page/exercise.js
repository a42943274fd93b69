// SPDX-License-Identifier: MIT
// exercise.js: the questions of a lesson. Until one is answered, what lies behind it is not shown.
//
// An answer is right where `vidmm quiz` says so (tools/quiz/answer.c, whose steps these are): both
// run the table tests/tools/answers.txt. Numbers have 64 bits there, so here they are BigInts.

const ANSWER_UNITS = [
    ['b byte bytes', 'bytes', 1n],
    ['k kb kib ki kbyte kbytes kilobyte kilobytes kibibyte kibibytes', 'bytes', 2n ** 10n],
    ['m mb mib mi mbyte mbytes megabyte megabytes mebibyte mebibytes', 'bytes', 2n ** 20n],
    ['g gb gib gi gbyte gbytes gigabyte gigabytes gibibyte gibibytes', 'bytes', 2n ** 30n],
    ['t tb tib ti tbyte tbytes terabyte terabytes tebibyte tebibytes', 'bytes', 2n ** 40n],
    ['ns nanosecond nanoseconds', 'time', 1n],
    ['us microsecond microseconds', 'time', 1000n],
    ['ms millisecond milliseconds', 'time', 1000000n],
    ['s sec second seconds', 'time', 1000000000n],
    ['% percent', 'percent', 1n],
].map(([words, dimension, worth]) => ({ words: words.split(' '), dimension, worth }));

const NO_UNIT = { dimension: '', worth: 1n };
const ANSWER_FORMS = ['number', 'size', 'time', 'segment', 'yes', 'word']; // enum scenario_answer
const ANSWER_MOST = 2n ** 64n - 1n;

const unitOf = (word = '') => ANSWER_UNITS.find(({ words }) => words.includes(word.toLowerCase()));

// Groups of digits are three after a ',', and any number after a '_'.
const QUANTITY = new RegExp(
    '^(?:0x([\\da-f]+(?:_[\\da-f]+)*)|(\\d+(?:,\\d{3}(?!\\d)|_\\d+)*)(?:\\.(\\d{1,9}))?)' +
    '[ \\t]*([^ \\t.]*)[ \\t.]*$', 'i');

/** "4M", "1.5 ms", "0x400000", "4,194,304 bytes". A fraction is one of a whole number of bytes.
 * @returns {{value: bigint, dimension: string}|null} null: it is no quantity */
function readQuantity(text) {
    const [all, hex, digits, fraction = '', word] = QUANTITY.exec(text) ?? [];
    const unit = word ? unitOf(word) : NO_UNIT;
    if (all === undefined || !unit)
        return null;
    const whole = BigInt((hex ? '0x' : '') + (hex ?? digits).replace(/[,_]/g, ''));
    const scale = 10n ** BigInt(fraction.length);
    const part = BigInt(fraction || 0) * unit.worth;
    const value = whole * unit.worth + part / scale;
    return part % scale || value > ANSWER_MOST ? null : { value, dimension: unit.dimension };
}

/** What a question counts in: "2s" answers "how many seconds" as 2 does. */
function unitAsked(question) {
    for (const before of ['many ', 'which ', 'Which '])
        for (const words of question.split(before).slice(1)) {
            const [first, second] = /^([^ ,.;:?!]*) ?([^ ,.;:?!]*)/.exec(words).slice(1);
            const unit = unitOf(first) ?? unitOf(second);
            if (unit)
                return unit;
        }
    return NO_UNIT;
}

/** The same, else the unit that the answer is written in: "24 MiB (0x1800000)". */
function unitFor({ form, text, answer }) {
    const unit = unitAsked(text);
    const own = unit === NO_UNIT && (form === 'size' || form === 'time');
    return own ? unitOf(answer.split(' ')[1]) ?? NO_UNIT : unit;
}

function judgeNumber(given, asked) {
    const { form, value } = asked;
    const quantity = readQuantity(given);
    if (!quantity)
        return 'unread';
    const unit = unitFor(asked);
    const dimension = { size: 'bytes', time: 'time' }[form] ?? unit.dimension;
    if (quantity.dimension && dimension && quantity.dimension !== dimension)
        return 'wrong';
    // One of the two may count in the unit of the question, and the other one not.
    const counted = !quantity.dimension && form !== 'number';
    const [few, many] = counted ? [quantity.value, value] : [value, quantity.value];
    return quantity.value === value || few * unit.worth === many ? 'right' : 'wrong';
}

const isYesOrNo = ({ form, answer }) =>
    form === 'yes' || (form === 'word' && /^(yes|no)$/.test(answer));

/** @typedef {{form: string, text: string, answer: string, value: bigint}} Question
 * @param {string} typed @param {Question} asked @returns {'right'|'wrong'|'unread'} unread: it is
 * no number, or neither yes nor no, so it is no attempt */
function judgeAnswer(typed, asked) {
    const given = typed.trim();
    if (isYesOrNo(asked)) {
        const said = /^(yes|y|true)$/i.test(given) ? 'yes' :
            /^(no|n|false)$/i.test(given) ? 'no' : '';
        return !said ? 'unread' : said === asked.answer ? 'right' : 'wrong';
    }
    if (asked.form !== 'segment' && asked.form !== 'word')
        return judgeNumber(given, asked);
    if (!given)
        return 'unread';
    const segment = asked.form === 'segment';
    const number = segment && readQuantity(given)?.value === asked.value;
    const full = segment && asked.value === 0n && /^system memory$/i.test(given);
    const words = (/** @type {string} */ text) => text.trim().replace(/[ \t]+/g, ' ').toLowerCase();
    return number || full || words(given) === words(asked.answer) ? 'right' : 'wrong';
}

const ANSWER_WORDS = {
    yes: 'Write yes or no.',
    segment: 'The name of a segment is asked for, or system.',
    word: 'A word is asked for.',
    number: 'A number is asked for, such as 3, 24M, 0x1800000 or 200us.',
};

/** What no answer may look like. @param {Question} asked */
const formWords = (asked) =>
    ANSWER_WORDS[isYesOrNo(asked) ? 'yes' : asked.form] ?? ANSWER_WORDS.number;

/** Is it an exercise, which shows nothing of its run but what is given? */
function isExercise({ said }) {
    for (let i = 0; i < said.rows; i++)
        if (SAID[said.kind[i]] === 'lesson' && said.form[i])
            return true;
    return false;
}

/** The rows of an act that say something of a kind, in their order. */
function saidRows(act, kind) {
    const rows = [];
    for (let i = act.said.first; i < act.said.end; i++)
        if (SAID[act.scene.said.kind[i]] === kind)
            rows.push(i);
    return rows;
}

/** "$sky" of a note or a question as "6 MiB": the parameters of a run have values. */
function withValues(act, words) {
    const { text, answer } = act.scene.said;
    const values = new Map(saidRows(act, 'given').map((row) =>
        [act.scene.text(text[row]), act.scene.text(answer[row]).replace(/ \(.*/, '')]));
    return words.replace(/\$([A-Za-z_]\w*)/g, (all, name) => values.get(name) ?? all);
}

// What `vidmm quiz` does not list either (tools/quiz/quiz.c), and what notes say of the machine.
const UNLISTED = new RegExp('^(lesson|exercise|note|ask|show|test|proves|mark|param|expect|' +
    'always|let|for|repeat|choose|case|quietly|end|adapter|segment|node|class)\\b');

/** The event that decides a question, by the first of its rules that one names. An exercise asks
 * after it, a lesson before. @returns {number} NONE: none that may be seen */
function decidingEvent(act, row) {
    const { said, events, about } = act.scene;
    const rules = act.scene.text(said.rules[row]).split('; ').map((it) => it.split(' ')[0]);
    const asked = said.event[row];
    const late = isExercise(act.scene);
    const from = late ? act.events.first : asked;
    const end = Math.min(act.events.end, late ? asked : act.events.end);
    for (const rule of rules) {
        let found = NONE;
        for (let i = from; rule && i < end && i <= act.until && (late || found === NONE); i++)
            if (events.level[i] === 0 && about.rules[events.rule[i]]?.[0] === rule)
                found = i;
        if (found !== NONE)
            return found;
    }
    return NONE;
}

/** What is done up to a question, since the moment of those before it; of a loop the first round.
 * @returns {{lines: string[], more: number}} more: statements of later rounds */
function doneBefore(act, row) {
    const { said, statements } = act.scene;
    const earlier = saidRows(act, 'ask').findLast((it) => said.event[it] < said.event[row]);
    const from = earlier === undefined ? act.statements.first : said.statement[earlier];
    const end = Math.min(said.statement[row], act.statements.end);
    const lines = [];
    let [file, last, more] = [NONE, 0, 0];
    for (let i = from; i < end; i++) {
        const text = act.scene.text(statements.text[i]).trim();
        if (UNLISTED.test(text))
            continue;
        if (statements.file[i] !== file)
            [file, last] = [statements.file[i], 0]; // each file has lines of its own
        if (statements.line[i] > last)
            lines.push(withValues(act, text));
        else
            more++;
        last = Math.max(last, statements.line[i]);
    }
    return { lines, more };
}

/** The last event that may be seen while a question is open. Of an exercise the run is held back:
 * questions about one moment are all answered before any of it is shown. */
function lastSeen(act, row) {
    const { event } = act.scene.said;
    const before = (row) => Math.max(act.events.first, Math.min(event[row], act.events.end) - 1);
    if (!isExercise(act.scene))
        return before(row);
    const earlier = saidRows(act, 'ask').filter((it) => it < row && event[it] < event[row]);
    return earlier.length ? before(earlier.at(-1)) : act.events.first;
}

const MOST_TRIES = 2; // then the answer is told, as `vidmm quiz` does

class Exercise {
    /** @param {App} app @param {HTMLElement} place */
    constructor(app, place) {
        this.app = app;
        this.place = place;
        this.on = false;
        this.done = new Set();
        this.tries = new Map(); // by row; NONE: the answer was shown
    }

    /** Of two runs one would tell what the other one hides. */
    get possible() {
        return !this.app.other && saidRows(this.app.act, 'ask').length > 0;
    }

    current(act) {
        const open = (row) => !this.done.has(row);
        return this.on && !this.app.other ? saidRows(act, 'ask').find(open) ?? NONE : NONE;
    }

    /** The last event that may be seen; NONE: all. */
    horizon(act) {
        const row = this.current(act);
        return row === NONE || act.empty ? NONE : lastSeen(act, row);
    }

    /** The event that decides what was answered last, as soon as it may be seen; NONE: none. */
    decided(act) {
        const answered = this.on ? saidRows(act, 'ask').filter((row) => this.done.has(row)) : [];
        if (!answered.length)
            return NONE;
        const { event } = act.scene.said;
        const last = answered.at(-1);
        return answered.filter((row) => event[row] === event[last])
            .map((row) => decidingEvent(act, row)).findLast((it) => it !== NONE) ?? NONE;
    }

    /** What of the source is hidden; null: nothing. */
    hidden(act) {
        const row = this.current(act);
        return row === NONE ? null : { line: act.scene.said.line[row], all: isExercise(act.scene) };
    }

    toggle() {
        if (!this.on && !this.possible) {
            this.app.say('This run asks nothing.');
            return;
        }
        this.on = !this.on;
        this.done.clear();
        this.tries.clear();
        this.app.exerciseChanged();
        this.field?.focus();
    }

    /** Where an answer is written; null: nothing is asked. */
    get field() {
        return this.place.querySelector('form:not([hidden]) input');
    }

    /** "2 of 3 right, 1 of them at the second try": what was shown or told does not count. */
    score(rows) {
        const at = (tries) => rows.filter((row) => this.tries.get(row) === tries).length;
        const [first, second] = [at(1), at(2)];
        return `${first + second} of ${rows.length} right` +
            (second ? `, ${second} at the second try.` : '.');
    }

    /** @returns {Question} */
    question(act, row) {
        const { text, answer, value, form } = act.scene.said;
        return { form: ANSWER_FORMS[form[row]], text: withValues(act, act.scene.text(text[row])),
            answer: act.scene.text(answer[row]), value: BigInt(act.scene.text(value[row])) };
    }

    /** What `vidmm quiz` says before it asks: parameters that no note names, notes, what was
     * done. */
    given(act, row) {
        if (!isExercise(act.scene))
            return [];
        const { text, answer } = act.scene.said;
        const upTo = (kind) => saidRows(act, kind).filter((it) => it < row);
        const notes = upTo('note').map((it) => act.scene.text(text[it]));
        const unnamed = upTo('given').filter((it) => !new RegExp(
            `\\$${act.scene.text(text[it])}\\b`).test(notes.join(' ')));
        const given = unnamed.map(
            (it) => `$${act.scene.text(text[it])} is ${act.scene.text(answer[it])}`);
        return [given.length ? `Given: ${given.join(', ')}.` : '',
            ...notes.map((words) => withValues(act, words))].filter(Boolean)
            .map((words) => make('p', { className: 'given', text: words }))
            .concat(this.happened(act, row));
    }

    /** The order in which things were done, without what came of it. */
    happened(act, row) {
        const { lines, more } = doneBefore(act, row);
        if (!lines.length)
            return [];
        const items = lines.map((text) => make('li', { text }));
        if (more)
            items.push(make('li', { className: 'quiet',
                text: `${formatCount(more, 'statement')} of later rounds` }));
        return [make('p', { className: 'given', text: 'Then, in this order:' }),
            make('ol', { className: 'done', tabindex: '0', 'aria-label': 'What is done',
                children: items })];
    }

    render() {
        const { act } = this.app;
        const rows = saidRows(act, 'ask');
        this.place.hidden = !this.on || !this.possible;
        if (this.place.hidden)
            return;
        const row = this.current(act);
        if (row === NONE) {
            this.place.replaceChildren(make('h2', { text: 'All questions answered' }),
                make('p', { text: `${this.score(rows)} The whole run is shown now.` }));
            return;
        }
        const asked = this.question(act, row);
        const solved = rows.filter((it) => this.done.has(it)).length;
        this.place.replaceChildren(
            make('p', { className: 'when', text: `Question ${solved + 1} of ${rows.length}` }),
            ...this.given(act, row), make('h2', { text: asked.text }),
            ...this.form(act, row, asked));
    }

    form(act, row, asked) {
        const text = (column) => act.scene.text(act.scene.said[column][row]);
        const input = make('input', { type: 'text', id: 'guess', autocomplete: 'off',
            'aria-describedby': 'guess-said' });
        const said = make('p', { id: 'guess-said', role: 'status' });
        const told = (word, verdict) => {
            said.className = verdict;
            said.replaceChildren(word);
            input.select(); // what is typed next is another answer
            input.focus();
        };
        /** The answer is known, by whomever: its rule, and the way on. */
        const over = (word, verdict, tries) => {
            this.tries.set(row, tries);
            told(word, verdict);
            form.hidden = true;
            said.append(...this.wayOn(row, text('rules')));
            said.querySelector('button').focus();
        };
        const form = make('form', { children: [
            make('label', { for: 'guess', text: 'Your answer' }), input,
            make('button', { type: 'submit', className: 'primary', text: 'Check' }),
            make('button', { type: 'button', text: 'Show the answer', id: 'give-up' }),
        ] });
        const hint = text('hint') || text('rules').split('; ')[0];
        const help = hint ? `A hint: ${hint}` : 'Look at the map and the table, and try again.';
        let tries = 0;
        form.addEventListener('submit', (happened) => {
            happened.preventDefault();
            const verdict = judgeAnswer(input.value, asked);
            tries += verdict !== 'unread';
            if (verdict === 'unread')
                told(formWords(asked), verdict);
            else if (verdict === 'right')
                over(`✓ Right: ${asked.answer}.`, 'right', tries);
            else if (tries < MOST_TRIES)
                told(`✗ No. ${help}`, 'wrong');
            else
                over(`✗ No. The answer is ${asked.answer}.`, 'wrong', NONE);
        });
        form.querySelector('#give-up').addEventListener('click',
            () => over(`The answer is ${asked.answer}.`, 'right', NONE));
        // On paper an answer is written.
        return [form, make('p', { className: 'ruled', 'aria-hidden': 'true' }), said];
    }

    /** After an answer: its rules, and the button to what comes next. */
    wayOn(row, rules) {
        const button = make('button', { type: 'button', className: 'primary', text: 'Go on' });
        button.addEventListener('click', () => {
            this.done.add(row);
            this.app.exerciseChanged();
            this.field?.focus();
        });
        return [rules ? make('span', { className: 'rules', text: ` ${rules}. ` }) : '', ' ',
            button];
    }
}
