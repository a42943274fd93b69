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
    const char *at = scan->at, *end = scan->end;
    char *out = scan->out;
    for (; at < end && out < scan->out_end; at++) {
        bool joint = (*at == '.' || *at == '-') && end - at > 1 && bulk_is_name_character(at[1]);
        if (!bulk_is_name_character(*at) && !joint)
            break;
        *out++ = *at;
    }
    scan->at = at;
    scan->out = out;
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

/* What no form can hold is in none, so only the numbers are looked at: the text around them is the
   form's, and a digit of a name stands in it. */
bool form_matches(struct form_scan *scan, const char *form, size_t length)
{
    const char *at = scan->at, *end = scan->end, *stop = form + length;
    const char *hole = memchr(form, FORM_HOLE, length);
    uint32_t *found = scan->found;
    size_t lead = hole ? (size_t)(hole - form) : length;
    if ((size_t)(end - at) < lead || memcmp(at, form, lead) != 0)
        return false;
    at += lead;
    for (form += lead; form < stop; form++) {
        if (*form != FORM_HOLE) {
            if (at == end || *at++ != *form)
                return false;
            continue;
        }
        const char *first = at;
        uint64_t value = 0;
        while (at < end && bulk_is_digit(*at) && value <= UINT32_MAX)
            value = value * 10 + (uint64_t)(*at++ - '0');
        bool hexadecimal = at - first == 1 && *first == '0' && at < end && (*at | 32) == 'x';
        if (at == first || value > UINT32_MAX || hexadecimal)
            return false;
        *found++ = (uint32_t)value;
    }
    if (end - at > 1 && at[0] == '\r' && at[1] == '\n')
        at++;
    if (at < end && *at != '\n')
        return false;
    scan->at = at;
    scan->found = found;
    return true;
}

uint32_t form_hash(const char *text, size_t length)
{
    uint64_t hash = length;
    uint64_t part = 0;
    for (; length >= sizeof part; text += sizeof part, length -= sizeof part) {
        memcpy(&part, text, sizeof part);
        hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    part = 0;
    memcpy(&part, text, length);
    hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(hash >> 32);
}

unsigned form_key(const char *begin, const char *end)
{
    uint64_t first = 0;
    while (begin < end && *begin == ' ')
        begin++;
    if (end - begin >= (ptrdiff_t)sizeof first)
        memcpy(&first, begin, sizeof first);
    return (unsigned)((first << 24) * 0x9E3779B97F4A7C15u >> (64 - FORM_KEY_BITS));
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
