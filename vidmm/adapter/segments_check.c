/* SPDX-License-Identifier: MIT */
/*
 * segments_check.c: is what the miniport reported about its segments legal, and is it odd?
 *
 * One rule a line. All broken rules of the first segment that breaks any are listed; the start
 * fails with STATUS_INVALID_PARAMETER. What is odd is said afterwards, and mends the answer where
 * the rule says that a bit or a number is ignored.
 */
#include <stdio.h>
#include <string.h>

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

static bool unset_size(const struct segment_answer *segment)
{
    return segment->bytes == SEGMENTS_UNSET;
}

static uint64_t page_of(const struct segments_answer *answer, const struct segment_answer *segment)
{
    return segments_page(answer->adapter, segment->flags);
}

/* ---- what one segment may break ------------------------------------------------------------- */

static bool no_size_answered(const struct segments_answer *answer,
                             const struct segment_answer *segment)
{
    (void)answer;
    return unset_size(segment);
}

static bool wraps(const struct segments_answer *answer, const struct segment_answer *segment)
{
    (void)answer;
    return !unset_size(segment) &&
           (segment->bytes > most_bytes || segment->base > UINT64_MAX - segment->bytes);
}

static bool agp_and_more(const struct segments_answer *answer, const struct segment_answer *segment)
{
    (void)answer;
    return has(segment, SEGMENT_AGP) && segment->flags != SEGMENT_AGP;
}

static bool one_of_several_agp(const struct segments_answer *answer,
                               const struct segment_answer *segment)
{
    uint32_t agp = 0;
    for (uint32_t i = 0; i < answer->count; i++)
        agp += has(&answer->segments[i], SEGMENT_AGP);
    return agp > 1 && has(segment, SEGMENT_AGP);
}

static bool agp_without_range(const struct segments_answer *answer,
                              const struct segment_answer *segment)
{
    return has(segment, SEGMENT_AGP) && !segments_agp_exists(answer->adapter);
}

static bool odd_size(const struct segments_answer *answer, const struct segment_answer *segment)
{
    return !has(segment, SEGMENT_AGP) && !unset_size(segment) &&
           (!segment->bytes || !is_aligned(segment->bytes, page_of(answer, segment)));
}

static bool large_pages_in_aperture(const struct segments_answer *answer,
                                    const struct segment_answer *segment)
{
    (void)answer;
    return has(segment, SEGMENT_64KB_PAGES) && is_aperture(segment);
}

static bool reserved_for_system(const struct segments_answer *answer,
                                const struct segment_answer *segment)
{
    return answer->adapter->setup->caps.wddm >= VIDMM_WDDM_2_0 &&
           has(segment, SEGMENT_RESERVED_SYSMEM);
}

static bool reserved_bits(const struct segments_answer *answer,
                          const struct segment_answer *segment)
{
    uint32_t defined = vidmm_flags_defined(VIDMM_FLAGS_SEGMENT, answer->adapter->setup->caps.wddm);
    return (segment->flags & ~defined) != 0;
}

/* Version 4 has the flag and nothing to describe banks with (SEG-042). */
static bool has_banks(const struct segments_answer *answer, const struct segment_answer *segment)
{
    return has(segment, SEGMENT_USE_BANKING) && answer->type != DXGKQAITYPE_QUERYSEGMENT4;
}

static bool no_bank_data(const struct segments_answer *answer, const struct segment_answer *segment)
{
    return has_banks(answer, segment) &&
           (!segment->bank_count || (segment->bank_count > 1 && !segment->bank_ends));
}

static bool banked_aperture(const struct segments_answer *answer,
                            const struct segment_answer *segment)
{
    (void)answer;
    return has(segment, SEGMENT_USE_BANKING) && is_aperture(segment);
}

static bool too_many_banks(const struct segments_answer *answer,
                           const struct segment_answer *segment)
{
    return has_banks(answer, segment) && segment->bank_count > VIDMM_BANKS_MAX;
}

