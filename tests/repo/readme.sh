#!/bin/sh
# SPDX-License-Identifier: MIT
# readme.sh PROGRAM: outputs and files that README.md and other pages show exist.
#
# Each block after "<!-- output: ARGUMENTS -->" is compared with the output of the program, and
# each link to a file of the tree must lead somewhere. readme_files.sh checks tables of files.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here/../.."
failed=0
blocks=0

# The pages of the tree, not of its builds.
find . -name 'build*' -prune -o -name .git -prune -o -name node_modules -prune -o \
    -name '*.md' -print | LC_ALL=C sort |
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
done <"$work/pages"

[ "$blocks" -gt 0 ] || failed=1
echo "$blocks blocks of output compared"
exit "$failed"
