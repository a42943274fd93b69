/* SPDX-License-Identifier: MIT */
/*
 * tables.h: the door of scenarios/lang/tables: what there is in the language.
 */
#ifndef SCENARIOS_LANG_TABLES_TABLES_H
#define SCENARIOS_LANG_TABLES_TABLES_H

#include "scenarios/lang/tables/rows.h"

/* ---- statements: statements.c ---------------------------------------------------------------- */

const struct statement_row *statements_row(unsigned kind);
/* STATEMENT_KINDS for a word that begins no statement. */
enum statement_kind statements_find(word name);
/* Interns the keywords, so that the word of a keyword is its kind + 1. */
void statements_intern(struct words *words, struct arena *arena);

/* What follows `reset`, `exclude`, `power`: the `mode` of the statement. */
enum accident {
#define ACCIDENT(statement, symbol, word, call, help) ACCIDENT_##symbol,
#include "scenarios/lang/tables/accidents.def"
#undef ACCIDENT
    ACCIDENTS
};

struct accident_row {
    int statement;
    const char *word, *help;
};

const struct accident_row *accident_row(size_t index); /* NULL after the last */

/* ---- attributes: statements.c ---------------------------------------------------------------- */

/* Row `index` of attributes.def; NULL after the last. */
const struct attribute_row *attribute_row(size_t index);

/* The largest number that it holds. */
uint64_t attribute_most(const struct attribute_row *row);
/* The attribute of the statement, or the setting, cap or switch that it takes; NULL: none. */
const struct attribute_row *attribute_row_of(struct arena *arena, int statement, const char *name);
/* It takes switches of the mock miniport. */
bool attribute_takes_switches(int statement);
bool attribute_is_policy(const struct attribute_row *row); /* a word of its, or a loaded one */
bool attribute_has_word(const struct attribute_row *row, const struct scenario_host *host,
                        const char *name, size_t *index);
/* Tries all that attribute_row_of() knows. */
void attribute_suggest(int statement, struct nearest *nearest);
/* For a name that is no switch: what a call answers is its -status. NULL: it says no failure. */
const char *attribute_suggest_status(const char *name, char *help, size_t bytes);
/* Bits for the members of the interface that it writes, and the name of the first of them. */
unsigned attribute_members(const struct attribute_row *row);
const char *attribute_member_name(unsigned members);
/* It takes several values with commas between them. */
bool attribute_is_list(const struct attribute_row *row);

/* ---- functions, out(MEMBER), state: questions.c ---------------------------------------------- */

const struct function_row *function_row_of(unsigned function);
enum function function_find(const char *name); /* FUNCTIONS for an unknown name */

/* The name of an output member; NULL after the last. */
const char *out_name(size_t index);
const char *out_help(size_t index);
/* What is wrong with out(NAME), or out(NAME[I]) where it is indexed, a text about NAME; or NULL. */
const char *out_flaw(size_t index, bool indexed);

/* Some kind of subject has this key. */
bool state_words_known(const char *key);
void state_words_suggest(struct nearest *nearest);
/* "key|key|key" of one kind of subject (enum object; 0: the adapter); "" for other kinds. */
const char *state_words_of(int object);
/* What can be asked of one kind of subject. */
struct state_words {
    int object;
    const char *of, *words; /* "SEGMENT", and its keys */
    bool supported;
};
const struct state_words *state_words_row(size_t index); /* NULL after the last */
/* What the key is, of the `index`-th kind of subject that has it; NULL after the last. */
const struct vidmm_event_field_info *state_words_field(const char *key, size_t index);

/* ---- events and their fields: questions.c ------------------------------------------------ */

/* What was meant by a name that is no event. */
const char *event_suggest(const char *name, char *help, size_t bytes);
/* NULL: events of this kind have no such field. */
const struct vidmm_event_field_info *event_fields_find(enum vidmm_event_kind kind,
                                                       const char *name);
/* The same, with what all events have; driver-call has whatever its calls have. */
bool event_fields_known(enum vidmm_event_kind kind, const char *name);
const char *event_fields_help(enum vidmm_event_kind kind, const char *name, char *help,
                              size_t bytes);
/* False: the field is never this word. */
bool event_fields_word(const struct vidmm_event_field_info *info, const char *text);
/* The table has `text` as one of its words: event_fields_stands(info, "SEGMENT"). */
bool event_fields_stands(const struct vidmm_event_field_info *info, const char *text);
/* All words of the field but names. */
void event_fields_suggest(const struct vidmm_event_field_info *info, struct nearest *nearest);

/* All settings of a run, after those of the text. NULL: good; else the one that is none. */
const char *scenario_options_store(const struct scenario_host *host,
                                   const struct scenario_options *options,
                                   struct vidmm_settings *settings, const char **why);

#endif
