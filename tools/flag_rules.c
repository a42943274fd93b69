/* SPDX-License-Identifier: MIT */
/* flag_rules.c: which structure a set of flags is, and which rules have to do with a flag. */
#include "tools/flag_rules.h"

#include <string.h>

#include "vidmm/base/base.h"

#define ALLOCATION_AREAS "FLAG ALLOC PLACE PAGE MINI LOCK SWIZ RENAME RES LINK SUBMIT"

static const struct flag_structure structures[VIDMM_FLAG_SETS] = {
    [VIDMM_FLAGS_ALLOCATION] = { "DXGK_ALLOCATIONINFOFLAGS", ALLOCATION_AREAS, true },
    [VIDMM_FLAGS_ALLOCATION2_0] = { "DXGK_ALLOCATIONINFOFLAGS_WDDM2_0", ALLOCATION_AREAS, true },
    [VIDMM_FLAGS_ALLOCATION2] = { "DXGK_ALLOCATIONINFOFLAGS2", ALLOCATION_AREAS, true },
    [VIDMM_FLAGS_INFO] = { "D3DDDI_ALLOCATIONINFO2", "ALLOC", true },
    [VIDMM_FLAGS_KMT] = { "D3DKMT_CREATEALLOCATIONFLAGS", "KMT ALLOC FLAG PLACE LOCK", true },
    [VIDMM_FLAGS_DDI_CREATE] = { "DXGK_CREATEALLOCATIONFLAGS", "ALLOC MINI", true },
    [VIDMM_FLAGS_SEGMENT] = { "DXGK_SEGMENTFLAGS", "SEG TDR MINI RES PLACE", true },
    [VIDMM_FLAGS_LOCK] = { "D3DDDICB_LOCKFLAGS", "LOCK SWIZ RENAME PAGE", true },
    [VIDMM_FLAGS_OFFER] = { "D3DKMT_OFFER_FLAGS", "OFFER", true },
    [VIDMM_FLAGS_OFFER_CALLBACK] = { "D3DDDI_OFFER_FLAGS", "OFFER", true },
    [VIDMM_FLAGS_TRANSFER] = { "DXGK_TRANSFERFLAGS", "MINI PAGE SWIZ LOCK", true },
    [VIDMM_FLAGS_USAGE] = { "DXGK_ALLOCATIONUSAGEINFO1", "ALLOC", true },
    [VIDMM_FLAGS_PRIORITY] = { "D3DDDI_ALLOCATIONPRIORITY", "PRIO ALLOC PLACE", false },
    [VIDMM_FLAGS_FORMAT] = { "D3DDDIFORMAT", "ALLOC", false },
    [VIDMM_FLAGS_GDI] = { "D3DKMDT_GDISURFACETYPE", "ALLOC", false },
};

const struct flag_structure *flag_structure(enum vidmm_flag_set set)
{
    CHECK((size_t)set < ARRAY_COUNT(structures) && structures[set].name);
    return &structures[set];
}

static bool flag_rules_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool flag_mentions(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        if ((at == text || !flag_rules_is_letter(at[-1])) && !flag_rules_is_letter(at[length]))
            return true;
    return false;
}

static bool in_areas(const char *areas, const char *id)
{
    size_t length = strcspn(id, "-");
    for (const char *at = areas; (at = strchr(at, id[0])) != NULL; at++)
        if ((at == areas || at[-1] == ' ') && strncmp(at, id, length) == 0 &&
            (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

enum flag_nearness flag_nearness(const struct vidmm_flag *flag, const struct vidmm_rule_info *rule)
{
    const struct flag_structure *structure = flag_structure(flag->set);
    if (!in_areas(structure->areas, rule->id))
        return FLAG_UNRELATED;
    if (flag_mentions(rule->title, flag->name))
        return FLAG_TITLE;
    bool in_text =
        flag_mentions(rule->text, flag->name) || flag_mentions(rule->violation, flag->name);
    if (flag_mentions(rule->source, structure->name) &&
        (in_text || flag_mentions(rule->source, flag->name)))
        return FLAG_SOURCE;
    return in_text ? FLAG_TEXT : FLAG_UNRELATED;
}
