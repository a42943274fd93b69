/* SPDX-License-Identifier: MIT */
/*
 * mock_config.c: what the mock miniport is told to report, and its defaults.
 *
 * A cap left at UINT64_MAX has a default that depends on the interface version or on the nodes. The
 * table of defaults is chapter 4 of the guide to the rules ("What the mock miniport reports").
 */
#include "vidmm/mock/mock_state.h"

static const struct {
    const char *name;
    uint64_t value;
} cap_rows[VIDMM_MOCK_CAP_COUNT] = {
#define CAP(symbol, name, value) { name, value },
    VIDMM_MOCK_CAPS(CAP)
#undef CAP
};

void vidmm_mock_config_init(struct vidmm_mock_config *config, uint32_t wddm)
{
    *config = (struct vidmm_mock_config){
        .wddm = wddm,
        .nodes = 2,
        .page_bytes = PAGE_SIZE,
        .paging_buffer_bytes = 65536,
    };
    for (size_t i = 0; i < VIDMM_MOCK_CAP_COUNT; i++)
        config->caps[i] = cap_rows[i].value;
}

const char *vidmm_mock_cap_name(size_t index)
{
    return index < VIDMM_MOCK_CAP_COUNT ? cap_rows[index].name : NULL;
}

/* HighestAcceptableAddress is a PHYSICAL_ADDRESS, ApertureSegmentCommitLimit a SIZE_T. */
uint64_t vidmm_mock_cap_most(size_t index)
{
    bool wide = index == VIDMM_MOCK_CAP_HIGHEST_ACCEPTABLE_ADDRESS ||
                index == VIDMM_MOCK_CAP_APERTURE_SEGMENT_COMMIT_LIMIT;
    return wide ? UINT64_MAX : UINT32_MAX;
}

bool vidmm_mock_cap_set(struct vidmm_mock_config *config, const char *name, uint64_t value)
{
    for (size_t i = 0; i < VIDMM_MOCK_CAP_COUNT; i++)
        if (!strcmp(cap_rows[i].name, name)) {
            config->caps[i] = value;
            return true;
        }
    return false;
}

uint64_t mock_config_cap(const struct vidmm_mock_config *config, enum vidmm_mock_cap cap)
{
    uint64_t value = config->caps[cap];
    bool from_1_2 = config->wddm >= VIDMM_WDDM_1_2;

    if (value != UINT64_MAX)
        return value;
    switch (cap) {
    case VIDMM_MOCK_CAP_PAGING_NODE: return config->nodes > 1 ? 1 : 0;
    case VIDMM_MOCK_CAP_SUPPORT_PER_ENGINE_TDR:
    case VIDMM_MOCK_CAP_SUPPORT_NON_VGA: return from_1_2;
    case VIDMM_MOCK_CAP_NUMBER_OF_SWIZZLING_RANGES: return config->wddm < VIDMM_WDDM_2_0 ? 8 : 0;
    case VIDMM_MOCK_CAP_GRAPHICS_PREEMPTION_GRANULARITY:
        return from_1_2 ? D3DKMDT_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY
                        : D3DKMDT_GRAPHICS_PREEMPTION_NONE;
    default: return value; /* HighestAcceptableAddress: all ones is no limit */
    }
}

uint64_t vidmm_mock_cap_value(const struct vidmm_mock_config *config, const char *name)
{
    for (size_t i = 0; i < VIDMM_MOCK_CAP_COUNT; i++)
        if (!strcmp(cap_rows[i].name, name))
            return mock_config_cap(config, (enum vidmm_mock_cap)i);
    return 0;
}
