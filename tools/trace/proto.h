/* SPDX-License-Identifier: MIT */
/*
 * proto.h: messages in the wire format of Protocol Buffers, written field by field.
 *
 * A message is a row of fields, each with its number; which numbers there are is the caller's
 * business. A message inside another stands between proto_open() and proto_close().
 */
#ifndef TOOLS_TRACE_PROTO_H
#define TOOLS_TRACE_PROTO_H

#include "tools/common/text.h"

enum { PROTO_DEPTH = 8 };

/* {0} is an empty one. */
struct proto {
    struct text bytes;
    size_t open[PROTO_DEPTH]; /* where the messages begin that are not closed */
    unsigned depth;
};

void proto_number(struct proto *proto, unsigned field, uint64_t value);
void proto_fixed64(struct proto *proto, unsigned field, uint64_t value);
/* Bytes that are no UTF-8 become U+FFFD: a `string` holds nothing else. */
void proto_string(struct proto *proto, unsigned field, const char *text);
void proto_open(struct proto *proto, unsigned field);
void proto_close(struct proto *proto);
/* What is complete goes to the stream, and is forgotten. */
void proto_flush(struct proto *proto, FILE *out);
void proto_free(struct proto *proto);

#endif
