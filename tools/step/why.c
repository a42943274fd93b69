/* SPDX-License-Identifier: MIT */
/*
 * why.c: the reason trail of a decision: which segments were tried, which holes looked at, who
 * left, who stayed and why, and whose word each rule is.
 *
 *        2.000 us  target was placed in vram at 0 (bottom-up, first fit)
 *                  event 57, line 25: submit frame4 write=target
 *                  target had to be brought into vram: it is used for the first time
 *                  1. vram from 0 to 32 MiB, bottom-up, pass 1: there is no room (PLACE-007)
 *                     - a hole of 4 MiB at 28 MiB is too small
 *                     - sky (8 MiB at 0) stays: this pass spares its priority, and ... (PLACE-011)
 *                  ...
 *                  PLACE-007 Default direction is bottom-up [documented]
 *
 * A decision about room is about the one that comes: for a place its subject, for a victim or a
 * refusal the allocation that was searched for last. What was looked at is every row about it in
 * the same statement, back to where it had its last place. What a pass looks at comes before the
 * `candidate` that sums it up, and holes after it.
 */
#include "tools/step/why.h"

#include <inttypes.h>
#include <string.h>

#include "tools/common/screen.h"
#include "tools/step/victims.h"

enum { TIME_COLUMNS = 14, WHY_COLUMN = 16, WHY_RULES = 24, WHY_SEARCHES = 64, WHY_VICTIMS = 16 };

struct why {
    const struct screen *screen;
    struct trail *trail;
    struct text line;
    enum vidmm_rule rules[WHY_RULES]; /* that were named, each once */
    size_t rule_count;
    vidmm_handle comes;              /* the one that needs room; 0: it is about none */
    const struct vidmm_event *place; /* that it got; NULL: none yet */
    uint64_t searches, repeated, victims;
    struct text seen[WHY_SEARCHES]; /* each search as text: often the same is looked at again */
};

/* ---- pieces --------------------------------------------------------------------------------- */

/* `label` in column `from`, the text after it. */
static void why_print(struct why *why, int from, const char *label, const char *text)
{
    int column = from + (int)strlen(label);
    const struct wrap wrap = { why->screen->out, column, why->screen->width };
    (void)fprintf(why->screen->out, "%*s%s", from, "", label);
    wrap_from(&wrap, column, text);
    (void)fputc('\n', why->screen->out);
}

static void name_rule(struct why *why, enum vidmm_rule rule)
{
    if (rule == VIDMM_RULE_NONE)
        return;
    for (size_t i = 0; i < why->rule_count; i++)
        if (why->rules[i] == rule)
            return;
    if (why->rule_count < WHY_RULES)
        why->rules[why->rule_count++] = rule;
}

/* " (PLACE-011)", and it will be listed. */
static void cite(struct why *why, struct text *out, enum vidmm_rule rule)
{
    name_rule(why, rule);
    if (rule != VIDMM_RULE_NONE)
        text_add(out, " (%s)", vidmm_rule_id(rule));
}

/* Where something begins: "0" or "24 MiB". */
static struct text_short place_of(uint64_t offset)
{
    return offset ? text_size(offset) : text_print("0");
}

static bool word_is(const struct vidmm_event *event, const char *name, const char *value)
{
    return strcmp(names_word(event, name), value) == 0;
}

/* ---- which rows belong together ------------------------------------------------------------- */

/* The one that a row of a search is about; 0: it is none. */
static vidmm_handle sought(const struct vidmm_event *event)
{
    switch (event->kind) {
    case VIDMM_EVENT_CANDIDATE:
    case VIDMM_EVENT_SHORTAGE:
    case VIDMM_EVENT_HOLE: return event->subject;
    case VIDMM_EVENT_TURN:
    case VIDMM_EVENT_PASS_OVER: return (vidmm_handle)names_number(event, "for");
    default: return 0;
    }
}

