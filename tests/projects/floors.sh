#!/bin/sh
# SPDX-License-Identifier: MIT
# floors.sh BUILD COMPILER: builds vidmm/base, segments and paging/time from a project of their own
# (floors/CMakeLists.txt), which has nothing above them, and runs their tests there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$1/CMakeCache.txt")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

try() {
    "$@" >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
}
try cmake -G "$generator" -S "$here/floors" -B "$work/build" -DCMAKE_C_COMPILER="$2"
try cmake --build "$work/build"
try ctest --test-dir "$work/build" --output-on-failure
grep 'tests passed' "$work/log"
