#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_diff.sh PROGRAM: `vidmm run --record` and `vidmm diff`: logs, runs, settings, what they count,
# and logs that are broken.
. "$(dirname "$0")/cli_lib.sh"

cat >a.vms <<'END'
vidmm-scenario 1
segment vram id=1 kind=memory   size=64M
segment aper id=2 kind=aperture size=64M
class tex size=24M segments=vram evict-to=aper
create grass : tex
create rocks : tex
create target size=20M segments=vram evict-to=aper
submit f1 read=grass,rocks
wait f1
submit f2 read=rocks write=target
wait f2
END
sed 's/class tex size=24M/class tex size=28M/' a.vms >wide.vms
sed 's/f1 read=grass,rocks/f1 read=rocks,grass/' a.vms >turned.vms
sed 's/f2 read=rocks/f2 read=grass/' a.vms >other.vms

# ---- a log ---------------------------------------------------------------------------------------

run 0 run -q --record=a.log a.vms
cp a.log out
has out 'vidmm-decisions 1'
has out 'file a.vms'
has out '> 10: submit f2 read=rocks write=target'
has out 'evict grass segment=vram offset=0 bytes=24M reason=room via=discard way=PAGE-038'
has out '  pass-over rocks segment=vram offset=24M bytes=24M cause=bound for=target'
has out '  hole target segment=vram offset=48M bytes=16M result=small largest=1 rule=PLACE-007'
lacks out 'time='
run 0 run -q --record=again.log a.vms
same a.log again.log
# What else is printed stays as it was.
run 0 run --why a.vms
cp out alone
run 0 run --why --record=b.log a.vms
same out alone
run 0 run --format=jsonl a.vms
cp out a.jsonl
run 0 run --format=jsonl --record=b.log a.vms
same out a.jsonl
run 0 run --format=html -o alone.html a.vms
run 0 run --format=html --record=b.log -o beside.html a.vms
same alone.html beside.html
same a.log b.log
# Lines may end with CRLF.
sed 's/$/\r/' a.log >crlf.log
sed 's/$/\r/' a.jsonl >crlf.jsonl
run 0 diff crlf.log a.log
run 0 diff crlf.jsonl a.jsonl
if [ -c /dev/full ]; then
    run 3 run -q --record=/dev/full a.vms
    has err 'vidmm: /dev/full: No space left on device'
fi
run 0 run -q --record=evict.log --record-kinds=evict,times a.vms
cp evict.log out
has out 'kinds evict,times'
has out ' time='
lacks out 'place grass'
run 2 run --record=x.log --record-kinds=evcit a.vms
has err "'evcit' is no event; did you mean 'evict'?"
run 3 run --record=nowhere/x.log a.vms
has err 'nowhere/x.log: there is no folder nowhere'
# Numbers as people read them.
for at in 1 2; do
    printf 'vidmm-decisions 1\nkinds place\nfile a.vms\nplace a segment=v offset=%s\n' $at >$at.log
done
run 1 diff 1.log 2.log
has out '1 placement differs; first: a at 1 byte -> 2 bytes'
# A log that cannot be made does not take the place of one that is there.
cp a.log kept.log
echo 'no scenario' >bad.vms
run 3 run -q --record=kept.log a.vms bad.vms
has err 'kept.log is not written'
if cmp -s a.log kept.log; then good; else complain "$what: the old log is gone"; fi
if [ ! -e kept.log.new ]; then good; else complain "$what: kept.log.new stays"; fi
run 2 run -q --record=- a.vms
has err '--record needs a file'
# A decision can be pasted.
{
    cat a.vms
    echo 'expect events any-order'
    grep -v '^[ >]' a.log | sed 1,3d
    echo 'end'
} >pasted.vms
run 0 run -q pasted.vms

# ---- the same ------------------------------------------------------------------------------------

for sides in 'a.log again.log' 'a.log a.vms' 'a.vms a.log' 'a.jsonl a.log' 'a.vms a.jsonl' \
    'a.vms a.vms'; do
    # shellcheck disable=SC2086 # two words
    run 0 diff $sides
    has out 'no difference: 4 decisions'
done
"$vidmm" diff - a.log <a.log >out 2>err
has out 'no difference: 4 decisions'
mkfifo pipe
cat a.log >pipe &
run 0 diff pipe a.vms
has out 'no difference: 4 decisions'
run 0 diff --format=jsonl a.log a.vms
has out '"diff":"no difference","expected":"a.log","found":"a.vms","same":true,"decisions":4'
cat a.vms | "$vidmm" diff - a.log >out 2>err && complain 'diff of a piped scenario: exit 0'
has err 'has to be a file'
cat a.log | "$vidmm" diff a.vms - >out 2>err
has out 'no difference: 4 decisions'

# ---- what differs --------------------------------------------------------------------------------

