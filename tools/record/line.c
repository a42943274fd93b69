/* SPDX-License-Identifier: MIT */
/*
 * line.c: an event as a line of `expect events`, and the parts of such a line.
 *
 * Millions of them are written: bytes go straight into the text, no format string is read.
 */
#include "tools/record/line.h"

#include <string.h>

static const char hex_digits[] = "0123456789ABCDEF";

/* ---- values --------------------------------------------------------------------------------- */

/* Most lines need no more room than the one before. line_add() ends the text with a 0. */
static inline void add(struct text *out, const char *bytes, size_t count)
{
    if (out->capacity - out->length <= count) {
        text_add_bytes(out, bytes, count);
        return;
    }
    memcpy(out->bytes + out->length, bytes, count);
    out->length += count;
}

static void add_word(struct text *out, const char *word)
{
    add(out, word, strlen(word));
}

void line_add_number(struct text *out, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    add(out, digits + at, sizeof digits - at);
}

static void add_hex(struct text *out, uint64_t value)
{
    char digits[18];
    size_t at = sizeof digits;
    do {
        digits[--at] = hex_digits[value & 15];
        value >>= 4;
    } while (value);
    digits[--at] = 'x';
    digits[--at] = '0';
    add(out, digits + at, sizeof digits - at);
}

static void add_size(struct text *out, uint64_t bytes)
{
    static const char units[] = "KMGT";
    size_t unit = 0;
    while (bytes && bytes % 1024 == 0 && unit < sizeof units - 1) {
        bytes /= 1024;
        unit++;
    }
    line_add_number(out, bytes);
    if (unit)
        add(out, &units[unit - 1], 1);
}

static bool is_plain(const char *text)
{
    const char *at = text;
    if (*text >= '0' && *text <= '9') /* 4k would be read as a size */
        return false;
    while (text_is_letter(*at) || *at == '-' || *at == '.' || *at == ',' || *at == '[' ||
           *at == ']' || *at == ':')
        at++;
    return at != text && !*at;
}

static void add_quoted(struct text *out, const char *text)
{
    if (is_plain(text)) {
        add_word(out, text);
        return;
    }
    add(out, "\"", 1);
    for (; *text; text++) {
        bool odd = (unsigned char)*text < ' ' || *text == '"';
        add(out, odd ? "'" : text, 1);
    }
    add(out, "\"", 1);
}

/* Offsets are read as sizes, flags and addresses bit by bit. */
static bool is_offset(const char *name)
{
    return strcmp(name, "offset") == 0 || strcmp(name, "low") == 0 || strcmp(name, "high") == 0;
}

/* Who decided is no part of a decision: the same place is the same place under another policy. Nor
   is when it was. */
bool line_skips(enum vidmm_event_kind event, const char *field, enum vidmm_field_kind kind)
{
    if (strcmp(field, "policy") == 0 || (event == VIDMM_EVENT_TURN && kind == VIDMM_FIELD_NS))
        return true;
    if (kind == VIDMM_FIELD_NUMBER)
        return event == VIDMM_EVENT_FINDING;
    return kind == VIDMM_FIELD_TEXT &&
           (strcmp(field, "text") == 0 || strcmp(field, "meaning") == 0 ||
            strcmp(field, "last-call") == 0);
}

void line_add_key(struct text *out, const char *name)
{
    add(out, " ", 1);
    add_word(out, name);
    add(out, "=", 1);
}

bool line_add_value(struct text *out, const struct vidmm_field *field, const char *name)
{
    line_add_key(out, field->name);
    switch (field->kind) {
    case VIDMM_FIELD_HEX:
        (is_offset(field->name) ? add_size : add_hex)(out, field->value);
        return true;
    case VIDMM_FIELD_BYTES: add_size(out, field->value); return true;
    case VIDMM_FIELD_NUMBER:
    case VIDMM_FIELD_NODE: line_add_number(out, field->value); return true;
    case VIDMM_FIELD_NS:
        line_add_number(out, field->value);
        add(out, "ns", 2);
        return true;
    case VIDMM_FIELD_FLAG: add(out, field->value ? "1" : "0", 1); return true;
    case VIDMM_FIELD_SEGMENT:
    case VIDMM_FIELD_ALLOCATION:
    case VIDMM_FIELD_STATUS: add_word(out, name); return true;
    case VIDMM_FIELD_WORD:
    case VIDMM_FIELD_TEXT: add_quoted(out, field->text ? field->text : ""); return true;
    }
    return false;
}

/* ---- events --------------------------------------------------------------------------------- */

