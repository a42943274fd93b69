/* SPDX-License-Identifier: MIT */
/*
 * test.h: `vidmm test PATH...`: scenarios as a test suite.
 */
#ifndef TOOLS_TEST_TEST_H
#define TOOLS_TEST_TEST_H

int cmd_test(int argc, char **argv);

#endif
