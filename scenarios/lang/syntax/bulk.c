/* SPDX-License-Identifier: MIT */
/*
 * bulk.c: lines of generated files.
 *
 * A line whose second word is a bulk handle is compared with the forms seen so far:
 *
 *     submit @18 read=@17,@12 cost=100us      form  "submit @# read=@#,@# cost=#us"
 *                                             numbers 18 17 12 100
 *
 * A known form costs 8 bytes for the line and 4 for each number, no tokens and no tree. A new form
 * is parsed like any line and its tree kept, with holes where the numbers were. What a form cannot
 * say (a comment, a string, a hexadecimal number, a number of more than 32 bits) is an ordinary
 * line.
 */
#include "scenarios/lang/syntax/parser.h"

#include <string.h>

enum {
    FORM_BYTES_MAX = 4096,
    FORMS_MAX = 8192,
    FORM_SLOTS = 2 * FORMS_MAX,
    HOLE = '#', /* begins a comment, so it is in no form */
};

static bool bulk_is_digit(char character)
{
    return (unsigned)(character - '0') < 10;
}

static bool bulk_is_letter(char character)
{
    return (unsigned)((character | 32) - 'a') < 26 || character == '_';
}

static bool bulk_is_name_character(char character)
{
    return bulk_is_letter(character) || bulk_is_digit(character);
}

/* Whether the line begins with a word and a bulk handle. */
static bool begins_bulk(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    const char *first = at;
    while (at < end && (bulk_is_letter(*at) || *at == '-'))
        at++;
    return at > first && end - at >= 3 && at[0] == ' ' && at[1] == '@' && bulk_is_digit(at[2]);
}

/* Reads and writes of one line. */
struct scan {
    const char *at, *end;
    char *out, *out_end;
    uint32_t *found;
};

/* A name is copied with the digits in it: the same joints as in the lexer. */
static void copy_name(struct scan *scan)
{
    while (scan->at < scan->end && scan->out < scan->out_end) {
        char character = *scan->at;
        bool joint = (character == '.' || character == '-') && scan->end - scan->at > 1 &&
                     bulk_is_name_character(scan->at[1]);
        if (!bulk_is_name_character(character) && !joint)
            return;
        *scan->out++ = character;
        scan->at++;
    }
}

/* False for numbers that no form can hold. */
static bool take_number(struct scan *scan)
{
    const char *first = scan->at;
    uint64_t value = 0;
    while (scan->at < scan->end && bulk_is_digit(*scan->at) && value <= UINT32_MAX)
        value = value * 10 + (uint64_t)(*scan->at++ - '0');
    char next = scan->at < scan->end ? *scan->at : '\n';
    bool zero = *first == '0' && scan->at - first == 1;
    if (value > UINT32_MAX || next == '%' || next == 'T' || (zero && (next | 32) == 'x'))
        return false;
    if (next == '.' && scan->end - scan->at > 1 && bulk_is_digit(scan->at[1]))
        return false;
    *scan->found++ = (uint32_t)value;
    *scan->out++ = HOLE;
    /* The unit belongs to the form, and the digits in what follows a number to no number. */
    copy_name(scan);
    return true;
}

/* Takes the numbers out of the line. False: this line has no form. */
static bool scan_line(struct scan *scan)
{
    while (scan->at < scan->end && scan->out < scan->out_end) {
        char character = *scan->at;
        if (bulk_is_letter(character)) {
            copy_name(scan);
        } else if (bulk_is_digit(character)) {
            if (!take_number(scan))
                return false;
        } else if (character == '\n') {
            return true;
        } else if (character == '\r' && scan->end - scan->at > 1 && scan->at[1] == '\n') {
            scan->at++;
            return true;
        } else if (character == '\t' ||
                   (character >= ' ' && character < 127 && character != '"' && character != HOLE)) {
            *scan->out++ = character;
            scan->at++;
        } else {
            return false;
        }
    }
    return scan->at == scan->end;
}

static uint32_t hash_form(const char *text, size_t length)
{
    uint64_t hash = length;
    uint64_t part = 0;
    for (; length >= sizeof part; text += sizeof part, length -= sizeof part) {
        memcpy(&part, text, sizeof part);
        hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    part = 0;
    memcpy(&part, text, length);
    hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(hash >> 32);
}

static uint32_t *find_form(const struct bulk *bulk, const struct parser *parser)
{
    for (size_t at = parser->normal_hash % FORM_SLOTS;; at = (at + 1) % FORM_SLOTS) {
        uint32_t *slot = &bulk->slots[at];
        if (!*slot)
            return slot;
        const struct bulk_form *form = &bulk->forms[*slot - 1];
        if (form->hash == parser->normal_hash && form->length == parser->normal_length &&
            memcmp(form->text, parser->normal, form->length) == 0)
            return slot;
    }
}

static void push_line(struct parser *parser, uint32_t form, uint32_t offset)
{
    struct bulk *bulk = parser->scenario->bulk;
    BASE_GROW(bulk->lines, bulk->line_capacity, bulk->line_count + 1);
    bulk->lines[bulk->line_count++] = (struct bulk_line){ .form = form, .offset = offset };
    BASE_GROW(bulk->numbers, bulk->number_capacity, bulk->number_count + parser->found_count);
    memcpy(bulk->numbers + bulk->number_count, parser->found,
           parser->found_count * sizeof *parser->found);
    bulk->number_count += parser->found_count;
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
    const char *begin = source->text + from;
    const char *end = source->text + source->bytes;
    if (!begins_bulk(begin, end))
        return BULK_NOT;
    bulk_prepare(parser);
    struct scan scan = { .at = begin,
                         .end = end,
                         .out = parser->normal,
                         .out_end = parser->normal + FORM_BYTES_MAX,
                         .found = parser->found };
    if (!scan_line(&scan))
        return BULK_NOT;
    parser->normal_length = (size_t)(scan.out - parser->normal);
    parser->found_count = (size_t)(scan.found - parser->found);
    parser->normal_hash = hash_form(parser->normal, parser->normal_length);
    struct bulk *bulk = parser->scenario->bulk;
    const uint32_t *slot = find_form(bulk, parser);
    if (!*slot)
        return bulk->form_count < FORMS_MAX ? BULK_NEW_FORM : BULK_NOT;
    push_line(parser, *slot - 1, from);
    *line_end = (uint32_t)(scan.at - source->text) + (scan.at < end);
    return BULK_TAKEN;
}

void bulk_learn(struct parser *parser, struct statement *statement, uint32_t from)
{
    struct bulk *bulk = parser->scenario->bulk;
    uint32_t *slot = find_form(bulk, parser);
    CHECK(!*slot && bulk->form_count < FORMS_MAX);
    bulk->forms[bulk->form_count] = (struct bulk_form){
        .text = arena_text(&parser->scenario->arena, parser->normal, parser->normal_length),
        .length = (uint32_t)parser->normal_length,
        .hash = parser->normal_hash,
        .statement = statement,
        .holes = (uint32_t)parser->found_count,
    };
    *slot = (uint32_t)++bulk->form_count;
    push_line(parser, *slot - 1, from);
}

void bulk_free(struct bulk *bulk)
{
    base_free(bulk->forms);
    base_free(bulk->slots);
    base_free(bulk->lines);
    base_free(bulk->numbers);
    base_free(bulk);
}
