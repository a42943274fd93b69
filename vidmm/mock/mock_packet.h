/* SPDX-License-Identifier: MIT */
/*
 * mock_packet.h: packets on the nodes of the chip.
 */
#ifndef VIDMM_MOCK_PACKET_H
#define VIDMM_MOCK_PACKET_H

#include "vidmm/vidmm_mock.h"

/* A range that a node has been given. The cost is for render packets: how long the shaders run. */
struct mock_packet {
    uint32_t fence; /* 0: no packet */
    uint32_t start, end;
    uint32_t adapters; /* bit EngineOrdinal of each submission: the adapters that execute it */
    bool paging, hangs;
    bool switches; /* empty: the node lets go of its context */
    const uint8_t *buffer;
    uint64_t cost_ns;
};

/* Packets of one node; fence f stands at f modulo the capacity, a power of two. */
struct mock_ring {
    struct mock_packet *packets;
    uint32_t capacity;
    uint32_t submitted, finished, reported; /* newest fence of each */
    uint32_t line;       /* the interrupt line is raised for this fence; 0: it is not */
    uint32_t running;    /* what is executed now; 0: nothing */
    uint32_t lost;       /* the interrupt of this packet never comes; 0: none was lost */
    bool stuck;          /* after a page fault: only a reset makes it go on */
    uint32_t preempt_id; /* of a request that is not answered yet; 0: none */
};

#endif
