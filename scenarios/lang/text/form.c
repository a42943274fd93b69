/* SPDX-License-Identifier: MIT */
/*
 * form.c: what bulk lines have in common.
 *
 * A line whose second word is a bulk handle has a form and numbers:
 *
 *     submit @18 read=@17,@12 cost=100us      form  "submit @# read=@#,@# cost=#us"
 *                                             numbers 18 17 12 100
 *
 * What a form cannot say (a comment, a string, a hexadecimal number, a number of more than 32 bits)
 * is an ordinary line.
 */
#include "scenarios/lang/text/twin.h"

#include <string.h>

static bool bulk_is_digit(char character)
{
    return (unsigned)(character - '0') < 10;
}

static bool bulk_is_letter(char character)
{
    return (unsigned)((character | 32) - 'a') < 26 || character == '_';
}

static bool bulk_is_name_character(char character)
{
    return bulk_is_letter(character) || bulk_is_digit(character);
}

bool form_begins(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    const char *first = at;
    while (at < end && (bulk_is_letter(*at) || *at == '-'))
        at++;
    return at > first && end - at >= 3 && at[0] == ' ' && at[1] == '@' && bulk_is_digit(at[2]);
}

/* A name is copied with the digits in it: the same joints as in the lexer. */
static void copy_name(struct form_scan *scan)
{
    while (scan->at < scan->end && scan->out < scan->out_end) {
        char character = *scan->at;
        bool joint = (character == '.' || character == '-') && scan->end - scan->at > 1 &&
                     bulk_is_name_character(scan->at[1]);
        if (!bulk_is_name_character(character) && !joint)
            return;
        *scan->out++ = character;
        scan->at++;
    }
}

/* False for numbers that no form can hold. */
static bool take_number(struct form_scan *scan)
{
    const char *first = scan->at;
    uint64_t value = 0;
    while (scan->at < scan->end && bulk_is_digit(*scan->at) && value <= UINT32_MAX)
        value = value * 10 + (uint64_t)(*scan->at++ - '0');
    char next = scan->at < scan->end ? *scan->at : '\n';
    bool zero = *first == '0' && scan->at - first == 1;
    if (value > UINT32_MAX || next == '%' || next == 'T' || (zero && (next | 32) == 'x'))
        return false;
    if (next == '.' && scan->end - scan->at > 1 && bulk_is_digit(scan->at[1]))
        return false;
    *scan->found++ = (uint32_t)value;
    *scan->out++ = FORM_HOLE;
    /* The unit belongs to the form, and the digits in what follows a number to no number. */
    copy_name(scan);
    return true;
}

bool form_scan(struct form_scan *scan)
{
    while (scan->at < scan->end && scan->out < scan->out_end) {
        char character = *scan->at;
        if (bulk_is_letter(character)) {
            copy_name(scan);
        } else if (bulk_is_digit(character)) {
            if (!take_number(scan))
                return false;
        } else if (character == '\n') {
            return true;
        } else if (character == '\r' && scan->end - scan->at > 1 && scan->at[1] == '\n') {
            scan->at++;
            return true;
        } else if (character == '\t' || (character >= ' ' && character < 127 && character != '"' &&
                                         character != FORM_HOLE)) {
            *scan->out++ = character;
            scan->at++;
        } else {
            return false;
        }
    }
    return scan->at == scan->end;
}

uint32_t form_digits(uint32_t number)
{
    static const uint32_t powers[] = { 0,      10,      100,      1000,      10000,
                                       100000, 1000000, 10000000, 100000000, 1000000000 };
    /* log10 is a little less than log2 times 1233 / 4096, or the one after it. */
    uint32_t digits = (32 - (uint32_t)__builtin_clz(number | 1)) * 1233 >> 12;
    return digits + (number >= powers[digits]);
}

static char *render_number(char *to, uint32_t number)
{
    char *end = to + form_digits(number);
    char *at = end;
    do
        *--at = (char)('0' + number % 10);
    while (number /= 10);
    return end;
}

char *form_render(char *to, const char *form, size_t length, const uint32_t *numbers)
{
    for (size_t i = 0; i < length; i++) {
        if (form[i] == FORM_HOLE)
            to = render_number(to, *numbers++);
        else
            *to++ = form[i];
    }
    *to++ = '\n';
    return to;
}
