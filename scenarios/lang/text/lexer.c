/* SPDX-License-Identifier: MIT */
/*
 * lexer.c: one line of text into tokens.
 *
 * A name goes over '.' and '-' only when a letter, a digit or '_' follows: so `0..3`, `a..b` and
 * `x -> fails` come apart. Sizes and times are read with their unit. The first mistake of a line
 * ends it: what follows could only be a consequence.
 */
#include "scenarios/lang/text/source.h"

#include <string.h>

/* What is being read: the text of one line and the position in it. */
struct reader {
    struct lexer *lexer;
    const char *text;
    uint32_t at, end;
    bool spaced;
    uint16_t holes;
};

static struct place place_of(const struct reader *reader, uint32_t from, uint32_t to)
{
    uint32_t length = to - from;
    return (struct place){ .offset = from,
                           .length = (uint16_t)(length > UINT16_MAX ? UINT16_MAX : length),
                           .source = reader->lexer->source };
}

/* Returns false, so that callers can return it; what is wrong stands from `from` up to here. */
#define COMPLAIN(reader, from, ...)                                                                \
    message_error((reader)->lexer->scenario, place_of(reader, from, (reader)->at), __VA_ARGS__)

static char peek(const struct reader *reader, uint32_t ahead)
{
    return reader->at + ahead < reader->end ? reader->text[reader->at + ahead] : '\0';
}

static bool lexer_is_digit(char character)
{
    return character >= '0' && character <= '9';
}

static bool lexer_is_letter(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           character == '_';
}

static bool lexer_is_name_character(char character)
{
    return lexer_is_letter(character) || lexer_is_digit(character);
}

static struct token *lexer_push(struct reader *reader, enum token_kind kind, uint32_t from)
{
    struct lexer *lexer = reader->lexer;
    BASE_GROW(lexer->tokens, lexer->capacity, lexer->count + 1);
    struct token *token = &lexer->tokens[lexer->count++];
    *token = (struct token){ .kind = (uint8_t)kind,
                             .spaced = reader->spaced,
                             .offset = from,
                             .length = reader->at - from,
                             .factor = 1 };
    return token;
}

static void skip_name(struct reader *reader)
{
    for (;;) {
        while (lexer_is_name_character(peek(reader, 0)))
            reader->at++;
        char joint = peek(reader, 0);
        if ((joint != '.' && joint != '-') || !lexer_is_name_character(peek(reader, 1)))
            return;
        reader->at++;
    }
}

static word lexer_intern(struct reader *reader, uint32_t from)
{
    struct scenario *scenario = reader->lexer->scenario;
    return words_intern(&scenario->words, &scenario->arena, reader->text + from, reader->at - from);
}

bool lexer_unit(const char *text, size_t length, uint64_t *factor, enum unit *unit)
{
    static const struct {
        const char *name;
        uint64_t factor;
        enum unit unit;
    } units[] = {
        { "K", 1ull << 10, UNIT_SIZE },   { "M", 1ull << 20, UNIT_SIZE },
        { "G", 1ull << 30, UNIT_SIZE },   { "T", 1ull << 40, UNIT_SIZE },
        { "KiB", 1ull << 10, UNIT_SIZE }, { "MiB", 1ull << 20, UNIT_SIZE },
        { "GiB", 1ull << 30, UNIT_SIZE }, { "TiB", 1ull << 40, UNIT_SIZE },
        { "ns", 1, UNIT_TIME },           { "us", 1000, UNIT_TIME },
        { "ms", 1000000, UNIT_TIME },     { "s", 1000000000, UNIT_TIME },
    };
    for (size_t i = 0; i < ARRAY_COUNT(units); i++) {
        if (strlen(units[i].name) == length && memcmp(units[i].name, text, length) == 0) {
            *factor = units[i].factor;
            *unit = units[i].unit;
            return true;
        }
    }
    return false;
}

static bool complain_overflow(struct reader *reader, uint32_t from)
{
    return COMPLAIN(reader, from, "the largest number is 18446744073709551615 (0xFFFFFFFFFFFFFFFF)",
                    "'%.*s' does not fit in 64 bits", (int)min_u64(reader->at - from, 80),
                    reader->text + from);
}

