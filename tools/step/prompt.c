/* SPDX-License-Identifier: MIT */
/* prompt.c: where does the next line come from, and what does Tab complete? */
#define _DEFAULT_SOURCE /* fileno */
#include "tools/step/prompt.h"

#include <histedit.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/host.h"
#include "tools/common/screen.h"
#include "tools/common/text.h"

enum { HISTORY_LINES = 500, OFFERS_MOST = 200 };

struct prompt {
    EditLine *editor; /* NULL: no terminal */
    History *history;
    HistEvent event;
    prompt_words *words;
    const void *of;
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
    /* libedit only reads it. */
    return (char *)(uintptr_t)prompt_of(editor)->shown;
}

/* The words that begin as the one under the cursor does. */
struct prompt_offers {
    const char *start;
    size_t length;       /* of `start` */
    struct text common;  /* how all of them begin */
    struct text list;    /* the first OFFERS_MOST of them */
    size_t count, words; /* `words`: different ones in turn */
};

void prompt_offer(struct prompt_offers *offers, const char *word)
{
    struct text *common = &offers->common;
    size_t alike = 0;
    if (strncmp(word, offers->start, offers->length) != 0)
        return;
    if (offers->count++ == 0)
        text_add(common, "%s", word);
    while (alike < common->length && word[alike] == common->bytes[alike])
        alike++;
    if (offers->count > 1 && alike == common->length && !word[alike] && offers->words == 1)
        return; /* once more the only one */
    common->length = alike;
    if (offers->words++ < OFFERS_MOST)
        text_add(&offers->list, "%s%s", offers->list.length ? " " : "", word);
}

static void list_words(struct prompt_offers *offers)
{
    if (offers->words > OFFERS_MOST)
        text_add(&offers->list, " and %zu more", offers->words - OFFERS_MOST);
    (void)putchar('\n');
    wrap_print(stdout, "", 0, text_get(&offers->list));
}

/* The words before the one that is completed: the first of them, if there are any. */
static const char *first_word(const char *line, const char *end, struct text *word)
{
    line += strspn(line, " ");
    if (line >= end)
        return NULL;
    text_add_bytes(word, line, strcspn(line, " "));
    return text_get(word);
}

static unsigned char complete(EditLine *editor, int key)
{
    struct prompt *prompt = prompt_of(editor);
    const LineInfo *line = el_line(editor);
    const char *from = line->cursor;
    struct text command = { 0 }, start = { 0 };
    unsigned char code = CC_ERROR;
    (void)key;
    while (from > line->buffer && from[-1] != ' ')
        from--;
    text_add_bytes(&start, from, (size_t)(line->cursor - from));
    struct prompt_offers offers = { .start = text_get(&start), .length = start.length };
    prompt->words(prompt->of, first_word(line->buffer, from, &command), offers.start, &offers);
    if (offers.words > 1 && offers.common.length <= offers.length) {
        list_words(&offers);
        code = CC_REDISPLAY;
    } else if (offers.words) {
        text_add(&offers.common, "%s", offers.words == 1 ? " " : "");
        if (el_insertstr(editor, text_get(&offers.common) + offers.length) == 0)
            code = CC_REFRESH;
    }
    text_free(&command);
    text_free(&start);
    text_free(&offers.common);
    text_free(&offers.list);
    return code;
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
    bool whole;
    if (!interrupt_wait_input())
        return PROMPT_INTERRUPTED;
    if (!text_read_line(stdin, line, PROMPT_BYTES - 1, &whole))
        return interrupt_seen() ? PROMPT_INTERRUPTED : PROMPT_OVER;
    line[strcspn(line, "\r")] = '\0';
    return whole ? PROMPT_LINE : PROMPT_LONG;
}

/* ---- both ----------------------------------------------------------------------------------- */

struct prompt *prompt_open(prompt_words *words, const void *of)
{
    struct prompt *prompt = base_alloc(1, sizeof *prompt);
    prompt->words = words;
    prompt->of = of;
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
    if (prompt->editor)
        return edit_line(prompt, line);
    enum prompt_end end = read_line(line);
    if (end == PROMPT_LINE && line[strspn(line, " \t")])
        (void)printf("%s%s\n", shown, line);
    return end;
}

void prompt_close(struct prompt *prompt)
{
    if (prompt->editor)
        el_end(prompt->editor);
    if (prompt->history)
        history_end(prompt->history);
    base_free(prompt);
}
