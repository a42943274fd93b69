/* SPDX-License-Identifier: MIT */
/*
 * policy.c: which settings does the name of a policy stand for?
 *
 * The names are the words of two settings, so a policy that is added there is known here.
 */
#include "tools/lab/policy.h"

#include <string.h>

#include "vidmm/vidmm.h"

static const char *const kinds[POLICY_SETTINGS] = { "placement", "eviction" };

/* "a|b|c" */
static const char *words_of(size_t kind)
{
    return vidmm_setting_row(vidmm_setting_by_name(kinds[kind]))->words;
}

/* The same, with those that were loaded. */
static void add_words(const struct policies *policies, size_t kind, struct text *words)
{
    text_add(words, "%s", words_of(kind));
    for (size_t i = 0; policies->loaded && i < policies->loaded->policy_count; i++) {
        const struct vidmm_policies *loaded = policies->loaded->policies[i];
        const char *placement = loaded->placement ? loaded->placement->name : NULL;
        const char *eviction = loaded->eviction ? loaded->eviction->name : NULL;
        const char *name = kind == 0 ? placement : eviction;
        if (name) /* that no other one has */
            text_add(words, "|%s", name);
    }
}

static void complain_policy(struct text *why, const char *name, const struct text *words)
{
    struct text_likeness likeness = text_likeness(name);
    char word[POLICY_WORD];
    for (size_t kind = 0; kind < POLICY_SETTINGS; kind++) {
        for (const char *at = text_get(&words[kind]); *at; at += *at == '|') {
            size_t length = strcspn(at, "|");
            (void)snprintf(word, sizeof word, "%.*s", (int)length, at);
            size_t before = likeness.least;
            text_liken(&likeness, word);
            if (likeness.least < before) {
                text_clear(why);
                text_add(why, "no policy is named '%s'; did you mean '%s'?", name, word);
            }
            at += length;
        }
    }
    if (likeness.best)
        return;
    text_clear(why);
    text_add(why,
             "no policy is named '%s'; placement: %s; eviction: %s; a pair is "
             "PLACEMENT+EVICTION, 'file' what the file says, 'all' each of them",
             name, text_get(&words[0]), text_get(&words[1]));
}

/* A name on the wrong side of a pair; false: there is none. */
static bool complain_side(struct text *why, const char *const *pair, const struct text *words)
{
    bool knows[POLICY_SETTINGS],
        other[POLICY_SETTINGS]; /* is it a name of this side, of the other? */
    for (size_t kind = 0; kind < POLICY_SETTINGS; kind++) {
        knows[kind] = text_listed(text_get(&words[kind]), pair[kind]);
        other[kind] = text_listed(text_get(&words[1 - kind]), pair[kind]);
    }
    size_t wrong = knows[0] ? 1 : 0;
    if (knows[wrong] || !other[wrong])
        return false;
    text_clear(why);
    if (other[0] && other[1])
        text_add(why, "a pair is PLACEMENT+EVICTION: did you mean '%s+%s'?", pair[1], pair[0]);
    else
        text_add(why, "'%s' decides about %s; a pair is PLACEMENT+EVICTION", pair[wrong],
                 kinds[1 - wrong]);
    return true;
}

/* ---- one policy -------------------------------------------------------------------------------
 */

/* `names` are those of placement and eviction. */
static void policy_set(struct policy *policy, const char *const *names)
{
    for (size_t kind = 0; kind < POLICY_SETTINGS; kind++)
        (void)snprintf(policy->settings[policy->setting_count++], POLICY_WORD, "%s=%.32s",
                       kinds[kind], names[kind]);
}

static bool policy_read(struct policy *policy, char *word, const struct text *words,
                        struct text *why)
{
    const char *names[POLICY_SETTINGS] = { "wddm", "wddm" };
    char *plus = strchr(word, '+');
    (void)snprintf(policy->name, sizeof policy->name, "%s", word);
    if (strcmp(word, "file") == 0)
        return true;
    if (plus)
        *plus = '\0';
    const char *second = plus ? plus + 1 : word;
    bool placement = text_listed(text_get(&words[0]), word);
    bool eviction = text_listed(text_get(&words[1]), second);
    if (placement)
        names[0] = word;
    if (eviction)
        names[1] = second;
    if (plus ? placement && eviction : placement || eviction) {
        policy_set(policy, names);
        return true;
    }
    const char *const pair[POLICY_SETTINGS] = { word, second };
    if (!plus || !complain_side(why, pair, words))
        complain_policy(why, placement ? second : word, words);
    return false;
}

static void policies_append(struct policies *policies, const struct policy *policy)
{
    for (size_t i = 0; i < policies->count; i++)
        if (strcmp(policies->list[i].name, policy->name) == 0)
            return;
    BASE_GROW(policies->list, policies->capacity, policies->count + 1);
    policies->list[policies->count++] = *policy;
}

static void policies_add_all(struct policies *policies, const struct text *words, struct text *why)
{
    for (size_t kind = 0; kind < POLICY_SETTINGS; kind++) {
        for (const char *at = text_get(&words[kind]); *at; at += *at == '|') {
            size_t length = strcspn(at, "|");
            bool known = policies_add(policies, at, length, why);
            CHECK(known);
            at += length;
        }
    }
}

bool policies_add(struct policies *policies, const char *word, size_t length, struct text *why)
{
    struct policy policy = { .setting_count = 0 };
    char name[2 * POLICY_WORD - 1];
    struct text words[POLICY_SETTINGS] = { { 0 } };
    bool good = true;
    for (size_t kind = 0; kind < POLICY_SETTINGS; kind++)
        add_words(policies, kind, &words[kind]);
    (void)snprintf(name, sizeof name, "%.*s", (int)min_u64(length, sizeof name - 1), word);
    if (strcmp(name, "all") == 0) {
        policies_add_all(policies, words, why);
    } else {
        good = policy_read(&policy, name, words, why);
        if (good)
            policies_append(policies, &policy);
    }
    for (size_t kind = 0; kind < POLICY_SETTINGS; kind++)
        text_free(&words[kind]);
    return good;
}

bool policies_read(struct policies *policies, const char *words, struct text *why)
{
    for (const char *at = words;; at++) {
        size_t length = strcspn(at, ",");
        if (!policies_add(policies, at, length, why))
            return false;
        at += length;
        if (!*at)
            return true;
    }
}

bool policy_is_setting(const char *word)
{
    size_t length = strcspn(word, "=");
    for (size_t kind = 0; kind < POLICY_SETTINGS; kind++)
        if (strlen(kinds[kind]) == length && strncmp(word, kinds[kind], length) == 0)
            return true;
    return false;
}

bool policies_foresees(const struct policy *policy)
{
    for (size_t i = 0; i < policy->setting_count; i++)
        if (strcmp(policy->settings[i], "eviction=belady") == 0)
            return true;
    return false;
}

void policies_free(struct policies *policies)
{
    base_free(policies->list);
    *policies = (struct policies){ 0 };
}
