// SPDX-License-Identifier: MIT
// moment.js: the moment under the cursor: its sentence, and each segment as a table with the
// columns of GPUView's segment viewer.

/** An element with a class, a text, children. Text is always a text node: names are data. */
function make(tag, { className, text, title, children, ...rest } = {}) {
    const element = document.createElement(tag);
    if (className)
        element.className = className;
    if (text !== undefined)
        element.textContent = text;
    if (title)
        element.title = title;
    for (const [name, value] of Object.entries(rest))
        element.setAttribute(name, value);
    element.append(...(children ?? []));
    return element;
}

/** A sentence as a heading: the number that a debugger shows stands in the list. */
const plainSentence = (sentence) => sentence.replace(/ = 0x[0-9A-F]+/g, '');

/** When it was, and which statement of the scenario led to it. */
function whenLine({ act, event }) {
    const { events, statements } = act.scene;
    const statement = events.statement[event];
    const line = make('p', { className: 'when', children: [
        make('b', { text: formatTime(events.time[event], 9) })] });
    if (statement !== NONE)
        line.append(` · line ${statements.line[statement]}: `,
            make('code', { text: act.scene.text(statements.text[statement]) }));
    return line;
}

/** What is said of the moment of a run: when, what, why. @param {App|object} side App.sideOf()
 * @returns {HTMLElement[]} */
function momentParts(side) {
    const { act, event } = side;
    const { events, about } = act.scene;
    // What comes just before a question need not have to do with it.
    if (event === act.until && event !== side.exercise.decided(act)) {
        const time = make('b', { text: formatTime(act.time(event), 9) });
        return [make('p', { className: 'when',
            children: [time, ' · the moment of the question'] })];
    }
    const sentence = act.scene.text(events.sentence[event]);
    return [whenLine(side),
        make('h2', { className: 'sentence', text: plainSentence(sentence) }),
        whyOf(side, event),
        causeList(side, event),
        make('p', { className: 'which', children: [
            `Event ${events.seq[event].toLocaleString('en-US')}, kind `,
            make('code', { text: about.kinds[events.kind[event]] })] })].filter(Boolean);
}

// ---- the segments as tables --------------------------------------------------------------------

// What is looked for first stands first; the words are GPUView's.
const COLUMNS = ['Allocation', 'Segment Offset', 'Size', 'Change', 'Flags', 'Locked', 'Process',
    'Priority', 'Preference', 'Width', 'Height', 'Format', 'Placement'];
const NUMBERS = new Set(['Segment Offset', 'Size', 'Width', 'Height']);

/** GPUView's triangles: paged in points right, discarded points left. */
function changeOfRow(act, stay, event) {
    const { came } = act.scene.stays;
    return came[stay] === event ? '▶ paged in' : act.isLeaving(stay, event) ? '◀ leaving' :
        act.isThere(stay, event) ? '' : '◀ left';
}

function cellsOf(act, stay, event, size) {
    const { stays, allocations, segments } = act.scene;
    const offset = offsetsLike(segments.size[stays.segment[stay]])(stays.offset[stay]);
    const allocation = stays.allocation[stay];
    if (allocation === NONE)
        return { 'Change': changeOfRow(act, stay, event), 'Allocation': stayName(act, stay),
            'Placement': act.scene.text(segments.name[stays.segment[stay]]),
            'Segment Offset': offset, 'Size': size(stays.bytes[stay]) };
    const marks = act.marksAt(allocation, event);
    const word = (column) => act.scene.text(allocations[column][allocation]);
    const states = ['pinned', 'dirty', 'offered', 'moving'].filter((mark) => marks.has(mark));
    return {
        'Change': changeOfRow(act, stay, event),
        'Process': word('process'),
        'Allocation': act.label(allocation),
        'Placement': act.scene.text(segments.name[stays.segment[stay]]),
        'Preference': allocations.preference ? word('preference') : '',
        'Priority': `0x${allocations.priority[allocation].toString(16).toUpperCase()}`,
        'Segment Offset': offset,
        'Size': size(stays.bytes[stay]),
        'Width': allocations.width[allocation] || '',
        'Height': allocations.height[allocation] || '',
        'Format': word('format'),
        'Locked': marks.has('locked') ? 'locked' : '',
        'Flags': [word('flags'), ...states].filter(Boolean).join(' '),
    };
}

