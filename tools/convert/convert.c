/* SPDX-License-Identifier: MIT */
/*
 * convert.c: which format an input has, and the way from there to a scenario.
 */
#include "scenarios/lang/scenario_twin.h"
#include "tools/convert/trace.h"

#include <string.h>

enum { LOOKED_AT = 4096 };

/* Nothing that no text has, in the first bytes. */
static bool looks_like_text(struct input *input)
{
    size_t have = input_have(input, LOOKED_AT);
    const char *bytes = input->window + input->at;
    for (size_t i = 0; i < have; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if ((c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7F)
            return false;
    }
    return true;
}

static bool has_lives(const struct table *table)
{
    return table->columns[ROLE_LOWER] >= 0 && table->columns[ROLE_UPPER] >= 0;
}

static bool convert_binary(struct trace *trace, const char *found, FILE *out)
{
    trace_assume(trace, "format:", "oracleGeneral, records of 24 bytes%s", found);
    bool read = oracle_read(trace);
    if (read && cache_write(trace, out))
        return true;
    if (*found && (!read || !trace->request_count))
        text_add(&trace->input->problem,
                 "   = help: it was read as oracleGeneral%s; --from=FORMAT says what it is\n",
                 found);
    return false;
}

static bool convert_text(struct trace *trace, FILE *out)
{
    struct table *table = base_alloc(1, sizeof *table);
    bool whole = table_begin(table, trace->input, trace->options);
    bool lives = trace->options->from == CONVERT_LIVES ||
                 (trace->options->from == CONVERT_AUTO && whole && has_lives(table));
    if (!whole && !input_failed(trace->input))
        (void)trace_refuse(trace, "it has no line");
    else if (whole && lives)
        whole = lives_convert(trace, table, out);
    else if (whole)
        whole = requests_read(trace, table) && cache_write(trace, out);
    base_free(table);
    return whole;
}

static bool convert_any_trace(struct trace *trace, FILE *out)
{
    bool automatic = trace->options->from == CONVERT_AUTO;
    if (trace->options->from == CONVERT_ORACLE || (automatic && !looks_like_text(trace->input)))
        return convert_binary(trace, automatic ? ", because it is no text" : "", out);
    return convert_text(trace, out);
}

static bool begins_with(struct input *input, const char *words)
{
    size_t length = strlen(words);
    return input_have(input, length) == length &&
           memcmp(input->window + input->at, words, length) == 0;
}

/* Of a scenario a twin is made unless something else is wanted. */
static bool makes_twin(const struct trace *trace, bool scenario, bool twin)
{
    enum convert_to to = trace->options->to;
    return to == CONVERT_TO_AUTO ? scenario && !twin : to == CONVERT_TO_TWIN;
}

static bool convert_input(struct trace *trace, FILE *out)
{
    struct input *input = trace->input;
    enum convert_format from = trace->options->from;
    size_t have = input_have(input, 8);
    if (have == 0)
        return trace_refuse(trace, "it is empty");
    bool twin = scenario_is_twin(input->window + input->at, have);
    bool text =
        begins_with(input, "vidmm-scenario") || begins_with(input, "\xEF\xBB\xBFvidmm-scenario");
    if (from == CONVERT_VMS && !twin && !text)
        return input_wrong(input, 0, "neither a scenario nor a binary twin begins like this");
    bool scenario = from == CONVERT_VMS || (from == CONVERT_AUTO && (twin || text));
    trace->report->was_twin = trace->options->no_twin && makes_twin(trace, scenario, twin);
    if (trace->report->was_twin)
        return false;
    if (scenario)
        return twins_convert(trace, twin, out);
    if (trace->options->to == CONVERT_TO_TWIN)
        return twins_of_scenario(trace, convert_any_trace, out);
    return convert_any_trace(trace, out);
}

bool convert_trace(FILE *in, const char *name, const struct convert_options *options, FILE *out,
                   struct convert_report *report)
{
    struct input *input = base_alloc(1, sizeof *input);
    struct trace trace = { .input = input, .options = options, .report = report };
    bool whole = input_begin(input, in, name) && convert_input(&trace, out);
    whole = whole && !input_failed(input);
    text_add(&report->problem, "%s", text_get(&input->problem));
    text_free(&trace.first);
    base_free(trace.requests);
    objects_free(&trace.objects);
    input_end(input);
    base_free(input);
    return whole;
}

void convert_report_free(struct convert_report *report)
{
    text_free(&report->assumed);
    text_free(&report->doubts);
    text_free(&report->problem);
}
