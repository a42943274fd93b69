/* SPDX-License-Identifier: MIT */
/* capture.c: how is what a run prints kept until somebody knows whether it is wanted? */
#define _GNU_SOURCE /* fopencookie */
#include "tools/step/capture.h"

static ssize_t capture_write(void *cookie, const char *bytes, size_t count)
{
    text_add_bytes(&((struct capture *)cookie)->held, bytes, count);
    return (ssize_t)count;
}

void capture_open(struct capture *capture, FILE *to)
{
    capture->to = to;
    capture->file = fopencookie(capture, "w", (cookie_io_functions_t){ .write = capture_write });
    CHECK(capture->file);
}

void capture_print(struct capture *capture)
{
    (void)fflush(capture->file);
    if (capture->held.length)
        (void)fwrite(capture->held.bytes, 1, capture->held.length, capture->to);
    text_clear(&capture->held);
}

void capture_drop(struct capture *capture)
{
    (void)fflush(capture->file);
    text_clear(&capture->held);
}

void capture_close(struct capture *capture)
{
    (void)fclose(capture->file);
    text_free(&capture->held);
}