run 1 diff a.vms wide.vms
has out '2 placements and 1 victim differ; first: grass bytes 24M -> 28M by PLACE-007'
run 1 diff a.log other.vms
has out '1 placement and 1 victim differ; first: victim grass -> rocks by PLACE-012'
has out 'line 10     submit f2 read=grass write=target'
has out 'before      place grass segment=vram offset=0 bytes=24M'
has out '            place rocks segment=vram offset=24M bytes=24M'
has out 'pass-over grass segment=vram offset=0 bytes=24M cause=bound for=target'
has out 'pass-over rocks segment=vram offset=24M bytes=24M cause=bound for=target'
has out '  what was looked at, a.log'
has out '  what was looked at, other.vms'
run 1 diff a.vms turned.vms
has out 'first: place grass -> place rocks by PLACE-007'
sed 's/segments=vram evict/segments=vram prefer=vram:top evict/' a.vms >top.vms
run 1 diff top.vms --with=page=64K --with=direction-zero=bottom-up
has out 'with page=64K direction-zero=bottom-up'
run 1 diff --format=jsonl a.log other.vms
json_lines out
has out '"victims":{"differ":1,"changed":0,"only_first":1,"only_second":1}'
has out '"found":{"decision":"evict rocks '

# Times count only when they are asked for.
sed 's/wait f1/wait f1\nadvance 5ms/' a.vms >late.vms
run 0 diff a.vms late.vms
run 1 diff --times a.vms late.vms
has out '2 decisions at another time; first: evict grass time '
run 0 run -q --record=times.log --record-kinds=place,evict,times a.vms
run 0 diff --times times.log a.vms
run 1 diff --times times.log late.vms
has out 'decisions at another time; first: evict grass time '
run 3 diff --times a.log late.vms
has err 'a.log: this log has no times'

# Another look at the same decision counts only when it is asked for.
sed 's/^create target.*/&\ncreate more : tex/' a.vms >same.vms
run 0 diff --trail a.vms same.vms
sed 's/  hole target segment=vram offset=48M/  hole target segment=vram offset=44M/' a.log >seen.log
run 0 diff a.log seen.log
run 1 diff --trail a.log seen.log
has out '1 decision after another look; first: evict grass after another look by PLACE-012'
has out '  what was looked at, a.log'
has out 'hole target segment=vram offset=44M'

# A run that fails, or that a bug check ends, has decisions as well.
{ cat a.vms && echo 'expect grass in aper'; } >fails.vms
run 0 diff a.vms fails.vms
run 1 diff fails.vms other.vms
has out '1 placement and 1 victim differ'
sed '1a miniport mock patch-status=0xC0001234' a.vms >stops.vms
run 5 run -q --record=stops.log stops.vms
cp stops.log out
has out '0xC0001234'
run 0 diff stops.vms stops.log

# A binary twin is a scenario, too.
run 0 convert a.vms -o a.vmb
run 0 diff a.vmb a.log

# Policies.
sed 's/^create rocks.*/create rocks size=25M segments=vram evict-to=aper/
s/read=rocks write/write/' a.vms >sizes.vms
run 1 diff sizes.vms --with=eviction=largest
has out 'first: victim grass -> rocks by PLACE-012'
has out 'with eviction=largest'

{
    sed 3q a.vms
    echo 'create a size=1M segments=vram'
    echo 'create b size=8M segments=vram'
    echo 'create c size=1M segments=vram'
    echo 'create d size=2M segments=vram'
    echo 'create e size=1M segments=vram'
    echo 'page-in a,b,c,d,e'
    echo 'destroy b,d'
    echo 'create f size=1M segments=vram'
    echo 'page-in f'
} >holes.vms
run 1 diff holes.vms --with=placement=best-fit
has out '1 placement differs; first: f at 1 MiB -> 10 MiB by PLACE-007'
run 0 run -q --set=placement=best-fit --record=best.log holes.vms
cp best.log out
lacks out 'policy='

# One that leaves once more does not shift the others.
{
    sed 3q a.vms
    echo 'create t[0..9] size=1M segments=vram'
    echo 'page-in t[0..9]'
    for i in 1 2 3 4 5 6 7; do echo "evict t[$i]"; echo 'wait idle'; echo "page-in t[$i]"; done
} >calm.vms
sed 's/^evict t\[3\]/evict t[9]\nwait idle\npage-in t[9]\n&/' calm.vms >once.vms
run 1 diff calm.vms once.vms
has out '1 placement and 1 victim differ; first: victim t[3] -> t[9] by PAGE-027'

# ---- what is compared ----------------------------------------------------------------------------

# Only placements differ in one respect, victims in another: each can be asked for alone.
run 1 diff a.log other.vms
run 0 run -q --record=other.log other.vms
for sides in 'a.log other.log' 'a.log other.vms' 'a.vms other.log' 'a.vms other.vms' \
    'a.jsonl other.log'; do
    # shellcheck disable=SC2086 # two words
    run 1 diff --kinds=evict $sides
    has out '1 victim differs; first: victim grass -> rocks by PLACE-012'
    lacks out 'before      place'
    # shellcheck disable=SC2086
    run 0 diff --kinds=refuse $sides
    has out 'no difference: 0 decisions'
