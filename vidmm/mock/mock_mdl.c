/* SPDX-License-Identifier: MIT */
/*
 * mock_mdl.c: system memory as the mock's chip reaches it: by the page frame numbers that the MDL
 * of an operation lists, in runs of consecutive ones.
 *
 * Of 4 GiB and more a list cannot name all pages; the others go by list and number.
 */
#include "vidmm/mock/mock_gpu.h"

/* Where page `page` of this side is; `*pages` becomes how many follow without a gap. */
static struct vidmm_bus_place mock_mdl_run_at(const struct vidmm_mock *mock,
                                              const struct vidmm_bus_place *side, uint64_t page,
                                              uint64_t *pages)
{
    uint64_t bytes = mock->config.page_bytes;
    struct vidmm_bus_place place = *side;
    if (!side->mdl) {
        place.address += page * bytes;
        return place;
    }
    uint64_t listed = MmGetMdlByteCount(side->mdl) / bytes;
    uint64_t first = side->mdl_page + page;
    place.mdl_page = first;
    if (first >= listed)
        return place;
    const PFN_NUMBER *numbers = MmGetMdlPfnArray((MDL *)(uintptr_t)side->mdl) + first;
    uint64_t count = 1;
    while (count < *pages && first + count < listed && numbers[count] == numbers[0] + count)
        count++;
    *pages = count;
    return (struct vidmm_bus_place){ .system = true, .address = numbers[0] * bytes };
}

void mock_mdl_copy(const struct vidmm_mock *mock, struct vidmm_bus *bus,
                   const struct vidmm_bus_place *to, const struct vidmm_bus_place *from,
                   uint64_t bytes)
{
    uint64_t pages = bytes / mock->config.page_bytes;
    for (uint64_t page = 0; page < pages;) {
        uint64_t count = pages - page;
        struct vidmm_bus_place target = mock_mdl_run_at(mock, to, page, &count);
        struct vidmm_bus_place source = mock_mdl_run_at(mock, from, page, &count);
        bus->copy(bus, &target, &source, count * mock->config.page_bytes);
        page += count;
    }
}

void mock_mdl_map(const struct vidmm_mock *mock, struct vidmm_bus *bus,
                  const struct mock_command *command, const struct vidmm_bus_place *from)
{
    uint64_t first = command->to / mock->config.page_bytes;
    uint64_t pages = command->bytes / mock->config.page_bytes;
    for (uint64_t page = 0; page < pages;) {
        uint64_t count = pages - page;
        struct vidmm_bus_place run = mock_mdl_run_at(mock, from, page, &count);
        if (run.system)
            bus->map_pages(bus, command->to_segment, first + page, count,
                           run.address / mock->config.page_bytes);
        else
            bus->map(bus, command->to_segment, first + page, count, run.mdl, run.mdl_page);
        page += count;
    }
}
