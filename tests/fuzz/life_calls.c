/* SPDX-License-Identifier: MIT */
/* life_calls.c: calls of the API with any handles and numbers. */
#include "tests/fuzz/life.h"

enum { LISTED = 4 };

static uint32_t some_bits(void)
{
    uint32_t bits = life_number();
    return bits << life_byte() % 24;
}

static void call_create(struct vidmm_adapter *adapter)
{
    struct vidmm_mock_allocation wish[2];
    struct vidmm_allocation_args args[2];
    vidmm_handle made[2];
    size_t count = 1 + life_byte() % 2;
    struct vidmm_creation_args creation = { .allocations = args };
    creation.device = life_handle();
    for (size_t i = 0; i < count; i++) {
        wish[i] = mock_wish(UINT64_C(4096) << life_byte() % 8);
        args[i] = mock_args("tex", &wish[i]);
        if (life_chance(64))
            wish[i].flags = some_bits();
        if (life_chance(64))
            wish[i].read_set = wish[i].write_set = life_number();
        if (life_chance(32))
            wish[i].eviction_set = life_number();
        if (life_chance(32))
            wish[i].rename_or_adapter = life_number();
        if (life_chance(32))
            wish[i].size = life_long_number();
        wish[i].fills_wddm2 = life.mock.mock_config.wddm >= 20;
        args[i].content = 1;
    }
    if (life_chance(64))
        creation.flags = some_bits();
    if (life_chance(32))
        creation.resource = life_handle();
    creation.count = count;
    vidmm_status status = vidmm_create_allocations(adapter, &creation, made, NULL);
    for (size_t i = 0; i < count; i++)
        life_keep(status, status ? 0 : made[i]);
}

static void call_object(struct vidmm_adapter *adapter)
{
    struct vidmm_system_range_args range = { .label = "range" };
    vidmm_handle new = 0;
    vidmm_handle one = life_handle();
    vidmm_handle other = life_handle();
    vidmm_status status;
    switch (life_byte() % 5) {
    case 0: status = vidmm_process_create(adapter, "game", &new); break;
    case 1: status = vidmm_device_create(adapter, "dev", one, &new); break;
    case 2: status = vidmm_open(adapter, "open", one, other, &new); break;
    case 3:
        range.bytes = 0x1000u << life_byte() % 4;
        range.misaligned = life_chance(32) ? life_number() : 0;
        range.kernel = life_chance(128);
        range.process = one;
        status = vidmm_system_range_create(adapter, &range, &new);
        break;
    default: status = vidmm_context_create(adapter, "ctx", one, life_byte() % 3, &new); break;
    }
    life_keep(status, new);
}

static void call_submit(struct vidmm_adapter *adapter)
{
    struct vidmm_mock_command command = { .bytes = 0 };
    struct vidmm_use uses[LISTED] = { 0 };
    struct vidmm_patch patches[LISTED] = { 0 };
    struct vidmm_work work = { .label = "work", .uses = uses, .patches = patches };
    work.context = life_handle();
    work.use_count = 1 + life_byte() % (LISTED - 1);
    for (size_t i = 1; i < work.use_count; i++) {
        uses[i].allocation = life_handle();
        uses[i].write = life_chance(128);
    }
    work.patch_count = life_byte() % LISTED;
    for (size_t i = 0; i < work.patch_count; i++) {
        patches[i].allocation_index = life_byte() % 4;
        patches[i].slot = life_byte() % 4;
        patches[i].patch_offset = 16 * (uint32_t)i;
        patches[i].split_offset = life_chance(32) ? life_number() : 0;
    }
    command.cost_ns = UINT64_C(1) << life_byte() % 36;
    command.bytes = life_chance(32) ? life_number() % 65536 : 0;
    command.flags = life_chance(24);
    work.command = &command;
    work.command_bytes = sizeof command;
    work.null_rendering = life_chance(16);
    (void)!vidmm_submit(adapter, &work, &life.last);
}

static void call_present(struct vidmm_adapter *adapter)
{
    struct vidmm_mock_command command = { .cost_ns = 1000 };
    struct vidmm_present_args args = { .label = "present",
                                       .data = &command,
                                       .data_bytes = sizeof command };
    args.context = life_handle();
    args.source = life_chance(128) ? life_handle() : 0;
    args.destination = life_handle();
    args.rects = life_number() % 64;
    (void)!vidmm_present(adapter, &args, &life.last);
}

static void touch(struct vidmm_adapter *adapter, vidmm_handle allocation)
{
    bool intact;
    uint32_t offset = life_number();
    uint32_t bytes = life_number() % 65536;
    (void)!vidmm_cpu_write(adapter, allocation, offset, bytes);
    (void)!vidmm_cpu_read(adapter, allocation, offset, bytes, &intact);
}

