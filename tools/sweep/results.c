/* SPDX-License-Identifier: MIT */
/*
 * results.c: what does a line of results say, and is it whole?
 *
 * A process that was killed leaves a last line without an end, and a machine that lost its power
 * zeros after it; that is no mistake. Any other line that is no result is: nobody shall take half
 * of a file for all of it.
 */
#include "tools/sweep/results.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "vidmm/base/base.h"

enum { LINE_MOST = 1 << 20, ID_DIGITS = 16 };

static bool read_id(const cJSON *object, const char *name, uint64_t *id)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    char *end = NULL;
    if (!text || strlen(text) != ID_DIGITS || strspn(text, "0123456789abcdef") != ID_DIGITS)
        return false;
    *id = strtoull(text, &end, 16);
    return true;
}

static bool read_members(const cJSON *object, struct results_line *line)
{
    const cJSON *lab = cJSON_GetObjectItemCaseSensitive(object, "lab");
    line->vidmm = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "vidmm"));
    line->verdict = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "verdict"));
    if (!cJSON_IsNumber(lab) || lab->valueint < 0 || !line->vidmm || !line->verdict)
        return false;
    line->lab = (uint64_t)lab->valueint;
    return read_id(object, "run", &line->run) && read_id(object, "input", &line->input);
}

static bool hand_out(struct results_reader *reader, struct results_line *line)
{
    cJSON *object = cJSON_ParseWithLength(line->text, line->bytes);
    bool good = line->ended && object && read_members(object, line);
    if (!good)
        (void)fprintf(stderr, "%s:%" PRIu64 ": error: this is no line of results of a sweep\n",
                      line->file, line->number);
    good = good && reader->line(reader->context, line);
    cJSON_Delete(object);
    return good;
}

/* Not a note that somebody keeps there: that is not taken off. */
static bool is_torn(const struct results_line *line)
{
    static const char begin[] = "{\"run\":\"";
    return strncmp(line->text, begin, min_u64(line->bytes, strlen(begin))) == 0;
}

bool results_read(FILE *in, struct results_reader *reader)
{
    char *text = base_alloc(LINE_MOST, 1);
    struct results_line line = { .file = reader->file, .text = text };
    bool good = true;
    reader->whole = 0;
    while (good && fgets(text, LINE_MOST, in)) {
        line.bytes = strlen(text);
        line.number++;
        line.offset = reader->whole;
        line.ended = line.bytes && text[line.bytes - 1] == '\n';
        if (!line.ended && feof(in) && is_torn(&line))
            break;
        good = hand_out(reader, &line);
        reader->whole += line.bytes;
    }
    base_free(text);
    return good;
}

bool results_may_change(const char *verdict)
{
    return strcmp(verdict, "crashed") == 0 || strcmp(verdict, "limit") == 0 ||
           strcmp(verdict, "broken") == 0;
}

bool results_passed(const char *verdict)
{
    return strcmp(verdict, "passed") == 0;
}
