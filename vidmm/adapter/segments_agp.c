/* SPDX-License-Identifier: MIT */
/*
 * segments_agp.c: the AGP aperture of the machine, and the segment that stands for it.
 *
 * The machine has one aperture in its own address space; the GPU sees it at the same bus addresses
 * as everybody else, so nothing is translated. What the driver says about base and size of the
 * segment is ignored. The interface of 2.0 tells no driver of an AGP aperture any more: there is
 * none for it.
 *
 * Rules not named below: SEG-004, SEG-015.
 */
#include "vidmm/adapter/segments_start.h"

/* Where it lies: far above the memory of a machine of that time. Our choice. */
static const uint64_t agp_base = UINT64_C(0xE0000000);

static uint64_t aperture_bytes(const adapter_t *adapter)
{
    if (adapter->setup->caps.wddm >= VIDMM_WDDM_2_0)
        return 0;
    return align_down(adapter->setup->config.machine.agp_bytes, adapter->setup->page);
}

bool segments_agp_exists(const adapter_t *adapter)
{
    return aperture_bytes(adapter) != 0;
}

DXGK_QUERYSEGMENTIN segments_agp_input(const adapter_t *adapter)
{
    DXGK_QUERYSEGMENTIN in = { 0 };
    if (!segments_agp_exists(adapter))
        return in;
    in.AgpApertureBase.QuadPart = (LONGLONG)agp_base;
    in.AgpApertureSize.QuadPart = (LONGLONG)adapter->setup->config.machine.agp_bytes;
    in.AgpFlags.Agp = 1;
    return in;
}

void segments_agp_adopt(struct segments_answer *answer)
{
    adapter_t *adapter = answer->adapter;
    for (uint32_t i = 0; i < answer->count; i++) {
        struct segment_answer *segment = &answer->segments[i];
        if (!(segment->flags & SEGMENT_AGP) || !segments_agp_exists(adapter))
            continue;
        segment->base = agp_base;
        segment->bytes = aperture_bytes(adapter);
        applies(adapter, RULE(SEG_016));
        applies(adapter, RULE(SEG_018));
    }
}
