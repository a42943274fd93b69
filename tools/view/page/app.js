// SPDX-License-Identifier: MIT
// app.js: the state of the page, and which part shows it.

const find = (name) => document.getElementById(name);

const NO_DIFFERENCE = 'The two runs do not differ: the same events at the same times.';
const STAGE_EDGE = 8; // between two maps, half of it over and half under a line
const NOTHING_HAPPENED = 'Nothing happened here: there is no event.';

class App {
    /** @param {Scene} scene @param {Scene|null} other a second run to compare with */
    constructor(scene, other) {
        this.scene = scene;
        this.other = other;
        this.filter = { level: 0, kind: NONE, words: '', onlyChosen: false };
        this.arrows = false;
        this.chosen = NONE;
        this.alone = NONE;
        this.stages = [new StageView(this, find('stage')), new StageView(this, find('stage-b'))];
        this.searchBox = find('search');
        this.list = new EventList(find('list'), (event) => this.goTo(event));
        this.source = new SourcePane(find('source'), (statement) => this.goToStatement(statement));
        this.exercise = new Exercise(this, find('exercise'));
    }

    // ---- acts ----------------------------------------------------------------------------------

    openAct(index) {
        this.act = new Act(this.scene, index);
        this.axes = new Map();
        this.difference = null;
        this.otherAct = this.other ? actLike(this.other, this.act) : null;
        if (this.otherAct)
            this.difference = firstDifference(this.act, this.otherAct);
        this.axisKind ??= this.act.events.end - this.act.events.first > 4000 ? 'time' : 'events';
        this.chosen = NONE;
        this.alone = NONE;
        this.counterRows ??= false;
        this.residenceRows ??= false;
        this.columns = usedColumns(this.act);
        this.view = { from: 0, to: this.length };
        this.event = this.act.empty ? NONE : this.act.events.first;
        this.statement = NONE;
        find('stage-b').hidden = !this.otherAct;
        document.body.classList.toggle('two', Boolean(this.otherAct));
        const names = this.otherAct ? runNames(this.act, this.otherAct) : [];
        renderComparison(this, find('comparison'));
        this.stages.forEach((stage, i) => stage.show(i ? this.otherAct : this.act, names[i]));
        fillLegend(this.otherAct ? [this.act, this.otherAct] : [this.act]);
        this.showSource();
        this.showDifference();
        fillFacts(this);
        find('act').value = String(index);
        this.exerciseChanged();
    }

    axisOf(act) {
        const key = `${this.axisKind} ${act === this.act ? 'a' : 'b'}`;
        if (!this.axes.has(key))
            this.axes.set(key, new Axis(act, this.axisKind));
        return this.axes.get(key);
    }

    get length() {
        const lengths = [this.act, this.otherAct].map((act) => act ? this.axisOf(act).length : 0);
        return Math.max(...lengths);
    }

    stageHeight() {
        if (this.paper)
            return this.otherAct ? this.paper.height / 2 : this.paper.height;
        if (!this.otherAct)
            return Math.max(300, Math.min(2400, Math.round(window.innerHeight * 0.58)));
        // Both maps end where the window does. What stands over a map counts twice.
        const first = find('stage').getBoundingClientRect().top + window.scrollY;
        const caption = this.stages[0].caption.offsetHeight + STAGE_EDGE;
        return Math.max(260, Math.min(1600,
            Math.floor((window.innerHeight - first) / 2 - caption)));
    }

    layoutKey() {
        const shown = this.residenceRows ? residents(this.act, this.chosen).rows : [];
        return `${this.alone} ${this.counterRows} ${this.act.until === NONE} ${shown}`;
    }

    counters(act) {
        const { first, end } = act.counters;
        // To count is what a question asks for.
        const rows = this.counterRows && act.until === NONE ? end - first : 0;
        return Array.from({ length: rows }, (_, i) => first + i)
            .filter((row) => act.scene.counters.count[row] > 1).slice(0, 24);
    }

    residence(act) {
        return this.residenceRows ? residents(act, this.chosenIn(act)) : null;
    }

    eventIn(act) {
        return this.eventLike(this.event, this.act, act);
    }

    /** The event of a run at the place that an event of either has on the axis. */
    eventLike(event, of, act) {
        return act === of ? event :
            this.axisOf(act).eventAt(this.axisOf(of).of(event, of.time(event)));
    }

