/* SPDX-License-Identifier: MIT */
/*
 * interrupt.h: files that end with the process. Private to tools/common/; the rest of interrupt.c
 * is in host.h.
 */
#ifndef TOOLS_COMMON_INTERRUPT_H
#define TOOLS_COMMON_INTERRUPT_H

/* When the process ends by a signal or by exit(), the file goes. The name is not copied, and lives
   until it is spared. */
void interrupt_take(const char *path);
void interrupt_spare(const char *path);

#endif