static bool odd_bank_ends(const struct segments_answer *answer,
                          const struct segment_answer *segment)
{
    uint64_t start = 0;
    if (!has_banks(answer, segment) || no_bank_data(answer, segment) ||
        too_many_banks(answer, segment))
        return false;
    for (uint32_t i = 0; i + 1 < segment->bank_count; i++) {
        uint64_t end = segment->bank_ends[i];
        if (end <= start || end >= segment->bytes || !is_aligned(end, page_of(answer, segment)))
            return true;
        start = end;
    }
    return false;
}

static bool banks_in_version_4(const struct segments_answer *answer,
                               const struct segment_answer *segment)
{
    return has(segment, SEGMENT_USE_BANKING) && answer->type == DXGKQAITYPE_QUERYSEGMENT4;
}

static bool odd_preservation(const struct segments_answer *answer,
                             const struct segment_answer *segment)
{
    uint32_t hibernate = segment->flags & (SEGMENT_PRESERVED_HIBERNATE | SEGMENT_PARTLY_PRESERVED);
    return answer->adapter->setup->caps.wddm >= VIDMM_WDDM_1_2 && hibernate &&
           (!has(segment, SEGMENT_PRESERVED_STANDBY) || !is_power_of_two(hibernate));
}

static bool visible_with_host_aperture(const struct segments_answer *answer,
                                       const struct segment_answer *segment)
{
    (void)answer;
    return has(segment, SEGMENT_HOST_APERTURE) && has(segment, SEGMENT_CPU_VISIBLE);
}

static bool cached_without_host_aperture(const struct segments_answer *answer,
                                         const struct segment_answer *segment)
{
    (void)answer;
    return has(segment, SEGMENT_CACHED_HOST_APERTURE) && !has(segment, SEGMENT_HOST_APERTURE);
}

static bool two_groups(const struct segments_answer *answer, const struct segment_answer *segment)
{
    (void)answer;
    return has(segment, SEGMENT_LOCAL_GROUP) && has(segment, SEGMENT_NONLOCAL_GROUP);
}

struct segment_check {
    enum vidmm_rule rule;
    bool (*broken)(const struct segments_answer *answer, const struct segment_answer *segment);
    const char *message;
};

static const struct segment_check checks[] = {
    { RULE(MINI_005), no_size_answered, "Size is not answered" },
    { RULE(SEG_013), agp_and_more, "Agp goes with no other flag" },
    { RULE(SEG_014), one_of_several_agp, "there can be one Agp segment" },
    { RULE(SEG_015), agp_without_range, "the machine has no AGP aperture" },
    { RULE(SEG_019), odd_size, "Size is no multiple of the page" },
    { RULE(SEG_031), large_pages_in_aperture, "Use64KBPages is for memory segments" },
    { RULE(SEG_032), reserved_for_system, "ReservedSysMem is not for drivers" },
    { RULE(SEG_033), reserved_bits, "reserved bits of Flags are set" },
    { RULE(SEG_037), no_bank_data, "UseBanking without bank data" },
    { RULE(SEG_038), banked_aperture, "an aperture has no banks" },
    { RULE(SEG_039), odd_bank_ends, "bank ends grow, below Size, by pages" },
    { RULE(SEG_040), too_many_banks, "there are at most 127 banks" },
    { RULE(SEG_042), banks_in_version_4, "from 2.0 on there are no banks" },
    { RULE(SEG_044), odd_preservation, "invalid combination of Preserved flags" },
    { RULE(SEG_055), visible_with_host_aperture, "SupportsCpuHostAperture excludes CpuVisible" },
    { RULE(SEG_056), cached_without_host_aperture, "a cached host aperture needs the plain one" },
    { RULE(SEG_061), segments_vpr_broken, "the protected range is no part of it" },
    { RULE(RES_044), two_groups, "it is in two budget groups" },
    { RULE(MINI_010), wraps, "BaseAddress + Size wraps" },
};

/* What is wrong, and with which flags where the flags are too new. */
static const char *message_of(const struct segment_check *check,
                              const struct segments_answer *answer,
                              const struct segment_answer *segment, char *text, size_t bytes)
{
    char flags[160];
    if (check->broken != reserved_bits)
        return check->message;
    (void)vidmm_flags_reserved_text(VIDMM_FLAGS_SEGMENT, segment->flags,
                                    answer->adapter->setup->caps.wddm, flags, sizeof flags);
    (void)snprintf(text, bytes, "%s: %s", check->message, flags);
    return text;
}

