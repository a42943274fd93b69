/* SPDX-License-Identifier: MIT */
/*
 * run_start.c: from the setup statements to an adapter that runs, and back to nothing.
 *
 * The default process, device and context come into being when something needs them first, so that
 * a scenario that declares its own has only those.
 */
#include "scenarios/lang/scenario_items.h"
#include "scenarios/lang/session/session.h"

#include <stdlib.h>
#include <string.h>

/* ---- beginning ------------------------------------------------------------------------------- */

static word start_intern(struct runner *runner, const char *text)
{
    struct scenario *scenario = runner->scenario;
    return words_intern(&scenario->words, &scenario->arena, text, strlen(text));
}

static void start_end(struct runner *runner)
{
    if (runner->adapter && runner->scenario->host->ended)
        runner->scenario->host->ended(runner->scenario->host, runner->adapter);
    vidmm_adapter_free(runner->adapter);
    vidmm_mock_destroy(runner->mock);
    runner->adapter = NULL;
    runner->mock = NULL;
    names_fini(&runner->names);
    names_fini(&runner->refused);
    handles_fini(&runner->handles);
}

void run_start_reset(struct runner *runner)
{
    start_end(runner);
    names_init(&runner->names);
    names_init(&runner->refused);
    runner->handles = (struct handles){ 0 };
    scope_cut(&runner->variables, 0);
    runner->device_count = runner->opened_count = 0;
    live_reset(runner);
    runner->process = runner->device = runner->context = runner->locked = 0;
    runner->fresh = 0;
    watches_reset(runner);
    bindings_name(runner, start_intern(runner, "render"), OBJECT_NODE, 0);
    bindings_name(runner, start_intern(runner, "paging"), OBJECT_NODE, 1);
    event_log_clear(&runner->log);
    vidmm_config_init(&runner->config);
    vidmm_mock_config_init(&runner->mock_config, VIDMM_WDDM_1_1);
    runner->mock_config.segments = runner->segments;
    runner->nodes_declared = 0;
    runner->last_seq = 0;
    runner->warned_count = 0;
    runner->start_failed = runner->stop_seen = runner->halted = false;
}

void run_start_free(struct runner *runner)
{
    start_end(runner);
    void *const arrays[] = { runner->values,      runner->live,    runner->opened, runner->devices,
                             runner->out.results, runner->targets, runner->moves,  runner->gone };
    for (size_t i = 0; i < ARRAY_COUNT(arrays); i++)
        base_free(arrays[i]);
    live_reset(runner);
    scope_fini(&runner->variables);
    event_log_fini(&runner->log);
    event_log_fini(&runner->held.log);
    base_free(runner->held.counted);
    watches_fini(runner);
    base_free(runner->segments);
    base_free(runner);
}

/* ---- start ----------------------------------------------------------------------------------- */

static bool apply_options(struct runner *runner)
{
    const struct scenario_host *host = runner->scenario->host;
    const char *why = "";
    runner->config.policies = host->policies;
    runner->config.policy_count = host->policy_count;
    const char *wrong =
        scenario_options_store(host, runner->options, &runner->config.settings, &why);
    if (wrong)
        return runner_stop(runner, "'%s' cannot be set: %s", wrong, why);
    return true;
}

/* vram[1] is what adapter 1 of a link has as vram; vram[0] is vram. */
static void name_linked_segments(struct runner *runner)
{
    uint32_t count = runner->mock_config.segment_count;
    for (uint32_t index = 0; index < runner->config.link_adapters; index++)
        for (uint32_t id = 1; id <= count && id <= VIDMM_SEGMENTS_MAX; id++) {
            word name = start_intern(runner, runner->config.segment_names[id]);
            bindings_set(runner, false, name_key_member(name, index),
                         bindings_make(OBJECT_SEGMENT, index, index * count + id));
        }
}

static vidmm_status start(struct runner *runner)
{
    struct scenario_host *host = runner->scenario->host;
    const uint64_t *settings = runner->config.settings.value;
    runner->mock_config.wddm = (uint32_t)settings[VIDMM_SETTING_WDDM];
    runner->mock_config.page_bytes = (uint32_t)settings[VIDMM_SETTING_PAGE];
    runner->mock_config.aperture_mmio = settings[VIDMM_SETTING_APERTURE] == 1;
    runner->mock = vidmm_mock_create(&runner->mock_config);
    runner->config.miniport = *vidmm_mock_miniport(runner->mock);
    runner->config.observers = live_attach(runner, event_log_attach(runner, host->observers));
    runner->config.complaint_observers = repeats_observer(runner);
    runner->config.handle_name = run_missing_name;
    runner->config.caller = runner;
    runner->config.seed = runner->seed;
    runner->config.foresight = runner->scenario->foresight;
    name_linked_segments(runner);
    vidmm_status status = vidmm_adapter_start(&runner->config, &runner->adapter);
    runner->start_failed = status < 0;
    /* What flags are called goes by the version that both sides know (MINI-087). */
    runner->mock_config.wddm =
        (uint32_t)min_u64(runner->mock_config.wddm, settings[VIDMM_SETTING_SYSTEM_WDDM]);
    if (host->started)
        host->started(host, runner->adapter);
    return status;
}

