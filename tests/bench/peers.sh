#!/bin/sh
# SPDX-License-Identifier: MIT
# peers.sh: one table of how fast vidmm and other programs do the same work.
#
#     tests/bench/peers.sh [OPTION...] BUILD
#
#     --linux=DIR              checkouts: Linux, for drm_mm
#     --offset-allocator=DIR   github.com/sebbbi/OffsetAllocator
#     --vma=DIR --vulkan=DIR   VulkanMemoryAllocator, and the headers of Vulkan that it includes
#     --libcachesim=DIR        github.com/1a1a11a/libCacheSim, with what it needs to be built
#     --program=COMMAND        a program of yours, which is given a workload as its last argument
#     --workloads="W:N ..."    mix, small or end, with N live ranges
#     --operations=N           of each of these, after the ranges were filled (1000000)
#     --requests=N             of the stream of references (6000000)
#     --turns=N                how often everything takes its turn (5)
#     --work=DIR               where peers are built, and kept for the next time
#
# BUILD is a release build of vidmm. Peers are built with the same optimisation and outside of the
# tree; the parts of theirs that are asked are named in tests/bench/peers/. Programs take turns on
# one core. Of ranges the table has the time of an operation of vidmm, and of each peer a ratio:
# its time as a part of vidmm's, the median of those of each turn; "=" behind it means that it chose
# the same places. Of streams it has the requests a second, and vidmm's as a part of the peer's.
set -eu
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
linux='' offset='' vma='' vulkan='' cachesim='' program='' work='' turns=5 build=''
operations=1000000 requests=6000000
workloads='mix:1000 mix:10000 mix:100000 small:1000 small:10000 small:100000 small:1000000'
for word in "$@"; do
    case $word in
    --linux=*) linux=$(realpath "${word#*=}") ;;
    --offset-allocator=*) offset=$(realpath "${word#*=}") ;;
    --vma=*) vma=$(realpath "${word#*=}") ;;
    --vulkan=*) vulkan=$(realpath "${word#*=}") ;;
    --libcachesim=*) cachesim=$(realpath "${word#*=}") ;;
    --program=*) program=${word#*=} ;;
    --workloads=*) workloads=${word#*=} ;;
    --operations=*) operations=${word#*=} ;;
    --requests=*) requests=${word#*=} ;;
    --turns=*) turns=${word#*=} ;;
    --work=*) work=$(realpath -m "${word#*=}") ;;
    -*)
        echo "peers.sh: '$word' is no option" >&2
        sed -n '3,24s/^# \{0,1\}//p' "$0" >&2
        exit 3
        ;;
    *) build=$(realpath "$word") ;;
    esac
done
if [ ! -x "$build/tests/bench/replay_vidmm" ]; then
    echo 'peers.sh: a build of vidmm was expected, with its tests (BUILD_TESTING=ON)' >&2
    exit 3
fi
for workload in $workloads; do
    echo "$workload" | grep -qE '^(mix|small|end):[1-9][0-9]*$' && continue
    echo "peers.sh: '$workload' is no workload: mix, small or end, and how many: mix:1000" >&2
    exit 3
done
for number in "$operations" "$requests" "$turns"; do
    echo "$number" | grep -qE '^[1-9][0-9]*$' && continue
    echo "peers.sh: a number above 0 was expected, found '$number'" >&2
    exit 3
done
kept=$work
[ -n "$work" ] || work=$(mktemp -d)
trap '[ -n "$kept" ] || rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
mkdir -p "$work"
pinned=
if taskset -c 0 true 2>/dev/null; then pinned='taskset -c 0'; fi

# ---- peers of the range allocator ----------------------------------------------------------------

