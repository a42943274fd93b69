/* SPDX-License-Identifier: MIT */
/*
 * policy.h: policies by name, as settings of a run.
 *
 * A name is that of a placement policy, of an eviction policy, or PLACEMENT+EVICTION. The half that
 * is not named is wddm, so that a row means the same for every file; `file` is what the file says,
 * and `all` each policy of both kinds, loaded ones (--policy) included.
 */
#ifndef TOOLS_LAB_POLICY_H
#define TOOLS_LAB_POLICY_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/common/run_options.h"

enum { POLICY_WORD = 48, POLICY_SETTINGS = 2 };

struct policy {
    char name[2 * POLICY_WORD];
    char settings[POLICY_SETTINGS][POLICY_WORD]; /* "placement=best-fit"; as many as there are */
    size_t setting_count;
};

struct policies {
    struct policy *list;
    size_t count, capacity;
    const struct run_settings *loaded; /* NULL: only what is built in */
};

/* Adds what `word` means, unless it is there. False: `why` says what is wrong. */
bool policies_add(struct policies *policies, const char *word, size_t length, struct text *why);
/* Every word of "a,b,c". */
bool policies_read(struct policies *policies, const char *words, struct text *why);
/* Is "NAME=VALUE" one that a policy stands for? */
bool policy_is_setting(const char *word);
/* Does it know the references to come? Then its misses are an upper bound of the optimum. */
bool policies_foresees(const struct policy *policy);
void policies_free(struct policies *policies);

#endif
