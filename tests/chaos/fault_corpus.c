/* SPDX-License-Identifier: MIT */
/* fault_corpus.c: see fault_corpus.h. */
#include "tests/chaos/fault_corpus.h"
#include "tests/support/read_file.h"
#include "tests/support/run_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Events that all runs of a long scenario tell together, more or less; of a short one each fault
   happens, as in all of tests/chaos. */
static const uint64_t most_events = 100000, short_events = 1000;

uint64_t fault_step(const struct trial *whole, uint64_t faults)
{
    uint64_t events = 0;
    for (size_t i = 0; i < ARRAY_COUNT(whole->events); i++)
        events += whole->events[i];
    return events < short_events ? 1 : 1 + faults * events / most_events;
}

void fault_run(const struct fault_file *file, struct trial *trial, const char *format, ...)
{
    char fault[TRIAL_PROBLEM];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(fault, sizeof fault, format, arguments);
    va_end(arguments);
    if (getenv("VIDMM_FAULT_VERBOSE")) {
        (void)printf("%s: %s\n", file->path, fault);
        (void)fflush(stdout);
    }
    trial->host.load = run_file_load;
    if (!trial_run(trial, file->path, file->text, file->bytes)) {
        (void)fprintf(stderr, "%s: %s: %s\n", file->path, fault, trial->problem);
        exit(1);
    }
}

/* "--every=3" gives 3. */
static bool option(const char *word, const char *name, long *value)
{
    if (strncmp(word, name, strlen(name)) != 0)
        return false;
    *value = strtol(word + strlen(name), NULL, 10);
    return true;
}

int fault_corpus(int argc, char **argv, uint64_t (*run_faults)(const struct fault_file *file))
{
    uint64_t files = 0, runs = 0;
    long every = 1, from = 0, number = 0;
    for (int i = 1; i < argc; i++) {
        if (option(argv[i], "--every=", &every) || option(argv[i], "--from=", &from))
            continue;
        CHECK(every > 0 && from >= 0);
        if (number++ % every != from % every)
            continue;
        struct fault_file file = { .path = argv[i] };
        if (!read_file(argv[i], &file.text, &file.bytes)) {
            (void)fprintf(stderr, "%s cannot be read\n", argv[i]);
            return 2;
        }
        runs += run_faults(&file);
        files++;
        base_free(file.text);
    }
    (void)printf("%llu scenarios, %llu runs with a fault\n", (unsigned long long)files,
                 (unsigned long long)runs);
    return runs ? 0 : 1;
}
