/* SPDX-License-Identifier: MIT */
/*
 * narrate.c: one English sentence for each event. Nearly all of them stand in narrate.def.
 *
 * What a pattern cannot do is done here: buffers that are on their way keep the name that the
 * scenario gave them.
 */
#include "tools/story/narrate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The flag of an aperture is said in words. */
static void narrate_segment(const struct tale *tale)
{
    char words[200];
    const struct vidmm_flag *aperture = vidmm_flag_by_name(VIDMM_FLAGS_SEGMENT, "Aperture");
    uint32_t flags = (uint32_t)tale_number(tale, "flags") & ~aperture->value;
    sentence_add(tale, "the miniport reported segment {number segment}, {name}: {size size} "
                       "of [kind=memory?memory|aperture space]");
    if (flags)
        text_add(tale->out, " (%s)",
                 vidmm_flags_text(VIDMM_FLAGS_SEGMENT, flags, words, sizeof words));
}

static void narrate_priority(const struct tale *tale)
{
    bool changes = tale_number(tale, "from") != tale_number(tale, "to");
    sentence_add(tale, changes ? "the priority of {who} changed from {hex8 from} to {hex8 to}"
                               : "the priority of {who} stays {hex8 to}");
}

/* ---- packets on their way ------------------------------------------------------------------ */

static struct narrate_work *find_work(const struct narrator *narrator, uint64_t node,
                                      uint64_t fence)
{
    for (size_t i = 0; i < narrator->work_count; i++)
        if (narrator->work[i].node == node && narrator->work[i].fence == fence)
            return &narrator->work[i];
    return NULL;
}

static struct narrate_work *narrate_find(const struct tale *tale, const char *field)
{
    return find_work(tale->narrator, tale_number(tale, "node"), tale_number(tale, field));
}

void tale_add_buffer(const struct tale *tale)
{
    const struct narrate_work *work = narrate_find(tale, "fence");
    const char *kind = tale_word(tale, "kind");
    if (work && *work->name)
        text_add_string(tale->out, work->name);
    else if (tale_is(tale, "kind", "switch"))
        text_add_string(tale->out, "a context switch");
    else if (*kind)
        text_add(tale->out, "a %s buffer", kind);
    else
        text_add_string(tale->out, "a packet");
    text_add_string(tale->out, " (fence ");
    text_add_number(tale->out, tale_number(tale, "fence"));
    text_add_string(tale->out, ")");
}

/* Of paging: what it waits for, "0:1 2:7". */
static void add_waits(const struct tale *tale)
{
    const char *before = ", where it waits for ";
    char *rest = NULL;
    for (const char *at = tale_word(tale, "waits"); *at; at = rest + (*rest == ' ')) {
        uint64_t node = strtoull(at, &rest, 10), fence = strtoull(rest + 1, &rest, 10);
        const struct narrate_work *work = find_work(tale->narrator, node, fence);
        text_add_string(tale->out, before);
        if (work && *work->name)
            text_add(tale->out, "%s (", work->name);
        text_add(tale->out, "fence %" PRIu64 " of %s", fence,
                 names_node(&tale->narrator->names, (uint32_t)node).it);
        if (work && *work->name)
            text_add_string(tale->out, ")");
        before = ", ";
    }
}

static void narrate_submit(const struct tale *tale)
{
    uint64_t was = tale_number(tale, "was"), fence = tale_number(tale, "fence");
    /* Again, after a preemption or a reset: most often with another number (SUBMIT-056). */
    if (was) {
        struct narrate_work *work = narrate_find(tale, "was");
        if (work)
            work->fence = fence;
        tale_add_buffer(tale);
        tale_add_target(tale, " again");
        if (was != fence)
            text_add(tale->out, ", before with fence %" PRIu64, was);
        add_waits(tale);
        return;
    }
    if (!tale_is(tale, "kind", "paging")) {
        struct narrator *narrator = tale->narrator;
        const char *name = tale_word(tale, "name");
        char *copy = base_strndup(name, strlen(name)); /* or the process ends: no entry yet */
        BASE_GROW(narrator->work, narrator->work_capacity, narrator->work_count + 1);
        narrator->work[narrator->work_count++] =
            (struct narrate_work){ tale_number(tale, "node"), tale_number(tale, "fence"), copy };
    }
    if (tale_is(tale, "kind", "present"))
        text_add_string(tale->out, "the present ");
    tale_add_buffer(tale);
    if (tale_number(tale, "start"))
        text_add(tale->out, ", from %s on,", text_offset(tale_number(tale, "start")).it);
    tale_add_target(tale, "");
    add_waits(tale);
}

