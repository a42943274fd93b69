/* SPDX-License-Identifier: MIT */
/*
 * test_scene_told.c: what is told of scenarios that are small enough to know: events and trails,
 * statements, acts, sources, and what is left out.
 */
#include <inttypes.h>

#include "tests/tools/scene/play.h"

/* ---- events, trails, statements ---------------------------------------------------------------
 */

static void decisions_have_trails(void **state)
{
    (void)state;
    run(three);
    const struct scene *scene = stage.scene;
    size_t evict = 0;
    while (scene->events[evict].kind != VIDMM_EVENT_EVICT)
        evict++;
    const struct scene_event *row = &scene->events[evict];
    assert_true(row->trail >= 3);
    assert_string_equal(label(row->other), "sky");
    bool candidate = false, hole = false;
    for (size_t i = evict - row->trail; i < evict; i++) {
        candidate |= scene->events[i].kind == VIDMM_EVENT_CANDIDATE;
        hole |= scene->events[i].kind == VIDMM_EVENT_HOLE;
        if (scene->events[i].kind == VIDMM_EVENT_HOLE)
            assert_string_equal(string(scene->events[i].sentence),
                                "the largest hole, 16 MiB at 48 MiB = 0x3000000 in vram, is too "
                                "small for sky");
    }
    assert_true(candidate && hole);
    assert_string_equal(string(row->sentence),
                        "grass was evicted from vram at 0 to make room: its content goes through "
                        "aper to system memory");
    assert_string_equal(string(scene->statements[row->statement].text), "submit f2 read=sky");
    end();
}

/* The numbers are those of the JSON lines: calls count although they are not kept. */
static void calls_are_kept_when_asked(void **state)
{
    const struct scene_options options = { .calls = true };
    (void)state;
    run(three);
    uint64_t last = stage.scene->events[stage.scene->event_count - 1].seq;
    size_t without = stage.scene->event_count;
    end();
    run_with(&options, three);
    assert_int_equal(stage.scene->events[stage.scene->event_count - 1].seq, last);
    assert_int_equal(stage.scene->event_count - without,
                     stage.scene->told_by_kind[VIDMM_EVENT_DRIVER_CALL] +
                         stage.scene->told_by_kind[VIDMM_EVENT_LIST_ELEMENT] +
                         stage.scene->told_by_kind[VIDMM_EVENT_PATCH_LOCATION]);
    end();
}

static void statements_have_verdicts(void **state)
{
    static const char *const words[] = { [SCENE_RAN] = "ran",
                                         [SCENE_HELD] = "held",
                                         [SCENE_FAILED] = "failed",
                                         [SCENE_WARNED] = "warned" };
    (void)state;
    run(HEAD "create a : tex size=1M\nexpect a in system\nexpect a in vram\n"
             "note \"hello\"\nask \"how large?\" = size(a)\nshow map aper\npage-in a -> fails\n");
    const struct scene *scene = stage.scene;
    text_clear(&drawn);
    for (size_t i = 0; i < scene->statement_count; i++)
        text_add(&drawn, "%" PRIu32 " %s: %s\n", scene->statements[i].line,
                 words[scene->statements[i].verdict], string(scene->statements[i].text));
    assert_string_equal(text_get(&drawn), "6 ran: create a : tex size=1M\n"
                                          "7 held: expect a in system\n"
                                          "8 failed: expect a in vram\n"
                                          "12 failed: page-in a -> fails\n");
    assert_true(*string(scene->statements[2].message));
    assert_int_equal(scene->exit, SCENARIO_EXIT_FAILED);
    assert_false(scene->acts[0].passed);
    size_t said = 0; /* behind the settings of the machine */
    while (said < scene->said_count && scene->said[said].kind == SCENE_SETTING)
        said++;
    assert_int_equal(scene->said_count - said, 3);
    assert_string_equal(string(scene->said[said].text), "hello");
    assert_string_equal(string(scene->said[said + 1].answer), "1 MiB (0x100000)");
    assert_string_equal(string(scene->segments[scene->said[said + 2].segment].name), "aper");
    end();
}

