/* SPDX-License-Identifier: MIT */
/*
 * play.h: one scene at a time, and what its rows are called. For test programs, which include it
 * once.
 */
#ifndef TESTS_PLAY_H
#define TESTS_PLAY_H

#include <string.h>

#include "tests/support/unit.h"

#include "tests/tools/scene/sound.h"
#include "tests/tools/scene/stage.h"
#include "tools/common/text.h"

#define HEAD                                                                                       \
    "vidmm-scenario 1\n"                                                                           \
    "adapter wddm=1.1\n"                                                                           \
    "segment vram id=1 kind=memory size=64M flags=CpuVisible\n"                                    \
    "segment aper id=2 kind=aperture size=32M\n"                                                   \
    "class tex segments=vram prefer=vram evict-to=aper\n"

static struct stage stage;
static struct text drawn;

static void run_with(const struct scene_options *options, const char *text)
{
    stage_open(&stage, options);
    assert_true(stage_run(&stage, "a.vms", text, strlen(text)));
    assert_null(sound_problem(stage.scene, options && options->calls));
    text_clear(&drawn);
}

static inline void run(const char *text)
{
    run_with(NULL, text);
}

static void end(void)
{
    text_free(&drawn);
    stage_close(&stage);
}

static inline const char *string(scene_text text)
{
    return scene_string(stage.scene, text);
}

static inline const char *label(scene_index allocation)
{
    return allocation == SCENE_NONE ? "-" : string(stage.scene->allocations[allocation].label);
}

static inline const char *event(scene_index row)
{
    return row == SCENE_NONE
               ? "-"
               : vidmm_event_info((enum vidmm_event_kind)stage.scene->events[row].kind)->name;
}

/* Of three textures there is room for two. */
static const char three[] = HEAD "create grass : tex size=24M content=1\n"
                                 "create rock : tex size=24M content=1\n"
                                 "create sky : tex size=24M content=1\n"
                                 "submit f1 read=grass,rock\n"
                                 "submit f2 read=sky\n"
                                 "wait f2\n"
                                 "wait idle\n";

#endif
