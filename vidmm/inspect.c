/* SPDX-License-Identifier: MIT */
/*
 * inspect.c: looking at objects without changing anything: for expectations, reports and tests.
 *
 * What is still under way cannot be looked at: a copy that the GPU is moving is compared when the
 * move ends (paging/buffer/verify.c), not here.
 */
#include "paging/schedule/watch.h"
#include "paging/store/store.h"
#include "vidmm/adapter/adapter.h"
#include "vidmm/allocation/allocation.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/share/share.h"
#include "vidmm/validate.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- allocations ---------------------------------------------------------------------------- */

static const struct allocation *find(const adapter_t *adapter, vidmm_handle handle)
{
    return handle_object(adapter, handle, VIDMM_OBJECT_ALLOCATION);
}

static const char *backing_word(const adapter_t *adapter, const struct allocation *allocation)
{
    if (allocation_is_existing(&allocation->pageable))
        return "supplied";
    if (allocation_has(&allocation->pageable, ALLOCATION_PROTECTED))
        return "kernel"; /* FLAG-020: wherever the newest content is */
    if (!backing_of(&allocation->pageable)->populated)
        return "none";
    bool in_memory = allocation->pageable.store.state == ALLOCATION_RESIDENT &&
                     place_in_memory(adapter, &allocation->pageable.place.at);
    /* In memory an ordinary store only waits for its release. */
    if (in_memory && (!allocation_is_permanent(&allocation->pageable) ||
                      allocation->pageable.transfer.gpu_dirty))
        return "stale";
    return "kept";
}

/* RENAME-002. */
static const char *instance_word(const adapter_t *adapter, const struct allocation *allocation)
{
    if (!rename_of(allocation)->list ||
        allocation == rename_of(rename_of(allocation)->list->first)->prev)
        return "current";
    bool idle =
        !cpu_of(allocation)->lock_count && !allocation_busy(adapter, &allocation->pageable);
    if (rename_of(allocation)->retired)
        return idle ? "reusable" : "retired";
    return rename_of(allocation)->superseded ? "superseded" : "older";
}

/* KMT-022: in the store. */
static const char *content_word(const struct allocation *allocation)
{
    const struct content *content = &allocation->pageable.store.content;
    struct content_run one;
    const struct content_run *runs = content_runs(content, &one);
    if (!content_count(content))
        return "nothing";
    uint64_t tag = runs[0].tag;
    for (size_t i = 0; i < content_count(content); i++)
        if (runs[i].tag != tag || runs[i].step)
            return "data";
    return !tag ? "zeros" : tag == PAGE_STORE_POISON ? "stale" : "data";
}

/* OFFER-011, OFFER-013: and nothing was written or filled since. */
static bool is_discarded(const adapter_t *adapter, const struct allocation *allocation)
{
    const struct pageable *owner = allocation->pageable.store.owner;
    return owner->store.content.discarded && !content_count(&owner->store.content) &&
           !pageable_cpu_use(adapter, owner, CPU_GIVEN_UP);
}

static enum vidmm_residency residency_of(const struct allocation *allocation)
{
    switch (allocation->pageable.store.state) {
    case ALLOCATION_NO_CONTENT: return VIDMM_RESIDENCY_NO_CONTENT;
    case ALLOCATION_EVICTED: return VIDMM_RESIDENCY_EVICTED;
    case ALLOCATION_RESIDENT: return VIDMM_RESIDENCY_RESIDENT;
    case ALLOCATION_LOST:
    case ALLOCATION_CLOSED: break;
    }
    return VIDMM_RESIDENCY_LOST;
}

static void view_place(const adapter_t *adapter, const struct allocation *allocation,
                       struct vidmm_allocation_view *view)
{
    const struct place *place = &allocation->pageable.place.at;
    if (allocation->pageable.store.state != ALLOCATION_RESIDENT)
        return;
    view->segment = place->segment;
    view->runs = place->run_count;
    view->offset = place->run_count ? place_runs(place)[0].offset : 0;
    view->footprint = place->segment ? 0 : allocation->pageable.info.bytes;
    for (size_t i = 0; i < place->run_count; i++)
        view->footprint += place_runs(place)[i].bytes;
    uint32_t node = adapter->setup->caps.paging_node;
    view->arriving =
        allocation->pageable.transfer.fences[node] > fences_of(adapter)->completed[node];
}

