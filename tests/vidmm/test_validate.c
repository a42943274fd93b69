/* SPDX-License-Identifier: MIT */
/*
 * test_validate.c: does vidmm_check() notice each thing that it promises to notice?
 *
 * A scenario makes one allocation of each kind. When its adapter is about to go, one member of its
 * state after another gets a wrong value; vidmm_check() has to say the right sentence, and nothing
 * when the value is restored.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "paging/residency/residency.h"
#include "paging/schedule/schedule_state.h"
#include "paging/store/store_state.h"
#include "tests/vidmm/broken.h"
#include "vidmm/cpu/cpu_state.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"
#include "vidmm/tell/tell_state.h"

/* A pinned one says that it lies elsewhere. */
static void misplace(const adapter_t *adapter, struct pageable *pinned, uint64_t offset,
                     const char *sentence)
{
    uint64_t was = place_offset(&pinned->place.at);
    pinned->place.at.one.offset = pinned->place.victim.offset = offset;
    expect_finding(adapter, sentence);
    pinned->place.at.one.offset = pinned->place.victim.offset = was;
    expect_finding(adapter, NULL);
}

/* ---- one adapter ---------------------------------------------------------------------------- */

static const char everything[] = "vidmm-scenario 1\n"
                                 "adapter wddm=1.3\n"
                                 "segment vram id=1 kind=memory   size=16M flags=CpuVisible\n"
                                 "segment aper id=2 kind=aperture size=16M\n"
                                 "class kind size=1M segments=vram evict-to=aper flags=CpuVisible\n"
                                 "device d2\n"
                                 "device d1\n"
                                 "context two device=d1\n"
                                 "context one device=d1\n"
                                 "create save context=one size=1M segments=vram\n"
                                 "create tex : kind content=1\n"
                                 "create away : kind content=1\n"
                                 "create pinned : kind content=1\n"
                                 "create next : kind content=1\n"
                                 "create locked : kind content=1\n"
                                 "create offered : kind content=1\n"
                                 "create used : kind content=1\n"
                                 "create fresh : kind\n"
                                 "create mapped size=1M segments=aper content=2\n"
                                 "resource r kmt=CreateResource,CreateShared\n"
                                 "  create shared : kind\n"
                                 "end\n"
                                 "open shared as theirs device=d2\n"
                                 "create v size=64K segments=vram flags=CpuVisible\n"
                                 "sysmem range size=64K\n"
                                 "page-in tex,away,pinned,next,locked,offered,mapped,shared\n"
                                 "pin pinned\n"
                                 "evict away\n"
                                 "lock locked\n"
                                 "offer offered priority=low\n"
                                 "lock v flags=Discard as a\n"
                                 "unlock v\n"
                                 "lock v flags=Discard as b\n"
                                 "unlock v\n"
                                 "submit x read=a,used ctx=two cost=1ms\n"
                                 "submit y read=b ctx=one cost=1ms\n"
                                 "wait idle\n";

static void break_segments(adapter_t *adapter)
{
    struct pageable *pinned = &named(adapter, "pinned")->pageable;
    const struct pageable *next = &named(adapter, "next")->pageable;
    struct segment_slot *slot = &adapter->store->segments[1];
    struct range *range = &pinned->place.at.one;
    uint64_t page = adapter->setup->page;
    misplace(adapter, pinned, place_offset(&next->place.at),
             "segment vram: two owners of offset 0x300000");
    misplace(adapter, pinned, range->offset + 1,
             "segment vram: a range at 0x200001 is no multiple of the page");
    BREAK(range->bytes, range->bytes - 1,
          "segment vram: a range at 0x200000 is no multiple of the page");
    BREAK(range->bytes, range->bytes - page, "segment vram: 4096 taken bytes belong to nobody");
    BREAK(slot->segment.desc.bytes, slot->segment.desc.bytes - page,
          "segment vram: a range leaves it");
    BREAK(slot->segment.space.free_bytes, page,
          "segment vram: free bytes are not the sum of the holes");
    BREAK(slot->segment.used_bytes, page,
          "segment vram: 8519680 bytes are used, the books say 4096");
    BREAK(slot->segment.pinned_bytes, page,
          "segment vram: 2097152 bytes are pinned, the books say 4096");
    BREAK(slot->segment.desc.limit, page, "segment vram: more is committed than its limit allows");
    BREAK(adapter->tell->segment_counters[1][VIDMM_COUNTER_RESIDENT_BYTES], page,
          "segment vram: resident_bytes is not the sum of its ranges");
    BREAK(adapter->store->shared_committed, page,
          "1048576 bytes are mapped in all apertures, the books say 4096");
    BREAK(adapter->setup->shared_limit, page,
          "more is mapped in all apertures than the global limit allows");
}

