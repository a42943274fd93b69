/* SPDX-License-Identifier: MIT */
/*
 * run.h: private: a scenario that runs.
 *
 * The runner is a client of the public API like any other program. It owns one adapter at a time;
 * each test has its own, brought to the same state by running the preamble again. What a name is
 * bound to is one 64-bit value: the object, a handle or number, and 28 bits beside it.
 */
#ifndef SCENARIOS_LANG_RUN_RUN_H
#define SCENARIOS_LANG_RUN_RUN_H

#include "scenarios/lang/syntax/syntax.h"
#include "vidmm/vidmm_mock.h"

/* ---- random numbers: random.c -----------------------------------------------------------------
 */

struct random {
    uint64_t state[4];
};

/* A stream of its own for each pair of seed and name. */
void random_init(struct random *random, uint64_t seed, const char *name, size_t bytes);
uint64_t random_next(struct random *random);
/* Uniform in [0, bound); bound > 0. */
uint64_t random_below(struct random *random, uint64_t bound);

/* ---- bindings ----------------------------------------------------------------------------------
 */

/* Packed: object 4 bits, extra 28, number 32. 0: not bound. */
typedef uint64_t binding;

/* A handle that no object has: what an unknown name stands for. */
#define RUN_NO_HANDLE UINT32_C(0x00FFFFFF)

/* ---- events: event_log.c, event_match.c --------------------------------------------------------
 */

enum { LOG_FIELDS_MAX = 24, LOG_TEXT_MAX = 512, MOVE_WORDS_MAX = 64 };

/* An event that is kept: its fields and words are copies. */
struct log_event {
    uint64_t seq;
    vidmm_ns time;
    enum vidmm_event_kind kind;
    enum vidmm_rule rule;
    vidmm_handle subject;
    uint32_t first_field, field_count;
    bool matched; /* by a line of an `any-order` list */
};

struct log_field {
    const char *name;
    enum vidmm_field_kind kind;
    uint64_t value;
    uint32_t text; /* offset in the texts of the log */
};

/* All events since the last list of expected ones. */
struct event_log {
    struct log_event *events;
    size_t count, capacity;
    struct log_field *fields;
    size_t field_count, field_capacity;
    char *texts;
    size_t text_count, text_capacity;
    bool wanted, full;
};

/* Counts the events that an expectation asks about. */
struct watch {
    struct watch *next;
    enum vidmm_event_kind kind;
    const struct expr *subject;
    const struct attribute *fields; /* of `no`; else items of count(...) */
    const struct item *items;
    uint64_t count, last_seq;
    char *last; /* of `no`: the last event in words, WATCH_WORDS_MAX */
};
enum { WATCH_WORDS_MAX = 320 };

/* The last event that moved an allocation, for explanations; old ones give way. */
enum { MOVES = 4096 };
struct move {
    vidmm_handle subject;
    enum vidmm_event_kind kind;
    enum vidmm_rule rule;
    uint64_t seq;
    vidmm_ns time;
    uint32_t segment;
    uint64_t offset;
    char words[MOVE_WORDS_MAX];
};

/* ---- runner ------------------------------------------------------------------------------------
 */

enum { SEGMENTS_DECLARED_MAX = 64 };

struct live_allocation {
    vidmm_handle handle;
    bool bulk; /* key is a bulk handle */
    name_key key;
};

/* A handle that `open` gave, and the handle of the same in events. Sorted by handle. */
struct opened_handle {
    vidmm_handle handle, identity;
};

struct always_block {
    const struct statement *statement;
    uint64_t every;
};

/* Output members of calls: `known` are those that the last call gave back. */
struct outs {
    uint64_t value[OUTS];
    bool known[OUTS];
    uint32_t *results; /* of a reclaim, for each element */
    size_t result_count, result_capacity;
};

enum { REPEATS_MOST = 50 };

struct repeats {
    struct repeat {
        enum scenario_severity severity;
        struct place at;
        uint64_t hash, more;
    } told[REPEATS_MOST]; /* in this test */
    size_t count;
    struct unshown {
        uint64_t shown, count;
        struct place at; /* of the first that was not shown */
    } failures, complaints;
};

struct runner {
    struct scenario *scenario;
    const struct scenario_options *options;
    struct scenario_result *result;
    struct scenario_limits limits;