static void view_surface(const struct surface *surface, struct vidmm_allocation_view *view)
{
    if (!surface)
        return;
    view->standard = surface->standard;
    view->width = surface->width;
    view->height = surface->height;
    view->pitch = surface->pitch;
    view->format = surface->standard ? surface->format : surface->hint_format;
    view->hint_version = surface->hint_version;
    view->hint_flags = surface->hint_flags;
}

static void view_allocation(const adapter_t *adapter, const struct allocation *allocation,
                            vidmm_handle handle, struct vidmm_allocation_view *view)
{
    const struct pageable *pageable = &allocation->pageable;
    const struct allocation_info *info = &pageable->info;
    CHECK_SLOW(driver_call_now(adapter) || validate_allocation(adapter, allocation));
    *view = (struct vidmm_allocation_view){
        .residency = residency_of(allocation),
        .physical = info->physical,
        .copies = allocation_of(pageable->place.next_copy) ? adapter->setup->link_count : 1,
        .bytes = info->bytes,
        .cpu_bytes = lock_bytes(pageable),
        .alignment = info->alignment,
        .flags = info->flags,
        .flags2 = info->flags2,
        .flag_view = info->view,
        .primary = info->primary,
        .displayed = pageable->place.displayed,
        .vidpn_source = allocation->vidpn_source,
        .kmt = pageable->kmt,
        .priority = pageable->place.victim.priority,
        .read_set = info->read_set,
        .write_set = info->write_set,
        .eviction_set = info->eviction_set,
        .preferred = info->preferred,
        .hinted_bank = info->hinted_bank,
        .encrypted = pageable->store.encrypted,
        .gpu_dirty = pageable->transfer.gpu_dirty,
        .pattern_only = pageable->store.pattern_only,
        .discarded = is_discarded(adapter, allocation),
        .pinned = pageable->place.pinned,
        .pinned_by = pageable->place.pinned ? pageable_pinned_by(pageable).why : "nothing pins it",
        .cached = coherency_store_cached(pageable),
        .uncached = backing_of(pageable)->existing && backing_of(pageable)->existing->uncached,
        .busy = allocation_busy(adapter, pageable),
        .backing = backing_word(adapter, allocation),
        .layout = !allocation_is(pageable, ALLOCATION_SWIZZLED) ? "none"
                  : pageable->store.linear                      ? "linear"
                                                                : "swizzled",
        .written_pages = page_set_pages(&cpu_of(allocation)->written),
        .backing_runs = backing_of(pageable)->run_count,
        .content = content_word(allocation),
        .instance = instance_word(adapter, allocation),
        .generation = rename_of(allocation)->generation,
        .rename_limit = pageable->info.rename_limit,
        .instances = rename_of(allocation)->list ? rename_of(allocation)->list->count : 1,
        .cpu_dirty_pages = page_set_pages(&pageable->store.cpu_dirty),
        .locks = cpu_of(allocation)->lock_count,
        .address = cpu_of(allocation)->lock_address,
        .via = cpu_of(allocation)->lock_view,
        .original = rename_of(allocation)->list
                        ? rename_of(allocation)->list->original->pageable.handle
                        : handle,
        .owner = pageable->creator->handle,
        .resource = allocation->resource ? allocation->resource->handle : 0,
    };
    view_place(adapter, allocation, view);
    view_surface(allocation->surface, view);
    shared_view(allocation, handle, view);
}

bool vidmm_allocation_view(const adapter_t *adapter, vidmm_handle handle,
                           struct vidmm_allocation_view *view)
{
    const struct allocation *allocation = find(adapter, handle);
    if (!allocation)
        return false;
    view_allocation(adapter, allocation, handle, view);
    if (allocation_is_lost(&allocation->pageable))
        view->residency = VIDMM_RESIDENCY_LOST;
    for (const struct allocation *a = allocation_of(lock_next_part(&allocation->pageable)); a;
         a = allocation_of(lock_next_part(&a->pageable))) {
        view->cpu_dirty_pages += page_set_pages(&a->pageable.store.cpu_dirty);
        view->written_pages += page_set_pages(&cpu_of(a)->written);
        view->discarded |= is_discarded(adapter, a);
    }
    return true;
}

bool vidmm_allocation_copy(const adapter_t *adapter, vidmm_handle handle, uint32_t index,
                           struct vidmm_allocation_view *view)
{
    const struct allocation *copy = find(adapter, handle);
    while (copy && copy->pageable.info.physical != index)
        copy = allocation_of(copy->pageable.place.next_copy);
    if (!copy)
        return false;
    view_allocation(adapter, copy, handle, view);
    /* Evicted, all copies of a mirrored one are in one store. */
    if (copy->pageable.store.owner->store.state == ALLOCATION_EVICTED)
        view->residency = VIDMM_RESIDENCY_EVICTED;
    return true;
}

