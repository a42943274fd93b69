/* SPDX-License-Identifier: MIT */
/*
 * segments.h: the door of this folder, where something can lie. Each structure has a header of its
 * own, which the caller embeds and owns; key_tree.h is what several are made of.
 */
#ifndef SEGMENTS_SEGMENTS_H
#define SEGMENTS_SEGMENTS_H

#include "segments/aperture.h"
#include "segments/eviction.h"
#include "segments/page_store.h"
#include "segments/placement.h"
#include "segments/prospect.h"
#include "segments/range_tree.h"
#include "segments/roster.h"
#include "segments/segment.h"
#include "segments/victim.h"

#endif
