/* SPDX-License-Identifier: MIT */
/*
 * explain_words.c: what a word means that is no rule, what the glossary says of it, and which rules
 * are about it.
 */
#include "tools/explain_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "scenarios/lang/scenario.h"
#include "tools/common/run_options.h"
#include "vidmm/vidmm_glossary.h"
#include "vidmm/vidmm_mock.h"

/* ---- kinds --------------------------------------------------------------------------------- */

/* "0xC000000D", the status itself or what callbacks answer instead. */
static const struct vidmm_status_info *status_by_number(const char *word)
{
    const struct vidmm_status_info *info;
    char *end;
    if (word[0] != '0' || (word[1] != 'x' && word[1] != 'X'))
        return NULL;
    unsigned long long number = strtoull(word, &end, 16);
    for (size_t i = 0; !*end && (info = vidmm_status_row(i)) != NULL; i++)
        if ((uint32_t)info->status == number || (info->hresult_name && info->hresult == number))
            return info;
    return NULL;
}

bool explain_words_status(const char *word)
{
    const struct vidmm_status_info *info = vidmm_status_by_name(word);
    if (!info)
        info = status_by_number(word);
    if (!info)
        return false;
    (void)printf("%s is a status, 0x%08" PRIX32 "\n", info->name, (uint32_t)info->status);
    if (info->hresult_name)
        (void)printf("  of the kernel calls, as a run says it; callbacks such as pfnLockCb answer\n"
                     "  %s, 0x%08" PRIX32 ", and a scenario may write either\n",
                     info->hresult_name, info->hresult);
    (void)explain_rules_print(info->name);
    return true;
}

/* That of a cost parameter depends on the profile. */
static void write_default(struct text *out, const struct vidmm_setting_info *info)
{
    size_t index = vidmm_setting_by_name(info->name);
    const char *at = vidmm_setting_row(VIDMM_SETTING_PROFILE)->words;
    if (index < VIDMM_SETTINGS) {
        run_options_write_value(out, info, vidmm_setting_default(index, 0));
        return;
    }
    for (uint64_t profile = 0; *at; profile++) {
        size_t length = strcspn(at, "|");
        run_options_write_value(out, info, vidmm_setting_default(index, profile));
        text_add(out, " with %.*s%s", (int)length, at, at[length] ? ", " : "");
        at += length + (at[length] == '|');
    }
}

bool explain_words_setting(const char *word)
{
    static const char *const values[] = {
        [VIDMM_SETTING_VERSION] = "an interface version",
        [VIDMM_SETTING_COUNT] = "a number",
        [VIDMM_SETTING_BYTES] = "a size such as 64K; bytes without a unit",
        [VIDMM_SETTING_NS] = "a time such as 200us; ns without a unit",
        [VIDMM_SETTING_RATE] = "bytes per second",
    };
    struct text text = { 0 };
    const struct vidmm_setting_info *info = vidmm_setting_row(vidmm_setting_by_name(word));
    if (!info)
        return false;
    (void)printf("%s is a setting: %s\n", info->name, info->help);
    wrap_field("Changed", info->at_run_time ? "in `adapter`, by `set`, or with --set"
                                            : "in `adapter` or with --set, only before the start");
    if (info->words)
        wrap_field("Values", info->words);
    if (info->kind != VIDMM_SETTING_WORDS)
        wrap_field("Values", values[info->kind]);
    write_default(&text, info);
    wrap_field("Default", text_get(&text));
    text_free(&text);
    if (info->rule != VIDMM_RULE_NONE)
        (void)printf("  %-*s%s %s\n", WRAP_FIELD_COLUMN - WRAP_LABEL_COLUMN, "Rule",
                     vidmm_rule_id(info->rule), vidmm_rule_info(info->rule)->title);
    return true;
}

bool explain_words_counter(const char *word)
{
    static const char *const units[] = {
        [VIDMM_UNIT_COUNT] = "a number",
        [VIDMM_UNIT_BYTES] = "bytes",
        [VIDMM_UNIT_PAGES] = "pages",
        [VIDMM_UNIT_NS] = "virtual nanoseconds",
    };
    static const struct {
        char letter;
        const char *name;
    } scopes[] = { { 's', "segment" }, { 'n', "node" }, { 'd', "device" }, { 'a', "allocation" } };
    enum vidmm_counter counter = vidmm_counter_by_name(word);
    if (counter == VIDMM_COUNTERS)
        return false;
    const struct vidmm_counter_info *info = vidmm_counter_info(counter);
    struct text kept = { 0 };
    text_add(&kept, "the adapter");
    for (size_t i = 0; i < ARRAY_COUNT(scopes); i++)
        if (strchr(info->scopes, scopes[i].letter))
            text_add(&kept, ", each %s", scopes[i].name);
    (void)printf("%s is a counter: %s\n", info->name, info->text);
    wrap_field("Unit", units[info->unit]);
    wrap_field("Kept for", text_get(&kept));
    text_free(&kept);
    return true;
}

