// SPDX-License-Identifier: MIT
// colours.test.mjs: can boxes that touch be told apart, by people with any kind of colour vision?
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parts, runScene, runScenes } from './parts.mjs';

const root = new URL('../../../', import.meta.url);
const lessons = readdirSync(new URL('scenarios/lessons/', root)).filter((name) => name.endsWith('.vms'))
    .map((name) => `scenarios/lessons/${name}`);

// ---- who touches whom --------------------------------------------------------------------------

/** Pairs of stays of one segment whose boxes touch: above each other, or one right after the other at
 * the same addresses. All pairs are looked at, as nothing of hues.c may be believed here. */
function touching({ stays, rows }) {
    const { segment, allocation, begin, end, offset, bytes } = stays;
    const pairs = [];
    const top = (stay) => offset[stay] + bytes[stay];
    const meets = (a, b) => {
        const share = offset[a] < top(b) && offset[b] < top(a);
        const beside = (offset[a] === top(b) || offset[b] === top(a)) && begin[a] <= end[b] && begin[b] <= end[a];
        const between = () => rows.some((c) => c !== a && c !== b && segment[c] === segment[a] && bytes[c] &&
            begin[c] >= begin[a] && begin[c] < begin[b] && offset[c] < top(a) && offset[c] < top(b) &&
            offset[a] < top(c) && offset[b] < top(c));
        return beside || (share && !between());
    };
    for (const [i, b] of rows.entries())
        for (const a of rows.slice(0, i))
            if (segment[a] === segment[b] && allocation[a] !== allocation[b] && bytes[a] && bytes[b] && meets(a, b))
                pairs.push([a, b]);
    return pairs;
}

test('no two boxes that touch have one colour, in any lesson', () => {
    let all = 0;
    for (const lesson of lessons) {
        const scene = runScene(lesson);
        for (let index = 0; index < scene.acts.rows; index++) {
            const act = new parts.Act(scene, index);
            const rows = Array.from({ length: act.stays.end - act.stays.first }, (_, i) => act.stays.first + i)
                .filter((stay) => scene.stays.allocation[stay] !== parts.NONE);
            for (const [a, b] of touching({ stays: scene.stays, rows })) {
                const [one, other] = [a, b].map((stay) => scene.stays.allocation[stay]);
                assert.notEqual(parts.hueOf(act, one), parts.hueOf(act, other),
                    `${lesson}: ${act.label(one)} and ${act.label(other)}`);
                all++;
            }
        }
    }
    assert.ok(all > 100, `${all} pairs`);
});

test('an allocation of two runs has one colour in both', () => {
    for (const file of ['scenarios/workloads/video.vms', 'scenarios/workloads/llm.vms', lessons[2]]) {
        const [a, b] = runScenes('--with=eviction=fifo', file).map((scene) => new parts.Act(scene, 0));
        const huesOf = (act) => new Map(Array.from({ length: act.allocations.end - act.allocations.first },
            (_, i) => [act.label(act.allocations.first + i), parts.hueOf(act, act.allocations.first + i)]));
        const [one, other] = [huesOf(a), huesOf(b)];
        assert.ok(one.size > 1, file);
        assert.deepEqual([...other].filter(([name, hue]) => one.has(name) && one.get(name) !== hue), [], file);
        assert.ok([...other.keys()].some((name) => one.has(name)), file);
    }
});

// ---- what the eye sees -------------------------------------------------------------------------

const tokens = readFileSync(new URL('tools/view/page/tokens.css', root), 'utf8');
const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
const both = (name) => new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\);`).exec(tokens).slice(1).map(rgb);
const linear = (color) => color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
});
const times = (matrix, vector) => matrix.map((row) => row.reduce((sum, value, i) => sum + value * vector[i], 0));

/** Kinds of colour vision as matrices over linear RGB (Machado, Oliveira, Fernandes 2009), and how far
 * apart two colours have to be for them. */
const EYES = {
    usual: [[[1, 0, 0], [0, 1, 0], [0, 0, 1]], 0.07],
    deuteranope: [[[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]], 0.06],
    protanope: [[[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]], 0.06],
    tritanope: [[[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]], 0.04],
};

/** Oklab, in which equal distances look about equal. */
function oklab(light) {
    const cones = times([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005]], light).map(Math.cbrt);
    return times([[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.808675766]], cones);
}

const luminance = (color) => times([[0.2126, 0.7152, 0.0722]], linear(color))[0];

function contrast(a, b) {
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
}

test('every hue differs from every other one for every eye, in the light and in the dark', () => {
    for (const [eye, [matrix, least]] of Object.entries(EYES))
        for (const theme of [0, 1]) {
            const seen = Array.from({ length: parts.HUES }, (_, i) =>
                oklab(times(matrix, linear(both(`hue${i}`)[theme])).map((value) => Math.min(1, Math.max(0, value)))));
            for (const [i, a] of seen.entries())
                for (const b of seen.slice(0, i))
                    assert.ok(Math.hypot(...a.map((value, k) => value - b[k])) >= least,
                        `${eye}, hue${i} and hue${seen.indexOf(b)} in ${['light', 'dark'][theme]}`);
        }
});

test('an outline can be seen on its ground, and a name on its box', () => {
    for (const theme of [0, 1])
        for (let i = 0; i <= parts.HUES; i++) {
            const hue = both(`hue${i}`)[theme];
            const edge = parts.edgeOf(hue, theme === 1);
            for (const ground of ['surface', 'page', 'free'])
                assert.ok(contrast(edge, both(ground)[theme]) >= 3, `hue${i} on ${ground}, ${theme}`);
            assert.ok(contrast(parts.boxInk(theme === 1), hue) >= 4.5, `name on hue${i}, ${theme}`);
        }
});
