/* SPDX-License-Identifier: MIT */
/*
 * lines.c: a file line by line.
 *
 * The first word of a line decides which function of statements.def reads it. After a mistake the
 * rest of the line is skipped and reading goes on with the next one; a line that opens a block
 * opens it even then, so that its `end` has a partner. Blocks are a stack, not recursion: only
 * expressions and includes recurse, and both have a limit.
 */
#include "scenarios/lang/syntax/suggest.h"

#include <string.h>

static parse_statement *const parsers[] = {
#define STATEMENT(symbol, name, traits, parse, check, run, syntax, help) parse,
#include "scenarios/lang/tables/statements.def"
#undef STATEMENT
};

/* ---- blocks --------------------------------------------------------------------------------- */

static struct block *top(struct parser *parser)
{
    return &parser->blocks[parser->depth];
}

static int opener_kind(struct parser *parser)
{
    const struct statement *opener = top(parser)->opener;
    return opener ? opener->kind : -1;
}

static void append(struct parser *parser, struct statement *statement)
{
    struct block *block = top(parser);
    *block->tail = statement;
    block->tail = &statement->next;
    block->last = statement;
}

static void open_block(struct parser *parser, struct statement *statement)
{
    if (parser->depth == LANG_NESTING_MAX) {
        if (!parser->skipped++)
            message_error(parser->scenario, statement->at, NULL, "blocks nest deeper than %d",
                          LANG_NESTING_MAX);
        return;
    }
    parser->blocks[++parser->depth] =
        (struct block){ .opener = statement, .tail = &statement->body };
}

