/* SPDX-License-Identifier: MIT */
/*
 * parse_expect.c: expectations, marks, proofs.
 */
#include "scenarios/lang/syntax/suggest.h"

#include <string.h>

static const char properties[] =
    "evicted|pinned|dirty|clean|locked|busy|idle|lost|resident|offered|shared";

static bool complain_state_key(struct parser *parser, struct place at, const char *name)
{
    char help[SUGGEST_BYTES] = "";
    struct nearest nearest = nearest_begin(name, strlen(name));
    state_words_suggest(&nearest);
    nearest_choice(&nearest, help, sizeof help);
    if (!nearest.best[0])
        words_add(help, sizeof help, "; `vidmm explain state` lists all");
    return message_error(parser->scenario, at, help, "'%s' is not a key of 'state'", name);
}

/* ---- fields --------------------------------------------------------------------------------- */

/* The key of a field: of an event, or of `state`. */
static bool check_key(struct parser *parser, struct place at, const char *name,
                      enum vidmm_event_kind event)
{
    char help[224];
    if (event == VIDMM_EVENT_NONE && !state_words_known(name))
        return complain_state_key(parser, at, name);
    if (event == VIDMM_EVENT_NONE || event_fields_known(event, name))
        return true;
    return message_error(parser->scenario, at, event_fields_help(event, name, help, sizeof help),
                         "'%s' is not a field of '%s'", name, vidmm_event_info(event)->name);
}

/* The event is VIDMM_EVENT_NONE for the keys of `state`. */
static bool read_fields(struct parser *parser, struct predicate *predicate)
{
    struct attribute **tail = &predicate->fields;
    while (parser_is_key(parser_peek(parser))) {
        const struct token *key = parser_peek(parser);
        struct attribute *field = arena_alloc(&parser->scenario->arena, sizeof *field);
        field->key = key->name;
        field->at = parser_place(parser, key);
        if (!check_key(parser, field->at, parser_word_text(parser, key->name), predicate->event)) {
            parser_mend(parser, key);
            continue;
        }
        parser->next += 2;
        /* 1.1, as `state adapter wddm=1.1` asks for it: the number is ten times that. */
        const struct token *value = parser_peek(parser);
        field->items = value->kind == TOKEN_FRACTION ? expression_constant(parser, value->value)
                                                     : expression_list(parser);
        if (!field->items)
            return false;
        field->whole = parser_span(parser, key);
        *tail = field;
        tail = &field->next;
    }
    return true;
}

static bool read_event_name(struct parser *parser, struct predicate *predicate)
{
    char help[224];
    word name = 0;
    struct place at;
    if (!parser_name(parser, "the name of an event", &name, &at))
        return false;
    const char *text = parser_word_text(parser, name);
    predicate->event = vidmm_event_by_name(text);
    /* An expectation does not ask for them, so it would never meet one. */
    if (predicate->event != VIDMM_EVENT_NONE &&
        strcmp(vidmm_event_info(predicate->event)->group, "trail") == 0)
        return message_error(parser->scenario, at,
                             "`vidmm run --record=FILE` and goldens show what a decision looked at",
                             "'%s' is not told to expectations", text);
    if (predicate->event != VIDMM_EVENT_NONE)
        return true;
    struct nearest nearest = nearest_begin(text, strlen(text));
    for (int kind = VIDMM_EVENT_NONE + 1; kind < VIDMM_EVENT_KINDS; kind++)
        nearest_try(&nearest, vidmm_event_info((enum vidmm_event_kind)kind)->name);
    nearest_choice(&nearest, help, sizeof help);
    if (strcmp(text, "expect") == 0)
        snprintf(help, sizeof help, "the lines of the list name the events: `evict NAME`");
    else if (!nearest.best[0])
        snprintf(help, sizeof help,
                 "`vidmm events` lists them: create, place, evict, transfer ...");
    const struct token *next = parser_peek(parser);
    if ((strcmp(text, "event") == 0 || strcmp(text, "events") == 0) && next->kind == TOKEN_WORD)
        snprintf(help, sizeof help, "write the event itself: %s",
                 parser_word_text(parser, next->name));
    return message_error(parser->scenario, at, help, "'%s' is not an event", text);
}

