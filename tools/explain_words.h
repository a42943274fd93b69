/* SPDX-License-Identifier: MIT */
/*
 * explain_words.h: what a word means.
 *
 * Each function knows one kind of word. True: the word is one, and was explained on stdout.
 */
#ifndef TOOLS_EXPLAIN_WORDS_H
#define TOOLS_EXPLAIN_WORDS_H

#include <stdbool.h>

#include "tools/common/text.h"
#include "vidmm/vidmm_rules.h"

bool explain_words_status(const char *word);
bool explain_words_setting(const char *word);
bool explain_words_counter(const char *word);
bool explain_words_cap(const char *word);

/* cmd_flags.c: a flag, with the rules about it and the scenarios that show them. */
bool explain_words_flag(const char *word);

/* cmd_events.c: an event, with its fields. */
bool explain_words_event(const char *word);
bool explain_words_event_brief(const char *word); /* without them */
/* The same file: a word such as "hung", with the fields of events that can say it. */
bool explain_words_value(const char *word);

/* cmd_policies.c: a policy that is built in; the names of all of them, NULL after the last. */
bool explain_words_policy(const char *word);
const char *explain_words_policy_name(size_t index);

/* explain_stops.c: "0x10E/0xB", a stop code with its first parameter, or "0x10E" alone. */
bool explain_stops_code(const char *word);
/* A stop code with a parameter that it does not have: which are there is said for the code. */
bool explain_stops_other(const char *word, struct text *text);

/*
 * explain_language.c: statements with their attributes, attributes, functions, keys of `state`,
 * switches.
 */
bool explain_language_statement(const char *word);
bool explain_language_statement_brief(const char *word); /* only the names of its attributes */
bool explain_language_attribute(const char *word);
bool explain_language_function(const char *word);
bool explain_language_state(const char *word);
bool explain_language_switch(const char *word);
bool explain_language_list(const char *word); /* "statements": all of them */

/*
 * Rules about a word. First those that glossary.md or members.md names for it,
 * then those with the word in their title, then those with the word in their text. A word of four
 * letters and more may begin a longer one.
 */
bool explain_rules_about(const struct vidmm_rule_info *info, const char *word);
/* Lists them, and says how many are left out; false when there is none. */
bool explain_rules_print(const char *word);
/* Those that the glossary names; false when it names none. */
bool explain_rules_named(const char *word);
/* The same of a word without an entry, after a line that says so and names the nearest entry. */
bool explain_rules_only(const char *word);
/* What the glossary says: of words of the field and members of structures, */
bool explain_meaning_word(const char *word);
bool explain_meaning_field(const char *word); /* is it a word of the field? Nothing is printed */
/* and of a key of `state` for one kind of subject: "ALLOCATION". */
void explain_meaning_key(const char *key, const char *subject);

/* The known word, of any kind, that looks most like this one; NULL when none does. */
const char *explain_words_nearest(const char *word);

#endif
