/* SPDX-License-Identifier: MIT */
/* start_fixture.c: see start_fixture.h. */
#include "tests/vidmm/adapter/start_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/unit.h"

static void note(struct vidmm_observer *observer, const struct vidmm_event *event)
{
    struct fixture *fixture = (struct fixture *)(void *)observer;
    char word[64];
    const char *what = vidmm_event_info(event->kind)->name;
    (void)snprintf(word, sizeof word, "%s", what);
    for (size_t i = 0; i < event->field_count; i++) {
        const struct vidmm_field *field = &event->fields[i];
        if (!strcmp(field->name, "text"))
            (void)snprintf(fixture->finding, sizeof fixture->finding, "%s", field->text);
        if (!strcmp(field->name, "Type") || !strcmp(field->name, "segment"))
            (void)snprintf(word, sizeof word, "%s-%u", what, (unsigned)field->value);
    }
    size_t used = strlen(fixture->trace);
    assert_true(used + strlen(word) + 2 < sizeof fixture->trace);
    (void)snprintf(fixture->trace + used, sizeof fixture->trace - used, "%s ", word);
}

struct fixture *fixture_new(uint32_t wddm)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    fixture->observer.on_event = note;
    vidmm_config_init(&fixture->config);
    vidmm_mock_config_init(&fixture->mock_config, wddm);
    fixture->segments[0] = (struct vidmm_mock_segment){
        .flags = 0x4,
        .size = 256 * MIB,
        .cpu_base = UINT64_C(0x1000000000),
    };
    fixture->segments[1] = (struct vidmm_mock_segment){
        .flags = 0x1,
        .base = GIB,
        .size = 64 * MIB,
    };
    fixture->mock_config.segments = fixture->segments;
    fixture->mock_config.segment_count = 2;
    fixture->config.observers = &fixture->observer;
    return fixture;
}

vidmm_status fixture_start(struct fixture *fixture)
{
    fixture->mock = vidmm_mock_create(&fixture->mock_config);
    fixture->config.miniport = *vidmm_mock_miniport(fixture->mock);
    return vidmm_adapter_start(&fixture->config, &fixture->adapter);
}

void fixture_free(struct fixture *fixture)
{
    vidmm_adapter_free(fixture->adapter);
    vidmm_mock_destroy(fixture->mock);
    free(fixture);
}

void fixture_cap(struct fixture *fixture, const char *name, uint64_t value)
{
    assert_true(vidmm_mock_cap_set(&fixture->mock_config, name, value));
}

void fixture_switch(struct fixture *fixture, const char *name, const char *value)
{
    assert_true(vidmm_mock_switch_set(fixture->mock_config.switches, name, value));
}
