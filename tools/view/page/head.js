// SPDX-License-Identifier: MIT
// head.js: the bar at the top, with verdict and facts; buttons and fields of the page.

/** As the last line of `vidmm run` counts. */
function verdictWords({ expectations, failed, unexpected, exit }) {
    const words = [failed && `${failed} of ${formatCount(expectations, 'expectation')} failed`,
        unexpected && `${formatCount(unexpected, 'statement')} did not end as expected`,
    ].filter(Boolean);
    if (words.length)
        return ['bad', `✗ ${words.join(', ')}`];
    if (exit)
        return ['bad', `✗ stopped: exit code ${exit}`];
    return ['good',
        expectations ? `✓ ${formatCount(expectations, 'expectation')} held` : '✓ ran to its end'];
}

/** @param {Record<string, number>} omitted */
function eventsOmitted(omitted) {
    return Object.entries(omitted).reduce((sum, [name, count]) =>
        sum + (name.startsWith('events ') ? count : 0), 0);
}

/** What the page does not hold, so that nobody takes it for what did not happen. */
function omittedNotice({ omitted, run }) {
    const parts = Object.entries(omitted).filter(([, count]) => count > 0)
        .map(([name, count]) => [name, count.toLocaleString('en-US')]);
    if (!parts.length)
        return null;
    const events = eventsOmitted(omitted);
    return make('details', { children: [
        make('summary', { text: `Left out of ${run}, because a page has a limit: ` +
            (events ? `${formatCount(events, 'event')} and what belongs to them` :
                'a part of it') }),
        make('ul', { children: parts.map(([name, count]) =>
            make('li', { text: `${count} ${name}` })) }),
    ] });
}

/** The first row that passes a test; `end`: none does. */
function lowestOf(first, end, test) {
    let row = first;
    while (row < end && !test(row))
        row++;
    return row;
}

/** What a legend has to explain of the maps of an act. */
function marksShown(act) {
    const { marks, segments } = act.scene;
    const any = ({ first, end }, test) => lowestOf(first, end, test) < end;
    const kinds = new Set(marks.kind.subarray(act.marks.first, act.marks.end));
    const shown = new Set([...kinds].map((kind) => MARKS[kind]));
    if (any(act.segments, (row) => segments.pin_start[row] > 0 &&
        segments.pin_start[row] < segments.size[row]))
        shown.add('region');
    if (any(act.segments, (row) => segments.banks[row] > 1))
        shown.add('bank');
    if (act.slices.end > act.slices.first)
        shown.add('queue');
    const { left, gone } = act.scene.stays;
    if (any(act.stays, (row) => left[row] !== NONE && left[row] !== gone[row]))
        shown.add('leaving');
    if (act.hangs.length)
        shown.add('hang');
    if (act.preempts.length)
        shown.add('preempt');
    for (let row = act.slices.first; row < act.slices.end; row++)
        shown.add(sliceKind(act, row));
    const { from, to, kind } = act.scene.arrows;
    const stands = (event) => Object.values(act.thingsAt(event)).some((row) => row !== NONE);
    for (let row = act.arrows.first; row < act.arrows.end; row++)
        if (stands(from[row]) && stands(to[row]))
            shown.add(`arrow${kind[row]}`);
    return shown;
}

/** The legend explains what the maps of these acts have, and nothing else. */
function fillLegend(acts) {
    const shown = new Set(acts.flatMap((act) => [...marksShown(act)]));
    for (const item of find('legend').querySelectorAll('[data-mark]'))
        item.hidden = !shown.has(item.dataset.mark);
}

/** What a run is made of; of two runs, what they share. */
function fillFacts({ scene: { about }, act, other, otherAct }) {
    const settings = otherAct ? settingWords(act, otherAct) : settingWords(act);
    find('facts').textContent = [other ? 'two runs' : about.run,
        other ? '' : formatCount(about.totals.told, 'event'), settings].filter(Boolean).join(' · ');
}

