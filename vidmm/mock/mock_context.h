/* SPDX-License-Identifier: MIT */
/* mock_context.h: allocations that the mock makes for its contexts. */
#ifndef VIDMM_MOCK_CONTEXT_H
#define VIDMM_MOCK_CONTEXT_H

#include "vidmm/mock/mock_command.h"
#include "vidmm/mock/mock_state.h"

/* The command that brings the first content of the one that the operation names. */
void mock_context_command(const struct vidmm_mock *mock, const DXGKARG_BUILDPAGINGBUFFER *arg,
                          struct mock_command *command);
void mock_context_fini(struct vidmm_mock *mock);

#endif
