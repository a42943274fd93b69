// SPDX-License-Identifier: MIT
// page.test.mjs: the page in a browser, from a file, with the network off. VIDMM is the program.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const { VIDMM, CHROMIUM } = process.env;
const LESSON = 'tests/tools/view/no-room.vms';
const work = mkdtempSync(join(tmpdir(), 'vidmm-page-'));
let browser;

before(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-background-networking'] });
});

after(async () => {
    await browser?.close();
    rmSync(work, { recursive: true });
});

/** The page of a run. Exit code 1, a failed expectation, has a page, too. */
function makePage(name, ...words) {
    const path = join(work, `${name}.html`);
    const { status, stderr } = spawnSync(VIDMM, ['view', ...words, '-o', path], { cwd: root, encoding: 'utf8' });
    assert.ok(status === 0 || status === 1, stderr);
    return path;
}

const LESSON_PAGE = makePage('lesson', LESSON);

/** Opens a page, and at the end says that it asked for nothing and complained of nothing. */
async function withPage(path, { hash = '', width = 1280, height = 900, scheme = 'light', touch = false }, use) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, offline: true,
        hasTouch: touch });
    const page = await context.newPage();
    const wrong = [];
    page.on('request', (request) => {
        // A blob is what the page itself offers to be saved.
        if (request.url().split('#')[0] !== pathToFileURL(path).href && !request.url().startsWith('blob:'))
            wrong.push(`request: ${request.url()}`);
    });
    page.on('console', (message) => wrong.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => wrong.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => wrong.push(`dialog: ${dialog.message()}`));
    await page.goto(pathToFileURL(path).href + hash);
    await page.waitForFunction(() => 'ready' in document.documentElement.dataset);
    await use(page);
    assert.deepEqual(wrong, []);
    await context.close();
}

const settle = (page) => page.evaluate(() => new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(done))));

async function press(page, ...keys) {
    for (const key of keys)
        await page.keyboard.press(key);
    await settle(page);
}

const linkOf = async (page) => Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));

// ---- what it shows ---------------------------------------------------------------------------------

test('totals are those of the event log', async () => {
    const lines = execFileSync(VIDMM, ['run', '--format=jsonl', LESSON], { cwd: root, encoding: 'utf8' })
        .trim().split('\n').map((line) => JSON.parse(line));
    const events = lines.filter(({ type }) => type === 'event');
    const kinds = {};
    for (const { event } of events)
        kinds[event] = (kinds[event] ?? 0) + 1;
    await withPage(LESSON_PAGE, {}, async (page) => {
        const { totals, shown } = await page.evaluate(() => {
            const { events, about } = window.vidmm.app.scene;
            const shown = {};
            for (const kind of events.kind)
                shown[about.kinds[kind]] = (shown[about.kinds[kind]] ?? 0) + 1;
            return { totals: window.vidmm.totals, shown };
        });
        // What a search met is in the page only, with the number of the event before it.
        const { hole, 'pass-over': passed, ...told } = totals.kinds;
        assert.ok(hole > 0 && passed > 0);
        assert.deepEqual(new Map(Object.entries(told).sort()), new Map(Object.entries(kinds).sort()));
        assert.equal(totals.told, events.length);
        for (const kind of ['place', 'evict', 'submit', 'end', 'wait', 'transfer', 'refuse'])
            assert.equal(shown[kind], kinds[kind], kind);
        assert.equal(totals.expectations, lines.at(-1).expectations);
        assert.match(await page.textContent('#verdict'), /✓ 10 expectations held/);
        assert.equal(await page.textContent('h1'), 'No room: an allocation has to leave');
    });
});

test('the table after an event is the map that the program prints', async () => {
    const text = execFileSync(VIDMM, ['run', LESSON], { cwd: root, encoding: 'utf8' });
    assert.match(text, /t {2}target +0x0000000 to 0x0A00000 {2}10 MiB/);
    await withPage(LESSON_PAGE, {}, async (page) => {
        await press(page, 'Home');
        await page.fill('#search', 'target was placed in vram');
        await press(page, 'Enter', 'Escape');
        const rows = await page.$$eval('section[aria-label="Segment vram"] tbody tr', (all) =>
            all.map((row) => [...row.children].map((cell) => cell.textContent)));
        const first = rows[0];
        assert.ok(first.includes('target') && first.includes('10 MiB') && first.includes('▶ paged in'), String(first));
        assert.ok(rows.some((row) => row.includes('rocks') && row.includes('0x1400000')));
        const heads = await page.$$eval('section[aria-label="Segment vram"] thead th', (all) => all.map((it) => it.textContent));
        for (const column of ['Change', 'Process', 'Allocation', 'Segment Offset', 'Size', 'Locked', 'Flags'])
            assert.ok(heads.includes(column), column);
    });
});

