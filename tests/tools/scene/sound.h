/* SPDX-License-Identifier: MIT */
/*
 * sound.h: whether a scene agrees with itself: indexes, order, ranges of acts, and the counts of
 * what was told, kept and left out.
 */
#ifndef TESTS_SOUND_H
#define TESTS_SOUND_H

#include "tools/scene/scene.h"

/* NULL: it does. Else what is wrong. */
const char *sound_problem(const struct scene *scene, bool calls);

#endif
