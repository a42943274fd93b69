/* SPDX-License-Identifier: MIT */
/*
 * power.c: standby, hibernation, hybrid sleep, and back.
 *
 * Down: the GPU comes to rest, what its memory does not keep goes to system memory, the driver is
 * told, and then that memory really forgets. Up: the driver is told, and that is all: what was
 * purged comes back at its next use. Between the two nothing runs, so every call but those that let
 * time pass is refused: it would wait for a resume that cannot come before it.
 *
 *   segment keeps      all                        a part                    nothing
 *   standby            PreservedDuringStandby                               the others
 *   hibernate, hybrid  PreservedDuringHibernate   PartiallyPreserved...     the others
 *
 * Rules not named below: TDR-030.
 */
#include "paging/schedule/schedule.h"
#include "paging/store/store.h"
#include "vidmm/recovery/recovery_state.h"
#include "vidmm/recovery/tdr.h"
#include "vidmm/submit/submit.h"

enum column { COLUMN_STANDBY, COLUMN_HIBERNATE };

struct transition {
    const char *word; /* in events */
    bool standby;     /* the machine sleeps with its memory powered */
    enum column column;
    enum vidmm_rule rule; /* that chose the column */
};

/* ---- what memory keeps ---------------------------------------------------------------------- */

static bool has(const struct vidmm_segment_desc *desc, uint32_t flag)
{
    return (desc->flags & flag) != 0;
}

/* The table of SEG-043. */
static struct purge_part part_by_table(const struct vidmm_segment_desc *desc, enum column column)
{
    struct purge_part part = { .rule = RULE(SEG_043) };
    if (column == COLUMN_STANDBY) {
        part.kept_bytes = has(desc, VIDMM_SEGMENT_PreservedDuringStandby) ? desc->bytes : 0;
    } else if (has(desc, VIDMM_SEGMENT_PreservedDuringHibernate)) {
        part.kept_bytes = desc->bytes;
    } else if (has(desc, VIDMM_SEGMENT_PartiallyPreservedDuringHibernate)) {
        /* SystemMemoryEndAddress is the last byte that is kept; without one nothing is (SEG-049).
         */
        part.kept_bytes = desc->bytes;
        if (desc->memory_end < desc->bytes)
            part.kept_bytes = desc->memory_end + (desc->memory_end != 0);
        part.rule = RULE(TDR_042);
    }
    return part;
}

static struct purge_part part_of(adapter_t *adapter, const struct vidmm_segment_desc *desc,
                                 const struct transition *transition)
{
    struct purge_part part = part_by_table(desc, transition->column);
    /* Memory without self-refresh forgets everything in standby. */
    if (transition->standby && adapter->setup->caps.no_self_refresh && !segment_is_aperture(desc) &&
        !has(desc, VIDMM_SEGMENT_PopulatedFromSystemMemory))
        return (struct purge_part){ .rule = RULE(TDR_045) };
    if (transition->rule == RULE(TDR_043) && part.rule == RULE(SEG_043) &&
        part_by_table(desc, COLUMN_STANDBY).kept_bytes > part.kept_bytes)
        part.rule = RULE(TDR_043);
    /* The protected range may survive a standby that the rest does not. */
    if (transition->column == COLUMN_STANDBY && !part.kept_bytes &&
        has(desc, VIDMM_SEGMENT_VprPreservedDuringStandby)) {
        applies(adapter, RULE(SEG_062));
        part.also_kept = (struct range){ desc->vpr_start, desc->vpr_end - desc->vpr_start };
    }
    return part;
}

/* Forgets bytes [from, end), with the rest of a page that was kept in part. */
static void poison(adapter_t *adapter, struct segment *segment, uint64_t from, uint64_t end)
{
    uint64_t page = adapter->setup->page;
    page_store_poison(&segment->pages, from / page, end / page - from / page);
}

/* Without power the contents go; what should have left and did not is found by its next reader. */
static void forget(adapter_t *adapter, const struct purge *purge)
{
    for (uint32_t id = 1; id <= adapter->setup->segment_count; id++) {
        struct segment *segment = segment_at(adapter, id);
        const struct purge_part *part = &purge->parts[id];
        uint64_t from = part->kept_bytes;
        if (segment_is_aperture(&segment->desc))
            continue;
        if (part->also_kept.bytes) {
            poison(adapter, segment, from, part->also_kept.offset);
            from = range_end(part->also_kept);
        }
        poison(adapter, segment, from, segment->desc.bytes);
    }
}

/* ---- the driver ----------------------------------------------------------------------------- */

