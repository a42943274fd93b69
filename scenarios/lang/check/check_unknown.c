/* SPDX-License-Identifier: MIT */
/*
 * check_unknown.c: names that nothing makes, and what was meant by them.
 *
 * Where a statement may fail, and in loops and choices, a name may come from anywhere in the text:
 * such uses wait until the end of the test, or of the text. A name that is not made even then is a
 * mistake of the writer: `-> fails` would hold for it whatever the manager does. `@N` is how to
 * write a handle that no object has.
 */
#include "scenarios/lang/check/parts.h"

#include <string.h>

enum { PENDING_MAX = 1000, MEMBERS_SHOWN = 1000 };

/* What each kind of object is called, and what makes one; the likeliest of several first. */
static const struct {
    int object;
    const char *noun, *maker;
} kinds[] = {
    { OBJECT_ALLOCATION, "an allocation", "`create NAME size=S` makes one" },
    { OBJECT_SEGMENT, "a segment",
      "`segment NAME id=N kind=memory size=S` declares one, above the first operation" },
    { OBJECT_SUBMISSION, "a submission", "`submit NAME read=ALLOCATION` makes one" },
    { OBJECT_PROCESS, "a process", "`process NAME` makes one" },
    { OBJECT_DEVICE, "a device", "`device NAME` makes one" },
    { OBJECT_CONTEXT, "a context", "`context NAME` makes one" },
    { OBJECT_NODE, "a node", "`node N name=NAME` declares one, above the first operation" },
    { OBJECT_RESOURCE, "a resource", "`resource NAME` ... `end` makes one" },
    { OBJECT_SYSMEM, "system memory", "`sysmem NAME size=S` makes some" },
    { OBJECT_CLASS, "a class", "`class NAME ATTR...` declares one, above its use" },
    { OBJECT_MARK, "a mark", "`mark NAME` sets one, above its use" },
};

const char *check_unknown_noun(int objects)
{
    size_t i = 0;
    for (; !(objects & kinds[i].object); i++)
        CHECK(i + 1 < ARRAY_COUNT(kinds));
    if (objects == (OBJECT_ALLOCATION | OBJECT_RESOURCE))
        return "an allocation or resource";
    return kinds[i].noun;
}

static bool is_made(const struct checker *checker, name_key key)
{
    return check_states_at(checker, key).state != NAME_UNKNOWN;
}

/* Members t[0] ... that are known without a gap; 0: none. */
static uint32_t members(const struct checker *checker, word name)
{
    uint32_t count = 0;
    if (!is_made(checker, name_key_member(name, NAME_SOME)))
        return 0;
    while (count < MEMBERS_SHOWN && is_made(checker, name_key_member(name, count)))
        count++;
    return count;
}

/* `t` for t[0..3], `t0` for t[0], t[9] where there are four. */
static const char *suggest_member(struct checker *checker, const struct expr *target, char *help,
                                  size_t bytes)
{
    struct scenario *scenario = checker->scenario;
    const char *text = check_word(checker, target->name);
    uint32_t count = members(checker, target->name);
    if (count)
        return text_format(help, bytes,
                           count == 1              ? "there is %s[%" PRIu32 "]"
                           : count < MEMBERS_SHOWN ? "there are %s[0..%" PRIu32 "]"
                                                   : "there are %s[0..%" PRIu32 "] and more",
                           text, count - 1);
    if (is_made(checker, name_key_member(target->name, NAME_SOME)))
        return text_format(help, bytes, "'%s' has members, but not %s", text,
                           target->left ? "this one" : "all from 0 on: name them, as in t[4..7]");
    if (target->left) {
        struct name_info info = check_states_at(checker, name_key_plain(target->name));
        snprintf(help, bytes, "'%s' has no members%s: write %s", text,
                 info.object == OBJECT_SEGMENT ? " without a `link` above it" : "", text);
        return info.state == NAME_UNKNOWN ? NULL : help;
    }
    size_t length = strlen(text), stem = length;
    while (text[stem - 1] >= '0' && text[stem - 1] <= '9') /* it begins with a letter */
        stem--;
    size_t end = stem > 1 && text[stem - 1] == '_' ? stem - 1 : stem;
    if (stem == length)
        return NULL;
    word family = words_intern(&scenario->words, &scenario->arena, text, end);
    if (!members(checker, family))
        return NULL;
    text = check_word(checker, target->name);
    return text_format(help, bytes, "a member is written %.*s[%s]", (int)end, text, text + stem);
}

