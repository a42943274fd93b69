/* SPDX-License-Identifier: MIT */
/*
 * make_training.c: steps of training: forward, backward, optimizer.
 *
 * Forward, each layer reads its weights and writes its activations; backward, in the opposite
 * order, it reads both again and writes its gradient; then the optimizer updates weights and its
 * own state. With keep=N only every N-th layer keeps its activations; the others are computed once
 * more when the backward pass needs them: less memory, more time.
 */
#include "tools/make/workload.h"

#include <inttypes.h>

/* Handles: weights 1.., then optimizer, gradients, activations; 0 of those is the input. */
struct layers {
    uint64_t count, keep, step_cost;
};

static uint64_t weights_of(const struct layers *layers, uint64_t i)
{
    (void)layers;
    return i;
}

static uint64_t optimizer_of(const struct layers *layers, uint64_t i)
{
    return layers->count + i;
}

static uint64_t gradient_of(const struct layers *layers, uint64_t i)
{
    return 2 * layers->count + i;
}

/* Of layer 0: the input. What is not kept lies in one of `keep` places that layers share. */
static uint64_t activation_of(const struct layers *layers, uint64_t i)
{
    uint64_t first = 3 * layers->count + 1;
    uint64_t kept = layers->count / layers->keep + 1;
    return i % layers->keep == 0 ? first + i / layers->keep : first + kept + i % layers->keep - 1;
}

static uint64_t count_activations(const struct layers *layers)
{
    return layers->count / layers->keep + 1 + layers->keep - 1;
}

static struct layers layers_of(const struct make *make)
{
    return (struct layers){ .count = make_value(make, "layers"),
                            .keep = make_value(make, "keep"),
                            .step_cost = make_value(make, "cost") };
}

static uint64_t needs_of(const struct make *make)
{
    struct layers layers = layers_of(make);
    return layers.count * (2 * make_value(make, "weights") + make_value(make, "optimizer")) +
           count_activations(&layers) * make_value(make, "activation");
}

static uint64_t largest_of(const struct make *make)
{
    return max_u64(make_value(make, "activation"),
                   max_u64(make_value(make, "weights"), make_value(make, "optimizer")));
}

static bool fits_training(const struct make *make, struct text *why)
{
    uint64_t most = 2 * make_value(make, "weights") + make_value(make, "optimizer") +
                    2 * make_value(make, "activation");
    if (make_value(make, "keep") > make_value(make, "layers")) {
        text_add(why, "keep=%" PRIu64 " is more than there are layers, %" PRIu64,
                 make_value(make, "keep"), make_value(make, "layers"));
        return false;
    }
    return make_has_room(make, most, "one layer with all it needs", why);
}

static uint64_t lines_training(const struct make *make)
{
    return make_value(make, "layers") * (4 * make_value(make, "steps") + 6) + 100;
}

static void forward(struct make *make, const struct layers *layers, uint64_t i)
{
    make_line(make,
              "submit @%" PRIu64 " read=@%" PRIu64 ",@%" PRIu64 " write=@%" PRIu64 " cost=%" PRIu64
              "ns",
              make_next(make), weights_of(layers, i), activation_of(layers, i - 1),
              activation_of(layers, i), layers->step_cost);
}

/* From the last layer back; what was not kept of a stretch is computed again before. */
static void backward(struct make *make, const struct layers *layers)
{
    for (uint64_t i = layers->count; i > 0; i--) {
        uint64_t begin = i - i % layers->keep;
        bool last_of_stretch = i == layers->count || (i + 1) % layers->keep == 0;
        for (uint64_t j = begin + 1; last_of_stretch && layers->keep > 1 && j <= i; j++)
            if (j % layers->keep != 0 && j != layers->count)
                forward(make, layers, j);
        make_line(make,
                  "submit @%" PRIu64 " read=@%" PRIu64 ",@%" PRIu64 ",@%" PRIu64 " write=@%" PRIu64
                  " cost=%" PRIu64 "ns",
                  make_next(make), weights_of(layers, i), activation_of(layers, i - 1),
                  activation_of(layers, i), gradient_of(layers, i), 2 * layers->step_cost);
    }
}

