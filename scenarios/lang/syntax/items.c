/* SPDX-License-Identifier: MIT */
/*
 * items.c: what a text says of itself, before it runs: its tests, tags, parameters, its golden.
 *
 * Tags of the file are tags of each of its tests. A value of a parameter that comes from outside is
 * an expression like that of its statement, and takes its place in the tree: checks and the run see
 * nothing else.
 */
#include "scenarios/lang/syntax/parser.h"

#include "scenarios/lang/scenario_items.h"

#include <string.h>

/* ---- one after the other ----------------------------------------------------------------------
 */

/* Items hold no strings that end with 0, but places of a source. */
static void item_fill(struct scenario *scenario, const struct statement *at,
                      struct scenario_item *item)
{
    const struct attribute *tags = attribute_find(at, ATTRIBUTE_TEST_TAGS);
    message_where(scenario, at->at, &item->at);
    item->more = "";
    item->more_length = 0;
    if (at->kind == STATEMENT_TEST || at->kind == STATEMENT_EXERCISE) {
        item->text = source_text(scenario, at->text);
        item->length = at->text.length;
        item->more = tags ? source_text(scenario, tags->text) : "";
        item->more_length = tags ? tags->text.length : 0;
        return;
    }
    if (at->kind == STATEMENT_GOLDEN) {
        const struct attribute *kinds = attribute_find(at, ATTRIBUTE_GOLDEN_KINDS);
        item->text = kinds ? source_text(scenario, kinds->text) : "";
        item->length = kinds ? kinds->text.length : 0;
        bool times = attribute_find(at, ATTRIBUTE_GOLDEN_TIMES);
        bool trail = attribute_find(at, ATTRIBUTE_GOLDEN_TRAIL);
        item->more = times ? (trail ? "times trail" : "times") : trail ? "trail" : "";
        item->more_length = strlen(item->more);
        return;
    }
    item->text = words_text(&scenario->words, at->name);
    item->length = strlen(item->text);
    const char *line = source_text(scenario, at->line);
    const char *value = memchr(line, '=', at->line.length);
    CHECK(value);
    item->more = value + 1 + strspn(value + 1, " \t");
    item->more_length = (size_t)(line + at->line.length - item->more);
}

static bool next_tag(struct scenario *scenario, struct scenario_item *item)
{
    const struct statement *at = item->statement;
    const struct item *last = item->part;
    const struct item *tag = last ? last->next : NULL;
    size_t next = 0;
    while (at && scenario->tags[next++] != at)
        ;
    for (; !tag && next < scenario->tag_count; next++) {
        at = scenario->tags[next];
        tag = at->subjects;
    }
    if (!tag)
        return false;
    *item = (struct scenario_item){
        .text = words_text(&scenario->words, tag->key), .more = "", .statement = at, .part = tag
    };
    item->length = strlen(item->text);
    message_where(scenario, tag->at, &item->at);
    return true;
}

bool scenario_next(struct scenario *scenario, enum scenario_items which, struct scenario_item *item)
{
    const struct statement *at = item->statement;
    static const unsigned kinds[] = { STATEMENT_TEST, STATEMENT_TAGS, STATEMENT_GOLDEN,
                                      STATEMENT_PARAM, STATEMENT_EXERCISE };
    unsigned kind = kinds[which];
    if (which == SCENARIO_TAGS)
        return next_tag(scenario, item);
    at = at ? at->next : scenario->statements;
    while (at && at->kind != kind)
        at = at->next;
    item->statement = at;
    if (at)
        item_fill(scenario, at, item);
    return at != NULL;
}

/* ---- choice -----------------------------------------------------------------------------------
 */

static bool is_listed(const char *list, size_t list_length, const char *tag, size_t length)
{
    const char *end = list + list_length;
    while (list < end) {
        const char *comma = memchr(list, ',', (size_t)(end - list));
        const char *next = comma ? comma : end;
        if ((size_t)(next - list) == length && memcmp(list, tag, length) == 0)
            return true;
        list = comma ? comma + 1 : end;
    }
    return false;
}

static bool has_tag(struct scenario *scenario, const struct statement *test, const char *tag,
                    size_t length)
{
    const struct attribute *own = test ? attribute_find(test, ATTRIBUTE_TEST_TAGS) : NULL;
    if (own && is_listed(source_text(scenario, own->text), own->text.length, tag, length))
        return true;
    struct scenario_item item = { 0 };
    while (scenario_next(scenario, SCENARIO_TAGS, &item))
        if (item.length == length && memcmp(item.text, tag, length) == 0)
            return true;
    return false;
}

/* "a,b,-c": one of those without a minus sign, if there are any, and none of the others. */
static bool suits(struct scenario *scenario, const struct statement *test, const char *tags)
{
    bool asked = false, found = false;
    while (*tags) {
        size_t length = strcspn(tags, ",");
        bool denied = *tags == '-';
        bool has = has_tag(scenario, test, tags + denied, length - denied);
        if (denied && has)
            return false;
        asked = asked || !denied;
        found = found || (!denied && has);
        tags += length;
        tags += *tags == ',';
    }
    return found || !asked;
}

bool items_chosen(struct scenario *scenario, const struct statement *test,
                  const struct scenario_options *options)
{
    char name[1024];
    if (options->only &&
        (!test || !strstr(source_copy(scenario, test->text, name, sizeof name), options->only)))
        return false;
    return !options->tags || suits(scenario, test, options->tags);
}

bool scenario_chosen(struct scenario *scenario, const struct scenario_item *test,
                     const struct scenario_options *options)
{
    return items_chosen(scenario, test ? test->statement : NULL, options);
}

/* ---- parameters -------------------------------------------------------------------------------
 */

static struct statement *find_param(struct scenario *scenario, const char *name, size_t length)
{
    for (struct statement *at = scenario->statements; at; at = at->next) {
        const char *own = at->kind == STATEMENT_PARAM ? words_text(&scenario->words, at->name) : "";
        if (*own && strlen(own) == length && memcmp(own, name, length) == 0)
            return at;
    }
    return NULL;
}

/* The text is the source of its messages. */
static void read_value(struct scenario *scenario, struct statement *param, const char *option,
                       size_t from)
{
    size_t bytes = min_u64(strlen(option), LANG_LINE_MAX);
    struct expr *written = param->value;
    struct parser *parser = base_alloc(1, sizeof *parser);
    source_add(scenario, "-D", option, bytes)->defined = true;
    parser->scenario = scenario;
    parser->lexer =
        (struct lexer){ .scenario = scenario, .source = (uint16_t)(scenario->source_count - 1) };
    bool read = lexer_line(&parser->lexer, (uint32_t)from, (uint32_t)bytes) &&
                expression_value(parser, param);
    if (read && !parser_at_end(parser))
        read = parser_expected(parser, "the end of the value");
    if (!read)
        param->value = written; /* nothing more is said of it */
    lexer_fini(&parser->lexer);
    base_free(parser);
}

bool scenario_define(struct scenario *scenario, const char *option)
{
    size_t length = strcspn(option, "=");
    struct statement *param = find_param(scenario, option, length);
    if (!param || !option[length] || scenario->source_count == LANG_SOURCES_MAX)
        return false;
    read_value(scenario, param, option, length + 1);
    return true;
}
