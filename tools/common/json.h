/* SPDX-License-Identifier: MIT */
/*
 * json.h: JSON, one value after the other, straight to a stream.
 *
 * A writer knows whether a comma is due, and nothing else: the caller closes what it opens. Bytes
 * that are no UTF-8 become U+FFFD, so the output is valid whatever a label holds.
 */
#ifndef TOOLS_COMMON_JSON_H
#define TOOLS_COMMON_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH = 16 };

struct json {
    FILE *out;
    bool comma; /* before the next value */
    unsigned depth;
    char closing[JSON_DEPTH]; /* brackets that are due, the outermost first */
};

/* `name` is NULL in an array and at the top. */
void json_open(struct json *json, const char *name, char bracket);
void json_close(struct json *json, char bracket);
void json_string(struct json *json, const char *name, const char *text);
void json_bytes(struct json *json, const char *name, const char *text, size_t bytes);
void json_number(struct json *json, const char *name, uint64_t value);
void json_flag(struct json *json, const char *name, bool value);
/* A value that is JSON already: null, a fraction. */
void json_literal(struct json *json, const char *name, const char *value);
/* Ends a line that was begun and is not going on, so that it is still JSON. */
void json_give_up(struct json *json);
/* The end of a line of JSON lines. */
void json_end_line(struct json *json);

#endif
