#!/bin/sh
# SPDX-License-Identifier: MIT
# scenarios.sh PROGRAM FOLDER: runs every scenario of scenarios/FOLDER, as text and as JSON lines,
# and reports which failed, and that each is in the layout of `vidmm fmt`. Includes are only read;
# the long runs of policy/ check their invariants by themselves, not after each operation.
set -eu
program=$1
cd "$(dirname "$0")/../../scenarios"
check=--check
[ "$2" = policy ] && check=
# shellcheck disable=SC2086 # one word or none
"$program" test $check "$2" </dev/null
files=$(find "$2" -name '*.vms' ! -name 'vidmm-repro-*' | LC_ALL=C sort)
# shellcheck disable=SC2086 # words are meant
"$program" fmt --check $files
[ "$2" = policy ] || [ "$2" = adapters ] ||
    "$program" run --format=jsonl $files </dev/null >/dev/null
