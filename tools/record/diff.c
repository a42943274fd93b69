/* SPDX-License-Identifier: MIT */
/*
 * diff.c: two logs, side by side, in one pass.
 *
 * Side 1 is fed line by line, by a run or by a reader; side 0 is read along. As long as both say
 * the same, a decision costs one comparison. From the first difference of a section on they are
 * matched by align.c, until the section (a test) ends: the next one starts anew, as tests do.
 *
 * Sections have to come in the same order in both logs; those that only one of them has are
 * counted, and their decisions are not.
 */
#include "tools/record/diff_state.h"

#include <string.h>

#include "vidmm/base/base_hash.h"

enum { EXPECTED, FOUND };

enum { TRAIL_BYTES = 1 << 16 }; /* more than a run writes; a log may hold anything */

struct section {
    uint64_t place; /* of the line after it */
    size_t number;
    unsigned files;
    UT_hash_handle hh;
    char name[];
};

/* ---- what the sides are at ------------------------------------------------------------------ */

static void set_text(struct text *text, struct slice line)
{
    text_clear(text);
    text_add_bytes(text, line.at, line.length);
}

static void hear_statement(struct diff *diff, unsigned side, const struct reader_line *line)
{
    set_text(&diff->side[side].statement, line->text);
    diff->side[side].line = line->number;
    diff->capture[side] = false;
}

static void hear_trail(struct diff *diff, unsigned side, struct slice line)
{
    struct text *trail = diff->capture[side] ? &diff->first.trail[side] : &diff->side[side].trail;
    if ((!diff->capture[side] && !diff->options.trail) || trail->length > TRAIL_BYTES)
        return;
    text_add_bytes(trail, line.at, line.length);
    text_add_bytes(trail, "\n", 1);
}

/* What a section is found by: the number of its file, and the line of the test. The first `file` of
   a log begins no section: a golden has none. */
static bool key_of(struct slice line, unsigned *files, struct text *key)
{
    bool file = line.length > 5 && memcmp(line.at, "file ", 5) == 0;
    *files += file;
    if (file && *files == 1)
        return false;
    text_clear(key);
    text_add(key, "%u ", *files ? *files : 1);
    if (!file)
        text_add_bytes(key, line.at, line.length);
    return true;
}

/* False at the end of the section: what begins there is known then. */
static bool next_expected(struct diff *diff, struct slice *decision)
{
    while (!diff->ahead.length && !diff->ended) {
        struct reader_line line = reader_next(&diff->expected);
        if (line.kind == LINE_DECISION) {
            diff->side[EXPECTED].decisions++;
            diff->capture[EXPECTED] = false;
            *decision = line.text;
            return true;
        }
        if (line.kind == LINE_STATEMENT)
            hear_statement(diff, EXPECTED, &line);
        else if (line.kind == LINE_TRAIL)
            hear_trail(diff, EXPECTED, line.text);
        else if (line.kind == LINE_END)
            diff->ended = true;
        else if (key_of(line.text, &diff->side[EXPECTED].files, &diff->ahead))
            diff->ahead_place = reader_place(&diff->expected);
    }
    diff->capture[EXPECTED] = false;
    return false;
}

/* ---- decisions ------------------------------------------------------------------------------ */

static void remember(struct diff *diff, struct slice decision)
{
    struct diff_first *first = &diff->first;
    if (first->known)
        return;
    set_text(&first->before[first->before_next], decision);
    first->before_next = (first->before_next + 1) % DIFF_BEFORE;
    first->before_count += first->before_count < DIFF_BEFORE;
}

/* NULL: this side has none. */
static void part(struct diff *diff, const struct slice *expected, const struct slice *found)
{
    const struct slice *decisions[] = { expected, found };
    struct diff_first *first = &diff->first;
    diff->parted = true;
    if (first->known)
        return;
    first->known = true;
    if (diff->side[FOUND].files > 1)
        text_add(&first->section, "%s%s", text_get(&diff->file), diff->section.length ? ", " : "");
    text_add(&first->section, "%s", text_get(&diff->section));
    for (unsigned side = 0; side < 2; side++) {
        const struct text *statement = &diff->side[side].statement;
        if (!decisions[side])
            continue;
        text_add_bytes(&first->decision[side], decisions[side]->at, decisions[side]->length);
        text_add_bytes(&first->statement[side], text_get(statement), statement->length);
        first->line[side] = diff->side[side].line;
        diff->capture[side] = true;
    }
}

static struct slice counted(const struct diff *diff, struct slice decision)
{
    return diff->options.times ? decision : line_timeless(decision);
}

/* The logs part in what a decision looked at, which both have: the last that is remembered. */
static void part_by_trail(struct diff *diff)
{
    struct diff_first *first = &diff->first;
    unsigned last = (first->before_next + DIFF_BEFORE - 1) % DIFF_BEFORE;
    if (first->known || !first->before_count)
        return;
    const struct slice decision = { first->before[last].bytes, first->before[last].length };
    part(diff, &decision, &decision);
    diff->parted = diff->capture[EXPECTED] = diff->capture[FOUND] = false;
    for (unsigned side = 0; side < 2; side++) {
        text_add_bytes(&first->trail[side], text_get(&diff->side[side].trail),
                       diff->side[side].trail.length);
        text_clear(&first->statement[side]); /* that of the next decision, by now */
        first->line[side] = 0;
    }
}

