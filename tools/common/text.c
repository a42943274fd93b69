/* SPDX-License-Identifier: MIT */
/*
 * text.c: sentences under construction, numbers as people read them.
 *
 * What is told by the million is copied in spans and has digits of our own: the calls of printf()
 * took 41 % of the instructions of a told run, and wrapping its lines word by word 10 %.
 */
#define _DEFAULT_SOURCE /* fwrite_unlocked, strnlen */
#include "tools/common/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- growing text -------------------------------------------------------------------------- */

void text_add_bytes(struct text *text, const char *bytes, size_t count)
{
    if (text->length + count >= text->capacity)
        BASE_GROW(text->bytes, text->capacity, text->length + count + 1);
    memcpy(text->bytes + text->length, bytes, count);
    text->length += count;
    text->bytes[text->length] = '\0';
}

void text_add_string(struct text *text, const char *string)
{
    text_add_bytes(text, string, strlen(string));
}

void text_add_number(struct text *text, uint64_t number)
{
    char digits[TEXT_DIGITS];
    text_add_bytes(text, digits, text_digits(digits, number));
}

void text_add_spaces(struct text *text, int count)
{
    static const char spaces[] = "                ";
    for (int part; count > 0; count -= part) {
        part = count < (int)sizeof spaces ? count : (int)sizeof spaces - 1;
        text_add_bytes(text, spaces, (size_t)part);
    }
}

/* One thread writes to a stream, so it is not locked for each piece. */
void text_put(FILE *out, const char *bytes, size_t count)
{
#ifdef __GLIBC__
    (void)fwrite_unlocked(bytes, 1, count, out);
#else
    (void)fwrite(bytes, 1, count, out);
#endif
}

void text_add(struct text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t room = text->capacity - text->length;
    int length = vsnprintf(room ? text->bytes + text->length : NULL, room, format, arguments);
    va_end(arguments);
    CHECK(length >= 0);
    if ((size_t)length >= room) {
        BASE_GROW(text->bytes, text->capacity, text->length + (size_t)length + 1);
        (void)vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
    }
    va_end(again);
    text->length += (size_t)length;
}

static bool is_control(const char *at, size_t length)
{
    unsigned char head = (unsigned char)*at;
    if (length == 2)
        return head == 0xC2 && (unsigned char)at[1] < 0xA0;
    /* Outside UTF-8 a terminal may take a byte for one of the upper controls. */
    return length < 2 && ((head < ' ' && head != '\t') || (head >= 0x7F && head < 0xA0));
}

bool text_is_plain(const char *word)
{
    size_t left = strlen(word);
    while (left) {
        size_t length = text_utf8(word, left), step = length ? length : 1;
        if (is_control(word, length))
            return false;
        word += step;
        left -= step;
    }
    return true;
}

void text_add_word(struct text *text, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "_-+=.,:@%/";
    if (*word && strspn(word, plain) == strlen(word)) {
        text_add(text, "%s", word);
        return;
    }
    text_add(text, "'");
    for (; *word; word++) {
        if (*word == '\'')
            text_add(text, "'\\''");
        else
            text_add(text, "%c", (unsigned char)*word < ' ' || *word == 0x7F ? '?' : *word);
    }
    text_add(text, "'");
}

void text_clear(struct text *text)
{
    text->length = 0;
    if (text->bytes)
        text->bytes[0] = '\0';
}

void text_free(struct text *text)
{
    base_free(text->bytes);
    *text = (struct text){ 0 };
}

const char *text_get(const struct text *text)
{
    return text->bytes ? text->bytes : "";
}

struct unit {
    const char *name;
    uint64_t worth;
};

/* ---- numbers ------------------------------------------------------------------------------- */

struct text_short text_print(const char *format, ...)
{
    struct text_short said;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(said.it, sizeof said.it, format, arguments);
    va_end(arguments);
    return said;
}

void text_short_add(struct text_short *said, const char *string)
{
    size_t before = strlen(said->it);
    size_t length = strnlen(string, sizeof said->it - 1 - before);
    memcpy(said->it + before, string, length);
    said->it[before + length] = '\0';
}

size_t text_digits(char digits[static TEXT_DIGITS], uint64_t number)
{
    char reversed[TEXT_DIGITS];
    size_t count = 0;
    do
        reversed[count++] = (char)('0' + number % 10);
    while (number /= 10);
    for (size_t i = 0; i < count; i++)
        digits[i] = reversed[count - 1 - i];
    return count;
}

struct text_short text_number(uint64_t number)
{
    struct text_short said;
    said.it[text_digits(said.it, number)] = '\0';
    return said;
}

