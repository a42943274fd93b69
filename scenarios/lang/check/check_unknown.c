/* SPDX-License-Identifier: MIT */
/*
 * check_unknown.c: names that nothing makes.
 *
 * Where a statement may fail, and in loops and choices, a name may come from anywhere in the text:
 * such uses wait until the end of the test, or of the text. A name that is not made even then is a
 * mistake of the writer: `-> fails` would hold for it whatever the manager does. `@N` is how to
 * write a handle that nobody has.
 */
#include "scenarios/lang/check/parts.h"

#include <string.h>

enum { PENDING_MAX = 1000 };

const char *check_unknown_noun(int objects)
{
    static const struct {
        int object;
        const char *noun;
    } nouns[] = {
        /* The likeliest of several first. */
        { OBJECT_ALLOCATION, "an allocation" },
        { OBJECT_SEGMENT, "a segment" },
        { OBJECT_SUBMISSION, "a submission" },
        { OBJECT_PROCESS, "a process" },
        { OBJECT_DEVICE, "a device" },
        { OBJECT_CONTEXT, "a context" },
        { OBJECT_NODE, "a node" },
        { OBJECT_RESOURCE, "a resource" },
        { OBJECT_SYSMEM, "system memory" },
        { OBJECT_CLASS, "a class" },
        { OBJECT_MARK, "a mark" },
    };
    if (objects == (OBJECT_ALLOCATION | OBJECT_RESOURCE))
        return "an allocation or resource";
    for (size_t i = 0; i < ARRAY_COUNT(nouns); i++) {
        if (objects & nouns[i].object)
            return nouns[i].noun;
    }
    return "an object";
}

void check_unknown_tell(struct checker *checker, const struct expr *target, int objects)
{
    char text[80];
    char help[256];
    const char *suggestion = NULL;
    if (checker->numbers) {
        checker->problem = true;
        return;
    }
    if (checker->scenario->include_blamed)
        return;
    if (target->kind == EXPR_NAME &&
        names_find(&checker->scenario->blamed, name_key_of(target->name, false, 0)))
        return;
    bool told = checker->scenario->messages.count < LANG_MESSAGES_MAX;
    if (told)
        suggestion = check_suggest_name(checker, target, objects, help, sizeof help);
    check_report(checker, target->at, suggestion, "there is no %s '%s' here",
                 strchr(check_unknown_noun(objects), ' ')
                     ? strchr(check_unknown_noun(objects), ' ') + 1
                     : "object",
                 check_spelled(checker, target->at, text, sizeof text));
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

static bool is_made(const struct checker *checker, name_key key)
{
    return check_states_at(checker, key).state != NAME_UNKNOWN;
}

void check_unknown_member(struct checker *checker, const struct expr *target, int objects)
{
    name_key some = name_key_of(target->name, true, NAME_SOME);
    if (!is_made(checker, some) && !is_made(checker, name_key_of(target->name, true, NAME_FAMILY)))
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
        bool family = indexed && is_made(checker, name_key_of(name, true, NAME_FAMILY));
        if (!family && !is_made(checker, use->key))
            check_unknown_tell(checker, &target, use->objects);
    }
    checker->pending_count = 0;
}