/* ---- predicates ----------------------------------------------------------------------------- */

static bool read_no(struct parser *parser, struct predicate *predicate)
{
    predicate->kind = PREDICATE_NO;
    parser->form = "expect no EVENT [SUBJECT] [KEY=VALUE...] [since MARK]";
    if (!read_event_name(parser, predicate))
        return false;
    bool subject = !parser_at_end(parser) && !parser_is_key(parser_peek(parser)) &&
                   !parser_at_word(parser, "since");
    if (subject)
        predicate->left = expression_target(parser, "the name of an object");
    if ((subject && !predicate->left) || !read_fields(parser, predicate))
        return false;
    return !parser_accept_word(parser, "since") ||
           parser_name(parser, "the name of a mark", &predicate->name, &predicate->name_at);
}

/* `expect state a pinned` */
static bool complain_key(struct parser *parser, const struct predicate *predicate)
{
    char help[SUGGEST_BYTES];
    const struct token *token = parser_peek(parser);
    const char *name = token->kind == TOKEN_WORD ? parser_word_text(parser, token->name) : "";
    const struct place *at = &predicate->left->at;
    if (parser_at_mark(parser, '='))
        return parser_expected(parser, "the subject before the key");
    if (word_list_has(properties, name, NULL))
        snprintf(help, sizeof help, "write `expect %.*s %s`", (int)min_u64(at->length, 80),
                 source_text(parser->scenario, *at), name);
    else
        snprintf(help, sizeof help, "`vidmm explain state` lists the keys%s%s%s",
                 *name && state_words_known(name) ? ": " : "",
                 *name && state_words_known(name) ? name : "",
                 *name && state_words_known(name) ? "=VALUE" : "");
    return parser_expected_help(parser, "a key such as backing=kept", help);
}

static bool read_state(struct parser *parser, struct predicate *predicate)
{
    predicate->kind = PREDICATE_STATE;
    parser->form = "expect state SUBJECT KEY=VALUE...";
    predicate->left = expression_target(parser, "a name");
    if (!predicate->left)
        return false;
    if (!parser_is_key(parser_peek(parser)))
        return complain_key(parser, predicate);
    return read_fields(parser, predicate);
}

static bool read_content(struct parser *parser, struct predicate *predicate)
{
    predicate->kind = PREDICATE_CONTENT;
    parser->form = "expect content of NAME intact|lost|uncertain";
    if (!parser_accept_word(parser, "of"))
        return parser_expected(parser, "'of'");
    predicate->left = expression_target(parser, "the name of an allocation");
    if (!predicate->left)
        return false;
    if (!parser_at_word(parser, "intact") && !parser_at_word(parser, "lost") &&
        !parser_at_word(parser, "uncertain"))
        return parser_expected(parser, "intact, lost or uncertain");
    return parser_name(parser, "intact, lost or uncertain", &predicate->name, &predicate->name_at);
}

/* A name, with an index for a further adapter of a link. */
static struct expr *read_segment(struct parser *parser, const char *what)
{
    if (parser_peek(parser)->kind != TOKEN_WORD) {
        parser_expected(parser, what);
        return NULL;
    }
    return expression_target(parser, what);
}

static bool read_in(struct parser *parser, struct predicate *predicate)
{
    predicate->kind = PREDICATE_IN;
    parser->form = "expect NAME in SEGMENT|system [at OFFSET]";
    predicate->segment = read_segment(parser, "the name of a segment or 'system'");
    if (!predicate->segment)
        return false;
    predicate->name = predicate->segment->name;
    predicate->name_at = predicate->segment->at;
    if (!parser_accept_word(parser, "at"))
        return true;
    predicate->right = expression_parse(parser);
    return predicate->right != NULL;
}

static bool read_property(struct parser *parser, struct predicate *predicate)
{
    char help[SUGGEST_BYTES];
    parser_name(parser, "a state", &predicate->name, &predicate->name_at);
    const char *name = parser_word_text(parser, predicate->name);
    predicate->kind = PREDICATE_IS;
    parser->form = "expect NAME STATE";
    if (word_list_has(properties, name, NULL))
        return true;
    return message_error(parser->scenario, predicate->name_at,
                         suggest_state(parser, predicate, properties, help, sizeof help),
                         "'%s' is not a state of allocations", name);
}

