// SPDX-License-Identifier: MIT
// save.js: what leaves the page, when somebody asks for it: a picture for a slide, rows for a table.

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

/** The map three times as fine as on the screen. @param {StageView} view */
async function savePicture(view, name) {
    const sheet = () => Object.assign(document.createElement('canvas'),
        { width: Math.round(view.width * PICTURE_SCALE), height: Math.round(view.height * PICTURE_SCALE) });
    const [canvas, top] = [sheet(), sheet()];
    drawWith(view, canvas, top, PICTURE_SCALE);
    canvas.getContext('2d').resetTransform();
    canvas.getContext('2d').drawImage(top, 0, 0);
    offerFile(await new Promise((done) => { canvas.toBlob(done, 'image/png'); }), `${name}.png`);
}

/** The map as lines and letters. @param {StageView} view */
function saveDrawing(view, name, title) {
    const pen = new VectorPen();
    const sheet = { getContext: () => pen };
    drawWith(view, sheet, sheet, 1);
    offerFile(new Blob([pen.file(view.width, view.height, title)], { type: 'image/svg+xml' }), `${name}.svg`);
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
