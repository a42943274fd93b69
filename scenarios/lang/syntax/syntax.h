/* SPDX-License-Identifier: MIT */
/*
 * syntax.h: private: what a scenario owns, the tables of the language, the parser.
 *
 * statements.def, attributes.def and functions.def are the language: parser, checks, help,
 * suggestions and layout are loops over their rows. A row with TRAIT_LATER is known by name and
 * refused as not supported yet.
 */
#ifndef SCENARIOS_LANG_SYNTAX_SYNTAX_H
#define SCENARIOS_LANG_SYNTAX_SYNTAX_H

#include "scenarios/lang/text/names.h"

struct parser;
struct checker;
struct runner;

/* ---- bulk lines: bulk.c --------------------------------------------------------------------- */

/* A form of line: its text with the numbers taken out, and the tree of its first line. */
struct bulk_form {
    const char *text;
    uint32_t length, hash;
    struct statement *statement;
    uint32_t holes;
};

struct bulk_line {
    uint32_t form, offset;
};

/* Neighbouring bulk lines of one block; their numbers lie one behind the other. */
struct bulk_run {
    size_t first_line, line_count, first_number;
};

struct bulk {
    struct bulk_form *forms;
    size_t form_count;
    uint32_t *slots;
    struct bulk_line *lines;
    size_t line_count, line_capacity;
    uint32_t *numbers;
    size_t number_count, number_capacity;
};

/* Takes the line at [from, to) if its form is known, or makes its form known. */
enum bulk_taken { BULK_TAKEN, BULK_NEW_FORM, BULK_NOT };
enum bulk_taken bulk_take(struct parser *parser, uint32_t from, uint32_t *line_end);
/* The statement was parsed from the line of which bulk_take() said BULK_NEW_FORM. */
void bulk_learn(struct parser *parser, struct statement *statement, uint32_t from);
/* The line as a statement of its own, with places in it: for messages. */
struct statement *bulk_expand(struct scenario *scenario, const struct bulk_line *line,
                              uint16_t source);
void bulk_fini(struct bulk *bulk);

/* ---- scenario ------------------------------------------------------------------------------- */

struct scenario {
    bool strict; /* outcomes have to say why */
    struct scenario_host *host;
    struct arena arena;
    struct words words;
    struct source **sources;
    size_t source_count, source_capacity;
    struct messages messages;
    struct statement *statements;
    struct names blamed; /* names whose declaration had an error: nothing more is said of them */
    bool segment_blamed, include_blamed;
    struct bulk bulk;
    uint64_t lines;
    uint64_t held; /* by this thread, before any of this was read */
    word word_any, word_new, word_auto, word_system;
};

/* ---- tables: statements.c, attribute.c ------------------------------------------------------ */

enum trait {
    TRAIT_SETUP = 1,       /* before the start */
    TRAIT_OPERATION = 2,   /* starts the adapter, may have an outcome */
    TRAIT_BLOCK = 4,       /* closed by `end` */
    TRAIT_LATER = 8,       /* known, not supported yet */
    TRAIT_AFTER_STOP = 16, /* may follow a bug check */
    TRAIT_TOP = 32,        /* only at the top of a file or test */
    TRAIT_FILE = 64,       /* only outside every block */
    TRAIT_COLUMNS = 128,   /* neighbours are laid out in columns */
    TRAIT_32_BITS = 256,   /* of an attribute, where its kind has not so many */
    TRAIT_64_BITS = 512,
};

struct statement_row {
    const char *name;
    unsigned traits;
    bool (*parse)(struct parser *parser, struct statement *statement);
    void (*check)(struct checker *checker, struct statement *statement);
    void (*run)(struct runner *runner, const struct statement *statement);
    const char *syntax, *help;
};

const struct statement_row *statements_row(unsigned kind);
/* STATEMENT_KINDS for a word that begins no statement. */
enum statement_kind statements_find(word name);
/* Interns the keywords, so that the word of a keyword is its kind + 1. */
void statements_intern(struct scenario *scenario);

/* What a name stands for; one namespace, as bits so that a reference can allow several. */
enum object {
    OBJECT_SEGMENT = 1,
    OBJECT_ALLOCATION = 2,
    OBJECT_SUBMISSION = 4,
    OBJECT_PROCESS = 8,
    OBJECT_DEVICE = 16,
    OBJECT_CONTEXT = 32,
    OBJECT_NODE = 64,
    OBJECT_RESOURCE = 128,
    OBJECT_SYSMEM = 256,
    OBJECT_CLASS = 512,
    OBJECT_MARK = 1024,
    OBJECT_SYSTEM = 2048, /* only in references: the word `system` is meant, too */
};

enum value_kind {
    VALUE_BARE, /* a word without value */
    VALUE_NUMBER,
    VALUE_SIZE,
    VALUE_TIME,
    VALUE_VERSION,
    VALUE_WORD,     /* one of `words` */
    VALUE_FLAGS,    /* argument: the flag set; -1: numbers only */
    VALUE_PRIORITY, /* a level or a number */
    VALUE_NAMED,    /* argument: the set that has the name; or a number */
    VALUE_NAME,     /* argument: objects */
    VALUE_NAMES,
    VALUE_SEGMENTS,
    VALUE_SEGMENT_SET, /* names, or numbers as the documented member has them */
    VALUE_PREFER,      /* segments with :top */
    VALUE_BANKS,       /* bank numbers with :top */
    VALUE_OFFERS,      /* names with :low, :normal, :high or :auto */
    VALUE_SIZES,
    VALUE_RANGES,      /* 0..3,7 */
    VALUE_RANGE,       /* A..B */
    VALUE_SIZE_RANGES, /* A..B,C..D */
    VALUE_NODE,        /* number or name */
    VALUE_NEW,         /* a name made here */
    VALUE_RAW,         /* as written, for the driver */
};

