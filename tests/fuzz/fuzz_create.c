/* SPDX-License-Identifier: MIT */
/*
 * fuzz_create.c: creations with any flags, sets, sizes and versions, and a short life after them.
 *
 * The bytes become a scenario: each record after the first (record.h) becomes a statement or two.
 * The attributes of a creation come from the language's own table, so a new attribute is tried
 * without a change here. Nothing may crash or break an invariant, and whatever is refused, warned
 * about or found names a rule. The entry is that of fuzzing engines, as is the one of
 * edit_records.c, which changes whole records; fuzz_replay.c calls both without one.
 */
#include "scenarios/lang/scenario.h"
#include "tests/fuzz/record.h"
#include "tests/support/trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CREATIONS = 8, RECORDS = 48 };

/* ---- values -------------------------------------------------------------------------------- */

/* Up to four bits, so that combinations are legal now and then. */
static uint32_t some_bits(struct dice *dice)
{
    uint32_t bits = 0;
    for (uint32_t i = dice_below(dice, 5); i > 0; i--)
        bits |= UINT32_C(1) << dice_below(dice, dice_below(dice, 4) ? 12 : 32);
    return bits;
}

static uint64_t some_size(struct dice *dice)
{
    static const uint64_t strange[] = { 0, 1, 0x1801, 1 << 30, UINT64_C(1) << 32, UINT64_MAX };
    if (!dice_below(dice, 8))
        return strange[dice_below(dice, ARRAY_COUNT(strange))];
    uint64_t size = UINT64_C(0x1000) << dice_below(dice, 8);
    return dice_below(dice, 4) ? size : size + 0x1000 + dice_throw(dice) % 0x10000;
}

static void say_segments(struct script *script, bool or_none)
{
    const char *comma = "";
    if (!dice_below(script->dice, 12) && or_none) {
        script_say(script, "none");
        return;
    }
    uint32_t set = 1 + dice_below(script->dice, (1u << script->segments) - 1);
    for (uint32_t id = 1; id <= script->segments; id++)
        if (set >> (id - 1) & 1) {
            script_say(script, "%ss%" PRIu32, comma, id);
            comma = ",";
        }
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
    script_say(script, "%s%" PRIu32, letter, 1 + dice_below(script->dice, 2));
}

static void say_banks(struct script *script)
{
    script_say(script, "%" PRIu32, 1 + dice_below(script->dice, 4));
    script_say(script, "%s", dice_below(script->dice, 2) ? ":top" : "");
}

/* False: nothing was written, this kind of value is not tried. */
static bool say_value(struct script *script, const struct scenario_word_help *row)
{
    struct dice *dice = script->dice;
    if (strcmp(row->name, "NumAllocations") == 0) /* each of them is really made */
        script_say(script, "%" PRIu32, dice_below(dice, 6));
    else if (row->words && (!*row->value || !dice_below(dice, 4)))
        script_say_word(script, row->words);
    else if (strcmp(row->value, "N") == 0 || strcmp(row->value, "VALUE") == 0)
        script_say(script, "0x%" PRIx32,
                   dice_below(dice, 3) ? dice_below(dice, 8) : some_bits(dice));
    else if (strcmp(row->value, "SIZE") == 0)
        script_say(script, "0x%" PRIx64, min_u64(some_size(dice), row->most));
    else if (strcmp(row->value, "FLAGS") == 0 || strcmp(row->value, "LEVEL") == 0)
        script_say(script, "0x%" PRIx32, some_bits(dice));
    else if (strcmp(row->value, "SEGS") == 0)
        say_segments(script, row->words != NULL);
    else if (strcmp(row->value, "BANKS") == 0)
        say_banks(script);
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
        script_say(script, " %s", row->name);
        return;
    }
    script_say(script, " %s=", row->name);
    if (!say_value(script, row)) {
        script->length = before;
        script->text[before] = '\0';
    }
}

