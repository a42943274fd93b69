#!/bin/sh
# SPDX-License-Identifier: MIT
# coverage.sh: how many sides of the conditions of each folder do the tests take?
#
#     tests/coverage.sh [--measured] [--open FOLDER]
#
# Builds with clang's coverage in build-coverage/, runs the tests there (not the long ones, those of
# the page and those of the tree itself), and prints a table by folder. A condition has two sides,
# true and false; those inside CHECK are left out, since their failing side cannot be reached by
# promise. Fails when a test fails or a folder is below its number in tests/coverage/limits. --open
# also prints the sides in a folder (or below it) that no test takes; with --measured no test runs
# and the last run is read again.
#
# Wants clang and llvm (llvm-cov, llvm-profdata) of the same version.
set -eu
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/.."
build=build-coverage
profiles=$PWD/$build/profiles
measured=no
open=
while [ $# -gt 0 ]; do
    case $1 in
    --measured) measured=yes && shift ;;
    --open) open=${2:?"a folder, as vidmm/submit"} && shift 2 ;;
    *) sed -n 's/^#  *\(tests\/coverage.sh\)/usage: \1/p' "$0" && exit 2 ;;
    esac
done
for tool in clang llvm-cov llvm-profdata; do
    command -v $tool >/dev/null && continue
    echo "coverage: $tool is missing: ./setup packages clang llvm libclang-rt-dev"
    exit 1
done

if [ $measured = no ]; then
    # The counters of a program lie in its file while it runs: a process that is killed, or that may
    # write no file, is counted like any other. Processes share a file, and many sides are counted
    # as a difference: one count that is lost, and a side seems never to be taken.
    cmake -G Ninja -S . -B $build -DBUILD_TESTING=ON -DCMAKE_C_COMPILER=clang \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE='-O2 -g1' \
        -DCMAKE_EXE_LINKER_FLAGS=-Wno-unused-command-line-argument -DCMAKE_C_FLAGS="$(
            echo -fprofile-instr-generate -fcoverage-mapping -fprofile-update=atomic \
                -mllvm -runtime-counter-relocation)"
    cmake --build $build
    rm -rf "$profiles"
    mkdir "$profiles"
    # Each program adds to one of four files of its own.
    LLVM_PROFILE_FILE=$profiles/%c%4m.profraw ctest --test-dir $build --output-on-failure \
        -j "$(nproc)" -LE 'long|page|tree'
    llvm-profdata merge -o $build/profile "$profiles"/*.profraw
fi

# Every program of the build: what the tests of a folder link is not always in vidmm itself.
find $build/tests -type f -perm -u+x ! -name '*.so' ! -path '*CMakeFiles*' -exec echo -object {} + |
    xargs llvm-cov export -format=text -instr-profile=$build/profile $build/bin/vidmm \
        2>$build/export.log |
    awk -f tests/coverage/branches.awk | sort >$build/sides || { cat $build/export.log && exit 1; }
[ -s $build/sides ] || { cat $build/export.log && exit 1; }
[ -z "$open" ] || awk -v folder="$open" '$6 == 0 && index($1 "/", folder "/") == 1 {
    print $2 ":" $3 ":" $4 ": never " $5 }' $build/sides | sort -t: -k1,1 -k2,2n -k3,3n
awk -v limits=tests/coverage/limits -f tests/coverage/judge.awk $build/sides
