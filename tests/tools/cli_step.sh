#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_step.sh PROGRAM: `vidmm step`: forwards and back, places, breaks, views, reasons, mistakes;
# and the reasons that `vidmm explain FILE` prints.
. "$(dirname "$0")/cli_lib.sh"

scenarios=$here/../../scenarios

# What the commands printed, without themselves.
answers() {
    sed '/^([a-z]*\( [0-9]*\)\{0,1\}) /d' out
}

write_try <<'END'
segment vram id=1 kind=memory   size=64M
segment aper id=2 kind=aperture size=64M
class tex size=24M segments=vram evict-to=aper
create grass : tex content=1
create rocks : tex content=2
create target size=20M segments=vram evict-to=aper
submit f1 read=grass,rocks
wait f1
expect grass in vram at 0
submit f2 read=rocks write=target
wait f2
expect grass in system
destroy target
END
sed 's/grass in system/grass in vram/' try.vms >wrong.vms

# ---- all steps are the run -----------------------------------------------------------------------

for file in try.vms "$scenarios/lessons/03-no-room.vms" "$scenarios/policy/overlays.vms"; do
    for options in '' '--why' '--verbose --calls'; do
        # shellcheck disable=SC2086 # words are meant
        run 0 run $options "$file"
        mv out wanted
        # shellcheck disable=SC2086 # words are meant
        echo 'next 100000' >commands && step 0 $options "$file" <commands
        answers >again
        same again wanted
        # So are single ones, and those after a way back.
        { echo 'next 7' && echo 'to start' && yes next | head -n 2000; } >commands
        # shellcheck disable=SC2086 # words are meant
        step 2 $options "$file" <commands
        has err 'the run is over'
        answers | sed '1,/: at the start$/d' >again
        same again wanted
    done
done

# ---- places --------------------------------------------------------------------------------------

# Each command and where it leads.
cat >table <<'END'
to evict|event 76 line 11
next|event 78 line 11
back|event 76 line 11
to line 10|event 65 line 10
statement|event 65 line 11
back|event 63 line 9
to 1us|event 38 line 8
to event 30|event 30 line 8
to 12|event 12 line 5
to PLACE-012|event 76 line 11
to place target|event 83 line 11
to fail|event 83 line 11
to 5s|event 83 line 11
to evict rocks|event 83 line 11
back 2|event 80 line 11
to evict grass|event 76 line 11
to PLACE-012|event 76 line 11
END
while IFS='|' read -r command place; do
    echo "$command"
    echo where
    echo "$place" >>wanted.places
done <table >commands
step 1 try.vms <commands
sed -n 's/^try\.vms: \(event [0-9]*\),.* line \([0-9]*\):.*/\1 line \2/p' out >places
same places wanted.places
for place in 5s fail 'evict rocks'; do
    has out "'$place' does not come in this run"
done
for place in 'evict grass' PLACE-012; do
    count 1 "'$place' does not come again; it came here first:"
done
count 3 'Still here:'
lacks out 'nothing is named'
# Each command stands after its prompt, so that the output can be read alone.
has out '(start) to evict'
has out '(event 76) where'
# A name that nothing has is said to be none. From the end, a place that does not come leads there.
printf 'to %s\n' end 'evict nosuch' 'evict gras' 'evict rocks' 999 >commands
step 1 try.vms <commands
has out "'evict nosuch' does not come in this run: nothing is named nosuch"
has out "this run: nothing is named gras; did you mean 'evict grass'?"
count 1 "'evict rocks' does not come in this run"
count 4 '(end) to '
count 1 'expectations held'
lacks out 'Still here:'
# A place that was asked for and never came is no success; that nothing fails is one.
for place in 5s 'event 999' 999 'evict rocks' OFFER-011; do
    echo "to $place" >commands && step 1 try.vms <commands
done
echo 'to fail' >commands && step 0 try.vms <commands
printf 'to 999\nxyzzy\n' >commands && step 2 try.vms <commands
# The place of an event is told as it was by the run itself, however it was reached.
printf 'to evict\n' >commands && step 0 try.vms <commands
sed 1d out >forwards
printf 'to end\nto event 76\n' >commands && step 0 try.vms <commands
sed '1,/^(end) to event 76$/d' out | cat - err >back # nothing is complained of
same back forwards
# So are those that have no number, from behind the last moment too; of several, the first.
printf 'to end\nto evict\n' >commands && step 0 try.vms <commands
sed '1,/^(end) to evict$/d' out | cat - err >back
same back forwards
lacks out 'does not come again'
printf 'to fail\nto end\nback\nto fail\nto fail\n' >commands && step 1 wrong.vms <commands
count 2 "'fail' does not come again; it came here first:"
lacks out 'does not come in this run'
printf 'to end\nwhere\nback\nwhere\nnext\nnext\n' >commands && step 2 try.vms <commands
has out 'try.vms: at the end, after event 124'
has err 'the run is over: `back` leads to its last step'
count 2 'expectations held'

