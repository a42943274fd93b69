/* SPDX-License-Identifier: MIT */
/*
 * mock_config.c: what the mock miniport is to report, and its defaults.
 *
 * A cap left at UINT64_MAX has a default that depends on the interface version or on the nodes. The
 * table of defaults is chapter 4 of the guide to the rules ("What the mock miniport reports").
 */
#include "vidmm/mock/mock_state.h"

static const struct cap_row {
    const char *name;
    uint64_t value;
    uint32_t since, until;
} cap_rows[VIDMM_MOCK_CAP_COUNT] = {
#define CAP(part, member, kind, value, since, until, ours) { #member, value, since, until },
#include "vidmm/vidmm_caps.def"
#undef CAP
    { "command-size", 32, 10, 99 },
    { "command-per-page", 0, 10, 99 },
};

/* The default of a member that some versions lack depends on the version. */
static bool is_versioned(const struct cap_row *row)
{
    return row->since > 10 || row->until < 99;
}

void vidmm_mock_config_init(struct vidmm_mock_config *config, uint32_t wddm)
{
    *config = (struct vidmm_mock_config){
        .wddm = wddm,
        .nodes = 2,
        .page_bytes = PAGE_SIZE,
        .paging_buffer_bytes = 65536,
    };
    for (size_t i = 0; i < VIDMM_MOCK_CAP_COUNT; i++)
        config->caps[i] = is_versioned(&cap_rows[i]) ? UINT64_MAX : cap_rows[i].value;
}

const char *vidmm_mock_cap_name(size_t index)
{
    return index < VIDMM_MOCK_CAP_COUNT ? cap_rows[index].name : NULL;
}

/* HighestAcceptableAddress is a PHYSICAL_ADDRESS, ApertureSegmentCommitLimit a SIZE_T. */
uint64_t vidmm_mock_cap_most(size_t index)
{
    bool wide = index == VIDMM_MOCK_CAP_HighestAcceptableAddress ||
                index == VIDMM_MOCK_CAP_ApertureSegmentCommitLimit;
    return wide ? UINT64_MAX : UINT32_MAX;
}

/* VIDMM_MOCK_CAP_COUNT: no cap has this name. */
static size_t mock_config_find(const char *name)
{
    size_t cap = 0;
    while (cap < VIDMM_MOCK_CAP_COUNT && strcmp(cap_rows[cap].name, name) != 0)
        cap++;
    return cap;
}

bool vidmm_mock_cap_set(struct vidmm_mock_config *config, const char *name, uint64_t value)
{
    size_t cap = mock_config_find(name);
    if (cap < VIDMM_MOCK_CAP_COUNT)
        config->caps[cap] = value;
    return cap < VIDMM_MOCK_CAP_COUNT;
}

uint64_t mock_config_cap(const struct vidmm_mock_config *config, enum vidmm_mock_cap cap)
{
    const struct cap_row *row = &cap_rows[cap];
    uint64_t value = config->caps[cap];
    if (value == UINT64_MAX && cap == VIDMM_MOCK_CAP_PagingNode)
        return config->nodes > 1;
    if (value != UINT64_MAX || !is_versioned(row))
        return value;
    return row->since <= config->wddm && config->wddm <= row->until ? row->value : 0;
}

uint64_t vidmm_mock_cap_value(const struct vidmm_mock_config *config, const char *name)
{
    size_t cap = mock_config_find(name);
    return cap < VIDMM_MOCK_CAP_COUNT ? mock_config_cap(config, (enum vidmm_mock_cap)cap) : 0;
}
