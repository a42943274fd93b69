/* SPDX-License-Identifier: MIT */
/* aperture.c: runs of a page table: cut out what is replaced, put the new run in, join neighbours.
 */
#include "segments/aperture.h"

enum { VALUE_PAGES, VALUE_TARGET };

static uint64_t aperture_run_end(const struct aperture_run *run)
{
    return run->first + run->pages;
}

static struct aperture_run aperture_run_at(const struct aperture *aperture,
                                           const struct key_cursor *cursor)
{
    const struct key_tree *runs = &aperture->runs;
    uint64_t target = key_tree_value(runs, cursor, VALUE_TARGET);
    return (struct aperture_run){ .first = key_tree_key(runs, cursor),
                                  .pages = key_tree_value(runs, cursor, VALUE_PAGES),
                                  .system_page = target >> 1,
                                  .dummy = target & 1 };
}

/* The low bit of the target says dummy. */
static void encode(const struct aperture_run *run, uint64_t values[KEY_TREE_VALUES])
{
    values[VALUE_PAGES] = run->pages;
    values[VALUE_TARGET] = run->system_page << 1 | run->dummy;
}

static void insert_run(struct aperture *aperture, const struct aperture_run *run)
{
    uint64_t values[KEY_TREE_VALUES];
    struct key_cursor cursor;
    encode(run, values);
    key_tree_seek(&aperture->runs, run->first, &cursor);
    key_tree_insert(&aperture->runs, &cursor, run->first, values);
}

static void change_run(struct aperture *aperture, struct key_cursor *cursor,
                       const struct aperture_run *run)
{
    uint64_t values[KEY_TREE_VALUES];
    encode(run, values);
    key_tree_change(&aperture->runs, cursor, run->first, values);
}

/* What remains of a run from page `first` on. */
static struct aperture_run run_from(struct aperture_run run, uint64_t first)
{
    uint64_t skipped = first - run.first;
    run.first = first;
    run.pages -= skipped;
    run.system_page += run.dummy ? 0 : skipped;
    return run;
}

/* The first run that ends above `page`, with its cursor. */
static bool seek_run(const struct aperture *aperture, uint64_t page, struct key_cursor *cursor,
                     struct aperture_run *run)
{
    if (key_tree_seek(&aperture->runs, page, cursor)) {
        *run = aperture_run_at(aperture, cursor);
        if (aperture_run_end(run) > page)
            return true;
    }
    if (!key_tree_next(&aperture->runs, cursor))
        return false;
    *run = aperture_run_at(aperture, cursor);
    return true;
}

/* Nothing in [first, end) is in the tree afterwards. */
static void cut_out(struct aperture *aperture, uint64_t first, uint64_t end)
{
    struct key_cursor cursor;
    struct aperture_run run;
    while (seek_run(aperture, first, &cursor, &run) && run.first < end) {
        struct aperture_run before = run;
        before.pages = run.first < first ? first - run.first : 0;
        bool overhang = aperture_run_end(&run) > end;
        struct aperture_run after = overhang ? run_from(run, end) : run;
        if (before.pages)
            change_run(aperture, &cursor, &before);
        else if (overhang)
            change_run(aperture, &cursor, &after);
        else
            key_tree_erase(&aperture->runs, &cursor);
        if (before.pages && overhang)
            insert_run(aperture, &after);
    }
}

static bool aperture_continues(const struct aperture_run *left, const struct aperture_run *right)
{
    if (aperture_run_end(left) != right->first || left->dummy != right->dummy)
        return false;
    return right->system_page == left->system_page + (left->dummy ? 0 : left->pages);
}

/* Puts a run where nothing is, as a part of its neighbours where it continues them. */
static void put_run(struct aperture *aperture, struct aperture_run run)
{
    struct key_cursor cursor;
    struct aperture_run left, right;
    if (seek_run(aperture, aperture_run_end(&run), &cursor, &right) &&
        aperture_continues(&run, &right)) {
        run.pages += right.pages;
        key_tree_erase(&aperture->runs, &cursor);
    }
    if (key_tree_seek(&aperture->runs, run.first, &cursor)) {
        left = aperture_run_at(aperture, &cursor);
        if (aperture_continues(&left, &run)) {
            left.pages += run.pages;
            change_run(aperture, &cursor, &left);
            return;
        }
    }
    insert_run(aperture, &run);
}

static void aperture_replace(struct aperture *aperture, struct aperture_run run)
{
    CHECK(run.pages);
    CHECK(run.first <= UINT64_MAX - run.pages);
    CHECK(run.system_page <= (UINT64_MAX >> 1) - run.pages);
    cut_out(aperture, run.first, aperture_run_end(&run));
    put_run(aperture, run);
}

void aperture_map(struct aperture *aperture, uint64_t first, uint64_t pages, uint64_t system_page)
{
    aperture_replace(aperture, (struct aperture_run){ first, pages, system_page, .dummy = false });
}

void aperture_unmap(struct aperture *aperture, uint64_t first, uint64_t pages, uint64_t dummy_page)
{
    aperture_replace(aperture, (struct aperture_run){ first, pages, dummy_page, .dummy = true });
}

bool aperture_next_run(const struct aperture *aperture, uint64_t page, struct aperture_run *run)
{
    struct key_cursor cursor;
    return seek_run(aperture, page, &cursor, run);
}

enum aperture_target aperture_translate(const struct aperture *aperture, uint64_t page,
                                        uint64_t max, uint64_t *system_page, uint64_t *pages)
{
    CHECK(max);
    struct aperture_run run;
    bool any = aperture_next_run(aperture, page, &run);
    if (!any || run.first > page) {
        *system_page = 0;
        *pages = any ? min_u64(max, run.first - page) : max;
        return APERTURE_NOTHING;
    }
    run = run_from(run, page);
    *system_page = run.system_page;
    *pages = min_u64(max, run.pages);
    return run.dummy ? APERTURE_DUMMY : APERTURE_SYSTEM;
}

void aperture_check(const struct aperture *aperture)
{
    key_tree_check(&aperture->runs);
    struct aperture_run before = { 0 }, run;
    size_t count = 0;
    while (aperture_next_run(aperture, aperture_run_end(&before), &run)) {
        CHECK(run.pages);
        CHECK(run.first >= aperture_run_end(&before));
        CHECK(count == 0 || !aperture_continues(&before, &run));
        before = run;
        count++;
    }
    CHECK(count == aperture->runs.count);
}

void aperture_init(struct aperture *aperture)
{
    key_tree_init(&aperture->runs, KEY_TREE_VALUES);
}

void aperture_fini(struct aperture *aperture)
{
    key_tree_fini(&aperture->runs);
}
