/* SPDX-License-Identifier: MIT */
/*
 * words.c: which words has the language, and where does each of them stand?
 *
 * The tables of the parser are asked: a new row needs nothing here.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/manual/parts.h"
#include "vidmm/base/base.h"
#include "vidmm/vidmm.h"
#include "vidmm/vidmm_mock.h"

static void add(struct word_list *list, const char *word, size_t length)
{
    if (!length)
        return;
    BASE_GROW(list->words, list->capacity, list->count + 1);
    list->words[list->count++] = base_strndup(word, length);
}

/* Of "a|b|c", or of a phrase, the words of small letters: not those that stand for something. */
static void add_each(struct word_list *list, const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
    static const char all[] = "abcdefghijklmnopqrstuvwxyz0123456789-_."
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    while (text && *text) {
        size_t length = strspn(text, all);
        bool is_word = length > 1 && strspn(text, letters) >= length && *text >= 'a';
        if (is_word)
            add(list, text, length);
        text += length + (text[length] != '\0');
    }
}

static void add_rows(struct word_list *list, enum scenario_words table)
{
    struct scenario_word_help row;
    for (size_t i = 0; scenario_word_help(table, i, &row); i++)
        if (row.supported)
            add(list, row.name, strlen(row.name));
}

static void add_settings(struct word_list *list)
{
    const struct vidmm_setting_info *info;
    for (size_t i = 0; (info = vidmm_setting_row(i)) != NULL; i++)
        add(list, info->name, strlen(info->name));
}

static void add_events(struct word_list *list)
{
    for (int i = 0; i < VIDMM_EVENT_KINDS; i++) {
        const char *name = vidmm_event_info((enum vidmm_event_kind)i)->name;
        add(list, name, strlen(name));
    }
}

static void add_counters(struct word_list *list)
{
    for (int i = 0; i < VIDMM_COUNTERS; i++) {
        const char *name = vidmm_counter_info((enum vidmm_counter)i)->name;
        add(list, name, strlen(name));
    }
}

static void add_attributes(struct word_list *list)
{
    struct scenario_word_help row;
    add_rows(list, SCENARIO_ATTRIBUTES);
    add_settings(list);
    for (size_t i = 0; vidmm_mock_cap_name(i); i++)
        add(list, vidmm_mock_cap_name(i), strlen(vidmm_mock_cap_name(i)));
    for (size_t i = 0; vidmm_mock_switch_name(i); i++)
        add(list, vidmm_mock_switch_name(i), strlen(vidmm_mock_switch_name(i)));
    for (size_t i = 0; scenario_word_help(SCENARIO_STATE_KEYS, i, &row); i++)
        add_each(list, row.supported ? row.words : NULL);
}

static bool is_among(const struct word_list *list, const char *word)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(list->words[middle], word) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->count && strcmp(list->words[low], word) == 0;
}

/* Without those that the other lists have: an editor could not tell them apart. */
static void leave_out(struct word_list *list, enum word_kind kind)
{
    struct word_list other = { 0 };
    size_t kept = 0;
    words_list(kind, &other);
    for (size_t i = 0; i < list->count; i++) {
        if (is_among(&other, list->words[i]))
            base_free(list->words[i]);
        else
            list->words[kept++] = list->words[i];
    }
    list->count = kept;
    words_free(&other);
}

static void add_others(struct word_list *list)
{
    static const char outcomes[] = "fails|warns|pending|bugcheck|device-error|either|by";
    struct scenario_word_help row;
    add_each(list, outcomes);
    add_rows(list, SCENARIO_ACCIDENTS);
    add_events(list);
    for (size_t i = 0; scenario_word_help(SCENARIO_STATEMENTS, i, &row); i++)
        add_each(list, row.supported ? row.value : NULL);
    for (size_t i = 0; scenario_word_help(SCENARIO_ATTRIBUTES, i, &row); i++)
        add_each(list, row.supported ? row.words : NULL);
    for (size_t i = 0; scenario_word_help(SCENARIO_PREDICATES, i, &row); i++)
        add_each(list, row.name);
    leave_out(list, WORDS_STATEMENTS);
    leave_out(list, WORDS_ATTRIBUTES);
    leave_out(list, WORDS_FUNCTIONS);
}

static void add_policies(struct word_list *list)
{
    const struct vidmm_placement_policy *placement;
    const struct vidmm_eviction_policy *eviction;
    for (size_t i = 0; (placement = vidmm_placement_policy_row(i)) != NULL; i++)
        add(list, placement->name, strlen(placement->name));
    for (size_t i = 0; (eviction = vidmm_eviction_policy_row(i)) != NULL; i++)
        add(list, eviction->name, strlen(eviction->name));
}

/* Of each id what stands before one of the bytes of `end`. */
static void add_rules(struct word_list *list, const char *end)
{
    for (size_t i = 1; i <= vidmm_rule_count(); i++) {
        const char *id = vidmm_rule_id((enum vidmm_rule)i);
        add(list, id, strcspn(id, end));
    }
}

static int compare_words(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static void sort_words(struct word_list *list)
{
    size_t kept = 0;
    if (list->count)
        qsort(list->words, list->count, sizeof *list->words, compare_words);
    for (size_t i = 0; i < list->count; i++) {
        if (kept && strcmp(list->words[kept - 1], list->words[i]) == 0)
            base_free(list->words[i]);
        else
            list->words[kept++] = list->words[i];
    }
    list->count = kept;
}

void words_list(enum word_kind kind, struct word_list *list)
{
    *list = (struct word_list){ 0 };
    switch (kind) {
    case WORDS_STATEMENTS: add_rows(list, SCENARIO_STATEMENTS); break;
    case WORDS_ATTRIBUTES: add_attributes(list); break;
    case WORDS_FUNCTIONS:
        add_rows(list, SCENARIO_FUNCTIONS);
        add_counters(list);
        break;
    case WORDS_OTHERS: add_others(list); break;
    case WORDS_SETTINGS: add_settings(list); break;
    case WORDS_EVENTS: add_events(list); break;
    case WORDS_POLICIES: add_policies(list); break;
    case WORDS_AREAS: add_rules(list, "-"); break;
    case WORDS_EXPLAINED:
        add_rules(list, "");
        add_rows(list, SCENARIO_STATEMENTS);
        add_attributes(list);
        add_rows(list, SCENARIO_FUNCTIONS);
        add_counters(list);
        add_events(list);
        break;
    case WORD_KINDS: break;
    }
    sort_words(list);
}

void words_free(struct word_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        base_free(list->words[i]);
    base_free(list->words);
    *list = (struct word_list){ 0 };
}

void words_split(const char *choices, struct word_list *list)
{
    for (bool more = true; more; choices++) {
        add(list, choices, strcspn(choices, "|= "));
        choices += strcspn(choices, "| ");
        more = *choices == '|';
    }
}
void words_print(FILE *out, enum word_kind kind, const char *between, const char *escaped)
{
    struct word_list list;
    words_list(kind, &list);
    for (size_t i = 0; i < list.count; i++) {
        (void)fputs(i ? between : "", out);
        print_escaped(out, list.words[i], escaped);
    }
    words_free(&list);
}