test('a failed expectation is at its line and in the verdict', async () => {
    const file = join(work, 'failed.vms');
    writeFileSync(file, `vidmm-scenario 1
segment vram id=1 kind=memory size=64M
create a size=4M segments=vram
page-in a
expect a in vram at 0
expect a in vram at 4K
`);
    await withPage(makePage('failed', file), {}, async (page) => {
        assert.match(await page.textContent('#verdict'), /✗ 1 of 2 expectations failed/);
        assert.deepEqual(await page.$$eval('.code li', (rows) => rows.map((row) => row.className.split(' ')[0])),
            ['', '', 'ran', 'ran', 'held', 'failed']);
        assert.match(await page.textContent('.code .failed .message'), /^a is in vram at 0\n/);
    });
});

test('the map is drawn, lighter and darker as the system is', async () => {
    const seen = [];
    for (const scheme of ['light', 'dark'])
        await withPage(LESSON_PAGE, { scheme }, async (page) => {
            const { colors, corner } = await page.evaluate(() => {
                const canvas = document.querySelector('#stage canvas');
                const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                const colors = new Set(new Uint32Array(data.buffer)).size;
                return { colors, corner: data[0] };
            });
            assert.ok(colors > 200, `${colors} colours`);
            seen.push(corner);
        });
    assert.ok(seen[0] > 200 && seen[1] < 60, String(seen));
});

test('map, moment and its reasons are on the first screen', async () => {
    await withPage(LESSON_PAGE, { width: 1440, height: 900 }, async (page) => {
        for (const place of ['#stage .plot', '#moment-title', '.why', '.why .rule', '.event.here', '#legend']) {
            const box = await page.locator(place).first().boundingBox();
            assert.ok(box.y >= 0 && box.y + box.height <= 900, `${place}: ${JSON.stringify(box)}`);
        }
        assert.deepEqual(await page.$$eval('.segment thead th', (all) => all.slice(0, 4).map((it) => it.textContent)),
            ['Allocation', 'Segment Offset', 'Size', 'Change']);
    });
});

test('a place that others had to leave for names them, the searches, and each rule once', async () => {
    await withPage(LESSON_PAGE, {}, async (page) => {
        await page.evaluate(() => {
            const { app } = window.vidmm;
            const { sentence } = app.scene.events;
            app.goTo(sentence.findIndex((text) => app.scene.text(text).startsWith('target was placed in vram')));
        });
        await settle(page);
        assert.match(await page.textContent('.room'), /^sky and grass left to make room\.$/);
        assert.match(await page.textContent('.why h3'), /^Why: \d+ searches$/);
        assert.ok(await page.locator('.search').count() > 1);
        assert.match(await page.textContent('.search:first-child'), /there is no room.*Pass 1: .*stays in vram/);
        const rules = await page.$$eval('.rule b', (all) => all.map((it) => it.textContent));
        assert.ok(rules.includes('PLACE-012'), String(rules));
        assert.equal(new Set(rules).size, rules.length);
        const victims = page.locator('.rule', { hasText: 'PLACE-012' });
        assert.ok(await victims.locator('.rule-text').isHidden());
        await victims.locator('summary').click();
        assert.match(await victims.locator('.rule-text').textContent(), /Never victims: pinned.*vidmm explain PLACE-012/);
        await page.click('.room a >> text=grass');
        await settle(page);
        assert.match(await page.textContent('#moment-title'), /^grass was evicted from vram/);
        assert.match(await page.textContent('.room'), /^It left to make room for target\.$/);
        assert.ok(await page.locator('.search').count() > 1);
    });
});

