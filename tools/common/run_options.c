/* SPDX-License-Identifier: MIT */
/* run_options.c: which setting, parameter, limit or seed of a run does an option mean? */
#include "tools/common/run_options.h"

#include <inttypes.h>
#include <string.h>

#include "scenarios/lang/scenario_items.h"
#include "tools/common/policy_load.h"

static void complain_name(const char *name, struct text *why)
{
    struct text names = { 0 };
    struct text_likeness likeness = text_likeness(name);
    const struct vidmm_setting_info *info;
    for (size_t i = 0; (info = vidmm_setting_row(i)) != NULL; i++) {
        text_liken(&likeness, info->name);
        text_add(&names, "%s%s", i ? ", " : "", info->name);
    }
    if (likeness.best)
        text_add(why, "no setting is named '%s'; did you mean '%s'?", name, likeness.best);
    else
        text_add(why, "no setting is named '%s'; there are %s", name, text_get(&names));
    text_free(&names);
}

/* Each of "a|b|c". */
static void liken_words(struct text_likeness *likeness, const char *words, struct text *copy)
{
    text_add(copy, "%s", words);
    for (char *at = copy->bytes; *at;) {
        size_t length = strcspn(at, "|");
        bool last = !at[length];
        at[length] = '\0';
        text_liken(likeness, at);
        at += length + !last;
    }
}

static void complain_word(const char *value, const char *words, struct text *why)
{
    struct text copy = { 0 };
    struct text_likeness likeness = text_likeness(value);
    liken_words(&likeness, words ? words : "", &copy);
    if (likeness.best)
        text_add(why, "; did you mean '%s'?", likeness.best);
    text_free(&copy);
}

/* What `page` is in the file is not known yet: the smallest one allows most. */
static bool check_value(const char *word, const struct vidmm_setting_info *info,
                        const struct run_settings *loaded, struct text *why)
{
    static const char *const forms[] = {
        [VIDMM_SETTING_COUNT] = "a number",
        [VIDMM_SETTING_BYTES] = "a size such as 64K",
        [VIDMM_SETTING_NS] = "a time such as 200us",
        [VIDMM_SETTING_RATE] = "bytes in a second such as 8G",
        [VIDMM_SETTING_WORDS] = "",
    };
    struct vidmm_settings settings;
    const char *reason = "";
    vidmm_settings_init(&settings);
    settings.value[VIDMM_SETTING_PAGE] = 512;
    struct scenario_host host = { 0 };
    if (loaded)
        run_options_load(loaded, &host);
    if (scenario_option_store(&host, word, &settings, &reason))
        return true;
    const char *form = info->words ? info->words : forms[info->kind];
    if (info->kind == VIDMM_SETTING_VERSION)
        form = vidmm_wddm_versions();
    text_add(why, "%s", reason);
    /* Some reasons list them already. */
    if (!strstr(reason, form))
        text_add(why, "; possible: %s", form);
    const char *value = word + strcspn(word, "=");
    complain_word(value + (*value == '='), info->words, why);
    return false;
}

const struct vidmm_setting_info *run_options_find_setting(const char *word, size_t length,
                                                          struct text *why)
{
    char *name = base_strndup(word, length);
    size_t index = vidmm_setting_by_name(name);
    if (index == SIZE_MAX)
        complain_name(name, why);
    base_free(name);
    return index == SIZE_MAX ? NULL : vidmm_setting_row(index);
}

bool run_options_check_setting(const char *word, const struct run_settings *loaded,
                               struct text *why)
{
    const struct vidmm_setting_info *info = run_options_find_setting(word, strcspn(word, "="), why);
    return info && check_value(word, info, loaded, why);
}

static void run_options_add(struct run_settings *settings, const char *word,
                            struct argp_state *state)
{
    if (settings->count == RUN_SETTINGS_MOST)
        argp_error(state, "more than %d of an option", RUN_SETTINGS_MOST);
    else
        settings->words[settings->count++] = word;
}

void run_options_set(struct run_settings *settings, const char *word, struct argp_state *state)
{
    struct text why = { 0 };
    size_t length = strcspn(word, "=");
    if (!length)
        argp_error(state, "'%s' names no setting: write NAME=VALUE", word);
    else if (!word[length])
        argp_error(state, "'%s' has no value: write %s=VALUE", word, word);
    else if (!run_options_find_setting(word, length, &why))
        argp_error(state, "%s", text_get(&why));
    else if (!run_options_check_setting(word, settings, &why))
        argp_error(state, "%s: %s", word, text_get(&why));
    text_free(&why);
    run_options_add(settings, word, state);
}

