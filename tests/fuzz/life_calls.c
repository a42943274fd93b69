/* SPDX-License-Identifier: MIT */
/* life_calls.c: calls of the API with any handles and numbers. */
#include "tests/fuzz/life.h"

enum { LISTED = 4, DMA_MOST = 1 << 18 };

/* ---- objects ----------------------------------------------------------------------------------
 */

static void call_object(struct vidmm_adapter *adapter)
{
    uint8_t kind = life_byte() % 6;
    vidmm_handle new = 0, process = life_handle(VIDMM_OBJECT_PROCESS);
    vidmm_handle device = life_handle(VIDMM_OBJECT_DEVICE);
    const struct vidmm_process_args secure = { .label = "other", .secure = life_chance(128) };
    struct vidmm_context_args context = { .label = "gdi", .device = device };
    context.node = life_byte() % 4;
    context.gdi = life_chance(64);
    vidmm_status status;
    switch (kind) {
    case 0:
        status = vidmm_process_create(adapter, "game", &new);
        life_keep(VIDMM_OBJECT_PROCESS, status, new);
        break;
    case 1:
        status = vidmm_process_create_with(adapter, &secure, &new);
        life_keep(VIDMM_OBJECT_PROCESS, status, new);
        break;
    case 2:
        status = vidmm_device_create(adapter, "dev", process, &new);
        life_keep(VIDMM_OBJECT_DEVICE, status, new);
        break;
    case 3:
        status = vidmm_context_create(adapter, "ctx", device, context.node, &new);
        life_keep(VIDMM_OBJECT_CONTEXT, status, new);
        break;
    default:
        status = vidmm_context_create_with(adapter, &context, &new);
        life_keep(VIDMM_OBJECT_CONTEXT, status, new);
    }
}

static void call_range(struct vidmm_adapter *adapter)
{
    struct vidmm_system_range_args range = { .label = "range" };
    vidmm_handle new = 0;
    range.bytes = 0x1000u << life_byte() % 6;
    range.of = life_chance(64) ? life_handle(VIDMM_OBJECT_ALLOCATION) : 0;
    range.process = life_chance(64) ? life_handle(VIDMM_OBJECT_PROCESS) : 0;
    range.kernel = life_chance(64);
    range.section = life_chance(64);
    range.cached = life_chance(64);
    range.uncached = life_chance(32);
    range.misaligned = life_chance(32) ? life_number() : 0;
    vidmm_status status = vidmm_system_range_create(adapter, &range, &new);
    life_keep(VIDMM_OBJECT_SYSTEM_RANGE, status, new);
}

static void call_share(struct vidmm_adapter *adapter)
{
    uint8_t kind = life_byte() % 8;
    vidmm_handle resource = life_handle(VIDMM_OBJECT_RESOURCE);
    vidmm_handle device = life_handle(VIDMM_OBJECT_DEVICE);
    vidmm_handle new = 0;
    uint32_t nt_handle;
    switch (kind) {
    case 0: (void)!vidmm_close(adapter, resource); break;
    case 1: (void)!vidmm_share(adapter, &resource, 1, life_chance(128), &nt_handle); break;
    case 2: (void)!vidmm_grant(adapter, resource, device); break;
    case 3: (void)!vidmm_close(adapter, life_handle(VIDMM_OBJECT_ALLOCATION)); break;
    default: {
        vidmm_status status = vidmm_open(adapter, kind % 2 ? "open" : NULL, device, resource, &new);
        life_keep(VIDMM_OBJECT_RESOURCE, status, new);
        vidmm_handle part = status ? 0 : vidmm_resource_member(adapter, new, 0);
        life_keep(VIDMM_OBJECT_ALLOCATION, status || !part, part);
    }
    }
}

static void call_destroy(struct vidmm_adapter *adapter)
{
    vidmm_handle list[LISTED];
    size_t count = 1 + life_byte() % (LISTED - 1);
    uint8_t rare = life_byte();
    for (size_t i = 0; i < count; i++)
        list[i] = life_handle(rare < 192 ? VIDMM_OBJECT_ALLOCATION
                                         : (enum vidmm_object)(rare % LIFE_KINDS));
    (void)!vidmm_destroy(adapter, list, count);
}

/* ---- creations --------------------------------------------------------------------------------
 */

