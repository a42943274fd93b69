/* SPDX-License-Identifier: MIT */
/*
 * columns.c: a scene as tables of columns, which page/decode.js reads.
 *
 * Unpacked: the length of the directory in 32 bits, the directory as JSON (what the run is, then
 * the tables with their columns), and the columns one after the other in its order. Each begins on
 * a multiple of four bytes. One of 64 bits is two of 32: the low words, then the high ones; where
 * those are all 0 it is one of 32 bits. A word of 32 bits is the difference to that of the row
 * before: numbers of events, times and texts mostly grow by little, and small differences pack into
 * a third of the bytes. The late texts stand in an element of their own: their letters, and nothing
 * else.
 */
#include <stddef.h>
#include <string.h>

#include "tools/common/json.h"
#include "tools/common/output.h"
#include "tools/common/text.h"
#include "tools/view/page.h"

/* Sentences and files are half of all bytes, and a map is drawn without them: a page unpacks the
   texts that only such columns name after the first picture. */
enum column_kind { COLUMN_NUMBER, COLUMN_TEXT, COLUMN_LATE_TEXT };

struct column {
    const char *name;
    size_t offset, width;
    enum column_kind kind;
};

struct table {
    const char *name;
    const void *rows;
    size_t count, stride;
    const struct column *columns;
    size_t column_count;
};

#define WIDTH(type, member) sizeof(((struct type *)NULL)->member)
#define COLUMN_OF(name, type, member, kind)                                                        \
    {                                                                                              \
        name, offsetof(struct type, member), WIDTH(type, member), kind                             \
    }