/** @param {string[]} columns @param {Record<string, string>} cells */
function stayRow(app, stay, columns, cells) {
    const { act } = app;
    const allocation = act.scene.stays.allocation[stay];
    const row = make('tr', { className: act.isThere(stay, app.event) ? '' : 'left' });
    for (const column of columns) {
        const cell = make(column === 'Allocation' ? 'th' : 'td',
            { className: NUMBERS.has(column) ? 'number' : '' });
        if (column === 'Allocation' && allocation !== NONE) {
            cell.scope = 'row';
            const button = make('button', { type: 'button', className: 'name', text: cells[column],
                'aria-pressed': String(app.chosen === allocation) });
            button.prepend(make('span', { className: `swatch hue${hueOf(act, allocation)}` }));
            button.addEventListener('click', () => app.choose(allocation));
            cell.append(button);
        } else {
            cell.textContent = cells[column] ?? '';
            cell.classList.toggle('change', column === 'Change');
            if (column === 'Segment Offset')
                cell.title = formatOffset(act.scene.stays.offset[stay]);
        }
        row.append(cell);
    }
    row.classList.toggle('chosen', allocation !== NONE && app.chosen === allocation);
    return row;
}

/** @param {(bytes: number) => string} size */
function freeRow(columns, { offset, bytes }, size, place) {
    const free = { 'Allocation': 'free', 'Segment Offset': place(offset), 'Size': size(bytes) };
    const cells = columns.map((column) => make(column === 'Allocation' ? 'th' : 'td',
        { className: NUMBERS.has(column) ? 'number' : '', text: free[column] ?? '',
            ...(column === 'Segment Offset' ? { title: formatOffset(offset) } : {}) }));
    cells[0].prepend(make('span', { className: 'swatch' }));
    return make('tr', { className: 'free', children: cells });
}

/** Who left a segment for what happens at an event, or with it. @returns {number[]} stays */
function justLeft(act, segment, event) {
    const { left, gone } = act.scene.stays;
    const victims = new Set(roomOf(act, event).victims);
    return Array.from(act.staysIn.of(segment)).filter((stay) => !act.isThere(stay, event) &&
        (gone[stay] === event || (left[stay] !== NONE && victims.has(left[stay]))));
}

// These stand in each table, wherever the cursor is, so that nothing jumps.
const ALWAYS = new Set(['Allocation', 'Segment Offset', 'Size', 'Change']);

/** Columns that say something of one row and not of another; the others, in words.
 * @param {Record<string, string>[]} rows */
function divideColumns(columns, rows) {
    const values = (column) => new Set(rows.map((cells) => cells[column] ?? ''));
    const varies = (column) => ALWAYS.has(column) || values(column).size > 1;
    const same = columns.filter((column) => !varies(column) && rows[0]?.[column])
        .map((column) => `${column.toLowerCase()} ${rows[0][column]}`);
    return { shown: columns.filter(varies), caption: same.length ? `All: ${same.join(', ')}` : '' };
}

/** A segment as a bar, lowest address left. */
function segmentBar(act, segment, table) {
    const size = act.scene.segments.size[segment];
    const bar = make('div', { className: 'bar', 'aria-hidden': 'true' });
    for (const { stay, bytes } of table.rows.slice(0, 400)) {
        const part = make('span', { className: stay === NONE ? 'free' :
            `hue${hueOf(act, act.scene.stays.allocation[stay])}` });
        part.style.flexGrow = String(bytes / size);
        if (stay !== NONE && bytes / size > 0.06)
            part.textContent = stayName(act, stay);
        bar.append(part);
    }
    return bar;
}

const MOST_ROWS = 300;

function renderSegment(app, segment) {
    const { act } = app;
    const { segments } = act.scene;
    const table = act.tableAt(segment, app.event);
    const name = act.scene.text(segments.name[segment]);
    const limit = segments.commit_limit[segment];
    const facts = [act.scene.text(segments.kind[segment]), act.scene.text(segments.flags[segment]),
        formatSize(segments.size[segment]), limit === segments.size[segment] ? '' :
            `commit limit ${formatSize(limit)}`].filter(Boolean).join(' · ');
    const step = (forward) => {
        const button = make('button', { type: 'button', text: forward ? '▶' : '◀',
            title: forward ? 'Next memory event' : 'Previous memory event',
            'aria-label': `${forward ? 'Next' : 'Previous'} memory event of ${name}` });
        button.addEventListener('click', () => app.goToChange(segment, forward));
        return button;
    };
    const size = sizesLike(segments.size[segment]);
    // While a question is open, no sums and no sizes of holes: "how much is free", "how large is
    // the largest piece" are questions. What lies where may be looked at, and reckoned with.
    const asking = act.until !== NONE;
    const totals = make('p', { className: 'totals', children: asking ? [] : [
        make('b', { text: size(table.used) }), ' allocated, ',
        make('b', { text: size(table.free) }), ' free, largest free block ',
        make('b', { text: size(table.largest) }),
    ] });
    const head = make('div', { className: 'segment-head', children: [
        make('h2', { text: name }),
        make('span', { className: 'facts', text: `segment ${segments.id[segment]} · ${facts}` }),
        make('span', { className: 'steps', children: [step(false), step(true)] }),
    ] });
    if (table.rows.length > MOST_ROWS)
        totals.append(` · the first ${MOST_ROWS} of ` +
            `${formatCount(table.rows.length, 'row')} are listed`);
    return make('section', { className: 'segment', 'aria-label': `Segment ${name}`, children: [
        head, totals, segmentBar(act, segment, table),
        make('div', { className: 'scroll', tabindex: '0', role: 'region',
            'aria-label': `Rows of ${name}`,
            children: [segmentRows(app, segment, table.rows.slice(0, MOST_ROWS), size)] }),
    ] });
}

