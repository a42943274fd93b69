/* SPDX-License-Identifier: MIT */
/*
 * life.h: for fuzz_driver.c: the life of an adapter whose driver lies, led by bytes.
 */
#ifndef TESTS_FUZZ_LIFE_H
#define TESTS_FUZZ_LIFE_H

#include "tests/support/mock_adapter.h"
#include "vidmm/base/base.h"

enum { LIFE_HANDLES = 48 };

/* There is one at a time. */
struct life {
    const uint8_t *data;
    size_t size, at;
    struct mock_adapter mock;
    DRIVER_INITIALIZATION_DATA real;
    DXGKRNL_INTERFACE system;
    vidmm_handle handles[LIFE_HANDLES];
    size_t handle_count;
    struct vidmm_submission last;
    uint8_t malice;                /* of 256 calls of the driver, how many go wrong */
    bool started, running, inside; /* its interface is known; the mock has started */
    D3DKMT_HANDLE owned;           /* an allocation of a context */
};
extern struct life life;

/* ---- fuzz_driver.c: the bytes; 0 after the last ---------------------------------------------- */

uint8_t life_byte(void);
uint32_t life_word(void);
/* Small, at a boundary, or anything. */
uint32_t life_number(void);
uint64_t life_long_number(void);
bool life_chance(unsigned of_256);
/* One that was handed out, alive or not; now and then none, or one that never was. */
vidmm_handle life_handle(void);
void life_keep(vidmm_status status, vidmm_handle made);

/* life_calls.c: some call of the API. */
void life_call(struct vidmm_adapter *adapter);
/* life_lies.c: a driver in front of the mock, which lies. */
void life_stand_in_front(DRIVER_INITIALIZATION_DATA *table);

#endif
