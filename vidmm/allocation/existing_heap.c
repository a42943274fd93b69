/* SPDX-License-Identifier: MIT */
/*
 * existing_heap.c: StandardAllocation of the kernel thunk: a cross-adapter resource made of memory,
 * or of a section, that the caller has.
 *
 * The caller brings no private data of a driver: the kernel asks the miniport to describe a GDI
 * surface as long as the memory, and creates that. What the call may say stands in check_kmt.c,
 * what the miniport may answer in check_surface.c.
 */
#include "vidmm/allocation/standard.h"

vidmm_status existing_heap_begin(struct creation *creation, struct existing_heap *heap)
{
    adapter_t *adapter = creation->adapter;
    if (!(creation->flags & VIDMM_KMT_StandardAllocation))
        return STATUS_SUCCESS;
    CHECK(creation->count == 1 && creation->call->standard); /* KMT-024, KMT-027 */
    uint64_t bytes = creation->call->standard->existing_heap_bytes;
    if (bytes > UINT32_MAX)
        return refuse(adapter, RULE(KMT_033), STATUS_INVALID_PARAMETER,
                      "%s: %s do not fit into the width of a surface", creation_label(creation),
                      words_size(bytes).it);
    heap->standard = (struct vidmm_standard){
        .type = D3DKMDT_STANDARDALLOCATION_GDISURFACE,
        .gdi_type = D3DKMDT_GDISURFACE_TEXTURE_CROSSADAPTER,
        .width = (uint32_t)bytes,
        .height = 1,
        .format = D3DDDIFMT_UNKNOWN,
    };
    heap->args = creation->args[0];
    heap->args.standard = &heap->standard;
    creation->args = &heap->args;
    creation->heap_bytes = bytes;
    applies(adapter, RULE(KMT_024));
    applies(adapter, RULE(KMT_033));
    return STATUS_SUCCESS;
}
