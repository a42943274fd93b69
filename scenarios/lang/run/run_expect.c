/* SPDX-License-Identifier: MIT */
/*
 * run_expect.c: expectations, one small function for each kind.
 *
 * What does not hold says both sides and, where an allocation is asked about, the event that
 * brought it where it is.
 */
#include "scenarios/lang/run/statements.h"

#include <string.h>

enum { DETAIL_BYTES = 1024 };

static void expect_add_line(char *details, const char *line)
{
    if (line[0])
        words_add(details, DETAIL_BYTES, "%s%s", details[0] ? "\n" : "", line);
}

/* How each allocation that the expression names came where it is. */
static void add_moves(struct runner *runner, const struct expr *expr, char *details)
{
    binding named = 0;
    char label[80];
    char text[320];
    if (!expr)
        return;
    bool target = expr->kind == EXPR_NAME || expr->kind == EXPR_HANDLE;
    if (target && evaluate_binding_quietly(runner, expr, &named) &&
        bindings_object(named) == OBJECT_ALLOCATION)
        expect_add_line(details,
                        describe_move(runner, bindings_number(named),
                                      source_copy(runner->scenario, expr->at, label, sizeof label),
                                      text, sizeof text));
    for (const struct item *item = expr->items; item; item = item->next)
        add_moves(runner, item->from, details);
    add_moves(runner, expr->left, details);
    add_moves(runner, expr->right, details);
}

static void expect_fail(struct runner *runner, const char *reason, const struct expr *about)
{
    char details[DETAIL_BYTES] = "";
    expect_add_line(details, reason);
    add_moves(runner, about, details);
    runner_failed(runner, details);
}

/* ---- comparisons ----------------------------------------------------------------------------- */

static void describe_side(const struct runner *runner, const struct expr *expr, uint64_t value,
                          enum unit unit, char *text, size_t bytes)
{
    char name[128];
    char number[64];
    /* A number as it was written says nothing new. */
    text[0] = '\0';
    if (expr->kind != EXPR_NUMBER)
        snprintf(text, bytes, "%s = %s", source_copy(runner->scenario, expr->at, name, sizeof name),
                 spell_value(value, unit, number, sizeof number));
}

static void fail_comparison(struct runner *runner, const struct predicate *predicate, uint64_t left,
                            uint64_t right)
{
    char sides[2][224];
    char details[DETAIL_BYTES] = "";
    enum unit unit = describe_unit(runner, predicate->left);
    if (unit == UNIT_NONE)
        unit = describe_unit(runner, predicate->right);
    describe_side(runner, predicate->left, left, unit, sides[0], sizeof sides[0]);
    describe_side(runner, predicate->right, right, unit, sides[1], sizeof sides[1]);
    bool both = sides[0][0] && sides[1][0];
    snprintf(details, sizeof details, both ? "%-24s  %s" : "%s%s", sides[0], sides[1]);
    add_moves(runner, predicate->left, details);
    add_moves(runner, predicate->right, details);
    runner_failed(runner, details);
}

static void expect_comparison(struct runner *runner, const struct predicate *predicate)
{
    uint64_t left = 0, right = 0;
    if (!evaluate(runner, predicate->left, &left))
        expect_fail(runner, runner->problem, predicate->left);
    else if (!evaluate(runner, predicate->right, &right))
        expect_fail(runner, runner->problem, predicate->right);
    else if (!arithmetic_compare(predicate->op, left, right))
        fail_comparison(runner, predicate, left, right);
}

/* ---- allocations ----------------------------------------------------------------------------- */

static bool view_subject(struct runner *runner, const struct predicate *predicate,
                         struct vidmm_allocation_view *view)
{
    binding named = evaluate_binding(runner, predicate->left);
    if (vidmm_allocation_view(runner->adapter, bindings_number(named), view))
        return true;
    char missing[160];
    expect_fail(runner, functions_missing(runner, predicate->left, missing, sizeof missing), NULL);
    return false;
}