    struct vidmm_mock_config mock_config;
    struct vidmm_mock_segment segments[SEGMENTS_DECLARED_MAX];
    struct vidmm_config config;
    struct vidmm_mock *mock;
    struct vidmm_adapter *adapter; /* NULL before the start */
    bool observing, start_failed, stop_seen;
    bool ownerless; /* the present statement ended, for want of a device or a context */
    uint32_t nodes_declared;

    struct names names;
    struct names refused; /* run_missing.c */
    struct handles handles;
    struct run_variable {
        word name;
        uint64_t value;
    } * variables;
    size_t variable_count, variable_capacity;
    const struct statement **classes;
    size_t class_count, class_capacity;
    uint64_t *marks;
    size_t mark_count, mark_capacity;
    struct live_allocation *live;
    size_t live_count, live_capacity;
    struct opened_handle *opened;
    size_t opened_count, opened_capacity;
    vidmm_handle *devices;
    size_t device_count, device_capacity;
    vidmm_handle process, device, context; /* declared last */
    vidmm_handle locked;                   /* last */
    struct outs out;                       /* of the last call */
    uint64_t fresh;                        /* names that were made */
    struct random random;
    uint64_t seed;

    struct vidmm_observer observer;
    struct event_log log;
    struct watch *watches[VIDMM_EVENT_KINDS];
    struct move *moves;
    uint64_t last_seq;
    enum vidmm_rule warned[16]; /* warnings and findings of the present statement */
    size_t warned_count;

    struct always_block always[8];
    size_t always_count;
    bool in_always;
    binding shown;              /* what `show` is about */
    const bool *shown_counters; /* NULL: all */
    const struct scenario_state_row *shown_state;
    size_t shown_state_count;

    const struct statement *test;      /* NULL: the preamble */
    const struct statement *statement; /* the present one */
    const struct bulk_line *line;      /* its bulk line, or NULL */
    const uint32_t *numbers;
    uint16_t line_source;

    binding *targets; /* scratch of evaluate_targets() */
    size_t target_count, target_capacity;
    struct vidmm_use *uses;
    size_t use_count, use_capacity;
    struct vidmm_patch *patches;
    size_t patch_count, patch_capacity;
    vidmm_handle *handle_list;
    size_t handle_capacity;

    char problem[256];          /* why an expression has no value */
    const struct expr *missing; /* the first name of the present statement that means nothing */
    bool missing_others;        /* and it is not the only one */
    char missing_name[96];
    char why[1024]; /* why the present expectation does not hold */
    bool expecting; /* failures are those of an expectation, not of an operation */
    bool missed;    /* the present expectation does not hold */
    uint64_t operations, rounds;
    struct repeats repeats;
    struct vidmm_observer complaints;      /* hears warnings and findings */
    uint64_t worked;                       /* of this thread, before the run */
    struct vidmm_host_limits callers;      /* that hold outside of the run */
    const char *memory_why;                /* whose limit it is, unless it was asked for */
    uint64_t failures;                     /* whatever made this test fail; 0: it passed */
    struct scenario_result before;         /* this test and its preamble */
    uint8_t *proved;                       /* by rule: came into play in an earlier test */
    bool halted;                           /* this test goes no further */
    bool ended;                            /* the whole run */
    bool repeated;                         /* the preamble again: nobody has to hear it twice */
    uint64_t findings_told, warnings_told; /* of this adapter, that are in the result already */
};

/* runner.c */
/* The stream of the present test from its beginning. */
void runner_seed(struct runner *runner);
const char *runner_word(const struct runner *runner, word name);
/* Runs a block until its end or until something halts it. */
void runner_block(struct runner *runner, const struct statement *first);
/* Tells the reader where the present statement stands; `details` may be NULL. */
VIDMM_PRINTF(4, 5)
void runner_message(struct runner *runner, enum scenario_severity severity, const char *details,
                    const char *format, ...);
/* The same about another place, and whatever was told before. */
VIDMM_PRINTF(4, 5)
void runner_message_at(struct runner *runner, struct place at, enum scenario_severity severity,
                       const char *format, ...);