/* `1.5M`: says what to write instead, where that is a whole number of the next smaller unit. */
static bool complain_fraction(struct reader *reader, uint32_t from, uint64_t whole, uint64_t part,
                              uint64_t scale)
{
    uint64_t factor = 1;
    enum unit unit = UNIT_NONE;
    char help[96] = "a smaller unit gives a whole number";
    uint32_t suffix = reader->at;
    while (lexer_is_letter(peek(reader, 0)))
        reader->at++;
    const char *habit = habit_find(HABIT_UNIT, reader->text + suffix, reader->at - suffix);
    bool known = habit ? lexer_unit(habit, strlen(habit), &factor, &unit)
                       : lexer_unit(reader->text + suffix, reader->at - suffix, &factor, &unit);
    uint64_t step = unit == UNIT_SIZE ? 1024 : 1000;
    static const char *const smaller_sizes[] = { "", "K", "M", "G" };
    static const char *const smaller_times[] = { "ns", "us", "ms" };
    size_t smaller = 0;
    for (uint64_t left = factor / step; left > 1; left /= step)
        smaller++;
    bool fits = known && factor > 1 && scale <= 1000000 && whole < 1u << 20;
    if (fits && part * step % scale == 0) {
        snprintf(help, sizeof help, "write %" PRIu64 "%s", whole * step + part * step / scale,
                 unit == UNIT_SIZE ? smaller_sizes[smaller] : smaller_times[smaller]);
    }
    return COMPLAIN(reader, from, help, "fractions are not numbers of this language");
}

static bool read_digits(struct reader *reader, uint64_t *value)
{
    bool fits = true;
    *value = 0;
    for (; lexer_is_digit(peek(reader, 0)); reader->at++) {
        uint64_t digit = (uint64_t)(peek(reader, 0) - '0');
        fits = fits && *value <= (UINT64_MAX - digit) / 10;
        *value = fits ? *value * 10 + digit : 0;
    }
    return fits;
}

static int hex_digit(char character)
{
    if (lexer_is_digit(character))
        return character - '0';
    if (character >= 'a' && character <= 'f')
        return character - 'a' + 10;
    return character >= 'A' && character <= 'F' ? character - 'A' + 10 : -1;
}

static bool read_hexadecimal(struct reader *reader, uint32_t from)
{
    uint64_t value = 0;
    bool fits = true;
    reader->at += 2;
    uint32_t digits = reader->at;
    for (; hex_digit(peek(reader, 0)) >= 0; reader->at++) {
        fits = fits && value <= UINT64_MAX >> 4;
        value = value << 4 | (uint64_t)hex_digit(peek(reader, 0));
    }
    if (!fits)
        return complain_overflow(reader, from);
    if (digits == reader->at || lexer_is_name_character(peek(reader, 0))) {
        skip_name(reader);
        return COMPLAIN(
            reader, from,
            "a hexadecimal number is 0x and the digits 0 to 9 and A to F, without a unit",
            "'%.*s' is not a number", (int)min_u64(reader->at - from, 80), reader->text + from);
    }
    lexer_push(reader, TOKEN_NUMBER, from)->value = value;
    return true;
}

/* 1.1: a version, or a fraction, which only the place where it stands can tell. */
static bool read_fraction(struct reader *reader, uint32_t from, uint64_t whole)
{
    uint64_t part = 0;
    reader->at++;
    uint32_t digits = reader->at;
    bool fits = read_digits(reader, &part);
    uint64_t scale = 1;
    for (uint32_t i = digits; i < reader->at && i < digits + 7; i++)
        scale *= 10;
    bool version = fits && reader->at - digits == 1 && whole < 100;
    if (!version || lexer_is_name_character(peek(reader, 0)))
        return complain_fraction(reader, from, whole, part, scale);
    struct token *token = lexer_push(reader, TOKEN_FRACTION, from);
    token->value = whole * 10 + part;
    return true;
}

/* "create 2b": what follows the first word of a line that makes a name. */
static bool is_new_name(const struct reader *reader, uint32_t number)
{
    static const char *const makers[] = { "create ", "class ", "segment ", "submit ", "device " };
    uint32_t line = number;
    while (line && reader->text[line - 1] != '\n')
        line--;
    while (reader->text[line] == ' ' || reader->text[line] == '\t')
        line++;
    for (size_t i = 0; i < ARRAY_COUNT(makers); i++)
        if (number - line == strlen(makers[i]) &&
            memcmp(reader->text + line, makers[i], number - line) == 0)
            return true;
    return false;
}

