/* SPDX-License-Identifier: MIT */
/*
 * diff_print.c: a difference as people read it, and as members of JSON.
 *
 * One sentence first. Then the scenario's line, the decisions before, the first that differs with
 * its fields side by side, and what each side had looked at.
 */
#include <inttypes.h>
#include <string.h>

#include "tools/record/diff_state.h"

enum { LABEL_COLUMN = 14, VALUE_COLUMN_MOST = 34 };

static struct slice slice_of_text(const struct text *text)
{
    return (struct slice){ text_get(text), text->length };
}

static void add_slice(struct text *out, struct slice slice)
{
    text_add_bytes(out, slice.at, slice.length);
}

/* ---- one sentence --------------------------------------------------------------------------- */

uint64_t diff_total(const struct diff_count *count)
{
    return count->changed + max_u64(count->only[0], count->only[1]);
}

/* One of a list, of which `more` follow: "3 placements, 2 victims and 1 other decision". */
static void add_count(struct text *out, uint64_t count, const char *what, bool more)
{
    if (count)
        text_add(out, "%s%s", text_between(out->length, more), text_count(count, what).it);
}

/* "80M" as people read it. */
static void add_offset(struct text *out, struct slice value)
{
    uint64_t bytes;
    char *word = base_strndup(value.at, value.length);
    if (text_read_size(word, &bytes))
        text_add(out, "%s", bytes ? text_size(bytes).it : "0");
    else
        text_add(out, "%s", word);
    base_free(word);
}

/* "a -> b" of one key, of a place with its segment where that differs. */
static void add_change(struct text *out, struct slice a, struct slice b, struct slice key)
{
    struct slice of[2] = { a, b };
    bool place = slice_same(line_event(a), slice_of("place")) &&
                 (slice_same(key, slice_of("offset")) || slice_same(key, slice_of("segment")));
    bool elsewhere = !slice_same(line_value(a, "segment"), line_value(b, "segment"));
    if (!place)
        text_add(out, "%.*s ", (int)key.length, key.at);
    for (unsigned side = 0; side < 2; side++) {
        char *name = base_strndup(key.at, key.length);
        struct slice value = line_value(of[side], name);
        text_add(out, side ? " -> " : "");
        if (place && elsewhere) {
            add_slice(out, line_value(of[side], "segment"));
            text_add(out, " ");
        }
        if (place && (elsewhere || !side))
            text_add(out, "at ");
        if (place)
            add_offset(out, line_value(of[side], "offset"));
        else if (value.length)
            add_slice(out, value);
        else
            text_add(out, "none");
        base_free(name);
    }
}

/* The key that says most; "" when there is none. */
static struct slice first_change(struct slice a, struct slice b)
{
    static const char *const most[] = { "segment", "offset", "reason", "via", "status", "result" };
    struct slice key, value;
    for (size_t i = 0; i < ARRAY_COUNT(most); i++)
        if (!slice_same(line_value(a, most[i]), line_value(b, most[i])))
            return slice_of(most[i]);
    for (unsigned side = 0; side < 2; side++)
        for (size_t i = 0; line_pair(side ? b : a, i, &key, &value); i++) {
            char *name = base_strndup(key.at, key.length);
            bool differs = !slice_same(line_value(side ? a : b, name), value);
            base_free(name);
            if (differs)
                return key;
        }
    return (struct slice){ "", 0 };
}

/* "place ov", "evict a": what it is about. */
static void add_short(struct text *out, struct slice line)
{
    if (!line.length) {
        text_add(out, "nothing");
        return;
    }
    add_slice(out, line_event(line));
    if (line_subject(line).length) {
        text_add(out, " ");
        add_slice(out, line_subject(line));
    }
}

static void add_rule(struct text *out, struct slice a, struct slice b)
{
    struct slice rule[2] = { line_value(a, "rule"), line_value(b, "rule") };
    struct slice last = rule[1].length ? rule[1] : rule[0];
    if (!last.length)
        return;
    text_add(out, " by ");
    if (rule[0].length && rule[1].length && !slice_same(rule[0], rule[1])) {
        add_slice(out, rule[0]);
        text_add(out, " -> ");
    }
    add_slice(out, last);
}

static void add_first(struct text *out, const struct diff_first *first)
{
    struct slice a = slice_of_text(&first->decision[0]), b = slice_of_text(&first->decision[1]);
    bool same_event = slice_same(line_event(a), line_event(b));
    bool same_subject = slice_same(line_subject(a), line_subject(b));
    struct slice key = first_change(a, b);
    if (a.length && slice_same(a, b)) {
        add_short(out, a);
        text_add(out, " after another look");
    } else if (same_event && same_subject && key.length) {
        bool place = slice_same(line_event(a), slice_of("place"));
        if (place)
            add_slice(out, line_subject(a));
        else
            add_short(out, a);
        text_add(out, " ");
        add_change(out, a, b, key);
    } else if (same_event && slice_same(line_event(a), slice_of("evict"))) {
        text_add(out, "victim ");
        add_slice(out, line_subject(a));
        text_add(out, " -> ");
        add_slice(out, line_subject(b));
    } else {
        add_short(out, a);
        text_add(out, " -> ");
        add_short(out, b);
    }
    if (!slice_same(key, slice_of("rule")) || !same_event || !same_subject)
        add_rule(out, a, b);
}

