// SPDX-License-Identifier: MIT
// compare.js: two runs on one axis, and where they first differ.

/** The act of a second run to compare with: that of the same test, or the one at the same place.
 * @returns {Act|null} */
function actLike(scene, act) {
    const { acts } = scene;
    for (let i = 0; i < acts.rows && act.name; i++)
        if (scene.text(acts.name[i]) === act.name)
            return new Act(scene, i);
    const unnamed = act.index < acts.rows && !(act.name && acts.name[act.index]);
    return unnamed ? new Act(scene, act.index) : null;
}

/** The first events of the story that two acts do not share: what happened, or to whom, or when.
 * @returns {{a: number, b: number}|null} NONE: that run was over */
function firstDifference(a, b) {
    const story = function* (act) {
        for (let i = act.events.first; i < act.events.end; i++)
            if (act.scene.events.level[i] === 0)
                yield i;
    };
    const left = story(a);
    const right = story(b);
    for (;;) {
        const one = left.next();
        const two = right.next();
        if (one.done && two.done)
            return null;
        if (one.done || two.done)
            return { a: one.done ? NONE : one.value, b: two.done ? NONE : two.value };
        const text = (act, row) => act.scene.text(act.scene.events.sentence[row]);
        if (a.time(one.value) !== b.time(two.value) || text(a, one.value) !== text(b, two.value))
            return { a: one.value, b: two.value };
    }
}

/** The caption of each of two runs. */
function runNames(a, b) {
    const verdict = (about) => verdictWords(about.totals)[1];
    return [`A: ${a.run} · ${verdict(a)}`, `B: ${b.run} · ${verdict(b)}`];
}

function paintDifference(stage, event, height) {
    const { ctx, act, axis, palette, left, width, x } = stage;
    const at = x(axis.of(event, act.time(event)));
    if (at < left || at > left + width)
        return;
    ctx.strokeStyle = palette.bad;
    ctx.lineWidth = 2;
    ctx.setLineDash([3, 3]);
    ctx.beginPath();
    ctx.moveTo(at, AXIS_HEIGHT);
    ctx.lineTo(at, height);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.lineWidth = 1;
    ctx.fillStyle = palette.bad;
    ctx.font = FONT(11, 600);
    ctx.textBaseline = 'bottom';
    const text = '≠ first difference';
    const wide = ctx.measureText(text).width;
    ctx.textAlign = at + wide + 10 > left + width ? 'right' : 'left';
    ctx.fillText(text, at + (ctx.textAlign === 'left' ? 5 : -5), height - 3);
}