struct text_short text_count(uint64_t count, const char *what)
{
    struct text_short said = text_number(count);
    text_short_add(&said, " ");
    text_short_add(&said, what);
    text_short_add(&said, count == 1 ? "" : "s");
    return said;
}

/* The largest unit in which `bytes` is at least 1 and exact with at most three decimals. */
struct text_short text_size(uint64_t bytes)
{
    static const struct unit units[] = {
        { "TiB", UINT64_C(1) << 40 },
        { "GiB", UINT64_C(1) << 30 },
        { "MiB", UINT64_C(1) << 20 },
        { "KiB", UINT64_C(1) << 10 },
    };
    for (size_t i = 0; i < ARRAY_COUNT(units); i++) {
        uint64_t whole = bytes / units[i].worth;
        uint64_t rest = bytes % units[i].worth;
        uint64_t thousandths = rest * 1000 / units[i].worth;
        if (!whole || thousandths * units[i].worth != rest * 1000)
            continue;
        int digits = 3;
        for (; digits && thousandths % 10 == 0; digits--)
            thousandths /= 10;
        if (digits)
            return text_print("%" PRIu64 ".%0*" PRIu64 " %s", whole, digits, thousandths,
                              units[i].name);
        struct text_short said = text_number(whole);
        text_short_add(&said, " ");
        text_short_add(&said, units[i].name);
        return said;
    }
    return text_count(bytes, "byte");
}

struct text_short text_offset(uint64_t offset)
{
    return offset ? text_print("%.40s = 0x%" PRIX64, text_size(offset).it, offset)
                  : text_print("0");
}

struct text_short text_time(vidmm_ns ns)
{
    struct text_short said = text_number(ns / 1000);
    const char fraction[] = { '.', (char)('0' + ns / 100 % 10), (char)('0' + ns / 10 % 10),
                              (char)('0' + ns % 10), '\0' };
    text_short_add(&said, fraction);
    text_short_add(&said, " us");
    return said;
}

struct text_short text_span(vidmm_ns ns)
{
    struct text_short said = text_time(ns);
    char *dot = strchr(said.it, '.');
    char *end = dot + 3;
    while (*end == '0')
        end--;
    (void)snprintf(end == dot ? dot : end + 1, sizeof " us", " us");
    return said;
}

const char *text_between(uint64_t before, uint64_t after)
{
    return !before ? "" : after ? ", " : " and ";
}

/* ---- reading ------------------------------------------------------------------------------- */

static unsigned digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 16;
}

