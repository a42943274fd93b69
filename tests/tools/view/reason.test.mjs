// SPDX-License-Identifier: MIT
// reason.test.mjs: the paragraph that says why these left and not others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeScene, parts, runScene } from './parts.mjs';

const wordsOf = (act, list) => list.map((part) => typeof part === 'string' ? part : `[${act.label(part.allocation)}]`).join('');

/** What is said of each place in a run for which others had to leave. */
function reasonsIn(file) {
    const scene = runScene(file);
    return Array.from({ length: scene.acts.rows }, (_, index) => new parts.Act(scene, index)).flatMap((act) =>
        Array.from({ length: act.events.end - act.events.first }, (_, i) => act.events.first + i)
            .filter((event) => parts.roomOf(act, event).victims.length)
            .map((event) => wordsOf(act, parts.reasonParts(act, parts.rowsBehind(act, event)))));
}

test('longest unused first, until the hole is large enough; who was not reached is named', () => {
    assert.deepEqual(reasonsIn('scenarios/lessons/03-no-room.vms'), [
        'Only 4 MiB of vram were free, in one hole; [target] needs 10 MiB. Longest unused leaves first: ' +
            '[sky] (opens a hole of 8 MiB, too small), then [grass] (20 MiB, enough). [rocks] was not reached.',
        '14 MiB of vram were free, but the largest hole has 10 MiB; [grass] needs 12 MiB. ' +
            'Longest unused leaves first: [rocks] (opens a hole of 22 MiB, enough). [target] was not reached.',
    ]);
});

test('what is offered, then who has a lower priority, and who is the only one', () => {
    assert.deepEqual(reasonsIn('scenarios/lessons/13-priorities-and-offers.vms'), [
        'Nothing was free in vram; [film[1]] needs 8 MiB. What was offered leaves first: [mask] (opens a hole of 8 MiB, enough). ' +
            '[log] was not reached.',
        'Nothing was free in vram; [film[2]] needs 8 MiB. ' +
            'Of those that may leave only [log] has a lower priority (opens a hole of 8 MiB, enough).',
    ]);
    assert.deepEqual(reasonsIn('scenarios/lessons/06-overlays.vms'), ['10 MiB of vram were free, but nothing where ' +
        '[news] may lie; it needs 8 MiB. Only [fog] may leave (opens a hole of 12 MiB, enough).']);
});

test('all keys of the order are told once, and of many turns the first and the last', () => {
    const told = reasonsIn('scenarios/policy/whose-turn.vms');
    assert.match(told[1], /What was offered leaves first, then lower priority, then longest unused: \[film\] .*, then \[cheap\] /);
    assert.match(told[2], /, then \[t\[4\]\] \(320 KiB, too small\), then 14 more, then \[t\[19\]\] \(1,280 KiB, enough\)\.$/);
    assert.match(told[3], /^384 KiB of vram were free, but the largest hole has 128 KiB; /);
});

/** A trail of turns: facts, and who. The allocations are 0 target, 1 sky, 2 grass. */
function trail(rows) {
    const kinds = ['turn', 'pass-over', 'candidate'];
    const scene = makeScene({
        segments: [{ name: 'vram' }],
        allocations: [{ label: 'target', priority: 2 }, { label: 'sky', priority: 2 }, { label: 'grass', priority: 2 }],
        events: rows.map(([kind, allocation, facts = {}, pass = 0]) => ({ kind: kinds.indexOf(kind), allocation, pass,
            facts: Object.entries(facts).map((fact) => `${fact.join('=')}\n`).join('') })),
    });
    scene.about.kinds = kinds;
    const act = new parts.Act(scene, 0);
    return wordsOf(act, parts.reasonParts(act, rows.map((_, i) => i)));
}

const turn = (result, more) => ({ bytes: 4096, result, needs: 8192, free: 4096, ...more });

test('a search in vain is not told when a later one made others leave', () => {
    const told = trail([['turn', 1, turn('small', { hole: 4096, before: 0 })], ['candidate', 0, {}, 1],
        ['turn', 1, turn('small', { hole: 4096, before: 0, by: 'offset' })], ['turn', 2, turn('enough', { hole: 8192 })],
        ['candidate', 0, {}, 2]]);
    assert.equal(told, 'Nothing was free in vram; [target] needs 8 KiB. Of equally long unused ones the lowest address ' +
        'leaves first: [sky] (opens a hole of 4 KiB, too small), then [grass] (8 KiB, enough).');
    assert.match(trail([['turn', 1, turn('small', { hole: 4096, before: 0 })], ['candidate', 0, {}, 1]]),
        /Only \[sky\] may leave \(opens a hole of 4 KiB, too small\)\. That is all that may leave\.$/);
});

test('who stays after all, and who has to, is said with its cause', () => {
    const told = trail([['turn', 1, turn('small', { hole: 4096, before: 0, by: 'policy', policy: 'largest' })],
        ['pass-over', 2, { cause: 'bound' }], ['turn', 2, turn('enough', { hole: 8192 })],
        ['pass-over', 1, { cause: 'not-in-the-way' }], ['candidate', 0, {}, 2]]);
    assert.match(told, /What policy largest names leaves first: .* \[sky\] stays after all: the place that opened is elsewhere\.$/);
});

test('a limit comes before the room that is looked for', () => {
    const told = trail([['turn', 1, { bytes: 4096, result: 'limit', lack: 4096, by: 'last-use' }],
        ['turn', 2, { bytes: 4096, result: 'enough' }],
        ['turn', 2, turn('enough', { free: 8192 })], ['candidate', 0, {}, 2]]);
    assert.equal(told, '[target] would exceed a limit. Longest unused leaves first: [sky] (4 KiB too much), ' +
        'then [grass] (enough). Only 4 KiB of vram were free; [target] needs 8 KiB. ' +
        'Only [grass] may leave (8 KiB free, enough).');
});

test('without turns there is no reason, and one that was not reached is none', () => {
    assert.equal(trail([['candidate', 0, {}, 1]]), '');
    assert.equal(trail([['turn', 2, { bytes: 4096, result: 'next' }], ['candidate', 0, {}, 1]]), '');
});

test('what beat what is said where a direction is not that of the flag or of the preference', () => {
    const scene = runScene('scenarios/lessons/07-from-the-end.vms');
    const act = new parts.Act(scene, 0);
    const told = Array.from({ length: act.events.end - act.events.first }, (_, i) => parts.causeWords(act, act.events.first + i));
    assert.deepEqual(told.filter(Boolean), [
        'Searched upwards: the preferred segment beats the flag FromEndOfSegment (downwards).',
        'Searched upwards: the hinted bank beats the preferred segment (downwards) and the flag FromEndOfSegment (downwards).',
        'Searched downwards: the hinted bank beats the preferred segment (upwards).',
    ]);
});