/* `number` is where the number begins, `from` what follows its digits. */
static void lexer_complain_unit(struct reader *reader, uint32_t number, uint32_t from)
{
    char help[96];
    size_t length = reader->at - from;
    const char *unit = habit_find(HABIT_UNIT, reader->text + from, length);
    struct nearest nearest = nearest_begin(reader->text + from, length);
    nearest_try_words(&nearest, "K|M|G|T|KiB|MiB|GiB|TiB|ns|us|ms|s");
    const char *near = nearest_help(&nearest, help, sizeof help);
    if (unit)
        snprintf(help, sizeof help, "write %.*s%s", (int)min_u64(from - number, 40),
                 reader->text + number, unit);
    const char *time = habit_find(HABIT_LONG_TIME, reader->text + from, length);
    const char *any =
        "sizes end in K, M, G or T, times in ns, us, ms or s; names begin with a letter";
    if (is_new_name(reader, number)) {
        snprintf(help, sizeof help, "write %.*s%.*s", (int)min_u64(length, 40), reader->text + from,
                 (int)min_u64(from - number, 40), reader->text + number);
        COMPLAIN(reader, number, help, "a name begins with a letter");
        return;
    }
    COMPLAIN(reader, from,
             time           ? time
             : near || unit ? help
                            : any,
             "'%.*s' is not a unit", (int)min_u64(length, 80), reader->text + from);
}

static bool read_unit(struct reader *reader, struct token *token, uint32_t from)
{
    uint32_t suffix = reader->at;
    enum unit unit = UNIT_NONE;
    skip_name(reader);
    if (!lexer_unit(reader->text + suffix, reader->at - suffix, &token->factor, &unit)) {
        lexer_complain_unit(reader, from, suffix);
        token->length = reader->at - from;
        reader->lexer->hurt = true;
        return true;
    }
    if (token->value > UINT64_MAX / token->factor)
        return complain_overflow(reader, from);
    token->value *= token->factor;
    token->unit = (uint8_t)unit;
    token->length = reader->at - from;
    return true;
}

static bool lexer_read_number(struct reader *reader)
{
    uint32_t from = reader->at;
    uint64_t value = 0;
    if (peek(reader, 0) == '0' && (peek(reader, 1) == 'x' || peek(reader, 1) == 'X'))
        return read_hexadecimal(reader, from);
    if (!read_digits(reader, &value))
        return complain_overflow(reader, from);
    if (peek(reader, 0) == '.' && lexer_is_digit(peek(reader, 1)))
        return read_fraction(reader, from, value);
    struct token *token = lexer_push(reader, TOKEN_NUMBER, from);
    token->value = value;
    token->hole = ++reader->holes;
    /* "80% of": with a space after it only, the sign is a percent sign and not the operator. */
    if (peek(reader, 0) == '%' && (peek(reader, 1) == ' ' || peek(reader, 1) == '\t')) {
        reader->at++;
        token->kind = TOKEN_PERCENT;
        token->length++;
        return true;
    }
    return !lexer_is_letter(peek(reader, 0)) || read_unit(reader, token, from);
}

static bool read_handle(struct reader *reader)
{
    uint32_t from = reader->at++;
    uint64_t value = 0;
    bool fits = read_digits(reader, &value);
    if (reader->at == from + 1 || lexer_is_name_character(peek(reader, 0))) {
        skip_name(reader);
        return COMPLAIN(reader, from, "a bulk handle is '@' and a number, such as @17",
                        "'%.*s' is not a handle", (int)min_u64(reader->at - from, 80),
                        reader->text + from);
    }
    if (!fits || value > UINT32_MAX)
        return COMPLAIN(reader, from, "the largest bulk handle is @4294967295",
                        "this handle is too large");
    struct token *token = lexer_push(reader, TOKEN_HANDLE, from);
    token->value = value;
    token->hole = ++reader->holes;
    return true;
}

static bool read_variable(struct reader *reader)
{
    uint32_t from = reader->at++;
    if (!lexer_is_letter(peek(reader, 0)))
        return COMPLAIN(reader, from, "a variable is '$' and a name, such as $i",
                        "'$' without a name");
    skip_name(reader);
    lexer_push(reader, TOKEN_VARIABLE, from)->name = lexer_intern(reader, from + 1);
    return true;
}

static bool read_string(struct reader *reader)
{
    uint32_t from = reader->at++;
    while (reader->at < reader->end && peek(reader, 0) != '"')
        reader->at++;
    if (reader->at == reader->end)
        return message_error(reader->lexer->scenario, place_of(reader, from, from + 1),
                             "a string ends with '\"' in the same line", "this string never ends");
    reader->at++;
    lexer_push(reader, TOKEN_STRING, from);
    return true;
}

/* The mark at the position and its length; 0 when there is none. */
static uint32_t find_mark(const struct reader *reader, uint8_t *mark)
{
    static const struct {
        char text[3];
        uint8_t mark;
    } pairs[] = {
        { "..", MARK_RANGE },   { "->", MARK_ARROW },   { "==", MARK_EQUAL },
        { "!=", MARK_UNEQUAL }, { "<=", MARK_AT_MOST }, { ">=", MARK_AT_LEAST },
    };
    char first = peek(reader, 0);
    for (size_t i = 0; i < ARRAY_COUNT(pairs); i++) {
        if (first == pairs[i].text[0] && peek(reader, 1) == pairs[i].text[1]) {
            *mark = pairs[i].mark;
            return 2;
        }
    }
    *mark = (uint8_t)first;
    return first && strchr("=,:[]()+-*/%<>", first) ? 1 : 0;
}

