/* SPDX-License-Identifier: MIT */
/*
 * test_turns.c: a loaded eviction policy in a whole manager: one that breaks its word is reported,
 * and the documented order holds (POLICY-011); what it is told, who listens to references
 * (POLICY-012), and one that foresees (POLICY-013).
 */
#include <string.h>

#include "paging/buffer/buffer.h"
#include "paging/residency/residency.h"
#include "tests/support/mock_adapter.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/share/share.h"
#include "vidmm/vidmm_eviction.h"

enum { PAGES = MOCK_SEGMENT_BYTES / MOCK_PAGE };

/* It names the newest one, again and again. */
static struct vidmm_resident *next(const void *state, struct vidmm_eviction_walk *walk)
{
    (void)walk;
    return *(struct vidmm_resident *const *)state;
}

static void arrived(void *state, struct vidmm_resident *resident)
{
    assert_true(resident->cost > 1); /* of the transfer that brings it back */
    *(struct vidmm_resident **)state = resident;
}

static void left(void *state, struct vidmm_resident *resident, bool victim)
{
    (void)resident;
    assert_true(victim);
    *(struct vidmm_resident **)state = NULL;
}

static const struct vidmm_eviction_policy newest_only = {
    .name = "newest-only",
    .state_bytes = sizeof(struct vidmm_resident *),
    .next = next,
    .arrived = arrived,
    .left = left,
};
static const struct vidmm_policies broken = { VIDMM_POLICIES, .eviction = &newest_only };

static uint64_t key(void *state, struct vidmm_resident *resident)
{
    (void)state;
    return UINT64_MAX - resident->next_use;
}

static const struct vidmm_eviction_policy seer = { .name = "seer", .foresees = true, .key = key };
static const struct vidmm_policies foreseeing = { VIDMM_POLICIES, .eviction = &seer };

static uint64_t arrival(void *state, struct vidmm_resident *resident)
{
    (void)state;
    return resident->arrival;
}

static uint64_t victims, others, misses;
static struct vidmm_resident missing; /* what was known of the last one that was missed */

static void note(void *state, struct vidmm_resident *resident, bool victim)
{
    (void)state;
    (void)resident;
    victims += victim;
    others += !victim;
}

static void miss(void *state, struct vidmm_resident *resident)
{
    (void)state;
    missing = *resident;
    misses++;
}

static const struct vidmm_eviction_policy witness = {
    .name = "witness",
    .key = arrival,
    .left = note,
    .missed = miss,
};
static const struct vidmm_policies witnessing = { VIDMM_POLICIES, .eviction = &witness };

static struct vidmm_eviction_group told; /* the last one */

static void measure(void *state, const struct vidmm_eviction_group *group)
{
    (void)state;
    told = *group;
}

static uint64_t price, taken; /* by the last one that arrived */

static void note_facts(void *state, struct vidmm_resident *resident)
{
    (void)state;
    price = resident->cost;
    taken = resident->bytes;
}

static const struct vidmm_eviction_policy surveyor = {
    .name = "surveyor",
    .state_bytes = 1,
    .begin = measure,
    .key = arrival,
    .arrived = note_facts,
};
static const struct vidmm_policies surveying = { VIDMM_POLICIES, .eviction = &surveyor };

static const struct vidmm_policies *const loaded[] = { &broken, &foreseeing, &witnessing,
                                                       &surveying };
static const char *const names[] = { "newest-only", "seer", "witness", "surveyor" };

struct listener {
    uint64_t references, bytes, begun;
    vidmm_handle last;
};

static void begun(void *caller)
{
    ((struct listener *)caller)->begun++;
}

static void referenced(void *caller, vidmm_handle allocation, uint64_t bytes)
{
    struct listener *listener = caller;
    listener->references++;
    listener->bytes += bytes;
    listener->last = allocation;
}

/* The first page comes again, the others do not. */
static uint64_t next_use(void *caller, vidmm_handle allocation)
{
    struct listener *listener = caller;
    assert_int_equal(allocation, listener->last);
    return listener->references == 1 ? 1000 : UINT64_MAX;
}

static void start(struct mock_adapter *mock, size_t which, const struct vidmm_foresight *foresight)
{
    const struct vidmm_setting_info *row = vidmm_setting_row(VIDMM_SETTING_EVICTION);
    mock_adapter_init(mock, VIDMM_WDDM_1_1);
    mock->config.policies = loaded;
    mock->config.policy_count = ARRAY_COUNT(loaded);
    mock->config.settings.value[VIDMM_SETTING_EVICTION] =
        vidmm_setting_policy(row, names[which], loaded, ARRAY_COUNT(loaded));
    mock->config.foresight = foresight;
}

