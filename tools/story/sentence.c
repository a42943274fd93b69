/* SPDX-License-Identifier: MIT */
/*
 * sentence.c: the sentences of events, and the fields that they are made of. Patterns are read each
 * time; a broken one is our own mistake.
 */
#include "tools/story/narrate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- looking into an event ------------------------------------------------------------------ */

uint64_t tale_number(const struct tale *tale, const char *name)
{
    return names_number(tale->event, name);
}

const char *tale_word(const struct tale *tale, const char *name)
{
    return names_word(tale->event, name);
}

bool tale_is(const struct tale *tale, const char *name, const char *value)
{
    return strcmp(tale_word(tale, name), value) == 0;
}

void tale_add_target(const struct tale *tale, const char *after)
{
    uint64_t all = tale_number(tale, "adapters");
    uint32_t node = (uint32_t)tale_number(tale, "node");
    text_add_string(tale->out, " was submitted to ");
    text_add_string(tale->out, names_node(&tale->narrator->names, node).it);
    if (all)
        text_add_string(tale->out, (all & (all - 1)) ? " of adapters " : " of adapter ");
    for (unsigned i = 0; i < VIDMM_LINK_MAX; i++) {
        uint64_t bit = UINT64_C(1) << i;
        if (all & bit)
            text_add(tale->out, "%s%u", text_between(all & (bit - 1), all >> i >> 1), i);
    }
    text_add_string(tale->out, after);
}

/* "0x18 (TransferStart,TransferEnd)", where the names are known. */
static void add_flags(const struct tale *tale, const struct vidmm_field *field)
{
    static const struct {
        const char *ddi, *operation, *name;
        enum vidmm_flag_set set;
    } known[] = {
        { "DxgkDdiBuildPagingBuffer", "TRANSFER", "Flags", VIDMM_FLAGS_TRANSFER },
        { "DxgkDdiBuildPagingBuffer", "SPECIAL_LOCK_TRANSFER", "Flags", VIDMM_FLAGS_TRANSFER },
        { "DxgkDdiCreateAllocation", "", "Flags", VIDMM_FLAGS_DDI_CREATE },
    };
    char words[200];
    text_add(tale->out, "0x%" PRIX64, field->value);
    for (size_t i = 0; i < ARRAY_COUNT(known) && field->value; i++)
        if (strcmp(known[i].name, field->name) == 0 && tale_is(tale, "ddi", known[i].ddi) &&
            tale_is(tale, "Operation", known[i].operation))
            text_add(tale->out, " (%s)",
                     vidmm_flags_text(known[i].set, (uint32_t)field->value, words, sizeof words));
}

/* "name=value", for the sentences without words of their own. */
static void tale_add_field(const struct tale *tale, const struct vidmm_field *field)
{
    const struct names *names = &tale->narrator->names;
    struct text *out = tale->out;
    text_add_string(out, field->name);
    text_add_string(out, "=");
    switch (field->kind) {
    case VIDMM_FIELD_NUMBER:
    case VIDMM_FIELD_FLAG:
    case VIDMM_FIELD_NODE: text_add_number(out, field->value); break;
    case VIDMM_FIELD_HEX: add_flags(tale, field); break;
    case VIDMM_FIELD_BYTES: text_add_string(out, text_size(field->value).it); break;
    case VIDMM_FIELD_NS: text_add_string(out, text_span(field->value).it); break;
    case VIDMM_FIELD_SEGMENT: /* "1 (vram)", as the driver gets it; 0 is none, or system memory */
        text_add_number(out, field->value);
        if (!field->value)
            break;
        text_add_string(out, " (");
        text_add_string(out, names_segment(names, (uint32_t)field->value).it);
        text_add_string(out, ")");
        break;
    case VIDMM_FIELD_ALLOCATION:
        text_add_string(out, names_meant(names, field).it);
        break;
    case VIDMM_FIELD_STATUS:
        text_add_string(out, names_status((vidmm_status)(uint32_t)field->value).it);
        break;
    case VIDMM_FIELD_WORD:
    case VIDMM_FIELD_TEXT: text_add_string(out, field->text); break;
    }
}

