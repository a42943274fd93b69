/* SPDX-License-Identifier: MIT */
/*
 * initguid.h: from here on DEFINE_GUID defines identifiers instead of declaring them.
 *
 * Include it in exactly one source file of a driver, before the header that lists the identifiers.
 */
#ifndef INITGUID
#define INITGUID
#endif
#include "guiddef.h"
