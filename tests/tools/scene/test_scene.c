/* SPDX-License-Identifier: MIT */
/*
 * test_scene.c: what is drawn of scenarios that are small enough to know: stays, slices, arrows,
 * marks, counters.
 */
#include <inttypes.h>

#include "tests/tools/scene/play.h"

/* ---- stays ---------------------------------------------------------------------------------- */

/* "grass vram 0+24M 500..14000 (leaving 14000) room\n" */
static const char *stays(void)
{
    const struct scene *scene = stage.scene;
    text_clear(&drawn);
    for (size_t i = 0; i < scene->stay_count; i++) {
        const struct scene_stay *stay = &scene->stays[i];
        text_add(&drawn, "%s %s %" PRIu64 "+%" PRIu64 "K", label(stay->allocation),
                 string(scene->segments[stay->segment].name), stay->offset >> 10,
                 stay->bytes >> 10);
        text_add(&drawn, " %" PRIu64 "..%" PRIu64, stay->begin, stay->end);
        if (stay->leaving != stay->end)
            text_add(&drawn, " leaving %" PRIu64, stay->leaving);
        text_add(&drawn, " %s%s\n", string(stay->why_left), stay->still_there ? "here" : "");
    }
    return text_get(&drawn);
}

static void stays_have_times(void **state)
{
    (void)state;
    run(three);
    assert_string_equal(stays(), "grass vram 0+24576K 500..14000 leaving 13000 room\n"
                                 "rock vram 24576+24576K 1000..11441396 here\n"
                                 "grass aper 0+24576K 13500..10514336 leaving 13500 eviction\n"
                                 "sky vram 0+24576K 14000..11441396 here\n");
    const struct scene_stay *first = &stage.scene->stays[0];
    assert_string_equal(event(first->came), "place");
    assert_string_equal(event(first->left), "evict");
    assert_int_equal(stage.scene->stays[2].kind, SCENE_STAY_EVICTION);
    assert_int_equal(stage.scene->acts[0].end, 11441396);
    assert_true(stage.scene->acts[0].passed);
    end();
}

static void a_move_is_two_stays(void **state)
{
    (void)state;
    run("vidmm-scenario 1\nadapter wddm=1.1\n"
        "segment a id=1 kind=memory size=1M flags=CpuVisible\n"
        "segment b id=2 kind=memory size=1M flags=CpuVisible\n"
        "create x size=64K read=a,b write=b prefer=a content=1\n"
        "submit one read=x\nwait idle\nsubmit two write=x\nwait idle\nexpect x in b\n");
    const struct scene *scene = stage.scene;
    assert_int_equal(scene->stay_count, 2);
    assert_string_equal(string(scene->stays[0].why_left), "move");
    assert_false(scene->stays[0].still_there);
    assert_true(scene->stays[1].still_there);
    unsigned moved = 0;
    for (size_t i = 0; i < scene->arrow_count; i++)
        if (scene->arrows[i].kind == SCENE_MOVED) {
            assert_int_equal(scene->arrows[i].from, scene->stays[0].came);
            assert_int_equal(scene->arrows[i].to, scene->stays[1].came);
            moved++;
        }
    assert_int_equal(moved, 1);
    end();
}

static void each_run_is_a_stay(void **state)
{
    (void)state;
    run("vidmm-scenario 1\nadapter wddm=2.0\n"
        "segment v id=1 kind=memory size=256K\nsegment w id=2 kind=aperture size=64K\n"
        "create a size=64K segments=v\ncreate b size=64K segments=v\n"
        "create c size=64K segments=v\ncreate d size=64K segments=v\n"
        "page-in a,b,c,d\nwait idle\ndestroy a\ndestroy c\n"
        "create e size=128K segments=v\npage-in e\nwait idle\n"
        "expect e resident\n");
    const struct scene *scene = stage.scene;
    assert_int_equal(scene->stay_count, 6);
    const struct scene_stay *low = &scene->stays[4], *high = &scene->stays[5];
    assert_string_equal(label(low->allocation), "e");
    assert_string_equal(label(high->allocation), "e");
    assert_int_equal(low->came, high->came);
    assert_int_equal(low->offset + high->offset, 128 << 10);
    assert_int_equal(low->bytes, 64 << 10);
    assert_string_equal(string(scene->stays[0].why_left), "destroy");
    end();
}

