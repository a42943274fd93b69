#!/bin/sh
# SPDX-License-Identifier: MIT
# trail.sh PROGRAM: what decisions looked at is told as it was: holes with the reason why they do
# not do, turns of victims with what put one before the next.
set -eu
LC_ALL=C
export LC_ALL
program=$(realpath "$1")
cd "$(dirname "$0")"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for name in trail trail_turns; do
    "$program" run --quiet --record="$log" "$name.vms" >/dev/null
    sed 1d "$name.log" | diff - "$log"
done
