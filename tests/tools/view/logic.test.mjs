// SPDX-License-Identifier: MIT
// logic.test.mjs: what the page computes, without a browser.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeScene, parts, runScene } from './parts.mjs';

const { NONE } = parts;

// sky comes at event 1 and leaves at 3; grass comes at 2 and stays. Event 4 has the time of 3.
const lake = () => makeScene({
    events: [
        { time: 0, seq: 10, level: 0, sentence: 'started' },
        { time: 100, seq: 11, level: 0, sentence: 'sky was placed', allocation: 0 },
        { time: 200, seq: 12, level: 0, sentence: 'grass was placed', allocation: 1 },
        { time: 300, seq: 13, level: 0, sentence: 'sky was evicted', allocation: 0 },
        { time: 300, seq: 14, level: 0, sentence: 'the CPU waited', allocation: NONE },
    ],
    segments: [{ name: 'vram', kind: 'memory', size: 1000 }],
    allocations: [{ label: 'sky' }, { label: 'grass' }],
    stays: [
        { begin: 100, end: 300, offset: 0, bytes: 400, segment: 0, allocation: 0, came: 1, left: 3, gone: 3 },
        { begin: 200, end: 300, offset: 600, bytes: 300, segment: 0, allocation: 1, came: 2, left: NONE,
            gone: NONE, still_there: 1 },
    ],
    marks: [{ begin: 200, end: 300, kind: 1, allocation: 1, began: 2, ended: NONE, still_there: 1 }],
});

test('numbers, sizes and times are written for people', () => {
    assert.equal(parts.formatSize(25165824), '24 MiB');
    assert.equal(parts.formatSize(1536), '1.5 KiB');
    assert.equal(parts.formatSize(100001), '100,001 bytes');
    assert.equal(parts.formatSize(1), '1 byte');
    assert.equal(parts.formatSize(0), '0 bytes');
    assert.equal(parts.formatTime(0), '0');
    assert.equal(parts.formatTime(7), '0.007 us');
    assert.equal(parts.formatTime(12500), '12.5 us');
    assert.equal(parts.formatTime(5891758), '5.892 ms');
    assert.equal(parts.formatTime(5891758, 9), '5.891758 ms');
    assert.equal(parts.formatTime(61e9), '61 s');
    assert.equal(parts.formatTick(2500000, 500000), '2.5 ms');
    assert.equal(parts.formatTick(2892700, 100), '2.8927 ms');
    assert.equal(parts.formatTick(2892758, 1000), '2.893 ms');
});

test('an offset has the unit of its segment, unless digits would be lost', () => {
    const place = parts.offsetsLike(2 ** 25);
    assert.deepEqual([0, 20 * 2 ** 20, 2 ** 19, 0x1234, 2 ** 20 + 4096].map(place),
        ['0', '20 MiB', '0.5 MiB', '4,660 bytes', '1,028 KiB']);
});

const pad = (bytes) => [...bytes, ...new Array((4 - bytes.length % 4) % 4).fill(0)];
const words = (list) => [...new Uint8Array(Uint32Array.from(list).buffer)];

/** A directory and columns, as the page has them when they are unpacked. */
function packed(directory, ...columns) {
    const head = [...new TextEncoder().encode(JSON.stringify(directory))];
    return Uint8Array.from([...words([head.length]), ...pad(head), ...columns]);
}

test('the bytes of the C program become columns', () => {
    const scene = parts.readScene(packed({ about: { title: '<b>' }, tables: [
        { name: 'events', rows: 3, columns: [['level', 'u8'], ['kind', 'u16'], ['time', 'u64']] },
        { name: 'texts', rows: 2, columns: [['end', 'u32']] },
        { name: 'letters', rows: 5, columns: [['byte', 'u8']] },
    ] }, ...pad([1, 2, 3]), ...pad([...new Uint8Array(Uint16Array.from([7, 8, 65535]).buffer)]),
    ...words([5, -5, 4294967295]), ...words([0, 1, 1]), // each less the one before
    ...words([0, 5]), ...pad([...new TextEncoder().encode('gräs')])));
    assert.deepEqual([...scene.events.level], [1, 2, 3]);
    assert.deepEqual([...scene.events.kind], [7, 8, 65535]);
    assert.deepEqual([...scene.events.time], [5, 4294967296, 2 * 4294967296 + 4294967295]);
    assert.equal(scene.events.time, scene.events.time); // worked out once
    assert.equal(scene.text(0), '');
    assert.equal(scene.text(1), 'gräs');
    assert.equal(scene.about.title, '<b>');
});

test('a text that comes late is empty until its letters are there', () => {
    const scene = parts.readScene(packed({ about: {}, tables: [
        { name: 'texts', rows: 3, columns: [['end', 'u32']] },
        { name: 'letters', rows: 3, columns: [['byte', 'u8']] },
    ] }, ...words([0, 3, 5]), ...pad([...new TextEncoder().encode('sky')])));
    assert.deepEqual([0, 1, 2].map(scene.text), ['', 'sky', '']);
    scene.letters.byte.set(new TextEncoder().encode('grass'), scene.lettersThere);
    scene.lettersThere = scene.letters.byte.length;
    assert.deepEqual([0, 1, 2].map(scene.text), ['', 'sky', 'grass']);
});

