/* SPDX-License-Identifier: MIT */
/* cmd_rules.h: the commands that show the catalogue of rules and the table of flags. */
#ifndef TOOLS_CMD_RULES_H
#define TOOLS_CMD_RULES_H

/* argv[0] is the name that messages show. All return the exit code of the program. */
int cmd_explain(int argc, char **argv);
int cmd_flags(int argc, char **argv);
int cmd_rules(int argc, char **argv);

#endif