# A line where nothing runs stands for the next one that does; a file that is included has others.
cat >notes.vms <<'END'
vidmm-scenario 1
segment vram id=1 kind=memory size=64M
include "other.inc"
note "One."
repeat 2
  note "Two."
  create a size=4K segments=vram

  destroy a
end
ask "How many?" = 2
expect free(vram) == 64M
END
printf 'vidmm-scenario 1\n\n\n\n\n\n\n\ncreate z size=4K segments=vram\ndestroy z\n' >other.inc
printf 'to line %s\nwhere\n' 4 6 8 4 11 12 1 13 >commands && step 2 notes.vms <commands
sed -n 's/^notes\.vms: event [0-9]*,.* line \([0-9]*\): \(.*\)/\1 \2/p' out >places
cat >wanted.places <<'END'
7 create a size=4K segments=vram
7 create a size=4K segments=vram
9 destroy a
7 create a size=4K segments=vram
12 expect free(vram) == 64M
12 expect free(vram) == 64M
7 create a size=4K segments=vram
7 create a size=4K segments=vram
END
same places wanted.places
has out 'nothing runs on line 11; the next that does is line 12'
has out '> expect free(vram) == 64M'
has err 'nothing runs on line 13 of notes.vms, nor after it'
printf 'break line %s\n' 8 11 13 >commands && printf 'break\nrun\nwhere\nrun\n' >>commands
step 2 notes.vms <commands
has out 'nothing runs on line 8; the next that does is line 9'
has out '   1  line 9'
has out '   2  line 12'
lacks out '   3  '
has err 'nothing runs on line 13'
has out 'break 1: line 9'
# Neighbouring lines of one form are read in one go, and are lines all the same.
{
    printf 'vidmm-scenario 1\nsegment vram id=1 kind=memory size=64M\n'
    awk 'BEGIN { for (i = 0; i < 200; i++) printf "%screate b[%d] size=4K segments=vram\n",
                                                  i == 100 ? "\n" : "", i }'
} >bulk.vms
printf 'break line 103\nrun\nwhere\nto line 150\nwhere\n' >commands && step 0 bulk.vms <commands
has out 'nothing runs on line 103; the next that does is line 104'
has out 'line 104: create b[100]'
has out 'line 150: create b[146]'
# After the end there is still the last state.
cat >commands <<'END'
to end
print rocks
map vram
where
print nobody
back
where
to end
queue
next
END
step 2 try.vms <commands
has out '  rocks: 24 MiB'
has out 'vram: 64 MiB, memory'
has out 'try.vms: at the end, after event 124'
has out 'try.vms: event 1'
has out '  node 0: newest fence'
has err "no allocation is named 'nobody' now"
has err 'the run is over: `back` leads to its last step'
count 2 'expectations held'
printf 'run\nprint rocks\n' >commands && step 1 wrong.vms <commands

# ---- breaks --------------------------------------------------------------------------------------

cat >commands <<'END'
# A break on each of the kinds.
break evict
br fail
break line 8
break
run
where
r
c
run
delete 1
d
break
END
step 1 wrong.vms <commands
has out '   2  fail'
has out 'break 3: line 8'
has out 'break 1: evict'
has out 'break 2: fail'
has out 'no breaks'
has out 'wrong.vms: event 24, 0.000 us, line 8: submit f1'
has err 'wrong.vms:13:1: failed: grass in vram'
count 2 'was evicted from vram'
# Only `run` stops at breaks: what names its place gets there, forwards and back.
printf 'break evict\nto line 8\nto arrive\nto evict\nto line 8\nnext 2\nrun\n' >commands
step 0 try.vms <commands
count 1 'break 1: evict'
# What a run hides is told at a break.
printf 'break candidate\nrun\nbreak hole\nbreak end\nbreak evict grass rocks\n' >commands
step 2 try.vms <commands
has out 'vram was tried for grass'
has err "'hole' is no event of its own"
has err 'every run stops at its end'
has err "nothing more is expected, not 'rocks'"

# ---- views and reasons ---------------------------------------------------------------------------

