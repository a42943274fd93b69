/* SPDX-License-Identifier: MIT */
/*
 * commands.c: what can be typed while a run stands still, and what does it do?
 *
 * One table: names, what may follow, help. A command is known by any beginning that no other one
 * has, and by its short names.
 */
#define _DEFAULT_SOURCE /* strtok_r */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "scenarios/lang/scenario_items.h"
#include "scenarios/lang/scenario_twin.h"
#include "tools/common/run_options.h"
#include "tools/step/session.h"

enum { COMMAND_WORDS = 8, NUMBER_MOST = 1000000000 };

struct command {
    const char *name;
    const char *others; /* "a|b": short names, and what others call it; "" for none */
    const char *arguments, *help;
    enum session_go (*run)(struct session *session, char **words, size_t count);
    size_t most;                      /* words after the name */
    enum { PLAIN, MOVES, ASKS } does; /* ASKS: it looks at the adapter */
};

/* ---- answers -------------------------------------------------------------------------------- */

enum session_go commands_refuse(struct session *session, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)fflush(stdout);
    wrap_print(stderr, "vidmm step: ", WRAP_LABEL_COLUMN, text);
    session->wrong = !prompt_is_terminal(session->prompt);
    return SESSION_STAY;
}

/* The number that may follow; 1 without one. */
static bool read_count(struct session *session, char **words, size_t count, uint64_t *number)
{
    *number = 1;
    if (!count || (text_read_size(words[0], number) && *number && *number <= NUMBER_MOST))
        return true;
    (void)commands_refuse(session, "'%s' is no number of steps: write 1 to %d", words[0],
                          NUMBER_MOST);
    return false;
}

/* ---- moving --------------------------------------------------------------------------------- */

static enum session_go go_on(struct session *session, struct target target)
{
    if (session->over)
        return commands_refuse(session, "the run is over: `back` leads to its last step, `to "
                                        "start` to the beginning");
    session->target = target;
    return SESSION_ON;
}

static enum session_go run_next(struct session *session, char **words, size_t count)
{
    uint64_t number;
    if (!read_count(session, words, count, &number))
        return SESSION_STAY;
    return go_on(session, (struct target){
                              .kind = TARGET_STEP, .count = session->step + number, .loud = true });
}

static enum session_go run_statement(struct session *session, char **words, size_t count)
{
    uint64_t number;
    if (!read_count(session, words, count, &number))
        return SESSION_STAY;
    return go_on(session, (struct target){ .kind = TARGET_STATEMENT,
                                           .count = session->statement + number,
                                           .loud = true });
}

static enum session_go run_back(struct session *session, char **words, size_t count)
{
    uint64_t number;
    if (!read_count(session, words, count, &number))
        return SESSION_STAY;
    if (!session->begun)
        return commands_refuse(session, "this is the start");
    /* From the middle, the step before is the last one that was. */
    uint64_t back = session->on_step && !session->over ? number : number - 1;
    session->target = (struct target){ .kind = TARGET_STEP,
                                       .count = session->step - min_u64(back, session->step) };
    return SESSION_AGAIN;
}

static enum session_go run_run(struct session *session, char **words, size_t count)
{
    (void)words;
    (void)count;
    return go_on(session, (struct target){ .kind = TARGET_BREAK });
}

/* Is it behind? Then the way there begins at the start. */
static bool is_behind(const struct session *session, const struct where *where)
{
    switch (where->kind) {
    case WHERE_EVENT: return session->over || where->number <= session->seq;
    case WHERE_TIME: return session->over || where->number <= session->time;
    case WHERE_START: return true;
    case WHERE_END: return false;
    default: return session->over;
    }
}

/* Of a line where nothing runs, the next one that has something; false, and why: there is none. */
static bool find_line(const struct session *session, struct where *where, struct text *why)
{
    const struct host_file *file = &session->file;
    if (where->kind != WHERE_LINE || scenario_is_twin(file->text, file->bytes))
        return true;
    uint32_t line = where->number <= UINT32_MAX
                        ? scenario_line_from(file->scenario, (uint32_t)where->number)
                        : 0;
    if (!line) {
        text_add(why, "nothing runs on line %" PRIu64 " of %s, nor after it", where->number,
                 file->name);
        return false;
    }
    if (line != where->number) {
        (void)printf("nothing runs on line %" PRIu64 "; the next that does is line %" PRIu32 "\n",
                     where->number, line);
        where->number = line;
        (void)snprintf(where->text, sizeof where->text, "line %" PRIu32, line);
    }
    return true;
}