/* The row at which the search for `comes` that led to row `number` begins. */
static uint64_t find_begin(const struct why *why, uint64_t number)
{
    const struct trail_row *last = trail_row(why->trail, number), *row;
    uint64_t first = number;
    for (uint64_t at = number; at > 0 && (row = trail_row(why->trail, at - 1)) != NULL; at--) {
        bool placed = row->event.kind == VIDMM_EVENT_PLACE && row->event.subject == why->comes;
        if (row->statement != last->statement || placed)
            break;
        if (sought(&row->event) == why->comes)
            first = at - 1;
    }
    return first;
}

vidmm_handle why_comer(const struct trail *trail, uint64_t number)
{
    const struct trail_row *last = trail_row(trail, number), *row;
    if (last->event.kind == VIDMM_EVENT_PLACE)
        return last->event.subject;
    bool fails = last->event.kind == VIDMM_EVENT_REFUSE || last->event.kind == VIDMM_EVENT_SPLIT ||
                 last->event.kind == VIDMM_EVENT_SHORTAGE;
    if (!fails && !names_makes_room(&last->event))
        return 0;
    for (uint64_t at = number; at > 0 && (row = trail_row(trail, at - 1)) != NULL; at--) {
        /* Whoever got its place since does not lack one. */
        if (row->statement != last->statement || row->event.kind == VIDMM_EVENT_PLACE)
            return 0;
        if (sought(&row->event))
            return sought(&row->event);
    }
    return 0;
}

/* As everywhere else where this event is told. */
static void add_worded(struct why *why, const struct vidmm_event *event, const char *pattern,
                       struct text *out)
{
    sentence_add(&(struct tale){ &why->trail->narrator, event, out }, pattern);
}

/* ---- a search ------------------------------------------------------------------------------- */

static void add_search(struct why *why, const struct trail_row *row, struct text *out)
{
    const struct vidmm_event *event = &row->event;
    static const char *const passes[] = {
        "",
        ", pass 1 (only lower priorities and what is offered may leave)",
        ", pass 2 (any may leave that is not soft-pinned)",
        ", pass 3 (soft-pinned ones may leave, too)",
    };
    uint64_t pass = names_number(event, "pass");
    bool passing = !word_is(event, "result", "free") && pass < ARRAY_COUNT(passes);
    uint32_t segment = (uint32_t)names_number(event, "segment");
    const struct names *names = &why->trail->narrator.names;
    text_add(out, "%s from %s to %s, %s%s%s:", names_segment(names, segment).it,
             place_of(names_number(event, "low")).it, text_size(names_number(event, "high")).it,
             names_word(event, "direction"), row->direction, passing ? passes[pass] : "");
    add_worded(why, event, " {result/candidate}", out);
    cite(why, out, event->rule);
    if (passing)
        name_rule(why, vidmm_rule_by_id("PLACE-011"));
    text_add(out, "\n");
}

static void add_hole(struct why *why, const struct vidmm_event *event, struct text *out)
{
    const struct vidmm_event *place = why->place;
    uint64_t offset = names_number(event, "offset");
    text_add(out, "a hole of %s at %s", text_size(names_number(event, "bytes")).it,
             place_of(offset).it);
    add_worded(why, event, " {result/hole}", out);
    if (place && word_is(event, "result", "taken") && names_number(place, "offset") > offset &&
        names_number(place, "segment") == names_number(event, "segment"))
        text_add(out, ", from %s on", place_of(names_number(place, "offset")).it);
    text_add(out, "\n");
}

/* A rule is cited once in a search, however many stay because of it. */
static void add_pass_over(struct why *why, const struct vidmm_event *event, struct text *out)
{
    static const struct {
        const char *cause, *rule;
    } causes[] = {
        { "region", "PLACE-024" },   { "bound", "PLACE-012" },  { "later", "PAGE-023" },
        { "priority", "PLACE-011" }, { "pinned", "PLACE-012" }, { "not-in-the-way", "PLACE-012" },
    };
    text_add(out, "%s (%s at %s) stays: ", names_subject(event),
             text_size(names_number(event, "bytes")).it,
             place_of(names_number(event, "offset")).it);
    add_worded(why, event, "{cause/pass-over}", out);
    for (size_t i = 0; i < ARRAY_COUNT(causes); i++)
        if (word_is(event, "cause", causes[i].cause) && !strstr(text_get(out), causes[i].rule))
            cite(why, out, vidmm_rule_by_id(causes[i].rule));
    text_add(out, "\n");
}

