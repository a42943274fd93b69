/* SPDX-License-Identifier: MIT */
/*
 * mdl.c: memory descriptor lists, and the kernel's two functions that map one.
 *
 * A driver reads the list as any driver does: the page frame numbers follow the structure. What
 * only the manager knows stands in front of it, so no table of lists is needed.
 *
 * Content is one tag a page and not bytes, so a mapping is memory that a driver may write and read,
 * and nothing more: the tags move on the bus.
 */
#include "paging/store/pages.h"

struct block {
    const struct backing *backing;
    MDL mdl; /* and its page frame numbers */
};

static struct block *block_of(const MDL *mdl)
{
    return CONTAINER_OF(mdl, struct block, mdl);
}

/* Size has 16 bits, and a list with so many pages says as much as it can. */
static CSHORT size_field(uint64_t pages)
{
    return (CSHORT)min_u64(sizeof(MDL) + pages * sizeof(PFN_NUMBER), INT16_MAX & ~7);
}

static void list_pages(const struct backing *backing, PFN_NUMBER *numbers, uint64_t pages)
{
    uint64_t page = 0;
    for (size_t i = 0; i < backing->run_count && page < pages; i++) {
        const struct range *run = &backing_runs(backing)[i];
        for (uint64_t k = 0; k < run->bytes && page < pages; k++)
            numbers[page++] = run->offset + k;
    }
    CHECK(page == pages);
}

MDL *mdl_of(const adapter_t *adapter, struct backing *backing)
{
    if (backing->mdl)
        return backing->mdl;
    uint64_t pages = min_u64(backing->pages, UINT32_MAX / adapter->setup->page);
    /* Not zeroed: every number of the list is written below. */
    struct block *block = base_realloc(NULL, 1, sizeof *block + pages * sizeof(PFN_NUMBER));
    *block = (struct block){ .backing = backing };
    block->mdl = (MDL){
        .Size = size_field(pages),
        .MdlFlags = MDL_PAGES_LOCKED,
        .ByteCount = (ULONG)(pages * adapter->setup->page),
    };
    if (backing->existing) /* where its caller sees it */
        block->mdl.StartVa =
            (PVOID)(uintptr_t)align_down(backing->existing->address, adapter->setup->page);
    list_pages(backing, MmGetMdlPfnArray(&block->mdl), pages);
    return backing->mdl = &block->mdl;
}

void mdl_end(struct backing *backing)
{
    if (!backing->mdl)
        return;
    MmUnmapLockedPages(backing->mdl->MappedSystemVa, backing->mdl);
    base_free(block_of(backing->mdl));
    backing->mdl = NULL;
}

const struct backing *mdl_backing(const MDL *mdl)
{
    return block_of(mdl)->backing;
}

/* ---- what the kernel offers for any list ---------------------------------------------------- */

PVOID MmMapLockedPagesSpecifyCache(PMDL mdl, KPROCESSOR_MODE mode, MEMORY_CACHING_TYPE cache,
                                   PVOID requested, ULONG stop, ULONG priority)
{
    (void)mode;
    (void)cache;
    (void)requested;
    (void)stop;
    (void)priority;
    if (mdl->MdlFlags & MDL_MAPPED_TO_SYSTEM_VA)
        return mdl->MappedSystemVa;
    char *memory = base_alloc((size_t)mdl->ByteOffset + mdl->ByteCount, 1);
    mdl->MappedSystemVa = memory + mdl->ByteOffset;
    mdl->MdlFlags |= MDL_MAPPED_TO_SYSTEM_VA;
    return mdl->MappedSystemVa;
}

VOID MmUnmapLockedPages(PVOID address, PMDL mdl)
{
    if (!(mdl->MdlFlags & MDL_MAPPED_TO_SYSTEM_VA) || address != mdl->MappedSystemVa)
        return;
    base_free((char *)mdl->MappedSystemVa - mdl->ByteOffset);
    mdl->MappedSystemVa = NULL;
    mdl->MdlFlags &= (CSHORT)~MDL_MAPPED_TO_SYSTEM_VA;
}
