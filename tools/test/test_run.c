/* SPDX-License-Identifier: MIT */
/*
 * test_run.c: runs one file, once, and says what happens in it.
 *
 * No event is composed: a test hears messages, and where a test of the file begins and ends. What
 * the preamble says comes before the first test, and is shown with it, unless something failed
 * there: that is a failure of the file.
 */
#include "tools/test/test_run.h"

#include <inttypes.h>
#include <string.h>

#include "scenarios/lang/scenario_items.h"
#include "tools/common/host.h"
#include "tools/common/machine.h"
#include "tools/test/golden_part.h"

struct tester {
    struct sink sink;
    struct host host;
    const struct test_plan *plan;
    const struct test_job *job;
    FILE *answer;
    struct scenario *scenario; /* while it runs */
    struct golden_part golden;
    struct golden_start start;
    struct scenario_item test; /* that runs, or the one before */
    bool in_test;
    bool beside;    /* something failed before the first test */
    bool failed;    /* a test */
    bool surprised; /* by a complaint that the scenario does not speak of */
};

static struct tester *tester_of(struct sink *sink)
{
    return CONTAINER_OF(sink, struct tester, sink);
}

/* ---- what happens -----------------------------------------------------------------------------
 */

static bool is_foreseen(struct tester *tester, const struct scenario_message *message)
{
    enum scenario_severity severity = message->severity;
    if (severity != SCENARIO_WARNING && severity != SCENARIO_FINDING)
        return false;
    if (!tester->scenario)
        return false;
    bool foreseen = (!message->rule && !tester->surprised) ||
                    scenario_foresees(tester->scenario, tester->in_test ? &tester->test : NULL,
                                      severity, message->rule);
    tester->surprised = tester->surprised || !foreseen;
    return foreseen;
}

/* One without a rendered form is printed by the host, too: as output of the job. */
static void on_message(struct sink *sink, const struct scenario_message *message)
{
    struct tester *tester = tester_of(sink);
    tester->beside = tester->beside || (message->severity == SCENARIO_FAILED && !tester->in_test);
    answer_write(tester->answer, &(struct answer){
                                     .kind = ANSWER_MESSAGE,
                                     .foreseen = is_foreseen(tester, message),
                                     .number = message->severity,
                                     .rule = message->rule,
                                     .like = message->like,
                                     .line = message->at.line,
                                     .column = message->at.column,
                                     .name = message->at.file,
                                     .text = message->text,
                                     .more = message->rendered,
                                 });
}

/* Nothing goes to stderr: whoever reads the answer prints it. */
static void on_host_message(struct scenario_host *base, const struct scenario_message *message)
{
    struct host *host = CONTAINER_OF(base, struct host, base);
    on_message(&CONTAINER_OF(host, struct tester, host)->sink, message);
}

static bool is_named(const struct scenario_item *test, const char *name)
{
    return strlen(name) == test->length && memcmp(name, test->text, test->length) == 0;
}

static void end_badly(struct tester *tester)
{
    char *name = tester->in_test ? base_strndup(tester->test.text, tester->test.length)
                                 : base_strndup("", 0);
    tester->failed = true;
    golden_part_failed(&tester->golden, tester->plan->known, name);
    base_free(name);
}

static void begin_test(struct tester *tester, const struct scenario_telling *telling)
{
    bool beside = tester->beside && telling->test.reached;
    if (beside)
        end_badly(tester);
    tester->beside = false;
    tester->in_test = true;
    while (scenario_next(tester->scenario, SCENARIO_TESTS, &tester->test) &&
           !is_named(&tester->test, telling->text)) {
    }
    answer_write(tester->answer, &(struct answer){ .kind = ANSWER_BEGIN, .number = beside });
}

