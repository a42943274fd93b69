/* SPDX-License-Identifier: MIT */
/* narrate.c: one English sentence for each event; other subjects have files of their own
   (narrate_*.c). */
#include "tools/narrate.h"

#include <inttypes.h>
#include <string.h>

#include "tools/tale.h"

/* ---- life ---------------------------------------------------------------------------------- */

static void start_adapter(const struct tale *tale)
{
    vidmm_status status = (vidmm_status)(uint32_t)tale_number(tale, "status");
    if (status)
        text_add(tale->out, "the adapter did not start: %s", names_status(status).it);
    else
        text_add(tale->out, "the adapter started with %s and %s",
                 text_count(tale_number(tale, "segments"), "segment").it,
                 text_count(tale_number(tale, "nodes"), "node").it);
}

static void add_flags(const struct tale *tale)
{
    char words[200];
    uint32_t flags = (uint32_t)tale_number(tale, "flags");
    enum vidmm_flag_set set =
        tale_is(tale, "view", "FlagsWddm2") ? VIDMM_FLAGS_ALLOCATION2_0 : VIDMM_FLAGS_ALLOCATION;
    if (flags)
        text_add(tale->out, ", %s", vidmm_flags_text(set, flags, words, sizeof words));
}

static void report_segment(const struct tale *tale)
{
    char words[200];
    bool memory = tale_is(tale, "kind", "memory");
    const struct vidmm_flag *aperture = vidmm_flag_by_name(VIDMM_FLAGS_SEGMENT, "Aperture");
    uint32_t flags = (uint32_t)tale_number(tale, "flags") & ~aperture->value;
    text_add(tale->out, "the miniport reported segment %" PRIu64 ", %s: %s %s",
             tale_number(tale, "segment"), tale_word(tale, "name"), tale_size(tale, "size").it,
             memory ? "of memory" : "of aperture space");
    if (flags)
        text_add(tale->out, " (%s)",
                 vidmm_flags_text(VIDMM_FLAGS_SEGMENT, flags, words, sizeof words));
}

/* "resource shadow", "system memory buffer" */
static const char *kind_of(const struct tale *tale)
{
    static const struct wording kinds[] = { { "system-range", "system memory" } };
    return tale_wording(kinds, ARRAY_COUNT(kinds), tale_word(tale, "kind"));
}

/* "resource r", or "a resource" when nobody gave it a name. */
static void add_object(const struct tale *tale, const char *kind)
{
    if (*tale_who(tale))
        text_add(tale->out, "%s %s", kind, tale_who(tale));
    else
        text_add(tale->out, "a %s", kind);
}

static void create(const struct tale *tale)
{
    if (tale_is(tale, "kind", "allocation")) {
        text_add(tale->out, "%s was created: %s", tale_who(tale), tale_size(tale, "bytes").it);
        add_flags(tale);
    } else if (tale_is(tale, "kind", "device")) {
        text_add(tale->out, "device %s was created for process %s", tale_who(tale),
                 tale_word(tale, "process"));
    } else if (tale_is(tale, "kind", "context")) {
        text_add(tale->out, "context %s was created on device %s for %s", tale_who(tale),
                 tale_word(tale, "device"), tale_node(tale).it);
    } else if (tale_is(tale, "kind", "resource")) {
        add_object(tale, "resource");
        text_add(tale->out, " was created for device %s", tale_word(tale, "device"));
    } else {
        text_add(tale->out, "%s %s was created", kind_of(tale), tale_who(tale));
    }
}

static void open_close(const struct tale *tale)
{
    text_add(tale->out, "%s was %s for device %s", tale_who(tale),
             tale->event->kind == VIDMM_EVENT_OPEN ? "opened" : "closed",
             tale_word(tale, "device"));
    if (*tale_word(tale, "as"))
        text_add(tale->out, ", which %s it %s",
                 tale->event->kind == VIDMM_EVENT_OPEN ? "calls" : "called", tale_word(tale, "as"));
}

