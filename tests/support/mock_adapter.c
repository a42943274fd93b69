/* SPDX-License-Identifier: MIT */
/* mock_adapter.c: an adapter that was started on the mock miniport. */
#include "tests/support/mock_adapter.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/vidmm_host.h"

enum { SEGMENT_FLAG_APERTURE = 0x1, SEGMENT_FLAG_CPU_VISIBLE = 0x4, PROFILE_UNIT = 3 };

static void note_finding(struct mock_adapter *mock, const struct vidmm_event *event)
{
    mock->finding_rule = event->rule;
    assert_int_not_equal(event->rule, VIDMM_RULE_NONE);
    if (event->subject && mock->adapter) {
        enum vidmm_object kind = vidmm_object_kind(mock->adapter, event->subject);
        assert_true(kind != VIDMM_OBJECT_PROCESS && kind != VIDMM_OBJECT_DEVICE);
    }
    for (size_t i = 0; i < event->field_count; i++)
        if (strcmp(event->fields[i].name, "text") == 0)
            (void)snprintf(mock->finding, sizeof mock->finding, "%s", event->fields[i].text);
}

static void note(struct vidmm_observer *self, const struct vidmm_event *event)
{
    struct mock_adapter *mock = CONTAINER_OF(self, struct mock_adapter, observer);
    mock->events[event->kind]++;
    if (event->kind == VIDMM_EVENT_FINDING)
        note_finding(mock, event);
    if (event->kind != VIDMM_EVENT_DRIVER_CALL || mock->call_count == MOCK_CALLS_MAX)
        return;
    (void)snprintf(mock->calls[mock->call_count++], sizeof *mock->calls, "%s",
                   event->fields[0].text + strlen("DxgkDdi"));
}

void mock_adapter_init(struct mock_adapter *mock, uint32_t wddm)
{
    *mock = (struct mock_adapter){ .observer.on_event = note };
    mock->segments[0] = (struct vidmm_mock_segment){
        .flags = SEGMENT_FLAG_CPU_VISIBLE,
        .base = 0,
        .size = MOCK_SEGMENT_BYTES,
        .commit_limit = MOCK_SEGMENT_BYTES,
        .cpu_base = UINT64_C(0x1000000000),
    };
    mock->segments[1] = (struct vidmm_mock_segment){
        .flags = SEGMENT_FLAG_APERTURE,
        .base = UINT64_C(0x40000000),
        .size = MOCK_SEGMENT_BYTES,
        .commit_limit = MOCK_SEGMENT_BYTES,
    };
    vidmm_mock_config_init(&mock->mock_config, wddm);
    mock->mock_config.segments = mock->segments;
    mock->mock_config.segment_count = 2;
    vidmm_config_init(&mock->config);
    mock->config.settings.value[VIDMM_SETTING_WDDM] = wddm;
    mock->config.settings.value[VIDMM_SETTING_PROFILE] = PROFILE_UNIT;
}

void mock_adapter_prepare(struct mock_adapter *mock)
{
    mock->held = vidmm_host_held();
    mock->mock = vidmm_mock_create(&mock->mock_config);
    mock->config.miniport = *vidmm_mock_miniport(mock->mock);
    mock->table = *mock->config.miniport.ddi;
    mock->config.miniport.ddi = &mock->table;
    if (mock->hook)
        mock->hook(&mock->table);
}

void mock_adapter_start(struct mock_adapter *mock)
{
    mock_adapter_prepare(mock);
    vidmm_status status = vidmm_adapter_start(&mock->config, &mock->adapter);
    if (status)
        fail_msg("start: %s", vidmm_last_refusal(mock->adapter)->text);
    assert_int_equal(vidmm_process_create(mock->adapter, "game", &mock->process), 0);
    assert_int_equal(vidmm_device_create(mock->adapter, "dev", mock->process, &mock->device), 0);
    assert_int_equal(vidmm_context_create(mock->adapter, "ctx", mock->device, 0, &mock->context),
                     0);
    vidmm_observe(mock->adapter, &mock->observer);
}

void mock_adapter_check(struct mock_adapter *mock)
{
    char problem[200];
    if (!vidmm_check(mock->adapter, problem, sizeof problem))
        fail_msg("%s", problem);
}

void mock_adapter_free(struct mock_adapter *mock)
{
    vidmm_adapter_free(mock->adapter);
    vidmm_mock_destroy(mock->mock);
    assert_int_equal(vidmm_host_held(), mock->held);
}

void mock_adapter_stop(struct mock_adapter *mock)
{
    mock_adapter_check(mock);
    mock_adapter_free(mock);
}

