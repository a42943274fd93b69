/* SPDX-License-Identifier: MIT */
/*
 * test_shared.c: calls of the miniport when several devices have a resource open: the device, the
 * handles, the private data.
 */
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"

enum { LAST = 63 }; /* byte that is looked at */

/* Calls seen between vidmm and the mock. Tests run one after the other. */
static struct {
    HANDLE open_device, close_device, render_binding;
    HANDLE opened[4], closed[4];
    D3DKMT_HANDLE handles[4];
    UINT open_count, close_count, open_flags, sizes[4];
    uint8_t data[4][LAST + 1]; /* private data of each element, at the last open */
    const void *addresses[4];
    bool spoil;          /* changes the private data of the next open */
    size_t drop;         /* has no handle for the one of this number */
    D3DKMT_HANDLE asked; /* whose binding is asked for inside of a Render */
    HANDLE binding;
} seen;

static NTSTATUS open_allocation(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_OPENALLOCATION arg)
{
    NTSTATUS status = mock_front.real.DxgkDdiOpenAllocation(device, arg);
    seen.open_device = device;
    seen.open_count = arg->NumAllocations;
    seen.open_flags = arg->Flags.Value;
    for (UINT i = 0; i < arg->NumAllocations && i < ARRAY_COUNT(seen.opened); i++) {
        DXGK_OPENALLOCATIONINFO *info = &arg->pOpenAllocation[i];
        seen.opened[i] = info->hDeviceSpecificAllocation;
        seen.handles[i] = info->hAllocation;
        seen.addresses[i] = info->pPrivateDriverData;
        memcpy(seen.data[i], info->pPrivateDriverData, sizeof seen.data[i]);
        seen.sizes[i] = info->PrivateDriverDataSize;
        if (seen.spoil)
            ((uint8_t *)info->pPrivateDriverData)[LAST] ^= 0xFF;
    }
    if (seen.drop)
        arg->pOpenAllocation[seen.drop - 1].hDeviceSpecificAllocation = NULL;
    return status;
}

static NTSTATUS close_allocation(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_CLOSEALLOCATION arg)
{
    seen.close_device = device;
    seen.close_count = arg->NumAllocations;
    for (UINT i = 0; i < arg->NumAllocations && i < ARRAY_COUNT(seen.closed); i++)
        seen.closed[i] = arg->pOpenHandleList[i];
    return mock_front.real.DxgkDdiCloseAllocation(device, arg);
}

static NTSTATUS render(IN_CONST_HANDLE context, INOUT_PDXGKARG_RENDER arg)
{
    const DXGKARGCB_GETHANDLEDATA of = { .hObject = seen.asked,
                                         .Type = DXGK_HANDLE_ALLOCATION,
                                         .Flags.DeviceSpecific = 1 };
    seen.binding = mock_front.system.DxgkCbGetHandleData(&of);
    seen.render_binding = arg->pAllocationList[0].hDeviceSpecificAllocation;
    return mock_front.real.DxgkDdiRender(context, arg);
}

struct fixture {
    struct mock_adapter mock;
    struct vidmm_mock_allocation wish;
    struct {
        struct vidmm_mock_allocation wish;
        uint8_t more[24];
    } second;          /* which has more of its own */
    const char *label; /* of the first allocation */
    vidmm_handle user, user_context, resource, allocations[2];
};

static void hook(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiOpenAllocation = open_allocation;
    table->DxgkDdiCloseAllocation = close_allocation;
    table->DxgkDdiRender = render;
}

/* The adapter's own device makes, another one uses. */
static void start(struct fixture *f)
{
    memset(&seen, 0, sizeof seen);
    memset(f, 0, sizeof *f);
    mock_front_start(&f->mock, VIDMM_WDDM_1_2, hook);
    struct vidmm_adapter *adapter = f->mock.adapter;
    assert_int_equal(vidmm_device_create(adapter, "user", f->mock.process, &f->user), 0);
    assert_int_equal(vidmm_context_create(adapter, "uc", f->user, 0, &f->user_context), 0);
    f->wish = mock_wish(MOCK_PAGE);
    f->label = "a";
}

