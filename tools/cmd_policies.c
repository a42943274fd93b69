/* SPDX-License-Identifier: MIT */
/*
 * cmd_policies.c: `vidmm policies` lists the policies of placement and eviction that are built in
 * or loaded, and `vidmm explain` explains one that is built in.
 */
#include <stdio.h>
#include <string.h>

#include "tools/common/json.h"
#include "tools/common/policy_load.h"
#include "tools/common/run_options.h"
#include "tools/common/screen.h"
#include "tools/explain_words.h"
#include "tools/tools.h"
#include "vidmm/vidmm.h"

enum { SUMMARY_COLUMN = 14, KEY_POLICY = 256 };

struct policies {
    bool jsonl;
    const char *name;           /* only this one, of both kinds; NULL: all */
    struct run_settings loaded; /* by --policy */
};

struct row {
    const char *kind, *name, *summary, *source, *needs;
};

static bool tell_placement(const struct vidmm_placement_policy *policy, struct row *row)
{
    if (policy)
        *row = (struct row){ "placement", policy->name, policy->summary, policy->source, "" };
    return policy != NULL;
}

static bool tell_eviction(const struct vidmm_eviction_policy *policy, struct row *row)
{
    if (policy)
        *row = (struct row){ "eviction", policy->name, policy->summary, policy->source,
                             policy->foresees ? "the references to come" : "" };
    return policy != NULL;
}

/* Those of placement, then those of eviction, of each the loaded ones last. */
static bool read_row(const struct run_settings *loaded, size_t index, struct row *row)
{
    size_t more = loaded ? loaded->policy_count : 0;
    for (size_t i = 0; tell_placement(vidmm_placement_policy_row(i), row); i++)
        if (!index--)
            return true;
    for (size_t i = 0; i < more; i++)
        if (tell_placement(loaded->policies[i]->placement, row) && !index--)
            return true;
    for (size_t i = 0; tell_eviction(vidmm_eviction_policy_row(i), row); i++)
        if (!index--)
            return true;
    for (size_t i = 0; i < more; i++)
        if (tell_eviction(loaded->policies[i]->eviction, row) && !index--)
            return true;
    return false;
}

const char *explain_words_policy_name(size_t index)
{
    struct row row;
    return read_row(NULL, index, &row) ? row.name : NULL;
}

/* Placement and eviction may have a policy of the same name. */
bool explain_words_policy(const char *word)
{
    struct row row;
    struct text text = { 0 };
    bool found = false;
    for (size_t i = 0; read_row(NULL, i, &row); i++) {
        if (strcmp(row.name, word) != 0)
            continue;
        text_add(&text, "%s is a policy of %s: ", row.name, row.kind);
        wrap_print(stdout, text_get(&text), WRAP_LABEL_COLUMN, row.summary);
        wrap_field("Source", row.source);
        if (*row.needs)
            wrap_field("Needs", row.needs);
        text_clear(&text);
        text_add(&text, "`policy %s=%s` in a scenario, or --set=%s=%s", row.kind, row.name,
                 row.kind, row.name);
        wrap_field("Chosen", text_get(&text));
        text_clear(&text);
        found = true;
    }
    text_free(&text);
    return found;
}

static void policies_print_json(const struct row *row)
{
    struct json json = { .out = stdout };
    json_open(&json, NULL, '{');
    json_string(&json, "kind", row->kind);
    json_string(&json, "name", row->name);
    json_string(&json, "summary", row->summary);
    json_string(&json, "source", row->source);
    json_string(&json, "needs", row->needs);
    json_close(&json, '}');
    (void)putchar('\n');
}

static void print_text(const struct row *row)
{
    wrap_row(2, row->name, SUMMARY_COLUMN, row->summary);
    wrap_row(SUMMARY_COLUMN, "", SUMMARY_COLUMN, row->source);
    if (*row->needs)
        wrap_row(SUMMARY_COLUMN, "needs: ", SUMMARY_COLUMN, row->needs);
}

static void check_name(const struct policies *policies, struct argp_state *state)
{
    struct text names = { 0 };
    struct row row;
    const char *name = policies->name;
    for (size_t i = 0; read_row(&policies->loaded, i, &row); i++)
        if (!text_listed(text_get(&names), row.name))
            text_add(&names, "%s%s", i ? "|" : "", row.name);
    if (!text_listed(text_get(&names), name)) {
        struct text why = { 0 };
        run_options_nearest(name, text_get(&names), &why);
        argp_error(state, "no policy is named '%s'%s", name, text_get(&why));
    }
    text_free(&names);
}

static error_t policies_parse(int key, char *argument, struct argp_state *state)
{
    struct policies *policies = state->input;
    switch (key) {
    case 'f': policies->jsonl = options_jsonl(argument, state); return 0;
    case KEY_POLICY: policy_load(&policies->loaded, argument, state); return 0;
    case ARGP_KEY_ARG:
        if (policies->name)
            argp_error(state, "one policy at a time: '%s' and '%s'", policies->name, argument);
        policies->name = argument;
        return 0;
    case ARGP_KEY_END:
        if (policies->name)
            check_name(policies, state);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int cmd_policies(int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "policy", KEY_POLICY, "FILE", 0,
          "also policies in a shared object (segments/policies/README.md)", 0 },
        { "format", 'f', "text|jsonl", 0, "text (default) or jsonl, for programs", 0 },
        { 0 },
    };
    static const struct argp grammar = {
        .options = options,
        .parser = policies_parse,
        .args_doc = "[NAME]",
        .doc = "Lists the policies of placement and eviction, or those of one NAME, each with the "
               "paper or program that it comes from.\v"
               "Examples:\n"
               "  vidmm policies lru\n"
               "  vidmm run --set=placement=best-fit --set=eviction=lru FILE\n"
               "  vidmm compare --policies=wddm,best-fit,lru FILE\n"
               "  vidmm run --policy=./mine.so FILE\n\n"
               "A scenario chooses with `policy placement=NAME eviction=NAME`. "
               "segments/policies/README.md shows how one is written.",
    };
    struct policies policies = { 0 };
    struct row row;
    const char *kind = "";
    if (!options_parse(&grammar, argc, argv, &policies))
        return TOOL_USAGE;
    for (size_t i = 0; read_row(&policies.loaded, i, &row); i++) {
        if (policies.name && strcmp(policies.name, row.name) != 0)
            continue;
        if (policies.jsonl) {
            policies_print_json(&row);
            continue;
        }
        if (row.kind != kind)
            (void)printf("%s%s:\n", *kind ? "\n" : "", row.kind);
        kind = row.kind;
        print_text(&row);
    }
    return TOOL_GOOD;
}
