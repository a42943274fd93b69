/* SPDX-License-Identifier: MIT */
/*
 * cmd_flags.c: `vidmm flags` prints the table of flags, and `vidmm explain` one flag of it.
 *
 * Both are loops over vidmm_flags.def. Text goes one flag a line under the name of its structure;
 * `--format=jsonl` gives one object a line, with the scenarios that prove the rules.
 *
 * No list says which rules belong to a flag: the catalogue does. A rule belongs to it when its
 * title, its source or its text speaks of the name, and when it is of an area that has to do with
 * the structure: `CpuVisible` of a segment is another matter than that of an allocation.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "tools/common/json.h"
#include "tools/common/screen.h"
#include "tools/explain_words.h"
#include "tools/tools.h"
#include "vidmm/vidmm.h"

enum { STILL_THERE = 99, ID_COLUMN = 4, TITLE_COLUMN = 15, RULES_COLUMN = 30 };

struct request {
    const char *set; /* name of a structure, or NULL: all */
    uint32_t wddm;   /* only what this interface version defines; 0: all */
    bool rules, jsonl;
};

/* ---- the rules of a flag ------------------------------------------------------------------- */

struct flag_structure {
    const char *name;  /* of the documented structure, or of the enumeration */
    const char *areas; /* of the rules that speak of it, with spaces between */
    bool bits;         /* false: named values, of which a word holds one */
};

#define ALLOCATION_AREAS "FLAG ALLOC PLACE PAGE MINI LOCK SWIZ RENAME RES LINK SUBMIT"

static const struct flag_structure structures[VIDMM_FLAG_SETS] = {
    [VIDMM_FLAGS_ALLOCATION] = { "DXGK_ALLOCATIONINFOFLAGS", ALLOCATION_AREAS, true },
    [VIDMM_FLAGS_ALLOCATION2_0] = { "DXGK_ALLOCATIONINFOFLAGS_WDDM2_0", ALLOCATION_AREAS, true },
    [VIDMM_FLAGS_ALLOCATION2] = { "DXGK_ALLOCATIONINFOFLAGS2", ALLOCATION_AREAS, true },
    [VIDMM_FLAGS_INFO] = { "D3DDDI_ALLOCATIONINFO2", "ALLOC", true },
    [VIDMM_FLAGS_KMT] = { "D3DKMT_CREATEALLOCATIONFLAGS", "KMT ALLOC FLAG PLACE LOCK", true },
    [VIDMM_FLAGS_DDI_CREATE] = { "DXGK_CREATEALLOCATIONFLAGS", "ALLOC MINI", true },
    [VIDMM_FLAGS_SEGMENT] = { "DXGK_SEGMENTFLAGS", "SEG TDR MINI RES PLACE", true },
    [VIDMM_FLAGS_LOCK] = { "D3DDDICB_LOCKFLAGS", "LOCK SWIZ RENAME PAGE", true },
    [VIDMM_FLAGS_OFFER] = { "D3DKMT_OFFER_FLAGS", "OFFER", true },
    [VIDMM_FLAGS_OFFER_CALLBACK] = { "D3DDDI_OFFER_FLAGS", "OFFER", true },
    [VIDMM_FLAGS_TRANSFER] = { "DXGK_TRANSFERFLAGS", "MINI PAGE SWIZ LOCK", true },
    [VIDMM_FLAGS_USAGE] = { "DXGK_ALLOCATIONUSAGEINFO1", "ALLOC", true },
    [VIDMM_FLAGS_PRIORITY] = { "D3DDDI_ALLOCATIONPRIORITY", "PRIO ALLOC PLACE", false },
    [VIDMM_FLAGS_FORMAT] = { "D3DDDIFORMAT", "ALLOC", false },
    [VIDMM_FLAGS_GDI] = { "D3DKMDT_GDISURFACETYPE", "ALLOC", false },
};

static const struct flag_structure *flag_structure(enum vidmm_flag_set set)
{
    CHECK((size_t)set < ARRAY_COUNT(structures) && structures[set].name);
    return &structures[set];
}

