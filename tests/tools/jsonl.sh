#!/bin/sh
# SPDX-License-Identifier: MIT
# jsonl.sh PROGRAM: does tools/jsonl.md describe JSON lines as they are?
set -u
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd)
vidmm=$1
cd "$here/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Lines that no lesson has: everything that can be shown, and every failure.
cat >"$work/show.vms" <<'END'
vidmm-scenario 1
include "discrete.vms"
create a size=1M segments=visible
submit f write=a
show alloc a
show queue
show memory
show map visible
show state a
show state adapter
show counters
show counters evictions,bytes_filled
expect a in system
create b size=1M segments=visible -> fails
END
cat >"$work/link.vms" <<'END'
vidmm-scenario 1
link adapters=2
segment vram id=1 kind=memory size=64M
create a size=1M segments=vram flags=LinkMirrored
show alloc a
END
cat >"$work/stop.vms" <<'END'
vidmm-scenario 1
include "discrete.vms"
limit ops=2
create a size=1M segments=visible
create b size=1M segments=visible
create c size=1M segments=visible
END
cat >"$work/bugcheck.vms" <<'END'
vidmm-scenario 1
segment vram id=1 kind=memory size=64M
miniport mock patch-status=STATUS_UNSUCCESSFUL
create a size=1M segments=vram
submit f read=a
END
printf 'vidmm-scenario 1\ncreat a\n' >"$work/typo.vms"
cp scenarios/adapters/discrete.vms "$work"

"$vidmm" run --format=jsonl "$work"/*.vms "$work/nowhere.vms" scenarios/lessons/*.vms \
    scenarios/drivers/*.vms scenarios/examples/*.vms scenarios/rules/RENAME-0*.vms \
    scenarios/rules/BUG-0*.vms scenarios/rules/ALLOC-052.vms >"$work/lines" 2>/dev/null
# Questions, of an exercise too.
cat >"$work/ask" <<'END'
vidmm-scenario 1
exercise "x"
param size = rand(1M..4M,step=1M)
segment vram id=1 kind=memory size=64M
create a size=$size segments=vram
ask "How many?" = 3 by PLACE-006 hint "more than 2"
ask "And how many?" = size(a)
END
printf '2\nwhat\n3\n' | "$vidmm" quiz --format=jsonl "$work/ask" >>"$work/lines"
"$vidmm" run --format=jsonl "$work/ask" >>"$work/lines"
"$vidmm" events --format=jsonl >"$work/events"
awk -f "$here/jsonl.awk" tools/jsonl.md "$work/events" "$work/lines" || exit 1
echo "$(wc -l <"$work/lines") lines"
