#!/bin/sh
# SPDX-License-Identifier: MIT
# sites.sh SITES: the mistakes that mutate_sites makes in example.c are those of example.txt, and
# each of them is made where it was listed.
set -eu
LC_ALL=C
export LC_ALL
sites=$(realpath "$1")
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$sites" list 1 example.c >"$work/list"
sed 1d example.txt >"$work/expected"
cut -f 4- "$work/list" | diff "$work/expected" -
"$sites" make example.c 0 | diff example.c -
# shellcheck disable=SC2034 # the columns of a row
while IFS="$(printf '\t')" read -r order file number line operator before after; do
    lines=$("$sites" make example.c "$number" | diff example.c - | grep -c '^<' || true)
    if [ "$lines" -lt 1 ] || [ "$lines" -gt 2 ]; then
        echo "example.c:$line: $operator changes $lines lines"
        exit 1
    fi
done <"$work/list"

# Another seed is another order, of the same mistakes.
"$sites" list 2 example.c | sort >"$work/other"
[ "$(sort "$work/list" | cut -f 3)" != "$(cut -f 3 "$work/other")" ]
[ "$(sort "$work/list" | cut -f 3 | sort)" = "$(cut -f 3 "$work/other" | sort)" ]