/* Reads digits at the start of *word, and moves it past them. */
static bool text_read_digits(const char **word, uint64_t *value)
{
    unsigned base = 10;
    *value = 0;
    if ((*word)[0] == '0' && ((*word)[1] == 'x' || (*word)[1] == 'X')) {
        base = 16;
        *word += 2;
    }
    if (digit_of(**word) >= base)
        return false;
    for (; digit_of(**word) < base; (*word)++) {
        unsigned digit = digit_of(**word);
        if (*value > (UINT64_MAX - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return true;
}

static bool times(uint64_t *value, uint64_t factor)
{
    if (*value > UINT64_MAX / factor)
        return false;
    *value *= factor;
    return true;
}

bool text_read_size(const char *word, uint64_t *value)
{
    static const char letters[] = "KMGT";
    word += strspn(word, " ");
    if (!text_read_digits(&word, value))
        return false;
    word += strspn(word, " ");
    if (!*word || strcmp(word, "B") == 0 || strcmp(word, "bytes") == 0)
        return true;
    const char *letter = strchr(letters, *word);
    if (!letter || (word[1] && strcmp(word + 1, "iB") != 0))
        return false;
    return times(value, UINT64_C(1) << (10 * (letter - letters + 1)));
}

bool text_read_time(const char *word, vidmm_ns *value)
{
    static const struct unit units[] = {
        { "", 1 }, { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
    };
    uint64_t fraction = 0;
    uint64_t scale = 1;
    if (!text_read_digits(&word, value))
        return false;
    if (*word == '.') {
        for (word++; *word >= '0' && *word <= '9' && scale < 1000000000; word++, scale *= 10)
            fraction = fraction * 10 + digit_of(*word);
        if (scale == 1)
            return false;
    }
    word += strspn(word, " ");
    for (size_t i = 0; i < ARRAY_COUNT(units); i++) {
        if (strcmp(word, units[i].name) != 0)
            continue;
        /* A fraction of a nanosecond is no time; without a unit nothing is but 0. */
        if (fraction * units[i].worth % scale || (!*word && *value) ||
            !times(value, units[i].worth))
            return false;
        return add_fits(*value, fraction * units[i].worth / scale, value);
    }
    return false;
}

bool text_read_line(FILE *in, char *line, size_t size, bool *whole)
{
    size_t used = 0;
    int c = getc(in);
    *whole = true;
    if (c == EOF)
        return false;
    for (; c != EOF && c != '\n'; c = getc(in)) {
        const char byte[] = { (char)c, '\0' }, *piece = c ? byte : TEXT_NO_UTF8;
        size_t length = strlen(piece);
        *whole = *whole && used + length < size;
        memcpy(line + used, piece, *whole ? length : 0);
        used += *whole ? length : 0;
    }
    line[used] = '\0';
    return true;
}

/* ---- likeness ------------------------------------------------------------------------------ */

bool text_listed(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; *at; at += strcspn(at, "|"), at += *at == '|')
        if (strcspn(at, "|") == length && memcmp(at, word, length) == 0)
            return true;
    return false;
}

bool text_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Of three letters one may be wrong, of longer words a third and one more, but never all. */
struct text_likeness text_likeness(const char *word)
{
    size_t length = strlen(word);
    size_t least = length < 4 ? min_u64(length, 2) : length / 3 + 2;
    return (struct text_likeness){ .word = word, .least = least };
}

void text_liken(struct text_likeness *likeness, const char *candidate)
{
    size_t distance =
        words_distance(likeness->word, strlen(likeness->word), candidate, strlen(candidate));
    if (distance >= likeness->least)
        return;
    likeness->least = distance;
    likeness->best = candidate;
}

size_t text_utf8(const char *bytes, size_t count)
{
    static const struct {
        unsigned char first, last, low, high;
        size_t length;
    } forms[] = {
        { 0x00, 0x7F, 0, 0, 1 },       { 0xC2, 0xDF, 0x80, 0xBF, 2 }, { 0xE0, 0xE0, 0xA0, 0xBF, 3 },
        { 0xE1, 0xEC, 0x80, 0xBF, 3 }, { 0xED, 0xED, 0x80, 0x9F, 3 }, { 0xEE, 0xEF, 0x80, 0xBF, 3 },
        { 0xF0, 0xF0, 0x90, 0xBF, 4 }, { 0xF1, 0xF3, 0x80, 0xBF, 4 }, { 0xF4, 0xF4, 0x80, 0x8F, 4 },
    };
    const unsigned char *text = (const unsigned char *)bytes;
    for (size_t i = 0; i < ARRAY_COUNT(forms); i++) {
        if (text[0] < forms[i].first || text[0] > forms[i].last)
            continue;
        if (forms[i].length > count)
            return 0;
        if (forms[i].length > 1 && (text[1] < forms[i].low || text[1] > forms[i].high))
            return 0;
        for (size_t k = 2; k < forms[i].length; k++)
            if ((text[k] & 0xC0) != 0x80)
                return 0;
        return forms[i].length;
    }
    return 0;
}

/* ---- XML ------------------------------------------------------------------------------------ */

/* Of the characters that UTF-8 can hold, XML excludes most controls, U+FFFE and U+FFFF. */
static bool is_xml(const char *character, size_t length)
{
    if (length == 1)
        return (unsigned char)*character >= ' ' || strchr("\t\n\r", *character);
    return length != 3 ||
           (memcmp(character, "\xEF\xBF\xBE", 3) != 0 && memcmp(character, "\xEF\xBF\xBF", 3) != 0);
}

void text_add_xml(struct text *text, const char *bytes, size_t count)
{
    static const struct {
        char sign;
        const char *name;
    } names[] = { { '&', "&amp;" },  { '<', "&lt;" },   { '>', "&gt;" }, { '"', "&quot;" },
                  { '\n', "&#10;" }, { '\r', "&#13;" }, { '\t', "&#9;" } };
    while (count) {
        size_t length = text_utf8(bytes, count);
        const char *name = length && is_xml(bytes, length) && *bytes ? NULL : TEXT_NO_UTF8;
        for (size_t i = 0; i < ARRAY_COUNT(names); i++)
            name = *bytes == names[i].sign ? names[i].name : name;
        if (name)
            text_add(text, "%s", name);
        else
            text_add_bytes(text, bytes, length);
        bytes += length ? length : 1;
        count -= length ? length : 1;
    }
}

void text_put_xml(FILE *out, const char *text)
{
    struct text escaped = { 0 };
    text_add_xml(&escaped, text, strlen(text));
    (void)fputs(text_get(&escaped), out);
    text_free(&escaped);
}