static enum session_go run_to(struct session *session, char **words, size_t count)
{
    struct target target = {
        .kind = TARGET_WHERE, .tries = true, .home = session->moment, .over = session->over
    };
    struct text why = { 0 };
    bool good =
        where_read(&target.where, words, count, &why) && find_line(session, &target.where, &why);
    if (!good)
        (void)commands_refuse(session, "%s", text_get(&why));
    text_free(&why);
    if (!good)
        return SESSION_STAY;
    bool again = session->begun && is_behind(session, &target.where);
    target.tries = target.where.kind != WHERE_END;
    /* An event has one number and one time; the others may lie behind, and come again. */
    bool once = target.where.kind == WHERE_EVENT || target.where.kind == WHERE_TIME;
    target.restarts = target.tries && !once && session->begun && !again;
    if (target.where.kind == WHERE_START)
        target = (struct target){ .kind = TARGET_MOMENT };
    if (!again)
        return go_on(session, target);
    session->target = target;
    return SESSION_AGAIN;
}

/* ---- breaks --------------------------------------------------------------------------------- */

static enum session_go run_break(struct session *session, char **words, size_t count)
{
    struct text why = { 0 };
    struct where where;
    if (!count) {
        for (size_t i = 0; i < session->break_count; i++)
            (void)printf("  %2zu  %s\n", i + 1, session->breaks[i].text);
        if (!session->break_count)
            (void)puts("no breaks; `break evict` makes one");
        return SESSION_STAY;
    }
    if (session->break_count == SESSION_BREAKS)
        return commands_refuse(session, "%d breaks are the limit; `delete N` takes one away",
                               SESSION_BREAKS);
    bool good = where_read(&where, words, count, &why) && find_line(session, &where, &why);
    if (good && (where.kind == WHERE_START || where.kind == WHERE_END)) {
        text_add(&why, "every run stops at its %s", where.text);
        good = false;
    }
    if (good)
        session->breaks[session->break_count++] = where;
    else
        (void)commands_refuse(session, "%s", text_get(&why));
    text_free(&why);
    return SESSION_STAY;
}

static enum session_go run_delete(struct session *session, char **words, size_t count)
{
    uint64_t number = 0;
    if (!count) {
        session->break_count = 0;
        return SESSION_STAY;
    }
    if (!text_read_size(words[0], &number) || !number || number > session->break_count)
        return commands_refuse(session, "'%s' is no break; `break` lists them", words[0]);
    session->break_count--;
    memmove(&session->breaks[number - 1], &session->breaks[number],
            (session->break_count - number + 1) * sizeof *session->breaks);
    return SESSION_STAY;
}

static enum session_go run_quit(struct session *session, char **words, size_t count)
{
    (void)session;
    (void)words;
    (void)count;
    return SESSION_QUIT;
}

/* ---- the table ------------------------------------------------------------------------------ */

static enum session_go run_help(struct session *session, char **words, size_t count);

static const struct command commands[] = {
    { "next", "n|step|stepi", "[N]", "the next event that is shown, or failure; N times", run_next,
      1, MOVES },
    { "back", "b|prev|previous|undo", "[N]", "the step before; N steps", run_back, 1, MOVES },
    { "statement", "s|over", "[N]", "up to the next statement, before it runs", run_statement, 1,
      MOVES },
    { "to", "t|goto|until|u|advance|jump", "WHERE",
      "to a place, forwards or back, past any break: 57 or event 57, 5.9ms, line 25, fail, start, "
      "end, evict, "
      "evict NAME, PLACE-012 (any event or rule)",
      run_to, WHERE_WORDS, MOVES },
    { "run", "r|c|continue|cont|go", "", "to the next break, or to the end", run_run, 0, MOVES },
    { "break", "br|stop", "[WHERE]", "`run` stops there, whenever it comes; alone: list the breaks",
      run_break, WHERE_WORDS, PLAIN },
    { "delete", "d|clear|unbreak", "[N]", "take break N away, or all", run_delete, 1, PLAIN },
    { "why", "w|reason|explain", "[NAME]",
      "what the last decision (about NAME) looked at: searches, holes, who left, who stays and "
      "why, with the rules and whose word they are; where a node has to stop, why it has",
      looks_why, 1, PLAIN },
    { "print", "p|show|alloc|allocation", "NAME", "an allocation", looks_print, 1, ASKS },
    { "map", "m", "[SEGMENT]", "what lies where", looks_map, 1, ASKS },
    { "queue", "queues|nodes", "", "what the nodes have to do", looks_queue, 0, ASKS },
    { "counters", "counter", "", "the counters that are not 0", looks_counters, 0, ASKS },
    { "memory", "mem", "", "the memory report", looks_memory, 0, ASKS },
    { "where", "pwd|position", "", "the event, the time and the line of this moment", looks_where,
      0, PLAIN },
    { "list", "l|source", "", "the lines around this one", looks_list, 0, PLAIN },
    { "help", "h|?|commands", "[COMMAND]", "this list", run_help, 1, PLAIN },
    { "quit", "q|exit|bye", "", "leave", run_quit, 0, PLAIN },
};