/* The page asks the questions of an exercise before it shows anything. */
static void an_exercise_is_no_lesson(void **state)
{
    static const char *const texts[] = { HEAD "lesson \"What?\"\nstart\n",
                                         HEAD "exercise \"What?\"\nstart\n" };
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        run(texts[i]);
        size_t at = 0;
        while (stage.scene->said[at].kind != SCENE_LESSON)
            at++;
        assert_string_equal(string(stage.scene->said[at].text), "What?");
        assert_int_equal(stage.scene->said[at].form, i);
        end();
    }
}

static void tests_are_acts(void **state)
{
    (void)state;
    run(HEAD "create a : tex size=1M\n"
             "test \"one\"\npage-in a\nwait idle\nend\n"
             "test \"two\"\nexpect a in vram\nend\n");
    const struct scene *scene = stage.scene;
    assert_int_equal(scene->act_count, 2);
    assert_string_equal(string(scene->acts[0].name), "one");
    assert_string_equal(string(scene->acts[1].name), "two");
    assert_true(scene->acts[0].passed);
    assert_false(scene->acts[1].passed);
    assert_int_equal(scene->acts[0].stays.count, 1);
    assert_int_equal(scene->acts[1].stays.count, 0);
    assert_int_equal(scene->acts[1].allocations.count, 1);
    assert_int_equal(scene->acts[1].lanes.count, scene->acts[0].lanes.count);
    end();
}

/* ---- two runs ------------------------------------------------------------------------------- */

#define MAKE(name) "create " name " : tex size=16M\npage-in " name "\n"

/* The hues of an act by name: "b 2, a 0", of those that two acts have in common. */
static void list_hues(const struct scene *scene, size_t act, const char *names, struct text *list)
{
    const struct scene_range range = scene->acts[act].allocations;
    text_clear(list);
    for (const char *name = names; *name; name++)
        for (uint32_t i = 0; i < range.count; i++) {
            const struct scene_allocation *row = &scene->allocations[range.first + i];
            if (strcmp(scene_string(scene, row->label), (char[]){ *name, '\0' }) == 0)
                text_add(list, "%c%d ", *name, row->hue);
        }
}

/* The acts `one` and `other` of two texts, whose hues become those of a comparison. */
static void compare_hues(const char *const texts[2], size_t one, size_t other, const char *names,
                         bool same)
{
    struct stage stages[2];
    struct text hues[2] = { { 0 } };
    for (size_t i = 0; i < 2; i++) {
        stage_open(&stages[i], NULL);
        assert_true(stage_run(&stages[i], "a.vms", texts[i], strlen(texts[i])));
    }
    scene_share_hues(stages[0].sink, stages[1].sink);
    list_hues(stages[0].scene, one, names, &hues[0]);
    list_hues(stages[1].scene, other, names, &hues[1]);
    assert_int_equal(hues[0].length, hues[1].length);
    assert_true(hues[0].length > 0);
    assert_int_equal(strcmp(text_get(&hues[0]), text_get(&hues[1])) == 0, same);
    for (size_t i = 0; i < 2; i++) {
        text_free(&hues[i]);
        stage_close(&stages[i]);
    }
}

/* Acts are compared by name, or where one of them has none by their places; others are not. */
static void two_runs_share_hues(void **state)
{
    static const char *const tests[] = {
        HEAD "test \"one\"\n" MAKE("a") "end\n"
                                        "test \"two\"\n" MAKE("a") "destroy a\n" MAKE("a") MAKE("b")
                                            MAKE("c") "end\n",
        HEAD "test \"two\"\n" MAKE("x") MAKE("c")
            MAKE("b") "end\n"
                      "test \"new\"\n" MAKE("b") MAKE("a") "end\n"
                                                           "test \"more\"\n" MAKE("b")
                                                               MAKE("a") "end\n",
    };
    static const char *const unnamed[] = { HEAD MAKE("a") MAKE("b"), HEAD MAKE("b") MAKE("a") };
    (void)state;
    compare_hues(tests, 1, 0, "bc", true);
    compare_hues(tests, 0, 1, "a", false);
    compare_hues(tests, 0, 2, "a", false);
    compare_hues((const char *const[]){ unnamed[0], unnamed[1] }, 0, 0, "ab", true);
    compare_hues((const char *const[]){ tests[0], unnamed[1] }, 0, 0, "a", true);
}

