/* SPDX-License-Identifier: MIT */
/* about.c: what a page says of a run as a whole, beside its tables. */
#include <inttypes.h>

#include "tools/common/hash.h"
#include "tools/common/json.h"
#include "tools/common/text.h"
#include "tools/view/page.h"
#include "vidmm/vidmm_rules.h"

/* The rules that the events name: id, title, standing, and what they say. */
static void describe_rules(struct json *json, const struct scene *scene)
{
    bool *used = base_alloc(vidmm_rule_count() + 1, sizeof *used);
    for (size_t i = 0; i < scene->event_count; i++)
        used[scene->events[i].rule] = true;
    json_open(json, "rules", '{');
    for (size_t i = 1; i <= vidmm_rule_count(); i++) {
        const struct vidmm_rule_info *info = used[i] ? vidmm_rule_info((enum vidmm_rule)i) : NULL;
        if (!info)
            continue;
        json_open(json, text_print("%zu", i).it, '[');
        json_string(json, NULL, info->id);
        json_string(json, NULL, info->title);
        json_string(json, NULL, vidmm_rule_standing_name(info->standing));
        json_string(json, NULL, info->text);
        json_close(json, ']');
    }
    json_close(json, '}');
    base_free(used);
}

static void describe_omitted(struct json *json, const struct scene_omitted *omitted)
{
    json_open(json, "omitted", '{');
    for (int i = 0; i < VIDMM_EVENT_KINDS; i++)
        if (omitted->events[i])
            json_number(
                json,
                text_print("events '%s'", vidmm_event_info((enum vidmm_event_kind)i)->name).it,
                omitted->events[i]);
    json_number(json, "stays in segments", omitted->stays);
    json_number(json, "packets and waits", omitted->slices);
    json_number(json, "points of counters", omitted->points);
    json_number(json, "arrows", omitted->arrows);
    json_number(json, "states of allocations", omitted->marks);
    json_number(json, "allocations", omitted->allocations);
    json_number(json, "statements", omitted->statements);
    json_number(json, "notes and questions", omitted->said);
    json_number(json, "bytes of the scenario's text", omitted->sources);
    json_close(json, '}');
}

static void describe_totals(struct json *json, const struct scene *scene)
{
    const uint64_t *of = scene->told_by_kind;
    json_open(json, "totals", '{');
    /* Numbered events: what a search met has the number of the event before it. */
    json_number(json, "told",
                scene->told - of[VIDMM_EVENT_HOLE] - of[VIDMM_EVENT_PASS_OVER] -
                    of[VIDMM_EVENT_TURN]);
    json_number(json, "expectations", scene->expectations);
    json_number(json, "failed", scene->failed);
    json_number(json, "unexpected", scene->unexpected);
    json_number(json, "exit", (uint64_t)scene->exit);
    json_open(json, "kinds", '{');
    for (int i = 0; i < VIDMM_EVENT_KINDS; i++)
        if (of[i])
            json_number(json, vidmm_event_info((enum vidmm_event_kind)i)->name, of[i]);
    json_close(json, '}');
    json_close(json, '}');
}

/* What the run was made of: two pages of the same input have the same words here. Texts, as no
   number of a browser has 64 bits. */
static void describe_input(struct json *json, const struct scene *scene)
{
    uint64_t hash = HASH_BEGIN;
    for (size_t i = 0; i < scene->source_count; i++)
        hash = hash_word(hash, scene_string(scene, scene->sources[i].text));
    json_string(json, "version", VIDMM_VERSION);
    json_string(json, "seed", text_print("%" PRIu64, scene->seed).it);
    json_string(json, "input", text_print("%016" PRIx64, hash_mix(hash)).it);
}

void about_write(struct json *json, const struct page_run *run)
{
    json_open(json, "about", '{');
    json_string(json, "title", page_title(run));
    json_string(json, "run", run->name);
    describe_input(json, run->scene);
    describe_totals(json, run->scene);
    describe_omitted(json, &run->scene->omitted);
    describe_rules(json, run->scene);
    json_open(json, "kinds", '[');
    for (int i = 0; i < VIDMM_EVENT_KINDS; i++)
        json_string(json, NULL, vidmm_event_info((enum vidmm_event_kind)i)->name);
    json_close(json, ']');
    json_close(json, '}');
}
