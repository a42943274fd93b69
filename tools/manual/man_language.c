/* SPDX-License-Identifier: MIT */
/*
 * man_language.c: vidmm-scenario(5), from the tables of the language.
 */
#include <string.h>

#include "tools/manual/parts.h"
#include "vidmm/vidmm.h"
#include "vidmm/vidmm_mock.h"

static const char about[] =
    "A scenario is a text that describes an adapter, drives the memory manager and states what is "
    "to come of it. Its first line is\n"
    "  vidmm-scenario 1\n"
    "Each line is one statement, and its first word decides which. A # begins a comment. Blocks "
    "end with a line that says end. Numbers are decimal, or hexadecimal with 0x; sizes end in K, "
    "M, G or T, times in ns, us, ms or s. Attributes are key=value; lists have commas between "
    "their words and no spaces; ranges are A..B; $name is a variable.\n\n"
    "A statement that does something may end with what is to come of it: -> fails [STATUS] "
    "[by RULE,...], -> warns [RULE,...], -> pending, -> bugcheck CODE[/PARAM], -> device-error "
    "or -> either. Without one it has to succeed. The rules after by are among those that the "
    "refusal lists, in any order. -> device-error asks for one more device in error, whether the "
    "call was carried out or refused.";

/* A word as it is written, and what it is. */
static void write_row(FILE *out, const char *before, const char *value, const char *help)
{
    (void)fputs(".TP\n\\fB", out);
    roff_word(out, before);
    (void)fputs("\\fR", out);
    roff_word(out, value);
    (void)fputc('\n', out);
    if (*help)
        roff_text(out, help);
    else
        (void)fputs("\\&\n", out);
}

static void write_value(char *value, size_t bytes, const struct scenario_word_help *row)
{
    bool any = *row->value || row->words;
    (void)snprintf(value, bytes, "%s%s%s%s", any ? "=" : "", row->value,
                   *row->value && row->words ? "|" : "", row->words ? row->words : "");
}

static void write_attributes(FILE *out, enum scenario_words table, const char *statement)
{
    struct scenario_word_help row;
    char value[200];
    const char *start = ".RS\n", *end = "";
    for (size_t i = 0; scenario_word_help(table, i, &row); i++) {
        if (strcmp(row.of, statement) != 0 || !row.supported)
            continue;
        (void)fputs(start, out);
        write_value(value, sizeof value, &row);
        write_row(out, row.name, value, row.help);
        start = "";
        end = ".RE\n";
    }
    (void)fputs(end, out);
}

static void write_statements(FILE *out)
{
    struct scenario_word_help row;
    (void)fputs(".SH STATEMENTS\n", out);
    for (size_t i = 0; scenario_word_help(SCENARIO_STATEMENTS, i, &row); i++) {
        if (!row.supported)
            continue;
        size_t length = strlen(row.name);
        bool named = strncmp(row.value, row.name, length) == 0;
        write_row(out, row.name, named ? row.value + length : "", row.help);
        write_attributes(out, SCENARIO_ATTRIBUTES, row.name);
        write_attributes(out, SCENARIO_ACCIDENTS, row.name);
    }
}

static void write_expectations(FILE *out)
{
    struct scenario_word_help row;
    char call[200];
    (void)fputs(".SH EXPECTATIONS\n", out);
    for (size_t i = 0; scenario_word_help(SCENARIO_PREDICATES, i, &row); i++) {
        (void)snprintf(call, sizeof call, " %s", row.name);
        write_row(out, "expect", call, row.help);
    }
    (void)fputs(".SH STATE\nWhat expect state SUBJECT KEY=VALUE and show state can ask.\n", out);
    for (size_t i = 0; scenario_word_help(SCENARIO_STATE_KEYS, i, &row); i++) {
        if (!row.supported)
            continue;
        (void)fputs(".TP\n\\fB", out);
        roff_word(out, row.of);
        (void)fputs("\\fR\n\\&", out);
        for (const char *at = row.words; *at; at++)
            roff_word(out, (const char[]){ *at == '|' ? ' ' : *at, '\0' });
        (void)fputc('\n', out);
    }
    (void)fputs(".SH FUNCTIONS\n", out);
    for (size_t i = 0; scenario_word_help(SCENARIO_FUNCTIONS, i, &row); i++) {
        (void)snprintf(call, sizeof call, "(%s)", row.of);
        write_row(out, row.name, call, row.help);
    }
}

static void write_names(FILE *out)
{
    const struct vidmm_setting_info *info;
    (void)fputs(".SH SETTINGS\nOf the statements adapter and set, and of \\-\\-set.\n", out);
    for (size_t i = 0; (info = vidmm_setting_row(i)) != NULL; i++)
        write_row(out, info->name, "", info->help);
    (void)fputs(".SH SWITCHES\nOf the statements miniport mock and inject.\n", out);
    for (size_t i = 0; vidmm_mock_switch_name(i); i++)
        write_row(out, vidmm_mock_switch_name(i), "", vidmm_mock_switch_help(i));
    (void)fputs(".SH COUNTERS\nOf show counters; in expressions they are functions.\n", out);
    for (int i = 0; i < VIDMM_COUNTERS; i++) {
        const struct vidmm_counter_info *counter = vidmm_counter_info((enum vidmm_counter)i);
        write_row(out, counter->name, "", counter->text);
    }
    (void)fputs(".SH CAPS\nOf the statement adapter, a number each.\n.PP\n", out);
    for (size_t i = 0; vidmm_mock_cap_name(i); i++) {
        roff_word(out, vidmm_mock_cap_name(i));
        (void)fputc('\n', out);
    }
}

void man_write_language(FILE *out, const struct manual *manual)
{
    (void)manual;
    (void)fputs(".TH VIDMM\\-SCENARIO 5 \"\" \"vidmm " VIDMM_VERSION "\" \"File Formats\"\n.ad l\n"
                ".SH NAME\nvidmm\\-scenario \\- the language of scenarios of vidmm\n"
                ".SH DESCRIPTION\n",
                out);
    roff_text(out, about);
    write_statements(out);
    write_expectations(out);
    write_names(out);
    (void)fputs(".SH SEE ALSO\n.BR vidmm (1)\n", out);
}
