/* SPDX-License-Identifier: MIT */
/*
 * source.c: texts and where things stand in them.
 *
 * A place is an offset; lines and columns are worked out when a message needs them. For that a
 * source keeps the start of every 1024th line, made by one scan when the first message asks.
 */
#include "scenarios/lang/text/source.h"
#include "scenarios/lang/text/twin.h"

#include <string.h>

bool source_untwin(struct scenario *scenario, struct source *source)
{
    char problem[160];
    struct place at = { .offset = 0 };
    if (!twin_is(source->text, source->bytes))
        return true;
    source->twin = twin_open(source->text, source->bytes, problem);
    source->text = source->twin ? source->twin->text : "";
    source->bytes = source->twin ? source->twin->text_bytes : 0;
    while (scenario->sources[at.source] != source)
        at.source++;
    return source->twin ||
           message_error(scenario, at, "`vidmm convert` makes a new one from its text",
                         "this binary twin %s", problem);
}

void source_complete(struct source *source)
{
    if (source->twin)
        twin_complete(source->twin);
}

enum { LINES_PER_START = 1024 };

static void index_lines(struct source *source)
{
    size_t capacity = 0;
    uint32_t lines = 0;
    const char *at = source->text;
    const char *end = source->text + source->bytes;
    for (;;) {
        if (lines % LINES_PER_START == 0) {
            BASE_GROW(source->line_starts, capacity, source->line_start_count + 1);
            source->line_starts[source->line_start_count++] = (uint32_t)(at - source->text);
        }
        const char *next = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        if (!next)
            return;
        at = next + 1;
        lines++;
    }
}

/* The last kept line start at or before `offset`. */
static size_t find_start(const struct source *source, uint32_t offset)
{
    size_t low = 0;
    size_t high = source->line_start_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (source->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct line_view source_line(struct source *source, uint32_t offset)
{
    source_complete(source);
    if (!source->line_starts)
        index_lines(source);
    size_t start = find_start(source, offset);
    struct line_view line = { .number = (uint32_t)(start * LINES_PER_START) + 1,
                              .start = source->line_starts[start] };
    /* What runs asks for one line after the other. */
    if (source->last_number > line.number && source->last_start <= offset) {
        line.number = source->last_number;
        line.start = source->last_start;
    }
    const char *end = source->text + source->bytes;
    for (;;) {
        const char *from = source->text + line.start;
        const char *next = from < end ? memchr(from, '\n', (size_t)(end - from)) : NULL;
        line.end = next ? (uint32_t)(next - source->text) : source->bytes;
        if (!next || offset <= line.end)
            break;
        line.start = line.end + 1;
        line.number++;
    }
    source->last_number = line.number;
    source->last_start = line.start;
    if (line.end > line.start && source->text[line.end - 1] == '\r')
        line.end--;
    return line;
}

/* Bytes that a sequence beginning like this should have; 0: nothing begins like this. */
static size_t sequence_length(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first < 0xE0)
        return 2;
    if (first >= 0xE0 && first < 0xF0)
        return 3;
    return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

size_t source_character(const char *text, size_t bytes)
{
    if (!bytes)
        return 0;
    unsigned char first = (unsigned char)text[0];
    size_t length = sequence_length(first);
    for (size_t i = 1; i < length; i++)
        if (i == bytes || ((unsigned char)text[i] & 0xC0u) != 0x80u)
            return 0;
    if (length < 3)
        return length;
    /* Overlong forms, surrogates, and what lies above U+10FFFF. */
    unsigned char second = (unsigned char)text[1];
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F))
        return 0;
    if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
        return 0;
    return length;
}

bool source_is_control(const char *text, size_t length, uint32_t *code)
{
    static const struct {
        uint32_t first, last;
    } controls[] = {
        { 0x00, 0x08 },     { 0x0A, 0x1F },     { 0x7F, 0x9F },     { 0x061C, 0x061C },
        { 0x200E, 0x200F }, { 0x2028, 0x202E }, { 0x2066, 0x2069 },
    };
    unsigned char head = (unsigned char)text[0];
    *code = length < 2 ? head : head & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++)
        *code = *code << 6 | ((unsigned char)text[i] & 0x3Fu);
    for (size_t i = 0; i < ARRAY_COUNT(controls); i++)
        if (*code >= controls[i].first && *code <= controls[i].last)
            return true;
    return false;
}

