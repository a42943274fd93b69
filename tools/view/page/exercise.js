// SPDX-License-Identifier: MIT
// exercise.js: the questions of a lesson. Until one is answered, what lies behind it is not shown.

const FACTORS = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40,
    ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

/** A number with or without a unit: "4M", "4 MiB", "4,194,304 bytes", "0x400000". NaN: it is none. */
function readAnswer(text) {
    const found = /^\s*(?:(0x[0-9a-f]+)|(-?[\d,]+(?:\.\d+)?))\s*([a-z]*)/i.exec(text);
    if (!found)
        return NaN;
    const value = found[1] ? parseInt(found[1], 16) : Number(found[2].replaceAll(',', ''));
    const unit = found[3].toLowerCase();
    const factor = FACTORS[unit] ?? FACTORS[unit.replace(/i?b$/, '')] ?? 1;
    return value * factor;
}

/** A guess is right when it means the same number, or is the same words. */
function isRight(guess, answer) {
    const number = readAnswer(guess);
    return Number.isNaN(number) ? guess.trim().toLowerCase() === answer.trim().toLowerCase() :
        number === readAnswer(answer);
}

class Exercise {
    /** @param {App} app @param {HTMLElement} place */
    constructor(app, place) {
        this.app = app;
        this.place = place;
        this.on = false;
        this.done = new Set();
    }

    /** The questions of an act, in their order. */
    questions(act) {
        const { kind } = act.scene.said;
        const rows = [];
        for (let i = act.said.first; i < act.said.end; i++)
            if (SAID[kind[i]] === 'ask')
                rows.push(i);
        return rows;
    }

    current(act) {
        return this.on ? this.questions(act).find((row) => !this.done.has(row)) ?? NONE : NONE;
    }

    /** The last event that may be seen; NONE: all. */
    horizon(act) {
        const row = this.current(act);
        if (row === NONE)
            return NONE;
        const behind = act.scene.said.event[row];
        return behind === NONE ? act.events.end - 1 : Math.max(act.events.first, behind - 1);
    }

    /** The line behind which the source is hidden. */
    line(act) {
        const row = this.current(act);
        return row === NONE ? NONE : act.scene.said.line[row];
    }

    toggle() {
        this.on = !this.on;
        this.done.clear();
        this.app.exerciseChanged();
    }

    render() {
        const { act } = this.app;
        const rows = this.questions(act);
        this.place.hidden = !this.on;
        if (!this.on)
            return;
        const row = this.current(act);
        const solved = rows.filter((it) => this.done.has(it)).length;
        if (row === NONE) {
            this.place.replaceChildren(make('h2', { text: 'All questions answered' }),
                make('p', { text: `${formatCount(rows.length, 'question')}. The whole run is shown now.` }));
            return;
        }
        const { text, answer } = act.scene.said;
        const input = make('input', { type: 'text', id: 'guess', autocomplete: 'off',
            'aria-describedby': 'guess-said' });
        const said = make('p', { id: 'guess-said', role: 'status' });
        const next = () => {
            this.done.add(row);
            this.app.exerciseChanged();
            this.place.querySelector('input')?.focus();
        };
        const told = (word, right) => {
            said.className = right ? 'right' : 'wrong';
            said.replaceChildren(word);
            if (right) {
                form.hidden = true;
                const button = make('button', { type: 'button', className: 'primary', text: 'Go on' });
                button.addEventListener('click', next);
                said.append(' ', button);
                button.focus();
            }
        };
        const form = make('form', { children: [
            make('label', { for: 'guess', text: 'Your answer' }), input,
            make('button', { type: 'submit', className: 'primary', text: 'Check' }),
            make('button', { type: 'button', text: 'Show the answer', id: 'give-up' }),
        ] });
        form.addEventListener('submit', (happened) => {
            happened.preventDefault();
            const right = isRight(input.value, act.scene.text(answer[row]));
            told(right ? `✓ Right: ${act.scene.text(answer[row])}.` :
                '✗ No. Look at the map and the table, and try again.', right);
        });
        form.querySelector('#give-up').addEventListener('click', () =>
            told(`The answer is ${act.scene.text(answer[row])}.`, true));
        this.place.replaceChildren(
            make('p', { className: 'when', text: `Question ${solved + 1} of ${rows.length}` }),
            make('h2', { text: act.scene.text(text[row]) }), form, said);
    }
}
