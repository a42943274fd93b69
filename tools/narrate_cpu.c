/* SPDX-License-Identifier: MIT */
/* narrate_cpu.c: the sentences about what the CPU sees: locks, swizzling ranges, its cache. */
#include <inttypes.h>

#include "tools/tale.h"

static const char *view(const struct tale *tale)
{
    static const struct wording views[] = {
        { "segment", "its segment" },
        { "range", "a swizzling range over its segment" },
        { "alternate", "its alternate address" },
        { "backing", "its copy in system memory" },
    };
    return tale_wording(views, ARRAY_COUNT(views), tale_word(tale, "via"));
}

void narrate_cpu_rename(const struct tale *tale)
{
    static const struct wording kinds[] = {
        { "reused", "one that was idle" },
        { "made", "a new one" },
        { "waited", "the one that was idle first" },
    };
    text_add(tale->out, "the lock of %s got an instance, %s; there are %" PRIu64, tale_who(tale),
             tale_wording(kinds, ARRAY_COUNT(kinds), tale_word(tale, "kind")),
             tale_number(tale, "count"));
}

void narrate_cpu_acquire_range(const struct tale *tale)
{
    text_add(tale->out, "swizzling range %" PRIu64 " was set up over %s in %s",
             tale_number(tale, "id"), tale_who(tale), tale_segment(tale).it);
    if (tale_number(tale, "data"))
        text_add(tale->out, " (for private data %" PRIu64 ")", tale_number(tale, "data"));
}

void narrate_cpu_release_range(const struct tale *tale)
{
    text_add(tale->out, "swizzling range %" PRIu64 " of %s was given up", tale_number(tale, "id"),
             tale_who(tale));
}

void narrate_cpu_lock(const struct tale *tale)
{
    text_add(tale->out, "the CPU got access to %s through %s", tale_who(tale), view(tale));
    if (*tale_word(tale, "flags") && !tale_is(tale, "flags", "0"))
        text_add(tale->out, " (%s)", tale_word(tale, "flags"));
    if (tale_number(tale, "locks") > 1)
        text_add(tale->out, "; it is lock number %" PRIu64, tale_number(tale, "locks"));
}

void narrate_cpu_lock_part(const struct tale *tale)
{
    text_add(tale->out,
             "from byte %s on it leads to the instance of adapter %" PRIu64 ", through %s",
             tale_offset(tale).it, tale_number(tale, "part"), view(tale));
}

void narrate_cpu_unlock(const struct tale *tale)
{
    text_add(tale->out, "the CPU gave a lock of %s back", tale_who(tale));
    if (tale_number(tale, "locks"))
        text_add(tale->out, "; %" PRIu64 " remain", tale_number(tale, "locks"));
}

void narrate_cpu_access(const struct tale *tale)
{
    bool wrote = tale->event->kind == VIDMM_EVENT_CPU_WRITE;
    text_add(tale->out, "the CPU %s %s of %s from byte %s on, in %s", wrote ? "wrote" : "read",
             tale_size(tale, "bytes").it, tale_who(tale), tale_offset(tale).it, view(tale));
    if (!wrote)
        text_add(tale->out, "%s",
                 tale_number(tale, "intact") ? ", and found what should be there"
                                             : ", and did not find what should be there");
}

void narrate_cpu_read_physical(const struct tale *tale)
{
    text_add(tale->out, "the GPU reads a word of %s in %s: what it wrote has to arrive first",
             tale_who(tale), tale_segment(tale).it);
}

void narrate_cpu_flush_cache(const struct tale *tale)
{
    static const struct wording reasons[] = {
        { "unlock", "the CPU may have written it" },
        { "paging", "what the CPU wrote has to arrive" },
        { "lock", "the CPU reads what the GPU wrote" },
    };
    text_add(tale->out, "the processor cache was flushed for %s of %s: %s",
             tale_size(tale, "bytes").it, tale_who(tale),
             tale_wording(reasons, ARRAY_COUNT(reasons), tale_word(tale, "reason")));
}
