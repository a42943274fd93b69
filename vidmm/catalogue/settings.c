/* SPDX-License-Identifier: MIT */
/*
 * settings.c: the settings of an adapter, by number and by name.
 *
 * The rows of vidmm_settings.def come first, then the parameters of the cost model; those
 * are the rows of cost.h and are written down nowhere else. A parameter that was never set keeps
 * the value of the profile, so the order of `profile` and single parameters does not matter.
 *
 * Rules not named below: those of the single rows.
 */
#include <string.h>

#include "vidmm/catalogue/catalogue.h"
#include "vidmm/vidmm_policy.h"
#include "vidmm/vidmm_rules.h"

#define KIND_VERSION      VIDMM_SETTING_VERSION, NULL
#define KIND_COUNT        VIDMM_SETTING_COUNT, NULL
#define KIND_BYTES        VIDMM_SETTING_BYTES, NULL
#define KIND_NS           VIDMM_SETTING_NS, NULL
#define KIND_WORDS(words) VIDMM_SETTING_WORDS, words

#define COST_ROW_RATE(name, help)                                                                  \
    { name, VIDMM_SETTING_RATE, NULL, help " (0: free)", VIDMM_RULE(TIME_008), false, true },
#define COST_ROW_TIME(name, help)                                                                  \
    { name, VIDMM_SETTING_NS, NULL, help, VIDMM_RULE(TIME_008), false, true },
#define COST_ROW_NOTE(name, help)

