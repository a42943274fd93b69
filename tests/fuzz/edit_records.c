/* SPDX-License-Identifier: MIT */
/*
 * edit_records.c: changes of an input of records (record.h) that leave most of them what they were.
 *
 * Whole records are repeated, left out, exchanged and taken from elsewhere; inside of one a byte or
 * two change, or that with which its dice begin: of a life this is how the driver lies (life.h).
 * The entries are those of fuzzing engines; fuzz_replay.c calls the first without one.
 */
#include "tests/fuzz/record.h"

#include <string.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two,
                                 size_t two_size, uint8_t *out, size_t most, unsigned seed);

enum { AT_ONCE = 48 };

struct edit {
    uint8_t *data;
    size_t records, most;
    struct dice dice;
};

static size_t below(struct edit *edit, size_t bound)
{
    return dice_below(&edit->dice, (uint32_t)bound);
}

/* The first one says what the adapter is, and stays. */
static uint8_t *some_record(struct edit *edit)
{
    return edit->data + RECORD_BYTES * (edit->records > 1 ? 1 + below(edit, edit->records - 1) : 0);
}

static void insert(struct edit *edit, const uint8_t *record)
{
    uint8_t copy[RECORD_BYTES];
    if (edit->records == edit->most)
        return;
    memcpy(copy, record, RECORD_BYTES);
    size_t at = 1 + below(edit, edit->records);
    uint8_t *to = edit->data + at * RECORD_BYTES;
    memmove(to + RECORD_BYTES, to, (edit->records - at) * RECORD_BYTES);
    memcpy(to, copy, RECORD_BYTES);
    edit->records++;
}

static void add_record(struct edit *edit)
{
    uint8_t record[RECORD_BYTES];
    for (size_t i = 0; i < RECORD_BYTES; i++)
        record[i] = (uint8_t)below(edit, 256);
    if (below(edit, 4))
        record[RECORD_CHOICES] = 0;
    insert(edit, record);
}

static void copy_record(struct edit *edit)
{
    insert(edit, some_record(edit));
}

static void drop_record(struct edit *edit)
{
    if (edit->records < 3)
        return;
    uint8_t *at = some_record(edit);
    edit->records--;
    memmove(at, at + RECORD_BYTES, (size_t)(edit->data + edit->records * RECORD_BYTES - at));
}

static void swap_records(struct edit *edit)
{
    uint8_t kept[RECORD_BYTES];
    uint8_t *one = some_record(edit);
    uint8_t *two = some_record(edit);
    memcpy(kept, one, RECORD_BYTES);
    memmove(one, two, RECORD_BYTES);
    memcpy(two, kept, RECORD_BYTES);
}

static void change_byte(struct edit *edit, uint8_t *record)
{
    /* Most decisions are made by the first bytes. */
    uint8_t *at = record + below(edit, below(edit, 2) ? 8 : RECORD_CHOICES);
    switch (below(edit, 4)) {
    case 0: *at = (uint8_t)(*at + 1); break;
    case 1: *at = (uint8_t)(*at - 1); break;
    case 2: *at = (uint8_t)(*at ^ 1u << below(edit, 8)); break;
    default: *at = (uint8_t)below(edit, 256);
    }
}

static void change_record(struct edit *edit)
{
    uint8_t *record = some_record(edit);
    for (size_t left = 1 + below(edit, 3); left; left--)
        change_byte(edit, record);
}

static void change_first(struct edit *edit)
{
    change_byte(edit, edit->data);
}

/* Of a life: one of the first answers is a lie, or each with some chance; or the next one is; or
   none any more. */
static void change_dice(struct edit *edit)
{
    uint8_t *dice = (below(edit, 16) ? some_record(edit) : edit->data) + RECORD_CHOICES;
    size_t other = 0;
    switch (below(edit, 6)) {
    case 0: *dice = 0; break;
    case 1: *dice = (uint8_t)(128 + below(edit, 128)); break;
    case 2: *dice = (uint8_t)(*dice + 1); break;
    case 3:
        other = 1 + below(edit, 3);
        dice[other] = (uint8_t)below(edit, 256);
        break;
    default: *dice = (uint8_t)(1 + below(edit, 24));
    }
}

/* The records that an input of another length stands for. */
static void write_out(struct edit *edit, size_t size)
{
    uint8_t records[AT_ONCE][RECORD_BYTES];
    for (size_t i = 0; i < edit->records; i++)
        record_read(edit->data, size, i, records[i]);
    memcpy(edit->data, records, edit->records * RECORD_BYTES);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static void (*const edits[])(struct edit *) = {
        add_record,    add_record,    copy_record, drop_record, swap_records, change_record,
        change_record, change_record, change_dice, change_dice, change_first, change_record,
    };
    struct edit edit = { .data = data, .most = most / RECORD_BYTES };
    edit.dice = dice_from((const uint8_t *)&seed, sizeof seed);
    edit.records = min_u64(size % RECORD_BYTES ? AT_ONCE : size / RECORD_BYTES, edit.most);
    if (!edit.most)
        return size;
    if (size % RECORD_BYTES)
        write_out(&edit, size);
    else if (!size)
        memset(data, 0, RECORD_BYTES * ++edit.records);
    for (size_t left = 1 + below(&edit, 4); left; left--)
        edits[below(&edit, ARRAY_COUNT(edits))](&edit);
    return edit.records * RECORD_BYTES;
}

/* The beginning of the first one, then calls of the second one from some point on. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two,
                                 size_t two_size, uint8_t *out, size_t most, unsigned seed)
{
    struct dice dice = dice_from((const uint8_t *)&seed, sizeof seed);
    size_t first = one_size / RECORD_BYTES, second = two_size / RECORD_BYTES;
    size_t room = most / RECORD_BYTES;
    if (!first || !second || !room)
        return 0;
    size_t head = min_u64(1 + dice_below(&dice, (uint32_t)first), room);
    size_t from = dice_below(&dice, (uint32_t)second);
    size_t tail = min_u64(1 + dice_below(&dice, (uint32_t)(second - from)), room - head);
    memcpy(out, one, head * RECORD_BYTES);
    memcpy(out + head * RECORD_BYTES, two + from * RECORD_BYTES, tail * RECORD_BYTES);
    return (head + tail) * RECORD_BYTES;
}
