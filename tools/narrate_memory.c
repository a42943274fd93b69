/* SPDX-License-Identifier: MIT */
/* narrate_memory.c: the sentences about places and paging. */
#include "tools/tale.h"

#include <inttypes.h>
#include <string.h>

/* ---- place --------------------------------------------------------------------------------- */

void narrate_memory_candidate(const struct tale *tale)
{
    static const struct wording results[] = {
        { "free", "there is room" },
        { "room", "there is room when others leave" },
        { "full", "there is no room" },
    };
    text_add(tale->out, "%s was tried for %s between %s and %s, %s: %s", tale_segment(tale).it,
             tale_who(tale), text_offset(tale_number(tale, "low")).it,
             text_size(tale_number(tale, "high")).it, tale_word(tale, "direction"),
             tale_wording(results, ARRAY_COUNT(results), tale_word(tale, "result")));
}

void narrate_memory_shortage(const struct tale *tale)
{
    static const struct wording causes[] = {
        { "commit-limit", "the commit limit does not allow so much" },
        { "protected-limit", "the protected range takes no more allocations" },
        { "full", "too little is free" },
        { "fragmented", "no hole is large enough" },
        { "alignment", "no hole is aligned for it" },
        { "common-offset", "no hole is at the same offset on every adapter" },
    };
    text_add(tale->out, "%s has no place for %s: %s (%s needed, %s free, largest hole %s)",
             tale_segment(tale).it, tale_who(tale),
             tale_wording(causes, ARRAY_COUNT(causes), tale_word(tale, "cause")),
             tale_size(tale, "bytes").it, tale_size(tale, "free").it,
             tale_size(tale, "largest").it);
}

/* What is not an allocation: taken by the system itself. */
static bool place_of_system(const struct tale *tale)
{
    static const struct wording kinds[] = {
        { "invalid", "are broken: nothing is ever placed there" },
        { "reserve", "are the reserve of the protected range" },
        { "pagingbuffer", "are a paging buffer" },
        { "dmabuffer", "became a DMA buffer" },
    };
    const char *text = tale_wording(kinds, ARRAY_COUNT(kinds), tale_word(tale, "kind"));
    if (!*text)
        return false;
    text_add(tale->out, "%s at %s in %s %s", tale_size(tale, "bytes").it, tale_offset(tale).it,
             tale_segment(tale).it, text);
    if (*tale_who(tale))
        text_add(tale->out, " of %s", tale_who(tale));
    return true;
}

void narrate_memory_place(const struct tale *tale)
{
    if (place_of_system(tale))
        return;
    bool down = tale_is(tale, "direction", "top-down");
    if (!tale_number(tale, "segment"))
        text_add(tale->out, "%s got its place in locked pages of system memory", tale_who(tale));
    else if (tale_number(tale, "runs") > 1)
        text_add(tale->out, "%s was placed in %s in %" PRIu64 " pieces, the first at %s",
                 tale_who(tale), tale_segment(tale).it, tale_number(tale, "runs"),
                 tale_offset(tale).it);
    else
        text_add(tale->out, "%s was placed in %s at %s (%s)", tale_who(tale), tale_segment(tale).it,
                 tale_offset(tale).it, down ? "top-down, last fit" : "bottom-up, first fit");
}

void narrate_memory_unplace(const struct tale *tale)
{
    text_add(tale->out, "%s at %s in %s became free", tale_size(tale, "bytes").it,
             tale_offset(tale).it, tale_segment(tale).it);
    if (*tale_who(tale))
        text_add(tale->out, ", which %s had used", tale_who(tale));
}

void narrate_memory_pin(const struct tale *tale)
{
    static const struct wording kinds[] = {
        { "shared-primary", "as the shared primary" }, { "context", "for a context that runs" },
        { "display", "as it is displayed" },           { "overlay", "as an overlay" },
        { "capture", "as a capture buffer" },          { "script", "as the scenario asked" },
    };
    text_add(tale->out, "%s was pinned in %s, %s", tale_who(tale), tale_segment(tale).it,
             tale_wording(kinds, ARRAY_COUNT(kinds), tale_word(tale, "kind")));
}

