/* SPDX-License-Identifier: MIT */
/* explain_stops.c: a stop code in plain words, how to provoke it, and the scenarios that do. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/common/screen.h"
#include "tools/explain_words.h"
#include "vidmm/vidmm_stops.h"

enum { ID_COLUMN = 4, TITLE_COLUMN = 15 };
enum { NUMBERS_COLUMNS = 12, RAISED_COLUMNS = 9, MEANING_COLUMN = 31 };

/* "driver" in words; a cell that says more stays as it is. */
static const char *raised(const char *word)
{
    static const char *const words[][2] = {
        { "driver", "by a mistake of the driver" },
        { "caller", "by the scenario" },
        { "check", "by a self-check of the simulator: never in a passing run" },
        { "no", "never by the simulator" },
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i][0]) == 0)
            return words[i][1];
    return word;
}

/* The rules that have to do with it, by the side that raises it. */
static const char *rules_heading(const struct vidmm_stop *stop)
{
    if (strcmp(stop->raised, "check") == 0)
        return "This check protects:";
    if (strcmp(stop->raised, "no") == 0)
        return "See:";
    return strcmp(stop->kind, "live dump") == 0 ? "Rules that write it:" : "Rules that end so:";
}

/* Every rule that the row names. */
static void explain_stops_print_rules(const struct vidmm_stop *stop)
{
    const char *trigger = *stop->trigger ? stop->trigger : stop->raised;
    bool first = true;
    for (size_t i = 1; i <= vidmm_rule_count(); i++) {
        const struct vidmm_rule_info *rule = vidmm_rule_info((enum vidmm_rule)i);
        if (!strstr(trigger, rule->id))
            continue;
        if (first)
            (void)printf("  %s\n", rules_heading(stop));
        first = false;
        wrap_row(ID_COLUMN, rule->id, TITLE_COLUMN, rule->title);
    }
}

static void print_stop(const struct vidmm_stop *stop, uint64_t parameter, bool subcode)
{
    struct vidmm_stop_switch row;
    struct text line = { 0 };
    const char *list;
    (void)printf("0x%" PRIX32, stop->code);
    if (subcode)
        (void)printf("/0x%" PRIX64, parameter);
    (void)printf(" is a %s: %s\n", stop->kind, stop->name);
    if (*stop->meaning)
        wrap_field("Meaning", stop->meaning);
    wrap_field("Raised", raised(stop->raised));
    if (*stop->trigger)
        wrap_field("When", stop->trigger);
    for (size_t i = 0; vidmm_stop_switch(stop->code, parameter, i, &row); i++) {
        text_clear(&line);
        text_add(&line, "%s: %s", row.name, row.effect);
        wrap_field(i ? "" : "Switch", text_get(&line));
    }
    text_free(&line);
    explain_stops_print_rules(stop);
    for (size_t i = 0; (list = vidmm_stop_shown_by(stop->code, parameter, i)) != NULL; i++)
        wrap_field(i ? "" : "Shown by", list);
    wrap_field("Written in", vidmm_rule_id(stop->rule));
}

/* One row a subcode: its number, the side that causes it, what it means. */
static void print_subcodes(uint32_t code)
{
    struct vidmm_stop stop;
    struct text label = { 0 };
    char numbers[40];
    for (size_t i = 0; vidmm_stop_row(code, i, numbers, &stop); i++) {
        text_add(&label, "%*s0x%" PRIX32 "/%-*s %-*s ", WRAP_LABEL_COLUMN, "", code,
                 NUMBERS_COLUMNS, numbers, RAISED_COLUMNS, stop.raised);
        wrap_print(stdout, text_get(&label), MEANING_COLUMN, stop.meaning);
        text_clear(&label);
    }
    text_free(&label);
    wrap_field("Raised",
               "driver: by its mistake; caller: by the scenario; check: only by a self-check of "
               "the simulator; no: never by the simulator");
    wrap_field("Written in", vidmm_rule_id(stop.rule));
    (void)printf("  'vidmm explain 0x%" PRIX32 "/N' says how to provoke one.\n", code);
}

struct stop_word {
    uint32_t code;
    uint64_t parameter;
    bool subcode; /* the parameter was given */
};

/* Reads "0x10E", "0x10e/0xB", "0x10E/11", and "270" as JSON lines have it. */
static bool read_stop(const char *word, struct stop_word *read)
{
    char *end;
    bool hex = word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
    *read = (struct stop_word){ 0 };
    if (word[0] < '0' || word[0] > '9')
        return false;
    unsigned long first = strtoul(word, &end, hex ? 16 : 10);
    read->subcode = *end == '/';
    read->parameter = read->subcode ? strtoull(end + 1, &end, 0) : 0;
    read->code = (uint32_t)first;
    return !*end && first <= UINT32_MAX;
}

bool explain_stops_code(const char *word)
{
    enum { CODES = 0x1000 }; /* those of the video subsystem are far below */
    struct vidmm_stop stop;
    struct stop_word read;
    bool known = read_stop(word, &read);
    if (!known) /* "VIDEO_TDR_FAILURE" */
        read = (struct stop_word){ 0 };
    while (!known && *word && ++read.code < CODES) {
        (void)vidmm_stop(read.code, 0, &stop);
        known = stop.rule != VIDMM_RULE_NONE && strcasecmp(stop.name, word) == 0;
    }
    bool found = known && vidmm_stop(read.code, read.parameter, &stop);
    if (!known || (!found && stop.rule == VIDMM_RULE_NONE))
        return false;
    if (found && (read.subcode || !*stop.meaning)) {
        print_stop(&stop, read.parameter, read.subcode);
        return true;
    }
    if (read.subcode)
        return false;
    (void)printf("0x%" PRIX32 " is %s; its first parameter says more:\n", read.code, stop.name);
    print_subcodes(read.code);
    return true;
}

bool explain_stops_other(const char *word, struct text *text)
{
    struct vidmm_stop stop;
    struct stop_word read;
    if (!read_stop(word, &read) || !read.subcode)
        return false;
    (void)vidmm_stop(read.code, read.parameter, &stop);
    if (stop.rule == VIDMM_RULE_NONE)
        return false;
    text_add(text, "0x%" PRIX32 " is %s, which has no subcode 0x%" PRIX64, read.code, stop.name,
             read.parameter);
    return true;
}
