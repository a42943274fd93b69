/* SPDX-License-Identifier: MIT */
/* prop_run.c: does the operations of a round, once for real and once in the model. */
#include "tests/model/prop_owners.h"
#include "vidmm/base/base.h"
#include "vidmm/ddi/ntstatus.h"

#include <inttypes.h>
#include <string.h>

enum { SLOT_BYTES = 16, RENDER_NS = 20000 };

struct prop_run {
    const struct prop_round *round;
    unsigned check_every;
    uint64_t steps;
    struct model model;
    struct vidmm_mock *mock;
    struct vidmm_mock_segment segments[MODEL_SEGMENTS];
    struct vidmm_adapter *adapter;
    struct prop_owners owners;
    vidmm_handle handles[MODEL_ALLOCATIONS], ranges[MODEL_ALLOCATIONS];
    struct prop_known known;
    struct prop_totals totals;
    char problem[VIDMM_REFUSAL_TEXT_MAX + 160];
};

static bool fail(struct prop_run *run, const char *text)
{
    if (run->problem[0] == '\0')
        (void)snprintf(run->problem, sizeof run->problem, "%s", text);
    return false;
}

/* ---- start and end --------------------------------------------------------------------------- */

static bool create_device(struct prop_run *run, uint8_t device)
{
    return prop_owners_start(&run->owners, device) ||
           fail(run, vidmm_last_refusal(run->adapter)->text);
}

static bool start_adapter(struct prop_run *run)
{
    const struct model_adapter_wish *adapter = &run->round->adapter;
    struct vidmm_config config;
    vidmm_config_init(&config);
    run->mock = prop_world_mock(adapter, run->segments);
    config.miniport = *vidmm_mock_miniport(run->mock);
    config.settings.value[VIDMM_SETTING_WDDM] = adapter->wddm;
    config.settings.value[VIDMM_SETTING_PINNED_PERCENT] = adapter->pinned_percent;
    config.settings.value[VIDMM_SETTING_DIRECTION_ZERO] = adapter->direction_zero;
    config.settings.value[VIDMM_SETTING_EVICT_FALLBACK] = adapter->fallback_lost;
    config.machine.memory_bytes = adapter->memory_bytes;
    config.machine.commit_bytes = adapter->commit_bytes;
    config.paging_buffers = adapter->paging_buffers;
    if (vidmm_adapter_start(&config, &run->adapter) != STATUS_SUCCESS) {
        const struct vidmm_refusal *refusal = vidmm_last_refusal(run->adapter);
        return fail(run, refusal ? refusal->text : "the adapter does not start");
    }
    run->owners.adapter = run->adapter;
    if (vidmm_process_create(run->adapter, "app", &run->owners.process) != STATUS_SUCCESS)
        return fail(run, "no process");
    return create_device(run, 0) && create_device(run, 1);
}

struct prop_run *prop_run_start(const struct prop_round *round, unsigned check_every)
{
    struct prop_run *run = base_alloc(1, sizeof *run);
    run->round = round;
    run->check_every = check_every;
    run->known.model = round->mode == PROP_LOOSE ? NULL : &run->model;
    if (!model_start(&run->model, &round->adapter))
        (void)fail(run, "the model does not start");
    else
        (void)start_adapter(run);
    return run;
}

void prop_run_end(struct prop_run *run)
{
    vidmm_adapter_free(run->adapter);
    vidmm_mock_destroy(run->mock);
    base_free(run);
}

const struct prop_known *prop_run_known(const struct prop_run *run)
{
    return &run->known;
}

const struct prop_totals *prop_run_totals(const struct prop_run *run)
{
    return &run->totals;
}

const char *prop_run_problem(const struct prop_run *run)
{
    return run->problem[0] ? run->problem : NULL;
}

/* ---- operations ------------------------------------------------------------------------------ */

static bool compares(const struct prop_run *run)
{
    return run->known.model != NULL;
}

