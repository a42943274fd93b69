/* SPDX-License-Identifier: MIT */
/*
 * interrupt.h: Ctrl-C while a scenario runs: the output so far ends with a whole line, and the
 * last line says how far it came.
 */
#ifndef TOOLS_INTERRUPT_H
#define TOOLS_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT and SIGTERM are noted; each a second time ends the process at once. */
void interrupt_begin(void);
/* They end the process again. */
void interrupt_end(void);
bool interrupt_seen(void);

/* Waits for something to read where somebody types; false: it is an interrupt. */
bool interrupt_wait_input(void);

#endif
