/* SPDX-License-Identifier: MIT */
/*
 * life_looks.c: calls that only ask, with any handles and numbers. What they answer is used, so
 * that a pointer into nothing is noticed.
 */
#include "tests/fuzz/life.h"
#include "vidmm/vidmm_glossary.h"
#include "vidmm/vidmm_stops.h"

#include <string.h>

enum { SPANS = 8, TEXT = 160 };

/* A text that has to be there. */
static void read_text(const char *text)
{
    CHECK(text && strlen(text) < SIZE_MAX);
}

static vidmm_handle any_handle(void)
{
    return life_handle((enum vidmm_object)(life_byte() % LIFE_KINDS));
}

static void look_at_allocation(const struct vidmm_adapter *adapter)
{
    struct vidmm_allocation_view view;
    char text[TEXT];
    uint64_t offset, bytes, first;
    vidmm_handle a = life_handle(VIDMM_OBJECT_ALLOCATION);
    if (vidmm_allocation_view(adapter, a, &view)) {
        CHECK(vidmm_object_kind(adapter, a) == VIDMM_OBJECT_ALLOCATION);
        CHECK(!view.runs || vidmm_allocation_run(adapter, a, 0, &offset, &bytes));
        read_text(view.backing), read_text(view.layout), read_text(view.content);
        read_text(view.instance);
    }
    (void)vidmm_allocation_copy(adapter, a, life_byte() % 5, &view);
    (void)vidmm_allocation_run(adapter, a, life_number(), &offset, &bytes);
    (void)vidmm_content_intact(adapter, a);
    (void)vidmm_content_problem(adapter, a, text, sizeof text);
    (void)vidmm_content_uncertain(adapter, a, &first);
    read_text(vidmm_offer_state_name(vidmm_offer_state(adapter, a)));
}

static void look_at_object(const struct vidmm_adapter *adapter)
{
    struct vidmm_resource_view resource;
    struct vidmm_context_view context;
    vidmm_handle handle = any_handle();
    enum vidmm_object kind = vidmm_object_kind(adapter, handle);
    read_text(vidmm_label(adapter, handle));
    const char *state = vidmm_device_state(adapter, handle);
    CHECK((kind == VIDMM_OBJECT_DEVICE) == (state != NULL));
    if (state)
        read_text(state);
    CHECK(vidmm_context_view(adapter, handle, &context) == (kind == VIDMM_OBJECT_CONTEXT));
    if (vidmm_resource_view(adapter, handle, &resource))
        for (size_t i = 0; i <= resource.allocations; i++)
            (void)vidmm_resource_member(adapter, handle, i);
    (void)vidmm_resource_member(adapter, handle, life_number());
}

static void look_at_segment(const struct vidmm_adapter *adapter)
{
    struct vidmm_segment_view view;
    struct vidmm_segment_span spans[SPANS];
    uint64_t start, end;
    uint32_t id =
        life_chance(192) ? life_byte() % (vidmm_segment_count(adapter) + 2u) : life_number();
    if (vidmm_segment_view(adapter, id, &view)) {
        read_text(view.name), read_text(view.kind), read_text(view.group);
        CHECK(view.used + view.free_bytes <= view.bytes);
    }
    (void)vidmm_segment_bank(adapter, id, life_number(), &start, &end);
    (void)vidmm_segment_of(adapter, id, life_number());
    size_t count = vidmm_segment_map(adapter, id, spans, SPANS);
    for (size_t i = 0; i < min_u64(count, SPANS); i++)
        read_text(spans[i].what);
    read_text(vidmm_segment_kind(life_number()));
}

static void look_at_adapter(const struct vidmm_adapter *adapter)
{
    struct vidmm_adapter_view view;
    struct vidmm_memory_report report;
    struct vidmm_node_view node;
    vidmm_adapter_view(adapter, &view);
    vidmm_memory_report(adapter, &report);
    if (vidmm_node_view(adapter, life_byte() % 4, &node))
        read_text(node.name);
    (void)vidmm_node_view(adapter, life_number(), &node);
    const struct vidmm_refusal *refusal = vidmm_last_refusal(adapter);
    CHECK(!refusal || (refusal->status && refusal->rule_count));
    const struct vidmm_bugcheck *stop = vidmm_bugcheck(adapter);
    if (stop)
        read_text(stop->name), read_text(stop->text);
    CHECK(vidmm_config_of(adapter)->settings.value[VIDMM_SETTING_WDDM] >= 10);
    (void)vidmm_now(adapter);
    (void)vidmm_rule_uses(adapter, (enum vidmm_rule)life_number());
}

static void look_at_counters(const struct vidmm_adapter *adapter)
{
    enum vidmm_counter counter =
        (enum vidmm_counter)(life_chance(240) ? life_byte() % VIDMM_COUNTERS : life_number());
    enum vidmm_wait_reason reason =
        (enum vidmm_wait_reason)(life_byte() % (VIDMM_WAIT_REASON_COUNT + 2));
    (void)vidmm_counter(adapter, counter);
    (void)vidmm_counter_of_segment(adapter, counter, life_number());
    (void)vidmm_counter_of_node(adapter, counter, life_number());
    (void)vidmm_counter_of_object(adapter, counter, any_handle());
    (void)vidmm_waits_of(adapter, reason);
    (void)vidmm_stall_of(adapter, reason);
    (void)vidmm_counter_info(counter);
    (void)vidmm_wait_reason_name(reason);
}

/* ---- tables -----------------------------------------------------------------------------------
 */

/* What may be a name, and mostly is none. */
static const char *some_word(void)
{
    static const char *const words[] = { "",          "CpuVisible", "evictions", "SUCCESS",
                                         "PLACE-001", "lru",        "wddm",      "DRAIN",
                                         "TdrLevel",  "no-irq",     "evict",     "fence",
                                         "unit",      "PLACE-999",  "\xC3\xA9" };
    return words[life_byte() % ARRAY_COUNT(words)];
}

