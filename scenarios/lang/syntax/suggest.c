/* SPDX-License-Identifier: MIT */
/*
 * suggest.c: what to write instead.
 *
 * habits.def knows the words of other languages. The rest is read from the tables of this one: the
 * form of the statement, the attribute whose value stands without its key, the statement that has
 * the attribute.
 */
#include "scenarios/lang/syntax/suggest.h"

#include <string.h>

/* ---- forms ---------------------------------------------------------------------------------- */

const char *suggest_form(const struct parser *parser, char *help, size_t bytes)
{
    const char *form = parser->form;
    const struct token *first = parser->lexer.tokens;
    enum statement_kind kind =
        first->kind == TOKEN_WORD ? statements_find(first->name) : STATEMENT_KINDS;
    if (!form && kind != STATEMENT_KINDS)
        form = statements_row(kind)->syntax;
    if (!form)
        return NULL;
    return text_format(help, bytes, "the form is `%s`", form);
}

/* ---- tokens --------------------------------------------------------------------------------- */

static int shown(const struct token *token)
{
    return (int)min_u64(token->length, 80);
}

/* The word at `token` with what stands next to it without a space: t[0]. */
static int shown_word(const struct token *token)
{
    const struct token *last = token;
    while (last[1].kind != TOKEN_END && !last[1].spaced &&
           !(last[1].kind == TOKEN_MARK && last[1].mark == ','))
        last++;
    return (int)min_u64(last->offset + last->length - token->offset, 80);
}

/* The first token of the word that ends at `token`. */
static const struct token *word_start(const struct parser *parser, const struct token *token)
{
    while (token > parser->lexer.tokens && !token->spaced &&
           !(token[-1].kind == TOKEN_MARK && (token[-1].mark == ',' || token[-1].mark == '=')))
        token--;
    return token;
}

static bool suggest_is_mark(const struct token *token, int mark)
{
    return token->kind == TOKEN_MARK && token->mark == mark;
}

const char *suggest_unit(const struct parser *parser, const struct token *token, char *help,
                         size_t bytes)
{
    uint64_t factor = 0;
    enum unit unit = UNIT_NONE;
    const char *text = parser_text(parser, token);
    if (token == parser->lexer.tokens || token->kind != TOKEN_WORD ||
        token[-1].kind != TOKEN_NUMBER || token[-1].unit != UNIT_NONE)
        return NULL;
    const char *habit = habit_find(HABIT_UNIT, text, token->length);
    if (!habit && !lexer_unit(text, token->length, &factor, &unit))
        return NULL;
    return text_format(help, bytes, "write %.*s%.*s", shown(token - 1),
                       parser_text(parser, token - 1), habit ? (int)strlen(habit) : shown(token),
                       habit ? habit : text);
}

const char *suggest_instead(const struct parser *parser, const struct token *token, char *help,
                            size_t bytes)
{
    bool second_text = token > parser->lexer.tokens && token[-1].kind == TOKEN_STRING;
    if (token->kind == TOKEN_VARIABLE && !token->spaced && token[-1].kind == TOKEN_WORD)
        return text_format(help, bytes, "a member is written %.*s[%.*s]", shown(token - 1),
                           parser_text(parser, token - 1), shown(token),
                           parser_text(parser, token));
    if (suggest_is_mark(token, '[') && token[1].kind == TOKEN_WORD)
        return text_format(help, bytes, "a list stands without brackets: %.*s", shown(&token[1]),
                           parser_text(parser, &token[1]));
    if (token->kind == TOKEN_STRING && token->length > 2 && !second_text)
        return text_format(help, bytes, "write it without quotes: %.*s", shown(token) - 2,
                           parser_text(parser, token) + 1);
    char one[96];
    if (suggest_unit(parser, token, one, sizeof one))
        return text_format(help, bytes, "a number and its unit are one word: %s", one);
    bool named = token->kind == TOKEN_WORD;
    const char *habit =
        named ? habit_find(HABIT_TAIL, parser_text(parser, token), token->length) : NULL;
    return habit ? habit : suggest_form(parser, help, bytes);
}

