/* SPDX-License-Identifier: MIT */
/*
 * make_game.c: frames of a game that streams its textures.
 *
 * The camera walks along a row of places, now and then it turns back. A place has a texture in two
 * parts: small mips, a sixteenth, which are needed wherever the place is in sight, and the large
 * ones, which are needed only near the camera. Each frame uploads what changes into one of three
 * buffers, and draws into a colour and a depth target.
 */
#include "tools/make/workload.h"

#include <inttypes.h>

enum { UPLOADS = 3, TARGETS = 2 };

/* Handles: targets, uploads, then small and large mips of each place. */
struct world {
    uint64_t places, view, near, cost;
    uint64_t at; /* the camera */
    bool back;
};

static uint64_t small_of(uint64_t place)
{
    return TARGETS + UPLOADS + 1 + 2 * place;
}

static uint64_t large_of(uint64_t place)
{
    return small_of(place) + 1;
}

static uint64_t small_bytes(const struct make *make)
{
    return align_up(make_value(make, "texture") / 16, 4096);
}

static uint64_t needs_game(const struct make *make)
{
    return TARGETS * make_value(make, "target") + UPLOADS * make_value(make, "upload") +
           make_value(make, "places") * (make_value(make, "texture") + small_bytes(make));
}

static uint64_t frame_bytes(const struct make *make)
{
    return TARGETS * make_value(make, "target") + UPLOADS * make_value(make, "upload") +
           make_value(make, "view") * small_bytes(make) +
           make_value(make, "near") * make_value(make, "texture");
}

/* A fifth is left to what alignment and holes take. */
static bool fits_game(const struct make *make, struct text *why)
{
    if (make_value(make, "near") > make_value(make, "view") ||
        make_value(make, "view") > make_value(make, "places")) {
        text_add(why,
                 "near is at most view, and view at most places: %" PRIu64 ", %" PRIu64
                 ", %" PRIu64,
                 make_value(make, "near"), make_value(make, "view"), make_value(make, "places"));
        return false;
    }
    return make_has_room(make, (frame_bytes(make) + 3) / 4 * 5, "all that one frame needs", why);
}

static uint64_t lines_game(const struct make *make)
{
    return make_value(make, "frames") * (make_value(make, "view") + 6) +
           2 * make_value(make, "places") + 100;
}

static void create_world(struct make *make, const struct world *world)
{
    make_line(make, "class target segments=vram evict-to=aper\nclass upload segments=aper "
                    "flags=CpuVisible");
    make_line(make, "class mips   segments=vram evict-to=aper flags=CpuVisible,PermanentSysMem\n");
    make_line(make,
              "# @1 colour, @2 depth; @3 to @5 uploads; then, of each place, small and large mips");
    for (uint64_t i = 1; i <= TARGETS; i++)
        make_line(make, "create @%" PRIu64 " : target size=%s", i,
                  make_size(make_value(make, "target")).it);
    for (uint64_t i = 1; i <= UPLOADS; i++)
        make_line(make, "create @%" PRIu64 " : upload size=%s", TARGETS + i,
                  make_size(make_value(make, "upload")).it);
    for (uint64_t i = 0; i < world->places; i++) {
        make_line(make, "create @%" PRIu64 " : mips size=%s content=%" PRIu64, small_of(i),
                  make_size(small_bytes(make)).it, small_of(i));
        make_line(make, "create @%" PRIu64 " : mips size=%s content=%" PRIu64, large_of(i),
                  make_size(make_value(make, "texture")).it, large_of(i));
    }
}

/* One place on; at an end, and one time in eight, it turns. */
static void walk(struct make *make, struct world *world)
{
    uint64_t last = world->places - world->view;
    if (make_below(make, 8) == 0)
        world->back = !world->back;
    if (world->at == 0)
        world->back = false;
    if (world->at == last)
        world->back = true;
    if (last)
        world->at = world->back ? world->at - (world->at > 0) : world->at + 1;
}

