/* SPDX-License-Identifier: MIT */
/*
 * prop_script.c: a round as a scenario that a person can read and `vidmm run` can replay.
 */
#include "tests/model/prop_manager.h"
#include "vidmm/base/base.h"
#include "vidmm/vidmm_flags.h"

#include <inttypes.h>

static void print_set(FILE *file, const char *name, uint32_t set)
{
    const char *separator = "=";
    if (set == 0)
        return;
    (void)fprintf(file, " %s", name);
    for (uint32_t id = 1; id <= MODEL_SEGMENTS; id++) {
        if (!(set >> (id - 1) & 1))
            continue;
        (void)fprintf(file, "%ss%u", separator, id);
        separator = ",";
    }
}

static void print_flags(FILE *file, const char *name, enum vidmm_flag_set set, uint32_t flags)
{
    char text[240];
    if (flags)
        (void)fprintf(file, " %s=%s", name, vidmm_flags_text(set, flags, text, sizeof text));
}

static void print_preferences(FILE *file, const struct model_wish *wish)
{
    const char *separator = " prefer=";
    for (unsigned i = 0; i < VIDMM_PREFERENCES_MAX; i++) {
        uint32_t entry = wish->preferred >> (6 * i) & 63;
        if (entry == 0)
            continue;
        (void)fprintf(file, "%ss%u%s", separator, entry & 31, entry & 32 ? ":top" : "");
        separator = ",";
    }
    separator = " banks=";
    for (unsigned i = 0; i < VIDMM_BANK_HINTS_MAX; i++) {
        uint32_t entry = wish->hinted_bank >> (8 * i) & 255;
        if (entry == 0)
            continue;
        (void)fprintf(file, "%s%u%s", separator, entry & 127, entry & 128 ? ":top" : "");
        separator = ",";
    }
}

static void print_segment(FILE *file, uint32_t id, const struct model_segment_wish *segment)
{
    const char *separator = " banks=";
    (void)fprintf(file, "segment s%u id=%u kind=%s size=%" PRIu64, id, id,
                  segment->aperture ? "aperture" : "memory", segment->bytes);
    if (segment->limit)
        (void)fprintf(file, " commit=%" PRIu64, segment->limit);
    for (uint32_t i = 0; i < segment->banks; i++) {
        (void)fprintf(file, "%s%" PRIu64, separator, segment->bank_ends[i]);
        separator = ",";
    }
    uint32_t flags =
        (segment->cpu_visible ? 0x4u : 0) | (segment->page_bytes > MODEL_HOST_PAGE ? 0x800u : 0);
    print_flags(file, "flags", VIDMM_FLAGS_SEGMENT, flags);
    (void)fputc('\n', file);
}

static void print_adapter(FILE *file, const struct model_adapter_wish *adapter)
{
    static const char *const DIRECTIONS[] = { "auto", "bottom-up", "vidmm" };
    (void)fprintf(file, "adapter wddm=%u.%u pinned-percent=%u direction-zero=%s",
                  adapter->wddm / 10, adapter->wddm % 10, adapter->pinned_percent,
                  DIRECTIONS[adapter->direction_zero]);
    if (adapter->fallback_lost)
        (void)fprintf(file, " evict-fallback=lost");
    if (adapter->aperture_commit_limit)
        (void)fprintf(file, " ApertureSegmentCommitLimit=%" PRIu64, adapter->aperture_commit_limit);
    (void)fprintf(file, "\nmachine memory=%" PRIu64, adapter->memory_bytes);
    if (adapter->commit_bytes)
        (void)fprintf(file, " commit=%" PRIu64, adapter->commit_bytes);
    (void)fputc('\n', file);
    for (uint32_t id = 1; id <= adapter->segment_count; id++)
        print_segment(file, id, &adapter->segments[id - 1]);
    (void)fprintf(file, "paging-buffer segment=");
    if (adapter->paging_buffer_segment)
        (void)fprintf(file, "s%u", adapter->paging_buffer_segment);
    else
        (void)fprintf(file, "system");
    (void)fprintf(file, " size=%" PRIu64 " count=%u\n", adapter->paging_buffer_bytes,
                  adapter->paging_buffers);
}

/* ---- names -------------------------------------------------------------------------------------
 */

