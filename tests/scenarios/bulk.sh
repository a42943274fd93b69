#!/bin/sh
# SPDX-License-Identifier: MIT
# bulk.sh PROGRAM [COUNT]: reads, checks and runs a generated file of 3 x COUNT lines with handles
# @N: create, submit, destroy, a thousand allocations alive at a time; writes its decisions down and
# compares them.
# For rates: time the stages with COUNT 3333333, which makes ten million lines.
set -eu
program=$1
count=${2:-250000}
file=$(mktemp)
trap 'rm -f "$file" "$file.log"' EXIT
awk -v count="$count" 'BEGIN {
    print "vidmm-scenario 1"
    print "adapter wddm=1.1"
    print "segment vram id=1 kind=memory size=256M flags=CpuVisible"
    print "segment aper id=2 kind=aperture size=128M"
    for (i = 1; i <= count; i++) {
        printf "create @%d size=%dK segments=vram,aper prefer=vram evict-to=aper\n", i,
            64 * (1 + (i * 7919) % 64)
        printf "submit @%d write=@%d cost=1us\n", i + 20000000, i
        if (i > 1000)
            printf "destroy @%d\n", i - 1000
        else
            print "advance 10us"
    }
}' >"$file"
"$program" check "$file" >/dev/null
last=$("$program" run -q --limit=ops=$((3 * count)) --limit=work=$((50 * count)) "$file" |
    tail -n 1)
echo "$last"
case $last in
*" $((count * 3)) operations"*) ;;
*) exit 1 ;;
esac
# Its decisions, written down and compared.
"$program" run -q --record="$file.log" --limit=ops=$((3 * count)) --limit=work=$((50 * count)) \
    "$file" >/dev/null
"$program" diff --limit=ops=$((3 * count)) --limit=work=$((50 * count)) "$file.log" "$file"