uint32_t source_column(const struct source *source, const struct line_view *line, uint32_t offset)
{
    uint32_t column = 1;
    for (uint32_t at = line->start; at < offset && at < line->end;) {
        size_t length = source_character(source->text + at, line->end - at);
        at += length ? (uint32_t)length : 1;
        column++;
    }
    return column;
}

/* Removes the last component of `path` before `*length`; false when there is none to remove. */
static bool drop_component(const char *path, size_t *length)
{
    size_t end = *length;
    while (end && path[end - 1] == '/')
        end--;
    size_t start = end;
    while (start && path[start - 1] != '/')
        start--;
    if (start == end || (end - start == 2 && memcmp(path + start, "..", 2) == 0))
        return false;
    *length = start;
    return true;
}

static void append_component(char *path, size_t *length, const char *name, size_t bytes)
{
    if (bytes == 1 && name[0] == '.')
        return;
    if (bytes == 2 && memcmp(name, "..", 2) == 0 && drop_component(path, length))
        return;
    memcpy(path + *length, name, bytes);
    *length += bytes;
    path[(*length)++] = '/';
}

/*
 * The path of an included file, relative to the file that includes it, without "." and with ".."
 * resolved as far as it goes: so a cycle is found by comparing names.
 */
char *source_join(const char *including, const char *path, size_t bytes)
{
    const char *slash = strrchr(including, '/');
    size_t folder = slash && !(bytes && path[0] == '/') ? (size_t)(slash - including) + 1 : 0;
    char *joined = base_alloc(folder + bytes + 2, 1);
    memcpy(joined, including, folder);
    size_t length = folder;
    size_t at = 0;
    while (at < bytes) {
        size_t end = at;
        while (end < bytes && path[end] != '/')
            end++;
        if (end > at)
            append_component(joined, &length, path + at, end - at);
        else if (!length)
            joined[length++] = '/';
        at = end + 1;
    }
    if (length > 1)
        length--; /* the '/' after the last component */
    if (!length)
        joined[length++] = '.'; /* the folder itself has a name in messages, too */
    joined[length] = '\0';
    return joined;
}

/* It has no comment, so it ends where its text ends. */
struct place source_bulk_line(struct scenario *scenario, uint16_t index, uint32_t from)
{
    struct source *source = scenario->sources[index];
    source_complete(source);
    while (source->text[from] == ' ' || source->text[from] == '\t')
        from++;
    uint32_t to = from;
    while (to < source->bytes && source->text[to] != '\n' && source->text[to] != '\r')
        to++;
    while (source->text[to - 1] == ' ' || source->text[to - 1] == '\t')
        to--;
    return (struct place){ from, (uint16_t)min_u64(to - from, UINT16_MAX), index };
}

const char *source_text(const struct scenario *scenario, struct place at)
{
    source_complete(scenario->sources[at.source]);
    return scenario->sources[at.source]->text + at.offset;
}

const char *source_copy(const struct scenario *scenario, struct place at, char *text, size_t bytes)
{
    return text_format(text, bytes, "%.*s", (int)at.length, source_text(scenario, at));
}

struct source *source_add(struct scenario *scenario, const char *name, const char *text,
                          size_t bytes)
{
    BASE_GROW(scenario->sources, scenario->source_capacity, scenario->source_count + 1);
    struct source *source = base_alloc(1, sizeof *source);
    source->name = base_strndup(name, strlen(name));
    source->text = text ? text : "";
    source->bytes = (uint32_t)bytes;
    scenario->sources[scenario->source_count++] = source;
    return source;
}

/* Or a twin of one. A byte order mark may stand before it. */
bool source_is_scenario(const char *text, size_t bytes, uint32_t *start)
{
    static const char mark[] = "\xEF\xBB\xBF", name[] = "vidmm-scenario";
    *start = bytes >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    return twin_is(text, bytes) ||
           (bytes - *start >= sizeof name - 1 && memcmp(text + *start, name, sizeof name - 1) == 0);
}
