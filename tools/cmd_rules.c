/* SPDX-License-Identifier: MIT */
/*
 * cmd_rules.c: `vidmm rules` lists, filters and counts the rule catalogue.
 *
 * Text goes one rule a line with a count at the end; `--format=jsonl` gives one object a line and
 * no count. Pointers are listed with the rules that they stand for, but never counted as rules.
 */
#include <stdio.h>
#include <string.h>

#include "tools/common/json.h"
#include "tools/common/screen.h"
#include "tools/explain_words.h"
#include "tools/tools.h"
#include "vidmm/vidmm_rules.h"

struct request {
    const char *area; /* NULL: all */
    const char *word; /* NULL: any */
    bool by_standing;
    enum vidmm_rule_standing standing;
    bool implemented, missing;
    bool coverage, jsonl;
};

struct count {
    size_t rules, pointers, raised, proved;
    size_t clauses, clauses_proved; /* a rule that is not numbered is one */
    size_t standing[VIDMM_RULE_STANDING_MIXED + 1];
};

static bool in_area(const struct vidmm_rule_info *info, const char *area)
{
    size_t length = strlen(area);
    for (size_t i = 0; i < length; i++) {
        bool lower = area[i] >= 'a' && area[i] <= 'z';
        if (info->id[i] != (lower ? area[i] - 'a' + 'A' : area[i]))
            return false;
    }
    return info->id[length] == '-';
}

static bool cmd_rules_is_wanted(const struct request *request, const struct vidmm_rule_info *info)
{
    bool pointer = vidmm_rule_is_pointer(info->rule);
    if (request->area && !in_area(info, request->area))
        return false;
    if (request->word && !explain_rules_about(info, request->word))
        return false;
    if (request->by_standing && (pointer || info->standing != request->standing))
        return false;
    if (request->implemented && (pointer || !*info->raised_by))
        return false;
    return !request->missing || (!pointer && !*info->raised_by);
}

static void add_to(struct count *count, const struct vidmm_rule_info *info)
{
    if (vidmm_rule_is_pointer(info->rule)) {
        count->pointers++;
        return;
    }
    count->rules++;
    count->standing[info->standing]++;
    count->raised += *info->raised_by != '\0';
    count->proved += *info->proved_by != '\0';
    if (!info->clauses) {
        count->clauses++;
        count->clauses_proved += *info->proved_by != '\0';
        return;
    }
    for (const struct vidmm_rule_clause *clause = info->clauses; clause->text; clause++) {
        count->clauses++;
        count->clauses_proved += *clause->proved_by != '\0';
    }
}

static void print_proof(const char *label, const char *proved_by, const char *unobservable)
{
    const char *proof = *proved_by ? proved_by : *unobservable ? unobservable : "-";
    wrap_print(stdout, text_print("            %-9s  ", label).it, 23, proof);
}

static void cmd_rules_print_text(const struct request *request, const struct vidmm_rule_info *info)
{
    bool pointer = vidmm_rule_is_pointer(info->rule);
    const char *standing = pointer ? "pointer" : vidmm_rule_standing_name(info->standing);
    (void)printf("%-10s  %-10s  %s", info->id, standing, info->title);
    for (size_t i = 0; info->same_as[i] != VIDMM_RULE_NONE; i++)
        (void)printf("%s%s", i ? ", " : " = ", vidmm_rule_id(info->same_as[i]));
    (void)putchar('\n');
    if (!request->coverage || pointer)
        return;
    wrap_print(stdout, "            raised by  ", 23, *info->raised_by ? info->raised_by : "-");
    if (!info->clauses)
        print_proof("proved by", info->proved_by, info->unobservable);
    for (int i = 0; info->clauses && info->clauses[i].text; i++)
        print_proof(text_print("by (%c)", 'a' + i).it, info->clauses[i].proved_by,
                    info->clauses[i].unobservable);
}

/* "a, b" as an array of strings. */
static void put_list(struct json *json, const char *name, const char *list)
{
    json_open(json, name, '[');
    for (const char *item = list; *item;) {
        size_t bytes = strcspn(item, ",");
        json_bytes(json, NULL, item, bytes);
        item += bytes;
        item += strspn(item, ", ");
    }
    json_close(json, ']');
}

