/* SPDX-License-Identifier: MIT */
/*
 * looks.c: what can be looked at while a run stands still? Views may be asked in the middle of an
 * operation: they change nothing.
 */
#include <inttypes.h>
#include <string.h>

#include "scenarios/lang/scenario_twin.h"
#include "tools/step/session.h"
#include "tools/step/why.h"

enum { LIST_LINES = 5 };

enum session_go looks_why(struct session *session, char **words, size_t count)
{
    struct trail *trail = session->trail;
    const struct screen *screen = &session->line->shown.screen;
    if (!count && session->standing && why_hang(screen, trail, session->standing))
        return SESSION_STAY;
    uint64_t number = trail_decision(trail, count ? words[0] : "");
    if (number == UINT64_MAX && count)
        return commands_refuse(session, "no decision about '%s' is remembered", words[0]);
    if (number == UINT64_MAX)
        return commands_refuse(session, "nothing was decided yet");
    why_decision(screen, trail, number);
    return SESSION_STAY;
}

/* The live allocation of that name, the newest if there are several; 0, and a message: none. */
static vidmm_handle find_allocation(struct session *session, const char *name)
{
    struct text_likeness likeness = text_likeness(name);
    for (size_t i = session->created_count; i-- > 0;) {
        vidmm_handle handle = session->created[i];
        if (vidmm_object_kind(session->adapter, handle) != VIDMM_OBJECT_ALLOCATION)
            continue;
        const char *label = vidmm_label(session->adapter, handle);
        if (strcmp(label, name) == 0)
            return handle;
        text_liken(&likeness, label);
    }
    (void)commands_refuse(session, "no allocation is named '%s' now%s%s%s", name,
                          likeness.best ? "; did you mean '" : "",
                          likeness.best ? likeness.best : "", likeness.best ? "'?" : "");
    return 0;
}

enum session_go looks_print(struct session *session, char **words, size_t count)
{
    const struct vidmm_adapter *adapter = session->adapter;
    if (!count)
        return commands_refuse(session, "of which allocation? Write print NAME");
    vidmm_handle handle = find_allocation(session, words[0]);
    if (handle)
        show_allocation(&session->line->shown.screen, &session->maps, adapter, handle);
    return SESSION_STAY;
}

enum session_go looks_map(struct session *session, char **words, size_t count)
{
    const struct vidmm_adapter *adapter = session->adapter;
    struct text_likeness likeness = text_likeness(count ? words[0] : "");
    bool found = false;
    for (uint32_t id = 1; id <= vidmm_segment_count(adapter); id++) {
        struct vidmm_segment_view view;
        bool known = vidmm_segment_view(adapter, id, &view);
        CHECK(known);
        text_liken(&likeness, view.name);
        if (count && strcmp(view.name, words[0]) != 0)
            continue;
        show_map(&session->line->shown.screen, &session->maps, adapter, id);
        found = true;
    }
    if (!found)
        return commands_refuse(session, "no segment is named '%s'%s%s%s", likeness.word,
                               likeness.best ? "; did you mean '" : "",
                               likeness.best ? likeness.best : "", likeness.best ? "'?" : "");
    return SESSION_STAY;
}

enum session_go looks_queue(struct session *session, char **words, size_t count)
{
    (void)words;
    (void)count;
    show_queue(&session->line->shown.screen, session->adapter);
    return SESSION_STAY;
}

enum session_go looks_counters(struct session *session, char **words, size_t count)
{
    (void)words;
    (void)count;
    show_counters(&session->line->shown.screen, session->adapter, NULL);
    return SESSION_STAY;
}

enum session_go looks_memory(struct session *session, char **words, size_t count)
{
    (void)words;
    (void)count;
    show_memory(&session->line->shown.screen, session->adapter);
    return SESSION_STAY;
}

enum session_go looks_where(struct session *session, char **words, size_t count)
{
    (void)words;
    (void)count;
    commands_say_where(session);
    return SESSION_STAY;
}

enum session_go looks_list(struct session *session, char **words, size_t count)
{
    const struct host_file *file = &session->file;
    uint64_t here = session->at.line, line = 1;
    (void)words;
    (void)count;
    if (session->at.file && strcmp(session->at.file, file->name) != 0)
        return commands_refuse(session, "line %" PRIu64 " is one of %s, which is included", here,
                               session->at.file);
    if (scenario_is_twin(file->text, file->bytes))
        return commands_refuse(session,
                               "a binary twin has no lines to read; `vidmm convert` makes a text");
    const char *at = file->text, *end = at + file->bytes;
    for (; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        if (line + LIST_LINES >= here && line <= max_u64(here, 1) + LIST_LINES)
            (void)printf("%s %4" PRIu64 "  %.*s\n", line == here ? ">" : " ", line, (int)length,
                         at);
        at += length + 1;
    }
    return SESSION_STAY;
}

void commands_say_where(const struct session *session)
{
    if (!session->begun) {
        (void)printf("%s: at the start\n", session->file.name);
        return;
    }
    (void)printf("%s: %s", session->file.name, session->over ? "at the end, after " : "");
    (void)printf("event %" PRIu64 ", %s", session->seq, text_time(session->time).it);
    if (session->at.line)
        (void)printf(", line %" PRIu32 "%s%s: %s", session->at.line,
                     strcmp(session->at.file, session->file.name) == 0 ? "" : " of ",
                     strcmp(session->at.file, session->file.name) == 0 ? "" : session->at.file,
                     text_get(&session->trail->text));
    (void)putchar('\n');
}