bool vidmm_resource_view(const adapter_t *adapter, vidmm_handle handle,
                         struct vidmm_resource_view *view)
{
    const struct resource *resource = handle_object(adapter, handle, VIDMM_OBJECT_RESOURCE);
    if (!resource)
        return false;
    *view = (struct vidmm_resource_view){
        .device = resource->device->handle,
        .flags = resource->kmt,
        .runtime_bytes = resource->runtime_bytes,
    };
    for (const struct allocation *a = resource->allocations; a; a = a->resource_next)
        view->allocations++;
    return true;
}

bool vidmm_allocation_run(const adapter_t *adapter, vidmm_handle handle, size_t index,
                          uint64_t *offset, uint64_t *bytes)
{
    const struct allocation *allocation = find(adapter, handle);
    if (!allocation || index >= allocation->pageable.place.at.run_count)
        return false;
    *offset = place_runs(&allocation->pageable.place.at)[index].offset;
    *bytes = place_runs(&allocation->pageable.place.at)[index].bytes;
    return true;
}

bool vidmm_content_problem(const adapter_t *adapter, vidmm_handle handle, char *text, size_t bytes)
{
    struct place place;
    uint64_t page;
    const struct allocation *a = find(adapter, handle);
    (void)snprintf(text, bytes, "%s", a ? "" : "there is no such allocation");
    bool intact = a != NULL;
    while (a && (intact = content_newest_intact(adapter, &a->pageable,
                                                lock_shows_segment(adapter, a), &place, &page)))
        a = allocation_of(a->pageable.place.next_copy);
    if (!a || intact)
        return !intact;
    if (a->pageable.store.state == ALLOCATION_LOST)
        (void)snprintf(text, bytes, "its content was lost");
    else
        (void)snprintf(text, bytes, "page %" PRIu64 " in %s: %s", page,
                       place.segment ? segment_name(adapter, place.segment) : "system memory",
                       content_difference(adapter, &a->pageable, &place, page).it);
    return true;
}

uint64_t vidmm_content_uncertain(const adapter_t *adapter, vidmm_handle handle, uint64_t *first)
{
    uint64_t pages = 0;
    for (const struct allocation *a = find(adapter, handle); a;
         a = allocation_of(a->pageable.place.next_copy)) {
        if (!pages && page_set_count(&a->pageable.store.uncertain))
            *first = page_set_runs(&a->pageable.store.uncertain)[0].first;
        pages += page_set_pages(&a->pageable.store.uncertain);
    }
    return pages;
}

bool vidmm_content_intact(const adapter_t *adapter, vidmm_handle handle)
{
    char text[1];
    uint64_t first;
    return !vidmm_content_uncertain(adapter, handle, &first) &&
           !vidmm_content_problem(adapter, handle, text, sizeof text);
}

/* ---- adapter and nodes ---------------------------------------------------------------------- */

void vidmm_adapter_view(const adapter_t *adapter, struct vidmm_adapter_view *view)
{
    struct vidmm_memory_report report;
    vidmm_memory_report(adapter, &report);
    *view = (struct vidmm_adapter_view){
        .wddm = adapter->setup->caps.wddm,
        .nodes = adapter->setup->caps.nodes,
        .paging_node = adapter->setup->caps.paging_node,
        .shared_limit = report.shared,
        .committed = report.committed,
        .dedicated_video = report.dedicated_video,
        .dedicated_system = report.dedicated_system,
        .total = report.total,
        .local = budget_group_bytes(adapter, BUDGET_LOCAL),
        .nonlocal = budget_group_bytes(adapter, BUDGET_NON_LOCAL),
        .nonbudget = budget_group_bytes(adapter, BUDGET_NONE),
        .findings = counters_of(adapter)[VIDMM_COUNTER_FINDINGS],
        .warnings = warnings_of(adapter),
        /* The driver has exactly one handle for each that it knows. */
        .live = driver_handle_count(adapter) + allocations_no_kmd(adapter),
        .commit_charged = commitment_charged(adapter),
    };
}

