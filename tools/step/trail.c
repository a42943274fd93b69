/* SPDX-License-Identifier: MIT */
/*
 * trail.c: which events are kept to explain decisions, and for how long?
 *
 * A row keeps its memory when another event takes its place, so a long run asks for none.
 */
#include "tools/step/trail.h"

#include <string.h>

#include "tools/step/direction.h"

struct trail *trail_new(void)
{
    struct trail *trail = base_alloc(1, sizeof *trail);
    record_kinds_default(&trail->decisions);
    return trail;
}

void trail_free(struct trail *trail)
{
    for (size_t i = 0; i < TRAIL_ROWS; i++)
        base_free(trail->rows[i].bytes);
    narrate_reset(&trail->narrator);
    hang_forget(&trail->hang);
    text_free(&trail->text);
    text_free(&trail->known);
    text_free(&trail->sentence);
    base_free(trail);
}

/* An adapter begins, in the middle of a statement. */
static void trail_clear(struct trail *trail)
{
    narrate_reset(&trail->narrator);
    hang_forget(&trail->hang);
    trail->count = trail->alike = trail->stop = 0;
}

void trail_begin(struct trail *trail)
{
    trail_clear(trail);
    trail->statement = trail->line = 0;
    text_clear(&trail->text);
}

void trail_adapter(struct trail *trail, const struct vidmm_adapter *adapter)
{
    trail->narrator.names.adapter = adapter;
}

/* As much of a line as a reader takes in: each row has a copy. */
static void say_statement(struct trail *trail, const char *line)
{
    size_t length = strlen(line);
    if (length <= TRAIL_SAID) {
        text_add_string(&trail->text, line);
        return;
    }
    length = TRAIL_SAID;
    while (length && ((unsigned char)line[length] & 0xC0) == 0x80)
        length--; /* a character stays whole */
    text_add_bytes(&trail->text, line, length);
    text_add_string(&trail->text, " ...");
}

void trail_statement(struct trail *trail, const struct scenario_telling *telling)
{
    trail->statement++;
    trail->line = telling ? telling->at.line : 0;
    text_clear(&trail->text);
    if (telling)
        say_statement(trail, telling->text + strspn(telling->text, " \t"));
}

bool trail_only(enum vidmm_event_kind kind)
{
    return kind == VIDMM_EVENT_HOLE || kind == VIDMM_EVENT_PASS_OVER || kind == VIDMM_EVENT_TURN;
}

static bool is_evidence(enum vidmm_event_kind kind)
{
    return trail_only(kind) || kind == VIDMM_EVENT_CANDIDATE || kind == VIDMM_EVENT_SHORTAGE ||
           kind == VIDMM_EVENT_PAGE_IN;
}

/* ---- copies --------------------------------------------------------------------------------- */

static const char *copy_text(struct trail_row *row, size_t *used, const char *text)
{
    size_t length = strlen(text) + 1;
    char *to = row->bytes + *used;
    memcpy(to, text, length);
    *used += length;
    return to;
}

static const char *text_of(const struct trail *trail, const struct vidmm_field *field,
                           struct text_short *name)
{
    if (field->kind != VIDMM_FIELD_ALLOCATION)
        return field->text;
    *name = names_allocation(&trail->narrator.names, (vidmm_handle)field->value);
    return name->it;
}

static size_t bytes_of(const struct trail *trail, const struct vidmm_event *event)
{
    struct text_short name;
    size_t bytes = event->field_count * sizeof *event->fields + strlen(names_subject(event)) + 1 +
                   trail->known.length + 1 + trail->text.length + 1;
    for (size_t i = 0; i < event->field_count; i++) {
        const char *text = text_of(trail, &event->fields[i], &name);
        bytes += text ? strlen(text) + 1 : 0;
    }
    return bytes;
}