static struct vidmm_mock_allocation some_wish(void)
{
    bool new = life.mock.mock_config.wddm >= 20;
    struct vidmm_mock_allocation wish = mock_wish(UINT64_C(4096) << life_byte() % 8);
    wish.fills_wddm2 = new;
    wish.flags |= life_flags(new ? VIDMM_FLAGS_ALLOCATION2_0 : VIDMM_FLAGS_ALLOCATION);
    for (uint8_t more = life_byte(); more > 128; more = life_byte())
        switch (more % 12) {
        case 0: wish.read_set = wish.write_set = life_number() & 0x1F; break;
        case 1: wish.write_set = life_number() & 0x1F; break;
        case 2: wish.eviction_set = life_number() & 0x1F; break;
        case 3: wish.rename_or_adapter = life_number(); break;
        case 4: wish.size = life_long_number(); break;
        case 5:
            wish.alignment = life_chance(128) ? life_number() : 0x1000u << life_byte() % 8;
            break;
        case 6: wish.preferred_segment = life_number(); break;
        case 7: wish.hinted_bank = life_number(); break;
        case 8: wish.pitch_aligned_size = life_long_number(); break;
        case 9: wish.flags2 = life_flags(VIDMM_FLAGS_ALLOCATION2); break;
        case 10: wish.no_handle = life_chance(32); break;
        default:
            wish.hinted = true;
            wish.hint.Version = life_byte() % 3;
            wish.hint.v1.Flags.Value = life_flags(VIDMM_FLAGS_USAGE);
        }
    return wish;
}

static uint32_t some_kmt(void)
{
    static const uint32_t usual[] = {
        0,
        VIDMM_KMT_CreateResource,
        VIDMM_KMT_CreateResource | VIDMM_KMT_CreateShared,
        VIDMM_KMT_CreateResource | VIDMM_KMT_CreateShared | VIDMM_KMT_NtSecuritySharing,
        VIDMM_KMT_CreateResource | VIDMM_KMT_CreateShared | VIDMM_KMT_RestrictSharedAccess,
        VIDMM_KMT_WriteWatch,
        VIDMM_KMT_ExistingSysMem | VIDMM_KMT_StandardAllocation,
    };
    uint8_t kind = life_byte();
    return kind < 224 ? usual[kind % ARRAY_COUNT(usual)] : life_flags(VIDMM_FLAGS_KMT);
}

/* A surface that the kernel makes; the mock describes it as it is told. */
static void make_standard(struct vidmm_allocation_args *args, struct vidmm_standard *standard)
{
    struct vidmm_mock_standard answer = { .bytes = 0 };
    *standard = (struct vidmm_standard){ .type = 1 + life_byte() % 6, .format = 21 };
    standard->gdi_type = life_byte() % 6;
    standard->width = 1 + life_byte();
    standard->height = 1 + life_byte();
    vidmm_mock_standard_defaults(&life.mock.mock_config, standard->type, standard->gdi_type,
                                 &answer);
    answer.pitched = life_chance(32);
    answer.pitch = life_chance(32) ? life_number() : 0;
    vidmm_mock_standard_set(life.mock.mock, &answer);
    args->standard = standard;
}

static void fill_creation(struct vidmm_creation_args *creation,
                          struct vidmm_standard_args *existing, struct vidmm_mock_allocation *wish)
{
    creation->device = life_handle(VIDMM_OBJECT_DEVICE);
    creation->flags = some_kmt();
    if (creation->flags & VIDMM_KMT_StandardAllocation) {
        existing->type = 1;
        existing->existing_heap_bytes = 0x1000u << life_byte() % 5;
        creation->standard = existing;
        vidmm_mock_heap_defaults(&life.mock.mock_config, wish);
        vidmm_mock_next_allocations(life.mock.mock, wish, 1);
    }
    for (uint8_t more = life_byte(); more > 200; more = life_byte())
        switch (more % 6) {
        case 0: creation->resource = life_handle(VIDMM_OBJECT_RESOURCE); break;
        case 1: creation->kernel = true; break;
        case 2: creation->arrays = life_byte() % 4; break;
        case 3: creation->runtime_bytes = life_byte(); break;
        case 4: creation->ddi_flags = life_flags(VIDMM_FLAGS_DDI_CREATE); break;
        default:
            creation->label = "res";
            creation->private_data = wish;
            creation->private_bytes = life_byte() % sizeof *wish;
        }
}