bool explain_words_cap(const char *word)
{
    struct vidmm_mock_config config;
    struct text values = { 0 };
    uint64_t last = 0;
    size_t index = 0;
    while (vidmm_mock_cap_name(index) && strcmp(vidmm_mock_cap_name(index), word) != 0)
        index++;
    if (!vidmm_mock_cap_name(index))
        return false;
    /* Some depend on the version. */
    for (uint32_t wddm = VIDMM_WDDM_1_0; wddm <= VIDMM_WDDM_3_2; wddm++) {
        vidmm_mock_config_init(&config, wddm);
        uint64_t value = vidmm_mock_cap_value(&config, word);
        if (!vidmm_wddm_exists(wddm) || (values.length && value == last))
            continue;
        if (values.length)
            text_add(&values, "; from WDDM %" PRIu32 ".%" PRIu32 " on ", wddm / 10, wddm % 10);
        if (value == UINT64_MAX)
            text_add(&values, "no limit");
        else
            text_add(&values, "%" PRIu64, value);
        last = value;
    }
    (void)printf("%s is a cap, which the mock miniport reports\n", word);
    wrap_field("Default", text_get(&values));
    wrap_field("Written", text_print("adapter %s=N", word).it);
    text_free(&values);
    return true;
}

/* ---- suggestions --------------------------------------------------------------------------- */

/* "CPUVISIBLE" is nearer to CpuVisible than its letters say. */
static void consider(struct text_likeness *likeness, const char *name)
{
    if (strcasecmp(likeness->word, name) != 0) {
        text_liken(likeness, name);
    } else if (likeness->least > 1) {
        likeness->least = 1;
        likeness->best = name;
    }
}

const char *explain_words_nearest(const char *word)
{
    struct text_likeness likeness = { .word = word, .least = strlen(word) / 3 + 1 };
    if (strlen(word) == 5)
        likeness.least = 3; /* two letters that changed places are two steps */
    const struct vidmm_word_info *member;
    const struct vidmm_flag *flag;
    struct scenario_word_help row;
    const struct vidmm_status_info *status;
    const struct vidmm_setting_info *setting;
    enum vidmm_rule rule = vidmm_rule_nearest(word);
    for (size_t i = 0; scenario_word_help(SCENARIO_STATEMENTS, i, &row); i++)
        consider(&likeness, row.name);
    for (int i = VIDMM_EVENT_NONE + 1; i < VIDMM_EVENT_KINDS; i++)
        consider(&likeness, vidmm_event_info((enum vidmm_event_kind)i)->name);
    for (int set = 0; set < VIDMM_FLAG_SETS; set++)
        for (size_t i = 0; (flag = vidmm_flag_row((enum vidmm_flag_set)set, i)) != NULL; i++)
            consider(&likeness, flag->name);
    /* Only the usual name; the others are forms of it. */
    for (size_t i = 0; (member = vidmm_word_row(i)) != NULL; i++)
        if (member->kind == VIDMM_WORD_MEMBER && !strchr(member->names, ','))
            consider(&likeness, member->names);
    for (size_t i = 0; (status = vidmm_status_row(i)) != NULL; i++)
        consider(&likeness, status->name);
    for (size_t i = 0; (setting = vidmm_setting_row(i)) != NULL; i++)
        consider(&likeness, setting->name);
    for (int i = 0; i < VIDMM_COUNTERS; i++)
        consider(&likeness, vidmm_counter_info((enum vidmm_counter)i)->name);
    for (size_t i = 0; scenario_word_help(SCENARIO_ATTRIBUTES, i, &row); i++)
        consider(&likeness, row.name);
    for (size_t i = 0; scenario_word_help(SCENARIO_FUNCTIONS, i, &row); i++)
        consider(&likeness, row.name);
    for (size_t i = 0; vidmm_mock_switch_name(i); i++)
        consider(&likeness, vidmm_mock_switch_name(i));
    for (size_t i = 0; vidmm_mock_cap_name(i); i++)
        consider(&likeness, vidmm_mock_cap_name(i));
    for (size_t i = 0; explain_words_policy_name(i); i++)
        consider(&likeness, explain_words_policy_name(i));
    return likeness.best || rule == VIDMM_RULE_NONE ? likeness.best : vidmm_rule_id(rule);
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* A shorter word would begin too many others. */
enum { PREFIX_LEAST = 4, RULES_MOST = 12, ID_COLUMN = 4, TITLE_COLUMN = 16 };

/* How a rule has to do with a word; the nearest are printed first. */
enum nearness { NEAR_NAMED, NEAR_TITLE, NEAR_TEXT, NEAR_NOT };

/* "fence" is in "fences" and in "Fence numbers", "MDL" in "MDLs" and not in "MDLX". */
static bool explain_rules_holds(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; *at; at++) {
        if (strncasecmp(at, word, length) != 0 || (at > text && text_is_letter(at[-1])))
            continue;
        const char *rest = at + length;
        if (length >= PREFIX_LEAST || !text_is_letter(*rest) ||
            (*rest == 's' && !text_is_letter(rest[1])))
            return true;
    }
    return false;
}