int mock_adapter_setup(void **state)
{
    static struct mock_adapter fixture;
    *state = &fixture;
    mock_adapter_init(&fixture, 11);
    mock_adapter_start(&fixture);
    return 0;
}

int mock_adapter_teardown(void **state)
{
    mock_adapter_stop(*state);
    return 0;
}

struct vidmm_mock_allocation mock_wish(uint64_t bytes)
{
    return (struct vidmm_mock_allocation){
        .size = bytes,
        .read_set = 0x3,
        .write_set = 0x3,
        .eviction_set = 0x2,
        .flags = 0x1,
        .priority = 0x78000000,
    };
}

struct vidmm_allocation_args mock_args(const char *label, const struct vidmm_mock_allocation *wish)
{
    return (struct vidmm_allocation_args){
        .label = label,
        .private_data = wish,
        .private_bytes = sizeof *wish,
    };
}

vidmm_status mock_allocate(struct mock_adapter *mock, const struct vidmm_mock_allocation *wish,
                           vidmm_handle *handle)
{
    struct vidmm_allocation_args args = mock_args("tex", wish);
    return vidmm_allocate(mock->adapter, mock->device, false, &args, 1, handle);
}

vidmm_handle mock_make(struct mock_adapter *mock)
{
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    vidmm_handle handle;
    assert_int_equal(mock_allocate(mock, &wish, &handle), 0);
    return handle;
}

vidmm_status mock_submit(const struct mock_adapter *mock, struct vidmm_work lists,
                         struct vidmm_mock_command command, struct vidmm_submission *submission)
{
    struct vidmm_submission alone;
    lists.context = mock->context;
    lists.label = "work";
    lists.command = &command;
    lists.command_bytes = sizeof command;
    return vidmm_submit(mock->adapter, &lists, submission ? submission : &alone);
}

vidmm_status mock_use(const struct mock_adapter *mock, vidmm_handle handle, bool write,
                      struct vidmm_mock_command command, struct vidmm_submission *submission)
{
    const struct vidmm_use uses[] = { { 0 }, { .allocation = handle, .write = write } };
    const struct vidmm_patch patch = { .allocation_index = 1 };
    const struct vidmm_work lists = {
        .uses = uses, .use_count = ARRAY_COUNT(uses), .patches = &patch, .patch_count = 1
    };
    return mock_submit(mock, lists, command, submission);
}

const char *mock_calls(struct mock_adapter *mock, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < mock->call_count && used < bytes; i++) {
        int more = snprintf(text + used, bytes - used, "%s%s", i ? " " : "", mock->calls[i]);
        used += more > 0 ? (size_t)more : 0;
    }
    mock->call_count = 0;
    return text;
}

struct vidmm_allocation_view mock_view(const struct mock_adapter *mock, vidmm_handle handle)
{
    struct vidmm_allocation_view view;
    assert_true(vidmm_allocation_view(mock->adapter, handle, &view));
    return view;
}

struct vidmm_adapter_view mock_adapter_view(const struct mock_adapter *mock)
{
    struct vidmm_adapter_view view;
    vidmm_adapter_view(mock->adapter, &view);
    return view;
}

uint64_t mock_findings(const struct mock_adapter *mock)
{
    return vidmm_counter(mock->adapter, VIDMM_COUNTER_FINDINGS);
}

void mock_refused(const struct mock_adapter *mock, enum vidmm_rule rule)
{
    const struct vidmm_refusal *refusal = vidmm_last_refusal(mock->adapter);
    assert_non_null(refusal);
    assert_string_equal(vidmm_rule_id(refusal->rules[0]), vidmm_rule_id(rule));
}

const struct vidmm_bugcheck *mock_stopped(const struct mock_adapter *mock, enum vidmm_rule rule,
                                          uint64_t code, uint64_t subcode)
{
    const struct vidmm_bugcheck *stop = vidmm_bugcheck(mock->adapter);
    assert_non_null(stop);
    assert_string_equal(vidmm_rule_id(stop->rule), vidmm_rule_id(rule));
    assert_int_equal(stop->code, code);
    assert_int_equal(stop->parameter[0], subcode);
    return stop;
}

void mock_stopped_with(const struct mock_adapter *mock, enum vidmm_rule rule, uint64_t code,
                       const uint64_t parameters[4])
{
    const struct vidmm_bugcheck *stop = mock_stopped(mock, rule, code, parameters[0]);
    for (size_t i = 1; i < 4; i++)
        assert_int_equal(stop->parameter[i], parameters[i]);
}