static void call_create(struct vidmm_adapter *adapter)
{
    struct vidmm_mock_allocation wish[2];
    struct vidmm_allocation_args args[2];
    struct vidmm_standard standard;
    struct vidmm_standard_args existing = { .type = 0 };
    struct vidmm_creation_result result;
    struct vidmm_creation_args creation = { .allocations = args };
    vidmm_handle made[2];
    creation.count = 1 + life_byte() % 2;
    for (size_t i = 0; i < creation.count; i++) {
        wish[i] = some_wish();
        args[i] = mock_args("tex", &wish[i]);
        args[i].content = life_chance(224);
        for (uint8_t more = life_byte(); more > 200; more = life_byte())
            switch (more % 6) {
            case 0: args[i].info_flags = life_flags(VIDMM_FLAGS_INFO) | 1; break;
            case 1: args[i].vidpn_source = life_byte() % 3; break;
            case 2: args[i].system_range = life_handle(VIDMM_OBJECT_SYSTEM_RANGE); break;
            case 3:
                args[i].override_priority = true;
                args[i].priority = life_number();
                break;
            case 4: args[i].cpu_use = (enum vidmm_cpu_use)(life_byte() % 3); break;
            default: make_standard(&args[i], &standard);
            }
    }
    fill_creation(&creation, &existing, wish);
    vidmm_status status = vidmm_create_allocations(adapter, &creation, made, &result);
    for (size_t i = 0; i < creation.count; i++)
        life_keep(VIDMM_OBJECT_ALLOCATION, status, status ? 0 : made[i]);
    life_keep(VIDMM_OBJECT_RESOURCE, status || !result.resource, result.resource);
}

/* What most allocations are, so that there are some. */
static void call_allocate(struct vidmm_adapter *adapter)
{
    struct vidmm_mock_allocation wish = mock_wish(UINT64_C(4096) << life_byte() % 8);
    struct vidmm_allocation_args args = mock_args("tex", &wish);
    vidmm_handle device = life_handle(VIDMM_OBJECT_DEVICE);
    vidmm_handle made;
    bool cpu = life_chance(192);
    wish.fills_wddm2 = life.mock.mock_config.wddm >= 20;
    wish.flags = cpu ? VIDMM_ALLOCATION_CpuVisible : 0;
    args.content = 1;
    args.info_flags = life_chance(32) ? VIDMM_INFO_Primary : 0;
    if (!vidmm_allocate(adapter, device, life_chance(32), &args, 1, &made))
        life_keep(VIDMM_OBJECT_ALLOCATION, 0, made);
}

/* ---- work -------------------------------------------------------------------------------------
 */

static void fill_uses(struct vidmm_use *uses, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uses[i].allocation = life_handle(VIDMM_OBJECT_ALLOCATION);
        uint8_t how = life_byte();
        uses[i].write = how & 1;
        uses[i].keep = how > 224;
        uses[i].offer = how > 240 ? how % 6 : 0;
    }
}

static void fill_patches(struct vidmm_patch *patches, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t where = life_byte();
        patches[i].allocation_index = where % 4;
        patches[i].slot = where / 4 % 4;
        patches[i].patch_offset = 16 * (uint32_t)i;
        patches[i].split_offset = where > 224 ? life_number() : 0;
        patches[i].allocation_offset = where > 240 ? life_number() : 0;
    }
}

static void call_submit(struct vidmm_adapter *adapter)
{
    struct vidmm_mock_command command = { .bytes = 0 };
    struct vidmm_use uses[LISTED] = { 0 };
    struct vidmm_patch patches[LISTED] = { 0 };
    struct vidmm_work work = { .label = "work", .uses = uses, .patches = patches };
    work.context = life_handle(VIDMM_OBJECT_CONTEXT);
    work.use_count = 1 + life_byte() % (LISTED - 1);
    fill_uses(uses, work.use_count);
    work.patch_count = life_byte() % LISTED;
    fill_patches(patches, work.patch_count);
    command.cost_ns = UINT64_C(1) << life_byte() % 36;
    for (uint8_t more = life_byte(); more > 192; more = life_byte())
        switch (more % 5) {
        case 0: command.bytes = life_number() % 65536; break;
        case 1: command.flags = VIDMM_MOCK_COMMAND_HANG; break;
        case 2: work.null_rendering = true; break;
        case 3: work.adapters = life_byte() % 16; break;
        default: work.dma_bytes = life_number() % DMA_MOST;
        }
    work.command = &command;
    work.command_bytes = sizeof command;
    (void)!vidmm_submit(adapter, &work, &life.last);
}

