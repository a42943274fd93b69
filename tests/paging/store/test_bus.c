/* SPDX-License-Identifier: MIT */
/*
 * test_bus.c: what hardware asks of the bus that it may not (MINI-071, MINI-074, MINI-080,
 * MINI-088, TIME-010): a finding says so, and nothing moves.
 */
#include <stdio.h>
#include <string.h>

#include "paging/store/store_state.h"
#include "tests/support/mock_adapter.h"
#include "tests/support/unit.h"

enum { PAGES = 4, SEGMENT_PAGES = MOCK_SEGMENT_BYTES / MOCK_PAGE, TEXT_BYTES = 160 };

#define APERTURE_BASE UINT64_C(0x40000000)

static struct mock_adapter mock;
static struct vidmm_bus *bus;
static const MDL *list; /* of PAGES pages */
static struct {
    enum vidmm_rule rule;
    unsigned count;
    char text[TEXT_BYTES];
} found;

static void remember(struct vidmm_observer *self, const struct vidmm_event *event)
{
    (void)self;
    if (event->kind != VIDMM_EVENT_FINDING)
        return;
    assert_int_equal(event->subject, 0); /* whose page that was meant to be is not known */
    found.rule = event->rule;
    found.count++;
    for (size_t i = 0; i < event->field_count; i++)
        if (strcmp(event->fields[i].name, "text") == 0)
            (void)snprintf(found.text, sizeof found.text, "%s", event->fields[i].text);
}

/* An evicted allocation of four pages, whose list the driver has. */
static int setup(void **state)
{
    struct vidmm_mock_allocation wish = mock_wish((uint64_t)PAGES * MOCK_PAGE);
    struct vidmm_allocation_args args = mock_args("tex", &wish);
    vidmm_handle handle;
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_3);
    mock.observer.on_event = remember;
    mock_adapter_start(&mock);
    args.content = 1;
    assert_int_equal(vidmm_allocate(mock.adapter, mock.device, false, &args, 1, &handle), 0);
    struct pageable *pageable = handle_object(mock.adapter, handle, VIDMM_OBJECT_ALLOCATION);
    list = mdl_of(mock.adapter, pageable->store.backing);
    bus = bus_of(mock.adapter, 0);
    memset(&found, 0, sizeof found);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    mock_adapter_stop(&mock);
    return 0;
}

/* The one finding since the last call; NULL: there was none. */
static void expect_finding(enum vidmm_rule rule, const char *text)
{
    assert_int_equal(found.count, text ? 1 : 0);
    assert_string_equal(found.text, text ? text : "");
    assert_int_equal(found.rule, text ? rule : RULE(NONE));
    memset(&found, 0, sizeof found);
}

static struct vidmm_bus_place in_segment(uint32_t segment, uint64_t address)
{
    return (struct vidmm_bus_place){ .segment = segment, .address = address };
}

static struct vidmm_bus_place in_list(uint64_t page)
{
    return (struct vidmm_bus_place){ .mdl = list, .mdl_page = page };
}

static struct vidmm_bus_place in_system(uint64_t page)
{
    return (struct vidmm_bus_place){ .system = true, .address = page * MOCK_PAGE };
}

static void a_place_that_is_none(void **state)
{
    const uint64_t all = mock.config.machine.memory_bytes / MOCK_PAGE;
    const struct {
        struct vidmm_bus_place to, from;
        uint64_t pages;
        const char *text;
    } cases[] = {
        { in_segment(1, 0), in_list(0), PAGES, NULL },
        { in_segment(1, 0), in_list(1), PAGES,
          "the GPU accessed page 4 of a list, which has 4 pages" },
        { in_list(PAGES + 1), in_segment(1, 0), 1,
          "the GPU accessed page 5 of a list, which has 4 pages" },
        { in_segment(1, MOCK_SEGMENT_BYTES - MOCK_PAGE), in_list(0), 1, NULL },
        { in_segment(1, MOCK_SEGMENT_BYTES - MOCK_PAGE), in_list(0), 2,
          "the GPU accessed segment 1 at 0x100000, where nothing is mapped" },
        { in_segment(2, APERTURE_BASE - MOCK_PAGE), in_list(0), 1,
          "the GPU accessed segment 2 at 0x3FFFF000, where nothing is mapped" },
        { in_segment(0, 0), in_list(0), 1,
          "the GPU accessed segment 0 at 0x0, where nothing is mapped" },
        { in_segment(3, 0), in_list(0), 1,
          "the GPU accessed segment 3 at 0x0, where nothing is mapped" },
        { in_segment(100000000, 0), in_list(0), 1,
          "the GPU accessed segment 100000000 at 0x0, where nothing is mapped" },
        { in_segment(1, 0), in_system(all - 1), 1, NULL },
        { in_segment(1, 0), in_system(all - 1), 2,
          "the GPU accessed 0x200000000, which is no system memory" },
        { in_segment(1, 0), in_system(all), 1,
          "the GPU accessed 0x200000000, which is no system memory" },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        bus->copy(bus, &cases[i].to, &cases[i].from, cases[i].pages * MOCK_PAGE);
        expect_finding(RULE(MINI_088), cases[i].text);
    }
}

