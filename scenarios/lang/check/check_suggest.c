/* SPDX-License-Identifier: MIT */
/*
 * check_suggest.c: which name or value was meant, from what the text has declared so far.
 */
#include "scenarios/lang/check/parts.h"

#include <string.h>

enum { MEMBERS_SHOWN = 1000 };

/* How something of that kind comes into being. */
static const char *maker(int objects)
{
    static const struct {
        int object;
        const char *help;
    } makers[] = {
        { OBJECT_ALLOCATION, "`create NAME size=S` makes one" },
        { OBJECT_SEGMENT, "`segment NAME id=N kind=memory size=S` declares one, above the first "
                          "operation" },
        { OBJECT_SUBMISSION, "`submit NAME read=ALLOCATION` makes one" },
        { OBJECT_PROCESS, "`process NAME` makes one" },
        { OBJECT_DEVICE, "`device NAME` makes one" },
        { OBJECT_CONTEXT, "`context NAME` makes one" },
        { OBJECT_NODE, "`node N name=NAME` declares one, above the first operation" },
        { OBJECT_RESOURCE, "`resource NAME` ... `end` makes one" },
        { OBJECT_SYSMEM, "`sysmem NAME size=S` makes some" },
        { OBJECT_CLASS, "`class NAME ATTR...` declares one, above its use" },
        { OBJECT_MARK, "`mark NAME` sets one, above its use" },
    };
    for (size_t i = 0; i < ARRAY_COUNT(makers); i++)
        if (objects & makers[i].object)
            return makers[i].help;
    return NULL;
}

/* Members t[0] ... that are known without a gap; 0: none. */
static uint32_t members(const struct checker *checker, word name)
{
    uint32_t count = 0;
    if (check_states_at(checker, name_key_of(name, true, NAME_SOME)).state == NAME_UNKNOWN)
        return 0;
    while (count < MEMBERS_SHOWN &&
           check_states_at(checker, name_key_of(name, true, count)).state != NAME_UNKNOWN)
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
    if (count) {
        snprintf(help, bytes,
                 count > 1 ? "there are %s[0..%" PRIu32 "]" : "there is %s[%" PRIu32 "]", text,
                 count - 1);
        return help;
    }
    if (check_states_at(checker, name_key_of(target->name, true, NAME_SOME)).state !=
        NAME_UNKNOWN) {
        snprintf(help, bytes, "'%s' has members, but not %s", text,
                 target->left ? "this one" : "all from 0 on: name them, as in t[4..7]");
        return help;
    }
    if (target->left) {
        struct name_info info = check_states_info(checker, target->name);
        snprintf(help, bytes, "'%s' has no members: write %s", text, text);
        return info.state == NAME_UNKNOWN ? NULL : help;
    }
    size_t length = strlen(text);
    size_t stem = length;
    while (stem && text[stem - 1] >= '0' && text[stem - 1] <= '9')
        stem--;
    size_t end = stem > 1 && text[stem - 1] == '_' ? stem - 1 : stem;
    if (!stem || stem == length)
        return NULL;
    word family = words_intern(&scenario->words, &scenario->arena, text, end);
    if (!members(checker, family))
        return NULL;
    text = check_word(checker, target->name);
    snprintf(help, bytes, "a member is written %.*s[%s]", (int)end, text, text + stem);
    return help;
}

static bool is_one(const struct checker *checker, word name, bool member, int objects)
{
    name_key key = name_key_of(name, member, member ? NAME_SOME : 0);
    struct name_info info = check_states_at(checker, key);
    const struct name_slot *blamed = member ? NULL : names_find(&checker->scenario->blamed, key);
    return (blamed && (int)blamed->value & objects) ||
           (info.state != NAME_UNKNOWN && (int)info.object & objects);
}