/* The value that was meant to belong to `key`: NULL when the line does not go on with one. */
static const struct token *value_after(const struct token *key)
{
    const struct token *value = key + 1;
    if (suggest_is_mark(value, '=') || suggest_is_mark(value, MARK_EQUAL) ||
        suggest_is_mark(value, ':'))
        value++;
    if (value->kind == TOKEN_END || value->kind == TOKEN_MARK)
        return NULL;
    /* `size segments=vram`: that is the next attribute. */
    return suggest_is_mark(value + 1, '=') && value == key + 1 ? NULL : value;
}

const char *suggest_pair(const struct parser *parser, const struct token *key, char *help,
                         size_t bytes)
{
    const struct token *value = value_after(key);
    if (!value)
        return suggest_form(parser, help, bytes);
    return text_format(help, bytes, "write %.*s=%.*s", shown(key), parser_text(parser, key),
                       shown(value), parser_text(parser, value));
}

const char *suggest_list(const struct parser *parser, const struct token *comma, char *help,
                         size_t bytes)
{
    const struct token *after = comma + 1;
    if (after->kind == TOKEN_END)
        return suggest_form(parser, help, bytes);
    const struct token *before = word_start(parser, comma - 1);
    int length = (int)min_u64(comma->offset - before->offset, 80);
    bool pair = after->kind == TOKEN_WORD && suggest_is_mark(after + 1, '=');
    return text_format(help, bytes,
                       pair ? "attributes have a space between them: %.*s %.*s=..."
                            : "write %.*s,%.*s",
                       length - (int)comma->spaced, parser_text(parser, before),
                       pair ? shown(after) : shown_word(after), parser_text(parser, after));
}

/* ---- statements ----------------------------------------------------------------------------- */

const char *suggest_statement(const struct parser *parser, const struct token *token, char *help,
                              size_t bytes)
{
    const char *text = parser_text(parser, token);
    const char *habit = habit_find(HABIT_STATEMENT, text, token->length);
    if (token->kind == TOKEN_WORD || token->kind == TOKEN_VARIABLE) {
        if (suggest_is_mark(token + 1, '=') && token[2].kind == TOKEN_WORD &&
            statements_find(token[2].name) != STATEMENT_KINDS)
            return text_format(help, bytes, "the statement comes first: `%.*s %.*s ...`",
                               shown(&token[2]), parser_text(parser, &token[2]), shown(token),
                               text);
        if (suggest_is_mark(token + 1, '='))
            return text_format(help, bytes, "a variable gets its value by `let %.*s = ...`",
                               shown(token) - (*text == '$'), text + (*text == '$'));
    }
    if (habit)
        return habit;
    struct nearest nearest = nearest_begin(text, token->length);
    for (unsigned kind = 0; token->kind == TOKEN_WORD && kind < STATEMENT_KINDS; kind++)
        nearest_try(&nearest, statements_row(kind)->name);
    if (nearest_help(&nearest, help, bytes))
        return help;
    return "a line begins with its statement: create, submit, wait, lock, evict, expect ...; "
           "`vidmm explain create` tells one, scenarios/README.md has all";
}

/* ---- attributes ----------------------------------------------------------------------------- */

static int create_for_class(int statement)
{
    return statement == STATEMENT_CLASS ? STATEMENT_CREATE : statement;
}