static bool is_one(const struct checker *checker, word name, bool member, int objects)
{
    name_key key = name_key_of(name, member, member ? NAME_SOME : 0);
    struct name_info info = check_states_at(checker, key);
    const struct name_slot *blamed = member ? NULL : names_find(&checker->scenario->blamed, key);
    return (blamed && (int)blamed->value & objects) ||
           (info.state != NAME_UNKNOWN && (int)info.object & objects);
}

/* By word number and not by slot: the order of the text decides between equals. */
static void try_names(struct checker *checker, int objects, struct nearest *nearest)
{
    for (word name = 1; name < checker->scenario->words.count; name++) {
        char member[80];
        (void)snprintf(member, sizeof member, "%s[...]", check_word(checker, name));
        if (is_one(checker, name, false, objects))
            nearest_try(nearest, check_word(checker, name));
        else if (is_one(checker, name, true, objects))
            nearest_try(nearest, member);
    }
}

const char *check_suggest_name(struct checker *checker, const struct expr *target, int objects,
                               char *help, size_t bytes)
{
    bool named = target->kind == EXPR_NAME;
    if (named && suggest_member(checker, target, help, bytes))
        return help;
    const char *text = named ? check_word(checker, target->name) : "";
    struct nearest nearest = nearest_begin(text, strlen(text));
    if (objects & OBJECT_SYSTEM)
        nearest_try(&nearest, "system");
    /* Most of what anything is about are allocations; of two that are as near, it is that one. */
    if (objects == OBJECT_ANY)
        try_names(checker, OBJECT_ALLOCATION, &nearest);
    try_names(checker, objects == OBJECT_ANY ? OBJECT_ANY & ~OBJECT_ALLOCATION : objects, &nearest);
    struct nearest last = nearest; /* what is meant, but is no name to be listed */
    if (objects == OBJECT_SUBMISSION)
        nearest_try(&last, "idle");
    if (last.best[0])
        return nearest_help(&last, help, bytes);
    for (size_t i = 0; !nearest.tried[0]; i++)
        if (objects & kinds[i].object)
            return kinds[i].maker;
    return text_format(help, bytes, "there %s %s%s", strchr(nearest.tried, ',') ? "are" : "is",
                       nearest.tried, nearest.more ? ", ..." : "");
}

/* ---- uses ----------------------------------------------------------------------------------- */

void check_unknown_tell(struct checker *checker, const struct expr *target, int objects)
{
    char text[80], help[256];
    const char *suggestion = NULL;
    if (checker->numbers) {
        checker->problem = true;
        return;
    }
    if (checker->scenario->include_blamed)
        return;
    if (target->kind == EXPR_NAME &&
        names_find(&checker->scenario->blamed, name_key_plain(target->name)))
        return;
    bool told = checker->scenario->messages.count < LANG_MESSAGES_MAX;
    if (told)
        suggestion = check_suggest_name(checker, target, objects, help, sizeof help);
    check_report(checker, target->at, suggestion, "there is no %s '%s' here",
                 strchr(check_unknown_noun(objects), ' ') + 1, /* without its article */
                 source_copy(checker->scenario, target->at, text, sizeof text));
}

void check_unknown_later(struct checker *checker, const struct expr *target, name_key key,
                         int objects)
{
    /* Of a bulk line only the second pass knows the place. */
    checker->problem |= checker->numbers != NULL;
    if (checker->numbers || checker->pending_count == PENDING_MAX)
        return;
    BASE_GROW(checker->pending, checker->pending_capacity, checker->pending_count + 1);
    checker->pending[checker->pending_count++] = (struct pending_use){ key, target->at, objects };
}

