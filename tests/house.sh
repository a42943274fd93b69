#!/bin/sh
# SPDX-License-Identifier: MIT
# house.sh: are calls, includes and structs as the floors of the house want them?
#
#     tests/house.sh [--root DIR] [--limits] BUILD
#
# BUILD is the folder of a release build: the calls of a file are read from its object there.
# tests/house/floors has the order of the floors, tests/house/structs the owners of structs,
# tests/house/hooks the tables of functions that lead upwards, and tests/house/limits the largest
# numbers allowed. A finding is "file:line: [word] what is wrong", one is enough to fail; the .awk
# file that has a word explains it. --limits prints the limits as this tree needs them.
# tests/house/canary.sh shows that each check can fail.
set -eu
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
want=
while :; do
    case ${1-} in
    --root) root=$(cd "$2" && pwd) && shift 2 ;;
    --limits) want=limits && shift ;;
    *) break ;;
    esac
done
build=$(cd "${1:?"the folder of a build"}" && pwd)
cd "$root"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Other flags keep other calls: unused branches, checks of every step, those of sanitizers.
other='^(CMAKE_BUILD_TYPE:.*=Debug|VIDMM_(PARANOID|SANITIZE):.*=ON)'
if grep -qE "$other" "$build/CMakeCache.txt"; then
    echo "skipped: only the objects of a release build are looked at"
    exit 77
fi

# As the build names this tree.
home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:.*=//p' "$build/CMakeCache.txt")
# Object, source and library of each file of the house; objects of older builds are not among them.
awk -v root="$home/" -F'"' '
    $2 == "directory" { folder = $4 }
    $2 == "command" {
        object = $0
        sub(/.* -o /, "", object)
        sub(/ .*/, "", object)
        library = object
        sub(/.*CMakeFiles\//, "", library)
        sub(/\.dir\/.*/, "", library)
    }
    $2 == "file" && index($4, root) == 1 {
        source = substr($4, length(root) + 1)
        if (source ~ /^(segments|paging|vidmm|scenarios|tools)\// && library != "rules_generate")
            print folder "/" object, source, library
    }' "$build/compile_commands.json" >"$work/objects"
[ -s "$work/objects" ] || { echo "$build/compile_commands.json names no file of $home" && exit 1; }
cut -d' ' -f1 "$work/objects" | xargs nm -A -P -g >"$work/symbols"

find segments paging vidmm scenarios tools -name '*.[ch]' | sort >"$work/files"
grep '\.h$' "$work/files" >"$work/headers"
: >"$work/shared"

awk -f "$here/house/lists.awk" -f "$here/house/graph.awk" -v objects="$work/objects" \
    "$work/symbols" >"$work/said"
awk -v list="$work/headers" -v shared="$work/shared" -f "$here/house/lists.awk" \
    -f "$here/house/headers.awk" >>"$work/said"
awk -v list="$work/files" -v shared="$work/shared" -f "$here/house/lists.awk" \
    -f "$here/house/sources.awk" >>"$work/said"
if [ "$want" = limits ]; then
    sed -n '/^#/p; /^moving/p; /^[a-z-]*  *\* /p' tests/house/limits
    awk -v want=limits -f "$here/house/judge.awk" "$work/said" | sort
else
    awk -f "$here/house/judge.awk" "$work/said"
fi