static vidmm_status try_create(struct fixture *f, uint32_t kmt)
{
    struct vidmm_allocation_args args[] = { mock_args(f->label, &f->wish),
                                            mock_args("b", &f->wish) };
    f->second.wish = f->wish;
    args[1].private_data = &f->second;
    args[1].private_bytes = sizeof f->second;
    const struct vidmm_creation_args call = {
        .device = f->mock.device, .flags = kmt, .allocations = args, .count = 2
    };
    struct vidmm_creation_result result = { 0 };
    vidmm_status status = vidmm_create_allocations(f->mock.adapter, &call, f->allocations, &result);
    f->resource = result.resource;
    return status;
}

static void create(struct fixture *f, uint32_t kmt)
{
    assert_int_equal(try_create(f, kmt), 0);
}

static vidmm_handle open_for_user(struct fixture *f)
{
    vidmm_handle opened = 0;
    assert_int_equal(vidmm_open(f->mock.adapter, "pair", f->user, f->resource, &opened), 0);
    assert_string_equal(vidmm_label(f->mock.adapter, opened), "pair");
    assert_string_equal(vidmm_label(f->mock.adapter,
                                    vidmm_resource_member(f->mock.adapter, opened, 1)),
                        "pair[1]");
    assert_string_equal(vidmm_label(f->mock.adapter, f->allocations[1]), "b");
    return opened;
}

static vidmm_status submit(struct fixture *f, vidmm_handle context, vidmm_handle allocation)
{
    const struct vidmm_use use = { .allocation = allocation, .write = false };
    const struct vidmm_mock_command command = { .cost_ns = 1000 };
    const struct vidmm_work work = {
        .context = context,
        .uses = &use,
        .use_count = 1,
        .command = &command,
        .command_bytes = sizeof command,
    };
    struct vidmm_submission submission;
    seen.asked = allocation;
    return vidmm_submit(f->mock.adapter, &work, &submission);
}

enum { SHARED = VIDMM_KMT_CreateResource | VIDMM_KMT_CreateShared };

static void each_device_has_its_own_binding(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    create(&f, SHARED);
    HANDLE maker_device = seen.open_device;
    HANDLE maker[] = { seen.opened[0], seen.opened[1] };
    assert_int_equal(seen.open_flags, 1);
    vidmm_handle opened = open_for_user(&f);
    assert_int_equal(seen.open_flags, 0);
    assert_int_equal(seen.open_count, 2);
    assert_ptr_not_equal(seen.open_device, maker_device);
    assert_ptr_not_equal(seen.opened[1], maker[1]);
    vidmm_handle member = vidmm_resource_member(f.mock.adapter, opened, 1);
    assert_int_not_equal(member, f.allocations[1]);
    assert_int_equal(vidmm_resource_member(f.mock.adapter, opened, 2), 0);
    assert_int_equal(seen.handles[1], member);
    assert_int_equal(mock_view(&f.mock, member).resource, opened);
    assert_int_equal(mock_view(&f.mock, f.allocations[1]).resource, f.resource);

    assert_int_equal(submit(&f, f.mock.context, f.allocations[1]), 0);
    assert_ptr_equal(seen.render_binding, maker[1]);
    assert_ptr_equal(seen.binding, maker[1]); /* MINI-086 */
    assert_int_equal(submit(&f, f.user_context, member), 0);
    assert_ptr_equal(seen.render_binding, seen.opened[1]);
    assert_ptr_equal(seen.binding, seen.opened[1]);

    /* The creator closes its own handles; then the user owns it, and closes its own. */
    HANDLE user_device = seen.open_device;
    assert_int_equal(vidmm_close(f.mock.adapter, f.resource), 0);
    assert_ptr_equal(seen.close_device, maker_device);
    assert_int_equal(seen.close_count, 2);
    assert_memory_equal(seen.closed, maker, sizeof maker);
    assert_int_equal(submit(&f, f.user_context, member), 0);
    assert_ptr_equal(seen.render_binding, seen.opened[1]);
    assert_int_equal(vidmm_close(f.mock.adapter, member), 0);
    assert_ptr_equal(seen.close_device, user_device);
    assert_memory_equal(seen.closed, seen.opened, 2 * sizeof(HANDLE));
    assert_int_equal(vidmm_object_kind(f.mock.adapter, f.resource), VIDMM_OBJECT_NONE);
    mock_adapter_stop(&f.mock);
}