static void add_row(struct why *why, const struct trail_row *row, struct text *out)
{
    if (row->event.kind == VIDMM_EVENT_HOLE)
        add_hole(why, &row->event, out);
    else
        add_pass_over(why, &row->event, out);
    if (row->more)
        text_add(out, "... and %" PRIu64 " more %s\n", row->more,
                 row->event.kind == VIDMM_EVENT_HOLE ? "holes" : "that stay");
}

/* What a search met: all lines but the first. */
static const char *body_of(const char *search)
{
    return search + strcspn(search, "\n") + 1;
}

/* The search before it that met the same, from 1; 0: none did. */
static uint64_t find_same(const struct why *why, size_t kept, const char *search)
{
    const char *body = body_of(search);
    for (size_t i = 0; i < kept && strchr(body, '\n') != strrchr(body, '\n'); i++)
        if (strcmp(body_of(text_get(&why->seen[i])), body) == 0)
            return i + 1;
    return 0;
}

/* Has an earlier search met what stands in why->line? */
static bool is_told(const struct why *why)
{
    size_t kept = (size_t)min_u64(why->searches - 1, WHY_SEARCHES);
    struct text whole = { 0 };
    bool told = false;
    text_add(&whole, "\n%s\n", text_get(&why->line));
    for (size_t i = 0; i < kept && !told; i++)
        told = strstr(text_get(&why->seen[i]), text_get(&whole)) != NULL;
    text_free(&whole);
    return told;
}

/* A text of lines: the search, then what it met, unless search `same` met that, too. */
static void print_search(struct why *why, const char *text, uint64_t same)
{
    struct text_short number = text_print("%" PRIu64 ". ", why->searches);
    const char *end = same ? body_of(text) : text + strlen(text);
    bool head = true;
    for (const char *at = text; at < end; head = false) {
        size_t length = strcspn(at, "\n");
        text_clear(&why->line);
        text_add_bytes(&why->line, at, length);
        if (head || !is_told(why))
            why_print(why, head ? WHY_COLUMN : WHY_COLUMN + 3, head ? number.it : "- ",
                      text_get(&why->line));
        at += length + (at[length] == '\n');
    }
    if (same)
        why_print(why, WHY_COLUMN + 3, "- ", text_print("the same as in %" PRIu64, same).it);
}

static void end_search(struct why *why, struct text *search)
{
    if (!search->length)
        return;
    size_t kept = (size_t)min_u64(why->searches, WHY_SEARCHES);
    bool again = false;
    for (size_t i = 0; i < kept && !again; i++)
        again = strcmp(text_get(&why->seen[i]), text_get(search)) == 0;
    why->repeated += again;
    if (!again) {
        uint64_t same = find_same(why, kept, text_get(search));
        if (kept < WHY_SEARCHES)
            text_add(&why->seen[kept], "%s", text_get(search));
        why->searches++;
        print_search(why, text_get(search), same);
    }
    text_clear(search);
}

/* ---- all that was looked at ----------------------------------------------------------------- */

static void print_sentence(struct why *why, int from, const char *label,
                           const struct vidmm_event *event)
{
    text_clear(&why->line);
    trail_tell(why->trail, event, &why->line);
    cite(why, &why->line, event->rule);
    why_print(why, from, label, text_get(&why->line));
}

/* Why it comes at all. */
static void print_cause(struct why *why, uint64_t first, uint64_t number)
{
    for (uint64_t at = first; at < number; at++) {
        const struct vidmm_event *event = &trail_row(why->trail, at)->event;
        if (event->kind == VIDMM_EVENT_PAGE_IN && event->subject == why->comes)
            print_sentence(why, WHY_COLUMN, "", event);
    }
}

