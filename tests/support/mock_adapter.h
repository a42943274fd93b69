/* SPDX-License-Identifier: MIT */
/*
 * mock_adapter.h: an adapter that was started on the mock miniport, for tests of the whole manager.
 *
 * Segments: 1 memory of 1 MiB that the CPU sees, 2 aperture of 1 MiB. Costs are those of the
 * profile `unit`. A process, a device and a context on node 0 are there. Every call of the miniport
 * after the start is noted by its name without "DxgkDdi".
 */
#ifndef TESTS_MOCK_ADAPTER_H
#define TESTS_MOCK_ADAPTER_H

#include "vidmm/vidmm.h"
#include "vidmm/vidmm_mock.h"

#define RULE(name) VIDMM_RULE(name)

enum { MOCK_PAGE = 4096, MOCK_SEGMENT_BYTES = 1 << 20, MOCK_CALLS_MAX = 256 };

struct mock_adapter {
    struct vidmm_mock_config mock_config;
    struct vidmm_config config;
    struct vidmm_mock_segment segments[2];
    void (*hook)(DRIVER_INITIALIZATION_DATA *table); /* makes another driver of the mock */
    DRIVER_INITIALIZATION_DATA table;
    struct vidmm_mock *mock;
    struct vidmm_adapter *adapter;
    vidmm_handle process, device, context;
    struct vidmm_observer observer;
    char calls[MOCK_CALLS_MAX][32];
    size_t call_count;
    uint64_t events[VIDMM_EVENT_KINDS];
    char finding[200]; /* the text of the last one, and its rule */
    enum vidmm_rule finding_rule;
    uint64_t held;     /* memory before the driver was made, which is there again at the end */
};

/* Defaults, to be changed before the start. */
void mock_adapter_init(struct mock_adapter *mock, uint32_t wddm);
/* Makes the driver, for tests that start the adapter themselves. */
void mock_adapter_prepare(struct mock_adapter *mock);
/* Makes the driver, starts it, makes process, device and context; fails the test if that fails. */
void mock_adapter_start(struct mock_adapter *mock);
/* Checks all invariants a last time, and frees everything. */
void mock_adapter_stop(struct mock_adapter *mock);
/* The same without the checks: after a failed start, a stop of the system, wrong content. */
void mock_adapter_free(struct mock_adapter *mock);
/* Both as setup and teardown of a test: interface 1.1, *state is the adapter. */
int mock_adapter_setup(void **state);
int mock_adapter_teardown(void **state);
/* Fails the test when vidmm_check() finds something. */
void mock_adapter_check(struct mock_adapter *mock);

/* What the mock answers: memory and aperture, evicted through the aperture, CpuVisible. */
struct vidmm_mock_allocation mock_wish(uint64_t bytes);
struct vidmm_allocation_args mock_args(const char *label, const struct vidmm_mock_allocation *wish);
vidmm_status mock_allocate(struct mock_adapter *mock, const struct vidmm_mock_allocation *wish,
                           vidmm_handle *handle);
/* A page that has to exist. */
vidmm_handle mock_make(struct mock_adapter *mock);
/* Work of its context with these lists; the rest of it is filled in. `submission` may be NULL. */
vidmm_status mock_submit(const struct mock_adapter *mock, struct vidmm_work lists,
                         struct vidmm_mock_command command, struct vidmm_submission *submission);
/* Work that reads or writes one allocation, and nothing else; NULL: nobody waits for it. */
vidmm_status mock_use(const struct mock_adapter *mock, vidmm_handle handle, bool write,
                      struct vidmm_mock_command command, struct vidmm_submission *submission);

/* Calls since the last one, separated by blanks; forgets them. */
const char *mock_calls(struct mock_adapter *mock, char *text, size_t bytes);
/* What it looks like from outside; fails the test when there is no such allocation. */
struct vidmm_allocation_view mock_view(const struct mock_adapter *mock, vidmm_handle handle);
struct vidmm_adapter_view mock_adapter_view(const struct mock_adapter *mock);
uint64_t mock_findings(const struct mock_adapter *mock);
/* The last refusal names this rule. */
void mock_refused(const struct mock_adapter *mock, enum vidmm_rule rule);
/* The system stopped by this rule with this code and first parameter. */
const struct vidmm_bugcheck *mock_stopped(const struct mock_adapter *mock, enum vidmm_rule rule,
                                          uint64_t code, uint64_t subcode);
/* The same, with the other three parameters of its record. */
void mock_stopped_with(const struct mock_adapter *mock, enum vidmm_rule rule, uint64_t code,
                       const uint64_t parameters[4]);

#endif