/* The names that exist if every earlier operation succeeded: a7 on the first device, b7 on
 * the second. */
struct script {
    FILE *file;
    bool version_2;
    bool open[PROP_DEVICES][MODEL_ALLOCATIONS];
    uint32_t locks[MODEL_ALLOCATIONS];
    uint8_t lock_device[MODEL_ALLOCATIONS];
};

static char letter(const struct script *script, uint8_t slot, uint8_t preferred)
{
    return (char)('a' + (script->open[preferred][slot] || !script->open[1 - preferred][slot]
                             ? preferred
                             : 1 - preferred));
}

static void follow(struct script *script, const struct prop_op *op)
{
    bool create = op->kind == PROP_CREATE;
    if (create || op->kind == PROP_DESTROY)
        script->open[0][op->slot] = script->open[1][op->slot] = false;
    if (create)
        script->locks[op->slot] = 0;
    if (create || op->kind == PROP_OPEN || op->kind == PROP_CLOSE)
        script->open[op->device][op->slot] = op->kind != PROP_CLOSE;
    if (op->kind == PROP_CLOSE && script->lock_device[op->slot] == op->device)
        script->locks[op->slot] = 0;
    script->locks[op->slot] += op->kind == PROP_LOCK;
    script->locks[op->slot] -= op->kind == PROP_UNLOCK && script->locks[op->slot] > 0;
}

/* All locks of an allocation are of one device. */
static char locking(struct script *script, const struct prop_op *op)
{
    if (!script->locks[op->slot])
        script->lock_device[op->slot] = (uint8_t)(letter(script, op->slot, op->device) - 'a');
    return (char)('a' + script->lock_device[op->slot]);
}

/* ---- operations --------------------------------------------------------------------------------
 */

static void print_create(const struct script *script, const struct prop_op *op, size_t number)
{
    FILE *file = script->file;
    const struct model_wish *wish = &op->wish;
    if (wish->flags & 0x10)
        (void)fprintf(file, "sysmem m%zu size=%" PRIu64 "\n", number, wish->bytes);
    (void)fprintf(file, "create %c%u size=%" PRIu64 " device=dev%u%s", 'a' + op->device, op->slot,
                  wish->bytes, op->device, op->shared ? " kmt=CreateResource,CreateShared" : "");
    if (wish->alignment)
        (void)fprintf(file, " alignment=%" PRIu64, wish->alignment);
    print_set(file, "read", wish->read_set);
    print_set(file, "write", wish->write_set);
    print_set(file, "evict-to", wish->eviction_set);
    print_preferences(file, wish);
    (void)fprintf(file, " priority=0x%" PRIX32, wish->priority);
    print_flags(file, "flags",
                script->version_2 ? VIDMM_FLAGS_ALLOCATION2_0 : VIDMM_FLAGS_ALLOCATION,
                wish->flags);
    if (wish->flags & 0x10)
        (void)fprintf(file, " from=m%zu", number);
    if (wish->has_content)
        (void)fprintf(file, " content=%zu", number);
    (void)fprintf(file, " -> either\n");
}

static void print_uses(FILE *file, const struct prop_op *op, bool write)
{
    const char *separator = write ? " write=" : " read=";
    for (size_t i = 0; i < op->use_count; i++) {
        if (op->uses[i].write != write)
            continue;
        (void)fprintf(file, "%s%c%u", separator, 'a' + op->device, op->uses[i].slot);
        separator = ",";
    }
}

/* In list order: the short form would put all reads first. */
static void print_submit(FILE *file, const struct prop_op *op, size_t number)
{
    (void)fprintf(file, "submit f%zu ctx=ctx%u cost=20us", number, op->device);
    if (op->use_count == 1 && !op->uses[0].none) {
        print_uses(file, op, op->uses[0].write);
        (void)fprintf(file, " -> either\n");
        return;
    }
    (void)fprintf(file, " with -> either\n");
    size_t split = 0;
    for (size_t i = 0; i < op->use_count; i++) {
        const struct model_use *use = &op->uses[i];
        if (i && use->group != op->uses[i - 1].group)
            split = i;
        (void)fprintf(file, "  at %zu slot %u", 16 * i, use->slot_id);
        if (use->none)
            (void)fprintf(file, " none");
        else
            (void)fprintf(file, " %s %c%u", use->write ? "write" : "read", 'a' + op->device,
                          use->slot);
        (void)fprintf(file, " split=%zu\n", 16 * split);
    }
    (void)fprintf(file, "end\n");
}

