/* SPDX-License-Identifier: MIT */
/* mock_recovery.h: what was taken back from a node, and when a request to stop is answered. */
#ifndef VIDMM_MOCK_RECOVERY_H
#define VIDMM_MOCK_RECOVERY_H

#include "vidmm/mock/mock_state.h"

/* After an interrupt of this node: is a request to be answered now? */
enum mock_answer { MOCK_NODE_RUNS, MOCK_NODE_STOPPED };
void mock_recovery_answer(struct vidmm_mock *mock, uint32_t node, enum mock_answer state);
/* A packet that comes once more: what it cost, and whether it hangs. False: it is new. */
bool mock_recovery_taken(struct vidmm_mock *mock, struct mock_packet *packet);
/* Something else is written there: what was taken back from it never comes again. */
void mock_recovery_forget(struct vidmm_mock *mock, const uint8_t *begin, size_t bytes);

#endif
