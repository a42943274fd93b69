/* SPDX-License-Identifier: MIT */
/*
 * segments_link.c: segments of linked physical adapters, and where the CPU sees them: no two at one
 * address (SEG-078).
 *
 * In WDDM 2.0 and later the segment query names the adapter that it asks about, and each one
 * answers for itself. A segment id in a set of an allocation means every adapter alike, so the
 * answers have to agree on what a segment is; addresses and sizes are each adapter's own. The
 * manager numbers all segments one after the other: those of adapter 0 first, whose numbers are
 * the driver's, then as many of each other adapter.
 *
 * The CPU sees a memory segment with CpuVisible at CpuTranslatedAddress, and one with
 * SupportsCpuHostAperture through its host aperture. An address of 0 is none: nothing is known of
 * the range then. Below 2.0 the adapters of a link share one answer, so only the first is looked
 * at.
 *
 * Rules not named below: PLACE-021.
 */
#include <stdio.h>
#include <string.h>

#include "paging/store/store.h"
#include "vidmm/adapter/segments_start.h"

/* "vram", of a further adapter "vram[1]". */
struct link_name {
    char text[120];
};

static struct link_name name_of(const adapter_t *adapter, const struct segment_answer *segment,
                                uint32_t index)
{
    struct link_name name;
    const char *plain = segment_name(adapter, segment->id);
    if (index)
        (void)snprintf(name.text, sizeof name.text, "%s[%u]", plain, index);
    else
        (void)snprintf(name.text, sizeof name.text, "%s", plain);
    return name;
}

vidmm_status segments_link_check(const struct segments_answer *first,
                                 const struct segments_answer *other, uint32_t index)
{
    adapter_t *adapter = first->adapter;
    if (first->count != other->count)
        return refuse(adapter, RULE(SEG_003), STATUS_INVALID_PARAMETER,
                      "adapter %u of the link has %u segments, adapter 0 has %u", index,
                      other->count, first->count);
    for (uint32_t i = 0; i < first->count; i++)
        if (first->segments[i].answered != other->segments[i].answered)
            return refuse(adapter, RULE(SEG_003), STATUS_INVALID_PARAMETER,
                          "%s has flags 0x%x on adapter %u of the link, and 0x%x on adapter 0",
                          segment_name(adapter, i + 1), other->segments[i].answered, index,
                          first->segments[i].answered);
    return STATUS_SUCCESS;
}

void segments_link_number(struct segments_answer *answer, uint32_t index)
{
    adapter_t *adapter = answer->adapter;
    for (uint32_t i = 0; i < answer->count && index; i++) {
        struct link_name name = name_of(adapter, &answer->segments[i], index);
        answer->segments[i].id = segment_of_adapter(adapter, i + 1, index);
        places_name(adapter, answer->segments[i].id, NULL,
                    base_strndup(name.text, strlen(name.text)));
    }
}

/* ---- where the CPU sees them ---------------------------------------------------------------- */

typedef unsigned long long ull;

/* Bytes from cpu_base on; 0: the CPU sees nothing of it, or nobody says where. */
static uint64_t seen_bytes(const adapter_t *adapter, const struct segment_answer *segment)
{
    if (!segment->cpu_base ||
        segment->flags & SEGMENT_APERTURE) /* Agp is not CpuVisible: SEG-013 */
        return 0;
    if (segment->flags & VIDMM_SEGMENT_SupportsCpuHostAperture)
        return segment->host_pages * segments_page(adapter, segment->flags);
    return segment->flags & SEGMENT_CPU_VISIBLE ? segment->bytes : 0;
}

static bool overlap(const adapter_t *adapter, const struct segment_answer *a,
                    const struct segment_answer *b)
{
    uint64_t a_bytes = seen_bytes(adapter, a), b_bytes = seen_bytes(adapter, b);
    if (!a_bytes || !b_bytes)
        return false;
    return a->cpu_base <= b->cpu_base ? b->cpu_base - a->cpu_base < a_bytes
                                      : a->cpu_base - b->cpu_base < b_bytes;
}

/* Segment number `number` of adapter `index` with those before it. */
static vidmm_status check_segment(const struct segments_answer *answers, uint32_t index,
                                  uint32_t number)
{
    adapter_t *adapter = answers[index].adapter;
    const struct segment_answer *segment = &answers[index].segments[number];
    vidmm_status status = STATUS_SUCCESS;
    uint64_t bytes = seen_bytes(adapter, segment);
    if (bytes && bytes - 1 > UINT64_MAX - segment->cpu_base)
        return refuse(adapter, RULE(SEG_078), STATUS_INVALID_PARAMETER,
                      "%s: the CPU range at 0x%llx, 0x%llx bytes long, wraps",
                      name_of(adapter, segment, index).text, (ull)segment->cpu_base, (ull)bytes);
    for (uint32_t i = 0; i <= index; i++) {
        uint32_t count = i < index ? answers[i].count : number;
        for (uint32_t j = 0; j < count && !status; j++) {
            const struct segment_answer *other = &answers[i].segments[j];
            if (overlap(adapter, other, segment))
                status =
                    refuse(adapter, RULE(SEG_078), STATUS_INVALID_PARAMETER,
                           "the CPU would see %s (0x%llx, 0x%llx bytes) and %s (0x%llx, "
                           "0x%llx bytes) at the same addresses",
                           name_of(adapter, other, i).text, (ull)other->cpu_base,
                           (ull)seen_bytes(adapter, other), name_of(adapter, segment, index).text,
                           (ull)segment->cpu_base, (ull)bytes);
        }
    }
    return status;
}

vidmm_status segments_cpu_check(const struct segments_answer *answers, uint32_t index)
{
    vidmm_status status = STATUS_SUCCESS;
    for (uint32_t i = 0; i < answers[index].count && !status; i++)
        status = check_segment(answers, index, i);
    return status;
}