static enum nearness near_to(const struct vidmm_rule_info *info, const char *word)
{
    const struct vidmm_word_info *row;
    for (size_t i = 0; (row = vidmm_word_row(i)) != NULL; i++)
        for (size_t j = 0; vidmm_word_is(row, word) && row->rules[j] != VIDMM_RULE_NONE; j++)
            if (row->rules[j] == info->rule)
                return NEAR_NAMED;
    if (vidmm_rule_is_pointer(info->rule))
        return NEAR_NOT;
    if (explain_rules_holds(info->title, word))
        return NEAR_TITLE;
    return explain_rules_holds(info->text, word) || explain_rules_holds(info->violation, word)
               ? NEAR_TEXT
               : NEAR_NOT;
}

bool explain_rules_about(const struct vidmm_rule_info *info, const char *word)
{
    return near_to(info, word) != NEAR_NOT;
}

/* Up to those that are `farthest`. */
static bool print_rules(const char *heading, const char *word, enum nearness farthest)
{
    size_t printed = 0, left_out = 0;
    for (int near = NEAR_NAMED; near <= (int)farthest; near++) {
        for (size_t i = 1; i <= vidmm_rule_count(); i++) {
            const struct vidmm_rule_info *info = vidmm_rule_info((enum vidmm_rule)i);
            if ((int)near_to(info, word) != near)
                continue;
            /* What the glossary names is never left out. */
            if (near != NEAR_NAMED && printed >= RULES_MOST) {
                left_out++;
                continue;
            }
            if (!printed++)
                (void)printf("%s  Rules that speak of it:\n", heading);
            wrap_row(ID_COLUMN, info->id, TITLE_COLUMN, info->title);
        }
    }
    if (left_out)
        (void)printf("    and %zu more: vidmm rules --about='%s'\n", left_out, word);
    return printed != 0;
}

bool explain_rules_print(const char *word)
{
    return print_rules("", word, NEAR_TEXT);
}

bool explain_rules_named(const char *word)
{
    return print_rules("", word, NEAR_NAMED);
}

bool explain_rules_only(const char *word)
{
    const char *nearest = explain_words_nearest(word);
    struct text heading = { 0 };
    text_add(&heading, "'%s' has no entry of its own", word);
    if (nearest)
        text_add(&heading, "; did you mean '%s'?", nearest);
    text_add(&heading, "\n");
    bool found = print_rules(text_get(&heading), word, NEAR_TEXT);
    text_free(&heading);
    return found;
}

/* ---- the glossary ---------------------------------------------------------------------------- */

/* "fence: ...", or "Size of DXGK_ALLOCATIONINFO: ...". */
static void explain_meaning_print(const struct vidmm_word_info *row, const char *word)
{
    const struct wrap wrap = { .out = stdout,
                               .indent = WRAP_LABEL_COLUMN,
                               .columns = WRAP_COLUMNS };
    struct text text = { 0 };
    if (row->kind == VIDMM_WORD_MEMBER)
        text_add(&text, "%s of %s: ", word, row->of);
    else
        text_add(&text, "%s: ", word);
    (void)fputs(text_get(&text), stdout);
    wrap_from(&wrap, (int)text.length, row->meaning);
    (void)putchar('\n');
    text_free(&text);
}

bool explain_meaning_word(const char *word)
{
    const struct vidmm_word_info *row;
    bool found = false;
    for (size_t i = 0; (row = vidmm_word_row(i)) != NULL; i++) {
        if (row->kind == VIDMM_WORD_KEY || !vidmm_word_is(row, word))
            continue;
        explain_meaning_print(row, word);
        found = true;
    }
    return found;
}

bool explain_meaning_field(const char *word)
{
    const struct vidmm_word_info *row;
    for (size_t i = 0; (row = vidmm_word_row(i)) != NULL; i++)
        if (row->kind == VIDMM_WORD_FIELD && vidmm_word_is(row, word))
            return true;
    return false;
}

void explain_meaning_key(const char *key, const char *subject)
{
    const struct vidmm_word_info *row;
    for (size_t i = 0; (row = vidmm_word_row(i)) != NULL; i++) {
        if (row->kind != VIDMM_WORD_KEY || strcmp(row->of, subject) != 0 ||
            !vidmm_word_is(row, key))
            continue;
        wrap_field(subject, row->meaning);
    }
}