static vidmm_handle page_in(struct mock_adapter *mock, uint64_t pages)
{
    struct vidmm_mock_allocation wish = mock_wish(pages * MOCK_PAGE);
    vidmm_handle handle;
    wish.read_set = wish.write_set = 1; /* memory only */
    assert_int_equal(mock_allocate(mock, &wish, &handle), 0);
    assert_int_equal(vidmm_page_in(mock->adapter, handle, false), 0);
    return handle;
}

static uint64_t times(const struct mock_adapter *mock, enum vidmm_rule rule)
{
    return vidmm_rule_uses(mock->adapter, rule);
}

/* POLICY-010: all of the segment, whatever its commit limit is. */
static void a_policy_is_told_the_whole_capacity(void **state)
{
    (void)state;
    for (int memory = 0; memory < 2; memory++)
        for (int since_2_0 = 0; since_2_0 < 2; since_2_0++) {
            struct mock_adapter mock;
            struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
            vidmm_handle handle;
            wish.read_set = wish.write_set = memory ? 1 : 2;
            wish.pitch_aligned_size = 2 * (uint64_t)MOCK_PAGE;
            start(&mock, 3, NULL);
            mock.segments[0].flags |= SEGMENT_PITCH_ALIGNMENT;
            mock.mock_config.wddm = since_2_0 ? VIDMM_WDDM_2_0 : VIDMM_WDDM_1_1;
            mock.config.seed = 5;
            mock.segments[1].commit_limit = MOCK_SEGMENT_BYTES / 2;
            mock_adapter_start(&mock);
            assert_int_equal(mock_allocate(&mock, &wish, &handle), 0);
            assert_int_equal(vidmm_page_in(mock.adapter, handle, false), 0);
            /* From 2.0 on system memory has no segment: the limit of all apertures. */
            assert_int_equal(told.capacity, MOCK_SEGMENT_BYTES >> (!memory && since_2_0));
            assert_int_equal(told.page, MOCK_PAGE);
            assert_int_equal(told.seed, 5);
            /* A byte is a nanosecond; a mapping, or nothing at all, is free and counts as one. */
            assert_int_equal(price, memory ? MOCK_PAGE : 1);
            assert_int_equal(taken, memory ? 2 * MOCK_PAGE : MOCK_PAGE);
            mock_adapter_stop(&mock);
        }
}

static void a_broken_word_is_reported(void **state)
{
    (void)state;
    struct mock_adapter mock;
    start(&mock, 0, NULL);
    mock_adapter_start(&mock);
    vidmm_handle page[PAGES];
    for (size_t i = 0; i < PAGES; i++)
        page[i] = page_in(&mock, 1);
    assert_int_equal(mock_findings(&mock), 0);
    vidmm_handle newest = page_in(&mock, 1); /* the one before it made room; a walk looks ahead */
    assert_int_equal(mock_findings(&mock), 1);
    assert_int_equal(mock_view(&mock, page[PAGES - 1]).segment, 0);
    vidmm_handle two = page_in(&mock, 2);
    assert_int_equal(mock_findings(&mock), 2);
    assert_int_equal(times(&mock, RULE(POLICY_011)), 2);
    assert_string_equal(mock.finding,
                        "the eviction policy newest-only named a resident twice: the rest "
                        "follows in the documented order");
    assert_int_equal(mock_view(&mock, two).segment, 1);
    assert_int_equal(mock_view(&mock, page[0]).segment, 0); /* used least recently */
    assert_int_equal(mock_view(&mock, page[1]).segment, 0);
    assert_int_equal(mock_view(&mock, newest).segment, 1); /* not in the way */
    mock_adapter_stop(&mock);
}

static struct vidmm_resident *lived[PAGES], stranger; /* in the order of arrival */
static size_t living;

static void comes(void *state, struct vidmm_resident *resident)
{
    (void)state;
    lived[living++] = resident;
}

static void goes(void *state, struct vidmm_resident *resident, bool victim)
{
    size_t kept = 0;
    (void)state;
    (void)victim;
    for (size_t i = 0; i < living; i++)
        if (lived[i] != resident)
            lived[kept++] = lived[i];
    living = kept;
}

/* All but the newest. */
static struct vidmm_resident *all_but_one(const void *state, struct vidmm_eviction_walk *walk)
{
    (void)state;
    return walk->word[0] + 1 < living ? lived[walk->word[0]++] : NULL;
}

static struct vidmm_resident *nobody_here(const void *state, struct vidmm_eviction_walk *walk)
{
    (void)state;
    return walk->word[0]++ ? NULL : &stranger;
}

