/* SPDX-License-Identifier: MIT */
/*
 * make_video.c: a film on the desktop.
 *
 * A decoder writes each picture into the next surface of a ring and reads the two pictures before
 * it. The picture that is shown is copied to an overlay, which is pinned, and lies in the last
 * fifth of the memory. Between the pictures windows of the desktop are drawn, more of them than
 * fit.
 */
#include "tools/make/workload.h"

#include <inttypes.h>

/* NV12: a byte for each point, and half a byte for its colour. */
static uint64_t picture_bytes(const struct make *make)
{
    uint64_t points = make_value(make, "width") * make_value(make, "height");
    return align_up(points + points / 2, 4096);
}

static uint64_t ring_bytes(const struct make *make)
{
    return make_value(make, "ring") * picture_bytes(make);
}

static uint64_t needs_video(const struct make *make)
{
    return ring_bytes(make) + picture_bytes(make) + make_value(make, "bits") +
           make_value(make, "windows") * make_value(make, "window");
}

/* The overlay goes into the last fifth; a quarter is for what alignment and holes take. */
static bool fits_video(const struct make *make, struct text *why)
{
    uint64_t busy = 4 * picture_bytes(make) + make_value(make, "bits") + make_value(make, "window");
    return make_has_room(make, picture_bytes(make) * 5, "the overlay in its last fifth", why) &&
           make_has_room(make, (busy * 4 + 2) / 3, "three pictures, the overlay and a window", why);
}

static uint64_t lines_video(const struct make *make)
{
    return 7 * make_value(make, "frames") + make_value(make, "ring") + make_value(make, "windows") +
           100;
}

struct film {
    uint64_t ring, windows, overlay, bits, cost;
};

static void create_film(struct make *make, const struct film *film)
{
    make_line(make, "class surface segments=vram evict-to=aper\n");
    make_line(make,
              "# @1 to @%" PRIu64 ": the ring; @%" PRIu64 ": the overlay; @%" PRIu64
              ": the film's bits; then windows",
              film->ring, film->overlay, film->bits);
    make_line(make, "create @%" PRIu64 " size=%s segments=vram flags=Overlay", film->overlay,
              make_size(picture_bytes(make)).it);
    make_line(make, "create @%" PRIu64 " : surface size=%s flags=CpuVisible", film->bits,
              make_size(make_value(make, "bits")).it);
    for (uint64_t i = 1; i <= film->ring; i++)
        make_line(make, "create @%" PRIu64 " : surface size=%s", i,
                  make_size(picture_bytes(make)).it);
    for (uint64_t i = 1; i <= film->windows; i++)
        make_line(make, "create @%" PRIu64 " : surface size=%s content=%" PRIu64, film->bits + i,
                  make_size(make_value(make, "window")).it, i);
}

static void write_picture(struct make *make, const struct film *film, uint64_t frame)
{
    uint64_t now = frame % film->ring + 1;
    uint64_t before = (frame + film->ring - 1) % film->ring + 1;
    uint64_t first = (frame + film->ring - 2) % film->ring + 1;
    make_line(make, "\n# picture %" PRIu64, frame + 1);
    make_line(make, "lock @%" PRIu64 " data=%" PRIu64 "\nunlock @%" PRIu64, film->bits, frame + 1,
              film->bits);
    if (frame < 2)
        make_line(make,
                  "submit @%" PRIu64 " read=@%" PRIu64 " write=@%" PRIu64 " cost=%" PRIu64 "ns",
                  make_next(make), film->bits, now, film->cost);
    else
        make_line(make,
                  "submit @%" PRIu64 " read=@%" PRIu64 ",@%" PRIu64 ",@%" PRIu64 " write=@%" PRIu64
                  " cost=%" PRIu64 "ns",
                  make_next(make), film->bits, before, first, now, film->cost);
    make_line(make, "submit @%" PRIu64 " read=@%" PRIu64 " write=@%" PRIu64 " cost=%" PRIu64 "ns",
              make_next(make), now, film->overlay, film->cost / 4 + 1);
    if (film->windows)
        make_line(make, "submit @%" PRIu64 " write=@%" PRIu64 " cost=%" PRIu64 "ns",
                  make_next(make), film->bits + 1 + make_below(make, film->windows),
                  film->cost / 8 + 1);
}

static void write_video(struct make *make)
{
    static const char *const question[] = {
        "A film is decoded into a ring of surfaces and shown by an overlay, while windows of the "
        "desktop,",
        "more than fit, are drawn between its pictures.",
        "Does the overlay ever move? Which surfaces have to be brought back, and what does a "
        "picture wait for?",
        NULL,
    };
    uint64_t frames = make_value(make, "frames");
    struct film film = { .ring = make_value(make, "ring"),
                         .windows = make_value(make, "windows"),
                         .cost = make_value(make, "cost") };
    film.overlay = film.ring + 1;
    film.bits = film.ring + 2;
    struct make_head head = { .title = "A film on a desktop that is too large",
                              .question = question,
                              .needs = needs_video(make),
                              .largest =
                                  max_u64(picture_bytes(make), max_u64(make_value(make, "window"),
                                                                       make_value(make, "bits"))) };
    make_begin(make, &head);
    create_film(make, &film);
    for (uint64_t i = 0; i < frames; i++)
        write_picture(make, &film, i);
    make_line(make, "\nwait idle");
    make_line(
        make,
        "# The overlay is pinned from its creation on, in the last fifth, whatever else happens.");
    make_line(make, "expect @%" PRIu64 " pinned\nexpect no evict @%" PRIu64, film.overlay,
              film.overlay);
    make_line(make, "expect offset(@%" PRIu64 ") >= $card * 4 / 5", film.overlay);
    make_line(make, "expect content of @%" PRIu64 " intact", (frames - 1) % film.ring + 1);
    make_line(make, needs_video(make) <= make_value(make, "card") * 4 / 5
                        ? "expect evictions == 0"
                        : "expect use_hits > use_misses");
    make_line(make, "note \"A picture reads what was written just before; a surface is needed "
                    "again only after a\"");
    make_line(make, "note \"round of the ring. So a policy by age takes windows and the oldest "
                    "surfaces, never the last two.\"");
    make_line(make, "show map vram");
    make_line(
        make,
        "show counters use_hits,use_misses,evictions,bytes_paged_in,bytes_paged_out,stall_ns");
}

const struct make_kind make_video = {
    .name = "video",
    .summary = "a film: a ring of surfaces, an overlay, and the desktop around it",
    .params = {
        { "frames", MAKE_COUNT, 24, 1, 10000000, "how many pictures" },
        { "width", MAKE_COUNT, 1280, 16, 65536, "pixels in a line" },
        { "height", MAKE_COUNT, 720, 16, 65536, "lines of a picture" },
        { "ring", MAKE_COUNT, 6, 3, 10000, "surfaces that the decoder goes round" },
        { "bits", MAKE_SIZE, 256 << 10, 4096, UINT64_C(1) << 30, "the film's bits of a picture" },
        { "windows", MAKE_COUNT, 8, 0, 100000, "windows of the desktop" },
        { "window", MAKE_SIZE, 2 << 20, 4096, UINT64_C(1) << 32, "a window" },
        { "cost", MAKE_TIME, 2000000, 1, 1000000000, "the time to decode a picture" },
        { "seed", MAKE_SEED, 1, 0, UINT64_MAX, "of the random windows: another one, others" },
        { "card", MAKE_SIZE, 16 << 20, 1 << 20, UINT64_C(1) << 40, "the memory of the card" },
    },
    .fits = fits_video,
    .lines = lines_video,
    .write = write_video,
};
