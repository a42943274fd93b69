/* SPDX-License-Identifier: MIT */
/* random_text.c: see random_text.h. */
#include "tests/support/random_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct dice dice_from(const uint8_t *data, size_t size)
{
    struct dice dice = { .state = UINT64_C(0xCBF29CE484222325) };
    for (size_t i = 0; i < size; i++)
        dice.state = (dice.state ^ data[i]) * UINT64_C(0x100000001B3);
    dice.state |= 1;
    return dice;
}

uint32_t dice_throw(struct dice *dice)
{
    dice->state ^= dice->state << 13;
    dice->state ^= dice->state >> 7;
    dice->state ^= dice->state << 17;
    return (uint32_t)(dice->state >> 16);
}

uint32_t dice_below(struct dice *dice, uint32_t bound)
{
    return (dice->at < dice->end && bound <= 256 ? *dice->at++ : dice_throw(dice)) % bound;
}

void script_say(struct script *script, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int more =
        vsnprintf(script->text + script->length, SCRIPT_BYTES - script->length, format, arguments);
    va_end(arguments);
    CHECK(more >= 0 && script->length + (size_t)more < SCRIPT_BYTES);
    script->length += (size_t)more;
}

void script_say_word(struct script *script, const char *words)
{
    uint32_t count = 1;
    for (const char *at = words; (at = strchr(at, '|')) != NULL; at++)
        count++;
    for (uint32_t skip = dice_below(script->dice, count); skip > 0; skip--)
        words = strchr(words, '|') + 1;
    script_say(script, "%.*s", (int)strcspn(words, "|"), words);
}
