/* SPDX-License-Identifier: MIT */
/*
 * mock_faults.h: asking the switches for bad manners. Words are in the order of their values in
 * vidmm_mock_switches.def.
 */
#ifndef VIDMM_MOCK_FAULTS_H
#define VIDMM_MOCK_FAULTS_H

#include "vidmm/mock/mock_state.h"

/* A call that this switch can spoil: does it, this time? */
static inline bool mock_faults_hit(struct vidmm_mock *mock, enum vidmm_mock_switch which)
{
    struct vidmm_mock_switch_state *state = &mock->config.switches[which];
    if (!state->on)
        return false;
    state->calls++;
    return !state->at || state->calls == state->at;
}

static inline int64_t mock_faults_value(const struct vidmm_mock *mock, enum vidmm_mock_switch which)
{
    return mock->config.switches[which].value;
}

/* The status that a switch asks for, or STATUS_SUCCESS. */
static inline NTSTATUS mock_faults_status(struct vidmm_mock *mock, enum vidmm_mock_switch which)
{
    if (!mock_faults_hit(mock, which))
        return STATUS_SUCCESS;
    return (NTSTATUS)mock_faults_value(mock, which);
}

/* A call that builds commands begins: the status of its switch; with `slow-ddi` it takes its time.
 */
static inline NTSTATUS mock_faults_begin(struct vidmm_mock *mock, enum vidmm_mock_switch which)
{
    NTSTATUS status = mock_faults_status(mock, which);
    if (mock_faults_hit(mock, VIDMM_MOCK_SLOW_DDI))
        mock->bus->spend(mock->bus, (vidmm_ns)mock_faults_value(mock, VIDMM_MOCK_SLOW_DDI));
    return status;
}

/* An overrun of the buffer at `from`: what it writes, and where the pointer stands then. */
uint8_t *mock_faults_overrun(struct vidmm_mock *mock, void *from, UINT bytes,
                             enum vidmm_mock_switch which);

/* `no-entry`: the table lacks a call. */
void mock_faults_leave_out(const struct vidmm_mock_config *config, DRIVER_INITIALIZATION_DATA *ddi);

enum { MOCK_UNSET_BUFFER_SIZE, MOCK_UNSET_SIZE };
enum {
    MOCK_ENTRY_GROUP,
    MOCK_ENTRY_STATUS,
    MOCK_ENTRY_RESET_ENGINE,
    MOCK_ENTRY_RESET,
    MOCK_ENTRY_RESTART,
    MOCK_ENTRY_PRESENT
};
enum { MOCK_OVERRUN_BYTES, MOCK_OVERRUN_POINTER, MOCK_OVERRUN_BACK };
enum { MOCK_BAD_INDEX, MOCK_BAD_SLOT, MOCK_BAD_SPLIT };
enum { MOCK_RESERVED_LIST, MOCK_RESERVED_PATCH };
enum { MOCK_FENCE_LOW, MOCK_FENCE_HIGH, MOCK_FENCE_EARLY, MOCK_FENCE_PREEMPT };
enum {
    MOCK_FAULTED_ZERO,
    MOCK_FAULTED_GIVEN,
    MOCK_FAULTED_HIGH,
    MOCK_FAULTED_LOW,
    MOCK_FAULTED_AGAIN,
    MOCK_FAULTED_AHEAD,
    MOCK_FAULTED_NODE
};
enum { MOCK_ABORTED_LOW, MOCK_ABORTED_HIGH };
enum { MOCK_ADDRESS_NONE, MOCK_ADDRESS_MOVED };

/* The largest value of `stride`: the manager gives room for it (MINI-015). */
enum { MOCK_STRIDE_MAX = 4096 };

#endif