void check_unknown_member(struct checker *checker, const struct expr *target, int objects)
{
    name_key some = name_key_member(target->name, NAME_SOME);
    if (!is_made(checker, some) && !is_made(checker, name_key_member(target->name, NAME_FAMILY)))
        check_unknown_later(checker, target, some, objects);
}

void check_unknown_settle(struct checker *checker)
{
    struct expr index = { .kind = EXPR_NUMBER };
    for (size_t i = 0; i < checker->pending_count; i++) {
        const struct pending_use *use = &checker->pending[i];
        word name = (word)(use->key >> 32);
        bool indexed = (uint32_t)use->key != 0;
        struct expr target = {
            .kind = EXPR_NAME, .name = name, .at = use->at, .left = indexed ? &index : NULL
        };
        bool family = indexed && is_made(checker, name_key_member(name, NAME_FAMILY));
        if (!family && !is_made(checker, use->key))
            check_unknown_tell(checker, &target, use->objects);
    }
    checker->pending_count = 0;
}

/* ---- values --------------------------------------------------------------------------------- */

/* `tex.size`: a function with the name that stands before the point. */
static const char *suggest_point(const char *text, char *help, size_t bytes)
{
    const char *point = strrchr(text, '.');
    if (!point || function_find(point + 1) == FUNCTIONS)
        return NULL;
    return text_format(help, bytes, "write %s(%.*s)", point + 1,
                       (int)min_u64((uint64_t)(point - text), 80), text);
}

const char *check_suggest_value(struct checker *checker, const struct expr *expr, char *help,
                                size_t bytes)
{
    struct variable *variable = NULL;
    const char *text = check_word(checker, expr->name);
    if (expr->kind == EXPR_NAME && check_has_variable(checker, expr->name, &variable))
        return text_format(help, bytes, "a variable is written $%s", text);
    if (suggest_point(text, help, bytes))
        return help;
    const char *habit = habit_find(HABIT_FUNCTION, text, strlen(text));
    if (habit)
        return habit;
    struct nearest nearest = nearest_begin(text, strlen(text));
    for (unsigned i = 0; i < FUNCTIONS; i++)
        nearest_try(&nearest, function_row_of(i)->name);
    for (int i = 0; i < VIDMM_COUNTERS; i++)
        nearest_try(&nearest, vidmm_counter_info((enum vidmm_counter)i)->name);
    if (nearest_help(&nearest, help, bytes))
        return help;
    if (expr->kind == EXPR_CALL)
        return "such as offset(a), size(a), used(vram), count(evict); `vidmm explain expect` lists "
               "all";
    return text_format(help, bytes,
                       "a value is a number, a variable such as $%.40s, or a function such as "
                       "size(a); `vidmm explain expect` lists them",
                       text);
}

const char *check_suggest_variable(struct checker *checker, const struct expr *expr, char *help,
                                   size_t bytes)
{
    static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "ns", "us",
                                         "ms",  "K",   "M",   "G",   "T",  "s" };
    const char *name = check_word(checker, expr->name);
    struct nearest nearest = nearest_begin(name, strlen(name));
    for (size_t i = 0; i < checker->variables.count; i++) {
        const char *known = check_word(checker, checker->variables.entries[i].name);
        size_t stem = strlen(known);
        nearest_try(&nearest, known);
        for (size_t j = 0; strncmp(known, name, stem) == 0 && j < ARRAY_COUNT(units); j++)
            if (strcmp(name + stem, units[j]) == 0)
                return text_format(help, bytes, "write $%s * 1%s", known, units[j]);
    }
    if (nearest_help(&nearest, help, bytes))
        return help;
    if (checker->scenario->sources[expr->at.source]->defined)
        return "a value of -D may name parameters that stand above its own";
    if (checker->uncounted)
        return text_format(help, bytes, "`repeat N as %.80s` counts its rounds", name);
    return text_format(help, bytes, "`let %.80s = ...` above this line makes it", name);
}