void line_learn(struct line_names *names, const struct vidmm_event *event)
{
    uint64_t id = 0;
    const char *name = "";
    for (size_t i = 0; i < event->field_count; i++) {
        const struct vidmm_field *field = &event->fields[i];
        if (strcmp(field->name, "segment") == 0)
            id = field->value;
        else if (strcmp(field->name, "name") == 0)
            name = field->text;
    }
    CHECK(id && id < ARRAY_COUNT(names->segments));
    (void)snprintf(names->segments[id], sizeof names->segments[id], "%s", name);
}

/* Of what has a name beside its number. Only valid until the next one. */
static const char *name_of(const struct line_names *names, const struct vidmm_field *field,
                           struct text_short *room)
{
    const struct vidmm_status_info *info;
    const char *label;
    switch (field->kind) {
    case VIDMM_FIELD_SEGMENT:
        if (!field->value)
            return "system";
        if (field->value < ARRAY_COUNT(names->segments) && *names->segments[field->value])
            return names->segments[field->value];
        *room = text_print("%llu", (unsigned long long)field->value);
        return room->it;
    case VIDMM_FIELD_ALLOCATION:
        label = field->value && names->adapter
                    ? vidmm_label(names->adapter, (vidmm_handle)field->value)
                    : "";
        return *label ? label : "none";
    case VIDMM_FIELD_STATUS:
        info = vidmm_status_info((vidmm_status)(uint32_t)field->value);
        if (info)
            return info->name;
        *room = text_print("0x%08lX", (unsigned long)(uint32_t)field->value);
        return room->it;
    default: return "";
    }
}

void line_add(struct text *out, const struct line_names *names, const struct vidmm_event *event,
              bool time)
{
    struct text_short room;
    add_word(out, vidmm_event_info(event->kind)->name);
    if (event->label && *event->label) {
        add(out, " ", 1);
        add_word(out, event->label);
    }
    for (size_t i = 0; i < event->field_count; i++) {
        const struct vidmm_field *field = &event->fields[i];
        if (!line_skips(event->kind, field->name, field->kind))
            (void)line_add_value(out, field, name_of(names, field, &room));
    }
    if (event->rule != VIDMM_RULE_NONE) {
        line_add_key(out, "rule");
        add_word(out, vidmm_rule_id(event->rule));
    }
    if (time) {
        line_add_key(out, "time");
        line_add_number(out, event->time);
        add(out, "ns", 2);
    }
    text_add_bytes(out, "", 0);
}

/* ---- the parts of a line -------------------------------------------------------------------- */

struct slice slice_of(const char *text)
{
    return (struct slice){ text, strlen(text) };
}

bool slice_same(struct slice a, struct slice b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.at, b.at, a.length) == 0);
}

/* Up to the next blank; a quoted value may hold some. Moves `rest` past it. */
static struct slice next_word(struct slice *rest)
{
    size_t at = 0;
    bool quoted = false;
    while (rest->length && *rest->at == ' ') {
        rest->at++;
        rest->length--;
    }
    for (; at < rest->length && (quoted || rest->at[at] != ' '); at++)
        quoted ^= rest->at[at] == '"';
    struct slice word = { rest->at, at };
    rest->at += at;
    rest->length -= at;
    return word;
}

struct slice line_event(struct slice line)
{
    return next_word(&line);
}

struct slice line_subject(struct slice line)
{
    (void)next_word(&line);
    struct slice word = next_word(&line);
    return word.length && memchr(word.at, '=', word.length) ? (struct slice){ word.at, 0 } : word;
}

bool line_pair(struct slice line, size_t index, struct slice *key, struct slice *value)
{
    struct slice word = next_word(&line);
    while ((word = next_word(&line)).length) {
        const char *equals = memchr(word.at, '=', word.length);
        if (!equals) /* the subject is no pair */
            continue;
        if (index--)
            continue;
        size_t length = (size_t)(equals - word.at);
        *key = (struct slice){ word.at, length };
        *value = (struct slice){ equals + 1, word.length - length - 1 };
        return true;
    }
    return false;
}

struct slice line_value(struct slice line, const char *wanted)
{
    struct slice key, value;
    for (size_t i = 0; line_pair(line, i, &key, &value); i++)
        if (slice_same(key, slice_of(wanted)))
            return value;
    return (struct slice){ "", 0 };
}

struct slice line_timeless(struct slice line)
{
    static const char time[] = " time=";
    for (size_t at = line.length; at-- > 0 && line.at[at] != '"';)
        if (line.at[at] == ' ')
            return line.length - at > sizeof time - 1 &&
                           memcmp(line.at + at, time, sizeof time - 1) == 0
                       ? (struct slice){ line.at, at }
                       : line;
    return line;
}
