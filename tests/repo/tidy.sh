#!/bin/sh
# SPDX-License-Identifier: MIT
# tidy.sh: the repository's own rules, those that a machine can check.
#
#     tests/repo/tidy.sh [--root DIR] [CHECK...]
#
# Checks: code (layers, sizes, banned calls), text (licence lines, unfinished work, listed sources),
# rules (rule ids that exist), heads (lists of rules that would go stale), seeds (the sentences of
# the first pages, and members of structures, have their rules), coverage (every rule of the scope
# is proved by a scenario). Without a name all but coverage run. A finding is
# "file:line: [word] what is wrong"; one is enough to fail. The .awk file that prints a word of a
# finding explains it. tests/repo/tidy/canary.sh shows that each of them can fail.
set -eu
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
if [ "${1-}" = --root ]; then
    root=$(cd "$2" && pwd)
    shift 2
fi
[ $# -gt 0 ] || set -- code text rules heads seeds
cd "$root"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Files that git knows or would add; outside of git, all files. Never the builds.
if [ -e .git ] && command -v git >/dev/null; then
    git ls-files -co --exclude-standard
else
    find . -type d \( -name .git -o -name 'build*' \) -prune -o -type f -print | sed 's|^\./||'
fi | sort -u >"$work/known"
# A file that is deleted but not yet committed is known to git and yet not there.
while IFS= read -r file; do
    [ -f "$file" ] && printf '%s\n' "$file"
done <"$work/known" >"$work/all" || true
grep -E '^(segments|paging|vidmm|scenarios|tools|tests)/.*\.[ch]$' "$work/all" >"$work/code" || true

failed=0
for check in "$@"; do
    case $check in
    code) awk -v list="$work/code" -f "$here/tidy/code.awk" || failed=1 ;;
    seeds) awk -v list="$work/all" -f "$here/tidy/seeds.awk" || failed=1 ;;
    heads) awk -v list="$work/all" -f "$here/tidy/heads.awk" || failed=1 ;;
    text) awk -v list="$work/all" -f "$here/tidy/text.awk" || failed=1 ;;
    rules | coverage)
        awk -v list="$work/all" -v check="$check" -f "$here/tidy/rules.awk" || failed=1
        ;;
    *)
        echo "tidy.sh: no check is named '$check'" >&2
        exit 2
        ;;
    esac
done
exit "$failed"
