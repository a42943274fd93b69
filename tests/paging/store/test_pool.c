/* SPDX-License-Identifier: MIT */
/* test_pool.c: pieces are zeroed and nobody else's, and with the last one all memory goes. */
#include <string.h>

#include "paging/store/pool.h"
#include "tests/support/random.h"
#include "tests/support/unit.h"
#include "vidmm/vidmm_host.h"

enum { PIECES = 64, STEPS = 20000, MOST = POOL_STEP * POOL_SIZES + 100 };

struct piece {
    unsigned char *bytes;
    size_t size;
};

static bool is_all(const struct piece *piece, unsigned char byte)
{
    for (size_t i = 0; i < piece->size; i++)
        if (piece->bytes[i] != byte)
            return false;
    return true;
}

static void test_random_lives(void **state)
{
    (void)state;
    struct pool pool = { 0 };
    struct piece pieces[PIECES] = { 0 };
    uint64_t before = vidmm_host_held(), random = 1;
    for (size_t i = 0; i < STEPS; i++) {
        size_t at = random_below(&random, PIECES);
        struct piece *piece = &pieces[at];
        if (piece->bytes) {
            assert_true(is_all(piece, (unsigned char)at));
            pool_give(&pool, piece->bytes, piece->size);
            piece->bytes = NULL;
            continue;
        }
        piece->size = 1 + random_below(&random, MOST);
        piece->bytes = pool_take(&pool, piece->size);
        assert_true(is_all(piece, 0));
        memset(piece->bytes, (int)at, piece->size);
    }
    assert_true(vidmm_host_held() > before);
    for (size_t i = 0; i < PIECES; i++)
        if (pieces[i].bytes)
            pool_give(&pool, pieces[i].bytes, pieces[i].size);
    assert_int_equal(vidmm_host_held(), before);
}

/* The account is that of pieces which are alone, whatever this build does with them. */
static void test_the_account(void **state)
{
    static const size_t sizes[] = { 1, 16, 100, POOL_STEP * (POOL_SIZES - 1), MOST };
    (void)state;
    struct pool pool = { 0 };
    void *piece[ARRAY_COUNT(sizes)];
    uint64_t before = vidmm_host_held(), held = before;
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
        piece[i] = pool_take(&pool, sizes[i]);
        held += sizes[i] + VIDMM_HOST_PIECE_BYTES;
        assert_int_equal(vidmm_host_held(), held);
    }
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
        pool_give(&pool, piece[i], sizes[i]);
        held -= sizes[i] + VIDMM_HOST_PIECE_BYTES;
        assert_int_equal(vidmm_host_held(), held);
    }
    assert_int_equal(held, before);
}

/* What nobody uses of its blocks is little, and what came back is used again. */
static void test_what_is_held(void **state)
{
    (void)state;
    enum { COUNT = 100000, SIZE = 8 * POOL_STEP, FIRST_BYTES = 8 << 10 };
    if (POOL_PIECES_ALONE) /* there are no blocks */
        skip();
    struct pool pool = { 0 };
    void **piece = base_alloc(COUNT, sizeof *piece);
    uint64_t before = vidmm_host_held();
    for (size_t i = 0; i < COUNT; i++)
        piece[i] = pool_take(&pool, SIZE);
    size_t held = pool.bytes;
    assert_true(held >= COUNT * SIZE);
    assert_true(held <= COUNT * SIZE / 32 * 33 + FIRST_BYTES);
    for (size_t i = 0; i < COUNT; i += 2)
        pool_give(&pool, piece[i], SIZE);
    for (size_t i = 0; i < COUNT; i += 2)
        piece[i] = pool_take(&pool, SIZE);
    assert_int_equal(pool.bytes, held);
    for (size_t i = 0; i < COUNT; i++)
        pool_give(&pool, piece[i], SIZE);
    assert_int_equal(vidmm_host_held(), before);
    base_free(piece);
}

static void test_alignment(void **state)
{
    (void)state;
    if (POOL_PIECES_ALONE) /* they lie as the host has them */
        skip();
    struct pool pool = { 0 };
    void *piece[PIECES];
    for (size_t i = 0; i < PIECES; i++) {
        piece[i] = pool_take(&pool, 1 + i * 13);
        assert_int_equal((uintptr_t)piece[i] % POOL_STEP, 0);
    }
    for (size_t i = 0; i < PIECES; i++)
        pool_give(&pool, piece[i], 1 + i * 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_lives),
        cmocka_unit_test(test_the_account),
        cmocka_unit_test(test_what_is_held),
        cmocka_unit_test(test_alignment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
