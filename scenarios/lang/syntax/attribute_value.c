/* SPDX-License-Identifier: MIT */
/*
 * attribute_value.c: what a value looks like: its unit, the names of flags, levels and words.
 */
#include "scenarios/lang/syntax/suggest.h"

#include <string.h>

static const char *describe(const struct attribute_row *row)
{
    switch (row->kind) {
    case VALUE_NUMBER: return "a number";
    case VALUE_SIZE:
    case VALUE_SIZES: return "a size such as 64K";
    case VALUE_TIME: return "a time such as 200us";
    case VALUE_PRIORITY: return "minimum, low, normal, high, maximum or a number";
    case VALUE_NAMED: return "a documented name or a number";
    case VALUE_FLAGS: return "names of flags or a number";
    case VALUE_NAME:
    case VALUE_NAMES: return "a name";
    case VALUE_NEW: return "a new name";
    case VALUE_SEGMENTS: return "names of segments";
    case VALUE_SEGMENT_SET: return "names of segments or a number";
    case VALUE_PREFER: return "segments such as vram:top,aper";
    case VALUE_BANKS: return "banks such as 2:top,1";
    case VALUE_OFFERS: return "names such as a:low,b:high";
    case VALUE_RANGES: return "numbers such as 0..3,7";
    case VALUE_RANGE: return "a range such as 0..64K";
    case VALUE_SIZE_RANGES: return "ranges such as 0..64K,1M..2M";
    default: return "the number or name of a node"; /* VALUE_NODE */
    }
}

void attribute_value_list(const char *words, char *text, size_t bytes)
{
    size_t length = 0;
    for (const char *at = words; *at; at++) {
        CHECK(length + 5 < bytes);
        bool last = *at == '|' && !strchr(at + 1, '|');
        length += (size_t)snprintf(text + length, bytes - length, "%.*s", *at == '|' ? 4 : 1,
                                   *at != '|' ? at
                                   : last     ? " or "
                                              : ", ");
    }
}

static bool is_numeric(const struct expr *expr)
{
    return expr->kind != EXPR_NAME && expr->kind != EXPR_STRING && expr->kind != EXPR_HANDLE;
}

static bool attribute_value_is_named(enum value_kind kind)
{
    switch (kind) {
    case VALUE_NAME:
    case VALUE_NAMES:
    case VALUE_SEGMENTS:
    case VALUE_PREFER:
    case VALUE_NEW:
    case VALUE_OFFERS: return true;
    default: return false;
    }
}

static bool is_plain_name(const struct item *item)
{
    return item->from->kind == EXPR_NAME && !item->from->left && !item->to;
}

/* The value that was meant, without what is too much around it. */
static const char *suggest_value(const struct parser *parser, const struct attribute *attribute,
                                 const struct item *item, char *help, size_t bytes)
{
    enum value_kind kind = attribute->row->kind;
    const char *text = source_text(parser->scenario, item->at);
    int length = (int)min_u64(item->at.length, 80);
    const struct expr *expr = item->from;
    struct nearest nearest = nearest_begin(text, item->at.length);
    nearest_try_words(&nearest, attribute->row->words ? attribute->row->words : "");
    if (expr->kind == EXPR_NAME && nearest_help(&nearest, help, bytes))
        return help;
    bool number = !attribute->row->words && !attribute_value_is_named(kind);
    if (expr->kind == EXPR_STRING && length > 2 && (!number || (text[1] >= '0' && text[1] <= '9')))
        snprintf(help, bytes, "write %s=%.*s, without quotes", attribute->row->name, length - 2,
                 text + 1);
    else if (expr->kind == EXPR_VARIABLE && attribute_value_is_named(kind))
        snprintf(help, bytes, "a name stands without '$': %.*s", length - 1, text + 1);
    else if (expr->kind == EXPR_CALL)
        snprintf(help, bytes, "a member of a family is written %s[0]",
                 parser_word_text(parser, expr->name));
    else if (is_plain_name(item) && !item->suffix && number)
        snprintf(help, bytes, "a variable is written $%.*s", length, text);
    else if ((kind == VALUE_SEGMENTS || kind == VALUE_PREFER) && is_numeric(expr))
        return attribute->row->statement == STATEMENT_UPDATE
                   ? "segments are meant by name, such as vram"
                   : "segments are meant by name; SupportedReadSegmentSet= takes a number";
    else
        return NULL;
    return help;
}