static void call_present(struct vidmm_adapter *adapter)
{
    struct vidmm_mock_command command = { .cost_ns = 1000 };
    struct vidmm_present_args args = { .label = "present",
                                       .data = &command,
                                       .data_bytes = sizeof command };
    uint8_t how = life_byte();
    args.context = life_handle(VIDMM_OBJECT_CONTEXT);
    args.destination = life_handle(VIDMM_OBJECT_ALLOCATION);
    args.source = how & 1 ? life_handle(VIDMM_OBJECT_ALLOCATION) : 0;
    args.rects = life_number() % 64;
    args.null_rendering = how > 240;
    args.adapters = how > 200 ? life_byte() % 16 : 0;
    args.dma_bytes = how > 192 && how < 200 ? life_number() % DMA_MOST : 0;
    (void)!vidmm_present(adapter, &args, &life.last);
}

static void call_time(struct vidmm_adapter *adapter)
{
    uint8_t how = life_byte() % 6;
    struct vidmm_submission odd = { .node = life_byte() % 3 };
    odd.fence = life.last.fence + life_byte() % 3 - 1;
    switch (how) {
    case 0: (void)!vidmm_wait(adapter, life.last); break;
    case 1: (void)!vidmm_wait_idle(adapter); break;
    case 2: (void)!vidmm_wait(adapter, odd); break;
    default: (void)!vidmm_advance(adapter, UINT64_C(1) << life_byte() % 34); break;
    }
}

/* ---- memory -----------------------------------------------------------------------------------
 */

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
    args.device = life_handle(VIDMM_OBJECT_DEVICE);
    args.allocation = life_handle(VIDMM_OBJECT_ALLOCATION);
    args.flags = life_flags(VIDMM_FLAGS_LOCK);
    uint8_t how = life_byte();
    args.lock2 = how & 1;
    args.page_runs = how > 192;
    args.private_data = how > 224 ? life_byte() % 4 : 0;
    pages.first = life_byte() % 4;
    pages.count = life_byte() % 4;
    if (vidmm_lock(adapter, &args, &result))
        return;
    life_keep(VIDMM_OBJECT_ALLOCATION, result.allocation == args.allocation, result.allocation);
    touch(adapter, result.allocation);
}

static void call_unlock(struct vidmm_adapter *adapter)
{
    vidmm_handle list[LISTED];
    vidmm_handle device = life_handle(VIDMM_OBJECT_DEVICE);
    size_t count = 1 + life_byte() % (LISTED - 1);
    for (size_t i = 0; i < count; i++)
        list[i] = life_handle(VIDMM_OBJECT_ALLOCATION);
    (void)!vidmm_unlock(adapter, device, list, count);
}

static void call_offer(struct vidmm_adapter *adapter)
{
    uint32_t results[LISTED];
    vidmm_handle list[LISTED];
    uint8_t how = life_byte();
    struct vidmm_offer_args args = { .callback = how & 2 };
    enum vidmm_object kind = how & 4 ? VIDMM_OBJECT_RESOURCE : VIDMM_OBJECT_ALLOCATION;
    *(how & 4 ? &args.list.resources : &args.list.allocations) = list;
    args.list.device = life_handle(VIDMM_OBJECT_DEVICE);
    args.list.count = how == 255 ? 0 : 1 + how / 8 % (LISTED - 1);
    for (size_t i = 0; i < args.list.count; i++)
        list[i] = life_handle(kind);
    args.priority = 1 + life_byte() % 4;
    args.flags = life_flags(args.callback ? VIDMM_FLAGS_OFFER_CALLBACK : VIDMM_FLAGS_OFFER);
    if (how & 1)
        (void)!vidmm_offer(adapter, &args);
    else
        (void)!vidmm_reclaim(adapter, &args.list, how > 240 ? NULL : results);
}

static void call_property(struct vidmm_adapter *adapter)
{
    struct vidmm_property_result result;
    struct vidmm_property_args args = { .allocation = life_handle(VIDMM_OBJECT_ALLOCATION) };
    uint8_t which = life_byte();
    args.set_segments = which & 1;
    args.set_preferred = which & 2;
    args.set_unmoveable = which & 4;
    args.set_physically = which & 8;
    args.unmoveable = which & 16;
    args.physically = which & 32;
    args.segments = life_number();
    args.preferred = life_number();
    (void)!vidmm_update_property(adapter, &args, &result);
}

