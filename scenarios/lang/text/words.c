/* SPDX-License-Identifier: MIT */
/*
 * words.c: the arena in which everything lives that was read from a text, interned names, the
 * nearest name to a wrong one, and what stands for words of other languages and tools.
 *
 * A word is a small number that lives as long as its scenario. Numbers depend on the order of the
 * text only.
 */
#include "scenarios/lang/text/text.h"
#include "vidmm/base/base_hash.h"

#include <stdalign.h>
#include <stdarg.h>
#include <string.h>

enum { COMPARED_MAX = 48 };

/* ---- the arena ------------------------------------------------------------------------------- */

enum { CHUNK_BYTES = 64 * 1024 };

struct arena_chunk {
    struct arena_chunk *next;
    alignas(max_align_t) char bytes[];
};

void *arena_alloc(struct arena *arena, size_t bytes)
{
    size_t rounded = (size_t)align_up(bytes, alignof(max_align_t));
    if ((size_t)(arena->end - arena->next) < rounded) {
        size_t room = rounded > CHUNK_BYTES ? rounded : CHUNK_BYTES;
        /* Not zeroed as a whole: most texts are short, and never touch most of its pages. */
        struct arena_chunk *chunk = base_realloc(NULL, 1, sizeof *chunk + room);
        chunk->next = arena->chunks;
        arena->chunks = chunk;
        arena->next = chunk->bytes;
        arena->end = chunk->bytes + room;
    }
    void *memory = arena->next;
    arena->next += rounded;
    return rounded ? memset(memory, 0, rounded) : memory;
}

