/* SPDX-License-Identifier: MIT */
/*
 * describe.c: numbers, results and moves in words, for messages.
 */
#include "scenarios/lang/run/statements.h"

#include <string.h>

const char *describe_bytes(uint64_t bytes, char *text, size_t size)
{
    static const struct {
        uint64_t unit;
        const char *name;
    } units[] = { { 1ull << 30, "GiB" }, { 1ull << 20, "MiB" }, { 1ull << 10, "KiB" } };
    for (size_t i = 0; i < ARRAY_COUNT(units); i++) {
        if (bytes >= units[i].unit && bytes % units[i].unit == 0) {
            snprintf(text, size, "%" PRIu64 " %s (0x%" PRIX64 ")", bytes / units[i].unit,
                     units[i].name, bytes);
            return text;
        }
    }
    if (bytes < 10)
        snprintf(text, size, "%" PRIu64, bytes);
    else
        snprintf(text, size, "%" PRIu64 " (0x%" PRIX64 ")", bytes, bytes);
    return text;
}

static enum unit unit_of_call(const struct runner *runner, const struct expr *expr)
{
    static const enum unit units[] = {
        [VIDMM_UNIT_COUNT] = UNIT_NONE,
        [VIDMM_UNIT_BYTES] = UNIT_SIZE,
        [VIDMM_UNIT_NS] = UNIT_TIME,
    };
    const char *name = runner_word(runner, expr->name);
    enum function function = function_find(name);
    if (function != FUNCTIONS && expr->kind == EXPR_CALL)
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

static const char *describe_time(uint64_t ns, char *text, size_t size)
{
    static const struct {
        uint64_t unit;
        const char *name;
    } units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" } };
    for (size_t i = 0; i < ARRAY_COUNT(units); i++) {
        if (ns >= units[i].unit && ns % units[i].unit == 0) {
            snprintf(text, size, "%" PRIu64 " %s (%" PRIu64 " ns)", ns / units[i].unit,
                     units[i].name, ns);
            return text;
        }
    }
    snprintf(text, size, "%" PRIu64 " ns", ns);
    return text;
}

const char *describe_value(uint64_t value, enum unit unit, char *text, size_t size)
{
    if (unit == UNIT_SIZE)
        return describe_bytes(value, text, size);
    if (unit == UNIT_TIME)
        return describe_time(value, text, size);
    snprintf(text, size, "%" PRIu64, value);
    return text;
}

const char *describe_status(vidmm_status status, char *text, size_t size)
{
    const struct vidmm_status_info *info = vidmm_status_info(status);
    if (info && info->name)
        snprintf(text, size, "%s (0x%08" PRIX32 ")", info->name, (uint32_t)status);
    else
        snprintf(text, size, "0x%08" PRIX32, (uint32_t)status);
    return text;
}

static void add_rules(const struct vidmm_refusal *refusal, char *text, size_t size)
{
    for (size_t i = 0; i < refusal->rule_count; i++) {
        size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s", i ? ", " : " (",
                 vidmm_rule_id(refusal->rules[i]));
    }
    if (refusal->rule_count) {
        size_t length = strlen(text);
        snprintf(text + length, size - length, ")");
    }
}

const char *describe_refusal(const struct runner *runner, vidmm_status status, char *text,
                             size_t size)
{
    const struct vidmm_refusal *refusal =
        runner->adapter ? vidmm_last_refusal(runner->adapter) : NULL;
    char name[96];
    snprintf(text, size, "the call gave %s", describe_status(status, name, sizeof name));
    if (!refusal || refusal->status != status || status >= 0)
        return text;
    size_t length = strlen(text);
    snprintf(text + length, size - length, ": %s", refusal->text);
    add_rules(refusal, text, size);
    return text;
}

const char *describe_segment(const struct runner *runner, uint32_t segment)
{
    struct vidmm_segment_view view;
    if (!segment)
        return "system";
    return runner->adapter && vidmm_segment_view(runner->adapter, segment, &view) ? view.name
                                                                                  : "no segment";
}

void describe_heard(const struct vidmm_event *event, char *text, size_t size)
{
    const char *label = event->label ? event->label : "";
    snprintf(text, size, "event %" PRIu64 ", %s%s%s", event->seq,
             vidmm_event_info(event->kind)->name, label[0] ? " " : "", label);
    for (size_t i = 0; i < event->field_count; i++) {
        const struct vidmm_field *field = &event->fields[i];
        size_t length = strlen(text);
        if (field->kind == VIDMM_FIELD_TEXT && strcmp(field->name, "text") == 0 && field->text)
            snprintf(text + length, size - length, ": %s", field->text);
    }
    size_t length = strlen(text);
    if (event->rule != VIDMM_RULE_NONE)
        snprintf(text + length, size - length, " (%s)", vidmm_rule_id(event->rule));
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
    size_t length = strlen(text);
    if (move->kind != VIDMM_EVENT_LOST && move->segment)
        snprintf(text + length, size - length, ": %s %s at %s%s%s",
                 move->kind == VIDMM_EVENT_PLACE ? "in" : "from",
                 describe_segment(runner, move->segment),
                 describe_bytes(move->offset, bytes, sizeof bytes), move->words[0] ? ", " : "",
                 move->words);
    length = strlen(text);
    if (move->rule != VIDMM_RULE_NONE)
        snprintf(text + length, size - length, " (%s)", vidmm_rule_id(move->rule));
    return text;
}

/* ---- the present statement ------------------------------------------------------------------ */

/* Bulk lines have no comment, so they end where their text ends. */
static struct place describe_line(const struct runner *runner)
{
    const struct source *source = runner->scenario->sources[runner->line_source];
    uint32_t from = runner->line->offset;
    while (source->text[from] == ' ' || source->text[from] == '\t')
        from++;
    uint32_t to = from;
    while (to < source->bytes && source->text[to] != '\n' && source->text[to] != '\r')
        to++;
    while (source->text[to - 1] == ' ' || source->text[to - 1] == '\t')
        to--;
    return (struct place){ from, (uint16_t)min_u64(to - from, UINT16_MAX), runner->line_source };
}

struct place describe_place(const struct runner *runner)
{
    if (runner->line)
        return describe_line(runner);
    return runner->statement ? runner->statement->line : (struct place){ 0 };
}