/* Around the checks of one expectation. */
void runner_expect_begin(struct runner *runner);
void runner_expect_end(struct runner *runner);
/* An expectation that did not hold. */
void runner_failed(struct runner *runner, const char *details);
/* The scenario cannot go on: exit code 3. */
VIDMM_PRINTF(2, 3) void runner_stop(struct runner *runner, const char *format, ...);
void runner_halt(struct runner *runner, enum scenario_exit exit);
/* The present statement ended the test, which nobody expected; `details` say why. */
void runner_broke_off(struct runner *runner, enum scenario_exit exit, const char *text,
                      const char *details);
/* The text of the present statement. */
struct place runner_place(struct runner *runner);
void runner_tell(struct runner *runner, enum scenario_telling_kind kind, struct place text,
                 uint64_t value);

/* run/repeats.c */
/* True: this statement did not say that yet. What it says again is counted. */
bool repeats_first(struct runner *runner, enum scenario_severity severity, const char *text);
/* False, and counted: there were enough messages. */
bool repeats_shown(struct runner *runner, enum scenario_severity severity);
/* At the end of a test: how often things were said again; at the end of the run: what was not. */
void repeats_settle(struct runner *runner);
void repeats_end(struct runner *runner);
/* Tells warnings and findings; NULL: nobody asked for that. */
struct vidmm_observer *repeats_observer(struct runner *runner);

/* limits.c */
/* Around a run. */
void limits_begin(struct runner *runner);
void limits_end(struct runner *runner);
/* The limits of the runner hold from now on. */
void limits_hold(struct runner *runner);
/* False, and the run is stopped, when one is exceeded. */
bool runner_within_limits(struct runner *runner);

/* bindings.c */
binding bindings_make(enum object object, uint32_t extra, uint32_t number);
enum object bindings_object(binding value);
uint32_t bindings_number(binding value);
uint32_t bindings_extra(binding value);
binding bindings_get(const struct runner *runner, bool bulk, name_key key);
void bindings_set(struct runner *runner, bool bulk, name_key key, binding value);
void bindings_name(struct runner *runner, word name, binding value);
binding bindings_of_word(const struct runner *runner, word name);
/* A live allocation, found again by `any`. */
void bindings_add_allocation(struct runner *runner, bool bulk, name_key key, vidmm_handle handle);
/* A lock gave `target` the instance: its name means that from now on. */
void bindings_follow(struct runner *runner, binding target, vidmm_handle instance);
/* The name of an instance for good. */
void bindings_instance(struct runner *runner, word name, vidmm_handle instance);
void bindings_drop_live(struct runner *runner, size_t index);
/* Forgets allocations that went with their owner. */
void bindings_sweep(struct runner *runner);
/* Picks `count` live allocations into the targets; fewer when there are fewer. */
void bindings_pick(struct runner *runner, uint64_t count);

/* evaluate.c: false: there is no value, and runner->problem says why */
bool evaluate(struct runner *runner, const struct expr *expr, uint64_t *value);
/* The same for what has 32 bits: more is a problem and never cut. */
bool evaluate_32(struct runner *runner, const struct expr *expr, uint64_t *value);
/* The same for one element of an attribute, which has as many bits as its row says. */
bool evaluate_item(struct runner *runner, const struct attribute *attribute,
                   const struct item *item, uint64_t *value);
/* Without messages and without asking the adapter: inside an observer. */
bool evaluate_quietly(const struct runner *runner, const struct expr *expr, uint64_t *value);
bool evaluate_attribute(struct runner *runner, const struct statement *statement,
                        enum attribute_id id, uint64_t *value);
/* The names of a list into runner->targets, behind what is there. */
bool evaluate_targets(struct runner *runner, const struct item *items);
/* The one thing that an expression names; 0: nothing. */
binding evaluate_binding(struct runner *runner, const struct expr *expr);
bool evaluate_binding_quietly(const struct runner *runner, const struct expr *expr, binding *value);
VIDMM_PRINTF(2, 3) bool evaluate_problem(struct runner *runner, const char *format, ...);
void evaluate_set_variable(struct runner *runner, word name, uint64_t value);
bool evaluate_random(struct runner *runner, const struct item *items, uint64_t *value);
/* functions.c */
bool functions_call(struct runner *runner, const struct expr *expr, uint64_t *value);
bool functions_counter(struct runner *runner, const struct expr *expr, uint64_t *value);

/* run_outcome.c */
void run_outcome(struct runner *runner, const struct statement *statement, vidmm_status status);

