#!/bin/sh
# SPDX-License-Identifier: MIT
# valgrind.sh PROGRAM: lessons, worked examples and hostile texts under valgrind: no error, no leak.
set -eu
program=$(realpath "$1")
cd "$(dirname "$0")/../.."
failed=0
count=0
for scenario in scenarios/lessons/*.vms scenarios/examples/*.vms tests/fuzz/corpus/*.vms; do
    count=$((count + 1))
    status=0
    valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=all \
        "$program" run -q "$scenario" </dev/null >/dev/null 2>valgrind.log || status=$?
    if [ "$status" -eq 99 ]; then
        echo "$scenario:"
        cat valgrind.log
        failed=$((failed + 1))
    fi
done
rm -f valgrind.log
echo "valgrind: $count scenarios, $failed with errors"
[ "$failed" -eq 0 ]
