/* SPDX-License-Identifier: MIT */
/* pack.c: bytes to a stream as raw deflate in base64, in lines, as they come. */
#include <zlib.h>

#include "tools/view/page.h"
#include "vidmm/base/base.h"

enum { PIECE = 1 << 16, GROUPS_IN_LINE = 25, RAW_DEFLATE = -15, MEMORY_LEVEL = 9 };

struct pack {
    FILE *out;
    z_stream stream;
    unsigned char piece[PIECE];
    unsigned char rest[3]; /* of a group of three bytes */
    unsigned rest_count, groups;
};

static void put_group(struct pack *pack)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned count = pack->rest_count;
    uint32_t bits = (uint32_t)pack->rest[0] << 16;
    if (count > 1)
        bits |= (uint32_t)pack->rest[1] << 8;
    if (count > 2)
        bits |= pack->rest[2];
    const char group[4] = { letters[bits >> 18], letters[bits >> 12 & 63],
                            count > 1 ? letters[bits >> 6 & 63] : '=',
                            count > 2 ? letters[bits & 63] : '=' };
    (void)fwrite(group, 1, sizeof group, pack->out);
    if (++pack->groups % GROUPS_IN_LINE == 0)
        (void)fputc('\n', pack->out);
    pack->rest_count = 0;
}

static void put_base64(struct pack *pack, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        pack->rest[pack->rest_count++] = pack->piece[i];
        if (pack->rest_count == sizeof pack->rest)
            put_group(pack);
    }
}

/* Takes all that zlib gives. */
static void drain(struct pack *pack, int flush)
{
    do {
        pack->stream.next_out = pack->piece;
        pack->stream.avail_out = PIECE;
        bool packed = deflate(&pack->stream, flush) != Z_STREAM_ERROR;
        CHECK(packed);
        put_base64(pack, PIECE - pack->stream.avail_out);
    } while (pack->stream.avail_out == 0);
}

static void *pack_alloc(void *opaque, unsigned count, unsigned bytes)
{
    (void)opaque;
    return base_alloc(count, bytes);
}

static void pack_free(void *opaque, void *memory)
{
    (void)opaque;
    base_free(memory);
}

struct pack *pack_open(FILE *out)
{
    struct pack *pack = base_alloc(1, sizeof *pack);
    pack->out = out;
    pack->stream.zalloc = pack_alloc;
    pack->stream.zfree = pack_free;
    bool ready = deflateInit2(&pack->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, RAW_DEFLATE,
                              MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK;
    CHECK(ready);
    return pack;
}

void pack_bytes(struct pack *pack, const void *bytes, size_t count)
{
    const unsigned char *from = bytes;
    while (count) {
        size_t part = min_u64(count, PIECE);
        /* zlib reads only; its member is not const unless ZLIB_CONST is defined before it. */
        pack->stream.next_in = (unsigned char *)(uintptr_t)from;
        pack->stream.avail_in = (unsigned)part;
        drain(pack, Z_NO_FLUSH);
        from += part;
        count -= part;
    }
}

void pack_close(struct pack *pack)
{
    drain(pack, Z_FINISH);
    (void)deflateEnd(&pack->stream);
    if (pack->rest_count)
        put_group(pack);
    base_free(pack);
}
