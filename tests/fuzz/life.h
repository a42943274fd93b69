/* SPDX-License-Identifier: MIT */
/*
 * life.h: for fuzz_driver.c: the life of an adapter whose driver lies, led by bytes.
 *
 * Each record after the first is a call of the API: its bytes are the arguments, its dice say which
 * of the driver's answers goes wrong meanwhile, and how.
 */
#ifndef TESTS_FUZZ_LIFE_H
#define TESTS_FUZZ_LIFE_H

#include "tests/fuzz/record.h"
#include "tests/support/mock_adapter.h"
#include "vidmm/base/base.h"

enum { LIFE_KINDS = 7, LIFE_KEPT = 16, LIFE_SEGMENTS = 4 };

/* There is one at a time. */
struct life {
    uint8_t record[RECORD_BYTES]; /* of this call */
    struct dice dice;             /* of it */
    uint8_t harm;                 /* which chance of the driver's it takes; life_harm() */
    uint32_t chances;             /* so many it had during this call */
    struct mock_adapter mock;
    struct vidmm_mock_segment segments[LIFE_SEGMENTS];
    DRIVER_INITIALIZATION_DATA real;
    struct vidmm_hardware hardware, real_hardware;
    DXGKRNL_INTERFACE system;
    struct vidmm_bus *bus;
    vidmm_handle handles[LIFE_KINDS][LIFE_KEPT]; /* the newest of each kind */
    size_t handle_count[LIFE_KINDS];             /* all that were made */
    struct vidmm_submission last;
    bool started, running, inside; /* its interface is known; the mock has started */
    bool observed;
    D3DKMT_HANDLE owned; /* an allocation of a context */
};
extern struct life life;

/* ---- fuzz_driver.c: the bytes of a record; after them dice that begin with its last ones ------
 */

uint8_t life_byte(void);
uint32_t life_word(void);
/* Small, at a boundary, or anything. */
uint32_t life_number(void);
uint64_t life_long_number(void);
bool life_chance(unsigned of_256);
/* No bit, some of the set's, or any. */
uint32_t life_flags(enum vidmm_flag_set set);
/* One of this kind that was handed out, alive or not; now and then another, or one that never was.
 */
vidmm_handle life_handle(enum vidmm_object kind);
void life_keep(enum vidmm_object kind, vidmm_status status, vidmm_handle made);
/* Does this chance of the driver's go wrong? */
bool life_harm(void);
/* What the driver does is decided by the dice alone: the bytes are those of the call around it. */
const uint8_t *life_dice_only(void);
void life_bytes_again(const uint8_t *at);

/* life_adapter.c: what the adapter is. */
void life_prepare(void);
/* Of a running mock, or of one that is going to be made. */
void life_set_switch(struct vidmm_mock_switch_state *switches);
/* life_calls.c: some call of the API. */
void life_call(struct vidmm_adapter *adapter);
/* life_looks.c: some calls that only ask. */
void life_look(const struct vidmm_adapter *adapter);
/* life_lies.c: a driver in front of the mock, which lies. */
void life_stand_in_front(DRIVER_INITIALIZATION_DATA *table);
/* life_callbacks.c: what it may do besides its answer. */
void life_meddle(void);
/* life_chip.c: the same of its hardware; an access to any memory. */
void life_stand_before_chip(struct vidmm_miniport *miniport);
void life_reach(struct vidmm_bus *bus);

#endif
