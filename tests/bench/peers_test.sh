#!/bin/sh
# SPDX-License-Identifier: MIT
# peers_test.sh BUILD: is the table of peers.sh whole, with vidmm itself as the peer?
set -eu
here=$(cd "$(dirname "$0")" && pwd)
table=$("$here/peers.sh" --turns=1 --operations=2000 --workloads='small:100 end:100' \
    --program="$1/tests/bench/replay_vidmm" "$1")
echo "$table"
echo "$table" | awk '
    NR == 1 { good = $0 ~ /^ranges +vidmm, ns +yours$/ }
    NR > 1 { good = good && $1 ~ /^(small|end):100$/ && $2 > 0 && $3 ~ /^[0-9.]+=$/ }
    END { exit !(good && NR == 3) }'
