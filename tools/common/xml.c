/* SPDX-License-Identifier: MIT */
/* xml.c: any bytes as text of XML 1.0. */
#include "tools/common/xml.h"

#include <string.h>

static bool is_xml(uint32_t code)
{
    return code == '\t' || code == '\n' || code == '\r' || (code >= ' ' && code < 0xD800) ||
           (code >= 0xE000 && code < 0xFFFE) || (code >= 0x10000 && code < 0x110000);
}

/* The character at `bytes`, whose length goes to *length; what is no UTF-8 is one bad byte. */
static uint32_t decode(const unsigned char *bytes, size_t count, size_t *length)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    unsigned char first = bytes[0];
    size_t wanted = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    uint32_t code = wanted == 1 ? first : first & (0x7Fu >> wanted);
    *length = 1;
    if (first >= 0x80 && (first < 0xC0 || first >= 0xF8))
        return 0;
    for (size_t i = 1; i < wanted; i++) {
        if (i >= count || (bytes[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (bytes[i] & 0x3F);
    }
    if (code < least[wanted])
        return 0;
    *length = wanted;
    return code;
}

void xml_add(struct text *text, const char *bytes, size_t count)
{
    static const struct {
        char sign;
        const char *name;
    } names[] = { { '&', "&amp;" },  { '<', "&lt;" },   { '>', "&gt;" }, { '"', "&quot;" },
                  { '\n', "&#10;" }, { '\r', "&#13;" }, { '\t', "&#9;" } };
    while (count) {
        size_t length = 1;
        uint32_t code = decode((const unsigned char *)bytes, count, &length);
        const char *name = is_xml(code) ? NULL : "\xEF\xBF\xBD";
        for (size_t i = 0; i < ARRAY_COUNT(names); i++)
            name = code == (unsigned char)names[i].sign ? names[i].name : name;
        if (name)
            text_add(text, "%s", name);
        else
            text_add_bytes(text, bytes, length);
        bytes += length;
        count -= length;
    }
}

void xml_put(FILE *out, const char *text)
{
    struct text escaped = { 0 };
    xml_add(&escaped, text, strlen(text));
    (void)fputs(text_get(&escaped), out);
    text_free(&escaped);
}