    /** One of two runs as the parts that tell of a moment want it: this page, or one like it. */
    sideOf(act) {
        if (act === this.act)
            return this;
        const here = (event) => this.eventLike(event, act, this.act);
        return { act, event: this.eventIn(act), exercise: this.exercise,
            chosen: this.chosenIn(act), alone: this.alone, columns: usedColumns(act),
            goToChange: (segment, forward) => {
                const event = act.changeOf(segment, this.eventIn(act), forward);
                if (event !== NONE)
                    this.goTo(event, act);
            },
            goTo: (event) => this.goTo(event, act),
            choose: (allocation, always) =>
                this.choose(allocationOfName(this.act, act.label(allocation)), always),
            linkTo: (event, a) => this.linkTo(here(event), a) };
    }

    /** The address that shows an event, and perhaps an allocation. */
    linkTo(event, a) {
        const { index, scene } = this.act;
        return writeLink({ act: index ? index + 1 : undefined, e: scene.events.seq[event], a });
    }

    chosenIn(act) {
        return act === this.act || this.chosen === NONE ? this.chosen :
            allocationOfName(act, this.act.label(this.chosen));
    }

    differenceIn(act) {
        return !this.difference ? NONE : act === this.act ? this.difference.a : this.difference.b;
    }

    // ---- the cursor -----------------------------------------------------------------------------

    /** @param {number} statement that is shown there, unless it is that of the event */
    goTo(event, act = this.act, statement = NONE) {
        event = this.eventLike(event, act, this.act);
        this.event = this.act.empty ? NONE : Math.min(event, this.act.until);
        this.statement = event === this.event ? statement : NONE;
        const position = this.axisOf(this.act).of(this.event, this.act.time(this.event));
        const { from, to } = this.view;
        if (position < from || position > to) {
            const half = (to - from) / 2;
            this.view = clampView({ kind: this.axisKind, length: this.length },
                position - half, position + half);
            this.redraw = true;
        }
        this.later();
    }

    /** Where a reader begins. */
    open() {
        const { event, statement } = openingOf(this.act, this.differenceIn(this.act));
        this.goTo(event, this.act, statement);
        const near = event === NONE ? null :
            closeUpOf(this.act, this.axisOf(this.act), this.event, this.length);
        if (near)
            this.see(near.from, near.to);
    }

    /** The next statement that failed, in whatever test. */
    goToFailed() {
        const failed = failedStatements(this.scene);
        if (!failed.length) {
            this.say(this.otherAct ? 'Nothing failed in the first run.' : 'Nothing failed.');
            return;
        }
        const row = failed[(failed.indexOf(this.statement) + 1) % failed.length];
        const act = actOfStatement(this.scene, row);
        if (act !== this.act.index)
            this.openAct(act);
        this.goToStatement(row);
        this.say(`${failed.indexOf(row) + 1} of ${failed.length} that failed`);
    }

    /** Why a box lies where it does: the event that brought it there. */
    explain(stay, act = this.act) {
        const { allocation, came } = act.scene.stays;
        const name = act.label(allocation[stay]);
        this.choose(act === this.act ? allocation[stay] : allocationOfName(this.act, name), true);
        if (came[stay] !== NONE)
            this.goTo(came[stay], act);
    }

    explainChosen() {
        const { came } = this.scene.stays;
        const stays = this.chosen === NONE ? [] : Array.from(this.act.staysBy.of(this.chosen));
        const stay = stays.findLast((it) => came[it] !== NONE && came[it] <= this.event) ??
            stays[0];
        if (stay === undefined)
            this.say(this.chosen === NONE ? 'No allocation is chosen: n chooses one.' :
                `${this.act.label(this.chosen)} was never placed.`);
        else
            this.explain(stay);
    }

    step(by) {
        this.goTo(this.list.neighbour(this.event, by));
    }

    goToEnd(last) {
        const { rows } = this.list;
        if (rows.length)
            this.goTo(rows[last ? rows.length - 1 : 0]);
    }

    goToChange(segment, forward) {
        const event = this.act.changeOf(segment, this.event, forward);
        if (event !== NONE)
            this.goTo(event);
    }