static bool agree(struct prop_run *run, const char *what, vidmm_status is, vidmm_status expected)
{
    run->totals.refused += is < 0;
    if (!compares(run) || is == expected)
        return true;
    const struct vidmm_refusal *refusal = is < 0 ? vidmm_last_refusal(run->adapter) : NULL;
    (void)snprintf(run->problem, sizeof run->problem,
                   "%s: the manager answers 0x%08" PRIX32 ", the model 0x%08" PRIX32 " (%s)", what,
                   (uint32_t)is, (uint32_t)expected, refusal ? refusal->text : "");
    return false;
}

static bool make_range(struct prop_run *run, const struct prop_op *op)
{
    struct vidmm_system_range_args args = { .label = "range", .bytes = op->wish.bytes };
    run->ranges[op->slot] = 0;
    if (!(op->wish.flags & 0x10))
        return true;
    return vidmm_system_range_create(run->adapter, &args, &run->ranges[op->slot]) == STATUS_SUCCESS;
}

static bool create(struct prop_run *run, const struct prop_op *op)
{
    const struct model_wish *wish = &op->wish;
    char label[8];
    (void)snprintf(label, sizeof label, "a%u", op->slot);
    struct vidmm_mock_allocation answer = { .size = wish->bytes,
                                            .alignment = (uint32_t)wish->alignment,
                                            .hinted_bank = wish->hinted_bank,
                                            .preferred_segment = wish->preferred,
                                            .read_set = wish->read_set,
                                            .write_set = wish->write_set,
                                            .eviction_set = wish->eviction_set,
                                            .priority = wish->priority };
    answer.fills_wddm2 = run->round->adapter.wddm >= VIDMM_WDDM_2_0;
    answer.flags = wish->flags;
    if (!make_range(run, op))
        return fail(run, "no system range");
    struct vidmm_allocation_args args = { .label = label,
                                          .private_data = &answer,
                                          .private_bytes = sizeof answer,
                                          .system_range = run->ranges[op->slot],
                                          .content = wish->has_content ? run->steps + 1 : 0 };
    const struct vidmm_creation_args call = {
        .device = run->owners.devices[op->device],
        .flags = op->shared ? VIDMM_KMT_CreateResource | VIDMM_KMT_CreateShared : 0,
        .allocations = &args,
        .count = 1,
    };
    vidmm_handle *handle = &run->handles[op->slot];
    vidmm_status expected = compares(run) ? model_create(&run->model, op->slot, wish) : 0;
    vidmm_status status = vidmm_create_allocations(run->adapter, &call, handle, NULL);
    run->known.live[op->slot] = status == STATUS_SUCCESS;
    run->known.shared[op->slot] = op->shared;
    run->owners.open[op->device][op->slot] = status == STATUS_SUCCESS ? *handle : 0;
    run->model.allocations[op->slot].tie = *handle;
    run->known.locks[op->slot] = 0;
    run->known.bytes[op->slot] = wish->bytes;
    run->known.flags[op->slot] = wish->flags;
    return agree(run, "create", status, expected);
}

static bool destroy(struct prop_run *run, const struct prop_op *op)
{
    vidmm_handle range = run->ranges[op->slot];
    if (compares(run))
        model_destroy(&run->model, op->slot);
    vidmm_status status = prop_owners_destroy(&run->owners, op->slot);
    if (status == STATUS_SUCCESS && range != 0)
        status = vidmm_destroy(run->adapter, &range, 1);
    run->known.live[op->slot] = false;
    return agree(run, "destroy", status, STATUS_SUCCESS);
}

static bool open_shared(struct prop_run *run, const struct prop_op *op)
{
    vidmm_handle from = prop_owners_any(&run->owners, op->slot);
    vidmm_status status = vidmm_open(run->adapter, NULL, run->owners.devices[op->device], from,
                                     &run->owners.open[op->device][op->slot]);
    return agree(run, "open", status, STATUS_SUCCESS);
}

/* Allocations that the other device keeps stay as they are, except for the locks that end. */
static void let_go(struct prop_run *run, uint8_t slot, uint8_t device)
{
    run->owners.open[device][slot] = 0;
    run->totals.outlived++;
    if (run->owners.lock_device[slot] != device)
        return;
    for (; run->known.locks[slot] > 0; run->known.locks[slot]--)
        if (compares(run))
            (void)model_unlock(&run->model, slot);
}

