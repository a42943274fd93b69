/* SPDX-License-Identifier: MIT */
/*
 * objects.c: the segments and allocations of an act, and which of them an event means.
 *
 * An allocation is known from its creation to its end by its handle. What comes without an event
 * `create`, such as an instance of a renamed one, is asked of the adapter when it is first heard
 * of.
 */
#include "tools/scene/scene_state.h"

#include <string.h>

/* ---- segments ------------------------------------------------------------------------------- */

scene_index objects_segment(const struct scene_sink *self, uint64_t id)
{
    return id && id < ARRAY_COUNT(self->segments) ? self->segments[id] : SCENE_NONE;
}

/* The flag of an aperture is its kind. */
static scene_text segment_flags(struct scene_sink *self, uint32_t flags)
{
    char words[200];
    const struct vidmm_flag *aperture = vidmm_flag_by_name(VIDMM_FLAGS_SEGMENT, "Aperture");
    flags &= ~aperture->value;
    return flags
               ? texts_add(self, vidmm_flags_text(VIDMM_FLAGS_SEGMENT, flags, words, sizeof words))
               : 0;
}

/* Adapter 1 of a link calls its copy of vram "vram[1]". */
static uint32_t adapter_of(const char *name)
{
    const char *bracket = strrchr(name, '[');
    return bracket ? (uint32_t)strtoul(bracket + 1, NULL, 10) : 0;
}

/* An adapter that starts again reports them again: the newest report holds. */
static void learn_segment(struct scene_sink *self, const struct tale *tale)
{
    uint64_t id = tale_number(tale, "segment");
    CHECK(id && id < ARRAY_COUNT(self->segments));
    if (self->segments[id] == SCENE_NONE) {
        (void)SCENE_ADD(self, segments, segment_count);
        self->segments[id] = (scene_index)(self->scene.segment_count - 1);
    }
    self->page = min_u64(self->page, tale_number(tale, "page"));
    self->scene.segments[self->segments[id]] = (struct scene_segment){
        .name = texts_add(self, tale_word(tale, "name")),
        .kind = texts_add(self, tale_word(tale, "kind")),
        .flags = segment_flags(self, (uint32_t)tale_number(tale, "flags")),
        .id = (uint32_t)id,
        .banks = (uint32_t)tale_number(tale, "banks"),
        .adapter = adapter_of(tale_word(tale, "name")),
        .base = tale_number(tale, "base"),
        .size = tale_number(tale, "size"),
        .commit_limit = tale_number(tale, "limit"),
        .pin_start = tale_number(tale, "pinstart"),
    };
}

/* ---- allocations ---------------------------------------------------------------------------- */

/* PreferredSegment: SegmentIdN:5, DirectionN:1. */
static void add_preferences(struct scene_sink *self, uint32_t preferred, struct text *out)
{
    const char *before = out->length ? ", prefers " : "prefers ";
    for (unsigned at = 0; at + 6 <= 32; at += 6) {
        uint32_t id = preferred >> at & 31;
        if (!id)
            continue;
        text_add(out, "%s%s%s", before, names_segment(&self->narrator.names, id).it,
                 preferred >> at & 32 ? " from the end" : "");
        before = ", ";
    }
}

static scene_text allocation_flags(struct scene_sink *self,
                                   const struct vidmm_allocation_view *view)
{
    char words[200];
    struct text text = { 0 };
    if (view->flags)
        text_add(&text, "%s", vidmm_flags_text(view->flag_view, view->flags, words, sizeof words));
    add_preferences(self, view->preferred, &text);
    scene_text added = texts_add(self, text_get(&text));
    text_free(&text);
    return added;
}

static scene_text format_name(struct scene_sink *self, uint32_t format)
{
    char words[64];
    return format
               ? texts_add(self, vidmm_flags_text(VIDMM_FLAGS_FORMAT, format, words, sizeof words))
               : 0;
}

static struct known *add_allocation(struct scene_sink *self, vidmm_handle handle)
{
    struct vidmm_allocation_view view;
    if (!self->adapter || !vidmm_allocation_view(self->adapter, handle, &view))
        return NULL;
    struct known *known = base_alloc(1, sizeof *known);
    known->handle = handle;
    known->index = (scene_index)self->scene.allocation_count;
    known->moved_from = known->freed = SCENE_NONE;
    for (int kind = 0; kind < SCENE_MARKS; kind++)
        known->marks[kind] = SCENE_NONE;
    HASH_ADD(hh, self->known, handle, sizeof known->handle, known);
    struct scene_allocation *row = SCENE_ADD(self, allocations, allocation_count);
    *row = (struct scene_allocation){
        .handle = handle,
        .label = texts_add(self, names_allocation(&self->narrator.names, handle).it),
        .process = view.process ? texts_add(self, vidmm_label(self->adapter, view.process)) : 0,
        .flags = allocation_flags(self, &view),
        .bytes = view.bytes,
        .width = view.width,
        .height = view.height,
        .format = format_name(self, view.format),
        .priority = view.priority,
        .created = SCENE_NONE,
        .destroyed = SCENE_NONE,
    };
    return known;
}

struct known *objects_known(struct scene_sink *self, vidmm_handle handle)
{
    struct known *known = NULL;
    if (!handle)
        return NULL;
    HASH_FIND(hh, self->known, &handle, sizeof handle, known);
    return known ? known : add_allocation(self, handle);
}

void objects_find(struct scene_sink *self, struct heard *heard)
{
    if (heard->event->kind == VIDMM_EVENT_REPORT_SEGMENT)
        learn_segment(self, &heard->tale);
    heard->known = objects_known(self, heard->event->subject);
    heard->allocation = heard->known ? heard->known->index : SCENE_NONE;
}

static void forget(struct scene_sink *self, struct known *known, scene_index event)
{
    stays_forget(known);
    marks_forget(self, known, event);
    HASH_DEL(self->known, known);
    base_free(known);
}

void objects_hear(struct scene_sink *self, const struct heard *heard)
{
    if (!heard->known)
        return;
    struct scene_allocation *row = &self->scene.allocations[heard->allocation];
    switch (heard->event->kind) {
    case VIDMM_EVENT_CREATE:
    case VIDMM_EVENT_RENAME:
        if (row->created == SCENE_NONE)
            row->created = heard->row;
        break;
    case VIDMM_EVENT_PRIORITY: row->priority = (uint32_t)tale_number(&heard->tale, "to"); break;
    case VIDMM_EVENT_DESTROY:
        row->destroyed = heard->row;
        forget(self, heard->known, heard->row);
        break;
    default: break;
    }
}

void objects_end(struct scene_sink *self)
{
    struct known *known, *next;
    HASH_ITER(hh, self->known, known, next)
    forget(self, known, SCENE_NONE);
    for (size_t i = 0; i < ARRAY_COUNT(self->segments); i++)
        self->segments[i] = SCENE_NONE;
}