# While its content still has to go, it lies where it lay.
printf 'to evict\nmap\nprint grass\nto unplace\nmap\nprint grass\n' >commands
step 0 try.vms <commands
count 1 '24 MiB, leaving'
count 1 '24 MiB = 0x1800000 (leaving)'
cat >commands <<'END'
print grass
to evict
why
print grass
print target
map vram
queue
counters
memory
list
to place target
why
why grass
why nobody
END
step 2 try.vms <commands
has err 'no adapter has started yet'
has err "no decision about 'nobody' is remembered"
has out '  grass: 24 MiB'
has out '  target: 20 MiB'
has out 'vram: 64 MiB, memory, '
has out '  node 0: newest fence'
has out '>   11  submit f2 read=rocks write=target'
has out 'room was needed for target'
has out '1. vram from 0 to 64 MiB, bottom-up, pass 1 (only lower'
has out '- grass (24 MiB at 0) stays: this pass spares its priority'
has out '- a hole of 16 MiB at 48 MiB is too small'
has out '- rocks (24 MiB at 24 MiB) stays: the same preparation needs'
has out 'PLACE-012 Victims [our choice]'
has out 'target had to be brought into vram: it is used for the first'
# Why it comes is said first, who left for it in a list, and each rule once in a search.
run 0 explain try.vms --event=83
awk '/had to be brought/ { first = NR } /^ *1\. vram/ && !search { search = NR }
     END { exit !(first && first < search) }' out || complain "$what: why it comes is not first"
has out 'leaving for target:'
has out '   - grass was evicted from vram at 0 to make room'

# ---- explain -------------------------------------------------------------------------------------

run 0 explain try.vms --event=76
has out 'event 76, line 11: submit f2 read=rocks write=target'
cp out event
printf 'to evict\nwhy\n' >commands && step 0 try.vms <commands
sed '1,2d; /^(event 76) why$/d' out >why # what stands above is not said again
same why event
printf 'to evict\nwhere\nwhy\n' >commands && step 0 try.vms <commands
sed '1,/^(event 76) why$/d' out >why
same why event
run 0 explain try.vms --event=78
has out 'The last decision before it:'
has out 'grass was evicted from vram at 0 to make room'
run 0 explain try.vms --allocation=grass
has out 'grass was created: 24 MiB'
has out 'grass was placed in vram at 0'
has out 'grass was evicted from vram at 0'
has out 'At the end'
has out '    where          in system memory'
lacks out 'target was placed'
narrow out
run 0 explain try.vms --allocation=target
has out 'target was destroyed'
lacks out 'At the end'
run 0 explain wrong.vms --allocation=target
empty err
run 2 explain try.vms --allocation=gras
has err "try.vms creates no allocation 'gras'; did you mean 'grass'?"
run 2 explain try.vms --event=999
has err 'try.vms has no event 999; the last one is 124'
run 2 explain try.vms --event=x
# By what the text of a run shows: what happened, when, in which line.
run 0 explain try.vms '--event=evict grass' && same out event
run 0 explain try.vms '--event=line 11' && same out event
run 2 explain try.vms '--event=line 12'
run 2 explain try.vms --event=1 --allocation=grass
run 2 explain try.vms more --event=1
run 2 explain try.vms
has err "'try.vms' is a file: of its run, --event=N explains a moment"
run 2 explain fence --seed=1
has err '--seed is about a run'
run 3 explain missing.vms --event=1
run 2 explain -D a=1 try.vms --event=1
# Each test has its own adapter, and its events count from 1.
write_try <<'END'
segment vram id=1 kind=memory size=64M
create every size=4K segments=vram
test "one"
  create a size=4K segments=vram
end
test "two"
  create b size=4K segments=vram
end
END
run 0 explain try.vms --event=18
has out 'Test "one"'
run 0 explain try.vms --allocation=every
count 2 'every was created'
count 1 'line 3: create every'
count 1 'What comes before every test, once more'
count 2 'At the end'
printf 'break create every\nrun\nwhere\nrun\nwhere\n' >commands && step 0 -v try.vms <commands
count 2 'every was created'
count 1 ', line 3'
run 0 explain --only two try.vms --allocation=b
has out 'Test "two"'
has out 'b was created'
for command in step 'explain --allocation=b' 'explain --event=1'; do
    # shellcheck disable=SC2086 # words are meant
    run 2 $command --only=towo try.vms
    has err "no test has a name that contains 'towo'; did you mean 'two'?"
    empty out
done
echo run >commands && step 0 --only=two try.vms <commands
has out 'try.vms: 0 expectations held, 2 operations'

