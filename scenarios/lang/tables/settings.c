/* SPDX-License-Identifier: MIT */
/* settings.c: what a setting of the command line, "NAME=VALUE", means. */
#include "scenarios/lang/scenario_items.h"
#include "scenarios/lang/tables/tables.h"
#include "scenarios/lang/text/text.h"

#include <stdlib.h>
#include <string.h>

/* "1.1", "64K", "200us", "on": the value of a setting as the command line writes it. */
static bool read_setting(const struct scenario_host *host, const struct vidmm_setting_info *info,
                         const char *text, uint64_t *value)
{
    uint64_t factor = 1;
    enum unit unit = UNIT_NONE;
    char *end = NULL;
    if (info->kind == VIDMM_SETTING_WORDS) {
        *value = vidmm_setting_policy(info, text, host->policies, host->policy_count);
        return *value != SIZE_MAX;
    }
    if (text[0] < '0' || text[0] > '9')
        return false;
    *value = strtoull(text, &end, 0);
    if (info->kind == VIDMM_SETTING_VERSION) {
        bool minor = end[0] == '.' && end[1] >= '0' && end[1] <= '9' && !end[2];
        *value = *value * 10 + (minor ? (uint64_t)(end[1] - '0') : 0);
        return minor;
    }
    if (*end && !lexer_unit(end, strlen(end), &factor, &unit))
        return false;
    return arithmetic_apply('*', *value, factor, value) == ARITHMETIC_OK;
}

bool scenario_option_store(const struct scenario_host *host, const char *option,
                           struct vidmm_settings *settings, const char **why)
{
    char name[64];
    uint64_t value = 0;
    const char *equals = strchr(option, '=');
    size_t length = equals ? (size_t)(equals - option) : 0;
    *why = "a setting is written NAME=VALUE";
    if (!length || length >= sizeof name)
        return false;
    memcpy(name, option, length);
    name[length] = '\0';
    size_t index = vidmm_setting_by_name(name);
    *why = "no setting has this name";
    if (index == SIZE_MAX)
        return false;
    *why = "the setting has no such value";
    return read_setting(host, vidmm_setting_row(index), equals + 1, &value) &&
           vidmm_setting_store(settings, index, value, why);
}

/* Does the text choose a loaded policy where this option chooses another? */
static bool is_overruled(const char *option, const struct vidmm_settings *of_text)
{
    static const enum vidmm_setting which[] = { VIDMM_SETTING_PLACEMENT, VIDMM_SETTING_EVICTION };
    for (size_t i = 0; i < ARRAY_COUNT(which); i++) {
        const struct vidmm_setting_info *info = vidmm_setting_row(which[i]);
        size_t length = strlen(info->name);
        if (strncmp(option, info->name, length) == 0 && option[length] == '=')
            return of_text->value[which[i]] >= vidmm_setting_word_count(info);
    }
    return false;
}

const char *scenario_options_store(const struct scenario_host *host,
                                   const struct scenario_options *options,
                                   struct vidmm_settings *settings, const char **why)
{
    const struct vidmm_settings of_text = *settings;
    for (size_t i = 0; i < options->setting_count; i++) {
        bool implied = i < options->implied_count && is_overruled(options->settings[i], &of_text);
        if (!implied && !scenario_option_store(host, options->settings[i], settings, why))
            return options->settings[i];
    }
    return NULL;
}
