/* SPDX-License-Identifier: MIT */
/*
 * fuzz_replay.c: feeds a fuzz entry without a fuzzing engine.
 *
 *     fuzz_NAME [--rounds=N] [--seed=N] [--print] FILE...
 *
 * Every file is fed as it is; then N variants of each, made by cutting, repeating, exchanging and
 * changing bytes, by inserting words of the language, and by the target's own changes if it has
 * some. The variants depend on the seed only; with --print each is written to stdout before it is
 * fed, so that the last one printed is the one that stopped the process.
 */
#include "vidmm/base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* A target may have one; each second variant is made by it. */
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
                                                     unsigned seed);

enum { INPUT_MAX = 1 << 20, EDITS_MAX = 8 };

struct input {
    uint8_t *bytes;
    size_t length;
};

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static size_t below(uint64_t *state, size_t bound)
{
    return bound ? (size_t)(next_random(state) % bound) : 0;
}

static void insert(struct input *input, size_t at, const void *bytes, size_t length)
{
    if (input->length + length > INPUT_MAX)
        return;
    memmove(input->bytes + at + length, input->bytes + at, input->length - at);
    memcpy(input->bytes + at, bytes, length);
    input->length += length;
}

static void cut(struct input *input, uint64_t *state)
{
    size_t from = below(state, input->length + 1);
    size_t length = below(state, 64);
    length = length < input->length - from ? length : input->length - from;
    memmove(input->bytes + from, input->bytes + from + length, input->length - from - length);
    input->length -= length;
}

static void repeat(struct input *input, uint64_t *state)
{
    uint8_t piece[128];
    size_t from = below(state, input->length + 1);
    size_t length = below(state, sizeof piece);
    length = length < input->length - from ? length : input->length - from;
    memcpy(piece, input->bytes + from, length);
    insert(input, below(state, input->length + 1), piece, length);
}

static void insert_word(struct input *input, uint64_t *state)
{
    static const char *const words[] = {
        "\n",
        " ",
        "end\n",
        "repeat 3\n",
        "create ",
        "@7",
        "@8 ",
        "$i",
        "..",
        "->",
        " -> fails",
        "(",
        ")",
        "[0..2]",
        "any",
        "new",
        "all",
        "expect ",
        "events\n",
        "map vram\n",
        "test \"x\"\n",
        "choose\n",
        "case 1\n",
        "\"",
        "#",
        "=",
        ",",
        ":top",
        "0x",
        "18446744073709551615",
        "80% of ",
        "rand(1..2)",
        "submit f ",
        "destroy ",
        "lock ",
        "evict ",
        "size=",
        "flags=",
        "with\n",
        "at 0 slot 0 ",
        "1.1",
        "\xC3\xA9",
        "\xFF",
        "\r\n",
        "\t",
        "include \"card.vms\"\n",
        "always\n",
        "let a = ",
        "for i in 0..3\n",
        "wait idle\n",
        "advance 1s\n",
        "start\n",
        "resource r\n",
    };
    const char *word = words[below(state, ARRAY_COUNT(words))];
    insert(input, below(state, input->length + 1), word, strlen(word));
}

static void flip(uint8_t *byte, uint64_t *state)
{
    *byte ^= (uint8_t)(1u << below(state, 8));
}

static void edit(struct input *input, uint64_t *state)
{
    switch (below(state, 6)) {
    case 0: cut(input, state); break;
    case 1: repeat(input, state); break;
    case 2:
        if (input->length)
            input->bytes[below(state, input->length)] = (uint8_t)next_random(state);
        break;
    case 3:
        if (input->length)
            flip(&input->bytes[below(state, input->length)], state);
        break;
    default: insert_word(input, state); break;
    }
}

static bool read_file(const char *path, struct input *input)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    input->length = fread(input->bytes, 1, INPUT_MAX, file);
    fclose(file);
    return true;
}

static void change(struct input *input, unsigned long round, uint64_t *state)
{
    size_t edits = 1 + below(state, EDITS_MAX);
    for (; edits && round % 2 && LLVMFuzzerCustomMutator; edits--)
        input->length = LLVMFuzzerCustomMutator(input->bytes, input->length, INPUT_MAX,
                                                (unsigned)next_random(state));
    for (; edits; edits--)
        edit(input, state);
}

static void feed(const struct input *original, unsigned long rounds, uint64_t seed, bool print)
{
    struct input variant = { .bytes = base_alloc(INPUT_MAX, 1) };
    LLVMFuzzerTestOneInput(original->bytes, original->length);
    for (unsigned long round = 0; round < rounds; round++) {
        uint64_t state = (seed + round + 1) * 0x9E3779B97F4A7C15u;
        variant.length = original->length;
        memcpy(variant.bytes, original->bytes, original->length);
        change(&variant, round, &state);
        if (print) {
            printf("==== %lu\n%.*s\n", round, (int)variant.length, (char *)variant.bytes);
            fflush(stdout);
        }
        LLVMFuzzerTestOneInput(variant.bytes, variant.length);
    }
    base_free(variant.bytes);
}

int main(int argc, char **argv)
{
    unsigned long rounds = 0;
    uint64_t seed = 1;
    bool print = false;
    struct input input = { .bytes = base_alloc(INPUT_MAX, 1) };
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--rounds=", 9) == 0) {
            rounds = strtoul(argv[i] + 9, NULL, 10);
        } else if (strncmp(argv[i], "--seed=", 7) == 0) {
            seed = strtoull(argv[i] + 7, NULL, 10);
        } else if (strcmp(argv[i], "--print") == 0) {
            print = true;
        } else if (!read_file(argv[i], &input)) {
            fprintf(stderr, "%s: cannot be read\n", argv[i]);
            base_free(input.bytes);
            return 2;
        } else {
            feed(&input, rounds, seed, print);
        }
    }
    base_free(input.bytes);
    return 0;
}
