/* SPDX-License-Identifier: MIT */
/* prompt.c: where does the next line come from, and what does Tab complete? */
#define _DEFAULT_SOURCE /* fileno */
#include "tools/step/prompt.h"

#include <histedit.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/host.h"
#include "tools/common/text.h"

enum { HISTORY_LINES = 500 };

struct prompt {
    EditLine *editor; /* NULL: no terminal */
    History *history;
    HistEvent event;
    prompt_words *words;
    const char *shown;
};

/* ---- a terminal ----------------------------------------------------------------------------- */

static struct prompt *prompt_of(EditLine *editor)
{
    struct prompt *prompt = NULL;
    (void)el_get(editor, EL_CLIENTDATA, &prompt);
    return prompt;
}

static char *prompt_text(EditLine *editor)
{
    static char empty[] = "";
    struct prompt *prompt = prompt_of(editor);
    /* libedit only reads it. */
    return prompt->shown ? (char *)(uintptr_t)prompt->shown : empty;
}

/* How many letters all words that begin so have in common; how many words, and the first. */
static size_t count_common(const struct prompt *prompt, const char *start, size_t length,
                           bool first, size_t *count, const char **found)
{
    size_t common = 0;
    const char *word;
    *count = 0;
    for (size_t i = 0; (word = prompt->words(first, i)) != NULL; i++) {
        if (strncmp(word, start, length) != 0)
            continue;
        if ((*count)++ == 0) {
            *found = word;
            common = strlen(word);
        }
        while (strncmp(word, *found, common) != 0)
            common--;
    }
    return common;
}

static void list_words(const struct prompt *prompt, const char *start, size_t length, bool first)
{
    struct text text = { 0 };
    const char *word;
    for (size_t i = 0; (word = prompt->words(first, i)) != NULL; i++)
        if (strncmp(word, start, length) == 0)
            text_add(&text, "%s%s", text.length ? "  " : "", word);
    (void)putchar('\n');
    wrap_print(stdout, "", 0, text_get(&text));
    text_free(&text);
}

static unsigned char complete(EditLine *editor, int key)
{
    struct prompt *prompt = prompt_of(editor);
    const LineInfo *line = el_line(editor);
    const char *start = line->cursor, *found = NULL;
    size_t count = 0;
    (void)key;
    while (start > line->buffer && start[-1] != ' ')
        start--;
    bool first = true;
    for (const char *at = line->buffer; at < start; at++)
        first = first && *at == ' ';
    size_t length = (size_t)(line->cursor - start);
    size_t common = count_common(prompt, start, length, first, &count, &found);
    if (!count)
        return CC_ERROR;
    if (count > 1 && common <= length) {
        list_words(prompt, start, length, first);
        return CC_REDISPLAY;
    }
    struct text rest = { 0 };
    text_add_bytes(&rest, found + length, common - length);
    text_add(&rest, "%s", count == 1 ? " " : "");
    int code = el_insertstr(editor, text_get(&rest));
    text_free(&rest);
    return code == 0 ? CC_REFRESH : CC_ERROR;
}

static void begin_editing(struct prompt *prompt)
{
    prompt->editor = el_init("vidmm", stdin, stdout, stderr);
    if (!prompt->editor)
        return;
    prompt->history = history_init();
    (void)history(prompt->history, &prompt->event, H_SETSIZE, HISTORY_LINES);
    (void)el_set(prompt->editor, EL_CLIENTDATA, prompt);
    (void)el_set(prompt->editor, EL_PROMPT, prompt_text);
    (void)el_set(prompt->editor, EL_EDITOR, "emacs");
    (void)el_set(prompt->editor, EL_SIGNAL, 1);
    (void)el_set(prompt->editor, EL_HIST, history, prompt->history);
    (void)el_set(prompt->editor, EL_ADDFN, "vidmm-complete", "completes a word", complete);
    (void)el_set(prompt->editor, EL_BIND, "^I", "vidmm-complete", NULL);
}

static enum prompt_end edit_line(struct prompt *prompt, char *line)
{
    int count = 0;
    const char *typed = el_gets(prompt->editor, &count);
    if (interrupt_seen()) {
        (void)putchar('\n');
        el_reset(prompt->editor);
        return PROMPT_INTERRUPTED;
    }
    if (!typed || count <= 0) {
        (void)putchar('\n');
        return PROMPT_OVER;
    }
    if (count >= PROMPT_BYTES)
        return PROMPT_LONG;
    memcpy(line, typed, (size_t)count);
    line[count] = '\0';
    if (line[strspn(line, " \n")])
        (void)history(prompt->history, &prompt->event, H_ENTER, typed);
    line[strcspn(line, "\n")] = '\0';
    return PROMPT_LINE;
}

/* ---- a file or a pipe ----------------------------------------------------------------------- */

static enum prompt_end read_line(char *line)
{
    if (!interrupt_wait_input())
        return PROMPT_INTERRUPTED;
    if (!fgets(line, PROMPT_BYTES, stdin))
        return interrupt_seen() ? PROMPT_INTERRUPTED : PROMPT_OVER;
    if (strchr(line, '\n') || feof(stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        return PROMPT_LINE;
    }
    for (int c = 0; c != '\n' && c != EOF;)
        c = getchar();
    return PROMPT_LONG;
}

/* ---- both ----------------------------------------------------------------------------------- */

struct prompt *prompt_open(prompt_words *words)
{
    struct prompt *prompt = base_alloc(1, sizeof *prompt);
    prompt->words = words;
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
        begin_editing(prompt);
    return prompt;
}

bool prompt_is_terminal(const struct prompt *prompt)
{
    return prompt->editor != NULL;
}

enum prompt_end prompt_line(struct prompt *prompt, const char *shown, char *line)
{
    prompt->shown = shown;
    (void)fflush(stdout);
    (void)fflush(stderr);
    return prompt->editor ? edit_line(prompt, line) : read_line(line);
}

void prompt_close(struct prompt *prompt)
{
    if (prompt->editor)
        el_end(prompt->editor);
    if (prompt->history)
        history_end(prompt->history);
    base_free(prompt);
}
