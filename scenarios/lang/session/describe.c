/* SPDX-License-Identifier: MIT */
/*
 * describe.c: numbers, results, moves and missing names in words, for messages.
 *
 * A name stands for nothing when the statement that should have made it was refused: which one was
 * it? That is kept beside the bindings, so that such a name stays unbound. Names of generated files
 * (@17) and of `new` are not kept.
 */
#include "scenarios/lang/session/session.h"

#include <string.h>

static enum unit unit_of_call(const struct runner *runner, const struct expr *expr)
{
    static const enum unit units[] = {
        [VIDMM_UNIT_COUNT] = UNIT_NONE,
        [VIDMM_UNIT_BYTES] = UNIT_SIZE,
        [VIDMM_UNIT_NS] = UNIT_TIME,
    };
    const char *name = runner_word(runner, expr->name);
    enum function function = function_find(name);
    if (function == FUNCTION_RAND)
        return describe_unit(runner, expr->items->from);
    if (function != FUNCTIONS) /* a call: no function is a name */
        return function_row_of(function)->unit;
    enum vidmm_counter counter = vidmm_counter_by_name(name);
    return counter == VIDMM_COUNTERS ? UNIT_NONE : units[vidmm_counter_info(counter)->unit];
}

enum unit describe_unit(const struct runner *runner, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_NAME:
    case EXPR_CALL: return unit_of_call(runner, expr);
    case EXPR_BINARY: {
        enum unit left = describe_unit(runner, expr->left);
        enum unit right = describe_unit(runner, expr->right);
        if (expr->op == '/' && left == right)
            return UNIT_NONE;
        return left != UNIT_NONE ? left : right;
    }
    default: return (enum unit)expr->unit;
    }
}

const char *describe_refusal(const struct runner *runner, vidmm_status status, char *text,
                             size_t size)
{
    const struct vidmm_refusal *refusal = vidmm_last_refusal(runner->adapter);
    char name[96];
    snprintf(text, size, "the call gave %s", spell_status(status, name, sizeof name));
    if (!refusal || refusal->status != status)
        return text;
    words_add(text, size, ": %s", refusal->text);
    for (size_t i = 0; i < refusal->rule_count; i++)
        words_add(text, size, "%s%s", i ? ", " : " (", vidmm_rule_id(refusal->rules[i]));
    CHECK(refusal->rule_count);
    words_add(text, size, ")");
    return text;
}

const char *describe_segment(const struct runner *runner, uint32_t segment)
{
    struct vidmm_segment_view view;
    if (!segment)
        return "system";
    return vidmm_segment_view(runner->adapter, segment, &view) ? view.name : "no segment";
}

const char *describe_move(const struct runner *runner, vidmm_handle handle, const char *label,
                          char *text, size_t size)
{
    const struct move *move = event_log_move(runner, handle);
    char bytes[64];
    text[0] = '\0';
    if (!move)
        return text;
    const char *did = move->kind == VIDMM_EVENT_PLACE   ? "was placed"
                      : move->kind == VIDMM_EVENT_EVICT ? "was evicted"
                                                        : "lost its content";
    snprintf(text, size, "%s %s by event %" PRIu64 " at %" PRIu64 ".%03" PRIu64 " us", label, did,
             move->seq, move->time / 1000, move->time % 1000);
    if (move->kind != VIDMM_EVENT_LOST && move->segment)
        words_add(text, size, ": %s %s at %s%s%s", move->kind == VIDMM_EVENT_PLACE ? "in" : "from",
                  describe_segment(runner, move->segment),
                  spell_bytes(move->offset, bytes, sizeof bytes), move->words[0] ? ", " : "",
                  move->words);
    if (move->rule != VIDMM_RULE_NONE)
        words_add(text, size, " (%s)", vidmm_rule_id(move->rule));
    return text;
}

/* ---- the present statement ------------------------------------------------------------------ */

struct place describe_place(const struct runner *runner)
{
    if (runner->line)
        return source_bulk_line(runner->scenario, runner->line_source, runner->line->offset);
    return runner->statement ? runner->statement->line : (struct place){ 0 };
}

/* ---- names that stand for nothing ------------------------------------------------------------ */

enum { SOURCE_SHIFT = 32, KNOWN_SHIFT = 63, NAME_BYTES = 96 };

void run_missing_note(struct runner *runner, const struct expr *target)
{
    name_key key;
    struct place at = describe_place(runner);
    if (!evaluate_key(runner, target, &key))
        return;
    names_slot(&runner->refused, key)->value =
        1ull << KNOWN_SHIFT | (uint64_t)at.source << SOURCE_SHIFT | at.offset;
}

/* 0: no statement tried. */
static uint32_t refused_at(struct runner *runner, name_key key)
{
    struct scenario_span span;
    const struct name_slot *slot = names_find(&runner->refused, key);
    if (!slot)
        slot = names_find(&runner->refused, key & ~(name_key)UINT32_MAX);
    if (!slot)
        return 0;
    const struct place at = { .offset = (uint32_t)slot->value,
                              .source = (uint16_t)(slot->value >> SOURCE_SHIFT) };
    message_where(runner->scenario, at, &span);
    return span.line;
}

static void write_name(const struct runner *runner, const struct expr *target, name_key key,
                       char name[NAME_BYTES])
{
    uint32_t member = (uint32_t)key;
    snprintf(name, NAME_BYTES, "%.79s", runner_word(runner, target->name));
    if (member)
        words_add(name, NAME_BYTES, "[%" PRIu32 "]", member - 1);
}

const char *run_missing_describe(struct runner *runner, const struct expr *target, char *text,
                                 size_t size)
{
    char name[NAME_BYTES] = "what this names";
    name_key key = 0;
    uint32_t line = 0;
    if (evaluate_key(runner, target, &key)) {
        line = refused_at(runner, key);
        write_name(runner, target, key, name);
    }
    if (line)
        snprintf(text, size, "%s was refused in line %" PRIu32, name, line);
    else
        snprintf(text, size, "no statement that ran made %s", name);
    return text;
}

const char *run_missing_name(void *caller, vidmm_handle handle)
{
    name_key key;
    struct runner *runner = caller;
    const struct expr *target = runner->missing;
    if (handle != RUN_NO_HANDLE)
        return NULL;
    if (!target && runner->statement->kind == STATEMENT_UNLOCK &&
        runner->statement->mode == MODE_ALL)
        return "last (nothing was locked before)";
    /* Which of several it is, is not known. */
    bool one = target && !runner->missing_others && evaluate_key(runner, target, &key);
    if (!one)
        return "a name of nothing";
    write_name(runner, target, key, runner->missing_name);
    if (target->right)
        words_add(runner->missing_name, sizeof runner->missing_name, "[...]");
    return runner->missing_name;
}

void run_missing_add(struct runner *runner, char *details, size_t size)
{
    name_key key;
    char text[160];
    if (!runner->missing || !evaluate_key(runner, runner->missing, &key) ||
        !refused_at(runner, key))
        return;
    (void)run_missing_describe(runner, runner->missing, text, sizeof text);
    if (!strstr(details, text))
        words_add(details, size, "%s%s", details[0] ? "\n" : "", text);
}
