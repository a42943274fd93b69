#!/bin/sh
# SPDX-License-Identifier: MIT
# later.sh PROGRAM: what holds since an interface version holds in later ones, too. The scenarios of
# the rules that say a version hold for a driver of a later one, but for those of what came since.
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

# FROM TO NEW...: NEW are the scenarios that show what came after FROM, up to TO.
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

# With 1.2 came the reset of one engine, offers, another query for the segments, and a preemption.
later 1.1 1.3 ALLOC-043 ALLOC-052 BUG-004 BUG-050 KMT-001 MINI-002 MINI-008 MINI-017 MINI-021 \
    MINI-023 MINI-025 MINI-057 MINI-087 OFFER-002 OFFER-004 SEG-001 SEG-002 SEG-004 SEG-015 \
    SEG-016 SEG-033 SEG-044 SEG-049 SEG-051 SEG-053 SUBMIT-037-drivers SUBMIT-051 SUBMIT-058 \
    SUBMIT-059-keeps SUBMIT-061 SWIZ-024 TDR-001 TDR-002 TDR-003 TDR-004 TDR-005 TDR-006 TDR-007 \
    TDR-010 TDR-020 TDR-021 TDR-023 TDR-025-short TDR-027-permanent TDR-028 TDR-031-hang TDR-031 \
    TDR-032 TDR-036 TIME-003
later 1.2 1.3 ALLOC-048 FLAG-003 KMT-001 KMT-022
later 2.0 3.2 ALLOC-045 FLAG-003 FLAG-051 FLAG-058 KMT-001 KMT-031 MINI-087 OFFER-019
later 2.1 3.2 ALLOC-035 FLAG-003
later 2.3 3.2 KMT-001 TDR-045
[ $failed -eq 0 ]
