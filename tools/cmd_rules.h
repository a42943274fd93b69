/* SPDX-License-Identifier: MIT */
/* cmd_rules.h: the two commands that show the rule catalogue, and the texts they share. */
#ifndef TOOLS_CMD_RULES_H
#define TOOLS_CMD_RULES_H

/* argv[0] is the name that messages show. Both return the exit code of the program. */
int cmd_explain(int argc, char **argv);
int cmd_rules(int argc, char **argv);

#endif
