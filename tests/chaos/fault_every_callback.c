/* SPDX-License-Identifier: MIT */
/*
 * fault_every_callback.c: the N-th call of the miniport fails, for every N.
 *
 *     fault_every_callback [--every=N] [--from=M] SCENARIO...
 *
 * Every scenario (fault_corpus.h) runs once as it is, to count the calls that its miniport gets,
 * and then again for each of these calls (of a long scenario for every so many) and every other one
 * of the statuses below, of which neighbours take turns: the call answers the status and the driver
 * never sees it. Then it runs with paging buffers in which no call may use more than so many bytes,
 * from one command up. Expectations may fail, the simulated system may stop; but no invariant may
 * break, nothing may crash or run on for ever, and every refusal, finding and stop names a rule.
 *
 * The linker puts __wrap_vidmm_mock_miniport() before the function of the mock, so that the
 * scenarios meet a driver whose every function counts first.
 */
#include "tests/chaos/fault_corpus.h"
#include "vidmm/base/base.h"
#include "vidmm/ddi/ntstatus.h"
#include "vidmm/vidmm_mock.h"

enum { COMMAND_BYTES = 32, LONGEST_COMMAND = 8 * COMMAND_BYTES };

/* Statuses that a driver may answer, one that it must not, and one that no header defines. */
static const NTSTATUS answers[] = {
    STATUS_UNSUCCESSFUL,
    STATUS_NO_MEMORY,
    STATUS_GRAPHICS_ALLOCATION_BUSY,
    STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER,
    STATUS_NOT_SUPPORTED,
    STATUS_PENDING,
    (NTSTATUS)0xE0000001,
};

/* One run: call number `at` answers `answer`; 0: none does. */
static struct {
    uint64_t calls, at;
    NTSTATUS answer;
    UINT paging_bytes; /* no call may use more of a paging buffer; 0: all of it */
} run;

static const DRIVER_INITIALIZATION_DATA *real;

/* True: the driver is not asked. It is for an answer that says success, but not the plain one. */
static bool fails(NTSTATUS *answer)
{
    bool now = ++run.calls == run.at;
    *answer = now ? run.answer : STATUS_SUCCESS;
    return now && run.answer < 0;
}

static NTSTATUS answered(NTSTATUS answer, NTSTATUS driver)
{
    return driver == STATUS_SUCCESS ? answer : driver;
}

/* ---- a driver in front of the driver ------------------------------------------------------- */

enum { never = 0, skips = 1 };

/*
 * CALLS(ONE, TWO): the calls with one and with two arguments, with the types of these. `skips`: a
 * driver that fails has done nothing; `never`: it gives something back, and does so whatever it
 * says.
 */