test('no sentence of the list is cut', async () => {
    for (const width of [1440, 320])
        await withPage(LESSON_PAGE, { width, height: 900 }, async (page) => {
            const cut = await page.$$eval('.event .what', (all) => all.map((it) => {
                const text = document.createRange();
                text.selectNodeContents(it);
                return text.getBoundingClientRect().bottom > it.parentElement.getBoundingClientRect().bottom + 1 ||
                    it.scrollWidth > it.clientWidth ? it.textContent : '';
            }).filter(Boolean));
            assert.deepEqual(cut, [], `${width}`);
        });
});

test('paper gets a light map with its cursor, and the screen gets its own back', async () => {
    await withPage(LESSON_PAGE, { scheme: 'dark' }, async (page) => {
        const look = () => page.evaluate(() => {
            const canvas = document.querySelector('#stage canvas');
            const copy = new OffscreenCanvas(1, 1).getContext('2d');
            copy.drawImage(canvas, 2 - canvas.width, 2 - canvas.height);
            return { width: canvas.width, light: copy.getImageData(0, 0, 1, 1).data[0] };
        });
        const before = await look();
        await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
        const paper = await look();
        await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
        assert.ok(before.light < 60 && paper.light > 240 && paper.width > 3000, JSON.stringify([before, paper]));
        assert.deepEqual(await look(), before);
        const pdf = String(await page.pdf({ preferCSSPageSize: true }));
        assert.ok(/MediaBox \[0 0 84[12][.\d]* 59[456]/.test(pdf)); // A4 that lies
    });
});

test('notes are prose in the scenario, an unused segment has no table', async () => {
    await withPage(makePage('page-in', 'scenarios/lessons/02-page-in.vms'), {}, async (page) => {
        const notes = page.locator('.code .prose:visible');
        assert.ok(await notes.count() > 2);
        for (const note of await notes.allTextContents())
            assert.doesNotMatch(note, /^note|^"|"$/);
        assert.deepEqual(await page.$$eval('.segment h2', (all) => all.map((it) => it.textContent)), ['hidden', 'visible']);
        const unused = page.locator('section[aria-label="Segment visible"]');
        assert.match(await unused.textContent(), /256 MiB · nothing was placed here$/);
        assert.equal(await unused.locator('table').count(), 0);
    });
});

// ---- keyboard and address ------------------------------------------------------------------------

test('arrow keys walk through the events, and the address follows', async () => {
    await withPage(LESSON_PAGE, {}, async (page) => {
        await press(page, 'Home');
        const first = await linkOf(page);
        await press(page, 'ArrowRight', 'ArrowRight');
        const third = await linkOf(page);
        assert.ok(Number(third.e) > Number(first.e));
        await press(page, 'ArrowLeft', 'ArrowLeft');
        assert.equal((await linkOf(page)).e, first.e);
        await press(page, 'Shift+ArrowRight');
        assert.match(await page.textContent('#moment-title'), /^sky was placed in vram/);
        await press(page, 'Shift+ArrowRight');
        assert.match(await page.textContent('#moment-title'), /^grass was placed in vram/);
        await press(page, 'Shift+ArrowLeft');
        assert.match(await page.textContent('#moment-title'), /^sky was placed in vram/);
        assert.match(await page.textContent('#status'), /sky was placed in vram/);
        await press(page, 'End');
        assert.match(await page.textContent('#moment-title'), /device dev is in error/);
    });
});

test('a link opens at its event, with its allocation chosen', async () => {
    await withPage(LESSON_PAGE, { hash: '#e=130&a=grass&x=time' }, async (page) => {
        assert.match(await page.textContent('.when'), /event 130 /);
        assert.equal(await page.getAttribute('#by-time', 'aria-pressed'), 'true');
        const chosen = await page.$$eval('button.name[aria-pressed="true"]', (all) => all.map((it) => it.textContent));
        assert.deepEqual([...new Set(chosen)], ['grass']);
        await page.evaluate(() => { location.hash = '#e=34'; });
        await settle(page);
        assert.match(await page.textContent('.when'), /event 34 /);
    });
});

test('zoom, pan and axis by keyboard', async () => {
    await withPage(LESSON_PAGE, {}, async (page) => {
        await press(page, '+', '+');
        const zoomed = (await linkOf(page)).z;
        assert.ok(zoomed);
        await press(page, ']');
        assert.notEqual((await linkOf(page)).z, zoomed);
        await press(page, '0');
        assert.equal((await linkOf(page)).z, undefined);
        await press(page, 't');
        assert.equal((await linkOf(page)).x, 'time');
    });
});

test('search and filters leave the rows that match', async () => {
    await withPage(LESSON_PAGE, {}, async (page) => {
        const count = async () => Number((await page.textContent('#count')).replace(/\D/g, ''));
        const all = await count();
        await press(page, '/');
        await page.keyboard.type('was evicted from vram');
        await settle(page);
        assert.equal(await count(), 5);
        await press(page, 'Escape');
        assert.equal(await count(), all);
        await page.click('#filter summary');
        await page.selectOption('#level', '1');
        assert.ok(await count() > all);
        await page.selectOption('#kind', { label: 'evict' });
        assert.equal(await count(), 5);
    });
});

test('only the rows in sight are elements', async () => {
    await withPage(makePage('game', 'scenarios/workloads/game.vms'), {}, async (page) => {
        await page.click('#filter summary');
        await page.selectOption('#level', '1');
        assert.ok(Number((await page.textContent('#count')).replace(/\D/g, '')) > 2000);
        assert.ok(await page.locator('.event').count() < 120);
        await press(page, 'End');
        assert.equal(await page.locator('.event.here').count(), 1);
    });
});

test('a click on a box chooses its allocation and says why it lies there', async () => {
    await withPage(LESSON_PAGE, {}, async (page) => {
        await press(page, 'End');
        const box = await page.locator('#stage .plot').boundingBox();
        const at = await page.evaluate(() => {
            const [stage] = window.vidmm.app.stages;
            const { act, panels } = stage;
            const panel = panels.find(({ kind }) => kind === 'segment');
            const view = stage.stage(stage.base);
            const stays = window.vidmm.app.axisOf(act).stays();
            return { x: view.x((stays.from[0] + stays.to[0]) / 2), y: panel.y + panel.height - 8 };
        });
        await page.mouse.click(box.x + at.x, box.y + at.y);
        await settle(page);
        assert.equal((await linkOf(page)).a, 'sky');
        assert.match(await page.textContent('#moment-title'), /^sky was placed in vram/);
        await press(page, 'n', 'End', 'w');
        assert.match(await page.textContent('#moment-title'), /^grass was placed in vram/);
    });
});

// ---- where it opens, and what it says instead of nothing ---------------------------------------------

test('it opens where an allocation had to leave for a place', async () => {
    await withPage(LESSON_PAGE, {}, async (page) => {
        assert.match(await page.textContent('#moment-title'), /^target was placed in vram/);
    });
});

test('it opens at what failed; the verdict leads to the next failure, in whatever test', async () => {
    const file = join(work, 'fails.vms');
    writeFileSync(file, `vidmm-scenario 1
segment vram id=1 kind=memory size=64M
test "good"
  create a size=4M segments=vram
end
test "bad"
  create a size=4M segments=vram
  page-in a
  expect a in vram at 4K
  expect a in vram at 8K
end
test "nothing"
end
`);
    await withPage(makePage('fails', file), {}, async (page) => {
        assert.equal((await linkOf(page)).act, '2');
        assert.match(await page.textContent('.failure'), /^✗ line 9: expect a in vram at 4K\na is in vram at 0\n/);
        assert.match(await page.textContent('.code [aria-current] .line'), /^9$/);
        await page.click('#verdict button');
        await settle(page);
        assert.match(await page.textContent('.failure'), /^✗ line 10: /);
        await press(page, 'f');
        assert.match(await page.textContent('.failure'), /^✗ line 9: /);
        await page.reload();
        await page.waitForFunction(() => 'ready' in document.documentElement.dataset);
        assert.match(await page.textContent('.failure'), /^✗ line 9: /);
        await press(page, 'ArrowLeft');
        assert.equal(await page.locator('.failure').count(), 0);
    });
});

test('a test in which nothing happens says so', async () => {
    const file = join(work, 'nothing.vms');
    writeFileSync(file, 'vidmm-scenario 1\nlesson "Nothing"\nnote "There is no adapter."\n');
    await withPage(makePage('nothing', file), {}, async (page) => {
        assert.match(await page.textContent('#moment-words'), /Nothing happened here/);
        await press(page, 'ArrowRight', 'End', 'Home', '+', ']', 't', 'n', 'w', 'f', 'd', 'e', 'a', 'c', 'Shift+ArrowRight');
        const box = await page.locator('#stage .plot').boundingBox();
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
        await settle(page);
        assert.doesNotMatch(await page.locator('body').innerText(), /NaN|undefined/);
        assert.equal((await linkOf(page)).e, undefined);
    });
});

test('a search that finds nothing says so', async () => {
    await withPage(LESSON_PAGE, {}, async (page) => {
        await page.fill('#search', 'no such words');
        await settle(page);
        assert.equal(await page.textContent('#count'), 'no event says “no such words”');
    });
});

// ---- exercise, two runs --------------------------------------------------------------------------

test('in an exercise the answer comes after the guess', async () => {
    await withPage(LESSON_PAGE, {}, async (page) => {
        const count = async () => Number((await page.textContent('#count')).replace(/\D/g, ''));
        const all = await count();
        await press(page, 'e');
        const before = await count();
        assert.ok(before < all);
        assert.match(await page.textContent('#exercise'), /How much memory is free\?/);
        const seen = await page.locator('#source').innerText();
        assert.match(seen, /ask "How much memory is free\?" = \?/);
        assert.doesNotMatch(seen, /free\(vram\)/);
        await page.fill('#guess', '4M!');
        await press(page, 'Enter');
        assert.match(await page.textContent('#guess-said'), /A number is asked for/);
        assert.equal(await page.locator('.code .later:visible').count(), 0);
        await press(page, 'End');
        assert.ok(Number((await linkOf(page)).e) < 130);
        await page.fill('#guess', '5M');
        await press(page, 'Enter');
        assert.match(await page.textContent('#guess-said'), /No/);
        assert.doesNotMatch(await page.textContent('#exercise'), /4 MiB/);
        await page.fill('#guess', '4M');
        await press(page, 'Enter');
        assert.match(await page.textContent('#guess-said'), /Right: 4 MiB/);
        await press(page, 'Enter');
        assert.match(await page.textContent('#exercise'), /At which offset was the target placed/);
        assert.ok(await count() > before);
    });
});

test('an exercise shows what is given, and nothing of its run', async () => {
    await withPage(makePage('exercise', 'scenarios/lessons/exercises/03-no-room.vms'), {}, async (page) => {
        assert.match(await page.textContent('#exercise'), /Given: \$sky is \d+ MiB/);
        assert.match(await page.textContent('#exercise'), /A card has 32 MiB/);
        assert.equal(await page.textContent('#count'), '1 event');
        const source = await page.locator('#source').innerText();
        assert.match(source, /submit frame1 write=target/);
        assert.doesNotMatch(source, /offset\(target\)|expect|choose|PLACE-007/);
        assert.equal(source.match(/page-in/g).length, 1, 'the case that was chosen');
        await press(page, 'End', 'c');
        assert.doesNotMatch(await page.locator('main').innerText(), /evicted|placed/);
        const value = await page.evaluate(() => {
            const { said } = window.vidmm.app.scene;
            return Array.from(said.kind).flatMap((kind, i) => kind === 1 ? [window.vidmm.app.scene.text(said.answer[i])] : []);
        });
        for (const answer of value) {
            await page.fill('#guess', answer.replace(/ \(.*/, ''));
            await press(page, 'Enter');
            assert.match(await page.textContent('#guess-said'), /Right/);
            await press(page, 'Enter');
        }
        assert.match(await page.textContent('#exercise'), /All questions answered/);
        assert.match(await page.locator('#source').innerText(), /offset\(target\)/);
        await press(page, 'e');
        assert.equal((await linkOf(page)).ask, '0');
    });
});

test('the map is saved as a picture, the list as CSV', async () => {
    await withPage(LESSON_PAGE, {}, async (page) => {
        for (const [key, name, begin] of [['s', 'no-room.png', Buffer.from([0x89, 0x50, 0x4E, 0x47])],
            ['S', 'no-room.svg', Buffer.from('<svg xmlns=')], ['v', 'no-room.csv', Buffer.from('event,time_ns')]]) {
            const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press(key)]);
            assert.equal(download.suggestedFilename(), name);
            const bytes = readFileSync(await download.path());
            assert.deepEqual(bytes.subarray(0, begin.length), begin);
            assert.ok(bytes.length > 5000);
        }
    });
});

