/* SPDX-License-Identifier: MIT */
/*
 * reader.c: a log, line by line, through one buffer of fixed size.
 */
#define _DEFAULT_SOURCE /* fseeko */
#include "tools/record/reader.h"

#include <errno.h>
#include <string.h>

#include "tools/story/story.h"

enum { BUFFER_BYTES = 1 << 18, LINE_MOST = 1 << 16, EVENT_MOST = 32 };

static struct reader_line stop(struct reader *reader, const char *what)
{
    if (!reader->problem.length && !reader->lines)
        text_add(&reader->problem, "%s: %s", reader->name, what);
    else if (!reader->problem.length)
        text_add(&reader->problem, "%s:%llu: %s", reader->name, (unsigned long long)reader->lines,
                 what);
    reader->last = true;
    reader->begin = reader->end;
    return (struct reader_line){ .kind = LINE_END };
}

/* ---- bytes ---------------------------------------------------------------------------------- */

static void fill(struct reader *reader)
{
    memmove(reader->bytes, reader->bytes + reader->begin, reader->end - reader->begin);
    reader->offset += reader->begin;
    reader->end -= reader->begin;
    reader->begin = 0;
    size_t got =
        fread(reader->bytes + reader->end, 1, reader->capacity - reader->end, reader->file);
    reader->end += got;
    reader->last = got == 0;
}

/* What a terminal would obey is in no log. The line is the last one that was taken; a CR before
   its end, as git makes on some systems, belongs to the end. */
static bool is_plain(struct reader *reader, struct slice *line)
{
    line->length -= line->length && line->at[line->length - 1] == '\r';
    reader->bytes[line->at - reader->bytes + (ptrdiff_t)line->length] = '\0';
    bool plain = text_is_plain(line->at) && strlen(line->at) == line->length;
    if (!plain)
        (void)stop(reader, "there is a control character in this line");
    return plain;
}

/* False after the last, or there is a problem. */
static bool next_bytes(struct reader *reader, struct slice *line)
{
    size_t seen = 0;
    for (;;) {
        const char *from = reader->bytes + reader->begin;
        size_t held = reader->end - reader->begin;
        const char *end = held > seen ? memchr(from + seen, '\n', held - seen) : NULL;
        if (end) {
            *line = (struct slice){ from, (size_t)(end - from) };
            reader->begin += line->length + 1;
            reader->lines++;
            seen = line->length;
        } else
            seen = held;
        if (seen > LINE_MOST) {
            reader->lines += !end;
            (void)stop(reader, "the line is longer than 65536 bytes");
            return false;
        }
        if (end)
            return is_plain(reader, line);
        if (reader->last)
            break;
        fill(reader);
    }
    if (ferror(reader->file))
        (void)stop(reader, "it cannot be read");
    else if (seen) {
        reader->lines++;
        (void)stop(reader, "the log ends in the middle of a line");
    }
    return false;
}

uint64_t reader_place(const struct reader *reader)
{
    return reader->offset + reader->begin;
}