/* MINI-041: while the creator still has it open. */
static void a_device_closes_what_is_its_own(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    create(&f, SHARED);
    HANDLE maker_device = seen.open_device;
    vidmm_handle opened = open_for_user(&f);
    assert_ptr_not_equal(seen.open_device, maker_device);
    const vidmm_handle names[] = { opened, vidmm_resource_member(f.mock.adapter, opened, 0),
                                   vidmm_resource_member(f.mock.adapter, opened, 1) };
    assert_int_equal(vidmm_close(f.mock.adapter, opened), 0);
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        assert_int_equal(vidmm_object_kind(f.mock.adapter, names[i]), VIDMM_OBJECT_NONE);
    assert_ptr_equal(seen.close_device, seen.open_device);
    assert_memory_equal(seen.closed, seen.opened, 2 * sizeof(HANDLE));
    mock_adapter_stop(&f.mock);
}

static void every_open_brings_the_private_data_of_the_creation(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    seen.spoil = true; /* with Create the driver may */
    create(&f, SHARED);
    assert_int_equal(seen.sizes[0], sizeof f.wish);
    assert_int_equal(seen.sizes[1], sizeof f.second);
    uint8_t kept[2][sizeof seen.data[0]];
    memcpy(kept, seen.data, sizeof kept);
    kept[0][LAST] ^= 0xFF;
    kept[1][LAST] ^= 0xFF;
    (void)open_for_user(&f); /* without, it may not, and the next one sees nothing of it */
    assert_memory_equal(seen.data, kept, sizeof kept);
    assert_int_equal(seen.sizes[0], sizeof f.wish);
    assert_int_equal(seen.sizes[1], sizeof f.second);
    assert_int_equal(mock_findings(&f.mock), 2);
    seen.spoil = false;
    (void)open_for_user(&f);
    assert_memory_equal(seen.data, kept, sizeof kept);
    assert_int_equal(mock_findings(&f.mock), 2);
    mock_adapter_stop(&f.mock);
}

static void two_names_of_one_device_do_not_unlock_twice(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    create(&f, SHARED);
    vidmm_handle first = vidmm_resource_member(f.mock.adapter, open_for_user(&f), 0);
    vidmm_handle second = vidmm_resource_member(f.mock.adapter, open_for_user(&f), 0);
    const struct vidmm_lock_args args = { .device = f.user, .allocation = first };
    struct vidmm_lock_result result;
    assert_int_equal(vidmm_lock(f.mock.adapter, &args, &result), 0);
    const vidmm_handle both[] = { first, second };
    assert_int_not_equal(vidmm_unlock(f.mock.adapter, f.user, both, 2), 0);
    assert_int_equal(vidmm_unlock(f.mock.adapter, f.user, &second, 1), 0);
    mock_adapter_stop(&f.mock);
}

