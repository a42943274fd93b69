/* SPDX-License-Identifier: MIT */
/*
 * cmd_explain.c: `vidmm explain WORD...` says in plain words what a word means.
 *
 * What the glossary says of it comes first. Then a word is looked up in all the kinds of things of
 * `lookups`: "lock" is a statement and an event; what is none of them may be the beginning of rule
 * ids, as "LOCK" is, or a value in an event. At the end stand the rules that speak of it. A rule id
 * prints the rule with its standing, its source and where it is raised and proved; the beginning of
 * an id lists what begins so; a pointer prints the rules that it stands for. The other kinds are in
 * explain_words.c.
 */
#include <stdio.h>
#include <string.h>

#include "tools/explain_words.h"
#include "tools/story/names.h"
#include "tools/tools.h"
#include "vidmm/base/base.h"
#include "vidmm/vidmm_rules.h"

enum { LETTERS_LEAST = 3 }; /* of a word that is looked for in rules */

/* True when the word was one of its kind; it is then explained on stdout. */
struct lookup {
    const char *what;
    bool (*explain)(const char *word);
    bool tells_rules; /* by itself */
};

/* The word in upper case, as ids are written; false when it is too long to be one. */
static bool as_id(const char *word, char id[VIDMM_RULE_ID_MAX + 1])
{
    size_t length = strlen(word);
    if (length == 0 || length > VIDMM_RULE_ID_MAX)
        return false;
    for (size_t i = 0; i <= length; i++) {
        bool lower = word[i] >= 'a' && word[i] <= 'z';
        id[i] = lower ? (char)(word[i] - 'a' + 'A') : word[i];
    }
    return true;
}

static void cmd_explain_print_rule(const struct vidmm_rule_info *info)
{
    (void)printf("%s ", info->id);
    wrap_print(stdout, "", 0, info->title);
    (void)putchar('\n');
    wrap_print(stdout, "", WRAP_LABEL_COLUMN, info->text);
    (void)putchar('\n');
    if (*info->part)
        wrap_field("Part", info->part);
    wrap_field("Kind", info->kind_text);
    wrap_field("Violation", info->violation);
    wrap_field("Since", info->since);
    wrap_field("Source", info->source);
    wrap_field("Standing", names_standing(info->standing));
    wrap_field("In detail", *info->standing_text ? info->standing_text : "nothing more");
    wrap_field("Observable", info->observable);
    wrap_field("Raised by", *info->raised_by ? info->raised_by : "no source file");
    wrap_field("Proved by", *info->proved_by ? info->proved_by : "no scenario");
    wrap_field("Written in", text_print("%s:%d", info->catalogue, info->line).it);
}

static bool explain_rule(const char *word)
{
    char id[VIDMM_RULE_ID_MAX + 1];
    if (!as_id(word, id))
        return false;
    const struct vidmm_rule_info *info = vidmm_rule_info(vidmm_rule_by_id(id));
    if (!info)
        return false;
    if (!vidmm_rule_is_pointer(info->rule)) {
        cmd_explain_print_rule(info);
        return true;
    }
    (void)printf("%s %s\n\n  says the same as", info->id, info->title);
    for (size_t i = 0; info->same_as[i] != VIDMM_RULE_NONE; i++)
        (void)printf("%s %s", i ? "," : "", vidmm_rule_id(info->same_as[i]));
    (void)printf(":\n");
    for (size_t i = 0; info->same_as[i] != VIDMM_RULE_NONE; i++) {
        (void)putchar('\n');
        cmd_explain_print_rule(vidmm_rule_info(info->same_as[i]));
    }
    return true;
}

/* "PLACE" and "PLACE-02" list what begins so; "P" is not the beginning of an area but of several,
   and a whole id is explained already. */
static bool explain_prefix(const char *word)
{
    char prefix[VIDMM_RULE_ID_MAX + 1];
    bool found = false;
    if (!as_id(word, prefix) || vidmm_rule_by_id(prefix) != VIDMM_RULE_NONE)
        return false;
    size_t length = strlen(prefix);
    for (size_t i = 1; i <= vidmm_rule_count(); i++) {
        const struct vidmm_rule_info *info = vidmm_rule_info((enum vidmm_rule)i);
        if (strncmp(info->id, prefix, length) != 0)
            continue;
        if (info->id[length] != '-' && !memchr(prefix, '-', length))
            continue;
        (void)printf("%-9s  %s\n", info->id, info->title);
        found = true;
    }
    return found;
}