static void complain_mark(struct reader *reader, struct place at)
{
    const char *text = reader->text + reader->at;
    message_error(reader->lexer->scenario, at, habit_find(HABIT_MARK, text, at.length),
                  "'%.*s' has no meaning here", (int)at.length, text);
}

/* Two or three marks that mean something elsewhere: `//`, `===`, `&&`. */
static bool is_foreign(struct reader *reader)
{
    for (uint32_t length = 3; length > 1; length--) {
        if (reader->at + length > reader->end ||
            !habit_find(HABIT_MARK, reader->text + reader->at, length))
            continue;
        complain_mark(reader, place_of(reader, reader->at, reader->at + length));
        return true;
    }
    return false;
}

static bool complain_character(struct reader *reader)
{
    uint32_t code;
    unsigned char first = (unsigned char)peek(reader, 0);
    size_t length = source_character(reader->text + reader->at, reader->end - reader->at);
    struct place at = place_of(reader, reader->at, reader->at + (uint32_t)(length ? length : 1));
    if (!length)
        message_error(reader->lexer->scenario, at, "a scenario is text in UTF-8",
                      "byte 0x%02X is not UTF-8", first);
    else if (source_is_control(reader->text + reader->at, length, &code) && length == 1)
        message_error(reader->lexer->scenario, at, "a scenario is text in UTF-8",
                      "byte 0x%02X is a control character", first);
    else if (source_is_control(reader->text + reader->at, length, &code))
        message_error(reader->lexer->scenario, at,
                      "it would steer the terminal, or turn the text around",
                      "U+%04" PRIX32 " is a control character", code);
    else
        complain_mark(reader, at);
    return false;
}

static bool read_mark(struct reader *reader)
{
    uint8_t mark = 0;
    uint32_t from = reader->at;
    uint32_t length = find_mark(reader, &mark);
    if (is_foreign(reader))
        return false;
    if (!length)
        return complain_character(reader);
    reader->at += length;
    lexer_push(reader, TOKEN_MARK, from)->mark = mark;
    return true;
}

static bool read_token(struct reader *reader)
{
    char first = peek(reader, 0);
    if (lexer_is_letter(first)) {
        uint32_t from = reader->at;
        skip_name(reader);
        lexer_push(reader, TOKEN_WORD, from)->name = lexer_intern(reader, from);
        return true;
    }
    if (lexer_is_digit(first))
        return lexer_read_number(reader);
    if (first == '@')
        return read_handle(reader);
    if (first == '$')
        return read_variable(reader);
    return first == '"' ? read_string(reader) : read_mark(reader);
}

/* Comments and strings may hold any character, but no bytes that are none. */
static bool check_characters(struct reader *reader, uint32_t from, uint32_t to)
{
    uint32_t code;
    uint32_t at = from;
    while (at < to) {
        unsigned char first = (unsigned char)reader->text[at];
        size_t length = first >= 0x80 ? source_character(reader->text + at, to - at) : 1;
        if (!length || source_is_control(reader->text + at, length, &code)) {
            reader->at = at;
            return complain_character(reader);
        }
        at += (uint32_t)length;
    }
    return true;
}

bool lexer_line(struct lexer *lexer, uint32_t from, uint32_t to)
{
    struct reader reader = {
        .lexer = lexer, .text = lexer->scenario->sources[lexer->source]->text, .at = from, .end = to
    };
    lexer->count = 0;
    lexer->hurt = false;
    lexer->comment = to;
    for (;;) {
        uint32_t before = reader.at;
        while (peek(&reader, 0) == ' ' || peek(&reader, 0) == '\t')
            reader.at++;
        reader.spaced = reader.at > before || before == from;
        if (reader.at == to || peek(&reader, 0) == '#')
            break;
        if (!read_token(&reader))
            return false;
        const struct token *last = &lexer->tokens[lexer->count - 1];
        if (last->kind == TOKEN_STRING && !check_characters(&reader, last->offset, reader.at))
            return false;
    }
    lexer->comment = reader.at;
    lexer_push(&reader, TOKEN_END, reader.at);
    return check_characters(&reader, reader.at, to);
}

void lexer_fini(struct lexer *lexer)
{
    base_free(lexer->tokens);
    lexer->tokens = NULL;
}
