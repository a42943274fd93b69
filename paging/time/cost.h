/* SPDX-License-Identifier: MIT */
/*
 * cost.h: what work costs in virtual time, in integers (TIME-002, TIME-007, TIME-008).
 *
 * The parameters form one table: setting name, member, and the value of each profile. Settings,
 * profiles and the parameter dump are loops over it.
 *
 * Sums and products that leave 64 bits end at COST_FOREVER instead of wrapping: a packet of that
 * cost never ends, and a scenario with a CPU line that gets there stops with the script error that
 * TIME-002 asks for.
 */
#ifndef PAGING_COST_H
#define PAGING_COST_H

#include "vidmm/base/base.h"
#include "vidmm/vidmm_types.h"

#define COST_FOREVER UINT64_MAX

/*
 * ROW(member, setting name, kind, pcie3, pcie4, pcie5, unit, what it is for). Rates are bytes per
 * second of payload, 0 = free. The two intervals at the end keep their value in `unit`: they limit
 * waits and are no cost, and with 0 every packet would be a timeout.
 */
#define COST_PARAMETERS(ROW)                                                                       \
    ROW(line_rate, "line-rate", NOTE, 15753846153, 31507692307, 63015384615, 1000000000,           \
        "payload of the link, for information")                                                    \
    ROW(h2d_rate, "h2d-rate", RATE, 12000000000, 25000000000, 50000000000, 1000000000,             \
        "system memory to a memory segment")                                                       \
    ROW(d2h_rate, "d2h-rate", RATE, 12800000000, 26000000000, 52000000000, 1000000000,             \
        "a memory segment to system memory")                                                       \
    ROW(vram_copy_rate, "vram-copy-rate", RATE, 220000000000, 230000000000, 230000000000,          \
        1000000000, "copies inside memory segments")                                               \
    ROW(vram_fill_rate, "vram-fill-rate", RATE, 440000000000, 460000000000, 460000000000,          \
        1000000000, "fills of memory segments")                                                    \
    ROW(link_ns, "link-ns", TIME, 1000, 1000, 1000, 0, "start of a transfer over the link")        \
    ROW(local_ns, "local-ns", TIME, 500, 500, 500, 0,                                              \
        "start of a copy or fill inside memory segments")                                          \
    ROW(mdl_page_ns, "mdl-page-ns", TIME, 60, 60, 60, 0,                                           \
        "each page of a memory list that a transfer names")                                        \
    ROW(map_ns, "map-ns", TIME, 500, 500, 500, 0, "start of a mapping or unmapping")               \
    ROW(map_page_ns, "map-page-ns", TIME, 10, 10, 10, 0,                                           \
        "each aperture page that is mapped or unmapped")                                           \
    ROW(ddi_ns, "ddi-ns", TIME, 500, 500, 500, 0, "each call of the miniport")                     \
    ROW(submit_ns, "submit-ns", TIME, 5000, 5000, 5000, 0, "a packet on its way to the hardware")  \
    ROW(irq_ns, "irq-ns", TIME, 5000, 5000, 5000, 0, "the end of a packet until its report")       \
    ROW(cpu_sys_rate, "cpu-sys-rate", RATE, 10000000000, 20000000000, 40000000000, 1000000000,     \
        "the CPU in system memory")                                                                \
    ROW(cpu_bar_write_rate, "cpu-bar-write-rate", RATE, 5000000000, 10000000000, 20000000000,      \
        1000000000, "writes of the CPU through a BAR")                                             \
    ROW(cpu_bar_read_rate, "cpu-bar-read-rate", RATE, 100000000, 100000000, 100000000, 1000000000, \
        "reads of the CPU through a BAR")                                                          \
    ROW(preempt_ns, "preempt-ns", TIME, 100000, 100000, 100000, 0,                                 \
        "a node from the request to its stop")                                                     \
    ROW(permit_ns, "permit-ns", TIME, 100000000, 100000000, 100000000, 100000000,                  \
        "a packet may run so long before a request to preempt")                                    \
    ROW(fence_poll_ns, "fence-poll-ns", TIME, 1000000000, 1000000000, 1000000000, 1000000000,      \
        "a wait lasts so long before the fence is asked for")

struct cost_params {
#define ROW(member, name, kind, pcie3, pcie4, pcie5, unit, help) uint64_t member;
    COST_PARAMETERS(ROW)
#undef ROW
};

enum cost_kind {
    COST_KIND_RATE, /* bytes per second */
    COST_KIND_TIME, /* nanoseconds */
    COST_KIND_NOTE, /* a rate for information only: no setting */
};

enum cost_profile {
    COST_PROFILE_PCIE3, /* the default */
    COST_PROFILE_PCIE4,
    COST_PROFILE_PCIE5,
    COST_PROFILE_UNIT, /* 1 byte = 1 ns, nothing else costs anything */
    COST_PROFILES
};

struct cost_setting {
    const char *name;
    enum cost_kind kind;
    size_t offset; /* of the uint64_t in struct cost_params */
    uint64_t profile[COST_PROFILES];
};

/* A row of the parameter table. NULL for an unknown name; rows of kind NOTE are found too. */
const struct cost_setting *cost_setting_by_name(const char *name);
/* `setting` may not be of kind NOTE. */
void cost_set(struct cost_params *params, const struct cost_setting *setting, uint64_t value);
void cost_load_profile(struct cost_params *params, enum cost_profile profile);

/* ceil(bytes x 10^9 / rate); 0 for a rate of 0; COST_FOREVER when it does not fit. */
vidmm_ns cost_time(uint64_t bytes, uint64_t rate);
/* a + b, or COST_FOREVER. */
vidmm_ns cost_add(vidmm_ns a, vidmm_ns b);

enum cost_operation {
    COST_TRANSFER, /* SPECIAL_LOCK_TRANSFER too */
    COST_FILL,     /* INIT_CONTEXT_RESOURCE too */
    COST_MAP,      /* MAP and UNMAP */
    COST_PHYSICAL, /* READ_PHYSICAL and WRITE_PHYSICAL */
    COST_NOTHING,  /* DISCARD, NOTIFY */
};

enum cost_place { COST_MEMORY, COST_APERTURE, COST_MDL };

/* One command of a paging buffer, as the engine finds it (TIME-010). */
struct cost_command {
    enum cost_operation operation;
    enum cost_place source, destination; /* COST_TRANSFER only */
    uint64_t bytes;
    uint64_t page_bytes;
    bool swizzle; /* the flag Swizzle or Unswizzle is set */
};

/* The table of TIME-007. Transfers between two places in system memory, which it does not list,
   pay the link in both directions. */
vidmm_ns cost_charge(const struct cost_params *params, const struct cost_command *command);

#endif
