#!/bin/sh
# SPDX-License-Identifier: MIT
# mutants.sh: does a scenario notice when a rule is no longer enforced?
#
#     tests/scenarios/mutants.sh PROGRAM MUTANT [AREA...]
#
# PROGRAM is vidmm, MUTANT the same program in which VIDMM_MUTANT=ID switches one rule off
# (mutant.c). Every validation rule of the areas (all of them if none is named) that a scenario
# proves is switched off in turn, and its scenarios have to fail; a run that no longer ends stops
# itself after a number of steps (mutant.c) and has failed. The speed of the machine decides
# nothing: a run that still lasts after PATIENCE seconds is neither, and fails the test. A rule that
# no scenario misses is a survivor: a check without a test. mutants.txt lists known survivors with
# the reason; any other fails the test, and so does a line there that no longer survives.
set -eu
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
program=$(realpath "$1") mutant=$(realpath "$2")
shift 2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" # a mutant that breaks a promise leaves its scenario where it runs

[ $# -gt 0 ] || set -- ""
for area in "$@"; do
    "$program" rules --format=jsonl ${area:+--area="$area"}
done >"$work/rules"

# "ID scenario scenario ..." of each validation rule with a proof.
awk '
    function text(name,    at) {
        at = match($0, "\"" name "\":\"[^\"]*\"")
        return at ? substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5) : ""
    }
    text("kind") ~ /validation/ && match($0, /"proved_by":\[[^]]+\]/) {
        files = substr($0, RSTART + 13, RLENGTH - 14)
        gsub(/[",]+/, " ", files)
        print text("id"), files
    }' "$work/rules" >"$work/list"

grep -v '^#' "$here/mutants.txt" | sed 's/:.*//' | sort >"$work/known" || true
if grep -vE '^(#|[A-Z]+-[0-9]{3}: )' "$here/mutants.txt"; then
    echo "mutants.txt: no line of the form ID: reason"
    exit 1
fi
PATIENCE=600 STOPPED=124
flipped=0 survived=0 failed=0
while read -r rule files; do
    flipped=$((flipped + 1))
    noticed=no
    for file in $files; do
        answer=0
        VIDMM_MUTANT=$rule timeout $PATIENCE "$mutant" run --quiet "$root/$file" >/dev/null 2>&1 ||
            answer=$?
        if [ $answer -eq $STOPPED ]; then
            echo "$rule: $file does not end without it, and mutant.c does not see that"
            failed=1
        fi
        [ $answer -eq 0 ] || noticed=yes
        [ $noticed = no ] || break
    done
    known=$(grep -cx "$rule" "$work/known" || true)
    if [ $noticed = no ]; then
        survived=$((survived + 1))
        if [ "$known" -eq 0 ]; then
            echo "$rule: nobody misses it: $files"
            failed=1
        fi
    elif [ "$known" -gt 0 ]; then
        echo "mutants.txt: $rule is noticed now, take the line out"
        failed=1
    fi
done <"$work/list"
echo "$flipped rules switched off, $((flipped - survived)) missed by a scenario, $survived not"
[ "$flipped" -gt 0 ] && exit $failed
