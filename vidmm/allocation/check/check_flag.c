/* SPDX-License-Identifier: MIT */
/*
 * check_flag.c: the FLAG rules that an answer to a creation can break, one a line.
 *
 * What comes behind HistoryBuffer in the catalogue is in check_flag_wddm2.c.
 */
#include "vidmm/allocation/check/allocation_check.h"

/* A flag that view C reads as something else. */
static bool has_old(const struct answer *answer, uint32_t flag)
{
    return answer->view == VIDMM_FLAGS_ALLOCATION && answer_has(answer, flag);
}

/* FLAG-007: CpuVisibleOnDemand counts as CpuVisible. Below 2.0 the bit is reserved anyway. */
static bool cpu_visible(const struct answer *answer)
{
    return answer_has(answer, ALLOCATION_CPU_VISIBLE | ALLOCATION_ON_DEMAND);
}

static bool wrong_member(const struct answer *answer)
{
    return answer->wddm2_flags && answer->wddm < VIDMM_WDDM_2_0;
}

/* The bits of a member that does not exist yet mean nothing (FLAG-001 says so). */
static bool reserved_flags(const struct answer *answer)
{
    return !wrong_member(answer) &&
           (answer->flags & ~vidmm_flags_defined(answer->view, answer->wddm)) != 0;
}

static bool no_way_to_the_cpu(const struct answer *answer)
{
    return answer->wddm >= VIDMM_WDDM_2_0 && cpu_visible(answer) &&
           (answer->supported & answer->invisible) && !(answer->supported & answer->apertures);
}

static bool permanent_unseen(const struct answer *answer)
{
    return answer_has(answer, ALLOCATION_PERMANENT) && !cpu_visible(answer);
}

static bool cached_unseen(const struct answer *answer)
{
    return answer_has(answer, ALLOCATION_CACHED) && !cpu_visible(answer);
}

static bool protected_combined(const struct answer *answer)
{
    return answer_has(answer, ALLOCATION_PROTECTED) &&
           answer_has(answer, ALLOCATION_PERMANENT | ALLOCATION_ANY_EXISTING);
}

static bool unusable_range(const struct answer *answer, uint32_t flag, bool kernel)
{
    const struct system_range *range = answer->range;
    uint64_t page = answer->adapter->setup->page;
    if (!range || !answer_has(answer, flag))
        return false;
    if (range->section)
        return kernel || !answer->request->section;
    return range->kernel != kernel || !is_aligned(range->address, page) ||
           !is_aligned(range->bytes, page);
}

static bool unusable_user_range(const struct answer *answer)
{
    return unusable_range(answer, ALLOCATION_EXISTING, false) ||
           (answer_has(answer, ALLOCATION_EXISTING) && answer->request->range_foreign);
}

static bool unusable_kernel_range(const struct answer *answer)
{
    return unusable_range(answer, ALLOCATION_EXISTING_KERNEL, true);
}

static bool short_range(const struct answer *answer)
{
    return answer_has(answer, ALLOCATION_ANY_EXISTING) && answer->range &&
           answer->range->bytes < answer->bytes;
}

static bool missing_range(const struct answer *answer)
{
    return answer_has(answer, ALLOCATION_ANY_EXISTING) && !answer->range;
}

static bool existing_combined(const struct answer *answer)
{
    return answer_has(answer, ALLOCATION_ANY_EXISTING) &&
           (answer_has(answer, ALLOCATION_PERMANENT | ALLOCATION_PROTECTED) ||
            (answer->flags & ALLOCATION_ANY_EXISTING) == ALLOCATION_ANY_EXISTING);
}

static bool swizzled_outside_memory(const struct answer *answer)
{
    return has_old(answer, ALLOCATION_SWIZZLED) && cpu_visible(answer) &&
           !(answer->supported & ~answer->apertures);
}

static bool alternate_address(const struct answer *answer)
{
    return has_old(answer, ALLOCATION_ALTERNATE_VA) && !answer->request->primary;
}

/* View C has no such bit; to say so by its name is more than FLAG-003 says. */
static bool synchronous_in_view_c(const struct answer *answer)
{
    return answer->view == VIDMM_FLAGS_ALLOCATION2_0 && answer_has(answer, ALLOCATION_SYNCHRONOUS);
}

static bool mirrored_and_instanced(const struct answer *answer)
{
    return has_old(answer, VIDMM_ALLOCATION_LinkMirrored) &&
           has_old(answer, VIDMM_ALLOCATION_LinkInstanced);
}

static bool wrong_history_buffer(const struct answer *answer)
{
    uint32_t legal = ALLOCATION_HISTORY_BUFFER | ALLOCATION_CPU_VISIBLE;
    if (answer->coherent)
        legal |= ALLOCATION_CACHED;
    return answer_has(answer, ALLOCATION_HISTORY_BUFFER) && answer->flags != legal;
}

const struct check flag_checks[] = {
    { RULE(FLAG_001), wrong_member,
      "FlagsWddm2 belongs to WDDM 2.0 and later: an older driver fills Flags", 0 },
    { RULE(FLAG_003), reserved_flags, "reserved flag bits are set", 0 },
    { RULE(FLAG_006), no_way_to_the_cpu,
      "the CPU cannot see all supported memory and no aperture segment is supported", 0 },
    { RULE(FLAG_013), permanent_unseen, "PermanentSysMem is set without CpuVisible", 0 },
    { RULE(FLAG_017), cached_unseen, "Cached is set without CpuVisible", 0 },
    { RULE(FLAG_021), protected_combined,
      "Protected is combined with PermanentSysMem or an existing range", 0 },
    { RULE(FLAG_022), unusable_user_range,
      "the existing range is no page-aligned range of user memory of this process", 0 },
    { RULE(FLAG_023), unusable_kernel_range,
      "the existing range is no page-aligned range of kernel memory", 0 },
    { RULE(FLAG_024), short_range, "the existing range is shorter than the allocation", 0 },
    { RULE(FLAG_025), missing_range, "an existing range is asked for, but none was given", 0 },
    { RULE(FLAG_028), existing_combined,
      "an existing range is combined with PermanentSysMem, Protected or the other kind", 0 },
    { RULE(FLAG_034), swizzled_outside_memory,
      "Swizzled and CpuVisible, but no memory segment is supported", 0 },
    { RULE(FLAG_042), alternate_address, "UseAlternateVA is set and it is no primary", 0 },
    { RULE(FLAG_047), synchronous_in_view_c, "FlagsWddm2 has no SynchronousPaging", 0 },
    { RULE(FLAG_050), mirrored_and_instanced, "LinkMirrored and LinkInstanced are both set", 0 },
    { RULE(FLAG_052), wrong_history_buffer, "HistoryBuffer is in a wrong combination", 0 },
    { VIDMM_RULE_NONE, NULL, NULL, 0 },
};