/* One that left for it; `before` was another one. */
static void print_victim(struct why *why, const struct vidmm_event *event, bool before)
{
    if (!before)
        why_print(why, WHY_COLUMN, "",
                  word_is(event, "reason", "retry")
                      ? "leaving for a second try:"
                      : text_print("leaving for %s:", trail_name(why->trail, why->comes).it).it);
    if (++why->victims <= WHY_VICTIMS)
        print_sentence(why, WHY_COLUMN + 3, "- ", event);
}

/* Whose turn it was. */
static void print_turns(struct why *why, uint64_t first, uint64_t number)
{
    text_clear(&why->line);
    victims_tell(why->trail, why->comes, first, number, &why->line);
    if (why->line.length)
        why_print(why, WHY_COLUMN, "", text_get(&why->line));
}

/* What is preferred and never searched: every search knows it. */
static void print_too_small(struct why *why, uint64_t first, uint64_t number)
{
    for (uint64_t at = first; at < number; at++) {
        const struct trail_row *row = trail_row(why->trail, at);
        if (row->event.kind != VIDMM_EVENT_CANDIDATE || sought(&row->event) != why->comes)
            continue;
        if (*row->known)
            why_print(why, WHY_COLUMN, "", row->known);
        return;
    }
}

/* Rows from `first` up to `number`, which is told already. */
static void print_looked_at(struct why *why, uint64_t first, uint64_t number)
{
    struct text search = { 0 }, stays = { 0 };
    bool victim = false;
    print_cause(why, first, number);
    print_turns(why, first, number);
    print_too_small(why, first, number);
    for (uint64_t at = first; at < number; at++) {
        const struct trail_row *row = trail_row(why->trail, at);
        const struct vidmm_event *event = &row->event;
        bool about = sought(event) == why->comes, leaves = names_makes_room(event);
        if (event->kind == VIDMM_EVENT_PASS_OVER && about)
            add_row(why, row, &stays);
        if (event->kind == VIDMM_EVENT_CANDIDATE && about) {
            end_search(why, &search);
            add_search(why, row, &search);
            text_add(&search, "%s", text_get(&stays));
            text_clear(&stays);
        }
        if (event->kind == VIDMM_EVENT_HOLE && about)
            add_row(why, row, &search);
        bool ends =
            event->kind == VIDMM_EVENT_SPLIT || (event->kind == VIDMM_EVENT_SHORTAGE && about);
        if (leaves || ends)
            end_search(why, &search);
        if (leaves)
            print_victim(why, event, victim);
        else if (ends)
            print_sentence(why, WHY_COLUMN, "", event);
        victim = leaves || (victim && !about);
    }
    text_add(&search, "%s", text_get(&stays));
    end_search(why, &search);
    text_free(&search);
    text_free(&stays);
    if (why->victims > WHY_VICTIMS)
        why_print(why, WHY_COLUMN, "",
                  text_print("and %" PRIu64 " more that leave", why->victims - WHY_VICTIMS).it);
    if (why->repeated)
        why_print(why, WHY_COLUMN, "",
                  text_print("%s made again, with the same outcome",
                             why->repeated == 1
                                 ? "one search was"
                                 : text_print("%" PRIu64 " searches were", why->repeated).it)
                      .it);
}

/* ---- the moment ----------------------------------------------------------------------------- */

void why_line(const struct screen *screen, struct trail *trail, const struct vidmm_event *event)
{
    const struct wrap wrap = { screen->out, WHY_COLUMN, screen->width };
    struct text line = { 0 };
    trail_tell(trail, event, &line);
    (void)fprintf(screen->out, "%s%*s%s  ", screen_on(screen, SCREEN_QUIET), TIME_COLUMNS,
                  text_time(event->time).it, screen_off(screen));
    wrap_from(&wrap, WHY_COLUMN, text_get(&line));
    (void)fputc('\n', screen->out);
    text_free(&line);
}

