/* SPDX-License-Identifier: MIT */
/*
 * make_llm.c: a language model whose weights are larger than the card.
 *
 * Each token needs every layer, in the same order: a cycle. The state of the layers and the cache
 * of keys and values are needed by every submission. All references are known, so the smallest
 * number of misses is, too: Belady's rule (1966), carried out here on slots of one layer each.
 */
#include "tools/make/workload.h"

#include <inttypes.h>

static uint64_t scratch_bytes(const struct make *make)
{
    return make_value(make, "state") + make_value(make, "cache");
}

/* Layers that the card holds beside the scratch. */
static uint64_t count_slots(const struct make *make)
{
    uint64_t card = make_value(make, "card");
    uint64_t scratch = scratch_bytes(make);
    return card > scratch ? (card - scratch) / make_value(make, "layer") : 0;
}

static bool fits_llm(const struct make *make, struct text *why)
{
    return make_has_room(make, scratch_bytes(make) + make_value(make, "layer"),
                         "a layer beside state and cache", why);
}

static uint64_t lines_llm(const struct make *make)
{
    return make_value(make, "layers") * (make_value(make, "tokens") + 1) + 100;
}

/*
 * In a cycle the longest unused is always the next that is needed, so by LRU each reference misses.
 * The best eviction gives up the layer that was just used, for all others are needed sooner.
 */
static uint64_t least_misses(uint64_t layers, uint64_t slots, uint64_t tokens)
{
    bool *held = base_alloc(layers, sizeof *held);
    uint64_t misses = 0;
    for (uint64_t i = 0; i < layers * tokens; i++) {
        if (held[i % layers])
            continue;
        held[i % layers] = true;
        if (misses++ >= slots)
            held[(i - 1) % layers] = false;
    }
    base_free(held);
    return misses;
}

static void write_llm(struct make *make)
{
    static const char *const question[] = {
        "A language model computes a token from all of its layers, one after the other; then the "
        "next token.",
        "Its weights are larger than the card. Which policy copies the least from system memory?",
        NULL,
    };
    uint64_t layers = make_value(make, "layers");
    uint64_t tokens = make_value(make, "tokens");
    uint64_t layer = make_value(make, "layer");
    uint64_t slots = count_slots(make);
    struct make_head head = { .title = "A language model that is larger than the card",
                              .question = question,
                              .needs = layers * layer + scratch_bytes(make),
                              .largest = max_u64(layer, scratch_bytes(make)) };
    make_begin(make, &head);
    make_line(make, "class weights segments=vram evict-to=aper flags=CpuVisible,PermanentSysMem");
    make_line(make, "class scratch segments=vram evict-to=aper\n");
    make_line(make, "# @1 to @%" PRIu64 ": the layers; then the state between them, and the cache",
              layers);
    make_line(make, "create @%" PRIu64 " : scratch size=%s", layers + 1,
              make_size(make_value(make, "state")).it);
    make_line(make, "create @%" PRIu64 " : scratch size=%s", layers + 2,
              make_size(make_value(make, "cache")).it);
    for (uint64_t i = 1; i <= layers; i++)
        make_line(make, "create @%" PRIu64 " : weights size=%s content=%" PRIu64, i,
                  make_size(layer).it, i);
    for (uint64_t token = 0; token < tokens; token++) {
        make_line(make, "\n# token %" PRIu64, token + 1);
        for (uint64_t i = 1; i <= layers; i++)
            make_line(make,
                      "submit @%" PRIu64 " read=@%" PRIu64 " write=@%" PRIu64 ",@%" PRIu64
                      " cost=%" PRIu64 "ns",
                      make_next(make), i, layers + 1, layers + 2, make_value(make, "cost"));
    }
    make_line(make, "\nwait idle");
    uint64_t misses = slots >= layers ? layers : layers * tokens;
    uint64_t least = least_misses(layers, slots, tokens);
    make_line(
        make,
        "# Three references in each submission. State and cache stay, after one miss each; of the");
    make_line(make, "# layers, at least those miss that no policy can keep, and at most all.");
    make_line(make, "expect use_hits + use_misses == %" PRIu64, 3 * layers * tokens);
    make_line(make, "expect use_misses >= %" PRIu64 "\nexpect use_misses <= %" PRIu64, least + 2,
              misses + 2);
    make_line(make, "expect no evict @%" PRIu64 "\nexpect no evict @%" PRIu64, layers + 1,
              layers + 2);
    make_line(make,
              "note \"The card holds %" PRIu64 " of %" PRIu64
              " layers. The longest unused leaves first: %" PRIu64 " of %" PRIu64
              " references of a layer miss.\"",
              slots < layers ? slots : layers, layers, misses, layers * tokens);
    make_line(make,
              "note \"The best that any policy can do is %" PRIu64
              " misses: it gives up the layer that was just used.\"",
              least);
    make_line(make, "show counters use_hits,use_misses,bytes_paged_in,stall_ns");
}

const struct make_kind make_llm = {
    .name = "llm",
    .summary = "a language model whose weights are larger than the card",
    .params = {
        { "layers", MAKE_COUNT, 12, 1, 100000, "how many layers" },
        { "layer", MAKE_SIZE, 8 << 20, 4096, UINT64_C(1) << 36, "the weights of a layer" },
        { "tokens", MAKE_COUNT, 6, 1, 10000000, "how many tokens" },
        { "state", MAKE_SIZE, 1 << 20, 4096, UINT64_C(1) << 36, "the state between layers" },
        { "cache", MAKE_SIZE, 3 << 20, 4096, UINT64_C(1) << 36, "the cache of keys and values" },
        { "cost", MAKE_TIME, 200000, 1, 1000000000, "the time of a layer" },
        { "card", MAKE_SIZE, 64 << 20, 1 << 20, UINT64_C(1) << 40, "the memory of the card" },
    },
    .fits = fits_llm,
    .lines = lines_llm,
    .write = write_llm,
};
