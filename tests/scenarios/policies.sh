#!/bin/sh
# SPDX-License-Identifier: MIT
# policies.sh VIDMM [EVERY]: the scenarios of the tree under each eviction policy. What they expect
# of the documented order may fail; the run itself may not: no broken invariant, no crash, and no
# policy that breaks its word (POLICY-011). EVERY=N takes each Nth pair of a file and a policy only.
vidmm=$1 every=${2:-1} number=0 ran=0 failed=0
cd "$(dirname "$0")/../.." || exit 1
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
for file in scenarios/rules/*.vms scenarios/policy/*.vms scenarios/drivers/*.vms; do
    for policy in fifo lru clock gds sieve s3-fifo arc largest random belady; do
        number=$((number + 1))
        [ $((number % every)) -eq 0 ] || continue
        # The policy of this file is its subject, or it runs for seconds.
        case $file in */churn.vms) continue ;; esac
        ran=$((ran + 1))
        "$vidmm" run --quiet --set=eviction=$policy "$file" >"$out" 2>&1
        code=$?
        case $code in 0 | 1 | 3 | 5) ;; *) code=failed ;; esac
        if [ $code = failed ] || grep -q -e POLICY-011 -e 'broken promise' "$out"; then
            echo "failed: $file under $policy"
            tail -n 3 "$out"
            failed=$((failed + 1))
        fi
    done
done
echo "$((ran - failed)) passed, $failed failed"
[ $failed -eq 0 ] && [ $ran -gt 0 ]
