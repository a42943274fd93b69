/* SPDX-License-Identifier: MIT */
/*
 * parse.h: private: the parsers of statements.def, grouped by file. Each reads what follows its
 * keyword, up to the outcome or the end of the line; false means that an error was kept.
 */
#ifndef SCENARIOS_LANG_SYNTAX_PARSE_H
#define SCENARIOS_LANG_SYNTAX_PARSE_H

#include "scenarios/lang/syntax/parser.h"

typedef bool parse_statement(struct parser *parser, struct statement *statement);

/* parse_table.c: what stands after the first word of the statement. */
bool parse_by_kind(struct parser *parser, struct statement *statement);

/* parse_block.c: false, and a message, where the statement may not stand. */
bool parse_position(struct parser *parser, const struct statement *statement);

/* parse_setup.c */
parse_statement parse_setup_adapter, parse_setup_named, parse_setup_attributes, parse_setup_node,
    parse_setup_miniport, parse_setup_value, parse_setup_let, parse_setup_include,
    parse_setup_nothing;

/* parse_operation.c */
parse_statement parse_operation_create, parse_operation_resource, parse_operation_destroy,
    parse_operation_submit, parse_operation_at, parse_operation_wait, parse_operation_lock,
    parse_operation_target, parse_operation_display, parse_operation_open, parse_operation_unlock,
    parse_operation_names, parse_operation_priority, parse_operation_inject, parse_operation_set,
    parse_preempt, parse_accident;

/* parse_expect.c */
parse_statement parse_expect_statement, parse_expect_proves, parse_expect_mark, parse_expect_always,
    parse_expect_event_line, parse_expect_map_line;

/* parse_block.c */
parse_statement parse_block_test, parse_block_repeat, parse_block_for, parse_block_case,
    parse_teach_text, parse_teach_ask, parse_teach_show;

#endif
