/* SPDX-License-Identifier: MIT */
/*
 * lives.c: allocation traces, as MiniMalloc has them: when each allocation is born, when it dies.
 *
 * A life reaches from `lower` up to and without `upper`: what dies at an instant leaves its place
 * to what is born then, so deaths come first. Within one instant the order is that of the file.
 * Sizes keep their proportions: where they are no whole pages, every unit becomes so many bytes
 * that all of them are, and a known optimum stays one.
 */
#include "tools/convert/trace.h"

#include <inttypes.h>
#include <stdlib.h>

struct life {
    uint64_t lower, upper, size;
};

/* A birth or a death. */
struct turn {
    uint64_t time;
    uint32_t life;
    bool birth;
};

struct lives {
    struct life *list;
    size_t count, capacity;
    struct turn *turns; /* two for each life */
    uint64_t unit, peak, sum, least, most, first, last;
};

/* ---- reading ------------------------------------------------------------------------------- */

static bool read_life(struct trace *trace, struct table *table, struct life *life)
{
    struct field id, wrong;
    if (!table_field(table, ROLE_ID, &id) || !table_number(table, ROLE_LOWER, &life->lower) ||
        !table_number(table, ROLE_UPPER, &life->upper) ||
        !table_number(table, ROLE_SIZE, &life->size))
        return false;
    if (life->upper <= life->lower) {
        bool found = table_field(table, ROLE_UPPER, &wrong);
        CHECK(found);
        return table_wrong(table, &wrong, "it dies at %" PRIu64 ", not after its birth at %" PRIu64,
                           life->upper, life->lower);
    }
    if (!life->size || life->size > TRACE_SIZE_MOST) {
        bool found = table_field(table, ROLE_SIZE, &wrong);
        CHECK(found);
        return table_wrong(table, &wrong, "an allocation has 1 byte to 4 PiB");
    }
    uint32_t object = objects_text(&trace->objects, id.text, id.length);
    if (trace->objects.list[object].requests++)
        return table_wrong(table, &id, "this id has another line already");
    return true;
}

static bool read_lives(struct trace *trace, struct table *table, struct lives *lives)
{
    uint64_t most = trace->options->limit ? trace->options->limit : UINT32_MAX - 1;
    for (int role = ROLE_ID; role < ROLES; role++)
        if (table->columns[role] < 0)
            return table_wrong(table, &table->fields[0],
                               "no column of the first line is the %s: id, lower, upper and size "
                               "are needed, in the header or as --columns=%s=N",
                               table_role((enum role)role), table_role((enum role)role));
    while (lives->count < most && table_next(table)) {
        struct life life;
        if (!read_life(trace, table, &life))
            return false;
        BASE_GROW(lives->list, lives->capacity, lives->count + 1);
        lives->list[lives->count++] = life;
    }
    if (input_failed(trace->input))
        return false;
    if (!lives->count)
        return trace_refuse(trace, "it has no allocation");
    return true;
}

/* ---- order and sizes ----------------------------------------------------------------------- */

static int compare_turns(const void *left, const void *right)
{
    const struct turn *a = left;
    const struct turn *b = right;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->birth != b->birth)
        return a->birth ? 1 : -1;
    return (a->life > b->life) - (a->life < b->life);
}

