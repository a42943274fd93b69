/* SPDX-License-Identifier: MIT */
/* answer.c: how a job's answer becomes bytes, and is read again: numbers, then three strings. */
#include "tools/test/answer.h"

#include <string.h>

void answer_write(FILE *file, const struct answer *answer)
{
    const char *const texts[] = { answer->name, answer->text, answer->more };
    (void)fwrite(answer, sizeof *answer, 1, file);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *text = texts[i] ? texts[i] : "";
        (void)fwrite(text, 1, strlen(text) + 1, file);
    }
    /* What a crash would take away is said only once. */
    if (answer->kind != ANSWER_TAG && answer->kind != ANSWER_PARAM && answer->kind != ANSWER_TEST)
        (void)fflush(file);
}

bool answer_next(const char **at, const char *end, struct answer *answer)
{
    const char **const texts[] = { &answer->name, &answer->text, &answer->more };
    if ((size_t)(end - *at) < sizeof *answer)
        return false;
    memcpy(answer, *at, sizeof *answer);
    const char *text = *at + sizeof *answer;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *zero = memchr(text, 0, (size_t)(end - text));
        if (!zero)
            return false;
        *texts[i] = text;
        text = zero + 1;
    }
    *at = text;
    return true;
}
