/* SPDX-License-Identifier: MIT */
/*
 * narration.c: every event is told once in a golden text.
 *
 *     narration GOLDEN              fails where a sentence is not told, or an event has none
 *     narration --make SCENARIO...  prints the golden of these scenarios
 *
 * The golden has the name of a scenario, and under it the first sentence for each form of an event
 * that no scenario above has. A form is a kind, and for most of them a word: `evict way=direct`; of
 * a mistake it has the rule, of a call of the miniport the function.
 * Only the scenarios of the golden run, and what else they tell does not matter.
 */
#include "scenarios/lang/scenario.h"
#include "tests/support/read_file.h"
#include "tools/story/narrate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORM_BYTES = 96 };

/* The lines of one scenario, and what the golden has for it. */
static struct {
    struct scenario_host host;
    struct vidmm_observer observer;
    struct narrator narrator;
    struct text forms;  /* "\n" before and after each that was told */
    struct text lines;  /* of this scenario */
    const char *wanted; /* those of the golden */
    bool told[VIDMM_EVENT_KINDS];
    bool makes;
} listener;

static const char *text_of(const struct vidmm_event *event, const char *name)
{
    for (size_t i = 0; i < event->field_count; i++)
        if (strcmp(event->fields[i].name, name) == 0 && event->fields[i].text)
            return event->fields[i].text;
    return NULL;
}

/* The rule of a sentence about a mistake, and its last word, which tells those of one rule apart.
 */
static void add_mistake(struct text *form, const struct vidmm_event *event, const char *text)
{
    const char *last = strrchr(text, ' ');
    text_add(form, " %s", vidmm_rule_id(event->rule));
    if (last && !strpbrk(last, "0123456789:"))
        text_add(form, "%s", last);
}

/* The function of a call, the mistake of what was wrong; else the first field whose words the table
   of fields lists. */
static void add_form(struct text *form, const struct vidmm_event *event)
{
    const struct vidmm_event_field_info *info;
    const char *text = text_of(event, "text"), *function = text_of(event, "ddi");
    const char *operation = text_of(event, "Operation");
    text_add(form, "%s", vidmm_event_info(event->kind)->name);
    if (text && event->rule)
        add_mistake(form, event, text);
    if (function)
        text_add(form, " %s%s%s", function, operation ? " " : "", operation ? operation : "");
    if (text || function)
        return;
    for (size_t i = 0; (info = vidmm_event_field(event->kind, i)) != NULL; i++) {
        if (info->kind != VIDMM_FIELD_WORD || !*info->words || strpbrk(info->words, "ABCDEFGHIJKL"))
            continue;
        for (size_t j = 0; j < event->field_count; j++)
            if (strcmp(event->fields[j].name, info->name) == 0 && event->fields[j].text)
                text_add(form, " %s=%s", info->name, event->fields[j].text);
        return;
    }
}

/* For a golden one sentence of each form; else what it has. */
static bool is_new(const char *form, const char *sentence)
{
    struct text line = { 0 };
    if (listener.makes)
        text_add(&line, "\n%s\n", form);
    else
        text_add(&line, "%s: %s\n", form, sentence);
    bool new =
        !strstr(text_get(listener.makes ? &listener.forms : &listener.lines), text_get(&line));
    new = new && (listener.makes || strstr(listener.wanted, text_get(&line)));
    if (new &&listener.makes)
        text_add(&listener.forms, "%s", text_get(&line));
    text_free(&line);
    return new;
}

static void hear(struct vidmm_observer *self, const struct vidmm_event *event)
{
    struct text form = { 0 }, sentence = { 0 };
    (void)self;
    narrate(&listener.narrator, event, &sentence);
    listener.told[event->kind] |= sentence.length > 0;
    add_form(&form, event);
    if (sentence.length && is_new(text_get(&form), text_get(&sentence)))
        text_add(&listener.lines, "%s: %s\n", text_get(&form), text_get(&sentence));
    text_free(&form);
    text_free(&sentence);
}

static bool load(struct scenario_host *host, const char *path, char **text, size_t *bytes)
{
    (void)host;
    return read_file(path, text, bytes);
}

