#!/bin/sh
# SPDX-License-Identifier: MIT
# calls.sh: each function of the public headers is called by the target that calls the API at random
# (life_*.c), so that a new one is tried, too.
#
#     tests/fuzz/calls.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The headers' own code and comments: functions for policies are called by those.
for header in "$here"/../../vidmm/vidmm*.h; do
    awk '/\/\*/ { comment = 1 }
         !comment && !/^static inline/ && !/^ / { print }
         /\*\// { comment = 0 }' "$header"
done | grep -oE '\bvidmm_[a-z0-9_]+\(' | tr -d '(' | sort -u >"$work/public"
cat "$here"/fuzz_driver.c "$here"/life*.c "$here"/../support/mock_adapter.c |
    grep -oE '\bvidmm_[a-z0-9_]+\(' | tr -d '(' | sort -u >"$work/called"
[ "$(wc -l <"$work/public")" -gt 100 ] || { echo 'the headers have no functions' && exit 1; }
comm -23 "$work/public" "$work/called" >"$work/missing"
sed 's/$/: public, and called by no life_*.c/' "$work/missing"
for input in "$here"/corpus/driver/*; do
    name=$(basename "$input")
    case $name in life-*) continue ;; esac
    grep -qw -- "$name" "$here/CMakeLists.txt" ||
        echo "corpus/driver/$name: fed by no test" | tee -a "$work/missing"
done
[ ! -s "$work/missing" ]
