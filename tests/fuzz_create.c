/* SPDX-License-Identifier: MIT */
/*
 * fuzz_create.c: creations with any flags, sets, sizes and versions, and a short life after them.
 *
 * The bytes become a scenario. What a creation can say comes from the language's own table of
 * attributes, so a new attribute is tried without a change here. Nothing may crash or break an
 * invariant, and whatever is refused, warned about or found names a rule. The entry is that of
 * fuzzing engines; fuzz_replay.c calls it without one.
 */
#include "scenarios/lang/scenario.h"
#include "vidmm/base.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TEXT_MAX = 1 << 16, CREATIONS = 8 };

/* Every bit of the input decides about every number: neighbouring inputs are far apart. */
struct dice {
    uint64_t state;
};

static struct dice dice_from(const uint8_t *data, size_t size)
{
    struct dice dice = { UINT64_C(0xCBF29CE484222325) };
    for (size_t i = 0; i < size; i++)
        dice.state = (dice.state ^ data[i]) * UINT64_C(0x100000001B3);
    dice.state |= 1;
    return dice;
}

static uint32_t throw(struct dice * dice)
{
    dice->state ^= dice->state << 13;
    dice->state ^= dice->state >> 7;
    dice->state ^= dice->state << 17;
    return (uint32_t)(dice->state >> 16);
}

static uint32_t below(struct dice *dice, uint32_t bound)
{
    return throw(dice) % bound;
}

struct script {
    struct dice *dice;
    uint32_t segments;
    char text[TEXT_MAX];
    size_t length;
};

VIDMM_PRINTF(2, 3) static void say(struct script *script, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int more =
        vsnprintf(script->text + script->length, TEXT_MAX - script->length, format, arguments);
    va_end(arguments);
    CHECK(more >= 0 && script->length + (size_t)more < TEXT_MAX);
    script->length += (size_t)more;
}

/* ---- values -------------------------------------------------------------------------------- */

/* Up to four bits, so that combinations are legal now and then. */
static uint32_t some_bits(struct dice *dice)
{
    uint32_t bits = 0;
    for (uint32_t i = below(dice, 5); i > 0; i--)
        bits |= UINT32_C(1) << below(dice, below(dice, 4) ? 12 : 32);
    return bits;
}

static uint64_t some_size(struct dice *dice)
{
    static const uint64_t strange[] = { 0, 1, 0x1801, 1 << 30, UINT64_C(1) << 32, UINT64_MAX };
    if (!below(dice, 8))
        return strange[below(dice, ARRAY_COUNT(strange))];
    uint64_t size = UINT64_C(0x1000) << below(dice, 8);
    return below(dice, 4) ? size : size + 0x1000 + throw(dice) % 0x10000;
}

static void say_segments(struct script *script)
{
    const char *comma = "";
    if (!below(script->dice, 12)) {
        say(script, "none");
        return;
    }
    uint32_t set = 1 + below(script->dice, (1u << script->segments) - 1);
    for (uint32_t id = 1; id <= script->segments; id++)
        if (set >> (id - 1) & 1) {
            say(script, "%ss%" PRIu32, comma, id);
            comma = ",";
        }
}

/* One of "a|b|c". */
static void say_word(struct script *script, const char *words)
{
    uint32_t count = 1;
    for (const char *at = words; (at = strchr(at, '|')) != NULL; at++)
        count++;
    for (uint32_t skip = below(script->dice, count); skip > 0; skip--)
        words = strchr(words, '|') + 1;
    say(script, "%.*s", (int)strcspn(words, "|"), words);
}

static void say_name(struct script *script, const char *attribute)
{
    static const char *const letters[][2] = { { "from", "m" },
                                              { "context", "c" },
                                              { "hResource", "r" } };
    const char *letter = "d";
    for (size_t i = 0; i < ARRAY_COUNT(letters); i++)
        if (strcmp(attribute, letters[i][0]) == 0)
            letter = letters[i][1];
    say(script, "%s%" PRIu32, letter, 1 + below(script->dice, 2));
}