/* Rows of kind NOTE are no settings, so the index here is not that of the cost table. */
static const struct vidmm_setting_info rows[] = {
#define SETTING(symbol, name, kind, value, rule, help)                                             \
    { name,                                                                                        \
      KIND_##kind,                                                                                 \
      help,                                                                                        \
      VIDMM_RULE(rule),                                                                            \
      VIDMM_SETTING_##symbol == VIDMM_SETTING_PLACEMENT ||                                         \
          VIDMM_SETTING_##symbol == VIDMM_SETTING_EVICTION,                                        \
      VIDMM_SETTING_##symbol != VIDMM_SETTING_WDDM &&                                              \
          VIDMM_SETTING_##symbol != VIDMM_SETTING_SYSTEM_WDDM &&                                   \
          VIDMM_SETTING_##symbol != VIDMM_SETTING_PAGE &&                                          \
          VIDMM_SETTING_##symbol != VIDMM_SETTING_EVICTION &&                                      \
          VIDMM_SETTING_##symbol != VIDMM_SETTING_PLACEMENT &&                                     \
          VIDMM_SETTING_##symbol != VIDMM_SETTING_PINNED_PERCENT },
#include "vidmm/vidmm_settings.def"
#undef SETTING
#define ROW(member, name, kind, pcie3, pcie4, pcie5, unit, help) COST_ROW_##kind(name, help)
    COST_PARAMETERS(ROW)
#undef ROW
};

static const uint64_t initial[VIDMM_SETTINGS] = {
#define SETTING(symbol, name, kind, value, rule, help) [VIDMM_SETTING_##symbol] = value,
#include "vidmm/vidmm_settings.def"
#undef SETTING
};

_Static_assert(ARRAY_COUNT(rows) - VIDMM_SETTINGS <= VIDMM_COST_PARAMETERS_MAX,
               "cost_set has a bit for each parameter");

void vidmm_settings_init(struct vidmm_settings *settings)
{
    *settings = (struct vidmm_settings){ 0 };
    memcpy(settings->value, initial, sizeof initial);
}

const struct vidmm_setting_info *vidmm_setting_row(size_t index)
{
    return index < ARRAY_COUNT(rows) ? &rows[index] : NULL;
}

uint64_t vidmm_setting_default(size_t index, uint64_t profile)
{
    if (index >= ARRAY_COUNT(rows) || profile >= COST_PROFILES)
        return 0;
    return index < VIDMM_SETTINGS ? initial[index]
                                  : cost_setting_by_name(rows[index].name)->profile[profile];
}

size_t vidmm_setting_by_name(const char *name)
{
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        if (strcmp(rows[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

size_t vidmm_setting_word(const struct vidmm_setting_info *info, const char *word)
{
    size_t length = strlen(word);
    size_t index = 0;
    if (!info->words || !length)
        return SIZE_MAX;
    for (const char *at = info->words; *at; index++) {
        size_t here = strcspn(at, "|");
        if (here == length && memcmp(at, word, length) == 0)
            return index;
        at += here + (at[here] == '|');
    }
    return SIZE_MAX;
}

size_t vidmm_setting_word_count(const struct vidmm_setting_info *info)
{
    size_t words = info->words ? 1 : 0;
    for (const char *at = info->words; at && *at; at++)
        words += *at == '|';
    return words;
}

size_t vidmm_setting_policy(const struct vidmm_setting_info *info, const char *word,
                            const struct vidmm_policies *const *policies, size_t count)
{
    size_t index = vidmm_setting_word(info, word);
    for (size_t i = 0; info->policies && index == SIZE_MAX && i < count; i++) {
        const char *name = policies[i]->placement ? policies[i]->placement->name : NULL;
        if (info == &rows[VIDMM_SETTING_EVICTION])
            name = policies[i]->eviction ? policies[i]->eviction->name : NULL;
        if (name && strcmp(name, word) == 0)
            index = vidmm_setting_word_count(info) + i;
    }
    return index;
}

const struct vidmm_policies *settings_loaded(const struct vidmm_config *config,
                                             enum vidmm_setting which)
{
    size_t index = config->settings.value[which] - vidmm_setting_word_count(&rows[which]);
    return index < config->policy_count ? config->policies[index] : NULL;
}

/* The versions that the catalogue knows; 2.8 never was. */
#define VERSIONS(RANGE)                                                                            \
    RANGE(10, 13, "1.0 to 1.3")                                                                    \
    RANGE(20, 27, ", 2.0 to 2.7")                                                                  \
    RANGE(29, 29, ", 2.9")                                                                         \
    RANGE(30, 32, ", 3.0 to 3.2")
#define RANGE_TEXT(first, last, text) text

bool vidmm_wddm_exists(uint64_t wddm)
{
    static const uint8_t known[][2] = {
#define RANGE_ROW(first, last, text) { first, last },
        VERSIONS(RANGE_ROW)
#undef RANGE_ROW
    };
    for (size_t i = 0; i < ARRAY_COUNT(known); i++)
        if (known[i][0] <= wddm && wddm <= known[i][1])
            return true;
    return false;
}

const char *vidmm_wddm_versions(void)
{
    return VERSIONS(RANGE_TEXT);
}

/* NULL when the value is possible, else why it is not. */
static const char *objection(const struct vidmm_settings *settings, size_t index, uint64_t value)
{
    size_t words = vidmm_setting_word_count(&rows[index]);
    size_t most = rows[index].policies ? words + VIDMM_POLICIES_MAX : words;
    if (words && value >= most)
        return "the setting has no such word";
    switch (index) {
    case VIDMM_SETTING_WDDM:
    case VIDMM_SETTING_SYSTEM_WDDM:
        return vidmm_wddm_exists(value)
                   ? NULL
                   : "no interface version has this number; there are " VERSIONS(RANGE_TEXT);
    case VIDMM_SETTING_PAGE:
        return is_power_of_two(value) && value >= 512 && value <= 65536
                   ? NULL
                   : "a page is a power of two from 512 bytes to 64 KiB";
    case VIDMM_SETTING_PINNED_PERCENT: return value <= 100 ? NULL : "a percentage is at most 100";
    case VIDMM_SETTING_MAX_TRANSFER:
        return is_aligned(value, settings->value[VIDMM_SETTING_PAGE])
                   ? NULL
                   : "the largest transfer is 0 or a multiple of the page";
    case VIDMM_SETTING_MAX_LOCK_REFS:
        return value >= 1 && value <= INT32_MAX ? NULL : "the limit is from 1 to 2147483647";
    case VIDMM_SETTING_TDR_DELAY:
    case VIDMM_SETTING_TDR_DDI_DELAY:
    case VIDMM_SETTING_TDR_LIMIT_TIME:
        /* A number copied from the registry means seconds. */
        return !value || value >= 1000 ? NULL
                                       : "a time of less than 1us; the registry counts in seconds, "
                                         "here a number without a unit is ns: write 5s";
    case VIDMM_SETTING_TDR_LEVEL:
    case VIDMM_SETTING_TDR_DEBUG_MODE: return value <= 3 ? NULL : "it is 0, 1, 2 or 3";
    default: return NULL;
    }
}

bool vidmm_setting_store(struct vidmm_settings *settings, size_t index, uint64_t value,
                         const char **why)
{
    const char *problem =
        index < ARRAY_COUNT(rows) ? objection(settings, index, value) : "there is no such setting";
    if (problem) {
        *why = problem;
        return false;
    }
    if (index < VIDMM_SETTINGS) {
        settings->value[index] = value;
        return true;
    }
    size_t parameter = index - VIDMM_SETTINGS;
    settings->cost[parameter] = value;
    settings->cost_set |= UINT32_C(1) << parameter;
    return true;
}

void settings_cost(const struct vidmm_settings *settings, struct cost_params *cost)
{
    cost_load_profile(cost, (enum cost_profile)settings->value[VIDMM_SETTING_PROFILE]);
    for (size_t i = VIDMM_SETTINGS; i < ARRAY_COUNT(rows); i++) {
        size_t parameter = i - VIDMM_SETTINGS;
        if (settings->cost_set >> parameter & 1)
            cost_set(cost, cost_setting_by_name(rows[i].name), settings->cost[parameter]);
    }
}