static void ignore(struct scenario_host *host, const struct scenario_message *message)
{
    (void)host, (void)message;
}

static void started(struct scenario_host *host, struct vidmm_adapter *adapter)
{
    (void)host;
    listener.narrator.names.adapter = adapter;
}

static void ended(struct scenario_host *host, struct vidmm_adapter *adapter)
{
    (void)host, (void)adapter;
    narrate_reset(&listener.narrator);
}

/* What is told of it is then in `lines`. */
static void run(const char *path)
{
    static bool all[VIDMM_EVENT_KINDS];
    const struct scenario_options options = { 0 };
    struct scenario_result result;
    char *text;
    size_t bytes;
    memset(all, true, sizeof all);
    listener.observer = (struct vidmm_observer){ .on_event = hear, .kinds = all };
    listener.host = (struct scenario_host){ .load = load,
                                            .message = ignore,
                                            .started = started,
                                            .ended = ended,
                                            .observers = &listener.observer };
    text_clear(&listener.lines);
    CHECK(load(&listener.host, path, &text, &bytes));
    struct scenario *scenario = scenario_parse(text, bytes, path, &listener.host);
    if (scenario_check(scenario))
        scenario_run(scenario, &options, &result);
    scenario_free(scenario);
    base_free(text);
}

/* Each of these lines is told. */
static unsigned compare(const char *path, const char *golden)
{
    unsigned missing = 0;
    listener.wanted = golden;
    run(path);
    for (const char *line = golden; *line; line += strcspn(line, "\n") + 1) {
        char *whole = base_strndup(line, strcspn(line, "\n") + 1);
        if (!strstr(text_get(&listener.lines), whole)) {
            (void)printf("%s does not tell any more:\n%s", path, whole);
            missing++;
        }
        base_free(whole);
    }
    return missing;
}

static unsigned compare_all(const char *golden)
{
    unsigned wrong = 0;
    while (*golden) {
        char path[FORM_BYTES];
        size_t length = strcspn(golden, "\n");
        if (strncmp(golden, "== ", 3) == 0) {
            const char *end = strstr(golden + length, "\n== ");
            const char *lines = golden + length + 1;
            size_t bytes = end ? (size_t)(end + 1 - lines) : strlen(lines);
            (void)snprintf(path, sizeof path, "%.*s", (int)length - 3, golden + 3);
            char *section = base_strndup(lines, bytes);
            wrong += compare(path, section);
            base_free(section);
            golden = lines + bytes;
        } else {
            golden += length + 1;
        }
    }
    for (int kind = VIDMM_EVENT_NONE + 1; kind < VIDMM_EVENT_KINDS; kind++)
        if (!listener.told[kind]) {
            (void)printf("no sentence of the golden is about the event %s\n",
                         vidmm_event_info((enum vidmm_event_kind)kind)->name);
            wrong++;
        }
    return wrong;
}

static void make(int count, char **paths)
{
    (void)printf("# SPDX-License-Identifier: MIT\n#\n# The sentence for each form of an event: "
                 "see narration.c, which makes this file:\n"
                 "# narration --make scenarios/rules/*.vms scenarios/examples/*.vms "
                 "scenarios/policy/whose-turn.vms\n");
    for (int i = 0; i < count; i++) {
        run(paths[i]);
        if (listener.lines.length)
            (void)printf("== %s\n%s", paths[i], text_get(&listener.lines));
    }
}

int main(int argc, char **argv)
{
    char *golden = NULL;
    size_t bytes = 0;
    if (argc > 2 && strcmp(argv[1], "--make") == 0) {
        listener.makes = true;
        make(argc - 2, argv + 2);
        return 0;
    }
    if (argc != 2 || !read_file(argv[1], &golden, &bytes)) {
        (void)fprintf(stderr, "usage: narration GOLDEN, or narration --make SCENARIO...\n");
        return 2;
    }
    char *text = base_strndup(golden, bytes);
    unsigned wrong = compare_all(text);
    (void)printf("%u sentences or events are not told\n", wrong);
    base_free(text);
    base_free(golden);
    text_free(&listener.forms);
    text_free(&listener.lines);
    return wrong > 0;
}
