#!/bin/sh
# SPDX-License-Identifier: MIT
# readme_canary.sh: shows that tests/repo/readme_files.sh can fail.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

mkdir -p "$tree/vidmm/room" "$tree/paging"
printf 'int first(int a)\n{\n    return second(a);\n}\n' >"$tree/vidmm/a.c"
printf 'int second(int a);\nint second(int a)\n{\n    return a;\n}\n' >"$tree/vidmm/mock_b.c"
printf 'int third(void)\n{\n    return 3;\n}\n' >"$tree/paging/c.c"
printf '| c.c | When? |\n' >"$tree/paging/README.md"

# The page of vidmm/, and the finding that it must cause; without the second all is well.
expect() {
    printf "$1" >"$tree/vidmm/README.md"
    status=0
    said=$("$here/readme_files.sh" "$tree") || status=$?
    wanted_status=$([ -z "$2" ] && echo 0 || echo 1)
    if [ "$status" -ne "$wanted_status" ] || [ "$(echo "$said" | sed '$d')" != "$2" ]; then
        echo "expected (exit $wanted_status): $2"
        echo "got (exit $status): $said"
        failed=1
    fi
}

rows='| a.c, mock_*.c | vidmm/a.c: `first`, mock_b.c: `second` |\n'
expect "$rows" ''
expect '| a.c | vidmm/a.c: `first` |\n' 'vidmm/README.md: no row of a table has vidmm/mock_b.c'
expect 'mock_*.c\n| a.c | vidmm/a.c: `first` |\n' \
    'vidmm/README.md: no row of a table has vidmm/mock_b.c'
expect "$rows"'vidmm/a.c: `first`, `second`\n' './vidmm/README.md: vidmm/a.c has no function second'
expect "$rows"'vidmm/a.c: `first`, mock_b.c: `first`\n' \
    './vidmm/README.md: vidmm/mock_b.c has no function first'
expect "$rows"'vidmm/gone.c: `first`\n' './vidmm/README.md: vidmm/gone.c has no function first'
: >"$tree/vidmm/room/mock_c.c"
expect "$rows" 'vidmm/room has no README.md
vidmm/README.md: no row of a table has vidmm/room/mock_c.c'
exit "$failed"
