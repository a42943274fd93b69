/* SPDX-License-Identifier: MIT */
/*
 * chaos.c: see chaos.h. Tables of lines with holes (chaos.def) hold the possible statements.
 *
 * Allocation aN belongs to device N modulo the number of devices; bN is aN, opened for the next
 * device. Names that the text has not made yet are not used: the language would refuse the text.
 * Now and then a life drops all owners and continues with new ones: after a reset the old
 * ones are refused.
 */
#include "tests/chaos/chaos.h"

#include "scenarios/lang/scenario.h"
#include "tests/support/trial.h"
#include "vidmm/vidmm_mock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 10, NODES_MAX = 4, OPERATIONS = 70 };

struct life {
    struct script *script;
    const char *version;
    uint32_t nodes, devices, contexts;
    uint32_t first_device, first_context; /* of those that came last */
    char last[8];                         /* allocation that a line named */
    uint32_t device;                      /* of the context that the line names; else any */
    bool named[NAMES], opened[NAMES];
};

enum when { ALWAYS, OLD, SINCE_1_2, NEW, FAULTS, HANGS, LINKED };

struct line {
    uint32_t weight;
    enum when when; /* below 2.0, from 1.2 or 2.0 on; with faults, with hangs, or in an old link */
    const char *text;
    bool unknown;
};

/* ---- possible lines ------------------------------------------------------------------------ */

static struct line settings[] = {
#define SETTING(weight, when, text) { weight, when, text, false },
#include "tests/chaos/chaos.def"
};

static struct line drivers[] = {
#define DRIVER(weight, when, text) { weight, when, text, false },
#include "tests/chaos/chaos.def"
};

static struct line buffers[] = {
#define BUFFER(weight, when, text) { weight, when, text, false },
#include "tests/chaos/chaos.def"
};

static struct line kinds[] = {
#define KIND(weight, when, text) { weight, when, text, false },
#include "tests/chaos/chaos.def"
};

static struct line operations[] = {
#define OPERATION(weight, when, text) { weight, when, text, false },
#include "tests/chaos/chaos.def"
};

/* ---- holes --------------------------------------------------------------------------------- */

static void say_allocation(struct life *life, bool of_device)
{
    struct dice *dice = life->script->dice;
    uint32_t start = dice_below(dice, NAMES);
    bool opened_first = !dice_below(dice, 3);
    for (uint32_t i = 0; i < NAMES; i++) {
        uint32_t n = (start + i) % NAMES;
        bool own = !of_device || n % life->devices == life->device;
        bool next = !of_device || (n + 1) % life->devices == life->device;
        bool opened = life->opened[n] && next;
        if (opened && (opened_first || !(own && life->named[n]))) {
            script_say(life->script, "b%" PRIu32, n);
            return;
        }
        if (own && life->named[n]) {
            script_say(life->script, "a%" PRIu32, n);
            return;
        }
    }
    script_say(life->script, "a0");
}

static void say_one(struct life *life)
{
    size_t before = life->script->length;
    say_allocation(life, false);
    (void)snprintf(life->last, sizeof life->last, "%s", life->script->text + before);
}

static void say_allocations(struct life *life)
{
    uint32_t more = dice_below(life->script->dice, 3);
    say_allocation(life, true);
    for (; more > 0; more--) {
        script_say(life->script, ",");
        say_allocation(life, true);
    }
}

static void say_device(struct life *life, uint32_t n)
{
    script_say(life->script, "d%" PRIu32, life->first_device + n);
}

static void say_opening(struct life *life)
{
    uint32_t n = dice_below(life->script->dice, NAMES);
    while (!life->named[n])
        n = (n + 1) % NAMES;
    script_say(life->script, "a%" PRIu32 " as b%" PRIu32 " device=", n, n);
    say_device(life, (n + 1) % life->devices);
    life->opened[n] = true;
}