static void order_turns(struct lives *lives)
{
    lives->turns = base_alloc(2 * lives->count, sizeof *lives->turns);
    for (size_t i = 0; i < lives->count; i++) {
        const struct life *life = &lives->list[i];
        lives->turns[2 * i] = (struct turn){ life->lower, (uint32_t)i, true };
        lives->turns[2 * i + 1] = (struct turn){ life->upper, (uint32_t)i, false };
    }
    qsort(lives->turns, 2 * lives->count, sizeof *lives->turns, compare_turns);
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The bytes of one unit, so that every size, and the capacity, are whole pages. */
static uint64_t choose_unit(const struct trace *trace, const struct lives *lives)
{
    uint64_t divisor = TRACE_PAGE;
    if (trace->options->unit)
        return trace->options->unit;
    for (size_t i = 0; i < lives->count; i++)
        divisor = common_divisor(divisor, lives->list[i].size);
    if (trace->options->capacity.unit == CAPACITY_BYTES)
        divisor = common_divisor(divisor, trace->options->capacity.amount);
    return TRACE_PAGE / divisor;
}

static bool measure_lives(struct trace *trace, struct lives *lives)
{
    uint64_t now = 0;
    lives->unit = choose_unit(trace, lives);
    lives->least = UINT64_MAX;
    for (size_t i = 0; i < lives->count; i++) {
        struct life *life = &lives->list[i];
        lives->least = min_u64(lives->least, life->size);
        lives->most = max_u64(lives->most, life->size);
        life->size = trace_bytes(trace, life->size, lives->unit);
        lives->sum += life->size;
        if (!life->size || lives->sum > TRACE_SUM_MOST)
            return trace_refuse(trace, "its allocations are too large for any segment");
    }
    for (size_t i = 0; i < 2 * lives->count; i++) {
        const struct turn *turn = &lives->turns[i];
        now = turn->birth ? now + lives->list[turn->life].size : now - lives->list[turn->life].size;
        lives->peak = max_u64(lives->peak, now);
    }
    return true;
}

/* Of the segment; 0: `problem` says why not. */
static uint64_t choose_room(struct trace *trace, const struct lives *lives)
{
    uint64_t amount = trace->options->capacity.amount;
    uint64_t largest = 0;
    for (size_t i = 0; i < lives->count; i++)
        largest = max_u64(largest, lives->list[i].size);
    if (!amount) {
        trace_assume(trace, "segment:",
                     "%s, all allocations together: there is always room, and "
                     "the peak is what a policy makes of it",
                     text_size(lives->sum).it);
        return lives->sum;
    }
    if (trace->options->capacity.unit == CAPACITY_OBJECTS) {
        (void)trace_refuse(trace, "a capacity of allocations is a size or a percentage");
        return 0;
    }
    uint64_t bytes = trace->options->capacity.unit == CAPACITY_PERCENT
                         ? trace_percent(lives->peak, amount)
                         : multiply_capped(amount, lives->unit);
    bytes = align_down(bytes, TRACE_PAGE);
    if (bytes > TRACE_SUM_MOST) {
        (void)trace_refuse(trace, "the capacity is too large for any segment");
        return 0;
    }
    if (bytes < largest) {
        (void)trace_refuse(trace, "a segment of %s cannot hold its largest allocation of %s",
                           text_size(bytes).it, text_size(largest).it);
        return 0;
    }
    trace_assume(trace, "segment:", "%s; an eviction means that a policy needed more",
                 text_size(bytes).it);
    return bytes;
}

/* ---- the scenario -------------------------------------------------------------------------- */

static void assume_lives(struct trace *trace, const struct table *table, const struct lives *lives)
{
    trace_assume(trace, "format:", "MiniMalloc CSV, delimiter: %s, %s", table_delimiter(table),
                 table->has_header ? "the first line is a header" : "no header");
    trace_assume(trace, "columns:",
                 "id in column %d, lower in column %d, upper in column %d, size in column %d",
                 table->columns[ROLE_ID] + 1, table->columns[ROLE_LOWER] + 1,
                 table->columns[ROLE_UPPER] + 1, table->columns[ROLE_SIZE] + 1);
    trace_assume_input(trace);
    trace_assume(trace, "lives:", "%zu, from %" PRIu64 " up to %" PRIu64, lives->count,
                 lives->turns[0].time, lives->turns[2 * lives->count - 1].time);
    trace_assume(trace, "", "at `upper` the room is free again, for what begins then, too");
    if (trace->options->object_size)
        trace_assume(trace, "sizes:", "%s for all (--object-size)",
                     text_size(trace->options->object_size).it);
    else
        trace_assume(trace, "sizes:", "%" PRIu64 " to %" PRIu64 "; one unit is %s%s", lives->least,
                     lives->most, lives->unit == 1 ? "a byte" : text_size(lives->unit).it,
                     trace->options->unit ? "" : ", so that all are whole pages of 4 KiB");
    trace_assume(trace, "peak:", "%s live at once: no policy needs less",
                 text_size(lives->peak).it);
    for (size_t i = 0; i < lives->count && i < TRACE_FIRST_ROWS; i++) {
        const struct object *object = &trace->objects.list[i];
        struct text name = { 0 };
        for (uint32_t j = 0; j < object->length && j < 40; j++) {
            char c = trace->objects.texts[object->name + j];
            text_add(&name, "%c", c > ' ' && c < 0x7F ? c : '?');
        }
        trace_assume(trace, i ? "" : "first:", "id %s, %" PRIu64 " to %" PRIu64 " -> @%zu of %s",
                     text_get(&name), lives->list[i].lower, lives->list[i].upper, i + 1,
                     text_size(lives->list[i].size).it);
        text_free(&name);
    }
}

static void write_lives(const struct lives *lives, FILE *out)
{
    for (size_t i = 0; i < 2 * lives->count; i++) {
        const struct turn *turn = &lives->turns[i];
        uint32_t handle = turn->life + 1;
        if (turn->birth)
            (void)fprintf(out, "create @%" PRIu32 " : life size=%s\npage-in @%" PRIu32 "\n", handle,
                          trace_size(lives->list[turn->life].size).it, handle);
        else
            (void)fprintf(out, "destroy @%" PRIu32 "\n", handle);
    }
}

static bool write_scenario(struct trace *trace, const struct lives *lives, FILE *out)
{
    uint64_t room = choose_room(trace, lives);
    uint64_t operations = 3 * lives->count + 10;
    if (!room)
        return false;
    trace_write_head(trace, out, "Lives of allocations");
    (void)fprintf(out, "adapter wddm=1.1\nsegment memory id=1 kind=memory size=%s\n",
                  trace_size(room).it);
    (void)fprintf(out, "limit ops=%" PRIu64 " work=%" PRIu64 " live=%zu\n", operations,
                  multiply_capped(operations, 1000), lives->count + 10);
    (void)fputs("class life segments=memory\n\n", out);
    write_lives(lives, out);
    (void)fputs("\nshow counters resident_bytes_max,evictions_preparation\n", out);
    return true;
}

bool lives_convert(struct trace *trace, struct table *table, FILE *out)
{
    struct lives lives = { 0 };
    bool whole = read_lives(trace, table, &lives);
    if (whole) {
        order_turns(&lives);
        whole = measure_lives(trace, &lives);
    }
    if (whole) {
        assume_lives(trace, table, &lives);
        whole = write_scenario(trace, &lives, out);
    }
    base_free(lives.list);
    base_free(lives.turns);
    return whole;
}