void run_start_late(struct runner *runner)
{
    runner_stop(runner, runner->start_failed
                            ? "the adapter did not start, and is not tried again"
                            : "the adapter has already started, as it does with the first "
                              "operation or expectation: this has to stand above that");
}

void run_start_asked(struct runner *runner, const struct statement *statement)
{
    if (runner->adapter)
        run_start_late(runner);
    else if (apply_options(runner))
        run_outcome(runner, statement, start(runner));
}

bool run_start_implied(struct runner *runner)
{
    char text[512];
    if (runner->adapter)
        return true;
    if (!apply_options(runner))
        return false;
    vidmm_status status = start(runner);
    if (status >= 0)
        return true;
    describe_refusal(runner, status, text, sizeof text);
    if (!runner->mock_config.segment_count)
        words_add(text, sizeof text,
                  "\nno segment is declared: `segment NAME id=1 kind=memory size=64M` does");
    runner_broke_off(runner, SCENARIO_EXIT_FAILED, "the adapter does not start", text);
    return false;
}

/* ---- owners by default ----------------------------------------------------------------------- */

static vidmm_handle *start_last(struct runner *runner, enum object object)
{
    return object == OBJECT_PROCESS  ? &runner->process
           : object == OBJECT_DEVICE ? &runner->device
                                     : &runner->context;
}

void run_start_made(struct runner *runner, enum object object, word name, vidmm_handle handle)
{
    *start_last(runner, object) = handle;
    bindings_name(runner, name, object, handle);
    if (object != OBJECT_DEVICE)
        return;
    BASE_GROW(runner->devices, runner->device_capacity, runner->device_count + 1);
    runner->devices[runner->device_count++] = handle;
}

/* The owner of the given kind; 0: the statement cannot be carried out, and ends like the creation
   that it needed. */
static vidmm_handle start_owner(struct runner *runner, enum object object)
{
    vidmm_status status;
    vidmm_handle above = 0;
    vidmm_handle handle = *start_last(runner, object);
    const char *name = object == OBJECT_PROCESS ? "app" : object == OBJECT_DEVICE ? "dev" : "ctx";
    if (handle)
        return handle;
    if (runner->start_failed)
        return RUN_NO_HANDLE; /* the operation itself is refused */
    if (object != OBJECT_PROCESS) {
        above = start_owner(runner, object == OBJECT_DEVICE ? OBJECT_PROCESS : OBJECT_DEVICE);
        if (!above)
            return 0;
    }
    if (object == OBJECT_PROCESS)
        status = vidmm_process_create(runner->adapter, name, &handle);
    else if (object == OBJECT_DEVICE)
        status = vidmm_device_create(runner->adapter, name, above, &handle);
    else
        status = vidmm_context_create(runner->adapter, name, above, 0, &handle);
    if (status >= 0) {
        run_start_made(runner, object, start_intern(runner, name), handle);
        return handle;
    }
    run_outcome(runner, runner->statement, status);
    runner->ownerless = true;
    return 0;
}

vidmm_handle run_start_device(struct runner *runner)
{
    return start_owner(runner, OBJECT_DEVICE);
}

vidmm_handle run_start_owner(struct runner *runner, const struct statement *statement,
                             enum attribute_id id, enum object object)
{
    const struct item *name = attribute_items(statement, id);
    if (!name)
        return start_owner(runner, object);
    binding named = bindings_of_word(runner, name->from->name);
    return named ? bindings_number(named) : RUN_NO_HANDLE;
}

vidmm_handle run_start_context(struct runner *runner, const struct item *named)
{
    word name = named ? named->from->name : 0;
    vidmm_handle context = named ? bindings_number(bindings_of_word(runner, name)) : 0;
    if (!named || (!context && name == start_intern(runner, "ctx")))
        return start_owner(runner, OBJECT_CONTEXT);
    return context;
}
