/* SPDX-License-Identifier: MIT */
/*
 * time.h: the door of this folder, when something happens. Each mechanism has a header of its own;
 * the caller embeds and owns the structs.
 */
#ifndef PAGING_TIME_TIME_H
#define PAGING_TIME_TIME_H

#include "paging/time/cost.h"
#include "paging/time/engine.h"
#include "paging/time/fence.h"
#include "paging/time/timeline.h"

#endif
