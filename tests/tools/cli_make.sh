#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_make.sh PROGRAM: the workloads that ship are those that the generator makes, what they claim
# is true, and every size of them runs.
. "$(dirname "$0")/cli_lib.sh"
shipped=$here/../../scenarios/workloads

# ---- the files that ship -----------------------------------------------------------------------

for kind in game video training llm; do
    run 0 make $kind
    same out "$shipped/$kind.vms"
    # The command in it makes the same bytes again.
    command=$(sed -n 's/^# vidmm //p' "$shipped/$kind.vms")
    # shellcheck disable=SC2086 # words are meant
    run 0 $command -o again.vms
    same again.vms "$shipped/$kind.vms"
done

# ---- other sizes and seeds ---------------------------------------------------------------------

try() {
    run 0 make "$@" -o try.vms
    made=$*
    run 0 run -q try.vms
    what="vidmm make $made"
    lacks out 'failed'
    cp try.vms "$1.vms"
}

for seed in 0 1 7 18446744073709551615; do
    try game seed=$seed frames=9 places=11 view=5
    try video seed=$seed frames=9 ring=4 windows=3
done
run 0 make game seed=1 frames=9 places=11 view=5
if cmp -s out game.vms; then complain 'another seed makes the same game'; else good; fi
try video windows=0 card=64M
try game near=0001 view=20 texture=64K card=1G
for keep in 1 2 3 8; do
    try training keep=$keep steps=2
done
try training card=1G
try training layers=1
try llm layers=1
try llm layers=3 card=1G
try llm layers=40 layer=1M tokens=2 card=10M
run 0 convert llm.vms -o llm.vmb
run 0 run -q llm.vmb
run 0 run -q -D card=1G "$shipped/game.vms"

# What a cycle costs: by age everything misses, at best 37 of 72 (state and cache: 2 more).
for policy in wddm:74 lru:74 fifo:74 belady:39; do
    misses=${policy#*:}
    run 0 run --width=120 --set=eviction="${policy%:*}" "$shipped/llm.vms"
    [ "$misses" = "$(awk '$1 == "use_misses" { print $2 }' out)" ] || complain "not $misses misses"
done

# The expectations hold under every policy.
for kind in game video training llm; do
    run 0 compare --policies=wddm,fifo,s3-fifo,largest,random,belady "$shipped/$kind.vms"
    lacks out 'failed'
done

# ---- the command line --------------------------------------------------------------------------

run 2 make
has err 'a workload is missing: game, video, training or llm'
run 2 make raytracing
has err "'raytracing' is no workload; there are game, video, training, llm"
run 2 make game fog=1
has err "'fog=1' is no parameter of game: write NAME=VALUE; there are frames, places"
# A parameter of other workloads is no misspelling of one of this.
run 2 make game layers=3
has err "'layers=3' is no parameter of game: training and llm have it; there are frames, places"
run 2 make llm near=3
has err "'near=3' is no parameter of llm: game has it; there are layers, layer"
run 2 make game frames
has err "'frames' is no parameter of game: write NAME=VALUE"
run 2 make llm layers=0
has err 'layers=0: a value from 1 to 100000 was expected (how many layers)'
run 2 make llm layers=many
has err 'layers=many: a value from 1 to 100000 was expected'
run 2 make llm card=1
has err 'card=1: a value from 1M to 1T was expected (the memory of the card)'
run 2 make llm layer=64G
has err 'card=64M has no room for a layer beside state and cache: the smallest card is card=65540M'
run 2 make llm layers=3 layers=5
has err "'layers=5' gives layers a second value"
run 2 make llm layer=8M tokns=5
has err "'tokns=5' is no parameter of llm; did you mean 'tokens'? There are layers, layer,"
run 2 make game near=9
has err 'near is at most view, and view at most places: 9, 8, 20'
run 2 make training keep=99
has err 'keep=99 is more than there are layers'
# The smallest card that is named is large enough, and runs.
for kind in game video training llm; do
    run 2 make $kind card=1M
    has err 'card=1M has no room for'
    card=$(sed -n 's/.*the smallest card is \(card=[0-9]*[KMGT]*\)$/\1/p' err)
    while [ -n "$card" ] && ! "$vidmm" make $kind "$card" >out 2>err; do
        card=$(sed -n 's/.*the smallest card is \(card=[0-9]*[KMGT]*\)$/\1/p' err)
    done
    try $kind "$card"
done
run 2 make video card=4M
has err 'card=4M has no room for the overlay in its last fifth: the smallest card is card=7M'
run 2 make training layers=100000 steps=1000000
has err '100000000 are the most'
run 3 make llm -o no/such/folder.vms
run 0 make --help
has out 'layers=12: how many layers'
narrow out
finish
