/* SPDX-License-Identifier: MIT */
/*
 * cmd_explain.c: `vidmm explain WORD...` says in plain words what a word means, `vidmm explain FILE
 * --event=N` why something happened (tools/step/explain.c).
 *
 * What the glossary says of it comes first; of a word of the field that is nearly all, without
 * --verbose. Then a word is looked up in all the kinds of things of
 * `lookups`: "lock" is a statement and an event; what is none of them may be the beginning of rule
 * ids, as "LOCK" is, or a value in an event. At the end stand the rules that speak of it. A rule id
 * prints the rule with its standing, its source and where it is raised and proved; the beginning of
 * an id lists what begins so; a pointer prints the rules that it stands for. The other kinds are in
 * explain_words.c.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/host.h"
#include "tools/explain_words.h"
#include "tools/step/step.h"
#include "tools/story/names.h"
#include "tools/tools.h"
#include "vidmm/base/base.h"
#include "vidmm/vidmm_rules.h"

enum { LETTERS_LEAST = 3 }; /* of a word that is looked for in rules */

enum { KEY_ALLOCATION = 256, KEY_EVENT };

/* True when the word was one of its kind; it is then explained on stdout. */
struct lookup {
    const char *what;
    bool (*explain)(const char *word);
    bool tells_rules;                /* by itself */
    bool (*brief)(const char *word); /* what a word of the field gets; NULL: it is short anyway */
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

/* Of each clause, which its letter names, as of a rule without clauses. */
static void print_proofs(const struct vidmm_rule_info *info)
{
    const struct vidmm_rule_clause whole[] = { { info->text, info->proved_by, info->unobservable },
                                               { NULL, NULL, NULL } };
    const struct vidmm_rule_clause *clause = info->clauses ? info->clauses : whole;
    for (int i = 0; clause[i].text; i++) {
        const char *proof = *clause[i].proved_by ? clause[i].proved_by : "no scenario";
        const char *why = clause[i].unobservable;
        struct text text = { 0 };
        text_add(&text, "%s%s%s", proof, *why ? ": " : "", why);
        wrap_field(text_print(info->clauses ? "Proves (%c)" : "Proved by", 'a' + i).it,
                   text_get(&text));
        text_free(&text);
    }
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
    print_proofs(info);
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
    { "rule", explain_rule, true, NULL },
    { "statement", explain_language_statement, false, explain_language_statement_brief },
    { "attribute", explain_language_attribute, false, NULL },
    { "function", explain_language_function, false, NULL },
    { "key of state", explain_language_state, false, NULL },
    { "switch of the mock", explain_language_switch, false, NULL },
    { "event", explain_words_event, false, explain_words_event_brief },
    { "flag", explain_words_flag, true, NULL },
    { "status", explain_words_status, true, NULL },
    { "setting", explain_words_setting, false, NULL },
    { "counter", explain_words_counter, false, NULL },
    { "cap", explain_words_cap, false, NULL },
    { "policy", explain_words_policy, false, NULL },
    { "stop code", explain_stops_code, true, NULL },
};

/* LOCK-999: an id of an area, with a number that no rule of it has. */
static bool is_of_area(const char *word)
{
    char id[VIDMM_RULE_ID_MAX + 1];
    size_t area = strcspn(word, "-") + 1;
    bool found = false;
    if (!as_id(word, id) || area > strlen(id) || !isdigit((unsigned char)id[area]))
        return false;
    for (size_t i = 1; i <= vidmm_rule_count() && !found; i++)
        found = strncmp(vidmm_rule_id((enum vidmm_rule)i), id, area) == 0;
    return found;
}

/* Names what would be right, or everything that there is. */
static void cmd_explain_complain(const char *word)
{
    struct text text = { 0 };
    const char *nearest = explain_words_nearest(word);
    bool other = explain_stops_other(word, &text);
    if (!other && strpbrk(word, "./") && host_has_file(word, "")) {
        text_add(&text,
                 "'%s' is a file: of its run, --event=N explains a moment, --allocation=NAME "
                 "a life",
                 word);
        other = true;
    }
    if (!other && !nearest && is_of_area(word)) {
        text_add(&text, "there is no rule '%s'; `vidmm explain %.*s` lists those there are", word,
                 (int)strcspn(word, "-"), word);
        other = true;
    }
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

/* "LOCK" means the area of rules, "lock" the call. */
static bool is_capitals(const char *word)
{
    return !strpbrk(word, "abcdefghijklmnopqrstuvwxyz");
}

/* Who asks for a word of the field wants to know what it means: the tables come when asked for. */
static bool explain_brief(const char *word)
{
    bool more = false;
    if (!explain_meaning_field(word))
        return false;
    (void)explain_meaning_word(word);
    for (size_t i = 0; i < ARRAY_COUNT(lookups); i++) {
        bool one = lookups[i].brief ? lookups[i].brief(word) : lookups[i].explain(word);
        more = more || (one && lookups[i].brief);
    }
    if (is_capitals(word) && explain_prefix(word))
        return true;
    struct text again = { 0 };
    text_add(&again, "More: vidmm explain --verbose ");
    text_add_word(&again, word);
    if (explain_rules_named(word) || more)
        (void)printf("%s\n", text_get(&again));
    else
        (void)explain_rules_print(word);
    text_free(&again);
    return true;
}

/* Words that hold any sentence together: the rules that have them are about something else. */
static bool is_function_word(const char *word)
{
    static const char words[] =
        "all|and|any|are|because|been|before|but|can|cannot|does|each|either|every|for|from|has|"
        "have|how|into|its|more|most|much|must|neither|not|only|or|other|should|some|such|than|"
        "that|the|their|them|then|there|these|they|this|those|until|was|were|what|when|where|"
        "whether|which|while|who|whose|why|will|with|without|would|you";
    return text_listed(words, word);
}

static bool explain(const char *word)
{
    if (explain_language_list(word))
        return true;
    bool found = explain_meaning_word(word), told = false;
    for (size_t i = 0; i < ARRAY_COUNT(lookups); i++) {
        bool one = lookups[i].explain(word);
        found = one || found;
        told = (one && lookups[i].tells_rules) || told;
    }
    if ((!found || is_capitals(word)) && explain_prefix(word))
        return true;
    if (!found)
        found = explain_words_value(word);
    /* What has no name may be what rules are about: "standby", "context switch". */
    if (!told && strlen(word) >= LETTERS_LEAST && !is_function_word(word))
        found = (found ? explain_rules_print(word) : explain_rules_only(word)) || found;
    if (!found)
        cmd_explain_complain(word);
    return found;
}

/* ---- a command line ------------------------------------------------------------------------- */

struct explain_line {
    struct run_line run;
    struct step_question question;
    bool verbose;
};

/* What cannot be together. */
static void cmd_explain_check(const struct explain_line *line, struct argp_state *state)
{
    const struct step_question *question = &line->question;
    bool asks = question->event || question->allocation;
    if (question->event && question->allocation)
        argp_error(state, "--event and --allocation are two questions: leave one of them out");
    if (asks && line->run.files.count != 1)
        argp_error(state, "--event and --allocation are about one file: `vidmm explain FILE "
                          "--event=N`");
    if (asks && line->verbose)
        argp_error(state, "--verbose is about a word, --event and --allocation about a run");
    if (!asks && line->run.given)
        argp_error(state,
                   "--%s is about a run: `vidmm explain FILE --event=N` or "
                   "--allocation=NAME",
                   line->run.given);
}

static error_t cmd_explain_parse(int key, char *argument, struct argp_state *state)
{
    struct explain_line *line = state->input;
    struct step_question *question = &line->question;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->child_inputs[1] = state->child_inputs[2] = &line->run;
        return 0;
    case 'v': line->verbose = true; return 0;
    case KEY_ALLOCATION: question->allocation = argument; return 0;
    case KEY_EVENT: question->event = argument; return 0;
    case ARGP_KEY_END: cmd_explain_check(line, state); return 0;
    default:
        return options_words(
            &line->run.files,
            "a word to explain is missing: `vidmm explain statements` lists those of "
            "a scenario",
            key, state);
    }
}

/* The reasons of a run. */
static int explain_question(struct explain_line *line)
{
    return host_end(step_explain(&line->question, &line->run));
}

int cmd_explain(int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "event", KEY_EVENT, "N|WHERE", 0,
          "why an event of a run happened, the one with number N or the first one at a place as "
          "`vidmm step` takes it ('evict sky', 5.9ms, 'line 25'): what was looked at, who left, "
          "who stayed and why",
          1 },
        { "allocation", KEY_ALLOCATION, "NAME", 0,
          "the life of an allocation: each place and why it is there, each time it leaves and why",
          1 },
        { "verbose", 'v', NULL, 0,
          "of a word of the field also every rule that speaks of it, and what it takes or tells as "
          "a statement or an event",
          1 },
        { 0 },
    };
    static const struct argp_child children[] = { { .argp = &run_options_given },
                                                  { .argp = &run_options_chosen },
                                                  { .argp = &run_options_policy },
                                                  { 0 } };
    static const struct argp grammar = {
        .options = options,
        .children = children,
        .parser = cmd_explain_parse,
        .args_doc = "WORD...\nFILE --event=N\nFILE --allocation=NAME",
        .doc = "Explains words. A word of the field (fence, aperture, dirty) or a member of a "
               "documented structure: what it means. "
               "A rule: what holds, whose word it is, who raises it, what proves "
               "it; the beginning of an id (PLACE, PLACE-02) lists the rules that begin so. A "
               "statement of the scenario language, with its attributes; an attribute, a "
               "function, a key of `state` or a switch of the mock miniport (`state`, "
               "`statements`, `expectations`, "
               "`functions`, `settings` and `switches` list them); "
               "an event, a flag, a status (also by "
               "its number), a setting, a counter, a cap or a policy: what it is, and the rules "
               "that speak of it. A stop code: what it means and how to provoke it. Anything else: "
               "the events that say it. All but rules and stop codes end with the rules that "
               "speak of the word, in their titles or in their text. A word of the field is told "
               "in short without --verbose. An unknown word is "
               "a wrong command line (exit code 2). With --event or --allocation: runs a "
               "scenario and explains that event, known by its number ('seq' in --format=jsonl, "
               "'where' in `vidmm step`; each test counts from 1, and the first one that has it "
               "is meant), by kind and name ('place target'), by a time, a line or start, of which "
               "the first decision is meant, or by fail, end or a line that fails, with the last "
               "one before it; or the life of that allocation; every rule with its "
               "standing. --define and "
               "those after it are about that run.\v"
               "Examples:\n"
               "  vidmm explain statements create inject\n"
               "  vidmm explain fence MDL 'paging buffer' EvictionSegmentSet\n"
               "  vidmm explain evict-to PLACE-012 0x10E/0xB\n"
               "  vidmm explain standby 'context switch'\n"
               "  vidmm explain scenarios/lessons/03-no-room.vms --event=73\n"
               "  vidmm explain scenarios/lessons/03-no-room.vms --event='place target'\n"
               "  vidmm explain scenarios/lessons/03-no-room.vms --allocation=sky",
    };
    struct explain_line line = { 0 };
    bool known = true;
    if (!options_parse(&grammar, argc, argv, &line))
        return TOOL_USAGE;
    if (line.question.event || line.question.allocation)
        return explain_question(&line);
    for (int i = 0; i < line.run.files.count; i++) {
        if (i > 0)
            (void)putchar('\n');
        const char *word = line.run.files.first[i];
        known = ((!line.verbose && explain_brief(word)) || explain(word)) && known;
    }
    return known ? TOOL_GOOD : TOOL_USAGE;
}
