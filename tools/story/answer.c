/* SPDX-License-Identifier: MIT */
/*
 * answer.c: is the answer to a lesson's question right, in whatever unit it was given?
 */
#include "tools/story/answer.h"

#include <string.h>

#include "tools/common/text.h"
#include "vidmm/base/base.h"

/* What the question counts in: "2s" answers "how many seconds" as 2 does. */
static uint64_t unit_of(const char *question)
{
    static const struct {
        const char *word;
        uint64_t unit;
    } units[] = {
        { "nanosecond", 1 },      { "microsecond", 1000 },    { "millisecond", 1000000 },
        { "second", 1000000000 }, { "KiB", 1ull << 10 },      { "MiB", 1ull << 20 },
        { "GiB", 1ull << 30 },    { "kilobyte", 1ull << 10 }, { "megabyte", 1ull << 20 },
    };
    static const char *const before[] = { "many ", "which ", "Which " };
    for (size_t i = 0; i < ARRAY_COUNT(before); i++) {
        for (const char *at = strstr(question, before[i]); at; at = strstr(at + 1, before[i])) {
            const char *word = at + strlen(before[i]);
            for (size_t j = 0; j < ARRAY_COUNT(units); j++)
                if (strncmp(word, units[j].word, strlen(units[j].word)) == 0)
                    return units[j].unit;
        }
    }
    return 1;
}

/* The same number may be written as 24M, 0x1800000 or 25165824. */
bool answer_is_right(const char *given, const struct scenario_telling *telling)
{
    uint64_t value;
    uint64_t unit = unit_of(telling->text);
    if (strcmp(given, telling->answer) == 0)
        return true;
    if (!text_read_size(given, &value) && !text_read_time(given, &value))
        return false;
    return value == telling->value ||
           (unit > 1 && telling->value <= UINT64_MAX / unit && value == telling->value * unit);
}
