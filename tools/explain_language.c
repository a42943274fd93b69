/* SPDX-License-Identifier: MIT */
/* explain_language.c: the words of the scenario language, from its own tables. */
#include <stdio.h>
#include <string.h>

#include "scenarios/lang/scenario.h"
#include "tools/common/screen.h"
#include "tools/explain_words.h"
#include "vidmm/base/base.h"
#include "vidmm/vidmm_mock.h"

enum { WRITTEN_COLUMN = 2, SHORT_COLUMN = 18, HELP_COLUMN = 32 };

/* How it is written, and in a second column what it is. */
static void print_row(struct text *written, const char *help)
{
    if (written->length + WRITTEN_COLUMN + 2 > HELP_COLUMN) {
        (void)printf("%*s%s\n", WRITTEN_COLUMN, "", text_get(written));
        text_clear(written);
    }
    wrap_row(WRITTEN_COLUMN, text_get(written), HELP_COLUMN, help);
    text_clear(written);
}

/* A word as a scenario writes it. */
static void write_word(struct text *written, const struct scenario_word_help *row)
{
    bool value = *row->value || row->words;
    text_add(written, "%s%s%s%s%s", row->name, value ? "=" : "", row->value,
             *row->value && row->words ? "|" : "", row->words ? row->words : "");
}

/* Those of a statement, or with NULL all of them. */
static void print_words(enum scenario_words words, const char *of, const char *heading)
{
    struct text written = { 0 };
    struct scenario_word_help row;
    for (size_t i = 0; scenario_word_help(words, i, &row); i++) {
        if ((of && strcmp(row.of, of) != 0) || !row.supported)
            continue;
        (void)fputs(heading, stdout);
        heading = "";
        write_word(&written, &row);
        if (words == SCENARIO_FUNCTIONS)
            text_add(&written, "(%s)", row.of);
        print_row(&written, row.help);
    }
    text_free(&written);
}

static void print_settings(bool at_run_time)
{
    struct text written = { 0 };
    const struct vidmm_setting_info *info;
    for (size_t i = 0; (info = vidmm_setting_row(i)) != NULL; i++) {
        if (at_run_time && !info->at_run_time)
            continue;
        text_add(&written, "%s", info->name);
        print_row(&written, info->help);
    }
    text_free(&written);
}

static void write_switch(struct text *written, size_t index)
{
    const char *value = vidmm_mock_switch_value(index);
    if (strcmp(value, "status") == 0)
        value = "STATUS";
    else if (strcmp(value, "number") == 0)
        value = "N";
    text_add(written, "%s%s%s", vidmm_mock_switch_name(index), *value ? "=" : "", value);
}

static void print_switches(void)
{
    struct text written = { 0 };
    for (size_t i = 0; vidmm_mock_switch_name(i); i++) {
        write_switch(&written, i);
        print_row(&written, vidmm_mock_switch_help(i));
    }
    text_free(&written);
}

static void print_switches_below(void)
{
    (void)printf("  Switches (VALUE@N spoils the N-th such call only):\n");
    print_switches();
}

static void print_vocabulary(const char *statement)
{
    struct text caps = { 0 };
    /* A class takes what a creation takes. */
    print_words(SCENARIO_ATTRIBUTES, strcmp(statement, "class") == 0 ? "create" : statement,
                "  Attributes:\n");
    print_words(SCENARIO_ACCIDENTS, statement, "");
    if (strcmp(statement, "expect") == 0) {
        print_words(SCENARIO_PREDICATES, NULL, "  Expectations:\n");
        print_words(SCENARIO_FUNCTIONS, NULL,
                    "  Functions (counters are functions, too; `show counters` lists them):\n");
    }
    if (strcmp(statement, "miniport") == 0 || strcmp(statement, "inject") == 0)
        print_switches_below();
    if (strcmp(statement, "adapter") == 0 || strcmp(statement, "set") == 0) {
        (void)printf("  Settings:\n");
        print_settings(strcmp(statement, "set") == 0);
    }
    if (strcmp(statement, "adapter") != 0)
        return;
    for (size_t i = 0; vidmm_mock_cap_name(i); i++)
        text_add(&caps, "%s%s", i ? ", " : "", vidmm_mock_cap_name(i));
    (void)printf("  Caps (a number each; `vidmm explain CAP` says which the mock reports):\n");
    wrap_row(2 * WRITTEN_COLUMN, "", 2 * WRITTEN_COLUMN, text_get(&caps));
    text_free(&caps);
}