static void break_places(adapter_t *adapter)
{
    struct pageable *tex = &named(adapter, "tex")->pageable;
    struct pageable *away = &named(adapter, "away")->pageable;
    BREAK(tex->place.at.segment, 3, "tex lies in a segment that does not exist");
    BREAK(away->place.at.segment, 1, "away is not resident and has a place");
    BREAK(away->place.at.run_count, 1, "away is not resident and has a place");
    BREAK(tex->place.at.segment, 0, "tex is resident without a range");
    BREAK(tex->place.at.run_count, 0, "tex is resident without a range");
    BREAK_BITS(tex, place.pinned, true, "tex: the eviction order of its segment is wrong about it");
    BREAK(tex->place.victim.offset, 1, "tex stands in the eviction order with a wrong offset");
    BREAK(away->store.backing->populated, false, "away is evicted and its content is nowhere");
    BREAK(tex->handle, 0, "tex is not what its handle names");
    BREAK(tex->creator, 0, "tex is listed for a device that it is not of");
}

static void break_stores(adapter_t *adapter)
{
    struct pageable *fresh = &named(adapter, "fresh")->pageable;
    struct backing *away = named(adapter, "away")->pageable.store.backing;
    struct backing *mapped = named(adapter, "mapped")->pageable.store.backing;
    uint64_t *counters = adapter->tell->counters;
    struct range hole;
    assert_int_equal(away->run_count, 1);
    assert_int_equal(mapped->run_count, 1);
    assert_true(range_tree_next_hole(&adapter->store->system_space, 0, &hole));
    BREAK(away->one.bytes, 1, "away: its store has 1 pages");
    static struct backing has_run = { .run_count = 1 }, has_lock = { .page_locks = 1 };
    BREAK(fresh->store.backing, POINTER(&has_run), "fresh: an empty store has pages or locks");
    BREAK(fresh->store.backing, POINTER(&has_lock), "fresh: an empty store has pages or locks");
    BREAK(adapter->store->commit_charged, 0,
          "11730944 bytes of commitment are charged, the books say 0");
    BREAK(adapter->setup->config.machine.commit_bytes, 1,
          "more commitment is charged than the machine has");
    BREAK(counters[VIDMM_COUNTER_BACKING_BYTES], 0, "backing_bytes is not the sum of all stores");
    BREAK(mapped->page_locks, 2, "mapped: 2 locks of its pages");
    BREAK(away->page_locks, 1, "away: 1 locks of its pages");
    BREAK(counters[VIDMM_COUNTER_LOCKED_PAGES], 0, "locked_pages is not the sum over all stores");
    char owned[TEXT_BYTES];
    (void)snprintf(owned, sizeof owned, "system page %llu has two owners",
                   (unsigned long long)mapped->one.offset);
    BREAK(away->one.offset, mapped->one.offset, owned);
    (void)snprintf(owned, sizeof owned, "system page %llu is owned and free",
                   (unsigned long long)(hole.offset / adapter->setup->page));
    BREAK(away->one.offset, hole.offset / adapter->setup->page, owned);
    struct range_tree *space = &adapter->store->system_space;
    const uint64_t taken = (space->bytes - space->free_bytes) / adapter->setup->page;
    (void)snprintf(owned, sizeof owned, "%llu system pages are taken, and %llu owned",
                   (unsigned long long)taken + 1, (unsigned long long)taken);
    BREAK(space->free_bytes, space->free_bytes - adapter->setup->page, owned);
}