#define CALLS(ONE, TWO)                                                                            \
    ONE(DxgkDdiStopDevice, never, IN_CONST_PVOID)                                                  \
    ONE(DxgkDdiRemoveDevice, never, IN_CONST_PVOID)                                                \
    ONE(DxgkDdiDestroyDevice, never, IN_CONST_HANDLE)                                              \
    ONE(DxgkDdiDestroyContext, never, IN_CONST_HANDLE)                                             \
    ONE(DxgkDdiResetFromTimeout, skips, IN_CONST_HANDLE)                                           \
    ONE(DxgkDdiRestartFromTimeout, skips, IN_CONST_HANDLE)                                         \
    TWO(DxgkDdiAddDevice, skips, IN_CONST_PDEVICE_OBJECT, OUT_PPVOID)                              \
    TWO(DxgkDdiQueryAdapterInfo, skips, IN_CONST_HANDLE, IN_CONST_PDXGKARG_QUERYADAPTERINFO)       \
    TWO(DxgkDdiCreateDevice, skips, IN_CONST_HANDLE, INOUT_PDXGKARG_CREATEDEVICE)                  \
    TWO(DxgkDdiCreateContext, skips, IN_CONST_HANDLE, INOUT_PDXGKARG_CREATECONTEXT)                \
    TWO(DxgkDdiCreateAllocation, skips, IN_CONST_HANDLE, INOUT_PDXGKARG_CREATEALLOCATION)          \
    TWO(DxgkDdiDestroyAllocation, never, IN_CONST_HANDLE, IN_CONST_PDXGKARG_DESTROYALLOCATION)     \
    TWO(DxgkDdiDescribeAllocation, skips, IN_CONST_HANDLE, INOUT_PDXGKARG_DESCRIBEALLOCATION)      \
    TWO(DxgkDdiGetStandardAllocationDriverData, skips, IN_CONST_HANDLE,                            \
        INOUT_PDXGKARG_GETSTANDARDALLOCATIONDRIVERDATA)                                            \
    TWO(DxgkDdiAcquireSwizzlingRange, skips, IN_CONST_HANDLE,                                      \
        INOUT_PDXGKARG_ACQUIRESWIZZLINGRANGE)                                                      \
    TWO(DxgkDdiReleaseSwizzlingRange, never, IN_CONST_HANDLE,                                      \
        IN_CONST_PDXGKARG_RELEASESWIZZLINGRANGE)                                                   \
    TWO(DxgkDdiOpenAllocation, skips, IN_CONST_HANDLE, IN_CONST_PDXGKARG_OPENALLOCATION)           \
    TWO(DxgkDdiCloseAllocation, never, IN_CONST_HANDLE, IN_CONST_PDXGKARG_CLOSEALLOCATION)         \
    TWO(DxgkDdiRender, skips, IN_CONST_HANDLE, INOUT_PDXGKARG_RENDER)                              \
    TWO(DxgkDdiPresent, skips, IN_CONST_HANDLE, INOUT_PDXGKARG_PRESENT)                            \
    TWO(DxgkDdiPatch, skips, IN_CONST_HANDLE, IN_CONST_PDXGKARG_PATCH)                             \
    TWO(DxgkDdiSubmitCommand, skips, IN_CONST_HANDLE, IN_CONST_PDXGKARG_SUBMITCOMMAND)             \
    TWO(DxgkDdiPreemptCommand, skips, IN_CONST_HANDLE, IN_CONST_PDXGKARG_PREEMPTCOMMAND)           \
    TWO(DxgkDdiCancelCommand, skips, IN_CONST_HANDLE, IN_CONST_PDXGKARG_CANCELCOMMAND)             \
    TWO(DxgkDdiCollectDbgInfo, skips, IN_CONST_HANDLE, IN_CONST_PDXGKARG_COLLECTDBGINFO)           \
    TWO(DxgkDdiQueryCurrentFence, skips, IN_CONST_HANDLE, INOUT_PDXGKARG_QUERYCURRENTFENCE)        \
    TWO(DxgkDdiQueryDependentEngineGroup, skips, IN_CONST_HANDLE,                                  \
        INOUT_DXGKARG_QUERYDEPENDENTENGINEGROUP)                                                   \
    TWO(DxgkDdiQueryEngineStatus, skips, IN_CONST_HANDLE, INOUT_PDXGKARG_QUERYENGINESTATUS)        \
    TWO(DxgkDdiResetEngine, skips, IN_CONST_HANDLE, INOUT_PDXGKARG_RESETENGINE)                    \
    TWO(DxgkDdiMapCpuHostAperture, skips, IN_CONST_HANDLE, IN_CONST_PDXGKARG_MAPCPUHOSTAPERTURE)   \
    TWO(DxgkDdiUnmapCpuHostAperture, never, IN_CONST_HANDLE,                                       \
        IN_CONST_PDXGKARG_UNMAPCPUHOSTAPERTURE)                                                    \
    TWO(DxgkDdiValidateUpdateAllocationProperty, skips, IN_CONST_HANDLE,                           \
        IN_CONST_PDXGKARG_VALIDATEUPDATEALLOCPROPERTY)                                             \
    TWO(DxgkDdiSetAllocationBackingStore, skips, IN_CONST_HANDLE,                                  \
        IN_CONST_PDXGKARG_SETALLOCATIONBACKINGSTORE)

