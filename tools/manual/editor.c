/* SPDX-License-Identifier: MIT */
/*
 * editor.c: how do editors colour a scenario?
 *
 * A statement is the first word of a line, an attribute stands before '=', a function before '(';
 * all other words of the tables are keywords wherever they stand.
 */
#include "tools/common/json.h"
#include "tools/common/text.h"
#include "tools/manual/parts.h"

/* ---- Vim ----------------------------------------------------------------------------------- */

static const char vim_head[] =
    "\" Vim syntax file: scenarios of vidmm, made by `vidmm manual vim`.\n"
    "\" As ~/.vim/syntax/vidmm.vim it needs this line in ~/.vim/ftdetect/vidmm.vim:\n"
    "\"   autocmd BufRead,BufNewFile *.vms setfiletype vidmm\n"
    "if exists('b:current_syntax')\n  finish\nendif\n"
    "syntax iskeyword @,48-57,_,-\n\n";

static const char vim_tail[] =
    "syntax match vidmmNumber "
    "/\\<\\%(0x\\x\\+\\|\\d\\+\\)\\%([KMGT]\\%(iB\\)\\?\\|[num]\\?s\\)\\?\\>/\n"
    "syntax match vidmmVariable /\\$[A-Za-z][A-Za-z0-9_-]*/\n"
    "syntax match vidmmHandle /@\\d\\+/\n"
    "syntax match vidmmOutcome /->/\n"
    "syntax match vidmmRule /\\<[A-Z][A-Z0-9]*-\\d\\{3}\\>/\n"
    "syntax region vidmmString start=/\"/ end=/\"/ oneline\n"
    "syntax match vidmmComment /#.*$/ contains=@Spell\n\n"
    "highlight default link vidmmStatement Statement\n"
    "highlight default link vidmmAttribute Identifier\n"
    "highlight default link vidmmFunction Function\n"
    "highlight default link vidmmWord Type\n"
    "highlight default link vidmmHeader PreProc\n"
    "highlight default link vidmmNumber Number\n"
    "highlight default link vidmmVariable Identifier\n"
    "highlight default link vidmmHandle Constant\n"
    "highlight default link vidmmOutcome Operator\n"
    "highlight default link vidmmRule Constant\n"
    "highlight default link vidmmString String\n"
    "highlight default link vidmmComment Comment\n\n"
    "let b:current_syntax = 'vidmm'\n";

static void vim_words(FILE *out, const char *before, enum word_kind kind, const char *after)
{
    (void)fputs(before, out);
    words_print(out, kind, "\\|", ".");
    (void)fputs(after, out);
}

/* Keywords come before matches wherever both fit, and a later match before an earlier one. */
void editor_write_vim(FILE *out, const struct manual *manual)
{
    (void)manual;
    (void)fputs(vim_head, out);
    (void)fputs("syntax keyword vidmmWord ", out);
    words_print(out, WORDS_OTHERS, " ", "");
    (void)fputs("\n", out);
    vim_words(out, "syntax match vidmmAttribute /\\<\\%(", WORDS_ATTRIBUTES, "\\)\\ze=/\n");
    vim_words(out, "syntax match vidmmFunction /\\<\\%(", WORDS_FUNCTIONS, "\\)\\ze(/\n");
    vim_words(out, "syntax match vidmmStatement /^\\s*\\zs\\%(", WORDS_STATEMENTS, "\\)\\>/\n");
    (void)fputs("syntax match vidmmHeader /\\%^vidmm-scenario\\s\\+\\d\\+/\n", out);
    (void)fputs(vim_tail, out);
}

/* ---- TextMate ------------------------------------------------------------------------------ */

/* A regular expression: `before`, the words, `after`. */
static void textmate_words(struct json *json, const char *scope, const char *before,
                           enum word_kind kind, const char *after)
{
    struct text match = { 0 };
    struct word_list list;
    words_list(kind, &list);
    text_add(&match, "%s", before);
    for (size_t i = 0; i < list.count; i++)
        text_add(&match, "%s%s", i ? "|" : "", list.words[i]);
    text_add(&match, "%s", after);
    json_open(json, NULL, '{');
    json_string(json, "name", scope);
    json_string(json, "match", text_get(&match));
    json_close(json, '}');
    words_free(&list);
    text_free(&match);
}

static void textmate_pattern(struct json *json, const char *scope, const char *match)
{
    json_open(json, NULL, '{');
    json_string(json, "name", scope);
    json_string(json, "match", match);
    json_close(json, '}');
}

/* The first pattern that fits at a place wins. */
void editor_write_textmate(FILE *out, const struct manual *manual)
{
    struct json json = { .out = out };
    (void)manual;
    json_open(&json, NULL, '{');
    json_string(&json, "name", "vidmm scenario");
    json_string(&json, "scopeName", "source.vidmm");
    json_open(&json, "fileTypes", '[');
    json_string(&json, NULL, "vms");
    json_close(&json, ']');
    json_open(&json, "patterns", '[');
    textmate_pattern(&json, "comment.line.number-sign.vidmm", "#.*$");
    textmate_pattern(&json, "string.quoted.double.vidmm", "\"[^\"]*\"");
    textmate_pattern(&json, "keyword.control.header.vidmm", "^vidmm-scenario\\s+\\d+");
    textmate_words(&json, "keyword.control.statement.vidmm", "^\\s*(?:", WORDS_STATEMENTS,
                   ")(?![\\w-])");
    textmate_words(&json, "entity.other.attribute-name.vidmm", "(?<![\\w-])(?:", WORDS_ATTRIBUTES,
                   ")(?==)");
    textmate_words(&json, "support.function.vidmm", "(?<![\\w-])(?:", WORDS_FUNCTIONS, ")(?=\\()");
    textmate_pattern(&json, "constant.other.rule.vidmm", "\\b[A-Z][A-Z0-9]*-\\d{3}\\b");
    textmate_words(&json, "keyword.other.vidmm", "(?<![\\w-])(?:", WORDS_OTHERS, ")(?![\\w-])");
    textmate_pattern(&json, "constant.numeric.vidmm",
                     "\\b(?:0x[0-9A-Fa-f]+|\\d+)(?:[KMGT](?:iB)?|[num]?s)?\\b");
    textmate_pattern(&json, "variable.other.vidmm", "\\$[A-Za-z][\\w-]*");
    textmate_pattern(&json, "constant.other.handle.vidmm", "@\\d+");
    textmate_pattern(&json, "keyword.operator.outcome.vidmm", "->");
    json_close(&json, ']');
    json_close(&json, '}');
    (void)fputc('\n', out);
}
