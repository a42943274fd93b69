/* SPDX-License-Identifier: MIT */
/*
 * check_switch.c: the values of the switches of the mock.
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