test('what led to a decision is below the story', () => {
    const events = { rows: 4, trail: [0, 0, 2, 0], level: [0, 0, 0, 0] };
    parts.settleTrails({ events });
    assert.deepEqual(events.level, [1, 1, 0, 0]);
});

test('content is on its way from the place that it gets to its arrival', () => {
    for (const lesson of ['scenarios/lessons/03-no-room.vms', 'scenarios/lessons/05-eviction-sets.vms',
        'scenarios/lessons/16-a-model-too-large.vms', 'tests/tools/view/no-room.vms']) {
        const scene = runScene(lesson);
        const act = new parts.Act(scene, 0);
        const { kind, allocation } = scene.events;
        const of = (word) => Array.from({ length: act.events.end }, (_, i) => i).filter((i) =>
            i >= act.events.first && scene.about.kinds[kind[i]] === word && allocation[i] !== NONE);
        const moving = (event) => act.marksAt(allocation[event], event).has('moving');
        const needed = new Set(of('page-in').map((event) => allocation[event]));
        const places = of('place').filter((event) => needed.has(allocation[event]));
        assert.ok(places.length);
        assert.deepEqual(places.filter((event) => !moving(event)), [], lesson);
        assert.deepEqual(of('arrive').filter(moving), [], lesson);
    }
});

test('who is there after an event', () => {
    const act = new parts.Act(lake(), 0);
    assert.deepEqual(act.staysAt(0, 0), []);
    assert.deepEqual(act.staysAt(0, 1), [0]);
    assert.deepEqual(act.staysAt(0, 2), [0, 1]);
    assert.deepEqual(act.staysAt(0, 3), [1]);
    assert.deepEqual([...act.marksAt(1, 1)], []);
    assert.deepEqual([...act.marksAt(1, 2)], ['dirty']);
});

test('a segment as a table: holes, totals, the largest hole', () => {
    const act = new parts.Act(lake(), 0);
    const { rows, used, free, largest } = act.tableAt(0, 2);
    assert.deepEqual(rows.map(({ stay, offset, bytes }) => [stay, offset, bytes]),
        [[0, 0, 400], [NONE, 400, 200], [1, 600, 300], [NONE, 900, 100]]);
    assert.deepEqual([used, free, largest], [700, 300, 200]);
    assert.equal(act.tableAt(0, 3).largest, 600);
    assert.equal(act.tableAt(0, 0).free, 1000);
});

test('what leaves holds its range until the memory is free', () => {
    const scene = lake();
    scene.stays.gone[0] = 4;
    const act = new parts.Act(scene, 0);
    assert.deepEqual(act.staysAt(0, 3), [0, 1]);
    assert.ok(act.isLeaving(0, 3));
    assert.ok(!act.isLeaving(0, 2) && !act.isLeaving(0, 4) && !act.isLeaving(1, 3));
    assert.deepEqual(act.staysAt(0, 4), [1]);
    assert.equal(act.changeOf(0, 3, true), 4);
    const { to } = new parts.Axis(act, 'events').stays();
    assert.deepEqual([...to], [4, 6]);
});

for (const lesson of ['03-no-room', '04-apertures', '05-eviction-sets', '08-read-and-write-sets',
    '12-fragmentation', '13-priorities-and-offers', '14-splitting', '16-a-model-too-large'])
    test(`table and counters agree after every event: ${lesson}`, () => {
        const scene = runScene(`scenarios/lessons/${lesson}.vms`);
        const wrong = [];
        let compared = 0;
        for (let index = 0; index < scene.acts.rows; index++) {
            const act = new parts.Act(scene, index);
            for (let counter = act.counters.first; counter < act.counters.end; counter++) {
                const segment = scene.counters.segment[counter];
                const column = { used: 'used', free: 'free', 'largest free block': 'largest' }[
                    scene.text(scene.counters.name[counter]).replace(/^\S+ /, '')];
                for (let event = act.events.first; column && event < act.events.end; event++) {
                    const table = act.tableAt(segment, event)[column];
                    const value = act.counterAt(counter, event);
                    compared += value !== null;
                    if (value !== null && table !== value)
                        wrong.push(`${scene.text(scene.counters.name[counter])} ${value}, table ${table}: ` +
                            `${scene.events.seq[event]} ${scene.text(scene.events.sentence[event])}`);
                }
            }
        }
        assert.ok(compared > 100);
        assert.deepEqual(wrong, []);
    });