static bool close_shared(struct prop_run *run, const struct prop_op *op)
{
    if (!run->owners.open[1 - op->device][op->slot])
        return destroy(run, op);
    vidmm_status status = vidmm_close(run->adapter, run->owners.open[op->device][op->slot]);
    let_go(run, op->slot, op->device);
    return agree(run, "close", status, STATUS_SUCCESS);
}

/* No allocation is a victim of the portion that names it, and all are placed where they may be
 * (PLACE-003). The last group is in the last portion. */
static bool last_in_place(const struct prop_run *run, const struct prop_op *op)
{
    bool good = true;
    for (size_t i = 0; i < op->use_count && good; i++) {
        const struct model_use *use = &op->uses[i];
        good = use->none || use->group != op->uses[op->use_count - 1].group ||
               prop_owners_in_place(&run->owners, op->device, use->slot, use->write);
    }
    return good;
}

/* A device that could not be served is in error (SUBMIT-038): it is destroyed, with all that it
 * owns. */
static bool replace_device(struct prop_run *run, uint8_t device)
{
    struct prop_owners *owners = &run->owners;
    if (vidmm_destroy(run->adapter, &owners->devices[device], 1) != STATUS_SUCCESS)
        return fail(run, "the device cannot be destroyed");
    for (uint8_t slot = 0; slot < MODEL_ALLOCATIONS; slot++) {
        if (!owners->open[device][slot])
            continue;
        if (owners->open[1 - device][slot]) {
            let_go(run, slot, device);
            continue;
        }
        if (compares(run))
            model_destroy(&run->model, slot);
        owners->open[device][slot] = 0;
        run->known.live[slot] = false;
    }
    return create_device(run, device);
}

static uint32_t live_uses(const struct prop_run *run, const struct prop_op *op,
                          struct model_use *uses)
{
    uint32_t count = 0;
    for (size_t i = 0; i < op->use_count; i++) {
        if (run->owners.open[op->device][op->uses[i].slot])
            uses[count++] = op->uses[i];
    }
    return count;
}

static bool submit(struct prop_run *run, const struct prop_op *op)
{
    struct vidmm_use uses[MODEL_USES + 1] = { 0 };
    struct vidmm_patch patches[MODEL_USES];
    struct model_use known[MODEL_USES];
    uint32_t count = live_uses(run, op, known);
    uint32_t split = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i && known[i].group != known[i - 1].group)
            split = SLOT_BYTES * i;
        patches[i] = (struct vidmm_patch){ .allocation_index = known[i].none ? 0 : i + 1,
                                           .slot = known[i].slot_id,
                                           .patch_offset = SLOT_BYTES * i,
                                           .split_offset = split };
        if (!known[i].none)
            uses[i + 1] = (struct vidmm_use){
                .allocation = run->owners.open[op->device][known[i].slot],
                .write = known[i].write,
            };
    }
    struct vidmm_mock_command command = { .cost_ns = RENDER_NS };
    struct vidmm_work work = { .label = "frame",
                               .context = run->owners.contexts[op->device],
                               .uses = uses,
                               .use_count = count + 1,
                               .patches = patches,
                               .patch_count = count,
                               .command = &command,
                               .command_bytes = sizeof command };
    struct vidmm_submission submission;
    vidmm_status expected = compares(run) ? model_submit(&run->model, known, count) : 0;
    vidmm_status status = vidmm_submit(run->adapter, &work, &submission);
    bool active = prop_owners_active(&run->owners, op->device);
    if (status == STATUS_SUCCESS && active && !last_in_place(run, op))
        return fail(run, "submit: not everything is where it may be used");
    if (!agree(run, "submit", status, expected))
        return false;
    if (active && status == STATUS_GRAPHICS_NO_VIDEO_MEMORY)
        return fail(run, "the device is active after a submission that found no place");
    if (compares(run) && active == run->model.gave_up)
        return fail(run, active ? "the rest was not given up" : "the rest was given up");
    if (compares(run))
        run->totals.splits += run->model.splits;
    return active || replace_device(run, op->device);
}

