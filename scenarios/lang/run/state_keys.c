/* SPDX-License-Identifier: MIT */
/*
 * state_keys.c: the keys of `state`, each as a field of its own kind.
 */
#include "scenarios/lang/run/statements.h"

#include <string.h>

static void put(struct vidmm_field *field, enum vidmm_field_kind kind, uint64_t value,
                const char *text)
{
    field->kind = kind;
    field->value = value;
    field->text = text;
}

#define KEY(name, kind, value)                                                                     \
    if (strcmp(key, name) == 0) {                                                                  \
        put(field, VIDMM_FIELD_##kind, (uint64_t)(value), NULL);                                   \
        return true;                                                                               \
    }
#define WORD(name, word)                                                                           \
    if (strcmp(key, name) == 0) {                                                                  \
        put(field, VIDMM_FIELD_WORD, 0, word);                                                     \
        return true;                                                                               \
    }

static bool key_of_adapter(const struct runner *runner, const char *key, struct vidmm_field *field)
{
    struct vidmm_adapter_view view;
    vidmm_adapter_view(runner->adapter, &view);
    KEY("wddm", NUMBER, view.wddm)
    KEY("shared", BYTES, view.shared_limit)
    KEY("committed", BYTES, view.committed)
    KEY("dedicated-video", BYTES, view.dedicated_video)
    KEY("dedicated-system", BYTES, view.dedicated_system)
    KEY("total", BYTES, view.total)
    KEY("local", BYTES, view.local)
    KEY("nonlocal", BYTES, view.nonlocal)
    KEY("nonbudget", BYTES, view.nonbudget)
    KEY("findings", NUMBER, view.findings)
    return false;
}

static bool key_of_segment(const struct runner *runner, uint32_t id, const char *key,
                           struct vidmm_field *field)
{
    struct vidmm_segment_view view;
    if (!vidmm_segment_view(runner->adapter, id, &view))
        return false;
    WORD("kind", view.kind)
    KEY("size", BYTES, view.bytes)
    KEY("page", BYTES, view.page_bytes)
    KEY("base", HEX, view.base)
    KEY("cpu", HEX, view.cpu_base)
    KEY("limit", BYTES, view.limit)
    KEY("committed", BYTES, view.committed)
    KEY("used", BYTES, view.used)
    KEY("free", BYTES, view.free_bytes)
    KEY("pinned", BYTES, view.pinned)
    KEY("pinstart", HEX, view.pin_start)
    KEY("banks", NUMBER, view.banks)
    KEY("flags", HEX, view.flags)
    KEY("memory-end", HEX, view.memory_end)
    KEY("host-aperture", BYTES, view.host_aperture)
    KEY("host-aperture-free", BYTES, view.host_aperture_free)
    KEY("vpr-start", HEX, view.vpr_start)
    KEY("vpr-size", BYTES, view.vpr_bytes)
    KEY("vpr-limit", NUMBER, view.vpr_limit)
    KEY("uefi-ranges", NUMBER, view.uefi_ranges)
    WORD("group", view.group)
    return false;
}

static const char *residency_word(const struct vidmm_allocation_view *view)
{
    static const char *const words[] = { "none", "evicted", "resident", "lost" };
    return words[view->residency];
}

static bool key_of_place(const struct vidmm_allocation_view *view, const char *key,
                         struct vidmm_field *field)
{
    bool resident = view->residency == VIDMM_RESIDENCY_RESIDENT;
    KEY("segment", SEGMENT, resident ? view->segment : 0)
    KEY("adapter", NUMBER, view->physical)
    KEY("copies", NUMBER, view->copies)
    KEY("offset", HEX, view->offset)
    KEY("runs", NUMBER, view->runs)
    KEY("size", BYTES, view->bytes)
    KEY("footprint", BYTES, view->footprint)
    KEY("alignment", BYTES, view->alignment)
    KEY("pinned", FLAG, view->pinned)
    WORD("residency", residency_word(view))
    KEY("lost", FLAG, view->residency == VIDMM_RESIDENCY_LOST)
    return false;
}

static const char *standard_word(uint32_t standard)
{
    static const char *const words[] = { "none", "shared-primary", "shadow", "staging",
                                         "gdi",  "virtual-gpu" };
    return standard < ARRAY_COUNT(words) ? words[standard] : "none";
}

/* Formats are told by name where they have one. */
static bool key_of_surface(const struct vidmm_allocation_view *view, const char *key,
                           struct vidmm_field *field)
{
    WORD("standard", standard_word(view->standard))
    KEY("width", NUMBER, view->width)
    KEY("height", NUMBER, view->height)
    KEY("pitch", BYTES, view->pitch)
    KEY("hint", NUMBER, view->hint_version)
    KEY("usage", HEX, view->hint_flags)
    const struct vidmm_flag *format;
    for (size_t i = 0; (format = vidmm_flag_row(VIDMM_FLAGS_FORMAT, i)) != NULL; i++)
        if (format->value == view->format && !(view->hint_flags & VIDMM_USAGE_PrivateFormat))
            WORD("format", format->name)
    KEY("format", HEX, view->format)
    return false;
}

/* The first preferred segment; the layout is that of DXGK_SEGMENTPREFERENCE. */
static uint64_t first_preferred(const struct vidmm_allocation_view *view)
{
    return view->preferred & 0x1F;
}

/* With NtSecuritySharing there is no global handle (KMT-016). */
static const char *sharing_word(bool shared, uint32_t global)
{
    return !shared ? "no" : global ? "global" : "nt";
}

static bool key_of_allocation(struct runner *runner, vidmm_handle handle, const char *key,
                              struct vidmm_field *field)
{
    struct vidmm_allocation_view view;
    if (!vidmm_allocation_view(runner->adapter, handle, &view))
        return false;
    if (key_of_place(&view, key, field))
        return true;
    KEY("flags", HEX, view.flags)
    KEY("flags2", HEX, view.flags2)
    KEY("primary", FLAG, view.primary)
    KEY("displayed", FLAG, view.displayed)
    KEY("vidpn", NUMBER, view.vidpn_source)
    if (key_of_surface(&view, key, field))
        return true;
    WORD("view", view.flag_view == VIDMM_FLAGS_ALLOCATION ? "Flags" : "FlagsWddm2")
    KEY("kmt", HEX, view.kmt)
    KEY("written", NUMBER, view.written_pages)
    KEY("backing-runs", NUMBER, view.backing_runs)
    WORD("holds", view.content)
    WORD("backing", view.backing)
    WORD("layout", view.layout)
    WORD("instance", view.instance)
    WORD("offer", vidmm_offer_state_name(vidmm_offer_state(runner->adapter, handle)))
    KEY("generation", NUMBER, view.generation)
    WORD("type", view.cached ? "cached" : view.uncached ? "uncached" : "wc")
    KEY("address", HEX, view.address)
    KEY("encrypted", FLAG, view.encrypted)
    KEY("dirty", FLAG, view.gpu_dirty)
    KEY("cpu-dirty", NUMBER, view.cpu_dirty_pages)
    KEY("pattern-only", FLAG, view.pattern_only)
    KEY("locks", NUMBER, view.locks)
    KEY("priority", HEX, view.priority)
    KEY("set", HEX, view.write_set)
    KEY("prefer", SEGMENT, first_preferred(&view))
    KEY("owner", ALLOCATION, view.owner)
    KEY("resource", ALLOCATION, view.resource)
    WORD("shared", sharing_word(view.shared, view.global_share))
    KEY("hGlobalShare", HEX, view.global_share)
    KEY("openings", NUMBER, view.openings)
    KEY("read-only", FLAG, view.read_only)
    return false;
}

static bool key_of_resource(const struct runner *runner, vidmm_handle handle, const char *key,
                            struct vidmm_field *field)
{
    struct vidmm_resource_view view;
    if (!vidmm_resource_view(runner->adapter, handle, &view))
        return false;
    KEY("kmt", HEX, view.flags)
    KEY("owner", ALLOCATION, view.device)
    KEY("allocations", NUMBER, view.allocations)
    KEY("runtime-data", BYTES, view.runtime_bytes)
    return false;
}

static bool key_of_node(const struct runner *runner, uint32_t node, const char *key,
                        struct vidmm_field *field)
{
    struct vidmm_node_view view;
    if (!vidmm_node_view(runner->adapter, node, &view))
        return false;
    KEY("issued", NUMBER, view.issued)
    KEY("completed", NUMBER, view.completed)
    KEY("queued", NUMBER, view.queued)
    return false;
}

static bool key_of_context(const struct runner *runner, vidmm_handle handle, const char *key,
                           struct vidmm_field *field)
{
    struct vidmm_context_view view;
    if (!vidmm_context_view(runner->adapter, handle, &view))
        return false;
    KEY("owner", ALLOCATION, view.device)
    KEY("DmaBufferSegmentSet", HEX, view.dma_segment_set)
    KEY("DmaBufferSize", BYTES, view.dma_bytes)
    KEY("DmaBufferPrivateDataSize", BYTES, view.dma_private_bytes)
    KEY("AllocationListSize", NUMBER, view.list_size)
    KEY("PatchLocationListSize", NUMBER, view.patch_size)
    return false;
}

bool state_keys_find(struct runner *runner, binding subject, const char *key,
                     struct vidmm_field *field, char *text, size_t bytes)
{
    uint32_t number = bindings_number(subject);
    *field = (struct vidmm_field){ .name = key };
    if (!subject)
        return key_of_adapter(runner, key, field);
    switch ((int)bindings_object(subject)) {
    case OBJECT_SEGMENT: return key_of_segment(runner, number, key, field);
    case OBJECT_ALLOCATION: return key_of_allocation(runner, number, key, field);
    case OBJECT_RESOURCE: return key_of_resource(runner, number, key, field);
    case OBJECT_NODE: return key_of_node(runner, number, key, field);
    case OBJECT_CONTEXT: return key_of_context(runner, number, key, field);
    case OBJECT_DEVICE: break;
    default: return false;
    }
    const char *state = vidmm_device_state(runner->adapter, number);
    snprintf(text, bytes, "%s", state ? state : "gone");
    WORD("state", text)
    return false;
}