/** The table of a segment: what lies in it, lowest address first, then who has just left. */
function segmentRows(app, segment, rows, size) {
    const { act, event } = app;
    const all = [...rows, ...justLeft(act, segment, event).slice(0, MOST_ROWS)
        .map((stay) => ({ stay }))];
    const place = offsetsLike(act.scene.segments.size[segment]);
    const cells = new Map(all.filter(({ stay }) => stay !== NONE)
        .map(({ stay }) => [stay, cellsOf(act, stay, event, size)]));
    const { shown, caption } = divideColumns(app.columns, [...cells.values()]);
    const columns = make('tr', { children: shown.map((column) => make('th',
        { scope: 'col', text: column, className: NUMBERS.has(column) ? 'number' : '' })) });
    const sizeOfHole = act.until === NONE ? size : () => '';
    const body = make('tbody', { children: all.map((row) => row.stay === NONE ?
        freeRow(shown, row, sizeOfHole, place) :
        stayRow(app, row.stay, shown, cells.get(row.stay))) });
    return make('table', { children: [...(caption ? [make('caption', { text: caption })] : []),
        make('thead', { children: [columns] }), body] });
}

/** Columns that are empty in every allocation of the act are left out, as nobody can read them. */
function usedColumns(act) {
    const { allocations } = act.scene;
    const { first, end } = act.allocations;
    const any = (test) => {
        for (let i = first; i < end; i++)
            if (test(i))
                return true;
        return false;
    };
    const has = {
        'Width': any((i) => allocations.width[i] > 0),
        'Height': any((i) => allocations.height[i] > 0),
        'Format': any((i) => act.scene.text(allocations.format[i]) !== ''),
        'Preference': Boolean(allocations.preference) &&
            any((i) => act.scene.text(allocations.preference[i]) !== ''),
    };
    return COLUMNS.filter((column) => has[column] ?? true);
}

/** A segment in which nothing ever was needs no table. */
function renderUnused(act, segment) {
    const { segments } = act.scene;
    const name = act.scene.text(segments.name[segment]);
    return make('section', { className: 'segment', 'aria-label': `Segment ${name}`, children: [
        make('div', { className: 'segment-head', children: [make('h2', { text: name }),
            make('span', { className: 'facts', text: `segment ${segments.id[segment]} · ` +
                `${act.scene.text(segments.kind[segment])} · ` +
                `${formatSize(segments.size[segment])} · nothing was placed here` })] })] });
}

/** Of two runs, those of A and then those of B. */
function renderTables(app, place) {
    const { act, otherAct } = app;
    if (!otherAct) {
        place.replaceChildren(...tablesOf(app));
        return;
    }
    const names = runNames(act, otherAct);
    place.replaceChildren(...[act, otherAct].map((it, i) => {
        const parts = tablesOf(app.sideOf(it));
        for (const named of parts.flatMap((part) => [part,
            ...part.querySelectorAll('[aria-label]')]))
            named.setAttribute('aria-label',
                `${named.getAttribute('aria-label')}, run ${'AB'[i]}`);
        return make('div', { className: 'run-tables', children: [
            make('p', { className: 'run-name', text: names[i][0] }), ...parts] });
    }));
}

/** Those in which something was, then the others, as on the map.
 * @param {App|object} app App.sideOf() */
function tablesOf(app) {
    const { act } = app;
    const used = [];
    const unused = [];
    for (let segment = act.segments.first; segment < act.segments.end; segment++)
        if (app.alone !== NONE && app.alone !== segment)
            continue;
        else if (act.staysIn.of(segment).length)
            used.push(renderSegment(app, segment));
        else
            unused.push(renderUnused(act, segment));
    return [...used, ...unused];
}