static void compare_trails(struct diff *diff)
{
    struct text *a = &diff->side[EXPECTED].trail, *b = &diff->side[FOUND].trail;
    bool same =
        a->length == b->length && (!a->length || memcmp(a->bytes, b->bytes, a->length) == 0);
    if (diff->options.trail && !diff->parted && !same) {
        diff->counts.trails++;
        part_by_trail(diff);
    }
    text_clear(a);
    text_clear(b);
}

static void hear_decision(struct diff *diff, struct slice found)
{
    struct slice expected;
    diff->side[FOUND].decisions++;
    diff->capture[FOUND] = false;
    if (diff->alone)
        return;
    bool there = next_expected(diff, &expected);
    compare_trails(diff);
    if (!diff->parted) {
        if (there && slice_same(counted(diff, expected), counted(diff, found))) {
            remember(diff, found);
            return;
        }
        part(diff, there ? &expected : NULL, &found);
    }
    if (there)
        align_add(diff->align, EXPECTED, counted(diff, expected));
    align_add(diff->align, FOUND, counted(diff, found));
}

/* ---- sections ------------------------------------------------------------------------------- */

static uint64_t total(const struct diff_counts *counts)
{
    const struct diff_count *of[] = { &counts->placements, &counts->victims, &counts->others };
    uint64_t sum = counts->follow + counts->times;
    for (size_t i = 0; i < ARRAY_COUNT(of); i++)
        sum += of[i]->changed + of[i]->only[0] + of[i]->only[1];
    return sum;
}

static void end_section(struct diff *diff)
{
    struct slice expected;
    while (!diff->alone && next_expected(diff, &expected)) {
        compare_trails(diff);
        if (!diff->parted)
            part(diff, &expected, NULL);
        align_add(diff->align, EXPECTED, counted(diff, expected));
    }
    compare_trails(diff);
    align_end(diff->align);
    diff->counts.order += diff->parted && total(&diff->counts) == diff->total;
    diff->total = total(&diff->counts);
    diff->parted = diff->alone = false;
    diff->capture[EXPECTED] = diff->capture[FOUND] = false;
    if (!diff->first.known)
        diff->first.before_count = diff->first.before_next = 0;
}

/* Where all sections of side 0 begin: only asked for when they differ. */
static void make_index(struct diff *diff)
{
    struct reader *reader = &diff->expected;
    struct text key = { 0 };
    struct reader_line line;
    unsigned files = 0;
    size_t number = 0;
    if (diff->indexed)
        return;
    diff->indexed = true;
    reader_seek(reader, 0);
    while ((line = reader_next(reader)).kind != LINE_END) {
        struct section *section = NULL;
        if (line.kind != LINE_SECTION || !key_of(line.text, &files, &key))
            continue;
        HASH_FIND(hh, diff->index, key.bytes, key.length, section);
        number++;
        if (section)
            continue;
        section = base_alloc(1, sizeof *section + key.length + 1);
        *section =
            (struct section){ .place = reader_place(reader), .number = number, .files = files };
        memcpy(section->name, key.bytes, key.length);
        HASH_ADD_KEYPTR(hh, diff->index, section->name, key.length, section);
    }
    text_free(&key);
    reader_seek(reader, diff->ahead_place);
}

/* Side 0 goes to the section that side 1 begins; those between are only there. */
static void go_to_section(struct diff *diff, const struct text *key)
{
    struct section *wanted = NULL, *ahead = NULL;
    if (diff->ahead.length == key->length && key->length &&
        memcmp(diff->ahead.bytes, key->bytes, key->length) == 0) {
        text_clear(&diff->ahead);
        return;
    }
    if (diff->ahead.length) {
        make_index(diff);
        HASH_FIND(hh, diff->index, key->bytes, key->length, wanted);
        HASH_FIND(hh, diff->index, diff->ahead.bytes, diff->ahead.length, ahead);
    }
    if (!wanted || !ahead || wanted->number < ahead->number) {
        diff->alone = true;
        diff->counts.tests[FOUND]++;
        return;
    }
    if (!diff->options.partial)
        diff->counts.tests[EXPECTED] += wanted->number - ahead->number;
    diff->side[EXPECTED].files = wanted->files;
    reader_seek(&diff->expected, wanted->place);
    text_clear(&diff->ahead);
}

static void free_first(struct diff_first *first)
{
    text_free(&first->section);
    for (unsigned i = 0; i < 2; i++) {
        text_free(&first->decision[i]);
        text_free(&first->statement[i]);
        text_free(&first->trail[i]);
    }
    for (unsigned i = 0; i < DIFF_BEFORE; i++)
        text_free(&first->before[i]);
    *first = (struct diff_first){ .known = false };
}