# What a refusal and a split looked at; what was the same is said once.
printf 'to refuse\nwhy\n' >commands && step 0 "$scenarios"/lessons/*-fragmentation.vms <commands
has out 'no place was found for big'
has out 'stays: it is pinned'
has out '- the same as in 1'
has out 'vram has no place for big: no hole is large enough'
printf 'to split\nwhy\n' >commands && step 0 "$scenarios"/lessons/*-splitting.vms <commands
has out 'no place was found for trees'
# Of a long search the first rows are shown, and how many more there are.
write_try <<'END'
segment vram id=1 kind=memory size=64M
segment aper id=2 kind=aperture size=64M
repeat 200 as i
  create small[$i] size=64K segments=vram evict-to=aper
  page-in small[$i]
end
create big size=60M segments=vram evict-to=aper
page-in big
END
run 0 explain try.vms --allocation=big
has out 'big was placed in vram'
has out 'and 184 more that leave'
narrow out

# ---- mistakes ------------------------------------------------------------------------------------

printf '%s\n' nxt w whe xyzzy 'next 0' 'next a' map 'quit now' to 'to evcit' '' '# nothing' b \
    't sttart' >commands
step 2 wrong.vms <commands
has err "'nxt' is no command; did you mean 'next'?"
has err "'xyzzy' is no command; \`help\` lists them"
has err "'0' is no number of steps"
has err "'quit' takes no 'now': write quit"
has err "'evcit' is no place in a run; did you mean 'evict'?"
has err "did you mean 'start'?"
has err 'this is the start'
has err 'nothing was decided yet'
echo ma >commands && step 2 wrong.vms <commands
echo me >commands && step 2 wrong.vms <commands
echo qu >commands && step 2 wrong.vms <commands
has err "'qu' may be queue or quit"
awk 'BEGIN { for (i = 0; i < 9000; i++) printf "x"; print ""; print "where" }' >commands
step 2 wrong.vms <commands
has err 'a command has at most'
has out 'at the start'
printf 'help\nhelp to\nquit\nnext\n' >commands && step 0 wrong.vms <commands
has out 'also t, goto'
lacks out 'the miniport reported'
narrow out
run 2 step
run 2 step a b
run 2 step -
run 3 step missing.vms
echo 'no scenario' >bad.vms
run 3 step bad.vms
has err 'bad.vms:1:1: error'
run 2 step -D no=1 wrong.vms
has err "no parameter is named 'no'"
run 2 debug wrong.vms
has err 'write `vidmm step FILE`'
run 2 run --interactive wrong.vms
has err 'the command `vidmm step FILE`'
# Limits, and the end of the simulated system.
printf 'to end\n' >commands && step 4 --limit=ops=3 wrong.vms <commands
has err 'operations are the limit'

# A signal ends a session that nobody types in.
write_try <<'END'
segment vram id=1 kind=memory size=64M
create a size=4K segments=vram
repeat 9000000000
  page-in a
  evict a
end
END
what='vidmm step (INT)'
code=0
echo 'to end' | timeout --foreground --preserve-status -k 15 -s INT 0.5 "$vidmm" step \
    --limit=ops=10G --limit=work=100G try.vms >out 2>err || code=$?
if [ "$code" -eq 130 ]; then good; else complain "$what: exit $code, not 130"; fi

# ---- a terminal ----------------------------------------------------------------------------------

# Keys for a terminal: Tab completes, an arrow brings the line before, an empty line repeats.
if command -v script >/dev/null; then
    what='vidmm step on a terminal'
    {
        sleep 0.5
        printf 'to evi\t\n'
        sleep 0.5
        printf 'ne\t\n\n'
        sleep 0.5
        printf 'print \t\nprint gr\t\nmap v\t\nto P\tLACE-0\t\n'
        sleep 0.5
        printf 'where\n\033[A\nbreak fail\n\nbreak\nquit\n'
        sleep 0.5
    } | TERM=xterm script -qec "$vidmm step wrong.vms" typed >out 2>err
    tr -d '\r' <typed >out
    has out 'grass was evicted from vram'
    has out '(event 76)'
    has out '(event 78)'
    if [ "$(grep -c '^wrong.vms: event 80' out)" -eq 2 ]; then
        good
    else
        complain "$what: no line twice"
    fi
    has out 'grass rocks target'
    has out ': 24 MiB'
    has out ': 64 MiB, memory'
    has out 'PLACE-001 PLACE-002'
    has out 'PLACE- PAGE- PRIO- POLICY-'
    has out '   1  fail'
    lacks out '   2  fail'
fi
finish