/* ---- the rest ------------------------------------------------------------------------------- */

static void sources_and_texts_are_kept(void **state)
{
    static const char text[] = "vidmm-scenario 1\nadapter wddm=1.1\n"
                               "segment v id=1 kind=memory size=256K\nstart\n";
    (void)state;
    run(text);
    assert_int_equal(stage.scene->source_count, 1);
    assert_string_equal(string(stage.scene->sources[0].name), "a.vms");
    assert_string_equal(string(stage.scene->sources[0].text), text);
    assert_int_equal(stage.scene->sources[0].bytes, sizeof text - 1);
    assert_string_equal(string(0), "");
    assert_string_equal(string(UINT32_MAX), "");
    for (scene_text i = 0; i < stage.scene->text_count; i++)
        for (scene_text j = 0; j < i; j++)
            assert_string_not_equal(string(i), string(j));
    end();
}

/* What cannot be worked out is known when its line runs. */
static void a_run_that_stops_says_where(void **state)
{
    (void)state;
    run(HEAD "for i in 0..1\nadvance ($i - 1) * 1us\nend\n");
    const struct scene *scene = stage.scene;
    const struct scene_statement *last = &scene->statements[scene->statement_count - 1];
    assert_int_equal(last->line, 7);
    assert_int_equal(last->verdict, SCENE_FAILED);
    assert_string_equal(string(last->message), "this is less than zero");
    end();
}

static void a_text_with_errors_is_a_scene(void **state)
{
    static const char text[] = "vidmm-scenario 1\nnonsense\n\0and more";
    (void)state;
    stage_open(&stage, NULL);
    assert_false(stage_run(&stage, "a.vms", text, sizeof text));
    assert_int_equal(stage.scene->act_count, 0);
    assert_string_equal(string(stage.scene->sources[0].text), text);
    assert_int_equal(stage.scene->exit, SCENARIO_EXIT_INPUT);
    end();
}

static void files_have_acts_of_their_own(void **state)
{
    static const char good[] = HEAD "create a : tex size=1M\n", wrong[] = HEAD "create b : none\n",
                      failed[] = HEAD "create c : tex size=1M\nexpect c in vram\n";
    (void)state;
    stage_open(&stage, NULL);
    assert_true(stage_run(&stage, "a.vms", good, strlen(good)));
    size_t count = stage.scene->statement_count;
    assert_false(stage_run(&stage, "b.vms", wrong, strlen(wrong)));
    assert_int_equal(stage.scene->statement_count, count);
    assert_true(stage_run(&stage, "c.vms", failed, strlen(failed)));
    const struct scene *scene = stage.scene;
    assert_int_equal(scene->act_count, 2);
    assert_true(scene->acts[0].passed);
    assert_false(scene->acts[1].passed);
    for (size_t i = 0; i < scene->act_count; i++) {
        const struct scene_range *range = &scene->acts[i].statements;
        count = i ? count : 0;
        assert_int_equal(range->first, count);
        count += range->count;
        for (uint32_t k = 0; k < range->count; k++)
            assert_int_equal(scene->statements[range->first + k].file, scene->acts[i].file);
    }
    assert_int_equal(scene->statement_count, count);
    end();
}

/* A limit ends a run in the middle of something: the adapter is there, and may not be asked. */
static void cut_off(struct stage *at, const struct vidmm_adapter *adapter)
{
    const struct scenario_result result = { .exit = SCENARIO_EXIT_LIMIT };
    (void)adapter;
    at->sink->end(at->sink, "a.vms", &result);
    const struct scene *scene = scene_of(at->sink);
    assert_int_equal(scene->exit, SCENARIO_EXIT_LIMIT);
    assert_int_equal(scene->stay_count, 1);
    assert_true(scene->stays[0].still_there);
    assert_null(sound_problem(scene, false));
}