test('the drawing is that of the screen, in lines and letters', async () => {
    await withPage(LESSON_PAGE, { hash: '#e=130' }, async (page) => {
        await press(page, 'r', 'c');
        const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('S')]);
        const file = readFileSync(await download.path(), 'utf8');
        assert.doesNotMatch(file, /<image|NaN|undefined/);
        for (const word of ['sky', 'grass', 'through aper', 'scenario', 'pinned ↑'])
            assert.ok(file.includes(`>${word}</text>`), word);
        const path = join(work, 'drawing.svg');
        writeFileSync(path, file);
        const plot = page.locator('#stage .plot');
        const { width, height } = await plot.boundingBox();
        const other = await browser.newPage({ viewport: { width: Math.round(width), height: Math.round(height) } });
        await other.goto(pathToFileURL(path).href);
        const shots = [await plot.screenshot(), await other.screenshot()].map((png) => png.toString('base64'));
        await other.goto('about:blank');
        const apart = await other.evaluate(async ([one, two]) => {
            const pixels = async (png) => {
                const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
                // Small, as hatches fall on other pixels where the page begins between two.
                const [wide, high] = [90, 140];
                const ctx = new OffscreenCanvas(wide, high).getContext('2d');
                ctx.imageSmoothingQuality = 'high';
                ctx.drawImage(image, 0, 0, wide, high);
                return ctx.getImageData(0, 0, wide, high).data;
            };
            const [a, b] = [await pixels(one), await pixels(two)];
            let count = 0;
            for (let i = 0; i < a.length; i += 4)
                count += Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 45;
            return count / (a.length / 4);
        }, shots);
        await other.close();
        assert.ok(apart < 0.02, `${apart}`);
    });
});

