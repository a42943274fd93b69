/* SPDX-License-Identifier: MIT */
/*
 * parse.h: private: the parsers of statements.def, grouped by file. Each reads what follows its
 * keyword, up to the outcome or the end of the line; false means that an error was kept.
 */
#ifndef SCENARIOS_LANG_SYNTAX_PARSE_H
#define SCENARIOS_LANG_SYNTAX_PARSE_H

#include "scenarios/lang/syntax/parser.h"

/* parse_table.c: what stands after the first word of the statement. */
bool parse_by_kind(struct parser *parser, struct statement *statement);

/* position.c: false, and a message, where the statement may not stand. */
bool position_check(struct parser *parser, const struct statement *statement);

/* parse_setup.c */
bool parse_setup_adapter(struct parser *parser, struct statement *statement);
bool parse_setup_named(struct parser *parser, struct statement *statement);
bool parse_setup_attributes(struct parser *parser, struct statement *statement);
bool parse_setup_node(struct parser *parser, struct statement *statement);
bool parse_setup_miniport(struct parser *parser, struct statement *statement);
bool parse_setup_value(struct parser *parser, struct statement *statement);
bool parse_setup_let(struct parser *parser, struct statement *statement);
bool parse_setup_include(struct parser *parser, struct statement *statement);
bool parse_setup_nothing(struct parser *parser, struct statement *statement);

/* parse_operation.c */
bool parse_operation_create(struct parser *parser, struct statement *statement);
bool parse_operation_resource(struct parser *parser, struct statement *statement);
bool parse_operation_destroy(struct parser *parser, struct statement *statement);
bool parse_operation_submit(struct parser *parser, struct statement *statement);
bool parse_operation_at(struct parser *parser, struct statement *statement);
bool parse_operation_wait(struct parser *parser, struct statement *statement);
bool parse_operation_lock(struct parser *parser, struct statement *statement);
bool parse_operation_target(struct parser *parser, struct statement *statement);
bool parse_operation_display(struct parser *parser, struct statement *statement);
bool parse_operation_open(struct parser *parser, struct statement *statement);
bool parse_operation_unlock(struct parser *parser, struct statement *statement);
bool parse_operation_names(struct parser *parser, struct statement *statement);
bool parse_operation_priority(struct parser *parser, struct statement *statement);
bool parse_operation_inject(struct parser *parser, struct statement *statement);
bool parse_operation_set(struct parser *parser, struct statement *statement);
bool parse_preempt(struct parser *parser, struct statement *statement);
bool parse_accident(struct parser *parser, struct statement *statement);

/* parse_expect.c */
bool parse_expect_statement(struct parser *parser, struct statement *statement);
bool parse_expect_proves(struct parser *parser, struct statement *statement);
bool parse_expect_mark(struct parser *parser, struct statement *statement);
bool parse_expect_always(struct parser *parser, struct statement *statement);
bool parse_expect_event_line(struct parser *parser, struct statement *statement);
bool parse_expect_map_line(struct parser *parser, struct statement *statement);

/* parse_block.c */
bool parse_block_test(struct parser *parser, struct statement *statement);
bool parse_block_repeat(struct parser *parser, struct statement *statement);
bool parse_block_for(struct parser *parser, struct statement *statement);
bool parse_block_choose(struct parser *parser, struct statement *statement);
bool parse_block_case(struct parser *parser, struct statement *statement);
bool parse_teach_text(struct parser *parser, struct statement *statement);
bool parse_teach_ask(struct parser *parser, struct statement *statement);
bool parse_teach_show(struct parser *parser, struct statement *statement);

#endif