void diff_summary(const struct diff *diff, const struct diff_labels *labels, struct text *out)
{
    static const char *const sides[] = { "on the first side", "on the second side" };
    const char *const *only = labels && labels->only[0] ? labels->only : sides;
    const struct diff_counts *counts = &diff->counts;
    struct text words = { 0 };
    uint64_t real = 0;
    const uint64_t all = diff_total(&counts->placements) + diff_total(&counts->victims) +
                         diff_total(&counts->others);
    const struct {
        const struct diff_count *count;
        const char *what;
    } rows[] = { { &counts->placements, "placement" },
                 { &counts->victims, "victim" },
                 { &counts->others, "other decision" } };
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        real += diff_total(rows[i].count);
        add_count(&words, diff_total(rows[i].count), rows[i].what, real < all);
    }
    if (real)
        text_add(&words, real == 1 ? " differs" : " differ");
    if (counts->follow)
        text_add(&words, "%s%" PRIu64 " %s", real ? ", and " : "", counts->follow,
                 counts->follow == 1 ? "follows from that" : "follow from that");
    if (counts->order)
        text_add(&words, "%sthe same decisions in another order", words.length ? "; " : "");
    if (counts->times)
        text_add(&words, "%s%s at another time", words.length ? "; " : "",
                 text_count(counts->times, "decision").it);
    if (counts->trails)
        text_add(&words, "%s%s after another look", words.length ? "; " : "",
                 text_count(counts->trails, "decision").it);
    for (unsigned side = 0; side < 2; side++)
        if (counts->tests[side])
            text_add(&words, "%s%s only %s", words.length ? "; " : "",
                     text_count(counts->tests[side], "test").it, only[side]);
    text_add(out, "%s", words.length ? text_get(&words) : "no decision differs");
    if (diff->first.known) {
        text_add(out, "; first: ");
        add_first(out, &diff->first);
    }
    text_free(&words);
}

/* ---- the rest ------------------------------------------------------------------------------- */

static void print_label(const struct screen *screen, const char *label)
{
    (void)fprintf(screen->out, "  %s%-*s%s", screen_on(screen, SCREEN_QUIET), LABEL_COLUMN - 2,
                  label, screen_off(screen));
}

static void print_where(const struct diff_first *first, const struct screen *screen)
{
    unsigned side = first->decision[1].length ? 1 : 0;
    if (first->section.length) {
        print_label(screen, "in");
        (void)fprintf(screen->out, "%s\n", text_get(&first->section));
    }
    if (!first->statement[side].length)
        return;
    if (!first->line[side])
        side = first->line[!side] && slice_same(slice_of_text(&first->statement[0]),
                                                slice_of_text(&first->statement[1]))
                   ? !side
                   : side;
    if (first->line[side])
        print_label(screen, text_print("line %" PRIu64, first->line[side]).it);
    else
        print_label(screen, "statement");
    (void)fprintf(screen->out, "%s%s%s\n", screen_on(screen, SCREEN_SOURCE),
                  text_get(&first->statement[side]), screen_off(screen));
}

static void print_before(const struct diff_first *first, const struct screen *screen)
{
    unsigned from = first->before_count < DIFF_BEFORE ? 0 : first->before_next;
    for (unsigned i = 0; i < first->before_count; i++) {
        print_label(screen, i ? "" : "before");
        (void)fprintf(screen->out, "%s%s%s\n", screen_on(screen, SCREEN_QUIET),
                      text_get(&first->before[(from + i) % DIFF_BEFORE]), screen_off(screen));
    }
}

static void print_pair(const struct screen *screen, const char *label, struct slice a,
                       struct slice b, int width)
{
    bool same = slice_same(a, b);
    print_label(screen, label);
    if (same) {
        (void)fprintf(screen->out, "%-*.*s  %.*s\n", width, (int)a.length, a.at, (int)b.length,
                      b.at);
        return;
    }
    (void)fprintf(screen->out, "%s%-*.*s%s %s %s%.*s%s\n", screen_on(screen, SCREEN_BAD), width - 1,
                  (int)a.length, a.at, screen_off(screen), screen_pick(screen, "≠", "!"),
                  screen_on(screen, SCREEN_GOOD), (int)b.length, b.at, screen_off(screen));
}

static int widest(struct slice a, const char *label)
{
    struct slice key, value;
    size_t most = max_u64(strlen(label), line_subject(a).length);
    for (size_t i = 0; line_pair(a, i, &key, &value); i++)
        most = max_u64(most, value.length);
    return (int)min_u64(most, VALUE_COLUMN_MOST);
}