static void on_tell(struct sink *sink, const struct scenario_telling *telling)
{
    struct tester *tester = tester_of(sink);
    if (telling->kind == SCENARIO_TELL_TEST_BEGIN)
        begin_test(tester, telling);
    /* A test that was interrupted has no end: nobody knows it. */
    if (telling->kind != SCENARIO_TELL_TEST_END || interrupt_seen())
        return;
    bool passed = golden_part_test_ended(&tester->golden, telling->at.line) && telling->test.passed;
    if (!telling->test.passed)
        end_badly(tester);
    tester->in_test = false;
    answer_write(tester->answer, &(struct answer){ .kind = ANSWER_END, .number = passed });
}

static void say_finish(const struct tester *tester, enum scenario_exit exit)
{
    answer_write(tester->answer, &(struct answer){ .kind = ANSWER_FINISH, .number = exit });
}

static void on_refused(struct sink *sink, const char *file, enum scenario_exit exit)
{
    (void)file;
    say_finish(tester_of(sink), exit);
}

static void on_end(struct sink *sink, const char *file, const struct scenario_result *result)
{
    (void)file;
    say_finish(tester_of(sink), result->exit);
}

static void tester_init(struct tester *tester)
{
    tester->sink.message = on_message;
    tester->sink.tell = on_tell;
    tester->sink.refused = on_refused;
    tester->sink.end = on_end;
    host_init(&tester->host, &tester->sink, SCREEN_COLOR_NEVER);
    tester->host.base.message = on_host_message;
    run_options_load(&tester->plan->settings, &tester->host.base);
    tester->start.host = &tester->host;
    tester->start.inner = &tester->sink;
    tester->start.started = tester->host.base.started;
    tester->golden.file = tester->job->path;
    tester->golden.answer = tester->answer;
    tester->host.base.observers = NULL;
    tester->host.base.started = NULL;
    /* Each process may take its part of what the machine can spare. */
    uint64_t spare =
        tester->host.memory_bytes / (tester->plan->processes + !tester->plan->processes);
    uint64_t asked = tester->plan->options.limits.memory_bytes;
    spare = spare > machine_least_bytes ? spare : machine_least_bytes;
    host_limit(&tester->host, asked ? asked : spare);
}

/* ---- what the file says of itself -------------------------------------------------------------
 */

static void say_item(const struct tester *tester, enum answer_kind kind, uint64_t number,
                     const struct scenario_item *item)
{
    struct text name = { 0 }, more = { 0 };
    text_add_bytes(&name, item->text, item->length);
    text_add_bytes(&more, item->more, item->more_length);
    answer_write(tester->answer, &(struct answer){ .kind = kind,
                                                   .number = number,
                                                   .line = item->at.line,
                                                   .name = text_get(&name),
                                                   .text = text_get(&more) });
    text_free(&name);
    text_free(&more);
}

static void say_all(const struct tester *tester, enum scenario_items which, enum answer_kind kind)
{
    struct scenario_item item = { 0 };
    while (scenario_next(tester->scenario, which, &item))
        say_item(tester, kind, 0, &item);
}

/* Tests that --only leaves out are none; those that --tags leaves out are skipped. */
static void say_test(const struct tester *tester, const struct scenario_item *test)
{
    static const struct scenario_item file = { .text = "", .more = "" };
    struct scenario_options options = tester->plan->options;
    bool chosen = scenario_chosen(tester->scenario, test, &options);
    options.tags = NULL;
    if (!tester->plan->every && !scenario_chosen(tester->scenario, test, &options))
        return;
    say_item(tester, ANSWER_TEST, chosen ? ANSWER_CHOSEN : ANSWER_NOT_BY_TAGS, test ? test : &file);
}

static void say_itself(const struct tester *tester)
{
    static const struct scenario_item file = { .text = "", .more = "" };
    struct scenario_item test = { 0 };
    bool any = false;
    say_all(tester, SCENARIO_TAGS, ANSWER_TAG);
    for (; scenario_next(tester->scenario, SCENARIO_TESTS, &test); any = true)
        say_test(tester, &test);
    if (!any && scenario_acts(tester->scenario))
        say_test(tester, NULL);
    else if (!any)
        say_item(tester, ANSWER_TEST, ANSWER_NOTHING_RUNS, &file);
}