static void look_at_rules(const struct vidmm_adapter *adapter)
{
    struct vidmm_stop stop;
    struct vidmm_stop_switch row;
    char numbers[40];
    static const uint32_t codes[] = { 0x10E, 0x119, 0x116, 0x117, 0x193, 0 };
    (void)adapter;
    enum vidmm_rule rule = (enum vidmm_rule)(life_word() % (vidmm_rule_count() + 2));
    const struct vidmm_rule_info *info = vidmm_rule_info(rule);
    CHECK(!info || vidmm_rule_by_id(info->id) == rule);
    read_text(vidmm_rule_id(rule));
    (void)vidmm_rule_is_pointer(rule);
    CHECK(!info || !vidmm_rule_is_pointer(vidmm_rule_canonical(rule)));
    (void)vidmm_rule_nearest(some_word());
    read_text(vidmm_rule_standing_name(info ? info->standing : VIDMM_RULE_STANDING_MIXED));
    uint32_t code = codes[life_byte() % ARRAY_COUNT(codes)];
    uint64_t parameter = life_number();
    (void)vidmm_stop(code, parameter, &stop);
    (void)vidmm_stop_row(code, life_byte(), numbers, &stop);
    (void)vidmm_stop_switch(code, parameter, life_byte() % 4, &row);
    (void)vidmm_stop_shown_by(code, parameter, life_byte() % 4);
}

static void look_at_flags(const struct vidmm_adapter *adapter)
{
    char text[TEXT];
    enum vidmm_flag_set set = (enum vidmm_flag_set)(life_byte() % VIDMM_FLAG_SETS);
    enum vidmm_flag_set other = set;
    uint32_t value = life_word();
    size_t bytes = 1 + life_byte() % (TEXT - 1);
    (void)adapter;
    (void)vidmm_flag_row(set, life_number());
    (void)vidmm_flag_by_name(set, some_word());
    (void)vidmm_flag_by_other_name(&other, some_word());
    read_text(vidmm_flags_text(set, value, text, bytes));
    read_text(vidmm_flags_reserved_text(set, value, life_byte() % 40, text, bytes));
    (void)vidmm_flags_defined(set, life_byte() % 40);
    (void)vidmm_wddm_exists(life_byte() % 64);
    read_text(vidmm_wddm_versions());
}

static void look_at_settings(const struct vidmm_adapter *adapter)
{
    struct vidmm_settings settings;
    const char *why = "";
    size_t row = life_byte();
    const struct vidmm_setting_info *info = vidmm_setting_row(row);
    (void)adapter;
    vidmm_settings_init(&settings);
    (void)vidmm_setting_by_name(some_word());
    (void)vidmm_setting_default(row, life_byte() % 8);
    if (!vidmm_setting_store(&settings, row, life_long_number(), &why))
        read_text(why);
    if (!info)
        return;
    CHECK(vidmm_setting_by_name(info->name) == row);
    (void)vidmm_setting_word(info, some_word());
    (void)vidmm_setting_policy(info, some_word(), NULL, 0);
    (void)vidmm_setting_word_count(info);
}

static void look_at_mock(const struct vidmm_adapter *adapter)
{
    struct vidmm_mock_config config;
    (void)adapter;
    vidmm_mock_config_init(&config, life_byte() % 40);
    size_t row = life_byte();
    const char *name = vidmm_mock_cap_name(row);
    (void)vidmm_mock_cap_most(row);
    (void)vidmm_mock_switch_help(row);
    (void)vidmm_mock_switch_moment(row);
    (void)vidmm_mock_switch_value(row);
    if (name)
        CHECK(vidmm_mock_cap_set(&config, name, min_u64(life_number(), vidmm_mock_cap_most(row))));
    (void)vidmm_mock_cap_value(&config, name ? name : some_word());
    name = vidmm_mock_switch_name(row);
    if (!name)
        return;
    read_text(vidmm_mock_switch_help(row));
    read_text(vidmm_mock_switch_value(row));
    CHECK(vidmm_mock_switch_moment(row) <= VIDMM_MOCK_AT_LOAD);
    const char *word = some_word(), *value = some_word();
    (void)vidmm_mock_switch_set(config.switches, word, value);
}

static void look_at_words(const struct vidmm_adapter *adapter)
{
    (void)adapter;
    const struct vidmm_word_info *word = vidmm_word_row(life_byte());
    if (word)
        (void)vidmm_word_is(word, some_word());
    enum vidmm_event_kind event = (enum vidmm_event_kind)(life_byte() % VIDMM_EVENT_KINDS);
    CHECK(!event || vidmm_event_by_name(vidmm_event_info(event)->name) == event);
    (void)vidmm_event_field(event, life_byte());
    (void)vidmm_counter_by_name(some_word());
    (void)vidmm_wait_reason_by_name(some_word());
    const struct vidmm_status_info *status = vidmm_status_row(life_byte());
    CHECK(!status || vidmm_status_by_name(status->name));
    (void)vidmm_status_info((vidmm_status)life_word());
    (void)vidmm_placement_policy_row(life_byte() % 16);
    (void)vidmm_eviction_policy_row(life_byte() % 16);
}

void life_look(const struct vidmm_adapter *adapter)
{
    static void (*const looks[])(const struct vidmm_adapter *) = {
        look_at_allocation, look_at_allocation, look_at_object, look_at_segment,
        look_at_adapter,    look_at_counters,   look_at_rules,  look_at_flags,
        look_at_settings,   look_at_mock,       look_at_words,
    };
    looks[life_byte() % ARRAY_COUNT(looks)](adapter);
}