/* Fields of both, in the order of the first; those of the second only at the end. */
static void print_fields(const struct diff_first *first, const struct diff_labels *labels,
                         const struct screen *screen)
{
    static const struct slice none = { "-", 1 };
    struct slice of[2] = { slice_of_text(&first->decision[0]), slice_of_text(&first->decision[1]) };
    int width = widest(of[0], labels->of[0]) + 2;
    struct slice key, value;
    (void)fprintf(screen->out, "\n");
    print_label(screen, "");
    (void)fprintf(screen->out, "%s%-*s  %s%s\n", screen_on(screen, SCREEN_TITLE), width,
                  labels->of[0], labels->of[1], screen_off(screen));
    print_pair(screen, "event", of[0].length ? line_event(of[0]) : none,
               of[1].length ? line_event(of[1]) : none, width);
    if (line_subject(of[0]).length || line_subject(of[1]).length)
        print_pair(screen, "subject", line_subject(of[0]).length ? line_subject(of[0]) : none,
                   line_subject(of[1]).length ? line_subject(of[1]) : none, width);
    for (unsigned side = 0; side < 2; side++)
        for (size_t i = 0; line_pair(of[side], i, &key, &value); i++) {
            char *name = base_strndup(key.at, key.length);
            struct slice other = line_value(of[!side], name);
            if (!side)
                print_pair(screen, name, value, other.length ? other : none, width);
            else if (!other.length)
                print_pair(screen, name, none, value, width);
            base_free(name);
        }
}

static void print_lines(const struct text *lines, const struct screen *screen)
{
    const char *at = text_get(lines), *end = at + lines->length;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        (void)fprintf(screen->out, "    %.*s\n", (int)(stop - at), at);
        at = stop + 1;
    }
}

static void print_trails(const struct diff_first *first, const struct diff_labels *labels,
                         const struct screen *screen)
{
    const struct text *of = first->trail;
    bool same = of[0].length && slice_same(slice_of_text(&of[0]), slice_of_text(&of[1]));
    for (unsigned side = 0; side < (same ? 1U : 2U); side++) {
        if (!of[side].length)
            continue;
        (void)fprintf(screen->out, "\n  %swhat %s%s%s\n", screen_on(screen, SCREEN_TITLE),
                      same ? "both looked at" : "was looked at, ", same ? "" : labels->of[side],
                      screen_off(screen));
        print_lines(&of[side], screen);
    }
}

void diff_print(const struct diff *diff, const struct diff_labels *labels,
                const struct screen *screen)
{
    const struct diff_first *first = &diff->first;
    if (!first->known)
        return;
    print_where(first, screen);
    print_before(first, screen);
    print_fields(first, labels, screen);
    print_trails(first, labels, screen);
}

/* ---- for programs --------------------------------------------------------------------------- */

static void put_count(struct json *json, const char *name, const struct diff_count *count)
{
    json_open(json, name, '{');
    json_number(json, "differ", diff_total(count));
    json_number(json, "changed", count->changed);
    json_number(json, "only_first", count->only[0]);
    json_number(json, "only_second", count->only[1]);
    json_close(json, '}');
}

static void put_lines(struct json *json, const char *name, const struct text *lines)
{
    const char *at = text_get(lines), *end = at + lines->length;
    json_open(json, name, '[');
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        json_bytes(json, NULL, at, (size_t)(stop - at));
        at = stop + 1;
    }
    json_close(json, ']');
}

static void put_side(struct json *json, const char *name, const struct diff_first *first,
                     unsigned side)
{
    json_open(json, name, '{');
    if (first->decision[side].length)
        json_string(json, "decision", text_get(&first->decision[side]));
    if (first->statement[side].length)
        json_string(json, "statement", text_get(&first->statement[side]));
    if (first->line[side])
        json_number(json, "line", first->line[side]);
    put_lines(json, "trail", &first->trail[side]);
    json_close(json, '}');
}

void diff_print_json(const struct diff *diff, struct json *json)
{
    const struct diff_counts *counts = &diff->counts;
    const struct diff_first *first = &diff->first;
    unsigned from = first->before_count < DIFF_BEFORE ? 0 : first->before_next;
    put_count(json, "placements", &counts->placements);
    put_count(json, "victims", &counts->victims);
    put_count(json, "others", &counts->others);
    json_number(json, "follow", counts->follow);
    json_number(json, "times", counts->times);
    json_number(json, "order", counts->order);
    json_number(json, "tests_only_first", counts->tests[0]);
    json_number(json, "tests_only_second", counts->tests[1]);
    if (!first->known)
        return;
    json_open(json, "first", '{');
    if (first->section.length)
        json_string(json, "in", text_get(&first->section));
    json_open(json, "before", '[');
    for (unsigned i = 0; i < first->before_count; i++)
        json_string(json, NULL, text_get(&first->before[(from + i) % DIFF_BEFORE]));
    json_close(json, ']');
    put_side(json, "expected", first, 0);
    put_side(json, "found", first, 1);
    json_close(json, '}');
}
