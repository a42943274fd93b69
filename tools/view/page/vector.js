// SPDX-License-Identifier: MIT
// vector.js: what the painters draw, as SVG. A pen with the calls of a canvas that they use, so
// that there is one code that draws.

/** Of a text or a name, what may stand in XML. */
const xml = (text) => String(text).toWellFormed().replace(/[^\t\n\r\x20-\uFFFD]/gu, (letter) =>
    letter.codePointAt(0) > 0xFFFF ? letter : '\uFFFD')
    .replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

const short = (number) => String(Math.round(number * 100) / 100);

class VectorPen {
    /** @param {string} prefix of the names of clips and patterns */
    constructor(prefix = 'x') {
        this.prefix = prefix;
        this.body = [];
        this.defs = [];
        this.saved = [];
        this.path = [];
        this.groups = 0;
        this.dash = [];
        this.measure = document.createElement('canvas').getContext('2d');
        Object.assign(this, { fillStyle: '#000', strokeStyle: '#000', lineWidth: 1,
            lineJoin: 'miter', globalAlpha: 1, font: '10px sans-serif', textAlign: 'left',
            textBaseline: 'alphabetic' });
    }

    /** @returns {string} a whole file */
    file(width, height, title) {
        const [wide, high] = [short(width), short(height)];
        const size = `width="${wide}" height="${high}" viewBox="0 0 ${wide} ${high}"`;
        // The name of SVG looks like an address, and a page that loads nothing has none in it.
        const { namespaceURI } = new DOMParser().parseFromString('<svg/>', 'text/html')
            .querySelector('svg');
        return `<svg xmlns="${namespaceURI}" ${size}>\n<title>${xml(title)}</title>\n` +
            `<defs>${this.defs.join('\n')}</defs>\n${this.body.join('\n')}` +
            `${'</g>'.repeat(this.groups)}\n</svg>\n`;
    }

    /** What another pen drew, so much lower; its clips and patterns have names of their own. */
    insert(pen, y) {
        this.defs.push(...pen.defs);
        this.body.push(`<g transform="translate(0 ${short(y)})">`, pen.body.join('\n'),
            '</g>'.repeat(pen.groups + 1));
    }

    // ---- state ---------------------------------------------------------------------------------

    save() {
        const { fillStyle, strokeStyle, lineWidth, lineJoin, globalAlpha, font, textAlign,
            textBaseline, dash, groups } = this;
        this.saved.push({ fillStyle, strokeStyle, lineWidth, lineJoin, globalAlpha, font, textAlign,
            textBaseline, dash, groups });
    }

    restore() {
        const state = this.saved.pop();
        this.body.push('</g>'.repeat(this.groups - state.groups));
        Object.assign(this, state);
    }

    setLineDash(dash) {
        this.dash = dash;
    }

    // A file is as large as the page says: nothing is scaled, and nothing was there before.
    setTransform() {}
    resetTransform() {}
    clearRect() {}

    getTransform() {
        return { a: 2 };
    }

    // ---- paths ---------------------------------------------------------------------------------

    beginPath() {
        this.path = [];
    }

    add(letter, ...numbers) {
        this.path.push(letter + numbers.map(short).join(' '));
    }

    moveTo(x, y) {
        this.add('M', x, y);
    }

    lineTo(x, y) {
        this.add(this.path.length ? 'L' : 'M', x, y);
    }

    bezierCurveTo(...points) {
        this.add('C', ...points);
    }

    rect(x, y, width, height) {
        this.path.push(`M${short(x)} ${short(y)}h${short(width)}v${short(height)}` +
            `h${short(-width)}z`);
    }

    roundRect(x, y, width, height, radius) {
        const r = Math.min(radius, width / 2, height / 2);
        const turn = (dx, dy) => `a${short(r)} ${short(r)} 0 0 1 ${short(dx)} ${short(dy)}`;
        const [across, down] = [width - 2 * r, height - 2 * r];
        this.path.push(`M${short(x + r)} ${short(y)}h${short(across)}${turn(r, r)}` +
            `v${short(down)}${turn(-r, r)}h${short(-across)}${turn(-r, -r)}` +
            `v${short(-down)}${turn(r, -r)}z`);
    }

    /** Whole circles are all that is drawn. */
    arc(x, y, radius) {
        const half = (width) => `a${short(radius)} ${short(radius)} 0 1 1 ${short(width)} 0`;
        this.path.push(`M${short(x - radius)} ${short(y)}${half(2 * radius)}${half(-2 * radius)}`);
    }

