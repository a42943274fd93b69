// SPDX-License-Identifier: MIT
// parts.mjs: the scripts of the page that need no browser, for tests: one scope, as in the page.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';

const FILES = ['format', 'decode', 'act', 'axis', 'palette', 'layout', 'list', 'link', 'exercise', 'compare',
    'opening', 'head', 'source', 'reason', 'cause', 'why', 'save',
    'residency', 'paint', 'vector'];
const NAMES = ['HUES', 'hueOf', 'edgeOf', 'boxInk', 'formatSize', 'formatTime', 'formatTick', 'offsetsLike', 'niceStep', 'readScene', 'settleTrails', 'NONE',
    'Act', 'Axis', 'lowerBound', 'clampView', 'layOut', 'hitTest', 'fillPixels', 'decimate',
    'offsetToY', 'yToOffset', 'filterEvents', 'rowTops', 'groupTrail', 'roomOf', 'rowsBehind', 'reasonParts', 'causeWords', 'joinNotes',
    'readLink', 'writeLink', 'eventOfNumber', 'missingWords', 'verdictWords',
    'allocationOfName', 'judgeAnswer', 'actLike', 'residents', 'whereabouts', 'pieceName', 'xml', 'lastSeen', 'withValues', 'doneBefore', 'openingOf', 'closeUpOf', 'openingAct', 'eventOfStatement', 'heldBack', 'withoutAnswer', 'firstDifference', 'rowsAsCsv', 'fileStem', 'cutText', 'wordsTop'];

const folder = new URL('../../../tools/view/page/', import.meta.url);
const text = FILES.map((name) => readFileSync(new URL(`${name}.js`, folder), 'utf8')).join('');
export const parts = new Function(`'use strict';${text}; return { ${NAMES.join(', ')} };`)();

/** The scenes in a page that the program makes: two of a page that compares. VIDMM is the program. */
export function runScenes(...words) {
    const { stdout, stderr } = spawnSync(process.env.VIDMM, ['view', ...words], { encoding: 'utf8',
        maxBuffer: 1 << 30, cwd: fileURLToPath(new URL('../../../', import.meta.url)) });
    const unpack = (id) => {
        const found = new RegExp(`id="${id}" data-bytes="\\d+">([^<]*)<`).exec(stdout);
        return found && new Uint8Array(inflateRawSync(Buffer.from(found[1], 'base64')));
    };
    const scenes = ['scene', 'scene-b'].filter(unpack).map((id) => {
        const scene = parts.readScene(unpack(id));
        scene.letters.byte.set(unpack(`${id}-late`), scene.lettersThere);
        scene.lettersThere = scene.letters.byte.length;
        parts.settleTrails(scene);
        return scene;
    });
    if (!scenes.length)
        throw new Error(stderr);
    return scenes;
}

export const runScene = (...words) => runScenes(...words)[0];

/**
 * A scene of plain numbers: tables are lists of rows. Texts are given as they are.
 * @param {Record<string, object[]>} tables
 */
export function makeScene(tables) {
    const texts = [''];
    const scene = { text: (index) => texts[index], about: { kinds: [], rules: [] } };
    const coded = (value) => {
        if (typeof value !== 'string')
            return Number(value);
        if (!texts.includes(value))
            texts.push(value);
        return texts.indexOf(value);
    };
    for (const name of ['acts', 'events', 'statements', 'said', 'segments', 'allocations', 'stays', 'marks',
        'lanes', 'slices', 'arrows', 'counters', 'points', 'sources']) {
        const rows = tables[name] ?? [];
        const table = { rows: rows.length };
        const columns = new Set(rows.flatMap((row) => Object.keys(row)));
        for (const column of columns)
            table[column] = Float64Array.from(rows, (row) => coded(row[column] ?? 0));
        scene[name] = new Proxy(table, { get: (it, column) => it[column] ?? new Float64Array(rows.length) });
    }
    const bytes = texts.map((text) => [...new TextEncoder().encode(text)]);
    scene.letters = { byte: Uint8Array.from(bytes.flat()) };
    let end = 0;
    scene.texts = { end: Uint32Array.from(bytes, ({ length }) => end += length) };
    const ranges = {};
    for (const name of ['events', 'statements', 'said', 'segments', 'allocations', 'stays', 'marks', 'lanes',
        'slices', 'arrows', 'counters']) {
        ranges[`${name}_first`] = [0];
        ranges[`${name}_count`] = [scene[name].rows];
    }
    const over = Math.max(0, ...(tables.events ?? []).map(({ time }) => time));
    scene.acts = { rows: 1, end: [over], passed: [1], name: [0], file: [0], ...ranges };
    return scene;
}