static bool complain_value(struct parser *parser, const struct attribute *attribute,
                           const struct item *item)
{
    const struct attribute_row *row = attribute->row;
    char words[160] = "";
    char help[SUGGEST_BYTES];
    if (row->words)
        attribute_value_list(row->words, words, sizeof words);
    bool only_words = row->words && row->kind == VALUE_WORD;
    return message_error(parser->scenario, item->at,
                         suggest_value(parser, attribute, item, help, sizeof help),
                         "'%s' takes %s%s%s, found '%.*s'", row->name,
                         only_words ? "" : describe(row), row->words && !only_words ? " or " : "",
                         words, (int)item->at.length, source_text(parser->scenario, item->at));
}

/* What `4K` comes to. */
static const char *plain_number(const struct parser *parser, const struct expr *expr, char *help,
                                size_t bytes)
{
    const char *text = source_text(parser->scenario, expr->at);
    uint64_t value = 0, factor = 1;
    enum unit unit = UNIT_NONE;
    size_t digits = strspn(text, "0123456789");
    bool known = lexer_unit(text + digits, expr->at.length - digits, &factor, &unit);
    CHECK(known);
    if (digits > 6)
        return NULL;
    for (size_t i = 0; i < digits; i++)
        value = value * 10 + (uint64_t)(text[i] - '0');
    return text_format(help, bytes, "write %" PRIu64, value * factor);
}

static bool check_unit(struct parser *parser, const struct attribute *attribute,
                       const struct expr *expr, enum unit unit)
{
    static const char *const units[] = { "a number", "a size", "a time" };
    static const char *const examples[] = { "a plain number", "a size such as 64K",
                                            "a time such as 200us" };
    char help[64];
    bool many = attribute->row->traits & TRAIT_MANY;
    if (!expr || (many && expr->kind == EXPR_NUMBER && expr->unit == UNIT_SIZE))
        return true;
    if (expr->kind == EXPR_NUMBER && expr->unit != UNIT_NONE && expr->unit != unit)
        return message_error(parser->scenario, expr->at,
                             unit == UNIT_NONE ? plain_number(parser, expr, help, sizeof help)
                                               : NULL,
                             "'%.*s' is %s, '%s' takes %s", (int)expr->at.length,
                             source_text(parser->scenario, expr->at), units[expr->unit],
                             attribute->row->name, examples[unit]);
    for (const struct item *item = expr->items; item; item = item->next) {
        if (!check_unit(parser, attribute, item->from, unit) ||
            !check_unit(parser, attribute, item->to, unit))
            return false;
    }
    return check_unit(parser, attribute, expr->left, unit) &&
           check_unit(parser, attribute, expr->right, unit);
}

static bool check_numeric(struct parser *parser, const struct attribute *attribute,
                          const struct item *item)
{
    enum value_kind kind = attribute->row->kind;
    bool sized_range = kind == VALUE_RANGE || kind == VALUE_SIZE_RANGES;
    bool sized = kind == VALUE_SIZE || kind == VALUE_SIZES || sized_range;
    enum unit unit = sized ? UNIT_SIZE : kind == VALUE_TIME ? UNIT_TIME : UNIT_NONE;
    bool ranged = kind == VALUE_RANGES || sized_range;
    bool suffixed = kind == VALUE_BANKS;
    if (!is_numeric(item->from) || (item->to && !is_numeric(item->to)))
        return complain_value(parser, attribute, item);
    if ((item->to && !ranged) || (!item->to && sized_range) || (item->suffix && !suffixed))
        return complain_value(parser, attribute, item);
    return check_unit(parser, attribute, item->from, unit) &&
           check_unit(parser, attribute, item->to, unit);
}

static const struct vidmm_flag *find_flag(int set, const char *name)
{
    const struct vidmm_flag *flag = vidmm_flag_by_name((enum vidmm_flag_set)set, name);
    /* `flags` is read by version: the other set of allocation flags is known too. */
    if (!flag && set == VIDMM_FLAGS_ALLOCATION)
        flag = vidmm_flag_by_name(VIDMM_FLAGS_ALLOCATION2_0, name);
    return flag;
}

