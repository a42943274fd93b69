#!/bin/sh
# SPDX-License-Identifier: MIT
# sweep_slurm.sh: a sweep as a Slurm array, a shard for each task.
#
#     sbatch --array=0-63 sweep_slurm.sh PLAN [FOLDER]
#     vidmm sweep --merge PLAN FOLDER/*.jsonl >all.jsonl    (afterwards)
#
# vidmm is in the path of the nodes (or VIDMM=/path/to/it), plan and files are on a shared file
# system. Tasks that were killed or ran out of time: submit the same array again, or only those
# (--array=7,31), with the size of the whole array as SHARDS=64. They go on where they stopped, for
# each shard has a file of its own in FOLDER (default: results).
#SBATCH --job-name=vidmm-sweep
#SBATCH --ntasks=1
#SBATCH --time=24:00:00
set -eu

plan=$1
folder=${2:-results}
vidmm=${VIDMM:-vidmm}
shard=$SLURM_ARRAY_TASK_ID
shards=${SHARDS:-$SLURM_ARRAY_TASK_COUNT}
mkdir -p "$folder"

# Exit code 1 says that runs did not pass: that is a result, and no failure of the task.
status=0
"$vidmm" sweep --jobs="${SLURM_CPUS_PER_TASK:-1}" --shard="$shard/$shards" \
    --output="$folder/$shard.jsonl" "$plan" || status=$?
[ "$status" -le 1 ]
