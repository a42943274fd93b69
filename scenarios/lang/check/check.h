/* SPDX-License-Identifier: MIT */
/*
 * check.h: private: what can be decided about a scenario from its text.
 *
 * The checker walks the text once, in order, and keeps for each name what is known about it. What
 * happens in a loop or a choice is known less well: names become "maybe" and nothing is said about
 * them that might be wrong. Where a statement has an outcome, whatever that outcome may be about is
 * left to the run.
 */
#ifndef SCENARIOS_LANG_CHECK_CHECK_H
#define SCENARIOS_LANG_CHECK_CHECK_H

#include "scenarios/lang/syntax/syntax.h"

/* What the subject of an event may be. */
enum { OBJECT_ANY = 0x7FF };

enum name_state { NAME_UNKNOWN, NAME_LIVE, NAME_GONE, NAME_MAYBE };

/* Packed into the 64 bits of a name table. */
struct name_info {
    enum name_state state;
    enum object object;
    unsigned epoch; /* of the last `destroy all`: older names may be gone */
    struct place at;
};

struct name_change {
    bool handle;
    name_key key;
    uint64_t before;
};

struct variable {
    word name;
    bool constant;
    uint64_t value;
};

struct segment_info {
    word name;
    bool sized, aperture, agp;
    struct place at;
    uint64_t bytes;
    const struct attribute *flags; /* NULL: none, or already blamed */
};

struct class_info {
    const struct statement *statement;
    struct class_info *next;
};

/* A use of a name that was not heard of yet, where it may still come, or where its lack may be
 * meant. */
struct pending_use {
    name_key key;
    struct place at;
    int objects;
};

struct checker {
    struct scenario *scenario;
    struct names names;
    struct handles handles;
    struct name_change *changes;
    size_t change_count, change_capacity;
    struct variable *variables;
    size_t variable_count, variable_capacity;
    uint32_t link_adapters; /* 0: no link statement */
    bool agp;               /* the machine has an AGP aperture, or nobody knows */
    struct segment_info segments[VIDMM_SEGMENTS_MAX + 1];
    size_t segment_count;
    struct class_info *classes;
    struct pending_use *pending;
    size_t pending_count, pending_capacity;
    unsigned uncertain; /* depth of choices and loops that may not run */
    unsigned epoch;
    uint64_t nodes; /* bit N: node N is declared */
    bool nodes_unknown, paging_node;
    uint64_t members; /* that ranges of names came to so far */
    uint32_t wddm;    /* that both sides know; 0: not known */
    uint32_t driver_wddm, system_wddm;
    /* Injected switches that only a start reads, and how many starts came after the first. */
    const struct attribute *late[64];
    size_t late_count, late_before; /* before: those of the preamble, in a test */
    unsigned restarts;
    bool started, stopped, tests_begun, in_test;
    struct place started_at;
    struct names tests;               /* by name, where each stands */
    const struct statement *resource; /* the resource or submission whose lines are checked */
    /* The bulk line being checked: problems are only noted, and told on a second pass. */
    const uint32_t *numbers;
    uint32_t line_offset;
    bool problem;
};

void check_scenario(struct scenario *scenario);

/* check.c: like message_error(), and silent in the first pass over a bulk line. */
VIDMM_PRINTF(4, 5)
void check_report(struct checker *checker, struct place at, const char *help, const char *format,
                  ...);
const char *check_word(const struct checker *checker, word name);
/* What stands there in the text. */
const char *check_spelled(const struct checker *checker, struct place at, char *text, size_t bytes);
/* True: leave it to the run. */
bool check_silent(const struct statement *statement);
bool check_has_variable(const struct checker *checker, word name, struct variable **variable);
void check_declare_variable(struct checker *checker, word name, bool constant, uint64_t value);

/* check_names.c */
void check_names_init(struct checker *checker);
void check_names_fini(struct checker *checker);
size_t check_names_mark(const struct checker *checker);
void check_names_undo(struct checker *checker, size_t mark);
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
struct name_info check_names_at(const struct checker *checker, name_key key);
/* The state of a name without index. */
struct name_info check_names_info(const struct checker *checker, word name);
const struct segment_info *check_names_segment(const struct checker *checker, word name);

/* check/suggest.c: what was meant; written to `help`, or NULL. */
const char *check_suggest_name(struct checker *checker, const struct expr *target, int objects,
                               char *help, size_t bytes);
/* For a word that is no event. */
const char *check_suggest_event(const char *name, char *help, size_t bytes);
/* For a name or call that is no value. */
const char *check_suggest_value(struct checker *checker, const struct expr *expr, char *help,
                                size_t bytes);
const char *check_suggest_variable(struct checker *checker, const struct expr *expr, char *help,
                                   size_t bytes);

/* check_unknown.c */
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

/* check_inject.c */
void check_inject(struct checker *checker, struct statement *statement);
void check_inject_restart(struct checker *checker);
/* The end of a block with so many starts ahead of it: a start in a loop reads what stands below. */
void check_inject_loop(struct checker *checker, unsigned restarts);
/* A test begins, and the end of a test or of the text. */
void check_inject_test(struct checker *checker);
void check_inject_settle(struct checker *checker);
void check_accident(struct checker *checker, struct statement *statement);