static vidmm_status check_segment(const struct segments_answer *answer,
                                  const struct segment_answer *segment)
{
    adapter_t *adapter = answer->adapter;
    struct broken_rules broken = { 0 };
    char text[sizeof((struct vidmm_refusal *)0)->text];
    char message[sizeof((struct vidmm_refusal *)0)->text];
    size_t used = 0;
    for (size_t i = 0; i < ARRAY_COUNT(checks); i++) {
        if (broken.count == ARRAY_COUNT(broken.rules) || !checks[i].broken(answer, segment))
            continue;
        int more = snprintf(text + used, sizeof text - used, "%s%s%s",
                            broken.count ? "; " : segment_name(adapter, segment->id),
                            broken.count ? "" : ": ",
                            message_of(&checks[i], answer, segment, message, sizeof message));
        CHECK(more >= 0);
        used = min_u64(used + (size_t)more, sizeof text - 1);
        broken.rules[broken.count++] = checks[i].rule;
    }
    if (!broken.count)
        return STATUS_SUCCESS;
    return refuse_all(adapter, &broken, STATUS_INVALID_PARAMETER, text);
}

/* ---- all segments together ------------------------------------------------------------------ */

static vidmm_status check_apertures(const struct segments_answer *answer)
{
    uint32_t apertures = 0;
    for (uint32_t i = 0; i < answer->count; i++)
        apertures += has(&answer->segments[i], SEGMENT_APERTURE);
    if (answer->adapter->setup->caps.wddm < VIDMM_WDDM_2_0)
        return STATUS_SUCCESS;
    applies(answer->adapter, RULE(SEG_034));
    if (apertures == 1)
        return STATUS_SUCCESS;
    return refuse(answer->adapter, RULE(SEG_034), STATUS_INVALID_PARAMETER,
                  "from 2.0 on a driver reports exactly one aperture segment, not %u", apertures);
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
    applies(adapter, RULE(SEG_051));
    if (answer->paging_bytes == (uint32_t)SEGMENTS_UNSET)
        return refuse(adapter, RULE(MINI_005), STATUS_INVALID_PARAMETER,
                      "PagingBufferSize is not answered");
    /* What the host can hold: no driver needs as much. */
    if (!answer->paging_bytes || answer->paging_bytes > VIDMM_DMA_BYTES_MAX)
        return refuse(adapter, RULE(SEG_052), STATUS_INVALID_PARAMETER,
                      "a paging buffer cannot have %u bytes", answer->paging_bytes);
    if (answer->paging_private_bytes > VIDMM_DMA_BYTES_MAX)
        return refuse(adapter, RULE(SEG_053), STATUS_INVALID_PARAMETER,
                      "the private data of a paging buffer cannot have %u bytes",
                      answer->paging_private_bytes);
    return check_paging_segment(answer);
}

vidmm_status segments_check(const struct segments_answer *answer)
{
    vidmm_status status = STATUS_SUCCESS;
    applies(answer->adapter, RULE(MINI_005));
    applies(answer->adapter, RULE(MINI_010));
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
    applies(adapter, RULE(SEG_067));
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
    applies(adapter, RULE(SEG_068));
    if (segment->commit_limit > segment->bytes)
        return warn(adapter, RULE(SEG_068), 0, "%s: CommitLimit 0x%llx is cut to Size", name,
                    (ull)segment->commit_limit);
    return STATUS_SUCCESS;
}

static vidmm_status advise_banks(const struct segments_answer *answer,
                                 const struct segment_answer *segment)
{
    if (!has_banks(answer, segment))
        return STATUS_SUCCESS;
    applies(answer->adapter, RULE(SEG_037));
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
    bool partly = has(segment, SEGMENT_PARTLY_PRESERVED);
    if (adapter->setup->caps.wddm < VIDMM_WDDM_1_2)
        return STATUS_SUCCESS;
    if (!(segment->flags & SEGMENT_ANY_PRESERVED))
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