static void print_lock(struct script *script, const struct prop_op *op)
{
    FILE *file = script->file;
    char name = locking(script, op);
    (void)fprintf(file, "lock %c%u", name, op->slot);
    print_flags(file, "flags", VIDMM_FLAGS_LOCK, op->value);
    uint64_t last = op->pages.first + op->pages.count - 1;
    if (op->pages.count)
        (void)fprintf(file, " pages=%" PRIu64 "..%" PRIu64, op->pages.first, last);
    (void)fprintf(file, " -> either\n");
    if (op->write && op->pages.count)
        (void)fprintf(file, "write %c%u pages=%" PRIu64 "..%" PRIu64 "\n", name, op->slot,
                      op->pages.first, last);
    else if (op->write)
        (void)fprintf(file, "write %c%u\n", name, op->slot);
}

static void print_open(const struct script *script, const struct prop_op *op)
{
    (void)fprintf(script->file, "open %c%u as %c%u device=dev%u -> either\n", 'b' - op->device,
                  op->slot, 'a' + op->device, op->slot, op->device);
}

static void print_destroy(const struct script *script, const struct prop_op *op)
{
    for (uint8_t device = 0; device < PROP_DEVICES; device++)
        if (script->open[device][op->slot])
            (void)fprintf(script->file, "destroy %c%u -> either\n", 'a' + device, op->slot);
}

static void print_op(struct script *script, const struct prop_op *op, size_t number)
{
    static const char *const WORDS[] = { [PROP_EVICT] = "evict",
                                         [PROP_PIN] = "pin",
                                         [PROP_UNPIN] = "unpin",
                                         [PROP_RECLAIM] = "reclaim" };
    FILE *file = script->file;
    char name = letter(script, op->slot, 0);
    switch (op->kind) {
    case PROP_CREATE: print_create(script, op, number); break;
    case PROP_DESTROY: print_destroy(script, op); break;
    case PROP_SUBMIT: print_submit(file, op, number); break;
    case PROP_LOCK: print_lock(script, op); break;
    case PROP_OPEN: print_open(script, op); break;
    case PROP_UNLOCK:
        (void)fprintf(file, "unlock %c%u -> either\n", locking(script, op), op->slot);
        break;
    case PROP_CLOSE:
        (void)fprintf(file, "destroy %c%u -> either\n", 'a' + op->device, op->slot);
        break;
    case PROP_LEVEL3: (void)fprintf(file, "reset level3\n"); break;
    case PROP_ADVANCE: (void)fprintf(file, "advance %" PRIu32 "us\n", op->value); break;
    case PROP_PRIORITY:
        (void)fprintf(file, "priority %c%u 0x%" PRIX32 " -> either\n", name, op->slot, op->value);
        break;
    case PROP_OFFER:
        (void)fprintf(file, "wait idle\noffer %c%u priority=%" PRIu32 " -> either\n", name,
                      op->slot, op->value);
        break;
    case PROP_PAGE_IN:
        (void)fprintf(file, "page-in %c%u%s -> either\n", name, op->slot,
                      op->write ? " write" : "");
        break;
    default: (void)fprintf(file, "%s %c%u -> either\n", WORDS[op->kind], name, op->slot); break;
    }
    follow(script, op);
}

void prop_print_scenario(FILE *file, const struct prop_round *round)
{
    struct script script = { .file = file, .version_2 = round->adapter.wddm >= VIDMM_WDDM_2_0 };
    (void)fprintf(file, "vidmm-scenario 1\n# seed %" PRIu64 " of prop_manager, shortened\n",
                  round->seed);
    print_adapter(file, &round->adapter);
    (void)fprintf(file, "process app\ndevice dev0\ncontext ctx0\ndevice dev1\ncontext ctx1\n");
    for (size_t i = 0; i < round->count; i++) {
        print_op(&script, &round->ops[i], i + 1);
        if (round->mode == PROP_STILL)
            (void)fprintf(file, "wait idle\n");
    }
}