void narrate_memory_unpin(const struct tale *tale)
{
    text_add(tale->out, "%s is not pinned any more and may leave %s", tale_who(tale),
             tale_segment(tale).it);
}

/* ---- paging -------------------------------------------------------------------------------- */

void narrate_memory_page_in(const struct tale *tale)
{
    static const struct wording reasons[] = {
        { "first-access", "it is used for the first time" },
        { "evicted", "it was evicted before" },
        { "migration", "it has to move while the CPU holds a lock" },
        { "incorrect-resource", "where it is now does not allow this access" },
        { "script", "the scenario asked" },
        { "lock", "the CPU wants access" },
        { "property", "its properties changed" },
        { "reclaimed", "its content was thrown away while it was offered" },
        { "pin", "it is pinned, so it has its place before it is used" },
    };
    text_add(tale->out, "%s had to be brought into %s: %s", tale_who(tale), tale_segment(tale).it,
             tale_wording(reasons, ARRAY_COUNT(reasons), tale_word(tale, "reason")));
}

void narrate_memory_evict(const struct tale *tale)
{
    static const struct wording reasons[] = {
        { "room", "to make room" },
        { "retry", "so that its whole list can be placed again, largest first" },
        { "pin", "to make room for something pinned" },
        { "commit", "to stay within the commit limit" },
        { "evictrange", "to clear the range that an eviction needs" },
        { "script", "because the scenario asked" },
        { "lock", "because the CPU wants access" },
        { "destroy", "because it is destroyed" },
        { "level3", "because video memory is emptied" },
        { "pnpstop", "because the adapter is stopped" },
        { "exclude", "because the driver wants the adapter for itself" },
        { "tdr", "because the hardware was reset" },
        { "standby", "because it would not survive standby" },
        { "hibernate", "because it would not survive hibernation" },
        { "migration", "because it moves to another segment" },
    };
    static const struct wording ways[] = {
        { "discard", "nothing has to be copied" },
        { "direct", "its content goes straight to system memory" },
        { "unmap", "its pages are unmapped" },
        { "lost", "there is no way out for its content" },
    };
    const char *via = tale_word(tale, "via");
    const char *way = tale_wording(ways, ARRAY_COUNT(ways), via);
    text_add(tale->out, "%s was evicted from %s", tale_who(tale), tale_segment(tale).it);
    if (tale_number(tale, "segment")) /* system memory has no offsets */
        text_add(tale->out, " at %s", tale_offset(tale).it);
    text_add(tale->out, " %s%s",
             tale_wording(reasons, ARRAY_COUNT(reasons), tale_word(tale, "reason")),
             tale_number(tale, "locked") ? ", although the CPU holds a lock of it" : "");
    if (way != via)
        text_add(tale->out, ": %s", way);
    else
        text_add(tale->out, ": its content goes through %s to system memory", via);
    if (*tale_word(tale, "passed"))
        text_add(tale->out, ", for no segment of its eviction set can take it (%s)",
                 tale_word(tale, "passed"));
}

/* The GART driver needs no packet (SEG-017). */
static const char *how_changed(const struct tale *tale)
{
    return tale_is(tale, "by", "gart") ? "was done by the GART driver" : "was queued";
}

void narrate_memory_map(const struct tale *tale)
{
    text_add(tale->out, "mapping %s", text_count(tale_number(tale, "pages"), "system page").it);
    if (*tale_who(tale))
        text_add(tale->out, " of %s", tale_who(tale));
    text_add(tale->out, " into %s at %s %s", tale_segment(tale).it, tale_offset(tale).it,
             how_changed(tale));
}

void narrate_memory_unmap(const struct tale *tale)
{
    text_add(tale->out, "unmapping %s", text_count(tale_number(tale, "pages"), "page").it);
    if (*tale_who(tale))
        text_add(tale->out, " of %s", tale_who(tale));
    text_add(tale->out, " from %s at %s %s", tale_segment(tale).it, tale_offset(tale).it,
             how_changed(tale));
}

