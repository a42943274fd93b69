/* SPDX-License-Identifier: MIT */
/*
 * check_flag_wddm2.c: the FLAG rules of interface 2.0 and later that an answer to a creation can
 * break, one a line: those behind HistoryBuffer in the order of the catalogue, and all of Flags2.
 */
#include "vidmm/allocation/check/allocation_check.h"

static bool notified_unphysical(const struct answer *answer)
{
    return answer_has(answer, ALLOCATION_RESIDENCY_NOTIFICATION) &&
           !answer_has(answer, ALLOCATION_ACCESSED_PHYSICALLY);
}

static bool in_no_protected_range(const struct answer *answer)
{
    return answer_in_vpr(answer) && (answer->supported & answer->existing & ~answer->protected);
}

static bool no_second_map(const struct answer *answer)
{
    return answer->view == VIDMM_FLAGS_ALLOCATION2_0 &&
           answer_has(answer, VIDMM_ALLOCATION2_0_MapApertureCpuVisible) &&
           !answer->adapter->setup->caps.map_aperture2;
}

static bool early_flags2(const struct answer *answer)
{
    return answer->wddm < VIDMM_WDDM_3_0 && answer->raw->Flags2.Value;
}

static bool reserved_flags2(const struct answer *answer)
{
    uint32_t defined = vidmm_flags_defined(VIDMM_FLAGS_ALLOCATION2, answer->wddm);
    return answer->wddm >= VIDMM_WDDM_3_0 && (answer->raw->Flags2.Value & ~defined);
}

static bool feature_is_off(const struct answer *answer)
{
    enum { OFF = 1 };
    return answer->wddm >= VIDMM_WDDM_3_0 && answer->raw->Flags2.ShareBackingStoreWithKmd &&
           setting(answer->adapter, VIDMM_SETTING_SHARE_BACKING_STORE) == OFF;
}

static bool wrongly_shared_with_kmd(const struct answer *answer)
{
    return answer->wddm >= VIDMM_WDDM_3_0 && answer->raw->Flags2.ShareBackingStoreWithKmd &&
           (!answer->request->shared || (answer->supported & ~answer->apertures) ||
            answer_has(answer, ALLOCATION_ANY_EXISTING));
}

const struct check flag_wddm2_checks[] = {
    { RULE(FLAG_055), notified_unphysical,
      "ExplicitResidencyNotification is set without AccessedPhysically", 0 },
    { RULE(FLAG_059), in_no_protected_range,
      "CreateInVpr is set and a supported segment has no protected range", 0 },
    { RULE(FLAG_060), no_second_map,
      "MapApertureCpuVisible is set without the cap MapAperture2Supported", 0 },
    { RULE(FLAG_061), early_flags2, "Flags2 is set by a driver below 3.0", 0 },
    { RULE(FLAG_062), reserved_flags2, "reserved bits of Flags2 are set", 0 },
    { RULE(FLAG_063), feature_is_off,
      "ShareBackingStoreWithKmd is set and the feature is not enabled", 0 },
    { RULE(FLAG_064), wrongly_shared_with_kmd,
      "ShareBackingStoreWithKmd is set and it is not shared, in memory segments or existing", 0 },
    { VIDMM_RULE_NONE, NULL, NULL, 0 },
};
