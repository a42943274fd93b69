/* SPDX-License-Identifier: MIT */
/*
 * rules_generate.c: makes C of the rule catalogue; run by the build, never by users.
 *
 *     rules_generate ids   ROOT OUT          CATALOGUE...
 *         enum vidmm_rule
 *     rules_generate table ROOT OUT DEPFILE  CATALOGUE... [--words FILE...]
 *         the rows of rules.c and stops.c of vidmm/catalogue/
 *
 * The catalogues are named relative to ROOT, in the order of the enumeration. An output that would
 * not change is left alone, so that a new scenario does not rebuild everything. The dependency file
 * names everything that was looked at, folders included.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/text.h"
#include "tools/rules_catalogue.h"

/* PLACE-022 as the constant VIDMM_RULE_PLACE_022; more may follow the id. */
static void put_constant(struct text *text, const char *id)
{
    size_t area = strcspn(id, "-");
    text_add(text, "VIDMM_RULE_%.*s_%.3s", (int)area, id, id + area + 1);
}

/* As a C string; NULL becomes "". */
static void put_member(struct text *text, const char *name, const char *words)
{
    text_add(text, "     .%s = \"", name);
    for (; words && *words; words++) {
        if (*words == '\n')
            text_add(text, "\\n");
        else
            text_add(text, "%s%c", strchr("\"\\?", *words) ? "\\" : "", *words);
    }
    text_add(text, "\",\n");
}

static struct text write_ids(const struct catalogue *catalogue)
{
    struct text out = { 0 };
    text_add(&out, "/* SPDX-License-Identifier: MIT */\n"
                   "/* Made by the build from vidmm/rules/; see vidmm/vidmm_rules.h. */\n"
                   "#ifndef VIDMM_RULE_IDS_H\n#define VIDMM_RULE_IDS_H\n\n"
                   "enum vidmm_rule {\n    VIDMM_RULE_NONE,\n");
    for (size_t i = 0; i < catalogue->count; i++) {
        text_add(&out, "    ");
        put_constant(&out, catalogue->rules[i].id);
        text_add(&out, "%s/* %s */\n", i + 1 < catalogue->count ? ", " : " ",
                 catalogue->rules[i].title);
    }
    text_add(&out, "};\n\n#endif\n");
    return out;
}

static const char *standing_constant(const char *standing)
{
    if (strncmp(standing, "model choice", 12) == 0)
        return "VIDMM_RULE_STANDING_CHOICE";
    if (strncmp(standing, "documented and", 14) == 0)
        return "VIDMM_RULE_STANDING_MIXED";
    return "VIDMM_RULE_STANDING_DOCUMENTED";
}

/* A pointer shows the standing of what it points to: it has none of its own. */
static void put_judgement(struct text *out, const struct catalogue *catalogue,
                          const struct rule *rule)
{
    static const char *const kinds[][2] = {
        { "validation", "VALIDATION" },
        { "behaviour", "BEHAVIOUR" },
        { "accounting", "ACCOUNTING" },
    };
    const struct rule *judged =
        rule->same_as_count > 0 ? &catalogue->rules[rule->same_as[0]] : rule;
    text_add(out, "     .kinds = 0");
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
        if (strstr(judged->field[FIELD_KIND], kinds[i][0]))
            text_add(out, " | VIDMM_RULE_KIND_%s", kinds[i][1]);
    text_add(out, ",\n     .standing = %s,\n", standing_constant(judged->field[FIELD_STANDING]));
}

static void put_clauses(struct text *out, const struct rule *rule)
{
    if (rule->clause_count == 0)
        return;
    text_add(out, "     .clauses = (const struct vidmm_rule_clause[]){\n");
    for (size_t i = 0; i < rule->clause_count; i++) {
        text_add(out, "    {\n");
        put_member(out, "text", rule->clause[i].text);
        put_member(out, "proved_by", rule->clause[i].proved_by);
        put_member(out, "unobservable", rule->clause[i].unobservable);
        text_add(out, "    },\n");
    }
    text_add(out, "    { .text = NULL } },\n");
}

static void rules_generate_put_row(struct text *out, const struct catalogue *catalogue,
                                   const struct rule *rule)
{
    text_add(out, "    { .rule = ");
    put_constant(out, rule->id);
    text_add(out, ",\n");
    put_member(out, "id", rule->id);
    put_member(out, "title", rule->title);
    put_member(out, "part", rule->field[FIELD_PART]);
    put_member(out, "text", rule->field[FIELD_RULE]);
    put_judgement(out, catalogue, rule);
    put_member(out, "kind_text", rule->field[FIELD_KIND]);
    put_member(out, "violation", rule->field[FIELD_VIOLATION]);
    put_member(out, "since", rule->field[FIELD_SINCE]);
    put_member(out, "source", rule->field[FIELD_SOURCE]);
    put_member(out, "standing_text", rule->field[FIELD_STANDING]);
    put_member(out, "observable", rule->field[FIELD_OBSERVABLE]);
    put_member(out, "catalogue", rule->file);
    text_add(out, "     .line = %d,\n", rule->line);
    put_member(out, "raised_by", rule->raised_by);
    put_member(out, "proved_by", rule->proved_by);
    put_member(out, "unobservable", rule->unobservable);
    put_clauses(out, rule);
    text_add(out, "     .same_as = { ");
    for (size_t i = 0; i < rule->same_as_count; i++) {
        put_constant(out, catalogue->rules[rule->same_as[i]].id);
        text_add(out, ", ");
    }
    text_add(out, "VIDMM_RULE_NONE } },\n");
}

