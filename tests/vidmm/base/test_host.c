/* SPDX-License-Identifier: MIT */
/* test_host.c: the account of host memory and work, and what happens at its limits. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/vidmm_host.h"

enum { PIECE = VIDMM_HOST_PIECE_BYTES, HEARD = 50 };

static const struct vidmm_host_limits none = { .memory_bytes = UINT64_MAX, .work = UINT64_MAX };

static void test_what_is_held(void **state)
{
    (void)state;
    uint64_t before = vidmm_host_held();
    char *piece = base_alloc(3, 5);
    assert_int_equal(vidmm_host_held() - before, 15 + PIECE);
    char *nothing = base_alloc(0, 7);
    assert_int_equal(vidmm_host_held() - before, 15 + 2 * PIECE);
    piece = base_realloc(piece, 100, 1);
    assert_int_equal(vidmm_host_held() - before, 100 + 2 * PIECE);
    piece = base_realloc(piece, 1, 10);
    assert_int_equal(vidmm_host_held() - before, 10 + 2 * PIECE);
    base_free(nothing);
    base_free(NULL);
    assert_int_equal(vidmm_host_held() - before, 10 + PIECE);
    base_free(piece);
    char *copy = base_strndup("four", 4);
    assert_int_equal(vidmm_host_held() - before, 5 + PIECE);
    base_free(copy);
    assert_int_equal(vidmm_host_held(), before);
}

static void test_what_grows(void **state)
{
    (void)state;
    uint64_t before = vidmm_host_held();
    uint64_t *array = NULL;
    size_t capacity = 0;
    BASE_GROW(array, capacity, 3);
    assert_int_equal(vidmm_host_held() - before, 8 * sizeof *array + PIECE);
    BASE_GROW(array, capacity, 9);
    assert_int_equal(vidmm_host_held() - before, 16 * sizeof *array + PIECE);
    BASE_GROW(array, capacity, 9);
    assert_int_equal(capacity, 16);
    base_free(array);
    assert_int_equal(vidmm_host_held(), before);
}

static void test_what_is_handed_out(void **state)
{
    (void)state;
    for (size_t bytes = 0; bytes < 100; bytes++) {
        unsigned char *piece = base_alloc(bytes, 1);
        assert_int_equal((uintptr_t)piece % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < bytes; i++)
            assert_int_equal(piece[i], 0);
        base_free(piece);
    }
}

static void test_the_limits_before(void **state)
{
    (void)state;
    struct vidmm_host_limits first = { .memory_bytes = 5000000, .work = 7 }, before;
    first.work += vidmm_host_worked();
    vidmm_host_limit(&first, &before);
    assert_int_equal(before.memory_bytes, UINT64_MAX);
    assert_int_equal(before.work, UINT64_MAX);
    base_work(7);
    assert_int_equal(vidmm_host_worked(), first.work);
    vidmm_host_limit(&none, &before);
    assert_int_equal(before.memory_bytes, 5000000);
    assert_int_equal(before.work, first.work);
}

/* It gives back what another thread took, so it may take as much again. */
static void *give_back(void *piece)
{
    struct vidmm_host_limits limits = none;
    base_free(piece);
    assert_int_equal(vidmm_host_held(), 0);
    limits.memory_bytes = 100;
    vidmm_host_limit(&limits, NULL);
    void *again = base_alloc(1000, 1);
    assert_int_equal(vidmm_host_held(), 0);
    return again;
}

static void test_what_another_thread_gives_back(void **state)
{
    (void)state;
    uint64_t before = vidmm_host_held();
    void *piece = base_alloc(5000, 1);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, give_back, piece), 0);
    assert_int_equal(pthread_join(thread, &piece), 0);
    assert_int_equal(vidmm_host_held() - before, 5000 + PIECE); /* it counts where it was taken */
    base_free(piece);
    assert_int_equal(vidmm_host_held() - before, 4000);
}

/* ---- in a process of its own ---------------------------------------------------------------- */

struct seen {
    size_t *capacity;
    enum vidmm_host_limit limit;
};

/* There is room for a message, and the block that was to grow is unchanged. */
static void passed(void *caller, enum vidmm_host_limit limit)
{
    const struct seen *seen = caller;
    if (limit != seen->limit || (seen->capacity && *seen->capacity != 8))
        _exit(1);
    base_free(base_alloc(4096, 1));
    _exit(HEARD);
}

static void passed_and_back(void *caller, enum vidmm_host_limit limit)
{
    (void)caller;
    (void)limit;
}

static int exit_of(void (*act)(void))
{
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)close(STDERR_FILENO);
        act();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static struct vidmm_host_limits with_room(uint64_t bytes)
{
    return (struct vidmm_host_limits){ .memory_bytes = vidmm_host_held() + bytes,
                                       .work = vidmm_host_worked() + 10 };
}

static void up_to_the_limit(void)
{
    struct vidmm_host_limits limits = with_room(100 + PIECE);
    vidmm_host_limit(&limits, NULL);
    base_free(base_alloc(100, 1));
    base_work(10);
    vidmm_host_limit(&none, NULL);
}