static void print_event(struct why *why, const struct vidmm_event *event, uint64_t line,
                        const char *said)
{
    const struct screen *screen = why->screen;
    if (event->seq != why->trail->told)
        why_line(screen, why->trail, event);
    text_clear(&why->line);
    text_add(&why->line, "event %" PRIu64, event->seq);
    if (line)
        text_add(&why->line, ", line %" PRIu64 ": %s", line, said);
    (void)fputs(screen_on(screen, SCREEN_QUIET), screen->out);
    why_print(why, WHY_COLUMN, "", text_get(&why->line));
    (void)fputs(screen_off(screen), screen->out);
    /* How it leaves; why it does counts more, unless its content is lost. */
    enum vidmm_rule way = vidmm_rule_by_id(names_word(event, "way"));
    if (word_is(event, "via", "lost"))
        name_rule(why, way);
    name_rule(why, event->rule);
    name_rule(why, way);
}

static void print_rules(struct why *why)
{
    for (size_t i = 0; i < why->rule_count; i++) {
        const struct vidmm_rule_info *info = vidmm_rule_info(why->rules[i]);
        text_clear(&why->line);
        text_add(&why->line, "%s %s [%s]", info->id, info->title, names_standing(info->standing));
        (void)fputs(screen_on(why->screen, SCREEN_QUIET), why->screen->out);
        why_print(why, WHY_COLUMN, "", text_get(&why->line));
        (void)fputs(screen_off(why->screen), why->screen->out);
    }
    for (size_t i = 0; i < WHY_SEARCHES; i++)
        text_free(&why->seen[i]);
    text_free(&why->line);
}

void why_decision(const struct screen *screen, struct trail *trail, uint64_t number)
{
    struct why why = { .screen = screen, .trail = trail };
    const struct trail_row *row = trail_row(trail, number);
    CHECK(row);
    why.comes = why_comer(trail, number);
    why.place = row->event.kind == VIDMM_EVENT_PLACE ? &row->event : NULL;
    print_event(&why, &row->event, row->line, row->said);
    if (why.comes && row->event.kind != VIDMM_EVENT_PLACE) {
        text_clear(&why.line);
        text_add(&why.line,
                 names_makes_room(&row->event) && !word_is(&row->event, "reason", "retry")
                     ? "room was needed for %s"
                     : "no place was found for %s",
                 trail_name(trail, why.comes).it);
        why_print(&why, WHY_COLUMN, "", text_get(&why.line));
    }
    if (why.comes)
        print_looked_at(&why, find_begin(&why, number), number);
    print_rules(&why);
}

/* Prints it; false: it is no decision that was kept. A shortage is none, but searches lead to it.
 */
static bool print_as_decision(const struct screen *screen, struct trail *trail,
                              const struct vidmm_event *event)
{
    bool shortage = event->kind == VIDMM_EVENT_SHORTAGE;
    uint64_t number = shortage ? trail->count - 1 : trail_decision(trail, "");
    const struct trail_row *row = trail_row(trail, number);
    if (!row || row->event.seq != event->seq || row->event.kind != event->kind)
        return false;
    why_decision(screen, trail, number);
    return true;
}

bool why_hang(const struct screen *screen, struct trail *trail, const struct vidmm_event *event)
{
    struct why why = { .screen = screen, .trail = trail };
    struct text reason = { 0 };
    bool hangs = hang_tell(&trail->hang, &trail->narrator, event, &reason);
    if (hangs) {
        print_event(&why, event, trail->line, text_get(&trail->text));
        why_print(&why, WHY_COLUMN, "", text_get(&reason));
        print_rules(&why);
    }
    text_free(&reason);
    return hangs;
}

void why_of_life(const struct screen *screen, struct trail *trail, const struct vidmm_event *event)
{
    struct why why = { .screen = screen, .trail = trail };
    if (print_as_decision(screen, trail, event))
        return;
    print_event(&why, event, trail->line, text_get(&trail->text));
    print_rules(&why);
}

void why_event(const struct screen *screen, struct trail *trail, const struct vidmm_event *event)
{
    uint64_t number = trail_decision(trail, "");
    bool decided = trail_row(trail, number) != NULL;
    if (print_as_decision(screen, trail, event) || why_hang(screen, trail, event))
        return;
    why_of_life(screen, trail, event);
    if (!decided)
        return;
    (void)fprintf(screen->out, "\nThe last decision before it:\n\n");
    why_decision(screen, trail, number);
}
