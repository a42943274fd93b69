#!/bin/sh
# SPDX-License-Identifier: MIT
# peers.sh WORKLOAD [COMMAND...]: one table of how fast this and other programs do the same work.
#
# Each command is run with the file as its last argument and prints one line: operations, seconds,
# hash of the placements. The first one is the measure of the others. They take turns, nine times,
# on one core; a ratio is the median of those of each turn. Nothing is built here.
set -eu
[ $# -ge 2 ] || { echo "usage: peers.sh WORKLOAD COMMAND [COMMAND...]" >&2; exit 3; }
workload=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pinned=
if taskset -c 0 true 2>/dev/null; then pinned='taskset -c 0'; fi

turn=0
while [ $turn -lt 9 ]; do
    turn=$((turn + 1))
    number=0
    for command; do
        number=$((number + 1))
        # shellcheck disable=SC2086 # a command may have arguments
        line=$($pinned $command "$workload")
        echo "$turn $number $line" >>"$work/lines"
    done
done

number=0
printf '%12s %8s %12s  %s\n' 'ns each' ratio placements command
for command; do
    number=$((number + 1))
    awk -v number=$number '
        $2 == 1 { base[$1] = $4 / $3; hash = $5 }
        $2 == number { print $4 / $3 / base[$1], $4 / $3 * 1e9, $5 == hash ? "same" : "others" }
    ' "$work/lines" | sort -n | awk -v command="$command" '
        { ratio[NR] = $1; ns[NR] = $2; same = $3 }
        END {
            m = int((NR + 1) / 2)
            printf "%12.1f %8.2f %12s  %s\n", ns[m], ratio[m], same, command
        }'
done
