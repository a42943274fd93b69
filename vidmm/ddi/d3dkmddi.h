/* SPDX-License-Identifier: MIT */
/*
 * d3dkmddi.h: the display driver interface of kernel mode, part by part.
 *
 *   d3dkmddi_query.h       what the system asks an adapter; capabilities
 *   d3dkmddi_segments.h    memory segments and CPU windows into them
 *   d3dkmddi_allocation.h  allocations, their flags, standard surfaces
 *   d3dkmddi_device.h      processes, devices, contexts
 *   d3dkmddi_paging.h      paging buffers and their operations
 *   d3dkmddi_submit.h      render, present, patch, submit, preempt, reset
 *   d3dkmddi_callbacks.h   interrupts and handle questions
 *   d3dkmddi_calls.h       prototypes of the calls above
 *   d3dkmddi_display.h     prototypes of everything else
 */
#ifndef VIDMM_DDI_D3DKMDDI_H
#define VIDMM_DDI_D3DKMDDI_H
#define _D3DKMDDI_H_

#include "d3dkmddi_calls.h"
#include "d3dkmddi_display.h"

#endif
