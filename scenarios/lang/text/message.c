/* SPDX-License-Identifier: MIT */
/*
 * message.c: what is wrong, where, and what it should have been.
 *
 *     overlay.vms:5:32: error: 'FromEndOfSegmnt' is not an allocation flag
 *         5 | create c size=4M flags=Overlay,FromEndOfSegmnt
 *           |                                ^^^^^^^^^^^^^^^
 *           = help: did you mean 'FromEndOfSegment'?
 *
 * Messages are kept until the end of the pass and handed out in the order of the text, because some
 * are found by the parser and some by the checks after it. Of very many the first fifty are kept.
 */
#include "scenarios/lang/text/source.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_COLUMNS = 100, SHOWN_BEFORE = 40, TAB_COLUMNS = 8, MESSAGE_BYTES = 1024 };

/* A growing text. */
struct builder {
    char *text;
    size_t length, capacity;
};

static void add_bytes(struct builder *builder, const char *text, size_t bytes)
{
    BASE_GROW(builder->text, builder->capacity, builder->length + bytes + 1);
    memcpy(builder->text + builder->length, text, bytes);
    builder->length += bytes;
    builder->text[builder->length] = '\0';
}

VIDMM_PRINTF(2, 3) static void add(struct builder *builder, const char *format, ...)
{
    char text[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    CHECK(length >= 0);
    add_bytes(builder, text, min_u64((uint64_t)length, sizeof text - 1));
}

/* One line of text as a terminal shows it, and the columns of the marked part. */
struct picture {
    struct builder cells; /* bytes of all columns */
    size_t *starts;       /* where each column begins in `cells` */
    size_t columns, capacity;
    size_t mark, mark_end;
};

static void add_cell(struct picture *picture, const char *text, size_t bytes)
{
    BASE_GROW(picture->starts, picture->capacity, picture->columns + 2);
    picture->starts[picture->columns++] = picture->cells.length;
    add_bytes(&picture->cells, text, bytes);
    picture->starts[picture->columns] = picture->cells.length;
}

static void add_character(struct picture *picture, const char *text, size_t length)
{
    uint32_t code;
    if (text[0] == '\t') {
        size_t wide = TAB_COLUMNS - picture->columns % TAB_COLUMNS;
        for (size_t i = 0; i < wide; i++)
            add_cell(picture, " ", 1);
    } else if (!length || source_is_control(text, length, &code)) {
        add_cell(picture, "?", 1);
    } else {
        add_cell(picture, text, length);
    }
}

/* Of a line that is no text, such as a huge file of zeros, only what is near the mark is kept. */
static void draw(struct picture *picture, const struct source *source, const struct line_view *line,
                 struct place at)
{
    uint32_t end = (uint32_t)min_u64(line->end, (uint64_t)at.offset + LANG_LINE_MAX);
    uint32_t start = (uint32_t)max_u64(line->start, at.offset - min_u64(at.offset, LANG_LINE_MAX));
    for (uint32_t offset = start; offset < end;) {
        size_t length = source_character(source->text + offset, end - offset);
        add_character(picture, source->text + offset, length);
        if (offset < at.offset)
            picture->mark = picture->columns;
        if (offset < at.offset + at.length)
            picture->mark_end = picture->columns;
        offset += length ? (uint32_t)length : 1;
    }
    if (picture->mark_end <= picture->mark)
        picture->mark_end = picture->mark + 1;
}

/* The line and the mark under it; of a long line only what is around the mark. */
static void add_picture(struct builder *out, const struct picture *picture, uint32_t number)
{
    size_t from = 0;
    size_t to = picture->columns;
    if (to > SHOWN_COLUMNS) {
        from = picture->mark > SHOWN_BEFORE ? picture->mark - SHOWN_BEFORE : 0;
        to = min_u64(from + SHOWN_COLUMNS, picture->columns);
    }
    const char *before = from ? "..." : "";
    const char *after = to < picture->columns ? "..." : "";
    add(out, "%5" PRIu32 " | %s", number, before);
    if (from < to)
        add_bytes(out, picture->cells.text + picture->starts[from],
                  picture->starts[to] - picture->starts[from]);
    size_t marks = min_u64(picture->mark_end, max_u64(to, picture->mark + 1)) - picture->mark;
    add(out, "%s\n      | %*s", after, (int)(strlen(before) + picture->mark - from), "");
    while (marks--)
        add(out, "^");
    add(out, "\n");
}

const char *scenario_severity_word(enum scenario_severity severity)
{
    static const char *const words[] = {
        [SCENARIO_ERROR] = "error",     [SCENARIO_WARNING] = "warning",
        [SCENARIO_FAILED] = "failed",   [SCENARIO_STOPPED] = "stopped",
        [SCENARIO_FINDING] = "finding",
    };
    return words[severity];
}

/* Of what the reader has to mend; a failure has its words in its text. */
static bool has_picture(const struct source *source, struct place at,
                        enum scenario_severity severity)
{
    return source->bytes &&
           (severity == SCENARIO_ERROR || (severity == SCENARIO_STOPPED && at.length > 0));
}

/* Lines, each set in by three spaces. */
static void add_details(struct builder *out, const char *details)
{
    while (*details) {
        size_t length = strcspn(details, "\n");
        add_bytes(out, "   ", 3);
        add_bytes(out, details, length);
        add_bytes(out, "\n", 1);
        details += length + (details[length] == '\n');
    }
}

/* "file:line:col: error: text", the line, the mark, the help. Free with base_free(). */
static char *message_render(struct source *source, struct place at,
                            const struct scenario_message *message)
{
    struct builder out = { 0 };
    struct picture picture = { 0 };
    struct line_view line = source_line(source, at.offset);
    add_bytes(&out, source->name, strlen(source->name));
    add(&out, ":%" PRIu32 ":%" PRIu32 ": %s: ", line.number,
        source_column(source, &line, at.offset), scenario_severity_word(message->severity));
    add_bytes(&out, message->text, strlen(message->text));
    add_bytes(&out, "\n", 1);
    if (has_picture(source, at, message->severity)) {
        draw(&picture, source, &line, at);
        add_picture(&out, &picture, line.number);
    }
    if (message->details)
        add_details(&out, message->details);
    if (message->help)
        add(&out, "      = help: %s\n", message->help);
    base_free(picture.starts);
    base_free(picture.cells.text);
    return out.text;
}

void message_where(struct scenario *scenario, struct place at, struct scenario_span *span)
{
    struct source *source = scenario->sources[at.source];
    struct line_view line = source_line(source, at.offset);
    uint32_t column = source_column(source, &line, at.offset);
    uint32_t end = source_column(source, &line, at.offset + at.length);
    *span = (struct scenario_span){ source->name, line.number, column, end - column };
}

static int compare_places(const void *left, const void *right)
{
    const struct message *a = left;
    const struct message *b = right;
    if (a->at.source != b->at.source)
        return a->at.source < b->at.source ? -1 : 1;
    if (a->at.offset != b->at.offset)
        return a->at.offset < b->at.offset ? -1 : 1;
    return strcmp(a->text, b->text);
}

/* A free slot; when all are taken, that of the last message in the text if it comes after
 * `message`.
 */
static struct message *find_slot(struct messages *messages, const struct message *message)
{
    if (messages->count < LANG_MESSAGES_MAX)
        return &messages->list[messages->count++];
    messages->dropped++;
    struct message *last = &messages->list[0];
    for (size_t i = 1; i < messages->count; i++) {
        if (compare_places(&messages->list[i], last) > 0)
            last = &messages->list[i];
    }
    if (compare_places(message, last) >= 0)
        return NULL;
    base_free(last->text);
    base_free(last->help);
    return last;
}

bool message_error(struct scenario *scenario, struct place at, const char *help, const char *format,
                   ...)
{
    struct messages *messages = &scenario->messages;
    char text[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    CHECK(length >= 0);
    if (messages->muted)
        return false;
    struct message message = { .severity = SCENARIO_ERROR, .at = at, .text = text };
    messages->errors++;
    messages->defined += scenario->sources[at.source]->defined;
    struct message *slot = find_slot(messages, &message);
    if (!slot)
        return false;
    *slot = message;
    slot->text = base_strndup(text, strlen(text));
    slot->help = help ? base_strndup(help, min_u64(strlen(help), MESSAGE_BYTES - 1)) : NULL;
    return false;
}

bool message_enough(const struct scenario *scenario)
{
    return scenario->messages.errors >= LANG_ERRORS_MAX;
}

void message_say(struct scenario *scenario, struct place at, struct scenario_message message)
{
    char *rendered = message_render(scenario->sources[at.source], at, &message);
    message.rendered = rendered;
    message_where(scenario, at, &message.at);
    if (scenario->host->message)
        scenario->host->message(scenario->host, &message);
    base_free(rendered);
}

static void message_hand_out(struct scenario *scenario, struct message *message)
{
    message_say(scenario, message->at,
                (struct scenario_message){
                    .severity = message->severity, .text = message->text, .help = message->help });
    base_free(message->text);
    base_free(message->help);
}

static void tell_dropped(struct scenario *scenario)
{
    char text[MESSAGE_BYTES];
    char rendered[MESSAGE_BYTES + 2];
    snprintf(text, sizeof text, "%s: %zu more errors%s", scenario->sources[0]->name,
             scenario->messages.dropped,
             message_enough(scenario) ? ", and nothing was read behind them" : "");
    snprintf(rendered, sizeof rendered, "%s\n", text);
    struct scenario_message outward = { .severity = SCENARIO_ERROR,
                                        .at = { .file = scenario->sources[0]->name },
                                        .text = text,
                                        .rendered = rendered };
    if (scenario->host->message)
        scenario->host->message(scenario->host, &outward);
}

void message_flush(struct scenario *scenario)
{
    struct messages *messages = &scenario->messages;
    qsort(messages->list, messages->count, sizeof *messages->list, compare_places);
    for (size_t i = 0; i < messages->count; i++)
        message_hand_out(scenario, &messages->list[i]);
    if (messages->dropped)
        tell_dropped(scenario);
    messages->count = messages->dropped = 0;
}