/* Now and then a line has a value that no switch of this kind takes: it switches off instead. */
static void say_fault(struct life *life)
{
    static const char *const statuses = "STATUS_UNSUCCESSFUL|STATUS_NO_MEMORY|STATUS_NOT_SUPPORTED|"
                                        "STATUS_GRAPHICS_ALLOCATION_BUSY|0xE0000001";
    struct vidmm_mock_switch_state scratch[VIDMM_MOCK_SWITCH_COUNT];
    struct script *script = life->script;
    struct dice *dice = script->dice;
    uint32_t row = dice_below(dice, VIDMM_MOCK_SWITCH_COUNT);
    if (vidmm_mock_switch_moment(row) == VIDMM_MOCK_AT_LOAD)
        row = VIDMM_MOCK_NO_IRQ; /* a table that was loaded stays as it is */
    const char *kind = vidmm_mock_switch_value(row);
    script_say(script, "%s", vidmm_mock_switch_name(row));
    size_t before = script->length;
    if (*kind)
        script_say(script, "=");
    if (strcmp(kind, "status") == 0)
        script_say_word(script, statuses);
    else if (strcmp(kind, "number") == 0)
        script_say(script, "%" PRIu32, dice_below(dice, 3) ? dice_below(dice, 64) : 4096);
    else if (*kind)
        script_say_word(script, kind);
    if (*kind && dice_below(dice, 3))
        script_say(script, "@%" PRIu32, 1 + dice_below(dice, 4));
    const char *value = *kind ? script->text + before + 1 : NULL;
    if (dice_below(dice, 4) && vidmm_mock_switch_set(scratch, vidmm_mock_switch_name(row), value))
        return;
    script->length = before;
    script_say(script, " off");
}

static void fill_hole(struct life *life, char hole)
{
    struct script *script = life->script;
    struct dice *dice = script->dice;
    uint32_t context = dice_below(dice, life->contexts);
    switch (hole) {
    case 'a': say_one(life); break;
    case '=': script_say(script, "%s", life->last); break;
    case 'A': say_allocations(life); break;
    case 'C':
        life->device = context % life->devices;
        script_say(script, "c%" PRIu32, life->first_context + context);
        break;
    case 'd': say_device(life, dice_below(dice, life->devices)); break;
    case 'e': say_opening(life); break;
    case 'f': script_say(script, "f%" PRIu32, dice_below(dice, 4)); break;
    case 'g': script_say_word(script, "100|200|300|400|500"); break;
    case 'i': say_fault(life); break;
    case 'l':
        script_say_word(script, "ReadOnly|WriteOnly|DonotWait|IgnoreSync,DonotWait|LockEntire|"
                                "DonotEvict|AcquireAperture|Discard|UseAlternateVA|"
                                "LockEntire,DonotEvict|Discard,WriteOnly");
        break;
    case 'n': script_say(script, "n%" PRIu32, dice_below(dice, life->nodes)); break;
    case 'p': script_say_word(script, "0|0..1|1|0,2"); break;
    case 'k': script_say_word(script, "4K|8K|12K|64K"); break;
    case 't': script_say_word(script, "1us|20us|90us|400us|2ms"); break;
    default: script_say_word(script, "minimum|low|normal|high|maximum|0x78000001"); break;
    }
}

static void say_line(struct life *life, const char *text)
{
    life->device = dice_below(life->script->dice, life->devices);
    for (; *text; text++) {
        if (*text == '%')
            fill_hole(life, *++text);
        else
            script_say(life->script, "%c", *text);
    }
}

/* An outcome for each of its lines that can have one. */
static void say_operation(struct life *life, const char *text)
{
    struct script *script = life->script;
    size_t first = script->length;
    char said[400];
    say_line(life, text);
    (void)snprintf(said, sizeof said, "%s", script->text + first);
    script->length = first;
    for (const char *at = said; *at;) {
        size_t length = strcspn(at, "\n");
        bool plain = *at == ' ' || strncmp(at, "end", length) == 0 ||
                     strncmp(at, "inject", strlen("inject")) == 0;
        script_say(script, "%.*s%s\n", (int)length, at, plain ? "" : " -> either");
        at += length + (at[length] == '\n');
    }
}

/* ---- choosing ------------------------------------------------------------------------------ */