void reader_seek(struct reader *reader, uint64_t place)
{
    (void)fseeko(reader->file, (off_t)place, SEEK_SET);
    reader->offset = place;
    reader->begin = reader->end = 0;
    reader->last = reader->again = reader->left_out = false;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static bool starts(struct slice line, const char *word)
{
    size_t length = strlen(word);
    return line.length >= length && memcmp(line.at, word, length) == 0;
}

static struct slice without(struct slice line, size_t bytes)
{
    return (struct slice){ line.at + bytes, line.length - bytes };
}

/* Names of events are short, and have small letters and '-'; which there are is not for old logs.
 */
static bool is_event(struct slice line)
{
    size_t at = 0;
    while (at < line.length && (line.at[at] == '-' || (line.at[at] >= '0' && line.at[at] <= '9') ||
                                (line.at[at] >= 'a' && line.at[at] <= 'z')))
        at++;
    return at && at <= EVENT_MOST && (at == line.length || line.at[at] == ' ');
}

/* "12: create a" */
static struct reader_line statement(struct slice text)
{
    struct reader_line line = { LINE_STATEMENT, text, 0 };
    size_t at = 0;
    uint64_t number = 0;
    for (; at < text.length && at < 10 && text.at[at] >= '0' && text.at[at] <= '9'; at++)
        number = number * 10 + (uint64_t)(text.at[at] - '0');
    if (at && at + 1 < text.length && text.at[at] == ':' && text.at[at + 1] == ' ') {
        line.number = number;
        line.text = without(text, at + 2);
    }
    return line;
}

struct reader_line reader_classify(struct slice line)
{
    if (!line.length || *line.at == '#')
        return (struct reader_line){ LINE_END, { "", 0 }, 0 };
    if (starts(line, "  "))
        return (struct reader_line){ LINE_TRAIL, without(line, 2), 0 };
    if (starts(line, "> "))
        return statement(without(line, 2));
    if (starts(line, "test \"") || starts(line, "file "))
        return (struct reader_line){ LINE_SECTION, line, 0 };
    bool word = is_event(line) && !memchr(line.at, '\0', line.length);
    return (struct reader_line){ word ? LINE_DECISION : LINE_END, line, 0 };
}

static struct reader_line next_json(struct reader *reader)
{
    struct reader_line line = { .kind = LINE_END };
    struct slice json;
    while (line.kind == LINE_END && next_bytes(reader, &json)) {
        if (!json.length || *json.at != '{' || json.at[json.length - 1] != '}')
            return stop(reader, "no object of JSON");
        text_clear(&reader->made);
        if (starts(json, "{\"type\":\"test_end\""))
            reader->again = true;
        line.kind = jsonl_convert(json, &reader->kinds, &reader->made, &line.number);
        line.text = (struct slice){ text_get(&reader->made), reader->made.length };
        reader->again &= line.kind != LINE_SECTION;
        line.kind = reader->again ? LINE_END : line.kind;
    }
    return line;
}

/* Decisions of other kinds than the reader asks for, and their trails. */
static bool is_left_out(struct reader *reader, const struct reader_line *line)
{
    if (!reader->only || line->kind != LINE_DECISION)
        return reader->left_out && line->kind == LINE_TRAIL;
    const char *blank = memchr(line->text.at, ' ', line->text.length);
    char *word =
        base_strndup(line->text.at, blank ? (size_t)(blank - line->text.at) : line->text.length);
    reader->left_out = !reader->only->of[vidmm_event_by_name(word)];
    base_free(word);
    return reader->left_out;
}

struct reader_line reader_next(struct reader *reader)
{
    struct slice bytes;
    if (reader->jsonl)
        return next_json(reader);
    while (next_bytes(reader, &bytes)) {
        struct reader_line line = reader_classify(bytes);
        if (line.kind != LINE_END && is_left_out(reader, &line))
            continue;
        if (line.kind != LINE_END)
            return line;
        if (line.text.length)
            return stop(reader, "neither a decision, nor `test`, `file`, `>` or two blanks");
    }
    return (struct reader_line){ .kind = LINE_END };
}

/* ---- the first lines ------------------------------------------------------------------------ */

static bool read_kinds(struct reader *reader)
{
    struct slice line;
    struct text why = { 0 };
    bool good = next_bytes(reader, &line) && starts(line, "kinds ");
    if (!good)
        (void)stop(reader, "the line `kinds` is missing");
    else {
        char *list = base_strndup(line.at + 6, line.length - 6);
        good = record_kinds_read(&reader->kinds, list, &why);
        base_free(list);
    }
    if (!good)
        (void)stop(reader, text_get(&why));
    text_free(&why);
    return good;
}

static struct slice after(struct slice line, const char *word)
{
    size_t length = strlen(word);
    return (struct slice){ line.at + length, line.length - length };
}

/* `found` is the rest of the line from the number of the version on. */
static bool check_version(struct reader *reader, const char *format, struct slice found, int known)
{
    struct text why = { 0 };
    struct slice version = { found.at, 0 };
    while (version.length < found.length && !strchr(",}", found.at[version.length]))
        version.length++;
    bool good = slice_same(version, slice_of(text_print("%d", known).it));
    text_add(&why, "it is of version ");
    text_add_bytes(&why, version.at, version.length < 20 ? version.length : 20);
    text_add(&why, " of `%s`, and this program reads version %d: make it again with this program",
             format, known);
    if (!good)
        (void)stop(reader, text_get(&why));
    text_free(&why);
    return good;
}

bool reader_open(struct reader *reader, FILE *file, const char *name,
                 const struct record_kinds *kinds)
{
    static const char first[] = "vidmm-decisions ",
                      json[] = "{\"type\":\"vidmm_events\",\"vidmm_events\":";
    struct slice line;
    *reader = (struct reader){ .file = file, .name = name, .kinds = *kinds };
    BASE_GROW(reader->bytes, reader->capacity, (size_t)BUFFER_BYTES);
    do {
        if (!next_bytes(reader, &line)) {
            (void)stop(reader, "the log is empty");
            return false;
        }
    } while (line.length && *line.at == '#');
    reader->jsonl = starts(line, json);
    if (reader->jsonl)
        return check_version(reader, "vidmm_events", after(line, json), STORY_JSONL_VERSION);
    if (!starts(line, first)) {
        (void)stop(reader, "no log: it begins neither with `vidmm-decisions 1` nor with the first "
                           "line of `vidmm run --format=jsonl`");
        return false;
    }
    return check_version(reader, "vidmm-decisions", after(line, first), RECORD_VERSION) &&
           read_kinds(reader);
}

void reader_close(struct reader *reader)
{
    base_free(reader->bytes);
    text_free(&reader->made);
    text_free(&reader->problem);
}
