/* SPDX-License-Identifier: MIT */
/*
 * proto.c: messages in the wire format of Protocol Buffers.
 *
 * The length of an inner message stands before it and is known after it. So an inner message is
 * written where it belongs, and moved by the few bytes of its length when it is complete: messages
 * here are small.
 */
#include "tools/trace/proto.h"

#include <string.h>

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_LENGTH = 2, VARINT_MOST = 10 };

static size_t encode(char *to, uint64_t value)
{
    size_t count = 0;
    for (; value >= 0x80; value >>= 7)
        to[count++] = (char)((value & 0x7F) | 0x80);
    to[count++] = (char)value;
    return count;
}

static void add_varint(struct proto *proto, uint64_t value)
{
    char bytes[VARINT_MOST];
    text_add_bytes(&proto->bytes, bytes, encode(bytes, value));
}

static void add_key(struct proto *proto, unsigned field, unsigned wire)
{
    add_varint(proto, (uint64_t)field << 3 | wire);
}

void proto_number(struct proto *proto, unsigned field, uint64_t value)
{
    add_key(proto, field, WIRE_VARINT);
    add_varint(proto, value);
}

void proto_fixed64(struct proto *proto, unsigned field, uint64_t value)
{
    char bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(value >> (8 * i) & 0xFF);
    add_key(proto, field, WIRE_FIXED64);
    text_add_bytes(&proto->bytes, bytes, sizeof bytes);
}

void proto_string(struct proto *proto, unsigned field, const char *text)
{
    size_t count = strlen(text);
    proto_open(proto, field);
    while (count) {
        size_t good = 0, length;
        while (good < count && (length = text_utf8(text + good, count - good)) != 0)
            good += length;
        text_add_bytes(&proto->bytes, text, good);
        text += good;
        count -= good;
        if (!count)
            break;
        text_add(&proto->bytes, TEXT_NO_UTF8);
        text++;
        count--;
    }
    proto_close(proto);
}

void proto_open(struct proto *proto, unsigned field)
{
    add_key(proto, field, WIRE_LENGTH);
    CHECK(proto->depth < PROTO_DEPTH);
    proto->open[proto->depth++] = proto->bytes.length;
}

void proto_close(struct proto *proto)
{
    char bytes[VARINT_MOST];
    CHECK(proto->depth > 0);
    size_t start = proto->open[--proto->depth], length = proto->bytes.length - start;
    size_t count = encode(bytes, length);
    text_add_bytes(&proto->bytes, bytes, count);
    memmove(proto->bytes.bytes + start + count, proto->bytes.bytes + start, length);
    memcpy(proto->bytes.bytes + start, bytes, count);
}

void proto_flush(struct proto *proto, FILE *out)
{
    CHECK(proto->depth == 0);
    (void)fwrite(text_get(&proto->bytes), 1, proto->bytes.length, out);
    text_clear(&proto->bytes);
}

void proto_free(struct proto *proto)
{
    text_free(&proto->bytes);
}
