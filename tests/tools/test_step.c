/* SPDX-License-Identifier: MIT */
/*
 * test_step.c: which place words mean, and what is kept of a long search.
 */
#include <stdio.h>
#include <string.h>

#include "tests/support/unit.h"
#include "tools/step/trail.h"
#include "tools/step/where.h"
#include "vidmm/base/base.h"

/* ---- places --------------------------------------------------------------------------------- */

/* Up to three words. */
static bool read_words(const char *line, struct where *where, struct text *why)
{
    char copy[64], *words[WHERE_WORDS] = { copy };
    size_t count = 0;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *at = copy; *at && count < WHERE_WORDS; count++) {
        words[count] = at;
        at += strcspn(at, " ");
        if (*at)
            *at++ = '\0';
    }
    text_clear(why);
    return where_read(where, words, count, why);
}

static void words_are_places(void **state)
{
    static const struct {
        const char *words;
        enum where_kind kind;
        uint64_t number;
    } rows[] = {
        { "57", WHERE_EVENT, 57 },        { "event 57", WHERE_EVENT, 57 },
        { "line 25", WHERE_LINE, 25 },    { "500ns", WHERE_TIME, 500 },
        { "5.9ms", WHERE_TIME, 5900000 }, { "fail", WHERE_FAIL, 0 },
        { "start", WHERE_START, 0 },      { "end", WHERE_END, 0 },
        { "evict", WHERE_KIND, 0 },       { "evict t[3]", WHERE_KIND, 0 },
        { "PLACE-012", WHERE_RULE, 0 },
    };
    struct where where;
    struct text why = { 0 };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        assert_true(read_words(rows[i].words, &where, &why));
        assert_int_equal(where.kind, rows[i].kind);
        assert_int_equal(where.number, rows[i].number);
        assert_string_equal(where.text, rows[i].words);
        assert_string_equal(text_get(&why), "");
    }
    text_free(&why);
}

static void other_words_are_none(void **state)
{
    static const char *const rows[][2] = {
        { "", "'' is no place" },
        { "evcit", "did you mean 'evict'" },
        { "PLACE-12", "did you mean 'PLACE-012'" },
        { "0", "'0' is no event" },
        { "line", "'' is no line" },
        { "line x", "'x' is no line" },
        { "57 58", "not '58'" },
        { "line 5 6", "not '6'" },
        { "fail now", "not 'now'" },
        { "PLACE-012 grass", "not 'grass'" },
        { "hole", "`why` shows it" },
        { "99999999999999999999", "is no event" },
    };
    struct where where;
    struct text why = { 0 };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        assert_false(read_words(rows[i][0], &where, &why));
        assert_non_null(strstr(text_get(&why), rows[i][1]));
    }
    text_free(&why);
}

static void events_are_at_places(void **state)
{
    struct vidmm_event event = { .seq = 7,
                                 .time = 1500,
                                 .kind = VIDMM_EVENT_EVICT,
                                 .rule = vidmm_rule_by_id("PLACE-012"),
                                 .label = "grass" };
    static const char *const here[] = { "7", "1.5us", "1us", "evict", "evict grass", "PLACE-012" };
    static const char *const elsewhere[] = { "8",      "2us",  "place", "evict rocks", "PLACE-011",
                                             "line 7", "fail", "start", "end" };
    struct where where;
    struct text why = { 0 };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(here); i++) {
        assert_true(read_words(here[i], &where, &why));
        assert_true(where_is_event(&where, &event));
    }
    for (size_t i = 0; i < ARRAY_COUNT(elsewhere); i++) {
        assert_true(read_words(elsewhere[i], &where, &why));
        assert_false(where_is_event(&where, &event));
    }
    event.label = NULL;
    assert_true(read_words("evict grass", &where, &why));
    assert_false(where_is_event(&where, &event));
    text_free(&why);
}

/* ---- what is kept --------------------------------------------------------------------------- */

