/* SPDX-License-Identifier: MIT */
/*
 * tables.c: statuses, flags, counters, reasons of waits, and the kinds of events with their fields,
 * as data.
 *
 * Everything is a row of a table and a loop over it: printing, parsing and suggestions never have a
 * list of their own. Flags and counters come from their .def files; the statuses stand here.
 *
 * Rules not named below: FLAG-002, TIME-013, TIME-021.
 */
#include <stdio.h>
#include <string.h>

#include "vidmm/base/base.h"
#include "vidmm/ddi/d3dkmdt.h"
#include "vidmm/ddi/ntstatus.h"
#include "vidmm/vidmm.h"

/* ---- statuses ------------------------------------------------------------------------------- */

#define SHORT(name)                                                                                \
    {                                                                                              \
        STATUS_##name, "STATUS_" #name, 0, NULL                                                    \
    }
#define PAIR(name, hresult)                                                                        \
    {                                                                                              \
        STATUS_##name, "STATUS_" #name, (uint32_t)hresult, #hresult                                \
    }

/* In the order of the catalogue's table of statuses. */
static const struct vidmm_status_info statuses[] = {
    PAIR(SUCCESS, S_OK),
    PAIR(PENDING, E_PENDING),
    PAIR(INVALID_PARAMETER, E_INVALIDARG),
    PAIR(INVALID_HANDLE, D3DDDIERR_INVALIDHANDLE),
    PAIR(NO_MEMORY, E_OUTOFMEMORY),
    PAIR(DEVICE_REMOVED, D3DDDIERR_DEVICEREMOVED),
    SHORT(ILLEGAL_INSTRUCTION),
    SHORT(PRIVILEGED_INSTRUCTION),
    SHORT(INSUFFICIENT_RESOURCES),
    SHORT(INVALID_USER_BUFFER),
    SHORT(NOT_SUPPORTED),
    SHORT(GRAPHICS_INSUFFICIENT_DMA_BUFFER),
    SHORT(GRAPHICS_INVALID_DISPLAY_ADAPTER),
    SHORT(GRAPHICS_CANNOTCOLORCONVERT),
    SHORT(GRAPHICS_DRIVER_MISMATCH),
    PAIR(GRAPHICS_NO_VIDEO_MEMORY, D3DERR_OUTOFVIDEOMEMORY),
    PAIR(GRAPHICS_CANT_LOCK_MEMORY, ERROR_GRAPHICS_CANT_LOCK_MEMORY),
    PAIR(GRAPHICS_ALLOCATION_BUSY, D3DERR_WASSTILLDRAWING),
    PAIR(GRAPHICS_TOO_MANY_REFERENCES, ERROR_GRAPHICS_TOO_MANY_REFERENCES),
    PAIR(GRAPHICS_ALLOCATION_INVALID, ERROR_GRAPHICS_ALLOCATION_INVALID),
    PAIR(GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE, D3DERR_NOTAVAILABLE),
    SHORT(GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED),
    PAIR(GRAPHICS_CANT_EVICT_PINNED_ALLOCATION, D3DDDIERR_CANTEVICTPINNEDALLOCATION),
    PAIR(GRAPHICS_INVALID_ALLOCATION_USAGE, ERROR_GRAPHICS_INVALID_ALLOCATION_USAGE),
    PAIR(GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION, D3DDDIERR_CANTRENDERLOCKEDALLOCATION),
    PAIR(GRAPHICS_INVALID_ALLOCATION_INSTANCE, ERROR_GRAPHICS_INVALID_ALLOCATION_INSTANCE),
    SHORT(GRAPHICS_INVALID_ALLOCATION_HANDLE),
    PAIR(GRAPHICS_WRONG_ALLOCATION_DEVICE, ERROR_GRAPHICS_WRONG_ALLOCATION_DEVICE),
    PAIR(GRAPHICS_ALLOCATION_CONTENT_LOST, ERROR_GRAPHICS_ALLOCATION_CONTENT_LOST),
    PAIR(GRAPHICS_GPU_EXCEPTION_ON_DEVICE, ERROR_GRAPHICS_GPU_EXCEPTION_ON_DEVICE),
    /* No rule names these; a switch of the mock may answer them. */
    SHORT(UNSUCCESSFUL),
    SHORT(GRAPHICS_ADAPTER_WAS_RESET),
};

/* Second names of one value: accepted, never printed. */
static const struct {
    const char *name;
    vidmm_status status;
} aliases[] = {
    { "STATUS_NO_VIDEO_MEMORY", STATUS_GRAPHICS_NO_VIDEO_MEMORY },
    { "D3DDDIERR_WASSTILLDRAWING", STATUS_GRAPHICS_ALLOCATION_BUSY },
    { "D3DDDIERR_NOTAVAILABLE", STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE },
    { "ERROR_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION", STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION },
    { "ERROR_GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION",
      STATUS_GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION },
};

const struct vidmm_status_info *vidmm_status_row(size_t index)
{
    return index < ARRAY_COUNT(statuses) ? &statuses[index] : NULL;
}