static void break_uses(adapter_t *adapter)
{
    struct pageable *tex = &named(adapter, "tex")->pageable;
    struct pageable *away = &named(adapter, "away")->pageable;
    struct pageable *save = &named(adapter, "save")->pageable;
    struct pageable *used = &named(adapter, "used")->pageable;
    struct allocation *pinned = named(adapter, "pinned");
    struct allocation *locked = named(adapter, "locked");
    BREAK(tex->transfer.fences[0], UINT32_MAX,
          "tex: marked with fence 4294967295 of node 0, which was never issued");
    BREAK(used->transfer.write_fences[0], used->transfer.fences[0] + 1,
          "used: written by a fence of node 0 that does not refer to it");
    BREAK(used->packet_refs, 1, "used: packets refer to it, but it is idle");
    BREAK(tex->place.victim.rank, 1, "tex: its rank among the victims does not fit its offer");
    static struct offer offered = { .state = VIDMM_OFFER_PENDING };
    BREAK(locked->pageable.place.offer, POINTER(&offered),
          "locked is offered, and locked or pinned");
    BREAK(pinned->pageable.place.offer, POINTER(&offered),
          "pinned is offered, and locked or pinned");
    BREAK(locked->cpu->lock_count, 2, "locked: its locks are counted wrongly");
    static uint64_t no_books[32];
    static struct cpu_part uncounted = { .locks = (struct lock_books *)(void *)no_books };
    BREAK(pinned->cpu, POINTER(&uncounted), "pinned: its locks are counted wrongly");
    /* What belongs to a context that is loaded stays, or was never there. */
    BREAK_BITS(save, store.state, ALLOCATION_CLOSED, NULL);
    tex->context = away->context = save->context;
    BREAK(tex->of_context, true, "tex is not pinned, and its context is loaded");
    BREAK(away->of_context, true, "away has left, and its context is loaded");
    tex->context = away->context = NULL;
    BREAK(save->driver_handle, 0, "11 allocations live, the driver has 12 and does not know 0");
}

static void break_formats(adapter_t *adapter)
{
    struct allocation *tex = named(adapter, "tex");
    struct allocation *away = named(adapter, "away");
    struct pageable *fresh = &named(adapter, "fresh")->pageable;
    const char *no_number = "CPU access: a range is not that of its number";
    static struct alternate alternate = { .holds = true };
    static struct swizzling_range range, kept = { .kept = true };
    static struct cpu_part elsewhere = { .alternate = &alternate };
    static struct cpu_part shown = { .ranges = &range }, keeps = { .ranges = &kept };
    BREAK_BITS(&tex->pageable, store.linear, true, "tex is linear outside of system memory");
    BREAK_BITS(fresh, store.linear, true, "fresh is linear outside of system memory");
    BREAK_BITS(&away->pageable, store.linear, true, "away is linear, and was never swizzled");
    BREAK(tex->cpu, POINTER(&elsewhere), "tex has its content in two places");
    BREAK(away->cpu, POINTER(&elsewhere), NULL);
    BREAK(away->cpu, POINTER(&shown), "away has a swizzling range and no place");
    BREAK(away->cpu, POINTER(&keeps), no_number);
    away->pageable.store.state = ALLOCATION_CLOSED;
    BREAK(away->cpu, POINTER(&shown), no_number);
    away->pageable.store.state = ALLOCATION_EVICTED;
}

static void break_instances(adapter_t *adapter)
{
    struct allocation *v = named(adapter, "v");
    struct rename_list *list = v->rename.entry->list;
    struct allocation *last = list->first->rename.entry->prev;
    static struct rename_list another;
    assert_int_equal(list->count, 3);
    const char *stands = "v#2 stands wrongly among its instances";
    BREAK(v->rename.entry->list, POINTER(&another), "v has 0 instances, 0 are counted");
    BREAK(list->count, 2, "v has 3 instances, 2 are counted");
    BREAK(list->original, POINTER(last), "v has 3 instances, 3 are counted");
    BREAK(last->rename.entry->list, POINTER(&another), stands);
    BREAK(last->rename.entry->generation, 0, stands);
    BREAK(last->rename.entry->retired, true, stands);
    BREAK(list->live, 0, stands);
    BREAK(last->pageable.place.at.segment, 3, "v#2 lies in a segment that does not exist");
}

