/* SPDX-License-Identifier: MIT */
/*
 * verdict.c: which test passed, from what a job said and how it ended.
 *
 * Messages belong to the test that ends next; those after the last one to the file, which is a
 * failed unit of its own if one of them is a failure, or if the file failed and none of its tests.
 * A test that began and did not end has failed, and those after it were skipped, unless the whole
 * run was interrupted.
 */
#define _GNU_SOURCE /* sigabbrev_np */
#include "tools/test/verdict.h"

#include <inttypes.h>
#include <string.h>

#include "tools/test/answer.h"

enum { OUTPUT_SHOWN = 4000 };

static struct unit *verdict_add(struct verdict *verdict, const char *name, enum unit_state state)
{
    BASE_GROW(verdict->units, verdict->unit_capacity, verdict->unit_count + 1);
    struct unit *unit = &verdict->units[verdict->unit_count++];
    *unit = (struct unit){ .state = state, .name = name, .tags = "", .why = "" };
    return unit;
}

/* ---- what the job said ------------------------------------------------------------------------
 */

struct reading {
    struct verdict *verdict;
    size_t next;   /* unit */
    size_t first;  /* message of no unit yet */
    size_t beside; /* messages of what failed before the first test: of the file */
    bool finished;
    uint64_t exit;
};

static void add_tag(struct verdict *verdict, const char *tag)
{
    if (!text_listed(text_get(&verdict->tags), tag))
        text_add(&verdict->tags, "%s%s", verdict->tags.length ? "|" : "", tag);
}

static void read_test(struct verdict *verdict, const struct answer *answer)
{
    static const char *const reasons[] = {
        [ANSWER_CHOSEN] = "",
        [ANSWER_NOT_BY_TAGS] = "not by --tags",
        [ANSWER_NOTHING_RUNS] = "nothing runs in it",
    };
    bool chosen = answer->number == ANSWER_CHOSEN;
    struct unit *unit = verdict_add(verdict, answer->name, chosen ? UNIT_CHOSEN : UNIT_SKIPPED);
    unit->line = answer->line ? answer->line : 1;
    unit->tags = answer->text;
    for (const char *tag = unit->tags; *tag; tag += *tag == ',') {
        struct text name = { 0 };
        text_add_bytes(&name, tag, strcspn(tag, ","));
        add_tag(verdict, text_get(&name));
        tag += name.length;
        text_free(&name);
    }
    unit->why = reasons[answer->number];
}

static void read_message(struct verdict *verdict, const struct answer *answer)
{
    BASE_GROW(verdict->messages, verdict->message_capacity, verdict->message_count + 1);
    verdict->messages[verdict->message_count++] =
        (struct unit_message){ .severity = (enum scenario_severity)answer->number,
                               .foreseen = answer->foreseen,
                               .golden = answer->golden,
                               .rule = (enum vidmm_rule)answer->rule,
                               .like = answer->like,
                               .line = answer->line,
                               .column = answer->column,
                               .file = answer->name,
                               .text = answer->text,
                               .rendered = answer->more };
}

/* The next that was chosen; NULL: there is none, as in a file that cannot be read. */
static struct unit *next_chosen(struct reading *reading)
{
    struct verdict *verdict = reading->verdict;
    while (reading->next < verdict->unit_count &&
           verdict->units[reading->next].state == UNIT_SKIPPED)
        reading->next++;
    return reading->next < verdict->unit_count ? &verdict->units[reading->next] : NULL;
}

static void take_messages(struct reading *reading, struct unit *unit)
{
    unit->first = reading->first;
    unit->count = reading->verdict->message_count - reading->first;
    reading->first = reading->verdict->message_count;
}

static void end_unit(struct reading *reading, enum unit_state state)
{
    struct unit *unit = next_chosen(reading);
    if (!unit)
        return;
    unit->state = state;
    take_messages(reading, unit);
    reading->next++;
}

static void read_line(struct reading *reading, const struct answer *answer)
{
    struct verdict *verdict = reading->verdict;
    struct unit *unit = NULL;
    switch (answer->kind) {
    case ANSWER_TAG:
        add_tag(verdict, answer->name);
        text_add(&verdict->file_tags, "%s%s", verdict->file_tags.length ? "," : "", answer->name);
        break;
    case ANSWER_PARAM: text_add(&verdict->params, "%s = %s\n", answer->name, answer->text); break;
    case ANSWER_TEST: read_test(verdict, answer); break;
    case ANSWER_MESSAGE: read_message(verdict, answer); break;
    case ANSWER_BEGIN:
        if (answer->number)
            reading->first = reading->beside = verdict->message_count;
        unit = next_chosen(reading);
        if (unit)
            unit->state = UNIT_BEGUN;
        break;
    case ANSWER_END: end_unit(reading, answer->number ? UNIT_PASSED : UNIT_FAILED); break;
    case ANSWER_UNCOMPARED: verdict->uncompared = true; break;
    case ANSWER_GOLDENLESS: verdict->goldenless = true; break;
    case ANSWER_FINISH:
        reading->finished = true;
        reading->exit = answer->number;
        break;
    }
}

/* ---- how it ended -----------------------------------------------------------------------------
 */

