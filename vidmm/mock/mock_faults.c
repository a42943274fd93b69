/* SPDX-License-Identifier: MIT */
/*
 * mock_faults.c: the bad manners of the mock miniport, one switch for each (BUG-005).
 *
 * A switch is written NAME, NAME=VALUE or NAME=VALUE@N; `off` as a value switches it off again.
 * What a value may be stands in the table of kinds: a status (a number or its name, with or without
 * the prefix STATUS_ or STATUS_GRAPHICS_), a number (decimal, 0x, units K M G), one of a few words,
 * or nothing. @N restricts a switch to the N-th call that it could spoil, counted from the moment
 * it was set; without it every call is spoiled.
 *
 * The places that ask whether a switch hits are in the other mock_*.c files, where the harm is
 * done.
 */
#include "vidmm/mock/mock_faults.h"

/* What a switch takes. Other texts are its words, with bars between. */
static const char kind_none[] = "";
static const char kind_status[] = "status";
static const char kind_number[] = "number";

/* Bytes after a buffer that an overrun really touches; the manager guards as many. */
enum { OVERRUN_TOUCHES = 16 };

#define NONE   kind_none
#define STATUS kind_status
#define NUMBER kind_number

static const struct {
    const char *name, *kind, *help;
    enum vidmm_mock_moment moment;
} rows[VIDMM_MOCK_SWITCH_COUNT] = {
#define SWITCH(symbol, name, value, moment, help) { name, value, help, VIDMM_MOCK_AT_##moment },
#include "vidmm/vidmm_mock_switches.def"
#undef SWITCH
};

/* The statuses that a miniport call may answer, and a few that it may not. */
static const struct {
    const char *name;
    NTSTATUS value;
} status_rows[] = {
#define ROW(status)                                                                                \
    {                                                                                              \
#status, status                                                                            \
    }
    ROW(STATUS_SUCCESS),
    ROW(STATUS_PENDING),
    ROW(STATUS_UNSUCCESSFUL),
    ROW(STATUS_NOT_IMPLEMENTED),
    ROW(STATUS_INVALID_HANDLE),
    ROW(STATUS_INVALID_PARAMETER),
    ROW(STATUS_NO_MEMORY),
    ROW(STATUS_ILLEGAL_INSTRUCTION),
    ROW(STATUS_BUFFER_TOO_SMALL),
    ROW(STATUS_PRIVILEGED_INSTRUCTION),
    ROW(STATUS_INSUFFICIENT_RESOURCES),
    ROW(STATUS_NOT_SUPPORTED),
    ROW(STATUS_INVALID_USER_BUFFER),
    ROW(STATUS_DEVICE_REMOVED),
    ROW(STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER),
    ROW(STATUS_GRAPHICS_INVALID_DISPLAY_ADAPTER),
    ROW(STATUS_GRAPHICS_ADAPTER_WAS_RESET),
    ROW(STATUS_GRAPHICS_CANNOTCOLORCONVERT),
    ROW(STATUS_GRAPHICS_DRIVER_MISMATCH),
    ROW(STATUS_GRAPHICS_NO_VIDEO_MEMORY),
    ROW(STATUS_GRAPHICS_CANT_LOCK_MEMORY),
    ROW(STATUS_GRAPHICS_ALLOCATION_BUSY),
    ROW(STATUS_GRAPHICS_ALLOCATION_INVALID),
    ROW(STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE),
    ROW(STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED),
    ROW(STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION),
    ROW(STATUS_GRAPHICS_INVALID_ALLOCATION_USAGE),
    ROW(STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST),
    ROW(STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE),
#undef ROW
};

/* -1: no digit in this base. */
static int digit(char character, unsigned base)
{
    int value = -1;
    if (character >= '0' && character <= '9')
        value = character - '0';
    else if (character >= 'a' && character <= 'f')
        value = character - 'a' + 10;
    else if (character >= 'A' && character <= 'F')
        value = character - 'A' + 10;
    return value < (int)base ? value : -1;
}

/* A number with an optional binary unit; false when it is none, or does not fit in 63 bits. */
static bool parse_number(const char *text, size_t bytes, uint64_t *value)
{
    unsigned base = 10;
    unsigned shift = 0;
    if (bytes > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text += 2;
        bytes -= 2;
    } else if (bytes > 1 && strchr("KMG", text[bytes - 1])) {
        shift = text[bytes - 1] == 'K' ? 10 : text[bytes - 1] == 'M' ? 20 : 30;
        bytes--;
    }
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; i++) {
        int next = digit(text[i], base);
        if (next < 0 || number > (INT64_MAX - 15) / base)
            return false;
        number = number * base + (uint64_t)next;
    }
    if (!bytes || number > (uint64_t)INT64_MAX >> shift)
        return false;
    *value = number << shift;
    return true;
}

static bool parse_status(const char *text, size_t bytes, int64_t *value)
{
    static const char *const prefixes[] = { "", "STATUS_", "STATUS_GRAPHICS_" };
    uint64_t number;
    if (parse_number(text, bytes, &number) && number <= UINT32_MAX) {
        *value = (NTSTATUS)(uint32_t)number;
        return true;
    }
    for (size_t i = 0; i < ARRAY_COUNT(status_rows) * ARRAY_COUNT(prefixes); i++) {
        const char *prefix = prefixes[i % ARRAY_COUNT(prefixes)];
        const char *name = status_rows[i / ARRAY_COUNT(prefixes)].name;
        size_t length = strlen(prefix);
        if (!strncmp(name, prefix, length) && strlen(name + length) == bytes &&
            !memcmp(text, name + length, bytes)) {
            *value = status_rows[i / ARRAY_COUNT(prefixes)].value;
            return true;
        }
    }
    return false;
}

