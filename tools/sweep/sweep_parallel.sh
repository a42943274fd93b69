#!/bin/sh
# SPDX-License-Identifier: MIT
# sweep_parallel.sh: a sweep on several machines, with GNU parallel over ssh.
#
#     sweep_parallel.sh PLAN HOST,HOST,... [FOLDER [SHARDS]]
#
# Each machine needs vidmm in its path (or VIDMM=/path/to/it), and this folder under the same name
# with the plan and its files: a shared file system, or a copy. ssh must ask no questions; names of
# hosts may be aliases of an ssh configuration: PARALLEL_SSH='ssh -F FILE'.
#
# Results come back over ssh into FOLDER (default: results), a file for each shard. Call it again
# after whatever went wrong: shards that are done stay, the others run again. When all are there,
# they are merged into FOLDER/all.jsonl.
set -eu

plan=$1
hosts=$2
folder=${3:-results}
shards=${4:-64}
vidmm=${VIDMM:-vidmm}
mkdir -p "$folder"

# A word as the shell of another machine reads it.
quote() {
    printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}

# One shard at a time on each machine: it uses all processors. Exit code 1 says that runs did not
# pass, which is a result; anything else is a shard that has to run again, elsewhere if it can.
status=0
program=$(quote "$vidmm")
parallel --sshlogin "$hosts" --jobs 1 --workdir "$PWD" --joblog "$folder/log" --resume-failed \
    --results "$folder/shard{}" --retries "${RETRIES:-3}" \
    "$program sweep --shard={}/$shards $(quote "$plan"); [ \$? -le 1 ]" \
    ::: $(seq 0 $((shards - 1))) >/dev/null || status=$?
if [ "$status" -ne 0 ]; then
    echo "sweep_parallel.sh: $status shards are not done: see $folder/log, and call it again" >&2
    exit 1
fi
set --
for shard in $(seq 0 $((shards - 1))); do
    set -- "$@" "$folder/shard$shard"
done
code=0
"$vidmm" sweep --merge "$plan" "$@" >"$folder/all.tmp" || code=$?
[ "$code" -le 1 ] && [ -s "$folder/all.tmp" ] || exit "$code"
mv "$folder/all.tmp" "$folder/all.jsonl"