static void a_link_has_a_stay_for_each_copy(void **state)
{
    (void)state;
    run("vidmm-scenario 1\nadapter wddm=1.1\nlink adapters=2\n"
        "segment v id=1 kind=memory size=1M flags=CpuVisible\n"
        "create m size=64K segments=v flags=LinkMirrored\nsubmit one read=m\nwait idle\n");
    const struct scene *scene = stage.scene;
    assert_int_equal(scene->segment_count, 2);
    assert_int_equal(scene->segments[0].adapter, 0);
    assert_int_equal(scene->segments[1].adapter, 1);
    assert_int_equal(scene->stay_count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(label(scene->stays[i].allocation), "m");
        assert_true(scene->stays[i].still_there);
    }
    assert_int_not_equal(scene->stays[0].segment, scene->stays[1].segment);
    end();
}

/* ---- lanes and arrows ------------------------------------------------------------------------ */

static const char *slices(void)
{
    const struct scene *scene = stage.scene;
    text_clear(&drawn);
    for (size_t i = 0; i < scene->slice_count; i++) {
        const struct scene_slice *slice = &scene->slices[i];
        text_add(&drawn, "%s: %s %" PRIu64 ", %" PRIu64 "..%" PRIu64 "\n",
                 string(scene->lanes[slice->lane].name), string(slice->name), slice->queued,
                 slice->begin, slice->end);
    }
    return text_get(&drawn);
}

static void slices_have_times(void **state)
{
    (void)state;
    run(three);
    assert_string_equal(slices(), "node 1 (paging): paging buffer 7000, 7000..4940584\n"
                                  "CPU: script 25500, 25500..11441396\n"
                                  "node 0: f1 12500, 4940584..5940584\n"
                                  "node 1 (paging): paging buffer 20000, 5940584..10436396\n"
                                  "node 0: f2 25500, 10436396..11436396\n"
                                  "node 1 (paging): paging buffer 10447396, 10447396..10509336\n");
    assert_int_equal(stage.scene->lanes[1].kind, SCENE_LANE_PAGING);
    end();
}

/* What a hang cuts off is a slice that nothing ended well, and nothing is open at the end. */
static void a_hang_ends_slices(void **state)
{
    (void)state;
    run(HEAD "create a : tex size=1M\nsubmit bad read=a cost=hang\nwait idle -> either\n");
    const struct scene *scene = stage.scene;
    bool found = false;
    for (size_t i = 0; i < scene->slice_count; i++) {
        if (strcmp(string(scene->slices[i].name), "bad") != 0)
            continue;
        found = true;
        assert_string_equal(event(scene->slices[i].ended), "tdr");
        assert_true(scene->slices[i].end > scene->slices[i].begin);
    }
    assert_true(found);
    end();
}

static const char *arrows(void)
{
    static const char *const kinds[] = {
        [SCENE_CAUSED_PAGING] = "caused",
        [SCENE_MADE_ROOM] = "room",
        [SCENE_ENDED_WAIT] = "ended",
        [SCENE_MOVED] = "moved",
    };
    const struct scene *scene = stage.scene;
    text_clear(&drawn);
    for (size_t i = 0; i < scene->arrow_count; i++) {
        const struct scene_arrow *arrow = &scene->arrows[i];
        text_add(&drawn, "%s: %s %s -> %s %s\n", kinds[arrow->kind], event(arrow->from),
                 label(scene->events[arrow->from].allocation), event(arrow->to),
                 label(scene->events[arrow->to].allocation));
    }
    return text_get(&drawn);
}

