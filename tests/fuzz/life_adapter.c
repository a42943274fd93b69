/* SPDX-License-Identifier: MIT */
/* life_adapter.c: any version, segments, caps, settings, and switches of the mock. */
#include "tests/fuzz/life.h"

#include <string.h>

enum { PAGE_64K = 65536, PAGES = MOCK_SEGMENT_BYTES / MOCK_PAGE };

static uint64_t some_pages(void)
{
    return (1u + life_byte() % (2u * PAGES)) * (uint64_t)life.mock.mock_config.page_bytes;
}

static void spoil_segment(struct vidmm_mock_segment *segment)
{
    switch (life_byte() % 12) {
    case 0: segment->size = some_pages(); break;
    case 1: segment->commit_limit = life_long_number(); break;
    case 2: segment->base = life_long_number(); break;
    case 3: segment->cpu_base = life_long_number(); break;
    case 4:
        segment->bank_ends = segment->bank_count = 1 + life_byte() % 4;
        segment->flags |= VIDMM_SEGMENT_UseBanking;
        for (uint32_t i = 0; i < segment->bank_count; i++)
            segment->banks[i] = (i + 1) * segment->size / segment->bank_count;
        segment->banks[0] = life_chance(64) ? some_pages() : segment->banks[0];
        break;
    case 5:
        segment->flags |= VIDMM_SEGMENT_SupportsCpuHostAperture;
        segment->flags &= ~(uint32_t)VIDMM_SEGMENT_CpuVisible;
        segment->host_aperture = some_pages() / 8;
        break;
    case 6: segment->system_memory_end = some_pages(); break;
    case 7:
        segment->flags |= VIDMM_SEGMENT_VprSupported;
        segment->vpr_start = some_pages() / 4;
        segment->vpr_size = some_pages() / 4;
        segment->vpr_alignment = life_number();
        segment->vpr_supported = life_number();
        segment->vpr_reserve = life_number();
        break;
    case 8:
        segment->invalid_count = 1 + life_byte() % 3;
        for (uint32_t i = 0; i < segment->invalid_count; i++) {
            segment->invalid[i].SegmentOffset = some_pages();
            segment->invalid[i].SizeInBytes = some_pages() / 16;
        }
        break;
    case 9: segment->uefi_ranges = life_number(); break;
    default: segment->flags |= life_flags(VIDMM_FLAGS_SEGMENT);
    }
}

/* The two of mock_adapter.h, mostly smaller, another memory segment, and another aperture. */
static void choose_segments(void)
{
    memcpy(life.segments, life.mock.segments, sizeof life.mock.segments);
    uint32_t less = life_byte();
    life.segments[0].size >>= less % 4;
    life.segments[1].size >>= less / 4 % 4;
    life.segments[2] = (struct vidmm_mock_segment){ .base = UINT64_C(0x80000000),
                                                    .size = MOCK_SEGMENT_BYTES / 4,
                                                    .commit_limit = MOCK_SEGMENT_BYTES / 4 };
    life.segments[3] = life.segments[1];
    life.segments[3].base = UINT64_C(0xC0000000);
    life.segments[3].flags |= life_chance(64) ? VIDMM_SEGMENT_Agp : 0u;
    life.mock.mock_config.segments = life.segments;
    life.mock.mock_config.segment_count = 2 + life_byte() % 3;
    for (uint32_t left = life_byte() % 4; left > 0; left--)
        spoil_segment(&life.segments[life_byte() % LIFE_SEGMENTS]);
}

static void choose_machine(void)
{
    struct vidmm_config *config = &life.mock.config;
    if (life_chance(64))
        config->machine.memory_bytes = UINT64_C(1) << (20 + life_byte() % 12);
    if (life_chance(48))
        config->machine.commit_bytes = UINT64_C(1) << (16 + life_byte() % 8);
    if (life_chance(64))
        config->machine.agp_bytes = some_pages();
    if (life_chance(64))
        config->link_adapters = 1 + life_byte() % VIDMM_LINK_MAX;
    if (life_chance(64))
        config->paging_buffers = 1 + life_byte() % 3;
    config->seed = life_byte();
    life.observed = life_chance(64);
    config->observers = life.observed ? &life.mock.observer : NULL;
}

/* A policy that answers the documented place, or any. */
static bool pick_anything(const void *state, const struct vidmm_space *space,
                          const struct vidmm_search *search, uint64_t *offset)
{
    (void)state;
    (void)space;
    const uint8_t *at = life_dice_only();
    switch (life_byte() % 4) {
    case 0: *offset = life_long_number(); break;
    case 1: *offset += search->alignment; break;
    case 2: *offset = search->high - search->footprint; break;
    default: break;
    }
    life_bytes_again(at);
    return dice_throw(&life.dice) % 8 != 0;
}