#define COLUMN(type, member)             COLUMN_OF(#member, type, member, COLUMN_NUMBER)
#define NAMED_COLUMN(name, type, member) COLUMN_OF(name, type, member, COLUMN_NUMBER)
#define TEXT(type, member)               COLUMN_OF(#member, type, member, COLUMN_TEXT)
#define LATE_TEXT(type, member)          COLUMN_OF(#member, type, member, COLUMN_LATE_TEXT)
#define RANGE(member)                                                                              \
    NAMED_COLUMN(#member "_first", scene_act, member.first),                                       \
        NAMED_COLUMN(#member "_count", scene_act, member.count)

static const struct column act_columns[] = {
    TEXT(scene_act, file),
    TEXT(scene_act, name),
    COLUMN(scene_act, end),
    COLUMN(scene_act, passed),
    RANGE(events),
    RANGE(statements),
    RANGE(said),
    RANGE(segments),
    RANGE(allocations),
    RANGE(stays),
    RANGE(marks),
    RANGE(lanes),
    RANGE(slices),
    RANGE(arrows),
    RANGE(counters),
};
static const struct column event_columns[] = {
    COLUMN(scene_event, time),       COLUMN(scene_event, seq),         COLUMN(scene_event, kind),
    COLUMN(scene_event, rule),       COLUMN(scene_event, level),       COLUMN(scene_event, trail),
    COLUMN(scene_event, segment),    COLUMN(scene_event, allocation),  COLUMN(scene_event, other),
    COLUMN(scene_event, statement),  LATE_TEXT(scene_event, sentence), COLUMN(scene_event, pass),
    COLUMN(scene_event, trail_more), LATE_TEXT(scene_event, facts),
};
static const struct column statement_columns[] = {
    COLUMN(scene_statement, line),  TEXT(scene_statement, file),
    TEXT(scene_statement, text),    COLUMN(scene_statement, verdict),
    TEXT(scene_statement, message), COLUMN(scene_statement, first),
    COLUMN(scene_statement, time),
};
static const struct column said_columns[] = {
    COLUMN(scene_said, kind),      TEXT(scene_said, text),   TEXT(scene_said, answer),
    TEXT(scene_said, value),       TEXT(scene_said, hint),   TEXT(scene_said, rules),
    COLUMN(scene_said, event),     COLUMN(scene_said, line), COLUMN(scene_said, form),
    COLUMN(scene_said, statement),
};
static const struct column segment_columns[] = {
    TEXT(scene_segment, name),           TEXT(scene_segment, kind),
    TEXT(scene_segment, flags),          COLUMN(scene_segment, id),
    COLUMN(scene_segment, banks),        COLUMN(scene_segment, adapter),
    COLUMN(scene_segment, base),         COLUMN(scene_segment, size),
    COLUMN(scene_segment, commit_limit), COLUMN(scene_segment, pin_start),
};
static const struct column allocation_columns[] = {
    COLUMN(scene_allocation, handle),    TEXT(scene_allocation, label),
    TEXT(scene_allocation, process),     TEXT(scene_allocation, flags),
    COLUMN(scene_allocation, bytes),     COLUMN(scene_allocation, width),
    COLUMN(scene_allocation, height),    TEXT(scene_allocation, format),
    COLUMN(scene_allocation, priority),  COLUMN(scene_allocation, created),
    COLUMN(scene_allocation, destroyed), COLUMN(scene_allocation, hue),
};
static const struct column stay_columns[] = {
    COLUMN(scene_stay, begin),       COLUMN(scene_stay, end),     COLUMN(scene_stay, leaving),
    COLUMN(scene_stay, offset),      COLUMN(scene_stay, bytes),   COLUMN(scene_stay, kind),
    COLUMN(scene_stay, still_there), COLUMN(scene_stay, segment), COLUMN(scene_stay, allocation),
    COLUMN(scene_stay, came),        COLUMN(scene_stay, left),    COLUMN(scene_stay, gone),
    TEXT(scene_stay, why_left),
};
static const struct column mark_columns[] = {
    COLUMN(scene_mark, begin),       COLUMN(scene_mark, end),   COLUMN(scene_mark, kind),
    COLUMN(scene_mark, allocation),  COLUMN(scene_mark, began), COLUMN(scene_mark, ended),
    COLUMN(scene_mark, still_there),
};
static const struct column lane_columns[] = {
    COLUMN(scene_lane, kind),
    TEXT(scene_lane, name),
};
static const struct column slice_columns[] = {
    COLUMN(scene_slice, queued),    COLUMN(scene_slice, begin), COLUMN(scene_slice, end),
    COLUMN(scene_slice, lane),      TEXT(scene_slice, name),    COLUMN(scene_slice, fence),
    COLUMN(scene_slice, submitted), COLUMN(scene_slice, ended),
};
static const struct column arrow_columns[] = {
    COLUMN(scene_arrow, kind),
    COLUMN(scene_arrow, from),
    COLUMN(scene_arrow, to),
};
static const struct column counter_columns[] = {
    TEXT(scene_counter, name),    TEXT(scene_counter, unit),    COLUMN(scene_counter, segment),
    COLUMN(scene_counter, first), COLUMN(scene_counter, count),
};
static const struct column point_columns[] = {
    COLUMN(scene_point, time),
    COLUMN(scene_point, value),
    COLUMN(scene_point, event),
};
static const struct column source_columns[] = {
    TEXT(scene_source, name),
    LATE_TEXT(scene_source, text),
    COLUMN(scene_source, bytes),
};
static const struct column text_columns[] = { { "end", 0, sizeof(uint32_t), COLUMN_NUMBER } };
static const struct column letter_columns[] = { { "byte", 0, 1, COLUMN_NUMBER } };

#define TABLE(scene, member, count, columns)                                                       \
    {                                                                                              \
#member, (scene)->member, (scene)->count, sizeof *(scene)->member, columns,                \
            ARRAY_COUNT(columns)                                                                   \
    }

enum { SCENE_TABLES = 14, TEXTS = SCENE_TABLES, LETTERS, TABLES };

static void list_tables(const struct scene *scene, struct table tables[TABLES])
{
    const struct table all[SCENE_TABLES] = {
        TABLE(scene, acts, act_count, act_columns),
        TABLE(scene, events, event_count, event_columns),
        TABLE(scene, statements, statement_count, statement_columns),
        TABLE(scene, said, said_count, said_columns),
        TABLE(scene, segments, segment_count, segment_columns),
        TABLE(scene, allocations, allocation_count, allocation_columns),
        TABLE(scene, stays, stay_count, stay_columns),
        TABLE(scene, marks, mark_count, mark_columns),
        TABLE(scene, lanes, lane_count, lane_columns),
        TABLE(scene, slices, slice_count, slice_columns),
        TABLE(scene, arrows, arrow_count, arrow_columns),
        TABLE(scene, counters, counter_count, counter_columns),
        TABLE(scene, points, point_count, point_columns),
        TABLE(scene, sources, source_count, source_columns),
    };
    memcpy(tables, all, sizeof all);
}

/* ---- the texts ------------------------------------------------------------------------------- */

/* All texts one after the other: those that a map needs, then the late ones. */
struct letters {
    uint32_t *numbers; /* that a text has in the page, by that in the scene */
    uint32_t *ends;    /* by its number in the page */
    struct text bytes;
    size_t early_bytes;
};

static void mark_early(const struct table *table, const struct column *column, bool *early)
{
    const unsigned char *row = table->rows;
    for (size_t i = 0; i < table->count; i++, row += table->stride) {
        scene_text text;
        memcpy(&text, row + column->offset, sizeof text);
        early[text] = true;
    }
}

static void add_letters(struct letters *letters, const struct scene *scene, size_t text,
                        uint32_t *count)
{
    const char *bytes = scene_string(scene, (scene_text)text);
    text_add_bytes(&letters->bytes, bytes, strlen(bytes));
    letters->ends[*count] = (uint32_t)letters->bytes.length;
    letters->numbers[text] = (*count)++;
}

static void collect_letters(const struct scene *scene, const struct table *tables,
                            struct letters *letters)
{
    bool *early = base_alloc(scene->text_count, sizeof *early);
    early[0] = true; /* 0 is no text everywhere */
    for (size_t i = 0; i < SCENE_TABLES; i++)
        for (size_t c = 0; c < tables[i].column_count; c++)
            if (tables[i].columns[c].kind == COLUMN_TEXT)
                mark_early(&tables[i], &tables[i].columns[c], early);
    letters->ends = base_alloc(scene->text_count, sizeof *letters->ends);
    letters->numbers = base_alloc(scene->text_count, sizeof *letters->numbers);
    uint32_t count = 0;
    for (size_t i = 0; i < scene->text_count; i++)
        if (early[i])
            add_letters(letters, scene, i, &count);
    letters->early_bytes = letters->bytes.length;
    for (size_t i = 0; i < scene->text_count; i++)
        if (!early[i])
            add_letters(letters, scene, i, &count);
    base_free(early);
}

static void list_letters(const struct scene *scene, const struct letters *letters,
                         struct table tables[TABLES])
{
    tables[TEXTS] = (struct table){ "texts",           letters->ends,
                                    scene->text_count, sizeof *letters->ends,
                                    text_columns,      1 };
    tables[LETTERS] = (struct table){
        "letters", text_get(&letters->bytes), letters->early_bytes, 1, letter_columns, 1
    };
}

/* ---- the directory -------------------------------------------------------------------------- */

/* Most sizes, and all times of a short run, have nothing in their high words: without those a
   column is read where it stands. */
static size_t width_of(const struct table *table, const struct column *column)
{
    const unsigned char *row = table->rows;
    for (size_t i = 0; i < table->count && column->width == 8; i++, row += table->stride) {
        uint64_t value;
        memcpy(&value, row + column->offset, sizeof value);
        if (value >> 32)
            return 8;
    }
    return min_u64(column->width, 4);
}

static void describe_table(struct json *json, const struct table *table)
{
    json_open(json, NULL, '{');
    json_string(json, "name", table->name);
    json_number(json, "rows", table->count);
    json_open(json, "columns", '[');
    for (size_t i = 0; i < table->column_count; i++) {
        const struct column *column = &table->columns[i];
        json_open(json, NULL, '[');
        json_string(json, NULL, column->name);
        json_string(json, NULL, text_print("u%zu", width_of(table, column) * 8).it);
        json_close(json, ']');
    }
    json_close(json, ']');
    json_close(json, '}');
}

/* ---- the columns ----------------------------------------------------------------------------- */

static size_t padded(size_t bytes)
{
    return (bytes + 3) / 4 * 4;
}

static size_t column_bytes(const struct table *table, const struct column *column)
{
    return padded(table->count * width_of(table, column));
}

enum { ROWS_AT_ONCE = 4096 };

/* A word less the one before it, which it becomes. @numbers: it is that of a text; NULL: it is not
 */
static void put_difference(unsigned char *to, const unsigned char *from, const uint32_t *numbers,
                           uint32_t *before)
{
    uint32_t word;
    memcpy(&word, from, sizeof word);
    word = numbers ? numbers[word] : word;
    uint32_t difference = word - *before;
    memcpy(to, &difference, sizeof difference);
    *before = word;
}

/* `width` bytes of each row, `offset` bytes into it. */
static void write_column(struct pack *pack, const struct table *table, size_t offset, size_t width,
                         const uint32_t *numbers)
{
    static const unsigned char none[4] = { 0 };
    unsigned char piece[ROWS_AT_ONCE * 4];
    size_t filled = 0;
    uint32_t before = 0;
    const unsigned char *row = table->rows;
    for (size_t i = 0; i < table->count; i++, row += table->stride) {
        if (width == sizeof before)
            put_difference(piece + filled, row + offset, numbers, &before);
        else
            memcpy(piece + filled, row + offset, width);
        filled += width;
        if (filled == ROWS_AT_ONCE * width || i + 1 == table->count) {
            pack_bytes(pack, piece, filled);
            filled = 0;
        }
    }
    pack_bytes(pack, none, padded(table->count * width) - table->count * width);
}

static void write_table(struct pack *pack, const struct table *table, const uint32_t *numbers)
{
    for (size_t i = 0; i < table->column_count; i++) {
        const struct column *column = &table->columns[i];
        size_t width = width_of(table, column);
        write_column(pack, table, column->offset, min_u64(width, 4),
                     column->kind == COLUMN_NUMBER ? NULL : numbers);
        if (width == 8)
            write_column(pack, table, column->offset + 4, 4, NULL);
    }
}

static ssize_t directory_put(void *directory, const char *bytes, size_t count)
{
    text_add_bytes(directory, bytes, count);
    return (ssize_t)count;
}

static void write_directory(const struct page_run *run, const struct table *tables,
                            struct text *directory)
{
    FILE *out = output_into(directory_put, directory);
    struct json json = { .out = out };
    json_open(&json, NULL, '{');
    about_write(&json, run);
    json_open(&json, "tables", '[');
    for (size_t i = 0; i < TABLES; i++)
        describe_table(&json, &tables[i]);
    json_close(&json, ']');
    json_close(&json, '}');
    bool closed = fclose(out) == 0;
    CHECK(closed);
}

static size_t all_bytes(const struct table *tables)
{
    size_t bytes = 0;
    for (size_t i = 0; i < TABLES; i++)
        for (size_t c = 0; c < tables[i].column_count; c++)
            bytes += column_bytes(&tables[i], &tables[i].columns[c]);
    return bytes;
}

static struct pack *open_element(FILE *out, const char *id, const char *part, size_t bytes)
{
    (void)fprintf(out,
                  "<script type=\"application/octet-stream\" id=\"%s%s\" data-bytes=\"%zu\">\n", id,
                  part, bytes);
    return pack_open(out);
}

static void close_element(FILE *out, struct pack *pack)
{
    pack_close(pack);
    (void)fputs("\n</script>\n", out);
}

static void write_tables(FILE *out, const char *id, const struct page_run *run,
                         const struct table *tables, const uint32_t *numbers)
{
    static const unsigned char none[4] = { 0 };
    struct text directory = { 0 };
    write_directory(run, tables, &directory);
    uint32_t length = (uint32_t)directory.length;
    struct pack *pack =
        open_element(out, id, "", sizeof length + padded(length) + all_bytes(tables));
    pack_bytes(pack, &length, sizeof length);
    pack_bytes(pack, text_get(&directory), length);
    pack_bytes(pack, none, padded(length) - length);
    for (size_t i = 0; i < TABLES; i++)
        write_table(pack, &tables[i], numbers);
    close_element(out, pack);
    text_free(&directory);
}

void columns_write(FILE *out, const char *id, const struct page_run *run)
{
    struct table tables[TABLES];
    struct letters letters = { 0 };
    list_tables(run->scene, tables);
    collect_letters(run->scene, tables, &letters);
    list_letters(run->scene, &letters, tables);
    write_tables(out, id, run, tables, letters.numbers);
    size_t late = letters.bytes.length - letters.early_bytes;
    struct pack *pack = open_element(out, id, "-late", late);
    pack_bytes(pack, text_get(&letters.bytes) + letters.early_bytes, late);
    close_element(out, pack);
    base_free(letters.numbers);
    base_free(letters.ends);
    text_free(&letters.bytes);
}
