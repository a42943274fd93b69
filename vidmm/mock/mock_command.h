/* SPDX-License-Identifier: MIT */
/*
 * mock_command.h: the stream of commands in DMA and paging buffers.
 *
 * A byte 0 means nothing and is skipped; any other byte begins a command:
 *     MOCK_TRANSFER, FILL, MAP, UNMAP, READ   32 bytes, struct mock_command
 *     MOCK_REFERENCE                    16 bytes, struct mock_reference: an address slot
 * so a range may begin anywhere between two commands, which a split point needs. Commands lie at
 * any byte offset: they are copied in and out, never used in place.
 */
#ifndef VIDMM_MOCK_COMMAND_H
#define VIDMM_MOCK_COMMAND_H

#include <stdint.h>

enum mock_op {
    MOCK_NOTHING,
    MOCK_TRANSFER = 0xA1,
    MOCK_FILL,
    MOCK_MAP,
    MOCK_UNMAP,
    MOCK_READ,
    MOCK_REFERENCE,
    MOCK_NOTE, /* the driver's own: costs nothing and does nothing */
};

/* What stands in from_segment of a MAP whose `from` is an address of system memory. */
enum { MOCK_SYSTEM = 0xFF };

/* The command goes on where the one before it ends: both cost as much as one. */
enum { MOCK_CONTINUES = 0x80, MOCK_TRANSFER_FLAGS = 0x1F };

/*
 * One operation on memory. Segment id 0 means that `from` or `to` is a pointer to an MDL, which
 * then begins with page `word`. Both sides of MAP and UNMAP count bytes: `to` is the offset in the
 * aperture. With MOCK_SYSTEM MAP has the address of system pages in `from`. UNMAP has the dummy
 * page in `from`, FILL its pattern in `word`.
 */
struct mock_command {
    uint8_t op, flags, from_segment, to_segment;
    uint32_t word;
    uint64_t bytes, from, to;
};

enum { MOCK_COMMAND_BYTES = 32, MOCK_REFERENCE_BYTES = 16 };
_Static_assert(sizeof(struct mock_command) == MOCK_COMMAND_BYTES, "one command is 32 bytes");

/* What a render packet reads or writes: element `index` at the address that Patch put here. */
struct mock_reference {
    uint8_t op, write, segment, reserved;
    uint32_t index;
    uint64_t address;
};
_Static_assert(sizeof(struct mock_reference) == MOCK_REFERENCE_BYTES, "one slot is 16 bytes");

#endif