/* Each device ends its own locks, whichever came first, and what the others hold stays. */
static void each_device_ends_its_own_locks(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    struct vidmm_adapter *adapter = f.mock.adapter;
    vidmm_handle third = 0, opened = 0;
    assert_int_equal(vidmm_device_create(adapter, "third", f.mock.process, &third), 0);
    create(&f, SHARED);
    vidmm_handle of_user = vidmm_resource_member(adapter, open_for_user(&f), 0);
    assert_int_equal(vidmm_open(adapter, "t", third, f.resource, &opened), 0);
    vidmm_handle of_third = vidmm_resource_member(adapter, opened, 0);
    const struct vidmm_lock_args locks[] = {
        { .device = f.mock.device, .allocation = f.allocations[0] },
        { .device = f.user, .allocation = of_user },
        { .device = third, .allocation = of_third, .flags = VIDMM_LOCK_ReadOnly },
        { .device = f.user, .allocation = of_user, .flags = VIDMM_LOCK_ReadOnly },
    };
    struct vidmm_lock_result result;
    for (size_t i = 0; i < ARRAY_COUNT(locks); i++)
        assert_int_equal(vidmm_lock(adapter, &locks[i], &result), 0);
    assert_int_equal(mock_view(&f.mock, f.allocations[0]).locks, 4);
    /* The first that came goes first, so another one takes its place. */
    assert_int_equal(vidmm_unlock(adapter, f.mock.device, &f.allocations[0], 1), 0);
    mock_adapter_check(&f.mock);
    assert_int_not_equal(vidmm_unlock(adapter, f.mock.device, &f.allocations[0], 1), 0);
    mock_refused(&f.mock, RULE(LOCK_057));
    assert_int_equal(vidmm_lock(adapter, &locks[0], &result), 0);
    assert_int_equal(vidmm_unlock(adapter, f.user, (vidmm_handle[]){ of_user, of_user }, 2), 0);
    mock_adapter_check(&f.mock);
    assert_int_not_equal(vidmm_unlock(adapter, f.user, &of_user, 1), 0);
    /* A lock that may write is left, then only the one that may not. */
    uint64_t warned = mock_adapter_view(&f.mock).warnings;
    assert_int_equal(vidmm_cpu_write(adapter, f.allocations[0], 0, MOCK_PAGE), 0);
    assert_int_equal(mock_adapter_view(&f.mock).warnings, warned);
    assert_int_equal(vidmm_unlock(adapter, f.mock.device, &f.allocations[0], 1), 0);
    assert_int_equal(vidmm_cpu_write(adapter, f.allocations[0], 0, MOCK_PAGE), 0);
    assert_int_equal(mock_adapter_view(&f.mock).warnings, warned + 1);
    mock_adapter_check(&f.mock);
    assert_int_equal(vidmm_close(adapter, opened), 0); /* with its lock */
    assert_int_equal(mock_view(&f.mock, f.allocations[0]).locks, 0);
    mock_adapter_stop(&f.mock);
}

static enum vidmm_offer_state offer_by(struct fixture *f, vidmm_handle device, vidmm_handle handle)
{
    const struct vidmm_offer_args args = {
        .list = { .device = device, .allocations = &handle, .count = 1 },
        .priority = D3DDDI_OFFER_PRIORITY_LOW,
    };
    assert_int_equal(vidmm_offer(f->mock.adapter, &args), 0);
    mock_adapter_check(&f->mock);
    return vidmm_offer_state(f->mock.adapter, handle);
}

