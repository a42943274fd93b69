/* SPDX-License-Identifier: MIT */
/* policy_guard.h: whose code may have ended the process, when policies were loaded. */
#ifndef TOOLS_COMMON_POLICY_GUARD_H
#define TOOLS_COMMON_POLICY_GUARD_H

/* From now on a crash of the process names the file, also in processes that it forks. */
void policy_guard_add(const char *path);
/* "./a.so, ./b.so"; "": none was loaded. */
const char *policy_guard_names(void);

#endif
