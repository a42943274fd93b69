// SPDX-License-Identifier: MIT
// page-told.test.mjs: the page in a browser: what it tells of answers, keys, a hang, arrows that it leaves out.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LESSON_PAGE, makePage, press, withPage, work } from './browser.mjs';

test('the second wrong answer is told the right one; the end has a score; digits stay in the field', async () => {
    await withPage(makePage('asked', 'scenarios/lessons/15-a-hang.vms'), {}, async (page) => {
        await page.click('#ask');
        const view = () => page.evaluate(() => JSON.stringify(window.vidmm.app.view));
        assert.equal(await page.evaluate(() => document.activeElement.id), 'guess');
        const before = await view();
        await press(page, '1', '0', 'Enter');
        assert.equal(await page.inputValue('#guess'), '10');
        assert.match(await page.textContent('#guess-said'), /^✗ No\. A hint/);
        await press(page, '9', 'Enter'); // it takes the place of what was wrong
        assert.equal(await view(), before);
        assert.match(await page.textContent('#guess-said'), /^✗ No\. The answer is 2.* TDR-001/);
        await press(page, 'Enter');
        assert.match(await page.textContent('.sentence'), /did not end in time/, 'the decision that was asked about');
        await page.evaluate(() => document.activeElement.blur());
        await press(page, '0');
        assert.equal(await page.inputValue('#guess'), '0', 'a digit is an answer, wherever the focus is');
        await press(page, 'Enter', '3', 'Enter');
        assert.match(await page.textContent('#guess-said'), /^✓ Right: 3/);
        await press(page, 'Enter');
        assert.match(await page.textContent('#exercise'), /^All questions answered1 of 2 right, 1 at the second try\./);
    });
});

test('on a phone the list of keys opens at its top', async () => {
    await withPage(LESSON_PAGE, { width: 390, height: 500 }, async (page) => {
        await press(page, '?');
        assert.equal(await page.evaluate(() => document.getElementById('help').scrollTop), 0);
    });
});

test('a hang says what ran, since when, and who waits', async () => {
    await withPage(makePage('hang', 'scenarios/lessons/15-a-hang.vms'), {}, async (page) => {
        assert.match(await page.textContent('.why'), /^Whyframe1 \(fence 1\) had run since 1\.663 ms, for 100 ms, when its node was asked to stop it at 101\.663 ms, because redraw \(fence 2\) waited\. It had 2 s to stop \(TdrDelay\), until 2\.102 s, and did not\./);
        assert.match(await page.innerText('#legend'), /a node is asked to stop/);
    });
});

test('arrows stay in the plot, and how many are not drawn is said', async () => {
    const file = join(work, 'game.vms');
    writeFileSync(file, spawnSync(process.env.VIDMM, ['make', 'game', 'frames=300'], { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout);
    await withPage(makePage('game', file), {}, async (page) => {
        await press(page, '0', 'a');
        assert.match(await page.textContent('#stage .arrows-note'), /^\d+ of [\d,]+ arrows are drawn; zoom in/);
        // Columns of pixels: the names beside the plot, and its later half.
        const [names, late] = await page.evaluate(() => {
            const [{ top, left, scale }] = window.vidmm.app.stages;
            const { data, width } = top.getContext('2d').getImageData(0, Math.ceil(40 * scale), top.width,
                top.height - Math.ceil(60 * scale));
            const inked = (from, to) => data.some((byte, i) => byte && (i >> 2) % width >= from && (i >> 2) % width < to);
            return [inked(0, (left - 4) * scale), inked(width / 2, width)];
        });
        assert.deepEqual({ names, late }, { names: false, late: true }, 'over no name, and not only the first ones');
        await press(page, 'a');
        assert.equal(await page.textContent('#stage .arrows-note'), '');
    });
});