/* What was opened twice is offered in both openings; one that is closed counts no more. */
static void an_offer_waits_for_each_device_that_has_it_open(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    struct vidmm_adapter *adapter = f.mock.adapter;
    create(&f, SHARED);
    vidmm_handle once = open_for_user(&f), again = open_for_user(&f);
    vidmm_handle member = vidmm_resource_member(adapter, once, 0);
    assert_int_equal(offer_by(&f, f.user, member), VIDMM_OFFER_PENDING);
    assert_int_equal(vidmm_offer_state(adapter, vidmm_resource_member(adapter, again, 0)),
                     VIDMM_OFFER_PENDING);
    assert_int_equal(vidmm_offer_state(adapter, f.allocations[0]), VIDMM_OFFER_NONE);
    assert_int_equal(vidmm_close(adapter, again), 0);
    mock_adapter_check(&f.mock);
    vidmm_handle late = vidmm_resource_member(adapter, open_for_user(&f), 0);
    assert_int_equal(vidmm_offer_state(adapter, late), VIDMM_OFFER_NONE);
    assert_int_equal(offer_by(&f, f.mock.device, f.allocations[0]), VIDMM_OFFER_PENDING);
    assert_int_equal(offer_by(&f, f.user, late), VIDMM_OFFER_OFFERED);
    assert_int_equal(vidmm_offer_state(adapter, f.allocations[1]), VIDMM_OFFER_NONE);
    const struct vidmm_offer_list list = { .device = f.user, .allocations = &late, .count = 1 };
    uint32_t answer;
    assert_int_equal(vidmm_reclaim(adapter, &list, &answer), 0);
    assert_int_equal(vidmm_offer_state(adapter, f.allocations[0]), VIDMM_OFFER_NONE);
    /* The one that did not offer it closes it. */
    assert_int_equal(offer_by(&f, f.mock.device, f.allocations[0]), VIDMM_OFFER_PENDING);
    assert_int_equal(vidmm_destroy(adapter, &f.user, 1), 0);
    assert_int_equal(vidmm_offer_state(adapter, f.allocations[0]), VIDMM_OFFER_OFFERED);
    mock_adapter_stop(&f.mock);
}

/* That of a resource is the name of each of its allocations, with a number. */
static void each_opening_has_its_own_name(void **state)
{
    (void)state;
    struct fixture f;
    vidmm_handle alone;
    start(&f);
    struct vidmm_adapter *adapter = f.mock.adapter;
    create(&f, SHARED);
    vidmm_handle member = vidmm_resource_member(adapter, open_for_user(&f), 0);
    assert_int_equal(vidmm_open(adapter, "alone", f.user, f.allocations[1], &alone), 0);
    assert_string_equal(vidmm_label(adapter, alone), "alone");
    assert_string_equal(vidmm_label(adapter, mock_view(&f.mock, alone).resource), "a");
    for (unsigned i = 0; i < 2; i++) { /* both names are told once, however often it is named */
        assert_int_not_equal(vidmm_display(adapter, member), 0);
        assert_string_equal(vidmm_last_refusal(adapter)->text,
                            "a is no primary: it cannot be displayed; pair[0] is a");
    }
    /* It is another word that begins with it. */
    const struct vidmm_lock_args lock = { .device = f.mock.device, .allocation = member };
    struct vidmm_lock_result result;
    assert_int_not_equal(vidmm_lock(adapter, &lock, &result), 0);
    assert_string_equal(vidmm_last_refusal(adapter)->text,
                        "the allocation is not one of device dev");
    mock_adapter_stop(&f.mock);
}

/* Nor are two names told where there is none. */
static void what_has_no_name_is_not_mentioned(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    f.label = "";
    create(&f, SHARED);
    vidmm_handle member = vidmm_resource_member(f.mock.adapter, open_for_user(&f), 0);
    assert_int_not_equal(vidmm_display(f.mock.adapter, member), 0);
    assert_string_equal(vidmm_last_refusal(f.mock.adapter)->text,
                        " is no primary: it cannot be displayed");
    mock_adapter_stop(&f.mock);
}

static void a_failed_open_leaves_nothing(void **state)
{
    (void)state;
    struct fixture f;
    struct vidmm_allocation_view view;
    vidmm_handle opened = 0;
    start(&f);
    create(&f, SHARED);
    struct vidmm_mock_switch_state *switches = vidmm_mock_switches(f.mock.mock);
    assert_true(vidmm_mock_switch_set(switches, "null-open-handle", NULL));
    assert_int_not_equal(vidmm_open(f.mock.adapter, NULL, f.user, f.resource, &opened), 0);
    assert_int_equal(opened, 0);
    mock_refused(&f.mock, VIDMM_RULE(MINI_040));
    assert_true(vidmm_mock_switch_set(switches, "null-open-handle", "off"));
    for (seen.drop = 2; seen.drop; seen.drop--) { /* the other one has to be closed again */
        assert_int_not_equal(vidmm_open(f.mock.adapter, NULL, f.user, f.resource, &opened), 0);
        mock_refused(&f.mock, VIDMM_RULE(MINI_040));
        assert_int_equal(seen.close_count, 1);
        assert_ptr_equal(seen.closed[0], seen.opened[2 - seen.drop]);
    }
    assert_true(vidmm_allocation_view(f.mock.adapter, f.allocations[0], &view));
    assert_int_equal(view.openings, 1);
    mock_adapter_stop(&f.mock);
}

