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

/** The map as it is seen, three times as fine. @param {StageView} view */
async function savePicture(view, name) {
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(view.width * PICTURE_SCALE);
    canvas.height = Math.round(view.height * PICTURE_SCALE);
    const { scale, base, top } = view;
    Object.assign(view, { scale: PICTURE_SCALE, base: canvas, top: document.createElement('canvas'), palette: null });
    Object.assign(view.top, { width: canvas.width, height: canvas.height });
    try {
        view.draw();
        canvas.getContext('2d').resetTransform();
        canvas.getContext('2d').drawImage(view.top, 0, 0);
    } finally {
        Object.assign(view, { scale, base, top, palette: null });
        view.draw();
    }
    offerFile(await new Promise((done) => { canvas.toBlob(done, 'image/png'); }), `${name}.png`);
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