    // ---- paint ---------------------------------------------------------------------------------

    /** A colour as programs older than its CSS notation know it. */
    paint(name, style) {
        if (style.id)
            return `${name}="url(#${style.id})"${this.opacity(name, 1)}`;
        const [, red, green, blue, alpha = '1'] =
            /^rgb\((\d+) (\d+) (\d+)(?: \/ ([\d.]+))?\)$/.exec(style) ?? [];
        const hex = (value) => Number(value).toString(16).padStart(2, '0');
        const color = red === undefined ? style : `#${[red, green, blue].map(hex).join('')}`;
        return `${name}="${xml(color)}"${this.opacity(name, Number(alpha))}`;
    }

    opacity(name, alpha) {
        const all = alpha * this.globalAlpha;
        return all === 1 ? '' : ` ${name}-opacity="${short(all)}"`;
    }

    line() {
        return `fill="none" ${this.paint('stroke', this.strokeStyle)} ` +
            `stroke-width="${short(this.lineWidth)}"` +
            (this.dash.length ? ` stroke-dasharray="${this.dash.join(' ')}"` : '') +
            (this.lineJoin === 'miter' ? '' : ` stroke-linejoin="${this.lineJoin}"`);
    }

    fill() {
        this.body.push(`<path d="${this.path.join('')}" ${this.paint('fill', this.fillStyle)}/>`);
    }

    stroke() {
        this.body.push(`<path d="${this.path.join('')}" ${this.line()}/>`);
    }

    clip(rule = 'nonzero') {
        const id = `${this.prefix}${this.defs.length}`;
        this.defs.push(`<clipPath id="${id}"><path d="${this.path.join('')}" ` +
            `clip-rule="${rule}"/></clipPath>`);
        this.body.push(`<g clip-path="url(#${id})">`);
        this.groups++;
    }

    box(x, y, width, height) {
        const [left, top] = [Math.min(x, x + width), Math.min(y, y + height)];
        return `<rect x="${short(left)}" y="${short(top)}" width="${short(Math.abs(width))}" ` +
            `height="${short(Math.abs(height))}"`;
    }

    fillRect(...box) {
        this.body.push(`${this.box(...box)} ${this.paint('fill', this.fillStyle)}/>`);
    }

    strokeRect(...box) {
        this.body.push(`${this.box(...box)} ${this.line()}/>`);
    }

    // ---- texts, patterns, pixels ---------------------------------------------------------------

    measureText(text) {
        this.measure.font = this.font;
        return this.measure.measureText(text);
    }

    /** Baselines as numbers: not every program knows their names. */
    text(text, x, y, paint) {
        const size = Number(/([\d.]+)px/.exec(this.font)[1]);
        const down = { middle: 0.35, bottom: -0.2, top: 0.8 }[this.textBaseline] ?? 0;
        const end = { center: 'middle', right: 'end' }[this.textAlign];
        const anchor = end ? ` text-anchor="${end}"` : '';
        this.body.push(`<text x="${short(x)}" y="${short(y + down * size)}" ` +
            `style="font: ${xml(this.font)}"${anchor} xml:space="preserve" ${paint}>` +
            `${xml(text)}</text>`);
    }

    fillText(text, x, y) {
        this.text(text, x, y, this.paint('fill', this.fillStyle));
    }

    strokeText(text, x, y) {
        this.text(text, x, y, this.line());
    }

    /** @param {(pen: VectorPen) => void} draw a square that is repeated */
    pattern(size, draw) {
        const id = `${this.prefix}${this.defs.length}`;
        const pen = new VectorPen(`${id}-`);
        draw(pen);
        this.defs.push(`<pattern id="${id}" width="${size}" height="${size}" ` +
            `patternUnits="userSpaceOnUse">${pen.body.join('')}</pattern>`);
        return { id };
    }

    createImageData(width, height) {
        return new ImageData(width, height);
    }

    /** More boxes than anybody can count were drawn as pixels. */
    drawImage(image, x, y, width, height) {
        const copy = Object.assign(document.createElement('canvas'),
            { width: image.width, height: image.height });
        copy.getContext('2d').drawImage(image, 0, 0);
        this.body.push(`<image x="${short(x)}" y="${short(y)}" width="${short(width)}" ` +
            `height="${short(height)}" preserveAspectRatio="none" href="${copy.toDataURL()}"/>`);
    }
}