/* `asked` is what it should be, "" a place: that it is not lost is said before where it is. */
static void fail_where(struct runner *runner, const struct predicate *predicate,
                       const struct vidmm_allocation_view *view, const char *asked)
{
    char label[80];
    char subject[128];
    char offset[64];
    char text[320];
    source_copy(runner->scenario, predicate->left->at, label, sizeof label);
    snprintf(subject, sizeof subject, "%s%s", label,
             strcmp(asked, "lost") == 0 ? " did not lose its content: it" : "");
    if (view->residency == VIDMM_RESIDENCY_RESIDENT && view->segment)
        snprintf(text, sizeof text, "%s is in %s at %s", subject,
                 describe_segment(runner, view->segment),
                 spell_bytes(view->offset, offset, sizeof offset));
    else if (view->residency == VIDMM_RESIDENCY_LOST)
        snprintf(text, sizeof text, "%s is nowhere: it lost its content", label);
    else if (view->residency == VIDMM_RESIDENCY_NO_CONTENT)
        snprintf(text, sizeof text,
                 runner->mock_config.wddm >= VIDMM_WDDM_2_0
                     ? "%s is in no segment and has no content: `page-in %s` brings it in, which "
                       "from WDDM 2.0 on a `submit` does not"
                     : "%s is in no segment and has no content: a `submit` with it or `page-in "
                       "%s` brings it in",
                 label, label);
    else
        snprintf(text, sizeof text, "%s is in system memory", subject);
    expect_fail(runner, text, predicate->left);
}

static void expect_in(struct runner *runner, const struct predicate *predicate)
{
    struct vidmm_allocation_view view;
    uint64_t offset = 0;
    if (predicate->right && !evaluate(runner, predicate->right, &offset)) {
        expect_fail(runner, runner->problem, NULL);
        return;
    }
    if (!view_subject(runner, predicate, &view))
        return;
    binding segment = predicate->segment->name == runner->scenario->word_system
                          ? 0
                          : evaluate_binding(runner, predicate->segment);
    /* What it has on that adapter of a link. */
    (void)vidmm_allocation_copy(runner->adapter,
                                bindings_number(evaluate_binding(runner, predicate->left)),
                                bindings_extra(segment), &view);
    bool resident = view.residency == VIDMM_RESIDENCY_RESIDENT;
    bool holds;
    if (predicate->name == runner->scenario->word_system)
        holds = view.residency != VIDMM_RESIDENCY_LOST && (!resident || !view.segment);
    else
        holds = resident && view.segment == bindings_number(segment);
    if (!holds || (predicate->right && view.offset != offset))
        fail_where(runner, predicate, &view, "");
}

static bool has_property(const struct vidmm_allocation_view *view, enum vidmm_offer_state offer,
                         const char *name)
{
    const struct {
        const char *name;
        bool holds;
    } properties[] = {
        { "evicted", view->residency == VIDMM_RESIDENCY_EVICTED ||
                         view->residency == VIDMM_RESIDENCY_NO_CONTENT },
        { "resident", view->residency == VIDMM_RESIDENCY_RESIDENT },
        { "lost", view->residency == VIDMM_RESIDENCY_LOST },
        { "pinned", view->pinned },
        { "dirty", view->gpu_dirty },
        { "clean", !view->gpu_dirty },
        { "locked", view->locks != 0 },
        { "shared", view->shared },
        { "offered", offer == VIDMM_OFFER_OFFERED },
        { "busy", view->busy },
        { "idle", !view->busy },
    };
    size_t i = 0;
    while (strcmp(properties[i].name, name) != 0) {
        i++;
        CHECK(i < ARRAY_COUNT(properties));
    }
    return properties[i].holds;
}

/* Why it is not, where that is known. */
static const char *why_not(const struct runner *runner, const char *name,
                           const struct vidmm_allocation_view *view)
{
    struct vidmm_segment_view segment;
    bool memory = view->residency == VIDMM_RESIDENCY_RESIDENT && view->segment &&
                  vidmm_segment_view(runner->adapter, view->segment, &segment) &&
                  strcmp(segment.kind, "memory") == 0;
    if (strcmp(name, "pinned") == 0)
        return view->residency == VIDMM_RESIDENCY_RESIDENT ? view->pinned_by : "it is not resident";
    if (strcmp(name, "dirty") != 0 || view->residency != VIDMM_RESIDENCY_RESIDENT || memory)
        return "";
    return "it lies in system pages, and what the GPU writes goes straight there (PAGE-030)";
}