/* D3DDDI_OFFER_PRIORITY in the order of its numbers. */
#define OFFER_WORDS "none|low|normal|high|auto"

enum attribute_id {
    ATTRIBUTE_NONE, /* rows made at run time, and those of later */
#define ATTRIBUTE(statement, symbol, name, kind, argument, words, traits, help)                    \
    ATTRIBUTE_##statement##_##symbol,
#define LATER(statement, name)
#include "scenarios/lang/syntax/attributes.def"
#undef ATTRIBUTE
#undef LATER
};

/* The argument of driver caps is their index from here on, that of settings their own. */
enum { ATTRIBUTE_CAP = 1024 };

struct attribute_row {
    int statement;
    const char *name;
    enum value_kind kind;
    int argument;
    const char *words; /* also allowed as value, '|' between; NULL: none */
    unsigned traits;
    enum attribute_id id;
    const char *help;
};

/* Row `index` of attributes.def; NULL behind the last. */
const struct attribute_row *attribute_row(size_t index);

/* The largest number that it holds. */
uint64_t attribute_most(const struct attribute_row *row);
/* The word is allowed by "a|b|c"; its index goes to *index. */
bool attribute_word(const char *words, const char *text, size_t *index);

/* ---- keys of `state`: state_words.c ---------------------------------------------------------- */

/* Some kind of subject has this key. */
bool state_words_known(const char *key);
void state_words_suggest(struct nearest *nearest);
/* "key|key|key" of one kind of subject (enum object; 0: the adapter); "" for other kinds. */
const char *state_words_of(int object);

/* ---- fields of events: event_fields.c ------------------------------------------------------- */

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
bool attribute_parse(struct parser *parser, struct statement *statement);
bool attribute_parse_one(struct parser *parser, struct statement *statement);
/* The same, but goes on behind an error; false only after very many. */
bool attribute_parse_next(struct parser *parser, struct statement *statement);
/* Several values with commas between them. */
bool attribute_is_list(const struct attribute_row *row);
/* attribute_value.c: whether the items look like what the row takes. */
bool attribute_value_check(struct parser *parser, const struct attribute *attribute);
/* NULL when the statement does not have it. */
const struct attribute *attribute_find(const struct statement *statement, enum attribute_id id);

struct function_row {
    const char *name;
    int subject;    /* objects; -1: other arguments */
    enum unit unit; /* of the result */
    bool optional;  /* may stand without arguments */
    unsigned traits;
    const char *help;
};

enum function {
#define FUNCTION(symbol, name, subject, unit, optional, traits, help) FUNCTION_##symbol,
#include "scenarios/lang/syntax/functions.def"
#undef FUNCTION
    FUNCTIONS
};

const struct function_row *expression_function(unsigned function);
/* FUNCTIONS for an unknown name. */
enum function expression_function_by_name(const char *name);

/* run_out.c: the name of an output member; NULL behind the last. */
const char *run_out_name(size_t index);
const char *run_out_help(size_t index);
/* What is wrong with out(NAME), or out(NAME[I]) where it is indexed, a text about NAME; or NULL. */
const char *run_out_flaw(size_t index, bool indexed);

/* ---- parser --------------------------------------------------------------------------------- */

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
    unsigned mended;  /* errors of the line behind which it was read on */
    char *normal;     /* bulk.c: the line with its numbers taken out */
    uint32_t *found;  /* bulk.c: those numbers */
    size_t normal_length, found_count;
    uint32_t normal_hash;
};

void lines_read_file(struct scenario *scenario, struct source *source,
                     const struct parser *includer, struct block *into);
struct source *lines_add_source(struct scenario *scenario, const char *name, const char *text,
                                size_t bytes);
/* One line that stands alone: for bulk_expand(). NULL after an error. */
struct statement *lines_read_one(struct scenario *scenario, uint16_t source, uint32_t from);

const struct token *parser_peek(const struct parser *parser);
const struct token *parser_take(struct parser *parser);
struct place parser_place(const struct parser *parser, const struct token *token);
/* From one token to the one before the next. */
struct place parser_span(const struct parser *parser, const struct token *first);
/* After an error behind `first`: goes on at the next `key=` or at the end. False: that was enough.
 */
bool parser_mend(struct parser *parser, const struct token *first);
const char *parser_text(const struct parser *parser, const struct token *token);
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
bool parser_rules(struct parser *parser, struct rule_item **rules);
const char *parser_word_text(const struct parser *parser, word name);

/* expression.c */
struct expr *expression_parse(struct parser *parser);
/* A name with its index, a handle, or a call of `any`. */
struct expr *expression_target(struct parser *parser, const char *what);
struct item *expression_item(struct parser *parser);
struct item *expression_list(struct parser *parser);
struct item *expression_targets(struct parser *parser, const char *what);

/* arithmetic.c */
enum arithmetic { ARITHMETIC_OK, ARITHMETIC_OVERFLOW, ARITHMETIC_NEGATIVE, ARITHMETIC_ZERO };
enum arithmetic arithmetic_apply(uint8_t op, uint64_t a, uint64_t b, uint64_t *result);
enum arithmetic arithmetic_percent(uint64_t percent, uint64_t whole, uint64_t *result);
bool arithmetic_compare(uint8_t op, uint64_t a, uint64_t b);
const char *arithmetic_problem(enum arithmetic problem);

/* outcome.c */
bool outcome_parse(struct parser *parser, struct statement *statement);

#endif