/* By its name, another one of it, or the beginning of one only; else NULL, and those of which it is
   the beginning. */
static const struct command *command_of(const char *word, struct text *several)
{
    const struct command *found = NULL;
    size_t count = 0;
    for (size_t i = 0; i < ARRAY_COUNT(commands); i++)
        if (strcmp(commands[i].name, word) == 0 || text_listed(commands[i].others, word))
            return &commands[i];
    for (size_t i = 0; i < ARRAY_COUNT(commands); i++) {
        if (strncmp(commands[i].name, word, strlen(word)) != 0)
            continue;
        if (several)
            text_add(several, "%s%s", count ? " or " : "", commands[i].name);
        found = &commands[i];
        count++;
    }
    return count == 1 ? found : NULL;
}

/* NULL, and a message: there is none, or several. */
static const struct command *find_command(struct session *session, const char *word)
{
    struct text_likeness likeness = text_likeness(word);
    struct text several = { 0 };
    const struct command *found = command_of(word, &several);
    for (size_t i = 0; i < ARRAY_COUNT(commands); i++)
        text_liken(&likeness, commands[i].name);
    if (!found && several.length)
        (void)commands_refuse(session, "'%s' may be %s", word, text_get(&several));
    else if (!found && likeness.best)
        (void)commands_refuse(session, "'%s' is no command; did you mean '%s'?", word,
                              likeness.best);
    else if (!found)
        (void)commands_refuse(session, "'%s' is no command; `help` lists them", word);
    text_free(&several);
    return found;
}

/* ---- what Tab offers ------------------------------------------------------------------------ */

static void offer_commands(struct prompt_offers *offers)
{
    for (size_t i = 0; i < ARRAY_COUNT(commands); i++)
        prompt_offer(offers, commands[i].name);
}

/* Rules are many: offered where their capital letters begin, and by their areas as long as there
   are several. */
static void offer_rules(const char *start, struct prompt_offers *offers)
{
    size_t typed = strlen(start), areas = 0;
    for (int round = 0; round < 2 && *start >= 'A' && *start <= 'Z'; round++) {
        const char *before = "";
        for (size_t i = 1; i <= vidmm_rule_count(); i++) {
            const char *id = vidmm_rule_id((enum vidmm_rule)i);
            size_t length = strcspn(id, "-") + 1;
            bool first = strncmp(id, before, length) != 0;
            if (strncmp(id, start, typed) != 0)
                continue;
            before = id;
            if (round == 0)
                areas += first;
            else if (areas == 1 || first)
                prompt_offer(offers, areas == 1 ? id : text_print("%.*s", (int)length, id).it);
        }
    }
}

static void offer_places(const char *start, struct prompt_offers *offers)
{
    static const char *const places[] = { "event", "line", "fail", "start", "end" };
    for (size_t i = 0; i < ARRAY_COUNT(places); i++)
        prompt_offer(offers, places[i]);
    for (int i = VIDMM_EVENT_NONE + 1; i < VIDMM_EVENT_KINDS; i++)
        if (!trail_only((enum vidmm_event_kind)i))
            prompt_offer(offers, vidmm_event_info((enum vidmm_event_kind)i)->name);
    offer_rules(start, offers);
}

static void offer_allocations(const struct session *session, struct prompt_offers *offers)
{
    for (size_t i = 0; session->adapter && i < session->created_count; i++)
        if (vidmm_object_kind(session->adapter, session->created[i]) == VIDMM_OBJECT_ALLOCATION)
            prompt_offer(offers, vidmm_label(session->adapter, session->created[i]));
}

static void offer_segments(const struct session *session, struct prompt_offers *offers)
{
    struct vidmm_segment_view view;
    for (uint32_t id = 1; session->adapter && vidmm_segment_view(session->adapter, id, &view); id++)
        prompt_offer(offers, view.name);
}

void commands_words(const void *of, const char *word, const char *start,
                    struct prompt_offers *offers)
{
    const struct session *session = of;
    const struct command *command = word ? command_of(word, NULL) : NULL;
    if (word && !command)
        return;
    const char *takes = command ? command->arguments : "COMMAND";
    if (strstr(takes, "COMMAND"))
        offer_commands(offers);
    else if (strstr(takes, "WHERE"))
        offer_places(start, offers);
    else if (strstr(takes, "NAME"))
        offer_allocations(session, offers);
    else if (strstr(takes, "SEGMENT"))
        offer_segments(session, offers);
}

