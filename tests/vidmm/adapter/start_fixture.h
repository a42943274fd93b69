/* SPDX-License-Identifier: MIT */
/* start_fixture.h: an adapter with the mock that would start, for tests of what makes it fail. */
#ifndef TESTS_START_FIXTURE_H
#define TESTS_START_FIXTURE_H

#include "vidmm/vidmm.h"
#include "vidmm/vidmm_mock.h"

enum { MIB = 1 << 20, GIB = 1 << 30 };

struct fixture {
    struct vidmm_observer observer;
    struct vidmm_config config;
    struct vidmm_mock_config mock_config;
    struct vidmm_mock_segment segments[33];
    struct vidmm_mock *mock;
    struct vidmm_adapter *adapter;
    char finding[200]; /* the text of the last finding or warning */
    char trace[4096]; /* of events, one word each, with the query's type or the segment */
};

/* Segment 1: 256 MiB of memory the CPU sees, segment 2: 64 MiB of aperture at 1 GiB. */
struct fixture *fixture_new(uint32_t wddm);
/* Starts an adapter with the present configurations of the fixture. */
vidmm_status fixture_start(struct fixture *fixture);
void fixture_free(struct fixture *fixture);

void fixture_cap(struct fixture *fixture, const char *name, uint64_t value);
void fixture_switch(struct fixture *fixture, const char *name, const char *value);

#endif
