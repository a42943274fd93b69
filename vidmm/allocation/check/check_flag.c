/* SPDX-License-Identifier: MIT */
/*
 * check_flag.c: the FLAG rules that an answer to a creation can break, Flags2 among them.
 */
#include "vidmm/allocation/check/allocation_check.h"

/* ---- existing memory ------------------------------------------------------------------------ */

/* FLAG-022, FLAG-023: why the range cannot be the store that `flag` asks for; NULL: it can. */
static const char *why_unusable(const struct answer *answer, uint32_t flag)
{
    const struct system_range *range = answer->range;
    bool kernel = flag == ALLOCATION_EXISTING_KERNEL;
    if (!kernel && answer->request->range_foreign)
        return "it belongs to another process";
    if (range->section && kernel)
        return "it is a section";
    if (range->section)
        return answer->request->section ? NULL : "it is a section, and the call does not say so";
    if (range->kernel != kernel)
        return kernel ? "it is user memory (ExistingSysMem takes that)"
                      : "it is kernel memory (ExistingKernelSysMem takes that)";
    if (!is_aligned(range->address, answer->adapter->setup->page))
        return "its first byte does not begin a page";
    return is_aligned(range->bytes, answer->adapter->setup->page) ? NULL
                                                                  : "it does not end with a page";
}

static void check_usable(struct verdict *verdict, enum vidmm_rule rule, const struct answer *answer,
                         uint32_t flag)
{
    const char *why = answer->range && answer_has(answer, flag) ? why_unusable(answer, flag) : NULL;
    if (why)
        verdict_add(verdict, rule, STATUS_INVALID_PARAMETER, "%s cannot use %s: %s",
                    answer_flags(answer, flag).it, answer->range->label, why);
}

static void check_existing(struct verdict *verdict, const struct answer *answer)
{
    const struct system_range *range = answer->range;
    const uint32_t excluded = ALLOCATION_PERMANENT | ALLOCATION_PROTECTED;
    check_usable(verdict, RULE(FLAG_022), answer, ALLOCATION_EXISTING);
    check_usable(verdict, RULE(FLAG_023), answer, ALLOCATION_EXISTING_KERNEL);
    if (range && range->bytes < answer->bytes)
        verdict_add(verdict, RULE(FLAG_024), STATUS_INVALID_PARAMETER,
                    "%s has %s and the allocation takes %s", range->label,
                    words_size(range->bytes).it, words_size(answer->bytes).it);
    verdict_if(verdict, RULE(FLAG_025), !range,
               "an existing range is asked for, but none was given");
    if (answer_has(answer, excluded))
        verdict_add(verdict, RULE(FLAG_028), STATUS_INVALID_PARAMETER,
                    "an existing range excludes %s", answer_flags(answer, excluded).it);
    else
        verdict_if(verdict, RULE(FLAG_028),
                   (answer->flags & ALLOCATION_ANY_EXISTING) == ALLOCATION_ANY_EXISTING,
                   "ExistingSysMem and ExistingKernelSysMem exclude each other");
}

/* ---- flags with flags ----------------------------------------------------------------------- */

static void check_cpu_access(struct verdict *verdict, const struct answer *answer)
{
    const uint32_t excluded = ALLOCATION_PERMANENT | ALLOCATION_ANY_EXISTING;
    bool visible = answer_has(answer, ALLOCATION_ANY_VISIBLE);
    bool wrong_member = answer->wddm2_flags && answer->wddm < VIDMM_WDDM_2_0;
    verdict_if(verdict, RULE(FLAG_001), wrong_member,
               "FlagsWddm2 belongs to WDDM 2.0 and later: an older driver fills Flags");
    if (!wrong_member) /* the bits of a member that does not exist yet mean nothing */
        verdict_reserved(verdict, RULE(FLAG_003), answer->view, answer->flags,
                         "reserved flag bits are set");
    lasting_visible(verdict, answer);
    verdict_if(verdict, RULE(FLAG_013), answer_has(answer, ALLOCATION_PERMANENT) && !visible,
               "PermanentSysMem is set without CpuVisible");
    verdict_if(verdict, RULE(FLAG_017), answer_has(answer, ALLOCATION_CACHED) && !visible,
               "Cached is set without CpuVisible");
    if (answer_has(answer, ALLOCATION_PROTECTED) && answer_has(answer, excluded))
        verdict_add(verdict, RULE(FLAG_021), STATUS_INVALID_PARAMETER, "Protected excludes %s",
                    answer_flags(answer, excluded).it);
}

/* ---- WDDM 2.0 and later, and Flags2 --------------------------------------------------------- */

static void check_flags2(struct verdict *verdict, const struct answer *answer)
{
    enum { FEATURE_OFF = 1 };
    const DXGK_ALLOCATIONINFOFLAGS2 flags2 = answer->raw->Flags2;
    if (answer->wddm < VIDMM_WDDM_3_0) {
        verdict_if(verdict, RULE(FLAG_061), flags2.Value, "Flags2 is set by a driver below 3.0");
        return;
    }
    verdict_reserved(verdict, RULE(FLAG_062), VIDMM_FLAGS_ALLOCATION2, flags2.Value,
                     "reserved bits of Flags2 are set");
    verdict_if(verdict, RULE(FLAG_063),
               flags2.ShareBackingStoreWithKmd &&
                   setting(answer->adapter, VIDMM_SETTING_SHARE_BACKING_STORE) == FEATURE_OFF,
               "ShareBackingStoreWithKmd is set and the feature is not enabled");
    lasting_shared_store(verdict, answer);
}

void check_flag(struct verdict *verdict, const struct answer *answer)
{
    check_cpu_access(verdict, answer);
    if (answer_has(answer, ALLOCATION_ANY_EXISTING))
        check_existing(verdict, answer);
    lasting_swizzled(verdict, answer);
    verdict_if(verdict, RULE(FLAG_042),
               answer_has_old(answer, ALLOCATION_ALTERNATE_VA) && !answer->request->primary,
               "UseAlternateVA is set and it is no primary");
    /* View C has no such bit; to say so by its name is more than FLAG-003 says. */
    verdict_if(verdict, RULE(FLAG_047), answer_has_new(answer, ALLOCATION_SYNCHRONOUS),
               "FlagsWddm2 has no SynchronousPaging");
    verdict_if(verdict, RULE(FLAG_050),
               answer_has_old(answer, VIDMM_ALLOCATION_LinkMirrored) &&
                   answer_has_old(answer, VIDMM_ALLOCATION_LinkInstanced),
               "LinkMirrored and LinkInstanced are both set");
    lasting_history_buffer(verdict, answer);
    lasting_notification(verdict, answer);
    lasting_protected(verdict, answer);
    verdict_if(verdict, RULE(FLAG_060),
               answer_has_new(answer, VIDMM_ALLOCATION2_0_MapApertureCpuVisible) &&
                   !answer->adapter->setup->caps.map_aperture2,
               "MapApertureCpuVisible is set without the cap MapAperture2Supported");
    check_flags2(verdict, answer);
}