static void add_crash(struct verdict *verdict, const struct workers_answer *answer)
{
    bool silent = !answer->signal && !answer->output_count;
    int shown = answer->output_count < OUTPUT_SHOWN ? (int)answer->output_count : OUTPUT_SHOWN;
    if (answer->signal)
        text_add(&verdict->own, "%s: crashed: SIG%s (%s)\n", verdict->file,
                 sigabbrev_np(answer->signal), strsignal(answer->signal));
    if (silent)
        text_add(&verdict->own, "%s: the process ended before its run did, with the exit code %d\n",
                 verdict->file, answer->exit);
    text_add_bytes(&verdict->own, answer->output + answer->output_count - shown, (size_t)shown);
    if (verdict->own.length && verdict->own.bytes[verdict->own.length - 1] != '\n')
        text_add(&verdict->own, "\n");
    if (!verdict->own.length)
        return;
    const struct answer message = { .number = SCENARIO_STOPPED,
                                    .name = verdict->file,
                                    .text = answer->signal ? "crashed" : "could not go on",
                                    .more = text_get(&verdict->own) };
    read_message(verdict, &message);
}

/* Those that came first go behind those of the tests, to the others of the file. */
static void move_beside(struct reading *reading)
{
    struct unit_message *messages = reading->verdict->messages;
    size_t count = reading->beside, rest = reading->first - count;
    struct unit_message *moved = base_alloc(count, sizeof *moved);
    memcpy(moved, messages, count * sizeof *moved);
    memmove(messages, messages + count, rest * sizeof *moved);
    memcpy(messages + rest, moved, count * sizeof *moved);
    base_free(moved);
    reading->first = rest;
    for (size_t i = 0; i < reading->verdict->unit_count; i++)
        reading->verdict->units[i].first -= reading->verdict->units[i].count ? count : 0;
}

/* Something failed after the last test. */
static bool fails_after(const struct reading *reading)
{
    const struct verdict *verdict = reading->verdict;
    for (size_t i = reading->first; i < verdict->message_count; i++)
        if (!unit_complains(&verdict->messages[i]))
            return true;
    return false;
}

static void settle(struct reading *reading, bool cut)
{
    struct verdict *verdict = reading->verdict;
    struct unit *unit = next_chosen(reading);
    bool failed = false;
    bool alone = unit && !*unit->name && unit->state == UNIT_CHOSEN;
    if (cut)
        return;
    if (unit && (unit->state == UNIT_BEGUN || alone))
        end_unit(reading, verdict->exit ? UNIT_FAILED : UNIT_PASSED);
    for (size_t i = 0; i < verdict->unit_count; i++)
        failed = failed || verdict->units[i].state == UNIT_FAILED;
    if (reading->beside)
        move_beside(reading);
    if (reading->beside || (verdict->exit && (!failed || fails_after(reading))))
        take_messages(reading, verdict_add(verdict, "", UNIT_FAILED));
    for (size_t i = 0; i < verdict->unit_count; i++) {
        if (verdict->units[i].state != UNIT_CHOSEN || !verdict->exit)
            continue;
        verdict->units[i].state = UNIT_SKIPPED;
        verdict->units[i].why = "not reached";
    }
    /* What is left is said of the whole file: with its last test. */
    if (verdict->unit_count && reading->first < verdict->message_count) {
        unit = &verdict->units[verdict->unit_count - 1];
        unit->first = unit->count ? unit->first : reading->first;
        unit->count = verdict->message_count - unit->first;
    }
}

void verdict_read(struct verdict *verdict, const struct workers_answer *answer)
{
    struct reading reading = { .verdict = verdict };
    struct answer line;
    const char *at = answer->bytes;
    while (answer_next(&at, answer->bytes + answer->count, &line))
        read_line(&reading, &line);
    verdict->exit = reading.finished ? (int)reading.exit : answer->exit;
    if (answer->signal || (!reading.finished && !verdict->exit))
        verdict->exit = SCENARIO_EXIT_INVARIANT;
    bool cut = answer->cut && (answer->signal || verdict->exit == SCENARIO_EXIT_INTERRUPTED);
    verdict->known = !cut;
    if (!cut && (answer->output_count || answer->signal || !reading.finished))
        add_crash(verdict, answer);
    settle(&reading, cut);
}

void verdict_free(struct verdict *verdict)
{
    base_free(verdict->units);
    base_free(verdict->messages);
    text_free(&verdict->own);
    text_free(&verdict->tags);
    text_free(&verdict->file_tags);
    text_free(&verdict->params);
    *verdict = (struct verdict){ 0 };
}

const char *verdict_kind(const struct verdict *verdict)
{
    switch (verdict->exit) {
    case SCENARIO_EXIT_USAGE:
    case SCENARIO_EXIT_INPUT: return "input";
    case SCENARIO_EXIT_LIMIT: return "limit";
    case SCENARIO_EXIT_BUGCHECK: return "bugcheck";
    case SCENARIO_EXIT_INVARIANT: return "crash";
    default: return "expectation";
    }
}

void verdict_name(const struct verdict *verdict, const struct unit *unit, struct text *name)
{
    text_add(name, "%s%s%s", verdict->file, *unit->name ? ": " : "", unit->name);
    if (verdict->seeded)
        text_add(name, " [seed %" PRIu64 "]", verdict->seed);
}