test('where an allocation was: in segments, between them in system memory, or lost', () => {
    const scene = runScene('scenarios/lessons/13-priorities-and-offers.vms');
    const act = new parts.Act(scene, 0);
    const axis = new parts.Axis(act, 'events');
    const told = (name) => parts.whereabouts(act, axis, parts.allocationOfName(act, name))
        .map((piece) => parts.pieceName(act, piece));
    assert.deepEqual(told('sky'), ['system memory', 'vram']);
    assert.deepEqual(told('log'), ['system memory', 'vram', 'system memory']);
    assert.deepEqual(told('mask'), ['system memory', 'vram', 'discarded']);
    for (let allocation = act.allocations.first; allocation < act.allocations.end; allocation++) {
        const pieces = parts.whereabouts(act, axis, allocation);
        for (let i = 1; i < pieces.length; i++)
            assert.equal(pieces[i].from, pieces[i - 1].to);
        assert.equal(pieces.at(-1).to, axis.length);
    }
    const through = runScene('scenarios/lessons/05-eviction-sets.vms');
    const first = new parts.Act(through, 0);
    const field = parts.whereabouts(first, new parts.Axis(first, 'time'), parts.allocationOfName(first, 'field'));
    assert.ok(field.some((piece) => parts.pieceName(first, piece) === 'through aper'));
});

test('on both axes an allocation is in system memory after it came to be, and until its end', () => {
    const scene = lake();
    Object.assign(scene.allocations, { created: [0, 1], destroyed: [4, NONE] });
    scene.events.time[4] = scene.stays.end[1] = scene.acts.end[0] = 350;
    const act = new parts.Act(scene, 0);
    for (const [kind, spans] of [
        ['time', [['system', 0, 100], ['stay', 100, 300], ['system', 300, 350]]],
        ['events', [['system', 0, 1], ['stay', 1, 3], ['system', 3, 4]]],
    ])
        assert.deepEqual(parts.whereabouts(act, new parts.Axis(act, kind), 0)
            .map(({ what, from, to }) => [what, from, to]), spans);
    const grass = parts.whereabouts(act, new parts.Axis(act, 'time'), 1);
    assert.deepEqual(grass.map(({ what }) => what), ['system', 'stay']);
    assert.equal(grass[0].from, 100);
});

test('each loss of content is looked at once', () => {
    const many = 200; // times: placed, gone, lost
    const scene = makeScene({
        events: Array.from({ length: 3 * many }, (_, i) => ({ time: 10 * i, level: 0, kind: i % 3 === 2 ? 1 : 0, allocation: 0 })),
        segments: [{ name: 'vram', kind: 'memory', size: 1000 }],
        allocations: [{ label: 'a', created: NONE, destroyed: NONE }],
        stays: Array.from({ length: many }, (_, i) => ({ begin: 30 * i, end: 30 * i + 10, bytes: 1, segment: 0,
            allocation: 0, came: 3 * i, left: 3 * i + 1, gone: 3 * i + 1 })),
    });
    scene.about.kinds = ['place', 'lost'];
    const act = new parts.Act(scene, 0);
    const axis = new parts.Axis(act, 'time');
    axis.stays();
    let asked = 0;
    axis.of = (event, time) => {
        asked++;
        return parts.Axis.prototype.of.call(axis, event, time);
    };
    const pieces = parts.whereabouts(act, axis, 0);
    assert.deepEqual(pieces.filter(({ what }) => what === 'lost').map(({ event }) => event).slice(0, 3), [2, 5, 8]);
    assert.ok(asked < 5 * many, `${asked} places were asked for`);
});

test('a name is cut between its words, far behind the begin of one, or not there', () => {
    const cut = (text, room, least) => parts.cutText(text, (part) => part.length <= room, least);
    assert.equal(cut('create sky', 10), 'create sky');
    assert.equal(cut('create sky', 9), 'create…');
    assert.equal(cut('create sky', 6), '');
    assert.equal(cut('paging buffer', 8), 'paging…');
    assert.equal(cut('fragmentation', 10), 'fragmenta…');
    assert.equal(cut('fragmentation', 8), '');
    assert.equal(cut('fragmentation', 8, 2), 'fragmen…');
    assert.equal(cut('a fragmentation', 10), 'a…');
    assert.equal(cut('\u{1F5BC}\u{1F5BC}', 0), '');
});

test('words of a box stand beside the pinned line, as far as there is room', () => {
    const box = { y0: 100, y1: 180 };
    assert.equal(parts.wordsTop(box, 30, 105, 50), 105);
    assert.equal(parts.wordsTop(box, 30, 105, 120), 123);
    assert.equal(parts.wordsTop(box, 30, 130, 158), 125);
    assert.equal(parts.wordsTop({ y0: 100, y1: 134 }, 30, 105, 120), 105);
});

test('events at the same time are not labelled twice on the axis', () => {
    const axis = new parts.Axis(new parts.Act(lake(), 0), 'events');
    assert.deepEqual(axis.ticks(0, 5, 6).map(({ text }) => text), ['0', '0 us', '', '', '', '']);
});

