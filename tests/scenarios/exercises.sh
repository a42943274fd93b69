#!/bin/sh
# SPDX-License-Identifier: MIT
# exercises.sh PROGRAM: the exercises of the lessons have answers, and these are right.
#
# Each change of scenarios/lessons/answers.md is made in its lesson (change.awk) and run: with the
# change every expectation holds, without it one of the new ones fails (exit code 1; a text that
# cannot run proves nothing).
set -u
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
program=$1
cd "$here/../../scenarios/lessons"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
count=0

complain() {
    echo "exercises.sh: $*"
    failed=$((failed + 1))
}

change() {
    awk -f "$here/change.awk" -v page=answers.md -v answer="$1" ${3:+-v unchanged=1} "$2" \
        >"$work/changed.vms" || complain "$1: cannot be changed"
}

sed -n 's/^\*\*\([0-9]*\.[0-9]*\)\*\* .*/\1/p' README.md >"$work/asked"
sed -n 's/^### //p' answers.md >"$work/answered"
cmp -s "$work/asked" "$work/answered" || {
    complain 'README.md and answers.md have different exercises:'
    diff "$work/asked" "$work/answered"
}

while IFS= read -r number; do
    count=$((count + 1))
    lesson=$(printf '%02d-*.vms' "${number%.*}")
    # shellcheck disable=SC2086 # a pattern is meant
    lesson=$(echo $lesson)
    change "$number" "$lesson"
    "$program" run --quiet "$work/changed.vms" >"$work/out" 2>&1 || {
        complain "$number: the answer is wrong"
        cat "$work/out"
    }
    change "$number" "$lesson" unchanged
    "$program" run --quiet "$work/changed.vms" >"$work/out" 2>&1
    case $? in
        1) ;;
        0) complain "$number: the new expectations hold without the change, too" ;;
        *)
            complain "$number: without the change no expectation is reached"
            cat "$work/out"
            ;;
    esac
done <"$work/answered"

[ "$count" -ge 32 ] || complain "only $count exercises"
echo "$count exercises, $failed failed"
[ "$failed" -eq 0 ]
