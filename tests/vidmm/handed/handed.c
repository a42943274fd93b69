/* SPDX-License-Identifier: MIT */
/*
 * handed.c: the program with a suspicious driver: one that stands in front of the mock, keeps what
 * each call handed it, and compares it with what the event says of the call. handed.def has the
 * members. Fields that are computed once more, and not taken from what is handed, show here.
 *
 * The linker puts __wrap_vidmm_mock_miniport() and __wrap_driver_call_end() before the real ones.
 * A member that is wrong, and a row that no call of the whole run had anything for, is printed, and
 * the exit code is 1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paging/buffer/paging.h"
#include "tests/vidmm/handed/handed.h"
#include "vidmm/vidmm_mock.h"

static struct seen last; /* the call that has just returned */

/* ---- the rows ------------------------------------------------------------------------------- */

enum kind { SAME, ANSWER, SEGMENT, POINTER, ZERO, CHECKED, TOLD };

struct row {
    const char *call, *operation, *field;
    enum kind kind;
    size_t offset, bytes;
    bool (*look)(const struct seen *seen, const void *member);
};

#define MEMBER(kind, call, operation, STRUCT, path, field, look)                                   \
    { #call, operation, field, kind, offsetof(STRUCT, path), sizeof(((STRUCT *)0)->path), look },
#define PLAIN(kind, call, STRUCT, path, look) MEMBER(kind, call, NULL, STRUCT, path, #path, look)
#define OPERATION(kind, operation, member, path, look)                                             \
    MEMBER(kind, BuildPagingBuffer, #operation, DXGKARG_BUILDPAGINGBUFFER, member.path, #path, look)

#define SAME(call, STRUCT, path)          PLAIN(SAME, call, STRUCT, path, NULL)
#define ANSWER(call, STRUCT, path)        PLAIN(ANSWER, call, STRUCT, path, NULL)
#define SEGMENT(call, STRUCT, path)       PLAIN(SEGMENT, call, STRUCT, path, NULL)
#define POINTER(call, STRUCT, path)       PLAIN(POINTER, call, STRUCT, path, NULL)
#define CHECKED(call, STRUCT, path, look) PLAIN(CHECKED, call, STRUCT, path, look_##look)
#define TOLD(call, STRUCT, path, look)    PLAIN(TOLD, call, STRUCT, path, look_##look)
#define ZERO(call, STRUCT, path, why)     PLAIN(ZERO, call, STRUCT, path, NULL)
#define BY(call, STRUCT, path, file)
#define WORD(call, STRUCT, path, why)
#define CREATED(member)                                                                            \
    MEMBER(ANSWER, CreateContext, NULL, DXGKARG_CREATECONTEXT, ContextInfo.member, #member, NULL)

#define PAGING(operation, member, path)           OPERATION(SAME, operation, member, path, NULL)
#define PAGING_SEGMENT(operation, member, path)   OPERATION(SEGMENT, operation, member, path, NULL)
#define PAGING_POINTER(operation, member, path)   OPERATION(POINTER, operation, member, path, NULL)
#define PAGING_ZERO(operation, member, path, why) OPERATION(ZERO, operation, member, path, NULL)
#define PAGING_WORD(operation, member, path, why)
#define PAGING_CHECKED(operation, member, path, look)                                              \
    OPERATION(CHECKED, operation, member, path, look_##look)
#define PAGING_TOLD(operation, member, path, look)                                                 \
    OPERATION(TOLD, operation, member, path, look_##look)
/* A bit has no offset: the function finds it. */
#define PAGING_BIT(operation, member, path, look)                                                  \
    { "BuildPagingBuffer", #operation, #path, TOLD, 0, 1, look_##look },

static const struct row rows[] = {
#include "tests/vidmm/handed/handed.def"
};

static uint64_t looked[ARRAY_COUNT(rows)];
static unsigned wrong;

static void complain(const struct row *row, const char *what)
{
    if (wrong++ < 40)
        fprintf(stderr, "%s%s%s: %s: %s\n", row->call, row->operation ? " " : "",
                row->operation ? row->operation : "", row->field, what);
}

static uint64_t value_at(const unsigned char *arg, const struct row *row)
{
    uint64_t value = 0;
    memcpy(&value, arg + row->offset, min_u64(row->bytes, sizeof value));
    return value;
}

static bool of_operation(const struct row *row, const struct seen *seen)
{
    return !row->operation ||
           !strcmp(row->operation,
                   paging_operation_name(IN(seen, DXGKARG_BUILDPAGINGBUFFER)->Operation));
}

static bool is_zero(const unsigned char *arg, const struct row *row)
{
    for (size_t i = 0; i < row->bytes; i++)
        if (arg[row->offset + i])
            return false;
    return true;
}

/* In the call: the driver has not answered yet. */
static void look_inside(const struct seen *seen)
{
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        const struct row *row = &rows[i];
        bool zero = row->kind == ZERO, checked = row->kind == CHECKED;
        if ((!zero && !checked) || strcmp(row->call, seen->name) != 0 || !of_operation(row, seen))
            continue;
        looked[i]++;
        if (zero ? !is_zero(seen->in, row) : !row->look(seen, seen->in + row->offset))
            complain(row, zero ? "is not 0" : "is not what it should be");
    }
}

/* A segment of a link has another id for its driver, which counts those of one adapter. */
static uint64_t driver_segment(const struct seen *seen, uint64_t id)
{
    uint32_t each = seen->adapter->setup->segments_each;
    return id && each ? (id - 1) % each + 1 : id;
}

static void compare(const struct seen *seen, size_t i)
{
    const struct row *row = &rows[i];
    const struct vidmm_field *field = handed_field(seen, row->field);
    if (row->kind == TOLD) {
        looked[i]++;
        if (!row->look(seen, seen->in + row->offset))
            complain(row, "is not what the event says");
        return;
    }
    if (!field)
        return;
    uint64_t value = value_at(row->kind == ANSWER ? seen->out : seen->in, row);
    uint64_t told = row->kind == SEGMENT ? driver_segment(seen, field->value) : field->value;
    looked[i]++;
    if (row->kind == POINTER ? (value != 0) != told : value != told)
        complain(row, "is not what the event says");
}

void __real_driver_call_end(adapter_t *adapter, const char *ddi, NTSTATUS status,
                            vidmm_handle subject, const struct vidmm_field *fields, size_t count);
void __wrap_driver_call_end(adapter_t *adapter, const char *ddi, NTSTATUS status,
                            vidmm_handle subject, const struct vidmm_field *fields, size_t count);

void __wrap_driver_call_end(adapter_t *adapter, const char *ddi, NTSTATUS status,
                            vidmm_handle subject, const struct vidmm_field *fields, size_t count)
{
    if (last.name && fields && !strcmp(ddi + strlen("DxgkDdi"), last.name)) {
        last.adapter = adapter;
        last.subject = subject;
        last.fields = fields;
        last.count = count;
        for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
            if ((rows[i].kind == TOLD || rows[i].kind <= POINTER) &&
                !strcmp(rows[i].call, last.name) && of_operation(&rows[i], &last))
                compare(&last, i);
        last.name = NULL;
    }
    __real_driver_call_end(adapter, ddi, status, subject, fields, count);
}

/* ---- the driver ----------------------------------------------------------------------------- */

static DRIVER_INITIALIZATION_DATA real;

/* Lists end with the call: what an event shows of them is kept. */
static void keep_elements(struct seen *seen)
{
    if (!strcmp(seen->name, "OpenAllocation")) {
        const DXGKARG_OPENALLOCATION *arg = IN(seen, DXGKARG_OPENALLOCATION);
        seen->first = arg->NumAllocations ? arg->pOpenAllocation[0].hAllocation : 0;
        seen->second = !arg->Flags.Create;
    } else if (!strcmp(seen->name, "DestroyAllocation")) {
        const DXGKARG_DESTROYALLOCATION *arg = IN(seen, DXGKARG_DESTROYALLOCATION);
        seen->first = arg->NumAllocations ? (uintptr_t)arg->pAllocationList[0] : 0;
    } else if (!strcmp(seen->name, "MapCpuHostAperture")) {
        seen->first = IN(seen, DXGKARG_MAPCPUHOSTAPERTURE)->pCpuHostAperturePages[0];
        seen->second = IN(seen, DXGKARG_MAPCPUHOSTAPERTURE)->pMemorySegmentPages[0];
    } else if (!strcmp(seen->name, "UnmapCpuHostAperture")) {
        seen->first = IN(seen, DXGKARG_UNMAPCPUHOSTAPERTURE)->pCpuHostAperturePages[0];
    }
}

/* A call may be made inside of another one, so each keeps its own until it returns. */
#define FRONT(Name, ARG)                                                                           \
    static NTSTATUS front_##Name(HANDLE object, ARG arg)                                           \
    {                                                                                              \
        struct seen seen = { .name = #Name };                                                      \
        _Static_assert(sizeof *arg <= ARGUMENT_MAX, "room for a copy");                            \
        memcpy(seen.in, arg, sizeof *arg);                                                         \
        keep_elements(&seen);                                                                      \
        look_inside(&seen);                                                                        \
        NTSTATUS answer = real.DxgkDdi##Name(object, arg);                                         \
        memcpy(seen.out, arg, sizeof *arg);                                                        \
        last = seen;                                                                               \
        return answer;                                                                             \
    }
#define FRONTS                                                                                     \
    FRONT(QueryAdapterInfo, IN_CONST_PDXGKARG_QUERYADAPTERINFO)                                    \
    FRONT(CreateDevice, INOUT_PDXGKARG_CREATEDEVICE)                                               \
    FRONT(CreateContext, INOUT_PDXGKARG_CREATECONTEXT)                                             \
    FRONT(CreateAllocation, INOUT_PDXGKARG_CREATEALLOCATION)                                       \
    FRONT(OpenAllocation, IN_CONST_PDXGKARG_OPENALLOCATION)                                        \
    FRONT(CloseAllocation, IN_CONST_PDXGKARG_CLOSEALLOCATION)                                      \
    FRONT(DestroyAllocation, IN_CONST_PDXGKARG_DESTROYALLOCATION)                                  \
    FRONT(DescribeAllocation, INOUT_PDXGKARG_DESCRIBEALLOCATION)                                   \
    FRONT(GetStandardAllocationDriverData, INOUT_PDXGKARG_GETSTANDARDALLOCATIONDRIVERDATA)         \
    FRONT(SetAllocationBackingStore, IN_CONST_PDXGKARG_SETALLOCATIONBACKINGSTORE)                  \
    FRONT(AcquireSwizzlingRange, INOUT_PDXGKARG_ACQUIRESWIZZLINGRANGE)                             \
    FRONT(ReleaseSwizzlingRange, IN_CONST_PDXGKARG_RELEASESWIZZLINGRANGE)                          \
    FRONT(MapCpuHostAperture, IN_CONST_PDXGKARG_MAPCPUHOSTAPERTURE)                                \
    FRONT(UnmapCpuHostAperture, IN_CONST_PDXGKARG_UNMAPCPUHOSTAPERTURE)                            \
    FRONT(BuildPagingBuffer, IN_PDXGKARG_BUILDPAGINGBUFFER)                                        \
    FRONT(Render, INOUT_PDXGKARG_RENDER)                                                           \
    FRONT(Present, INOUT_PDXGKARG_PRESENT)                                                         \
    FRONT(Patch, IN_CONST_PDXGKARG_PATCH)                                                          \
    FRONT(SubmitCommand, IN_CONST_PDXGKARG_SUBMITCOMMAND)                                          \
    FRONT(CancelCommand, IN_CONST_PDXGKARG_CANCELCOMMAND)                                          \
    FRONT(PreemptCommand, IN_CONST_PDXGKARG_PREEMPTCOMMAND)                                        \
    FRONT(QueryCurrentFence, INOUT_PDXGKARG_QUERYCURRENTFENCE)                                     \
    FRONT(QueryDependentEngineGroup, INOUT_DXGKARG_QUERYDEPENDENTENGINEGROUP)                      \
    FRONT(QueryEngineStatus, INOUT_PDXGKARG_QUERYENGINESTATUS)                                     \
    FRONT(ResetEngine, INOUT_PDXGKARG_RESETENGINE)                                                 \
    FRONT(CollectDbgInfo, IN_CONST_PDXGKARG_COLLECTDBGINFO)
FRONTS

static void finish(void)
{
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        if (!looked[i])
            complain(&rows[i], "no call had it");
    fflush(NULL);
    if (wrong)
        _Exit(1);
}

const struct vidmm_miniport *__real_vidmm_mock_miniport(struct vidmm_mock *mock);
const struct vidmm_miniport *__wrap_vidmm_mock_miniport(struct vidmm_mock *mock);

const struct vidmm_miniport *__wrap_vidmm_mock_miniport(struct vidmm_mock *mock)
{
    static struct vidmm_miniport miniport;
    static DRIVER_INITIALIZATION_DATA table;
    miniport = *__real_vidmm_mock_miniport(mock);
    if (!real.DxgkDdiAddDevice)
        (void)atexit(finish);
    real = table = *miniport.ddi;
#undef FRONT
#define FRONT(Name, ARG)                                                                           \
    if (real.DxgkDdi##Name)                                                                        \
        table.DxgkDdi##Name = front_##Name;
    FRONTS
    miniport.ddi = &table;
    return &miniport;
}
