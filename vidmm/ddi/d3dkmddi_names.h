/* SPDX-License-Identifier: MIT */
/*
 * d3dkmddi_names.h: how argument structures, their pointers and the calls are named.
 *
 * For each structure T a driver finds PT, IN_PT, OUT_PT, INOUT_PT (also spelled IN_OUT_PT) and
 * IN_CONST_PT; for each call C the function type DXGKDDI_C and the pointer PDXGKDDI_C. These macros
 * write them, so that no list is kept twice. They stay defined: dispmprt.h uses them too.
 */
#ifndef VIDMM_DDI_D3DKMDDI_NAMES_H
#define VIDMM_DDI_D3DKMDDI_NAMES_H

#define VIDMM_DDI_POINTERS(type)                                                                   \
    typedef type *P##type;                                                                         \
    typedef type *IN_P##type;                                                                      \
    typedef type *OUT_P##type;                                                                     \
    typedef type *INOUT_P##type;                                                                   \
    typedef type *IN_OUT_P##type;                                                                  \
    typedef const type *IN_CONST_P##type

/* A structure that only passes by: no memory callback looks inside. */
#define VIDMM_DDI_OPAQUE(type)                                                                     \
    typedef struct _##type type;                                                                   \
    VIDMM_DDI_POINTERS(type)

/* A call that answers an NTSTATUS, and one that answers something else. */
#define VIDMM_DDI_CALL(name, ...) VIDMM_DDI_CALL_OF(NTSTATUS, name, __VA_ARGS__)
#define VIDMM_DDI_CALL_OF(result, name, ...)                                                       \
    typedef result APIENTRY name(__VA_ARGS__);                                                     \
    typedef name *P##name

/* A callback of the system: its name is already that of the pointer. */
#define VIDMM_DDI_CALLBACK(result, name, ...) typedef result(APIENTRY CALLBACK *name)(__VA_ARGS__)

#endif
