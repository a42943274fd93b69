// SPDX-License-Identifier: MIT
// pointer.js: what a mouse, a pen or fingers do on a map. One drags it, two stretch it, Shift and a
// drag zoom into a range, and what did not move is a click.

const FEWEST_APART = 20; // pixels between two fingers
const MOST_OF_A_CLICK = 4;

class Pointers {
    /** @param {StageView} stage */
    constructor(stage) {
        this.stage = stage;
        this.held = new Map();
        this.gesture = null;
    }

    /** A finger came or went: what was seen is the new beginning. */
    begin(moved) {
        const begun = [...this.held].slice(0, 2);
        this.gesture = begun.length ? { begun, moved, view: this.stage.app.view } : null;
    }

    down(happened) {
        if (happened.button !== 0)
            return;
        this.held.set(happened.pointerId, this.stage.at(happened).x);
        this.stage.plot.setPointerCapture(happened.pointerId);
        this.begin(this.held.size > 1);
    }

    /** @returns {boolean} is it one that is down? */
    move(happened) {
        if (!this.gesture || !this.held.has(happened.pointerId))
            return false;
        this.held.set(happened.pointerId, this.stage.at(happened).x);
        this.drag(happened.shiftKey);
        return true;
    }

    drag(shift) {
        const { stage, gesture } = this;
        const { begun, view } = gesture;
        const now = begun.map(([id]) => this.held.get(id));
        const was = begun.map(([, x]) => x);
        gesture.moved ||= Math.abs(now[0] - was[0]) > MOST_OF_A_CLICK;
        if (!gesture.moved)
            return;
        const perPixel = (view.to - view.from) / stage.plotWidth;
        if (now.length === 2) {
            // What was under the fingers stays under them.
            const apart = (pair) => Math.max(FEWEST_APART, Math.abs(pair[1] - pair[0]));
            const middle = (pair) => (pair[0] + pair[1]) / 2 - stage.left;
            const scaled = perPixel * apart(was) / apart(now);
            const from = view.from + middle(was) * perPixel - middle(now) * scaled;
            stage.app.see(from, from + scaled * stage.plotWidth);
        } else if (shift) {
            stage.range = { from: Math.min(was[0], now[0]), to: Math.max(was[0], now[0]) };
            stage.drawOver();
        } else {
            const by = (now[0] - was[0]) * perPixel;
            stage.app.see(view.from - by, view.to - by);
        }
    }

    /** @param {boolean} here false: the browser took it away, to scroll */
    up(happened, here) {
        const { stage, gesture } = this;
        if (!this.held.delete(happened.pointerId) || !gesture)
            return;
        const { range } = stage;
        stage.range = null;
        if (range && here)
            stage.app.see(stage.positionAt(range.from), stage.positionAt(range.to));
        else if (range)
            stage.drawOver();
        else if (here && !gesture.moved && !this.held.size)
            stage.click(stage.at(happened).x, stage.at(happened).y);
        this.begin(true);
    }
}
