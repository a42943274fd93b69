/* SPDX-License-Identifier: MIT */
/*
 * cmd_fmt.c: `vidmm fmt FILE...` prints scenarios in the canonical layout.
 *
 * With --in-place a file is replaced in one step, and only if something changes; a file with errors
 * stays as it is.
 */
#include <string.h>

#include "scenarios/lang/scenario_twin.h"
#include "tools/common/host.h"
#include "tools/common/output.h"
#include "tools/common/text.h"
#include "tools/tools.h"

struct fmt {
    struct options_words files;
    bool in_place, check;
};

static error_t cmd_fmt_parse(int key, char *argument, struct argp_state *state)
{
    struct fmt *fmt = state->input;
    (void)argument;
    switch (key) {
    case 'i': fmt->in_place = true; return 0;
    case 'c': fmt->check = true; return 0;
    case ARGP_KEY_END:
        if (fmt->in_place && fmt->check)
            argp_error(state, "--in-place changes files, --check only looks: not both");
        return 0;
    default: return options_words(&fmt->files, "a file to format is missing", key, state);
    }
}

static void cmd_fmt_collect(void *context, const char *text, size_t bytes)
{
    text_add_bytes(context, text, bytes);
}

static bool cmd_fmt_replace(const char *path, const struct text *text)
{
    struct output output;
    if (!output_begin_scenario(&output, path))
        return false;
    (void)fwrite(text_get(text), 1, text->length, output.file);
    return output_end(&output, true);
}

static enum tool_exit deliver(const struct fmt *fmt, const struct host_file *file, const char *path,
                              const struct text *text)
{
    bool same = text->length == file->bytes && memcmp(text_get(text), file->text, file->bytes) == 0;
    if (fmt->check) {
        if (!same)
            (void)printf("%s: not in canonical layout\n", file->name);
        return same ? TOOL_GOOD : TOOL_FAILED;
    }
    if (fmt->in_place && strcmp(path, "-") != 0)
        return same || cmd_fmt_replace(path, text) ? TOOL_GOOD : TOOL_INPUT;
    (void)fwrite(text_get(text), 1, text->length, stdout);
    return TOOL_GOOD;
}

static enum tool_exit format_file(const struct fmt *fmt, struct host *host, const char *path)
{
    struct host_file file;
    struct text text = { 0 };
    enum tool_exit code = TOOL_INPUT;
    if (!host_open(host, path, &file))
        return TOOL_INPUT;
    if ((fmt->in_place || fmt->check) && scenario_is_twin(file.text, file.bytes)) {
        (void)fprintf(stderr,
                      "vidmm: %s: a binary twin has no layout; `vidmm convert` makes its text\n",
                      path);
        host_close(&file);
        return TOOL_INPUT;
    }
    if (scenario_format(file.scenario, cmd_fmt_collect, &text))
        code = deliver(fmt, &file, path, &text);
    text_free(&text);
    host_close(&file);
    return code;
}

int cmd_fmt(int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "in-place", 'i', NULL, 0, "write the files instead of printing them", 0 },
        { "check", 'c', NULL, 0, "list files that would change, and exit with 1", 0 },
        { 0 },
    };
    static const struct argp grammar = {
        .options = options,
        .parser = cmd_fmt_parse,
        .args_doc = "FILE...",
        .doc = "Prints scenarios in the canonical layout. '-' reads stdin.",
    };
    struct fmt fmt = { 0 };
    struct host host;
    enum tool_exit worst = TOOL_GOOD;
    if (!options_parse(&grammar, argc, argv, &fmt))
        return TOOL_USAGE;
    host_init(&host, NULL, SCREEN_COLOR_AUTO);
    for (int i = 0; i < fmt.files.count; i++) {
        enum tool_exit code = format_file(&fmt, &host, fmt.files.first[i]);
        worst = code > worst ? code : worst;
    }
    return host_end(worst);
}