static bool complain_flag(struct parser *parser, int set, const struct item *item)
{
    static const char *const nouns[VIDMM_FLAG_SETS] = {
        [VIDMM_FLAGS_ALLOCATION] = "an allocation flag",
        [VIDMM_FLAGS_ALLOCATION2_0] = "an allocation flag of WDDM 2.0",
        [VIDMM_FLAGS_ALLOCATION2] = "a flag of Flags2",
        [VIDMM_FLAGS_INFO] = "a flag of D3DDDI_ALLOCATIONINFO2",
        [VIDMM_FLAGS_KMT] = "a flag of D3DKMT_CREATEALLOCATIONFLAGS",
        [VIDMM_FLAGS_DDI_CREATE] = "a flag of DXGK_CREATEALLOCATIONFLAGS",
        [VIDMM_FLAGS_SEGMENT] = "a segment flag",
        [VIDMM_FLAGS_LOCK] = "a lock flag",
        [VIDMM_FLAGS_OFFER] = "a flag of D3DKMT_OFFER_FLAGS",
        [VIDMM_FLAGS_OFFER_CALLBACK] = "a flag of D3DDDI_OFFER_FLAGS",
        [VIDMM_FLAGS_TRANSFER] = "a transfer flag",
        [VIDMM_FLAGS_USAGE] = "a flag of DXGK_ALLOCATIONUSAGEINFO1",
        [VIDMM_FLAGS_PRIORITY] = "a priority",
        [VIDMM_FLAGS_FORMAT] = "a format of surfaces",
        [VIDMM_FLAGS_GDI] = "a type of GDI surfaces",
    };
    char help[224];
    const char *name = parser_word_text(parser, item->from->name);
    struct nearest nearest = nearest_begin(name, strlen(name));
    for (size_t i = 0; vidmm_flag_row((enum vidmm_flag_set)set, i); i++)
        nearest_try(&nearest, vidmm_flag_row((enum vidmm_flag_set)set, i)->name);
    for (size_t i = 0;
         set == VIDMM_FLAGS_ALLOCATION && vidmm_flag_row(VIDMM_FLAGS_ALLOCATION2_0, i); i++)
        nearest_try(&nearest, vidmm_flag_row(VIDMM_FLAGS_ALLOCATION2_0, i)->name);
    nearest_choice(&nearest, help, sizeof help);
    const char *habit =
        set == VIDMM_FLAGS_PRIORITY ? habit_find(HABIT_PRIORITY, name, strlen(name)) : NULL;
    if (habit)
        snprintf(help, sizeof help, "did you mean '%s'?", habit);
    else if (set == VIDMM_FLAGS_PRIORITY && !nearest.best[0])
        snprintf(help, sizeof help, "one of minimum, low, normal, high, maximum, or a number");
    return message_error(parser->scenario, item->from->at, help, "'%s' is not %s", name,
                         nouns[set]);
}

/* `flags=A+B` */
static bool complain_sum(struct parser *parser, const struct attribute *attribute,
                         const struct item *item)
{
    char help[SUGGEST_BYTES];
    const struct expr *last = item->from->right;
    snprintf(help, sizeof help, "several flags are a list without spaces: %s,%.*s",
             parser_word_text(parser, item->from->left->name), (int)min_u64(last->at.length, 80),
             source_text(parser->scenario, last->at));
    return message_error(parser->scenario, item->at, help, "'%s' takes names of flags or a number",
                         attribute->row->name);
}

/* The name of a flag, a level or another value of a set; or a number. */
static bool check_flag(struct parser *parser, const struct attribute *attribute,
                       const struct item *item)
{
    bool flags = attribute->row->kind == VALUE_FLAGS;
    int set =
        attribute->row->kind == VALUE_PRIORITY ? VIDMM_FLAGS_PRIORITY : attribute->row->argument;
    if (flags && (item->to || item->suffix))
        return complain_value(parser, attribute, item);
    if (flags && item->from->kind == EXPR_BINARY && item->from->left->kind == EXPR_NAME)
        return complain_sum(parser, attribute, item);
    if (!is_plain_name(item))
        return check_numeric(parser, attribute, item);
    if (!find_flag(set, parser_word_text(parser, item->from->name)))
        return complain_flag(parser, set, item);
    return true;
}