static void who_is_left_out_and_who_is_none_is_told(void **state)
{
    static const struct {
        struct vidmm_resident *(*next)(const void *state, struct vidmm_eviction_walk *walk);
        const char *text;
    } cases[] = { { all_but_one, "less than all residents" },
                  { nobody_here, "what is no resident of that segment and priority" } };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct vidmm_eviction_policy policy = {
            .name = "odd", .state_bytes = 1, .next = cases[i].next, .arrived = comes, .left = goes
        };
        const struct vidmm_policies odd = { VIDMM_POLICIES, .eviction = &policy };
        const struct vidmm_policies *const only[] = { &odd };
        struct mock_adapter mock;
        living = 0;
        start(&mock, 0, NULL);
        mock.config.policies = only;
        mock.config.policy_count = 1;
        mock.config.settings.value[VIDMM_SETTING_EVICTION] =
            vidmm_setting_policy(vidmm_setting_row(VIDMM_SETTING_EVICTION), "odd", only, 1);
        mock_adapter_start(&mock);
        for (size_t n = 0; n < PAGES; n++)
            (void)page_in(&mock, 1);
        assert_int_equal(mock_findings(&mock), 0);
        (void)page_in(&mock, PAGES);
        assert_int_equal(mock_findings(&mock), 1);
        assert_int_equal(times(&mock, RULE(POLICY_011)), 1);
        assert_non_null(strstr(mock.finding, cases[i].text));
        mock_adapter_stop(&mock);
    }
}

static void references_are_heard_once(void **state)
{
    (void)state;
    struct mock_adapter mock;
    struct listener listener = { 0 };
    const struct vidmm_foresight foresight = { begun, referenced, NULL, &listener };
    start(&mock, 0, &foresight);
    mock.config.settings.value[VIDMM_SETTING_EVICTION] = 0; /* wddm */
    mock_adapter_start(&mock);
    assert_int_equal(listener.begun, 1);
    vidmm_handle page = page_in(&mock, 1);
    assert_int_equal(listener.references, 1);
    assert_int_equal(vidmm_page_in(mock.adapter, page, true), 0);
    assert_int_equal(listener.references, 2);
    assert_int_equal(listener.bytes, 2 * MOCK_PAGE);
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_USE_HITS), 1);
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_USE_MISSES), 1);
    mock_adapter_stop(&mock);
}

static void the_future_decides(void **state)
{
    (void)state;
    struct mock_adapter mock;
    struct listener listener = { 0 };
    const struct vidmm_foresight foresight = { begun, referenced, next_use, &listener };
    start(&mock, 1, &foresight);
    mock_adapter_start(&mock);
    vidmm_handle page[PAGES];
    for (size_t i = 0; i < PAGES; i++)
        page[i] = page_in(&mock, 1);
    (void)page_in(&mock, 1);
    assert_int_equal(mock_view(&mock, page[0]).segment, 1);
    assert_int_equal(mock_view(&mock, page[1]).segment, 0);
    mock_adapter_stop(&mock);
}

static uint64_t never_again(void *caller, vidmm_handle allocation)
{
    ((struct listener *)caller)->last = allocation;
    return UINT64_MAX;
}

/* Who knows the future need not hear of the past. */
static void a_listener_may_be_deaf(void **state)
{
    (void)state;
    struct mock_adapter mock;
    struct listener listener = { 0 };
    const struct vidmm_foresight foresight = { NULL, NULL, never_again, &listener };
    start(&mock, 1, &foresight);
    mock_adapter_start(&mock);
    vidmm_handle page = page_in(&mock, 1);
    assert_int_equal(listener.last, page);
    assert_int_equal(listener.references + listener.begun, 0);
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_USE_MISSES), 1);
    mock_adapter_stop(&mock);
}

static void without_a_future_the_start_is_refused(void **state)
{
    (void)state;
    struct mock_adapter mock;
    struct listener listener = { 0 };
    const struct vidmm_foresight deaf = { begun, referenced, NULL, &listener };
    start(&mock, 1, &deaf);
    mock_adapter_prepare(&mock);
    assert_int_equal(vidmm_adapter_start(&mock.config, &mock.adapter), STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(POLICY_013));
    assert_int_equal(listener.begun, 0);
    mock_adapter_free(&mock);
}

static void write_it(struct mock_adapter *mock, vidmm_handle handle)
{
    const struct vidmm_mock_command command = { .cost_ns = 1 };
    assert_int_equal(mock_use(mock, handle, true, command, NULL), 0);
    assert_int_equal(vidmm_wait_idle(mock->adapter), 0);
}

/* A victim for which there is no system memory stays, and is none when it is pinned later. Plans
   count that memory, so only what they cannot foresee ends like this. */