    /** Of the segment that is shown alone, or of the nearest of all. */
    stepChange(forward) {
        const rows = [];
        for (let segment = this.act.segments.first; segment < this.act.segments.end; segment++)
            if (this.alone === NONE || this.alone === segment)
                rows.push(this.act.changeOf(segment, this.event, forward));
        const found = rows.filter((event) => event !== NONE);
        if (found.length)
            this.goTo(forward ? Math.min(...found) : Math.max(...found));
    }

    goToStatement(statement) {
        this.goTo(eventOfStatement(this.act, statement), this.act, statement);
    }

    goToDifference() {
        const event = this.differenceIn(this.act);
        if (event !== NONE)
            this.goTo(event);
        else if (this.difference)
            this.say('The first run was over there.');
        else
            this.say(this.otherAct ? NO_DIFFERENCE : 'There is no second run of this.');
    }

    showDifference() {
        const button = find('difference');
        button.disabled = !this.difference;
        button.textContent = this.difference || !this.otherAct ?
            'First difference' : 'No difference';
        button.title = this.difference ? '' : NO_DIFFERENCE;
    }

    // ---- the view -------------------------------------------------------------------------------

    see(from, to) {
        this.view = clampView({ kind: this.axisKind, length: this.length }, from,
            Number.isFinite(to) ? to : this.length);
        this.redraw = true;
        this.later();
    }

    zoom(by, around) {
        const { from, to } = this.view;
        const cursor = this.axisOf(this.act).of(this.event, this.act.time(this.event));
        const middle = around ?? (cursor >= from && cursor <= to ? cursor : (from + to) / 2);
        this.see(middle - (middle - from) * by, middle + (to - middle) * by);
    }

    pan(share) {
        const { from, to } = this.view;
        this.see(from + (to - from) * share, to + (to - from) * share);
    }

    toggleAxis(kind = this.axisKind === 'time' ? 'events' : 'time') {
        const { from, to } = this.view;
        const all = from <= 0 && to >= this.length;
        const span = (to - from) / this.length;
        this.axisKind = kind;
        const middle = this.axisOf(this.act).of(this.event, this.act.time(this.event));
        const half = span * this.length / 2;
        this.see(all ? 0 : middle - half, all ? Infinity : middle + half);
    }

    toggleArrows() {
        this.arrows = !this.arrows;
        this.later();
    }

    toggleCounters() {
        this.counterRows = !this.counterRows;
        this.resize();
    }

    toggleResidence() {
        this.residenceRows = !this.residenceRows;
        this.resize();
    }

    showAlone(segment) {
        this.alone = this.alone === segment ? NONE : segment;
        this.resize();
    }

    /** Light became dark, or the page is printed. */
    recolour() {
        for (const stage of this.stages)
            stage.palette = null;
        this.redraw = true;
        this.render();
    }

    resize() {
        for (const stage of this.stages)
            stage.resize();
        this.later();
    }

    // ---- what is chosen -------------------------------------------------------------------------

    choose(allocation, always = false) {
        this.chosen = !always && this.chosen === allocation ? NONE : allocation;
        if (this.filter.onlyChosen)
            this.refilter();
        if (this.residenceRows)
            this.resize();
        this.later();
    }

    chooseNext(by) {
        const { first, end } = this.act.allocations;
        if (end === first)
            return;
        const at = this.chosen === NONE ? (by > 0 ? first : end - 1) : this.chosen + by;
        this.choose(Math.max(first, Math.min(end - 1, at)), true);
    }

    clear() {
        this.searchBox.value = '';
        this.filter.words = '';
        this.chosen = NONE;
        document.activeElement?.blur();
        this.refilter();
    }

    refilter() {
        const { level, kind, words, onlyChosen } = this.filter;
        const rows = filterEvents(this.act,
            { level, kind, words, chosen: onlyChosen ? this.chosen : NONE });
        const seen = rows.subarray(0, lowerBound(0, rows.length, (i) => rows[i] > this.act.until));
        this.list.words = words;
        this.list.show(this.act, seen);
        find('count').textContent = words && !seen.length ? `no event says “${words}”` :
            this.countWords(seen.length);
        this.later();
    }

