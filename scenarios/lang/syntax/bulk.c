/* SPDX-License-Identifier: MIT */
/*
 * bulk.c: lines of generated files.
 *
 * A line that has a form (text/form.c) is compared with the forms seen so far. A known form costs 8
 * bytes for the line and 4 for each number, no tokens and no tree. A new form is parsed like any
 * line and its tree kept, with holes where the numbers were. In a binary twin the lines are taken
 * apart already: those of a known form are copied, and the others become text and are read as such.
 */
#include "scenarios/lang/syntax/parser.h"

#include <string.h>

enum {
    FORMS_MAX = 8192,
    FORM_SLOTS = 2 * FORMS_MAX,
};

static uint32_t *find_text(const struct bulk *bulk, const char *text, size_t length, uint32_t hash)
{
    for (size_t at = hash % FORM_SLOTS;; at = (at + 1) % FORM_SLOTS) {
        uint32_t *slot = &bulk->slots[at];
        if (!*slot)
            return slot;
        const struct bulk_form *form = &bulk->forms[*slot - 1];
        if (form->hash == hash && form->length == length && memcmp(form->text, text, length) == 0)
            return slot;
    }
}

static void push_line(struct bulk *bulk, uint32_t form, uint32_t offset)
{
    BASE_GROW(bulk->lines, bulk->line_capacity, bulk->line_count + 1);
    bulk->lines[bulk->line_count++] = (struct bulk_line){ .form = form, .offset = offset };
}

static void push_numbers(struct bulk *bulk, const struct parser *parser)
{
    BASE_GROW(bulk->numbers, bulk->number_capacity, bulk->number_count + parser->found_count);
    memcpy(bulk->numbers + bulk->number_count, parser->found,
           parser->found_count * sizeof *parser->found);
    bulk->number_count += parser->found_count;
}

/*
 * What a line has in common with the last one that began alike is read no second time: of 650
 * instructions for `page-in @12345` 180 are left.
 */
struct bulk_records bulk_take_likely(struct parser *parser, uint32_t from)
{
    const struct source *source = parser->scenario->sources[parser->lexer.source];
    struct bulk *bulk = parser->scenario->bulk;
    struct form_scan scan = { .at = source->text + from, .end = source->text + source->bytes };
    struct bulk_records taken = { .next = from };
    uint32_t likely;
    while (scan.at < scan.end && (likely = bulk->likely[form_key(scan.at, scan.end)]) != 0) {
        const struct bulk_form *form = &bulk->forms[likely - 1];
        BASE_GROW(bulk->numbers, bulk->number_capacity, bulk->number_count + form->holes);
        scan.found = bulk->numbers + bulk->number_count;
        if (!form_matches(&scan, form->text, form->length))
            break;
        bulk->number_count += form->holes;
        push_line(bulk, likely - 1, taken.next);
        scan.at += scan.at < scan.end;
        taken.next = (uint32_t)(scan.at - source->text);
        taken.lines++;
        taken.numbers += form->holes;
    }
    return taken;
}

static void bulk_prepare(struct parser *parser)
{
    struct bulk *bulk = parser->scenario->bulk;
    if (!parser->normal) {
        parser->normal = base_alloc(FORM_BYTES_MAX + 1, 1);
        parser->found = base_alloc(FORM_BYTES_MAX + 1, sizeof *parser->found);
    }
    if (!bulk->slots) {
        bulk->slots = base_alloc(FORM_SLOTS, sizeof *bulk->slots);
        bulk->forms = base_alloc(FORMS_MAX, sizeof *bulk->forms);
    }
}

enum bulk_taken bulk_take(struct parser *parser, uint32_t from, uint32_t *line_end)
{
    const struct source *source = parser->scenario->sources[parser->lexer.source];
    struct bulk *bulk = parser->scenario->bulk;
    const char *begin = source->text + from;
    struct form_scan scan = { .at = begin, .end = source->text + source->bytes };
    if (!form_begins(begin, scan.end))
        return BULK_NOT;
    bulk_prepare(parser);
    scan.out = parser->normal;
    scan.out_end = parser->normal + FORM_BYTES_MAX;
    scan.found = parser->found;
    if (!form_scan(&scan))
        return BULK_NOT;
    parser->normal_length = (size_t)(scan.out - parser->normal);
    parser->found_count = (size_t)(scan.found - parser->found);
    parser->normal_hash = form_hash(parser->normal, parser->normal_length);
    uint32_t form = *find_text(bulk, parser->normal, parser->normal_length, parser->normal_hash);
    if (!form)
        return bulk->form_count < FORMS_MAX ? BULK_NEW_FORM : BULK_NOT;
    push_numbers(bulk, parser);
    push_line(bulk, form - 1, from);
    bulk->likely[form_key(begin, scan.end)] = form;
    *line_end = (uint32_t)(scan.at - source->text) + (scan.at < scan.end);
    return BULK_TAKEN;
}

