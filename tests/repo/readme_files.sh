#!/bin/sh
# SPDX-License-Identifier: MIT
# readme_files.sh [ROOT]: checks the statements of the pages about files of the tree.
#
# Each folder of the product has a page, and each .c file is in a table of it: by its name, or by a
# pattern (mock_*.c), which stays in one folder. And where a page says "FILE.c: `name`", that file
# must define a function of this name.
set -eu
cd "${1:-.}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# Folder and page: every file of the folder needs a row, except for those that have a nearer page.
find segments paging vidmm scenarios/lang tools -name README.md 2>/dev/null |
    sed 's|\(.*\)/README.md|\1 &|' | LC_ALL=C sort >"$work/folders"
find segments paging vidmm scenarios/lang tools -name '*.c' 2>/dev/null |
    sed 's|/[^/]*$||' | LC_ALL=C sort -u >"$work/rooms"
while IFS= read -r folder; do
    if [ ! -f "$folder/README.md" ]; then
        echo "$folder has no README.md"
        failed=1
    fi
done <"$work/rooms"
while read -r folder page; do
    [ -d "$folder" ] || continue
    grep '^|' "$page" | grep -oE '[a-z0-9_/*]+\.c' | LC_ALL=C sort -u |
        sed 's/\./\\./g; s/\*/[^\/]*/g; s/.*/^&$/' >"$work/patterns"
    grep "^$folder/" "$work/folders" | sed 's| .*|/|; s|^|^|' >"$work/nearer" || true
    find "$folder" -name '*.c' | { grep -vf "$work/nearer" || true; } |
        sed "s|^$folder/||" | LC_ALL=C sort >"$work/files"
    grep -vf "$work/patterns" "$work/files" >"$work/missing" || true
    while IFS= read -r file; do
        echo "$page: no row of a table has $folder/$file"
        failed=1
    done <"$work/missing"
done <"$work/folders"

# "FILE.c: `name`, `name`" becomes "FILE.c name" for each name; a file without a folder is in the
# folder of the last one of its line.
find . -name 'build*' -prune -o -name .git -prune -o -name node_modules -prune -o \
    -name '*.md' -print | LC_ALL=C sort |
    grep -v '^./vidmm/rules/' >"$work/pages"
while IFS= read -r page; do
    awk '{
        folder = ""
        while (match($0, /[a-z][a-z_\/0-9]*\.c: `[a-z_0-9]+`(, `[a-z_0-9]+`)*/)) {
            count = split(substr($0, RSTART, RLENGTH), word, /[:,`]+ ?`?/)
            $0 = substr($0, RSTART + RLENGTH)
            if (match(word[1], /.*\//))
                folder = substr(word[1], 1, RLENGTH)
            else
                word[1] = folder word[1]
            for (i = 2; i <= count; i++)
                if (word[i] != "")
                    print word[1], word[i]
        }
    }' "$page" >>"$work/names"
    while read -r file name; do
        [ -f "$file" ] && awk -v name="$name" '
            # The head of a definition begins at the margin and does not end with a semicolon there.
            /^[a-z]/ && $0 ~ "(^|[ *])" name "(\\(| = \\{)" && $0 !~ /;$/ { found = 1 }
            END { exit !found }' "$file" && continue
        echo "$page: $file has no function $name"
        failed=1
    done <"$work/names"
    cat "$work/names" >>"$work/all"
    : >"$work/names"
done <"$work/pages"

[ -s "$work/all" ] || failed=1
echo "$(wc -l <"$work/all") functions looked up"
exit "$failed"
