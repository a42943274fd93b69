#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_bench.sh PROGRAM: `vidmm bench`: its interface. Its times are nobody's promise.
. "$(dirname "$0")/cli_lib.sh"

all='create use evict submit pack read twin check text jsonl start'

run 0 bench --times=1
narrow out
empty err
count 1 'name        median       best counted    what is measured'
[ "$(awk 'NR > 1 { printf "%s%s", line++ ? " " : "", $1 }' out)" = "$all" ] ||
    complain "$what: not all in their order"
# A rate has a unit, and is not nothing.
if awk 'NR > 1 && !($2 > 0 && $4 > 0 && $3 ~ /^(MB|M|k)\/s$/) { exit 1 }' out
then good; else complain "$what: what is measured is no rate"; fi

# The amount is that of the text; only the times differ.
run 0 bench --times=3 --format=jsonl start evict read
json_lines out
[ "$(wc -l <out)" -eq 3 ] || complain "$what: not a line for each"
has out '{"type":"bench","name":"evict","unit":"operations","amount":22000,"times":3,"best_ns":'
has out '{"type":"bench","name":"start","unit":"runs","amount":100,"times":3,"best_ns":'
sed 's/,"best_ns.*//' out >first
if awk -F'[:,}]' '!($(NF - 1) >= $(NF - 3) && $(NF - 3) > 0) { exit 1 }' out
then good; else complain "$what: a median under the best"; fi
run 0 bench --times=1 --format=jsonl start evict read
sed 's/,"best_ns.*//; s/"times":1/"times":3/' out | cmp -s - first ||
    complain "$what: other amounts"
run 0 bench --times=1 --format=jsonl text jsonl
sed 's/,"best_ns.*//' out >first
run 0 bench --times=1 --format=jsonl text jsonl
sed 's/,"best_ns.*//' out | cmp -s - first || complain "$what: other amounts are told"

# What is broken off has no rate, and nothing comes after it, whether somebody listens or not.
# A signal that comes before the program listens ends it, too; then a later one is tried.
for names in 'start evict' 'text jsonl' 'use submit'; do
    what="bench $names, interrupted"
    for later in 1 2 4 8 16; do
        code=0
        # shellcheck disable=SC2086 # words are meant
        timeout --foreground --preserve-status -k 15 -s INT "$later" "$vidmm" bench --times=1000 \
            $names >out 2>err </dev/null || code=$?
        if grep -q 'stopped: interrupted' err; then break; fi
    done
    has err 'stopped: interrupted'
    if [ "$code" -eq 130 ]; then good; else complain "$what: exit $code, not 130"; fi
    for name in $names; do lacks out "$name"; done
done

run 2 bench evictt
has err "no benchmark is named 'evictt'; did you mean 'evict'?"
for times in 0 1001 many ''; do
    run 2 bench --times=$times start
    has err "--times=$times: a number from 1 to 1000 is expected"
done
run 2 bench --format=csv start
has err 'csv'
run 2 bench --count=3 start
has err "'--count' is no option; there are --times --format"
empty out

finish
