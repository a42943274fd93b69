/* SPDX-License-Identifier: MIT */
/*
 * vidmm_settings.h: the settings of an adapter and the parameters of its cost model, part of
 * vidmm.h. All can be given before the start, some changed by vidmm_set().
 */
#ifndef VIDMM_SETTINGS_H
#define VIDMM_SETTINGS_H

#include "vidmm/vidmm_rules.h"
#include "vidmm/vidmm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum vidmm_setting {
#define SETTING(symbol, name, kind, value, rule, help) VIDMM_SETTING_##symbol,
#include "vidmm/vidmm_settings.def"
#undef SETTING
    VIDMM_SETTINGS
};

/* Cost parameters that were set one by one; those left at `unset` come from the profile. */
enum { VIDMM_COST_PARAMETERS_MAX = 32 };

struct vidmm_settings {
    uint64_t value[VIDMM_SETTINGS];
    uint64_t cost[VIDMM_COST_PARAMETERS_MAX];
    uint32_t cost_set; /* bit mask over `cost` */
};

enum vidmm_setting_kind {
    VIDMM_SETTING_VERSION, /* 1.1 */
    VIDMM_SETTING_COUNT,
    VIDMM_SETTING_BYTES,
    VIDMM_SETTING_NS,
    VIDMM_SETTING_RATE,  /* bytes per second */
    VIDMM_SETTING_WORDS, /* one of `words`, separated by '|' */
};

struct vidmm_setting_info {
    const char *name;
    enum vidmm_setting_kind kind;
    const char *words, *help;
    enum vidmm_rule rule;
    bool policies;    /* from the count of words on, values are those of vidmm_config.policies */
    bool at_run_time; /* may be changed by vidmm_set() while the adapter runs */
};

void vidmm_settings_init(struct vidmm_settings *settings);
/* Row `index` of all settings, cost parameters behind the others; NULL behind the last. */
const struct vidmm_setting_info *vidmm_setting_row(size_t index);
/* What row `index` is when nobody sets it; a cost parameter then has that of word `profile`. */
uint64_t vidmm_setting_default(size_t index, uint64_t profile);
/* Index for vidmm_setting_row(), or SIZE_MAX. */
size_t vidmm_setting_by_name(const char *name);
/* Index of `word` among the words of a WORDS setting, or SIZE_MAX. */
size_t vidmm_setting_word(const struct vidmm_setting_info *info, const char *word);
/* The same where settings may name loaded policies, too (vidmm_policy.h). */
struct vidmm_policies;
size_t vidmm_setting_policy(const struct vidmm_setting_info *info, const char *word,
                            const struct vidmm_policies *const *policies, size_t count);
/* How many words a setting has; 0 for kinds without words. */
size_t vidmm_setting_word_count(const struct vidmm_setting_info *info);
/*
 * Stores a value (for WORDS its index, for VERSION times ten). False when the value is out of
 * range; `why` is then a sentence that lives as long as the program.
 */
bool vidmm_setting_store(struct vidmm_settings *settings, size_t index, uint64_t value,
                         const char **why);

#ifdef __cplusplus
}
#endif
#endif
