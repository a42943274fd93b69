// SPDX-License-Identifier: MIT
// stage.js: the canvas of one run: its size, its view, what is under the mouse. Painting is in
// paint.js, fingers are in pointer.js.
//
// Two canvases lie on each other: the lower one changes with the view, the upper one with the
// cursor.

const AXIS_HEIGHT = 24;

class StageView {
    /** @param {App} app @param {HTMLElement} box */
    constructor(app, box) {
        this.app = app;
        this.box = box;
        this.base = make('canvas', { 'aria-hidden': 'true' });
        this.top = make('canvas', { 'aria-hidden': 'true' });
        this.plot = make('div', { className: 'plot', tabindex: '0', role: 'img', 'aria-label': '',
            children: [this.base, this.top] });
        this.tip = make('div', { className: 'tip', hidden: '' });
        this.caption = make('p', { className: 'run' });
        this.note = make('p', { className: 'quiet arrows-note' });
        box.replaceChildren(this.caption, this.plot, this.note, this.tip);
        this.listen();
        new ResizeObserver(() => this.resize()).observe(box);
    }

    /** @param {Act|null} act @param {[string, string]} [name] of the run, where there are two: what
     * is different about it, and what else is said of it */
    show(act, name) {
        this.act = act;
        const [own, more] = name ?? [];
        this.caption.replaceChildren(own ?? '', make('span', { className: 'quiet', text: more }));
        this.caption.hidden = !name;
        this.width = 0;
        this.resize();
    }

    get plotWidth() {
        return this.width - this.left - 2;
    }

    get left() {
        return this.width < 520 ? 74 : this.app.counterRows && this.width > 700 ? 176 : 112;
    }

    resize() {
        // The painters count in pixels of a page with letters of 16; on a wall they are larger.
        this.zoom = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
        const { paper } = this.app;
        const width = (paper ? paper.width : this.box.clientWidth) / this.zoom;
        const scale = (paper ? paper.scale : window.devicePixelRatio || 1) * this.zoom;
        const wish = this.app.stageHeight() / this.zoom;
        if (!this.act || !width || (width === this.width && wish === this.wish &&
            scale === this.scale && this.layoutKey === this.app.layoutKey()))
            return;
        this.width = width;
        this.wish = wish;
        this.scale = scale;
        this.layoutKey = this.app.layoutKey();
        const { panels, height } = layOut(this.act, { height: wish - AXIS_HEIGHT,
            counters: this.app.counters(this.act), alone: this.app.alone,
            residence: this.app.residence(this.act), dense: Boolean(this.app.otherAct) });
        this.panels = panels;
        for (const panel of panels)
            panel.y += AXIS_HEIGHT;
        this.height = height + AXIS_HEIGHT;
        for (const canvas of [this.base, this.top]) {
            canvas.width = Math.round(width * scale);
            canvas.height = Math.round(this.height * scale);
            canvas.style.width = `${width * this.zoom}px`;
            canvas.style.height = `${this.height * this.zoom}px`;
        }
        this.plot.style.height = `${this.height * this.zoom}px`;
        this.palette = null;
        this.draw();
    }

    /** Everything that the painters need. @param {HTMLCanvasElement} canvas */
    stage(canvas) {
        const { app, act, panels, left } = this;
        const ctx = canvas.getContext('2d');
        this.palette ??= makePalette(ctx, this.scale);
        const width = this.width - left - 2;
        const { view } = app;
        const perUnit = width / (view.to - view.from);
        return { ctx, act, axis: app.axisOf(act), palette: this.palette, panels, view, left, width,
            x: (position) => left + (position - view.from) * perUnit };
    }

    draw() {
        if (!this.act || !this.panels)
            return;
        const stage = this.stage(this.base);
        const { ctx } = stage;
        ctx.setTransform(this.scale, 0, 0, this.scale, 0, 0);
        ctx.fillStyle = stage.palette.surface;
        ctx.fillRect(0, 0, this.width, this.height);
        const known = knownPart(stage, this.act.until);
        ctx.words = this.words = [];
        clipFuture(known, this.height, () => {
            paintAxis(known, 0, AXIS_HEIGHT - 2);
            paintStage(known);
        });
        ctx.words = null;
        paintFuture(stage, known.future, this.height - GAP);
        this.drawOver();
    }

    drawOver() {
        if (!this.act || !this.panels)
            return;
        const stage = knownPart(this.stage(this.top), this.act.until);
        const { ctx } = stage;
        ctx.setTransform(this.scale, 0, 0, this.scale, 0, 0);
        ctx.clearRect(0, 0, this.width, this.height);
        clipFuture(stage, this.height, () => this.paintOver(stage));
        if (this.range)
            this.paintRange(ctx);
        this.plot.setAttribute('aria-label', this.app.describe(this.act));
    }

    /** @param {Stage} stage what is known of it */
    paintOver(stage) {
        const { app, act } = this;
        const chosen = app.chosenIn(act);
        if (chosen !== NONE)
            paintChosen(stage, chosen);
        const event = app.eventIn(act);
        this.note.textContent = app.arrows ? paintArrows(stage) : '';
        for (const arrow of act.arrowsAt(event).slice(0, 24))
            paintArrow(stage, arrow, true, this.words);
        const difference = app.differenceIn(act);
        paintCursor(stage, event, this.height - GAP, this.words);
        if (difference !== NONE)
            paintDifference(stage, difference, this.height - GAP);
        paintFlags(stage, event, difference);
    }