static const struct lookup lookups[] = {
    { "rule", explain_rule, true },
    { "statement", explain_language_statement, false },
    { "attribute", explain_language_attribute, false },
    { "function", explain_language_function, false },
    { "key of state", explain_language_state, false },
    { "switch of the mock", explain_language_switch, false },
    { "event", explain_words_event, false },
    { "flag", explain_words_flag, true },
    { "status", explain_words_status, true },
    { "setting", explain_words_setting, false },
    { "counter", explain_words_counter, false },
    { "cap", explain_words_cap, false },
    { "policy", explain_words_policy, false },
    { "stop code", explain_stops_code, true },
};

/* Names what would be right, or everything that there is. */
static void cmd_explain_complain(const char *word)
{
    struct text text = { 0 };
    const char *nearest = explain_words_nearest(word);
    bool other = explain_stops_other(word, &text);
    if (!other && nearest)
        text_add(&text, "'%s' is unknown; did you mean '%s'?", word, nearest);
    else if (!other)
        text_add(&text, "'%s' is no word of the glossary, ", word);
    for (size_t i = 0; i < ARRAY_COUNT(lookups) && !other && !nearest; i++)
        text_add(&text, "%s%s", i ? ", " : "no ", lookups[i].what);
    if (!other && !nearest)
        text_add(&text, " or beginning of a rule id");
    wrap_print(stderr, "vidmm: ", WRAP_LABEL_COLUMN, text_get(&text));
    text_free(&text);
}

static bool explain(const char *word)
{
    bool found = explain_meaning_word(word), told = false;
    for (size_t i = 0; i < ARRAY_COUNT(lookups); i++) {
        bool one = lookups[i].explain(word);
        found = one || found;
        told = (one && lookups[i].tells_rules) || told;
    }
    /* "LOCK" means the area of rules, "lock" the call. */
    bool capitals = !strpbrk(word, "abcdefghijklmnopqrstuvwxyz");
    if ((!found || capitals) && explain_prefix(word))
        return true;
    if (!found)
        found = explain_words_value(word);
    /* What has no name may be what rules are about: "standby", "context switch". */
    if (!told && strlen(word) >= LETTERS_LEAST)
        found = (found ? explain_rules_print(word) : explain_rules_only(word)) || found;
    if (!found)
        cmd_explain_complain(word);
    return found;
}

static error_t cmd_explain_parse(int key, char *argument, struct argp_state *state)
{
    struct options_words *words = state->input;
    (void)argument;
    return options_words(words, "a word to explain is missing", key, state);
}

int cmd_explain(int argc, char **argv)
{
    static const struct argp grammar = {
        .parser = cmd_explain_parse,
        .args_doc = "WORD...",
        .doc = "Explains words. A word of the field (fence, aperture, dirty) or a member of a "
               "documented structure: what it means. "
               "A rule: what holds, whose word it is, who raises it, what proves "
               "it; the beginning of an id (PLACE, PLACE-02) lists the rules that begin so. A "
               "statement of the scenario language, with its attributes; an attribute, a "
               "function, a key of `state` (`state` lists them) or a switch of the mock miniport; "
               "an event, a flag, a status (also by "
               "its number), a setting, a counter, a cap or a policy: what it is, and the rules "
               "that speak of it. A stop code: what it means and how to provoke it. Anything else: "
               "the events that say it. All but rules and stop codes end with the rules that "
               "speak of the word, in their titles or in their text. An unknown word is "
               "a wrong command line (exit code 2).\v"
               "Examples:\n"
               "  vidmm explain create expect inject\n"
               "  vidmm explain fence MDL 'paging buffer' EvictionSegmentSet\n"
               "  vidmm explain evict-to PLACE-012 0x10E/0xB\n"
               "  vidmm explain standby 'context switch'",
    };
    struct options_words words = { 0 };
    bool known = true;
    if (!options_parse(&grammar, argc, argv, &words))
        return TOOL_USAGE;
    for (int i = 0; i < words.count; i++) {
        if (i > 0)
            (void)putchar('\n');
        known = explain(words.first[i]) && known;
    }
    return known ? TOOL_GOOD : TOOL_USAGE;
}
