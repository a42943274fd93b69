#!/bin/sh
# SPDX-License-Identifier: MIT
# growth.sh: does any pattern of use grow faster than n log n?
#
#     tests/growth.sh BUILD [PATTERN...]
#     tests/growth.sh --try BUILD          runs each pattern at the sizes 8 and 20
#
# Runs each pattern of tests/growth/patterns.awk at 1 k, 4 k and 16 k; a quick one, in which noise
# would count, at 64 k instead of 1 k. Prints a line for each: the milliseconds of the processor
# without those of size 8, and the exponent of the last step, log4 of the ratio. An
# exponent above 1.3 is measured again, more often, and fails when it stays. Patterns of
# tests/growth/debts are measured once, and do not fail.
#
# Times are ratios of one run, and small ones count as at least the shortest time that is measured
# well: a busy machine lengthens both sides.
set -eu
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd)
try=no
[ "${1-}" != --try ] || { try=yes && shift; }
build=$(cd "${1:?"the folder of a build"}" && pwd)
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

most=1.30   # the largest exponent
seconds=8   # a run that takes longer fails
quick=30000 # microseconds: a pattern that takes less at 16 k is run at 64 k as well
least=2000  # microseconds: no time counts as less

vidmm=$build/bin/vidmm
cpu=$build/tests/growth/cpu_time
[ -x "$cpu" ] || { echo "$cpu is not built" && exit 1; }

# Microseconds of the present pattern at size $1, the least of $2 runs.
measure() {
    [ -s "$work/$1.vms" ] ||
        awk -v name="$pattern" -v n="$1" -f "$here/growth/patterns.awk" >"$work/$1.vms"
    # shellcheck disable=SC2086 # the command is several words
    "$cpu" "$2" "$seconds" "$code" "$vidmm" $command "$work/$1.vms" || {
        echo "$pattern at $1: vidmm $command did not end with $code" >&2
        exit 1
    }
}

# The times of the present pattern as a line with its exponent, and "no" at its end if that is too
# large; each time is the least of $1 runs.
judge() {
    zero=$(measure 8 3) && third=$(measure 16384 "$1") || exit 1
    if [ "$third" != over ] && [ $((third - zero)) -lt "$quick" ]; then
        first=- second=$third
        third=$(measure 65536 "$1") || exit 1
    else
        first=$(measure 1024 "$1") && second=$(measure 4096 "$1") || exit 1
    fi
    awk -v zero="$zero" -v first="$first" -v second="$second" -v third="$third" \
        -v least="$least" -v most="$most" -v name="$pattern" '
        function net(time) { return time > zero ? time - zero : 0 }
        function show(time) { return time ~ /[0-9]/ ? sprintf("%.1f", net(time) / 1000) : time }
        function larger(a, b) { return a > b ? a : b }
        BEGIN {
            low = larger(net(second), least)
            over = third == "over" || second == "over"
            exponent = over ? 9 : log(larger(net(third), low) / low) / log(4)
            printf "%-26s", name
            if (first == "-")
                printf " %9s %9s %9s %9s", "", "", show(second), show(third)
            else
                printf " %9s %9s %9s %9s", show(first), show(second), show(third), ""
            printf " %9s%s\n", over ? "over" : sprintf("%.2f", exponent),
                   (exponent > most ? "  no" : "")
        }'
}

[ "$try" = yes ] ||
    printf '%-26s %9s %9s %9s %9s %9s\n' 'pattern: ms at' '1 k' '4 k' '16 k' '64 k' exponent
failed=0
awk -v list=1 -f "$here/growth/patterns.awk" >"$work/patterns"
while read -r pattern code command; do
    case " ${*:-$pattern} " in *" $pattern "*) ;; *) continue ;; esac
    rm -f "$work"/*.vms
    if [ "$try" = yes ]; then
        for size in 8 20; do
            (measure "$size" 1) >"$work/took" || failed=$((failed + 1))
        done
        continue
    fi
    if grep -q "^$pattern " "$here/growth/debts"; then
        line=$(judge 1) && echo "${line%no}  debt" || failed=$((failed + 1))
        continue
    fi
    for runs in 1 3 6 12; do
        line=$(judge "$runs") || line="$pattern failed  no over"
        case $line in *over*) break ;; *no) ;; *) break ;; esac
    done
    case $line in *no | *over) failed=$((failed + 1)) ;; esac
    echo "$line"
done <"$work/patterns"
[ "$failed" -eq 0 ] || { echo "$failed patterns fail or grow faster than n^$most" && exit 1; }
