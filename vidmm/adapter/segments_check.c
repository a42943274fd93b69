/* SPDX-License-Identifier: MIT */
/*
 * segments_check.c: is what the miniport reported about its segments legal, and is it odd?
 *
 * All broken rules of the first segment that breaks any are listed; the start fails with
 * STATUS_INVALID_PARAMETER. What is odd is said afterwards, and mends the answer where
 * the rule says that a bit or a number is ignored.
 */
#include "paging/store/store.h"
#include "vidmm/adapter/segments_start.h"

typedef unsigned long long ull;

/* No address space is larger; what ends beyond would wrap somewhere. */
static const uint64_t most_bytes = UINT64_C(1) << 62;

static bool has(const struct segment_answer *segment, uint32_t flag)
{
    return (segment->flags & flag) != 0;
}

static bool is_aperture(const struct segment_answer *segment)
{
    return has(segment, SEGMENT_APERTURE | SEGMENT_AGP);
}

/* ---- what one segment may break ------------------------------------------------------------- */

/* SEG-037 to SEG-042. */
static void check_banks(struct verdict *verdict, const struct segments_answer *answer,
                        const struct segment_answer *segment)
{
    bool described = answer->type != DXGKQAITYPE_QUERYSEGMENT4, grow = true;
    bool too_many = segment->bank_count > VIDMM_BANKS_MAX;
    bool data = segment->bank_count && (segment->bank_count == 1 || segment->bank_ends);
    uint64_t start = 0, page = segments_page(answer->adapter, segment->flags);
    verdict_if(verdict, RULE(SEG_037), described && !data, "UseBanking without bank data");
    verdict_if(verdict, RULE(SEG_038), is_aperture(segment), "an aperture has no banks");
    for (uint32_t i = 0; data && !too_many && i + 1 < segment->bank_count; i++) {
        uint64_t end = segment->bank_ends[i];
        grow &= end > start && end < segment->bytes && is_aligned(end, page);
        start = end;
    }
    verdict_if(verdict, RULE(SEG_039), !grow, "bank ends grow, below Size, by pages");
    verdict_if(verdict, RULE(SEG_040), too_many, "there are at most 127 banks");
    verdict_if(verdict, RULE(SEG_042), !described, "from 2.0 on there are no banks");
}

/* SEG-013 to SEG-019: size and AGP. */
static void check_size(struct verdict *verdict, const struct segments_answer *answer,
                       const struct segment_answer *segment)
{
    bool agp = has(segment, SEGMENT_AGP), unset = segment->bytes == SEGMENTS_UNSET;
    uint64_t page = segments_page(answer->adapter, segment->flags);
    uint32_t agp_count = 0;
    for (uint32_t i = 0; i < answer->count; i++)
        agp_count += has(&answer->segments[i], SEGMENT_AGP);
    verdict_if(verdict, RULE(MINI_005), unset, "Size is not answered");
    verdict_if(verdict, RULE(SEG_013), agp && segment->flags != SEGMENT_AGP,
               "Agp goes with no other flag");
    verdict_if(verdict, RULE(SEG_014), agp && agp_count > 1, "there can be one Agp segment");
    verdict_if(verdict, RULE(SEG_015), agp && !segments_agp_exists(answer->adapter),
               "the machine has no AGP aperture");
    verdict_if(verdict, RULE(SEG_019), !agp && !unset && !segment->bytes, "Size is 0");
    verdict_if(verdict, RULE(SEG_019), !agp && !unset && !is_aligned(segment->bytes, page),
               "Size is no multiple of the page");
}

static vidmm_status check_segment(const struct segments_answer *answer,
                                  const struct segment_answer *segment)
{
    adapter_t *adapter = answer->adapter;
    uint32_t wddm = adapter->setup->caps.wddm;
    uint32_t hibernate = segment->flags & (VIDMM_SEGMENT_PreservedDuringHibernate |
                                           VIDMM_SEGMENT_PartiallyPreservedDuringHibernate);
    bool host_aperture = has(segment, VIDMM_SEGMENT_SupportsCpuHostAperture);
    struct verdict verdict;
    verdict_begin(&verdict, adapter, segment_name(adapter, segment->id));
    check_size(&verdict, answer, segment);
    verdict_if(&verdict, RULE(SEG_031), has(segment, SEGMENT_64KB_PAGES) && is_aperture(segment),
               "Use64KBPages is for memory segments");
    verdict_if(&verdict, RULE(SEG_032),
               wddm >= VIDMM_WDDM_2_0 && has(segment, VIDMM_SEGMENT_ReservedSysMem),
               "ReservedSysMem is not for drivers");
    verdict_reserved(&verdict, RULE(SEG_033), VIDMM_FLAGS_SEGMENT, segment->flags,
                     "reserved bits of Flags are set");
    if (has(segment, SEGMENT_USE_BANKING))
        check_banks(&verdict, answer, segment);
    verdict_if(&verdict, RULE(SEG_044),
               wddm >= VIDMM_WDDM_1_2 && hibernate &&
                   (!has(segment, VIDMM_SEGMENT_PreservedDuringStandby) ||
                    !is_power_of_two(hibernate)),
               "invalid combination of Preserved flags");
    verdict_if(&verdict, RULE(SEG_055), host_aperture && has(segment, SEGMENT_CPU_VISIBLE),
               "SupportsCpuHostAperture excludes CpuVisible");
    verdict_if(&verdict, RULE(SEG_056),
               !host_aperture && has(segment, VIDMM_SEGMENT_SupportsCachedCpuHostAperture),
               "a cached host aperture needs the plain one");
    verdict_if(&verdict, RULE(SEG_061), segments_vpr_broken(answer, segment),
               "the protected range is no part of it");
    verdict_if(&verdict, RULE(RES_044),
               has(segment, VIDMM_SEGMENT_LocalBudgetGroup) &&
                   has(segment, VIDMM_SEGMENT_NonLocalBudgetGroup),
               "it is in two budget groups");
    verdict_if(&verdict, RULE(MINI_010),
               segment->bytes != SEGMENTS_UNSET &&
                   (segment->bytes > most_bytes || segment->base > UINT64_MAX - segment->bytes),
               "BaseAddress + Size wraps");
    return verdict_end(&verdict);
}

