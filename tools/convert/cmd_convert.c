/* SPDX-License-Identifier: MIT */
/*
 * cmd_convert.c: `vidmm convert INPUT [-o OUTPUT]` makes a scenario of a trace, and twins.
 *
 * Nothing half-done is left: the output appears under its name once it is whole.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/host.h"
#include "tools/common/output.h"
#include "tools/convert/convert.h"
#include "tools/convert/table.h"

enum {
    KEY_FROM = 256,
    KEY_TO,
    KEY_CAPACITY,
    KEY_OBJECT_SIZE,
    KEY_UNIT,
    KEY_LIMIT,
    KEY_COLUMNS,
    KEY_DELIMITER,
    KEY_HEADER,
    KEY_EXPLAIN
};

struct convert {
    struct convert_options options;
    struct options_words files;
    const char *output;
    bool explain;
};

/* ---- options ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum convert_format format;
} formats[] = {
    { "auto", CONVERT_AUTO }, { "oracle", CONVERT_ORACLE },    { "oracleGeneral", CONVERT_ORACLE },
    { "csv", CONVERT_CSV },   { "minimalloc", CONVERT_LIVES }, { "vms", CONVERT_VMS },
};

static void read_from(struct convert *convert, const char *word, struct argp_state *state)
{
    for (size_t i = 0; i < ARRAY_COUNT(formats); i++) {
        if (strcmp(word, formats[i].name) == 0) {
            convert->options.from = formats[i].format;
            return;
        }
    }
    argp_error(state, "'%s' is no format: auto, oracle, csv, minimalloc or vms", word);
}

static void read_to(struct convert *convert, const char *word, struct argp_state *state)
{
    static const char *const words[] = { "auto", "vms", "vmb" };
    for (size_t i = 0; i < ARRAY_COUNT(words); i++) {
        if (strcmp(word, words[i]) == 0) {
            convert->options.to = (enum convert_to)i;
            return;
        }
    }
    argp_error(state, "--to=%s: vms (text) or vmb (a binary twin)", word);
}

/* Without --to, the ending of the output says it. */
static void check_to(struct convert *convert, struct argp_state *state)
{
    static const char *const endings[] = { [CONVERT_TO_TEXT] = ".vms", [CONVERT_TO_TWIN] = ".vmb" };
    size_t length = convert->output ? strlen(convert->output) : 0;
    if (convert->files.count > 1)
        argp_error(state, "one file at a time: '%s' and '%s'", convert->files.first[0],
                   convert->files.first[1]);
    for (int i = CONVERT_TO_TEXT; i <= CONVERT_TO_TWIN && length > 4; i++)
        if (!convert->options.to && strcmp(convert->output + length - 4, endings[i]) == 0)
            convert->options.to = (enum convert_to)i;
}

static uint64_t convert_read_size(const char *what, const char *word, struct argp_state *state)
{
    uint64_t value = 0;
    if (!text_read_size(word, &value) || !value || value > UINT64_C(1) << 52)
        argp_error(state, "--%s=%s: a size from 1 to 4096T was expected, such as 4K or 64M", what,
                   word);
    return value;
}

static uint64_t convert_read_count(const char *what, const char *word, struct argp_state *state)
{
    uint64_t value = 0;
    if (!text_read_size(word, &value) || !value || value > UINT64_C(1) << 52)
        argp_error(state, "--%s=%s: a number from 1 was expected, such as 1000", what, word);
    return value;
}

static void complain_capacity(const char *word, struct argp_state *state)
{
    /* Sizes are binary: what has the letter of a decimal one would be read as something else. */
    const char *unit = word + strspn(word, "0123456789 ");
    if (unit > word && *unit && strchr("KMGT", *unit) && strcmp(unit + 1, "B") == 0)
        argp_error(state, "--capacity='%s': sizes are multiples of 1024: write %.*s", word,
                   (int)(unit - word + 1), word);
    argp_error(state,
               "--capacity='%s': a size such as 64M, a number of objects such as '1000 objects', "
               "or a part such as 10%% was expected",
               word);
}

