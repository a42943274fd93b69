/* SPDX-License-Identifier: MIT */
/*
 * test_glossary.c: the words of glossary.md and members.md are whole: each key of `state`, and each
 * flag of the structures that it describes, has a row, and no row is for nothing.
 */
#include <ctype.h>
#include <string.h>

#include "scenarios/lang/scenario.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/vidmm_flags.h"
#include "vidmm/vidmm_glossary.h"

static const struct vidmm_word_info *find(enum vidmm_word_kind kind, const char *of,
                                          const char *name)
{
    const struct vidmm_word_info *row;
    for (size_t i = 0; (row = vidmm_word_row(i)) != NULL; i++)
        if (row->kind == kind && strncmp(row->of, of, strlen(of)) == 0 && vidmm_word_is(row, name))
            return row;
    return NULL;
}

/* Takes the next word of "a|b" or "a, b" off `list`; false at its end. */
static bool next_word(const char **list, const char *between, char word[64])
{
    size_t length = strcspn(*list, between);
    assert_in_range(length, 0, 63);
    memcpy(word, *list, length);
    word[length] = '\0';
    *list += length;
    *list += strspn(*list, between);
    return length != 0;
}

static void test_every_key_of_state_means_something(void **state)
{
    struct scenario_word_help help;
    (void)state;
    for (size_t i = 0; scenario_word_help(SCENARIO_STATE_KEYS, i, &help); i++) {
        const char *at = help.words;
        char key[64];
        while (help.supported && next_word(&at, "|", key))
            if (!find(VIDMM_WORD_KEY, help.of, key))
                fail_msg("no row for the key '%s' of %s", key, help.of);
    }
}

static bool is_key(const char *of, const char *name)
{
    struct scenario_word_help help;
    for (size_t i = 0; scenario_word_help(SCENARIO_STATE_KEYS, i, &help); i++) {
        const char *at = help.words;
        char key[64];
        while (help.supported && strcmp(help.of, of) == 0 && next_word(&at, "|", key))
            if (strcmp(key, name) == 0)
                return true;
    }
    return false;
}

static void test_every_row_of_a_key_is_for_one(void **state)
{
    const struct vidmm_word_info *row;
    (void)state;
    for (size_t i = 0; (row = vidmm_word_row(i)) != NULL; i++) {
        const char *at = row->names;
        char name[64];
        while (row->kind == VIDMM_WORD_KEY && next_word(&at, ", ", name))
            if (!is_key(row->of, name))
                fail_msg("'%s' is no key of %s", name, row->of);
    }
}

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* As a whole word: "none" is not explained by "nonetheless". */
static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        if ((at == text || !is_of_word(at[-1])) && !is_of_word(at[length]))
            return true;
    return false;
}

/* The words of a value of `state` are explained with the key. */
static void test_the_values_of_a_key_are_in_its_meaning(void **state)
{
    static const char *const keys[] = { "backing", "holds", "instance", "offer", "type" };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(keys); i++) {
        const char *words = scenario_state_words(keys[i]);
        const struct vidmm_word_info *row = find(VIDMM_WORD_KEY, "ALLOCATION", keys[i]);
        char word[64];
        assert_non_null(row);
        while (next_word(&words, "|", word))
            if (!has_word(row->meaning, word))
                fail_msg("'%s' of '%s' is not explained", word, keys[i]);
    }
}

static void test_every_flag_has_a_row(void **state)
{
    static const struct {
        enum vidmm_flag_set set;
        const char *of, *or_of;
    } sets[] = {
        { VIDMM_FLAGS_ALLOCATION, "DXGK_ALLOCATIONINFOFLAGS", "" },
        { VIDMM_FLAGS_ALLOCATION2_0, "DXGK_ALLOCATIONINFOFLAGS_WDDM2_0",
          "DXGK_ALLOCATIONINFOFLAGS" },
        { VIDMM_FLAGS_ALLOCATION2, "DXGK_ALLOCATIONINFOFLAGS_WDDM2_0", "" },
        { VIDMM_FLAGS_KMT, "D3DKMT_CREATEALLOCATIONFLAGS", "DXGK_ALLOCATIONINFOFLAGS_WDDM2_0" },
        { VIDMM_FLAGS_SEGMENT, "DXGK_SEGMENTFLAGS", "" },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(sets); i++) {
        const struct vidmm_flag *flag;
        for (size_t j = 0; (flag = vidmm_flag_row(sets[i].set, j)) != NULL; j++)
            if (!find(VIDMM_WORD_MEMBER, sets[i].of, flag->name) &&
                !(*sets[i].or_of && find(VIDMM_WORD_MEMBER, sets[i].or_of, flag->name)))
                fail_msg("no row for %s of %s", flag->name, sets[i].of);
    }
}

/* Two or three sentences for a word of the field, a rule or more for everything but three words. */
static void test_every_row_is_sound(void **state)
{
    const struct vidmm_word_info *row;
    size_t words = 0;
    (void)state;
    for (size_t i = 0; (row = vidmm_word_row(i)) != NULL; i++) {
        assert_true(*row->names && *row->meaning);
        assert_int_equal(*row->of == '\0', row->kind == VIDMM_WORD_FIELD);
        words += row->kind == VIDMM_WORD_FIELD;
        if (row->rules[0] == VIDMM_RULE_NONE && row->kind != VIDMM_WORD_FIELD)
            fail_msg("'%s' names no rule", row->names);
        for (size_t j = 0; row->rules[j] != VIDMM_RULE_NONE; j++)
            assert_non_null(vidmm_rule_info(row->rules[j]));
    }
    assert_in_range(words, 60, 200);
}

static void test_how_names_are_compared(void **state)
{
    static const struct vidmm_word_info field = { .kind = VIDMM_WORD_FIELD,
                                                  .names = "paging buffer, paging buffers, MDL" };
    static const struct vidmm_word_info member = { .kind = VIDMM_WORD_MEMBER, .names = "Size" };
    (void)state;
    assert_true(vidmm_word_is(&field, "Paging-Buffer"));
    assert_true(vidmm_word_is(&field, "mdl"));
    assert_false(vidmm_word_is(&field, "paging"));
    assert_false(vidmm_word_is(&field, ""));
    assert_true(vidmm_word_is(&member, "Size"));
    assert_false(vidmm_word_is(&member, "size"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_key_of_state_means_something),
        cmocka_unit_test(test_every_row_of_a_key_is_for_one),
        cmocka_unit_test(test_the_values_of_a_key_are_in_its_meaning),
        cmocka_unit_test(test_every_flag_has_a_row),
        cmocka_unit_test(test_every_row_is_sound),
        cmocka_unit_test(test_how_names_are_compared),
    };
    return cmocka_run_group_tests_name("glossary", tests, NULL, NULL);
}