static void count_anew(struct diff *diff)
{
    diff->counts = (struct diff_counts){ .follow = 0 };
    diff->total = 0;
    diff->told = false;
    free_first(&diff->first);
}

static void hear_section(struct diff *diff, struct slice line)
{
    struct text key = { 0 };
    bool file = line.length > 5 && memcmp(line.at, "file ", 5) == 0;
    if (key_of(line, &diff->side[FOUND].files, &key)) {
        end_section(diff);
        if (diff->told)
            count_anew(diff);
        go_to_section(diff, &key);
        text_clear(&diff->side[EXPECTED].statement);
        text_clear(&diff->side[FOUND].statement);
    }
    set_text(file ? &diff->file : &diff->section, line);
    if (file)
        text_clear(&diff->section);
    text_free(&key);
}

/* ---- the interface -------------------------------------------------------------------------- */

static void hear(struct diff *diff, const struct reader_line *line)
{
    switch (line->kind) {
    case LINE_SECTION: hear_section(diff, line->text); return;
    case LINE_STATEMENT: hear_statement(diff, FOUND, line); return;
    case LINE_DECISION: hear_decision(diff, line->text); return;
    case LINE_TRAIL: hear_trail(diff, FOUND, line->text); return;
    case LINE_END: return;
    }
}

/* The first two lines of a log say what it is. */
static void diff_line(struct record_out *out, const char *text, size_t bytes)
{
    struct diff *diff = CONTAINER_OF(out, struct diff, out);
    const struct reader_line line = reader_classify((struct slice){ text, bytes });
    if (diff->header++ > 1)
        hear(diff, &line);
}

struct diff *diff_open(FILE *file, const char *name, const struct diff_options *options,
                       struct text *problem)
{
    struct diff *diff = base_alloc(1, sizeof *diff);
    diff->options = *options;
    diff->out.line = diff_line;
    diff->align = align_new(&diff->counts);
    if (reader_open(&diff->expected, file, name, &options->kinds)) {
        diff->expected.only = options->only ? &diff->options.kinds : NULL;
        return diff;
    }
    text_add(problem, "%s", text_get(&diff->expected.problem));
    diff_close(diff);
    return NULL;
}

const struct record_kinds *diff_kinds(const struct diff *diff)
{
    return &diff->expected.kinds;
}

struct record_out *diff_out(struct diff *diff)
{
    return &diff->out;
}

bool diff_read(struct diff *diff, FILE *file, const char *name, struct text *problem)
{
    struct reader reader;
    struct reader_line line = { .kind = LINE_STATEMENT };
    bool good = reader_open(&reader, file, name, &diff->options.kinds);
    reader.only = diff->options.only ? &diff->options.kinds : NULL;
    while (good && (line = reader_next(&reader)).kind != LINE_END)
        hear(diff, &line);
    good = !reader.problem.length;
    if (!good)
        text_add(problem, "%s", text_get(&reader.problem));
    reader_close(&reader);
    return good;
}

static void skip_rest(struct diff *diff)
{
    struct slice decision;
    while (diff->ahead.length) {
        diff->counts.tests[EXPECTED] += !diff->options.partial;
        text_clear(&diff->ahead);
        while (next_expected(diff, &decision))
            ;
    }
}

static bool is_same(const struct diff_counts *counts)
{
    return !total(counts) && !counts->order && !counts->trails && !counts->tests[EXPECTED] &&
           !counts->tests[FOUND];
}

const char *diff_problem(const struct diff *diff)
{
    return text_get(&diff->expected.problem);
}

bool diff_section(struct diff *diff)
{
    end_section(diff);
    diff->told = true;
    return is_same(&diff->counts);
}

bool diff_end(struct diff *diff, struct text *problem)
{
    end_section(diff);
    if (diff->told)
        count_anew(diff);
    skip_rest(diff);
    if (diff->expected.problem.length)
        text_add(problem, "%s", text_get(&diff->expected.problem));
    return is_same(&diff->counts);
}

uint64_t diff_line_number(const struct diff *diff)
{
    const uint64_t *line = diff->first.line;
    return line[FOUND] ? line[FOUND] : line[EXPECTED];
}

const struct diff_counts *diff_counts(const struct diff *diff)
{
    return &diff->counts;
}

uint64_t diff_decisions(const struct diff *diff, unsigned side)
{
    return diff->side[side].decisions;
}

void diff_close(struct diff *diff)
{
    struct section *section, *next;
    HASH_ITER(hh, diff->index, section, next)
    {
        HASH_DEL(diff->index, section);
        base_free(section);
    }
    for (unsigned i = 0; i < 2; i++) {
        text_free(&diff->side[i].statement);
        text_free(&diff->side[i].trail);
    }
    free_first(&diff->first);
    text_free(&diff->section);
    text_free(&diff->file);
    text_free(&diff->ahead);
    align_free(diff->align);
    reader_close(&diff->expected);
    base_free(diff);
}