static void put_word(struct text *out, const struct word *word)
{
    static const char *const kinds[] = { "FIELD", "MEMBER", "KEY" };
    text_add(out, "    { .kind = VIDMM_WORD_%s,\n", kinds[word->kind]);
    put_member(out, "of", word->of);
    put_member(out, "names", word->names);
    put_member(out, "meaning", word->meaning);
    text_add(out, "     .rules = { ");
    for (const char *at = word->rules; rule_id_length(at, '-');) {
        put_constant(out, at);
        text_add(out, ", ");
        at += rule_id_length(at, '-');
        at += strspn(at, ", ");
    }
    text_add(out, "VIDMM_RULE_NONE } },\n");
}

static struct text write_table(const struct catalogue *catalogue)
{
    struct text out = { 0 };
    text_add(&out, "/* SPDX-License-Identifier: MIT */\n"
                   "/* Made by the build from vidmm/rules/ and the scenarios: which scenario shows "
                   "which\n   stop code for stops.c, else the words and rules for "
                   "rules.c. */\n"
                   "#if defined(VIDMM_SHOWN_STOPS)\n");
    for (size_t i = 0; i < catalogue->stop_count; i++) {
        const struct shown_stop *stop = &catalogue->stops[i];
        text_add(&out, "    { .code = 0x%lX, .parameter = 0x%lX,\n", stop->code, stop->parameter);
        put_member(&out, "shown_by", stop->shown_by);
        text_add(&out, "    },\n");
    }
    text_add(&out, "#elif defined(VIDMM_GLOSSARY_TABLE)\n");
    for (size_t i = 0; i < catalogue->word_count; i++)
        put_word(&out, &catalogue->words[i]);
    text_add(&out, "#else\n");
    for (size_t i = 0; i < catalogue->count; i++)
        rules_generate_put_row(&out, catalogue, &catalogue->rules[i]);
    text_add(&out, "#endif\n");
    return out;
}

/* The format of make: blanks are escaped, a dollar sign is doubled. */
static void put_make_path(struct text *text, const char *path)
{
    for (; *path; path++)
        text_add(text, "%s%c", *path == '$' ? "$" : strchr(" #", *path) ? "\\" : "", *path);
}

static struct text write_dependencies(const struct catalogue *catalogue, const char *target)
{
    struct text out = { 0 };
    put_make_path(&out, target);
    text_add(&out, ":");
    for (size_t i = 0; i < catalogue->input_count; i++) {
        text_add(&out, " \\\n  ");
        put_make_path(&out, catalogue->inputs[i]);
    }
    text_add(&out, "\n");
    return out;
}

static bool same_content(const char *path, const struct text *text)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    char *old = base_alloc(text->length + 1, 1);
    size_t got = fread(old, 1, text->length + 1, file);
    bool same = got == text->length && memcmp(old, text->bytes, got) == 0;
    base_free(old);
    (void)fclose(file);
    return same;
}

/* Takes the text; false and a message when it cannot be written. */
static bool save(const char *path, struct text text)
{
    bool saved = same_content(path, &text);
    if (!saved) {
        FILE *file = fopen(path, "wb");
        saved = file && fwrite(text.bytes, 1, text.length, file) == text.length;
        if (file)
            saved = fclose(file) == 0 && saved;
    }
    if (!saved)
        (void)fprintf(stderr, "rules_generate: cannot write %s\n", path);
    text_free(&text);
    return saved;
}

int main(int argc, char **argv)
{
    bool table = argc > 5 && strcmp(argv[1], "table") == 0;
    if (!table && !(argc > 4 && strcmp(argv[1], "ids") == 0)) {
        (void)fprintf(stderr, "usage: rules_generate ids ROOT OUT CATALOGUE...\n"
                              "       rules_generate table ROOT OUT DEPFILE CATALOGUE... [--words "
                              "FILE...]\n");
        return 2;
    }
    struct catalogue catalogue = { .root = argv[2] };
    int at = table ? 5 : 4;
    for (; at < argc && strcmp(argv[at], "--words") != 0; at++)
        catalogue_read(&catalogue, argv[at]);
    catalogue_resolve(&catalogue);
    for (at++; at < argc; at++)
        words_read(&catalogue, argv[at]);
    bool good = catalogue.errors == 0;
    if (good && table) {
        catalogue_scan(&catalogue);
        good = catalogue.errors == 0 && save(argv[3], write_table(&catalogue)) &&
               save(argv[4], write_dependencies(&catalogue, argv[3]));
    } else if (good) {
        good = save(argv[3], write_ids(&catalogue));
    }
    catalogue_fini(&catalogue);
    return good ? 0 : 1;
}