/* How it came where it lies says nothing about what pins it there, or does not. */
static const struct expr *moved(const struct expr *subject, const char *name,
                                const struct vidmm_allocation_view *view)
{
    bool lies = view->residency == VIDMM_RESIDENCY_RESIDENT;
    return lies && strcmp(name, "pinned") == 0 ? NULL : subject;
}

static void expect_is(struct runner *runner, const struct predicate *predicate)
{
    struct vidmm_allocation_view view;
    char label[80];
    char text[240];
    const char *name = runner_word(runner, predicate->name);
    if (!view_subject(runner, predicate, &view))
        return;
    binding named = evaluate_binding(runner, predicate->left);
    if (has_property(&view, vidmm_offer_state(runner->adapter, bindings_number(named)), name))
        return;
    if (word_list_has("evicted|resident|lost", name, NULL)) {
        fail_where(runner, predicate, &view, name);
        return;
    }
    const char *why = why_not(runner, name, &view);
    snprintf(text, sizeof text, "%s is not %s%s%s",
             source_copy(runner->scenario, predicate->left->at, label, sizeof label), name,
             *why ? ": " : "", why);
    expect_fail(runner, text, moved(predicate->left, name, &view));
}

static void expect_content(struct runner *runner, const struct predicate *predicate)
{
    binding named = evaluate_binding(runner, predicate->left);
    struct vidmm_allocation_view view;
    if (!view_subject(runner, predicate, &view))
        return;
    vidmm_handle handle = bindings_number(named);
    const char *wanted = runner_word(runner, predicate->name);
    char text[480] = "every page holds what it should";
    char problem[480];
    const char *found = "intact";
    uint64_t page, uncertain = vidmm_content_uncertain(runner->adapter, handle, &page);
    if (view.residency == VIDMM_RESIDENCY_LOST) {
        found = "lost";
        snprintf(text, sizeof text, "its content was lost");
    } else if (view.discarded) {
        found = "lost";
        snprintf(text, sizeof text,
                 "it was offered, and its content is gone (OFFER-011, OFFER-013)");
    } else if (uncertain) {
        found = "uncertain";
        snprintf(text, sizeof text,
                 "page %" PRIu64 " is not guaranteed%s: the CPU wrote it through its cache, Cached "
                 "is not set, and nothing flushes the cache (FLAG-026)",
                 page, uncertain > 1 ? ", and it is not the only one" : "");
    } else if (vidmm_content_problem(runner->adapter, handle, problem, sizeof problem)) {
        found = "lost";
        snprintf(text, sizeof text, "%s", problem);
    }
    if (strcmp(found, wanted) != 0)
        expect_fail(runner, text, predicate->left);
}

/* ---- states ---------------------------------------------------------------------------------- */

/* What pins it, or that nothing does; fills in `view`, if it has one. */
static const char *why_pinned(const struct runner *runner, binding subject, const char *key,
                              struct vidmm_allocation_view *view)
{
    bool asked = strcmp(key, "pinned") == 0 && bindings_object(subject) == OBJECT_ALLOCATION &&
                 vidmm_allocation_view(runner->adapter, bindings_number(subject), view);
    return asked ? view->pinned_by : "";
}

/* A flag in the words in which it was asked for. */
static void describe_value(const struct runner *runner, const struct attribute *asked,
                           const struct vidmm_field *field, char *text, size_t size)
{
    const struct expr *wanted = asked->items->from;
    const char *said = wanted->kind == EXPR_NAME ? runner_word(runner, wanted->name) : "";
    if (field->kind == VIDMM_FIELD_FLAG && wanted->kind != EXPR_NAME)
        snprintf(text, size, "%d", field->value != 0);
    else if (word_list_has("yes|no", said, NULL))
        snprintf(text, size, "%s", field->value ? "yes" : "no");
    else
        state_describe(runner, field, text, size);
}