static bool check_word(struct parser *parser, const struct attribute *attribute,
                       const struct item *item)
{
    char help[96];
    const struct attribute_row *row = attribute->row;
    if (!is_plain_name(item))
        return complain_value(parser, attribute, item);
    const char *name = parser_word_text(parser, item->from->name);
    /* Which policies were loaded is a matter of the check. */
    if (word_list_has(row->words, name, NULL) || attribute_is_policy(row))
        return true;
    struct nearest nearest = nearest_begin(name, strlen(name));
    nearest_try_words(&nearest, row->words);
    if (!nearest.best[0])
        return complain_value(parser, attribute, item);
    return message_error(parser->scenario, item->at, nearest_help(&nearest, help, sizeof help),
                         "'%s' is no value of '%s'", name, row->name);
}

static bool check_attribute_value_name(struct parser *parser, const struct attribute *attribute,
                                       const struct item *item)
{
    const struct expr *expr = item->from;
    enum value_kind kind = attribute->row->kind;
    bool listed = kind == VALUE_NAMES || kind == VALUE_OFFERS;
    bool named = expr->kind == EXPR_NAME || (listed && expr->kind == EXPR_HANDLE) ||
                 (listed && expr->kind == EXPR_CALL && expr->name == parser->scenario->word_any) ||
                 ((kind == VALUE_NODE || kind == VALUE_SEGMENT_SET) && is_numeric(expr));
    bool suffixed = kind == VALUE_PREFER || kind == VALUE_OFFERS;
    if (!named || item->to || (item->suffix && !suffixed) ||
        (kind == VALUE_OFFERS && !item->suffix))
        return complain_value(parser, attribute, item);
    return true;
}

static bool check_suffix(struct parser *parser, const struct attribute *attribute,
                         const struct item *item)
{
    bool offers = attribute->row->kind == VALUE_OFFERS;
    const char *words = offers ? OFFER_WORDS : "top|bottom";
    if (!item->suffix || word_list_has(words, parser_word_text(parser, item->suffix), NULL))
        return true;
    return message_error(parser->scenario, item->suffix_at,
                         offers ? "an offer has the priority low, normal, high or auto"
                                : "a direction is top or bottom",
                         "'%s' is not a %s", parser_word_text(parser, item->suffix),
                         offers ? "priority of offers" : "direction");
}

static bool check_attribute_value_item(struct parser *parser, const struct attribute *attribute,
                                       const struct item *item)
{
    const struct attribute_row *row = attribute->row;
    if (row->kind != VALUE_WORD && row->words && is_plain_name(item) &&
        word_list_has(row->words, parser_word_text(parser, item->from->name), NULL))
        return true;
    if (!check_suffix(parser, attribute, item))
        return false;
    switch (row->kind) {
    case VALUE_WORD: return check_word(parser, attribute, item);
    case VALUE_FLAGS:
    case VALUE_PRIORITY:
    case VALUE_NAMED: return check_flag(parser, attribute, item);
    case VALUE_NAME:
    case VALUE_NAMES:
    case VALUE_SEGMENTS:
    case VALUE_SEGMENT_SET:
    case VALUE_PREFER:
    case VALUE_OFFERS:
    case VALUE_NODE:
    case VALUE_NEW: return check_attribute_value_name(parser, attribute, item);
    default: return check_numeric(parser, attribute, item);
    }
}

bool attribute_value_check(struct parser *parser, const struct attribute *attribute)
{
    const struct item *second = attribute->items->next;
    if (second && !attribute_is_list(attribute->row))
        return message_error(parser->scenario, second->at,
                             second->from->kind == EXPR_NUMBER && second->at.length == 3
                                 ? "a number has no commas: 1000, or a unit: 1M"
                                 : "attributes have spaces between them",
                             "'%s' takes one value", attribute->row->name);
    bool whole = true;
    for (const struct item *item = attribute->items; item; item = item->next)
        whole = check_attribute_value_item(parser, attribute, item) && whole;
    return whole;
}
