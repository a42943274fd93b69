#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_step_corners.sh PROGRAM: `vidmm step`: words that are nearly right, files that are included,
# binary twins, Ctrl-C.
. "$(dirname "$0")/cli_lib.sh"

scenarios=$here/../../scenarios

write_try <<'END'
adapter wddm=1.1
segment vram id=1 kind=memory size=64M flags=CpuVisible
segment aper id=2 kind=aperture size=64M
device maker
repeat 100
  create brief size=4K segments=vram
  destroy brief
end
create kept size=4K segments=vram -> fails
include "other.inc"
END
printf 'vidmm-scenario 1\n\ncreate inside size=4K segments=vram\ndestroy inside' >other.inc
"$vidmm" convert try.vms -o twin.vmb
# A command, and what must come of it.
cat >table <<'END'
statement x|'x' is no number of steps
next 9999999999|'9999999999' is no number of steps
list|   1  vidmm-scenario 1
help why|why [NAME]
help map|map [SEGMENT]
help list|list
help counters|counters
to 5x|'5x' is no place in a run
to -5|'-5' is no place in a run
to :5|':5' is no place in a run
back x|'x' is no number of steps
delete 0|'0' is no break; `break` lists them
delete x|'x' is no break
delete 5|'5' is no break
help xyzzy|'xyzzy' is no command
break start|every run stops at its start
to line 99999999999|nothing runs on line 99999999999 of try.vms
print kept|no adapter has started yet
break destroy inside|
next|the miniport reported segment 1
statement 2|(event 4) statement 2
map nowhere|no segment is named 'nowhere'
map vrm|no segment is named 'vrm'; did you mean 'vram'?
print mime|no allocation is named 'mime' now
run|try.vms:10:1: failed: create kept
where|line 4 of other.inc: destroy inside
list|line 4 is one of other.inc, which is included
to destroy kept|'destroy kept' does not come in this run
to end|1 statement did not end as expected
to 1ms|'1ms' does not come in this run
to end|
to line 5|(end) to line 5
to 1ns|does not come in this run
run|break 1: destroy inside
print kep|no allocation is named 'kep' now; did you mean 'kept'?
map vrm|no segment is named 'vrm'
print kept|kept: 4 KiB
END
cut -d'|' -f1 table >commands
step 1 try.vms <commands
cat out err >both
cut -d'|' -f2 table | while read -r words; do
    grep -qF -e "$words" both || echo "$words"
done >lost
empty lost
printf 'to line 5\nlist\n' >commands && step 2 twin.vmb <commands
has err 'a binary twin has no lines to read'
yes 'break fail' | head -n 33 >commands && step 2 try.vms <commands
has err '32 breaks are the limit'
# What is renamed is an allocation of its own; a break that is here does not stop `next`.
printf 'to rename\nprint v#1\nto end\nprint v#1\n' >commands
step 0 "$scenarios/rules/RENAME-005.vms" <commands
has out '  v#1: '
# What is asked of a run, and is not in it.
echo 'no scenario' >wrong.vms
printf 'vidmm-scenario 1\nsegment vram id=1 kind=memory size=64M\ncreate a size=4K' >ends.vms
for i in 1 2 3 4 5 6 7 8; do printf '\ncreate b%d size=4K' $i; done >>ends.vms
cat >moves.vms <<'END'
vidmm-scenario 1
segment vram id=1 kind=memory size=64M
create a size=4K segments=vram
create b size=4K segments=vram
page-in a
page-in b
expect a evicted
evict a
END
write_stop stops.vms
rows <<'END'
0|stopped: bug check 0x119|explain stops.vms --event=bugcheck
0|stopped: bug check 0x119|explain stops.vms --event=fail
0|stopped: bug check 0x119|explain stops.vms --event=end
2|there is no 'offer' in the run of stops.vms|explain stops.vms --event=offer
2|nothing is decided after '5s' in the run of ends.vms|explain ends.vms --event=5s
2|nothing is decided at 'line 3' in the run of ends.vms|explain ends.vms --event='line 3'
2|there is no 'offer' in the run of ends.vms|explain ends.vms --event=offer
2|did you mean 'create b3'?|explain ends.vms --event='create bb3'
2|there is no 'fail' in the run of ends.vms|explain ends.vms --event=fail
2|there is no 'end' in the run of ends.vms|explain ends.vms --event=end
0|a was evicted|explain moves.vms --event=end
0|a was placed|explain moves.vms --event=start
0|b was placed|explain moves.vms --event=fail
0|b was placed|explain moves.vms --event='line 7'
2|nothing is decided at 'line 2'|explain moves.vms --event='line 2'
2|nothing more is expected|explain ends.vms --event='evict a b c d e f'
2|creates no allocation 'quite-another-name'|explain ends.vms --allocation=quite-another-name
4|operation is the limit|explain --limit=ops=1 try.vms --event=9999
3|this is not a scenario|explain wrong.vms --event=1
END
printf 'next\nlist\nto line 11\nlist\n' >commands && step 0 ends.vms <commands
has out '>   11  create b8 size=4K'
# The last line needs no end, and has one all the same.
printf 'next\nlist' >commands && step 0 ends.vms <commands
has out '>    3  create a size=4K'
awk 'BEGIN { for (i = 0; i < 600; i++) printf "x" }' >commands && step 2 ends.vms <commands
has err 'a command has at most 510 characters'
# A byte that is no character spoils its line alone.
printf 'next\nwh\0ere\nlist\n' >commands && step 2 ends.vms <commands
has err "'wh�ere' is no command"
has out '>    3  create a size=4K'
# A reason is the same when those that it names are destroyed, and when the run is over.
write_try <<'END'
segment small id=1 kind=memory size=4M
segment vram id=2 kind=memory size=64M
segment aper id=3 kind=aperture size=64M
class tex size=24M segments=vram evict-to=aper
create grass : tex content=1 priority=0x28000000
create rocks : tex content=2
create target size=20M segments=small,vram prefer=small,vram:top evict-to=aper
submit f1 read=grass,rocks
wait f1
submit f2 read=rocks write=target
wait idle
destroy target
create after size=4K segments=vram
destroy grass
END
for place in 'place target' 'create after' 'end'; do
    printf 'to %s\nwhy grass\n' "$place" >commands && step 0 try.vms <commands
    sed '1,/) why grass$/d' out >again
    [ "$place" != 'place target' ] || mv again wanted
    [ "$place" = 'place target' ] || same again wanted
