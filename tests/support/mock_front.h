/* SPDX-License-Identifier: MIT */
/*
 * mock_front.h: for tests, a driver in front of the mock: a copy of its table, in which a test puts
 * functions of its own, and the system's interface. There is one at a time.
 */
#ifndef TESTS_MOCK_FRONT_H
#define TESTS_MOCK_FRONT_H

#include "tests/support/mock_adapter.h"

struct mock_front {
    DRIVER_INITIALIZATION_DATA real; /* the mock's own functions */
    DXGKRNL_INTERFACE system;        /* from its DxgkDdiStartDevice on */
    const struct vidmm_hardware *real_hardware; /* the mock's; NULL: nothing is in front of it */
    struct vidmm_hardware hardware;
};
extern struct mock_front mock_front;

/* Keeps the table, and takes DxgkDdiStartDevice; mock_adapter.hook is for additions of a test. */
void mock_front_stand(DRIVER_INITIALIZATION_DATA *table);
/* After that: the mock's hardware, too, gets a copy in front, in which a test puts functions. */
struct vidmm_hardware *mock_front_hardware(struct mock_adapter *mock);
/* An adapter on the driver that `driver` makes of the mock. */
void mock_front_start(struct mock_adapter *mock, uint32_t wddm,
                      void (*driver)(DRIVER_INITIALIZATION_DATA *table));
/* An interrupt of the driver; and one with its DPC. */
void mock_front_interrupt(const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data);
void mock_front_report(const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data);
/* A packet of the adapter's context that refers to nothing. */
vidmm_status mock_front_submit(struct mock_adapter *mock, uint64_t cost_ns,
                               struct vidmm_submission *submission);
/* The same, which has to succeed. */
void mock_front_work(struct mock_adapter *mock, uint64_t cost_ns);

#endif