/* ---- a run ------------------------------------------------------------------------------------
 */

static char *copy_words(const char *option, const char *value)
{
    struct text word = { 0 };
    text_add(&word, "%s%s", option, value);
    return word.bytes;
}

/* What a report of a bug in vidmm names as the command: this file alone, with this seed. */
static void remember_command(const struct tester *tester)
{
    const struct test_plan *plan = tester->plan;
    const struct {
        const char *option;
        const struct run_settings *words;
    } rows[] = { { "--define=", &plan->defines },
                 { "--limit=", &plan->limits },
                 { "--policy=", &plan->policies },
                 { "--set=", &plan->settings } };
    size_t most = 5, count = 0;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        most += rows[i].words->count;
    char **words = base_alloc(most, sizeof *words);
    words[count++] = copy_words("vidmm", "");
    words[count++] = copy_words("run", "");
    if (plan->options.check_invariants)
        words[count++] = copy_words("--check", "");
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        for (size_t j = 0; j < rows[i].words->count; j++)
            words[count++] = copy_words(rows[i].option, rows[i].words->words[j]);
    if (plan->seed_count)
        words[count++] = copy_words("--seed=", text_print("%" PRIu64, tester->job->seed).it);
    CHECK(count <= most - 1);
    words[count++] = (char *)(uintptr_t)tester->job->path;
    host_remember_command((int)count, words);
}

/* A text without tests is one test, and nothing tells where it begins. */
static void run_checked(struct tester *tester, struct host_file *file)
{
    struct scenario_options options = tester->plan->options;
    struct scenario_result result = { .exit = SCENARIO_EXIT_OK };
    run_options_give(&tester->plan->settings, &options);
    options.has_seed = tester->plan->seed_count != 0;
    options.seed = tester->job->seed;
    options.tell_complaints = true;
    options.machine_bytes = tester->host.memory_bytes;
    tester->start.scenario = file->scenario;
    golden_part_begin(&tester->golden, tester->plan, &tester->start, &options);
    remember_command(tester);
    (void)host_run(&tester->host, file, &options, &result);
    tester->host.sink = &tester->sink;
    /* In the middle of a test, or beside all of them. */
    if (result.exit != SCENARIO_EXIT_OK && !tester->failed)
        end_badly(tester);
    golden_part_end(&tester->golden, &result);
    tester->sink.end(&tester->sink, file->name, &result);
}

static bool read_file(struct tester *tester, struct host_file *file)
{
    const struct run_settings *defines = &tester->plan->defines;
    if (!host_open(&tester->host, tester->job->path, file))
        return false;
    tester->scenario = file->scenario;
    /* Also of a text with mistakes: -D has none then. */
    if (tester->plan->list)
        say_all(tester, SCENARIO_PARAMS, ANSWER_PARAM);
    /* A name that no file knows is a mistake; one that this file does not know is none. */
    for (size_t i = 0; i < defines->count; i++)
        tester->golden.defined |= scenario_define(file->scenario, defines->words[i]);
    return scenario_check(file->scenario);
}

int test_run(const struct test_plan *plan, const struct test_job *job, FILE *answer)
{
    struct tester tester = { .plan = plan, .job = job, .answer = answer };
    struct host_file file;
    tester_init(&tester);
    if (!read_file(&tester, &file)) {
        bool line = file.scenario && scenario_misdefined(file.scenario);
        say_finish(&tester, line ? SCENARIO_EXIT_USAGE : SCENARIO_EXIT_INPUT);
    } else {
        say_itself(&tester);
        if (plan->list || !scenario_acts(file.scenario))
            say_finish(&tester, SCENARIO_EXIT_OK);
        else
            run_checked(&tester, &file);
    }
    host_close(&file);
    return 0;
}
