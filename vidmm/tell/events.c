/* SPDX-License-Identifier: MIT */
/*
 * events.c: emits events, and counts.
 *
 * An event goes out after the state changed. Observers get it in the order of `seq` and may keep
 * nothing of it, so the fields of an event live on the stack of the function that emits it (EMIT).
 */
#include <string.h>

#include "vidmm/tell/tell.h"
#include "vidmm/tell/tell_state.h"

/* Only for those who ask for them. */
static bool of_trail(enum vidmm_event_kind kind)
{
    return kind == VIDMM_EVENT_HOLE || kind == VIDMM_EVENT_PASS_OVER || kind == VIDMM_EVENT_TURN;
}

static bool hears(const struct vidmm_observer *observer, enum vidmm_event_kind kind)
{
    return observer->kinds ? observer->kinds[kind] : !of_trail(kind);
}

void observers_set(adapter_t *adapter, struct vidmm_observer *observers)
{
    adapter->observers.first = observers;
    for (int kind = 0; kind < VIDMM_EVENT_KINDS; kind++) {
        adapter->observers.heard[kind] = false;
        for (struct vidmm_observer *observer = observers; observer; observer = observer->next)
            adapter->observers.heard[kind] |= hears(observer, (enum vidmm_event_kind)kind);
    }
}

void emit_fields(adapter_t *adapter, enum vidmm_event_kind kind, enum vidmm_rule rule,
                 vidmm_handle subject, const struct vidmm_field *fields, size_t count)
{
    struct tell *tell = adapter->tell;
    const struct vidmm_event event = {
        .seq = of_trail(kind) ? tell->next_seq : ++tell->next_seq,
        .time = tell->timeline.now,
        .kind = kind,
        .rule = rule,
        .subject = subject,
        .label = adapter->tell_hooks->label(adapter, subject),
        .fields = fields,
        .field_count = count,
    };
    const char *before = door_out(adapter, "an observer");
    for (struct vidmm_observer *observer = adapter->observers.first; observer;
         observer = observer->next)
        if (hears(observer, kind))
            observer->on_event(observer, &event);
    bool complaint = kind == VIDMM_EVENT_WARN || kind == VIDMM_EVENT_FINDING;
    for (struct vidmm_observer *observer = complaint ? adapter->setup->config.complaint_observers
                                                     : NULL;
         observer; observer = observer->next)
        observer->on_event(observer, &event);
    door_in(adapter, before);
}

void count_up(adapter_t *adapter, enum vidmm_counter counter, uint64_t amount)
{
    adapter->tell->counters[counter] += amount;
}

/* Those of a segment, and of all before it, begin with its first count. */
VIDMM_APART static void begin_counters(adapter_t *adapter, uint32_t segment)
{
    struct tell *tell = adapter->tell;
    size_t before = tell->segments_counted, count = (size_t)segment + 1;
    CHECK(segment <= adapter->setup->segment_count);
    tell->segment_counters =
        base_realloc(tell->segment_counters, count, sizeof *tell->segment_counters);
    memset(tell->segment_counters + before, 0, (count - before) * sizeof *tell->segment_counters);
    tell->segments_counted = count;
}

void count_segment(adapter_t *adapter, enum vidmm_counter counter, uint32_t segment,
                   uint64_t amount)
{
    if (segment >= adapter->tell->segments_counted)
        begin_counters(adapter, segment);
    adapter->tell->counters[counter] += amount;
    adapter->tell->segment_counters[segment][counter] += amount;
}

void counter_raise(adapter_t *adapter, enum vidmm_counter counter, uint64_t value)
{
    adapter->tell->counters[counter] = max_u64(adapter->tell->counters[counter], value);
}

void gauge_segment(adapter_t *adapter, enum vidmm_counter counter, uint32_t segment,
                   uint64_t amount)
{
    count_segment(adapter, counter, segment, amount);
    uint64_t *of_segment = adapter->tell->segment_counters[segment];
    of_segment[counter + 1] = max_u64(of_segment[counter + 1], of_segment[counter]);
    counter_raise(adapter, counter + 1, adapter->tell->counters[counter]);
}

uint64_t counter_of_segment(const adapter_t *adapter, enum vidmm_counter counter, uint32_t segment)
{
    const struct tell *tell = adapter->tell;
    return segment < tell->segments_counted ? tell->segment_counters[segment][counter] : 0;
}

void counters_forget_segments(adapter_t *adapter)
{
    struct tell *tell = adapter->tell;
    for (size_t id = 0; id < tell->segments_counted; id++)
        tell->counters[VIDMM_COUNTER_RESIDENT_BYTES] -=
            tell->segment_counters[id][VIDMM_COUNTER_RESIDENT_BYTES];
    tell->segments_counted = 0;
}

void count_device(adapter_t *adapter, enum vidmm_counter counter, struct device *device,
                  uint64_t amount)
{
    applies(adapter, RULE(TIME_021));
    adapter->tell->counters[counter] += amount;
    if (device)
        device->counters[counter] += amount;
}

/* PAGE-066: a reference to what is not there; faults are the sum over their causes. */
void count_fault(adapter_t *adapter, enum vidmm_counter cause, struct device *device)
{
    count_device(adapter, VIDMM_COUNTER_FAULTS, device, 1);
    count_device(adapter, cause, device, 1);
}

void gauge_change(adapter_t *adapter, enum vidmm_counter counter, int64_t change)
{
    uint64_t *now = &adapter->tell->counters[counter];
    CHECK(change >= 0 || *now >= (uint64_t)-change);
    applies(adapter, RULE(TIME_022));
    *now += (uint64_t)change;
    counter_raise(adapter, counter + 1, *now);
}

const uint64_t *counters_of(const adapter_t *adapter)
{
    return adapter->tell->counters;
}
