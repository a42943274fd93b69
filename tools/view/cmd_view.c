/* SPDX-License-Identifier: MIT */
/*
 * cmd_view.c: `vidmm view FILE -o out.html` makes a page of a run, or of two that are compared.
 *
 * Two runs are two files, or one file without and with the settings of --with. The exit code is
 * that of the worse run; of a file with errors there is no page.
 */
#include "tools/common/host.h"
#include "tools/common/output.h"
#include "tools/common/policy_load.h"
#include "tools/view/page.h"
#include "tools/view/view.h"

enum { KEY_WITH = 256, KEY_POLICY, KEY_CALLS, KEY_MOST };

struct view {
    struct run_line line;
    struct run_settings with;
    struct scene_options scene;
    const char *path; /* of the page; NULL: stdout */
};

/* ---- options -------------------------------------------------------------------------------- */

static void view_check(struct view *view, struct argp_state *state)
{
    if (view->line.files.count > PAGE_RUNS_MOST)
        argp_error(state, "a page has one run, or two that are compared; not %d",
                   view->line.files.count);
    if (view->line.settings.count + view->with.count > RUN_SETTINGS_MOST)
        argp_error(state, "more than %d settings, those of '--with' counted", RUN_SETTINGS_MOST);
    if (view->line.files.count == 1 && view->with.count)
        options_reread(&view->line.files, state);
    options_spare(&view->line.files, view->path, state);
    if (output_is_terminal(view->path))
        argp_error(state, "a page is for a browser, not for the terminal: write -o FILE.html");
}

static error_t view_parse(int key, char *argument, struct argp_state *state)
{
    struct view *view = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = state->child_inputs[1] = &view->line; return 0;
    case 'o': view->path = argument; return 0;
    case KEY_WITH: run_options_set(&view->with, argument, state); return 0;
    case KEY_POLICY: policy_load(&view->with, argument, state); return 0;
    case KEY_CALLS: view->scene.calls = true; return 0;
    case KEY_MOST: view->scene.most_events = run_options_most(argument, state); return 0;
    case ARGP_KEY_END: view_check(view, state); return 0;
    default: return options_words(&view->line.files, "a scenario to show is missing", key, state);
    }
}

/* ---- running -------------------------------------------------------------------------------- */

static enum tool_exit view_run(struct view *view, const char *path, struct sink *sink,
                               const struct run_settings *settings)
{
    struct run_line line = view->line;
    struct host host;
    struct host_file file;
    line.settings = *settings;
    line.options.tell_statements = line.options.tell_params = true;
    run_file_host(&host, sink, &line);
    enum tool_exit code = run_file_open(&host, &line, path, &file);
    return run_file_end(&host, &line, &file, run_file_only(&host.tests, line.options.only, code));
}

/* "03-no-room.vms pinned-percent=10" */
static void name_run(const struct view *view, size_t index, struct text *name)
{
    bool one = view->line.files.count == 1;
    text_add(name, "%s", host_name(view->line.files.first[one ? 0 : index]));
    for (size_t i = 0; i < view->line.settings.count; i++)
        text_add(name, " %s", view->line.settings.words[i]);
    for (size_t i = 0; index > 0 && i < view->with.count; i++)
        text_add(name, " %s", view->with.words[i]);
}

/* What a side runs with: what --set says, and on the second side --with after it. */
static void give_settings(const struct view *view, size_t index, struct run_settings *settings)
{
    *settings = view->line.settings;
    for (size_t i = 0; index > 0 && i < view->with.count; i++)
        settings->words[settings->count++] = view->with.words[i];
    for (size_t i = 0; index > 0 && i < view->with.policy_count; i++)
        settings->policies[settings->policy_count++] = view->with.policies[i];
}

/* Of a run that came to an end of its own, as with `run`. */
static bool has_page(enum tool_exit code)
{
    return code == TOOL_GOOD || code == TOOL_FAILED || code == TOOL_BUGCHECK;
}