static void say_create(struct script *script, uint32_t number)
{
    struct scenario_word_help row;
    /* Few attributes: a creation in which everything is wrong says little. The dice choose them,
       for there are more of them than bytes. */
    uint32_t rarity = 4 + dice_below(script->dice, 40);
    bool shared = !dice_below(script->dice, 4);
    unsigned written = 0; /* members: none may be written twice */
    script_say(script, "create a%" PRIu32 "%s", number,
               shared ? " kmt=CreateResource,CreateShared" : "");
    for (size_t i = 0; scenario_word_help(SCENARIO_ATTRIBUTES, i, &row); i++) {
        bool create = strcmp(row.of, "create") == 0 && row.supported && !(row.members & written) &&
                      !(shared && strcmp(row.name, "kmt") == 0);
        bool usual = strcmp(row.name, "size") == 0 || strcmp(row.name, "segments") == 0;
        bool flags = strcmp(row.name, "flags") == 0;
        if (create && (usual ? dice_below(script->dice, 20) != 0
                             : !dice_below(script->dice, flags ? 2 : rarity))) {
            say_attribute(script, &row);
            written |= row.members;
        }
    }
    script_say(script, " -> either\n");
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
    if (dice_below(dice, 3))
        script_say(script, "lock a%" PRIu32 " -> either\n", number);
    script_say(script, "sysmem v%" PRIu32 " of=a%" PRIu32 "%s -> either\n", number, number,
               dice_below(dice, 4) ? "" : " size=4K offset=0x800");
    script_say(script, "create b%" PRIu32 " size=4K ", number);
    if (dice_below(dice, 2))
        script_say(script, "segments=s2 ");
    script_say(script, "%s from=", borrowers[dice_below(dice, ARRAY_COUNT(borrowers))]);
    if (dice_below(dice, 3))
        script_say(script, "v%" PRIu32 " -> either\n", number);
    else
        script_say(script, "m%" PRIu32 " -> either\n", 1 + dice_below(dice, 4));
}

static void say_adapter(struct script *script)
{
    static const char *const versions[] = { "1.0", "1.1", "1.2", "1.3", "2.0", "2.1",
                                            "2.3", "2.6", "2.9", "3.0", "3.2" };
    static const char *const memory[] = { "", "flags=CpuVisible", "flags=0x24", "flags=0x80c" };
    struct dice *dice = script->dice;
    /* One throw in each statement: compilers order those of one statement as they like. */
    script_say(script, "vidmm-scenario 1\nadapter wddm=%s",
               versions[dice_below(dice, ARRAY_COUNT(versions))]);
    script_say(script, " strict=%s", dice_below(dice, 4) ? "off" : "on");
    script_say(script, " CrossAdapterResource=%d\n", dice_below(dice, 4) != 0);
    script->segments = 2 + dice_below(dice, 2);
    script_say(script, "segment s1 id=1 kind=memory size=1M %s\n",
               memory[dice_below(dice, dice_below(dice, 4) ? 2 : 4)]);
    script_say(script, "segment s2 id=2 kind=aperture size=1M %s\n",
               dice_below(dice, 2) ? "flags=CacheCoherent" : "");
    if (script->segments == 3)
        script_say(script, "segment s3 id=3 kind=memory size=512K\n");
    script_say(script, "process p1\nprocess p2\ndevice d2 process=p2\ndevice d1 process=p1\n"
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
    const char *chosen = lines[dice_below(script->dice, ARRAY_COUNT(lines))];
    const char *mark = strchr(chosen, '%');
    (void)snprintf(line, sizeof line, "%.*s%" PRIu32 "%s", (int)(mark - chosen), chosen, number,
                   mark + 2);
    script_say(script, "%s", line);
}

/* Lives use names that no dice may have made: nowhere in the text would be a mistake. */
static void say_names(struct script *script)
{
    script_say(script, "repeat 0\n  create b size=4K -> either\n  create c size=4K -> either\n");
    for (uint32_t i = 0; i < CREATIONS; i++) {
        script_say(script,
                   "  create a%" PRIu32 " size=4K -> either\n"
                   "  create b%" PRIu32 " size=4K -> either\n",
                   i, i);
        script_say(script, "  sysmem v%" PRIu32 " size=4K\n", i);
    }
    script_say(script, "end\n");
}

/* ---- the run ------------------------------------------------------------------------------- */

static void say_record(struct script *script, uint32_t *creations)
{
    uint32_t kind = dice_below(script->dice, 8);
    uint32_t number = dice_below(script->dice, CREATIONS);
    if (kind < 3 && *creations < CREATIONS)
        say_create(script, (*creations)++);
    else if (kind == 3)
        say_borrowing(script, number);
    else
        say_life(script, number);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t record[RECORD_BYTES];
    uint32_t creations = 0;
    size_t records = record_count(size, RECORDS);
    if (!records)
        return 0;
    struct script *script = base_alloc(1, sizeof *script);
    for (size_t i = 0; i < records; i++) {
        record_read(data, size, i, record);
        struct dice dice = record_dice(record);
        script->dice = &dice;
        if (i == 0)
            say_adapter(script);
        else
            say_record(script, &creations);
    }
    say_names(script);
    script_say(script, "wait idle -> either\ndestroy all -> either\n");

    struct trial trial = { .lenient = true };
    if (!trial_run(&trial, "create.vms", script->text, script->length)) {
        (void)fprintf(stderr, "%s\n", trial.problem);
        abort(); /* a fuzzing engine keeps the input */
    }
    base_free(script);
    return 0;
}