# What the kernel's headers say beside the trees is said by linux.h.
build_drm_mm() {
    into=$work/drm_mm.d
    mkdir -p "$into/include/drm" "$into/include/linux"
    cp "$linux/drivers/gpu/drm/drm_mm.c" "$linux/lib/rbtree.c" "$into"
    cp "$linux/include/drm/drm_mm.h" "$into/include/drm"
    for name in rbtree rbtree_augmented rbtree_types interval_tree_generic; do
        [ ! -f "$linux/include/linux/$name.h" ] ||
            cp "$linux/include/linux/$name.h" "$into/include/linux"
    done
    cat "$into"/*.c "$into"/include/*/*.h | sed -n 's/^#[ ]*include <\(.*\)>.*/\1/p' | sort -u |
        while read -r name; do
            [ ! -f "$into/include/$name" ] || continue
            mkdir -p "$(dirname "$into/include/$name")"
            echo '#include "tests/bench/peers/linux.h"' >"$into/include/$name"
        done
    ${CC:-cc} -std=gnu11 -O2 -w -I "$into/include" -I "$root" "$work/replay.o" \
        "$here/peers/peer_drm_mm.c" "$into"/*.c -o "$work/drm_mm"
}

build_offset_allocator() {
    ${CXX:-c++} -std=c++17 -O2 -w -I "$offset" -I "$root" "$here/peers/peer_offset_allocator.cpp" \
        "$offset/offsetAllocator.cpp" "$work/replay.o" -o "$work/OffsetAllocator"
}

build_vma() {
    ${CXX:-c++} -std=c++17 -O2 -w -I "$vma/include" -I "$vulkan/include" -I "$root" \
        "$here/peers/peer_vma.cpp" "$work/replay.o" -o "$work/VMA"
}

names=vidmm
commands=$build/tests/bench/replay_vidmm
add_peer() { # name command
    names="$names $1"
    commands="$commands
$2"
}
${CC:-cc} -std=c17 -O2 -I "$root" -c "$here/peers/replay.c" -o "$work/replay.o"
if [ -n "$linux" ]; then
    build_drm_mm
    add_peer drm_mm "$work/drm_mm"
fi
if [ -n "$offset" ]; then
    build_offset_allocator
    add_peer OffsetAllocator "$work/OffsetAllocator"
fi
if [ -n "$vma" ]; then
    build_vma
    add_peer VMA "$work/VMA"
fi
[ -z "$program" ] || add_peer yours "$program"

# ---- ranges --------------------------------------------------------------------------------------

complain() { # command what
    echo "peers.sh: $1 $2" >&2
    exit 1
}

# "WORKLOAD TURN PROGRAM OPERATIONS SECONDS HASH"; nothing of a program that cannot have it.
measure_ranges() {
    for workload in $workloads; do
        "$build/tests/bench/bench_ranges" write "${workload%:*}" "${workload#*:}" \
            "$operations" >"$work/workload"
        for turn in $(seq "$turns"); do
            number=0
            printf '%s\n' "$commands" | while read -r command; do
                number=$((number + 1))
                # shellcheck disable=SC2086 # a command may have arguments
                line=$($pinned $command "$work/workload" </dev/null) || [ $? -eq 77 ] ||
                    complain "$command" 'failed'
                [ -n "$line" ] || continue
                echo "$line" | grep -qE '^[0-9]+ [0-9.]+ [0-9a-f]{16}$' ||
                    complain "$command" "printed '$line': operations, seconds, 16 digits of a hash"
                echo "$workload $turn $number $line"
            done
        done
    done
}

table_of_ranges() {
    awk -v names="$names" '
        function median(list, count,    i, k, swap) {
            for (i = 2; i <= count; i++)
                for (k = i; k > 1 && list[k] < list[k - 1]; k--) {
                    swap = list[k]; list[k] = list[k - 1]; list[k - 1] = swap
                }
            return list[int((count + 1) / 2)]
        }
        { ns[$1, $2, $3] = $5 / $4 * 1e9; hash[$1, $3] = $6 }
        !seen[$1]++ { order[++workloads] = $1 }
        { turns = $2 > turns ? $2 : turns }
        END {
            columns = split(names, name, " ")
            printf "%-14s %10s", "ranges", "vidmm, ns"
            for (c = 2; c <= columns; c++)
                printf " %16s", name[c]
            print ""
            for (w = 1; w <= workloads; w++) {
                which = order[w]
                for (c = 1; c <= columns; c++) {
                    count = 0
                    for (t = 1; t <= turns; t++)
                        if ((which, t, c) in ns)
                            list[++count] = ns[which, t, c] / (c > 1 ? ns[which, t, 1] : 1)
                    if (c == 1)
                        printf "%-14s %10.1f", which, median(list, count)
                    else if (!count)
                        printf " %16s", "-"
                    else
                        printf " %15.2f%s", median(list, count),
                               hash[which, c] == hash[which, 1] ? "=" : " "
                }
                print ""
            }
        }'
}

# ---- streams -------------------------------------------------------------------------------------

build_cachesim() {
    [ ! -x "$work/libcachesim/bin/cachesim" ] || return 0
    cmake -S "$cachesim" -B "$work/libcachesim" -DCMAKE_BUILD_TYPE=Release >/dev/null
    cmake --build "$work/libcachesim" --target cachesim >/dev/null
}

# Seconds of the processor, which a busy machine changes less than those of a clock.
seconds_of_cachesim() { # requests
    (
        cd "$work" # it writes a file where it runs
        # shellcheck disable=SC2086 # no words, or three
        $pinned "$work/libcachesim/bin/cachesim" "$1" oracleGeneral lru 100000 \
            --ignore-obj-size=1 >/dev/null 2>&1
        times
    ) | awk -F '[ms ]+' 'NR == 2 { print 60 * ($1 + $3) + $2 + $4 }'
}

# Without its start: the first tenth of the requests, 24 bytes each, is taken away from all.
rate_of_cachesim() {
    head -c $((requests / 10 * 24)) "$work/requests" >"$work/tenth"
    echo "$(seconds_of_cachesim "$work/requests") $(seconds_of_cachesim "$work/tenth")" |
        awk -v requests="$requests" '{ printf "%.2f\n", requests * 0.9 / ($1 - $2) / 1e6 }'
}

# A million objects, of which a tenth fits; bench_stream checks that its misses are those of an LRU.
table_of_streams() {
    for turn in $(seq "$turns"); do
        for kind in 'page-in clean' 'submit clean' 'submit dirty'; do
            # shellcheck disable=SC2086 # two words
            rate=$($pinned "$build/tests/bench/bench_stream" $kind "$requests" 1000000 10 \
                "$work/requests" | sed -n 's/.*: \([0-9.]*\) M requests.*/\1/p')
            echo "$turn vidmm $rate $kind"
        done
        echo "$turn libCacheSim $(rate_of_cachesim) LRU"
    done | sort -k 2,2 -k 4 -k 3,3n | awk -v turns="$turns" '
        BEGIN { printf "\n%-14s %10s %16s\n", "streams", "M/s", "libCacheSim, M/s" }
        ++count[$4 $5] != int((turns + 1) / 2) { next }
        $2 == "libCacheSim" { printf "%-14s %10s %16.2f\n", "LRU", "", peer = $3 }
        $2 == "vidmm" { printf "%-14s %10.2f %15.0f%%\n", $4 " " $5, $3, 100 * $3 / peer }'
}

measure_ranges >"$work/lines"
table_of_ranges <"$work/lines"
if [ -n "$cachesim" ]; then
    build_cachesim
    table_of_streams
fi
