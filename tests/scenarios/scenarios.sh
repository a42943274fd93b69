#!/bin/sh
# SPDX-License-Identifier: MIT
# scenarios.sh PROGRAM FOLDER: runs every scenario of scenarios/FOLDER and reports which failed, and
# that each is in the layout of `vidmm fmt`. Includes are only read; the long runs of policy/ check
# their invariants by themselves, not after each operation.
set -eu
program=$1
cd "$(dirname "$0")/../../scenarios/$2"
count=0
failed=0
for scenario in $(find . -name '*.vms' ! -name 'vidmm-repro-*' | LC_ALL=C sort); do
    scenario=${scenario#./}
    count=$((count + 1))
    command='run -q --check'
    [ "$2" = policy ] && command='run -q'
    [ "$2" = adapters ] && command=check
    # shellcheck disable=SC2086 # words are meant
    if ! "$program" $command "$scenario" </dev/null >/dev/null 2>&1; then
        "$program" $command "$scenario" </dev/null 2>&1 || true
        failed=$((failed + 1))
    elif [ "$2" != policy ] && [ "$2" != adapters ] &&
        ! "$program" run --format=jsonl "$scenario" </dev/null >/dev/null 2>&1; then
        echo "$scenario: does not end well as JSON lines"
        failed=$((failed + 1))
    elif ! "$program" fmt --check "$scenario" >/dev/null 2>&1; then
        echo "$scenario: not in the layout of 'vidmm fmt'"
        failed=$((failed + 1))
    fi
done
echo "scenarios/$2: $count scenarios, $failed failed"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
