/* SPDX-License-Identifier: MIT */
/*
 * vidmm_rules.h: the catalogue of rules as data.
 *
 * Every refusal, fault and decision of the manager names a rule. The rules are written down once,
 * in vidmm/rules/: the build reads their headings and makes `enum vidmm_rule` (in the generated
 * vidmm_rule_ids.h, one constant per heading, VIDMM_RULE_PLACE_022 for PLACE-022) and the table
 * behind the functions below. Everything here is constant and may be used from any thread.
 *
 * A rule id is stable for ever; the number behind its constant is not, so store ids, not numbers.
 *
 * Some headings only point to the rule that states the same fact elsewhere (`same_as`). Nothing is
 * raised, proved or explained by such a pointer: vidmm_rule_canonical() leads to what it stands
 * for.
 */
#ifndef VIDMM_RULES_H
#define VIDMM_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "vidmm/vidmm_rule_ids.h"

/* VIDMM_RULE(PLACE_022): the form in which code names a rule, and for which the build looks. */
#define VIDMM_RULE(name) VIDMM_RULE_##name

/* Ids have at most VIDMM_RULE_ID_MAX characters. */
enum { VIDMM_RULE_ID_MAX = 15, VIDMM_RULE_SAME_AS_MAX = 8 };

/* What a rule does; some do two of these. */
enum vidmm_rule_kind {
    VIDMM_RULE_KIND_VALIDATION = 1, /* something is refused, warned about or found wrong */
    VIDMM_RULE_KIND_BEHAVIOUR = 2,  /* something happens */
    VIDMM_RULE_KIND_ACCOUNTING = 4  /* a number is counted or computed */
};

/* Whose word a rule is. Always show it: nobody may take our choice for the documentation's word. */
enum vidmm_rule_standing {
    VIDMM_RULE_STANDING_DOCUMENTED, /* the public documentation says so */
    VIDMM_RULE_STANDING_CHOICE,     /* it is silent or contradicts itself: the simulator's choice */
    VIDMM_RULE_STANDING_MIXED       /* documented in the core, a detail is chosen */
};

/* One of several things that a rule says. No pointer is NULL. */
struct vidmm_rule_clause {
    const char *text;         /* without its "(a) " */
    const char *proved_by;    /* scenarios that say `proves` with it, ", " between, sorted */
    const char *unobservable; /* why no scenario can show it, and what does */
};

/* One heading of the catalogue. No pointer is NULL; what a heading does not say is "". */
struct vidmm_rule_info {
    enum vidmm_rule rule;
    const char *id;    /* "PLACE-022" */
    const char *title; /* one line, no full stop */
    const char *part;  /* not "": only this part of `text` is meant here, and where the rest is */
    const char *text;  /* what holds; lines that begin with '|' are a table */
    unsigned kinds;    /* enum vidmm_rule_kind, or-ed */
    enum vidmm_rule_standing standing;
    const char *kind_text;     /* as written in the catalogue */
    const char *violation;     /* status, stop or finding when the rule is broken */
    const char *since;         /* first interface version, "until" the one that ends it */
    const char *source;        /* titles of the public pages */
    const char *standing_text; /* as written: names the chosen detail of a mixed rule */
    const char *observable;    /* what a scenario can check */
    const char *catalogue;     /* "vidmm/rules/segments-and-allocations.md" */
    int line;                  /* of the heading in that file */
    const char *raised_by;     /* source files that name the rule in code, ", " between, sorted */
    const char *proved_by;     /* scenarios that say `proves` with it, ", " between, sorted */
    const char *unobservable;  /* why no scenario can show it, and what does */
    /* (a) first, ended by one whose text is NULL; NULL: it says one thing, or is a pointer. */
    const struct vidmm_rule_clause *clauses;
    /* A pointer: the rules that state the fact, ended by VIDMM_RULE_NONE. Else NONE at once. */
    enum vidmm_rule same_as[VIDMM_RULE_SAME_AS_MAX + 1];
};

/* Number of headings, pointers included. Rules are 1 to this number, in the catalogue's order. */
size_t vidmm_rule_count(void);

/* NULL for VIDMM_RULE_NONE and for numbers that are no rule. */
const struct vidmm_rule_info *vidmm_rule_info(enum vidmm_rule rule);

/* "PLACE-022"; "" for VIDMM_RULE_NONE. */
const char *vidmm_rule_id(enum vidmm_rule rule);

/* The rule with exactly this id, upper case as written; VIDMM_RULE_NONE when there is none. */
enum vidmm_rule vidmm_rule_by_id(const char *id);

bool vidmm_rule_is_pointer(enum vidmm_rule rule);

/* Follows a pointer to the first rule that it names; any other rule is its own answer. */
enum vidmm_rule vidmm_rule_canonical(enum vidmm_rule rule);

/* The rule that `text` means ("palce-22": PLACE-022), for "did you mean"; VIDMM_RULE_NONE: none. */
enum vidmm_rule vidmm_rule_nearest(const char *text);

/* "documented", "choice" or "mixed": the words that `vidmm rules --standing` takes. */
const char *vidmm_rule_standing_name(enum vidmm_rule_standing standing);

#endif