test('residency: a row for each allocation, by button and key', async () => {
    await withPage(LESSON_PAGE, {}, async (page) => {
        const panel = () => page.evaluate(() => window.vidmm.app.stages[0].panels.find(({ kind }) => kind === 'residence'));
        assert.equal(await panel(), undefined);
        await page.click('#residence');
        await settle(page);
        const { rows, more, y } = await panel();
        assert.equal(rows.length, 4);
        assert.equal(more, 0);
        const box = await page.locator('#stage .plot').boundingBox();
        await page.mouse.click(box.x + box.width - 20, box.y + y + 30);
        await settle(page);
        assert.equal((await linkOf(page)).a, 'grass');
        await press(page, 'r');
        assert.equal(await panel(), undefined);
    });
});

test('two fingers stretch the map, one drags it, a touch is a click', async () => {
    await withPage(LESSON_PAGE, { touch: true }, async (page) => {
        const box = await page.locator('#stage .plot').boundingBox();
        const session = await page.context().newCDPSession(page);
        const touch = (type, ...places) => session.send('Input.dispatchTouchEvent', { type,
            touchPoints: places.map(([x, y], id) => ({ x: box.x + x, y: box.y + y, id })) });
        const view = () => page.evaluate(() => ({ ...window.vidmm.app.view, length: window.vidmm.app.length }));
        const under = (x) => page.evaluate((x) => window.vidmm.app.stages[0].positionAt(x), x);
        const y = box.height / 2;
        const before = await view();
        const held = await under(400);
        await touch('touchStart', [350, y], [450, y]);
        await touch('touchMove', [300, y], [500, y]);
        await touch('touchMove', [250, y], [550, y]);
        await touch('touchEnd', [250, y]);
        await touch('touchEnd');
        const after = await view();
        const share = (after.to - after.from) / (before.to - before.from);
        assert.ok(Math.abs(share - 1 / 3) < 0.05, `${share}`);
        assert.ok(Math.abs(await under(400) - held) < 0.02 * before.length, 'what was between the fingers stays there');
        const event = (await linkOf(page)).e;
        await touch('touchStart', [400, y]);
        await touch('touchMove', [450, y]);
        await touch('touchMove', [500, y]);
        await touch('touchEnd');
        assert.ok((await view()).from < after.from);
        await settle(page);
        assert.equal((await linkOf(page)).e, event, 'none of it was a click');
        await page.touchscreen.tap(box.x + 150, box.y + 30);
        await settle(page);
        assert.notEqual((await linkOf(page)).e, event);
    });
});

