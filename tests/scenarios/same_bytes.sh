#!/bin/sh
# SPDX-License-Identifier: MIT
# same_bytes.sh PROGRAM PROGRAM...: do programs built by different compilers and with different
# optimisation print the same bytes for every scenario? The others are compared with the
# first one. The one scenario with gigabytes of events is omitted.
#
# A program lies in BUILD/bin, and BUILD/compile_commands.json says how it was compiled: that is
# printed, and two programs that were compiled alike prove nothing and fail.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The whole output of a program for one scenario: the story, the events, the exit code.
tell() {
    status=0
    "$1" run --color=never --width=100 --why --calls "$2" 2>&1 || status=$?
    "$1" run --format=jsonl "$2" 2>&1 || status=$?
    echo "exit $status"
}

# The compiler and its flags for optimisation and sanitizers, of the file with main().
compiled() {
    # A definition may hold quotes, so the command is not the text between the next two.
    awk '
        /^ *"command": / && / [^ ]*tools\/main\.c"/ {
            sub(/^ *"command": "/, "")
            count = split($0, word, " ")
            said = word[1]
            for (i = 2; i <= count; i++)
                if (word[i] ~ /^-(O|fsanitize=)/)
                    said = said " " word[i]
            print said
            exit
        }' "$(dirname "$1")/../compile_commands.json"
}

cd "$root"
count=0
different=0
for program in "$@"; do
    flags=$(compiled "$program")
    echo "$program: ${flags:?no command for tools/main.c}"
    # -O0 is the default of a compiler.
    case $flags in *' -O'*) ;; *) flags="$flags -O0" ;; esac
    printf '%s\n' "$flags" >>"$work/flags"
done
if [ -n "$(sort "$work/flags" | uniq -d)" ]; then
    echo "compiled alike, so nothing is compared: $(sort "$work/flags" | uniq -d)"
    exit 1
fi
every=$(find scenarios -name '*.vms' ! -name churn.vms ! -name 'vidmm-repro-*' | LC_ALL=C sort)
for scenario in $every; do
    count=$((count + 1))
    tell "$1" "$scenario" >"$work/first"
    for program in "$@"; do
        [ "$program" = "$1" ] && continue
        tell "$program" "$scenario" >"$work/other"
        if ! cmp -s "$work/first" "$work/other"; then
            echo "$scenario: $program does not say what $1 says:"
            diff "$work/first" "$work/other" | head -n 10 || true
            different=$((different + 1))
        fi
    done
done
echo "$count scenarios, $# programs, $different differences"
[ "$different" -eq 0 ]
