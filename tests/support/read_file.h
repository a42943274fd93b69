/* SPDX-License-Identifier: MIT */
/*
 * read_file.h: a file as one text, for tests that go through scenarios.
 */
#ifndef TESTS_READ_FILE_H
#define TESTS_READ_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* The text is the caller's (base_free); NULL for an empty file. False: it cannot be read. */
bool read_file(const char *path, char **text, size_t *bytes);

#endif