static bool close_block(struct parser *parser, const struct statement *statement)
{
    if (parser->skipped) {
        parser->skipped--;
        return true;
    }
    if (top(parser)->bare) {
        top(parser)->bare--;
        return true;
    }
    if (opener_kind(parser) == STATEMENT_CASE)
        parser->depth--;
    if (!parser->depth)
        return message_error(
            parser->scenario, statement->at,
            "a block is opened by test, repeat, for, choose, quietly, resource, always, "
            "`submit ... with` and `expect events` or `expect map`",
            "'end' without a block");
    parser->depth--;
    return true;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static bool complain_statement(struct parser *parser, const struct token *token)
{
    char help[SUGGEST_BYTES];
    if (token->kind == TOKEN_WORD && word_list_has("if|unless|while|until|loop|foreach",
                                                   parser_word_text(parser, token->name), NULL))
        top(parser)->bare++; /* its `end` is told with it */
    return message_error(parser->scenario, parser_place(parser, token),
                         suggest_statement(parser, token, help, sizeof help),
                         "'%.*s' is not a statement", (int)min_u64(token->length, 80),
                         parser_text(parser, token));
}

static bool find_kind(struct parser *parser, struct statement *statement)
{
    const struct token *token = parser_peek(parser);
    if (token->kind != TOKEN_WORD)
        return complain_statement(parser, token);
    enum statement_kind kind = statements_find(token->name);
    if (kind == STATEMENT_KINDS)
        return complain_statement(parser, token);
    statement->kind = (uint16_t)kind;
    if (statements_row(kind)->traits & TRAIT_LATER)
        return message_error(parser->scenario, parser_place(parser, token),
                             habit_find(HABIT_LATER, parser_text(parser, token), token->length),
                             "'%s' is not supported yet", statements_row(kind)->name);
    parser->next++;
    return true;
}

static bool end_line(struct parser *parser, const struct statement *statement)
{
    if (parser_peek(parser)->kind == TOKEN_END)
        return true;
    if (parser_at_mark(parser, MARK_ARROW))
        return message_error(
            parser->scenario, parser_place(parser, parser_peek(parser)),
            statement->kind == STATEMENT_END
                ? "an outcome stands in the line that opens the block, `resource NAME` or "
                  "`submit NAME ... with`"
                : "operations have one: create, submit, lock, offer ...",
            "'%s' has no outcome",
            statement->kind < STATEMENT_KINDS ? statements_row(statement->kind)->name
                                              : "a line of this block");
    return parser_expected(parser, "the end of the line");
}

static bool read_rest(struct parser *parser, struct statement *statement)
{
    const struct statement_row *row = statements_row(statement->kind);
    if (!parsers[statement->kind](parser, statement))
        return false;
    if (row->traits & TRAIT_OPERATION && !outcome_parse(parser, statement))
        return false;
    if (statement->outcome && opener_kind(parser) == STATEMENT_RESOURCE)
        return message_error(
            parser->scenario, statement->outcome->at,
            "one call makes all of the block: write it in the line `resource NAME`",
            "an allocation of a resource has no outcome of its own");
    return end_line(parser, statement);
}

static bool read_statement(struct parser *parser, struct statement *statement)
{
    if (!find_kind(parser, statement))
        return false;
    if (statement->kind == STATEMENT_END) {
        bool whole = end_line(parser, statement);
        return close_block(parser, statement) && whole;
    }
    bool block = statements_row(statement->kind)->traits & TRAIT_BLOCK;
    if (parser->skipped) {
        bool lists = statement->kind == STATEMENT_EXPECT &&
                     (parser_at_word(parser, "events") || parser_at_word(parser, "map"));
        bool patches = statement->kind == STATEMENT_SUBMIT &&
                       parser_has_word(parser, parser_peek(parser), "with");
        parser->skipped += (block && statement->kind != STATEMENT_CASE) || lists || patches;
        return false;
    }
    statement->opens = block;
    return parse_position(parser, statement) && read_rest(parser, statement);
}

static bool is_line_of_block(struct parser *parser)
{
    const struct statement *opener = top(parser)->opener;
    bool listing = opener && opener->kind == STATEMENT_EXPECT;
    bool closes =
        parser_at_word(parser, "end") && parser->lexer.tokens[parser->next + 1].kind == TOKEN_END;
    return listing && !closes;
}

/* The tokens of one line are there. NULL after an error, and for `end`. */
static struct statement *read_tokens(struct parser *parser)
{
    struct statement *statement = arena_alloc(&parser->scenario->arena, sizeof *statement);
    parser->next = 0;
    parser->nesting = parser->operators = parser->mended = 0;
    parser->form = NULL;
    statement->kind = STATEMENT_END;
    statement->at = parser_place(parser, parser_peek(parser));
    const struct token *last = &parser->lexer.tokens[parser->lexer.count - 1];
    statement->line = statement->at;
    if (last > parser->lexer.tokens)
        statement->line.length =
            (uint16_t)min_u64(last[-1].offset + last[-1].length - statement->at.offset, UINT16_MAX);
    bool whole;
    if (!is_line_of_block(parser))
        whole = read_statement(parser, statement);
    else if (top(parser)->opener->mode == MODE_MAP)
        whole = parse_expect_map_line(parser, statement) && end_line(parser, statement);
    else
        whole = parse_expect_event_line(parser, statement) && end_line(parser, statement);
    statement->partly = whole && parser->mended && !parser->lexer.hurt;
    statement->bad = !whole || parser->mended || parser->lexer.hurt;
    if (statement->bad && !statement->partly && !statement->opens)
        return NULL;
    return statement->kind == STATEMENT_END ? NULL : statement;
}

static void take_statement(struct parser *parser, struct statement *statement)
{
    if (statement->kind == STATEMENT_CASE && opener_kind(parser) == STATEMENT_CASE)
        parser->depth--;
    append(parser, statement);
    if (statement->opens)
        open_block(parser, statement);
}

/* The lines that bulk.c took last. */
static void append_bulk(struct parser *parser, size_t lines, size_t numbers)
{
    struct bulk *bulk = parser->scenario->bulk;
    struct block *block = top(parser);
    size_t line = bulk->line_count - lines;
    struct bulk_run *run =
        block->last && block->last->kind == STATEMENT_BULK ? block->last->bulk : NULL;
    if (!run || block->last->at.source != parser->lexer.source) {
        struct statement *statement = arena_alloc(&parser->scenario->arena, sizeof *statement);
        run = arena_alloc(&parser->scenario->arena, sizeof *run);
        run->first_line = line;
        run->first_number = bulk->number_count - numbers;
        statement->kind = STATEMENT_BULK;
        statement->bulk = run;
        statement->at.source = parser->lexer.source;
        statement->at.offset = bulk->lines[line].offset;
        append(parser, statement);
    }
    CHECK(run->first_line + run->line_count == line);
    run->line_count += lines;
}

/* What the statement would have declared; 0: unknown. */
static const uint64_t declared_by[STATEMENT_KINDS + 1] = {
    [STATEMENT_SEGMENT] = OBJECT_SEGMENT,   [STATEMENT_NODE] = OBJECT_NODE,
    [STATEMENT_PROCESS] = OBJECT_PROCESS,   [STATEMENT_DEVICE] = OBJECT_DEVICE,
    [STATEMENT_CONTEXT] = OBJECT_CONTEXT,   [STATEMENT_CLASS] = OBJECT_CLASS,
    [STATEMENT_CREATE] = OBJECT_ALLOCATION, [STATEMENT_RESOURCE] = OBJECT_RESOURCE,
    [STATEMENT_SUBMIT] = OBJECT_SUBMISSION, [STATEMENT_SYSMEM] = OBJECT_SYSMEM,
    [STATEMENT_MARK] = OBJECT_MARK
};

/* The name after the first word of a line with an error: its use is no second error. */
static void blame_name(struct parser *parser)
{
    const struct token *tokens = parser->lexer.tokens;
    struct scenario *scenario = parser->scenario;
    if (parser->lexer.count < 2 || tokens[0].kind != TOKEN_WORD)
        return;
    enum statement_kind kind = statements_find(tokens[0].name);
    if (kind == STATEMENT_SEGMENT)
        scenario->segment_blamed = true;
    if (tokens[1].kind != TOKEN_WORD)
        return;
    uint64_t object = declared_by[kind];
    /* `submit read=a` has no name, and declares no `read`. */
    if (!object || tokens[2].kind != TOKEN_MARK || tokens[2].mark != '=')
        names_slot(&scenario->blamed, name_key_plain(tokens[1].name))->value |= object;
}

/* Only operations have forms, and none that opens a block or counts events: what hears of them
   would be without numbers. */
static bool has_form(const struct parser *parser)
{
    const struct token *token = parser->lexer.tokens;
    enum statement_kind kind =
        token->kind == TOKEN_WORD ? statements_find(token->name) : STATEMENT_KINDS;
    if (kind == STATEMENT_KINDS || !(statements_row(kind)->traits & TRAIT_OPERATION) ||
        statements_row(kind)->traits & TRAIT_BLOCK)
        return false;
    return !parser_has_word(parser, token, "with") && !parser_has_word(parser, token, "count");
}

/* With its numbers: what had an error makes no form. */
static struct statement *read_again(struct parser *parser)
{
    parser->scenario->messages.muted = true;
    parser->holes = false;
    struct statement *statement = read_tokens(parser);
    parser->scenario->messages.muted = false;
    return statement;
}

/* Of a line that has no tokens: its block is opened all the same, so that its `end` has a partner.
 */
static struct statement *opened_anyway(struct parser *parser)
{
    const struct token *first = parser->lexer.tokens;
    if (!parser->lexer.count || first->kind != TOKEN_WORD)
        return NULL;
    enum statement_kind kind = statements_find(first->name);
    bool opens = kind != STATEMENT_KINDS && kind != STATEMENT_CASE &&
                 statements_row(kind)->traits & TRAIT_BLOCK;
    if (!opens)
        return NULL;
    struct statement *statement = arena_alloc(&parser->scenario->arena, sizeof *statement);
    statement->kind = (uint16_t)kind;
    statement->at = statement->line = parser_place(parser, first);
    statement->opens = statement->bad = true;
    return statement;
}

static void read_line(struct parser *parser, uint32_t from, uint32_t to, bool new_form)
{
    size_t errors = parser->scenario->messages.errors;
    struct statement *statement = NULL;
    if (lexer_line(&parser->lexer, from, to)) {
        if (parser->lexer.count == 1)
            return;
        new_form = new_form && has_form(parser);
        parser->holes = new_form;
        statement = read_tokens(parser);
        if (new_form && statement && statement->bad) {
            statement = read_again(parser);
            new_form = false;
        }
    } else {
        statement = opened_anyway(parser);
        new_form = false;
    }
    if (parser->scenario->messages.errors != errors) {
        blame_name(parser);
        if (top(parser)->opener)
            top(parser)->opener->hurt = true;
    }
    if (!statement)
        return;
    if (!new_form) {
        take_statement(parser, statement);
        return;
    }
    bulk_learn(parser, statement, from);
    append_bulk(parser, 1, parser->found_count);
}

/* The end of the line at `from`, without its line break; *next is where the next one begins. */
static uint32_t find_line_end(const struct source *source, uint32_t from, uint32_t *next)
{
    const char *begin = source->text + from;
    const char *end = memchr(begin, '\n', source->bytes - from);
    uint32_t to = end ? (uint32_t)(end - source->text) : source->bytes;
    *next = end ? to + 1 : to;
    return to > from && source->text[to - 1] == '\r' ? to - 1 : to;
}

static bool check_length(struct parser *parser, uint32_t from, uint32_t to)
{
    if (to - from <= LANG_LINE_MAX)
        return true;
    struct place at = { .offset = from, .length = 1, .source = parser->lexer.source };
    return message_error(parser->scenario, at, NULL, "this line is longer than %d bytes",
                         LANG_LINE_MAX);
}

static void read_lines(struct parser *parser, uint32_t from)
{
    const struct source *source = parser->scenario->sources[parser->lexer.source];
    while (from < source->bytes) {
        uint32_t next = from;
        parser->scenario->lines++;
        int around = opener_kind(parser);
        bool general = around == -1 || around == STATEMENT_TEST || around == STATEMENT_REPEAT ||
                       around == STATEMENT_FOR || around == STATEMENT_CASE ||
                       around == STATEMENT_QUIETLY;
        general = general && !parser->skipped;
        struct bulk_records records = { 0 };
        if (general)
            records =
                source->twin ? bulk_take_records(parser, from) : bulk_take_likely(parser, from);
        if (records.lines) {
            append_bulk(parser, records.lines, records.numbers);
            parser->scenario->lines += records.lines - 1;
            from = records.next;
            continue;
        }
        if (source->twin)
            bulk_write_record(parser, from);
        enum bulk_taken taken = general ? bulk_take(parser, from, &next) : BULK_NOT;
        if (taken == BULK_TAKEN) {
            append_bulk(parser, 1, parser->found_count);
            from = next;
            continue;
        }
        uint32_t to = find_line_end(source, from, &next);
        if (check_length(parser, from, to))
            read_line(parser, from, to, taken == BULK_NEW_FORM);
        if (message_enough(parser->scenario))
            return;
        from = next;
    }
}

static void complain_open_blocks(struct parser *parser)
{
    for (size_t i = 1; i <= parser->depth && !message_enough(parser->scenario); i++) {
        const struct statement *opener = parser->blocks[i].opener;
        if (opener->kind != STATEMENT_CASE && !opener->bad)
            message_error(parser->scenario, opener->at, "a block is closed by 'end'",
                          "'%s' is never closed", statements_row(opener->kind)->name);
    }
}

/* "vidmm-scenario 1". False: nothing of this file can be read. */
static bool read_header(struct parser *parser, uint32_t *from)
{
    const struct source *source = parser->scenario->sources[parser->lexer.source];
    uint32_t start;
    bool known = source_is_scenario(source->text, source->bytes, &start);
    uint32_t to = find_line_end(source, start, from);
    struct place at = { .offset = start,
                        .length = (uint16_t)min_u64(to - start, 80),
                        .source = parser->lexer.source };
    bool read = to - start <= LANG_LINE_MAX && known && lexer_line(&parser->lexer, start, to);
    const struct token *tokens = parser->lexer.tokens;
    if (!read || parser->lexer.count != 3 || tokens[1].kind != TOKEN_NUMBER || !tokens[1].value)
        return message_error(parser->scenario, at, "the first line is 'vidmm-scenario 1'",
                             "this is not a scenario");
    if (tokens[1].value > LANG_VERSION)
        return message_error(parser->scenario, parser_place(parser, &tokens[1]), NULL,
                             "this scenario is written in version %" PRIu64
                             " of the language, this program knows version %d",
                             tokens[1].value, LANG_VERSION);
    parser->scenario->lines++;
    return true;
}

static void free_parser(struct parser *parser)
{
    lexer_fini(&parser->lexer);
    base_free(parser->normal);
    base_free(parser->found);
    base_free(parser->twin_forms);
    base_free(parser);
}

void lines_read_file(struct scenario *scenario, struct source *source,
                     const struct parser *includer, struct block *into)
{
    struct parser *parser = base_alloc(1, sizeof *parser);
    uint32_t from = 0;
    parser->scenario = scenario;
    parser->includer = includer;
    parser->lexer.scenario = scenario;
    while (scenario->sources[parser->lexer.source] != source)
        parser->lexer.source++;
    parser->blocks[0] = *into;
    if (source_untwin(scenario, source) && read_header(parser, &from)) {
        read_lines(parser, from);
        complain_open_blocks(parser);
    }
    *into = parser->blocks[0];
    free_parser(parser);
}

void lines_read_text(struct scenario *scenario, const char *name, const char *text, size_t bytes)
{
    bool small = bytes < UINT32_MAX;
    struct source *source = source_add(scenario, name, text, small ? bytes : 0);
    struct block file = { .tail = &scenario->statements };
    if (small) {
        lines_read_file(scenario, source, NULL, &file);
    } else {
        struct place at = { .offset = 0 };
        message_error(scenario, at, NULL, "a scenario is at most 4 GiB long");
    }
}

struct statement *lines_expand(struct scenario *scenario, const struct bulk_line *line,
                               uint16_t source)
{
    struct parser *parser = base_alloc(1, sizeof *parser);
    struct statement *statement = NULL;
    uint32_t next = 0;
    parser->scenario = scenario;
    parser->lexer = (struct lexer){ .scenario = scenario, .source = source };
    parser->blocks[0].tail = &statement;
    source_complete(scenario->sources[source]);
    uint32_t to = find_line_end(scenario->sources[source], line->offset, &next);
    bool read = lexer_line(&parser->lexer, line->offset, to);
    CHECK(read); /* as when its form was learnt */
    statement = read_tokens(parser);
    free_parser(parser);
    CHECK(statement);
    return statement;
}