static void break_shares(adapter_t *adapter)
{
    struct allocation *shared = named(adapter, "shared");
    struct sharing *sharing = shared->resource->sharing;
    struct opened *opened = &sharing->first->next->members[0];
    BREAK(sharing->first, 0, "shared: its owner is not the first that has it open");
    BREAK(sharing->first->device, 0, "shared: its owner is not the first that has it open");
    BREAK(shared->resource->device, 0, "shared: its owner is not the first that has it open");
    BREAK(shared->part, 1, "shared: it is not the part of its resource that it should be");
    BREAK(sharing->parts[0].allocation, 0,
          "shared: it is not the part of its resource that it should be");
    BREAK(opened->handle, named(adapter, "tex")->pageable.handle,
          "shared: a handle of it names something else");
    BREAK(opened->handle, 0, NULL); /* it was closed alone */
    BREAK(opened->driver_handle, 0, "shared: a device has it open without a handle of the driver");
    BREAK(opened->offered, true, "shared: its offers are counted wrongly");
}

static void break_nodes_and_counters(adapter_t *adapter)
{
    struct fence_board *fences = &adapter->schedule->fences;
    uint64_t *counters = adapter->tell->counters;
    const char *order = "node 0: its fences are out of order";
    BREAK(fences->submitted[0], UINT32_MAX, order);
    BREAK(fences->ended[0], UINT32_MAX, order);
    BREAK(fences->completed[0], UINT32_MAX, order);
    BREAK(adapter->tell->timeline.now, 1, "node 0: it was busy for longer than time has passed");
    BREAK(adapter->schedule->waits[0].count, 1000, "waits are not the sum over their reasons");
    BREAK(adapter->schedule->waits[0].ns, 1, "waits are not the sum over their reasons");
    BREAK(counters[VIDMM_COUNTER_BYTES_UNMAPPED], UINT64_MAX, "more was unmapped than mapped");
    BREAK(counters[VIDMM_COUNTER_EVICTIONS], 1000, "evictions is not the sum over its causes");
    BREAK(counters[VIDMM_COUNTER_FAULTS], 1000, "faults is not the sum over its causes");
    assert_true(vidmm_check(adapter, NULL, 0));
}

/* `two` and `one`: one buffer each. */
static void break_buffers(adapter_t *adapter)
{
    struct context *one = device_first(adapter)->contexts;
    struct dma_buffer *buffer = one->idle_buffers;
    const char *not_idle = "one has a DMA buffer that is not idle";
    assert_string_equal(one->label, "one");
    BREAK(one->idle_buffers, 0, "1 idle DMA buffers are lost");
    BREAK(buffer->next_idle, POINTER(buffer), not_idle);
    BREAK(buffer->context, POINTER(one->next), not_idle);
    BREAK(buffer->refs, 1, not_idle);
}

static void break_everything(adapter_t *adapter)
{
    break_segments(adapter);
    break_places(adapter);
    break_stores(adapter);
    break_uses(adapter);
    break_formats(adapter);
    break_instances(adapter);
    break_shares(adapter);
    break_nodes_and_counters(adapter);
    break_buffers(adapter);
}

/* ---- two adapters in a link ----------------------------------------------------------------- */

static const char linked[] =
    "vidmm-scenario 1\n"
    "adapter wddm=1.3\n"
    "link adapters=2\n"
    "segment vram id=1 kind=memory   size=16M flags=CpuVisible\n"
    "segment aper id=2 kind=aperture size=64M\n"
    "create mirror size=1M segments=vram flags=LinkMirrored\n"
    "create parts  size=1M segments=vram flags=LinkInstanced,CpuVisible content=3\n"
    "create v      size=1M segments=vram flags=LinkMirrored,CpuVisible\n"
    "page-in mirror,parts\n"
    "lock v flags=Discard as a\n"
    "unlock v\n"
    "submit x read=a cost=1ms\n"
    "lock v flags=Discard as b\n"
    "unlock v\n"
    "wait idle\n"
    "pin mirror\n"
    "lock parts\n";

