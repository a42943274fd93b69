// SPDX-License-Identifier: MIT
// page.test.mjs: the page in a browser: what it shows, and how one goes through it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LESSON, LESSON_PAGE, linkOf, makePage, press, root, settle, withPage, work } from './browser.mjs';

const { VIDMM } = process.env;

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
        const { hole, 'pass-over': passed, turn, ...told } = totals.kinds;
        assert.ok(hole > 0 && passed > 0 && turn > 0);
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
        assert.ok(rows.some((row) => row.includes('rocks') && row.includes('20 MiB')));
        const heads = await page.$$eval('section[aria-label="Segment vram"] thead th', (all) => all.map((it) => it.textContent));
        for (const column of ['Change', 'Allocation', 'Segment Offset', 'Size', 'Flags'])
            assert.ok(heads.includes(column), column);
        assert.ok(!heads.includes('Process') && !heads.includes('Locked'), 'the same in all rows, empty in all');
        assert.equal(await page.textContent('section[aria-label="Segment vram"] caption'),
            'All: process app, priority 0x78000000, placement vram');
        const left = await page.$$eval('tr.left', (all) => all.map((row) => row.textContent));
        assert.equal(left.length, 2);
        assert.match(left[0], /^sky.*8 MiB◀ left/);
        assert.match(left[1], /^grass.*12 MiB◀ left/);
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
        for (const place of ['#stage .plot', '.sentence', '.why', '.why .rule', '.event.here', '#legend']) {
            const box = await page.locator(place).first().boundingBox();
            assert.ok(box.y >= 0 && box.y + box.height <= 900, `${place}: ${JSON.stringify(box)}`);
        }
        assert.deepEqual(await page.$$eval('.segment thead th', (all) => all.slice(0, 4).map((it) => it.textContent)),
            ['Allocation', 'Segment Offset', 'Size', 'Change']);
    });
});

test('a place that others had to leave for says why these, how it was searched, and each rule once', async () => {
    await withPage(LESSON_PAGE, {}, async (page) => {
        await page.evaluate(() => {
            const { app } = window.vidmm;
            const { sentence } = app.scene.events;
            app.goTo(sentence.findIndex((text) => app.scene.text(text).startsWith('target was placed in vram')));
        });
        await settle(page);
        assert.match(await page.textContent('.reason'),
            /^Only 4 MiB of vram were free.*first: sky \(.*\), then grass \(.*, enough\)\. rocks was not reached\.$/);
        assert.equal(await page.textContent('.searched summary'), 'How it was searched: 2 passes');
        assert.ok(await page.locator('.search').first().isHidden());
        await page.click('.searched summary');
        assert.match(await page.innerText('.search:first-child'), /there is no room\s+Pass 1: .*\s+sky stays in vram/);
        const bullets = await page.$$eval('.search li', (all) => all.map((it) => it.textContent));
        assert.ok(bullets.length > 1 && new Set(bullets).size === bullets.length, String(bullets));
        await page.click('.reason a >> text=rocks');
        await settle(page);
        assert.equal((await linkOf(page)).a, 'rocks');
        assert.match(await page.textContent('.sentence'), /^target was placed/);
        const rules = await page.$$eval('.rule b', (all) => all.map((it) => it.textContent));
        assert.ok(rules.includes('PLACE-012'), String(rules));
        assert.equal(new Set(rules).size, rules.length);
        const victims = page.locator('.rule', { hasText: 'PLACE-012' });
        assert.ok(await victims.locator('.rule-text').isHidden());
        await victims.locator('summary').click();
        assert.match(await victims.locator('.rule-text').textContent(), /Never victims: pinned.*vidmm explain PLACE-012/);
        await page.click('.reason a >> text=grass');
        await settle(page);
        assert.match(await page.textContent('.sentence'), /^grass was evicted from vram/);
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
        assert.match(await page.textContent('.sentence'), /^sky was placed in vram/);
        await press(page, 'Shift+ArrowRight');
        assert.match(await page.textContent('.sentence'), /^grass was placed in vram/);
        await press(page, 'Shift+ArrowLeft');
        assert.match(await page.textContent('.sentence'), /^sky was placed in vram/);
        assert.match(await page.textContent('#status'), /sky was placed in vram/);
        await press(page, 'End');
        assert.match(await page.textContent('.sentence'), /device dev is in error/);
    });
});

test('a link opens at its event, with its allocation chosen', async () => {
    await withPage(LESSON_PAGE, { hash: '#e=130&a=grass&x=time' }, async (page) => {
        assert.match(await page.textContent('.which'), /^Event 130,/);
        assert.equal(await page.getAttribute('#by-time', 'aria-pressed'), 'true');
        const chosen = await page.$$eval('button.name[aria-pressed="true"]', (all) => all.map((it) => it.textContent));
        assert.deepEqual([...new Set(chosen)], ['grass']);
        await page.evaluate(() => { location.hash = '#e=34'; });
        await settle(page);
        assert.match(await page.textContent('.which'), /^Event 34,/);
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
        const count = async () => parseInt((await page.textContent('#count')).replace(/,/g, ''));
        const all = await count();
        await press(page, '/');
        await page.keyboard.type('was evicted from vram');
        await settle(page);
        assert.equal(await count(), 5);
        assert.ok(await page.$$eval('.event', (all) => all.every((row) =>
            row.querySelector('mark')?.textContent === 'was evicted from vram' && row.querySelector('.time').textContent)));
        await press(page, 'Escape');
        assert.equal(await count(), all);
        await page.click('#filter summary');
        await page.selectOption('#level', '1');
        assert.ok(await count() > all);
        await page.selectOption('#kind', { label: 'evict' });
        assert.equal(await count(), 5);
    });
});

test('of a long run the map comes first, then the sentences', async () => {
    const file = join(work, 'long.vms');
    execFileSync(VIDMM, ['make', 'game', 'frames=2500', '-o', file]);
    const path = makePage('long', file);
    await withPage(path, { hash: '#q=evicted' }, async (page) => {
        assert.equal(await page.evaluate(() => performance.getEntriesByName('late texts').length), 1);
        assert.match(await page.textContent('.sentence'), /./);
        assert.match(await page.textContent('.event'), /evicted/);
        assert.match(await page.textContent('#count'), /^[\d,]+ of [\d,]+ events$/);
        assert.match(await page.textContent('#source'), /create/);
    });
    await withPage(path, { hash: '#e=20000' }, async (page) => {
        assert.ok(Number((await linkOf(page)).e) > 19000);
        assert.notEqual(await page.textContent('.event.here .what'), '');
    });
});

test('only the rows in sight are elements', async () => {
    await withPage(makePage('game', 'scenarios/workloads/game.vms'), {}, async (page) => {
        await page.click('#filter summary');
        await page.selectOption('#level', '1');
        assert.ok(parseInt((await page.textContent('#count')).replace(/,/g, '')) > 2000);
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
        assert.match(await page.textContent('.sentence'), /^sky was placed in vram/);
        await press(page, 'n', 'End', 'w');
        assert.match(await page.textContent('.sentence'), /^grass was placed in vram/);
    });
});

// ---- where it opens, and what it says instead of nothing ---------------------------------------------
