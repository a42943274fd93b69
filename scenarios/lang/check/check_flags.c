/* SPDX-License-Identifier: MIT */
/*
 * check_flags.c: flags by name, of segments, allocations and calls: which of them the interface
 * version has. A number says what it likes, so that every wrong call can be written.
 */
#include "scenarios/lang/check/parts.h"

enum { HELP_BYTES = 224 };

bool check_flags_add(struct checker *checker, const struct item *item, enum vidmm_flag_set set,
                     uint32_t *flags)
{
    uint64_t value = 0;
    if (item->from->kind != EXPR_NAME) {
        bool constant = check_values_constant(checker, item->from, &value);
        *flags |= (uint32_t)value;
        return constant;
    }
    const struct vidmm_flag *flag = vidmm_flag_by_name(set, check_word(checker, item->from->name));
    if (flag)
        *flags |= flag->value;
    return flag != NULL;
}

/* FLAG-062, and FLAG-061 below 3.0, for the second word; KMT-001 for the flags of the call. */
static const char *version_rule(const struct checker *checker, enum vidmm_flag_set set)
{
    switch (set) {
    case VIDMM_FLAGS_SEGMENT: return "SEG-033";
    case VIDMM_FLAGS_KMT: return "KMT-001";
    case VIDMM_FLAGS_ALLOCATION2: return checker->wddm < VIDMM_WDDM_3_0 ? "FLAG-061" : "FLAG-062";
    default: return "FLAG-003";
    }
}

/* What the interface version lacks, with the version that has it. */
static const char *tell_version(const struct checker *checker, const struct attribute *list,
                                const char *name, enum vidmm_flag_set set, char help[HELP_BYTES])
{
    const struct vidmm_flag *flag = vidmm_flag_by_name(set, name);
    char since[96];
    if (!flag && (flag = vidmm_flag_by_other_name(&set, name)) == NULL)
        return NULL;
    if (flag->since > checker->wddm)
        (void)vidmm_flags_reserved_text(set, flag->value, checker->wddm, since, sizeof since);
    else
        snprintf(since, sizeof since, "only versions below 2.0 have it");
    snprintf(help, HELP_BYTES, "%s; %s=0x%" PRIX32 " writes its bits on purpose", since,
             list->row->name, flag->value);
    return help;
}

void check_flags_version(struct checker *checker, const struct attribute *list, struct place place,
                         enum vidmm_flag_set set)
{
    char help[HELP_BYTES];
    uint32_t defined = vidmm_flags_defined(set, checker->wddm);
    bool own = place.offset == list->whole.offset;
    for (const struct item *item = list->items; item; item = item->next) {
        uint32_t flags = 0;
        if (item->from->kind != EXPR_NAME)
            continue;
        if (check_flags_add(checker, item, set, &flags) && !(flags & ~defined))
            continue;
        const char *name = check_word(checker, item->from->name);
        check_report(checker, own ? item->at : place, tell_version(checker, list, name, set, help),
                     "'%s' is no flag of interface version %u.%u (%s)", name, checker->wddm / 10,
                     checker->wddm % 10, version_rule(checker, set));
    }
}

void check_flags_segments(struct checker *checker)
{
    for (size_t i = 0; i < checker->segment_count; i++) {
        const struct attribute *flags = checker->segments[i].flags;
        bool before = checker->problem;
        checker->problem = false;
        if (flags)
            check_flags_version(checker, flags, flags->whole, VIDMM_FLAGS_SEGMENT);
        /* Once is enough, however many tests begin with it. */
        if (checker->problem)
            checker->segments[i].flags = NULL;
        checker->problem |= before;
    }
}
