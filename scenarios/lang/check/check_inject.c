/* SPDX-License-Identifier: MIT */
/*
 * check_inject.c: switches of the mock that a running adapter never looks at.
 *
 * `inject` runs when the adapter has started. What only a start reads waits for the next one,
 * `reset pnp-start`, which may follow it in the text, in the test, or in the same loop; where
 * none does, the statement would do nothing. What the driver's table lacks stays as it was loaded.
 */
#include "scenarios/lang/check/checks.h"
#include "vidmm/vidmm_mock.h"

static void wait_for_start(struct checker *checker, const struct attribute *attribute)
{
    if (checker->late_count < ARRAY_COUNT(checker->late))
        checker->late[checker->late_count++] = attribute;
}

void check_inject(struct checker *checker, struct statement *statement)
{
    check_values_attributes(checker, statement, statement->attributes);
    if (statement->mode == MODE_OFF)
        return;
    for (const struct attribute *at = statement->attributes; at; at = at->next) {
        enum vidmm_mock_moment moment = vidmm_mock_switch_moment((size_t)at->row->argument);
        if (moment == VIDMM_MOCK_AT_START)
            wait_for_start(checker, at);
        if (moment == VIDMM_MOCK_AT_LOAD)
            check_report(checker, at->at, "it belongs into `miniport mock`",
                         "'%s' is read when the driver is loaded, and not any more now",
                         at->row->name);
    }
}

void check_inject_restart(struct checker *checker)
{
    checker->restarts++;
    checker->late_count = checker->late_before = 0;
}

void check_inject_loop(struct checker *checker, unsigned restarts)
{
    if (checker->restarts != restarts)
        checker->late_count = checker->late_before;
}

void check_inject_test(struct checker *checker)
{
    checker->late_before = checker->late_count;
}

void check_inject_settle(struct checker *checker)
{
    for (size_t i = checker->late_before; i < checker->late_count; i++)
        check_report(checker, checker->late[i]->at,
                     "it belongs into `miniport mock`, or ahead of `reset pnp-start`",
                     "only a start reads '%s', and none follows", checker->late[i]->row->name);
    checker->late_count = checker->late_before;
    checker->late_before = 0;
}

void check_accident(struct checker *checker, struct statement *statement)
{
    check_setup_plain(checker, statement);
    if (statement->mode == ACCIDENT_RESET_PNP_START)
        check_inject_restart(checker);
}