test('the rows of residency: those that moved most, and the chosen one', () => {
    const scene = makeScene({
        events: [{ time: 0, seq: 1 }],
        segments: [{ name: 'vram', kind: 'memory', size: 1000 }],
        allocations: Array.from({ length: 100 }, (_, i) => ({ label: `a${i}`, created: NONE, destroyed: NONE })),
        stays: [70, 80, 80, 90].map((allocation) => ({ allocation, came: 0, left: NONE, gone: NONE, still_there: 1 })),
    });
    const act = new parts.Act(scene, 0);
    const { rows, more } = parts.residents(act, 99);
    assert.equal(rows.length, 24);
    assert.equal(more, 76);
    for (const row of [70, 80, 90, 99])
        assert.ok(rows.includes(row));
    assert.deepEqual(rows, rows.toSorted((a, b) => a - b));
});

test('a page says what it was made of', () => {
    const about = (...words) => runScene('scenarios/lessons/03-no-room.vms', ...words).about;
    const { seed, input, version } = about('--seed=18446744073709551615');
    assert.equal(seed, '18446744073709551615');
    assert.match(input, /^[0-9a-f]{16}$/);
    assert.match(version, /^\d/);
    assert.equal(about().input, input);
    assert.notEqual(runScene('scenarios/lessons/04-apertures.vms').about.input, input);
});

test('a test is compared with its namesake', () => {
    const scene = (...names) => {
        const made = makeScene({ statements: names.map((text) => ({ text })) });
        made.acts.rows = names.length;
        made.acts.name = Array.from(made.statements.text);
        made.acts.file = made.acts.end = made.acts.passed = names.map(() => 0);
        for (const column of Object.keys(made.acts).filter((it) => /_(first|count)$/.test(it)))
            made.acts[column] = names.map(() => 0);
        return made;
    };
    const like = (other, of, index) => parts.actLike(other, new parts.Act(of, index))?.index;
    assert.equal(like(scene('b', 'a'), scene('a', 'b'), 0), 1);
    assert.equal(like(scene('c', 'd'), scene('a', 'b'), 0), undefined);
    assert.equal(like(scene(''), scene(''), 0), 0);
    assert.equal(like(scene(''), scene('', ''), 1), undefined);
});

test('names in a drawing are no markup', () => {
    assert.equal(parts.xml('<a b="c">&\u0001\u{1F600}'), '&#60;a b=&#34;c&#34;&#62;&#38;\uFFFD\u{1F600}');
});

test('the next and the previous change of a segment', () => {
    const act = new parts.Act(lake(), 0);
    assert.equal(act.changeOf(0, 0, true), 1);
    assert.equal(act.changeOf(0, 2, true), 3);
    assert.equal(act.changeOf(0, 3, true), NONE);
    assert.equal(act.changeOf(0, 3, false), 2);
    assert.equal(act.changeOf(0, 1, false), NONE);
});

test('on the axis of events each is as wide as the others, those of one time too', () => {
    const axis = new parts.Axis(new parts.Act(lake(), 0), 'events');
    assert.equal(axis.length, 6);
    assert.deepEqual([0, 1, 2, 3, 4].map((event) => axis.of(event, 0)), [0, 1, 2, 3, 4]);
    assert.equal(axis.ofTime(150), 1.5);
    assert.equal(axis.eventAt(3.9), 3);
    assert.equal(axis.eventAt(99), 4);
    const { from, to } = axis.stays();
    assert.deepEqual([...from], [1, 2]);
    assert.deepEqual([...to], [3, 6]);
});

test('on the axis of time the last event of a time is meant', () => {
    const axis = new parts.Axis(new parts.Act(lake(), 0), 'time');
    assert.equal(axis.length, 300);
    assert.equal(axis.eventAt(250), 2);
    assert.equal(axis.eventAt(300), 4);
    assert.deepEqual(parts.clampView(axis, -50, 50), { from: 0, to: 100 });
    assert.deepEqual(parts.clampView(axis, 250, 900), { from: 0, to: 300 });
});

test('a point finds the box under it', () => {
    const act = new parts.Act(lake(), 0);
    const axis = new parts.Axis(act, 'time');
    const { panels } = parts.layOut(act, { height: 400, counters: [], alone: NONE });
    const panel = panels.find(({ kind }) => kind === 'segment');
    const y = (offset) => parts.offsetToY(panel, 1000, offset);
    assert.ok(y(1000) < y(0), 'addresses go up');
    assert.ok(Math.abs(parts.yToOffset(panel, 1000, y(700)) - 700) < 1e-6);
    assert.deepEqual(parts.hitTest(act, axis, panels, 150, 0, y(200)), { kind: 'stay', row: 0 });
    assert.deepEqual(parts.hitTest(act, axis, panels, 250, 0, y(700)), { kind: 'stay', row: 1 });
    assert.equal(parts.hitTest(act, axis, panels, 50, 0, y(200)), null);
    assert.equal(parts.hitTest(act, axis, panels, 250, 0, y(500)), null);
});

test('panels do not overlap, and one segment can be shown alone', () => {
    const scene = lake();
    const act = new parts.Act(scene, 0);
    for (const alone of [NONE, 0]) {
        const { panels, height } = parts.layOut(act, { height: 300, counters: [], alone });
        for (let i = 1; i < panels.length; i++)
            assert.ok(panels[i].y >= panels[i - 1].y + panels[i - 1].height);
        assert.ok(height >= panels.at(-1).y + panels.at(-1).height);
    }
});

