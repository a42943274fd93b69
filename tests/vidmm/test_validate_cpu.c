/* SPDX-License-Identifier: MIT */
/* test_validate_cpu.c: the part of test_validate.c about CPU access. */
#include "tests/vidmm/broken.h"
#include "vidmm/cpu/cpu_state.h"
#include "vidmm/tell/tell_state.h"

/* ---- locks, addresses, ranges --------------------------------------------------------------- */

static const char locked_ones[] =
    "vidmm-scenario 1\n"
    "adapter wddm=1.3\n"
    "segment vram id=1 kind=memory   size=16M flags=CpuVisible\n"
    "segment aper id=2 kind=aperture size=16M\n"
    "class kind size=1M segments=vram evict-to=aper flags=CpuVisible,Swizzled\n"
    "create tex : kind\n"
    "create away : kind content=1\n"
    "create locked : kind\n"
    "create lin : kind\n"
    "create idle : kind\n"
    "create alt : kind\n"
    "page-in tex,locked,lin,idle,alt\n"
    "lock locked\n"
    "lock lin flags=AcquireAperture data=5\n"
    "lock lin flags=AcquireAperture data=4\n"
    "lock idle flags=AcquireAperture\n"
    "unlock idle\n"
    "lock alt flags=AcquireAperture,UseAlternateVA\n"
    "wait idle\n";

static void break_cpu(adapter_t *adapter)
{
    struct allocation *tex = named(adapter, "tex"), *locked = named(adapter, "locked");
    struct allocation *lin = named(adapter, "lin"), *idle = named(adapter, "idle");
    struct allocation *away = named(adapter, "away"), *alt = named(adapter, "alt");
    uint64_t *counters = adapter->tell->counters;
    const char *leads = "locked: its locks lead where it is not";
    const char *taken = "CPU access: a range may be taken away from a lock, or never";
    static struct cpu_part view = { .lock_view = VIDMM_VIEW_BACKING };
    static struct cpu_part address = { .lock_address = 1 }, space = { .cpu_va = true };
    BREAK(locked->cpu->lock_view, VIDMM_VIEW_NONE, leads);
    BREAK(locked->cpu->lock_view, VIDMM_VIEW_BACKING, leads);
    BREAK(locked->cpu->lock_view, VIDMM_VIEW_RANGE, leads);
    BREAK(locked->cpu->lock_view, VIDMM_VIEW_ALTERNATE, leads);
    BREAK(locked->cpu->lock_view, VIDMM_VIEW_HOST_APERTURE, leads);
    BREAK(locked->cpu->lock_address, 0, "locked: it is locked and has no address");
    BREAK(tex->cpu, POINTER(&view), "tex: it has a view without a lock");
    BREAK(away->cpu, POINTER(&view), "away: it has a view without a lock");
    BREAK(tex->cpu, POINTER(&address), "tex: it has an address without a lock");
    BREAK(tex->cpu, POINTER(&space), "tex: it has an address without a lock");
    BREAK(locked->cpu->lock_address, adapter->cpu->next_address,
          "locked: others may get its addresses, too");
    BREAK(alt->cpu->alternate->address, adapter->cpu->next_address,
          "alt: others may get its addresses, too");
    BREAK(adapter->cpu->next_address, adapter->cpu->next_address + 1,
          "CPU access: the next address is inside a page");
    BREAK(adapter->cpu->alternate, 0, "CPU access: locks with UseAlternateVA are counted wrongly");
    BREAK(counters[VIDMM_COUNTER_CPU_VA_BYTES], 0,
          "CPU access: cpu_va_bytes is not the sum of all addresses");
    BREAK(lin->cpu->ranges, 0, "lin: a lock of it leads through no range");
    BREAK(lin->cpu->ranges->data, 6, "lin: a lock of it leads through no range");
    BREAK(lin->cpu->ranges->idle, true, taken);
    BREAK(idle->cpu->ranges->idle, false, taken);
    BREAK(idle->cpu->ranges->allocation, 0, "CPU access: a range is not that of its number");
    BREAK(idle->cpu->ranges->id, lin->cpu->ranges->id,
          "CPU access: a range is not that of its number");
    BREAK(adapter->cpu->swizzling.oldest, 0,
          "CPU access: the list of ranges that may be taken away is wrong");
    BREAK(counters[VIDMM_COUNTER_NB_RANGES_RELEASED], 1, "CPU access: ranges are counted wrongly");
}

/* ---- a CPU host aperture -------------------------------------------------------------------- */

static const char seen[] =
    "vidmm-scenario 1\n"
    "adapter wddm=2.0\n"
    "segment vram id=1 kind=memory   size=16M flags=SupportsCpuHostAperture CpuHostAperture=256K\n"
    "segment more id=2 kind=memory   size=16M flags=SupportsCpuHostAperture CpuHostAperture=64K\n"
    "segment aper id=3 kind=aperture size=16M\n"
    "class kind size=64K segments=vram,aper prefer=vram flags=CpuVisible\n"
    "create held : kind\n"
    "create free : kind\n"
    "page-in held,free\n"
    "lock held\n"
    "lock free\n"
    "unlock free\n"
    "wait idle\n";

static void break_host_aperture(adapter_t *adapter)
{
    struct allocation *held = named(adapter, "held"), *free = named(adapter, "free");
    struct host_aperture *host = &adapter->cpu->hosts[1];
    uint64_t *used =
        &adapter->tell->segment_counters[1][VIDMM_COUNTER_CPU_HOST_APERTURE_PAGES_USED];
    struct host_mapping *held_by = held->cpu->host;
    expect_finding(adapter, NULL);
    held->cpu->host = free->cpu->host;
    free->cpu->host = held_by;
    expect_finding(adapter, "CPU access: a mapping is offered and locked, or neither");
    free->cpu->host = held->cpu->host;
    held->cpu->host = held_by;
    BREAK(*used, 15, "CPU access: the used pages of a host aperture are counted wrongly");
    BREAK(host->space.free_bytes, 0, "CPU access: pages of a host aperture are lost");
    BREAK(host->oldest, 0, "CPU access: the list of offered mappings is wrong");
}

/* ---- the run -------------------------------------------------------------------------------- */

static void locks_and_ranges_are_checked(void **state)
{
    (void)state;
    run(locked_ones, break_cpu);
}

static void a_host_aperture_is_checked(void **state)
{
    (void)state;
    run(seen, break_host_aperture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locks_and_ranges_are_checked),
        cmocka_unit_test(a_host_aperture_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