void bulk_learn(struct parser *parser, struct statement *statement, uint32_t from)
{
    struct bulk *bulk = parser->scenario->bulk;
    uint32_t *slot = find_text(bulk, parser->normal, parser->normal_length, parser->normal_hash);
    CHECK(!*slot && bulk->form_count < FORMS_MAX);
    bulk->forms[bulk->form_count] = (struct bulk_form){
        .text = arena_text(&parser->scenario->arena, parser->normal, parser->normal_length),
        .length = (uint32_t)parser->normal_length,
        .hash = parser->normal_hash,
        .statement = statement,
        .holes = (uint32_t)parser->found_count,
    };
    *slot = (uint32_t)++bulk->form_count;
    push_line(bulk, *slot - 1, from);
    push_numbers(bulk, parser);
}

/* ---- records of a binary twin ---------------------------------------------------------------- */

/* The record at `from` of a twin, if one begins there. */
static const struct twin_gap *find_record(struct parser *parser, uint32_t from)
{
    const struct twin *twin = parser->scenario->sources[parser->lexer.source]->twin;
    struct twin_cursor *cursor = &parser->cursor;
    while (cursor->gap < twin->gap_count && twin->gaps[cursor->gap].to <= from)
        *cursor = (struct twin_cursor){ .gap = cursor->gap + 1 };
    if (cursor->gap == twin->gap_count || twin->gaps[cursor->gap].from > from)
        return NULL;
    return &twin->gaps[cursor->gap];
}

/* One more than the number of the form here; 0: no line of it was read yet. */
static uint32_t known_form(struct parser *parser, const struct twin *twin, uint32_t number)
{
    const struct twin_form *form = &twin->forms[number];
    if (!parser->twin_forms) {
        bulk_prepare(parser);
        parser->twin_forms = base_alloc(twin->form_count, sizeof *parser->twin_forms);
    }
    if (!parser->twin_forms[number])
        parser->twin_forms[number] = *find_text(parser->scenario->bulk, form->text, form->length,
                                                form_hash(form->text, form->length));
    return parser->twin_forms[number];
}

struct bulk_records bulk_take_records(struct parser *parser, uint32_t from)
{
    const struct twin_gap *gap = find_record(parser, from);
    struct bulk_records taken = { .next = from };
    if (!gap)
        return taken;
    const struct twin *twin = parser->scenario->sources[parser->lexer.source]->twin;
    struct bulk *bulk = parser->scenario->bulk;
    struct twin_cursor *cursor = &parser->cursor;
    const char *numbers = gap->numbers + cursor->number * sizeof(uint32_t);
    BASE_GROW(bulk->lines, bulk->line_capacity, bulk->line_count + gap->records - cursor->record);
    for (; cursor->record < gap->records; cursor->record++, taken.lines++) {
        uint32_t number = twin_form_of(gap, cursor->record);
        uint32_t form = known_form(parser, twin, number);
        if (!form)
            break;
        bulk->lines[bulk->line_count++] =
            (struct bulk_line){ .form = form - 1, .offset = taken.next };
        taken.next +=
            twin_line_bytes(&twin->forms[number], numbers + taken.numbers * sizeof *bulk->numbers);
        taken.numbers += twin->forms[number].holes;
    }
    if (!taken.lines) /* there may be no memory for numbers yet */
        return taken;
    BASE_GROW(bulk->numbers, bulk->number_capacity, bulk->number_count + taken.numbers);
    memcpy(bulk->numbers + bulk->number_count, numbers, taken.numbers * sizeof *bulk->numbers);
    bulk->number_count += taken.numbers;
    cursor->number += taken.numbers;
    return taken;
}

void bulk_write_record(struct parser *parser, uint32_t from)
{
    const struct twin_gap *gap = find_record(parser, from);
    struct twin_cursor *cursor = &parser->cursor;
    if (!gap)
        return;
    struct twin *twin = parser->scenario->sources[parser->lexer.source]->twin;
    (void)twin_render(twin, gap, cursor->record++, &cursor->number, twin->text + from);
}

void bulk_free(struct bulk *bulk)
{
    base_free(bulk->forms);
    base_free(bulk->slots);
    base_free(bulk->lines);
    base_free(bulk->numbers);
    base_free(bulk);
}