/* `word` stands in `text` as a whole word. */
static bool flag_mentions(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        if ((at == text || !text_is_letter(at[-1])) && !text_is_letter(at[length]))
            return true;
    return false;
}

/* How closely a rule has to do with a flag. */
enum flag_nearness {
    FLAG_TITLE,  /* it is about the flag */
    FLAG_SOURCE, /* it comes from the page of the structure */
    FLAG_TEXT,   /* it mentions the flag */
    FLAG_UNRELATED
};

static bool in_areas(const char *areas, const char *id)
{
    size_t length = strcspn(id, "-");
    for (const char *at = areas; (at = strchr(at, id[0])) != NULL; at++)
        if ((at == areas || at[-1] == ' ') && strncmp(at, id, length) == 0 &&
            (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* Pointers have no text of their own: they are near by their title or not at all. */
static enum flag_nearness flag_nearness(const struct vidmm_flag *flag,
                                        const struct vidmm_rule_info *rule)
{
    const struct flag_structure *structure = flag_structure(flag->set);
    if (!in_areas(structure->areas, rule->id))
        return FLAG_UNRELATED;
    if (flag_mentions(rule->title, flag->name))
        return FLAG_TITLE;
    bool in_text =
        flag_mentions(rule->text, flag->name) || flag_mentions(rule->violation, flag->name);
    if (flag_mentions(rule->source, structure->name) &&
        (in_text || flag_mentions(rule->source, flag->name)))
        return FLAG_SOURCE;
    return in_text ? FLAG_TEXT : FLAG_UNRELATED;
}

/* ---- words --------------------------------------------------------------------------------- */

/* "1.3", and "" for still there. */
static struct text_short version(uint32_t wddm)
{
    return wddm < STILL_THERE ? text_print("%u.%u", wddm / 10 % 10, wddm % 10)
                              : text_print("%s", "");
}

/* "bit 3, 0x00000008", or the value alone. */
static struct text_short bit(const struct vidmm_flag *flag)
{
    unsigned number = 0;
    while (number < 31 && !(flag->value >> number & 1))
        number++;
    if (!flag_structure(flag->set)->bits)
        return text_print("value   0x%08" PRIX32, flag->value);
    return text_print("bit %2u  0x%08" PRIX32, number, flag->value);
}

/* ---- explain ------------------------------------------------------------------------------- */

static void cmd_flags_print_rule(const struct vidmm_rule_info *rule)
{
    struct text line = { 0 };
    text_add(&line, "%s", rule->title);
    for (size_t i = 0; rule->same_as[i] != VIDMM_RULE_NONE; i++)
        text_add(&line, "%s%s", i ? ", " : ": see ", vidmm_rule_id(rule->same_as[i]));
    wrap_row(ID_COLUMN, rule->id, TITLE_COLUMN, text_get(&line));
    const struct vidmm_rule_info *told = vidmm_rule_info(vidmm_rule_canonical(rule->rule));
    wrap_row(TITLE_COLUMN, "", TITLE_COLUMN, *told->proved_by ? told->proved_by : "no scenario");
    text_free(&line);
}

static void cmd_flags_print_rules(const struct vidmm_flag *flag)
{
    static const char *const heads[] = {
        [FLAG_TITLE] = "Rules about it, and the scenarios that show them:",
        [FLAG_SOURCE] = "From its page:",
        [FLAG_TEXT] = "Mentioned in:",
    };
    for (int near = FLAG_TITLE; near < FLAG_UNRELATED; near++) {
        bool first = true;
        for (size_t i = 1; i <= vidmm_rule_count(); i++) {
            const struct vidmm_rule_info *rule = vidmm_rule_info((enum vidmm_rule)i);
            if ((int)flag_nearness(flag, rule) != near)
                continue;
            if (first)
                (void)printf("  %s\n", heads[near]);
            first = false;
            cmd_flags_print_rule(rule);
        }
    }
}

bool explain_words_flag(const char *word)
{
    const char *name = NULL;
    for (int set = 0; set < VIDMM_FLAG_SETS; set++) {
        const struct vidmm_flag *flag = vidmm_flag_by_name((enum vidmm_flag_set)set, word);
        if (!flag)
            continue;
        if (!name)
            (void)printf("%s is a flag or a named value\n", flag->name);
        name = flag->name;
        (void)printf("  of %-32s  %s  from WDDM %s on", flag_structure(flag->set)->name,
                     bit(flag).it, version(flag->since).it);
        if (flag->until < STILL_THERE)
            (void)printf(", until %s", version(flag->until).it);
        (void)putchar('\n');
    }
    for (int set = 0; name && set < VIDMM_FLAG_SETS; set++) {
        const struct vidmm_flag *flag = vidmm_flag_by_name((enum vidmm_flag_set)set, word);
        /* The 2.0 view of the flags of an allocation comes with the older one: rules speak of both.
         */
        bool told = set == VIDMM_FLAGS_ALLOCATION2_0 &&
                    vidmm_flag_by_name(VIDMM_FLAGS_ALLOCATION, name) != NULL;
        if (!flag || told)
            continue;
        (void)printf("\n%s of %s\n", name, flag_structure(flag->set)->name);
        cmd_flags_print_rules(flag);
    }
    return name != NULL;
}

/* ---- the table ----------------------------------------------------------------------------- */

static void cmd_flags_print_text(const struct vidmm_flag *flag, bool rules)
{
    struct text ids = { 0 };
    (void)printf("  %s  %-4s%-4s%s\n", bit(flag).it, version(flag->since).it,
                 version(flag->until).it, flag->name);
    if (!rules)
        return;
    /* Those that are about the flag or come from its page. */
    for (int near = FLAG_TITLE; near <= FLAG_SOURCE; near++)
        for (size_t i = 1; i <= vidmm_rule_count(); i++) {
            const struct vidmm_rule_info *rule = vidmm_rule_info((enum vidmm_rule)i);
            if ((int)flag_nearness(flag, rule) == near)
                text_add(&ids, "%s%s", ids.length ? " " : "", rule->id);
        }
    wrap_print(stdout, "", RULES_COLUMN, ids.length ? text_get(&ids) : "no rule is about it");
    text_free(&ids);
}

static void cmd_flags_print_jsonl(const struct vidmm_flag *flag)
{
    struct json json = { .out = stdout };
    json_open(&json, NULL, '{');
    json_string(&json, "structure", flag_structure(flag->set)->name);
    json_string(&json, "name", flag->name);
    json_number(&json, "value", flag->value);
    json_string(&json, "since", version(flag->since).it);
    json_string(&json, "until", version(flag->until).it);
    json_open(&json, "rules", '[');
    for (size_t i = 1; i <= vidmm_rule_count(); i++) {
        const struct vidmm_rule_info *rule = vidmm_rule_info((enum vidmm_rule)i);
        if (flag_nearness(flag, rule) == FLAG_UNRELATED)
            continue;
        json_open(&json, NULL, '{');
        json_string(&json, "id", rule->id);
        json_string(&json, "proved_by",
                    vidmm_rule_info(vidmm_rule_canonical(rule->rule))->proved_by);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
    json_end_line(&json);
}

static void print_set(const struct request *request, enum vidmm_flag_set set)
{
    const struct vidmm_flag *flag;
    if (!request->jsonl)
        (void)printf("%s\n", flag_structure(set)->name);
    for (size_t i = 0; (flag = vidmm_flag_row(set, i)) != NULL; i++) {
        if (request->wddm && (flag->since > request->wddm || request->wddm > flag->until))
            continue;
        if (request->jsonl)
            cmd_flags_print_jsonl(flag);
        else
            cmd_flags_print_text(flag, request->rules);
    }
    if (!request->jsonl && request->wddm && flag_structure(set)->bits)
        (void)printf("  reserved in %s: 0x%08" PRIX32 "\n", version(request->wddm).it,
                     ~vidmm_flags_defined(set, request->wddm));
}

/* ---- the command line ---------------------------------------------------------------------- */

static bool set_is_called(enum vidmm_flag_set set, const char *name)
{
    return strcasecmp(flag_structure(set)->name, name) == 0;
}

static void read_set(struct request *request, const char *word, struct argp_state *state)
{
    request->set = word;
    for (int set = 0; set < VIDMM_FLAG_SETS; set++)
        if (set_is_called((enum vidmm_flag_set)set, word))
            return;
    struct text names = { 0 };
    size_t count = 0;
    for (int set = 0; set < VIDMM_FLAG_SETS; set++)
        if (vidmm_flag_by_name((enum vidmm_flag_set)set, word))
            argp_error(state,
                       "'%s' is a flag of %s: `vidmm flags %s` lists them, `vidmm explain "
                       "%s` tells this one",
                       word, flag_structure((enum vidmm_flag_set)set)->name,
                       flag_structure((enum vidmm_flag_set)set)->name, word);
    /* Those that begin so, else all. */
    for (int all = 0; all < 2 && !*text_get(&names); all++)
        for (int set = 0; set < VIDMM_FLAG_SETS; set++) {
            const char *name = flag_structure((enum vidmm_flag_set)set)->name;
            if (!all && strncmp(name, word, strlen(word)) != 0)
                continue;
            text_add(&names, "%s%s", count++ ? ", " : "", name);
        }
    if (count == 1)
        argp_error(state, "'%s' is no structure of flags; did you mean '%s'?", word,
                   text_get(&names));
    argp_error(state, "'%s' is none of %s", word, text_get(&names));
}

/* "1.3" as 13. */
static void cmd_flags_read_version(struct request *request, const char *word,
                                   struct argp_state *state)
{
    bool right = strlen(word) == 3 && word[1] == '.' && word[0] >= '0' && word[0] <= '9' &&
                 word[2] >= '0' && word[2] <= '9';
    if (right)
        request->wddm = (uint32_t)(word[0] - '0') * 10 + (uint32_t)(word[2] - '0');
    if (!right || !vidmm_wddm_exists(request->wddm))
        argp_error(state, "'%s' is no interface version: write 1.3; there are %s", word,
                   vidmm_wddm_versions());
}

static error_t cmd_flags_parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case 'w': cmd_flags_read_version(request, argument, state); return 0;
    case 'r': request->rules = true; return 0;
    case 'f': request->jsonl = options_jsonl(argument, state); return 0;
    case ARGP_KEY_ARG:
        if (request->set)
            return ARGP_ERR_UNKNOWN;
        read_set(request, argument, state);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int cmd_flags(int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "wddm", 'w', "VERSION", 0, "only what this interface version defines", 0 },
        { "rules", 'r', NULL, 0, "with the rules that are about each", 0 },
        { "format", 'f', "text|jsonl", 0, "text (default) or jsonl", 0 },
        { 0 },
    };
    static const struct argp grammar = {
        .options = options,
        .parser = cmd_flags_parse,
        .args_doc = "[STRUCTURE]",
        .doc = "Lists the flags of the documented structures: bit, value, first interface "
               "version, last one if it is gone, and name. "
               "'vidmm explain NAME' shows one flag with its scenarios.\v"
               "Examples:\n"
               "  vidmm flags DXGK_SEGMENTFLAGS\n"
               "  vidmm flags --wddm=1.3",
    };
    struct request request = { 0 };
    bool first = true;
    if (!options_parse(&grammar, argc, argv, &request))
        return TOOL_USAGE;
    for (int set = 0; set < VIDMM_FLAG_SETS; set++) {
        if (request.set && !set_is_called((enum vidmm_flag_set)set, request.set))
            continue;
        if (!first && !request.jsonl)
            (void)putchar('\n');
        first = false;
        print_set(&request, (enum vidmm_flag_set)set);
    }
    return TOOL_GOOD;
}
