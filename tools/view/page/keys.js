// SPDX-License-Identifier: MIT
// keys.js: everything can be done by keyboard. The table is also what the help shows.

/** Key, words for it, what it does. */
const KEYS = [
    ['ArrowRight', '→ ←', 'next, previous event', (app) => app.step(1)],
    ['ArrowLeft', '', '', (app) => app.step(-1)],
    ['Shift+ArrowRight', 'Shift → ←', 'next, previous change of a segment',
        (app) => app.stepChange(true)],
    ['Shift+ArrowLeft', '', '', (app) => app.stepChange(false)],
    ['Home', 'Home End', 'first, last event', (app) => app.goToEnd(false)],
    ['End', '', '', (app) => app.goToEnd(true)],
    ['+', '+ − 0', 'zoom in, out, all', (app) => app.zoom(0.5)],
    ['=', '', '', (app) => app.zoom(0.5)],
    ['-', '', '', (app) => app.zoom(2)],
    ['0', '', '', (app) => app.see(0, Infinity)],
    ['[', '[ ]', 'to the left, to the right', (app) => app.pan(-0.25)],
    [']', '', '', (app) => app.pan(0.25)],
    ['t', 't', 'axis: virtual time or events', (app) => app.toggleAxis()],
    ['a', 'a', 'arrows from cause to effect', (app) => app.toggleArrows()],
    ['r', 'r', 'residency: where each allocation was', (app) => app.toggleResidence()],
    ['c', 'c', 'counters', (app) => app.toggleCounters()],
    ['w', 'w', 'why the chosen allocation lies where it does', (app) => app.explainChosen()],
    ['f', 'f', 'next expectation that failed', (app) => app.goToFailed()],
    ['d', 'd', 'first difference of two runs', (app) => app.goToDifference()],
    ['e', 'e', 'exercise: questions first', (app) => app.exercise.toggle()],
    ['/', '/', 'search', (app) => app.searchBox.focus()],
    ['n', 'n N', 'next, previous allocation', (app) => app.chooseNext(1)],
    ['N', '', '', (app) => app.chooseNext(-1)],
    ['Escape', 'Esc', 'nothing chosen, no search', (app) => app.clear()],
    ['s', 's', 'save the map as a picture', (app) => savePicture(app)],
    ['S', 'S', 'save the map as SVG: lines and letters', (app) => saveDrawing(app)],
    ['v', 'v', 'save the listed events as CSV', (app) => saveRows(app)],
    ['y', 'y', 'copy the moment as text', (app) => copyMoment(app)],
    ['?', '?', 'this list', (app) => app.help()],
];

function listenToKeys(app) {
    document.addEventListener('keydown', (happened) => {
        const { target } = happened;
        if (happened.ctrlKey || happened.metaKey || happened.altKey || target.closest('dialog'))
            return;
        // A digit answers what is asked, wherever the focus went: none is a key then.
        const { field } = app.exercise;
        if (field && /^[0-9]$/.test(happened.key) && !target.matches('input, select'))
            field.focus();
        const typing = document.activeElement.matches('input, select, textarea');
        if (typing && happened.key !== 'Escape')
            return;
        const arrow = happened.key.startsWith('Arrow');
        if (arrow && target.closest('.scroll'))
            return;
        const name = arrow && happened.shiftKey ? `Shift+${happened.key}` : happened.key;
        const key = KEYS.find(([it]) => it === name);
        if (!key)
            return;
        happened.preventDefault();
        key[3](app);
    });
}

function fillHelp(table) {
    const caps = (keys) => keys.split(' ').flatMap((key) => [make('kbd', { text: key }), ' ']);
    for (const [, shown, words] of KEYS)
        if (shown)
            table.append(make('tr', { children: [
                make('th', { scope: 'row', children: caps(shown) }),
                make('td', { text: words })] }));
}