void tale_add_fields(const struct tale *tale, size_t from, const char *before)
{
    for (size_t i = from; i < tale->event->field_count; i++) {
        text_add_string(tale->out, i == from ? before : ", ");
        tale_add_field(tale, &tale->event->fields[i]);
    }
}

/* ---- patterns ------------------------------------------------------------------------------ */

enum { NAME_BYTES = 32 };

/* A part of a pattern. */
struct span {
    const char *at, *end;
};

/* A name in a pattern, on its own. */
struct name {
    char it[NAME_BYTES];
};

static const struct {
    const char *table, *word, *pattern;
} wordings[] = {
#define WORDING(table, word, pattern) { table, word, pattern },
#include "tools/story/narrate.def"
};

static void sentence_add_span(const struct tale *tale, struct span pattern);

static struct name sentence_name_of(struct span text)
{
    struct name name = { "" };
    size_t length = (size_t)(text.end - text.at);
    CHECK(length < sizeof name.it);
    memcpy(name.it, text.at, length);
    return name;
}

/* Where the first `stop` is, or the end. */
static const char *find_in(struct span text, char stop)
{
    const char *at = memchr(text.at, stop, (size_t)(text.end - text.at));
    return at ? at : text.end;
}

/* The first `stop` or closing bracket outside of inner brackets, or the end. */
static const char *find_outside(struct span text, char stop)
{
    int depth = 0;
    for (; text.at < text.end; text.at++) {
        if (!depth && (*text.at == stop || *text.at == ']'))
            break;
        depth += (*text.at == '[') - (*text.at == ']');
    }
    return text.at;
}

/* ---- fields -------------------------------------------------------------------------------- */

static const char *sentence_word_of(const struct tale *tale, const char *name)
{
    if (!strcmp(name, "who"))
        return names_subject(tale->event);
    if (!strcmp(name, "event"))
        return vidmm_event_info(tale->event->kind)->name;
    if (!strcmp(name, "rule"))
        return vidmm_rule_id(tale->event->rule);
    return tale_word(tale, name);
}

static void add_plain(const struct tale *tale, const char *name)
{
    const struct names *names = &tale->narrator->names;
    const struct vidmm_field *field = names_field(tale->event, name);
    uint64_t value = field ? field->value : 0;
    if (field && field->kind == VIDMM_FIELD_ALLOCATION)
        text_add_string(tale->out, names_meant(names, field).it);
    else if (!strcmp(name, "segment"))
        text_add_string(tale->out, names_segment(names, (uint32_t)value).it);
    else if (!strcmp(name, "node"))
        text_add_string(tale->out, names_node(names, (uint32_t)value).it);
    else if (!strcmp(name, "offset"))
        text_add_string(tale->out, text_offset(value).it);
    else if (!strcmp(name, "buffer"))
        tale_add_buffer(tale);
    else
        text_add_string(tale->out, sentence_word_of(tale, name));
}

static void add_worded(const struct tale *tale, const char *name, const char *table)
{
    const char *word = sentence_word_of(tale, name);
    for (size_t i = 0; i < ARRAY_COUNT(wordings); i++)
        if (*wordings[i].table == *table && !strcmp(wordings[i].table, table) &&
            (!*wordings[i].word || !strcmp(wordings[i].word, word))) {
            sentence_add(tale, wordings[i].pattern);
            return;
        }
    text_add_string(tale->out, word);
}

