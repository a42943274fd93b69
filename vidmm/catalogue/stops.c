/* SPDX-License-Identifier: MIT */
/*
 * stops.c: reads the tables of stop codes out of the catalogue.
 *
 * The rules BUG-002 to BUG-005 are tables that people read; a second list in code would drift from
 * them. Which scenario shows which stop the build finds in the scenarios. A row is found by the
 * numbers of its first cell: "0xB", "0x31, 0x32", "0x2B to 0x2E".
 */
#include "vidmm/vidmm_stops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vidmm/base/base.h"

struct cell {
    const char *text;
    size_t length;
};

/* Cell `index`, from 0, of a table line "| a | b |"; an empty one after the last. */
static struct cell cell_at(const char *line, size_t index)
{
    size_t bytes = strcspn(line, "\n");
    const char *end = line + bytes;
    const char *at = line + 1;
    while (index > 0 && at < end)
        if (*at++ == '|')
            index--;
    size_t length = index == 0 && at < end ? strcspn(at, "|\n") : 0;
    while (length && at[0] == ' ')
        at++, length--;
    while (length && at[length - 1] == ' ')
        length--;
    return (struct cell){ at, length };
}

static const char *next_line(const char *at)
{
    at += strcspn(at, "\n");
    return at + (*at == '\n');
}

/* The first line of a table in `text`; NULL when there is none. */
static const char *first_row(const char *text)
{
    while (*text && *text != '|')
        text = next_line(text);
    return *text ? text : NULL;
}

static const char *stops_next_row(const char *row)
{
    return first_row(next_line(row));
}

/* The number that begins at or after *at; false when the cell has no further one. */
static bool next_number(const char **at, const char *end, uint64_t *number)
{
    for (const char *from = *at; from + 1 < end; from++) {
        char *after;
        if (from[0] != '0' || from[1] != 'x')
            continue;
        *number = strtoull(from, &after, 16);
        *at = after;
        return true;
    }
    return false;
}

/* "0xB", "0x31, 0x32" and "0x2B to 0x2E" */
static bool names_number(struct cell cell, uint64_t wanted)
{
    const char *at = cell.text, *end = cell.text + cell.length;
    uint64_t number, previous = 0;
    bool range = false;
    while (next_number(&at, end, &number)) {
        if (number == wanted || (range && previous < wanted && wanted < number))
            return true;
        range = end - at > 4 && strncmp(at, " to ", 4) == 0;
        previous = number;
    }
    return false;
}

static void copy(char *to, size_t bytes, struct cell cell)
{
    (void)snprintf(to, bytes, "%.*s", (int)cell.length, cell.text);
}

static const char *find_row(enum vidmm_rule rule, uint64_t number)
{
    const char *text = vidmm_rule_info(rule)->text;
    for (const char *row = first_row(text); row; row = stops_next_row(row))
        if (names_number(cell_at(row, 0), number))
            return row;
    return NULL;
}

/* The first parameter of these codes says more. Their names end the titles of the rules. */
static const struct {
    uint32_t code;
    enum vidmm_rule rule;
} with_subcodes[] = {
    { 0x10E, VIDMM_RULE_BUG_002 },
    { 0x119, VIDMM_RULE_BUG_003 },
};

/* VIDMM_RULE_NONE: it has none. */
static enum vidmm_rule rule_of_subcodes(uint32_t code)
{
    for (size_t i = 0; i < ARRAY_COUNT(with_subcodes); i++)
        if (with_subcodes[i].code == code)
            return with_subcodes[i].rule;
    return VIDMM_RULE_NONE;
}

static bool stops_read_row(const char *row, struct vidmm_stop *stop)
{
    const char *name = strrchr(vidmm_rule_info(stop->rule)->title, ' ');
    (void)snprintf(stop->name, sizeof stop->name, "%s", name ? name + 1 : "");
    if (!row)
        return false;
    copy(stop->meaning, sizeof stop->meaning, cell_at(row, 1));
    copy(stop->raised, sizeof stop->raised, cell_at(row, 2));
    copy(stop->trigger, sizeof stop->trigger, cell_at(row, 3));
    return true;
}

bool vidmm_stop(uint32_t code, uint64_t parameter, struct vidmm_stop *stop)
{
    *stop =
        (struct vidmm_stop){ .code = code, .kind = "bug check", .rule = rule_of_subcodes(code) };
    if (stop->rule != VIDMM_RULE_NONE)
        return stops_read_row(find_row(stop->rule, parameter), stop);
    const char *row = find_row(VIDMM_RULE_BUG_004, code);
    if (!row)
        return false;
    stop->rule = VIDMM_RULE_BUG_004;
    copy(stop->name, sizeof stop->name, cell_at(row, 1));
    struct cell kind = cell_at(row, 2);
    if (kind.length == strlen("live dump") && !memcmp(kind.text, "live dump", kind.length))
        copy(stop->kind, sizeof stop->kind, kind);
    copy(stop->raised, sizeof stop->raised, cell_at(row, 3));
    return true;
}

bool vidmm_stop_row(uint32_t code, size_t index, char numbers[40], struct vidmm_stop *stop)
{
    *stop =
        (struct vidmm_stop){ .code = code, .kind = "bug check", .rule = rule_of_subcodes(code) };
    const char *row =
        stop->rule == VIDMM_RULE_NONE ? NULL : first_row(vidmm_rule_info(stop->rule)->text);
    /* The head of the table and its line have no number. */
    for (; row; row = stops_next_row(row)) {
        struct cell cell = cell_at(row, 0);
        const char *at = cell.text;
        uint64_t number;
        if (!next_number(&at, cell.text + cell.length, &number) || index-- > 0)
            continue;
        copy(numbers, 40, cell);
        return stops_read_row(row, stop);
    }
    return false;
}

/* Is the record of a row of BUG-005 this one? "0x10E / 0xF or 0x10", "0x117 or 0x141", "0x116" */
static bool expects(struct cell record, uint32_t code, uint64_t parameter)
{
    const char *at = record.text, *end = record.text + record.length;
    const char *slash = memchr(record.text, '/', record.length);
    uint64_t number;
    if (!slash)
        return names_number(record, code);
    /* What stands before the code, as in "STATUS_INVALID_PARAMETER, in a split 0x10E / 0x8". */
    return next_number(&at, end, &number) && number == code &&
           names_number((struct cell){ slash, (size_t)(end - slash) }, parameter);
}

bool vidmm_stop_switch(uint32_t code, uint64_t parameter, size_t index,
                       struct vidmm_stop_switch *found)
{
    const char *text = vidmm_rule_info(VIDMM_RULE_BUG_005)->text;
    for (const char *row = first_row(text); row; row = stops_next_row(row)) {
        if (!expects(cell_at(row, 2), code, parameter) || index-- > 0)
            continue;
        copy(found->name, sizeof found->name, cell_at(row, 0));
        copy(found->effect, sizeof found->effect, cell_at(row, 1));
        return true;
    }
    return false;
}

const char *vidmm_stop_shown_by(uint32_t code, uint64_t parameter, size_t index)
{
    static const struct {
        uint32_t code;
        uint64_t parameter;
        const char *shown_by;
    } shown[] = {
#define VIDMM_SHOWN_STOPS
#include "vidmm/vidmm_rules_table.inc"
#undef VIDMM_SHOWN_STOPS
    };
    for (size_t i = 0; i < ARRAY_COUNT(shown); i++)
        if (shown[i].code == code &&
            (rule_of_subcodes(code) == VIDMM_RULE_NONE || shown[i].parameter == parameter) &&
            index-- == 0)
            return shown[i].shown_by;
    return NULL;
}
