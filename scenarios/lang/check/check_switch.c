/* SPDX-License-Identifier: MIT */
/*
 * check_switch.c: the values of the switches of the mock, and the names of policies.
 */
#include "scenarios/lang/check/parts.h"
#include "vidmm/vidmm_mock.h"

#include <string.h>

/* The nearest of the words that the switch takes; `value` may end in "@N". */
static const char *suggest_switch(const char *name, const char *value, char *help, size_t bytes)
{
    const char *words = "";
    struct nearest nearest = nearest_begin(value, strcspn(value, "@"));
    for (size_t i = 0; vidmm_mock_switch_name(i); i++)
        if (strcmp(vidmm_mock_switch_name(i), name) == 0)
            words = vidmm_mock_switch_value(i);
    nearest_try_words(&nearest, words);
    bool listed = !nearest.more && strchr(words, '|');
    if (listed ? nearest_choice(&nearest, help, bytes) : nearest_help(&nearest, help, bytes))
        return help;
    return text_format(help, bytes, "it takes %s; `vidmm explain inject` lists the switches",
                       *words && !listed ? words : "no value");
}

void check_switch(struct checker *checker, const struct attribute *attribute)
{
    struct vidmm_mock_switch_state switches[VIDMM_MOCK_SWITCH_COUNT] = { 0 };
    char value[128];
    bool given = attribute->text.length != 0;
    source_copy(checker->scenario, attribute->text, value, sizeof value);
    const char *name = attribute->row->name;
    char help[224];
    if (!vidmm_mock_switch_set(switches, name, given ? value : NULL))
        check_report(checker, attribute->whole, suggest_switch(name, value, help, sizeof help),
                     given ? "'%s' is not a value of '%s'" : "'%s%s' needs a value",
                     given ? value : "", attribute->row->name);
}

void check_switch_policy(struct checker *checker, const struct attribute_row *row,
                         const struct item *item)
{
    const struct scenario_host *host = checker->scenario->host;
    const char *name = check_word(checker, item->from->name);
    struct nearest nearest = nearest_begin(name, strlen(name));
    char near[96], help[256];
    CHECK(attribute_is_policy(row)); /* of other words the parser knows all */
    if (attribute_has_word(row, host, name, NULL))
        return;
    nearest_try_words(&nearest, row->words);
    for (size_t i = 0; i < host->policy_count; i++) {
        const struct vidmm_policies *loaded = host->policies[i];
        if (strcmp(row->name, "placement") == 0 && loaded->placement)
            nearest_try(&nearest, loaded->placement->name);
        else if (strcmp(row->name, "eviction") == 0 && loaded->eviction)
            nearest_try(&nearest, loaded->eviction->name);
    }
    bool any = nearest_help(&nearest, near, sizeof near) != NULL;
    (void)snprintf(help, sizeof help,
                   "%s%s`vidmm policies` lists those that are built in; --policy=FILE loads others",
                   any ? near : "", any ? " " : "");
    check_report(checker, item->at, help, "no policy of %s is named '%s'", row->name, name);
}
