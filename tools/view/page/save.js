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

const CAPTION = 28; // over a map, where there are two

/** The maps that are shown, one under the other, each with the name of its run where there are two.
 * @param {StageView[]} views @returns {{width: number, height: number, parts: object[]}} */
function stackMaps(views) {
    const shown = views.filter((view) => view.act && view.width);
    const parts = [];
    let height = 0;
    for (const view of shown) {
        height += shown.length > 1 ? CAPTION : 0;
        parts.push({ view, y: height, name: shown.length > 1 ? view.caption.textContent : '' });
        height += view.height;
    }
    return { width: Math.max(...shown.map((view) => view.width)), height, parts };
}

/** Paper for all of them, and what stands over each. */
function paintNames(ctx, { width, height, parts }) {
    const { surface, text } = parts[0].view.palette;
    ctx.fillStyle = surface;
    ctx.fillRect(0, 0, width, height);
    ctx.fillStyle = text;
    ctx.font = FONT(13, 600);
    ctx.textAlign = 'left';
    ctx.textBaseline = 'middle';
    for (const { y, name } of parts)
        label(ctx, name, 0, y - CAPTION / 2, width);
}

/** The maps three times as fine as on the screen. @param {App} app */
async function savePicture({ stages, scene }) {
    const stack = stackMaps(stages);
    const sheet = ({ width, height }) => Object.assign(document.createElement('canvas'), {
        width: Math.round(width * PICTURE_SCALE),
        height: Math.round(height * PICTURE_SCALE),
    });
    const all = sheet(stack);
    const ctx = all.getContext('2d');
    ctx.scale(PICTURE_SCALE, PICTURE_SCALE);
    paintNames(ctx, stack);
    ctx.resetTransform();
    for (const { view, y } of stack.parts) {
        const [canvas, top] = [sheet(view), sheet(view)];
        drawWith(view, canvas, top, PICTURE_SCALE);
        for (const layer of [canvas, top])
            ctx.drawImage(layer, 0, Math.round(y * PICTURE_SCALE));
    }
    const bytes = await new Promise((done) => { all.toBlob(done, 'image/png'); });
    offerFile(bytes, `${fileStem(scene.about)}.png`);
}

/** The maps as lines and letters. @param {App} app */
function saveDrawing({ stages, scene: { about } }) {
    const stack = stackMaps(stages);
    const all = new VectorPen();
    paintNames(all, stack);
    stack.parts.forEach(({ view, y }, i) => {
        const pen = new VectorPen(`map${i}-`);
        const sheet = { getContext: () => pen };
        drawWith(view, sheet, sheet, 1);
        all.insert(pen, y);
    });
    const text = all.file(stack.width, stack.height, about.title);
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
