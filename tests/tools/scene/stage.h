/* SPDX-License-Identifier: MIT */
/*
 * stage.h: a scenario that is run for its scene, for tests.
 */
#ifndef TESTS_STAGE_H
#define TESTS_STAGE_H

#include "tools/scene/scene.h"

struct stage {
    struct scenario_host host;
    struct sink *sink;
    const struct scene *scene; /* after stage_run() */
    /* A last look at an adapter, before the scene hears of its end. May be NULL. */
    void (*look)(struct stage *stage, const struct vidmm_adapter *adapter);
    /* The scene has heard of it. May be NULL. */
    void (*after)(struct stage *stage);
    void *caller;
};

/* `options` may be NULL. */
void stage_open(struct stage *stage, const struct scene_options *options);
/* Under this name, which must live as long as the stage. False: the text has errors. */
bool stage_run(struct stage *stage, const char *name, const char *text, size_t bytes);
void stage_close(struct stage *stage);

#endif
