/* SPDX-License-Identifier: MIT */
/*
 * listener.h: a host of scenarios, for tests, that records messages and events.
 */
#ifndef TESTS_LISTENER_H
#define TESTS_LISTENER_H

#include "scenarios/lang/scenario.h"

struct text {
    char *bytes;
    size_t length, capacity;
};

struct listener {
    struct scenario_host host;
    struct vidmm_observer observer;
    struct text said, told, events;
    size_t messages; /* how many are in `said` */
    const char *const *files; /* name, text, name, text ..., NULL */
};

void listener_append(struct text *text, const char *bytes, size_t length);
void listener_open(struct listener *listener);
void listener_close(struct listener *listener);

#endif