/* "64M", "1000 objects", "10%" */
static void read_capacity(struct convert *convert, const char *word, struct argp_state *state)
{
    static const struct {
        const char *ending;
        enum capacity_unit unit;
        uint64_t most;
    } endings[] = { { "objects", CAPACITY_OBJECTS, UINT64_C(1) << 52 },
                    { "object", CAPACITY_OBJECTS, UINT64_C(1) << 52 },
                    { "%", CAPACITY_PERCENT, 100000 },
                    { "", CAPACITY_BYTES, UINT64_C(1) << 52 } };
    struct text number = { 0 };
    uint64_t amount = 0;
    size_t length = strlen(word), i = 0;
    while (strlen(endings[i].ending) > length ||
           strcmp(word + length - strlen(endings[i].ending), endings[i].ending) != 0)
        i++;
    length -= strlen(endings[i].ending);
    while (length && word[length - 1] == ' ')
        length--;
    text_add_bytes(&number, word, length);
    if (!text_read_size(text_get(&number), &amount) || !amount)
        complain_capacity(word, state);
    if (amount > endings[i].most)
        argp_error(state, "--capacity='%s': the most are 4096T, and 100000%% of all objects", word);
    text_free(&number);
    convert->options.capacity.unit = endings[i].unit;
    convert->options.capacity.amount = amount;
}

static void read_columns(struct convert *convert, const char *word, struct argp_state *state)
{
    struct text why = { 0 };
    convert->options.columns = word;
    if (!table_judge_columns(word, &why))
        argp_error(state, "--columns=%s: %s", word, text_get(&why));
    text_free(&why);
}

static void read_delimiter(struct convert *convert, const char *word, struct argp_state *state)
{
    static const struct {
        const char *name;
        char c;
    } names[] = {
        { "tab", '\t' }, { "\\t", '\t' }, { "space", ' ' }, { "comma", ',' }, { "semicolon", ';' }
    };
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (strcmp(word, names[i].name) == 0)
            convert->options.delimiter = names[i].c;
    if (strlen(word) == 1 && *word != '"')
        convert->options.delimiter = *word;
    if (!convert->options.delimiter)
        argp_error(state,
                   "'%s' is no delimiter: write one character, or comma, semicolon, tab, "
                   "space",
                   word);
}

static void read_header(struct convert *convert, const char *word, struct argp_state *state)
{
    static const char *const words[] = { "auto", "yes", "no" };
    for (size_t i = 0; i < ARRAY_COUNT(words); i++) {
        if (strcmp(word, words[i]) == 0) {
            convert->options.header = (enum header_choice)i;
            return;
        }
    }
    argp_error(state, "--header=%s: auto, yes or no", word);
}

static error_t cmd_convert_parse(int key, char *argument, struct argp_state *state)
{
    struct convert *convert = state->input;
    struct convert_options *options = &convert->options;
    switch (key) {
    case 'o': convert->output = argument; return 0;
    case KEY_EXPLAIN: convert->explain = true; return 0;
    case KEY_FROM: read_from(convert, argument, state); return 0;
    case KEY_CAPACITY: read_capacity(convert, argument, state); return 0;
    case KEY_OBJECT_SIZE:
        options->object_size = convert_read_size("object-size", argument, state);
        return 0;
    case KEY_UNIT: options->unit = convert_read_size("unit", argument, state); return 0;
    case KEY_LIMIT: options->limit = convert_read_count("limit", argument, state); return 0;
    case KEY_COLUMNS: read_columns(convert, argument, state); return 0;
    case KEY_DELIMITER: read_delimiter(convert, argument, state); return 0;
    case KEY_HEADER: read_header(convert, argument, state); return 0;
    case KEY_TO: read_to(convert, argument, state); return 0;
    case ARGP_KEY_END:
        check_to(convert, state);
        options_spare(&convert->files, convert->output, state);
        return 0;
    default: return options_words(&convert->files, "a trace to convert is missing", key, state);
    }
}

/* ---- files --------------------------------------------------------------------------------- */

static enum tool_exit convert_file(struct convert *convert, FILE *in, const char *name)
{
    struct convert_report report = { 0 };
    struct output output;
    if (!output_begin_scenario(&output, convert->output))
        return TOOL_INPUT;
    convert->options.no_twin = isatty(fileno(output.file)) == 1;
    bool whole = convert_trace(in, name, &convert->options, output.file, &report);
    (void)fputs(text_get(&report.problem), stderr);
    if (report.was_twin)
        (void)fprintf(stderr,
                      "vidmm convert: a binary twin is nothing for a terminal: write -o FILE.vmb "
                      "or redirect stdout; --to=vms writes text\n");
    if (convert->explain && whole)
        (void)fputs(text_get(&report.assumed), stderr);
    else
        (void)fputs(text_get(&report.doubts), stderr);
    enum tool_exit failed = report.was_twin ? TOOL_USAGE : TOOL_INPUT;
    whole = output_end(&output, whole);
    convert_report_free(&report);
    return whole ? TOOL_GOOD : failed;
}