test('too many boxes become pixels, none smaller than one', () => {
    const pixels = new Uint32Array(10 * 4);
    parts.fillPixels(pixels, 10, 4, 2, (i) => [
        { x0: 1, x1: 3, y0: 0, y1: 2, color: 5 }, { x0: 9.2, x1: 9.3, y0: 3.1, y1: 3.2, color: 6 }][i]);
    assert.deepEqual([...pixels], [
        0, 5, 5, 0, 0, 0, 0, 0, 0, 0, 0, 5, 5, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6]);
});

test('a curve keeps the highest and the lowest value of each column', () => {
    const times = [0, 10, 11, 12, 35];
    const values = [1, 5, 0, 3, 2];
    const { low, high } = parts.decimate(values, 0, 5, (point) => times[point] / 10, 5);
    assert.deepEqual([...high], [1, 5, 3, 3, 2]);
    assert.deepEqual([...low], [0, 0, 3, 2, 2]);
});

test('filters: level, kind, allocation, words', () => {
    const act = new parts.Act(lake(), 0);
    const rows = (filter) => [...parts.filterEvents(act, { level: 0, kind: NONE, chosen: NONE, words: '', ...filter })];
    assert.deepEqual(rows({}), [0, 1, 2, 3, 4]);
    assert.deepEqual(rows({ words: 'SKY' }), [1, 3]);
    assert.deepEqual(rows({ chosen: 1 }), [2]);
    assert.deepEqual(rows({ words: 'nowhere' }), []);
    assert.deepEqual(rows({ words: 'placed' }), [1, 2]);
    assert.deepEqual(rows({ words: 'placedgrass' }), [], 'not across two texts');
});

test('the address keeps any name', () => {
    const state = { e: 418, a: 'a&b=#<grass>', q: undefined, x: '' };
    const link = parts.writeLink(state);
    assert.deepEqual(parts.readLink(link), { e: '418', a: 'a&b=#<grass>' });
    const act = new parts.Act(lake(), 0);
    assert.equal(parts.eventOfNumber(act, 12), 2);
    assert.equal(parts.eventOfNumber(act, 1), 0);
    assert.equal(parts.eventOfNumber(act, 999), 4);
    assert.equal(parts.allocationOfName(act, 'grass'), 1);
    assert.equal(parts.allocationOfName(act, 'none'), NONE);
});

test('an answer is judged as the quiz judges it', () => {
    const table = readFileSync(new URL('../answers.txt', import.meta.url), 'utf8');
    let asked;
    let judged = 0;
    for (const line of table.split('\n').filter((it) => it && !it.startsWith('#'))) {
        const [, verdict, list] = /^(right|wrong|unread) (.*)$/.exec(line) ?? [];
        if (!verdict) {
            const [, form, value, answer, text] = /^(\S+) (\d+) (.*) \? (.*)$/.exec(line);
            asked = { form, value: BigInt(value), answer, text };
            continue;
        }
        for (const given of list.split('|')) {
            assert.equal(parts.judgeAnswer(given, asked), verdict, `'${given}' to '${asked.text}'`);
            judged++;
        }
    }
    assert.ok(judged > 150, `${judged} answers`);
    assert.equal(parts.judgeAnswer('constructor', { form: 'yes', answer: 'yes' }), 'unread');
});

test('of an exercise nothing is shown before its first answers', () => {
    const scene = runScene('scenarios/lessons/exercises/03-no-room.vms');
    const act = new parts.Act(scene, 0);
    const asks = Array.from({ length: scene.said.rows }, (_, i) => i).filter((i) => scene.said.kind[i] === 1);
    assert.equal(asks.length, 3);
    for (const row of asks)
        assert.equal(parts.lastSeen(act, row), act.events.first);
    const lesson = runScene('scenarios/lessons/03-no-room.vms');
    const ask = Array.from(lesson.said.kind).indexOf(1);
    assert.equal(parts.lastSeen(new parts.Act(lesson, 0), ask), lesson.said.event[ask] - 1);
});

test('a question has the values of parameters, and what is done before it', () => {
    const scene = runScene('scenarios/lessons/exercises/03-no-room.vms');
    const act = new parts.Act(scene, 0);
    assert.match(parts.withValues(act, 'sky has $sky, $unknown'), /^sky has \d+ MiB, \$unknown$/);
    const asks = (it) => Array.from(it.scene.said.kind).flatMap((kind, i) => kind === 1 ? [i] : []);
    const { lines, more } = parts.doneBefore(act, asks(act)[0]);
    assert.match(lines[0], /^create sky size=\d+ MiB segments=vram content=1$/);
    assert.match(lines.join('\n'), /page-in [a-z,]+\n(submit look read=rocks\nwait look\n)?submit frame1/);
    assert.equal(more, 0);
    for (const row of asks(act))
        assert.deepEqual(parts.doneBefore(act, row).lines, lines, 'questions about one moment');

    const aper = new parts.Act(runScene('scenarios/lessons/exercises/04-apertures.vms'), 0);
    const [first, second] = asks(aper).map((row) => parts.doneBefore(aper, row).lines);
    assert.deepEqual(first.slice(-2), ['submit frame1 read=model,vertices', 'wait frame1']);
    assert.match(second[0], /^evict/, 'a later question goes on from the one before');

    const loop = new parts.Act(runScene('scenarios/lessons/exercises/12-fragmentation.vms'), 0);
    const rounds = parts.doneBefore(loop, asks(loop)[0]);
    assert.equal(rounds.lines.filter((line) => line.startsWith('pin')).length, 1);
    assert.ok(rounds.more > 10 && !/\bask|expect|param/.test(rounds.lines.join('\n')));
});