const struct vidmm_status_info *vidmm_status_info(vidmm_status status)
{
    for (size_t i = 0; i < ARRAY_COUNT(statuses); i++)
        if (statuses[i].status == status)
            return &statuses[i];
    return NULL;
}

static bool status_is_called(const struct vidmm_status_info *row, const char *name)
{
    static const char graphics[] = "GRAPHICS_";
    const char *plain = row->name + strlen("STATUS_");
    const size_t length = strlen(graphics);
    return strcmp(row->name, name) == 0 || strcmp(plain, name) == 0 ||
           (strncmp(plain, graphics, length) == 0 && strcmp(plain + length, name) == 0) ||
           (row->hresult_name && strcmp(row->hresult_name, name) == 0);
}

const struct vidmm_status_info *vidmm_status_by_name(const char *name)
{
    for (size_t i = 0; i < ARRAY_COUNT(statuses); i++)
        if (status_is_called(&statuses[i], name))
            return &statuses[i];
    for (size_t i = 0; i < ARRAY_COUNT(aliases); i++)
        if (strcmp(aliases[i].name, name) == 0)
            return vidmm_status_info(aliases[i].status);
    return NULL;
}

/* ---- flags ---------------------------------------------------------------------------------- */

static const struct vidmm_flag flags[] = {
#define FLAG(set, name, value, since, until)                                                       \
    { VIDMM_FLAGS_##set, #name, value, since, until, false },
#define VALUE(set, name, value, since, until)                                                      \
    { VIDMM_FLAGS_##set, #name, (uint32_t)(value), since, until, true },
#include "vidmm/vidmm_flags.def"
};

/* The first row of a set, which is also the end of the set before it: the rows stand in the order
   of enum vidmm_flag_set. */
static const struct vidmm_flag *flags_of(size_t set)
{
    size_t low = 0, high = ARRAY_COUNT(flags);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if ((size_t)flags[middle].set < set)
            low = middle + 1;
        else
            high = middle;
    }
    return flags + low;
}

#define FOR_EACH_FLAG(flag, set)                                                                   \
    for (const struct vidmm_flag *flag = flags_of(set), *end_ = flags_of((size_t)(set) + 1);       \
         flag < end_; flag++)

const struct vidmm_flag *vidmm_flag_row(enum vidmm_flag_set set, size_t index)
{
    const struct vidmm_flag *first = flags_of(set);
    return index < (size_t)(flags_of((size_t)set + 1) - first) ? first + index : NULL;
}

static char tables_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_word(const char *a, const char *b, bool any_case)
{
    while (*a && (any_case ? tables_lower(*a) == tables_lower(*b) : *a == *b)) {
        a++;
        b++;
    }
    return !*a && !*b;
}

const struct vidmm_flag *vidmm_flag_by_name(enum vidmm_flag_set set, const char *name)
{
    FOR_EACH_FLAG (flag, set)
        if (same_word(flag->name, name, set == VIDMM_FLAGS_PRIORITY))
            return flag;
    return NULL;
}

const struct vidmm_flag *vidmm_flag_by_other_name(enum vidmm_flag_set *set, const char *name)
{
    if (*set != VIDMM_FLAGS_ALLOCATION && *set != VIDMM_FLAGS_ALLOCATION2_0)
        return NULL;
    *set = *set == VIDMM_FLAGS_ALLOCATION ? VIDMM_FLAGS_ALLOCATION2_0 : VIDMM_FLAGS_ALLOCATION;
    return vidmm_flag_by_name(*set, name);
}

uint32_t vidmm_flags_defined(enum vidmm_flag_set set, uint32_t wddm)
{
    uint32_t defined = 0;
    FOR_EACH_FLAG (flag, set)
        if (flag->since <= wddm && wddm <= flag->until)
            defined |= flag->value;
    return defined;
}

struct flag_text {
    char *text;
    size_t bytes, used;
};

static void append_text(struct flag_text *out, const char *word)
{
    while (*word && out->used + 1 < out->bytes)
        out->text[out->used++] = *word++;
}

const char *vidmm_flags_text(enum vidmm_flag_set set, uint32_t value, char *text, size_t bytes)
{
    struct flag_text out = { .text = text, .bytes = bytes, .used = 0 };
    uint32_t rest = value;
    FOR_EACH_FLAG (flag, set) {
        uint32_t mask = flag->whole ? UINT32_MAX : flag->value;
        if ((value & mask) != flag->value)
            continue;
        append_text(&out, out.used ? "," : "");
        append_text(&out, flag->name);
        rest &= ~flag->value;
    }
    char number[16];
    (void)snprintf(number, sizeof number, rest ? "%s0x%x" : "%s%x", out.used ? "," : "",
                   (unsigned)rest);
    if (rest || !value)
        append_text(&out, number);
    if (bytes)
        text[out.used] = '\0';
    return text;
}

/* The flags of `value` that begin with one version, and that version; without them nothing. */
static void append_too_new(struct flag_text *out, enum vidmm_flag_set set, uint32_t value,
                           uint32_t since)
{
    char version[48];
    uint32_t found = 0;
    uint32_t rest = value;
    FOR_EACH_FLAG (flag, set) {
        if (flag->since != since || !(flag->value & rest))
            continue;
        append_text(out, out->used ? ", " : "");
        append_text(out, flag->name);
        rest &= ~flag->value;
        found++;
    }
    if (!found)
        return;
    (void)snprintf(version, sizeof version, " exist%s from WDDM %u.%u on", found == 1 ? "s" : "",
                   since / 10 % 10, since % 10);
    append_text(out, version);
}

const char *vidmm_flags_reserved_text(enum vidmm_flag_set set, uint32_t value, uint32_t wddm,
                                      char *text, size_t bytes)
{
    struct flag_text out = { .text = text, .bytes = bytes, .used = 0 };
    uint32_t rest = value & ~vidmm_flags_defined(set, wddm);
    for (uint32_t since = wddm + 1; rest && since < 100; since++) {
        append_too_new(&out, set, rest, since);
        rest &= ~vidmm_flags_defined(set, since);
    }
    char number[16];
    (void)snprintf(number, sizeof number, "%s0x%x", out.used ? ", " : "", (unsigned)rest);
    if (rest)
        append_text(&out, number);
    if (bytes)
        text[out.used] = '\0';
    return text;
}

/* ---- counters ------------------------------------------------------------------------------- */

static const struct vidmm_counter_info counters[VIDMM_COUNTERS] = {
#define COUNTER(symbol, name, unit, scopes, text)                                                  \
    [VIDMM_COUNTER_##symbol] = { name, VIDMM_UNIT_##unit, scopes, text },
#include "vidmm/vidmm_counters.def"
#undef COUNTER
};

const struct vidmm_counter_info *vidmm_counter_info(enum vidmm_counter counter)
{
    return (size_t)counter < ARRAY_COUNT(counters) ? &counters[counter] : NULL;
}

enum vidmm_counter vidmm_counter_by_name(const char *name)
{
    for (size_t i = 0; i < ARRAY_COUNT(counters); i++)
        if (strcmp(counters[i].name, name) == 0)
            return (enum vidmm_counter)i;
    return VIDMM_COUNTERS;
}

/* ---- reasons of waits ----------------------------------------------------------------------- */

static const char *const wait_reasons[VIDMM_WAIT_REASON_COUNT] = {
#define ROW(symbol, name) [VIDMM_WAIT_##symbol] = name,
    VIDMM_WAIT_REASONS(ROW)
#undef ROW
};

const char *vidmm_wait_reason_name(enum vidmm_wait_reason reason)
{
    return (size_t)reason < ARRAY_COUNT(wait_reasons) ? wait_reasons[reason] : "";
}

enum vidmm_wait_reason vidmm_wait_reason_by_name(const char *name)
{
    size_t reason = 0;
    while (reason < ARRAY_COUNT(wait_reasons) && strcmp(wait_reasons[reason], name) != 0)
        reason++;
    return (enum vidmm_wait_reason)reason;
}

/* ---- events --------------------------------------------------------------------------------- */

#define GROUP_LIFE   "life"
#define GROUP_PLACE  "place"
#define GROUP_TRAIL  "trail"
#define GROUP_PAGING "paging"
#define GROUP_GPU    "gpu"
#define GROUP_CPU    "cpu"
#define GROUP_POLICY "policy"
#define GROUP_SYSTEM "system"

static const struct vidmm_event_info events[VIDMM_EVENT_KINDS] = {
    [VIDMM_EVENT_NONE] = { "none", "system", "no event", "", "" },
#define EVENT(symbol, name, group, text, subject, rules)                                           \
    [VIDMM_EVENT_##symbol] = { name, GROUP_##group, text, subject, rules },
#include "vidmm/vidmm_event.def"
#undef EVENT
};

const struct vidmm_event_info *vidmm_event_info(enum vidmm_event_kind kind)
{
    return (size_t)kind < ARRAY_COUNT(events) ? &events[kind] : NULL;
}

enum vidmm_event_kind vidmm_event_by_name(const char *name)
{
    for (size_t i = VIDMM_EVENT_NONE + 1; i < ARRAY_COUNT(events); i++)
        if (strcmp(events[i].name, name) == 0)
            return (enum vidmm_event_kind)i;
    return VIDMM_EVENT_NONE;
}

#define ALWAYS               true
#define SOME                 false
#define REASON(symbol, name) "|" name
#define WAIT_REASONS         (&VIDMM_WAIT_REASONS(REASON)[1])

static const struct {
    enum vidmm_event_kind event;
    struct vidmm_event_field_info info;
} fields[] = {
#define FIELD(event, name, kind, when, words, text)                                                \
    { VIDMM_EVENT_##event, { name, VIDMM_FIELD_##kind, when, words, text } },
#include "vidmm/vidmm_event_fields.def"
#undef FIELD
};

const struct vidmm_event_field_info *vidmm_event_field(enum vidmm_event_kind kind, size_t index)
{
    for (size_t i = 0; i < ARRAY_COUNT(fields); i++)
        if (fields[i].event == kind && index-- == 0)
            return &fields[i].info;
    return NULL;
}