static void narrate_end(const struct tale *tale)
{
    sentence_add(tale, "{node} finished {buffer}");
    struct narrate_work *work = narrate_find(tale, "fence");
    if (!work)
        return;
    base_free(work->name);
    *work = tale->narrator->work[--tale->narrator->work_count];
}

static void narrate_anything(const struct tale *tale)
{
    sentence_add(tale, "[who?{who}: ]");
    text_add_string(tale->out, vidmm_event_info(tale->event->kind)->text);
    tale_add_fields(tale, 0, " (");
    if (tale->event->field_count)
        text_add_string(tale->out, ")");
}

/* ---- the table ----------------------------------------------------------------------------- */

static const struct {
    void (*tell)(const struct tale *tale);
    const char *pattern;
    enum narrate_level level;
} tellers[VIDMM_EVENT_KINDS] = {
#define SENTENCE(event, level, pattern) [VIDMM_EVENT_##event] = { NULL, pattern, NARRATE_##level },
#define TELLER(event, level, teller)    [VIDMM_EVENT_##event] = { teller, NULL, NARRATE_##level },
#include "tools/story/narrate.def"
};

enum narrate_level narrate_level(enum vidmm_event_kind kind)
{
    return tellers[kind].level;
}

/*
 * Told otherwise than others of their kind: a handle for another device is news. A wait is none
 * when the statement above is `wait`, nor an owner: it has a statement, or comes by itself.
 */
static const struct {
    enum vidmm_event_kind kind;
    const char *field, *word; /* any word */
    enum narrate_level level;
} exceptions[] = {
    { VIDMM_EVENT_OPEN, "as", NULL, NARRATE_STORY },
    { VIDMM_EVENT_CLOSE, "as", NULL, NARRATE_STORY },
    { VIDMM_EVENT_WAIT, "reason", "script", NARRATE_DETAILS },
    { VIDMM_EVENT_CREATE, "kind", "process", NARRATE_DETAILS },
    { VIDMM_EVENT_CREATE, "kind", "device", NARRATE_DETAILS },
    { VIDMM_EVENT_CREATE, "kind", "context", NARRATE_DETAILS },
};

static bool has_field(const struct vidmm_event *event, const char *name, const char *word)
{
    for (size_t i = 0; i < event->field_count; i++)
        if (strcmp(event->fields[i].name, name) == 0)
            return !word || strcmp(event->fields[i].text, word) == 0;
    return false;
}

enum narrate_level narrate_level_of(const struct vidmm_event *event)
{
    for (size_t i = 0; i < ARRAY_COUNT(exceptions); i++)
        if (exceptions[i].kind == event->kind &&
            has_field(event, exceptions[i].field, exceptions[i].word))
            return exceptions[i].level;
    return tellers[event->kind].level;
}

bool narrate_remembers(const struct vidmm_event *event)
{
    return event->seq == 1 || tellers[event->kind].tell;
}

void narrate(struct narrator *narrator, const struct vidmm_event *event, struct text *out)
{
    const struct tale tale = { narrator, event, out };
    names_learn(&narrator->names, event);
    if (tellers[event->kind].pattern)
        sentence_add(&tale, tellers[event->kind].pattern);
    else
        (tellers[event->kind].tell ? tellers[event->kind].tell : narrate_anything)(&tale);
}

void narrate_reset(struct narrator *narrator)
{
    for (size_t i = 0; i < narrator->work_count; i++)
        base_free(narrator->work[i].name);
    base_free(narrator->work);
    *narrator = (struct narrator){ 0 };
}
