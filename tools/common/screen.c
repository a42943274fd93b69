/* SPDX-License-Identifier: MIT */
/* screen.c: what the place can show where the output goes. */
#define _DEFAULT_SOURCE /* fileno, isatty, ioctl */
#include "tools/common/screen.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "vidmm/base/base.h"

enum { WIDTH_DEFAULT = 80, WIDTH_LEAST = 40, WIDTH_MOST = 400 };

static int find_width(int descriptor)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    if (columns && *columns) {
        long width = strtol(columns, NULL, 10);
        if (width >= WIDTH_LEAST && width <= WIDTH_MOST)
            return (int)width;
    }
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= WIDTH_LEAST)
        return size.ws_col < WIDTH_MOST ? size.ws_col : WIDTH_MOST;
    return WIDTH_DEFAULT;
}

void screen_init(struct screen *screen, FILE *out, enum screen_color color,
                 enum screen_letters letters, int width)
{
    int descriptor = fileno(out);
    bool terminal = isatty(descriptor) == 1;
    const char *term = getenv("TERM"), *plain = getenv("NO_COLOR");
    bool can = terminal && !(term && strcmp(term, "dumb") == 0);
    screen->out = out;
    bool wanted = can && !(plain && *plain);
    screen->color = color == SCREEN_COLOR_ALWAYS || (color == SCREEN_COLOR_AUTO && wanted);
    screen->utf8 = can && letters == SCREEN_LETTERS_ALL && setlocale(LC_CTYPE, "") != NULL &&
                   strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    screen->width = width ? width : terminal ? find_width(descriptor) : WIDTH_DEFAULT;
}

const char *screen_on(const struct screen *screen, enum screen_style style)
{
    static const char *const codes[SCREEN_STYLES] = {
        [SCREEN_PLAIN] = "",        [SCREEN_TITLE] = "\033[1m",   [SCREEN_NOTE] = "\033[36m",
        [SCREEN_QUIET] = "\033[2m", [SCREEN_SOURCE] = "\033[34m", [SCREEN_GOOD] = "\033[32m",
        [SCREEN_WARN] = "\033[33m", [SCREEN_BAD] = "\033[31;1m",
    };
    CHECK(style < SCREEN_STYLES);
    return screen->color ? codes[style] : "";
}

const char *screen_off(const struct screen *screen)
{
    return screen->color ? "\033[0m" : "";
}

const char *screen_pick(const struct screen *screen, const char *utf8, const char *ascii)
{
    return screen->utf8 ? utf8 : ascii;
}

const char *screen_block(const struct screen *screen, unsigned number)
{
    static const char *const codes[] = {
        "\033[30;46m", "\033[30;43m", "\033[30;42m", "\033[30;45m", "\033[30;44m", "\033[30;47m",
    };
    return screen->color ? codes[number % ARRAY_COUNT(codes)] : "";
}
