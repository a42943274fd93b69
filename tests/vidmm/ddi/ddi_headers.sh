#!/bin/sh
# SPDX-License-Identifier: MIT
# ddi_headers.sh: every header of vidmm/ddi stands alone, in any order, in C and in C++.
#
#     tests/vidmm/ddi/ddi_headers.sh [ROOT]
#
# Each C and C++ compiler that is installed (gcc, clang, g++, clang++) reads every header by itself,
# all in order and all in reverse, with the dialect of vidmm::ddi; C compilers also in the house
# dialect. Then a small driver is compiled, and one that must not compile. Without a compiler of
# each language the rest is checked, and the test counts as skipped.
set -eu
LC_ALL=C
export LC_ALL

root=$(cd "${1:-$(dirname "$0")/../../..}" && pwd)
driver=$root/tests/vidmm/ddi/ddi_dialect.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

warnings='-Wall -Wextra -Wconversion -Wshadow -Werror'
house="-std=c17 -Wpedantic -Wstrict-prototypes -Wmissing-prototypes -I$root"
dialect="-fms-extensions -fshort-wchar -Wno-multichar -I$root/vidmm/ddi"
failed=0

# Compiles the file $1 without output; the rest is the command.
try() {
    file=$1
    shift
    if ! "$@" -fsyntax-only "$file" 2>"$work/messages"; then
        echo "ddi_headers.sh: $* on $(basename "$file"):"
        head -20 "$work/messages"
        failed=1
    fi
}

# One source for each header, with a declaration so that it is never empty.
include_all() {
    for name in "$@"; do printf '#include "%s%s"\n' "$prefix" "$name"; done
    echo 'extern int nothing;'
}

set -- $(cd "$root/vidmm/ddi" && ls *.h)
reversed=
for name in "$@"; do reversed="$name $reversed"; done

for place in house dialect; do
    prefix=
    [ "$place" = dialect ] || prefix=vidmm/ddi/
    mkdir "$work/$place"
    for name in "$@"; do include_all "$name" >"$work/$place/alone-${name%.h}.inc"; done
    include_all "$@" >"$work/$place/in-order.inc"
    include_all $reversed >"$work/$place/reversed.inc"
done

# A driver may have these names for something of its own: <stdint.h> is none of the headers.
own_names() {
    for bits in 8 16 32 64; do
        printf 'typedef struct { char c; } int%s_t, uint%s_t;\n' $bits $bits
    done
    echo 'typedef struct { char c; } intptr_t, uintptr_t, intmax_t, uintmax_t;'
    echo '#ifdef UINT64_MAX'
    echo '#error UINT64_MAX comes from a header of the interface'
    echo '#endif'
}
prefix=
own_names >"$work/dialect/own-names.inc"
include_all $(cd "$root/vidmm/ddi" && ls *.h) >>"$work/dialect/own-names.inc"

c=0
cxx=0
for compiler in gcc clang g++ clang++; do
    command -v "$compiler" >/dev/null || continue
    case $compiler in
    *++) language=c++ cxx=$((cxx + 1)) any_cxx=$compiler ;;
    *) language=c c=$((c + 1)) ;;
    esac
    for file in "$work"/dialect/*.inc; do
        try "$file" "$compiler" $warnings $dialect -x $language
    done
    try "$driver" "$compiler" $warnings $dialect -iquote "$root" -x $language
    if [ $language = c ]; then
        for file in "$work"/house/*.inc; do
            try "$file" "$compiler" $warnings $house -x c
        done
    fi
done

if [ $c -eq 0 ] || [ $cxx -eq 0 ]; then
    [ $failed -eq 0 ] || exit 1
    echo "skipped: needs a C and a C++ compiler (gcc, g++, clang, clang++), found $c and $cxx"
    exit 77
fi

# The flags matter: without them the same driver must be refused.
if "$any_cxx" -I"$root/vidmm/ddi" -iquote "$root" -fsyntax-only -x c++ \
    "$driver" 2>/dev/null; then
    echo "ddi_headers.sh: the driver compiles without its dialect, so the check proves nothing"
    failed=1
fi
exit $failed
