/* SPDX-License-Identifier: MIT */
/*
 * victims.c: why these and not others: the turns of the last plan as a few sentences.
 *
 *     Only 4 MiB were free, the largest hole 4 MiB; target needs 10 MiB. The longest unused leaves
 *     first: sky (last used or brought in at 0 ns), then the largest hole has 12 MiB, ...
 *
 * Several plans may stand in a trail: one for each pass, segment and limit. The last is the one
 * that the decision came to.
 */
#include "tools/step/victims.h"

#include <inttypes.h>
#include <string.h>

#include "tools/common/text.h"

enum { MOST_TURNS = 7 }; /* that are told one by one, as in the page (reason.js) */

static bool is_turn(const struct trail_row *row, vidmm_handle comes)
{
    return row && row->event.kind == VIDMM_EVENT_TURN && names_number(&row->event, "for") == comes;
}

/* A search ends a plan. */
static bool ends_plan(const struct trail_row *row)
{
    return !row || row->event.kind == VIDMM_EVENT_CANDIDATE ||
           row->event.kind == VIDMM_EVENT_PLACE || names_makes_room(&row->event);
}

/* What the first one finds. */
static void add_lack(const struct trail *trail, const struct vidmm_event *turn, struct text *out)
{
    uint64_t needs = names_number(turn, "needs"), before = names_number(turn, "before");
    uint64_t gives = names_number(turn, "bytes"), free = names_number(turn, "free");
    struct text_short name = trail_name(trail, (vidmm_handle)names_number(turn, "for"));
    const char *comes = name.it;
    if (!needs)
        return;
    if (!names_field(turn, "before"))
        text_add(out, "%s needs %s. ", comes, text_size(needs).it);
    else if (free <= gives)
        text_add(out, "Nothing was free, and %s needs %s. ", comes, text_size(needs).it);
    else if (!before)
        text_add(out, "%s were free, but nothing where %s may lie; it needs %s. ",
                 text_size(free - gives).it, comes, text_size(needs).it);
    else
        text_add(out, "%s%s were free, the largest hole %s, and %s needs %s. ",
                 free - gives < needs ? "Only " : "", text_size(free - gives).it,
                 text_size(before).it, comes, text_size(needs).it);
}

/* What the order goes by. */
static void add_order(const struct vidmm_event *turn, struct text *out)
{
    static const struct {
        const char *by, *order;
    } orders[] = {
        { "offer", "What is offered leaves first" },
        { "priority", "A lower priority leaves first" },
        { "last-use", "The longest unused leaves first" },
        { "offset",
          "Of those that were used at the same time, the one that lies lower leaves first" },
    };
    const char *by = names_word(turn, "by");
    for (size_t i = 0; i < ARRAY_COUNT(orders); i++)
        if (strcmp(orders[i].by, by) == 0)
            text_add(out, "%s: ", orders[i].order);
    if (strcmp(by, "policy") == 0)
        text_add(out, "The policy %s says who leaves first: ", names_word(turn, "policy"));
}

static void add_outcome(const struct vidmm_event *turn, struct text *out)
{
    const char *result = names_word(turn, "result");
    const char *end = strcmp(result, "enough") == 0 ? ", enough"
                      : strcmp(result, "small") == 0
                          ? ", too small"
                          : ", but it does not lie in there as it has to";
    if (names_field(turn, "hole"))
        text_add(out, ", then the largest hole has %s%s", text_size(names_number(turn, "hole")).it,
                 end);
    else if (names_field(turn, "free"))
        text_add(out, ", then %s are free%s", text_size(names_number(turn, "free")).it, end);
    else if (strcmp(result, "enough") == 0)
        text_add(out, ", then the commit limit holds");
    else if (names_field(turn, "lack"))
        text_add(out, ", then %s too much is committed", text_size(names_number(turn, "lack")).it);
    else
        text_add(out, ", then a limit still lacks one more");
}

/* A victim that is alone has no order: what lets it leave at all. */
static void add_alone(const struct trail_row *row, struct text *out)
{
    text_add(out, " leaves%s",
             names_field(&row->event, "offered") ? ", which is offered" : row->known);
}

/* `untold`: how many before it are left out. */
static void add_turn(const struct trail_row *row, const char *before, uint64_t untold,
                     struct text *out)
{
    const struct vidmm_event *turn = &row->event;
    const char *by = names_word(turn, "by");
    bool next = strcmp(names_word(turn, "result"), "next") == 0;
    if (!next && *by && strcmp(by, before) != 0) {
        text_add(out, "%s", *before ? ". " : "");
        add_order(turn, out);
    } else if (*before) {
        text_add(out, "%s", next ? ". " : "; ");
    }
    if (untold)
        text_add(out, "%" PRIu64 " more, then ", untold);
    text_add(out, "%s", names_subject(turn));
    if (!next && !*by && !*before)
        add_alone(row, out);
    if (strcmp(by, "last-use") == 0 && !next)
        text_add(out, " (last used or brought in at %s)", text_time(names_number(turn, "used")).it);
    if (next)
        text_add(out, " was not reached");
    else
        add_outcome(turn, out);
}

static bool is_reached(const struct trail_row *row, vidmm_handle comes)
{
    return is_turn(row, comes) && strcmp(names_word(&row->event, "result"), "next") != 0;
}

/* One after the other; of many the first ones and the last. */
static void tell_plan(const struct trail *trail, vidmm_handle comes, uint64_t begin, uint64_t end,
                      struct text *out)
{
    const char *before = "";
    uint64_t reached = 0, at_turn = 0, untold = 0;
    for (uint64_t at = begin; at < end; at++)
        reached += is_reached(trail_row(trail, at), comes);
    for (uint64_t at = begin; at < end; at++) {
        const struct trail_row *row = trail_row(trail, at);
        if (!is_turn(row, comes))
            continue;
        at_turn += is_reached(row, comes);
        untold += names_number(&row->event, "untold");
        if (reached > MOST_TURNS && at_turn > MOST_TURNS - 2 && at_turn < reached) {
            untold++;
            continue;
        }
        if (!*before)
            add_lack(trail, &row->event, out);
        add_turn(row, before, untold, out);
        untold = 0;
        before = *names_word(&row->event, "by") ? names_word(&row->event, "by") : "none";
    }
}

void victims_tell(const struct trail *trail, vidmm_handle comes, uint64_t first, uint64_t number,
                  struct text *out)
{
    uint64_t begin = number;
    while (begin > first && !is_turn(trail_row(trail, begin - 1), comes))
        begin--;
    uint64_t end = begin;
    for (; begin > first; begin--) {
        const struct trail_row *row = trail_row(trail, begin - 1);
        if (ends_plan(row))
            break;
    }
    size_t length = out->length;
    tell_plan(trail, comes, begin, end, out);
    if (out->length > length)
        text_add(out, ".");
}