/* Of what has both sides, pages in front of the wrong one have moved; a fill goes the same way. */
static void what_comes_before_it_moves(void **state)
{
    const struct vidmm_bus_place end = in_segment(1, MOCK_SEGMENT_BYTES - MOCK_PAGE);
    const struct page_store *pages = &mock.adapter->store->segments[1].segment.pages;
    (void)state;
    bus->fill(bus, &end, 2 * MOCK_PAGE, 0x77);
    expect_finding(RULE(MINI_088),
                   "the GPU accessed segment 1 at 0x100000, where nothing is mapped");
    assert_int_equal(page_store_get(pages, SEGMENT_PAGES - 1), 0x77);

    const struct vidmm_bus_place start = in_segment(1, 0), last = in_list(PAGES - 1);
    bus->fill(bus, &start, 2 * MOCK_PAGE, 0x55);
    bus->copy(bus, &end, &start, 2 * MOCK_PAGE);
    expect_finding(RULE(MINI_088),
                   "the GPU accessed segment 1 at 0x100000, where nothing is mapped");
    assert_int_equal(page_store_get(pages, SEGMENT_PAGES - 1), 0x55);
    bus->copy(bus, &start, &last, 2 * MOCK_PAGE);
    expect_finding(RULE(MINI_088), "the GPU accessed page 4 of a list, which has 4 pages");
    assert_int_not_equal(page_store_get(pages, 0), 0x55);
    assert_int_equal(page_store_get(pages, 1), 0x55);
}

static void a_range_that_is_none_of_an_aperture(void **state)
{
    static const struct {
        uint32_t segment;
        uint64_t first, pages;
        const char *text;
    } cases[] = {
        { 1, 0, 1, "pages 0 to 1 of segment 1 are no aperture range" },
        { 0, 0, 1, "pages 0 to 1 of segment 0 are no aperture range" },
        { 3, 0, 1, "pages 0 to 1 of segment 3 are no aperture range" },
        { 2, SEGMENT_PAGES + 1, 1, "pages 257 to 258 of segment 2 are no aperture range" },
        { 2, SEGMENT_PAGES, 1, "pages 256 to 257 of segment 2 are no aperture range" },
        { 2, SEGMENT_PAGES - 1, 2, "pages 255 to 257 of segment 2 are no aperture range" },
        { 2, SEGMENT_PAGES - 1, 1, NULL },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        bus->map(bus, cases[i].segment, cases[i].first, cases[i].pages, list, 0);
        expect_finding(RULE(MINI_071), cases[i].text);
        bus->map_pages(bus, cases[i].segment, cases[i].first, cases[i].pages, 0);
        expect_finding(RULE(MINI_071), cases[i].text);
        bus->unmap(bus, cases[i].segment, cases[i].first, cases[i].pages, 0);
        expect_finding(RULE(MINI_071), cases[i].text);
    }
    bus->unmap(bus, 1, 0, 0, 0); /* of no page: says nothing */
    bus->map_pages(bus, 1, 0, 0, 0);
    bus->map_pages(bus, 2, 0, 0, 0);
    expect_finding(RULE(NONE), NULL);
}

static void pages_that_are_none_of_the_list_or_the_machine(void **state)
{
    const uint64_t all = mock.config.machine.memory_bytes / MOCK_PAGE;
    (void)state;
    bus->map(bus, 2, 0, PAGES, list, 1);
    expect_finding(RULE(MINI_071), "a mapping leaves its MDL");
    bus->map_pages(bus, 2, 0, 1, all);
    expect_finding(RULE(MINI_080), "page 2097152 is no page of system memory");
    bus->map_pages(bus, 2, 0, 1, all + 1);
    expect_finding(RULE(MINI_080), "page 2097153 is no page of system memory");
    bus->map_pages(bus, 2, 0, 2, all - 1);
    expect_finding(RULE(MINI_080), "page 2097151 is no page of system memory");
    bus->map_pages(bus, 2, 0, 1, all - 1);
    expect_finding(RULE(NONE), NULL);
    bus->unmap(bus, 2, 0, SEGMENT_PAGES, 0);
    expect_finding(RULE(NONE), NULL);
    bus->unmap(bus, 2, 0, 1, all);
    expect_finding(RULE(MINI_074), "page 2097152 is no page of system memory");
}

