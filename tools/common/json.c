/* SPDX-License-Identifier: MIT */
/* json.c: JSON, one value after the other, straight to a stream. */
#include "tools/common/json.h"

#include <string.h>

#include "tools/common/text.h"

/*
 * A value is put together in one piece and written at once: a stream takes thirty to fifty
 * instructions for each call, whatever it is given. With spans that are copied and digits of our
 * own, 71 MB of lines took 316 ms, and 887 ms with a call for each character.
 */
struct piece {
    FILE *out;
    size_t count;
    char bytes[480];
};

static void piece_write(struct piece *piece)
{
    text_put(piece->out, piece->bytes, piece->count);
    piece->count = 0;
}

static void piece_add(struct piece *piece, const char *text, size_t bytes)
{
    while (bytes > sizeof piece->bytes - piece->count) {
        size_t part = sizeof piece->bytes - piece->count;
        memcpy(piece->bytes + piece->count, text, part);
        piece->count += part;
        text += part;
        bytes -= part;
        piece_write(piece);
    }
    memcpy(piece->bytes + piece->count, text, bytes);
    piece->count += bytes;
}

static void piece_char(struct piece *piece, char character)
{
    if (piece->count == sizeof piece->bytes)
        piece_write(piece);
    piece->bytes[piece->count++] = character;
}

static void piece_escape(struct piece *piece, unsigned char character)
{
    static const char digits[] = "0123456789abcdef";
    if (character == '"' || character == '\\') {
        const char escape[] = { '\\', (char)character };
        piece_add(piece, escape, sizeof escape);
        return;
    }
    const char escape[] = { '\\', 'u', '0', '0', digits[character >> 4], digits[character & 15] };
    piece_add(piece, escape, sizeof escape);
}

static bool is_plain(char character)
{
    return character >= 0x20 && character < 0x7F && character != '"' && character != '\\';
}

static void piece_string(struct piece *piece, const char *text, size_t bytes)
{
    piece_char(piece, '"');
    for (size_t i = 0; i < bytes;) {
        if (is_plain(text[i])) {
            piece_char(piece, text[i++]);
            continue;
        }
        size_t length = text_utf8(text + i, bytes - i);
        if (!length)
            piece_add(piece, TEXT_NO_UTF8, sizeof TEXT_NO_UTF8 - 1);
        else if (length == 1)
            piece_escape(piece, (unsigned char)text[i]);
        else
            piece_add(piece, text + i, length);
        i += length ? length : 1;
    }
    piece_char(piece, '"');
}

static void begin(struct piece *piece, struct json *json, const char *name)
{
    piece->out = json->out;
    piece->count = 0;
    if (json->comma)
        piece_char(piece, ',');
    json->comma = true;
    if (!name)
        return;
    piece_string(piece, name, strlen(name));
    piece_char(piece, ':');
}

void json_open(struct json *json, const char *name, char bracket)
{
    struct piece piece;
    begin(&piece, json, name);
    piece_char(&piece, bracket);
    piece_write(&piece);
    CHECK(json->depth < JSON_DEPTH);
    json->closing[json->depth++] = bracket == '{' ? '}' : ']';
    json->comma = false;
}

void json_close(struct json *json, char bracket)
{
    (void)fputc(bracket, json->out);
    CHECK(json->depth && json->closing[json->depth - 1] == bracket);
    json->depth--;
    json->comma = true;
}

void json_string(struct json *json, const char *name, const char *text)
{
    json_bytes(json, name, text, strlen(text));
}

void json_bytes(struct json *json, const char *name, const char *text, size_t bytes)
{
    struct piece piece;
    begin(&piece, json, name);
    piece_string(&piece, text, bytes);
    piece_write(&piece);
}

void json_number(struct json *json, const char *name, uint64_t value)
{
    char digits[TEXT_DIGITS];
    struct piece piece;
    begin(&piece, json, name);
    piece_add(&piece, digits, text_digits(digits, value));
    piece_write(&piece);
}

void json_flag(struct json *json, const char *name, bool value)
{
    json_literal(json, name, value ? "true" : "false");
}

void json_literal(struct json *json, const char *name, const char *value)
{
    struct piece piece;
    begin(&piece, json, name);
    piece_add(&piece, value, strlen(value));
    piece_write(&piece);
}

void json_end_line(struct json *json)
{
    (void)fputc('\n', json->out);
    json->comma = false;
}

void json_give_up(struct json *json)
{
    if (!json->depth)
        return;
    while (json->depth)
        json_close(json, json->closing[json->depth - 1]);
    json_end_line(json);
}
