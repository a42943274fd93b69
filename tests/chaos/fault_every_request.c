/* SPDX-License-Identifier: MIT */
/*
 * fault_every_request.c: the N-th request to the simulated system is turned down, for every N.
 *
 *     fault_every_request [--every=N] [--from=M] SCENARIO...
 *
 * What the system may lack: pages of its memory, commitment, and room in segments. Every scenario
 * (fault_corpus.h) runs once as it is, to count the requests for each of these, and then twice for
 * each request: it alone is turned down, and it with all that follow. Expectations may fail then
 * and statements be refused. Where the scenario as it is has no finding and no stop, the driver is
 * honest, and there is none with a fault either; contents are intact, and every fence is signalled.
 *
 * The linker puts __wrap_F() before each function F that answers such a request of another file.
 */
#include "paging/residency/pager.h"
#include "paging/residency/residency.h"
#include "paging/store/store.h"
#include "tests/chaos/fault_corpus.h"

#include <string.h>

enum lack { LACKS_PAGES, LACKS_COMMITMENT, LACKS_ROOM, LACKS };

static const char *const words[] = {
    [LACKS_PAGES] = "pages",
    [LACKS_COMMITMENT] = "commitment",
    [LACKS_ROOM] = "room",
};

/* Request number `at` for `lack` is turned down, and all that follow if `lasting`; 0: none is. */
static struct {
    enum lack lack;
    uint64_t requests[LACKS], at;
    bool lasting;
} run;

static bool turned_down(enum lack lack)
{
    uint64_t number = ++run.requests[lack];
    return run.at && lack == run.lack && (number == run.at || (run.lasting && number > run.at));
}

/* WRAP(lack, type of the answer, the answer of who lacks it, name, parameters, arguments) */
#define WRAP(lack, type, nothing, name, parameters, arguments)                                     \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        return turned_down(lack) ? (nothing) : __real_##name arguments;                            \
    }

WRAP(LACKS_PAGES, bool, false, system_take_last,
     (adapter_t * adapter, uint64_t bytes, struct range *run_of_pages),
     (adapter, bytes, run_of_pages))
WRAP(LACKS_PAGES, size_t, (*runs = NULL, 0U), system_take,
     (adapter_t * adapter, uint64_t pages, struct range **runs), (adapter, pages, runs))
WRAP(LACKS_COMMITMENT, bool, false, discard_for_commitment, (adapter_t * adapter, uint64_t bytes),
     (adapter, bytes))
WRAP(LACKS_ROOM, bool, false, find_place,
     (adapter_t * adapter, const struct pageable *allocation, const struct vidmm_search *searches,
      size_t count, struct found_place *found),
     (adapter, allocation, searches, count, found))

bool __real_backing_populate(adapter_t *adapter, struct pageable *allocation);
bool __wrap_backing_populate(adapter_t *adapter, struct pageable *allocation);
/* A store that has its pages asks for none. */
bool __wrap_backing_populate(adapter_t *adapter, struct pageable *allocation)
{
    return (backing_of(allocation->store.owner)->populated || !turned_down(LACKS_PAGES)) &&
           __real_backing_populate(adapter, allocation);
}

/* How many requests for it there were is then in `run`. */
static void run_once(const struct fault_file *file, struct trial *trial, enum lack lack,
                     uint64_t at, bool lasting)
{
    run.lack = lack;
    run.at = at;
    run.lasting = lasting;
    for (size_t i = 0; i < LACKS; i++)
        run.requests[i] = 0;
    fault_run(file, trial, "no %s for request %llu%s", words[lack], (unsigned long long)at,
              lasting ? " and all that follow" : "");
}

static uint64_t run_faults(const struct fault_file *file)
{
    uint64_t runs = 0;
    struct trial whole = { .lenient = true };
    run_once(file, &whole, LACKS_PAGES, 0, false);
    bool honest = !whole.events[VIDMM_EVENT_FINDING] && !whole.events[VIDMM_EVENT_BUGCHECK];
    uint64_t requests[LACKS];
    memcpy(requests, run.requests, sizeof requests);
    for (enum lack lack = LACKS_PAGES; lack < LACKS; lack++) {
        uint64_t step = fault_step(&whole, requests[lack]);
        for (uint64_t at = 1; at <= requests[lack]; at += step)
            for (int lasting = 0; lasting < 2; lasting++, runs++) {
                struct trial trial = { .lenient = !honest, .shortage = honest };
                run_once(file, &trial, lack, at, lasting);
            }
    }
    return runs;
}

int main(int argc, char **argv)
{
    return fault_corpus(argc, argv, run_faults);
}