/* Each page where the one before it ends, from any page of the list on. */
static void a_list_in_pieces(void **state)
{
    static const uint64_t numbers[] = { 40, 41, 7 };
    struct range runs[] = { { 40, 2 }, { 7, 1 } };
    struct backing pieces = { .runs = runs, .run_count = 2, .pages = 3 };
    const struct aperture *table = &mock.adapter->store->segments[2].segment.table;
    const MDL *mdl = mdl_of(mock.adapter, &pieces);
    (void)state;
    for (uint64_t from = 0; from < 3; from++) {
        bus->map(bus, 2, 10, 3 - from, mdl, from);
        for (uint64_t page = 0; page < 3 - from; page++) {
            uint64_t system, pages;
            assert_int_equal(aperture_translate(table, 10 + page, 1, &system, &pages),
                             APERTURE_SYSTEM);
            assert_int_equal(system, numbers[from + page]);
        }
        bus->unmap(bus, 2, 0, SEGMENT_PAGES, 0);
    }
    bus->map(bus, 2, 10, 1, mdl, 0); /* one of the two that follow each other */
    uint64_t system, pages;
    assert_int_equal(aperture_translate(table, 11, 1, &system, &pages), APERTURE_DUMMY);
    bus->unmap(bus, 2, 0, SEGMENT_PAGES, 0);
    mdl_end(&pieces);
    expect_finding(RULE(NONE), NULL);
}

/* Between two packets nothing uses their memory. */
static void a_packet_that_is_not_executed(void **state)
{
    (void)state;
    bus->touch(bus, 0, 1, 2, true, 1, 0);
    expect_finding(RULE(MINI_088),
                   "the GPU used element 2 of fence 1 of node 0, which is not executed now");
}

/* Lists and system addresses cost the same; what is no place at all costs no more. */
static void costs_know_what_a_place_is(void **state)
{
    const struct vidmm_bus_place memory = in_segment(1, 0), by_list = in_list(0),
                                 by_address = in_system(0);
    (void)state;
    vidmm_ns listed = bus->cost(bus, VIDMM_BUS_TRANSFER, &memory, &by_list, MOCK_PAGE, 0);
    assert_true(listed > 0);
    assert_int_equal(bus->cost(bus, VIDMM_BUS_TRANSFER, &memory, &by_address, MOCK_PAGE, 0),
                     listed);
    const struct vidmm_bus_place sides[] = { by_list, by_address };
    for (size_t i = 0; i < ARRAY_COUNT(sides); i++) { /* a segment beside them counts for nothing */
        struct vidmm_bus_place more = sides[i];
        more.segment = 1;
        assert_int_equal(bus->cost(bus, VIDMM_BUS_TRANSFER, &memory, &more, MOCK_PAGE, 0), listed);
        assert_int_equal(bus->cost(bus, VIDMM_BUS_TRANSFER, &more, &by_list, MOCK_PAGE, 0),
                         bus->cost(bus, VIDMM_BUS_TRANSFER, &sides[i], &by_list, MOCK_PAGE, 0));
        assert_int_equal(bus->cost(bus, VIDMM_BUS_FILL, &more, NULL, MOCK_PAGE, 0),
                         bus->cost(bus, VIDMM_BUS_FILL, &sides[i], NULL, MOCK_PAGE, 0));
    }
    assert_int_equal(bus->cost(bus, (enum vidmm_bus_op)99, &memory, &by_list, MOCK_PAGE, 0), 0);
    assert_ptr_equal(bus->of_adapter(bus, 0), bus);
    assert_null(bus->of_adapter(bus, 1));
}

/* ---- before the first fence ------------------------------------------------------------------ */

static const struct vidmm_hardware *mock_hardware;
static struct vidmm_hardware hardware;
static NTSTATUS (*create_device)(IN_CONST_HANDLE, INOUT_PDXGKARG_CREATEDEVICE);

static void attach(void *self, struct vidmm_bus *attached)
{
    bus = attached;
    mock_hardware->attach(self, attached);
}