/* The attribute of the statement that takes the word as a value: flags=CpuVisible. */
static const struct attribute_row *row_with_value(int statement, const char *text)
{
    const struct attribute_row *row;
    for (size_t i = 0; (row = attribute_row(i)) != NULL; i++) {
        if (row->statement != create_for_class(statement) || row->traits & TRAIT_LATER)
            continue;
        if (row->words && strcmp(row->words, "none") != 0 && word_list_has(row->words, text, NULL))
            return row;
        bool flags = row->kind == VALUE_FLAGS || row->kind == VALUE_PRIORITY;
        int set = row->kind == VALUE_PRIORITY ? VIDMM_FLAGS_PRIORITY : row->argument;
        if (flags && vidmm_flag_by_name((enum vidmm_flag_set)set, text))
            return row;
    }
    return NULL;
}

static const char *suggest_key(const struct statement *statement, const struct attribute_row *row,
                               const char *text, char *help, size_t bytes)
{
    const struct attribute *given = statement->attributes;
    while (given && given->row != row)
        given = given->next;
    return text_format(help, bytes,
                       given ? "a list has commas and no spaces: %s=...,%s" : "write %s=%s",
                       row->name, text);
}

/* Another statement has such an attribute, or `adapter` such a setting. */
static const char *suggest_owner(int statement, const char *text, char *help, size_t bytes)
{
    const struct attribute_row *row;
    if (vidmm_setting_by_name(text) != SIZE_MAX)
        return text_format(help, bytes,
                           "it is a setting: `adapter %s=...`, or `set %s=...` in the run", text,
                           text);
    for (size_t i = 0; (row = attribute_row(i)) != NULL; i++) {
        if (row->statement == statement || row->traits & TRAIT_LATER || strcmp(row->name, text))
            continue;
        return text_format(help, bytes,
                           "it is an attribute of '%s'; `vidmm explain %s` lists those of '%s'",
                           statements_row((unsigned)row->statement)->name,
                           statements_row((unsigned)statement)->name,
                           statements_row((unsigned)statement)->name);
    }
    return NULL;
}

/* `evict a b`, `create my tex`, `submit f tex` */
static const char *suggest_subject(const struct parser *parser, const struct statement *statement,
                                   const struct token *token, char *help, size_t bytes)
{
    const char *text = parser_text(parser, token);
    bool lists = statements_row(statement->kind)->traits & TRAIT_NAMES;
    bool submits = statement->kind == STATEMENT_SUBMIT;
    bool second = (submits || !statement->attributes) && token[-1].kind != TOKEN_MARK;
    bool joins = word_list_has("for|in|to|at|on|as|with|from|until|wait",
                               parser_word_text(parser, token->name), NULL);
    if (!second || joins || !statement->subjects || suggest_is_mark(token + 1, '='))
        return NULL;
    if (lists)
        snprintf(help, bytes, "several names are a list without spaces: %.*s,%.*s",
                 shown_word(word_start(parser, token - 1)),
                 parser_text(parser, word_start(parser, token - 1)), shown_word(token), text);
    else if (submits)
        snprintf(help, bytes, "write read=%.*s or write=%.*s", shown(token), text, shown(token),
                 text);
    else
        snprintf(help, bytes, "a name has no spaces: write %.*s-%.*s if it is part of the name",
                 shown(token - 1), parser_text(parser, token - 1), shown(token), text);
    return help;
}

static bool has_size(int statement)
{
    const struct attribute_row *row;
    for (size_t i = 0; (row = attribute_row(i)) != NULL; i++)
        if (row->statement == statement && strcmp(row->name, "size") == 0)
            return true;
    return false;
}

/* `create tex 1M in vram` */
static const char *suggest_creation(const struct parser *parser, const struct token *token,
                                    char *help, size_t bytes)
{
    const char *text = parser_text(parser, token);
    bool creates = parser_at_word(parser, "in") || parser_at_word(parser, "on") ||
                   parser_at_word(parser, "at") || parser_at_word(parser, "to");
    if (token->kind == TOKEN_NUMBER && token[1].kind == TOKEN_WORD &&
        strncmp(parser_text(parser, &token[1]), "in", token[1].length) == 0 &&
        token[2].kind == TOKEN_WORD)
        return text_format(help, bytes, "write size=%.*s segments=%.*s", shown(token), text,
                           shown(&token[2]), parser_text(parser, &token[2]));
    if (token->kind == TOKEN_NUMBER)
        return text_format(help, bytes, "write size=%.*s", shown(token), text);
    if (!creates || token[1].kind != TOKEN_WORD)
        return NULL;
    return text_format(help, bytes, "where it may lie is segments=%.*s", shown(&token[1]),
                       parser_text(parser, &token[1]));
}

