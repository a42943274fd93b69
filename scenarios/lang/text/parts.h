/* SPDX-License-Identifier: MIT */
/*
 * parts.h: what the functions of text.h work on, and the scenario that owns it all.
 *
 * Everything that is read from a text lives in the arena of its `struct scenario` and dies with it.
 * A word is an interned name: equal names have equal numbers, keywords of statements.def come
 * first. A place is a run of bytes in one source; line and column are worked out only for a
 * message.
 */
#ifndef SCENARIOS_LANG_TEXT_PARTS_H
#define SCENARIOS_LANG_TEXT_PARTS_H

#include "scenarios/lang/scenario.h"
#include "scenarios/lang/text/run_now.h"
#include "vidmm/base/base.h"
#include "vidmm/vidmm.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    LANG_VERSION = 1,
    LANG_LINE_MAX = 64 * 1024,
    LANG_NESTING_MAX = 64,
    LANG_INCLUDE_MAX = 16,
    LANG_MESSAGES_MAX = 50,
    LANG_ERRORS_MAX = 10000,   /* reading stops there */
    LANG_OPERATORS_MAX = 1000, /* of one expression */
    LANG_SOURCES_MAX = 4096,
};

struct place {
    uint32_t offset;
    uint16_t length, source;
};

struct source {
    char *name;
    const char *text;
    struct twin *twin; /* NULL: the text was read as it is */
    uint32_t bytes;
    bool defined;          /* a value of scenario_define() */
    char *owned;           /* the text, when it came through an include */
    uint32_t *line_starts; /* of every 1024th line, made for the first message */
    size_t line_start_count;
    uint32_t last_number, last_start; /* the line that was asked for last; 0: none was */
};

struct line_view {
    uint32_t number, start, end; /* 1-based; [start, end) without the line break */
};

struct message {
    enum scenario_severity severity;
    struct place at;
    char *text, *help; /* help: NULL for none */
};

struct messages {
    struct message list[LANG_MESSAGES_MAX];
    size_t count, dropped, errors;
    size_t defined; /* errors in values of scenario_define() */
    bool muted;     /* a line is read once more: it was all said */
};

typedef uint32_t word; /* 0 is no word */

struct words {
    const char **list;
    size_t count, capacity;
    struct word_entry *table; /* by text */
};

struct arena {
    struct arena_chunk *chunks;
    char *next, *end;
};

/*
 * What names stand for, by (word, index) and by bulk handle. Both tables hold one 64-bit value for
 * each name; 0 is "never heard of". The checker keeps states in them, the runner handles. Bulk
 * handles live in pages, so that a dense range costs one page look up and a hostile sparse one a
 * bounded amount of memory.
 */

/* A name with or without index. Above all indexes: members made with an unknown index, and whether
   any member was made at all. */
typedef uint64_t name_key;
enum { NAME_INDEX_MAX = 0x7FFFFFFE };
#define NAME_FAMILY 0xFFFFFFFEu
#define NAME_SOME   0xFFFFFFFDu

static inline name_key name_key_plain(word name)
{
    return (uint64_t)name << 32;
}

static inline name_key name_key_member(word name, uint32_t index)
{
    return name_key_plain(name) | (index + 1);
}

static inline name_key name_key_of(word name, bool indexed, uint32_t index)
{
    return indexed ? name_key_member(name, index) : name_key_plain(name);
}

struct names {
    struct name_slot {
        name_key key; /* 0: empty */
        uint64_t value;
    } * slots;
    size_t slot_count, count;
};

struct handles {
    uint64_t ***root;
};

struct scenario {
    bool strict; /* outcomes have to say why */
    struct scenario_host *host;
    struct arena arena;
    struct words words;
    struct source **sources;
    size_t source_count, source_capacity;
    struct messages messages;
    const struct vidmm_foresight *foresight; /* of the run */
    struct run_now now;
    struct place now_at; /* the statement that runs */
    struct statement *statements;
    struct statement **tags; /* those of them that are `tags` */
    size_t tag_count;
    struct names blamed; /* names whose declaration had an error: nothing more is said of them */
    bool segment_blamed, include_blamed;
    struct bulk *bulk; /* of syntax/, like the statements */
    uint64_t lines;
    uint64_t held; /* by this thread, before any of this was read */
    word word_any, word_new, word_auto, word_system;
};

#endif
