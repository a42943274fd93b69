#!/bin/sh
# SPDX-License-Identifier: MIT
# later.sh PROGRAM: what holds since an interface version holds in the next one, too. The scenarios
# of the rules that say a version hold for a driver of the next, but for those of what came with it.
set -eu
LC_ALL=C
export LC_ALL
program=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

complain() {
    echo "later.sh: $*"
    failed=1
}

# FROM TO NEW...: NEW are the scenarios that show what TO is the first to have.
later() {
    from=$1 to=$2
    shift 2
    rm -rf "$work/rules"
    mkdir "$work/rules"
    grep -l "wddm=$from\b" "$root"/scenarios/rules/*.vms | xargs cp -t "$work/rules"
    cd "$work/rules"
    sed -i "s/wddm=$from\b/wddm=$to/" ./*.vms
    for name in "$@"; do
        "$program" run --quiet --check "$name.vms" >../out 2>&1 &&
            complain "$name holds in $to as in $from: take it out of the list"
        rm "$name.vms"
    done
    "$program" run --quiet --check ./*.vms >../out 2>&1 ||
        complain "from $from to $to: $(grep -A1 ': failed: ' ../out)"
}

later 1.2 1.3 ALLOC-048 FLAG-003 KMT-001 KMT-022
later 2.0 2.1 ALLOC-045 FLAG-003 FLAG-058 MINI-087 OFFER-019
later 2.3 2.4 TDR-045
[ $failed -eq 0 ]