static const char *habit_of(int kind, const char *text, bool bare)
{
    switch (kind) {
    case STATEMENT_CREATE: return habit_find(HABIT_CREATE, text, strlen(text));
    case STATEMENT_ADAPTER: {
        const char *habit = habit_find(HABIT_ADAPTER, text, strlen(text));
        return habit || !bare ? habit : "an adapter has no name: `adapter wddm=1.1`";
    }
    case STATEMENT_LOCK: return bare ? habit_find(HABIT_LOCK, text, strlen(text)) : NULL;
    default: return NULL;
    }
}

const char *suggest_attribute(const struct parser *parser, const struct statement *statement,
                              const char *near, char *help, size_t bytes)
{
    const struct token *token = parser_peek(parser);
    const char *text = token->kind == TOKEN_WORD ? parser_word_text(parser, token->name) : "";
    int kind = create_for_class(statement->kind);
    const struct attribute_row *row = *text ? row_with_value(kind, text) : NULL;
    bool bare = !suggest_is_mark(token + 1, '=');
    enum statement_kind opens = *text ? statements_find(token->name) : STATEMENT_KINDS;
    if (bare && opens != STATEMENT_KINDS && statements_row(statement->kind)->traits & TRAIT_BLOCK)
        return text_format(help, bytes,
                           "a statement of the block begins a line of its own: %.*s ...",
                           shown(token), text);
    if (token->kind == TOKEN_NUMBER && token->unit == UNIT_SIZE && kind != STATEMENT_CREATE &&
        has_size(kind))
        return text_format(help, bytes, "write size=%.*s", shown(token),
                           parser_text(parser, token));
    if (habit_of(kind, text, bare))
        return habit_of(kind, text, bare);
    if (kind == STATEMENT_SET && suggest_is_mark(token + 1, '=') && token[1].spaced)
        return text_format(help, bytes,
                           "a variable gets its value by `let %s = ...`, a setting by `set %s`",
                           text, "NAME=VALUE");
    if (kind == STATEMENT_CREATE && suggest_creation(parser, token, help, bytes))
        return help;
    if (row && bare)
        return suggest_key(statement, row, text, help, bytes);
    if (bare && word_list_has("fails|warns|pending|bugcheck|device-error|either|ok", text, NULL))
        return text_format(help, bytes, "an outcome begins with '->': -> %s", text);
    if (near)
        return text_format(help, bytes, "%s", near);
    if (*text && suggest_owner(kind, text, help, bytes))
        return help;
    return *text ? suggest_subject(parser, statement, token, help, bytes) : NULL;
}

/* ---- expectations --------------------------------------------------------------------------- */

const char *suggest_opposite(const char *name)
{
    static const char *const pairs[] = { "resident", "evicted", "dirty", "clean", "busy", "idle" };
    for (size_t i = 0; i < ARRAY_COUNT(pairs); i++)
        if (strcmp(pairs[i], name) == 0)
            return pairs[i ^ 1];
    return NULL;
}

static const char *suggest_negation(const char *subject, int length, const char *state, char *help,
                                    size_t bytes)
{
    const char *opposite = suggest_opposite(state);
    if (opposite)
        snprintf(help, bytes, "write `expect %.*s %s`", length, subject, opposite);
    else if (word_list_has("locked", state, NULL))
        snprintf(help, bytes, "write `expect state %.*s locks=0`", length, subject);
    else if (word_list_has("pinned|lost", state, NULL))
        snprintf(help, bytes, "write `expect state %.*s %s=no`", length, subject, state);
    else
        return "there is no negation: resident or evicted, dirty or clean, busy or idle";
    return help;
}

