/* SPDX-License-Identifier: MIT */
/* capture.h: a stream that keeps what is written to it until it is printed or dropped. Private. */
#ifndef TOOLS_STEP_CAPTURE_H
#define TOOLS_STEP_CAPTURE_H

#include "tools/common/text.h"

struct capture {
    FILE *file, *to;
    struct text held;
};

void capture_open(struct capture *capture, FILE *to);
void capture_print(struct capture *capture);
void capture_drop(struct capture *capture);
void capture_close(struct capture *capture);

#endif