static void past_the_limit(void)
{
    struct vidmm_host_limits limits = with_room(100 + PIECE);
    vidmm_host_limit(&limits, NULL);
    base_free(base_alloc(101, 1));
}

static void grow_past_the_limit(void)
{
    size_t capacity = 0;
    uint64_t *array = NULL;
    struct seen seen = { &capacity, VIDMM_HOST_MEMORY };
    struct vidmm_host_limits limits = with_room(100 + PIECE);
    limits.passed = passed;
    limits.caller = &seen;
    vidmm_host_limit(&limits, NULL);
    BASE_GROW(array, capacity, 1);
    BASE_GROW(array, capacity, 9);
    base_free(array);
}

static void work_past_the_limit(void)
{
    struct seen seen = { NULL, VIDMM_HOST_WORK };
    struct vidmm_host_limits limits = with_room(100);
    limits.passed = passed;
    limits.caller = &seen;
    vidmm_host_limit(&limits, NULL);
    base_work(10);
    base_work(1);
}

static void more_than_there_is(void)
{
    struct seen seen = { NULL, VIDMM_HOST_MACHINE };
    struct vidmm_host_limits limits = none;
    limits.passed = passed;
    limits.caller = &seen;
    vidmm_host_limit(&limits, NULL);
    base_free(base_alloc(SIZE_MAX / 2, 4));
}

static void more_than_can_be_said(void)
{
    base_free(base_alloc(SIZE_MAX / 2, 4));
}

static void work_without_a_caller(void)
{
    base_work(with_room(0).work);
    struct vidmm_host_limits limits = with_room(0);
    limits.work = 0;
    vidmm_host_limit(&limits, NULL);
    base_work(1);
}

static void wants_more(void)
{
    base_free(base_alloc(SIZE_MAX / 2, 4));
    _exit(1);
}

/* What exit() calls may want memory, too, and must not begin to exit once more. */
static void while_it_leaves(void)
{
    if (atexit(wants_more))
        _exit(1);
    more_than_can_be_said();
}

static bool enough(void *caller)
{
    (void)caller;
    return true;
}

static void enough_of_it(void)
{
    struct vidmm_host_limits limits = none;
    limits.enough = enough;
    vidmm_host_limit(&limits, NULL);
    base_work(1);
}

static void come_back(void)
{
    struct vidmm_host_limits limits = with_room(0);
    limits.passed = passed_and_back;
    vidmm_host_limit(&limits, NULL);
    base_free(base_alloc(1, 1));
}

static void test_limits_that_are_passed(void **state)
{
    (void)state;
    enum { STOPPED = 4, INTERRUPTED = 130 };
    assert_int_equal(exit_of(up_to_the_limit), 0);
    assert_int_equal(exit_of(past_the_limit), STOPPED);
    assert_int_equal(exit_of(grow_past_the_limit), HEARD);
    assert_int_equal(exit_of(work_past_the_limit), HEARD);
    assert_int_equal(exit_of(more_than_there_is), HEARD);
    assert_int_equal(exit_of(come_back), STOPPED);
    assert_int_equal(exit_of(more_than_can_be_said), STOPPED);
    assert_int_equal(exit_of(while_it_leaves), STOPPED);
    assert_int_equal(exit_of(work_without_a_caller), STOPPED);
    assert_int_equal(exit_of(enough_of_it), INTERRUPTED);
}

static void test_sizes_in_words(void **state)
{
    static const struct {
        uint64_t bytes;
        const char *words;
    } cases[] = {
        { 0, "0 bytes" },
        { 1, "1 byte" },
        { 1023, "1023 bytes" },
        { 1024, "1 KiB" },
        { 1025, "1025 bytes" },
        { UINT64_C(3) << 20, "3 MiB" },
        { UINT64_C(1) << 50, "1024 TiB" },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++)
        assert_string_equal(words_size(cases[i].bytes).it, cases[i].words);
}

static void test_steps_between_words(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        size_t steps;
    } cases[] = {
        { "", "", 0 },           { "", "evict", 5 },     { "evict", "EVICT", 0 },
        { "evcit", "evict", 1 }, { "evit", "evict", 1 }, { "evvict", "evict", 1 },
        { "evoct", "evict", 1 }, { "ve", "EV", 1 },      { "create", "evict", 5 },
        { "ca", "abc", 3 },
    };
    char far[66];
    memset(far, 'a', sizeof far);
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        size_t a = strlen(cases[i].a), b = strlen(cases[i].b);
        assert_int_equal(words_distance(cases[i].a, a, cases[i].b, b), cases[i].steps);
        assert_int_equal(words_distance(cases[i].b, b, cases[i].a, a), cases[i].steps);
    }
    assert_int_equal(words_distance(far, 64, "", 0), 64);
    assert_true(words_distance(far, 65, far, 65) == SIZE_MAX);
    assert_true(words_distance("", 0, far, 65) == SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_held),
        cmocka_unit_test(test_what_grows),
        cmocka_unit_test(test_what_is_handed_out),
        cmocka_unit_test(test_what_another_thread_gives_back),
        cmocka_unit_test(test_the_limits_before),
        cmocka_unit_test(test_limits_that_are_passed),
        cmocka_unit_test(test_sizes_in_words),
        cmocka_unit_test(test_steps_between_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