function fillHead(app) {
    const { scene, other } = app;
    const { about } = scene;
    find('title').textContent = about.title;
    const [word, text] = verdictWords(about.totals);
    find('verdict').className = `verdict ${word}`;
    find('verdict').replaceChildren(about.totals.failed + about.totals.unexpected ?
        make('button', { type: 'button', className: 'link', id: 'failures',
            title: 'Go to the next one (f)', text }) : text);
    find('failures')?.addEventListener('click', () => app.goToFailed());
    find('verdict').hidden = Boolean(other); // of two runs each has its own
    const runs = [about, other?.about].filter(Boolean);
    find('made').textContent = runs.map(({ run, version, seed, input }) =>
        `${run}: input ${input}, seed ${seed}, vidmm ${version}.`).join(' ');
    const notices = runs.map(omittedNotice).filter(Boolean);
    find('omitted').replaceChildren(...notices);
    find('omitted').hidden = !notices.length;
    const acts = find('act');
    acts.closest('label').hidden = scene.acts.rows < 2;
    for (let i = 0; i < scene.acts.rows; i++) {
        const name = scene.text(scene.acts.name[i]) || scene.text(scene.acts.file[i]) ||
            `run ${i + 1}`;
        acts.append(make('option', { value: String(i),
            text: `${scene.acts.passed[i] ? '✓' : '✗'} ${name}` }));
    }
    const kinds = find('kind');
    kinds.append(make('option', { value: String(NONE), text: 'all kinds' }));
    const seen = new Uint8Array(about.kinds.length);
    for (const kind of scene.events.kind)
        seen[kind] = 1;
    about.kinds.forEach((kind, i) => {
        if (seen[i])
            kinds.append(make('option', { value: String(i), text: kind }));
    });
    find('ask').hidden = Boolean(other) ||
        !Array.from(scene.said.kind).some((kind) => SAID[kind] === 'ask');
    find('counters').hidden = !scene.counters.rows;
    find('arrows').hidden = !scene.arrows.rows;
    find('residence').hidden = !scene.allocations.rows;
    find('arrows').closest('.group').hidden =
        !scene.arrows.rows && !scene.counters.rows && !scene.allocations.rows;
    find('difference').hidden = !other;
    fillHelp(find('keys'));
    find('key').open = !matchMedia('(max-width: 40rem)').matches;
}

const THEMES = ['', 'light', 'dark'];

function listen(app) {
    const { dataset } = document.documentElement;
    const press = (name, act) => find(name).addEventListener('click', act);
    press('by-event', () => app.toggleAxis('events'));
    press('by-time', () => app.toggleAxis('time'));
    press('arrows', () => app.toggleArrows());
    press('counters', () => app.toggleCounters());
    press('residence', () => app.toggleResidence());
    press('picture', () => savePicture(app));
    press('drawing', () => saveDrawing(app));
    press('ask', () => app.exercise.toggle());
    press('difference', () => app.goToDifference());
    press('closer', () => app.zoom(0.5));
    press('wider', () => app.zoom(2));
    press('whole', () => app.see(0, Infinity));
    press('keys-button', () => app.help());
    press('more-tools', ({ currentTarget: it }) =>
        it.setAttribute('aria-expanded', String(it.ariaExpanded !== 'true')));
    press('previous', () => app.step(-1));
    press('next', () => app.step(1));
    press('theme', () => {
        dataset.theme = THEMES[(THEMES.indexOf(dataset.theme ?? '') + 1) % THEMES.length];
        app.recolour();
    });
    find('act').addEventListener('change', (happened) => {
        app.openAct(Number(happened.target.value));
        app.open();
    });
    find('level').addEventListener('change', (happened) => {
        app.filter.level = Number(happened.target.value);
        app.refilter();
    });
    find('kind').addEventListener('change', (happened) => {
        app.filter.kind = Number(happened.target.value);
        app.refilter();
    });
    find('only').addEventListener('change', (happened) => {
        app.filter.onlyChosen = happened.target.checked;
        app.refilter();
    });
    app.searchBox.addEventListener('input', () => {
        app.filter.words = app.searchBox.value;
        app.refilter();
    });
    app.searchBox.addEventListener('keydown', (happened) => {
        if (happened.key === 'Enter')
            app.step(happened.shiftKey ? -1 : 1);
    });
    window.addEventListener('hashchange', () => {
        if (location.hash !== app.written)
            openLink(app);
    });
    window.addEventListener('resize', () => app.resize());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => app.recolour());
    listenToPrinter(app);
}

/** A page of A4 that lies, less the header and what is said below; three times as fine. Two maps
 * are drawn larger, so that both of them stand on it. */
const PAPER = { width: 1035, height: 400, scale: 3 };
const PAPER_OF_TWO = { width: 1240, height: 500, scale: 3 };

/** The cursor becomes a part of the map: a browser prints what was done to a canvas, so that wiping
 * the upper one clean would wipe the lower one, too. print.css leaves out the upper one. */
function mergeCanvases({ base, top }) {
    const ctx = base.getContext('2d');
    ctx.resetTransform();
    if (top.width && top.height)
        ctx.drawImage(top, 0, 0);
}

/** Paper is light, and the canvas has to be so before the style is that of paper. */
function listenToPrinter(app) {
    const { dataset } = document.documentElement;
    let theme = '';
    window.addEventListener('beforeprint', () => {
        theme = dataset.theme ?? '';
        dataset.theme = 'light';
        app.paper = app.otherAct ? PAPER_OF_TWO : PAPER;
        app.resize();
        app.recolour();
        app.stages.forEach(mergeCanvases);
    });
    window.addEventListener('afterprint', () => {
        dataset.theme = theme;
        app.paper = null;
        app.resize();
        app.recolour();
    });
}
