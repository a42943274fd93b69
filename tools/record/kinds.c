/* SPDX-License-Identifier: MIT */
/*
 * kinds.c: which events a decision log holds.
 *
 * A decision is an event that another policy, or a mistake in one, would change: where something
 * goes, who leaves, what is given up, what is refused. Events that only follow from it (transfers,
 * fences, `unplace` at the end of an eviction) depend on the time model too, and are left out.
 */
#include "tools/record/kinds.h"

#include <string.h>

static const enum vidmm_event_kind decisions[] = {
    VIDMM_EVENT_PLACE,    VIDMM_EVENT_EVICT, VIDMM_EVENT_PIN,     VIDMM_EVENT_UNPIN,
    VIDMM_EVENT_LOST,     VIDMM_EVENT_OFFER, VIDMM_EVENT_RECLAIM, VIDMM_EVENT_DISCARD_OFFERED,
    VIDMM_EVENT_RENAME,   VIDMM_EVENT_SPLIT, VIDMM_EVENT_REFUSE,  VIDMM_EVENT_FINDING,
    VIDMM_EVENT_BUGCHECK,
};

static const enum vidmm_event_kind trail[] = {
    VIDMM_EVENT_PAGE_IN,   VIDMM_EVENT_CANDIDATE, VIDMM_EVENT_HOLE,
    VIDMM_EVENT_PASS_OVER, VIDMM_EVENT_TURN,      VIDMM_EVENT_SHORTAGE,
};

bool kinds_of_trail(enum vidmm_event_kind kind)
{
    for (size_t i = 0; i < ARRAY_COUNT(trail); i++)
        if (trail[i] == kind)
            return true;
    return false;
}

void record_kinds_default(struct record_kinds *kinds)
{
    *kinds = (struct record_kinds){ .times = false };
    for (size_t i = 0; i < ARRAY_COUNT(decisions); i++)
        kinds->of[decisions[i]] = true;
}

static bool read_word(struct record_kinds *kinds, const char *word, struct text *why)
{
    struct text_likeness likeness = text_likeness(word);
    enum vidmm_event_kind kind = vidmm_event_by_name(word);
    if (strcmp(word, "times") == 0)
        kinds->times = true;
    else if (kind != VIDMM_EVENT_NONE)
        kinds->of[kind] = true;
    else {
        for (int i = VIDMM_EVENT_NONE + 1; i < VIDMM_EVENT_KINDS; i++)
            text_liken(&likeness, vidmm_event_info((enum vidmm_event_kind)i)->name);
        text_add(why, "'%s' is no event", word);
        if (likeness.best)
            text_add(why, "; did you mean '%s'?", likeness.best);
        else
            text_add(why, "; `vidmm events` lists them");
        return false;
    }
    return true;
}

bool record_kinds_read(struct record_kinds *kinds, const char *list, struct text *why)
{
    bool good = *list != '\0', alone = strcmp(list, "times") == 0;
    struct record_kinds read = { .times = false };
    if (!good)
        text_add(why, "no event is named; write place,evict");
    if (alone)
        record_kinds_default(&read);
    while (good && *list) {
        size_t length = strcspn(list, ",");
        char *word = base_strndup(list, length);
        good = read_word(&read, word, why);
        base_free(word);
        list += length + (list[length] == ',');
    }
    if (good)
        *kinds = read;
    return good;
}

void kinds_add_text(const struct record_kinds *kinds, struct text *out)
{
    const char *before = "";
    for (int i = VIDMM_EVENT_NONE + 1; i < VIDMM_EVENT_KINDS; i++) {
        if (!kinds->of[i])
            continue;
        text_add(out, "%s%s", before, vidmm_event_info((enum vidmm_event_kind)i)->name);
        before = ",";
    }
    if (kinds->times)
        text_add(out, "%stimes", before);
}
