/* SPDX-License-Identifier: MIT */
/* xml.c: any bytes as text of XML 1.0. */
#include "tools/common/xml.h"

#include <string.h>

/* Of the characters that UTF-8 can hold, XML excludes most controls, U+FFFE and U+FFFF. */
static bool is_xml(const char *character, size_t length)
{
    if (length == 1)
        return (unsigned char)*character >= ' ' || strchr("\t\n\r", *character);
    return length != 3 ||
           (memcmp(character, "\xEF\xBF\xBE", 3) != 0 && memcmp(character, "\xEF\xBF\xBF", 3) != 0);
}

void xml_add(struct text *text, const char *bytes, size_t count)
{
    static const struct {
        char sign;
        const char *name;
    } names[] = { { '&', "&amp;" },  { '<', "&lt;" },   { '>', "&gt;" }, { '"', "&quot;" },
                  { '\n', "&#10;" }, { '\r', "&#13;" }, { '\t', "&#9;" } };
    while (count) {
        size_t length = text_utf8(bytes, count);
        const char *name = length && is_xml(bytes, length) && *bytes ? NULL : TEXT_NO_UTF8;
        for (size_t i = 0; i < ARRAY_COUNT(names); i++)
            name = *bytes == names[i].sign ? names[i].name : name;
        if (name)
            text_add(text, "%s", name);
        else
            text_add_bytes(text, bytes, length);
        bytes += length ? length : 1;
        count -= length ? length : 1;
    }
}

void xml_put(FILE *out, const char *text)
{
    struct text escaped = { 0 };
    xml_add(&escaped, text, strlen(text));
    (void)fputs(text_get(&escaped), out);
    text_free(&escaped);
}
