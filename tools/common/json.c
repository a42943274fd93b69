/* SPDX-License-Identifier: MIT */
/* json.c: JSON, one value after the other, straight to a stream. */
#include "tools/common/json.h"

#include <inttypes.h>
#include <string.h>

#include "tools/common/text.h"

static void json_put_string(FILE *out, const char *text, size_t bytes)
{
    (void)fputc('"', out);
    for (size_t i = 0; i < bytes;) {
        const unsigned char *at = (const unsigned char *)text + i;
        size_t length = text_utf8(text + i, bytes - i);
        if (!length)
            (void)fputs(TEXT_NO_UTF8, out);
        else if (*at == '"' || *at == '\\')
            (void)fprintf(out, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7F)
            (void)fprintf(out, "\\u%04x", (unsigned)*at);
        else
            (void)fwrite(at, 1, length, out);
        i += length ? length : 1;
    }
    (void)fputc('"', out);
}

static void put_name(struct json *json, const char *name)
{
    if (json->comma)
        (void)fputc(',', json->out);
    json->comma = true;
    if (!name)
        return;
    json_put_string(json->out, name, strlen(name));
    (void)fputc(':', json->out);
}

void json_open(struct json *json, const char *name, char bracket)
{
    put_name(json, name);
    (void)fputc(bracket, json->out);
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
    put_name(json, name);
    json_put_string(json->out, text, bytes);
}

void json_number(struct json *json, const char *name, uint64_t value)
{
    put_name(json, name);
    (void)fprintf(json->out, "%" PRIu64, value);
}

void json_flag(struct json *json, const char *name, bool value)
{
    put_name(json, name);
    (void)fputs(value ? "true" : "false", json->out);
}

void json_literal(struct json *json, const char *name, const char *value)
{
    put_name(json, name);
    (void)fputs(value, json->out);
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