void run_options_define(struct run_settings *defines, const char *word, struct argp_state *state)
{
    size_t length = strcspn(word, "=");
    if (!length || !word[length] || !word[length + 1])
        argp_error(state, "'%s' gives no parameter a value: write -D NAME=VALUE", word);
    else
        run_options_add(defines, word, state);
}

/* Adds those that `names` does not have yet. */
static void add_params(struct scenario *scenario, struct text *names)
{
    struct scenario_item item = { 0 };
    struct text name = { 0 };
    while (scenario_next(scenario, SCENARIO_PARAMS, &item)) {
        text_clear(&name);
        text_add_bytes(&name, item.text, item.length);
        if (!text_listed(text_get(names), text_get(&name)))
            text_add(names, "%s%s", names->length ? "|" : "", text_get(&name));
    }
    text_free(&name);
}

void run_options_nearest(const char *word, const char *words, struct text *why)
{
    struct text list = { 0 };
    struct text_likeness likeness = text_likeness(word);
    liken_words(&likeness, words, &list);
    if (*words && likeness.best)
        text_add(why, "; did you mean '%s'?", likeness.best);
    else if (*words)
        text_add(why, "; there are %s", words);
    text_free(&list);
}

void run_options_unknown(const char *define, const char *names, struct text *why)
{
    struct text name = { 0 };
    text_add_bytes(&name, define, strcspn(define, "="));
    text_add(why, "no parameter is named '%s'", text_get(&name));
    if (!*names)
        text_add(why, "; `param %s = DEFAULT` in a scenario makes one", text_get(&name));
    run_options_nearest(text_get(&name), names, why);
    text_free(&name);
}

bool run_options_give_params(struct scenario *scenario, const char *const *defines, size_t count,
                             struct text *why)
{
    struct text names = { 0 };
    size_t given = 0;
    while (given < count && scenario_define(scenario, defines[given]))
        given++;
    if (given == count)
        return true;
    add_params(scenario, &names);
    run_options_unknown(defines[given], text_get(&names), why);
    text_free(&names);
    return false;
}

bool run_options_read_limit(struct scenario_limits *limits, const char *word)
{
    const struct {
        const char *name;
        uint64_t *value;
        bool (*read)(const char *text, uint64_t *value);
    } rows[] = {
        { "ops=", &limits->operations, text_read_size },
        { "work=", &limits->work, text_read_size },
        { "live=", &limits->live, text_read_size },
        { "time=", &limits->time, text_read_time },
        { "memory=", &limits->memory_bytes, text_read_size },
    };
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        size_t length = strlen(rows[i].name);
        if (strncmp(word, rows[i].name, length) == 0 && rows[i].read(word + length, rows[i].value))
            return *rows[i].value > 0; /* 0 would be the limit of the file */
    }
    return false;
}

void run_options_limit(struct scenario_limits *limits, const char *word, struct argp_state *state)
{
    if (!run_options_read_limit(limits, word))
        argp_error(state,
                   "'%s' is no limit: write --limit=ops=N, work=N, live=N, time=T or "
                   "memory=SIZE, each from 1",
                   word);
}

void run_options_give(const struct run_settings *settings, struct scenario_options *options)
{
    options->settings = settings->words;
    options->setting_count = settings->count;
    options->implied_count = settings->chosen_count;
}

void run_options_load(const struct run_settings *settings, struct scenario_host *host)
{
    host->policies = settings->policies;
    host->policy_count = settings->policy_count;
}

uint64_t run_options_most(const char *word, struct argp_state *state)
{
    uint64_t most = 0;
    if (!text_read_size(word, &most) || most == 0 || most > UINT32_MAX / 2)
        argp_error(state, "'%s' is no number of events: write --most-events=N, 1 to %u", word,
                   UINT32_MAX / 2);
    return most;
}

uint64_t run_options_seed(const char *word, struct argp_state *state)
{
    uint64_t seed = 0;
    if (!text_read_size(word, &seed))
        argp_error(state, "'%s' is no seed: a number from 0 to 18446744073709551615", word);
    return seed;
}

enum screen_color run_options_color(const char *word, struct argp_state *state)
{
    static const char *const words[] = { "auto", "always", "never" };
    for (size_t i = 0; i < ARRAY_COUNT(words); i++)
        if (strcmp(word, words[i]) == 0)
            return (enum screen_color)i;
    argp_error(state, "'%s' is no choice of colour: auto, always or never", word);
    return SCREEN_COLOR_AUTO;
}

/* ---- rows that commands share ---------------------------------------------------------------- */