static void set_power_state(adapter_t *adapter, DEVICE_POWER_STATE state)
{
    POWER_ACTION action = adapter->recovery->power_action;
    if (!adapter->setup->ddi->DxgkDdiSetPowerState) {
        finding(adapter, RULE(TDR_044), 0, "the miniport has no DxgkDdiSetPowerState");
        return;
    }
    NTSTATUS answer = DRIVER_CALL(adapter, adapter->setup->cost.ddi_ns, SetPowerState,
                                  adapter->setup->driver, DISPLAY_ADAPTER_HW_ID, state, action);
    DRIVER_CALL_END(adapter, SetPowerState, answer, 0, f_hex("DeviceUid", DISPLAY_ADAPTER_HW_ID),
                    f_word("DevicePowerState",
                           state == PowerDeviceD0 ? "PowerDeviceD0" : "PowerDeviceD3"),
                    f_word("ActionType", action == PowerActionSleep ? "PowerActionSleep"
                                                                    : "PowerActionHibernate"));
    if (!NT_SUCCESS(answer))
        finding(adapter, RULE(TDR_044), 0, "DxgkDdiSetPowerState answers 0x%08x; it may not fail",
                (unsigned)answer);
}

/* ---- down and up ---------------------------------------------------------------------------- */

static vidmm_status go_down(adapter_t *adapter, const struct transition *transition)
{
    struct purge purge;
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    purge_init(&purge, transition->column == COLUMN_STANDBY ? EVICT_STANDBY : EVICT_HIBERNATE,
               RULE(SEG_043));
    purge.parts[0].kept_bytes = 1; /* system memory has no flags, and stays */
    for (uint32_t id = 1; id <= adapter->setup->segment_count; id++)
        purge.parts[id] = part_of(adapter, segment_desc(adapter, id), transition);
    applies(adapter, RULE(TDR_041));
    status = purge_warn(adapter, &purge);
    if (status)
        return status;
    EMIT(adapter, POWER, RULE(TDR_044), 0, f_word("state", transition->word),
         f_word("phase", "begin"));
    status = schedule_wait_idle(adapter, VIDMM_WAIT_DRAIN, RULE(TDR_044));
    if (!status)
        status = purge_run(adapter, &purge);
    if (status)
        return status;
    adapter->recovery->power_action = transition->standby ? PowerActionSleep : PowerActionHibernate;
    set_power_state(adapter, PowerDeviceD3);
    context_unload_all(adapter);
    forget(adapter, &purge);
    adapter_becomes(adapter, ADAPTER_ASLEEP);
    EMIT(adapter, POWER, RULE(TDR_044), 0, f_word("state", transition->word),
         f_word("phase", "end"));
    return adapter_alive(adapter);
}

static const struct transition standby = { "standby", true, COLUMN_STANDBY, RULE(SEG_043) };
static const struct transition hybrid = { "hybrid", true, COLUMN_HIBERNATE, RULE(TDR_043) };
static const struct transition hibernate = { "hibernate", false, COLUMN_HIBERNATE, RULE(SEG_043) };

vidmm_status vidmm_standby(struct vidmm_adapter *adapter)
{
    return go_down(adapter, setting(adapter, VIDMM_SETTING_HYBRID_SLEEP) ? &hybrid : &standby);
}

vidmm_status vidmm_hybrid_sleep(struct vidmm_adapter *adapter)
{
    return go_down(adapter, &hybrid);
}

vidmm_status vidmm_hibernate(struct vidmm_adapter *adapter)
{
    return go_down(adapter, &hibernate);
}

vidmm_status vidmm_resume(struct vidmm_adapter *adapter)
{
    bool asleep = adapter_presence(adapter) == ADAPTER_ASLEEP;
    vidmm_status status = asleep ? adapter_alive(adapter) : adapter_usable(adapter);
    if (status)
        return status;
    if (!asleep)
        return refuse(adapter, RULE(TDR_044), STATUS_INVALID_PARAMETER,
                      "nothing sleeps that could resume");
    EMIT(adapter, POWER, RULE(TDR_044), 0, f_word("state", "resume"), f_word("phase", "begin"));
    set_power_state(adapter, PowerDeviceD0);
    adapter_becomes(adapter, ADAPTER_PRESENT);
    EMIT(adapter, POWER, RULE(TDR_044), 0, f_word("state", "resume"), f_word("phase", "end"));
    return adapter_usable(adapter);
}

void recovery_fini(adapter_t *adapter)
{
    base_free(adapter->recovery->dumps);
}

struct recovery *recovery_new(void)
{
    return base_alloc(1, sizeof(struct recovery));
}
