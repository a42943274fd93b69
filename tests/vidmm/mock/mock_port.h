/* SPDX-License-Identifier: MIT */
/*
 * mock_port.h: the other side of the interface for tests of the mock miniport: the system's
 * callbacks and a bus that records the requests of the chip. Costs are made up: 1000 for a command
 * and 1 for each byte, so that the number of charges shows.
 */
#ifndef TESTS_MOCK_PORT_H
#define TESTS_MOCK_PORT_H

#include "vidmm/vidmm_mock.h"

enum port_kind { PORT_COPY, PORT_FILL, PORT_MAP, PORT_UNMAP, PORT_TOUCH };

struct port_call {
    enum port_kind kind;
    struct vidmm_bus_place to, from;
    uint64_t bytes, first, pages, mdl_page, dummy, address;
    uint32_t segment, pattern, index, node, fence;
    const MDL *mdl;
    bool write;
};

enum { PORT_CALLS = 64, PORT_FENCES = 64, PORT_BUFFER = 65536, PORT_GUARD = 64 };

struct port {
    struct vidmm_bus bus;
    struct vidmm_mock *mock;
    const struct vidmm_miniport *miniport;
    const DRIVER_INITIALIZATION_DATA *ddi;
    void *adapter;
    HANDLE device, context;
    /* actions of the chip */
    struct port_call calls[PORT_CALLS];
    size_t call_count;
    uint64_t charges, spent;
    /* reports of the driver */
    uint32_t fences[PORT_FENCES], nodes[PORT_FENCES];
    size_t fence_count, dpcs, dpc_notes;
    /* a paging buffer */
    uint8_t buffer[PORT_BUFFER + PORT_GUARD];
};

/* Adds and starts the mock, makes a device and, unless it has no contexts, a context. */
void port_start(struct port *port, const struct vidmm_mock_config *config);
void port_stop(struct port *port);

/* Two segments: 256 MiB of memory at 0, 64 MiB of aperture at 1 GiB. `segments` has room for two.
 */
void port_config(struct vidmm_mock_config *config, uint32_t wddm,
                 struct vidmm_mock_segment *segments);
void port_switch(struct vidmm_mock_config *config, const char *name, const char *value);

/* One BuildPagingBuffer call at `*used` of the buffer, which advances by the bytes written. */
NTSTATUS port_build(struct port *port, DXGKARG_BUILDPAGINGBUFFER *arg, uint32_t *used);
/* Hands [start, end) of the paging buffer to node 1. */
void port_submit_paging(struct port *port, uint32_t start, uint32_t end, uint32_t fence);
/* Runs a packet; returns its cost. */
vidmm_ns port_run(struct port *port, uint32_t node, uint32_t fence);

#endif