/* The names alone: what they mean is more than a first look needs. Who asks for `inject` looks for
   a switch, messages send him there; `miniport` has the same ones. */
static void print_attribute_names(const char *statement)
{
    if (strcmp(statement, "inject") == 0)
        print_switches_below();
    struct text names = { 0 };
    struct scenario_word_help row;
    for (size_t i = 0; scenario_word_help(SCENARIO_ATTRIBUTES, i, &row); i++)
        if (strcmp(row.of, statement) == 0 && row.supported)
            text_add(&names, "%s%s", names.length ? " " : "", row.name);
    if (names.length)
        wrap_field("Attributes", text_get(&names));
    text_clear(&names);
    bool adapter = strcmp(statement, "adapter") == 0;
    for (size_t i = 0; adapter && vidmm_setting_row(i); i++)
        text_add(&names, "%s%s", i ? " " : "", vidmm_setting_row(i)->name);
    for (size_t i = 0; adapter && vidmm_mock_cap_name(i); i++)
        text_add(&names, " %s", vidmm_mock_cap_name(i));
    if (adapter)
        wrap_field("Words", text_get(&names));
    text_free(&names);
}

static bool print_statement(const char *word, void (*more)(const char *statement))
{
    struct scenario_word_help row;
    for (size_t i = 0; scenario_word_help(SCENARIO_STATEMENTS, i, &row); i++) {
        if (strcmp(row.name, word) != 0)
            continue;
        wrap_print(stdout, text_print("%s is a statement: ", row.name).it, WRAP_LABEL_COLUMN,
                   row.help);
        wrap_field("Written", row.value);
        if (!row.supported)
            (void)printf("  %-*snot supported by this version\n",
                         WRAP_FIELD_COLUMN - WRAP_LABEL_COLUMN, "");
        else
            more(word);
        return true;
    }
    return false;
}

bool explain_language_statement(const char *word)
{
    return print_statement(word, print_vocabulary);
}

bool explain_language_statement_brief(const char *word)
{
    return print_statement(word, print_attribute_names);
}

static void print_statements(void)
{
    struct scenario_word_help row;
    for (size_t i = 0; scenario_word_help(SCENARIO_STATEMENTS, i, &row); i++)
        if (row.supported)
            wrap_row(WRITTEN_COLUMN, row.name, SHORT_COLUMN, row.help);
}

static void print_expectations(void)
{
    print_words(SCENARIO_PREDICATES, NULL, "");
}

static void print_functions(void)
{
    print_words(SCENARIO_FUNCTIONS, NULL, "");
}

static void print_all_settings(void)
{
    print_settings(false);
}

/* What a word in the plural asks for: all of its kind, with what each is. */
bool explain_language_list(const char *word)
{
    static const struct {
        const char *word, *what;
        void (*print)(void);
    } lists[] = {
        { "statements", "of the scenario language", print_statements },
        { "expectations", "that `expect` can ask for", print_expectations },
        { "functions", "of expressions; counters are functions, too", print_functions },
        { "settings", "of an adapter", print_all_settings },
        { "switches", "of the mock miniport", print_switches },
    };
    for (size_t i = 0; i < ARRAY_COUNT(lists); i++) {
        if (strcmp(lists[i].word, word) != 0)
            continue;
        (void)printf("%s %s; `vidmm explain WORD` tells more of one:\n", word, lists[i].what);
        lists[i].print();
        return true;
    }
    return false;
}

