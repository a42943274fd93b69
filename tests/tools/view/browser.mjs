// SPDX-License-Identifier: MIT
// browser.mjs: what every test of the page in a browser does: the page is made, opened from a file with
// the network off, and asked. VIDMM is the program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const { VIDMM, CHROMIUM } = process.env;
export const LESSON = 'tests/tools/view/no-room.vms';
export const work = mkdtempSync(join(tmpdir(), 'vidmm-page-'));
export let browser;

before(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-background-networking'] });
});

after(async () => {
    await browser?.close();
    rmSync(work, { recursive: true });
});

/** The page of a run. Exit code 1, a failed expectation, has a page, too. */
export function makePage(name, ...words) {
    const path = join(work, `${name}.html`);
    const { status, stderr } = spawnSync(VIDMM, ['view', ...words, '-o', path], { cwd: root, encoding: 'utf8' });
    assert.ok(status === 0 || status === 1, stderr);
    return path;
}

export const LESSON_PAGE = makePage('lesson', LESSON);

/** Opens a page, and at the end says that it asked for nothing and complained of nothing. */
export async function withPage(path, { hash = '', width = 1280, height = 900, scheme = 'light', touch = false }, use) {
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

export const settle = (page) => page.evaluate(() => new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(done))));

export async function press(page, ...keys) {
    for (const key of keys)
        await page.keyboard.press(key);
    await settle(page);
}

export const linkOf = async (page) => Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));