done
for words in 'room was needed for target' '20 MiB. grass leaves, whose' 'as its preference says' \
    'is too small for target' 'small is preferred, but never searched'; do
    has wanted "$words"
done

# A node that hangs has a reason of its own, as `vidmm explain` tells it.
for place in preempt tdr; do
    run 0 explain "$scenarios/lessons/15-a-hang.vms" --event=$place
    mv out wanted
    printf 'to %s\nwhere\nwhy\n' $place >commands
    step 0 "$scenarios/lessons/15-a-hang.vms" <commands
    sed '1,/) why$/d' out >again
    same again wanted
    has wanted 'has run on node'
done

# A signal ends a session whose next command does not come.
what='vidmm step (INT), at the prompt'
code=0
{ echo next && sleep 1.5; } | timeout --foreground --preserve-status -k 15 -s INT 0.5 \
    "$vidmm" step ends.vms >out 2>err || code=$?
if [ "$code" -eq 130 ]; then good; else complain "$what: exit $code, not 130"; fi

# The end of an adapter whose run goes on in another one.
printf 'to end\nprint a\nnext\n' >commands && step 2 "$scenarios/rules/KMT-023.vms" <commands
has err 'the run is over'

if command -v script >/dev/null; then
    what='commands from a terminal, what they say into a file'
    { sleep 0.5 && printf 'next\nlist\n' && sleep 0.3 && printf 'quit\n' && sleep 0.3; } |
        script -qec "$vidmm step ends.vms >said" typed >out 2>err
    has said '>    3  create a size=4K'
    what='completion of many names on a terminal'
    printf 'vidmm-scenario 1\nsegment vram id=1 kind=memory size=64M\n' >many.vms
    echo 'create texture[0..299] size=4K segments=vram' >>many.vms
    {
        sleep 0.5
        printf 'to create texture[298]\n'
        sleep 0.5
        printf 'print t\t7]\n'
        sleep 0.3
        printf 'print texture[1\t\t\n'
        sleep 0.3
        printf 'print \t\t\n'
        sleep 0.3
        printf 'map \tx\nquit\n'
        sleep 0.3
    } | TERM=xterm script -qec "$vidmm step many.vms" typed >out 2>err
    tr -d '\r' <typed >out
    has out 'where          nowhere'
    has out ' more'
    what='completion on a terminal'
    {
        sleep 0.5
        printf 'help n\t\n'
        sleep 0.3
        printf 'xyzzy a\t\n'
        printf 'list x\t\n'
        printf 'm\t\t\n'
        printf 'break \t\n'
        printf 'break PLACE-0\t12\n'
        printf 'ne 1\t\n'
        printf 'print \t\n'
        printf 'to 999999\n'
        awk 'BEGIN { for (i = 0; i < 600; i++) printf "x"; print "" }'
        sleep 0.5
        printf '\004'
        sleep 0.3
    } | TERM=xterm script -qec "$vidmm step ends.vms" typed >out 2>err
    tr -d '\r' <typed >out
    has out '  next [N] '
    has out "'xyzzy' is no command"
    has out 'map memory'
    has out 'discard-offered'
    has out "'999999' does not come in this run"
    # Ctrl-C stops a run on its way, and takes a line away that is being typed.
    what='Ctrl-C on a terminal'
    write_try <<'END'
segment vram id=1 kind=memory size=64M
create a size=4K segments=vram
repeat 9000000000
  page-in a
  evict a
end
END
    {
        sleep 0.5
        printf 'to end\n'
        sleep 1
        printf '\003'
        sleep 1
        printf 'where\n'
        sleep 0.5
        printf 'half\003'
        sleep 0.5
        printf 'to 5s\n'
        sleep 0.5
        printf '\003'
        sleep 1
        printf 'list\nquit\n'
        sleep 0.5
    } | TERM=xterm script -qec "$vidmm step --limit=ops=10G --limit=work=100G try.vms" typed \
        >out 2>err
    tr -d '\r' <typed >out
    if grep -q '^try.vms: event [0-9][0-9]*, .* line [0-9]' out; then good; else
        complain "$what: it does not stop"
    fi
    if grep -qE '^>    [56]    (page-in|evict) a' out; then good; else complain "$what: no line"; fi
    lacks out 'is no command'
fi
finish
