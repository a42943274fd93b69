/* SPDX-License-Identifier: MIT */
/* test_handles.c: names of objects, and the set of the driver's handles, against plain arrays. */
#include "tests/support/bare_adapter.h"
#include "tests/support/random.h"
#include "tests/support/unit.h"
#include "vidmm/tell/tell_state.h"

enum { OBJECTS = 3000, ROUNDS = 40000 };

static void a_handle_names_its_object_and_no_other(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(1 << 20, 11);
    adapter_t *adapter = &bare->adapter;
    int objects[OBJECTS];
    vidmm_handle handles[OBJECTS] = { 0 };
    uint64_t seed = 3, live = 0;
    for (int round = 0; round < ROUNDS; round++) {
        size_t i = random_below(&seed, OBJECTS);
        if (!handles[i]) {
            handles[i] = handle_new(adapter, VIDMM_OBJECT_DEVICE, &objects[i]);
            assert_int_not_equal(handles[i], 0);
            assert_false(handle_was(adapter, handles[i], VIDMM_OBJECT_DEVICE));
            live++;
            continue;
        }
        assert_ptr_equal(handle_object(adapter, handles[i], VIDMM_OBJECT_DEVICE), &objects[i]);
        assert_null(handle_object(adapter, handles[i], VIDMM_OBJECT_CONTEXT));
        assert_int_equal(vidmm_object_kind(adapter, handles[i]), VIDMM_OBJECT_DEVICE);
        handle_end(adapter, handles[i]);
        assert_null(handle_object(adapter, handles[i], VIDMM_OBJECT_DEVICE));
        assert_int_equal(vidmm_object_kind(adapter, handles[i]), VIDMM_OBJECT_NONE);
        assert_true(handle_was(adapter, handles[i], VIDMM_OBJECT_DEVICE));
        assert_false(handle_was(adapter, handles[i], VIDMM_OBJECT_ALLOCATION));
        handles[i] = 0;
        live--;
    }
    assert_int_equal(adapter->tell->handles.live, live);
    bare_adapter_destroy(bare);
}

static void strange_numbers_are_no_handles(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(1 << 20, 11);
    static const vidmm_handle strange[] = { 0, 1, 0x00FFFFFF, 0xFF000000, 0xFFFFFFFF };
    for (size_t i = 0; i < ARRAY_COUNT(strange); i++) {
        assert_null(handle_object(&bare->adapter, strange[i], VIDMM_OBJECT_DEVICE));
        assert_false(handle_was(&bare->adapter, strange[i], VIDMM_OBJECT_DEVICE));
        assert_string_equal(vidmm_label(&bare->adapter, strange[i]), "");
    }
    bare_adapter_destroy(bare);
}

/* It is there, and named by events; calls find nothing. */
static void a_closed_handle_names_what_was(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(1 << 20, 11);
    adapter_t *adapter = &bare->adapter;
    struct allocation object = { .pageable.label = "held" };
    vidmm_handle handle = handle_new(adapter, VIDMM_OBJECT_ALLOCATION, &object);
    handle_close(adapter, handle);
    handle_close(adapter, handle); /* its owner tries once more */
    assert_null(handle_object(adapter, handle, VIDMM_OBJECT_ALLOCATION));
    assert_null(handle_object(adapter, handle, VIDMM_OBJECT_NONE));
    assert_int_equal(vidmm_object_kind(adapter, handle), VIDMM_OBJECT_NONE);
    assert_string_equal(vidmm_label(adapter, handle), "held");
    assert_true(handle_was(adapter, handle, VIDMM_OBJECT_ALLOCATION));
    assert_false(handle_was(adapter, handle, VIDMM_OBJECT_DEVICE));
    handle_end(adapter, handle);
    assert_string_equal(vidmm_label(adapter, handle), "");
    assert_true(handle_was(adapter, handle, VIDMM_OBJECT_ALLOCATION));
    assert_false(handle_was(adapter, handle, VIDMM_OBJECT_DEVICE));
    bare_adapter_destroy(bare);
}

/* A single object that is destroyed and made again does not get an old handle back soon. */
static void names_are_not_given_again_at_once(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(1 << 20, 11);
    int object;
    vidmm_handle first = handle_new(&bare->adapter, VIDMM_OBJECT_DEVICE, &object);
    handle_end(&bare->adapter, first);
    for (int i = 0; i < 100000; i++) {
        vidmm_handle handle = handle_new(&bare->adapter, VIDMM_OBJECT_DEVICE, &object);
        assert_int_not_equal(handle, first);
        handle_end(&bare->adapter, handle);
    }
    assert_true(bare->adapter.tell->handles.count < 2000);
    bare_adapter_destroy(bare);
}

/* MINI-033. */
static void driver_handles_form_a_set(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(1 << 20, 11);
    adapter_t *adapter = &bare->adapter;
    char objects[OBJECTS];
    bool there[OBJECTS] = { false };
    uint64_t seed = 4, count = 0;
    for (int round = 0; round < ROUNDS; round++) {
        size_t i = random_below(&seed, OBJECTS);
        if (there[i] && random_below(&seed, 2)) {
            driver_handle_remove(adapter, &objects[i]);
            there[i] = false;
            count--;
            continue;
        }
        assert_true(driver_handle_add(adapter, &objects[i]) == !there[i]);
        count += !there[i];
        there[i] = true;
        assert_int_equal(driver_handle_count(adapter), count);
    }
    for (size_t i = 0; i < OBJECTS; i++)
        assert_true(driver_handle_add(adapter, &objects[i]) == !there[i]);
    for (size_t i = 0; i < OBJECTS; i++)
        driver_handle_remove(adapter, &objects[i]);
    assert_int_equal(driver_handle_count(adapter), 0);
    bare_adapter_destroy(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handle_names_its_object_and_no_other),
        cmocka_unit_test(strange_numbers_are_no_handles),
        cmocka_unit_test(a_closed_handle_names_what_was),
        cmocka_unit_test(names_are_not_given_again_at_once),
        cmocka_unit_test(driver_handles_form_a_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
