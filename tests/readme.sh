#!/bin/sh
# SPDX-License-Identifier: MIT
# readme.sh PROGRAM: what README.md and its neighbours show and name is there.
#
# Each block behind "<!-- output: ARGUMENTS -->" is compared with what the program prints; each link
# to a file of the tree must lead somewhere; and where a table says "FILE: `name`", the file must
# have that name.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here/.."
failed=0
blocks=0
named=0

# The pages of the tree, not of its builds.
find . -name 'build*' -prune -o -name .git -prune -o -name '*.md' -print | LC_ALL=C sort |
    grep -v '^./vidmm/rules/' >"$work/pages"

while IFS= read -r page; do
    awk -f "$here/readme.awk" -v page="$page" -v list=1 </dev/null >"$work/arguments"
    number=0
    while IFS= read -r arguments; do
        number=$((number + 1))
        blocks=$((blocks + 1))
        # shellcheck disable=SC2086 # words are meant
        "$program" $arguments >"$work/output" 2>&1 </dev/null || true
        awk -f "$here/readme.awk" -v page="$page" -v block="$number" "$work/output" || failed=1
    done <"$work/arguments"

    folder=$(dirname "$page")
    # The targets of links to files.
    grep -oE '\]\([^)#: ]+\)' "$page" | sed 's/^](//; s/)$//' >"$work/links" || true
    while IFS= read -r link; do
        [ -e "$folder/$link" ] && continue
        echo "$page: there is no $link"
        failed=1
    done <"$work/links"

    # "path/file.c: `name`, `name`" becomes one line "path/file.c name" for each name.
    # shellcheck disable=SC2016 # the backquotes are those of the page
    grep -oE '[a-z]+/[a-z_/0-9]+\.c: `[a-z_0-9]+`(, `[a-z_0-9]+`)*' "$page" |
        sed 's/[:,`]//g' | awk '{ for (i = 2; i <= NF; i++) print $1, $i }' >"$work/names" || true
    while read -r file name; do
        if [ ! -f "$file" ] || ! grep -qwF "$name" "$file"; then
            echo "$page: $file has no $name"
            failed=1
        fi
    done <"$work/names"
    named=$((named + $(wc -l <"$work/names")))
done <"$work/pages"

[ "$blocks" -gt 0 ] && [ "$named" -gt 0 ] || failed=1
echo "$blocks blocks of output compared, $named names looked up"
exit "$failed"