static void a_run_that_is_cut_off_is_whole(void **state)
{
    static const char text[] = HEAD "create a : tex size=1M\npage-in a\n";
    (void)state;
    stage_open(&stage, NULL);
    stage.look = cut_off;
    assert_true(stage_run(&stage, "a.vms", text, strlen(text)));
    assert_int_equal(stage.scene->act_count, 1);
    end();
}

/* Large places outlive small ones, places outlive steps, and everything is counted. */
static void a_long_run_stays_small(void **state)
{
    const struct scene_options options = { .most_events = 120 };
    (void)state;
    run_with(&options, HEAD "create small : tex size=64K\ncreate large : tex size=16M\n"
                            "repeat 200\npage-in small,large\nwait idle\nevict small,large\n"
                            "wait idle\nend\n");
    const struct scene *scene = stage.scene;
    uint64_t large = 0, small = 0;
    assert_true(scene->event_count <= 120);
    assert_true(scene->stay_count <= 120);
    assert_true(scene->point_count <= 120);
    assert_true(scene->mark_count <= 120 && scene->slice_count <= 120 && scene->arrow_count <= 120);
    assert_true(scene->omitted.events[VIDMM_EVENT_PLACE] > 0);
    assert_true(scene->omitted.stays > 0 && scene->omitted.points > 0);
    for (size_t i = 0; i < scene->stay_count; i++) {
        large += strcmp(label(scene->stays[i].allocation), "large") == 0;
        small += strcmp(label(scene->stays[i].allocation), "small") == 0;
    }
    assert_true(large > small);
    end();
}

/* The decision with this number in a scene of everything: its trail, and for whom it was. */
struct decided {
    uint64_t trail;
    char other[16];
};

static void note_decisions(const struct scene *scene, struct decided *all, size_t most)
{
    for (size_t i = 0; i < scene->event_count; i++) {
        const struct scene_event *row = &scene->events[i];
        assert_true(row->seq < most);
        if (row->kind != VIDMM_EVENT_HOLE && row->kind != VIDMM_EVENT_PASS_OVER) {
            all[row->seq].trail = row->trail + row->trail_more;
            (void)snprintf(all[row->seq].other, sizeof all->other, "%s", label(row->other));
        }
    }
}

/* What was looked at for one decision is not told of another, whatever is left out. */
static void a_short_scene_says_the_same_of_decisions(void **state)
{
    static const char text[] = HEAD "create a : tex size=24M\ncreate b : tex size=24M\n"
                                    "create c : tex size=16M\ncreate d : tex size=64K\n"
                                    "repeat 6\npage-in d,a,b\nwait idle\nevict d\nwait idle\n"
                                    "page-in d,c\nwait idle\nevict d,b\nwait idle\nend\n";
    static struct decided all[4096];
    (void)state;
    run(text);
    note_decisions(stage.scene, all, ARRAY_COUNT(all));
    end();
    for (uint64_t most = 1; most < 260; most++) {
        const struct scene_options options = { .most_events = most };
        run_with(&options, text);
        for (size_t i = 0; i < stage.scene->event_count; i++) {
            const struct scene_event *row = &stage.scene->events[i];
            if (row->kind != VIDMM_EVENT_PLACE && row->kind != VIDMM_EVENT_EVICT)
                continue;
            assert_int_equal(row->trail + row->trail_more, all[row->seq].trail);
            assert_string_equal(label(row->other), all[row->seq].other);
        }
        end();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decisions_have_trails),
        cmocka_unit_test(calls_are_kept_when_asked),
        cmocka_unit_test(statements_have_verdicts),
        cmocka_unit_test(an_exercise_is_no_lesson),
        cmocka_unit_test(tests_are_acts),
        cmocka_unit_test(two_runs_share_hues),
        cmocka_unit_test(sources_and_texts_are_kept),
        cmocka_unit_test(a_run_that_stops_says_where),
        cmocka_unit_test(a_text_with_errors_is_a_scene),
        cmocka_unit_test(files_have_acts_of_their_own),
        cmocka_unit_test(a_run_that_is_cut_off_is_whole),
        cmocka_unit_test(a_long_run_stays_small),
        cmocka_unit_test(a_short_scene_says_the_same_of_decisions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