enum {
    KEY_WHY = 1000,
    KEY_CALLS,
    KEY_ONLY,
    KEY_SET,
    KEY_POLICY,
    KEY_SEED,
    KEY_LIMIT,
    KEY_COLOR,
    KEY_ASCII,
};

static const struct argp_option story_rows[] = {
    { "why", KEY_WHY, NULL, 0, "under each line, the rule that decided and its standing", 1 },
    { "verbose", 'v', NULL, 0,
      "the steps between, too: places tried, buffers, fences, and what a file does again before "
      "each of its tests",
      1 },
    { "calls", KEY_CALLS, NULL, 0, "every call of the miniport, with its arguments", 1 },
    { 0 },
};

static const struct argp_option given_rows[] = {
    { "define", 'D', "NAME=VALUE", 0, "the value of `param NAME` of the file", 2 },
    { "seed", KEY_SEED, "N", 0, "where random numbers begin", 2 },
    { "limit", KEY_LIMIT, "ops=N|work=N|live=N|time=T|memory=SIZE", 0,
      "a limit of operations, of the work that they cause, live allocations, time or host memory",
      2 },
    { 0 },
};

static const struct argp_option chosen_rows[] = {
    { "only", KEY_ONLY, "TEST", 0, "only tests whose name contains TEST", 2 },
    { "set", KEY_SET, "NAME=VALUE", 0, "a setting, after those of the file", 2 },
    { 0 },
};

static const struct argp_option policy_rows[] = {
    { "policy", KEY_POLICY, "FILE", 0, POLICY_LOAD_HELP, 2 },
    { 0 },
};

static const struct argp_option letters_rows[] = {
    { "color", KEY_COLOR, "auto|always|never", 0, "auto (default; obeys NO_COLOR), always or never",
      3 },
    { "ascii", KEY_ASCII, NULL, 0, "no drawing characters", 3 },
    { 0 },
};

static error_t parse_shown(int key, char *argument, struct argp_state *state)
{
    struct run_line *line = state->input;
    switch (key) {
    case KEY_WHY: line->shown.why = true; return 0;
    case 'v': line->shown.verbose = true; return 0;
    case KEY_CALLS: line->shown.calls = true; return 0;
    case KEY_COLOR: line->color = run_options_color(argument, state); return 0;
    case KEY_ASCII: line->letters = SCREEN_LETTERS_ASCII; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_run(int key, char *argument, struct argp_state *state)
{
    static const struct argp_option *const rows[] = { given_rows, chosen_rows, policy_rows };
    struct run_line *line = state->input;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        for (const struct argp_option *row = rows[i]; row->name; row++)
            if (row->key == key)
                line->given = row->name;
    switch (key) {
    case 'D': run_options_define(&line->defines, argument, state); return 0;
    case KEY_LIMIT: run_options_limit(&line->options.limits, argument, state); return 0;
    case KEY_ONLY: line->options.only = argument; return 0;
    case KEY_SET: run_options_set(&line->settings, argument, state); return 0;
    case KEY_POLICY: policy_load(&line->settings, argument, state); return 0;
    case KEY_SEED:
        line->options.has_seed = true;
        line->options.seed = run_options_seed(argument, state);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp run_options_story = { .options = story_rows, .parser = parse_shown };
const struct argp run_options_given = { .options = given_rows, .parser = parse_run };
const struct argp run_options_chosen = { .options = chosen_rows, .parser = parse_run };
const struct argp run_options_policy = { .options = policy_rows, .parser = parse_run };
const struct argp run_options_letters = { .options = letters_rows, .parser = parse_shown };

void run_options_write_value(struct text *out, const struct vidmm_setting_info *info,
                             uint64_t value)
{
    static const char *const units[] = { "ns", "us", "ms", "s" };
    const char *words = info->words;
    size_t unit = 0;
    switch (info->kind) {
    case VIDMM_SETTING_WORDS: /* the one that the list has at this index */
        for (; value; value--)
            words += strcspn(words, "|") + 1;
        text_add_bytes(out, words, strcspn(words, "|"));
        break;
    case VIDMM_SETTING_VERSION:
        text_add(out, "%" PRIu64 ".%" PRIu64, value / 10, value % 10);
        break;
    case VIDMM_SETTING_BYTES: text_add(out, "%s", text_size(value).it); break;
    case VIDMM_SETTING_NS: /* in the largest unit that needs no fraction, as a scenario writes it */
        for (; value && value % 1000 == 0 && unit + 1 < ARRAY_COUNT(units); unit++)
            value /= 1000;
        text_add(out, "%" PRIu64 "%s", value, units[unit]);
        break;
    default: text_add(out, "%" PRIu64, value); break;
    }
}