static void break_copies(adapter_t *adapter)
{
    struct allocation *mirror = named(adapter, "mirror"), *parts = named(adapter, "parts");
    struct pageable *copy = mirror->pageable.place.next_copy;
    struct allocation *part = allocation_of(parts->pageable.place.next_copy);
    const char *apart = "the copies of mirror are not in the same place";
    BREAK(copy->place.at.segment, 5, "mirror lies in a segment that does not exist");
    misplace(adapter, copy, copy->info.bytes, apart);
    BREAK_BITS(copy, store.state, ALLOCATION_CLOSED, NULL);
    BREAK(part->cpu->lock_count, 0, "parts: its locks are counted wrongly");
    struct cpu_part locked = *part->cpu;
    part->cpu->locks = NULL;
    part->cpu->lock_count = 0;
    expect_finding(adapter, "the instances of parts are not locked together");
    *part->cpu = locked;
    expect_finding(adapter, NULL);
    const struct pageable *other = &rename_other(named(adapter, "v"))->pageable;
    BREAK(other->place.next_copy->place.at.segment, 5, "v#1 lies in a segment that does not exist");
}

/* ---- the run -------------------------------------------------------------------------------- */

/* Nothing was checked before: the adapter is not in checked mode. */
static void break_a_node(adapter_t *adapter)
{
    assert_int_equal(vidmm_counter(adapter, VIDMM_COUNTER_SELF_CHECKS), 0);
    adapter->schedule->fences.ended[0] = UINT32_MAX;
}

/* Of what holds only between two calls. */
static void break_a_count_of_locks(adapter_t *adapter)
{
    adapter->cpu->alternate = 1;
    adapter->setup->config.settings.value[VIDMM_SETTING_CHECKED] = 1; /* no less at the end */
}

static void expect_end(const char *scene, void (*look)(adapter_t *adapter), const char *problem)
{
    static const char begins[] = "simulator:0: vidmm broke its own promise: ";
    enum { BROKEN_PROMISE = 70 };
    char text[TEXT_BYTES] = "";
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)dup2(ends[1], STDERR_FILENO);
        run(scene, look);
        _exit(EXIT_SUCCESS);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), BROKEN_PROMISE);
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    assert_int_equal(strncmp(text, begins, sizeof begins - 1), 0);
    assert_int_equal(strncmp(text + sizeof begins - 1, problem, strlen(problem)), 0);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

/* Ends in the machine's sleep, and without its driver. */
static const char asleep[] = "vidmm-scenario 1\n"
                             "adapter wddm=1.3\n"
                             "segment vram id=1 kind=memory size=16M\n"
                             "create tex size=1M segments=vram content=1\n"
                             "page-in tex\n"
                             "power standby\n";
static const char removed[] = "vidmm-scenario 1\n"
                              "adapter wddm=1.3\n"
                              "segment vram id=1 kind=memory size=16M\n"
                              "reset pnp-stop\n";

/* BUG-030(b,c). */
static void what_is_wrong_in_the_end_ends_the_process(void **state)
{
    (void)state;
    expect_end(everything, break_a_node, "node 0: its fences");
    expect_end(everything, break_a_count_of_locks, "CPU access: locks with UseAlternateVA");
    expect_end(asleep, break_a_node, "node 0: its fences");
    expect_end(removed, break_a_node, "node 0: its fences");
}

static void each_part_of_the_state_is_checked(void **state)
{
    (void)state;
    run(everything, break_everything);
}

static void copies_in_a_link_are_checked(void **state)
{
    (void)state;
    run(linked, break_copies);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_part_of_the_state_is_checked),
        cmocka_unit_test(copies_in_a_link_are_checked),
        cmocka_unit_test(what_is_wrong_in_the_end_ends_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