/* ---- all segments together ------------------------------------------------------------------ */

static vidmm_status check_apertures(const struct segments_answer *answer)
{
    uint32_t apertures = 0;
    for (uint32_t i = 0; i < answer->count; i++)
        apertures += has(&answer->segments[i], SEGMENT_APERTURE);
    if (answer->adapter->setup->caps.wddm < VIDMM_WDDM_2_0)
        return STATUS_SUCCESS;
    if (apertures == 1)
        return STATUS_SUCCESS;
    return refuse(answer->adapter, RULE(SEG_034), STATUS_INVALID_PARAMETER,
                  "a driver of WDDM 2.0 or later reports exactly one aperture segment, not %u",
                  apertures);
}

/* A finding that `strict` turns into a failed start. */
static vidmm_status odd(adapter_t *adapter, enum vidmm_rule rule, const char *name,
                        const char *text)
{
    if (setting(adapter, VIDMM_SETTING_STRICT))
        return refuse(adapter, rule, STATUS_INVALID_PARAMETER, "%s: %s", name, text);
    finding(adapter, rule, 0, "%s: %s", name, text);
    return adapter_stopped(adapter) ? STATUS_DEVICE_REMOVED : STATUS_SUCCESS;
}

static vidmm_status check_paging_segment(const struct segments_answer *answer)
{
    adapter_t *adapter = answer->adapter;
    uint32_t id = answer->paging_segment;
    if (!id)
        return STATUS_SUCCESS;
    if (id > answer->count)
        return refuse(adapter, RULE(SEG_051), STATUS_INVALID_PARAMETER,
                      "PagingBufferSegmentId is %u, there are %u segments", id, answer->count);
    const struct segment_answer *segment = &answer->segments[id - 1];
    if (is_aperture(segment))
        return STATUS_SUCCESS;
    if (!has(segment, SEGMENT_CPU_VISIBLE))
        return refuse(adapter, RULE(SEG_051), STATUS_INVALID_PARAMETER,
                      "%s: a paging buffer has to be where the CPU can write it",
                      segment_name(adapter, id));
    return odd(adapter, RULE(SEG_051), segment_name(adapter, id),
               "a paging buffer belongs into an aperture or system memory");
}

static vidmm_status check_paging_buffer(const struct segments_answer *answer)
{
    adapter_t *adapter = answer->adapter;
    if (answer->paging_bytes == (uint32_t)SEGMENTS_UNSET)
        return refuse(adapter, RULE(MINI_005), STATUS_INVALID_PARAMETER,
                      "PagingBufferSize is not answered");
    /* What the host can hold: no driver needs as much. */
    if (!answer->paging_bytes || answer->paging_bytes > VIDMM_DMA_BYTES_MAX)
        return refuse(adapter, RULE(SEG_052), STATUS_INVALID_PARAMETER,
                      "a paging buffer cannot have %s", words_size(answer->paging_bytes).it);
    if (answer->paging_private_bytes > VIDMM_DMA_BYTES_MAX)
        return refuse(adapter, RULE(SEG_053), STATUS_INVALID_PARAMETER,
                      "the private data of a paging buffer cannot have %s",
                      words_size(answer->paging_private_bytes).it);
    return check_paging_segment(answer);
}

vidmm_status segments_check(const struct segments_answer *answer)
{
    vidmm_status status = STATUS_SUCCESS;
    for (uint32_t i = 0; i < answer->count && !status; i++)
        status = check_segment(answer, &answer->segments[i]);
    if (!status)
        status = check_apertures(answer);
    if (!status)
        status = check_paging_buffer(answer);
    return status;
}