static bool write_locked(struct prop_run *run, const struct prop_op *op)
{
    uint64_t pages = align_up(run->known.bytes[op->slot], MODEL_HOST_PAGE) / MODEL_HOST_PAGE;
    struct model_pages range = op->pages.count ? op->pages : (struct model_pages){ 0, pages };
    if (compares(run))
        model_write(&run->model, op->slot);
    vidmm_status status =
        vidmm_cpu_write(run->adapter, run->handles[op->slot], range.first * MODEL_HOST_PAGE,
                        range.count * MODEL_HOST_PAGE);
    return status == STATUS_SUCCESS || fail(run, "the CPU may not write under its lock");
}

static bool lock(struct prop_run *run, const struct prop_op *op)
{
    struct vidmm_page_range pages = { op->pages.first, op->pages.count };
    uint8_t *device = &run->owners.lock_device[op->slot];
    if (!run->known.locks[op->slot])
        *device = prop_owners_pick(&run->owners, op->slot, op->device);
    struct vidmm_lock_args args = { .device = run->owners.devices[*device],
                                    .allocation = run->owners.open[*device][op->slot],
                                    .flags = op->value,
                                    .pages = op->pages.count ? &pages : NULL,
                                    .page_runs = op->pages.count ? 1 : 0 };
    struct vidmm_lock_result result;
    vidmm_status expected =
        compares(run) ? model_lock(&run->model, op->slot, op->value, op->pages) : 0;
    vidmm_status status = vidmm_lock(run->adapter, &args, &result);
    if (status == STATUS_SUCCESS)
        run->known.locks[op->slot]++;
    if (!agree(run, "lock", status, expected))
        return false;
    return status != STATUS_SUCCESS || !op->write || write_locked(run, op);
}

static bool unlock(struct prop_run *run, const struct prop_op *op)
{
    vidmm_status expected = compares(run) ? model_unlock(&run->model, op->slot) : 0;
    uint8_t device = run->owners.lock_device[op->slot];
    if (!run->known.locks[op->slot])
        device = prop_owners_pick(&run->owners, op->slot, op->device);
    vidmm_status status = vidmm_unlock(run->adapter, run->owners.devices[device],
                                       &run->owners.open[device][op->slot], 1);
    if (status == STATUS_SUCCESS)
        run->known.locks[op->slot]--;
    return agree(run, "unlock", status, expected);
}

/* Operations that name one allocation, or none, and need no more than a line on either side. */
static bool do_plain(struct prop_run *run, const struct prop_op *op)
{
    vidmm_handle handle = run->handles[op->slot];
    struct model scratch = run->model;
    struct model *model = compares(run) ? &run->model : &scratch;
    switch (op->kind) {
    case PROP_PAGE_IN:
        return agree(run, "page-in", vidmm_page_in(run->adapter, handle, op->write),
                     compares(run) ? model_page_in(model, op->slot, op->write) : 0);
    case PROP_EVICT:
        return agree(run, "evict", vidmm_evict(run->adapter, handle), model_evict(model, op->slot));
    case PROP_PIN:
        return agree(run, "pin", vidmm_pin(run->adapter, handle), model_pin(model, op->slot));
    case PROP_UNPIN:
        return agree(run, "unpin", vidmm_unpin(run->adapter, handle), model_unpin(model, op->slot));
    case PROP_PRIORITY:
        return agree(run, "priority", prop_owners_priority(&run->owners, op),
                     model_priority(model, op->slot, op->value));
    case PROP_OFFER:
        return agree(run, "offer", prop_owners_offer(&run->owners, op),
                     model_offer(model, op->slot, op->value));
    case PROP_RECLAIM:
        return agree(run, "reclaim", prop_owners_reclaim(&run->owners, op),
                     model_reclaim(model, op->slot));
    case PROP_LEVEL3:
        model_level3(model);
        return agree(run, "level3", vidmm_level3(run->adapter), 0);
    default:
        return agree(run, "advance", vidmm_advance(run->adapter, op->value * (vidmm_ns)1000), 0);
    }
}

static bool perform(struct prop_run *run, const struct prop_op *op)
{
    switch (op->kind) {
    case PROP_CREATE: return create(run, op);
    case PROP_DESTROY: return destroy(run, op);
    case PROP_SUBMIT: return submit(run, op);
    case PROP_LOCK: return lock(run, op);
    case PROP_UNLOCK: return unlock(run, op);
    case PROP_OPEN: return open_shared(run, op);
    case PROP_CLOSE: return close_shared(run, op);
    default: return do_plain(run, op);
    }
}