bool explain_language_attribute(const char *word)
{
    struct text written = { 0 };
    struct scenario_word_help row;
    bool found = false;
    for (size_t i = 0; scenario_word_help(SCENARIO_ATTRIBUTES, i, &row); i++) {
        if (strcmp(row.name, word) != 0)
            continue;
        found = true;
        wrap_print(stdout,
                   text_print("%s is an attribute of '%s'%s", row.name, row.of,
                              row.supported ? ": " : ", not supported by this version")
                       .it,
                   WRAP_LABEL_COLUMN, row.help);
        if (!row.supported)
            continue;
        write_word(&written, &row);
        wrap_field("Written", text_get(&written));
        text_clear(&written);
    }
    text_free(&written);
    return found;
}

bool explain_language_function(const char *word)
{
    struct scenario_word_help row;
    for (size_t i = 0; scenario_word_help(SCENARIO_FUNCTIONS, i, &row); i++) {
        if (strcmp(row.name, word) != 0)
            continue;
        (void)printf("%s is a function: %s\n", row.name, row.help);
        (void)printf("  %-*s%s(%s)%s\n", WRAP_FIELD_COLUMN - WRAP_LABEL_COLUMN, "Written", row.name,
                     row.of, row.supported ? "" : ", not supported by this version");
        return true;
    }
    return false;
}

/* `state` with all keys, or one of them. */
bool explain_language_state(const char *word)
{
    struct scenario_word_help row;
    struct text subjects = { 0 };
    if (strcmp(word, "state") == 0) {
        (void)printf("state is what `expect state SUBJECT KEY=VALUE` asks; the keys:\n");
        for (size_t i = 0; scenario_word_help(SCENARIO_STATE_KEYS, i, &row); i++) {
            for (const char *at = row.words; row.supported && *at; at++)
                text_add(&subjects, "%.*s", 1, *at == '|' ? " " : at);
            if (row.supported)
                wrap_field(row.of, text_get(&subjects));
            text_clear(&subjects);
        }
        text_free(&subjects);
        return true;
    }
    for (size_t i = 0; scenario_word_help(SCENARIO_STATE_KEYS, i, &row); i++)
        if (row.supported && text_listed(row.words, word))
            text_add(&subjects, "%s%s", subjects.length ? "|" : "", row.of);
    bool found = subjects.length != 0;
    const char *words = scenario_state_words(word);
    if (found)
        (void)printf("%s is a key of `state`\n  %-*sexpect state %s %s=%s\n", word,
                     WRAP_FIELD_COLUMN - WRAP_LABEL_COLUMN, "Written", text_get(&subjects), word,
                     words ? words : "VALUE");
    for (size_t i = 0; scenario_word_help(SCENARIO_STATE_KEYS, i, &row); i++)
        if (row.supported && text_listed(row.words, word))
            explain_meaning_key(word, row.of);
    text_free(&subjects);
    return found;
}

bool explain_language_switch(const char *word)
{
    static const char *const moments[] = {
        [VIDMM_MOCK_AT_CALL] = "at every such call, so `inject` may set it",
        [VIDMM_MOCK_AT_START] = "at the start: `miniport mock`, or `inject` and `reset pnp-start`",
        [VIDMM_MOCK_AT_LOAD] = "when the driver is loaded: `miniport mock`",
    };
    struct text written = { 0 };
    for (size_t i = 0; vidmm_mock_switch_name(i); i++) {
        if (strcmp(vidmm_mock_switch_name(i), word) != 0)
            continue;
        text_add(&written, "%s is a switch of the mock miniport: %s", word,
                 vidmm_mock_switch_help(i));
        wrap_print(stdout, "", 2, text_get(&written));
        text_clear(&written);
        write_switch(&written, i);
        wrap_field("Written", text_get(&written));
        wrap_field("Read", moments[vidmm_mock_switch_moment(i)]);
        text_free(&written);
        return true;
    }
    return false;
}
