/* SPDX-License-Identifier: MIT */
/*
 * parts.h: private: the functions of statements.def, and what one file of the checker asks of
 * another.
 */
#ifndef SCENARIOS_LANG_CHECK_PARTS_H
#define SCENARIOS_LANG_CHECK_PARTS_H

#include "scenarios/lang/check/checker.h"

/* The functions of statements.def. */
typedef void check_kind(struct checker *checker, struct statement *statement);

#define STATEMENT(symbol, name, traits, parse, check, run, syntax, help) check_kind check;
#include "scenarios/lang/tables/statements.def"
#undef STATEMENT

/* What `state` may be asked of: a name, or the word `adapter`. */
void check_expect_subject(struct checker *checker, const struct expr *subject);
/* The lines of one call, of a resource or a submission: its outcome counts for them. */
void check_block_call(struct checker *checker, struct statement *statement);
/* check.c: all statements of a block. */
void check_block(struct checker *checker, struct statement *first);

/* check_operation.c: what the names may stand for, of which check_operation_names() would only ask
   whether they may be used; 0: it would do more. */
int check_operation_uses(const struct statement *statement);

/* check_names.c */
/* A handle that may be used. False: or no handle. */
bool check_names_good(const struct checker *checker, const struct expr *target, int objects);
/* The name begins: refused when it is in use. */
void check_names_create(struct checker *checker, const struct statement *statement,
                        const struct expr *target, enum object object);
/* Members that are made without being named. */
void check_names_family(struct checker *checker, const struct expr *target, enum object object);
/* The name of an instance (`lock ... as NAME`): new, or of an instance already. */
void check_names_instance(struct checker *checker, const struct statement *statement);
/* The same with an index below `count`: NAME[0], NAME[1] ... */
void check_names_members(struct checker *checker, const struct statement *statement,
                         enum object object, uint32_t count);
void check_names_declare(struct checker *checker, const struct statement *statement,
                         enum object object);
/* The name is used by `statement` as one of `objects`. */
void check_names_use(struct checker *checker, const struct statement *statement,
                     const struct expr *target, int objects);
void check_names_destroy(struct checker *checker, const struct statement *statement,
                         const struct expr *target, int objects);
/* It was declared somewhere above; it may be gone. */
void check_names_known(struct checker *checker, const struct expr *target, int objects);

/* check_unknown.c: what was meant; written to `help`, or NULL. */
const char *check_suggest_name(struct checker *checker, const struct expr *target, int objects,
                               char *help, size_t bytes);
/* For a name or call that is no value. */
const char *check_suggest_value(struct checker *checker, const struct expr *expr, char *help,
                                size_t bytes);
const char *check_suggest_variable(struct checker *checker, const struct expr *expr, char *help,
                                   size_t bytes);

/* "an allocation" */
const char *check_unknown_noun(int objects);
void check_unknown_tell(struct checker *checker, const struct expr *target, int objects);
/* The same if nothing in the rest of the text makes it. */
void check_unknown_later(struct checker *checker, const struct expr *target, name_key key,
                         int objects);
/* A member whose index only the run knows: some member has to be made. */
void check_unknown_member(struct checker *checker, const struct expr *target, int objects);
/* At the end of a test and of the text. */
void check_unknown_settle(struct checker *checker);

/* check_unit.c */
enum measure check_unit_of(const struct checker *checker, const struct expr *expr);
/* The variable has this value, among others if it had one before. */
void check_unit_remember(struct checker *checker, word name, const struct expr *value);
/* What `name` takes; false: it is another measure, and that has been said. */
bool check_unit_wanted(struct checker *checker, const struct expr *expr, enum measure wanted,
                       const char *name);
bool check_unit_attribute(struct checker *checker, const struct attribute_row *row,
                          const struct item *item);
/* The two are compared, added or subtracted. */
void check_unit_pair(struct checker *checker, const struct expr *left, const struct expr *right);
/* The field of an event or of `state` is compared with the value. */
void check_unit_field(struct checker *checker, const struct expr *value,
                      const struct vidmm_event_field_info *field, const char *of);

/* check_switch.c */
void check_switch(struct checker *checker, const struct attribute *attribute);
/* A policy that is built in, or one that was loaded. */
void check_switch_policy(struct checker *checker, const struct attribute_row *row,
                         const struct item *item);
/* check_block.c: the end of a test or of the text: what waits for a start. */
void check_inject_settle(struct checker *checker);

/* check_values.c */
/* Only an adapter knows it: it starts for this. */
bool check_values_ask(const struct checker *checker, const struct expr *expr);
/* What it comes to, if that can be told. */
bool check_values_constant(struct checker *checker, const struct expr *expr, uint64_t *value);
void check_values_expression(struct checker *checker, const struct statement *statement,
                             const struct expr *expr);
void check_values_attributes(struct checker *checker, const struct statement *statement,
                             const struct attribute *attributes);
/* A number that does not fit into what it is for. */
void check_values_most(struct checker *checker, const struct expr *expr, const char *name,
                       uint64_t most);
/* It is the name of a counter. */
void check_values_counter(struct checker *checker, const struct expr *expr);
/* True and the value when the attribute is there and constant. */
bool check_values_attribute(struct checker *checker, const struct statement *statement,
                            enum attribute_id id, uint64_t *value);

/* check_expect.c: a key and its value: reason=room. */
void check_fields_item(struct checker *checker, enum vidmm_event_kind event,
                       const struct item *item);

/* The number of a node: it is one that the adapter has. */
void check_fields_node(struct checker *checker, const struct expr *expr);

/* check_creation.c: attributes of a creation or a class that write the same member. */
void check_members(struct checker *checker, const struct statement *statement);

/* check_creation.c: the name of something new begins. */
void check_creation_begin(struct checker *checker, const struct statement *statement,
                          const struct expr *target, enum object object);

/* Reports the names that the version does not have; at `place` when the list stands elsewhere. */
void check_flags_version(struct checker *checker, const struct attribute *list, struct place place,
                         enum vidmm_flag_set set);
/* The same for all segments: at the start, because `adapter` may follow them. */
void check_flags_segments(struct checker *checker);

/* check_setup.c: at the start, because `machine` may stand after the segments. */
void check_setup_settled(struct checker *checker);

#endif
