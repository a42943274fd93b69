/* SPDX-License-Identifier: MIT */
/*
 * answer.c: an answer in any unit.
 *
 *     20M = 20480 KiB = 0x1400000 = 20,971,520      1.5ms = 1500 us      Yes = y
 *
 * Groups of digits are three after a ',': 2,5 is no way to write 25, nor a fraction.
 *
 * A number without a unit counts what the question counts in: 24 answers "At which MiB" as 24M
 * does; else what its answer is written in: 24 answers "How large" where that is 24 MiB. Everything
 * is exact: a fraction that is no whole number of bytes or nanoseconds is no answer.
 */
#include "tools/quiz/answer.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

enum dimension { PLAIN, BYTES, TIME, PERCENT };

struct quantity {
    uint64_t value;
    enum dimension dimension;
};

struct answer_unit {
    const char *shown;
    const char *words; /* in lower case, '|' between */
    enum dimension dimension;
    uint64_t worth;
};

static const struct answer_unit units[] = {
    { "bytes", "b|byte|bytes", BYTES, 1 },
    { "KiB", "k|kb|kib|ki|kbyte|kbytes|kilobyte|kilobytes|kibibyte|kibibytes", BYTES, 1ull << 10 },
    { "MiB", "m|mb|mib|mi|mbyte|mbytes|megabyte|megabytes|mebibyte|mebibytes", BYTES, 1ull << 20 },
    { "GiB", "g|gb|gib|gi|gbyte|gbytes|gigabyte|gigabytes|gibibyte|gibibytes", BYTES, 1ull << 30 },
    { "TiB", "t|tb|tib|ti|tbyte|tbytes|terabyte|terabytes|tebibyte|tebibytes", BYTES, 1ull << 40 },
    { "ns", "ns|nanosecond|nanoseconds", TIME, 1 },
    { "us", "us|microsecond|microseconds", TIME, 1000 },
    { "ms", "ms|millisecond|milliseconds", TIME, 1000000 },
    { "s", "s|sec|second|seconds", TIME, 1000000000 },
    { "percent", "%|percent", PERCENT, 1 },
};

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* NULL: it is no unit. */
static const struct answer_unit *find_unit(const char *word, size_t length)
{
    char low[16];
    if (length >= sizeof low)
        return NULL;
    for (size_t i = 0; i < length; i++)
        low[i] = small(word[i]);
    low[length] = '\0';
    for (size_t i = 0; length && i < ARRAY_COUNT(units); i++)
        if (text_listed(units[i].words, low))
            return &units[i];
    return NULL;
}

/* ---- numbers ------------------------------------------------------------------------------- */

/* 0 to 15; 16 for what is no digit. */
static unsigned digit(char c)
{
    c = small(c);
    return c >= '0' && c <= '9'   ? (unsigned)(c - '0')
           : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                  : 16;
}

/* Is the separator here one between groups of digits? */
static bool is_group(const char *at, unsigned base)
{
    size_t digits = 0;
    if (*at != '_' && *at != ',')
        return false;
    while (digit(at[1 + digits]) < base)
        digits++;
    return *at == '_' ? digits != 0 : digits == 3 && base == 10;
}

/* Digits, and ',' or '_' between groups of them. False: there are none, or too many. */
static bool read_digits(const char **at, unsigned base, uint64_t *value)
{
    const char *from = *at;
    for (*value = 0;; (*at)++) {
        if (*at > from && is_group(*at, base))
            continue;
        if (digit(**at) >= base)
            return *at > from;
        if (*value > (UINT64_MAX - digit(**at)) / base)
            return false;
        *value = *value * base + digit(**at);
    }
}

/* What stands after the point, as a part of `scale`. */
static bool read_fraction(const char **at, uint64_t *fraction, uint64_t *scale)
{
    enum { DIGITS_MOST = 9 };
    const char *from = ++*at;
    *fraction = 0;
    *scale = 1;
    for (; digit(**at) < 10 && *at - from < DIGITS_MOST; (*at)++, *scale *= 10)
        *fraction = *fraction * 10 + digit(**at);
    return *at > from;
}

