/* SPDX-License-Identifier: MIT */
/*
 * own.c: the driver of driver.c draws two surfaces that do not fit beside each other.
 *
 * Whatever the driver gets wrong is a finding. The program fails when there is one, or when a
 * surface is not what was drawn last: let a COPY always take the first page, and see.
 */
#include <stdio.h>

#include <vidmm/vidmm.h>

struct vidmm_miniport driver_miniport(void); /* driver.c */

static unsigned findings;

static void on_event(struct vidmm_observer *self, const struct vidmm_event *event)
{
    (void)self;
    findings += event->kind == VIDMM_EVENT_FINDING;
    switch (event->kind) {
    case VIDMM_EVENT_PLACE:
    case VIDMM_EVENT_EVICT:
    case VIDMM_EVENT_TRANSFER:
    case VIDMM_EVENT_FINDING:
        printf("%10llu ns  %s %s (%s)\n", (unsigned long long)event->time,
               vidmm_event_info(event->kind)->name, event->label, vidmm_rule_id(event->rule));
        break;
    default: break;
    }
}

static vidmm_status draw(struct vidmm_adapter *adapter, vidmm_handle context, vidmm_handle surface)
{
    const struct vidmm_use uses[] = { { .allocation = 0 },
                                      { .allocation = surface, .write = true } };
    const struct vidmm_patch at = { .allocation_index = 1 };
    const struct vidmm_work work = {
        .label = "draw",
        .context = context,
        .uses = uses,
        .use_count = 2,
        .patches = &at,
        .patch_count = 1,
    };
    struct vidmm_submission submission;
    vidmm_status status = vidmm_submit(adapter, &work, &submission);
    return status ? status : vidmm_wait(adapter, submission);
}

int main(void)
{
    static const char *const names[] = { "sky", "grass" };
    uint64_t bytes = 5 << 20; /* of 8 MiB: what this driver takes for its private data */
    struct vidmm_allocation_args args = { .private_data = &bytes, .private_bytes = sizeof bytes };
    struct vidmm_observer observer = { .on_event = on_event };
    struct vidmm_config config;
    struct vidmm_adapter *adapter;
    vidmm_handle process, device, context, surfaces[2];

    vidmm_config_init(&config);
    config.miniport = driver_miniport();
    int bad = vidmm_adapter_start(&config, &adapter) ||
              vidmm_process_create(adapter, "app", &process) ||
              vidmm_device_create(adapter, "dev", process, &device) ||
              vidmm_context_create(adapter, "ctx", device, 0, &context);
    vidmm_observe(adapter, &observer);
    for (int i = 0; i < 2 && !bad; i++) {
        args.label = names[i];
        bad = vidmm_allocate(adapter, device, false, &args, 1, &surfaces[i]);
    }
    for (int i = 0; i < 4 && !bad; i++) {
        printf("draw %s\n", names[i % 2]);
        bad = draw(adapter, context, surfaces[i % 2]);
    }
    for (int i = 0; i < 2 && !bad; i++) {
        char problem[256];
        bad = vidmm_content_problem(adapter, surfaces[i], problem, sizeof problem);
        printf("%s: %s\n", names[i], bad ? problem : "intact");
    }
    if (vidmm_last_refusal(adapter) && bad)
        printf("refused: %s\n", vidmm_last_refusal(adapter)->text);
    vidmm_adapter_free(adapter);
    return bad || findings;
}
