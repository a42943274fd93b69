#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh: the fuzz targets with clang's libFuzzer, sanitizers and all invariants.
#
#     tests/fuzz/run.sh [--minutes=N] [--corpus=FOLDER] BUILD [TARGET...]
#
#     --minutes=N        for all targets together (default 15)
#     --corpus=FOLDER    a folder for each target, which is read and grows (default: begins empty)
#
# BUILD is a folder of its own, which is made. The targets (all of them if none is named) take turns
# of equal length; each begins with tests/fuzz/corpus and, where it reads scenarios, with those of
# the tree. Prints a line for each. What stopped one is kept in BUILD/findings, and the run fails:
# `BUILD/tests/fuzz/fuzz_TARGET FILE` repeats it, with tests/fuzz/fuzz_replay.c without clang.
# Skipped (77) without clang or its libFuzzer.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
minutes=15 corpus='' build=''
for word in "$@"; do
    case $word in
    --minutes=*) minutes=${word#*=} ;;
    --corpus=*) corpus=$(realpath -m "${word#*=}") ;;
    -*) sed -n '3,15s/^# \{0,1\}//p' "$0" && exit 2 ;;
    *) [ -n "$build" ] && targets="${targets-} $word" || build=$(realpath -m "$word") ;;
    esac
done
[ -n "$build" ] || { sed -n '3,15s/^# \{0,1\}//p' "$0" && exit 2; }
: "${targets=language driver create trace twin readers}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
[ -n "$corpus" ] || corpus=$work

command -v clang >/dev/null || { echo 'skipped: no clang' && exit 77; }
printf 'int LLVMFuzzerTestOneInput(void);\nint LLVMFuzzerTestOneInput(void) { return 0; }\n' \
    >"$work/empty.c"
clang -fsanitize=fuzzer,address "$work/empty.c" -o "$work/empty" 2>/dev/null ||
    { echo 'skipped: clang has no libFuzzer (libclang-rt-dev)' && exit 77; }

[ -f "$build/build.ninja" ] ||
    cmake -G Ninja -S "$root" -B "$build" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_FLAGS_RELEASE='-O1 -g1' -DVIDMM_FUZZ=ON -DVIDMM_SANITIZE=ON \
        -DVIDMM_PARANOID=ON >/dev/null
names=''
count=0
for target in $targets; do
    names="$names fuzz_$target"
    count=$((count + 1))
done
# shellcheck disable=SC2086 # words are meant
cmake --build "$build" --target $names >"$work/build" || { cat "$work/build" && exit 1; }
mkdir -p "$build/findings"

# The words of the language and of the files beside it, for targets without changes of their own.
grep -rhoE '"[A-Za-z][A-Za-z0-9_-]+[=(]?"' "$root"/scenarios/lang/tables/*.def \
    "$root"/vidmm/*.def "$root"/tools/record/*.c "$root"/tools/sweep/*.c | sort -u >"$work/words"

# Where a target begins, and what it needs to know.
seeds_of() {
    mkdir "$work/seeds"
    case $1 in
    language) cp "$here"/corpus/*.vms "$work/seeds" ;;
    twin) cp "$here"/corpus/bulk.vms "$work/seeds" ;;
    trace) cp "$here"/corpus/*.csv "$work/seeds" ;;
    esac
    [ ! -d "$here/corpus/$1" ] || cp "$here/corpus/$1"/* "$work/seeds"
    # Some of the short ones: reading all of them would leave no time for anything else.
    [ "$1" != language ] ||
        find "$root/scenarios" -name '*.vms' -size -4 | sort | awk 'NR % 12 == 0' |
        xargs -I FILE cp FILE "$work/seeds"
}

# The longest input of a target: records (record.h), or some dozens of lines. The engine's weighing
# of inputs costs more than it brings where a run takes long, or does much.
options_of() {
    case $1 in
    driver) echo -max_len=1984 -entropic=0 ;;
    create) echo -max_len=1536 -entropic=0 ;;
    language | trace) echo -max_len=3000 -entropic=0 ;;
    *) echo -max_len=3000 ;;
    esac
}

# Whose stack allocated a block is asked when a finding is looked at, not in a million runs.
export ASAN_OPTIONS="malloc_context_size=0:quarantine_size_mb=32:${ASAN_OPTIONS-}"
failed=0
for target in $targets; do
    rm -rf "$work/seeds"
    seeds_of "$target"
    mkdir -p "$corpus/$target"
    answer=0
    # What a limit left behind is no leak (fuzz_language.c).
    # shellcheck disable=SC2046 # words are meant
    "$build/tests/fuzz/fuzz_$target" -max_total_time=$((minutes * 60 / count)) \
        $(options_of "$target") -dict="$work/words" -timeout=1200 -rss_limit_mb=4000 \
        -detect_leaks=0 -close_fd_mask=1 -print_final_stats=1 \
        -artifact_prefix="$build/findings/$target-" "$corpus/$target" "$work/seeds" \
        >"$work/log" 2>&1 || answer=$?
    # A target that did not get beyond its seeds has looked for nothing.
    awk -v name="$target" -v seeds="$(find "$work/seeds" -type f | wc -l)" '
        /^stat::number_of_executed_units/ { runs = $2 }
        match($0, / cov: [0-9]+/) { edges = substr($0, RSTART + 6, RLENGTH - 6) }
        END {
            printf "fuzz %-9s %8d runs after %d seeds, %6d edges\n",
                name, runs - seeds, seeds, edges
            exit runs <= seeds
        }' "$work/log" || [ $answer -ne 0 ] || answer=1
    if [ $answer -ne 0 ]; then
        grep -avE '	(NEW|REDUCE|pulse|RELOAD) ' "$work/log" | tail -n 60
        failed=1
    fi
done
exit $failed
