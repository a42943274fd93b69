#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_reasons.sh PROGRAM: each sentence that a reason can have, in a scenario that has it: what was
# searched, who leaves first and what is then free, which direction and why, what hangs. And what is
# said of a failure that is like an earlier one.
. "$(dirname "$0")/cli_lib.sh"
scenarios=$here/../../scenarios

# The scenario | a moment of its run, or nothing: all its decisions, one after the other | words.
cat >table <<'END'
examples/example-10||, then the commit limit holds
rules/PAGE-015||the eviction of a needs 3072 pages, and 2031 are free
rules/PAGE-015||what could be evicted for more needs more pages, and 2031 are free
rules/PLACE-019||too much is committed
rules/POLICY-013||The policy belady says who leaves first
policy/offers||, which is offered
policy/priority-bands||, whose priority is lower than that of
rules/LOCK-036||, too small
rules/PLACE-020||are free, enough
rules/PLACE-021||, but it does not lie in there as it has to
examples/link-split||searches were made again, with the same outcome
lessons/03-no-room||was not reached
examples/example-05||(as its preference says)
rules/FLAG-029||(as its preference says, which beats FromEndOfSegment)
examples/example-02||(as FromEndOfSegment says)
examples/example-03||, from
lessons/15-a-hang|preempt|redraw (fence 2) waits for the node. If it still runs when
lessons/15-a-hang|tdr|The node was asked at
examples/sequence-10|tdr|R5 (fence 5) has run on node 0 for 2100000 us, since
rules/OFFER-013-unasked|reclaim m|m was reclaimed: its content is given up, as pDiscarded is NULL
examples/sequence-10|5us|
END
{
    printf 'break %s\n' evict place refuse split
    yes 'run why' | head -n 99 | tr ' ' '\n'
} >commands
while IFS='|' read -r name moment words; do
    what="reasons of $name ($moment)"
    if [ -n "$moment" ]; then
        run 0 explain "$scenarios/$name.vms" --event="$moment"
    else
        "$vidmm" step "$scenarios/$name.vms" <commands >out 2>err
    fi
    # As one line, for a sentence goes on in the next one.
    tr -s '\n ' '  ' <out >line
    has line "$words"
done <table

# ---- what fails again is in the story, in its place --------------------------------------------

write_try <<'END'
segment vram id=1 kind=memory size=32M
create t size=1M segments=vram
always
  expect t in vram at 1M
end
repeat 3
  page-in t -> fails
  expect t in vram
end
END
for options in '' --verbose; do
    # shellcheck disable=SC2086 # words are meant
    run 1 run $options try.vms
    count 2 '        failed  expect t in vram at 1M'
    count 2 '        failed  page-in t -> fails'
    count 3 'ok  expect t in vram'
    lacks out 'ok  expect t in vram at'
done
yes 'to fail' | head -n 6 >commands && step 1 try.vms <commands
count 2 '        failed  expect t in vram at 1M'
count 2 '        failed  page-in t -> fails'
lacks out 'ok  expect t in vram at'

# `always` says after what, in whichever file that stands.
write_try <<'END'
segment vram id=1 kind=memory size=32M
always
  expect live() != 1
end
include "other.inc"
END
printf 'vidmm-scenario 1\n\ncreate a size=4K\n' >other.inc
run 1 run -q try.vms
has err 'after other.inc:3: create a size=4K'

# A read of several allocations is one statement, and fails once.
write_try <<'END'
segment vram id=1 kind=memory size=32M flags=CpuVisible
create t[0..1] size=16K segments=vram flags=CpuVisible content=1
inject short-copy
page-in t[0..1]
wait idle
lock t[0..1]
read t[0..1] -> fails
END
run 1 run try.vms
has err 'the CPU does not read what should be there'
has out '0 expectations held, 1 statement did not end as expected'

# On a terminal a reason ends at its edge; elsewhere it is one line.
write_try <<'END'
segment vram id=1 kind=memory size=8M
create t[0..9] size=2M segments=vram
submit big read=t[0..9]
END
run 1 run -q try.vms
has err 'is needed at the same time, and 2 more stay (PLACE-014)'
run 1 compare try.vms
has out 'is needed at the same time, and 2 more stay (PLACE-014)'
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    for words in 'run -q' test compare; do
        what="vidmm $words on a terminal"
        script -qec "stty cols 70; NO_COLOR=1 $vidmm $words try.vms" /dev/null </dev/null |
            tr -d '\r' >out
        has out '(PLACE-014)'
        sed -n '/expected success/,/PLACE-014/p' out | awk 'length > 70' >wide
        empty wide
    done
fi

finish
