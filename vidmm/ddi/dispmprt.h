/* SPDX-License-Identifier: MIT */
/*
 * dispmprt.h: the port side of a display driver: its call table and the callbacks it is given.
 *
 *   dispmprt_calls.h      life of a device
 *   dispmprt_table.h      DRIVER_INITIALIZATION_DATA
 *   dispmprt_interface.h  DXGKRNL_INTERFACE
 *
 * The registration functions themselves belong to whoever hosts a driver.
 */
#ifndef VIDMM_DDI_DISPMPRT_H
#define VIDMM_DDI_DISPMPRT_H
#define _DISPMPRT_H_

#include "d3dkmddi.h"
#include "dispmprt_calls.h"
#include "dispmprt_interface.h"
#include "dispmprt_table.h"

#endif
