/* SPDX-License-Identifier: MIT */
/*
 * twin_pack.c: the binary twin of a text.
 *
 * A line becomes a record when its form and its numbers make the same line again: no number with
 * zeros before it, no carriage return. Few neighbours are not worth a part of their own.
 */
#include "scenarios/lang/text/twin.h"
#include "vidmm/base/base_hash.h"

#include <string.h>

enum { RECORDS_LEAST = 8 };

struct known_form {
    UT_hash_handle hh;
    uint32_t number;
    char text[];
};

struct growing {
    char *bytes;
    size_t count, capacity;
};

struct packer {
    const char *text;
    size_t bytes;
    struct growing out, forms;
    struct known_form *known;
    struct twin_header header;
    size_t verbatim;   /* where the text begins that is not written yet */
    size_t begin, end; /* the lines of the records that wait */
    uint32_t *numbers;
    size_t number_count, number_capacity;
    uint16_t *records;
    size_t record_count, record_capacity;
    char form[FORM_BYTES_MAX + 1];
    char line[12 * FORM_BYTES_MAX];
    uint32_t found[FORM_BYTES_MAX + 1];
};

static void grow(struct growing *growing, const void *bytes, size_t count)
{
    if (!count) /* there may be no memory yet */
        return;
    BASE_GROW(growing->bytes, growing->capacity, growing->count + count);
    memcpy(growing->bytes + growing->count, bytes, count);
    growing->count += count;
}

static void align(struct growing *growing)
{
    static const char zeros[4] = { 0 };
    grow(growing, zeros, (4 - growing->count % 4) % 4);
}

/* UINT32_MAX: there are too many. */
static uint32_t find_form(struct packer *packer, size_t length)
{
    struct known_form *known;
    uint32_t bytes = (uint32_t)length;
    HASH_FIND(hh, packer->known, packer->form, length, known);
    if (known)
        return known->number;
    if (packer->header.forms == TWIN_FORMS_MAX)
        return UINT32_MAX;
    known = base_alloc(1, sizeof *known + length);
    known->number = packer->header.forms++;
    memcpy(known->text, packer->form, length);
    HASH_ADD_KEYPTR(hh, packer->known, known->text, length, known);
    grow(&packer->forms, &bytes, sizeof bytes);
    grow(&packer->forms, known->text, length);
    return known->number;
}

/* What waits becomes a part, with the text before it. */
static void write_part(struct packer *packer, bool last)
{
    bool worth = packer->record_count >= RECORDS_LEAST;
    struct twin_part part = { .width = packer->header.forms > 256 ? 2 : 1 };
    size_t verbatim = worth ? packer->begin : packer->bytes;
    if (worth) {
        part.records = (uint32_t)packer->record_count;
        part.numbers = (uint32_t)packer->number_count;
        part.record_bytes = (uint32_t)(packer->end - packer->begin);
        part.form = packer->records[0];
        size_t same = 0;
        while (same < packer->record_count && packer->records[same] == part.form)
            same++;
        part.width = same == packer->record_count ? 0 : part.width;
    }
    if (worth || last) {
        part.verbatim = (uint32_t)(verbatim - packer->verbatim);
        grow(&packer->out, &part, sizeof part);
        grow(&packer->out, packer->text + packer->verbatim, part.verbatim);
        packer->verbatim = worth ? packer->end : packer->bytes;
        packer->header.parts++;
        packer->header.records += part.records;
        packer->header.numbers += part.numbers;
    }
    for (size_t i = 0; worth && part.width && i < packer->record_count; i++)
        grow(&packer->out, &packer->records[i], part.width);
    align(&packer->out);
    if (worth)
        grow(&packer->out, packer->numbers, packer->number_count * sizeof *packer->numbers);
    packer->record_count = packer->number_count = 0;
}

static bool holds_x(const char *form, size_t length)
{
    for (size_t i = 0; i + 1 < length; i++)
        if (form[i] == FORM_HOLE && (form[i + 1] | 32) == 'x')
            return true;
    return false;
}

/* Takes the line as a record. False: it is none. */
static bool take_record(struct packer *packer, size_t from, size_t to)
{
    struct form_scan scan = { packer->text + from, packer->text + to, packer->form,
                              packer->form + FORM_BYTES_MAX, packer->found };
    if (!form_begins(scan.at, scan.end) || !form_scan(&scan))
        return false;
    size_t length = (size_t)(scan.out - packer->form);
    size_t count = (size_t)(scan.found - packer->found);
    const char *end = form_render(packer->line, packer->form, length, packer->found);
    if ((size_t)(end - packer->line) != to - from ||
        memcmp(packer->line, packer->text + from, to - from) != 0 || holds_x(packer->form, length))
        return false;
    uint32_t form = find_form(packer, length);
    if (form == UINT32_MAX)
        return false;
    BASE_GROW(packer->records, packer->record_capacity, packer->record_count + 1);
    packer->begin = packer->record_count ? packer->begin : from;
    packer->records[packer->record_count++] = (uint16_t)form;
    BASE_GROW(packer->numbers, packer->number_capacity, packer->number_count + count);
    memcpy(packer->numbers + packer->number_count, packer->found, count * sizeof *packer->found);
    packer->number_count += count;
    packer->end = to;
    return true;
}

static void pack_lines(struct packer *packer)
{
    size_t from = 0;
    while (from < packer->bytes) {
        const char *begin = packer->text + from;
        const char *end = memchr(begin, '\n', packer->bytes - from);
        size_t to = end ? (size_t)(end - packer->text) + 1 : packer->bytes;
        if ((!end || from == 0 || !take_record(packer, from, to)) && packer->record_count)
            write_part(packer, false);
        from = to;
    }
    if (packer->record_count >= RECORDS_LEAST)
        write_part(packer, false);
    write_part(packer, true);
}

static void free_packer(struct packer *packer)
{
    struct known_form *known, *next;
    HASH_ITER(hh, packer->known, known, next)
    {
        HASH_DEL(packer->known, known);
        base_free(known);
    }
    base_free(packer->out.bytes);
    base_free(packer->forms.bytes);
    base_free(packer->numbers);
    base_free(packer->records);
    base_free(packer);
}

char *twin_pack(const char *text, size_t bytes, size_t *count)
{
    struct packer *packer = base_alloc(1, sizeof *packer);
    struct growing whole = { 0 };
    CHECK(bytes < UINT32_MAX);
    packer->text = text;
    packer->bytes = bytes;
    pack_lines(packer);
    align(&packer->forms);
    packer->header.version = TWIN_VERSION;
    packer->header.text_bytes = bytes;
    memcpy(packer->header.magic, twin_magic, sizeof packer->header.magic);
    grow(&whole, &packer->header, sizeof packer->header);
    grow(&whole, packer->forms.bytes, packer->forms.count);
    grow(&whole, packer->out.bytes, packer->out.count);
    twin_seal(whole.bytes, whole.count);
    free_packer(packer);
    *count = whole.count;
    return whole.bytes;
}