test('two runs: both are drawn, and where they differ', async () => {
    const path = makePage('two', '--with=eviction=largest', 'scenarios/workloads/llm.vms');
    await withPage(path, {}, async (page) => {
        assert.equal(await page.locator('.stage:visible').count(), 2);
        assert.match(await page.textContent('#stage-b .run'), /eviction=largest · ✓ 5 expectations held/);
        assert.ok(await page.locator('#verdict').isHidden());
        await press(page, 'd');
        const difference = await page.evaluate(() => window.vidmm.app.difference);
        assert.ok(difference);
        assert.match(await page.textContent('#moment-title'), /was evicted from vram/);
    });
});

test('two runs that are the same say that they do not differ', async () => {
    await withPage(makePage('same', LESSON, LESSON), {}, async (page) => {
        assert.ok(await page.locator('#difference').isDisabled());
        assert.equal(await page.textContent('#difference'), 'No difference');
        await press(page, 'd');
        assert.match(await page.textContent('#said'), /do not differ/);
    });
});

// ---- for everybody, and against those who mean harm --------------------------------------------------

for (const [name, options, keys] of [
    ['light', {}, []], ['dark', { scheme: 'dark', hash: '#e=130&a=grass' }, []],
    ['narrow', { width: 320, height: 700 }, []], ['exercise', {}, ['e']], ['keys', {}, ['?']],
])
    test(`accessible: ${name}`, async () => {
        await withPage(LESSON_PAGE, options, async (page) => {
            await press(page, ...keys);
            // The policy lets no other script in, so this one comes by the debugger.
            const { violations } = await page.evaluate(`${axe}; axe.run(document, { iframes: false })`);
            assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`), []);
        });
    });

test('at 320 pixels nothing has to be scrolled sideways', async () => {
    await withPage(LESSON_PAGE, { width: 320, height: 700 }, async (page) => {
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 320);
    });
});

test('no name runs a script', async () => {
    const evil = '</script><img src=x onerror=alert(1)><script>alert(2)</script>';
    const file = join(work, '<img src=x onerror=alert(3)>.vms');
    writeFileSync(file, `vidmm-scenario 1
lesson "</title>${evil}"
segment vram id=1 kind=memory size=64M
test "${evil}"
  note "${evil}"
  create a size=4M segments=vram
  page-in a
  ask "${evil}" = 4M
  expect a in vram at 4K
  # ${evil}
end
test "'onmouseover=alert(4)"
  create b size=4M segments=vram
end
`);
    await withPage(makePage('evil', file), { hash: `#q=${encodeURIComponent(evil)}&a=${encodeURIComponent(evil)}` }, async (page) => {
        await press(page, 'Escape', 'e', 'End', 'Home', '?', 'Escape');
        assert.equal(await page.locator('img').count(), 0);
        assert.equal(await page.locator('body script:not([type])').count(), 1);
        assert.equal(await page.textContent('h1'), `</title>${evil}`);
        assert.equal(await page.title(), `</title>${evil}`);
        assert.match(await page.textContent('#source'), /onerror=alert\(1\)/);
        assert.match(await page.textContent('#exercise h2'), /onerror=alert\(1\)/);
        assert.equal(await page.locator('#act option').count(), 2);
    });
});

test('the policy stops a script and a request that got in nevertheless', async () => {
    const context = await browser.newContext({ offline: true });
    const page = await context.newPage();
    const refused = [];
    page.on('requestfailed', (request) => refused.push(`${request.url()} ${request.failure().errorText}`));
    await page.goto(pathToFileURL(LESSON_PAGE).href);
    await page.waitForFunction(() => 'ready' in document.documentElement.dataset);
    await page.evaluate(() => {
        const script = document.createElement('script');
        script.textContent = 'window.harmed = true';
        document.body.append(script);
        document.body.insertAdjacentHTML('beforeend', '<img src="https://example.org/x" onerror="window.harmed = true">');
    });
    await page.waitForTimeout(200);
    assert.equal(await page.evaluate(() => window.harmed), undefined);
    assert.deepEqual(refused, ['https://example.org/x csp']);
    await context.close();
});

test('what is left out is said in the page', async () => {
    await withPage(makePage('short', '--most-events=40', LESSON), {}, async (page) => {
        assert.match(await page.textContent('#omitted'), /^Left out of .*, because a page has a limit: .*\d/);
    });
    await withPage(LESSON_PAGE, {}, async (page) => {
        assert.ok(await page.locator('#omitted').isHidden());
    });
});