static void causes_have_arrows(void **state)
{
    (void)state;
    run(three);
    assert_string_equal(arrows(), "caused: submit - -> page-in grass\n"
                                  "caused: submit - -> page-in rock\n"
                                  "caused: submit - -> submit -\n"
                                  "room: evict grass -> place sky\n"
                                  "caused: submit - -> page-in sky\n"
                                  "caused: submit - -> submit -\n"
                                  "ended: end - -> wait -\n");
    end();
}

/* ---- marks and counters ---------------------------------------------------------------------- */

static const char *marks(void)
{
    static const char *const kinds[] = { [SCENE_PINNED] = "pinned",
                                         [SCENE_DIRTY] = "dirty",
                                         [SCENE_LOCKED] = "locked",
                                         [SCENE_OFFERED] = "offered",
                                         [SCENE_MOVING] = "moving" };
    const struct scene *scene = stage.scene;
    text_clear(&drawn);
    for (size_t i = 0; i < scene->mark_count; i++) {
        const struct scene_mark *mark = &scene->marks[i];
        if (mark->kind != SCENE_MOVING)
            text_add(&drawn, "%s %s %" PRIu64 "..%" PRIu64 "%s\n", label(mark->allocation),
                     kinds[mark->kind], mark->begin / 1000000, mark->end / 1000000,
                     mark->still_there ? " still" : "");
    }
    return text_get(&drawn);
}

static void states_are_marks(void **state)
{
    (void)state;
    run("vidmm-scenario 1\nadapter wddm=1.2\n"
        "segment vram id=1 kind=memory size=8M flags=CpuVisible\n"
        "create a size=64K segments=vram\ncreate b size=64K segments=vram flags=CpuVisible\n"
        "page-in a\npin a\nadvance 10ms\nunpin a\nlock b\nadvance 10ms\nunlock b\n"
        "submit w write=b\nwait idle\nadvance 10ms\noffer a priority=low\nadvance 10ms\n"
        "reclaim a\nlock b\n");
    assert_string_equal(marks(), "a pinned 0..10\nb locked 10..20\nb dirty 20..41 still\n"
                                 "a offered 31..41\nb locked 41..41 still\n");
    end();
}

/* The value of a counter when the act ended. */
static uint64_t last_value(const char *name)
{
    const struct scene *scene = stage.scene;
    for (size_t i = 0; i < scene->counter_count; i++)
        if (strcmp(string(scene->counters[i].name), name) == 0 && scene->counters[i].count)
            return scene->points[scene->counters[i].first + scene->counters[i].count - 1].value;
    return UINT64_MAX;
}

static void counters_are_steps(void **state)
{
    (void)state;
    run("vidmm-scenario 1\nadapter wddm=1.1\n"
        "segment v id=1 kind=memory size=256K flags=CpuVisible\n"
        "create a size=64K segments=v content=1\ncreate b size=64K segments=v content=1\n"
        "create c size=64K segments=v content=1\n"
        "submit one read=a,b,c\nwait idle\nevict b\nwait idle\n");
    assert_int_equal(last_value("v used"), 128 << 10);
    assert_int_equal(last_value("v free"), 128 << 10);
    assert_int_equal(last_value("v largest free block"), 64 << 10);
    assert_int_equal(last_value("v fragmentation"), 500);
    assert_int_equal(last_value("v pinned"), 0);
    assert_int_equal(last_value("paged in"), 192 << 10);
    assert_true(last_value("stalled") > 0);
    const struct scene_counter *used = &stage.scene->counters[3];
    assert_string_equal(string(used->name), "v used");
    assert_string_equal(string(used->unit), "bytes");
    uint64_t most = 0;
    for (uint32_t i = 0; i < used->count; i++)
        most = max_u64(most, stage.scene->points[used->first + i].value);
    assert_int_equal(most, 192 << 10);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stays_have_times),   cmocka_unit_test(a_move_is_two_stays),
        cmocka_unit_test(each_run_is_a_stay), cmocka_unit_test(a_link_has_a_stay_for_each_copy),
        cmocka_unit_test(slices_have_times),  cmocka_unit_test(a_hang_ends_slices),
        cmocka_unit_test(causes_have_arrows), cmocka_unit_test(states_are_marks),
        cmocka_unit_test(counters_are_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