static void draw(struct make *make, const struct world *world, uint64_t frame)
{
    uint64_t upload = TARGETS + 1 + frame % UPLOADS;
    make_line(make, "\n# frame %" PRIu64 ": places %" PRIu64 " to %" PRIu64, frame + 1, world->at,
              world->at + world->view - 1);
    make_line(make, "lock @%" PRIu64 " data=%" PRIu64 "\nunlock @%" PRIu64, upload, frame + 1,
              upload);
    for (uint64_t i = 0; i < world->view; i++) {
        uint64_t place = world->at + i;
        struct text_short large =
            i < world->near ? text_print(",@%" PRIu64, large_of(place)) : text_print("%s", "");
        make_line(make,
                  "submit @%" PRIu64 " read=@%" PRIu64 ",@%" PRIu64 "%s write=@1,@2 cost=%" PRIu64
                  "ns",
                  make_next(make), upload, small_of(place), large.it, world->cost);
    }
}

static void write_game(struct make *make)
{
    static const char *const question[] = {
        "A game streams its textures: near the camera it needs all mips of a place, farther away "
        "small ones.",
        "The camera walks, and sometimes turns back. The card holds a part of the textures.",
        "How much has to be brought again, and does what every frame needs ever leave?",
        NULL,
    };
    uint64_t frames = make_value(make, "frames");
    struct world world = { .places = make_value(make, "places"),
                           .view = make_value(make, "view"),
                           .near = make_value(make, "near"),
                           .cost = make_value(make, "cost") };
    struct make_head head = { .title = "A game that streams its textures",
                              .question = question,
                              .needs = needs_game(make),
                              .largest = max_u64(make_value(make, "target"),
                                                 max_u64(make_value(make, "texture"),
                                                         make_value(make, "upload"))) };
    make_begin(make, &head);
    create_world(make, &world);
    for (uint64_t i = 0; i < frames; i++) {
        draw(make, &world, i);
        walk(make, &world);
    }
    make_line(make, "\nwait idle");
    make_line(make, "# Each submission writes both targets, so by age they are the last to leave.");
    make_line(make, "expect no evict @1\nexpect no evict @2\nexpect use_hits > use_misses");
    make_line(make, "expect content of @1 intact");
    make_line(make, "note \"faults_first_access is what a walk without a turn would cost, too; "
                    "faults_evicted is the price\"");
    make_line(make,
              "note \"of a card that is smaller than all textures: what left is needed again.\"");
    make_line(make,
              "show counters "
              "use_hits,use_misses,faults_first_access,faults_evicted,bytes_paged_in,stall_ns");
}

const struct make_kind make_game = {
    .name = "game",
    .summary = "frames of a game: textures that stream in, render targets, uploads",
    .params = {
        { "frames", MAKE_COUNT, 40, 1, 10000000, "how many frames" },
        { "places", MAKE_COUNT, 20, 1, 1000000, "places along the way" },
        { "view", MAKE_COUNT, 8, 1, 10000, "places in sight" },
        { "near", MAKE_COUNT, 3, 1, 10000, "of them, those near the camera" },
        { "texture", MAKE_SIZE, 4 << 20, 4096, UINT64_C(1) << 32, "the large mips of a place" },
        { "target", MAKE_SIZE, 4 << 20, 4096, UINT64_C(1) << 32, "a render target" },
        { "upload", MAKE_SIZE, 1 << 20, 4096, UINT64_C(1) << 32, "an upload buffer" },
        { "cost", MAKE_TIME, 500000, 1, 1000000000, "the time to draw a place" },
        { "seed", MAKE_SEED, 1, 0, UINT64_MAX, "of the random walk: another one, another walk" },
        { "card", MAKE_SIZE, 32 << 20, 1 << 20, UINT64_C(1) << 40, "the memory of the card" },
    },
    .fits = fits_game,
    .lines = lines_game,
    .write = write_game,
};
