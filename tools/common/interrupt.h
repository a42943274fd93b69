/* SPDX-License-Identifier: MIT */
/*
 * interrupt.h: files that end with the process. Private to tools/common/; the rest of interrupt.c
 * is in host.h.
 */
#ifndef TOOLS_COMMON_INTERRUPT_H
#define TOOLS_COMMON_INTERRUPT_H

/* What such a file is called until it is whole. */
#define INTERRUPT_ENDING ".new"
/* When the process ends by a signal or by exit(), the file goes. The name, with that ending, is not
   copied, and lives until it is spared. */
void interrupt_take(const char *path);
void interrupt_tell(void); /* which files go now, in the middle of a run */
void interrupt_spare(const char *path);

#endif