static void share(const struct tale *tale)
{
    text_add(tale->out, "an NT handle (0x%" PRIX64 ") was made for ", tale_number(tale, "handle"));
    add_object(tale, "resource");
    text_add(tale->out, ": who opens by it may %s",
             tale_is(tale, "access", "read") ? "only read" : "read and write");
}

static void grant(const struct tale *tale)
{
    text_add(tale->out, "device %s was granted access to ", tale_word(tale, "device"));
    add_object(tale, "resource");
}

static void destroy(const struct tale *tale)
{
    if (tale_is(tale, "kind", "allocation"))
        text_add(tale->out, "%s was destroyed", tale_who(tale));
    else {
        add_object(tale, kind_of(tale));
        text_add(tale->out, " was destroyed");
    }
}

static void refuse(const struct tale *tale)
{
    text_add(tale->out, "refused: %s (%s)", tale_word(tale, "text"),
             names_status((vidmm_status)(uint32_t)tale_number(tale, "status")).it);
}

static void complain(const struct tale *tale)
{
    text_add(tale->out, "%s: %s", vidmm_event_info(tale->event->kind)->name,
             tale_word(tale, "text"));
}

static void bugcheck(const struct tale *tale)
{
    text_add(tale->out,
             "the simulated system stopped: bug check 0x%" PRIX64 " %s (0x%" PRIX64 ", 0x%" PRIX64
             ", 0x%" PRIX64 ", 0x%" PRIX64 "): %s",
             tale_number(tale, "code"), tale_word(tale, "name"), tale_number(tale, "p1"),
             tale_number(tale, "p2"), tale_number(tale, "p3"), tale_number(tale, "p4"),
             tale_word(tale, "text"));
    if (*tale_word(tale, "last-call"))
        text_add(tale->out, "; the last call of the miniport was %s", tale_word(tale, "last-call"));
}

/* ---- gpu ----------------------------------------------------------------------------------- */

static struct narrate_work *find_work(const struct tale *tale, const char *field)
{
    struct narrator *narrator = tale->narrator;
    for (size_t i = 0; i < narrator->work_count; i++)
        if (narrator->work[i].node == tale_number(tale, "node") &&
            narrator->work[i].fence == tale_number(tale, field))
            return &narrator->work[i];
    return NULL;
}

static void remember_work(const struct tale *tale)
{
    struct narrator *narrator = tale->narrator;
    const char *name = tale_word(tale, "name");
    BASE_GROW(narrator->work, narrator->work_capacity, narrator->work_count + 1);
    narrator->work[narrator->work_count++] =
        (struct narrate_work){ tale_number(tale, "node"), tale_number(tale, "fence"),
                               base_strndup(name, strlen(name)) };
}

static void forget_work(const struct tale *tale)
{
    struct narrate_work *work = find_work(tale, "fence");
    if (!work)
        return;
    base_free(work->name);
    *work = tale->narrator->work[--tale->narrator->work_count];
}

void tale_add_buffer(const struct tale *tale)
{
    const struct narrate_work *work = find_work(tale, "fence");
    const char *kind = tale_word(tale, "kind");
    if (work && *work->name)
        text_add(tale->out, "%s", work->name);
    else if (tale_is(tale, "kind", "switch"))
        text_add(tale->out, "a context switch");
    else if (*kind)
        text_add(tale->out, "a %s buffer", kind);
    else
        text_add(tale->out, "a packet");
    text_add(tale->out, " (fence %" PRIu64 ")", tale_number(tale, "fence"));
}

/* After a preemption or a reset: most often with another number (SUBMIT-056). */
static void submit_again(const struct tale *tale)
{
    struct narrate_work *work = find_work(tale, "was");
    if (work)
        work->fence = tale_number(tale, "fence");
    tale_add_buffer(tale);
    tale_add_target(tale, " again");
    if (tale_number(tale, "was") != tale_number(tale, "fence"))
        text_add(tale->out, ", before with fence %" PRIu64, tale_number(tale, "was"));
}