static void print_others(const char *others)
{
    struct text text = { 0 };
    text_add(&text, "also ");
    for (const char *at = others; *at; at++) {
        if (*at == '|')
            text_add(&text, ", ");
        else
            text_add_bytes(&text, at, 1);
    }
    wrap_row(2, text_print("%-18s", "").it, 21, text_get(&text));
    text_free(&text);
}

static enum session_go run_help(struct session *session, char **words, size_t count)
{
    const struct command *one = count ? find_command(session, words[0]) : NULL;
    char name[40];
    if (count && !one)
        return SESSION_STAY;
    for (size_t i = 0; i < ARRAY_COUNT(commands); i++) {
        const struct command *command = &commands[i];
        if (one && one != command)
            continue;
        (void)snprintf(name, sizeof name, "%s %s", command->name, command->arguments);
        wrap_row(2, text_print("%-18s", name).it, 21, command->help);
        if (one && *command->others)
            print_others(command->others);
    }
    if (!one)
        wrap_print(stdout, "", 0,
                   "Any beginning will do that no other command has: n, b, ma. On a terminal an "
                   "empty line does the last next, back, statement, to or run once more, if no "
                   "other command came after it.");
    return SESSION_STAY;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* After the end there is no adapter any more: the run is made again up to its last moment, where
   `line` is carried out. */
static enum session_go ask_at_end(struct session *session, const char *line)
{
    if (!session->over || !session->adapters)
        return commands_refuse(session, "no adapter has started yet");
    text_add(&session->pending, "%s", line);
    session->target = (struct target){ .kind = TARGET_LAST };
    return SESSION_AGAIN;
}

static enum session_go carry_out(struct session *session, char *line)
{
    char *words[COMMAND_WORDS], *rest = line, whole[PROMPT_BYTES];
    size_t count = 0;
    (void)snprintf(whole, sizeof whole, "%s", line);
    text_clear(&session->repeat);
    for (char *word; count < COMMAND_WORDS && (word = strtok_r(rest, " \t", &rest)) != NULL;)
        words[count++] = word;
    if (!count || words[0][0] == '#')
        return SESSION_STAY;
    const struct command *command = find_command(session, words[0]);
    if (!command)
        return SESSION_STAY;
    if (count - 1 > command->most)
        return commands_refuse(session, "'%s' takes no '%s': write %s %s", command->name,
                               words[command->most + 1], command->name, command->arguments);
    if (command->does == MOVES)
        text_add(&session->repeat, "%s", whole);
    if (command->does == ASKS && !session->adapter)
        return ask_at_end(session, whole);
    enum session_go go = command->run(session, words + 1, count - 1);
    session->trail->told = 0; /* other lines stand between */
    return go;
}

static struct text_short prompt_for(const struct session *session)
{
    if (!session->begun)
        return text_print("(start) ");
    if (session->over)
        return text_print("(end) ");
    return text_print("(event %" PRIu64 ") ", session->seq);
}

/* The next line; on a terminal, an empty one is the one before once more, if that moved. */
static enum prompt_end next_line(struct session *session, char *line)
{
    if (session->pending.length) {
        (void)snprintf(line, PROMPT_BYTES, "%s", text_get(&session->pending));
        text_clear(&session->pending);
        return PROMPT_LINE;
    }
    enum prompt_end end = prompt_line(session->prompt, prompt_for(session).it, line);
    bool empty = end == PROMPT_LINE && !line[strspn(line, " \t")];
    if (empty && prompt_is_terminal(session->prompt))
        (void)snprintf(line, PROMPT_BYTES, "%s", text_get(&session->repeat));
    return end;
}

enum session_go commands_read(struct session *session)
{
    char line[PROMPT_BYTES];
    enum session_go go = SESSION_STAY;
    while (go == SESSION_STAY) {
        switch (next_line(session, line)) {
        case PROMPT_LINE: go = carry_out(session, line); break;
        case PROMPT_OVER: go = SESSION_QUIT; break;
        case PROMPT_LONG:
            (void)commands_refuse(session, "a command has at most %d characters", PROMPT_BYTES - 2);
            break;
        case PROMPT_INTERRUPTED:
            if (prompt_is_terminal(session->prompt))
                interrupt_drop();
            else
                go = SESSION_QUIT;
            session->interrupted = go == SESSION_QUIT;
            break;
        }
    }
    (void)fflush(stdout);
    return go;
}