#define ONE(name, how, type)                                                                       \
    static NTSTATUS front_##name(type first)                                                       \
    {                                                                                              \
        NTSTATUS answer;                                                                           \
        return fails(&answer) && how ? answer : answered(answer, real->name(first));               \
    }
#define TWO(name, how, type, other)                                                                \
    static NTSTATUS front_##name(type first, other second)                                         \
    {                                                                                              \
        NTSTATUS answer;                                                                           \
        return fails(&answer) && how ? answer : answered(answer, real->name(first, second));       \
    }
CALLS(ONE, TWO)
#undef ONE
#undef TWO

static NTSTATUS front_start(IN_CONST_PVOID context, IN_PDXGK_START_INFO info,
                            IN_PDXGKRNL_INTERFACE interface, OUT_PULONG sources,
                            OUT_PULONG children)
{
    NTSTATUS answer;
    if (fails(&answer))
        return answer;
    return answered(answer, real->DxgkDdiStartDevice(context, info, interface, sources, children));
}

static NTSTATUS front_power(IN_CONST_PVOID context, IN_ULONG uid, IN_DEVICE_POWER_STATE state,
                            IN_POWER_ACTION action)
{
    NTSTATUS answer;
    if (fails(&answer))
        return answer;
    return answered(answer, real->DxgkDdiSetPowerState(context, uid, state, action));
}

static NTSTATUS front_paging(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER args)
{
    NTSTATUS answer;
    if (fails(&answer))
        return answer;
    if (run.paging_bytes && args->DmaSize > run.paging_bytes)
        args->DmaSize = run.paging_bytes;
    return answered(answer, real->DxgkDdiBuildPagingBuffer(adapter, args));
}

const struct vidmm_miniport *__real_vidmm_mock_miniport(struct vidmm_mock *mock);
const struct vidmm_miniport *__wrap_vidmm_mock_miniport(struct vidmm_mock *mock);

const struct vidmm_miniport *__wrap_vidmm_mock_miniport(struct vidmm_mock *mock)
{
    static DRIVER_INITIALIZATION_DATA front;
    static struct vidmm_miniport miniport;
    miniport = *__real_vidmm_mock_miniport(mock);
    real = miniport.ddi;
    front = *real;
#define HOOK(name, ...) front.name = real->name ? front_##name : NULL;
    CALLS(HOOK, HOOK)
#undef HOOK
    front.DxgkDdiStartDevice = front_start;
    front.DxgkDdiSetPowerState = real->DxgkDdiSetPowerState ? front_power : NULL;
    front.DxgkDdiBuildPagingBuffer = front_paging;
    miniport.ddi = &front;
    return &miniport;
}

/* ---- running ------------------------------------------------------------------------------- */

/* How many calls the miniport got is then in `run`. */
static struct trial run_once(const struct fault_file *file, uint64_t at, NTSTATUS answer,
                             UINT paging_bytes)
{
    /* Expectations may fail here, and statements end otherwise than they should. */
    struct trial trial = { .lenient = true };
    run.calls = 0;
    run.at = at;
    run.answer = answer;
    run.paging_bytes = paging_bytes;
    fault_run(file, &trial, "call %llu answers 0x%08X, %u bytes of a paging buffer",
              (unsigned long long)at, (unsigned)answer, paging_bytes);
    return trial;
}

static uint64_t run_faults(const struct fault_file *file)
{
    uint64_t runs = 0;
    struct trial whole = run_once(file, 0, STATUS_SUCCESS, 0);
    uint64_t calls = run.calls;
    uint64_t step = fault_step(&whole, calls);
    for (uint64_t at = 1; at <= calls; at += step)
        for (size_t i = at / step % 2; i < ARRAY_COUNT(answers); i += 2, runs++)
            run_once(file, at, answers[i], 0);
    for (UINT bytes = COMMAND_BYTES; bytes <= LONGEST_COMMAND; bytes += COMMAND_BYTES / 2, runs++)
        run_once(file, 0, STATUS_SUCCESS, bytes);
    return runs;
}

int main(int argc, char **argv)
{
    return fault_corpus(argc, argv, run_faults);
}
