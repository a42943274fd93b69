#!/bin/sh
# SPDX-License-Identifier: MIT
# policies.sh PROGRAM STEP: every STEP-th scenario of the tree under each policy, with all
# invariants checked. Expectations may fail there, a scenario may be stopped or refused: it never
# ends as a bug of vidmm (70) or by a signal, and no policy is caught breaking a rule.
set -eu
LC_ALL=C
export LC_ALL
root=$(cd "$(dirname "$0")/../.." && pwd)
program=$(realpath "$1") step=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work"

"$program" policies --format=jsonl |
    sed 's/.*"kind":"\([a-z]*\)","name":"\([a-z0-9-]*\)".*/\1=\2/' >policies
# churn.vms has so many allocations that all invariants take minutes.
find "$root/scenarios" -name '*.vms' ! -name churn.vms | sort >files
failed=0 runs=0
while read -r policy; do
    # Each policy begins at another file, so that a sample meets more of them.
    runs=$((runs + 1))
    awk -v step="$step" -v from="$runs" 'NR % step == from % step' files >sample
    while read -r file; do
        answer=0
        "$program" run --quiet --check --limit=work=2000000 --set="$policy" "$file" \
            >out 2>&1 </dev/null || answer=$?
        case $answer in
        [0-5]) ;;
        *) echo "$policy: $file ends with $answer" && tail -3 out && failed=1 ;;
        esac
        if grep -E 'POLICY-00[2-5]|POLICY-011' out; then
            echo "$policy breaks a rule in $file" && failed=1
        fi
    done <sample
done <policies
[ "$runs" -gt 10 ] || failed=1
exit "$failed"