test('what an included file does is listed, and what is done after it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vidmm-logic-'));
    writeFileSync(join(folder, 'body.vms'), `vidmm-scenario 1
adapter wddm=1.1
segment vram id=1 kind=memory size=32M


create a size=4M
page-in a
`);
    writeFileSync(join(folder, 'main.vms'), `vidmm-scenario 1
exercise "Included"
include "body.vms"
create c size=4M
page-in c
ask "How many MiB are free?" = free(vram)
`);
    const act = new parts.Act(runScene(join(folder, 'main.vms')), 0);
    rmSync(folder, { recursive: true });
    const { lines, more } = parts.doneBefore(act, Array.from(act.scene.said.kind).indexOf(1));
    assert.deepEqual([lines.slice(-4), more],
        [['create a size=4M', 'page-in a', 'create c size=4M', 'page-in c'], 0]);
});

test('the source of an exercise keeps what would tell the answer', () => {
    assert.equal(parts.withoutAnswer('  ask "How \\"much\\" = ?" = free(vram) by PLACE-007 hint "x"'),
        '  ask "How \\"much\\" = ?" = ?');
    const lines = ['choose', '  case 1', '    page-in a', '  case 1', '    page-in b', 'end', 'let x = 3',
        'expect a in vram', 'expect events', '  evict a', 'end', 'submit f read=a'];
    assert.deepEqual([...parts.heldBack(lines, (number) => number === 5 || number === 12)],
        [1, 2, 3, 4, 6, 7, 8, 9, 10, 11]);
    assert.deepEqual([...parts.heldBack(['choose', 'case 1', 'quietly', 'create a', 'end', 'case 1',
        'create secret', 'end', 'create z'], (number) => number < 6)], [1, 2, 6, 7, 8]);
});