/* False: nothing was said, this kind of value is not tried. */
static bool say_value(struct script *script, const struct scenario_word_help *row)
{
    struct dice *dice = script->dice;
    if (strcmp(row->name, "NumAllocations") == 0) /* each of them is really made */
        say(script, "%" PRIu32, below(dice, 6));
    else if (row->words && (!*row->value || !below(dice, 4)))
        say_word(script, row->words);
    else if (strcmp(row->value, "N") == 0 || strcmp(row->value, "VALUE") == 0)
        say(script, "0x%" PRIx32, below(dice, 3) ? below(dice, 8) : some_bits(dice));
    else if (strcmp(row->value, "SIZE") == 0)
        say(script, "0x%" PRIx64, some_size(dice));
    else if (strcmp(row->value, "FLAGS") == 0 || strcmp(row->value, "LEVEL") == 0)
        say(script, "0x%" PRIx32, some_bits(dice));
    else if (strcmp(row->value, "SEGS") == 0)
        say_segments(script);
    else if (strcmp(row->value, "BANKS") == 0)
        say(script, "%" PRIu32 "%s", 1 + below(dice, 4), below(dice, 2) ? ":top" : "");
    else if (strcmp(row->value, "NAME") == 0)
        say_name(script, row->name);
    else
        return false;
    return true;
}

/* ---- statements ---------------------------------------------------------------------------- */

static void say_attribute(struct script *script, const struct scenario_word_help *row)
{
    size_t before = script->length;
    if (!*row->value && !row->words) {
        say(script, " %s", row->name);
        return;
    }
    say(script, " %s=", row->name);
    if (!say_value(script, row)) {
        script->length = before;
        script->text[before] = '\0';
    }
}

static void say_create(struct script *script, uint32_t number)
{
    struct scenario_word_help row;
    /* Few attributes: a creation in which everything is wrong says little. */
    uint32_t rarity = 4 + below(script->dice, 40);
    bool shared = !below(script->dice, 4);
    say(script, "create a%" PRIu32 "%s", number, shared ? " kmt=CreateResource,CreateShared" : "");
    for (size_t i = 0; scenario_attribute_help(i, &row); i++) {
        bool create = strcmp(row.of, "create") == 0 && row.supported &&
                      !(shared && strcmp(row.name, "kmt") == 0);
        bool usual = strcmp(row.name, "size") == 0 || strcmp(row.name, "segments") == 0;
        bool flags = strcmp(row.name, "flags") == 0;
        if (create &&
            (usual ? below(script->dice, 20) != 0 : !below(script->dice, flags ? 2 : rarity)))
            say_attribute(script, &row);
    }
    say(script, " -> either\n");
}

/* Memory that the CPU sees becomes the store of a second allocation, or of a standard one. */
static void say_borrowing(struct script *script, uint32_t number)
{
    static const char *const borrowers[] = {
        "flags=CpuVisible,ExistingSysMem",
        "flags=CpuVisible,Cached,ExistingSysMem",
        "kmt=0x10823",
        "kmt=0x30803",
    };
    struct dice *dice = script->dice;
    if (below(dice, 3))
        say(script, "lock a%" PRIu32 " -> either\n", number);
    say(script, "sysmem v%" PRIu32 " of=a%" PRIu32 "%s -> either\n", number, number,
        below(dice, 4) ? "" : " size=4K offset=0x800");
    say(script, "create b%" PRIu32 " size=4K ", number);
    if (below(dice, 2))
        say(script, "segments=s2 ");
    say(script, "%s from=", borrowers[below(dice, ARRAY_COUNT(borrowers))]);
    if (below(dice, 3))
        say(script, "v%" PRIu32 " -> either\n", number);
    else
        say(script, "m%" PRIu32 " -> either\n", 1 + below(dice, 4));
}

