/* SPDX-License-Identifier: MIT */
/*
 * align.c: which decision of one log is which of the other, and what a pair of them counts as.
 *
 * An allocation that lies elsewhere is also evicted from elsewhere: what differs only in that,
 * while its last place differs, follows from the placement and is no difference of its own.
 */
#include "tools/record/align.h"

#include <string.h>

#include "vidmm/base/base_hash.h"

enum { WAITING_MOST = 1 << 16, SUBJECTS_MOST = 1 << 18, BYTES_MOST = 1 << 25 };

struct waiting {
    struct subject *subject;
    struct waiting *next, *prev;         /* of one subject */
    struct waiting *next_old, *prev_old; /* of all, the oldest first */
    size_t length;
    char text[];
};

/* An allocation with one kind of event: "place a". */
struct subject {
    struct waiting *waiting; /* all of one side: one of the other would have been a counterpart */
    unsigned side;
    bool moved; /* of a placement: the last one differs */
    UT_hash_handle hh;
    size_t length;
    char name[];
};

struct align {
    struct diff_counts *counts;
    struct subject *subjects;
    struct waiting *oldest;
    size_t waiting_count;
    size_t waiting_bytes, subject_bytes; /* of their texts */
    struct text key;
};

/* ---- what a difference counts as ------------------------------------------------------------ */

static struct diff_count *count_of(struct diff_counts *counts, struct slice line)
{
    struct slice event = line_event(line);
    if (slice_same(event, slice_of("place")))
        return &counts->placements;
    return slice_same(event, slice_of("evict")) ? &counts->victims : &counts->others;
}

static bool of_place(struct slice key)
{
    return slice_same(key, slice_of("segment")) || slice_same(key, slice_of("offset")) ||
           slice_same(key, slice_of("low")) || slice_same(key, slice_of("high"));
}

bool align_same_but_place(struct slice a, struct slice b)
{
    struct slice key[2], value[2];
    for (size_t i = 0;; i++) {
        bool more[2] = { line_pair(a, i, &key[0], &value[0]), line_pair(b, i, &key[1], &value[1]) };
        if (!more[0] || !more[1])
            return more[0] == more[1];
        if (!slice_same(key[0], key[1]) || (!of_place(key[0]) && !slice_same(value[0], value[1])))
            return false;
    }
}

/* Whether the last placement of the allocation that `line` is about differs. */
static bool has_moved(struct align *align, struct slice line)
{
    struct slice name = line_subject(line);
    struct subject *subject = NULL;
    text_clear(&align->key);
    text_add(&align->key, name.length ? "place " : "place");
    text_add_bytes(&align->key, name.at, name.length);
    HASH_FIND(hh, align->subjects, align->key.bytes, align->key.length, subject);
    return subject && subject->moved;
}

/* `a` and `b` are counterparts. */
static void judge(struct align *align, struct subject *subject, struct slice a, struct slice b)
{
    struct diff_counts *counts = align->counts;
    struct slice x = line_timeless(a), y = line_timeless(b);
    bool place = slice_same(line_event(a), slice_of("place"));
    bool same = slice_same(x, y);
    if (!same && !place && has_moved(align, a) && align_same_but_place(x, y))
        counts->follow++;
    else if (!same)
        count_of(counts, a)->changed++;
    else if (!slice_same(a, b))
        counts->times++;
    if (place)
        subject->moved = !same;
}

/* ---- waiting -------------------------------------------------------------------------------- */

static void forget(struct align *align, struct waiting *waiting)
{
    DL_DELETE(waiting->subject->waiting, waiting);
    DL_DELETE2(align->oldest, waiting, prev_old, next_old);
    align->waiting_count--;
    align->waiting_bytes -= waiting->length;
    base_free(waiting);
}

static void give_up(struct align *align, struct waiting *waiting)
{
    struct slice line = { waiting->text, waiting->length };
    count_of(align->counts, line)->only[waiting->subject->side]++;
    if (slice_same(line_event(line), slice_of("place")))
        waiting->subject->moved = true;
    forget(align, waiting);
}

static void wait_for_counterpart(struct align *align, struct subject *subject, unsigned side,
                                 struct slice line)
{
    struct waiting *waiting = base_alloc(1, sizeof *waiting + line.length);
    subject->side = side;
    waiting->subject = subject;
    waiting->length = line.length;
    memcpy(waiting->text, line.at, line.length);
    DL_APPEND(subject->waiting, waiting);
    DL_APPEND2(align->oldest, waiting, prev_old, next_old);
    align->waiting_count++;
    align->waiting_bytes += line.length;
    while (align->waiting_count > WAITING_MOST || align->waiting_bytes > BYTES_MOST)
        give_up(align, align->oldest);
}

/* ---- subjects ------------------------------------------------------------------------------- */

static void subject_free(struct align *align, struct subject *subject)
{
    while (subject->waiting)
        give_up(align, subject->waiting);
    HASH_DEL(align->subjects, subject);
    align->subject_bytes -= subject->length;
    base_free(subject);
}

/* The words that a line begins with: its event, and the subject if it has one. */
static struct slice name_of(struct slice line)
{
    struct slice event = line_event(line), subject = line_subject(line);
    return subject.length
               ? (struct slice){ event.at, (size_t)(subject.at + subject.length - event.at) }
               : event;
}

static struct subject *subject_of(struct align *align, struct slice name)
{
    struct subject *subject = NULL;
    HASH_FIND(hh, align->subjects, name.at, name.length, subject);
    if (subject)
        return subject;
    /* The first that came has been silent longest, most often. */
    while (HASH_COUNT(align->subjects) >= SUBJECTS_MOST || align->subject_bytes > BYTES_MOST)
        subject_free(align, align->subjects);
    subject = base_alloc(1, sizeof *subject + name.length);
    subject->length = name.length;
    memcpy(subject->name, name.at, name.length);
    align->subject_bytes += name.length;
    HASH_ADD_KEYPTR(hh, align->subjects, subject->name, name.length, subject);
    return subject;
}

/* ---- the interface -------------------------------------------------------------------------- */

struct align *align_new(struct diff_counts *counts)
{
    struct align *align = base_alloc(1, sizeof *align);
    align->counts = counts;
    return align;
}

void align_add(struct align *align, unsigned side, struct slice line)
{
    struct subject *subject = subject_of(align, name_of(line));
    struct waiting *first = subject->waiting;
    if (!first || subject->side == side) {
        wait_for_counterpart(align, subject, side, line);
        return;
    }
    struct slice other = { first->text, first->length };
    judge(align, subject, side ? other : line, side ? line : other);
    forget(align, first);
}

void align_end(struct align *align)
{
    while (align->subjects)
        subject_free(align, align->subjects);
}

void align_free(struct align *align)
{
    align_end(align);
    text_free(&align->key);
    base_free(align);
}
