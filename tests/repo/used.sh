#!/bin/sh
# SPDX-License-Identifier: MIT
# used.sh: nothing is required that is not used.
#
# Everything that CMake looks for (find_package, find_path, find_library, find_program,
# pkg_check_modules) and that setup requires must be in the table below, with the files that would
# not work without it; and one of these must have the words that say so. A row that nothing requires
# any more has to go, too.
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/../.."
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

complain() {
    echo "used.sh: $*"
    failed=1
}

# need | words of a user (a basic regular expression) | where to look
cat >"$work/table" <<'END'
compiler|LANGUAGES C$|CMakeLists.txt
cmake|^cmake_minimum_required|CMakeLists.txt
ninja|"generator": "Ninja"|CMakePresets.json
uthash|^#include <ut[a-z]*\.h>|segments paging vidmm scenarios tools
cjson|^#include <cjson/cJSON\.h>|tools/sweep
zlib|^#include <zlib\.h>|tools/view
zstd|^#include <zstd\.h>|tools/convert
libedit|^#include <histedit\.h>|tools/step
cmocka|^#include <cmocka\.h>|tests
c++|[^a-z]g++ |tests/vidmm/ddi/ddi_headers.sh
pkg-config|pkg-config --cflags|tests/projects/install.sh
protoc|^ *protoc -I|tests/tools/trace/trace.sh
END

# "find_path(UTHASH_INCLUDE_DIR uthash.h ..." is uthash, "find_package(cmocka ..." cmocka, and
# "need(ZLIB zlib.h ..." (tools/package/needs.cmake) zlib; libedit calls its header and its library
# otherwise.
find . -name 'build*' -prune -o -path ./tests/projects/install -prune -o -name .git -prune -o \
    \( -name CMakeLists.txt -o -name '*.cmake' \) -exec cat {} + |
    sed -n 's/#.*//
        /\${/d
        s/^ *need( *\([A-Z]*\) .*/\L\1/p
        s/^ *find_package( *\([A-Za-z0-9_+-]*\).*/\1/p
        s/^ *pkg_check_modules( *[A-Za-z0-9_]* *\([A-Z]* \)*\([a-z0-9_+-]*\).*/\2/p
        s/^ *find_\(path\|library\|program\|file\)( *[A-Za-z0-9_]* *\([A-Za-z0-9_+-]*\).*/\2/p' |
    sed 's/^histedit$/libedit/; s/^edit$/libedit/' | sort -u >"$work/cmake"
sed -n "s/^for_[a-z_]*='\(.*\)'/\1/p" setup | tr ' ' '\n' | sort -u >"$work/setup"
[ -s "$work/cmake" ] && [ -s "$work/setup" ] || complain 'nothing is required at all: not read'
sort -u "$work/cmake" "$work/setup" >"$work/required"

# setup provides everything that CMake looks for.
comm -23 "$work/cmake" "$work/setup" >"$work/alone"
while read -r need; do
    complain "CMake looks for $need, and setup does not provide it"
done <"$work/alone"

cut -d'|' -f1 "$work/table" | sort >"$work/known"
comm -13 "$work/known" "$work/required" >"$work/unknown"
while read -r need; do
    complain "$need is required; the table does not say who uses it"
done <"$work/unknown"

while IFS='|' read -r need words places; do
    if ! grep -qx -e "$need" "$work/required"; then
        complain "nothing requires $need: its row can go"
        continue
    fi
    # shellcheck disable=SC2086 # words are meant
    grep -rq -e "$words" $places || complain "$need is required, and nothing in $places uses it"
done <"$work/table"

echo "$(wc -l <"$work/required") things are required, $failed complaints"
exit $failed
