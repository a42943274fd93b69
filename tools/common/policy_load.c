/* SPDX-License-Identifier: MIT */
/*
 * policy_load.c: is a shared object one with policies for this program?
 *
 * Code that is loaded is trusted as much as the program itself: what it answers is checked, what it
 * does is not. It stays loaded, because forked workers use it, too.
 */
#include "tools/common/policy_load.h"

#include <dlfcn.h>
#include <string.h>

#include "tools/common/hash.h"
#include "tools/common/host.h"
#include "tools/common/options.h"
#include "tools/common/policy_guard.h"

/* In every message that says what to do. */
#define PAGE "see segments/policies/README.md"

/* Of a state; there is one for each segment, of an eviction policy for each priority in it. */
enum { STATE_MOST = 16 << 20 };

static bool is_called(const struct vidmm_policies *policies, const char *name,
                      enum vidmm_setting which)
{
    const char *other = NULL;
    if (which == VIDMM_SETTING_PLACEMENT && policies->placement)
        other = policies->placement->name;
    if (which == VIDMM_SETTING_EVICTION && policies->eviction)
        other = policies->eviction->name;
    return other && strcmp(other, name) == 0;
}

/* NULL: a name that --set can have. */
static const char *name_problem(const struct run_settings *settings, const char *name,
                                enum vidmm_setting which)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    if (!name || !*name || strlen(name) >= RUN_POLICY_NAME || strspn(name, letters) != strlen(name))
        return "which is no name: up to 31 lower-case letters, digits and '-'";
    for (size_t i = 0; i + 1 < settings->policy_count; i++)
        if (is_called(settings->policies[i], name, which))
            return "which is the name of one that was loaded before: choose another one";
    if (vidmm_setting_word(vidmm_setting_row(which), name) != SIZE_MAX)
        return "which is the name of one that is built in: choose another one";
    return NULL;
}

/* NULL: it can be used. */
static const char *problem(const struct vidmm_policies *policies)
{
    const struct vidmm_placement_policy *placement = policies->placement;
    const struct vidmm_eviction_policy *eviction = policies->eviction;
    if (!placement && !eviction)
        return "it holds neither a placement policy nor an eviction policy";
    if (placement && !placement->pick)
        return "its placement policy has no function `pick`";
    if (eviction && !eviction->key == !eviction->next)
        return "its eviction policy needs one of the functions `key` and `next`, and not both";
    if ((placement && (!placement->summary || !placement->source)) ||
        (eviction && (!eviction->summary || !eviction->source)))
        return "its policies need a summary and a source";
    return NULL;
}

static void check_state(const char *path, const char *kind, const char *name, size_t bytes,
                        struct argp_state *state)
{
    if (bytes > STATE_MOST)
        argp_failure(state, TOOL_INPUT, 0,
                     "--policy=%s: its %s policy %s asks for a state of %zu bytes (state_bytes); "
                     "the most is %d, for each segment",
                     path, kind, name, bytes, STATE_MOST);
}

/* Results of what was compiled again are results of another policy. */
static void note_hash(struct run_settings *settings, const char *path)
{
    size_t count = 0;
    char *bytes = host_read(path, &count);
    settings->policy_hash = hash_bytes(settings->policy_hash, bytes, count);
    base_free(bytes);
}

/* Before the settings of the command line, which may name another one. */
static void choose(struct run_settings *settings, const char *setting, const char *name,
                   struct argp_state *state)
{
    CHECK(settings->chosen_count < RUN_CHOSEN_MOST); /* two of each policy file */
    if (settings->count == RUN_SETTINGS_MOST) {
        argp_error(state, "more than %d of an option", RUN_SETTINGS_MOST);
        return;
    }
    char *word = settings->chosen[settings->chosen_count];
    (void)snprintf(word, sizeof settings->chosen[0], "%s=%s", setting, name);
    memmove(settings->words + settings->chosen_count + 1, settings->words + settings->chosen_count,
            (settings->count - settings->chosen_count) * sizeof *settings->words);
    settings->words[settings->chosen_count++] = word;
    settings->count++;
}

