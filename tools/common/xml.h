/* SPDX-License-Identifier: MIT */
/*
 * xml.h: any bytes as text of XML 1.0, between tags or in an attribute.
 *
 * What XML does not allow, and what is no UTF-8, becomes U+FFFD. Line ends and tabs become
 * references, because an attribute would lose them.
 */
#ifndef TOOLS_COMMON_XML_H
#define TOOLS_COMMON_XML_H

#include "tools/common/text.h"

void xml_add(struct text *text, const char *bytes, size_t count);
void xml_put(FILE *out, const char *text);

#endif