bool vidmm_node_view(const adapter_t *adapter, uint32_t node, struct vidmm_node_view *view)
{
    if (node >= fences_of(adapter)->nodes)
        return false;
    const char *name = adapter->setup->config.node_names[node];
    *view = (struct vidmm_node_view){
        .issued = fences_of(adapter)->issued[node],
        .completed = fences_of(adapter)->completed[node],
        .queued = engine_length(engines_of(adapter), node),
        .name = name ? name : "",
    };
    return true;
}

vidmm_ns vidmm_now(const adapter_t *adapter)
{
    return clock_now(adapter);
}

const struct vidmm_refusal *vidmm_last_refusal(const adapter_t *adapter)
{
    return refusal_last(adapter);
}

const struct vidmm_bugcheck *vidmm_bugcheck(const adapter_t *adapter)
{
    return bugcheck_of(adapter);
}

uint64_t vidmm_rule_uses(const adapter_t *adapter, enum vidmm_rule rule)
{
    return (size_t)rule <= vidmm_rule_count() ? adapter->rule_uses[rule] : 0;
}

/* ---- counters ------------------------------------------------------------------------------- */

uint64_t vidmm_counter_of_node(const adapter_t *adapter, enum vidmm_counter counter, uint32_t node)
{
    if (node >= fences_of(adapter)->nodes)
        return 0;
    struct engine_stats stats = engine_stats(engines_of(adapter), node);
    bool pages = node == adapter->setup->caps.paging_node;
    uint64_t paging = pages ? counters_of(adapter)[VIDMM_COUNTER_PAGING_SUBMITS] : 0;
    switch (counter) {
    case VIDMM_COUNTER_NODE_BUSY_NS: return stats.busy_ns;
    case VIDMM_COUNTER_NODE_IDLE_NS: return clock_now(adapter) - stats.busy_ns;
    case VIDMM_COUNTER_GPU_DEP_NS: return stats.dependency_ns;
    case VIDMM_COUNTER_PAGING_SUBMITS: return paging;
    case VIDMM_COUNTER_RENDER_SUBMITS: return watch_node(adapter, node)->renders;
    case VIDMM_COUNTER_PREEMPTS: return watch_node(adapter, node)->preempts;
    default: return 0;
    }
}

uint64_t vidmm_counter(const adapter_t *adapter, enum vidmm_counter counter)
{
    uint64_t sum = 0;
    if ((size_t)counter >= VIDMM_COUNTERS)
        return 0;
    if (counter != VIDMM_COUNTER_NODE_BUSY_NS && counter != VIDMM_COUNTER_NODE_IDLE_NS &&
        counter != VIDMM_COUNTER_GPU_DEP_NS)
        return counters_of(adapter)[counter];
    for (uint32_t node = 0; node < fences_of(adapter)->nodes; node++)
        sum += vidmm_counter_of_node(adapter, counter, node);
    return sum;
}

uint64_t vidmm_counter_of_segment(const adapter_t *adapter, enum vidmm_counter counter,
                                  uint32_t segment)
{
    if ((size_t)counter >= VIDMM_COUNTERS || segment > adapter->setup->segment_count)
        return 0;
    return counter_of_segment(adapter, counter, segment);
}

uint64_t vidmm_counter_of_object(const adapter_t *adapter, enum vidmm_counter counter,
                                 vidmm_handle object)
{
    const struct allocation *allocation = find(adapter, object);
    const struct device *device = handle_object(adapter, object, VIDMM_OBJECT_DEVICE);
    if ((size_t)counter >= VIDMM_COUNTERS)
        return 0;
    if (!allocation)
        return device ? device->counters[counter] : 0;
    switch (counter) {
    case VIDMM_COUNTER_BYTES_PAGED_IN: return allocation->pageable.transfer.paged_in_bytes;
    case VIDMM_COUNTER_BYTES_PAGED_OUT: return allocation->pageable.transfer.paged_out_bytes;
    case VIDMM_COUNTER_CONTENT_LOST_BYTES:
        return allocation->pageable.store.state == ALLOCATION_LOST ? allocation->pageable.info.bytes
                                                                   : 0;
    default: return 0;
    }
}

uint64_t vidmm_waits_of(const adapter_t *adapter, enum vidmm_wait_reason reason)
{
    return (size_t)reason < VIDMM_WAIT_REASON_COUNT ? schedule_waits(adapter, reason).count : 0;
}

vidmm_ns vidmm_stall_of(const adapter_t *adapter, enum vidmm_wait_reason reason)
{
    return (size_t)reason < VIDMM_WAIT_REASON_COUNT ? schedule_waits(adapter, reason).ns : 0;
}
