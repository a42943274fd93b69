/* SPDX-License-Identifier: MIT */
/*
 * map_letters.h: the letter that stands for an allocation in maps. An allocation keeps its letter
 * for the whole run, so that maps of different moments can be compared.
 */
#ifndef TOOLS_MAP_LETTERS_H
#define TOOLS_MAP_LETTERS_H

#include "vidmm/vidmm.h"

enum { MAP_LETTERS = 62 };

/* All zero: nothing has a letter yet. */
struct map_letters {
    vidmm_handle owners[MAP_LETTERS];
};

/*
 * The number of the allocation's letter; negative when all are taken. A new allocation gets the
 * first letter or digit of its label that is free, in either case, else the first free one; only
 * when none is left does a letter pass on from an allocation that is gone.
 */
int map_letter_of(struct map_letters *letters, const struct vidmm_adapter *adapter,
                  vidmm_handle allocation);
char map_letter(int number);

#endif