static void put_clauses(struct json *json, const struct vidmm_rule_info *info)
{
    json_open(json, "clauses", '[');
    for (const struct vidmm_rule_clause *clause = info->clauses; clause && clause->text; clause++) {
        json_open(json, NULL, '{');
        json_string(json, "text", clause->text);
        put_list(json, "proved_by", clause->proved_by);
        json_string(json, "unobservable", clause->unobservable);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void cmd_rules_print_jsonl(const struct vidmm_rule_info *info)
{
    struct json json = { .out = stdout };
    json_open(&json, NULL, '{');
    json_string(&json, "id", info->id);
    json_string(&json, "title", info->title);
    json_string(&json, "part", info->part);
    json_string(&json, "text", info->text);
    json_string(&json, "kind", info->kind_text);
    json_string(&json, "violation", info->violation);
    json_string(&json, "since", info->since);
    json_string(&json, "source", info->source);
    json_string(&json, "standing", vidmm_rule_standing_name(info->standing));
    json_string(&json, "standing_text", info->standing_text);
    json_string(&json, "observable", info->observable);
    json_string(&json, "catalogue", info->catalogue);
    json_number(&json, "line", (uint64_t)info->line);
    json_open(&json, "same_as", '[');
    for (size_t i = 0; info->same_as[i] != VIDMM_RULE_NONE; i++)
        json_string(&json, NULL, vidmm_rule_id(info->same_as[i]));
    json_close(&json, ']');
    put_list(&json, "raised_by", info->raised_by);
    put_list(&json, "proved_by", info->proved_by);
    json_string(&json, "unobservable", info->unobservable);
    put_clauses(&json, info);
    json_close(&json, '}');
    json_end_line(&json);
}

static void read_standing(struct request *request, const char *word, struct argp_state *state)
{
    request->by_standing = true;
    for (int i = 0; i <= VIDMM_RULE_STANDING_MIXED; i++) {
        request->standing = (enum vidmm_rule_standing)i;
        if (strcmp(word, vidmm_rule_standing_name(request->standing)) == 0)
            return;
    }
    argp_error(state, "'%s' is no standing: documented, choice or mixed", word);
}

static error_t cmd_rules_parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case 'a': request->area = argument; return 0;
    case 'w': request->word = argument; return 0;
    case 's': read_standing(request, argument, state); return 0;
    case 'i': request->implemented = true; return 0;
    case 'm': request->missing = true; return 0;
    case 'c': request->coverage = true; return 0;
    case 'f': request->jsonl = options_jsonl(argument, state); return 0;
    case ARGP_KEY_ARG:
        argp_error(state,
                   "'%s' is not expected here: `vidmm explain %s` tells a rule, "
                   "--area=AREA lists those of an area",
                   argument, argument);
        return 0;
    case ARGP_KEY_END:
        if (request->implemented && request->missing)
            argp_error(state, "a rule is either implemented or missing");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* The areas are the first parts of the ids, in the order of the catalogue. */
static void refuse_area(const char *word)
{
    struct text areas = { 0 };
    char best[16] = "";
    size_t least = 3;
    for (size_t i = 1; i <= vidmm_rule_count(); i++) {
        const char *id = vidmm_rule_id((enum vidmm_rule)i);
        char area[16];
        (void)snprintf(area, sizeof area, "%.*s", (int)strcspn(id, "-"), id);
        if (strstr(text_get(&areas), area))
            continue;
        text_add(&areas, "%s%s", areas.length ? ", " : "", area);
        size_t distance = words_distance(word, strlen(word), area, strlen(area));
        if (distance < least) {
            least = distance;
            memcpy(best, area, sizeof best);
        }
    }
    (void)fprintf(stderr, "vidmm: no rule begins with '%s-'; ", word);
    if (best[0])
        (void)fprintf(stderr, "did you mean '%s'?\n", best);
    else
        (void)fprintf(stderr, "the areas are %s\n", text_get(&areas));
    text_free(&areas);
}

int cmd_rules(int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "area", 'a', "AREA", 0, "only SEG, FLAG, PLACE, ...", 0 },
        { "about", 'w', "WORD", 0, "only rules that speak of the word", 0 },
        { "standing", 's', "documented|choice|mixed", 0, "only documented, choice or mixed rules",
          0 },
        { "implemented", 'i', NULL, 0, "only rules that the code names", 0 },
        { "missing", 'm', NULL, 0, "only rules that the code does not name", 0 },
        { "coverage", 'c', NULL, 0, "which file raises, which scenario proves each clause", 0 },
        { "format", 'f', "text|jsonl", 0, "text (default) or jsonl", 0 },
        { 0 },
    };
    static const struct argp grammar = {
        .options = options,
        .parser = cmd_rules_parse,
        .doc = "Lists the rules of the simulated memory manager.\v"
               "A rule is documented, a choice of this model (a run says 'our choice'), or mixed "
               "('documented, partly our choice'). A pointer says the same as the rules that it "
               "names, and stands in no count but its own.",
    };
    struct request request = { 0 };
    struct count count = { 0 };
    if (!options_parse(&grammar, argc, argv, &request))
        return TOOL_USAGE;
    bool exists = !request.area;
    for (size_t i = 1; i <= vidmm_rule_count() && !exists; i++)
        exists = in_area(vidmm_rule_info((enum vidmm_rule)i), request.area);
    if (!exists) {
        refuse_area(request.area);
        return TOOL_USAGE;
    }
    for (size_t i = 1; i <= vidmm_rule_count(); i++) {
        const struct vidmm_rule_info *info = vidmm_rule_info((enum vidmm_rule)i);
        if (!cmd_rules_is_wanted(&request, info))
            continue;
        add_to(&count, info);
        if (request.jsonl)
            cmd_rules_print_jsonl(info);
        else
            cmd_rules_print_text(&request, info);
    }
    if (!request.jsonl)
        (void)printf("%zu rules (%zu documented, %zu choice, %zu mixed), %zu pointers to others; "
                     "%zu raised by the code, %zu proved by a scenario; %zu clauses, %zu proved\n",
                     count.rules, count.standing[VIDMM_RULE_STANDING_DOCUMENTED],
                     count.standing[VIDMM_RULE_STANDING_CHOICE],
                     count.standing[VIDMM_RULE_STANDING_MIXED], count.pointers, count.raised,
                     count.proved, count.clauses, count.clauses_proved);
    return TOOL_GOOD;
}
