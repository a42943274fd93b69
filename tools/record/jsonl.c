/* SPDX-License-Identifier: MIT */
/*
 * jsonl.c: a line of `vidmm run --format=jsonl` as a line of a decision log.
 *
 * The lines are flat: members that are objects or arrays belong to `show`, which is no decision.
 * Numbers have up to 64 bits, more than a library that keeps them as double would leave.
 */
#include <string.h>

#include "tools/record/kinds.h"
#include "tools/record/reader.h"

enum { MEMBERS_MOST = 40 };

struct member {
    struct slice name, value; /* of a string without its quotes, escapes as they are */
    bool text;
};

struct members {
    struct member of[MEMBERS_MOST];
    size_t count;
};

/* ---- reading -------------------------------------------------------------------------------- */

static struct slice take_string(const char **at, const char *end)
{
    const char *from = ++*at;
    while (*at < end && **at != '"')
        *at += **at == '\\' && *at + 1 < end ? 2 : 1;
    struct slice text = { from, (size_t)(*at - from) };
    *at += *at < end;
    return text;
}

/* False: not flat, or no JSON. */
static bool read_members(struct slice json, struct members *members)
{
    const char *at = json.at + 1, *end = json.at + json.length - 1;
    members->count = 0;
    while (at < end) {
        struct member *member = &members->of[members->count];
        if (members->count == MEMBERS_MOST || *at != '"')
            return false;
        member->name = take_string(&at, end);
        if (at >= end || *at++ != ':' || at >= end || *at == '{' || *at == '[')
            return false;
        member->text = *at == '"';
        if (member->text)
            member->value = take_string(&at, end);
        else {
            member->value.at = at;
            while (at < end && *at != ',')
                at++;
            member->value.length = (size_t)(at - member->value.at);
        }
        members->count++;
        if (at < end && *at++ != ',')
            return false;
    }
    return true;
}

static const struct member *find(const struct members *members, const char *name)
{
    for (size_t i = 0; i < members->count; i++)
        if (slice_same(members->of[i].name, slice_of(name)))
            return &members->of[i];
    return NULL;
}

/* Control characters become blanks, as a line of text needs it. */
static void add_string(struct text *out, struct slice text)
{
    for (size_t i = 0; i < text.length; i++) {
        bool escape = text.at[i] == '\\' && i + 1 < text.length;
        char c = escape ? text.at[++i] : text.at[i];
        if (escape && c == 'u') {
            i += text.length - i > 4 ? 4 : text.length - i - 1;
            c = ' ';
        }
        text_add_bytes(out, &c, 1);
    }
}

static uint64_t number_of(const struct member *member)
{
    uint64_t value = 0;
    for (size_t i = 0; i < member->value.length; i++) {
        char c = member->value.at[i];
        if (c < '0' || c > '9')
            return value + (slice_same(member->value, slice_of("true")) ? 1 : 0);
        value = value * 10 + (uint64_t)(c - '0');
    }
    return value;
}

/* ---- events --------------------------------------------------------------------------------- */

static void add_member(struct text *out, const struct members *members,
                       const struct vidmm_event_field_info *info, const struct member *member)
{
    char key[80];
    struct text word = { 0 };
    struct vidmm_field field = { info->name, info->kind, 0, NULL };
    (void)snprintf(key, sizeof key, "%s_name", info->name);
    const struct member *name = find(members, key);
    if (member->text || (name && name->text))
        add_string(&word, (name ? name : member)->value);
    if (!member->text)
        field.value = number_of(member);
    field.text = text_get(&word);
    bool system = name && !field.value && info->kind == VIDMM_FIELD_SEGMENT;
    (void)line_add_value(out, &field, system ? "system" : field.text);
    text_free(&word);
}

static void add_event(struct text *out, enum vidmm_event_kind kind, const struct members *members)
{
    const struct vidmm_event_field_info *info;
    const struct member *member = find(members, "label");
    text_add_bytes(out, vidmm_event_info(kind)->name, strlen(vidmm_event_info(kind)->name));
    if (member) {
        text_add_bytes(out, " ", 1);
        add_string(out, member->value);
    }
    /* In the order of the line, which is that of the event. */
    for (size_t at = 0; at < members->count; at++) {
        for (size_t i = 0; (info = vidmm_event_field(kind, i)) != NULL; i++)
            if (slice_same(members->of[at].name, slice_of(info->name)) &&
                !line_skips(kind, info->name, info->kind)) {
                add_member(out, members, info, &members->of[at]);
                break;
            }
    }
    member = find(members, "rule");
    if (member) {
        line_add_key(out, "rule");
        add_string(out, member->value);
    }
}

static enum line_kind convert_event(const struct members *members, const struct record_kinds *kinds,
                                    struct text *out)
{
    const struct member *event = find(members, "event"), *time = find(members, "time");
    if (!event || !event->text)
        return LINE_END;
    char *name = base_strndup(event->value.at, event->value.length);
    enum vidmm_event_kind kind = vidmm_event_by_name(name);
    base_free(name);
    if (kind == VIDMM_EVENT_NONE || (!kinds->of[kind] && !kinds_of_trail(kind)))
        return LINE_END;
    add_event(out, kind, members);
    if (!kinds->of[kind])
        return LINE_TRAIL;
    if (kinds->times && time && !time->text) {
        line_add_key(out, "time");
        line_add_number(out, number_of(time));
        text_add_bytes(out, "ns", 2);
    }
    return LINE_DECISION;
}

/* ---- lines ---------------------------------------------------------------------------------- */

enum line_kind jsonl_convert(struct slice json, const struct record_kinds *kinds, struct text *out,
                             uint64_t *number)
{
    struct members members;
    if (!read_members(json, &members) || !members.count || !members.of[0].text)
        return LINE_END;
    struct slice type = members.of[0].value;
    const struct member *word;
    if (slice_same(type, slice_of("event")))
        return convert_event(&members, kinds, out);
    if ((word = find(&members, "statement")) != NULL) {
        const struct member *line = find(&members, "line");
        *number = line ? number_of(line) : 0;
        add_string(out, word->value);
        return LINE_STATEMENT;
    }
    bool test = slice_same(type, slice_of("test"));
    if (!test && !slice_same(type, slice_of("file")))
        return LINE_END;
    word = find(&members, test ? "test" : "file");
    text_add(out, test ? "test \"" : "file ");
    if (word)
        add_string(out, word->value);
    text_add(out, test ? "\"" : "");
    return LINE_SECTION;
}
