/* SPDX-License-Identifier: MIT */
/*
 * rules_generate.c: makes C of the rule catalogue; run by the build, never by users.
 *
 *     rules_generate ids   ROOT OUT          CATALOGUE...
 *         enum vidmm_rule
 *     rules_generate table ROOT OUT DEPFILE  CATALOGUE... [--words FILE...]
 *         the rows of rules.c, stops.c and glossary.c of vidmm/catalogue/
 *
 * The catalogues are named relative to ROOT, in the order of the enumeration. An output that would
 * not change is left alone, so that a new scenario does not rebuild everything. The dependency file
 * names everything that was looked at, folders included.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tools/rules_catalogue.h"
#include "vidmm/base/base.h"

struct text {
    char *bytes;
    size_t used, capacity;
};

static void rules_generate_put(struct text *text, const char *bytes, size_t count)
{
    BASE_GROW(text->bytes, text->capacity, text->used + count + 1);
    memcpy(text->bytes + text->used, bytes, count);
    text->used += count;
    text->bytes[text->used] = '\0';
}

static void put_text(struct text *text, const char *words)
{
    rules_generate_put(text, words, strlen(words));
}

/* PLACE-022 as the constant VIDMM_RULE_PLACE_022. */
static void put_constant(struct text *text, const char *id)
{
    put_text(text, "VIDMM_RULE_");
    for (; *id; id++)
        rules_generate_put(text, *id == '-' ? "_" : id, 1);
}

/* A C string; NULL becomes "". */
static void rules_generate_put_string(struct text *text, const char *words)
{
    put_text(text, "\"");
    for (; words && *words; words++) {
        if (*words == '\n')
            put_text(text, "\\n");
        else if (*words == '"' || *words == '\\' || *words == '?')
            put_text(text, "\\");
        if (*words != '\n')
            rules_generate_put(text, words, 1);
    }
    put_text(text, "\"");
}

static void put_member(struct text *text, const char *name, const char *words)
{
    put_text(text, "     .");
    put_text(text, name);
    put_text(text, " = ");
    rules_generate_put_string(text, words);
    put_text(text, ",\n");
}