/* Hardware of the mock, of which a test may replace a function. */
static void stand_in(void)
{
    mock_hardware = mock.config.miniport.hardware;
    hardware = *mock_hardware;
    hardware.attach = attach;
    mock.config.miniport.hardware = &hardware;
}

/* The first call after the segments are known. */
static NTSTATUS use_aperture(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEDEVICE arg)
{
    const struct vidmm_bus_place to = in_segment(1, 0), from = in_segment(2, APERTURE_BASE),
                                 next = in_segment(2, APERTURE_BASE + MOCK_PAGE);
    bus->copy(bus, &to, &from, MOCK_PAGE);
    bus->copy(bus, &next, &from, MOCK_PAGE); /* the page onto itself changes nothing */
    return create_device(adapter, arg);
}

static void stand(DRIVER_INITIALIZATION_DATA *table)
{
    create_device = table->DxgkDdiCreateDevice;
    table->DxgkDdiCreateDevice = use_aperture;
    stand_in();
}

/* MINI-071: what was never mapped shows the dummy page, to the very first call. */
static void an_aperture_that_was_never_mapped(void **state)
{
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_3);
    mock.hook = stand;
    mock_adapter_start(&mock);
    const struct page_store *system = &mock.adapter->store->system_pages;
    assert_int_equal(mock_findings(&mock), 0);
    assert_int_equal(page_store_get(&mock.adapter->store->segments[1].segment.pages, 0),
                     page_store_get(system, mock.adapter->setup->dummy_page));
    bus_watch_dummy(mock.adapter);
    assert_null(vidmm_bugcheck(mock.adapter));
}

/* MINI-075: a run of pages that the dummy page is in the midst of. */
static void the_dummy_page_among_others(void **state)
{
    uint64_t dummy_page = mock.adapter->setup->dummy_page;
    (void)state;
    assert_true(dummy_page > 0);
    const struct vidmm_bus_place around = { .system = true,
                                            .address = (dummy_page - 1) * MOCK_PAGE };
    bus->fill(bus, &around, 3 * MOCK_PAGE, 0x5A5A5A5A);
    bus_watch_dummy(mock.adapter);
    (void)mock_stopped(&mock, RULE(MINI_075), 0x10E, 0x25);
    mock_adapter_free(&mock);
}

/* ---- while a packet ends --------------------------------------------------------------------- */

static void use_for_others(void *self, uint32_t node, uint32_t fence)
{
    if (node == 0) { /* rendering */
        assert_int_equal(fence, 1);
        bus->touch(bus, 1, fence, 0, false, 1, 0);
        expect_finding(RULE(MINI_088),
                       "the GPU used element 0 of fence 1 of node 1, which is not executed now");
        bus->touch(bus, node, 2, 0, false, 1, 0);
        expect_finding(RULE(MINI_088),
                       "the GPU used element 0 of fence 2 of node 0, which is not executed now");
        bus->touch(bus, node, 0, 0, false, 1, 0);
        expect_finding(RULE(MINI_088),
                       "the GPU used element 0 of fence 0 of node 0, which is not executed now");
        const struct vidmm_bus_place first = in_segment(1, 0), second = in_segment(1, MOCK_PAGE);
        struct page_store *pages = &mock.adapter->store->segments[1].segment.pages;
        bus->fill(bus, &first, MOCK_PAGE, 0x77);
        bus->fill(bus, &second, MOCK_PAGE, 0);
        bus->touch(bus, node, fence, 9, false, 1, 0); /* it has no such element: nothing */
        assert_int_not_equal(page_store_get(pages, 0), page_store_get(pages, 1));
        bus->touch(bus, node, fence, 9, true, 1, 0); /* and zeros */
        assert_int_equal(page_store_get(pages, 0), page_store_get(pages, 1));
    }
    mock_hardware->finish(self, node, fence);
}

static void stand_for_others(DRIVER_INITIALIZATION_DATA *table)
{
    (void)table;
    stand_in();
    hardware.finish = use_for_others;
}

/* MINI-088: neither one of another node nor another one of this node. */
static void a_packet_speaks_for_itself(void **state)
{
    const struct vidmm_mock_command command = { .cost_ns = 1000 };
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_3);
    mock.observer.on_event = remember;
    mock.hook = stand_for_others;
    mock_adapter_start(&mock);
    memset(&found, 0, sizeof found);
    assert_int_equal(mock_use(&mock, mock_make(&mock), false, command, NULL), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_int_equal(vidmm_rule_uses(mock.adapter, RULE(MINI_088)), 3);
    expect_finding(RULE(NONE), NULL);
}

