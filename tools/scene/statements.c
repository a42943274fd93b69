/* SPDX-License-Identifier: MIT */
/*
 * statements.c: which lines of the scenario ran, how they ended, and what was said between them.
 */
#include "tools/scene/scene_state.h"

#include <inttypes.h>
#include <string.h>

#include "tools/common/run_options.h"
#include "tools/common/text.h"

/* What failed is shown although other statements are left out. */
enum { FAILED_MOST = 1000 };

static scene_index next_event(const struct scene_sink *self)
{
    return (scene_index)self->scene.event_count;
}

/* `extra`: so many more than there is room for. */
static scene_index add_statement(struct scene_sink *self, const struct scenario_span *at,
                                 const char *text, uint64_t extra)
{
    if (self->scene.statement_count >= self->options.most_events + extra) {
        self->scene.omitted.statements++;
        return SCENE_NONE;
    }
    struct scene_statement *row = SCENE_ADD(self, statements, statement_count);
    *row = (struct scene_statement){
        .line = at->line,
        .column = at->column,
        .file = texts_add(self, at->file),
        .text = texts_add_bytes(self, text, strcspn(text, "\r\n")),
        .first = next_event(self),
        .time = self->now,
    };
    return (scene_index)(self->scene.statement_count - 1);
}

/* The row of the line that runs, or a new one: an expectation of `always` stands elsewhere. NULL:
   there are too many. */
static struct scene_statement *statement_at(struct scene_sink *self, const struct scenario_span *at,
                                            const char *text)
{
    scene_index index = self->statement;
    if (index == SCENE_NONE || self->scene.statements[index].line != at->line ||
        self->scene.statements[index].file != texts_add(self, at->file))
        index = add_statement(self, at, text, FAILED_MOST);
    return index == SCENE_NONE ? NULL : &self->scene.statements[index];
}

static void judge(struct scene_sink *self, const struct scenario_telling *telling)
{
    bool good = telling->kind == SCENARIO_TELL_HELD && telling->value;
    if (good && self->statement == SCENE_NONE)
        return;
    struct scene_statement *row = statement_at(self, &telling->at, telling->text);
    if (!row || (good && row->verdict == SCENE_FAILED))
        return;
    row->verdict = good ? SCENE_HELD : SCENE_FAILED;
    /* The message, which came before, says what failed; the answer says why. */
    row->message = good ? 0 : texts_add(self, telling->answer);
}

/* "PLACE-007 Default direction is bottom-up; PLACE-012 ..." */
static scene_text rules_of(struct scene_sink *self, const struct scenario_telling *telling)
{
    struct text words = { 0 };
    for (size_t i = 0; i < telling->rule_count; i++) {
        const struct vidmm_rule_info *info = vidmm_rule_info(telling->rules[i]);
        text_add(&words, "%s%s %s", words.length ? "; " : "", info->id, info->title);
    }
    scene_text added = texts_add(self, text_get(&words));
    text_free(&words);
    return added;
}

static void add_question(struct scene_sink *self, struct scene_said *row,
                         const struct scenario_telling *telling)
{
    row->answer = texts_add(self, telling->answer);
    row->value = texts_add(self, text_print("%" PRIu64, telling->value).it);
    row->hint = telling->hint ? texts_add(self, telling->hint) : 0;
    row->rules = rules_of(self, telling);
    row->form = telling->form;
}

static void say(struct scene_sink *self, enum scene_said_kind kind,
                const struct scenario_telling *telling)
{
    if (self->scene.said_count >= self->options.most_events) {
        self->scene.omitted.said++;
        return;
    }
    struct scene_said *row = SCENE_ADD(self, said, said_count);
    *row = (struct scene_said){
        .kind = kind,
        .text = texts_add(self, telling->text),
        .answer =
            kind == SCENE_GIVEN || kind == SCENE_SETTING ? texts_add(self, telling->answer) : 0,
        .segment = kind == SCENE_MAP ? objects_segment(self, telling->segment) : SCENE_NONE,
        .event = next_event(self),
        .time = self->now,
        .statement = (uint32_t)self->scene.statement_count,
        .line = telling->at.line,
        .form = kind == SCENE_LESSON && telling->value,
    };
    if (kind == SCENE_ASK)
        add_question(self, row, telling);
}

/* Behind the words of a setting are the policies that were loaded. */
static const char *loaded_policy(const struct vidmm_config *config, size_t setting, uint64_t value)
{
    const struct vidmm_setting_info *info = vidmm_setting_row(setting);
    size_t words = vidmm_setting_word_count(info);
    if (!info->policies || value < words)
        return NULL;
    const struct vidmm_policies *loaded = config->policies[value - words];
    return setting == VIDMM_SETTING_EVICTION ? loaded->eviction->name : loaded->placement->name;
}

void statements_settings(struct scene_sink *self, const struct vidmm_config *config)
{
    const struct vidmm_settings *settings = &config->settings;
    uint64_t profile = settings->value[VIDMM_SETTING_PROFILE];
    const struct vidmm_setting_info *info;
    struct text words = { 0 };
    for (size_t i = 0; (info = vidmm_setting_row(i)) != NULL; i++) {
        size_t cost = i - VIDMM_SETTINGS;
        uint64_t usual = vidmm_setting_default(i, profile);
        uint64_t value = i < VIDMM_SETTINGS               ? settings->value[i]
                         : settings->cost_set >> cost & 1 ? settings->cost[cost]
                                                          : usual;
        const char *name = loaded_policy(config, i, value);
        if (value == usual && !info->policies)
            continue;
        text_clear(&words);
        if (name)
            text_add(&words, "%s", name);
        else
            run_options_write_value(&words, info, value);
        say(self, SCENE_SETTING,
            &(struct scenario_telling){ .text = info->name, .answer = text_get(&words) });
    }
    text_free(&words);
}

void statements_tell(struct scene_sink *self, const struct scenario_telling *telling)
{
    switch (telling->kind) {
    case SCENARIO_TELL_LESSON: say(self, SCENE_LESSON, telling); break;
    case SCENARIO_TELL_NOTE: say(self, SCENE_NOTE, telling); break;
    case SCENARIO_TELL_ASK: say(self, SCENE_ASK, telling); break;
    case SCENARIO_TELL_SHOW:
        if (strcmp(telling->text, "map") == 0)
            say(self, SCENE_MAP, telling);
        break;
    case SCENARIO_TELL_STATEMENT:
        self->statement = add_statement(self, &telling->at, telling->text, 0);
        break;
    case SCENARIO_TELL_HELD:
    case SCENARIO_TELL_UNEXPECTED: judge(self, telling); break;
    case SCENARIO_TELL_PARAM: say(self, SCENE_GIVEN, telling); break;
    case SCENARIO_TELL_TEST_BEGIN:
    case SCENARIO_TELL_TEST_END: break;
    }
}

/* What fails is told as well, with the answer of the expectation; some things are messages alone.
   Before the first act of a file nothing ran: the newest act is that of another file. */
void statements_message(struct scene_sink *self, const struct scenario_message *message)
{
    if (self->scene.act_count == self->first_act || !message->at.line)
        return;
    struct scene_statement *row = statement_at(self, &message->at, message->text);
    bool failed = message->severity == SCENARIO_FAILED || message->severity == SCENARIO_STOPPED ||
                  message->severity == SCENARIO_ERROR;
    if (!row || row->message || row->verdict == SCENE_FAILED)
        return;
    row->verdict = failed ? SCENE_FAILED : SCENE_WARNED;
    row->message = texts_add(self, message->text);
}