    /** How many events are listed, of how many, and whose they are. */
    countWords(count) {
        const { act, scene: { acts, about } } = this;
        const { told } = about.totals;
        const all = act.until === NONE && acts.rows === 1 && told > count;
        const { level, kind, words, onlyChosen } = this.filter;
        const story = all && !level && kind === NONE && !words && !onlyChosen;
        return (all ? `${count.toLocaleString('en-US')} of ${formatCount(told, 'event')}` :
            formatCount(count, 'event')) + (story ? ': the story' : '') +
            (this.otherAct ? ', of run A' : '');
    }

    exerciseChanged() {
        const { act } = this;
        act.until = this.exercise.horizon(act);
        this.refilter();
        const decided = this.exercise.decided(act);
        if (decided !== NONE || act.until !== NONE)
            this.goTo(decided === NONE ? act.until : decided);
        document.body.classList.toggle('asking', act.until !== NONE);
        // Nothing may be seen yet of an exercise: the question has the page.
        document.body.classList.toggle('blank',
            act.until === act.events.first && isExercise(act.scene));
        for (const stage of this.stages)
            stage.resize();
        this.exercise.render();
        this.source.hide(this.exercise.hidden(this.act));
        this.redraw = true;
        this.later();
    }

    showSource() {
        const { statements, sources } = this.scene;
        const file = this.act.statements.first < this.act.statements.end ?
            this.scene.text(statements.file[this.act.statements.first]) : this.act.file;
        let row = 0;
        for (let i = 0; i < sources.rows; i++)
            if (this.scene.text(sources.name[i]) === file)
                row = i;
        if (this.scene.lettersThere < this.scene.letters.byte.length)
            return;
        if (sources.rows)
            this.source.show(this.act, row);
        find('file').textContent = sources.rows ? this.source.file : '';
    }

    /** The late texts are there: what was shown without them is shown again. */
    textsCame() {
        this.showSource();
        this.exerciseChanged();
        this.shownAct = null;
    }

    // ---- showing it -----------------------------------------------------------------------------

    /** Once before the next frame, however much changed. */
    later() {
        if (this.waiting)
            return;
        this.waiting = true;
        requestAnimationFrame(() => {
            this.waiting = false;
            this.render();
        });
    }

    render() {
        for (const stage of this.stages)
            if (this.redraw)
                stage.draw();
            else
                stage.drawOver();
        this.redraw = false;
        if (this.shownEvent !== this.event || this.shownAct !== this.act ||
            this.shownStatement !== this.statement || this.shownUntil !== this.act.until) {
            this.renderMoment(find('moment-words'));
            this.list.mark(this.event);
            this.source.mark(this.statement !== NONE ? this.statement :
                this.scene.events.statement[this.event] ?? NONE);
            this.shownEvent = this.event;
            this.shownAct = this.act;
            this.shownStatement = this.statement;
            this.shownUntil = this.act.until;
            find('status').textContent = this.describe(this.act);
        }
        renderTables(this, find('tables'));
        find('by-event').setAttribute('aria-pressed', String(this.axisKind === 'events'));
        find('by-time').setAttribute('aria-pressed', String(this.axisKind === 'time'));
        find('arrows').setAttribute('aria-pressed', String(this.arrows));
        find('residence').setAttribute('aria-pressed', String(this.residenceRows));
        find('counters').setAttribute('aria-pressed', String(this.counterRows));
        find('ask').setAttribute('aria-pressed', String(this.exercise.on));
        saveLink(this);
    }

    renderMoment(place) {
        if (this.event === NONE) {
            place.replaceChildren(make('p', { text: NOTHING_HAPPENED }));
            return;
        }
        if (this.otherAct)
            renderBoth(this, place);
        else
            place.replaceChildren(...momentParts(this));
        const note = failureNote(this.act, this.statement);
        if (note)
            place.prepend(note);
    }

    /** Words for everybody about what was asked for. */
    say(words) {
        find('said').textContent = words;
        clearTimeout(this.saying);
        this.saying = setTimeout(() => { find('said').textContent = ''; }, 6000);
    }

    /** The moment as a sentence, for those who do not see the canvas. */
    describe(act) {
        const event = this.eventIn(act);
        if (event === NONE)
            return NOTHING_HAPPENED;
        const { scene } = act;
        return `${formatTime(act.time(event))}: ${scene.text(scene.events.sentence[event])}`;
    }

    help() {
        find('help').showModal();
        find('help-title').focus(); // the button at its end would be, and on a phone the list there
        find('help').scrollTop = 0;
    }
}