/* One failure with all keys that are something else: how it came there is told once. */
static void expect_state(struct runner *runner, const struct predicate *predicate)
{
    char wrong[DETAIL_BYTES] = "";
    const struct expr *about = NULL;
    binding subject = state_subject(runner, predicate->left);
    if (!evaluate_pattern(runner, predicate))
        return;
    for (const struct attribute *at = predicate->fields; at; at = at->next) {
        struct vidmm_field field;
        char words[64];
        char now[128];
        char text[224];
        const char *key = runner_word(runner, at->key);
        if (!state_keys_find(runner, subject, key, &field, words, sizeof words)) {
            snprintf(text, sizeof text, "it has no '%s'", key);
            expect_add_line(wrong, text);
        } else if (!event_match_field(runner, at, &field)) {
            describe_value(runner, at, &field, now, sizeof now);
            struct vidmm_allocation_view view = { .residency = VIDMM_RESIDENCY_NO_CONTENT };
            const char *why = why_pinned(runner, subject, key, &view);
            snprintf(text, sizeof text, "%s=%s%s%s", key, now, *why ? ": " : "", why);
            expect_add_line(wrong, text);
            about = about ? about : moved(predicate->left, key, &view);
        }
    }
    if (*wrong)
        expect_fail(runner, wrong, about);
}

/* ---- no event -------------------------------------------------------------------------------- */

static void expect_no(struct runner *runner, const struct predicate *predicate)
{
    char text[WATCH_WORDS_MAX + 64];
    uint64_t since = 0;
    const struct watch *watch = predicate->watch;
    binding mark = predicate->name ? bindings_of_word(runner, predicate->name) : 0;
    if (bindings_object(mark) == OBJECT_MARK)
        since = runner->steps->marks[bindings_number(mark)];
    if (!evaluate_pattern(runner, predicate) || watches_last(runner, watch) <= since)
        return;
    snprintf(text, sizeof text, "there was such an event: the last one is %s", watch->last);
    expect_fail(runner, text, predicate->left);
}

static void expect_predicate(struct runner *runner, const struct predicate *predicate)
{
    switch ((enum predicate_kind)predicate->kind) {
    case PREDICATE_COMPARE: expect_comparison(runner, predicate); break;
    case PREDICATE_IN: expect_in(runner, predicate); break;
    case PREDICATE_IS: expect_is(runner, predicate); break;
    case PREDICATE_STATE: expect_state(runner, predicate); break;
    case PREDICATE_CONTENT: expect_content(runner, predicate); break;
    case PREDICATE_NO: expect_no(runner, predicate); break;
    case PREDICATE_VALUE: break;
    }
}

void run_expect_statement(struct runner *runner, const struct statement *statement)
{
    if (!run_start_implied(runner))
        return;
    runner_expect_begin(runner);
    switch (statement->mode) {
    case MODE_MAP: expect_list_map(runner, statement); break;
    case MODE_EVENTS:
    case MODE_EVENTS_ANY_ORDER: expect_list_events(runner, statement); break;
    default: expect_predicate(runner, statement->predicate); break;
    }
    runner_expect_end(runner);
}

/* The answer of a question: yes when it could be expected. */
void run_expect_ask(struct runner *runner, const struct statement *statement)
{
    const struct predicate *answer = statement->predicate;
    uint64_t value = 0;
    if (answer->kind == PREDICATE_VALUE && answer->left->kind != EXPR_STRING) {
        if (evaluate(runner, answer->left, &value))
            runner_ask(runner, answer, value);
        else
            runner_failed(runner, runner->problem);
    } else if (answer->kind == PREDICATE_VALUE || run_start_implied(runner)) {
        runner->asking = true;
        runner->missed = false;
        expect_predicate(runner, answer);
        runner->asking = false;
        runner_ask(runner, answer, !runner->missed);
    }
}

/* ---- marks, always --------------------------------------------------------------------------- */

void run_expect_mark(struct runner *runner, const struct statement *statement)
{
    BASE_GROW(runner->steps->marks, runner->steps->mark_capacity, runner->steps->mark_count + 1);
    runner->steps->marks[runner->steps->mark_count] = runner->last_seq;
    bindings_name(runner, statement->name, OBJECT_MARK, (uint32_t)runner->steps->mark_count++);
}

void run_expect_always(struct runner *runner, const struct statement *statement)
{
    uint64_t every = 1;
    if (!evaluate_optional(runner, statement, ATTRIBUTE_ALWAYS_EVERY, &every))
        return;
    if (runner->steps->always_count == ARRAY_COUNT(runner->steps->always)) {
        runner_stop(runner, "a scenario has at most %zu blocks of 'always'",
                    ARRAY_COUNT(runner->steps->always));
        return;
    }
    runner->steps->always[runner->steps->always_count++] =
        (struct always_block){ statement, every ? every : 1 };
}