static void submit(const struct tale *tale)
{
    if (tale_number(tale, "was")) {
        submit_again(tale);
        return;
    }
    if (!tale_is(tale, "kind", "paging"))
        remember_work(tale);
    if (tale_is(tale, "kind", "present"))
        text_add(tale->out, "the present ");
    tale_add_buffer(tale);
    if (tale_number(tale, "start"))
        text_add(tale->out, ", from %s on,", text_offset(tale_number(tale, "start")).it);
    tale_add_target(tale, "");
}

static void split(const struct tale *tale)
{
    text_add(tale->out,
             "the buffer was split at %s: portion %" PRIu64 " begins there with %s, %" PRIu64
             " of which must not move",
             tale_offset(tale).it, tale_number(tale, "portion"),
             text_count(tale_number(tale, "bound"), "bound allocation").it,
             tale_number(tale, "kept"));
}

static void patch(const struct tale *tale)
{
    text_add(tale->out, "addresses were written into the buffer with fence %" PRIu64 " for %s",
             tale_number(tale, "fence"), tale_node(tale).it);
}

static void begin(const struct tale *tale)
{
    text_add(tale->out, "%s began ", tale_node(tale).it);
    tale_add_buffer(tale);
    if (!tale_number(tale, "endless"))
        text_add(tale->out, ", which takes %s", text_span(tale_number(tale, "cost")).it);
    else
        text_add(tale->out, ", which does not end by itself");
}

static void end(const struct tale *tale)
{
    text_add(tale->out, "%s finished ", tale_node(tale).it);
    tale_add_buffer(tale);
    forget_work(tale);
}

static void fence(const struct tale *tale)
{
    text_add(tale->out, "the miniport reported fence %" PRIu64 " of %s", tale_number(tale, "fence"),
             tale_node(tale).it);
}

static void wait(const struct tale *tale)
{
    static const struct wording reasons[] = {
        { "sync_before", "SynchronousPaging waits before paging" },
        { "sync_after", "SynchronousPaging waits after paging" },
        { "busy_retry", "the miniport was busy" },
        { "aperture_idle", "an aperture range was still in use" },
        { "victim_busy", "what has to leave was still in use" },
        { "lock", "the CPU wants access" },
        { "lock_suspended", "CPU access was suspended" },
        { "paging_buffer", "no paging buffer was free" },
        { "queue_full", "the queue was full" },
        { "destroy", "it is destroyed" },
        { "flip", "the primary to show is still written" },
        { "drain", "everything has to come to rest" },
        { "script", "as the scenario asked" },
    };
    text_add(tale->out, "the CPU waited %s for fence %" PRIu64 " of %s: %s",
             text_span(tale_number(tale, "ns")).it, tale_number(tale, "fence"), tale_node(tale).it,
             tale_wording(reasons, ARRAY_COUNT(reasons), tale_word(tale, "reason")));
}

/* ---- policy ------------------------------------------------------------------------------- */

static void priority(const struct tale *tale)
{
    text_add(tale->out, "the priority of %s changed from 0x%08" PRIX64 " to 0x%08" PRIX64,
             tale_who(tale), tale_number(tale, "from"), tale_number(tale, "to"));
}

static void property(const struct tale *tale)
{
    text_add(tale->out,
             "properties of %s changed: segment set 0x%" PRIX64 "%s, paging fence value %" PRIu64,
             tale_who(tale), tale_number(tale, "write"),
             tale_number(tale, "pinned") ? ", it may not move" : "", tale_number(tale, "value"));
}

static void anything(const struct tale *tale)
{
    const struct vidmm_event_info *info = vidmm_event_info(tale->event->kind);
    if (*tale_who(tale))
        text_add(tale->out, "%s: ", tale_who(tale));
    text_add(tale->out, "%s", info->text);
    tale_add_fields(tale, 0, " (");
    if (tale->event->field_count)
        text_add(tale->out, ")");
}

/* ---- the table ----------------------------------------------------------------------------- */