static void a_victim_that_stays_is_none(void **state)
{
    (void)state;
    struct mock_adapter mock;
    struct allocation *large;
    victims = others = 0;
    start(&mock, 2, NULL);
    mock.config.machine.memory_bytes = MOCK_SEGMENT_BYTES / 2;
    mock_adapter_start(&mock);
    vidmm_handle handle = page_in(&mock, PAGES * 5 / 8);
    write_it(&mock, handle);
    large = handle_object(mock.adapter, handle, VIDMM_OBJECT_ALLOCATION);
    paging_begin(mock.adapter, NULL);
    assert_int_equal(evict_allocation(mock.adapter, &large->pageable, EVICT_ROOM, RULE(PLACE_012)),
                     STATUS_NO_MEMORY);
    assert_int_equal(paging_end(mock.adapter), 0);
    assert_int_equal(mock_view(&mock, handle).segment, 1);
    assert_int_equal(vidmm_pin(mock.adapter, handle), 0);
    assert_int_equal(victims, 0);
    assert_int_equal(others, 1);
    mock_adapter_stop(&mock);
}

/* The buffer is split, and asks for the last one once more. What is heard is what will come. */
static void a_miss_is_heard_once(void **state)
{
    (void)state;
    struct mock_adapter mock;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_SEGMENT_BYTES / 2);
    struct vidmm_use uses[3] = { { 0 } };
    static const struct vidmm_patch patches[] = {
        { .allocation_index = 0 },
        { .allocation_index = 1, .slot = 1, .patch_offset = 16, .split_offset = 16 },
        { .allocation_index = 2, .slot = 2, .patch_offset = 32, .split_offset = 32 },
    };
    wish.read_set = wish.write_set = 1;
    start(&mock, 2, NULL);
    mock_adapter_start(&mock);
    for (size_t i = 0; i < ARRAY_COUNT(uses); i++)
        assert_int_equal(mock_allocate(&mock, &wish, &uses[i].allocation), 0);
    misses = 0;
    assert_int_equal(mock_submit(&mock,
                                 (struct vidmm_work){ .uses = uses,
                                                      .use_count = ARRAY_COUNT(uses),
                                                      .patches = patches,
                                                      .patch_count = ARRAY_COUNT(patches) },
                                 (struct vidmm_mock_command){ 0 }, NULL),
                     0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_true(mock.events[VIDMM_EVENT_SPLIT] > 0);
    assert_int_equal(misses, ARRAY_COUNT(uses));
    assert_int_equal(missing.id, uses[ARRAY_COUNT(uses) - 1].allocation);
    assert_int_equal(missing.bytes, MOCK_SEGMENT_BYTES / 2);
    assert_true(missing.cost > 1); /* of the transfer that brings it */
    mock_adapter_stop(&mock);
}

static vidmm_handle watched;
static vidmm_ns used; /* as its last turn said */

static void note_turn(struct vidmm_observer *self, const struct vidmm_event *event)
{
    (void)self;
    for (size_t i = 0; event->kind == VIDMM_EVENT_TURN && i < event->field_count; i++)
        if (event->subject == watched && strcmp(event->fields[i].name, "used") == 0)
            used = event->fields[i].value;
}

/* Of two that arrived together one is used again; then both have to leave. */
static void a_turn_says_when_its_resident_was_used(void **state)
{
    static const bool turns[VIDMM_EVENT_KINDS] = { [VIDMM_EVENT_TURN] = true };
    (void)state;
    struct mock_adapter mock;
    mock_adapter_init(&mock, VIDMM_WDDM_1_1);
    mock.observer.on_event = note_turn;
    mock.observer.kinds = turns;
    mock_adapter_start(&mock);
    watched = page_in(&mock, PAGES / 2);
    (void)page_in(&mock, PAGES / 2);
    assert_int_equal(vidmm_advance(mock.adapter, 1000000), 0);
    vidmm_ns before = vidmm_now(mock.adapter);
    write_it(&mock, watched);
    vidmm_ns after = vidmm_now(mock.adapter);
    used = 0;
    (void)page_in(&mock, PAGES);
    assert_true(used >= before && used <= after);
    mock_adapter_stop(&mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_policy_is_told_the_whole_capacity),
        cmocka_unit_test(a_broken_word_is_reported),
        cmocka_unit_test(who_is_left_out_and_who_is_none_is_told),
        cmocka_unit_test(references_are_heard_once),
        cmocka_unit_test(the_future_decides),
        cmocka_unit_test(a_listener_may_be_deaf),
        cmocka_unit_test(without_a_future_the_start_is_refused),
        cmocka_unit_test(a_victim_that_stays_is_none),
        cmocka_unit_test(a_miss_is_heard_once),
        cmocka_unit_test(a_turn_says_when_its_resident_was_used),
    };
    return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
