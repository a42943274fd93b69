/* SPDX-License-Identifier: MIT */
/*
 * test_rules.c: the rule table, its look-up, and the program of the build that makes it.
 *
 * The generator is run as the build runs it, on small trees in a temporary folder: it must report
 * every slip in a catalogue with its file and line, and find the files that raise or prove a rule.
 */
#define _XOPEN_SOURCE 700 /* mkdtemp, P_tmpdir */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/temporary.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/vidmm_rules.h"

enum { OUTPUT_BYTES = 1 << 16 };

static const struct vidmm_rule_info *rule_at(size_t number)
{
    return vidmm_rule_info((enum vidmm_rule)number);
}

static void test_every_row_is_sound(void **state)
{
    (void)state;
    assert_true(vidmm_rule_count() > 700);
    for (size_t i = 1; i <= vidmm_rule_count(); i++) {
        const struct vidmm_rule_info *info = rule_at(i);
        assert_non_null(info);
        assert_int_equal(info->rule, i);
        assert_int_equal(vidmm_rule_by_id(info->id), i);
        assert_string_equal(vidmm_rule_id(info->rule), info->id);
        assert_true(strlen(info->id) <= VIDMM_RULE_ID_MAX);
        assert_true(*info->title && *info->catalogue && info->line > 0);
        assert_true(info->kinds != 0);
    }
}

static void test_a_rule_says_everything_a_pointer_nothing(void **state)
{
    (void)state;
    for (size_t i = 1; i <= vidmm_rule_count(); i++) {
        const struct vidmm_rule_info *info = rule_at(i);
        bool pointer = info->same_as[0] != VIDMM_RULE_NONE;
        assert_int_equal(vidmm_rule_is_pointer(info->rule), pointer);
        const char *const fields[] = { info->text,      info->kind_text, info->violation,
                                       info->since,     info->source,    info->standing_text,
                                       info->observable };
        for (size_t j = 0; j < ARRAY_COUNT(fields); j++)
            assert_int_equal(*fields[j] == '\0', pointer);
        for (size_t j = 0; info->same_as[j] != VIDMM_RULE_NONE; j++)
            assert_false(vidmm_rule_is_pointer(info->same_as[j]));
    }
}

static void test_look_up(void **state)
{
    (void)state;
    const struct vidmm_rule_info *info = vidmm_rule_info(VIDMM_RULE(PLACE_022));
    assert_string_equal(info->id, "PLACE-022");
    assert_string_equal(info->title, "Arithmetic of the pinned region");
    assert_int_equal(info->standing, VIDMM_RULE_STANDING_MIXED);
    assert_int_equal(info->kinds, VIDMM_RULE_KIND_ACCOUNTING);
    assert_string_equal(info->catalogue, "vidmm/rules/segments-and-allocations.md");
    assert_int_equal(vidmm_rule_by_id("PLACE-022"), VIDMM_RULE_PLACE_022);
    assert_int_equal(vidmm_rule_by_id("place-022"), VIDMM_RULE_NONE);
    assert_int_equal(vidmm_rule_by_id("PLACE-999"), VIDMM_RULE_NONE);
    assert_int_equal(vidmm_rule_by_id(""), VIDMM_RULE_NONE);
    assert_null(vidmm_rule_info(VIDMM_RULE_NONE));
    assert_null(rule_at(vidmm_rule_count() + 1));
    assert_string_equal(vidmm_rule_id(VIDMM_RULE_NONE), "");
}

static void test_pointers_are_followed(void **state)
{
    (void)state;
    assert_int_equal(vidmm_rule_canonical(VIDMM_RULE_FLAG_040), VIDMM_RULE_PLACE_030);
    assert_int_equal(vidmm_rule_canonical(VIDMM_RULE_PLACE_030), VIDMM_RULE_PLACE_030);
    assert_int_equal(vidmm_rule_canonical(VIDMM_RULE_NONE), VIDMM_RULE_NONE);
    const struct vidmm_rule_info *info = vidmm_rule_info(VIDMM_RULE_PAGE_037);
    assert_int_equal(info->same_as[0], VIDMM_RULE_LOCK_037);
    assert_int_equal(info->same_as[1], VIDMM_RULE_LOCK_038);
    assert_int_equal(info->same_as[2], VIDMM_RULE_NONE);
    /* A part keeps its own text. */
    assert_true(*vidmm_rule_info(VIDMM_RULE_PAGE_024)->part != '\0');
    assert_false(vidmm_rule_is_pointer(VIDMM_RULE_PAGE_024));
}

