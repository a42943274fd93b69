/* SPDX-License-Identifier: MIT */
/*
 * parser.h: private: the line that is read, and the functions that take it apart.
 */
#ifndef SCENARIOS_LANG_SYNTAX_PARSER_H
#define SCENARIOS_LANG_SYNTAX_PARSER_H

#include "scenarios/lang/syntax/syntax.h"

struct block {
    struct statement *opener; /* NULL: the file */
    struct statement **tail;
    struct statement *last;
    unsigned bare; /* blocks of other languages that were opened here, and are not there */
};

struct parser {
    struct scenario *scenario;
    const struct parser *includer;
    struct lexer lexer;
    size_t next; /* token */
    struct block blocks[LANG_NESTING_MAX + 1];
    size_t depth;
    size_t skipped; /* blocks opened beyond the limit of nesting */
    uint32_t line_end;
    unsigned nesting, operators; /* of the line */
    const char *form; /* of what is read, where the row of the statement says too little */
    bool holes;       /* numbers become holes of a form */
    unsigned mended;  /* errors of the line after which reading went on */
    char *normal;     /* bulk.c: the line with its numbers taken out */
    uint32_t *found;  /* bulk.c: those numbers */
    size_t normal_length, found_count;
    uint32_t normal_hash;
    struct twin_cursor {
        size_t gap, number; /* the next record that nobody has read */
        uint32_t record;
    } cursor;
    uint32_t *twin_forms; /* by the number of a form in the twin: its number here, from 1 */
};

/* lines.c */
void lines_read_file(struct scenario *scenario, struct source *source,
                     const struct parser *includer, struct block *into);

/* bulk.c */
/* Takes the line at [from, to) if its form is known, or makes its form known. */
enum bulk_taken { BULK_TAKEN, BULK_NEW_FORM, BULK_NOT };
enum bulk_taken bulk_take(struct parser *parser, uint32_t from, uint32_t *line_end);
/* The statement was parsed from the line of which bulk_take() said BULK_NEW_FORM. */
void bulk_learn(struct parser *parser, struct statement *statement, uint32_t from);
struct bulk_records {
    size_t lines, numbers;
    uint32_t next; /* where the line after them begins */
};
/* The lines at `from`, as long as each has the form of the last one that began alike. */
struct bulk_records bulk_take_likely(struct parser *parser, uint32_t from);
/* Of a binary twin: the records at `from`, as far as their forms are known; 0 lines elsewhere. */
struct bulk_records bulk_take_records(struct parser *parser, uint32_t from);
/* If a record begins at `from`, its line is written there, to be read as text. */
void bulk_write_record(struct parser *parser, uint32_t from);

/* parser.c */
const struct token *parser_peek(const struct parser *parser);
const struct token *parser_take(struct parser *parser);
struct place parser_place(const struct parser *parser, const struct token *token);
/* From one token to the one before the next. */
struct place parser_span(const struct parser *parser, const struct token *first);
/* After an error that follows `first`: goes on at the next `key=`, after very many at the end. */
void parser_mend(struct parser *parser, const struct token *first);
const char *parser_text(const struct parser *parser, const struct token *token);
/* `key=` begins here. */
bool parser_is_key(const struct token *token);
/* The word stands in the line from `token` on: `with`, which opens a block. */
bool parser_has_word(const struct parser *parser, const struct token *token, const char *text);
bool parser_at_end(const struct parser *parser);
bool parser_at_mark(const struct parser *parser, int mark);
bool parser_accept_mark(struct parser *parser, int mark);
bool parser_at_word(const struct parser *parser, const char *text);
bool parser_accept_word(struct parser *parser, const char *text);
/* "expected WHAT, found ...": false, so that callers can return it. */
bool parser_expected(struct parser *parser, const char *what);
/* The same, with what to write instead; NULL: the form of the line. */
bool parser_expected_help(struct parser *parser, const char *what, const char *help);
/* The same; `form` is what the line should look like. */
bool parser_expected_as(struct parser *parser, const char *what, const char *form);
bool parser_expect_mark(struct parser *parser, int mark, const char *what);
/* A name that is no keyword of its position. */
bool parser_name(struct parser *parser, const char *what, word *name, struct place *at);
/* False, and a message, when an attribute stands where the name of the statement should. */
bool parser_named(struct parser *parser, const char *what);
bool parser_string(struct parser *parser, struct place *inside);
/* With `clauses` also those that are named as in PLACE-016(a,c). */
bool parser_rules(struct parser *parser, struct rule_item **rules, bool clauses);
const char *parser_word_text(const struct parser *parser, word name);

/* expression.c */
struct expr *expression_parse(struct parser *parser);
/* The value of the statement, as which it is kept. */
bool expression_value(struct parser *parser, struct statement *statement);
/* A name with its index, a handle, or a call of `any`. */
struct expr *expression_target(struct parser *parser, const char *what);
/* The number at the token. */
struct expr *expression_number(struct parser *parser, const struct token *token);
/* What the next token stands for; it is taken. */
struct item *expression_constant(struct parser *parser, uint64_t value);
struct item *expression_item(struct parser *parser);
struct item *expression_list(struct parser *parser);
struct item *expression_targets(struct parser *parser, const char *what);

/* attribute.c */
/* Always true: what is wrong with one attribute has been mended, and the next is read. */
bool attribute_parse(struct parser *parser, struct statement *statement);
/* The same after what was read without an error, or not; as that was. */
bool attribute_parse_rest(struct parser *parser, struct statement *statement, bool whole);
bool attribute_parse_one(struct parser *parser, struct statement *statement);
/* The same, but goes on after an error. */
void attribute_parse_next(struct parser *parser, struct statement *statement);
/* attribute_value.c: "a|b|c" as "a, b or c". */
void attribute_value_list(const char *words, char *text, size_t bytes);
/* Whether the items look like what the row takes. */
bool attribute_value_check(struct parser *parser, const struct attribute *attribute);

/* outcome.c */
bool outcome_parse(struct parser *parser, struct statement *statement);

/* The parsers of statements.def: each reads what follows its keyword, up to the outcome or the end
   of the line; false means that an error was kept. */
typedef bool parse_statement(struct parser *parser, struct statement *statement);

/* parse_block.c: false, and a message, where the statement may not stand. */
bool parse_position(struct parser *parser, const struct statement *statement);

/* Those of statements.def: parse_setup.c, parse_operation.c, parse_expect.c, parse_block.c. */
#define STATEMENT(symbol, name, traits, parse, check, run, syntax, help) parse_statement parse;
#include "scenarios/lang/tables/statements.def"
#undef STATEMENT

/* parse_expect.c: the lines of `expect events` and `expect map`. */
parse_statement parse_expect_event_line, parse_expect_map_line;

#endif