/* `expect offset a`, `expect evict a`: the first word was meant as something else. */
static const char *suggest_first(const struct parser *parser, const struct predicate *predicate,
                                 const struct token *second_word, char *help, size_t bytes)
{
    const char *first = parser_word_text(parser, predicate->left->name);
    const char *second = parser_text(parser, second_word);
    bool function =
        function_find(first) != FUNCTIONS || vidmm_counter_by_name(first) != VIDMM_COUNTERS;
    if (strcmp(first, "not") == 0 && second_word[1].kind == TOKEN_WORD)
        return suggest_negation(second, shown(second_word),
                                parser_word_text(parser, second_word[1].name), help, bytes);
    if (strcmp(first, "event") == 0 || vidmm_event_by_name(first) != VIDMM_EVENT_NONE) {
        const char *event = strcmp(first, "event") == 0 ? second : first;
        int length = event == second ? shown(second_word) : (int)strlen(first);
        return text_format(
            help, bytes,
            "events are expected in a block: `expect events`, lines such as `%.*s NAME`, "
            "`end`",
            length, event);
    }
    if (!function)
        return NULL;
    return text_format(help, bytes, "write %s(%.*s)", first, shown(second_word), second);
}

const char *suggest_state(const struct parser *parser, const struct predicate *predicate,
                          const char *states, char *help, size_t bytes)
{
    const struct token *next = parser_peek(parser), *second_word = next - 1;
    const char *name = parser_word_text(parser, second_word->name);
    const char *subject = source_text(parser->scenario, predicate->left->at);
    size_t un = strncmp(name, "un", 2) == 0 ? 2 : strncmp(name, "non", 3) == 0 ? 3 : 0;
    int length = (int)min_u64(predicate->left->at.length, 80);
    bool stated = next->kind == TOKEN_WORD &&
                  word_list_has(states, parser_word_text(parser, next->name), NULL);
    bool alone = predicate->left->kind == EXPR_NAME && !predicate->left->left;
    bool negated = alone && strcmp(parser_word_text(parser, predicate->left->name), "not") == 0;
    const char *first = negated ? suggest_first(parser, predicate, second_word, help, bytes) : NULL;
    if (first)
        return first;
    if (word_list_has("not|isnt|never|no", name, NULL) && next->kind == TOKEN_WORD)
        return suggest_negation(subject, length, parser_word_text(parser, next->name), help, bytes);
    if (un && word_list_has(states, name + un, NULL))
        return suggest_negation(subject, length, name + un, help, bytes);
    if (stated)
        return text_format(help, bytes, "write `expect %.*s %.*s`", length, subject, shown(next),
                           parser_text(parser, next));
    bool is_in = word_list_has("is|be|lies|stays", name, NULL) && parser_at_word(parser, "in");
    next += is_in;
    if ((is_in || word_list_has("inside|within|into|on", name, NULL)) && next->kind == TOKEN_WORD)
        return text_format(help, bytes, "write `expect %.*s in %.*s`", length, subject, shown(next),
                           parser_text(parser, next));
    if (strcmp(name, "intact") == 0)
        return text_format(help, bytes, "write `expect content of %.*s intact`", length, subject);
    if (word_list_has("at|offset", name, NULL))
        return text_format(help, bytes,
                           "write `expect %.*s in SEGMENT at OFFSET`, or offset(%.*s) == OFFSET",
                           length, subject, length, subject);
    first = alone ? suggest_first(parser, predicate, second_word, help, bytes) : NULL;
    if (first)
        return first;
    struct nearest nearest = nearest_begin(name, strlen(name));
    nearest_try_words(&nearest, states);
    return nearest_choice(&nearest, help, bytes);
}
