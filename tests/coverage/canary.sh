#!/bin/sh
# SPDX-License-Identifier: MIT
# canary.sh: which conditions are counted, and which are left out?
#
# A file with a condition of each kind, and the branches as llvm-cov exports them, one a line here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir segments

cat >segments/a.c <<'END'
    if (a)
    CHECK(a && b);
    CHECK(a &&
          b); if (b)
    length = sizeof(a ? "x" : "yz") + (b ? 1 : 2);
    length = sizeof *(a ? p : q);
    switch (kind) {
    switch (a ? (int)kind : 0) {
    switch (a ? kind : KIND_NONE) {
#define MACRO(x) CHECK(x)
    MACRO(a ? b : c);
END

# Line, column, to line, to column, true, false, file, -, -.
cat >branches <<'END'
1,9,1,10,1,2,0,0,4
2,11,2,12,3,0,0,0,4
3,11,3,12,3,0,0,0,4
4,11,4,12,3,0,0,0,4
4,19,4,20,4,0,0,0,4
5,21,5,22,0,1,0,0,4
5,40,5,41,0,5,0,0,4
6,23,6,24,0,1,0,0,4
7,13,7,17,0,6,0,0,4
8,13,8,14,7,0,0,0,4
8,13,8,34,0,7,0,0,4
9,13,9,14,8,0,0,0,4
9,13,9,33,0,8,0,0,4
11,11,11,12,9,0,1,0,4
END
cat >wanted <<'END'
segments segments/a.c 1 9 false 2
segments segments/a.c 1 9 true 1
segments segments/a.c 4 19 false 0
segments segments/a.c 4 19 true 4
segments segments/a.c 5 40 false 5
segments segments/a.c 5 40 true 0
segments segments/a.c 8 13 false 7
segments segments/a.c 8 13 true 7
segments segments/a.c 9 13 false 0
segments segments/a.c 9 13 true 8
END
sed 's/.*/[&]/' branches | paste -sd, | sed 's/.*/{"branches":[&],"count":1,/' >export
# The last branch lies in the expansion of the macro of line 10.
echo '"filenames":["segments/a.c","segments/a.c"],"name":"f","regions":[[1,1,11,9,1,0,0,0],' \
    '[10,18,10,23,1,0,1,1]]},' | tr -d ' ' >>export
awk -f "$here/branches.awk" <export | sort >found
diff wanted found