/* BUG-050: the driver opens the first one, and has nothing for the second: no call follows. */
static void nothing_is_closed_after_the_last_mistake(void **state)
{
    (void)state;
    for (int opens = 0; opens < 2; opens++) {
        struct fixture f;
        vidmm_handle opened;
        start(&f);
        if (opens)
            create(&f, SHARED);
        assert_int_equal(vidmm_set(f.mock.adapter, VIDMM_SETTING_FINDINGS, 1), 0);
        seen.drop = 2;
        if (opens)
            assert_int_not_equal(vidmm_open(f.mock.adapter, "o", f.user, f.resource, &opened), 0);
        else
            assert_int_not_equal(try_create(&f, SHARED), 0);
        assert_int_equal(seen.open_count, 2);
        assert_null(seen.close_device);
        mock_adapter_free(&f.mock);
    }
}

/* In the order of the call, and no more than there are. */
static void members_of_a_resource_of_one_device(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    create(&f, VIDMM_KMT_CreateResource);
    const vidmm_handle members[] = { f.allocations[0], f.allocations[1], 0, 0 };
    for (size_t i = 0; i < ARRAY_COUNT(members); i++)
        assert_int_equal(vidmm_resource_member(f.mock.adapter, f.resource, i), members[i]);
    mock_adapter_stop(&f.mock);
}

/* KMT-017: one object a call, else there is no handle. */
static void a_failed_share_gives_no_handle(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    create(&f, SHARED | VIDMM_KMT_NtSecuritySharing);
    for (size_t count = 0; count <= 2; count += 2) {
        uint32_t handle = UINT32_MAX;
        assert_int_equal(vidmm_share(f.mock.adapter, f.allocations, count, false, &handle),
                         STATUS_INVALID_PARAMETER);
        mock_refused(&f.mock, VIDMM_RULE(KMT_017));
        assert_int_equal(handle, 0);
    }
    mock_adapter_stop(&f.mock);
}

/* The adapter ends while handles are open: the mock counts those that it gave. */
static void the_end_of_the_adapter_closes_all(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    create(&f, SHARED);
    (void)open_for_user(&f);
    HANDLE user = seen.open_device;
    (void)open_for_user(&f);
    assert_int_equal(vidmm_destroy(f.mock.adapter, &f.mock.device, 1), 0);
    assert_ptr_not_equal(seen.close_device, user);
    mock_adapter_stop(&f.mock);
    assert_ptr_equal(seen.close_device, user);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_device_has_its_own_binding),
        cmocka_unit_test(a_device_closes_what_is_its_own),
        cmocka_unit_test(every_open_brings_the_private_data_of_the_creation),
        cmocka_unit_test(two_names_of_one_device_do_not_unlock_twice),
        cmocka_unit_test(each_device_ends_its_own_locks),
        cmocka_unit_test(an_offer_waits_for_each_device_that_has_it_open),
        cmocka_unit_test(each_opening_has_its_own_name),
        cmocka_unit_test(what_has_no_name_is_not_mentioned),
        cmocka_unit_test(a_failed_open_leaves_nothing),
        cmocka_unit_test(nothing_is_closed_after_the_last_mistake),
        cmocka_unit_test(members_of_a_resource_of_one_device),
        cmocka_unit_test(a_failed_share_gives_no_handle),
        cmocka_unit_test(the_end_of_the_adapter_closes_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