/* run_start.c: the adapter comes into being; false: it did not start. */
bool run_start_implied(struct runner *runner);
void run_start_reset(struct runner *runner);
void run_start_end(struct runner *runner);
vidmm_handle run_start_device(struct runner *runner);
vidmm_handle run_start_context(struct runner *runner);
vidmm_handle run_start_named_context(struct runner *runner, word name);
vidmm_handle run_start_process(struct runner *runner);

/* event_log.c */
void event_log_attach(struct runner *runner);
void event_log_clear(struct event_log *log);
void event_log_fini(struct event_log *log);
const struct move *event_log_move(const struct runner *runner, vidmm_handle subject);

/* event_match.c */
/* The names of which set stand in the field; VIDMM_FLAG_SETS: the field does not say. */
enum vidmm_flag_set event_match_set(const char *name);
bool event_match_field(const struct runner *runner, const struct attribute *wanted,
                       const struct vidmm_field *field);
bool event_match_event(const struct runner *runner, const struct expr *subject,
                       const struct attribute *fields, const struct vidmm_event *event);
bool event_match_watch(const struct runner *runner, const struct watch *watch,
                       const struct vidmm_event *event);
void event_match_collect(struct runner *runner);
struct vidmm_event event_match_unpack(const struct event_log *log, const struct log_event *event,
                                      struct vidmm_field *fields);

/* expect_list.c */
void expect_list_events(struct runner *runner, const struct statement *statement);
void expect_list_map(struct runner *runner, const struct statement *statement);

/* state_show.c: what `state` is asked of; 0: the adapter. */
binding state_subject(struct runner *runner, const struct expr *subject);
/* A field of a state in words. */
void state_describe(const struct runner *runner, const struct vidmm_field *field, char *text,
                    size_t size);
/* Every key that the subject has; returns how many. */
size_t state_all(struct runner *runner, binding subject, struct scenario_state_row *rows,
                 size_t most);
/* state_keys.c: a key of `state` as a field; false when the subject has no such key. */
bool state_keys_find(struct runner *runner, binding subject, const char *key,
                     struct vidmm_field *field, char *text, size_t bytes);

/* run_out.c: what the last call gave back; a call forgets what the call before it gave. */
void run_out_clear(struct runner *runner);
void run_out_set(struct runner *runner, enum out out, uint64_t value);
void run_out_creation(struct runner *runner, vidmm_status status,
                      const struct vidmm_creation_result *result);
bool run_out_find(struct runner *runner, const struct expr *expr, uint64_t *value);

/* run_missing.c: the present statement was to make `target`, and was refused. */
void run_missing_note(struct runner *runner, const struct expr *target);
/* "f was refused in line 12", of a target that stands for nothing. */
const char *run_missing_describe(struct runner *runner, const struct expr *target, char *text,
                                 size_t size);
/* The same of an allocation that cannot be looked at, which may also be gone. */
const char *run_missing_allocation(struct runner *runner, const struct expr *target, char *text,
                                   size_t size);
/* For the adapter's own sentences; `caller` is the runner. */
/* Two spellings of one name. */
bool run_missing_same(const struct runner *runner, const struct expr *left,
                      const struct expr *right);
const char *run_missing_name(void *caller, vidmm_handle handle);
/* The same of the present statement, behind its details; nothing where nothing was refused. */
void run_missing_add(struct runner *runner, char *details, size_t size);

/* run_share.c: the handle by which events name what an opened handle names. */
vidmm_handle run_share_identity(const struct runner *runner, vidmm_handle handle);
/* Has the device of this handle closed what others still have open? */
bool run_share_is_closed(const struct runner *runner, vidmm_handle handle);
/* `destroy all`: what was opened goes, too, and what is closed already is left out. */
void run_share_target_all(struct runner *runner);

/* describe.c: numbers and events in words */
const char *describe_bytes(uint64_t bytes, char *text, size_t size);
/* What an expression counts in. */
enum unit describe_unit(const struct runner *runner, const struct expr *expr);
/* A plain number, "4 MiB (0x400000)", "2 ms (2000000 ns)". */
const char *describe_value(uint64_t value, enum unit unit, char *text, size_t size);
const char *describe_status(vidmm_status status, char *text, size_t size);
const char *describe_refusal(const struct runner *runner, vidmm_status status, char *text,
                             size_t size);