done
# Logs with different events agree on what both hold.
run 0 diff --kinds=evict a.log evict.log
run 3 diff --kinds=place,evict a.log evict.log
has err "evict.log: this log was recorded without 'place'; record it with --record-kinds=place"
run 3 diff --kinds=lock a.log again.log
has err "a.log: this log was recorded without 'lock'"

sed 's/^segment vram/param SIZE = 24M\n&/
s/class tex size=24M/class tex size=$SIZE/' a.vms >sized.vms
run 0 diff sized.vms a.vms
run 1 diff -D SIZE=28M sized.vms a.log
has out 'first: grass bytes 28M -> 24M'
run 2 diff -D SZIE=28M sized.vms a.log
has err "sized.vms: no parameter is named 'SZIE'; did you mean 'SIZE'?"
run 2 diff -D SIZE sized.vms a.log
for option in --seed=7 -DSIZE=28M --limit=ops=9; do
    run 3 diff $option a.log again.log
    has err 'are for a scenario; these are logs'
done

# ---- tests ---------------------------------------------------------------------------------------

for name in one two three; do
    printf 'test "%s"\n  create t size=1M segments=vram\n  page-in t\nend\n' "$name"
done >tests
{ sed 3q a.vms; cat tests; } >three.vms
{ sed 3q a.vms; sed '/"two"/,/end/d' tests; } >fewer.vms
run 1 diff three.vms fewer.vms
has out '1 test only on the first side'
run 1 diff fewer.vms three.vms
has out '1 test only on the second side'
{ sed 3q a.vms; sed '/"three"/,$ s/size=1M/size=2M/' tests; } >third.vms
run 1 diff three.vms third.vms
has out '1 placement differs; first: t bytes 1M -> 2M'
has out 'in          test "three"'

# In another order: what lies behind is there once more.
printf 'test "four"\n  create t size=1M segments=vram\n  page-in t\nend\n' >>tests
{ sed 3q a.vms; cat tests; } >four.vms
{ sed 3q a.vms; sed -n '/"three"/,/^end/p' tests; sed -n '/"one"/,/^end/p' tests; } >back.vms
run 1 diff four.vms back.vms
has out '3 tests only on the first side; 1 test only on the second side'

# ---- mistakes ------------------------------------------------------------------------------------

run 2 diff a.vms
has err 'against what?'
run 2 diff
run 2 diff a.vms a.log again.log
run 2 diff a.vms --with=plcement=x
run 2 diff a.vms --with=eviction=
has err 'eviction=: '
lacks err '--set'
run 2 diff a.vms --with=eviction
has err "'eviction' has no value: write eviction=VALUE"
run 3 diff a.log again.log --with=wddm=1.3
has err '--with is for a scenario'
run 3 diff a.log nowhere.log
has err 'nowhere.log: No such file or directory'
run 3 diff a.log evict.log
has err 'hold different events'

broken() {
    printf "$1" >broken.log
    run 3 diff broken.log again.log
    has err "$2"
    run 3 diff again.log broken.log
    has err "$2"
}
broken '' 'broken.log: the log is empty'
broken 'hello\n' 'broken.log:1: no log'
broken 'id,size\r\n1,4096\r\n' 'broken.log:1: no log'
broken 'vidmm-decisions 2\n' 'broken.log:1: it is of version 2 of `vidmm-decisions`'
has err 'and this program reads version 1: make it again with this program'
broken 'vidmm-decisions 1x\n' 'broken.log:1: it is of version 1x of `vidmm-decisions`'
broken '{"type":"vidmm_events","vidmm_events":9}\n' 'it is of version 9 of `vidmm_events`'
broken 'vidmm-decisions 1\n' "broken.log:1: the line \`kinds\` is missing"
broken 'vidmm-decisions 1\nkinds plcae\n' "'plcae' is no event"
broken 'vidmm-decisions 1\nkinds pl\033[1mce\n' 'broken.log:2: there is a control character'
kinds=$(sed -n 2p again.log)
broken "vidmm-decisions 1\n$kinds\n%%%%\n" 'broken.log:3: neither a decision'
broken "vidmm-decisions 1\n$kinds\nplace a\033]0;x\n" 'broken.log:3: there is a control character'
broken "vidmm-decisions 1\n$kinds\nplace a\rb\n" 'broken.log:3: there is a control character'
broken "vidmm-decisions 1\n$kinds\nplace a seg" 'broken.log:3: the log ends in the middle of a line'
awk 'BEGIN { for (i = 0; i < 70000; i++) printf "a" }' >long
broken "vidmm-decisions 1\n$kinds\n$(cat long)\n" 'is longer than 65536 bytes'
broken '{"type":"vidmm_events","vidmm_events":2}\n{"type":"event"\n' 'broken.log:2: no object'

run 0 diff --help
narrow out
has out 'vidmm diff FILE --with=eviction=fifo'

finish
