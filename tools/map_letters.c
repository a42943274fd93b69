/* SPDX-License-Identifier: MIT */
/* map_letters.c: letters for allocations, after their labels. */
#include "tools/map_letters.h"

#include <ctype.h>
#include <string.h>

#include "vidmm/base/base.h"

static const char alphabet[MAP_LETTERS + 1] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

char map_letter(int number)
{
    CHECK(number >= 0 && number < MAP_LETTERS);
    return alphabet[number];
}

static bool map_letters_is_free(const struct map_letters *letters, int character)
{
    const char *at = character ? strchr(alphabet, character) : NULL;
    return at && !letters->owners[at - alphabet];
}

/* '\0' when the label has none that is free. */
static char from_label(const struct map_letters *letters, const char *label)
{
    for (; *label; label++) {
        int other = islower((unsigned char)*label) ? toupper((unsigned char)*label)
                                                   : tolower((unsigned char)*label);
        if (map_letters_is_free(letters, *label))
            return *label;
        if (map_letters_is_free(letters, other))
            return (char)other;
    }
    return '\0';
}

static int first_free(const struct map_letters *letters)
{
    for (int i = 0; i < MAP_LETTERS; i++)
        if (!letters->owners[i])
            return i;
    return -1;
}

static int first_of_a_dead_one(const struct map_letters *letters,
                               const struct vidmm_adapter *adapter)
{
    struct vidmm_allocation_view view;
    for (int i = 0; i < MAP_LETTERS; i++)
        if (!vidmm_allocation_view(adapter, letters->owners[i], &view))
            return i;
    return -1;
}

int map_letter_of(struct map_letters *letters, const struct vidmm_adapter *adapter,
                  vidmm_handle allocation)
{
    for (int i = 0; i < MAP_LETTERS; i++)
        if (letters->owners[i] == allocation)
            return i;
    char letter = from_label(letters, vidmm_label(adapter, allocation));
    int number = letter ? (int)(strchr(alphabet, letter) - alphabet) : first_free(letters);
    if (number < 0)
        number = first_of_a_dead_one(letters, adapter);
    if (number >= 0)
        letters->owners[number] = allocation;
    return number;
}