static void optimize(struct make *make, const struct layers *layers)
{
    for (uint64_t i = 1; i <= layers->count; i++)
        make_line(make,
                  "submit @%" PRIu64 " read=@%" PRIu64 " write=@%" PRIu64 ",@%" PRIu64
                  " cost=%" PRIu64 "ns",
                  make_next(make), gradient_of(layers, i), weights_of(layers, i),
                  optimizer_of(layers, i), layers->step_cost / 2 + 1);
}

static void create_all(struct make *make, const struct layers *layers)
{
    uint64_t activations = count_activations(layers);
    make_line(make, "class held segments=vram evict-to=aper\n");
    make_line(make,
              "# @1 to @%" PRIu64 ": weights; then the optimizer's state, gradients, activations",
              layers->count);
    for (uint64_t i = 1; i <= layers->count; i++)
        make_line(make, "create @%" PRIu64 " : held size=%s content=%" PRIu64,
                  weights_of(layers, i), make_size(make_value(make, "weights")).it, i);
    for (uint64_t i = 1; i <= layers->count; i++)
        make_line(make, "create @%" PRIu64 " : held size=%s", optimizer_of(layers, i),
                  make_size(make_value(make, "optimizer")).it);
    for (uint64_t i = 1; i <= layers->count; i++)
        make_line(make, "create @%" PRIu64 " : held size=%s", gradient_of(layers, i),
                  make_size(make_value(make, "weights")).it);
    for (uint64_t i = 0; i < activations; i++)
        make_line(make, "create @%" PRIu64 " : held size=%s", 3 * layers->count + 1 + i,
                  make_size(make_value(make, "activation")).it);
}

static void write_training(struct make *make)
{
    static const char *const question[] = {
        "A step of training needs the activations of all layers twice: forward in order, backward "
        "in the",
        "opposite one. With keep=N only every N-th is kept, and the others are computed again.",
        "When the card is too small for all of them, what costs more: the copies, or the "
        "computing?",
        NULL,
    };
    struct layers layers = layers_of(make);
    struct make_head head = { .title = "A training step: forward, backward, optimizer",
                              .question = question,
                              .needs = needs_of(make),
                              .largest = largest_of(make) };
    make_begin(make, &head);
    create_all(make, &layers);
    for (uint64_t step = 0; step < make_value(make, "steps"); step++) {
        make_line(make, "\n# step %" PRIu64 ": forward", step + 1);
        for (uint64_t i = 1; i <= layers.count; i++)
            forward(make, &layers, i);
        make_line(make, "# backward");
        backward(make, &layers);
        make_line(make, "# optimizer");
        optimize(make, &layers);
    }
    make_line(make, "\nwait idle");
    bool fits = needs_of(make) <= make_value(make, "card");
    make_line(make, fits ? "# All of it fits, so nothing leaves." : "# Not all of it fits.");
    make_line(make, fits ? "expect evictions == 0" : "expect evictions > 0");
    make_line(make, "expect content of @%" PRIu64 " intact", weights_of(&layers, 1));
    make_line(make,
              "note \"All allocations have %s, the card %s. stall_ns and node_idle_ns are the "
              "price of the copies;\"",
              make_size(needs_of(make)).it, make_size(make_value(make, "card")).it);
    make_line(make, "note \"make it with another keep=, and compare the virtual time of both.\"");
    make_line(make,
              "show counters use_hits,use_misses,bytes_paged_in,bytes_paged_out,node_busy_ns");
}

const struct make_kind make_training = {
    .name = "training",
    .summary = "steps of training a network: activations, weights, optimizer",
    .params = {
        { "layers", MAKE_COUNT, 8, 1, 100000, "layers of the network" },
        { "weights", MAKE_SIZE, 2 << 20, 4096, UINT64_C(1) << 36, "the weights of a layer" },
        { "optimizer", MAKE_SIZE, 4 << 20, 4096, UINT64_C(1) << 36, "its state for a layer" },
        { "activation", MAKE_SIZE, 6 << 20, 4096, UINT64_C(1) << 36, "the activations of a layer" },
        { "keep", MAKE_COUNT, 1, 1, 100000, "every so many layers the activations are kept" },
        { "steps", MAKE_COUNT, 3, 1, 1000000, "how many steps" },
        { "cost", MAKE_TIME, 300000, 1, 1000000000, "the time of a layer, forward" },
        { "card", MAKE_SIZE, 64 << 20, 1 << 20, UINT64_C(1) << 40, "the memory of the card" },
    },
    .fits = fits_training,
    .lines = lines_training,
    .write = write_training,
};