test('every block of the language is a block in the source of an exercise', () => {
    const table = readFileSync(new URL('../../../scenarios/lang/tables/statements.def', import.meta.url), 'utf8');
    const words = [...table.matchAll(/^STATEMENT\(\w+, "([a-z-]+)", [^,]*TRAIT_BLOCK/gm)].map(([, word]) => word);
    assert.ok(words.length > 6 && words.includes('quietly'), `${words}`);
    const openers = [...words.filter((word) => word !== 'case'), 'expect events', 'expect map vram', 'submit f with # x'];
    for (const opener of openers) {
        const lines = ['choose', 'case 1', opener, 'at 0', 'end', 'page-in secret', 'end', 'page-in z'];
        const held = parts.heldBack(lines, (number) => number === 8);
        assert.ok(held.has(6) && !held.has(8), opener);
    }
    const plain = ['choose', 'case 1', 'submit f read=with', 'page-in a', 'end', 'page-in z'];
    assert.ok(!parts.heldBack(plain, () => true).has(6));
});

test('a page opens at what failed, else where somebody had to leave, else at the first place', () => {
    const scene = lake();
    const act = new parts.Act(scene, 0);
    assert.deepEqual(parts.openingOf(act, NONE), { event: 1, statement: NONE });
    assert.deepEqual(parts.openingOf(act, 4), { event: 4, statement: NONE });
    const room = runScene('tests/tools/view/no-room.vms');
    const { event } = parts.openingOf(new parts.Act(room, 0), NONE);
    assert.match(room.text(room.events.sentence[event]), /^target was placed in vram/);
    const failed = makeScene({
        events: [{ time: 0, seq: 1, level: 0, statement: 0 }, { time: 5, seq: 2, level: 0, statement: 0 },
            { time: 9, seq: 3, level: 0, statement: 2 }],
        statements: [{ first: 0, verdict: 0 }, { first: 2, verdict: 2 }, { first: 2, verdict: 0 }],
    });
    assert.deepEqual(parts.openingOf(new parts.Act(failed, 0), 0), { event: 1, statement: 1 });
    assert.equal(parts.eventOfStatement(new parts.Act(failed, 0), 2), 2);
    const empty = new parts.Act(makeScene({}), 0);
    assert.deepEqual(parts.openingOf(empty, NONE), { event: NONE, statement: NONE });
    assert.equal(empty.eventAt(5), NONE);
    assert.equal(new parts.Axis(empty, 'events').eventAt(0), NONE);
    assert.equal(parts.eventOfNumber(empty, 4), NONE);
});

test('a page without such a place opens at a hang, a loss, who left, or a move', () => {
    const opened = (lesson) => {
        const scene = runScene(`scenarios/lessons/${lesson}.vms`);
        const act = new parts.Act(scene, 0);
        return { act, said: scene.text(scene.events.sentence[parts.openingOf(act, NONE).event]) };
    };
    const { act, said } = opened('15-a-hang');
    assert.match(said, /^frame1 .* did not end in time/);
    assert.equal(act.hangs.length, 1);
    act.until = act.hangs[0] - 1;
    assert.deepEqual(act.hangs, []);
    assert.match(opened('05-eviction-sets').said, /^the content of hills was lost/);
    assert.match(opened('04-apertures').said, /^model was evicted/);
    assert.match(opened('08-read-and-write-sets').said, /^photo was placed in vram/);
    assert.match(opened('01-segments').said, /^refused: /);
    assert.match(opened('07-from-the-end').said, /^source was placed in vram/);
    const asked = makeScene({
        events: [{ time: 0, level: 0 }, { time: 1, level: 0 }, { time: 2, level: 1 }, { time: 3, level: 0 }],
        said: [{ kind: 0, event: 0 }, { kind: 1, event: 2 }],
    });
    assert.equal(parts.openingOf(new parts.Act(asked, 0), NONE).event, 3);
});

test('the first difference of two runs', () => {
    const a = new parts.Act(lake(), 0);
    const other = lake();
    const b = new parts.Act(other, 0);
    assert.equal(parts.firstDifference(a, b), null);
    other.events.time[2] = 201;
    assert.deepEqual(parts.firstDifference(a, b), { a: 2, b: 2 });
});

test('rows as CSV: quoted, and nothing that a spreadsheet would compute', () => {
    const scene = makeScene({
        events: [{ time: 5, seq: 1, level: 0, kind: 0, rule: 3, sentence: 'a, "b"', allocation: 0 },
            { time: 6, seq: 2, level: 0, kind: 0, rule: 0, sentence: 'plain', allocation: NONE }],
        allocations: [{ label: '=1+1' }],
    });
    scene.about = { kinds: ['place'], rules: { 3: ['PLACE-007', 'x', 'choice'] } };
    assert.equal(parts.rowsAsCsv(new parts.Act(scene, 0), [0, 1]),
        'event,time_ns,kind,rule,allocation,sentence\n1,5,place,PLACE-007,\'=1+1,"a, ""b"""\n2,6,place,,,plain\n');
    assert.equal(parts.fileStem({ run: 'scenarios/lessons/03-no-room.vms eviction=fifo' }), '03-no-room');
});

test('a row of the list is as high as its sentence is long', () => {
    const scene = makeScene({ events: [
        { sentence: 'short' }, { sentence: 'as long as a line of ten'.slice(0, 10) },
        { sentence: 'longer than a line has room for' }, { sentence: 'x'.repeat(500) } ] });
    const tops = (rows) => [...parts.rowTops(scene, Uint32Array.from(rows), { line: 20, pad: 5, room: 20,
        wide: new Float64Array(256).fill(1) })];
    assert.deepEqual(tops([0, 1, 2, 3]), [0, 25, 50, 95, 180]);
    assert.deepEqual(tops([2, 0]), [0, 45, 70]);
    assert.deepEqual(tops([]), [0]);
});

// Two searches look at the same; the second makes sky leave, and target comes.
const search = () => {
    const scene = makeScene({
        events: [
            { kind: 1, sentence: 'sky stays: pinned', level: 1 }, { kind: 1, sentence: 'rocks stay', level: 1 },
            { kind: 0, sentence: 'vram was tried: there is no room', pass: 1, level: 1 },
            { kind: 2, sentence: 'a hole is too small', level: 1 },
            { kind: 1, sentence: 'sky stays: pinned', level: 1 }, { kind: 1, sentence: 'rocks stay', level: 1 },
            { kind: 0, sentence: 'vram was tried: there is room', pass: 2, level: 1 },
            { kind: 2, sentence: 'a hole is too small', level: 1 },
            { kind: 3, sentence: 'sky was evicted', trail: 8 },
            { kind: 3, sentence: 'grass was evicted' },
            { kind: 4, sentence: 'target was placed' },
        ],
        arrows: [{ kind: 1, from: 8, to: 10 }, { kind: 1, from: 9, to: 10 }],
    });
    scene.about.kinds = ['candidate', 'pass-over', 'hole', 'evict', 'place'];
    return new parts.Act(scene, 0);
};

test('a trail becomes searches, and what was met twice is told once', () => {
    const act = search();
    const groups = parts.groupTrail(act, parts.rowsBehind(act, 8));
    assert.deepEqual(groups.map(({ head, met, again }) => [head, met, again]), [[2, [0, 1, 3], 0], [6, [], 3]]);
});

test('a place for which others had to leave has their search behind it, and so has each of them', () => {
    const act = search();
    assert.deepEqual(parts.roomOf(act, 10), { victims: [8, 9], comers: [] });
    assert.deepEqual(parts.roomOf(act, 9), { victims: [], comers: [10] });
    for (const event of [8, 9, 10])
        assert.deepEqual(parts.rowsBehind(act, event), [0, 1, 2, 3, 4, 5, 6, 7], `event ${event}`);
    assert.deepEqual(parts.rowsBehind(act, 3), []);
});

test('notes that follow each other are one paragraph', () => {
    const lines = ['note "A card has"', '  note "32 \\"MiB\\"."', 'create a', 'note "Then"', 'ask "why?" = 4M', 'note "it" # not it'];
    assert.deepEqual([...parts.joinNotes(lines)], [[1, 'A card has 32 "MiB".'], [2, ''], [4, 'Then']]);
});

test('what an address names and the page does not have is said', () => {
    const scene = runScene('scenarios/lessons/03-no-room.vms');
    const act = new parts.Act(scene, 0);
    const { seq } = scene.events;
    const gapOf = (numbers) => numbers.find((number, i) => numbers[i + 1] > number + 1) + 1;
    const gap = gapOf(Array.from(seq));
    assert.equal(parts.missingWords(act, { e: String(seq[0]), a: 'sky' }), '');
    assert.equal(parts.missingWords(act, {}), '');
    assert.equal(parts.missingWords(act, { e: String(gap) }),
        `This page does not have event ${gap}; this is ${gap - 1}. ` +
        'It is a call of the miniport: vidmm view --calls shows those.');
    assert.equal(parts.missingWords(act, { e: '999' }),
        `This page does not have event 999; this is ${seq[act.events.end - 1]}, its last.`);
    const short = new parts.Act(runScene('--most-events=20', 'scenarios/lessons/03-no-room.vms'), 0);
    assert.match(parts.missingWords(short,
        { e: String(gapOf(Array.from(short.scene.events.seq))) }),
        /\. It is one of those that are left out, which are listed above the map, or a call of the miniport: vidmm view --calls shows those\.$/);
    const calls = new parts.Act(
        runScene('--calls', '--most-events=20', 'scenarios/lessons/03-no-room.vms'), 0);
    assert.match(parts.missingWords(calls,
        { e: String(gapOf(Array.from(calls.scene.events.seq))) }),
        /What it leaves out is listed above the map\.$/);
    // Other things that are left out are no events.
    const { omitted } = scene.about;
    omitted['points of counters'] = 3;
    assert.match(parts.missingWords(act, { e: String(gap) }), /\. It is a call of the miniport: /);
    omitted['points of counters'] = 0;
    const whole = new parts.Act(runScene('--calls', 'scenarios/lessons/03-no-room.vms'), 0);
    for (const number of whole.scene.events.seq)
        assert.equal(parts.missingWords(whole, { e: String(number) }), '');
    assert.equal(parts.missingWords(act, { e: 'foo', a: 'nosuch' }),
        '“foo” is no number of an event. There is no allocation nosuch.');
});

test('residency in an exercise knows nobody who comes later', () => {
    const scene = runScene('scenarios/lessons/03-no-room.vms');
    const act = new parts.Act(scene, 0);
    const names = () => parts.residents(act, parts.NONE).rows.map((row) => act.label(row));
    assert.deepEqual(names().toSorted(), ['grass', 'rocks', 'sky', 'target']);
    act.until = scene.allocations.created[parts.allocationOfName(act, 'grass')];
    assert.deepEqual(names(), ['sky', 'grass']);
    assert.equal(parts.residents(act, parts.NONE).more, 0);
});

test('a long run opens close to what happened, a short one as a whole', () => {
    const opened = (lesson) => {
        const act = new parts.Act(runScene(`scenarios/lessons/${lesson}.vms`), 0);
        const axis = new parts.Axis(act, 'events');
        const { event } = parts.openingOf(act, parts.NONE);
        return { act, axis, event, near: parts.closeUpOf(act, axis, event, axis.length) };
    };
    assert.equal(opened('03-no-room').near, null);
    const { act, axis, event, near } = opened('16-a-model-too-large');
    const places = [event, ...parts.roomOf(act, event).victims].map((row) => axis.of(row, act.time(row)));
    assert.equal(places.length, 2);
    assert.ok(places.every((place) => near.from < place && place < near.to));
    assert.ok(near.to - near.from < axis.length / 3);
});

test('a verdict counts expectations and statements apart, as the last line of a run does', () => {
    const words = (totals) => parts.verdictWords({ expectations: 4, failed: 0, unexpected: 0, exit: 0, ...totals });
    assert.deepEqual(words({}), ['good', '✓ 4 expectations held']);
    assert.deepEqual(words({ failed: 3, unexpected: 1, exit: 1 }),
        ['bad', '✗ 3 of 4 expectations failed, 1 statement did not end as expected']);
    assert.deepEqual(words({ unexpected: 2, exit: 1 }), ['bad', '✗ 2 statements did not end as expected']);
    assert.deepEqual(words({ exit: 4 }), ['bad', '✗ stopped: exit code 4']);
});