char *arena_text(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

void arena_fini(struct arena *arena)
{
    for (struct arena_chunk *chunk = arena->chunks; chunk;) {
        struct arena_chunk *next = chunk->next;
        base_free(chunk);
        chunk = next;
    }
    *arena = (struct arena){ 0 };
}

/* ---- names ----------------------------------------------------------------------------------- */

struct word_entry {
    const char *text;
    word name;
    UT_hash_handle hh;
};

void words_init(struct words *words)
{
    *words = (struct words){ .count = 1 };
    BASE_GROW(words->list, words->capacity, 1);
    words->list[0] = "";
}

void words_fini(struct words *words)
{
    HASH_CLEAR(hh, words->table);
    base_free(words->list);
}

word words_intern(struct words *words, struct arena *arena, const char *text, size_t length)
{
    struct word_entry *entry;
    HASH_FIND(hh, words->table, text, length, entry);
    if (entry)
        return entry->name;
    entry = arena_alloc(arena, sizeof *entry);
    entry->text = arena_text(arena, text, length);
    entry->name = (word)words->count;
    HASH_ADD_KEYPTR(hh, words->table, entry->text, length, entry);
    BASE_GROW(words->list, words->capacity, words->count + 1);
    words->list[words->count++] = entry->text;
    return entry->name;
}

const char *words_text(const struct words *words, word name)
{
    return words->list[name];
}

/* Case does not count. */
static bool word_alike(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (words_lower(a[i]) != words_lower(b[i]))
            return false;
    return true;
}

struct nearest nearest_begin(const char *wanted, size_t length)
{
    /* One edit in three characters is a misspelling, more is another word. */
    return (struct nearest){ .wanted = wanted,
                             .length = length,
                             .distance = (unsigned)(length < 3 ? 1 : length / 3) + 1 };
}

/* Is it in a list with ", " between its words? */
static bool is_listed(const char *list, const char *candidate, size_t length)
{
    for (const char *at = list; *at; at += strcspn(at, ","), at += strspn(at, ", "))
        if (strcspn(at, ",") == length && memcmp(at, candidate, length) == 0)
            return true;
    return false;
}

static void list(struct nearest *nearest, const char *candidate, size_t length)
{
    size_t used = strlen(nearest->tried);
    if (is_listed(nearest->tried, candidate, length))
        return;
    bool fits = used + length + 3 < sizeof nearest->tried;
    nearest->more = nearest->more || !fits;
    if (!nearest->more)
        snprintf(nearest->tried + used, sizeof nearest->tried - used, "%s%.*s", used ? ", " : "",
                 (int)length, candidate);
}

static void try_span(struct nearest *nearest, const char *candidate, size_t length)
{
    list(nearest, candidate, length);
    size_t longer = length > nearest->length ? length : nearest->length;
    size_t shorter = length > nearest->length ? nearest->length : length;
    if (longer > COMPARED_MAX)
        return;
    /* The beginning of a name is a suggestion until a nearer one comes. */
    bool begins = nearest->length >= 3 && nearest->length < length &&
                  word_alike(nearest->wanted, candidate, nearest->length);
    if (!nearest->best[0] && begins) {
        memcpy(nearest->best, candidate, length);
        nearest->best[length] = '\0';
    }
    /* Of two that are as near, the one with the first letter of what is wanted. */
    bool preferred = nearest->length && nearest->best[0] &&
                     !word_alike(nearest->wanted, nearest->best, 1) &&
                     word_alike(nearest->wanted, candidate, 1);
    unsigned limit = nearest->distance + preferred;
    if (longer - shorter >= limit)
        return;
    size_t edits = words_distance(nearest->wanted, nearest->length, candidate, length);
    /* A name that shares no character is no suggestion. */
    if (edits < limit && edits < longer) {
        nearest->distance = (unsigned)edits;
        memcpy(nearest->best, candidate, length);
        nearest->best[length] = '\0';
    }
}

void nearest_try(struct nearest *nearest, const char *candidate)
{
    try_span(nearest, candidate, strlen(candidate));
}

void nearest_try_words(struct nearest *nearest, const char *words)
{
    while (words) {
        const char *bar = strchr(words, '|');
        try_span(nearest, words, bar ? (size_t)(bar - words) : strlen(words));
        words = bar ? bar + 1 : NULL;
    }
}

const char *nearest_help(const struct nearest *nearest, char *help, size_t bytes)
{
    if (!nearest->best[0])
        return NULL;
    return text_format(help, bytes, "did you mean '%s'?", nearest->best);
}

const char *nearest_choice(const struct nearest *nearest, char *help, size_t bytes)
{
    if (nearest->best[0] || !nearest->tried[0])
        return nearest_help(nearest, help, bytes);
    return text_format(help, bytes, "one of %s%s", nearest->tried, nearest->more ? ", ..." : "");
}

/* ---- lists of words -------------------------------------------------------------------------- */

bool word_list_has(const char *list, const char *text, size_t *index)
{
    size_t length = strlen(text);
    size_t position = 0;
    for (; list; position++) {
        const char *bar = strchr(list, '|');
        size_t this_length = bar ? (size_t)(bar - list) : strlen(list);
        if (this_length == length && memcmp(list, text, length) == 0)
            break;
        list = bar ? bar + 1 : NULL;
    }
    if (index)
        *index = position;
    return list != NULL;
}

const char *text_format(char *text, size_t bytes, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, bytes, format, arguments);
    va_end(arguments);
    return text;
}

/* ---- words of other languages ---------------------------------------------------------------- */

static const struct {
    enum habit where;
    const char *words, *help;
} habits[] = {
#define HABIT(where, words, help) { HABIT_##where, words, help },
#include "scenarios/lang/text/habits.def"
#undef HABIT
};

const char *habit_find(enum habit where, const char *text, size_t length)
{
    for (size_t i = 0; i < ARRAY_COUNT(habits); i++) {
        const char *at = habits[i].where == where ? habits[i].words : "";
        for (size_t bytes; (bytes = strcspn(at, " ")) != 0; at += bytes + (at[bytes] == ' '))
            if (bytes == length && word_alike(at, text, length))
                return habits[i].help;
    }
    return NULL;
}