/* Whoever writes the name of one that is built in means this. */
static void refuse_built_in(const char *name, struct argp_state *state)
{
    static const enum vidmm_setting kinds[] = { VIDMM_SETTING_PLACEMENT, VIDMM_SETTING_EVICTION };
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++) {
        const struct vidmm_setting_info *kind = vidmm_setting_row(kinds[i]);
        if (vidmm_setting_word(kind, name) != SIZE_MAX)
            argp_failure(state, TOOL_INPUT, 0,
                         "--policy=%s cannot be loaded: '%s' is built in; write --set=%s=%s", name,
                         name, kind->name, name);
    }
}

static const struct vidmm_policies *open_object(const char *path, struct argp_state *state)
{
    char here[4096];
    /* Without a slash it would be looked for among the libraries of the system. */
    (void)snprintf(here, sizeof here, "%s%s", strchr(path, '/') ? "" : "./", path);
    policy_guard_add(path);
    void *object = dlopen(here, RTLD_NOW | RTLD_LOCAL);
    if (!object)
        refuse_built_in(path, state);
    if (!object)
        argp_failure(state, TOOL_INPUT, 0,
                     "--policy=%s cannot be loaded: %s; it is made with `cc -shared -fPIC`, " PAGE,
                     path, dlerror());
    const struct vidmm_policies *policies = dlsym(object, "vidmm_policies");
    if (!policies)
        argp_failure(state, TOOL_INPUT, 0,
                     "--policy=%s defines no `vidmm_policies`: end its source with `const struct "
                     "vidmm_policies vidmm_policies = { VIDMM_POLICIES, .placement = &mine };`",
                     path);
    return policies;
}

void policy_load(struct run_settings *settings, const char *path, struct argp_state *state)
{
    static const struct vidmm_policies ours = { VIDMM_POLICIES, NULL, NULL };
    const struct vidmm_policies *policies = open_object(path, state);
    if (policies->version != ours.version || policies->sizes != ours.sizes)
        argp_failure(state, TOOL_INPUT, 0,
                     "--policy=%s was built for version %u.%x of vidmm_policy.h, this program has "
                     "%u.%x: compile it again with the headers of this version",
                     path, policies->version, policies->sizes, ours.version, ours.sizes);
    else if (problem(policies))
        argp_failure(state, TOOL_INPUT, 0, "--policy=%s cannot be used: %s; " PAGE, path,
                     problem(policies));
    else if (settings->policy_count == VIDMM_POLICIES_MAX)
        argp_error(state, "more than %d of --policy", VIDMM_POLICIES_MAX);
    else
        settings->policies[settings->policy_count++] = policies;
    note_hash(settings, path);
    const char *placement = policies->placement ? policies->placement->name : NULL;
    const char *eviction = policies->eviction ? policies->eviction->name : NULL;
    const char *wrong =
        policies->placement ? name_problem(settings, placement, VIDMM_SETTING_PLACEMENT) : NULL;
    if (wrong)
        argp_failure(state, TOOL_INPUT, 0, "--policy=%s: its placement policy is called '%s', %s",
                     path, placement ? placement : "", wrong);
    wrong = policies->eviction ? name_problem(settings, eviction, VIDMM_SETTING_EVICTION) : NULL;
    if (wrong)
        argp_failure(state, TOOL_INPUT, 0, "--policy=%s: its eviction policy is called '%s', %s",
                     path, eviction ? eviction : "", wrong);
    if (policies->placement) {
        check_state(path, "placement", placement, policies->placement->state_bytes, state);
        choose(settings, "placement", placement, state);
    }
    if (policies->eviction) {
        check_state(path, "eviction", eviction, policies->eviction->state_bytes, state);
        choose(settings, "eviction", eviction, state);
    }
}
