/* SPDX-License-Identifier: MIT */
/* client.c: a program of another project: an installed vidmm places one allocation. */
#include <stdio.h>
#include <string.h>

#include <vidmm/vidmm.h>
#include <vidmm/vidmm_mock.h>

static void on_event(struct vidmm_observer *self, const struct vidmm_event *event)
{
    (void)self;
    printf("%s%s%s\n", vidmm_event_info(event->kind)->name, event->rule ? " by " : "",
           vidmm_rule_id(event->rule));
}

int main(void)
{
    struct vidmm_mock_segment segment = { .size = 64u << 20, .commit_limit = 64u << 20 };
    struct vidmm_mock_config config;
    vidmm_mock_config_init(&config, VIDMM_WDDM_1_1);
    config.segments = &segment;
    config.segment_count = 1;
    struct vidmm_mock *mock = vidmm_mock_create(&config);

    struct vidmm_observer observer = { .on_event = on_event };
    struct vidmm_config start;
    struct vidmm_adapter *adapter;
    vidmm_handle process, device, allocation;
    struct vidmm_mock_allocation answer = {
        .size = 1u << 20, .read_set = 1, .write_set = 1, .priority = 0x78000000
    };
    struct vidmm_allocation_args args = { .label = "grass",
                                          .private_data = &answer,
                                          .private_bytes = sizeof answer };
    struct vidmm_allocation_view view;
    vidmm_config_init(&start);
    start.miniport = *vidmm_mock_miniport(mock);
    int bad = vidmm_adapter_start(&start, &adapter) ||
              vidmm_process_create(adapter, "app", &process) ||
              vidmm_device_create(adapter, "dev", process, &device);
    vidmm_observe(adapter, &observer);
    bad = bad || vidmm_allocate(adapter, device, false, &args, 1, &allocation) ||
          vidmm_page_in(adapter, allocation, false) ||
          !vidmm_allocation_view(adapter, allocation, &view);
    if (!bad)
        printf("%s is at %llu of segment %u\n", vidmm_label(adapter, allocation),
               (unsigned long long)view.offset, view.segment);
    else if (vidmm_last_refusal(adapter))
        printf("refused: %s\n", vidmm_last_refusal(adapter)->text);
    vidmm_adapter_free(adapter);
    vidmm_mock_destroy(mock);
    return bad;
}