/* check_values.c */
/* What it comes to, if that can be told. */
bool check_values_constant(struct checker *checker, const struct expr *expr, uint64_t *value);
void check_values_expression(struct checker *checker, const struct statement *statement,
                             const struct expr *expr);
void check_values_attributes(struct checker *checker, const struct statement *statement,
                             const struct attribute *attributes);
/* A number that does not fit into what it is for. */
void check_values_most(struct checker *checker, const struct expr *expr, const char *name,
                       uint64_t most);
/* True and the value when the attribute is there and constant. */
bool check_values_attribute(struct checker *checker, const struct statement *statement,
                            enum attribute_id id, uint64_t *value);

/* check_fields.c */
/* `event` is VIDMM_EVENT_NONE for the keys of `state`. */
void check_fields_all(struct checker *checker, enum vidmm_event_kind event,
                      const struct attribute *fields);
/* A key and its value: reason=room. */
void check_fields_item(struct checker *checker, enum vidmm_event_kind event,
                       const struct item *item);

/* check/check_members.c: attributes of a creation or a class that write the same member. */
void check_members(struct checker *checker, const struct statement *statement);
/* Bits for the members that it writes. */
unsigned check_members_of(const struct attribute_row *row);

/* check_operation.c: a creation: its own attributes over those of its class. */
struct creation {
    const struct statement *statement, *class;
};
const struct attribute *check_creation_find(const struct creation *creation, enum attribute_id id);
/* Where to tell what is wrong with an attribute: itself, or the use of the class that has it. */
struct place check_creation_place(const struct creation *creation,
                                  const struct attribute *attribute);

/* check/check_lists.c: lists whose members stand in another list, too. */
void check_lists_prefer(struct checker *checker, const struct creation *creation);
void check_lists_submit(struct checker *checker, const struct statement *submit);

/* check_flags.c */
/* Adds the bits of one item of a list; false when they are not known. */
bool check_flags_add(struct checker *checker, const struct item *item, enum vidmm_flag_set set,
                     uint32_t *flags);
/* Reports the names that the version does not have; at `place` when the list stands elsewhere. */
void check_flags_version(struct checker *checker, const struct attribute *list, struct place place,
                         enum vidmm_flag_set set);
/* The same for all segments: at the start, because `adapter` may stand behind them. */
void check_flags_segments(struct checker *checker);

/* check_setup.c: at the start, because `machine` may stand after the segments. */
void check_setup_settled(struct checker *checker);

/* check_table.c */
void check_by_kind(struct checker *checker, struct statement *statement);

/* check_setup.c, check_operation.c, check_expect.c: statements.def */
void check_setup_set(struct checker *checker, struct statement *statement);
void check_setup_machine(struct checker *checker, struct statement *statement);
void check_setup_plain(struct checker *checker, struct statement *statement);
void check_setup_link(struct checker *checker, struct statement *statement);
void check_setup_adapter(struct checker *checker, struct statement *statement);
void check_setup_segment(struct checker *checker, struct statement *statement);
void check_setup_node(struct checker *checker, struct statement *statement);
/* The number of a node: it is one that the adapter has. */
void check_setup_node_number(struct checker *checker, const struct expr *expr);
void check_setup_process(struct checker *checker, struct statement *statement);
void check_setup_device(struct checker *checker, struct statement *statement);
void check_setup_context(struct checker *checker, struct statement *statement);
void check_setup_sysmem(struct checker *checker, struct statement *statement);
void check_setup_class(struct checker *checker, struct statement *statement);
void check_setup_value(struct checker *checker, struct statement *statement);
void check_setup_let(struct checker *checker, struct statement *statement);

void check_operation_create(struct checker *checker, struct statement *statement);
void check_operation_resource(struct checker *checker, struct statement *statement);
void check_operation_destroy(struct checker *checker, struct statement *statement);
void check_operation_free(struct checker *checker, struct statement *statement);
void check_operation_submit(struct checker *checker, struct statement *statement);
void check_operation_at(struct checker *checker, struct statement *statement);
void check_operation_wait(struct checker *checker, struct statement *statement);
void check_preempt(struct checker *checker, struct statement *statement);
void check_operation_advance(struct checker *checker, struct statement *statement);
void check_operation_open(struct checker *checker, struct statement *statement);
void check_operation_close(struct checker *checker, struct statement *statement);
void check_operation_shared(struct checker *checker, struct statement *statement);
void check_offer_names(struct checker *checker, struct statement *statement);
void check_operation_lock(struct checker *checker, struct statement *statement);
void check_operation_names(struct checker *checker, struct statement *statement);
void check_operation_priority(struct checker *checker, struct statement *statement);

void check_expect_statement(struct checker *checker, struct statement *statement);
/* What `state` may be asked of: a name, or the word `adapter`. */
void check_expect_subject(struct checker *checker, const struct expr *subject);
void check_expect_mark(struct checker *checker, struct statement *statement);
void check_expect_always(struct checker *checker, struct statement *statement);
void check_block_test(struct checker *checker, struct statement *statement);
void check_block_repeat(struct checker *checker, struct statement *statement);
void check_block_for(struct checker *checker, struct statement *statement);
void check_block_choose(struct checker *checker, struct statement *statement);
void check_teach_ask(struct checker *checker, struct statement *statement);
void check_teach_show(struct checker *checker, struct statement *statement);
/* check.c: all statements of a block. */
void check_block(struct checker *checker, struct statement *first);

#endif
