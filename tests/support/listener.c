/* SPDX-License-Identifier: MIT */
/*
 * listener.c: messages, narration and events as texts; included files from a table.
 */
#include "tests/support/listener.h"
#include "vidmm/base/base.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void listener_append(struct text *text, const char *bytes, size_t length)
{
    BASE_GROW(text->bytes, text->capacity, text->length + length + 1);
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

static void hear(struct scenario_host *host, const struct scenario_message *message)
{
    struct listener *listener = CONTAINER_OF(host, struct listener, host);
    listener->messages++;
    listener_append(&listener->said, message->rendered, strlen(message->rendered));
}

static void tell(struct scenario_host *host, const struct scenario_telling *telling)
{
    struct listener *listener = CONTAINER_OF(host, struct listener, host);
    char line[256];
    snprintf(line, sizeof line, "%d %s %" PRIu64 "\n", telling->kind, telling->text,
             telling->value);
    listener_append(&listener->told, line, strlen(line));
}

static bool load(struct scenario_host *host, const char *path, char **text, size_t *bytes)
{
    struct listener *listener = CONTAINER_OF(host, struct listener, host);
    for (const char *const *file = listener->files; file && *file; file += 2) {
        if (strcmp(file[0], path) == 0) {
            *bytes = strlen(file[1]);
            *text = base_strndup(file[1], *bytes);
            return true;
        }
    }
    return false;
}

static void see(struct vidmm_observer *observer, const struct vidmm_event *event)
{
    struct listener *listener = CONTAINER_OF(observer, struct listener, observer);
    char line[128];
    snprintf(line, sizeof line, "%" PRIu64 " %" PRIu64 " %d %s %s\n", event->seq, event->time,
             event->kind, event->label, vidmm_rule_id(event->rule));
    listener_append(&listener->events, line, strlen(line));
    for (size_t i = 0; i < event->field_count; i++) {
        const struct vidmm_field *field = &event->fields[i];
        snprintf(line, sizeof line, " %s=%" PRIu64, field->name, field->value);
        listener_append(&listener->events, line, strlen(line));
    }
}

void listener_open(struct listener *listener)
{
    *listener = (struct listener){ .host = { .message = hear, .tell = tell, .load = load },
                                   .observer = { .on_event = see } };
    listener_append(&listener->said, "", 0);
    listener_append(&listener->told, "", 0);
    listener_append(&listener->events, "", 0);
    listener->host.observers = &listener->observer;
}

void listener_close(struct listener *listener)
{
    base_free(listener->said.bytes);
    base_free(listener->told.bytes);
    base_free(listener->events.bytes);
}