static bool is_target(const struct expr *expr)
{
    return expr->kind == EXPR_NAME || expr->kind == EXPR_HANDLE;
}

/* `expect a.pinned`, `expect pinned(a)`; false: it is something else. */
static bool complain_property(struct parser *parser, const struct expr *left)
{
    char help[SUGGEST_BYTES];
    const char *text = left->name ? parser_word_text(parser, left->name) : "";
    const char *point = left->kind == EXPR_NAME ? strrchr(text, '.') : NULL;
    bool call = left->kind == EXPR_CALL && left->items && !left->items->next &&
                is_target(left->items->from);
    const char *state = point ? point + 1 : call ? text : "";
    const struct place *at = call ? &left->items->from->at : &left->at;
    if (!word_list_has(properties, state, NULL))
        return false;
    size_t length = point ? (size_t)(point - text) : at->length;
    snprintf(help, sizeof help, "write `expect %.*s %s`", (int)min_u64(length, 80),
             source_text(parser->scenario, *at), state);
    message_error(parser->scenario, left->at, help, "'%s' is a state of allocations", state);
    return true;
}

/* `expect a == resident` */
static bool check_sides(struct parser *parser, const struct predicate *predicate)
{
    char help[SUGGEST_BYTES];
    const struct expr *left = predicate->left;
    const struct expr *right = predicate->right;
    if (!is_target(left) || right->kind != EXPR_NAME || right->left)
        return true;
    const char *name = parser_word_text(parser, right->name);
    if (!word_list_has(properties, name, NULL))
        return true;
    const char *opposite = predicate->op == MARK_UNEQUAL ? suggest_opposite(name) : NULL;
    snprintf(help, sizeof help, "write `expect %.*s %s`", (int)min_u64(left->at.length, 80),
             source_text(parser->scenario, left->at), opposite ? opposite : name);
    return message_error(parser->scenario, right->at, help, "'%s' is a state and no number", name);
}

static bool read_comparison(struct parser *parser, struct predicate *predicate)
{
    const struct token *token = parser_peek(parser);
    bool relation = token->kind == TOKEN_MARK &&
                    (token->mark == '<' || token->mark == '>' || token->mark >= MARK_EQUAL);
    bool assigns = parser_at_mark(parser, '=');
    parser->form = is_target(predicate->left)
                       ? "expect NAME in SEGMENT`, `expect NAME resident`, `expect EXPR == EXPR"
                       : "expect EXPR == EXPR";
    if (!relation && !assigns && complain_property(parser, predicate->left))
        return false;
    if (is_target(predicate->left) && parser_at_mark(parser, ','))
        return message_error(parser->scenario, parser_place(parser, token),
                             "each has an `expect` of its own, in a line of its own",
                             "an expectation is about one allocation, this is a list");
    if (!relation && !assigns)
        return parser_expected(parser, is_target(predicate->left)
                                           ? "'in', a state such as resident, or =="
                                           : "==, !=, <, <=, > or >=");
    predicate->kind = PREDICATE_COMPARE;
    predicate->op = assigns ? MARK_EQUAL : token->mark;
    parser->next++;
    predicate->right = expression_parse(parser);
    if (!predicate->right || !check_sides(parser, predicate))
        return false;
    if (assigns)
        message_error(parser->scenario, parser_place(parser, token), "did you mean '=='?",
                      "'=' compares nothing");
    return true;
}

static bool read_general(struct parser *parser, struct predicate *predicate, bool asks)
{
    predicate->left = expression_parse(parser);
    if (!predicate->left)
        return false;
    bool ends =
        parser_at_end(parser) || parser_at_word(parser, "by") || parser_at_word(parser, "hint");
    if (asks && ends) {
        predicate->kind = PREDICATE_VALUE;
        return true;
    }
    if (!is_target(predicate->left) || parser_peek(parser)->kind != TOKEN_WORD)
        return read_comparison(parser, predicate);
    return parser_accept_word(parser, "in") ? read_in(parser, predicate)
                                            : read_property(parser, predicate);
}