struct moods {
    bool since_1_2, version_2, faults, hangs, linked;
};

static bool fits(const struct line *line, const struct moods *moods)
{
    switch (line->when) {
    case OLD: return !line->unknown && !moods->version_2;
    case SINCE_1_2: return !line->unknown && moods->since_1_2;
    case NEW: return !line->unknown && moods->version_2;
    case FAULTS: return !line->unknown && moods->faults;
    case HANGS: return !line->unknown && moods->hangs;
    case LINKED: return !line->unknown && moods->linked && !moods->version_2;
    default: return !line->unknown;
    }
}

static const char *choose(struct dice *dice, const struct line *lines, size_t count,
                          const struct moods *moods)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += fits(&lines[i], moods) ? lines[i].weight : 0;
    uint32_t pick = dice_below(dice, sum);
    size_t i = 0;
    while (!fits(&lines[i], moods) || pick >= lines[i].weight) {
        pick -= fits(&lines[i], moods) ? lines[i].weight : 0;
        i++;
    }
    return lines[i].text;
}

#define CHOOSE(dice, lines, moods) choose(dice, lines, ARRAY_COUNT(lines), moods)

/* ---- the world ----------------------------------------------------------------------------- */

static bool is_set(const struct script *script, const char *setting)
{
    char name[40];
    (void)snprintf(name, sizeof name, " %.*s=", (int)strcspn(setting, "="), setting);
    return strstr(script->text, name) != NULL;
}

static void say_adapter(struct life *life, const struct moods *moods)
{
    struct script *script = life->script;
    struct dice *dice = script->dice;
    script_say(script, "vidmm-scenario 1\nadapter wddm=%s", life->version);
    for (size_t i = 0; i < ARRAY_COUNT(settings); i++)
        if (fits(&settings[i], moods) && dice_below(dice, 14) < settings[i].weight &&
            !is_set(script, settings[i].text)) {
            script_say(script, " ");
            say_line(life, settings[i].text);
        }
    script_say(script, "\n");
    if (moods->linked)
        script_say(script, "link adapters=%" PRIu32 "\n", 2 + dice_below(dice, 2));
    if (!dice_below(dice, 4))
        script_say(script, "miniport mock %s\n", CHOOSE(dice, drivers, moods));
    script_say(script, "machine memory=1G");
    if (!dice_below(dice, 6))
        script_say(script, " commit=%" PRIu32 "K", 300 + 4 * dice_below(dice, 300));
    script_say(script, "\nsegment s1 id=1 kind=memory size=%" PRIu32 "K flags=CpuVisible\n",
               64 + 16 * dice_below(dice, 16));
    script_say(script, "segment s2 id=2 kind=aperture size=%" PRIu32 "K\n",
               64 + 16 * dice_below(dice, 12));
    script_say(script, "segment s3 id=3 kind=memory size=%" PRIu32 "K",
               32 + 8 * dice_below(dice, 16));
    bool preserved = strcmp(life->version, "1.2") >= 0 && !dice_below(dice, 2);
    script_say(script, "%s\n", preserved ? " flags=PreservedDuringStandby" : "");
    script_say(script, "paging-buffer segment=%s size=4K", dice_below(dice, 4) ? "system" : "s2");
    script_say(script, " count=%" PRIu32 "\n", 1 + dice_below(dice, 3));
    uint32_t paging = dice_below(dice, 2) ? life->nodes - 1 : dice_below(dice, life->nodes);
    for (uint32_t i = 0; i < life->nodes; i++)
        script_say(script, "node %" PRIu32 " name=n%" PRIu32 "%s\n", i, i,
                   i == paging ? " paging" : "");
}

static void say_context(struct life *life, uint32_t n, const struct moods *moods)
{
    struct script *script = life->script;
    struct dice *dice = script->dice;
    script_say(script, "context c%" PRIu32 " device=d%" PRIu32 " node=n%" PRIu32,
               life->first_context + n, life->first_device + n % life->devices,
               dice_below(dice, life->nodes));
    if (n && !dice_below(dice, 2)) /* the first submissions of c0 succeed */
        script_say(script, " %s", CHOOSE(dice, buffers, moods));
    script_say(script, " -> either\n");
}