static bool read_quantity(const char *text, struct quantity *quantity)
{
    uint64_t whole, fraction = 0, scale = 1;
    bool hex = text[0] == '0' && small(text[1]) == 'x';
    text += hex ? 2 : 0;
    if (!read_digits(&text, hex ? 16 : 10, &whole))
        return false;
    if (!hex && *text == '.' && text[1] && !read_fraction(&text, &fraction, &scale))
        return false;
    text += strspn(text, " \t");
    size_t length = strcspn(text, " \t.");
    if (text[length + strspn(text + length, " \t.")])
        return false;
    const struct answer_unit *unit = find_unit(text, length);
    if (length && !unit)
        return false;
    uint64_t worth = unit ? unit->worth : 1;
    if (fraction > UINT64_MAX / worth || fraction * worth % scale || whole > UINT64_MAX / worth)
        return false;
    uint64_t part = fraction * worth / scale;
    if (whole * worth > UINT64_MAX - part)
        return false;
    *quantity = (struct quantity){ whole * worth + part, unit ? unit->dimension : PLAIN };
    return true;
}

/* One of the first two words: "seconds", "whole seconds". */
static const struct answer_unit *unit_ahead(const char *text)
{
    static const char ends[] = " ,.;:?!";
    size_t length = strcspn(text, ends);
    const char *second = text + length + (text[length] == ' ');
    const struct answer_unit *unit = find_unit(text, length);
    return unit ? unit : find_unit(second, strcspn(second, ends));
}

/* What the question counts in: "2s" answers "how many seconds" as 2 does. NULL: nothing of that. */
static const struct answer_unit *unit_asked(const char *question)
{
    static const char *const before[] = { "many ", "which ", "Which " };
    const struct answer_unit *unit = NULL;
    /* "How many times as many bytes": a ratio has no unit. */
    bool ratio = strstr(question, "many times as ") != NULL;
    for (size_t i = 0; i < ARRAY_COUNT(before) && !unit && !ratio; i++)
        for (const char *at = strstr(question, before[i]); at && !unit;
             at = strstr(at + 1, before[i]))
            unit = unit_ahead(at + strlen(before[i]));
    return unit;
}

/* The same, else the unit of the answer, "24 MiB (0x1800000)". */
static const struct answer_unit *unit_of(const struct scenario_telling *asked)
{
    const struct answer_unit *unit = unit_asked(asked->text);
    const char *word = strchr(asked->answer, ' ');
    bool own = asked->form == SCENARIO_ANSWER_SIZE || asked->form == SCENARIO_ANSWER_TIME;
    return unit || !own || !word ? unit : find_unit(word + 1, strcspn(word + 1, " "));
}

/* ---- the verdict --------------------------------------------------------------------------- */

static enum dimension dimension_asked(const struct scenario_telling *asked,
                                      const struct answer_unit *unit)
{
    if (asked->form == SCENARIO_ANSWER_SIZE)
        return BYTES;
    if (asked->form == SCENARIO_ANSWER_TIME)
        return TIME;
    return unit ? unit->dimension : PLAIN;
}

static enum answer_verdict judge_number(const char *given, const struct scenario_telling *asked)
{
    struct quantity quantity;
    if (!read_quantity(given, &quantity))
        return ANSWER_UNREAD;
    const struct answer_unit *unit = unit_of(asked);
    enum dimension dimension = dimension_asked(asked, unit);
    if (quantity.dimension != PLAIN && dimension != PLAIN && quantity.dimension != dimension)
        return ANSWER_WRONG;
    if (quantity.value == asked->value)
        return ANSWER_RIGHT;
    /* One of the two counts in the unit of the question, the other one does not. */
    uint64_t worth = unit ? unit->worth : 1;
    bool counted = quantity.dimension == PLAIN && asked->form != SCENARIO_ANSWER_NUMBER;
    uint64_t few = counted ? quantity.value : asked->value;
    uint64_t many = counted ? asked->value : quantity.value;
    return few <= UINT64_MAX / worth && few * worth == many ? ANSWER_RIGHT : ANSWER_WRONG;
}

/* Is the answer yes or no, as a text too? */
static bool is_yes_or_no(const struct scenario_telling *asked)
{
    return asked->form == SCENARIO_ANSWER_YES ||
           (asked->form == SCENARIO_ANSWER_WORD && text_listed("yes|no", asked->answer));
}