static int view_all(struct view *view)
{
    struct output output;
    struct sink *sinks[PAGE_RUNS_MOST] = { NULL };
    struct page_run runs[PAGE_RUNS_MOST];
    struct text names[PAGE_RUNS_MOST] = { { 0 } };
    struct run_settings settings[PAGE_RUNS_MOST];
    enum tool_exit worst = TOOL_GOOD;
    size_t count =
        view->line.files.count == PAGE_RUNS_MOST || view->with.count ? PAGE_RUNS_MOST : 1;
    if (!output_begin(&output, view->path))
        return TOOL_INPUT;
    bool whole = true;
    for (size_t i = 0; i < count && whole; i++) {
        give_settings(view, i, &settings[i]);
        name_run(view, i, &names[i]);
        sinks[i] = scene_open(&view->scene);
        enum tool_exit code =
            view_run(view, view->line.files.first[view->line.files.count == 1 ? 0 : i], sinks[i],
                     &settings[i]);
        if (code != TOOL_GOOD && count > 1)
            (void)fprintf(stderr, "vidmm view: so says run %zu of the page, %s\n", i + 1,
                          text_get(&names[i]));
        worst = code > worst ? code : worst;
        whole = has_page(code);
        runs[i] = (struct page_run){ scene_of(sinks[i]), text_get(&names[i]) };
    }
    if (whole && count == PAGE_RUNS_MOST)
        scene_share_hues(sinks[0], sinks[1]);
    if (whole)
        page_write(output.file, runs, count);
    if (output.path && !whole)
        (void)fprintf(stderr, OUTPUT_NOT_WHOLE, output.path);
    if (!output_end(&output, whole) && whole)
        worst = TOOL_INPUT;
    for (size_t i = 0; i < count; i++) {
        if (sinks[i])
            sinks[i]->close(sinks[i]);
        text_free(&names[i]);
    }
    return (int)worst;
}

int cmd_view(int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "output", 'o', "FILE", 0, "the page (default: stdout)", 1 },
        { "with", KEY_WITH, "NAME=VALUE", 0, "compare with a second run that has this setting", 1 },
        { "calls", KEY_CALLS, NULL, 0, "the calls of the miniport, too", 1 },
        { "most-events", KEY_MOST, "N", 0,
          "keep N events at most, and N of everything else (default 1000000); what is left out is "
          "said",
          1 },
        { "policy", KEY_POLICY, "FILE", 0, POLICY_LOAD_HELP ", for the second run", 2 },
        { 0 },
    };
    static const struct argp_child children[] = { { .argp = &run_options_given },
                                                  { .argp = &run_options_chosen },
                                                  { 0 } };
    static const struct argp grammar = {
        .options = options,
        .children = children,
        .parser = view_parse,
        .args_doc = "FILE [FILE]",
        .doc = "Makes a page of a run: where each allocation lay and when, what the nodes did, and "
               "why, for any browser. The page is one file that loads nothing.\v"
               "Examples:\n"
               "  vidmm view scenarios/workloads/llm.vms -o llm.html\n"
               "  vidmm view --with=eviction=fifo FILE -o both.html\n"
               "  vidmm view before.vms after.vms -o both.html\n\n"
               "In the page, '?' lists the keys. Its address keeps what you see: "
               "'llm.html#e=521&a=@7' opens at event 521, with @7 chosen.\n\n"
               "Exit codes: those of `vidmm run`.",
    };
    struct view view = { 0 };
    if (!options_parse(&grammar, argc, argv, &view))
        return TOOL_USAGE;
    return view_all(&view);
}

/* ---- as a format of `vidmm run` ---------------------------------------------------------------
 */

static void write_scene(const struct scene *scene, void *out)
{
    const struct page_run run = {
        .scene = scene,
        .name = scene->act_count ? scene_string(scene, scene->acts[0].file) : "",
    };
    page_write(out, &run, 1);
}

struct sink *view_open(const struct sink_options *options)
{
    const struct scene_options scene = {
        .most_events = options->most_events,
        .calls = options->calls,
        .finished = write_scene,
        .context = options->screen.out,
    };
    return scene_open(&scene);
}