static struct text write_ids(const struct catalogue *catalogue)
{
    struct text out = { 0 };
    put_text(&out, "/* SPDX-License-Identifier: MIT */\n"
                   "/* Made by the build from vidmm/rules/; see vidmm/vidmm_rules.h. */\n"
                   "#ifndef VIDMM_RULE_IDS_H\n#define VIDMM_RULE_IDS_H\n\n"
                   "enum vidmm_rule {\n    VIDMM_RULE_NONE,\n");
    for (size_t i = 0; i < catalogue->count; i++) {
        put_text(&out, "    ");
        put_constant(&out, catalogue->rules[i].id);
        put_text(&out, i + 1 < catalogue->count ? ", /* " : " /* ");
        put_text(&out, catalogue->rules[i].title);
        put_text(&out, " */\n");
    }
    put_text(&out, "};\n\n#endif\n");
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

static void put_kinds(struct text *out, const char *kinds)
{
    put_text(out, "     .kinds = 0");
    if (strstr(kinds, "validation"))
        put_text(out, " | VIDMM_RULE_KIND_VALIDATION");
    if (strstr(kinds, "behaviour"))
        put_text(out, " | VIDMM_RULE_KIND_BEHAVIOUR");
    if (strstr(kinds, "accounting"))
        put_text(out, " | VIDMM_RULE_KIND_ACCOUNTING");
    put_text(out, ",\n");
}

/* A pointer shows the standing of what it points to: it has none of its own. */
static void put_judgement(struct text *out, const struct catalogue *catalogue,
                          const struct rule *rule)
{
    const struct rule *judged =
        rule->same_as_count > 0 ? &catalogue->rules[rule->same_as[0]] : rule;
    put_kinds(out, judged->field[FIELD_KIND]);
    put_text(out, "     .standing = ");
    put_text(out, standing_constant(judged->field[FIELD_STANDING]));
    put_text(out, ",\n");
}

static void put_same_as(struct text *out, const struct catalogue *catalogue,
                        const struct rule *rule)
{
    put_text(out, "     .same_as = { ");
    for (size_t i = 0; i < rule->same_as_count; i++) {
        put_constant(out, catalogue->rules[rule->same_as[i]].id);
        put_text(out, ", ");
    }
    put_text(out, "VIDMM_RULE_NONE } },\n");
}

static void rules_generate_put_row(struct text *out, const struct catalogue *catalogue,
                                   const struct rule *rule)
{
    char line[24];
    put_text(out, "    { .rule = ");
    put_constant(out, rule->id);
    put_text(out, ",\n");
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
    (void)snprintf(line, sizeof line, "%d,\n", rule->line);
    put_text(out, "     .line = ");
    put_text(out, line);
    put_member(out, "raised_by", rule->raised_by);
    put_member(out, "proved_by", rule->proved_by);
    put_same_as(out, catalogue, rule);
}

static void put_stop(struct text *out, const struct shown_stop *stop)
{
    char line[64];
    (void)snprintf(line, sizeof line, "    { .code = 0x%lX, .parameter = 0x%lX,\n", stop->code,
                   stop->parameter);
    put_text(out, line);
    put_member(out, "shown_by", stop->shown_by);
    put_text(out, "    },\n");
}

static void put_word(struct text *out, const struct word *word)
{
    static const char *const kinds[] = { "VIDMM_WORD_FIELD", "VIDMM_WORD_MEMBER",
                                         "VIDMM_WORD_KEY" };
    put_text(out, "    { .kind = ");
    put_text(out, kinds[word->kind]);
    put_text(out, ",\n");
    put_member(out, "of", word->of);
    put_member(out, "names", word->names);
    put_member(out, "meaning", word->meaning);
    put_text(out, "     .rules = { ");
    for (const char *at = word->rules; rule_id_length(at, '-');) {
        char id[RULE_ID_SIZE];
        (void)snprintf(id, sizeof id, "%.*s", (int)rule_id_length(at, '-'), at);
        put_constant(out, id);
        put_text(out, ", ");
        at += strlen(id);
        at += strspn(at, ", ");
    }
    put_text(out, "VIDMM_RULE_NONE } },\n");
}

static struct text write_table(const struct catalogue *catalogue)
{
    struct text out = { 0 };
    put_text(&out, "/* SPDX-License-Identifier: MIT */\n"
                   "/* Made by the build from vidmm/rules/ and the scenarios: which scenario shows "
                   "which\n   stop code for stops.c, words for glossary.c, else the rules for "
                   "rules.c. */\n"
                   "#if defined(VIDMM_SHOWN_STOPS)\n");
    for (size_t i = 0; i < catalogue->stop_count; i++)
        put_stop(&out, &catalogue->stops[i]);
    put_text(&out, "#elif defined(VIDMM_GLOSSARY_TABLE)\n");
    for (size_t i = 0; i < catalogue->word_count; i++)
        put_word(&out, &catalogue->words[i]);
    put_text(&out, "#else\n");
    for (size_t i = 0; i < catalogue->count; i++)
        rules_generate_put_row(&out, catalogue, &catalogue->rules[i]);
    put_text(&out, "#endif\n");
    return out;
}

/* The format of make: blanks are escaped, a dollar sign is doubled. */
static void put_make_path(struct text *text, const char *path)
{
    for (; *path; path++) {
        if (*path == ' ' || *path == '#')
            put_text(text, "\\");
        if (*path == '$')
            put_text(text, "$");
        rules_generate_put(text, path, 1);
    }
}

static struct text write_dependencies(const struct catalogue *catalogue, const char *target)
{
    struct text out = { 0 };
    put_make_path(&out, target);
    put_text(&out, ":");
    for (size_t i = 0; i < catalogue->input_count; i++) {
        put_text(&out, " \\\n  ");
        put_make_path(&out, catalogue->inputs[i]);
    }
    put_text(&out, "\n");
    return out;
}

static bool same_content(const char *path, const struct text *text)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    char *old = base_alloc(text->used + 1, 1);
    size_t got = fread(old, 1, text->used + 1, file);
    bool same = got == text->used && memcmp(old, text->bytes, got) == 0;
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
        saved = file && fwrite(text.bytes, 1, text.used, file) == text.used;
        if (file)
            saved = fclose(file) == 0 && saved;
    }
    if (!saved)
        (void)fprintf(stderr, "rules_generate: cannot write %s\n", path);
    base_free(text.bytes);
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
        good = save(argv[3], write_table(&catalogue)) &&
               save(argv[4], write_dependencies(&catalogue, argv[3]));
    } else if (good) {
        good = save(argv[3], write_ids(&catalogue));
    }
    catalogue_fini(&catalogue);
    return good ? 0 : 1;
}