static enum answer_verdict judge_yes(const char *given, const char *answer)
{
    static const char *const yes[] = { "yes", "y", "true" }, *const no[] = { "no", "n", "false" };
    for (size_t i = 0; i < ARRAY_COUNT(yes); i++) {
        if (strcasecmp(given, yes[i]) == 0)
            return strcmp(answer, "yes") == 0 ? ANSWER_RIGHT : ANSWER_WRONG;
        if (strcasecmp(given, no[i]) == 0)
            return strcmp(answer, "no") == 0 ? ANSWER_RIGHT : ANSWER_WRONG;
    }
    return ANSWER_UNREAD;
}

static const char blanks[] = " \t";

/* Small letters and large ones are the same, and so are one blank and several. */
static bool same_words(const char *a, const char *b)
{
    for (;;) {
        a += strspn(a, blanks);
        b += strspn(b, blanks);
        size_t length = strcspn(a, blanks);
        if (length != strcspn(b, blanks) || strncasecmp(a, b, length) != 0)
            return false;
        if (!length)
            return true;
        a += length;
        b += length;
    }
}

enum answer_verdict answer_judge(const char *given, const struct scenario_telling *asked)
{
    struct quantity quantity;
    if (is_yes_or_no(asked))
        return judge_yes(given, asked->answer);
    if (asked->form != SCENARIO_ANSWER_SEGMENT && asked->form != SCENARIO_ANSWER_WORD)
        return judge_number(given, asked);
    if (!*given)
        return ANSWER_UNREAD;
    bool segment = asked->form == SCENARIO_ANSWER_SEGMENT;
    bool number = segment && read_quantity(given, &quantity) && quantity.value == asked->value;
    bool full = segment && !asked->value && strcasecmp(given, "system memory") == 0;
    bool right = number || full || same_words(given, asked->answer);
    return right ? ANSWER_RIGHT : ANSWER_WRONG;
}

bool answer_has_second_try(const struct scenario_telling *asked)
{
    return !is_yes_or_no(asked);
}

/* ---- words --------------------------------------------------------------------------------- */

const char *answer_form_word(const struct scenario_telling *asked)
{
    static const char *const words[] = {
        [SCENARIO_ANSWER_NUMBER] = "number", [SCENARIO_ANSWER_SIZE] = "size",
        [SCENARIO_ANSWER_TIME] = "time",     [SCENARIO_ANSWER_SEGMENT] = "segment",
        [SCENARIO_ANSWER_YES] = "yes or no", [SCENARIO_ANSWER_WORD] = "word",
    };
    return is_yes_or_no(asked) ? words[SCENARIO_ANSWER_YES] : words[asked->form];
}

static const char *form_of(const struct scenario_telling *asked)
{
    if (is_yes_or_no(asked))
        return "Write yes or no; 'skip' goes on without an answer.";
    if (asked->form == SCENARIO_ANSWER_SEGMENT)
        return "The name of a segment is asked for, or system; 'skip' goes on without an answer.";
    if (asked->form == SCENARIO_ANSWER_WORD)
        return "A word is asked for; 'skip' goes on without an answer.";
    return "A number is asked for, such as 3, 24M, 0x1800000 or 200us; 'skip' goes on without an "
           "answer.";
}

void answer_complain(const char *given, const struct scenario_telling *asked, struct text *out)
{
    bool number = !is_yes_or_no(asked) && asked->form != SCENARIO_ANSWER_SEGMENT &&
                  asked->form != SCENARIO_ANSWER_WORD;
    if (*given && is_yes_or_no(asked))
        text_add(out, "'%s' is neither yes nor no. ", given);
    if (*given && number)
        text_add(out, "'%s' is no %s here%s. ", given, answer_form_word(asked),
                 strchr(given, ',') ? ": after ',' come three digits, after '.' a fraction" : "");
    text_add(out, "%s", form_of(asked));
}

