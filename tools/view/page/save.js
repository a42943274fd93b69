// SPDX-License-Identifier: MIT
// save.js: what leaves the page when somebody asks for it: words, a picture, rows for a table.

const PICTURE_SCALE = 3;

/** Offers bytes to be stored under a name. @param {Blob} blob */
function offerFile(blob, name) {
    const link = make('a', { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** "03-no-room" of "scenarios/lessons/03-no-room.vms". */
function fileStem(about) {
    return about.run.split(' ')[0].replace(/^.*\//, '').replace(/\.\w+$/, '') || 'run';
}

/** Draws the map as it is seen with other pens. @param {StageView} view */
function drawWith(view, base, top, scale) {
    const before = { base: view.base, top: view.top, scale: view.scale };
    Object.assign(view, { base, top, scale, palette: null });
    try {
        view.draw();
    } finally {
        Object.assign(view, before, { palette: null });
        view.draw();
    }
}

/** The map three times as fine as on the screen. @param {App} app */
async function savePicture({ stages: [view], scene }) {
    const sheet = () => Object.assign(document.createElement('canvas'), {
        width: Math.round(view.width * PICTURE_SCALE),
        height: Math.round(view.height * PICTURE_SCALE),
    });
    const [canvas, top] = [sheet(), sheet()];
    drawWith(view, canvas, top, PICTURE_SCALE);
    canvas.getContext('2d').resetTransform();
    canvas.getContext('2d').drawImage(top, 0, 0);
    const bytes = await new Promise((done) => { canvas.toBlob(done, 'image/png'); });
    offerFile(bytes, `${fileStem(scene.about)}.png`);
}

/** The map as lines and letters. @param {App} app */
function saveDrawing({ stages: [view], scene: { about } }) {
    const pen = new VectorPen();
    const sheet = { getContext: () => pen };
    drawWith(view, sheet, sheet, 1);
    const text = pen.file(view.width, view.height, about.title);
    offerFile(new Blob([text], { type: 'image/svg+xml' }), `${fileStem(about)}.svg`);
}

/** The listed events as CSV. A cell that a spreadsheet would compute becomes a text. */
function rowsAsCsv(act, rows) {
    const { events, about } = act.scene;
    const cell = (value) => {
        const text = /^[=+\-@\t]/.test(value) ? `'${value}` : String(value);
        return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    const lines = ['event,time_ns,kind,rule,allocation,sentence'];
    for (const row of rows)
        lines.push([events.seq[row], events.time[row], about.kinds[events.kind[row]],
            about.rules[events.rule[row]]?.[0] ?? '', act.label(events.allocation[row]),
            act.scene.text(events.sentence[row])].map(cell).join(','));
    return `${lines.join('\n')}\n`;
}

/** The moment in words: sentence, reasons, tables. @param {App} app */
function copyMoment(app) {
    const words = `${find('moment-words').innerText}\n\n${find('tables').innerText}`;
    const done = navigator.clipboard?.writeText(words) ?? Promise.reject(new Error());
    done.then(() => app.say('The moment is copied.'),
        () => app.say('This browser does not let a page copy.'));
}

/** @param {App} app */
function saveRows({ act, list, scene }) {
    offerFile(new Blob([rowsAsCsv(act, list.rows)], { type: 'text/csv' }),
        `${fileStem(scene.about)}.csv`);
}