static void add_number(const struct tale *tale, const char *form, uint64_t value)
{
    struct text *out = tale->out;
    char words[200];
    if (!strcmp(form, "number"))
        text_add_number(out, value);
    else if (!strcmp(form, "hex"))
        text_add(out, "0x%" PRIX64, value);
    else if (!strcmp(form, "hex8"))
        text_add(out, "0x%08" PRIX64, value);
    else if (!strcmp(form, "size"))
        text_add_string(out, text_size(value).it);
    else if (!strcmp(form, "span"))
        text_add_string(out, text_span(value).it);
    else if (!strcmp(form, "offset"))
        text_add_string(out, text_offset(value).it);
    else if (!strcmp(form, "status"))
        text_add_string(out, names_status((vidmm_status)(uint32_t)value).it);
    else if (!strcmp(form, "fields") || !strcmp(form, "more"))
        tale_add_fields(tale, value, *form == 'f' ? ": " : ", ");
    else
        text_add_string(out, vidmm_flags_text(tale_is(tale, "view", "FlagsWddm2")
                                                  ? VIDMM_FLAGS_ALLOCATION2_0
                                                  : VIDMM_FLAGS_ALLOCATION,
                                              (uint32_t)value, words, sizeof words));
}

/* What stands between braces. */
static void sentence_add_field(const struct tale *tale, struct span field)
{
    const char *blank = find_in(field, ' ');
    const char *slash = find_in(field, '/');
    if (blank < field.end) {
        struct name name = sentence_name_of((struct span){ blank + 1, field.end });
        bool digit = *name.it >= '0' && *name.it <= '9';
        add_number(tale, sentence_name_of((struct span){ field.at, blank }).it,
                   digit ? strtoull(name.it, NULL, 10) : tale_number(tale, name.it));
    } else if (slash < field.end) {
        struct name table = sentence_name_of((struct span){ slash + 1, field.end });
        add_worded(tale, sentence_name_of((struct span){ field.at, slash }).it, table.it);
    } else {
        add_plain(tale, sentence_name_of(field).it);
    }
}

/* ---- choices ------------------------------------------------------------------------------- */

static bool sentence_holds(const struct tale *tale, struct span test)
{
    struct span rest = test;
    while (rest.at < rest.end && *rest.at != '=' && *rest.at != '>')
        rest.at++;
    struct name name = sentence_name_of((struct span){ test.at, rest.at });
    uint64_t number =
        !strcmp(name.it, "subject") ? tale->event->subject : tale_number(tale, name.it);
    const char *word = sentence_word_of(tale, name.it);
    if (rest.at == rest.end)
        return number || *word;
    struct name value = sentence_name_of((struct span){ rest.at + 1, rest.end });
    if (*rest.at == '>')
        return number > strtoull(value.it, NULL, 10);
    if (*word)
        return !strcmp(word, value.it);
    bool digits = *value.it >= '0' && *value.it <= '9';
    return digits && number == strtoull(value.it, NULL, 10);
}

/* What stands after an opening bracket; returns where the closing one is. */
static const char *add_choice(const struct tale *tale, struct span choice)
{
    const char *question = find_in(choice, '?');
    CHECK(question < choice.end);
    const char *bar = find_outside((struct span){ question + 1, choice.end }, '|');
    CHECK(bar < choice.end);
    const char *second = *bar == '|' ? bar + 1 : bar;
    const char *close = find_outside((struct span){ second, choice.end }, ']');
    sentence_add_span(tale, sentence_holds(tale, (struct span){ choice.at, question })
                                ? (struct span){ question + 1, bar }
                                : (struct span){ second, close });
    return close;
}

static void sentence_add_span(const struct tale *tale, struct span pattern)
{
    while (pattern.at < pattern.end) {
        struct span inner = { pattern.at + 1, pattern.end };
        if (*pattern.at == '{') {
            inner.end = find_in(inner, '}');
            sentence_add_field(tale, inner);
        } else if (*pattern.at == '[') {
            inner.end = add_choice(tale, inner);
        } else {
            const char *end = pattern.at;
            while (end < pattern.end && *end != '{' && *end != '[')
                end++;
            text_add_bytes(tale->out, pattern.at, (size_t)(end - pattern.at));
            inner.end = end - 1;
        }
        pattern.at = inner.end + 1;
    }
}

void sentence_add(const struct tale *tale, const char *pattern)
{
    sentence_add_span(tale, (struct span){ pattern, pattern + strlen(pattern) });
}
