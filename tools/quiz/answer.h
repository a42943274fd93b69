/* SPDX-License-Identifier: MIT */
/*
 * answer.h: private: what somebody answered, and whether it is right.
 */
#ifndef TOOLS_QUIZ_ANSWER_H
#define TOOLS_QUIZ_ANSWER_H

#include "scenarios/lang/scenario.h"
#include "tools/common/text.h"

enum answer_verdict { ANSWER_WRONG, ANSWER_RIGHT, ANSWER_UNREAD };

/* UNREAD: it is no number, or neither yes nor no, so it is no attempt. */
enum answer_verdict answer_judge(const char *given, const struct scenario_telling *asked);
/* What is wrong with an UNREAD one, and how an answer is written: "'20M!' is no size here. ...". */
void answer_complain(const char *given, const struct scenario_telling *asked, struct text *out);
/* What a WRONG one was read as: "24 bytes", "2000000 us: a number of bytes is asked for". */
void answer_understood(const char *given, const struct scenario_telling *asked, struct text *out);
/* The right one, with the unit that the question counts in. */
void answer_right(const struct scenario_telling *asked, struct text *out);
/* "number", "size" ... */
const char *answer_form_word(const struct scenario_telling *asked);
/* Is there anything left to try after a wrong answer? */
bool answer_has_second_try(const struct scenario_telling *asked);
/* The hint of the scenario, else the rule that the answer follows from, else its magnitude. */
void answer_hint(const struct scenario_telling *asked, struct text *hint);

#endif