static void call_memory(struct vidmm_adapter *adapter)
{
    uint8_t kind = life_byte() % 9;
    vidmm_handle a = life_handle(VIDMM_OBJECT_ALLOCATION);
    uint32_t priority = life_chance(128) ? life_number() : UINT32_C(0x28000000) * (life_byte() % 6);
    struct vidmm_priority_args priorities = { .priorities = &priority };
    switch (kind) {
    case 0:
    case 1: (void)!vidmm_page_in(adapter, a, life_chance(128)); break;
    case 2: (void)!vidmm_evict(adapter, a); break;
    case 3: (void)!vidmm_pin(adapter, a); break;
    case 4: (void)!vidmm_unpin(adapter, a); break;
    case 5:
        priorities.allocations = &a;
        priorities.count = 1;
        (void)!vidmm_set_priority(adapter, &priorities);
        break;
    case 6:
        priorities.resource = life_handle(VIDMM_OBJECT_RESOURCE);
        (void)!vidmm_set_priority(adapter, &priorities);
        break;
    case 7: (void)!vidmm_display(adapter, life_chance(32) ? 0 : a); break;
    default: (void)!vidmm_reset_watch(adapter, a);
    }
}

/* ---- the adapter ------------------------------------------------------------------------------
 */

static void call_accident(struct vidmm_adapter *adapter)
{
    switch (life_byte() % 14) {
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

/* What the next device or context asks for. */
static void choose_buffers(void)
{
    struct vidmm_mock_buffers buffers = { .given = { false } };
    for (size_t i = 0; i < VIDMM_MOCK_BUFFER_COUNT; i++) {
        uint8_t how = life_byte();
        buffers.given[i] = how > 128;
        buffers.value[i] = how > 240                         ? life_number() % DMA_MOST
                           : i == VIDMM_MOCK_DMA_SEGMENT_SET ? how % 16u
                                                             : 64u << how % 8;
    }
    vidmm_mock_next_buffers(life.mock.mock, &buffers);
}

/* What the driver is going to do, and how the system is set. */
static void call_circumstance(struct vidmm_adapter *adapter)
{
    size_t row = life_byte() % VIDMM_SETTINGS;
    size_t words = vidmm_setting_word_count(vidmm_setting_row(row));
    vidmm_handle saved;
    switch (life_byte() % 7) {
    case 0:
    case 1: (void)!vidmm_set(adapter, row, words ? life_byte() % words : life_long_number()); break;
    case 2: vidmm_mock_set_aperture(life.mock.mock, life_chance(128)); break;
    case 3: choose_buffers(); break;
    case 4: {
        struct vidmm_mock_allocation wish = some_wish();
        bool shared = life_chance(96);
        vidmm_handle owner = life_handle(shared ? VIDMM_OBJECT_DEVICE : VIDMM_OBJECT_CONTEXT);
        vidmm_name_next(adapter, life_chance(128) ? "saved" : NULL);
        if (life.running &&
            !vidmm_mock_context_allocation(life.mock.mock, owner, shared, &wish, &saved))
            life_keep(VIDMM_OBJECT_ALLOCATION, 0, saved);
        break;
    }
    case 5: life.running ? life_set_switch(vidmm_mock_switches(life.mock.mock)) : (void)0; break;
    default:
        if (!life.observed)
            vidmm_observe(adapter, &life.mock.observer);
        life.observed = true;
    }
}

static void call_look(struct vidmm_adapter *adapter)
{
    life_look(adapter);
}

void life_call(struct vidmm_adapter *adapter)
{
    static void (*const calls[])(struct vidmm_adapter *) = {
        call_allocate, call_allocate, call_allocate, call_create,       call_create, call_create,
        call_submit,   call_submit,   call_submit,   call_submit,       call_memory, call_memory,
        call_memory,   call_memory,   call_lock,     call_lock,         call_unlock, call_time,
        call_time,     call_time,     call_object,   call_object,       call_range,  call_offer,
        call_offer,    call_property, call_present,  call_circumstance, call_share,  call_share,
        call_destroy,  call_accident, call_accident, call_look,
    };
    calls[life_byte() % ARRAY_COUNT(calls)](adapter);
}
