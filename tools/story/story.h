/* SPDX-License-Identifier: MIT */
/* story.h: a run as text for people, and as JSON lines for programs: two sinks. */
#ifndef TOOLS_STORY_STORY_H
#define TOOLS_STORY_STORY_H

#include "tools/common/sink.h"

enum { STORY_JSONL_VERSION = 2 }; /* tools/jsonl.md */
struct sink *sink_text_open(const struct sink_options *options);
struct sink *sink_jsonl_open(const struct sink_options *options);

#endif
