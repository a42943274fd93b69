/* SPDX-License-Identifier: MIT */
/*
 * page.c: the page: the template that the build made of page/, with a title and the runs in it.
 *
 * The template has a content security policy that allows nothing but the style and the script with
 * the hashes of its own. The runs are base64 in elements that are never executed, so the title is
 * the only word of a scenario that stands in the page as it is, and it is escaped.
 */
#include "tools/view/page.h"

#include <string.h>

#include "tools/common/text.h"

static const char *const run_ids[PAGE_RUNS_MOST] = { "scene", "scene-b" };

const char *page_title(const struct page_run *run)
{
    const struct scene *scene = run->scene;
    for (size_t i = 0; i < scene->said_count; i++)
        if (scene->said[i].kind == SCENE_LESSON)
            return scene_string(scene, scene->said[i].text);
    return run->name;
}

static void write_runs(FILE *out, const struct page_run *runs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        columns_write(out, run_ids[i], &runs[i]);
}

/* What stands for the marker that begins at `at`; its length, or 0: it is none. */
static size_t write_marker(FILE *out, const char *at, const struct page_run *runs, size_t count)
{
    static const char title[] = "@TITLE@", version[] = "@VERSION@", data[] = "@DATA@";
    if (strncmp(at, title, sizeof title - 1) == 0) {
        text_put_xml(out, page_title(runs));
        return sizeof title - 1;
    }
    if (strncmp(at, version, sizeof version - 1) == 0) {
        (void)fputs(VIDMM_VERSION, out);
        return sizeof version - 1;
    }
    if (strncmp(at, data, sizeof data - 1) == 0) {
        write_runs(out, runs, count);
        return sizeof data - 1;
    }
    return 0;
}

void page_write(FILE *out, const struct page_run *runs, size_t count)
{
    const char *at = (const char *)page_template, *end = at + page_template_bytes;
    while (at < end) {
        const char *mark = memchr(at, '@', (size_t)(end - at));
        size_t plain = (size_t)((mark ? mark : end) - at);
        (void)fwrite(at, 1, plain, out);
        at += plain;
        if (!mark)
            break;
        size_t taken = write_marker(out, at, runs, count);
        if (!taken)
            (void)fputc('@', out);
        at += taken ? taken : 1;
    }
}
