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

const struct cost_setting *cost_setting_by_name(const char *name)
{
    for (size_t i = 0; i < ARRAY_COUNT(settings); i++)
        if (strcmp(settings[i].name, name) == 0)
            return &settings[i];
    return NULL;
}

void cost_set(struct cost_params *params, const struct cost_setting *setting, uint64_t value)
{
    CHECK(setting->kind != COST_KIND_NOTE);
    memcpy((char *)params + setting->offset, &value, sizeof value);
}

void cost_load_profile(struct cost_params *params, enum cost_profile profile)
{
    CHECK(profile < COST_PROFILES);
    for (size_t i = 0; i < ARRAY_COUNT(settings); i++)
        memcpy((char *)params + settings[i].offset, &settings[i].profile[profile],
               sizeof(uint64_t));
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

vidmm_ns cost_charge(const struct cost_params *params, const struct cost_command *command)
{
    vidmm_ns cost = 0;
    switch (command->operation) {
    case COST_TRANSFER: cost = cost_transfer(params, command); break;
    case COST_FILL: cost = local(params, command->bytes, params->vram_fill_rate); break;
    case COST_MAP: cost = cost_add(params->map_ns, per_page(command, params->map_page_ns)); break;
    case COST_PHYSICAL: cost = params->link_ns; break;
    default: break; /* COST_NOTHING */
    }
    if (!command->swizzle || command->bytes == 0)
        return cost;
    return cost_add(cost, local(params, command->bytes, params->vram_copy_rate));
}