const char *check_suggest_name(struct checker *checker, const struct expr *target, int objects,
                               char *help, size_t bytes)
{
    struct nearest nearest;
    bool named = target->kind == EXPR_NAME;
    if (named && suggest_member(checker, target, help, bytes))
        return help;
    const char *text = named ? check_word(checker, target->name) : "";
    nearest_init(&nearest, text, strlen(text));
    if (objects & OBJECT_SYSTEM)
        nearest_try(&nearest, "system");
    /* By word number and not by slot: the order of the text decides between equals. */
    for (word name = 1; name < checker->scenario->words.count; name++) {
        char member[80];
        (void)snprintf(member, sizeof member, "%s[...]", check_word(checker, name));
        if (is_one(checker, name, false, objects))
            nearest_try(&nearest, check_word(checker, name));
        else if (is_one(checker, name, true, objects))
            nearest_try(&nearest, member);
    }
    if (nearest.best[0])
        return nearest_help(&nearest, help, bytes);
    if (!nearest.tried[0])
        return maker(objects);
    snprintf(help, bytes, "there %s %s%s", strchr(nearest.tried, ',') ? "are" : "is", nearest.tried,
             nearest.more ? ", ..." : "");
    return help;
}

const char *check_suggest_event(const char *name, char *help, size_t bytes)
{
    struct nearest nearest;
    const char *habit = habit_find(HABIT_EVENT, name, strlen(name));
    if (habit) {
        snprintf(help, bytes, "did you mean '%s'?", habit);
        return help;
    }
    nearest_init(&nearest, name, strlen(name));
    for (int kind = VIDMM_EVENT_NONE + 1; kind < VIDMM_EVENT_KINDS; kind++)
        nearest_try(&nearest, vidmm_event_info((enum vidmm_event_kind)kind)->name);
    return nearest_help(&nearest, help, bytes) ? help : "`vidmm events` lists them";
}

/* ---- values --------------------------------------------------------------------------------- */

/* `tex.size`: a function with the name that stands before the point. */
static const char *suggest_point(const struct checker *checker, const char *text, char *help,
                                 size_t bytes)
{
    const char *point = strrchr(text, '.');
    if (!point || function_find(point + 1) == FUNCTIONS)
        return NULL;
    (void)checker;
    snprintf(help, bytes, "write %s(%.*s)", point + 1, (int)min_u64((uint64_t)(point - text), 80),
             text);
    return help;
}

const char *check_suggest_value(struct checker *checker, const struct expr *expr, char *help,
                                size_t bytes)
{
    struct nearest nearest;
    struct variable *variable = NULL;
    const char *text = check_word(checker, expr->name);
    if (expr->kind == EXPR_NAME && check_has_variable(checker, expr->name, &variable)) {
        snprintf(help, bytes, "a variable is written $%s", text);
        return help;
    }
    if (suggest_point(checker, text, help, bytes))
        return help;
    const char *habit = habit_find(HABIT_FUNCTION, text, strlen(text));
    if (habit)
        return habit;
    nearest_init(&nearest, text, strlen(text));
    for (unsigned i = 0; i < FUNCTIONS; i++)
        nearest_try(&nearest, function_row_of(i)->name);
    for (int i = 0; i < VIDMM_COUNTERS; i++)
        nearest_try(&nearest, vidmm_counter_info((enum vidmm_counter)i)->name);
    if (nearest_help(&nearest, help, bytes))
        return help;
    if (expr->kind == EXPR_CALL)
        return "such as offset(a), size(a), used(vram), count(evict); `vidmm explain expect` lists "
               "all";
    snprintf(help, bytes,
             "a value is a number, a variable such as $%.40s, or a function such as "
             "size(a); `vidmm explain expect` lists them",
             text);
    return help;
}

const char *check_suggest_variable(struct checker *checker, const struct expr *expr, char *help,
                                   size_t bytes)
{
    static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "ns", "us",
                                         "ms",  "K",   "M",   "G",   "T",  "s" };
    struct nearest nearest;
    const char *name = check_word(checker, expr->name);
    size_t length = strlen(name);
    nearest_init(&nearest, name, length);
    for (size_t i = 0; i < checker->variable_count; i++) {
        const char *known = check_word(checker, checker->variables[i].name);
        size_t stem = strlen(known);
        nearest_try(&nearest, known);
        for (size_t j = 0; strncmp(known, name, stem) == 0 && j < ARRAY_COUNT(units); j++) {
            if (strcmp(name + stem, units[j]) != 0)
                continue;
            snprintf(help, bytes, "write $%s * 1%s", known, units[j]);
            return help;
        }
    }
    if (nearest_help(&nearest, help, bytes))
        return help;
    snprintf(help, bytes, "`let %.80s = ...` above this line makes it", name);
    return help;
}