/* ---- odd, but it goes on -------------------------------------------------------------------- */

static vidmm_status advise_memory(const struct segments_answer *answer,
                                  struct segment_answer *segment)
{
    adapter_t *adapter = answer->adapter;
    const char *name = segment_name(adapter, segment->id);
    if (has(segment, SEGMENT_CACHE_COHERENT)) {
        vidmm_status status =
            odd(adapter, RULE(SEG_027), name, "CacheCoherent means nothing for a memory segment");
        if (status)
            return status;
        segment->flags &= ~(uint32_t)SEGMENT_CACHE_COHERENT;
    }
    if (segment->commit_limit && segment->commit_limit != segment->bytes &&
        adapter->setup->caps.wddm < VIDMM_WDDM_2_0)
        return warn(adapter, RULE(SEG_067), 0,
                    "%s: the CommitLimit of a memory segment is its Size, not 0x%llx", name,
                    (ull)segment->commit_limit);
    return STATUS_SUCCESS;
}

static vidmm_status advise_aperture(const struct segments_answer *answer,
                                    struct segment_answer *segment)
{
    adapter_t *adapter = answer->adapter;
    const char *name = segment_name(adapter, segment->id);
    if (has(segment, SEGMENT_CPU_VISIBLE))
        applies(adapter, RULE(SEG_024));
    if (has(segment, SEGMENT_FROM_SYSTEM_MEMORY)) {
        vidmm_status status = warn(adapter, RULE(SEG_029), 0,
                                   "%s: PopulatedFromSystemMemory is ignored on an aperture", name);
        if (status)
            return status;
        segment->flags &= ~(uint32_t)SEGMENT_FROM_SYSTEM_MEMORY;
    }
    if (segment->commit_limit > segment->bytes)
        return warn(adapter, RULE(SEG_068), 0, "%s: CommitLimit 0x%llx is cut to Size", name,
                    (ull)segment->commit_limit);
    return STATUS_SUCCESS;
}

static vidmm_status advise_banks(const struct segments_answer *answer,
                                 const struct segment_answer *segment)
{
    if (!has(segment, SEGMENT_USE_BANKING))
        return STATUS_SUCCESS;
    applies(answer->adapter, RULE(SEG_039));
    /* The last entry need not be there: 0 is not given. */
    uint64_t last = segment->bank_ends ? segment->bank_ends[segment->bank_count - 1] : 0;
    if (!last || last == segment->bytes)
        return STATUS_SUCCESS;
    return warn(answer->adapter, RULE(SEG_039), 0,
                "%s: the last bank ends at Size, the 0x%llx in its place is not used",
                segment_name(answer->adapter, segment->id), (ull)last);
}

/* SEG-049: the address and the flag belong together. */
static vidmm_status advise_memory_end(const struct segments_answer *answer,
                                      const struct segment_answer *segment)
{
    adapter_t *adapter = answer->adapter;
    bool partly = has(segment, VIDMM_SEGMENT_PartiallyPreservedDuringHibernate);
    if (adapter->setup->caps.wddm < VIDMM_WDDM_1_2)
        return STATUS_SUCCESS;
    if (!has(segment, VIDMM_SEGMENT_PreservedDuringStandby)) /* then no hibernation: SEG-044 */
        applies(adapter, RULE(SEG_045));
    if (partly == (segment->memory_end != 0)) {
        if (partly)
            applies(adapter, RULE(SEG_049));
        return STATUS_SUCCESS;
    }
    return warn(adapter, RULE(SEG_049), 0, "%s: %s", segment_name(adapter, segment->id),
                partly ? "PartiallyPreservedDuringHibernate without a SystemMemoryEndAddress"
                       : "SystemMemoryEndAddress without PartiallyPreservedDuringHibernate");
}

static vidmm_status advise_overlaps(const struct segments_answer *answer,
                                    const struct segment_answer *segment)
{
    vidmm_status status = STATUS_SUCCESS;
    for (uint32_t i = 0; i + 1 < segment->id && !status; i++) {
        const struct segment_answer *other = &answer->segments[i];
        if (segment->base < other->base + other->bytes &&
            other->base < segment->base + segment->bytes)
            status = warn(answer->adapter, RULE(SEG_008), 0, "%s and %s share GPU addresses",
                          segment_name(answer->adapter, other->id),
                          segment_name(answer->adapter, segment->id));
    }
    return status;
}

vidmm_status segments_advise(struct segments_answer *answer)
{
    vidmm_status status = STATUS_SUCCESS;
    for (uint32_t i = 0; i < answer->count && !status; i++) {
        struct segment_answer *segment = &answer->segments[i];
        status = is_aperture(segment) ? advise_aperture(answer, segment)
                                      : advise_memory(answer, segment);
        if (!status)
            status = advise_banks(answer, segment);
        if (!status)
            status = advise_memory_end(answer, segment);
        if (!status)
            status = advise_overlaps(answer, segment);
    }
    return status;
}
