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
"$program" run --quiet --record="$log" trail.vms >/dev/null
sed 1d trail.log | diff - "$log"