/* A number that no rule of the area has is no typing mistake of another one. */
static void test_nearest(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum vidmm_rule nearest;
    } cases[] = {
        { "PLACE-022", VIDMM_RULE_PLACE_022 },
        { "place-022", VIDMM_RULE_PLACE_022 },
        { "PLACE-22", VIDMM_RULE_PLACE_022 },
        { "PLACE022", VIDMM_RULE_PLACE_022 },
        { "PALCE-022", VIDMM_RULE_PLACE_022 },
        { "LOCK_0037", VIDMM_RULE_LOCK_037 },
        { "LOC-037", VIDMM_RULE_LOCK_037 },
        { "LOCK-0381", VIDMM_RULE_NONE },
        { "PLACE-123", VIDMM_RULE_NONE },
        { "FOO-001", VIDMM_RULE_NONE },
        { "PLACE-", VIDMM_RULE_NONE },
        { "Lock2", VIDMM_RULE_NONE },
        { "", VIDMM_RULE_NONE },
        { "banana", VIDMM_RULE_NONE },
        { "PLACE-022-PLACE-022-PLACE-022", VIDMM_RULE_NONE },
        { "PLACEPLACEPLACEPLACE-022", VIDMM_RULE_NONE },
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++)
        assert_string_equal(vidmm_rule_id(vidmm_rule_nearest(cases[i].text)),
                            vidmm_rule_id(cases[i].nearest));
}

/* The small tree on which the generator runs. */
struct tree {
    char root[TEMPORARY_BYTES];
    char output[OUTPUT_BYTES]; /* of the last run: its messages, or the file it made */
};

