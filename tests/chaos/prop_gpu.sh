#!/bin/sh
# SPDX-License-Identifier: MIT
# prop_gpu.sh: a failure is found, made short, and written to a file that shows it again.
#
#     tests/chaos/prop_gpu.sh PROP_GPU VIDMM
set -eu
prop=$1
vidmm=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

fail() {
    echo "prop_gpu.sh: $*" >&2
    cat "$work/out" >&2
    exit 1
}

for event in rename update exclude; do
    "$prop" --lives=2000 --plant=$event --to="$work/short.vms" >"$work/out" 2>&1 &&
        fail "a planted $event is not found"
    grep -q "planted: $event" "$work/out" || fail "it is not the planted $event"
    [ "$(wc -l <"$work/short.vms")" -le 10 ] || fail "the scenario is not short"
    "$vidmm" run --format=jsonl "$work/short.vms" 2>/dev/null | grep -q "\"$event\"" ||
        fail "the scenario does not show $event"
    "$prop" "$work/short.vms" >"$work/out" 2>&1 || fail "without the plant it fails, too"
    # Nothing of it can be left out.
    lines=$(wc -l <"$work/short.vms")
    for line in $(seq 2 "$lines"); do
        sed "${line}d" "$work/short.vms" >"$work/less.vms"
        "$prop" --plant=$event --to="$work/again.vms" "$work/less.vms" >"$work/out" 2>&1 || :
        grep -q "planted: $event" "$work/out" && fail "line $line is not needed"
    done
done
exit 0