void answer_understood(const char *given, const struct scenario_telling *asked, struct text *out)
{
    struct quantity quantity;
    bool number = asked->form == SCENARIO_ANSWER_NUMBER || asked->form == SCENARIO_ANSWER_SIZE ||
                  asked->form == SCENARIO_ANSWER_TIME;
    if (!number || is_yes_or_no(asked) || !read_quantity(given, &quantity)) {
        text_add(out, "%s", given);
        return;
    }
    const struct answer_unit *unit = unit_of(asked);
    enum dimension wanted = dimension_asked(asked, unit), its = quantity.dimension;
    /* It counts that, be it MiB or microseconds; so many are bytes. */
    bool bytes = wanted == BYTES && quantity.value >= UINT64_C(1) << 20;
    if (its == PLAIN && unit && !bytes) {
        text_add(out, "%" PRIu64 " %s", quantity.value, unit->shown);
        return;
    }
    if (its == PLAIN)
        its = wanted;
    text_add(out, "%s%s",
             its == BYTES  ? text_size(quantity.value).it
             : its == TIME ? text_span(quantity.value).it
                           : text_print("%" PRIu64, quantity.value).it,
             its == PERCENT ? " percent" : "");
    if (its != wanted && its != PLAIN && wanted != PLAIN)
        text_add(out, ": %s is asked for", wanted == BYTES ? "a number of bytes" : "a time");
}

void answer_right(const struct scenario_telling *asked, struct text *out)
{
    bool bare = asked->form == SCENARIO_ANSWER_NUMBER && !is_yes_or_no(asked);
    const struct answer_unit *unit = bare ? unit_asked(asked->text) : NULL;
    text_add(out, "%s%s%s", asked->answer, unit ? " " : "", unit ? unit->shown : "");
}

static void hint_segments(const struct vidmm_adapter *adapter, struct text *hint)
{
    struct vidmm_segment_view view;
    text_add(hint, "it is one of ");
    for (uint32_t id = 1; adapter && vidmm_segment_view(adapter, id, &view); id++)
        text_add(hint, "%s, ", view.name);
    text_add(hint, "or system");
}

/* Between two powers of a base that give nothing away: 8 for bytes and counts, 10 for times. */
static void hint_magnitude(const struct scenario_telling *asked, struct text *hint)
{
    bool time = asked->form == SCENARIO_ANSWER_TIME, size = asked->form == SCENARIO_ANSWER_SIZE;
    const char *what = time ? "a time" : size ? "a number of bytes" : "a number";
    uint64_t base = time ? 10 : 8, least = 1;
    while (asked->value / base >= least)
        least *= base;
    if (least == 1 && (time || size)) {
        text_add(hint, "it is %s", what);
        return;
    }
    uint64_t most = least > UINT64_MAX / base ? UINT64_MAX : least * base;
    text_add(hint, "it is %s", what);
    if (least > 1)
        text_add(hint, ", at least %s",
                 time   ? text_span(least).it
                 : size ? text_size(least).it
                        : text_print("%" PRIu64, least).it);
    text_add(hint, "%s less than %s", least > 1 ? " and" : ",",
             time   ? text_span(most).it
             : size ? text_size(most).it
                    : text_print("%" PRIu64, most).it);
}

/* A letter is what people see as one: in UTF-8 it may have several bytes. */
static void hint_word(const char *answer, struct text *hint)
{
    uint64_t words = 0, letters = 0;
    for (const char *at = answer + strspn(answer, blanks); *at; at += strspn(at, blanks), words++)
        for (; *at && !strchr(blanks, *at); at++)
            letters += ((unsigned char)*at & 0xC0) != 0x80;
    if (words > 1)
        text_add(hint, "it is %s, %s in all", text_count(words, "word").it,
                 text_count(letters, "letter").it);
    else
        text_add(hint, "it is a word of %s", text_count(letters, "letter").it);
}

void answer_hint(const struct scenario_telling *asked, struct text *hint)
{
    const struct vidmm_rule_info *rule =
        asked->rule_count ? vidmm_rule_info(asked->rules[0]) : NULL;
    if (asked->hint)
        text_add(hint, "%s", asked->hint);
    else if (rule)
        text_add(hint, "%s, %s", rule->id, rule->title);
    else if (asked->form == SCENARIO_ANSWER_SEGMENT)
        hint_segments(asked->adapter, hint);
    else if (asked->form == SCENARIO_ANSWER_WORD)
        hint_word(asked->answer, hint);
    else
        hint_magnitude(asked, hint);
}