static bool read_predicate(struct parser *parser, struct statement *statement)
{
    const struct token *first = parser_peek(parser);
    struct predicate *predicate = arena_alloc(&parser->scenario->arena, sizeof *predicate);
    bool whole;
    statement->mode = MODE_PREDICATE;
    statement->predicate = predicate;
    if (parser_accept_word(parser, "no"))
        whole = read_no(parser, predicate);
    else if (parser_accept_word(parser, "state"))
        whole = read_state(parser, predicate);
    else if (parser_accept_word(parser, "content"))
        whole = read_content(parser, predicate);
    else
        whole = read_general(parser, predicate, statement->kind == STATEMENT_ASK);
    predicate->at = parser_span(parser, first);
    return whole;
}

/* The answer: a number, what could be expected, or a text. */
bool parse_expect_ask(struct parser *parser, struct statement *statement)
{
    if (!parser_string(parser, &statement->text) || !parser_expect_mark(parser, '=', "'='") ||
        !read_predicate(parser, statement))
        return false;
    if (parser_accept_word(parser, "by") && !parser_rules(parser, &statement->rules, false))
        return false;
    parser->form = statements_row(STATEMENT_ASK)->syntax;
    return !parser_accept_word(parser, "hint") || parser_string(parser, &statement->name_at);
}

bool parse_expect_statement(struct parser *parser, struct statement *statement)
{
    if (parser_at_end(parser))
        return parser_expected_as(
            parser, "what is expected",
            "expect NAME in SEGMENT`, `expect NAME resident`, `expect EXPR == EXPR");
    if (parser_accept_word(parser, "events")) {
        statement->opens = true;
        statement->mode = MODE_EVENTS;
        parser->form =
            "expect events [any-order]`, then lines such as `evict NAME via=aper`, then `end";
        if (parser_accept_word(parser, "any-order"))
            statement->mode = MODE_EVENTS_ANY_ORDER;
        return true;
    }
    if (!parser_accept_word(parser, "map"))
        return read_predicate(parser, statement);
    statement->opens = true;
    statement->mode = MODE_MAP;
    parser->form =
        "expect map SEGMENT`, then lines such as `0..4M NAME` or `4M..8M free`, then `end";
    statement->value = read_segment(parser, "the name of a segment");
    if (!statement->value)
        return false;
    statement->name = statement->value->name;
    statement->name_at = statement->value->at;
    return true;
}

/* ---- lines of blocks ------------------------------------------------------------------------ */

bool parse_expect_event_line(struct parser *parser, struct statement *statement)
{
    struct predicate *predicate = arena_alloc(&parser->scenario->arena, sizeof *predicate);
    statement->kind = STATEMENT_EVENT_LINE;
    statement->predicate = predicate;
    parser->form = "[next|not] EVENT [SUBJECT] [KEY=VALUE...]`, or `end";
    if (parser_accept_word(parser, "next"))
        statement->mode = MODE_NEXT;
    else if (parser_accept_word(parser, "not"))
        statement->mode = MODE_NOT;
    if (!read_event_name(parser, predicate))
        return false;
    bool subject = parser_peek(parser)->kind != TOKEN_END && !parser_is_key(parser_peek(parser));
    if (subject)
        predicate->left = expression_target(parser, "the name of an object");
    if ((subject && !predicate->left) || !read_fields(parser, predicate))
        return false;
    if (!parser_at_end(parser))
        return parser_expected(parser, "a field such as segment=vram");
    return true;
}

bool parse_expect_map_line(struct parser *parser, struct statement *statement)
{
    statement->kind = STATEMENT_MAP_LINE;
    parser->form = "OFFSET..OFFSET NAME|free`, or `end";
    if (!expression_value(parser, statement) || !parser_expect_mark(parser, MARK_RANGE, "'..'"))
        return false;
    statement->extra = expression_parse(parser);
    if (!statement->extra || parser_accept_word(parser, "free"))
        return statement->extra != NULL;
    statement->subjects = expression_targets(parser, "the name of an allocation or 'free'");
    return statement->subjects != NULL;
}

/* ---- others --------------------------------------------------------------------------------- */

bool parse_expect_proves(struct parser *parser, struct statement *statement)
{
    return parser_rules(parser, &statement->rules, true);
}

bool parse_expect_mark(struct parser *parser, struct statement *statement)
{
    return parser_name(parser, "the name of a mark", &statement->name, &statement->name_at);
}
