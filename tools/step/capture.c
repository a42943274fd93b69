/* SPDX-License-Identifier: MIT */
/* capture.c: how is what a run prints kept until somebody knows whether it is wanted? */
#include "tools/step/capture.h"

#include "tools/common/output.h"

static ssize_t capture_write(void *cookie, const char *bytes, size_t count)
{
    text_add_bytes(&((struct capture *)cookie)->held, bytes, count);
    return (ssize_t)count;
}

void capture_open(struct capture *capture, FILE *to)
{
    capture->to = to;
    capture->file = output_into(capture_write, capture);
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
