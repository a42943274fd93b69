/* SPDX-License-Identifier: MIT */
/* cost.c: the parameter table and the price of each paging command. */
#include "paging/time/cost.h"

#include <string.h>

static const struct cost_setting settings[] = {
#define ROW(member, name, kind, pcie3, pcie4, pcie5, unit, help)                                   \
    { name,                                                                                        \
      COST_KIND_##kind,                                                                            \
      offsetof(struct cost_params, member),                                                        \
      { UINT64_C(pcie3), UINT64_C(pcie4), UINT64_C(pcie5), UINT64_C(unit) } },
    COST_PARAMETERS(ROW)
#undef ROW
};

static const char *const profile_names[COST_PROFILES] = {
    [COST_PROFILE_PCIE3] = "pcie3",
    [COST_PROFILE_PCIE4] = "pcie4",
    [COST_PROFILE_PCIE5] = "pcie5",
    [COST_PROFILE_UNIT] = "unit",
};

const struct cost_setting *cost_setting_row(size_t index)
{
    return index < ARRAY_COUNT(settings) ? &settings[index] : NULL;
}

const struct cost_setting *cost_setting_by_name(const char *name)
{
    for (size_t i = 0; i < ARRAY_COUNT(settings); i++)
        if (strcmp(settings[i].name, name) == 0)
            return &settings[i];
    return NULL;
}

uint64_t cost_get(const struct cost_params *params, const struct cost_setting *setting)
{
    uint64_t value;
    memcpy(&value, (const char *)params + setting->offset, sizeof value);
    return value;
}

static void store(struct cost_params *params, const struct cost_setting *setting, uint64_t value)
{
    memcpy((char *)params + setting->offset, &value, sizeof value);
}

void cost_set(struct cost_params *params, const struct cost_setting *setting, uint64_t value)
{
    CHECK(setting->kind != COST_KIND_NOTE);
    store(params, setting, value);
}

const char *cost_profile_name(size_t profile)
{
    return profile < COST_PROFILES ? profile_names[profile] : NULL;
}

enum cost_profile cost_profile_by_name(const char *name)
{
    enum cost_profile profile = COST_PROFILE_PCIE3;
    while (profile < COST_PROFILES && strcmp(profile_names[profile], name) != 0)
        profile++;
    return profile;
}

void cost_load_profile(struct cost_params *params, enum cost_profile profile)
{
    CHECK(profile < COST_PROFILES);
    for (size_t i = 0; i < ARRAY_COUNT(settings); i++)
        store(params, &settings[i], settings[i].profile[profile]);
}

__extension__ typedef unsigned __int128 wide;

static vidmm_ns cost_narrow(wide value)
{
    return value > COST_FOREVER ? COST_FOREVER : (vidmm_ns)value;
}

vidmm_ns cost_time(uint64_t bytes, uint64_t rate)
{
    if (rate == 0)
        return 0;
    const wide ns_per_second = 1000000000;
    return cost_narrow((bytes * ns_per_second + (rate - 1)) / rate);
}

vidmm_ns cost_add(vidmm_ns a, vidmm_ns b)
{
    return cost_narrow((wide)a + b);
}

static vidmm_ns per_page(const struct cost_command *command, vidmm_ns page_ns)
{
    return cost_narrow((wide)divide_up(command->bytes, command->page_bytes) * page_ns);
}

static vidmm_ns local(const struct cost_params *params, uint64_t bytes, uint64_t rate)
{
    return cost_add(params->local_ns, cost_time(bytes, rate));
}

/* What one end of a transfer adds when it lies in system memory. */
static vidmm_ns system_end(const struct cost_params *params, const struct cost_command *command,
                           enum cost_place place, uint64_t rate)
{
    if (place == COST_MEMORY)
        return 0;
    vidmm_ns pages = place == COST_MDL ? per_page(command, params->mdl_page_ns) : 0;
    return cost_add(cost_time(command->bytes, rate), pages);
}

static vidmm_ns cost_transfer(const struct cost_params *params, const struct cost_command *command)
{
    if (command->bytes == 0)
        return 0;
    if (command->source == COST_MEMORY && command->destination == COST_MEMORY)
        return local(params, command->bytes, params->vram_copy_rate);
    vidmm_ns in = system_end(params, command, command->source, params->h2d_rate);
    vidmm_ns out = system_end(params, command, command->destination, params->d2h_rate);
    return cost_add(params->link_ns, cost_add(in, out));
}

static vidmm_ns base_charge(const struct cost_params *params, const struct cost_command *command)
{
    switch (command->operation) {
    case COST_TRANSFER: return cost_transfer(params, command);
    case COST_FILL: return local(params, command->bytes, params->vram_fill_rate);
    case COST_MAP: return cost_add(params->map_ns, per_page(command, params->map_page_ns));
    case COST_PHYSICAL: return params->link_ns;
    case COST_NOTHING: return 0;
    }
    return 0;
}

vidmm_ns cost_charge(const struct cost_params *params, const struct cost_command *command)
{
    vidmm_ns cost = base_charge(params, command);
    if (!command->swizzle || command->bytes == 0)
        return cost;
    return cost_add(cost, local(params, command->bytes, params->vram_copy_rate));
}