static void say_owners(struct life *life, const struct moods *moods)
{
    for (uint32_t i = 0; i < life->devices; i++)
        script_say(life->script, "device d%" PRIu32 " process=p -> either\n",
                   life->first_device + i);
    for (uint32_t i = 0; i < life->contexts; i++)
        say_context(life, i, moods);
}

static void say_first_owners(struct life *life, const struct moods *moods)
{
    script_say(life->script, "process p\nsysmem m1 size=64K\n");
    say_owners(life, moods);
    for (uint32_t i = 0; i < 4; i++)
        script_say(life->script, "submit f%" PRIu32 " ctx=c0 cost=1us\n", i);
}

static void say_creation(struct life *life, uint32_t n, const struct moods *moods)
{
    struct script *script = life->script;
    const char *kind = CHOOSE(script->dice, kinds, moods);
    script_say(script, "create a%" PRIu32, n);
    if (!strstr(kind, "standard="))
        script_say(script, " size=%" PRIu32 "K",
                   strstr(kind, "from=") ? 64 : 4 + 4 * dice_below(script->dice, 24));
    if (!strstr(kind, "context=") && !strstr(kind, "standard="))
        script_say(script, " device=d%" PRIu32, life->first_device + n % life->devices);
    script_say(script, " ");
    say_line(life, kind);
    if (!dice_below(script->dice, 4))
        say_line(life, " priority=%y");
    script_say(script, " -> either\n");
    life->named[n] = true;
}

static void say_new_owners(struct life *life, const struct moods *moods)
{
    life->first_device += life->devices;
    life->first_context += life->contexts;
    memset(life->named, 0, sizeof life->named);
    memset(life->opened, 0, sizeof life->opened);
    say_owners(life, moods);
    for (uint32_t n = 0; n < 3; n++)
        say_creation(life, n, moods);
}

static void say_something(struct life *life, const struct moods *moods)
{
    struct dice *dice = life->script->dice;
    if (!dice_below(dice, 40))
        say_new_owners(life, moods);
    else if (!dice_below(dice, 10))
        say_creation(life, dice_below(dice, NAMES), moods);
    else
        say_operation(life, CHOOSE(dice, operations, moods));
}

static void say_end(struct life *life, const struct moods *moods)
{
    script_say(life->script, "power resume -> either\nreset pnp-start -> either\n"
                             "exclude off -> either\nwait idle -> either\nadvance 30s -> either\n"
                             "wait idle -> either\ndestroy all -> either\nwait idle -> either\n"
                             "advance 1us -> either\n");
    if (moods->hangs || moods->faults)
        return;
    for (uint32_t i = 0; i < life->nodes; i++)
        script_say(life->script, "expect state n%" PRIu32 " queued=0\n", i);
    script_say(life->script, "expect live() == 0\n");
}

void chaos_write(struct script *script, uint64_t seed)
{
    static const char *const old[] = { "1.0", "1.1", "1.1", "1.2", "1.3" };
    static const char *const recent[] = { "2.0", "2.1", "2.6", "3.0", "3.2" };
    struct dice own = dice_from((const uint8_t *)&seed, sizeof seed), *dice = &own;
    *script = (struct script){ .dice = dice };
    /* One throw in each statement: compilers order those of one statement as they like. */
    struct moods moods = { .version_2 = !dice_below(dice, 6) };
    moods.faults = !dice_below(dice, 4);
    moods.hangs = !dice_below(dice, 4);
    moods.linked = !dice_below(dice, 8);
    struct life life = { .script = script };
    life.version = moods.version_2 ? recent[dice_below(dice, ARRAY_COUNT(recent))]
                                   : old[dice_below(dice, ARRAY_COUNT(old))];
    life.nodes = 1 + dice_below(dice, NODES_MAX);
    life.devices = 1 + dice_below(dice, 3);
    life.contexts = life.devices + dice_below(dice, 4);
    moods.since_1_2 = strcmp(life.version, "1.2") >= 0;
    say_adapter(&life, &moods);
    say_first_owners(&life, &moods);
    for (uint32_t n = 0; n < 5; n++)
        say_creation(&life, n, &moods);
    for (uint32_t i = dice_below(dice, OPERATIONS); i > 0; i--)
        say_something(&life, &moods);
    say_end(&life, &moods);
    script->dice = NULL;
}

