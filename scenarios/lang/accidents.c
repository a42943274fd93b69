/* SPDX-License-Identifier: MIT */
/*
 * accidents.c: `preempt`; and `reset`, `power`, `exclude`: a word, and the call that it stands for.
 * A row without a call is known and not supported yet.
 */
#include "scenarios/lang/check/check.h"
#include "scenarios/lang/syntax/parse.h"
#include "scenarios/lang/run/run.h"

#include <string.h>

enum { WORDS_BYTES = 160 };

static vidmm_status exclude(struct vidmm_adapter *adapter)
{
    return vidmm_exclude(adapter, VIDMM_EXCLUDE_ON);
}

static vidmm_status exclude_all(struct vidmm_adapter *adapter)
{
    return vidmm_exclude(adapter, VIDMM_EXCLUDE_EVICT_ALL);
}

static vidmm_status include(struct vidmm_adapter *adapter)
{
    return vidmm_exclude(adapter, VIDMM_EXCLUDE_OFF);
}

static const struct accident {
    int statement;
    const char *word;
    vidmm_status (*call)(struct vidmm_adapter *adapter);
    const char *help;
} accidents[] = {
    { STATEMENT_RESET, "tdr", vidmm_reset_adapter,
      "the adapter is reset as after a timeout: video memory loses its content" },
    { STATEMENT_RESET, "engine", vidmm_reset_engine,
      "the engine of the lowest busy node is reset, if the driver can; nothing if all are idle" },
    { STATEMENT_RESET, "pnp-stop", vidmm_pnp_stop,
      "Plug and Play stops the adapter: devices are stopped for good, allocations destroyed" },
    { STATEMENT_RESET, "pnp-start", vidmm_pnp_start,
      "and starts it again, empty, for new devices" },
    { STATEMENT_RESET, "level2", vidmm_level2, "level two synchronisation: the GPU comes to rest" },
    { STATEMENT_RESET, "level3", vidmm_level3, "level three: video memory is evicted too" },
    { STATEMENT_RESET, "surprise-removal", vidmm_surprise_removal,
      "the adapter is gone, without notice" },
    { STATEMENT_EXCLUDE, "on", exclude, "the driver takes the adapter for itself" },
    { STATEMENT_EXCLUDE, "evict-all", exclude_all, "the same, and video memory is evicted first" },
    { STATEMENT_EXCLUDE, "off", include, "the driver gives it back" },
    { STATEMENT_POWER, "standby", vidmm_standby,
      "to sleep; what would not survive is evicted first" },
    { STATEMENT_POWER, "hibernate", vidmm_hibernate, "the same for hibernation" },
    { STATEMENT_POWER, "hybrid", vidmm_hybrid_sleep,
      "standby, which purges like hibernation under hybrid-sleep=on" },
    { STATEMENT_POWER, "resume", vidmm_resume, "the machine wakes up" },
};

/* "a, b or c": what the statement may be followed by. */
static const char *list_words(int statement, char *text, size_t size)
{
    const char *last = NULL;
    text[0] = '\0';
    for (size_t i = 0; i < ARRAY_COUNT(accidents); i++) {
        if (accidents[i].statement != statement || !accidents[i].call)
            continue;
        size_t length = strlen(text);
        if (last)
            snprintf(text + length, size - length, "%s%s", length ? ", " : "", last);
        last = accidents[i].word;
    }
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%s", length ? " or " : "", last ? last : "");
    return text;
}

bool scenario_accident_help(size_t index, struct scenario_word_help *help)
{
    if (index >= ARRAY_COUNT(accidents))
        return false;
    const struct accident *row = &accidents[index];
    *help = (struct scenario_word_help){ .of = statements_row((unsigned)row->statement)->name,
                                         .name = row->word,
                                         .help = row->help,
                                         .value = "",
                                         .supported = row->call != NULL };
    return true;
}

static bool complain(struct parser *parser, const struct statement *statement, const char *text)
{
    struct nearest nearest;
    char help[96];
    char words[WORDS_BYTES];
    nearest_init(&nearest, text, strlen(text));
    for (size_t i = 0; i < ARRAY_COUNT(accidents); i++)
        if (accidents[i].statement == statement->kind && accidents[i].call)
            nearest_try(&nearest, accidents[i].word);
    message_error(parser->scenario, parser_place(parser, parser_peek(parser)),
                  nearest_help(&nearest, help, sizeof help), "expected %s, found '%s'",
                  list_words(statement->kind, words, sizeof words), text);
    return false;
}

bool parse_accident(struct parser *parser, struct statement *statement)
{
    char words[WORDS_BYTES];
    const struct token *token = parser_peek(parser);
    if (token->kind != TOKEN_WORD)
        return parser_expected(parser, list_words(statement->kind, words, sizeof words));
    const char *text = parser_word_text(parser, token->name);
    for (size_t i = 0; i < ARRAY_COUNT(accidents); i++) {
        if (accidents[i].statement != statement->kind || strcmp(accidents[i].word, text) != 0)
            continue;
        statement->mode = (uint8_t)i;
        if (accidents[i].call) {
            parser->next++;
            return true;
        }
        message_error(parser->scenario, parser_place(parser, token), NULL,
                      "'%s %s' is not supported yet", statements_row(statement->kind)->name, text);
        return false;
    }
    return complain(parser, statement, text);
}

void check_accident(struct checker *checker, struct statement *statement)
{
    check_setup_plain(checker, statement);
    if (accidents[statement->mode].call == vidmm_pnp_start)
        check_inject_restart(checker);
}

void run_accident(struct runner *runner, const struct statement *statement)
{
    vidmm_status status = accidents[statement->mode].call(runner->adapter);
    bindings_sweep(runner);
    run_outcome(runner, statement, status);
}

/* ---- preempt NODE --------------------------------------------------------------------------- */

bool parse_preempt(struct parser *parser, struct statement *statement)
{
    const struct token *token = parser_peek(parser);
    if (token->kind != TOKEN_WORD && token->kind != TOKEN_NUMBER)
        return parser_expected(parser, "the number or name of a node");
    statement->value = expression_parse(parser);
    return statement->value != NULL;
}

void check_preempt(struct checker *checker, struct statement *statement)
{
    if (statement->value->kind == EXPR_NAME)
        check_names_use(checker, statement, statement->value, OBJECT_NODE);
    else
        check_values_expression(checker, statement, statement->value);
    if (statement->value->kind != EXPR_NAME && !check_silent(statement))
        check_setup_node_number(checker, statement->value);
}

void run_preempt(struct runner *runner, const struct statement *statement)
{
    uint64_t node = 0;
    if (statement->value->kind == EXPR_NAME)
        node = bindings_number(bindings_of_word(runner, statement->value->name));
    else if (!evaluate(runner, statement->value, &node)) {
        runner_stop(runner, "%s", runner->problem);
        return;
    }
    run_outcome(runner, statement,
                vidmm_preempt(runner->adapter, (uint32_t)min_u64(node, UINT32_MAX)));
}