static void say_adapter(struct script *script)
{
    static const char *const versions[] = { "1.0", "1.1", "1.2", "1.3", "2.0", "2.1",
                                            "2.3", "2.6", "2.9", "3.0", "3.2" };
    static const char *const memory[] = { "", "flags=CpuVisible", "flags=0x24", "flags=0x80c" };
    struct dice *dice = script->dice;
    say(script, "vidmm-scenario 1\nadapter wddm=%s strict=%s CrossAdapterResource=%d\n",
        versions[below(dice, ARRAY_COUNT(versions))], below(dice, 4) ? "off" : "on",
        below(dice, 4) != 0);
    script->segments = 2 + below(dice, 2);
    say(script, "segment s1 id=1 kind=memory size=1M %s\n",
        memory[below(dice, below(dice, 4) ? 2 : 4)]);
    say(script, "segment s2 id=2 kind=aperture size=1M %s\n",
        below(dice, 2) ? "flags=CacheCoherent" : "");
    if (script->segments == 3)
        say(script, "segment s3 id=3 kind=memory size=512K\n");
    say(script, "process p1\nprocess p2\ndevice d2 process=p2\ndevice d1 process=p1\n"
                "context c1 device=d1\ncontext c2 device=d2\n"
                "sysmem m1 size=64K\nsysmem m2 size=1M kernel cached\n"
                "sysmem m3 size=64K section\nsysmem m4 size=1M cached process=p1\n"
                "resource r1 -> either\nend\nresource r2 kmt=CreateShared -> either\nend\n");
}

static void say_life(struct script *script, uint32_t number)
{
    static const char *const lines[] = {
        "submit auto ctx=c1 read=a%u -> either\n",
        "submit auto ctx=c1 write=a%u -> either\n",
        "lock a%u -> either\n",
        "write a%u -> either\n",
        "unlock a%u -> either\n",
        "page-in a%u -> either\n",
        "evict a%u -> either\n",
        "priority a%u high -> either\n",
        "destroy a%u -> either\n",
        "open a%u as b device=d2 -> either\n",
        "open a%u as c device=d1 -> either\nclose b -> either\n",
        "submit auto ctx=c2 read=b write=a%u -> either\n",
        "submit auto ctx=c2 write=b -> either\nlock a%u device=d1 -> either\n",
        "close c -> either\nevict a%u -> either\n",
        "submit auto ctx=c1 write=b%u -> either\n",
        "page-in b%u -> either\n",
        "evict b%u -> either\n",
        "destroy b%u -> either\n",
        "free v%u -> either\n",
    };
    /* The format is one of the lines above. */
    char line[80];
    const char *chosen = lines[below(script->dice, ARRAY_COUNT(lines))];
    const char *mark = strchr(chosen, '%');
    (void)snprintf(line, sizeof line, "%.*s%" PRIu32 "%s", (int)(mark - chosen), chosen, number,
                   mark + 2);
    say(script, "%s", line);
}

/* ---- the run ------------------------------------------------------------------------------- */

static void hear(struct scenario_host *host, const struct scenario_message *message)
{
    (void)host;
    if (message->severity == SCENARIO_ERROR)
        (void)fprintf(stderr, "%s", message->rendered);
}

static bool load_nothing(struct scenario_host *host, const char *path, char **text, size_t *bytes)
{
    (void)host, (void)path, (void)text, (void)bytes;
    return false;
}

static void watch(struct vidmm_observer *self, const struct vidmm_event *event)
{
    (void)self;
    bool complaint = event->kind == VIDMM_EVENT_REFUSE || event->kind == VIDMM_EVENT_WARN ||
                     event->kind == VIDMM_EVENT_FINDING || event->kind == VIDMM_EVENT_BUGCHECK;
    CHECK(!complaint || event->rule != VIDMM_RULE_NONE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct vidmm_observer observer = { .on_event = watch };
    struct scenario_host host = { .message = hear, .load = load_nothing, .observers = &observer };
    const struct scenario_options options = { .check_invariants = true };
    struct scenario_result result = { .exit = SCENARIO_EXIT_OK };
    struct dice dice = dice_from(data, size);
    struct script *script = base_alloc(1, sizeof *script);
    *script = (struct script){ .dice = &dice };
    say_adapter(script);
    for (uint32_t i = 0; i < CREATIONS; i++)
        say_create(script, i);
    for (uint32_t i = 0; i < CREATIONS; i++)
        if (!below(&dice, 4))
            say_borrowing(script, i);
    for (uint32_t i = 0; i < 3 * CREATIONS; i++)
        say_life(script, below(&dice, CREATIONS));
    say(script, "wait idle -> either\ndestroy all -> either\n");

    struct scenario *scenario = scenario_parse(script->text, script->length, "create.vms", &host);
    /* The generator writes nothing that the language does not know. */
    CHECK(scenario_check(scenario));
    scenario_run(scenario, &options, &result);
    scenario_free(scenario);
    base_free(script);
    return 0;
}