/* ---- learning ------------------------------------------------------------------------------ */

struct school {
    struct scenario_host host;
    bool later, wrong;
    char text[TRIAL_PROBLEM];
};

static void hear(struct scenario_host *host, const struct scenario_message *message)
{
    struct school *school = CONTAINER_OF(host, struct school, host);
    bool later = strstr(message->text, "not supported yet") != NULL;
    school->later |= later;
    if (message->severity != SCENARIO_ERROR || later || school->wrong)
        return;
    school->wrong = true;
    (void)snprintf(school->text, sizeof school->text, "%s", message->rendered);
}

/* A refusal for any other reason is a mistake in the tables above. */
static bool is_known(const struct script *script)
{
    struct school school = { .host.message = hear };
    struct scenario *scenario =
        scenario_parse(script->text, script->length, "chaos.vms", &school.host);
    bool known = scenario_check(scenario);
    scenario_free(scenario);
    if (school.wrong && !school.later) {
        (void)fprintf(stderr, "%s", school.text);
        exit(1);
    }
    return known;
}

#define IS_OF(line, table) ((line) >= (table) && (line) < (table) + ARRAY_COUNT(table))

static void learn(struct line *line)
{
    struct dice dice = { .state = 1 };
    struct script *script = base_alloc(1, sizeof *script);
    struct life life = { .script = script, .nodes = 2, .devices = 2, .contexts = 2 };
    const struct moods moods = { .faults = true, .hangs = true };
    bool setting = IS_OF(line, settings), kind = IS_OF(line, kinds);
    bool driver = IS_OF(line, drivers), buffer = IS_OF(line, buffers);
    script->dice = &dice;
    script_say(script, "vidmm-scenario 1\nadapter wddm=%s ",
               line->when == NEW         ? "2.0"
               : line->when == SINCE_1_2 ? "1.2"
                                         : "1.1");
    say_line(&life, setting ? line->text : "");
    script_say(script, "\nmachine memory=1G\n%s", line->when == LINKED ? "link adapters=2\n" : "");
    if (driver)
        script_say(script, "miniport mock %s\n", line->text);
    script_say(script,
               "segment s1 id=1 kind=memory size=1M flags=CpuVisible\n"
               "segment s2 id=2 kind=aperture size=1M\nsegment s3 id=3 kind=memory size=1M\n"
               "node 0 name=n0\nnode 1 name=n1 paging\n");
    say_first_owners(&life, &(struct moods){ false });
    if (buffer)
        script_say(script, "context k %s -> either\n", line->text);
    script_say(script, "create a0 size=64K ");
    say_line(&life, kind ? line->text : "");
    script_say(script, " -> either\n");
    life.named[0] = true;
    if (!setting && !driver && !buffer && !kind)
        say_operation(&life, line->text);
    say_end(&life, &moods);
    line->unknown = !is_known(script);
    base_free(script);
}

static struct {
    struct line *lines;
    size_t count;
} const tables[] = {
    { settings, ARRAY_COUNT(settings) },     { drivers, ARRAY_COUNT(drivers) },
    { buffers, ARRAY_COUNT(buffers) },       { kinds, ARRAY_COUNT(kinds) },
    { operations, ARRAY_COUNT(operations) },
};

void chaos_learn(void)
{
    for (size_t i = 0; i < ARRAY_COUNT(tables); i++)
        for (size_t j = 0; j < tables[i].count; j++)
            learn(&tables[i].lines[j]);
}

size_t chaos_left_out(void)
{
    size_t count = 0;
    for (size_t i = 0; i < ARRAY_COUNT(tables); i++)
        for (size_t j = 0; j < tables[i].count; j++)
            count += tables[i].lines[j].unknown;
    return count;
}
