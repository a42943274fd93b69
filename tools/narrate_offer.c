/* SPDX-License-Identifier: MIT */
/* narrate_offer.c: the sentences about offers. */
#include "tools/tale.h"
#include "vidmm/base/base.h"

void narrate_offer(const struct tale *tale)
{
    if (tale_is(tale, "phase", "info")) {
        text_add(tale->out, "nothing on its way to the GPU uses %s any more", tale_who(tale));
        return;
    }
    if (tale_is(tale, "phase", "stop")) {
        text_add(tale->out, "the offer of %s is in effect: %s", tale_who(tale),
                 tale_is(tale, "state", "discarded")
                     ? "its content is gone already"
                     : "its content goes before anything else, if room is needed");
        return;
    }
    text_add(tale->out, "%s is offered, priority %s", tale_who(tale), tale_word(tale, "priority"));
    if (tale_is(tale, "priority", "auto"))
        text_add(tale->out, ", which is %s here", tale_word(tale, "level"));
}

void narrate_reclaim(const struct tale *tale)
{
    static const struct wording results[] = {
        { "ok", "its content is as it was" },
        { "discarded", "its content is gone" },
        { "not-committed", "its content is gone, and there is no memory for another" },
    };
    if (tale_is(tale, "state", "no") && tale_is(tale, "result", "ok"))
        text_add(tale->out, "%s was reclaimed, but nobody had offered it", tale_who(tale));
    else
        text_add(tale->out, "%s was reclaimed: %s", tale_who(tale),
                 tale_wording(results, ARRAY_COUNT(results), tale_word(tale, "result")));
}

void narrate_discard_offered(const struct tale *tale)
{
    text_add(tale->out, "the content of %s was offered (%s) and is thrown away", tale_who(tale),
             tale_word(tale, "priority"));
}
