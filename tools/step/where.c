/* SPDX-License-Identifier: MIT */
/* where.c: which place in a run do words mean, and is an event there? */
#include "tools/step/where.h"

#include <inttypes.h>
#include <string.h>

#include "tools/step/trail.h"

static void complain(const char *word, struct text *why)
{
    static const char *const words[] = { "event", "line", "fail", "start", "end" };
    struct text_likeness likeness = text_likeness(word);
    for (int i = VIDMM_EVENT_NONE + 1; i < VIDMM_EVENT_KINDS; i++)
        text_liken(&likeness, vidmm_event_info((enum vidmm_event_kind)i)->name);
    for (size_t i = 0; i < ARRAY_COUNT(words); i++)
        text_liken(&likeness, words[i]);
    for (size_t i = 1; i <= vidmm_rule_count(); i++)
        text_liken(&likeness, vidmm_rule_id((enum vidmm_rule)i));
    text_add(why, "'%s' is no place in a run", word);
    if (likeness.best)
        text_add(why, "; did you mean '%s'?", likeness.best);
    else
        text_add(why,
                 ": write a number (of an event), a time (5.9ms), line N, fail, start, end, a kind "
                 "of event (evict, evict NAME; `vidmm events` lists them) or a rule "
                 "(PLACE-012)");
}

static bool read_number(struct where *where, const char *word, const char *what, struct text *why)
{
    if (word && text_read_size(word, &where->number) && where->number)
        return true;
    text_add(why, "'%s' is no %s: write a number from 1 on", word ? word : "", what);
    return false;
}

static bool read_kind(struct where *where, const char *word, const char *subject, struct text *why)
{
    where->event = vidmm_event_by_name(word);
    where->rule = vidmm_rule_by_id(word);
    if (where->event == VIDMM_EVENT_NONE && where->rule == VIDMM_RULE_NONE) {
        complain(word, why);
        return false;
    }
    where->kind = where->event ? WHERE_KIND : WHERE_RULE;
    if (trail_only(where->event))
        text_add(why, "'%s' is no event of its own: `why` shows it with the decision", word);
    if (subject && where->kind == WHERE_RULE)
        text_add(why, "after a rule nothing is expected, not '%s'", subject);
    if (subject)
        (void)snprintf(where->subject, sizeof where->subject, "%s", subject);
    where->steps = text_likeness(where->subject).least;
    return !why->length;
}

/* A word that needs no other; false: it is none. */
static bool read_alone(struct where *where, const char *word)
{
    static const struct {
        const char *word;
        enum where_kind kind;
    } words[] = { { "fail", WHERE_FAIL }, { "start", WHERE_START }, { "end", WHERE_END } };
    for (size_t i = 0; i < ARRAY_COUNT(words); i++)
        if (strcmp(words[i].word, word) == 0) {
            where->kind = words[i].kind;
            return true;
        }
    if (*word < '0' || *word > '9' || !text_read_time(word, &where->number))
        return false;
    where->kind = WHERE_TIME;
    return true;
}

bool where_read(struct where *where, char *const *words, size_t count, struct text *why)
{
    const char *first = count ? words[0] : "", *second = count > 1 ? words[1] : NULL;
    bool good = true;
    size_t most = 1;
    *where = (struct where){ .kind = WHERE_EVENT };
    if (strcmp(first, "event") == 0 || strcmp(first, "line") == 0) {
        where->kind = *first == 'e' ? WHERE_EVENT : WHERE_LINE;
        most = 2;
        good = read_number(where, second, *first == 'e' ? "event" : "line", why);
    } else if (*first && strspn(first, "0123456789") == strlen(first)) {
        good = read_number(where, first, "event", why);
    } else if (!read_alone(where, first)) {
        most = 2;
        good = read_kind(where, first, second, why);
    }
    if (good && count > most)
        text_add(why, "after '%s' nothing more is expected, not '%s'", words[most - 1],
                 words[most]);
    (void)snprintf(where->text, sizeof where->text, "%s%s%s", first, second ? " " : "",
                   second ? second : "");
    return good && !why->length;
}

bool where_is_event(const struct where *where, const struct vidmm_event *event)
{
    switch (where->kind) {
    case WHERE_EVENT: return event->seq == where->number;
    case WHERE_TIME: return event->time >= where->number;
    case WHERE_RULE: return event->rule == where->rule;
    case WHERE_KIND:
        return event->kind == where->event &&
               (!*where->subject || strcmp(event->label ? event->label : "", where->subject) == 0);
    case WHERE_LINE:
    case WHERE_FAIL:
    case WHERE_START:
    case WHERE_END: return false;
    }
    return false;
}

void where_learn(struct where *where, const struct vidmm_event *event)
{
    const char *label = event->label ? event->label : "";
    if (where->kind != WHERE_KIND || !*where->subject || !*label)
        return;
    where->named = where->named || strcmp(label, where->subject) == 0;
    if (event->kind != where->event)
        return;
    size_t steps = words_distance(where->subject, strlen(where->subject), label, strlen(label));
    if (steps >= where->steps)
        return;
    where->steps = steps;
    (void)snprintf(where->nearest, sizeof where->nearest, "%s", label);
}

void where_say_missing(const struct where *where, struct text *out)
{
    text_add(out, "'%s' does not come in this run", where->text);
    if (where->kind != WHERE_KIND || !*where->subject || where->named)
        return;
    text_add(out, ": nothing is named %s", where->subject);
    if (*where->nearest)
        text_add(out, "; did you mean '%s %s'?", vidmm_event_info(where->event)->name,
                 where->nearest);
}