static void hear(struct trail *trail, enum vidmm_event_kind kind, uint64_t seq)
{
    char word[16];
    snprintf(word, sizeof word, "w%u", (unsigned)seq);
    const struct vidmm_field fields[] = {
        { "offset", VIDMM_FIELD_HEX, seq, NULL },
        { "result", VIDMM_FIELD_WORD, 0, word },
    };
    const struct vidmm_event event = {
        .seq = seq, .kind = kind, .subject = 1, .label = word, .fields = fields, .field_count = 2
    };
    trail_hear(trail, &event);
    memset(word, '?', sizeof word - 1); /* nothing of an event may be kept */
}

static void long_searches_are_cut(void **state)
{
    struct trail *trail = trail_new();
    (void)state;
    for (uint64_t i = 2; i < 1002; i++)
        hear(trail, VIDMM_EVENT_HOLE, i);
    hear(trail, VIDMM_EVENT_PLACE, 1002);
    assert_int_equal(trail->count, TRAIL_ALIKE + 1);
    assert_int_equal(trail_row(trail, TRAIL_ALIKE - 1)->more, 1000 - TRAIL_ALIKE);
    assert_int_equal(trail_decision(trail, ""), TRAIL_ALIKE);
    assert_int_equal(trail_decision(trail, "w1002"), TRAIL_ALIKE);
    assert_int_equal(trail_decision(trail, "w2"), UINT64_MAX);
    const struct vidmm_event *first = &trail_row(trail, 0)->event;
    assert_string_equal(first->label, "w2");
    assert_string_equal(names_field(first, "result")->text, "w2");
    assert_int_equal(names_field(first, "offset")->value, 2);
    trail_free(trail);
}

static void old_decisions_make_room(void **state)
{
    struct trail *trail = trail_new();
    (void)state;
    assert_int_equal(trail_decision(trail, ""), UINT64_MAX);
    for (uint64_t i = 2; i < 3 * TRAIL_ROWS; i++) {
        hear(trail, VIDMM_EVENT_PLACE, i);
        hear(trail, VIDMM_EVENT_TRANSFER, i); /* follows from a decision, and is none */
    }
    uint64_t count = 3 * TRAIL_ROWS - 2;
    assert_int_equal(trail->count, count);
    assert_null(trail_row(trail, count - TRAIL_ROWS - 1));
    assert_null(trail_row(trail, count));
    assert_int_equal(trail_row(trail, count - TRAIL_ROWS)->event.seq, count - TRAIL_ROWS + 2);
    assert_int_equal(trail_row(trail, count - 1)->event.seq, count + 1);
    /* Another adapter: nothing of the one before is left. */
    hear(trail, VIDMM_EVENT_REFUSE, 1);
    assert_int_equal(trail->count, 1);
    trail_free(trail);
}

static void long_statements_are_cut(void **state)
{
    /* A line of letters of two bytes: whole letters are kept, and no more than a reader needs. */
    enum { LETTERS = 50000 };
    struct trail *trail = trail_new();
    char *line = base_alloc(2 * LETTERS + 2, 1);
    (void)state;
    line[0] = 'x';
    for (size_t i = 0; i < LETTERS; i++)
        memcpy(line + 1 + 2 * i, "\xC3\xA4", 2);
    trail_statement(trail, &(struct scenario_telling){ .text = line });
    hear(trail, VIDMM_EVENT_PLACE, 2);
    const char *said = trail_row(trail, 0)->said;
    size_t length = strlen(said) - strlen(" ...");
    assert_true(length <= TRAIL_SAID);
    assert_int_equal(length % 2, 1);
    assert_memory_equal(said, line, length);
    assert_string_equal(said + length, " ...");
    line[TRAIL_SAID] = '\0'; /* as long as may be */
    trail_statement(trail, &(struct scenario_telling){ .text = line });
    hear(trail, VIDMM_EVENT_PLACE, 3);
    assert_string_equal(trail_row(trail, 1)->said, line);
    base_free(line);
    trail_free(trail);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_places),        cmocka_unit_test(other_words_are_none),
        cmocka_unit_test(events_are_at_places),    cmocka_unit_test(long_searches_are_cut),
        cmocka_unit_test(old_decisions_make_room), cmocka_unit_test(long_statements_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