    paintRange(ctx) {
        ctx.fillStyle = this.palette.accent;
        ctx.globalAlpha = 0.2;
        ctx.fillRect(this.range.from, 0, this.range.to - this.range.from, this.height);
        ctx.globalAlpha = 1;
    }

    // ---- mouse ----------------------------------------------------------------------------------

    positionAt(x) {
        const { view } = this.app;
        return view.from + (x - this.left) / this.plotWidth * (view.to - view.from);
    }

    hit(x, y) {
        const { view } = this.app;
        const slack = 2 * (view.to - view.from) / this.width;
        const axis = this.app.axisOf(this.act);
        return hitTest(this.act, axis, this.panels, this.positionAt(x), slack, y);
    }

    /** Where the mouse is, in the painters' pixels. */
    at({ offsetX, offsetY }) {
        return { x: offsetX / this.zoom, y: offsetY / this.zoom };
    }

    listen() {
        const { plot } = this;
        const pointers = new Pointers(this);
        plot.addEventListener('pointerdown', (happened) => pointers.down(happened));
        plot.addEventListener('pointermove', (happened) => {
            if (!pointers.move(happened))
                this.point(this.at(happened).x, this.at(happened).y);
        });
        plot.addEventListener('pointerup', (happened) => pointers.up(happened, true));
        plot.addEventListener('pointercancel', (happened) => pointers.up(happened, false));
        plot.addEventListener('pointerleave', () => { this.tip.hidden = true; });
        plot.addEventListener('dblclick', (happened) =>
            this.app.zoom(0.4, this.positionAt(this.at(happened).x)));
        plot.addEventListener('wheel', (happened) => this.wheel(happened), { passive: false });
    }

    click(x, y) {
        const panel = panelAt(this.panels, y);
        this.tip.hidden = true;
        if (x < this.left && panel?.kind === 'segment') {
            this.app.showAlone(panel.row);
            return;
        }
        const hit = this.hit(x, y);
        if (hit?.kind === 'stay' && x >= this.left) {
            this.app.explain(hit.row, this.act);
            return;
        }
        if (x >= this.left)
            this.app.goTo(this.app.axisOf(this.act).eventAt(this.positionAt(x)), this.act);
        this.app.choose(hit?.kind === 'allocation' ?
            allocationOfName(this.app.act, this.act.label(hit.row)) : NONE, true);
    }

    wheel(happened) {
        const across = happened.shiftKey ? happened.deltaY || happened.deltaX : happened.deltaX;
        if (happened.ctrlKey || happened.metaKey) {
            happened.preventDefault();
            this.app.zoom(1.0015 ** happened.deltaY, this.positionAt(this.at(happened).x));
        } else if (Math.abs(across) > Math.abs(happened.shiftKey ? 0 : happened.deltaY)) {
            happened.preventDefault();
            this.app.pan(across / this.width);
        }
    }

    /** The words beside the mouse. */
    point(x, y) {
        const hit = this.hit(x, y);
        this.plot.style.cursor = hit ? 'pointer' : '';
        const { until } = this.act;
        const axis = this.app.axisOf(this.act);
        if (!hit || (until !== NONE &&
            this.positionAt(x) >= axis.after(until, this.act.time(until)))) {
            this.tip.hidden = true;
            return;
        }
        this.tip.replaceChildren(...hitWords(this.act, hit));
        this.tip.hidden = false;
        const wide = this.tip.offsetWidth;
        const left = Math.max(0, Math.min((x + 14) * this.zoom, this.width * this.zoom - wide));
        const top = Math.min((y + 16) * this.zoom,
            this.height * this.zoom - this.tip.offsetHeight - 4);
        this.tip.style.transform = `translate(${left}px, ${top}px)`;
    }
}

const LEFT = { room: 'left to make room' };

/** What a box says of itself. */
function hitWords(act, { kind, row }) {
    const { scene } = act;
    const until = act.until === NONE ? Infinity : act.time(act.until);
    const span = ({ begin, end }) => make('span', { text: `${formatTime(begin[row])} to ` +
        (end[row] <= until ? formatTime(end[row]) : '?') });
    if (kind === 'slice') {
        const { fence, lane } = scene.slices;
        const place = scene.text(scene.lanes.name[lane[row]]);
        return [make('b', { text: sliceName(act, row) }),
            make('span', { text: fence[row] ? `${place}, fence ${fence[row]}` : place }),
            span(scene.slices)];
    }
    if (kind === 'allocation')
        return [make('b', { text: act.label(row) }),
            make('span', { text: formatSize(scene.allocations.bytes[row]) })];
    const { offset, bytes, segment, left, why_left: why } = scene.stays;
    const words = [make('b', { text: stayName(act, row) }),
        make('span', { text: `${formatSize(bytes[row])} in ` +
            `${scene.text(scene.segments.name[segment[row]])} at ` + (offset[row] ?
            `${formatSize(offset[row])} (${formatOffset(offset[row])})` : '0') }),
        span(scene.stays)];
    if (why[row] && left[row] <= act.until)
        words.push(make('span', { text: LEFT[scene.text(why[row])] ??
            `left: ${scene.text(why[row])}` }));
    return words;
}