static const char *side(const char *name)
{
    return strcmp(name, "system") == 0 ? "system memory" : name;
}

void narrate_memory_transfer(const struct tale *tale)
{
    const char *what = "";
    if (tale->event->kind == VIDMM_EVENT_UPDATE)
        what = "that the CPU wrote ";
    else if (tale->event->kind == VIDMM_EVENT_SPECIAL_LOCK_TRANSFER)
        what = "by way of its alternate address ";
    text_add(tale->out, "copying %s of %s %sfrom %s to %s was queued", tale_size(tale, "bytes").it,
             tale_who(tale), what, side(tale_word(tale, "from")), side(tale_word(tale, "to")));
    if (tale_number(tale, "encrypted"))
        text_add(tale->out, ", encrypted");
}

void narrate_memory_fill(const struct tale *tale)
{
    text_add(tale->out, "filling %s of %s with the pattern 0x%" PRIX64 " was queued, in %s at %s",
             tale_size(tale, "bytes").it, tale_who(tale), tale_number(tale, "pattern"),
             tale_segment(tale).it, tale_offset(tale).it);
}

void narrate_memory_init_context(const struct tale *tale)
{
    text_add(tale->out, "the driver brings the first content of %s, %s, in %s at %s",
             tale_who(tale), tale_size(tale, "bytes").it, tale_segment(tale).it,
             tale_offset(tale).it);
}

void narrate_memory_notify(const struct tale *tale)
{
    static const struct wording kinds[] = {
        { "resident", "is resident" },
        { "not-resident", "is not resident any more" },
        { "eviction", "is about to be evicted" },
    };
    text_add(tale->out, "the miniport was told that %s %s", tale_who(tale),
             tale_wording(kinds, ARRAY_COUNT(kinds), tale_word(tale, "kind")));
    if (tale_is(tale, "kind", "resident"))
        text_add(tale->out, ", in %s at %s", tale_segment(tale).it, tale_offset(tale).it);
}

void narrate_memory_host_aperture(const struct tale *tale)
{
    static const struct wording many[] = {
        { "map", "were pointed at" },    { "offer", "stay pointed at it until they are needed:" },
        { "reclaim", "still show" },     { "discard", "are needed by another and no longer show" },
        { "release", "no longer show" },
    };
    static const struct wording one[] = {
        { "map", "was pointed at" },      { "offer", "stays pointed at it until it is needed:" },
        { "reclaim", "still shows" },     { "discard", "is needed by another and no longer shows" },
        { "release", "no longer shows" },
    };
    uint64_t pages = tale_number(tale, "pages");
    text_add(tale->out, "%s of the CPU host aperture of %s %s %s", text_count(pages, "page").it,
             tale_segment(tale).it,
             tale_wording(pages == 1 ? one : many, ARRAY_COUNT(many), tale_word(tale, "kind")),
             tale_who(tale));
}

void narrate_memory_discard(const struct tale *tale)
{
    text_add(tale->out, "the copy of %s in %s at %s was given up", tale_who(tale),
             tale_segment(tale).it, tale_offset(tale).it);
}

void narrate_memory_lost(const struct tale *tale)
{
    text_add(tale->out, "the content of %s was lost (%s)", tale_who(tale),
             tale_size(tale, "bytes").it);
    if (tale_is(tale, "reason", "protected"))
        text_add(tale->out, ": it is protected, and its segment cannot encrypt it");
    if (*tale_word(tale, "blocker"))
        text_add(tale->out, ": %s", tale_word(tale, "blocker"));
}

void narrate_memory_arrive(const struct tale *tale)
{
    text_add(tale->out, "%s arrived in %s", tale_who(tale), tale_segment(tale).it);
}

void narrate_memory_leave(const struct tale *tale)
{
    if (tale_is(tale, "to", "nothing"))
        text_add(tale->out, "%s is out and holds no content", tale_who(tale));
    else
        text_add(tale->out, "%s is out: its content is in %s", tale_who(tale),
                 side(tale_word(tale, "to")));
}