static void call_lock(struct vidmm_adapter *adapter)
{
    struct vidmm_lock_result result;
    struct vidmm_page_range pages;
    struct vidmm_lock_args args = { .pages = &pages };
    args.device = life_handle();
    args.allocation = life_handle();
    args.lock2 = life_chance(64);
    args.flags = life_chance(128) ? 0 : 1u << life_byte() % 14;
    args.page_runs = life_chance(48);
    pages.first = life_byte() % 4;
    pages.count = life_byte() % 4;
    if (!vidmm_lock(adapter, &args, &result))
        touch(adapter, result.allocation);
}

static void call_offer(struct vidmm_adapter *adapter)
{
    uint32_t results[LISTED];
    vidmm_handle list[LISTED];
    struct vidmm_offer_args args = { .list = { .allocations = list } };
    args.list.device = life_handle();
    args.list.count = life_byte() % LISTED;
    for (size_t i = 0; i < args.list.count; i++)
        list[i] = life_handle();
    args.priority = 1 + life_byte() % 4;
    args.flags = life_chance(32) ? life_number() : 0;
    if (life_chance(128))
        (void)!vidmm_offer(adapter, &args);
    else
        (void)!vidmm_reclaim(adapter, &args.list, results);
}

static void call_property(struct vidmm_adapter *adapter)
{
    struct vidmm_property_result result;
    struct vidmm_property_args args = { .allocation = life_handle() };
    args.set_segments = life_chance(128);
    args.set_preferred = life_chance(64);
    args.set_unmoveable = life_chance(64);
    args.set_physically = life_chance(64);
    args.segments = life_number();
    args.preferred = life_number();
    args.unmoveable = life_chance(128);
    (void)!vidmm_update_property(adapter, &args, &result);
}

static void call_memory(struct vidmm_adapter *adapter)
{
    vidmm_handle a = life_handle();
    uint32_t priority = life_number();
    const struct vidmm_priority_args priorities = { .allocations = &a,
                                                    .count = 1,
                                                    .priorities = &priority };
    switch (life_byte() % 9) {
    case 0: (void)!vidmm_page_in(adapter, a, life_chance(128)); break;
    case 1: (void)!vidmm_evict(adapter, a); break;
    case 2: (void)!vidmm_pin(adapter, a); break;
    case 3: (void)!vidmm_unpin(adapter, a); break;
    case 4: (void)!vidmm_set_priority(adapter, &priorities); break;
    case 5: (void)!vidmm_destroy(adapter, &a, 1); break;
    case 6: (void)!vidmm_close(adapter, a); break;
    case 7: (void)!vidmm_display(adapter, a); break;
    default: (void)!vidmm_unlock(adapter, life_handle(), &a, 1); break;
    }
}

static void call_time(struct vidmm_adapter *adapter)
{
    switch (life_byte() % 4) {
    case 0: (void)!vidmm_wait(adapter, life.last); break;
    case 1: (void)!vidmm_wait_idle(adapter); break;
    default: (void)!vidmm_advance(adapter, UINT64_C(1) << life_byte() % 34); break;
    }
}

static void call_accident(struct vidmm_adapter *adapter)
{
    switch (life_byte() % 13) {
    case 0: (void)!vidmm_level2(adapter); break;
    case 1: (void)!vidmm_level3(adapter); break;
    case 2: (void)!vidmm_reset_engine(adapter); break;
    case 3: (void)!vidmm_reset_adapter(adapter); break;
    case 4: (void)!vidmm_preempt(adapter, life_byte() % 3); break;
    case 5: (void)!vidmm_exclude(adapter, (enum vidmm_exclusion)(life_byte() % 3)); break;
    case 6: (void)!vidmm_pnp_stop(adapter); break;
    case 7: (void)!vidmm_pnp_start(adapter); break;
    case 8: (void)!vidmm_standby(adapter); break;
    case 9: (void)!vidmm_hibernate(adapter); break;
    case 10: (void)!vidmm_hybrid_sleep(adapter); break;
    case 11: life_chance(32) ? (void)!vidmm_surprise_removal(adapter) : (void)0; break;
    default: (void)!vidmm_resume(adapter); break;
    }
}

void life_call(struct vidmm_adapter *adapter)
{
    static void (*const calls[])(struct vidmm_adapter *) = {
        call_create, call_create, call_submit, call_submit,   call_submit,  call_memory,
        call_memory, call_memory, call_lock,   call_lock,     call_time,    call_time,
        call_object, call_offer,  call_offer,  call_property, call_present, call_accident,
    };
    calls[life_byte() % ARRAY_COUNT(calls)](adapter);
}
