/* SPDX-License-Identifier: MIT */
/*
 * habits.c: words of other languages and tools, and what stands for them here.
 */
#include "scenarios/lang/text/text.h"

#include <string.h>

static const struct {
    enum habit where;
    const char *words, *help;
} habits[] = {
#define HABIT(where, words, help) { HABIT_##where, words, help },
#include "scenarios/lang/text/habits.def"
#undef HABIT
};

static char habit_lower(char character)
{
    return character >= 'A' && character <= 'Z' ? (char)(character - 'A' + 'a') : character;
}

static bool habit_is(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (habit_lower(a[i]) != habit_lower(b[i]))
            return false;
    return true;
}

const char *habit_find(enum habit where, const char *text, size_t length)
{
    for (size_t i = 0; i < ARRAY_COUNT(habits); i++) {
        const char *at = habits[i].where == where ? habits[i].words : "";
        for (size_t bytes; (bytes = strcspn(at, " ")) != 0; at += bytes + (at[bytes] == ' '))
            if (bytes == length && habit_is(at, text, length))
                return habits[i].help;
    }
    return NULL;
}