static void write_file(const struct tree *tree, const char *name, const char *text)
{
    char path[TEMPORARY_BYTES + 64];
    (void)snprintf(path, sizeof path, "%s/%s", tree->root, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void read_back(struct tree *tree, const char *name)
{
    char path[TEMPORARY_BYTES + 64];
    (void)snprintf(path, sizeof path, "%s/%s", tree->root, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t got = fread(tree->output, 1, sizeof tree->output - 1, file);
    tree->output[got] = '\0';
    (void)fclose(file);
}

static void make_tree(struct tree *tree)
{
    static const char *const folders[] = { "vidmm",     "vidmm/rooms",     "vidmm/rooms/deep",
                                           "scenarios", "scenarios/rules", "vidmm/rules" };
    assert_non_null(mkdtemp(temporary(tree->root, "rules")));
    for (size_t i = 0; i < ARRAY_COUNT(folders); i++) {
        char path[TEMPORARY_BYTES + 64];
        (void)snprintf(path, sizeof path, "%s/%s", tree->root, folders[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    write_file(tree, "vidmm/rules/unobservable.txt", "");
}

static void remove_tree(const struct tree *tree)
{
    char command[TEMPORARY_BYTES + 64];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", tree->root);
    assert_int_equal(system(command), 0);
}

/* True when the generator succeeded; its messages are in `output`. */
static bool generate(struct tree *tree, const char *mode, const char *files)
{
    char command[2048];
    (void)snprintf(command, sizeof command, "'%s' %s '%s' %s >'%s/said' 2>&1", RULES_GENERATE, mode,
                   tree->root, files, tree->root);
    int status = system(command);
    read_back(tree, "said");
    return status == 0;
}

static bool generate_ids(struct tree *tree)
{
    char files[2 * TEMPORARY_BYTES + 64];
    (void)snprintf(files, sizeof files, "'%s/ids' a.md", tree->root);
    return generate(tree, "ids", files);
}

#define FIELDS                                                                                     \
    "- Kind: behaviour\n- Violation: none\n- Since: 1.0\n- Source: none\n"                         \
    "- Standing: documented\n- Observable: nothing\n"

static void test_slips_in_a_catalogue_are_named(void **state)
{
    static const struct {
        const char *text;
        const char *said;
    } cases[] = {
        { "### SEG-1 Short\n- Rule: x\n" FIELDS, "a.md:1: a rule heading is" },
        { "### Seg-001 Title\n- Rule: x\n" FIELDS, "a.md:1: a rule heading is" },
        { "### SEG-001\n- Rule: x\n" FIELDS, "a.md:1: a rule heading is" },
        { "### SEG-0001 Title\n- Rule: x\n" FIELDS, "a.md:1: a rule heading is" },
        { "### SEG-001 A\n- Rule: x\n" FIELDS "### SEG-001 B\n- Rule: x\n" FIELDS,
          "a.md:9: SEG-001 is already at a.md:1" },
        { "\n### SEG-001 A\n" FIELDS, "a.md:2: SEG-001 has no line \"- Rule:\"" },
        { "### SEG-001 A\n- Rule: x\n- Rule: y\n" FIELDS, "a.md:3: \"Rule\" comes twice" },
        { "### SEG-001 A\n- Kind: behaviour\n- Rule: x\n", "a.md:3: \"Rule\" comes twice or too" },
        { "### SEG-001 A\n- Rules: x\n" FIELDS, "a.md:2: \"Rules: x\" begins with no known" },
        { "### SEG-001 A\n- Rule: x\n" FIELDS "more\n", "a.md:9: only below \"- Rule:\"" },
        { "### SEG-001 A\n- Rule: x\n- Kind: habit\n", "a.md:3: \"habit\" is no kind" },
        { "### SEG-001 A\n- Rule: x\n- Kind:\n", "a.md:3: \"Kind\" says nothing" },
        { "### SEG-001 A\n- Rule: (a) x\n(c) y\n" FIELDS,
          "a.md:3: clause (c) of SEG-001 stands where (b) is expected" },
        { "### SEG-001 A\n- Rule: x\n  (b) y\n" FIELDS, "a.md:3: clause (b) of SEG-001 stands" },
        { "### SEG-001 A\n- Rule: x\n  (a)\n" FIELDS, "a.md:3: clause (a) of SEG-001 says" },
        { "### SEG-001 A\n- Rule: x\n  (a) y\n" FIELDS, "a.md:1: SEG-001 has one clause only" },
        { "### SEG-001 A\n- Standing: perhaps\n", "a.md:2: a standing begins with" },
        { "### SEG-001 A\n- Same as: SEG-002\n", "a.md:1: SEG-001 is the same as \"SEG-002\"" },
        { "### SEG-001 A\n- Same as: SEG-002\n- Rule: x\n", "a.md:1: SEG-001 is a pointer and" },
        { "### SEG-001 A\n- Same as: SEG-002\n### SEG-002 B\n- Same as: SEG-001\n",
          "a.md:1: SEG-001 points to SEG-002, which is a pointer" },
    };
    (void)state;
    struct tree tree;
    make_tree(&tree);
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        write_file(&tree, "a.md", cases[i].text);
        assert_false(generate_ids(&tree));
        if (!strstr(tree.output, cases[i].said))
            fail_msg("case %zu: expected '%s' in '%s'", i, cases[i].said, tree.output);
    }
    remove_tree(&tree);
}

static void test_a_good_catalogue_becomes_constants(void **state)
{
    (void)state;
    struct tree tree;
    make_tree(&tree);
    write_file(
        &tree, "a.md",
        "# Title\n\ntext\n\n## 1 Chapter\n\n### 1.1 Section\n\n- not a field\n\n"
        "### SEG-001 First\n- Part: half; the rest is SEG-003\n- Rule:\n\n| a |\n|---|\n" FIELDS
        "\n### SEG-002 Second\n- Same as: SEG-001, SEG-003\n\n"
        "### SEG-003 Third\n- Rule: x\n" FIELDS "\n### Example 1: free text\n\n- anything\n");
    assert_true(generate_ids(&tree));
    assert_string_equal(tree.output, "");
    read_back(&tree, "ids");
    assert_non_null(strstr(tree.output, "VIDMM_RULE_NONE,\n    VIDMM_RULE_SEG_001, /* First */\n"
                                        "    VIDMM_RULE_SEG_002, /* Second */\n"
                                        "    VIDMM_RULE_SEG_003 /* Third */\n};"));
    remove_tree(&tree);
}

static void test_who_raises_and_who_proves(void **state)
{
    (void)state;
    struct tree tree;
    char files[2 * TEMPORARY_BYTES + 64];
    make_tree(&tree);
    write_file(&tree, "a.md",
               "### SEG-001 A\n- Rule: a \"b\" \\ \?\?/\n" FIELDS
               "### SEG-002 B\n- Rule: x\n" FIELDS);
    write_file(&tree, "vidmm/z.c", "f(RULE(SEG_001), RULE(SEG_001));\n");
    write_file(&tree, "vidmm/rooms/deep/a.h", "f(RULE(SEG_001));\n");
    write_file(&tree, "vidmm/b.c", "char q = '\"'; f(VIDMM_RULE_SEG_001);\n");
    write_file(&tree, "vidmm/c.c", "/* RULE(SEG_002) */ \"RULE(SEG_002)\" // RULE(SEG_002)\n");
    write_file(&tree, "scenarios/rules/y.vms", "vidmm-scenario 1\n  proves SEG-002,SEG-001 # S\n");
    write_file(&tree, "scenarios/x.vms",
               "proves SEG-002\nnote \"proves SEG-001 -> bugcheck 0x10E/0x2\"\n"
               "  start -> bugcheck 0x10E/0x1\n  tdr phase=live-dump code=0x117\n");
    (void)snprintf(files, sizeof files, "'%s/inc' '%s/dep' a.md", tree.root, tree.root);
    assert_true(generate(&tree, "table", files));
    read_back(&tree, "inc");
    assert_non_null(strstr(tree.output, ".text = \"a \\\"b\\\" \\\\ \\?\\?/\""));
    assert_non_null(strstr(tree.output, ".raised_by = \"vidmm/b.c, "
                                        "vidmm/rooms/deep/a.h, vidmm/z.c\",\n"
                                        "     .proved_by = \"scenarios/rules/y.vms\""));
    assert_non_null(strstr(tree.output, ".raised_by = \"\",\n     .proved_by = "
                                        "\"scenarios/rules/y.vms, scenarios/x.vms\""));
    assert_non_null(strstr(tree.output, ".code = 0x10E, .parameter = 0x1,\n"
                                        "     .shown_by = \"scenarios/x.vms\""));
    assert_non_null(strstr(tree.output, ".code = 0x117, .parameter = 0x0,\n"));
    assert_null(strstr(tree.output, ".parameter = 0x2,"));
    read_back(&tree, "dep");
    assert_non_null(strstr(tree.output, "/scenarios/rules/y.vms"));
    assert_non_null(strstr(tree.output, "/vidmm \\\n"));
    remove_tree(&tree);
}

static void test_who_proves_a_clause(void **state)
{
    (void)state;
    struct tree tree;
    char files[2 * TEMPORARY_BYTES + 64];
    make_tree(&tree);
    write_file(&tree, "a.md",
               "### SEG-001 A\n- Rule: if\n  (a) b,\n  so\n  (b) c.\n  (c) d.\n" FIELDS
               "### SEG-002 B\n- Rule: x\n" FIELDS);
    write_file(&tree, "scenarios/x.vms", "proves SEG-002,SEG-001(a)\n");
    write_file(&tree, "scenarios/y.vms", "proves SEG-001(a,c)\n");
    write_file(&tree, "vidmm/rules/unobservable.txt", "# SEG-001: x\nSEG-001(b): dark: it is.\n");
    (void)snprintf(files, sizeof files, "'%s/inc' '%s/dep' a.md", tree.root, tree.root);
    assert_true(generate(&tree, "table", files));
    read_back(&tree, "inc");
    assert_non_null(strstr(tree.output, ".text = \"if\\n(a) b,\\nso\\n(b) c.\\n(c) d.\""));
    assert_non_null(strstr(tree.output, ".proved_by = \"scenarios/x.vms, scenarios/y.vms\",\n"
                                        "     .unobservable = \"\",\n     .clauses ="));
    assert_non_null(strstr(tree.output, ".text = \"b,\\nso\",\n"
                                        "     .proved_by = \"scenarios/x.vms, scenarios/y.vms\",\n"
                                        "     .unobservable = \"\","));
    assert_non_null(strstr(tree.output, ".text = \"c.\",\n     .proved_by = \"\",\n"
                                        "     .unobservable = \"dark: it is.\","));
    assert_non_null(strstr(tree.output, ".text = \"d.\",\n     .proved_by = \"scenarios/y.vms\","));
    remove_tree(&tree);
}

#define WORDS   "| Word | Meaning | Rules |\n| --- | --- | --- |\n"
#define MEMBERS "## S\n\n| Member | Meaning | Rules |\n| --- | --- | --- |\n"

static bool generate_words(struct tree *tree, const char *words)
{
    char files[2 * TEMPORARY_BYTES + 64];
    write_file(tree, "w.md", words);
    (void)snprintf(files, sizeof files, "'%s/inc' '%s/dep' a.md --words w.md", tree->root,
                   tree->root);
    return generate(tree, "table", files);
}

static void test_slips_in_a_table_of_words_are_named(void **state)
{
    static const struct {
        const char *text;
        const char *said;
    } cases[] = {
        { WORDS "| a | It is. |\n", "w.md:3: a row is" },
        { WORDS "| a | It is. | SEG-001 | b |\n", "w.md:3: a row is" },
        { WORDS "|  | It is. | SEG-001 |\n", "w.md:3: a row is" },
        { WORDS "| a | It is | SEG-001 |\n", "w.md:3: a meaning is one sentence or more" },
        { WORDS "| a | It is. | SEG-002 |\n", "w.md:3: \"SEG-002\" begins with no rule" },
        { WORDS "| a | It is. | SEG-001 SEG-001 |\n", "w.md:3: \"SEG-001 SEG-001\" begins" },
        { WORDS "| a | It is. |  |\n", "w.md:3: a row names 1 to 16 rules" },
        { WORDS "| a, b | It is. | none |\n| c, b | It is. | none |\n",
          "w.md:4: \"c, b\" is already at w.md:3" },
        { "| Name | Meaning | Rules |\n", "w.md:1: a table begins with" },
        { "| Member | Meaning | Rules |\n", "w.md:1: a heading above says" },
        { MEMBERS "| a | It is. | none |\n| a | It is. | none |\n",
          "w.md:6: \"a\" is already at w.md:5" },
    };
    (void)state;
    struct tree tree;
    make_tree(&tree);
    write_file(&tree, "a.md", "### SEG-001 A\n- Rule: x\n" FIELDS);
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        assert_false(generate_words(&tree, cases[i].text));
        if (!strstr(tree.output, cases[i].said))
            fail_msg("case %zu: expected '%s' in '%s'", i, cases[i].said, tree.output);
    }
    remove_tree(&tree);
}

static void test_words_become_rows(void **state)
{
    (void)state;
    struct tree tree;
    make_tree(&tree);
    write_file(&tree, "a.md", "### SEG-001 A\n- Rule: x\n" FIELDS);
    assert_true(generate_words(&tree, "# T\n\n" WORDS "| a, b | It is. | SEG-001 |\n\n" MEMBERS
                                      "| a | It is (so.) | none |\n"));
    assert_string_equal(tree.output, "");
    read_back(&tree, "inc");
    assert_non_null(strstr(tree.output, ".kind = VIDMM_WORD_FIELD,\n     .of = \"\",\n"
                                        "     .names = \"a, b\",\n     .meaning = \"It is.\",\n"
                                        "     .rules = { VIDMM_RULE_SEG_001, VIDMM_RULE_NONE }"));
    assert_non_null(strstr(tree.output, ".kind = VIDMM_WORD_MEMBER,\n     .of = \"S\",\n"));
    assert_non_null(strstr(tree.output, ".rules = { VIDMM_RULE_NONE }"));
    remove_tree(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_is_sound),
        cmocka_unit_test(test_a_rule_says_everything_a_pointer_nothing),
        cmocka_unit_test(test_look_up),
        cmocka_unit_test(test_pointers_are_followed),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_slips_in_a_catalogue_are_named),
        cmocka_unit_test(test_a_good_catalogue_becomes_constants),
        cmocka_unit_test(test_who_raises_and_who_proves),
        cmocka_unit_test(test_who_proves_a_clause),
        cmocka_unit_test(test_slips_in_a_table_of_words_are_named),
        cmocka_unit_test(test_words_become_rows),
    };
    return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