/* Names of fields are those of the catalogue and stay. */
static void copy_event(const struct trail *trail, struct trail_row *row,
                       const struct vidmm_event *event)
{
    struct text_short name;
    size_t used = event->field_count * sizeof *event->fields;
    BASE_GROW(row->bytes, row->capacity, bytes_of(trail, event));
    struct vidmm_field *fields = (struct vidmm_field *)(void *)row->bytes;
    row->event = *event;
    row->event.fields = fields;
    row->event.label = copy_text(row, &used, names_subject(event));
    row->known = copy_text(row, &used, text_get(&trail->known));
    row->said = copy_text(row, &used, text_get(&trail->text));
    for (size_t i = 0; i < event->field_count; i++) {
        const char *text = text_of(trail, &event->fields[i], &name);
        fields[i] = event->fields[i];
        fields[i].text = text ? copy_text(row, &used, text) : NULL;
    }
}

/* ---- keeping -------------------------------------------------------------------------------- */

/* An adapter goes, and so does an allocation: they are asked while they are there. */
static void ask_adapter(struct trail *trail, struct trail_row *row, const struct vidmm_event *event)
{
    const struct names *names = &trail->narrator.names;
    bool candidate = event->kind == VIDMM_EVENT_CANDIDATE;
    row->direction = candidate ? direction_words(names, event) : "";
    text_clear(&trail->known);
    if (candidate)
        direction_too_small(names, event->subject, &trail->known);
    if (event->kind == VIDMM_EVENT_TURN)
        direction_outranks(names, event, &trail->known);
}

static void keep(struct trail *trail, const struct vidmm_event *event)
{
    struct trail_row *last = trail->count ? &trail->rows[(trail->count - 1) % TRAIL_ROWS] : NULL;
    bool alike = last && trail_only(event->kind) && last->event.kind == event->kind &&
                 last->statement == trail->statement;
    trail->alike = alike ? trail->alike + 1 : 0;
    if (trail->alike >= TRAIL_ALIKE) {
        last->more++;
        return;
    }
    struct trail_row *row = &trail->rows[trail->count++ % TRAIL_ROWS];
    row->statement = trail->statement;
    row->line = trail->line;
    row->more = 0;
    ask_adapter(trail, row, event);
    copy_event(trail, row, event);
}

/* ---- hearing -------------------------------------------------------------------------------- */

void trail_hear(struct trail *trail, const struct vidmm_event *event)
{
    if (event->seq == 1)
        trail_clear(trail);
    names_learn(&trail->narrator.names, event);
    hang_hear(&trail->hang, event);
    if (narrate_remembers(event)) {
        text_clear(&trail->sentence);
        narrate(&trail->narrator, event, &trail->sentence);
    }
    if (is_evidence(event->kind) || trail->decisions.of[event->kind])
        keep(trail, event);
    if (event->kind == VIDMM_EVENT_BUGCHECK)
        trail->stop = trail->count;
}

void trail_tell(struct trail *trail, const struct vidmm_event *event, struct text *out)
{
    if (narrate_remembers(event))
        text_add(out, "%s", text_get(&trail->sentence));
    else
        narrate(&trail->narrator, event, out);
}

const struct trail_row *trail_row(const struct trail *trail, uint64_t number)
{
    if (number >= trail->count || trail->count - number > TRAIL_ROWS)
        return NULL;
    return &trail->rows[number % TRAIL_ROWS];
}

struct text_short trail_name(const struct trail *trail, vidmm_handle allocation)
{
    const struct trail_row *row;
    for (uint64_t at = trail->count; (row = trail_row(trail, at - 1)) != NULL; at--)
        if (row->event.subject == allocation)
            return text_print("%s", names_subject(&row->event));
    return names_allocation(&trail->narrator.names, allocation);
}

uint64_t trail_decision(const struct trail *trail, const char *name)
{
    const struct trail_row *row;
    /* What is refused after a bug check was decided by it. */
    for (uint64_t at = trail->stop ? trail->stop : trail->count;
         (row = trail_row(trail, at - 1)) != NULL; at--)
        if (trail->decisions.of[row->event.kind] &&
            (!*name || strcmp(names_subject(&row->event), name) == 0))
            return at - 1;
    return UINT64_MAX;
}
