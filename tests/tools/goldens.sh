#!/bin/sh
# SPDX-License-Identifier: MIT
# goldens.sh PROGRAM [BROKEN MISTAKE FILE FIRST]: the goldens that ship with the scenarios.
#
# With the program alone: does every scenario with a golden make the decisions that stand there,
# and did each of them look at what stands under it (which `vidmm test` does not compare)?
# BROKEN is the program with a MISTAKE in it (broken.c). Do the goldens notice it, and does
# `vidmm diff` name the first wrong decision of a FILE with the words FIRST?
#
# After a change that was meant: vidmm test --update --golden=tests/goldens FILE...
set -u
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd)
vidmm=$1
cd "$here/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

files=$(cd tests/goldens && find scenarios -name '*.golden' | sort | sed 's/golden$/vms/')
fail() {
    echo "failed: $*"
    head -n 20 "$work/out"
    exit 1
}

if [ $# -eq 1 ]; then
    # shellcheck disable=SC2086 # names without blanks
    "$vidmm" test --golden=tests/goldens $files >"$work/out" 2>&1 || fail 'other decisions'
    last=$(tail -n 1 "$work/out")
    cp -R tests/goldens "$work/new"
    # shellcheck disable=SC2086
    "$vidmm" test --update --golden="$work/new" $files >"$work/out" 2>&1 || fail 'no new goldens'
    diff -r tests/goldens "$work/new" >"$work/out" || fail 'the trail of a decision is another one'
    echo "$last"
    exit 0
fi
VIDMM_BROKEN=$3
export VIDMM_BROKEN
# shellcheck disable=SC2086
"$2" test --golden=tests/goldens $files >"$work/out" 2>&1
code=$?
[ "$code" -eq 1 ] || [ "$code" -eq 5 ] || fail "exit $code with the mistake '$3'"
noticed=$(grep -c 'failed: other decisions than in tests/goldens/' "$work/out")
[ "$noticed" -gt 0 ] || fail "no golden notices the mistake '$3'"
"$2" run -q --record="$work/log" "$4" >"$work/out" 2>&1
"$vidmm" diff "$4" "$work/log" >"$work/out" 2>&1
code=$?
[ "$code" -eq 1 ] || fail "diff: exit $code"
grep -qF "first: $5" "$work/out" || fail "diff does not say 'first: $5'"
echo "$noticed tests notice it; $(head -n 1 "$work/out")"
