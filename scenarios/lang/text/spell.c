/* SPDX-License-Identifier: MIT */
/*
 * spell.c: numbers, statuses and events as messages spell them. A size has the largest unit of
 * which it is a multiple, a time the largest that it reaches: exact, always.
 */
#include "scenarios/lang/text/spell.h"

#include <inttypes.h>
#include <stdio.h>

/* The largest of some units of which `value` is a multiple; NULL: none. */
struct spell_unit {
    uint64_t size;
    const char *name;
};

static const struct spell_unit *whole_unit(uint64_t value, const struct spell_unit *units)
{
    while (units->name && (value < units->size || value % units->size))
        units++;
    return units->name ? units : NULL;
}

const char *spell_bytes(uint64_t bytes, char *text, size_t size)
{
    static const struct spell_unit units[] = {
        { 1ull << 30, "GiB" }, { 1ull << 20, "MiB" }, { 1ull << 10, "KiB" }, { 0, NULL }
    };
    const struct spell_unit *unit = whole_unit(bytes, units);
    if (unit)
        snprintf(text, size, "%" PRIu64 " %s (0x%" PRIX64 ")", bytes / unit->size, unit->name,
                 bytes);
    else if (bytes < 10)
        snprintf(text, size, "%" PRIu64, bytes);
    else
        snprintf(text, size, "%" PRIu64 " (0x%" PRIX64 ")", bytes, bytes);
    return text;
}

/* "8.031066 ms (8031066 ns)", "8 ms (8000000 ns)", "300 ns" */
static const char *spell_time(uint64_t ns, char *text, size_t size)
{
    static const struct {
        uint64_t ns;
        int digits;
        const char *name;
    } units[] = { { 1000000000, 9, "s" }, { 1000000, 6, "ms" }, { 1000, 3, "us" }, { 1, 0, "ns" } };
    char fraction[24];
    size_t i = 0;
    while (ns < units[i].ns && units[i].ns > 1)
        i++;
    int length =
        snprintf(fraction, sizeof fraction, ".%0*" PRIu64, units[i].digits, ns % units[i].ns);
    while (length > 1 && fraction[length - 1] == '0')
        length--;
    if (units[i].ns == 1)
        snprintf(text, size, "%" PRIu64 " ns", ns);
    else
        snprintf(text, size, "%" PRIu64 "%.*s %s (%" PRIu64 " ns)", ns / units[i].ns,
                 length > 1 ? length : 0, fraction, units[i].name, ns);
    return text;
}

const char *spell_value(uint64_t value, enum unit kind, char *text, size_t size)
{
    if (kind == UNIT_SIZE)
        return spell_bytes(value, text, size);
    if (kind == UNIT_TIME)
        return spell_time(value, text, size);
    snprintf(text, size, "%" PRIu64, value);
    return text;
}

const char *spell_status(vidmm_status status, char *text, size_t size)
{
    const struct vidmm_status_info *info = vidmm_status_info(status);
    if (info)
        snprintf(text, size, "%s (0x%08" PRIX32 ")", info->name, (uint32_t)status);
    else
        snprintf(text, size, "0x%08" PRIX32, (uint32_t)status);
    return text;
}

void spell_event(const struct vidmm_event *event, char *text, size_t size)
{
    snprintf(text, size, "event %" PRIu64 ", %s%s%s", event->seq,
             vidmm_event_info(event->kind)->name, event->label[0] ? " " : "", event->label);
    for (size_t i = 0; i < event->field_count; i++) {
        const struct vidmm_field *field = &event->fields[i];
        if (field->kind == VIDMM_FIELD_TEXT && strcmp(field->name, "text") == 0 && field->text)
            words_add(text, size, ": %s", field->text);
    }
    if (event->rule != VIDMM_RULE_NONE)
        words_add(text, size, " (%s)", vidmm_rule_id(event->rule));
}
