# SPDX-License-Identifier: MIT
# canary_lib.sh, read by the scripts that show that a check of the tree can fail: they plant one
# breach at a time in a small tree that passes. The caller defines `look`, which checks $tree.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
tree=$work/tree
clean=$work/clean
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
checked=0
failed=0
: >"$work/words"

clean_tree() {
    rm -rf "$tree"
    cp -R "$clean" "$tree"
}

# The findings of a run must be exactly the given ones, each "file:line: [word]".
expect() {
    checked=$((checked + 1))
    status=0
    look >"$work/said" 2>&1 || status=$?
    sed 's/\].*/]/' "$work/said" | sort >"$work/found"
    : >"$work/wanted"
    [ $# -eq 0 ] || printf '%s\n' "$@" | sort >"$work/wanted"
    wanted_status=$(($# > 0))
    if ! cmp -s "$work/wanted" "$work/found" || [ "$status" -ne "$wanted_status" ]; then
        failed=$((failed + 1))
        echo "expected (exit $wanted_status): $*"
        echo "got (exit $status):"
        cat "$work/said"
    fi
    sed -n 's/.*\[\(.*\)\]/\1/p' "$work/wanted" >>"$work/words"
    clean_tree
}

lines() {
    awk -v count="$1" -v text="$2" 'BEGIN { for (i = 0; i < count; i++) print text }'
}

# The words that the checks can print, from standard input: each was planted at least once.
all_planted() {
    sort -u >"$work/printed"
    sort -u "$work/words" >"$work/planted"
    if ! cmp -s "$work/printed" "$work/planted"; then
        echo "printed by the checks (<) but never planted, or the reverse (>):"
        diff "$work/printed" "$work/planted" || failed=$((failed + 1))
    fi
    echo "$checked trees, $failed failed"
    [ "$failed" -eq 0 ]
}
