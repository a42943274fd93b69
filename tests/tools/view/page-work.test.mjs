// SPDX-License-Identifier: MIT
// page-work.test.mjs: the page in a browser: where it opens, exercises, what is saved, two runs, every size of
// screen, and names that mean harm.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { LESSON, LESSON_PAGE, axe, browser, linkOf, makePage, press, settle, withPage, work } from './browser.mjs';

test('it opens where an allocation had to leave for a place', async () => {
    await withPage(LESSON_PAGE, {}, async (page) => {
        assert.match(await page.textContent('.sentence'), /^target was placed in vram/);
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

test('on a phone the tools are behind a button, so that the map is seen', async () => {
    await withPage(LESSON_PAGE, { width: 320, height: 700 }, async (page) => {
        const top = async () => (await page.locator('#stage .plot').boundingBox()).y;
        assert.ok(await page.locator('#arrows').isHidden() && await top() < 350, String(await top()));
        await page.click('#more-tools');
        assert.ok(await page.locator('#arrows').isVisible());
        await page.click('#more-tools');
        assert.ok(await page.locator('#arrows').isHidden());
    });
});

// ---- exercise, two runs --------------------------------------------------------------------------

test('in an exercise the answer comes after the guess', async () => {
    await withPage(LESSON_PAGE, {}, async (page) => {
        const count = async () => parseInt((await page.textContent('#count')).replace(/,/g, ''));
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

test('nothing is painted behind what may be known', async () => {
    for (const [name, answers] of [['03-no-room', 1], ['12-fragmentation', 0], ['10-synchronous-paging', 1]])
        await withPage(makePage(`behind-${name}`, `scenarios/lessons/${name}.vms`), { hash: '#ask=1' }, async (page) => {
            for (let i = 0; i < answers; i++) {
                await page.click('#give-up');
                await press(page, 'Enter');
            }
            await press(page, 'a', 'c');
            const colours = await page.evaluate(() => {
                const [view] = window.vidmm.app.stages;
                const { axis, x } = view.stage(view.base);
                const { until } = view.act;
                const from = Math.max(view.left, x(axis.after(until, view.act.time(until))));
                const strip = (canvas) => new Uint32Array(canvas.getContext('2d')
                    .getImageData(Math.ceil(from) + 1, 0, 6, view.height - 16).data.buffer);
                return [view.base, view.top].map((canvas) => new Set(strip(canvas)).size);
            });
            assert.deepEqual(colours, [1, 1], name);
        });
});

test('sums, holes and counters do not tell what is asked', async () => {
    await withPage(makePage('sums', 'scenarios/lessons/05-eviction-sets.vms'), { hash: '#ask=1' }, async (page) => {
        await page.click('#give-up');
        await press(page, 'Enter', 'c');
        assert.match(await page.textContent('#exercise h2'), /largest piece/);
        assert.doesNotMatch(await page.innerText('#tables'), /largest free|MiB free/);
        const holes = await page.$$eval('tr.free', (all) => all.map((row) => row.cells[2].textContent));
        assert.ok(holes.length > 1 && holes.every((text) => text === ''), String(holes));
        assert.ok(await page.locator('#counters').isHidden());
        assert.equal(await page.evaluate(() => window.vidmm.app.counters(window.vidmm.app.act).length), 0);
        await page.click('#give-up');
        await press(page, 'Enter');
        assert.match(await page.innerText('#tables'), /largest free block/);
    });
});

test('on paper an exercise is a question with a line, and nothing of its answer', async (t) => {
    if (spawnSync('pdftotext', ['-v']).error)
        return t.skip('there is no pdftotext');
    for (const [name, asked, kept] of [['exercises/03-no-room', /At which MiB does target lie\?/, /offset\(target\)|evicted|placed/],
        ['03-no-room', /Which allocation/, /target was placed|was evicted|PLACE-012/]])
        await withPage(makePage('paper', `scenarios/lessons/${name}.vms`), { hash: '#ask=1' }, async (page) => {
            const path = join(work, 'paper.pdf');
            await page.pdf({ path, preferCSSPageSize: true });
            const text = spawnSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' }).stdout;
            assert.match(text, asked);
            assert.doesNotMatch(text, kept);
            assert.doesNotMatch(text, /Show the answer/);
            await page.emulateMedia({ media: 'print' });
            assert.ok(await page.locator('.ruled').isVisible());
        });
});

test('an address with broken numbers opens all the same', async () => {
    for (const hash of ['#act=1.5', '#act=-1', '#e=34&s=-3', '#e=34&s=1.5', '#act=1e99'])
        await withPage(LESSON_PAGE, { hash }, async (page) => {
            assert.ok(await page.locator('#failed').isHidden(), hash);
            assert.equal(await page.evaluate(() => Number.isInteger(window.vidmm.app.statement) &&
                window.vidmm.app.statement >= 0), true, hash);
        });
});

test('an exercise shows what is given, and nothing of its run', async () => {
    await withPage(makePage('exercise', 'scenarios/lessons/exercises/03-no-room.vms'), {}, async (page) => {
        const card = await page.textContent('#exercise');
        assert.match(card, /A card has 32 MiB. sky has \d+ MiB, grass \d+ MiB/);
        assert.match(card, /page-in [a-z,]+.*submit frame1 write=target/);
        assert.doesNotMatch(card, /\$|expect|offset\(/);
        assert.doesNotMatch(await page.locator('#source .prose').first().innerText(), /\$/);
        assert.equal(await page.textContent('#count'), '1 event');
        for (const place of ['.map', '.tables', '.moment', '.events'])
            assert.ok(await page.locator(place).isHidden(), `${place}: there is nothing to show`);
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
        assert.match(await page.textContent('.sentence'), /^target was placed in vram/, 'what decided it');
        assert.ok(await page.locator('#stage .plot').isVisible());
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

test('of two runs both maps are saved, each under its name', async () => {
    await withPage(makePage('two-saved', '--with=eviction=fifo', LESSON), {}, async (page) => {
        const save = async (key) => {
            const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press(key)]);
            return readFileSync(await download.path());
        };
        const file = (await save('S')).toString();
        assert.doesNotMatch(file, /NaN|undefined/);
        assert.equal(file.match(/>scenario<\/text>/g).length, 2);
        assert.match(file, />A  eviction: wddm[^<]*<\/text>/);
        assert.match(file, />B  eviction: fifo[^<]*<\/text>/);
        const ids = file.match(/ id="[^"]*"/g);
        assert.equal(new Set(ids).size, ids.length);
        const heights = await page.evaluate(() => window.vidmm.app.stages.map(({ height }) => height));
        const high = (await save('s')).readUInt32BE(20); // of the PNG
        assert.ok(high > 3 * (heights[0] + heights[1]), `${high}`);
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
        assert.match(await page.textContent('#stage .run'), /^A  eviction: wddm/);
        assert.match(await page.textContent('#stage-b .run'), /^B  eviction: largest.* · ✓ 5 expectations held/);
        const told = await page.innerText('#comparison');
        assert.match(told, /First difference\s+A.* Event \d+, .*\.\s+B.* Event/);
        const cells = await page.$$eval('#comparison tr', (all) => all.map((row) =>
            Array.from(row.cells, (cell) => cell.textContent)));
        assert.deepEqual(cells.map((row) => row[1]), ['eviction', 'wddm', 'largest', '']);
        const column = cells[0].indexOf('evictions');
        const counted = await page.evaluate(() => {
            const { scene, other } = window.vidmm.app;
            return [scene, other].map(({ about }) => String(about.totals.kinds.evict));
        });
        const more = counted[1] - counted[0];
        assert.deepEqual(cells.slice(1).map((row) => row[column]),
            [...counted, `${more > 0 ? '+' : '−'}${Math.abs(more)}`]);
        assert.doesNotMatch(await page.textContent('#facts'), /eviction/, 'that is not the same in both');
        await page.click('#comparison p:last-child a');
        await settle(page);
        assert.ok(await page.locator('#verdict').isHidden());
        await press(page, 'd');
        const difference = await page.evaluate(() => window.vidmm.app.difference);
        assert.ok(difference);
        const sides = await page.$$eval('.of-run', (all) => all.map((it) => it.innerText));
        const tables = await page.$$eval('.run-tables', (all) => all.map((it) => it.innerText));
        assert.match(tables[0], /^A  eviction: wddm\n/);
        assert.match(tables[1], /^B  eviction: largest\n/);
        assert.match(await page.textContent('#count'), /, of run A$/);
        assert.match(sides[0], /^A  eviction: wddm\n[^]*was evicted from vram[^]*needs/);
        assert.match(sides[1], /^B  eviction: largest\n[^]*was evicted from vram[^]*needs/);
        await page.click('.of-run:last-child .reason a');
        await settle(page);
        assert.ok(await page.evaluate(() => window.vidmm.app.chosen) < 0xFFFFFFFF, 'its name in A is chosen');
        await press(page, 'Home');
        assert.match(await page.textContent('.of-run'), /^A and B  the same in both/);
    });
});

test('of two runs both maps end within the window', async () => {
    const path = makePage('two-seen', '--with=eviction=fifo', 'scenarios/workloads/video.vms');
    for (const height of [900, 1000])
        await withPage(path, { width: 1440, height }, async (page) => {
            const { bottom } = await page.$eval('#stage-b .plot', (plot) => plot.getBoundingClientRect());
            assert.ok(bottom <= height && bottom > height - 40, `${bottom} of ${height}`);
            const second = await page.$eval('.of-run:last-child .reason', (it) => it.getBoundingClientRect().top);
            assert.ok(second < height - 40, 'the reason of B stands beside that of A');
        });
});

test('a lesson and two runs are printed on three pages at most, one with its settings', async () => {
    await withPage(makePage('printed', 'scenarios/lessons/03-no-room.vms'), {}, async (page) => {
        const pdf = String(await page.pdf({ preferCSSPageSize: true }));
        assert.ok(pdf.match(/\/Type \/Page\b/g).length <= 3);
    });
    await withPage(makePage('two-video', '--with=eviction=fifo', 'scenarios/workloads/video.vms'), {}, async (page) => {
        const pdf = String(await page.pdf({ preferCSSPageSize: true }));
        assert.ok(pdf.match(/\/Type \/Page\b/g).length <= 3);
    });
    await withPage(makePage('settings', '--set=strict=on', LESSON), {}, async (page) => {
        assert.match(await page.textContent('#facts'), /strict on.*eviction wddm, placement wddm$/);
    });
});

test('two runs that are the same say that they do not differ', async () => {
    await withPage(makePage('same', LESSON, LESSON), {}, async (page) => {
        assert.ok(await page.locator('#difference').isDisabled());
        assert.equal(await page.textContent('#difference'), 'No difference');
        assert.match(await page.textContent('#comparison'), /^No differenceThe two runs do not differ/);
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