static const struct {
    void (*tell)(const struct tale *tale);
    enum narrate_level level;
} tellers[VIDMM_EVENT_KINDS] = {
    [VIDMM_EVENT_START_ADAPTER] = { start_adapter, NARRATE_STORY },
    [VIDMM_EVENT_REPORT_SEGMENT] = { report_segment, NARRATE_STORY },
    [VIDMM_EVENT_CREATE] = { create, NARRATE_STORY },
    [VIDMM_EVENT_OPEN] = { open_close, NARRATE_DETAILS },
    [VIDMM_EVENT_CLOSE] = { open_close, NARRATE_DETAILS },
    [VIDMM_EVENT_SHARE] = { share, NARRATE_STORY },
    [VIDMM_EVENT_GRANT] = { grant, NARRATE_STORY },
    [VIDMM_EVENT_DESTROY] = { destroy, NARRATE_STORY },
    [VIDMM_EVENT_REFUSE] = { refuse, NARRATE_STORY },
    [VIDMM_EVENT_WARN] = { complain, NARRATE_STORY },
    [VIDMM_EVENT_FINDING] = { complain, NARRATE_STORY },
    [VIDMM_EVENT_BUGCHECK] = { bugcheck, NARRATE_STORY },
    [VIDMM_EVENT_DRIVER_CALL] = { narrate_calls_driver_call, NARRATE_CALLS },
    [VIDMM_EVENT_LIST_ELEMENT] = { narrate_calls_list_element, NARRATE_CALLS },
    [VIDMM_EVENT_PATCH_LOCATION] = { narrate_calls_patch_location, NARRATE_CALLS },
    [VIDMM_EVENT_CANDIDATE] = { narrate_memory_candidate, NARRATE_DETAILS },
    [VIDMM_EVENT_SHORTAGE] = { narrate_memory_shortage, NARRATE_DETAILS },
    [VIDMM_EVENT_PLACE] = { narrate_memory_place, NARRATE_STORY },
    [VIDMM_EVENT_UNPLACE] = { narrate_memory_unplace, NARRATE_DETAILS },
    [VIDMM_EVENT_PIN] = { narrate_memory_pin, NARRATE_STORY },
    [VIDMM_EVENT_UNPIN] = { narrate_memory_unpin, NARRATE_STORY },
    [VIDMM_EVENT_PAGE_IN] = { narrate_memory_page_in, NARRATE_STORY },
    [VIDMM_EVENT_EVICT] = { narrate_memory_evict, NARRATE_STORY },
    [VIDMM_EVENT_MAP] = { narrate_memory_map, NARRATE_STORY },
    [VIDMM_EVENT_UNMAP] = { narrate_memory_unmap, NARRATE_STORY },
    [VIDMM_EVENT_TRANSFER] = { narrate_memory_transfer, NARRATE_STORY },
    [VIDMM_EVENT_FILL] = { narrate_memory_fill, NARRATE_STORY },
    [VIDMM_EVENT_INIT_CONTEXT] = { narrate_memory_init_context, NARRATE_STORY },
    [VIDMM_EVENT_DISCARD] = { narrate_memory_discard, NARRATE_STORY },
    [VIDMM_EVENT_HOST_APERTURE] = { narrate_memory_host_aperture, NARRATE_STORY },
    [VIDMM_EVENT_NOTIFY] = { narrate_memory_notify, NARRATE_STORY },
    [VIDMM_EVENT_SPECIAL_LOCK_TRANSFER] = { narrate_memory_transfer, NARRATE_STORY },
    [VIDMM_EVENT_UPDATE] = { narrate_memory_transfer, NARRATE_STORY },
    [VIDMM_EVENT_LOST] = { narrate_memory_lost, NARRATE_STORY },
    [VIDMM_EVENT_ARRIVE] = { narrate_memory_arrive, NARRATE_STORY },
    [VIDMM_EVENT_LEAVE] = { narrate_memory_leave, NARRATE_STORY },
    [VIDMM_EVENT_READ_PHYSICAL] = { narrate_cpu_read_physical, NARRATE_STORY },
    [VIDMM_EVENT_FLUSH_CACHE] = { narrate_cpu_flush_cache, NARRATE_STORY },
    [VIDMM_EVENT_SUBMIT] = { submit, NARRATE_STORY },
    [VIDMM_EVENT_SPLIT] = { split, NARRATE_STORY },
    [VIDMM_EVENT_PATCH] = { patch, NARRATE_DETAILS },
    [VIDMM_EVENT_BEGIN] = { begin, NARRATE_DETAILS },
    [VIDMM_EVENT_END] = { end, NARRATE_STORY },
    [VIDMM_EVENT_FENCE] = { fence, NARRATE_DETAILS },
    [VIDMM_EVENT_WAIT] = { wait, NARRATE_STORY },
    [VIDMM_EVENT_LOCK] = { narrate_cpu_lock, NARRATE_STORY },
    [VIDMM_EVENT_RENAME] = { narrate_cpu_rename, NARRATE_STORY },
    [VIDMM_EVENT_ACQUIRE_RANGE] = { narrate_cpu_acquire_range, NARRATE_STORY },
    [VIDMM_EVENT_RELEASE_RANGE] = { narrate_cpu_release_range, NARRATE_STORY },
    [VIDMM_EVENT_LOCK_PART] = { narrate_cpu_lock_part, NARRATE_STORY },
    [VIDMM_EVENT_UNLOCK] = { narrate_cpu_unlock, NARRATE_STORY },
    [VIDMM_EVENT_CPU_WRITE] = { narrate_cpu_access, NARRATE_STORY },
    [VIDMM_EVENT_CPU_READ] = { narrate_cpu_access, NARRATE_STORY },
    [VIDMM_EVENT_PROPERTY] = { property, NARRATE_STORY },
    [VIDMM_EVENT_PRIORITY] = { priority, NARRATE_STORY },
    [VIDMM_EVENT_OFFER] = { narrate_offer, NARRATE_STORY },
    [VIDMM_EVENT_RECLAIM] = { narrate_reclaim, NARRATE_STORY },
    [VIDMM_EVENT_DISCARD_OFFERED] = { narrate_discard_offered, NARRATE_STORY },
    [VIDMM_EVENT_LEVEL3] = { narrate_system_level3, NARRATE_STORY },
    [VIDMM_EVENT_LEVEL2] = { narrate_system_level2, NARRATE_STORY },
    [VIDMM_EVENT_PNP] = { narrate_system_pnp, NARRATE_STORY },
    [VIDMM_EVENT_EXCLUDE] = { narrate_system_exclude, NARRATE_STORY },
    [VIDMM_EVENT_PREEMPT] = { narrate_system_preempt, NARRATE_STORY },
    [VIDMM_EVENT_TDR] = { narrate_system_tdr, NARRATE_STORY },
    [VIDMM_EVENT_POWER] = { narrate_system_power, NARRATE_STORY },
    [VIDMM_EVENT_PAGE_FAULT] = { narrate_system_page_fault, NARRATE_STORY },
    [VIDMM_EVENT_DEVICE_STATE] = { narrate_system_device_state, NARRATE_STORY },
};

enum narrate_level narrate_level(enum vidmm_event_kind kind)
{
    return tellers[kind].level;
}

enum narrate_level narrate_level_of(const struct vidmm_event *event)
{
    bool opening = event->kind == VIDMM_EVENT_OPEN || event->kind == VIDMM_EVENT_CLOSE;
    for (size_t i = 0; i < event->field_count && opening; i++)
        if (strcmp(event->fields[i].name, "as") == 0)
            return NARRATE_STORY;
    return tellers[event->kind].level;
}

void narrate(struct narrator *narrator, const struct vidmm_event *event, struct text *out)
{
    const struct tale tale = { narrator, event, out };
    names_learn(&narrator->names, event);
    void (*tell)(const struct tale *) = tellers[event->kind].tell;
    (tell ? tell : anything)(&tale);
}

void narrate_reset(struct narrator *narrator)
{
    for (size_t i = 0; i < narrator->work_count; i++)
        base_free(narrator->work[i].name);
    base_free(narrator->work);
    *narrator = (struct narrator){ 0 };
}