static void choose_policy(void)
{
    static const struct vidmm_placement_policy anything = { .name = "anything",
                                                            .pick = pick_anything };
    static const struct vidmm_policies policies = { VIDMM_POLICIES, .placement = &anything };
    static const struct vidmm_policies *const list[] = { &policies };
    struct vidmm_config *config = &life.mock.config;
    config->policies = list;
    config->policy_count = 1;
    config->settings.value[VIDMM_SETTING_PLACEMENT] =
        vidmm_setting_word_count(vidmm_setting_row(VIDMM_SETTING_PLACEMENT));
}

/* Somebody who says when each allocation is used next, and does not know. */
static uint64_t some_next_use(void *caller, vidmm_handle allocation)
{
    (void)caller;
    uint32_t guess = dice_throw(&life.dice) % 64;
    return guess < 8 ? UINT64_MAX : guess * allocation;
}

static void choose_settings(void)
{
    static const struct vidmm_foresight guesses = { .next_use = some_next_use };
    const char *why;
    if (life_chance(16))
        choose_policy();
    life.mock.config.foresight = life_chance(128) ? &guesses : NULL;
    for (uint32_t left = life_byte() % 4; left > 0; left--) {
        size_t row = life_byte() % VIDMM_SETTINGS;
        size_t words = vidmm_setting_word_count(vidmm_setting_row(row));
        uint64_t value = words ? life_byte() % words : life_long_number();
        if (row != VIDMM_SETTING_WDDM && row != VIDMM_SETTING_PAGE)
            (void)vidmm_setting_store(&life.mock.config.settings, row, value, &why);
    }
}

/* As a scenario could write it. */
void life_set_switch(struct vidmm_mock_switch_state *switches)
{
    static const char *const statuses[] = { "0xC0000001", "0xC000000D", "0xC0000017",
                                            "0xC01E0102", "0xC01E0001", "0xC00002B6" };
    char text[80] = "";
    size_t row = life_byte() % VIDMM_MOCK_SWITCH_COUNT;
    const char *value = vidmm_mock_switch_value(row);
    if (!strcmp(value, "status")) {
        words_add(text, sizeof text, "%s", statuses[life_byte() % ARRAY_COUNT(statuses)]);
    } else if (!strcmp(value, "number")) {
        words_add(text, sizeof text, "%u", life_number());
    } else {
        for (uint32_t skip = life_byte() % 4; skip > 0 && strchr(value, '|'); skip--)
            value = strchr(value, '|') + 1;
        words_add(text, sizeof text, "%.*s", (int)strcspn(value, "|"), value);
    }
    if (life_chance(128))
        words_add(text, sizeof text, "@%u", 1u + life_byte() % 8);
    (void)vidmm_mock_switch_set(switches, vidmm_mock_switch_name(row), *text ? text : NULL);
}

static void choose_driver(void)
{
    struct vidmm_mock_config *mock = &life.mock.mock_config;
    mock->aperture_mmio = life_chance(64);
    mock->nodes = 1 + life_byte() % 3;
    if (life_chance(32))
        mock->paging_buffer_segment = life_byte() % 4;
    if (life_chance(32))
        mock->paging_buffer_bytes = 1024 + life_byte() * 256u;
    for (uint32_t left = life_byte() % 4; left > 0; left--) {
        uint32_t cap = life_byte() % VIDMM_MOCK_CAP_COUNT;
        mock->caps[cap] = min_u64(life_chance(128) ? life_byte() % 4 : life_long_number(),
                                  vidmm_mock_cap_most(cap));
    }
    for (uint32_t left = life_byte() % 3; left > 0; left--)
        life_set_switch(mock->switches);
}

void life_prepare(void)
{
    static const uint32_t versions[] = { 10, 11, 12, 13, 20, 21, 23, 26, 30, 32 };
    struct mock_adapter *mock = &life.mock;
    mock_adapter_init(mock, versions[life_byte() % ARRAY_COUNT(versions)]);
    mock->hook = life_stand_in_front;
    if (life_chance(32)) {
        mock->mock_config.page_bytes = PAGE_64K;
        mock->config.settings.value[VIDMM_SETTING_PAGE] = PAGE_64K;
    }
    choose_machine();
    choose_segments();
    choose_driver();
    choose_settings();
    mock_adapter_prepare(mock);
    life_stand_before_chip(&mock->config.miniport);
}