static int convert_run(struct convert *convert)
{
    const char *path = convert->files.first[0];
    bool standard = strcmp(path, "-") == 0;
    struct host host;
    host_init(&host, NULL, SCREEN_COLOR_AUTO);
    host.path = path;
    FILE *in = standard ? stdin : fopen(path, "rb");
    if (!in) {
        (void)fprintf(stderr, "vidmm: %s: %s\n", path, strerror(errno));
        return TOOL_INPUT;
    }
    enum tool_exit code = convert_file(convert, in, host_name(path));
    if (!standard)
        (void)fclose(in);
    return host_end(code);
}

int cmd_convert(int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "output", 'o', "FILE", 0, "where the scenario goes; stdout without it", 1 },
        { "to", KEY_TO, "vms|vmb", 0,
          "vms (text) or vmb (its binary twin); by default as FILE ends, else text of a trace, the "
          "twin of a text, and the text of a twin",
          1 },
        { "explain", KEY_EXPLAIN, NULL, 0,
          "say on stderr what was assumed, as the first lines of the scenario do", 1 },
        { "limit", KEY_LIMIT, "N", 0, "take the first N requests or allocations only", 1 },
        { "from", KEY_FROM, "auto|oracle|csv|minimalloc|vms", 0,
          "what INPUT is: auto (default: its first bytes say it), oracle (libCacheSim's "
          "oracleGeneral), csv (requests), minimalloc (CSV of lives), vms (a scenario or its twin)",
          2 },
        { "columns", KEY_COLUMNS, "ROLE=N,...", 0,
          "which column of a CSV is the time, id, size, lower (birth) or upper (death): its "
          "number, from 1, or its name in the header",
          2 },
        { "delimiter", KEY_DELIMITER, "C", 0,
          "between columns: a character, comma, semicolon, tab or space", 2 },
        { "header", KEY_HEADER, "auto|yes|no", 0,
          "is the first line a header: auto (default: its words say it), yes or no", 2 },
        { "capacity", KEY_CAPACITY, "SIZE", 0,
          "how large the segment is: 64M, '1000 objects', or 10% of all objects together; default: "
          "10% for requests, 100% for lives",
          3 },
        { "object-size", KEY_OBJECT_SIZE, "SIZE", 0,
          "how large each object is, whatever the trace says", 3 },
        { "unit", KEY_UNIT, "SIZE", 0,
          "how many bytes 1 is in the sizes of the trace; default: 1, and for lives so many that "
          "all are whole pages",
          3 },
        { 0 },
    };
    static const struct argp grammar = {
        .options = options,
        .parser = cmd_convert_parse,
        .args_doc = "INPUT",
        .doc =
            "Makes a scenario of a trace of requests to a cache (oracleGeneral, CSV), or of lives "
            "of allocations (CSV); of a scenario, *.vms, its binary twin, *.vmb, which is smaller "
            "and read faster; and of a twin the text. '-' reads stdin; what zstd packed is "
            "unpacked.\v"
            "Examples:\n"
            "  vidmm convert requests.csv -o t.vms\n"
            "  vidmm convert --columns=id=2,size=3 --capacity=64M log.csv -o t.vms\n"
            "  vidmm convert --capacity='1000 objects' --object-size=4K t.bin.zst -o t.vms\n"
            "  vidmm convert minimalloc.csv -o lives.vms\n"
            "  vidmm convert t.vms -o t.vmb; vidmm run -q t.vmb\n\n"
            "A request becomes a reference of an allocation (`page-in`), the cache a segment: a "
            "hit finds the allocation there, a miss is counted in `use_misses`. Sizes are rounded "
            "up to pages of 4 KiB. What is not known is assumed, and said in the first lines of "
            "the "
            "scenario.",
    };
    struct convert convert = { 0 };
    if (!options_parse(&grammar, argc, argv, &convert))
        return TOOL_USAGE;
    return convert_run(&convert);
}