/* ---- time ------------------------------------------------------------------------------------ */

static vidmm_ns spends(void *self, uint32_t node, uint32_t fence)
{
    bus->spend(bus, 1000);
    return mock_hardware->begin(self, node, fence);
}

static NTSTATUS spend_and_create(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEDEVICE arg)
{
    bus->spend(bus, 2);
    return create_device(adapter, arg);
}

static void stand_slowly(DRIVER_INITIALIZATION_DATA *table)
{
    create_device = table->DxgkDdiCreateDevice;
    table->DxgkDdiCreateDevice = spend_and_create;
    stand_in();
    hardware.begin = spends;
}

/* TIME-010: time of the CPU passes in a call of the driver, not while an engine begins a packet. */
static void hardware_that_spends_time(void **state)
{
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_3);
    mock.observer.on_event = remember;
    mock.hook = stand_slowly;
    mock_adapter_start(&mock);
    memset(&found, 0, sizeof found);
    assert_int_equal(vidmm_page_in(mock.adapter, mock_make(&mock), true), 0);
    expect_finding(RULE(TIME_010), "the hardware spends 1000 ns of the CPU, which only calls that "
                                   "build commands do");
    bus->spend(bus, 1);
    expect_finding(RULE(TIME_010), "the hardware spends 1 ns of the CPU, which only calls that "
                                   "build commands do");
    assert_int_equal(vidmm_device_create(mock.adapter, "slow", mock.process, &mock.device), 0);
    expect_finding(RULE(TIME_010), "DxgkDdiCreateDevice spends 2 ns of the CPU, which only calls "
                                   "that build commands do");
}

/* ---- without a miniport ---------------------------------------------------------------------- */

/* The first `mapped` pages, and the others show the dummy page. */
static void expect_mapped(const struct aperture *table, uint64_t mapped)
{
    for (uint64_t page = 0; page < PAGES + 2; page++) {
        uint64_t system, pages;
        assert_int_equal(aperture_translate(table, page, 1, &system, &pages),
                         page < mapped ? APERTURE_SYSTEM : APERTURE_DUMMY);
    }
}

/* SEG-017: page 0 of the aperture is another one's. */
static void the_gart_driver_unmaps_what_it_mapped(void **state)
{
    enum { AGP = 0x2 };
    struct mock_adapter agp;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    vidmm_handle first, second;
    (void)state;
    mock_adapter_init(&agp, VIDMM_WDDM_1_1);
    agp.segments[1].flags = AGP;
    agp.config.machine.agp_bytes = MOCK_SEGMENT_BYTES;
    mock_adapter_start(&agp);
    const struct aperture *table = &agp.adapter->store->segments[2].segment.table;
    wish.read_set = wish.write_set = wish.eviction_set = 0x2;
    assert_int_equal(mock_allocate(&agp, &wish, &first), 0);
    wish.size = (uint64_t)PAGES * MOCK_PAGE;
    assert_int_equal(mock_allocate(&agp, &wish, &second), 0);
    assert_int_equal(vidmm_page_in(agp.adapter, first, false), 0);
    assert_int_equal(vidmm_page_in(agp.adapter, second, false), 0);
    expect_mapped(table, 1 + PAGES);
    assert_int_equal(vidmm_evict(agp.adapter, second), 0);
    assert_int_equal(vidmm_wait_idle(agp.adapter), 0);
    expect_mapped(table, 1);
    mock_adapter_stop(&agp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_place_that_is_none, setup, teardown),
        cmocka_unit_test_setup_teardown(what_comes_before_it_moves, setup, teardown),
        cmocka_unit_test_setup_teardown(a_range_that_is_none_of_an_aperture, setup, teardown),
        cmocka_unit_test_setup_teardown(pages_that_are_none_of_the_list_or_the_machine, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_list_in_pieces, setup, teardown),
        cmocka_unit_test(the_gart_driver_unmaps_what_it_mapped),
        cmocka_unit_test_setup_teardown(a_packet_that_is_not_executed, setup, teardown),
        cmocka_unit_test_setup_teardown(costs_know_what_a_place_is, setup, teardown),
        cmocka_unit_test_teardown(an_aperture_that_was_never_mapped, teardown),
        cmocka_unit_test_setup(the_dummy_page_among_others, setup),
        cmocka_unit_test_teardown(a_packet_speaks_for_itself, teardown),
        cmocka_unit_test_teardown(hardware_that_spends_time, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