/* As the scenario calls it; "system" for 0. */
const char *describe_segment(const struct runner *runner, uint32_t segment);
/* "event 38, finding vram: TEXT (RULE)"; asks nobody, so observers may. */
void describe_heard(const struct vidmm_event *event, char *text, size_t size);
const char *describe_move(const struct runner *runner, vidmm_handle handle, const char *label,
                          char *text, size_t size);

/* run_table.c: the statement does something when it runs; does it. */
bool run_has_effect(const struct statement *statement);
void run_by_kind(struct runner *runner, const struct statement *statement);

/* statements.def */
/* For the device or context that this statement is going to make (run_buffers.c). */
void run_buffers(struct runner *runner, const struct statement *statement);
void run_setup_adapter(struct runner *runner, const struct statement *statement);
void run_setup_segment(struct runner *runner, const struct statement *statement);
void run_setup_paging_buffer(struct runner *runner, const struct statement *statement);
void run_setup_node(struct runner *runner, const struct statement *statement);
void run_setup_miniport(struct runner *runner, const struct statement *statement);
void run_setup_link(struct runner *runner, const struct statement *statement);
void run_setup_machine(struct runner *runner, const struct statement *statement);
void run_setup_process(struct runner *runner, const struct statement *statement);
void run_setup_device(struct runner *runner, const struct statement *statement);
void run_setup_context(struct runner *runner, const struct statement *statement);
void run_setup_sysmem(struct runner *runner, const struct statement *statement);
void run_setup_class(struct runner *runner, const struct statement *statement);
void run_setup_seed(struct runner *runner, const struct statement *statement);
void run_setup_limit(struct runner *runner, const struct statement *statement);
void run_setup_let(struct runner *runner, const struct statement *statement);
void run_setup_start(struct runner *runner, const struct statement *statement);
void run_memory_create(struct runner *runner, const struct statement *statement);
void run_memory_resource(struct runner *runner, const struct statement *statement);
void run_memory_destroy(struct runner *runner, const struct statement *statement);
void run_share_open(struct runner *runner, const struct statement *statement);
void run_share_close(struct runner *runner, const struct statement *statement);
void run_share_share(struct runner *runner, const struct statement *statement);
void run_share_grant(struct runner *runner, const struct statement *statement);
void run_memory_lock(struct runner *runner, const struct statement *statement);
void run_memory_write(struct runner *runner, const struct statement *statement);
void run_memory_read(struct runner *runner, const struct statement *statement);
void run_memory_unlock(struct runner *runner, const struct statement *statement);
void run_memory_page_in(struct runner *runner, const struct statement *statement);
void run_memory_evict(struct runner *runner, const struct statement *statement);
void run_memory_pin(struct runner *runner, const struct statement *statement);
void run_memory_reset_watch(struct runner *runner, const struct statement *statement);
void run_memory_unpin(struct runner *runner, const struct statement *statement);
void run_property_update(struct runner *runner, const struct statement *statement);
void run_offer(struct runner *runner, const struct statement *statement);
void run_reclaim(struct runner *runner, const struct statement *statement);
void run_memory_priority(struct runner *runner, const struct statement *statement);
void run_preempt(struct runner *runner, const struct statement *statement);
void run_accident(struct runner *runner, const struct statement *statement);
void run_gpu_submit(struct runner *runner, const struct statement *statement);
void run_gpu_wait(struct runner *runner, const struct statement *statement);
void run_gpu_advance(struct runner *runner, const struct statement *statement);
void run_gpu_inject(struct runner *runner, const struct statement *statement);
void run_gpu_set(struct runner *runner, const struct statement *statement);
/* run_present.c: what `present` makes of a submission that is read already. */
bool run_present_read(struct runner *runner, const struct statement *statement,
                      const struct vidmm_work *work, struct vidmm_present_args *args);
void run_surface_display(struct runner *runner, const struct statement *statement);
void run_expect_statement(struct runner *runner, const struct statement *statement);
void run_expect_mark(struct runner *runner, const struct statement *statement);
void run_expect_always(struct runner *runner, const struct statement *statement);
void run_block_repeat(struct runner *runner, const struct statement *statement);
void run_block_for(struct runner *runner, const struct statement *statement);
void run_block_choose(struct runner *runner, const struct statement *statement);
void run_teach_text(struct runner *runner, const struct statement *statement);
void run_teach_ask(struct runner *runner, const struct statement *statement);
void run_teach_show(struct runner *runner, const struct statement *statement);

#endif