/* The index of the word in a list "a|b|c". */
static bool parse_word(const char *words, const char *text, size_t bytes, int64_t *value)
{
    int64_t index = 0;
    while (*words) {
        size_t length = strcspn(words, "|");
        if (length == bytes && !memcmp(words, text, bytes)) {
            *value = index;
            return true;
        }
        words += length + (words[length] == '|');
        index++;
    }
    return false;
}

static bool parse_value(enum vidmm_mock_switch which, const char *text, size_t bytes,
                        int64_t *value)
{
    const char *kind = rows[which].kind;
    uint64_t number;
    if (kind == kind_none)
        return bytes == 0;
    if (kind == kind_status)
        return parse_status(text, bytes, value);
    if (kind == kind_number) {
        if (!parse_number(text, bytes, &number))
            return false;
        *value = (int64_t)number;
        /* The descriptors have to fit where the manager gives room for them (MINI-015). */
        if (which == VIDMM_MOCK_STRIDE)
            return number >= sizeof(DXGK_SEGMENTDESCRIPTOR4) && number <= MOCK_STRIDE_MAX;
        return number <= UINT32_MAX || which == VIDMM_MOCK_RANGE_SIZE ||
               which == VIDMM_MOCK_SLOW_DDI;
    }
    /* A switch with a single word needs no value. */
    if (!bytes && !strchr(kind, '|'))
        return true;
    return parse_word(kind, text, bytes, value);
}

const char *vidmm_mock_switch_name(size_t index)
{
    return index < VIDMM_MOCK_SWITCH_COUNT ? rows[index].name : NULL;
}

const char *vidmm_mock_switch_help(size_t index)
{
    return index < VIDMM_MOCK_SWITCH_COUNT ? rows[index].help : NULL;
}

enum vidmm_mock_moment vidmm_mock_switch_moment(size_t index)
{
    return index < VIDMM_MOCK_SWITCH_COUNT ? rows[index].moment : VIDMM_MOCK_AT_CALL;
}

const char *vidmm_mock_switch_value(size_t index)
{
    return index < VIDMM_MOCK_SWITCH_COUNT ? rows[index].kind : NULL;
}

bool vidmm_mock_switch_set(struct vidmm_mock_switch_state *switches, const char *name,
                           const char *value)
{
    size_t which = 0;
    while (which < VIDMM_MOCK_SWITCH_COUNT && strcmp(rows[which].name, name) != 0)
        which++;
    if (which == VIDMM_MOCK_SWITCH_COUNT)
        return false;

    const char *text = value ? value : "";
    struct vidmm_mock_switch_state state = { .on = true };
    if (!strcmp(text, "off")) {
        switches[which] = (struct vidmm_mock_switch_state){ 0 };
        return true;
    }
    size_t bytes = strcspn(text, "@");
    if (text[bytes] == '@') {
        const char *at = text + bytes + 1;
        if (!parse_number(at, strlen(at), &state.at) || !state.at)
            return false;
    }
    if (!parse_value((enum vidmm_mock_switch)which, text, bytes, &state.value))
        return false;
    switches[which] = state;
    return true;
}

uint8_t *mock_faults_overrun(struct vidmm_mock *mock, void *from, UINT bytes,
                             enum vidmm_mock_switch which)
{
    bool half = mock_faults_hit(mock, VIDMM_MOCK_OVERRUN);
    int64_t mode = half ? mock_faults_value(mock, VIDMM_MOCK_OVERRUN) : -1;
    uint64_t excess = (uint64_t)mock_faults_value(mock, which);
    uint8_t *end = (uint8_t *)((uintptr_t)from + bytes);
    if (from && (!half || mode == MOCK_OVERRUN_BYTES))
        memset(end, 0xEE, min_u64(excess, OVERRUN_TOUCHES));
    if (mode == MOCK_OVERRUN_BACK)
        return (uint8_t *)((uintptr_t)from - excess);
    return mode == MOCK_OVERRUN_BYTES ? end : (uint8_t *)((uintptr_t)end + excess);
}

void mock_faults_leave_out(const struct vidmm_mock_config *config, DRIVER_INITIALIZATION_DATA *ddi)
{
    const struct vidmm_mock_switch_state *state = &config->switches[VIDMM_MOCK_NO_ENTRY];
    if (!state->on)
        return;
    switch (state->value) {
    case MOCK_ENTRY_GROUP: ddi->DxgkDdiQueryDependentEngineGroup = NULL; break;
    case MOCK_ENTRY_STATUS: ddi->DxgkDdiQueryEngineStatus = NULL; break;
    case MOCK_ENTRY_RESET_ENGINE: ddi->DxgkDdiResetEngine = NULL; break;
    case MOCK_ENTRY_RESET: ddi->DxgkDdiResetFromTimeout = NULL; break;
    case MOCK_ENTRY_RESTART: ddi->DxgkDdiRestartFromTimeout = NULL; break;
    default: ddi->DxgkDdiPresent = NULL; break;
    }
}
