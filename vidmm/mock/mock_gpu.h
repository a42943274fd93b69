/* SPDX-License-Identifier: MIT */
/* mock_gpu.h: the chip: its nodes, faults of packets, and pages of lists. */
#ifndef VIDMM_MOCK_GPU_H
#define VIDMM_MOCK_GPU_H

#include "vidmm/mock/mock_command.h"
#include "vidmm/mock/mock_state.h"

extern const struct vidmm_hardware mock_gpu_hardware;
struct mock_packet *mock_gpu_slot(const struct mock_ring *ring, uint32_t fence);
/* True: the node has the packet already, and now one adapter more of a link executes it. */
bool mock_gpu_broadcast(const struct vidmm_mock *mock, uint32_t node,
                        const struct mock_packet *packet);
/* The chip takes a packet: the newest one of the node. */
void mock_gpu_submit(struct vidmm_mock *mock, uint32_t node, const struct mock_packet *packet);
/* Executes one command now, on one adapter: aperture changes by MMIO (TIME-010). Returns its cost.
 */
vidmm_ns mock_gpu_execute_now(struct vidmm_mock *mock, const struct mock_command *command,
                              uint32_t adapter);
/* Moves a command `bytes` further on, to the part that follows. */
void mock_gpu_advance(const struct vidmm_mock *mock, struct mock_command *command, uint64_t bytes);
/* Starts afresh: no number was ever given. */
void mock_gpu_start(struct vidmm_mock *mock);
/* All nodes forget what they were given. */
void mock_gpu_reset(struct vidmm_mock *mock);
void mock_gpu_fini(struct vidmm_mock *mock);

/* ---- mock_mdl.c: pages of lists, by their page frame numbers --------------------------------- */

void mock_mdl_copy(const struct vidmm_mock *mock, struct vidmm_bus *bus,
                   const struct vidmm_bus_place *to, const struct vidmm_bus_place *from,
                   uint64_t bytes);
void mock_mdl_map(const struct vidmm_mock *mock, struct vidmm_bus *bus,
                  const struct mock_command *command, const struct vidmm_bus_place *from);

/* ---- mock_fault.c: packets that end in a fault ----------------------------------------------- */

/* The packet ends: does it fault? Then nothing of it is done. */
bool mock_fault_hits(struct vidmm_mock *mock, uint32_t node, const struct mock_packet *packet);
/* Has a packet of the node faulted, and the driver has not reported it? */
bool mock_fault_unreported(const struct vidmm_mock *mock, uint32_t node);
/* Reports the faults of a node up to this packet; true: it was one of them. */
bool mock_fault_report(struct vidmm_mock *mock, uint32_t node, uint32_t last);
/* The node was reset. */
void mock_fault_forget(struct vidmm_mock *mock, uint32_t node);

/* ---- mock_recovery.c: what was taken back, and when a request to stop is answered ------------ */

/* After an interrupt of this node: is a request to be answered now? */
enum mock_answer { MOCK_NODE_RUNS, MOCK_NODE_STOPPED };
void mock_recovery_answer(struct vidmm_mock *mock, uint32_t node, enum mock_answer state);
/* A packet that comes once more: what it cost, and whether it hangs. False: it is new. */
bool mock_recovery_taken(struct vidmm_mock *mock, struct mock_packet *packet);
/* Something else is written there: what was taken back from it never comes again. */
void mock_recovery_forget(struct vidmm_mock *mock, const uint8_t *begin, size_t bytes);

#endif
