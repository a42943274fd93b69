/* SPDX-License-Identifier: MIT */
/*
 * edit_text.c: changes of a scenario that leave most of it a scenario.
 *
 * Whole lines are repeated, left out and exchanged; a word becomes another word of the text, so
 * that names meet; numbers become others; attributes and statements come from the language's own
 * tables. Now and then a byte is any byte. The entry is that of fuzzing engines; fuzz_replay.c
 * calls it without one.
 */
#include "scenarios/lang/scenario.h"
#include "tests/support/random_text.h"
#include "vidmm/base/base.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two,
                                 size_t two_size, uint8_t *out, size_t most, unsigned seed);

enum { WORD_MOST = 200 };

/* A part of the text. */
struct span {
    size_t at, length;
};

struct text_edit {
    char *text;
    size_t size, most;
    struct dice dice;
};

static uint32_t below(struct text_edit *edit, size_t bound)
{
    return bound ? dice_below(&edit->dice, (uint32_t)bound) : 0;
}

/* Nothing happens where there is no room. */
static void replace(struct text_edit *edit, struct span span, const char *with, size_t length)
{
    char copy[WORD_MOST * 4];
    if (length > sizeof copy || edit->size - span.length + length > edit->most)
        return;
    memcpy(copy, with, length); /* it may be part of the text */
    memmove(edit->text + span.at + length, edit->text + span.at + span.length,
            edit->size - span.at - span.length);
    memcpy(edit->text + span.at, copy, length);
    edit->size = edit->size - span.length + length;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-' || (c & 0x80);
}

/* A line with its end. */
static struct span some_line(struct text_edit *edit)
{
    size_t at = below(edit, edit->size);
    size_t end = at;
    while (at && edit->text[at - 1] != '\n')
        at--;
    while (end < edit->size && edit->text[end] != '\n')
        end++;
    return (struct span){ at, end + (end < edit->size) - at };
}

/* Of letters and digits; from a random place on the next one. */
static struct span some_word(struct text_edit *edit)
{
    size_t at = below(edit, edit->size);
    while (at < edit->size && !is_word(edit->text[at]))
        at++;
    while (at && at < edit->size && is_word(edit->text[at - 1]))
        at--;
    size_t end = at;
    while (end < edit->size && is_word(edit->text[end]))
        end++;
    return (struct span){ at, end - at };
}

/* ---- edits ----------------------------------------------------------------------------------- */

static void copy_line(struct text_edit *edit)
{
    struct span from = some_line(edit);
    struct span to = some_line(edit);
    replace(edit, (struct span){ to.at, 0 }, edit->text + from.at, from.length);
}

static void drop_line(struct text_edit *edit)
{
    replace(edit, some_line(edit), "", 0);
}

static void replace_line(struct text_edit *edit)
{
    struct span from = some_line(edit);
    replace(edit, some_line(edit), edit->text + from.at, from.length);
}

static void replace_word(struct text_edit *edit)
{
    struct span from = some_word(edit);
    replace(edit, some_word(edit), edit->text + from.at, from.length);
}

static void change_number(struct text_edit *edit)
{
    static const char *const numbers[] = {
        "0",
        "1",
        "2",
        "3",
        "4095",
        "4K",
        "4097",
        "64K",
        "1M",
        "8M",
        "4G",
        "1us",
        "2s",
        "100%",
        "4294967295",
        "4294967296",
        "9223372036854775807",
        "18446744073709551615",
        "0x80000000",
    };
    for (int tries = 0; tries < 16; tries++) {
        struct span word = some_word(edit);
        if (word.length && isdigit((unsigned char)edit->text[word.at])) {
            const char *number = numbers[below(edit, ARRAY_COUNT(numbers))];
            replace(edit, word, number, strlen(number));
            return;
        }
    }
}

static bool some_row(struct text_edit *edit, enum scenario_words words,
                     struct scenario_word_help *row)
{
    size_t count = 0;
    while (scenario_word_help(words, count, row))
        count++;
    return scenario_word_help(words, below(edit, count), row);
}

/* A line as the table of statements writes it; what it leaves open becomes words of the text. */
static void add_statement(struct text_edit *edit)
{
    struct scenario_word_help row;
    if (!some_row(edit, below(edit, 4) ? SCENARIO_STATEMENTS : SCENARIO_PREDICATES, &row))
        return;
    char line[WORD_MOST];
    const char *form = row.value && *row.value ? row.value : row.name;
    int length = snprintf(line, sizeof line, "%s\n", form);
    if (length > 0 && (size_t)length < sizeof line)
        replace(edit, (struct span){ some_line(edit).at, 0 }, line, (size_t)length);
}

static void add_attribute(struct text_edit *edit)
{
    struct scenario_word_help row;
    char word[WORD_MOST];
    if (!some_row(edit, SCENARIO_ATTRIBUTES, &row))
        return;
    struct span line = some_line(edit);
    struct span value = some_word(edit);
    if (!line.length || value.length > WORD_MOST / 2)
        return;
    int length = *row.value || row.words ? snprintf(word, sizeof word, " %s=%.*s", row.name,
                                                    (int)value.length, edit->text + value.at)
                                         : snprintf(word, sizeof word, " %s", row.name);
    size_t at = line.at + line.length - 1;
    if (length > 0 && (size_t)length < sizeof word)
        replace(edit, (struct span){ at, 0 }, word, (size_t)length);
}

static void change_outcome(struct text_edit *edit)
{
    static const char *const outcomes[] = { " -> fails", " -> warns", " -> either", " -> pending",
                                            " -> bugcheck" };
    struct span line = some_line(edit);
    const char *outcome = outcomes[below(edit, ARRAY_COUNT(outcomes))];
    if (line.length)
        replace(edit, (struct span){ line.at + line.length - 1, 0 }, outcome, strlen(outcome));
}

static void change_byte(struct text_edit *edit)
{
    static const char bytes[] = "\"#=,()[]{}@$%.:->*+/\t\r\0\xFF\xC3\xA9\x1B";
    size_t at = below(edit, edit->size);
    bool instead = below(edit, 3) != 0;
    const char *byte = &bytes[below(edit, sizeof bytes - 1)];
    replace(edit, (struct span){ at, instead }, byte, 1);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static void (*const edits[])(struct text_edit *) = {
        copy_line,     copy_line,     drop_line,     drop_line,      replace_line,
        replace_word,  replace_word,  replace_word,  change_number,  change_number,
        add_statement, add_attribute, add_attribute, change_outcome, change_byte,
    };
    struct text_edit edit = { .text = (char *)data, .size = size, .most = most };
    edit.dice = dice_from((const uint8_t *)&seed, sizeof seed);
    for (uint32_t rounds = 1 + below(&edit, 4); rounds; rounds--)
        edits[below(&edit, ARRAY_COUNT(edits))](&edit);
    return edit.size;
}

/* Some lines of the second one inside of the first. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two,
                                 size_t two_size, uint8_t *out, size_t most, unsigned seed)
{
    struct text_edit edit = { .text = (char *)out, .most = most };
    struct text_edit other = { .text = (char *)(uintptr_t)two, .size = two_size };
    edit.size = min_u64(one_size, most);
    memcpy(out, one, edit.size);
    edit.dice = other.dice = dice_from((const uint8_t *)&seed, sizeof seed);
    for (uint32_t lines = 1 + below(&edit, 6); lines; lines--) {
        struct span from = some_line(&other);
        replace(&edit, (struct span){ some_line(&edit).at, 0 }, other.text + from.at, from.length);
    }
    return edit.size;
}