/* ---- after each step ------------------------------------------------------------------------- */

static bool look(struct prop_run *run, bool thorough)
{
    struct prop_views views = { .adapter = run->adapter,
                                .model = &run->model,
                                .handles = run->handles,
                                .settled = run->round->mode == PROP_STILL };
    if (vidmm_bugcheck(run->adapter))
        return fail(run, vidmm_bugcheck(run->adapter)->text);
    if (compares(run) && !prop_compare(&views, run->problem, sizeof run->problem))
        return false;
    return !thorough ||
           (vidmm_check(run->adapter, run->problem, sizeof run->problem) &&
            prop_contents_intact(&views, run->known.live, run->problem, sizeof run->problem));
}

/* State that depends on the progress of an unmap is left to the loose rounds. */
static bool time_decides(const struct prop_run *run, const struct prop_op *op)
{
    struct model_use uses[MODEL_USES];
    if (!compares(run))
        return false;
    struct model model = run->model;
    model.time_matters = false;
    if (op->kind == PROP_CREATE)
        (void)model_create(&model, op->slot, &op->wish);
    else if (op->kind == PROP_PAGE_IN)
        (void)model_page_in(&model, op->slot, op->write);
    else if (op->kind == PROP_SUBMIT)
        (void)model_submit(&model, uses, live_uses(run, op, uses));
    return model.time_matters;
}

static bool applies(const struct prop_run *run, const struct prop_op *op)
{
    bool live = run->known.live[op->slot];
    switch (op->kind) {
    case PROP_CREATE: return !live;
    case PROP_SUBMIT:
    case PROP_LEVEL3:
    case PROP_ADVANCE: return true;
    case PROP_OPEN:
        return live && run->known.shared[op->slot] && !run->owners.open[op->device][op->slot];
    case PROP_CLOSE: return live && run->owners.open[op->device][op->slot];
    case PROP_OFFER:
    case PROP_RECLAIM: return live && !run->known.shared[op->slot];
    default: return live;
    }
}

static void count_leavers(struct prop_run *run)
{
    run->totals.done++;
    for (size_t i = 0; i < run->model.leaver_count; i++) {
        run->totals.left[run->model.leavers[i].reason]++;
        run->totals.lost += run->model.leavers[i].lost;
        run->totals.discarded += run->model.allocations[run->model.leavers[i].slot].discarded;
    }
}

bool prop_run_step(struct prop_run *run, const struct prop_op *op)
{
    if (run->problem[0] != '\0')
        return false;
    run->steps++;
    if (!applies(run, op) || time_decides(run, op)) {
        run->totals.passed_over++;
        return true;
    }
    run->model.leaver_count = 0;
    bool performed = perform(run, op);
    for (size_t device = 0; device < PROP_DEVICES; device++)
        for (size_t slot = 0; slot < MODEL_ALLOCATIONS; slot++)
            run->known.open[device][slot] = run->owners.open[device][slot] != 0;
    if (!performed)
        return false;
    count_leavers(run);
    if (run->round->mode == PROP_STILL && vidmm_wait_idle(run->adapter) != STATUS_SUCCESS)
        return fail(run, "waiting for everything fails");
    return look(run, run->steps % run->check_every == 0);
}

bool prop_run_finish(struct prop_run *run)
{
    struct vidmm_node_view node;
    if (run->problem[0] != '\0')
        return false;
    if (vidmm_wait_idle(run->adapter) != STATUS_SUCCESS)
        return fail(run, "waiting for everything fails");
    for (uint32_t i = 0; vidmm_node_view(run->adapter, i, &node); i++) {
        if (node.issued != node.completed || node.queued != 0)
            return fail(run, "a fence is not signalled at the end");
    }
    return look(run, true);
}

void prop_run_print(FILE *file, const struct prop_run *run)
{
    struct prop_views views = { run->adapter, &run->model, run->handles, true };
    if (compares(run))
        prop_print_views(file, &views);
}
