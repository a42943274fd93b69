/* SPDX-License-Identifier: MIT */
/*
 * rounds.c: does a statement belong to a later round of a loop? See rounds.h.
 */
#include "tools/story/rounds.h"

#include <string.h>

static void statement(struct rounds *rounds, const struct scenario_telling *telling)
{
    const struct scenario_span *at = &telling->at;
    bool same = rounds->file && strcmp(rounds->file, at->file) == 0;
    bool again = rounds->lesson && same && at->line <= rounds->line;
    rounds->later = again || telling->quiet;
    rounds->statements += rounds->later;
    rounds->quiet = rounds->quiet || telling->quiet;
    if (!again) {
        rounds->file = at->file;
        rounds->line = at->line;
    }
}

bool rounds_leave_out(struct rounds *rounds, const struct scenario_telling *telling)
{
    switch (telling->kind) {
    case SCENARIO_TELL_LESSON: rounds->lesson = true; break;
    case SCENARIO_TELL_TEST_BEGIN:
    case SCENARIO_TELL_TEST_END: /* the text before the tests runs again */
        rounds->later = false;
        rounds->line = 0;
        break;
    case SCENARIO_TELL_STATEMENT:
    case SCENARIO_TELL_NOTE:
    case SCENARIO_TELL_SHOW: statement(rounds, telling); break;
    case SCENARIO_TELL_ASK: /* nobody can answer what was not read */
        statement(rounds, telling);
        rounds->statements -= rounds->later;
        return false;
    case SCENARIO_TELL_PARAM:
    case SCENARIO_TELL_HELD:
    case SCENARIO_TELL_UNEXPECTED: break; /* of the statement that was told */
    }
    return rounds->later;
}

uint64_t rounds_left_out(struct rounds *rounds, bool *quiet)
{
    uint64_t count = rounds->statements;
    *quiet = rounds->quiet;
    rounds->statements = 0;
    rounds->quiet = false;
    return count;
}
