/* SPDX-License-Identifier: MIT */
/*
 * check_detail.c: checks that several causes can break say which one applied, and what would be
 * allowed. A check without a row here has one cause, and its message is the whole sentence.
 */
#include <stdio.h>

#include "paging/store/store.h"
#include "vidmm/allocation/check/allocation_check.h"

/* A sentence under construction; what does not fit is cut. */
struct detail {
    const struct answer *answer;
    char *text;
    size_t bytes;
};

static const char *with_flags(const struct detail *detail, const char *before, uint32_t flags,
                              const char *after)
{
    char names[160];
    vidmm_flags_text(detail->answer->view, flags, names, sizeof names);
    (void)snprintf(detail->text, detail->bytes, "%s%s%s", before, names, after);
    return detail->text;
}

/* FLAG-003 and FLAG-062: the bits that this version does not define. */
static const char *reserved(const struct detail *detail, const char *what, enum vidmm_flag_set view,
                            uint32_t value)
{
    char names[160];
    vidmm_flags_reserved_text(view, value, detail->answer->wddm, names, sizeof names);
    (void)snprintf(detail->text, detail->bytes, "%s are set: %s", what, names);
    return detail->text;
}

static const char *reserved_flags(const struct detail *detail)
{
    return reserved(detail, "reserved flag bits", detail->answer->view, detail->answer->flags);
}

static const char *reserved_flags2(const struct detail *detail)
{
    return reserved(detail, "reserved bits of Flags2", VIDMM_FLAGS_ALLOCATION2,
                    detail->answer->raw->Flags2.Value);
}

/* ALLOC-015: the largest of the segments, and what it offers. */
static const char *too_large(const struct detail *detail)
{
    const struct answer *answer = detail->answer;
    uint32_t best = 0, candidates = answer->supported & answer->existing;
    for (uint32_t id = 1; id <= answer->adapter->setup->segments_each; id++)
        if ((candidates & segment_bit(id)) &&
            (!best || answer_room(answer, id) > answer_room(answer, best)))
            best = id;
    CHECK(best); /* an answer without a usable segment is refused before */
    const struct vidmm_segment_desc *desc = answer->adapter->setup->descs[best - 1];
    uint64_t room = answer_room(answer, best);
    const char *why = answer_has(answer, ALLOCATION_OVERLAY | ALLOCATION_CAPTURE)
                          ? ", its pinned region, to an allocation of this kind"
                      : answer_in_vpr(answer)                     ? ", its protected range"
                      : room == desc->limit && room < desc->bytes ? ", its commit limit"
                                                                  : "";
    (void)snprintf(detail->text, detail->bytes,
                   "no supported segment is ever large enough for %s: %s offers no more than %s%s",
                   words_size(segment_footprint(desc, answer->bytes, answer->pitch_bytes)).it,
                   segment_name(answer->adapter, best), words_size(room).it, why);
    return detail->text;
}

/* ALLOC-040 */
static const char *special_memory(const struct detail *detail)
{
    const struct answer *answer = detail->answer;
    uint32_t flags = answer->flags & (ALLOCATION_PERMANENT | ALLOCATION_CACHED |
                                      ALLOCATION_PROTECTED | ALLOCATION_ANY_EXISTING);
    return with_flags(detail, "a primary may not have the flags ", flags, "");
}

/* FLAG-021 */
static const char *with_protected(const struct detail *detail)
{
    uint32_t flags = detail->answer->flags & (ALLOCATION_PERMANENT | ALLOCATION_ANY_EXISTING);
    return with_flags(detail, "Protected excludes ", flags, "");
}

/* FLAG-028 */
static const char *with_existing(const struct detail *detail)
{
    const struct answer *answer = detail->answer;
    uint32_t flags = answer->flags & (ALLOCATION_PERMANENT | ALLOCATION_PROTECTED);
    if (!flags)
        return "ExistingSysMem and ExistingKernelSysMem exclude each other";
    return with_flags(detail, "an existing range excludes ", flags, "");
}

/* FLAG-052 */
static const char *history_buffer(const struct detail *detail)
{
    const struct answer *answer = detail->answer;
    uint32_t allowed = ALLOCATION_HISTORY_BUFFER | ALLOCATION_CPU_VISIBLE | ALLOCATION_CACHED;
    if (!answer_has(answer, ALLOCATION_CPU_VISIBLE))
        return "HistoryBuffer requires CpuVisible";
    if (answer->coherent && !answer_has(answer, ALLOCATION_CACHED))
        return "HistoryBuffer requires Cached on an adapter with a CacheCoherent aperture segment";
    if (!answer->coherent && answer_has(answer, ALLOCATION_CACHED))
        return "HistoryBuffer excludes Cached on an adapter without a CacheCoherent aperture "
               "segment";
    return with_flags(detail, "HistoryBuffer excludes ", answer->flags & ~allowed, "");
}

/* FLAG-022, FLAG-023 */
static const char *unusable_range(const struct detail *detail, bool kernel)
{
    const struct answer *answer = detail->answer;
    const struct system_range *range = answer->range;
    const char *kind = kernel ? "ExistingKernelSysMem" : "ExistingSysMem";
    const char *why = "its first byte does not begin a page";
    if (!kernel && answer->request->range_foreign)
        why = "it belongs to another process";
    else if (range->section)
        why = kernel ? "it is a section" : "it is a section, and the call does not say so";
    else if (range->kernel != kernel)
        why = kernel ? "it is user memory (ExistingSysMem takes that)"
                     : "it is kernel memory (ExistingKernelSysMem takes that)";
    else if (is_aligned(range->address, answer->adapter->setup->page))
        why = "it does not end with a page";
    (void)snprintf(detail->text, detail->bytes, "%s cannot use %s: %s", kind, range->label, why);
    return detail->text;
}

static const char *unusable_user_range(const struct detail *detail)
{
    return unusable_range(detail, false);
}

static const char *unusable_kernel_range(const struct detail *detail)
{
    return unusable_range(detail, true);
}

/* FLAG-024 */
static const char *short_range(const struct detail *detail)
{
    const struct system_range *range = detail->answer->range;
    (void)snprintf(detail->text, detail->bytes, "%s has %s and the allocation takes %s",
                   range->label, words_size(range->bytes).it, words_size(detail->answer->bytes).it);
    return detail->text;
}

static const struct {
    enum vidmm_rule rule;
    const char *(*sentence)(const struct detail *detail);
} details[] = {
    { VIDMM_RULE(ALLOC_015), too_large },          { VIDMM_RULE(ALLOC_040), special_memory },
    { VIDMM_RULE(FLAG_003), reserved_flags },      { VIDMM_RULE(FLAG_021), with_protected },
    { VIDMM_RULE(FLAG_022), unusable_user_range }, { VIDMM_RULE(FLAG_023), unusable_kernel_range },
    { VIDMM_RULE(FLAG_024), short_range },         { VIDMM_RULE(FLAG_028), with_existing },
    { VIDMM_RULE(FLAG_052), history_buffer },      { VIDMM_RULE(FLAG_062), reserved_flags2 },
};

const char *check_sentence(const struct check *check, const struct answer *answer, char *text,
                           size_t bytes)
{
    const struct detail detail = { answer, text, bytes };
    for (size_t i = 0; i < ARRAY_COUNT(details); i++)
        if (details[i].rule == check->rule)
            return details[i].sentence(&detail);
    return check->message;
}
