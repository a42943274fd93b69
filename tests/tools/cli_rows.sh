#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_rows.sh PROGRAM: many command lines, and the words that come of each.
. "$(dirname "$0")/cli_lib.sh"
scenarios=$here/../../scenarios

write_try <<'END'
segment vram id=1 kind=memory size=16M flags=CpuVisible
segment aper id=2 kind=aperture size=16M
include "more.inc"
for i in 0..5
  create new segments=vram evict-to=aper size=4M content=$i
  page-in any
end
create huge size=64M segments=vram -> fails
create shown primary size=4K segments=vram prefer=vram
display shown
END
mv try.vms a.vms
printf 'vidmm-scenario 1\ncreate early segments=vram size=4M\npage-in early\n' >more.inc
sed 's/size=16M/size=32M/' a.vms >b.vms
sed 's/^display shown/expect free(vram) == 1/' a.vms >fails.vms
printf 'vidmm-scenario 1\nsegment   vram id=1 kind=memory size=64M\n' >crooked.vms
"$vidmm" convert a.vms -o a.vmb
echo 'no scenario' >wrong.vms
# A loop that goes wrong in its second round; a file without a message of its own line.
write_stop stops.vms

awk 'BEGIN { print "vidmm-scenario 1\nsegment vram id=1 kind=memory size=64M"
    for (i = 0; i < 500; i++) print "create a" i " size=4K segments=vram" }' >many.vms
cat >warns.vms <<'END'
vidmm-scenario 1
adapter wddm=1.1
segment vram id=1 kind=memory size=1M banks=256K,512K,1M
create a size=4K banks=2
END

cat >family.vms <<'END'
vidmm-scenario 1
segment vram id=1 kind=memory size=1M
create t[0..3] size=4K segments=vram
for i in 0..3
  submit f[$i] read=t[$i]
end
END

# ---- words and lists -----------------------------------------------------------------------------

rows <<'END'
0|f[2] (fence 3) was submitted|run family.vms
0|PLACE-001|rules --area=place
2|no rule begins with 'zzz-'|rules --area=zzz
0|SEG-001|rules --implemented
0|LOCK-061|rules --missing
2|either implemented or missing|rules --missing --implemented
0|says the same as LOCK-034, LOCK-035|explain SEG-023
2|'' is no word of the glossary|explain ''
2|is no word of the glossary|explain XXXXXXXXXXXXXXXXXXXXXXXXXX
0|STATUS_INVALID_PARAMETER is a status|explain 0XC000000D
2|'0c' is no word|explain 0c
2|'1' is no word|explain 1
0|did you mean 'CpuVisible'|explain CPUVISIBLE
2|'99999999999' is no word|explain 99999999999
0|0x10E/0xB is a bug check|explain 0X10E/0xB
2|has no subcode 0x99|explain 0x10E/0x99
2|'0x7777/3' is no word|explain 0x7777/3
0|Attributes:|explain --verbose class
0|Written     set NAME=VALUE|explain set
0|is a statement|explain inject
0|one DMA buffer, or a present|explain statements
0|  count(|explain functions
0|A evicted  |explain expectations
0|  TdrLevel  |explain settings
0|  hang=N  |explain switches
2|`vidmm explain statements` lists|explain
0|did you mean 'placement'|explain placements
2|'a.3' is no interface version|flags --wddm=a.3
2|'1x3' is no interface version|flags --wddm=1x3
2|'1.x' is no interface version|flags --wddm=1.x
2|':.3' is no interface version|flags --wddm=:.3
2|'1.:' is no interface version|flags --wddm=1.:
2|'1.33' is no interface version|flags --wddm=1.33
2|did you mean 'DXGK_SEGMENTFLAGS'?|flags DXGK_SEGMENTFLAG
2|'DXGK_ALLOC' is none of DXGK_ALLOCATIONINFOFLAGS, |flags DXGK_ALLOC
2|vidmm flags|flags DXGK_SEGMENTFLAGS DXGK_TRANSFERFLAGS
0|"name":|flags --wddm=1.3 --format=jsonl
0|no rule is about it|flags --rules
0|vidmm 0.|-V
2|asks for it twice|run -q - -
0|vidmm simulates|help help
0|vidmm simulates|help --help
0|1 outcome as expected|a.vms
1|1 of 1 expectation failed|fails.vms
3|stdin:1:1: error: this is not a scenario|fmt --in-place -
0|segment vram id=1|fmt crooked.vms
3|nowhere.vms: No such file|fmt nowhere.vms
3|nowhere.vms: No such file|report nowhere.vms
0|at most|report a.vms b.vms
2|'memory=0' is no limit|run --limit=memory=0 a.vms
2|'a.vms' is no limit|run --limit=a.vms
2|'opps=3' is no limit|run --limit=opps=3 a.vms
2|'ops=many' is no limit|run --limit=ops=many a.vms
2|'time=3parsecs' is no limit|run --limit=time=3parsecs a.vms
2|'time=5' is no limit|run --limit=time=5 a.vms
2|'5' is no time|run --from=5 a.vms
0||run -q --from=0 --to=5ns a.vms
2|cost=500: a value from|make game cost=500
2|'x' is no seed|run --seed=x a.vms
2|'soon' is no time|run --from=soon a.vms
2|'3' is no width|run --width=3 a.vms
2|'wddm' has no value|run --set=wddm a.vms
2|a percentage is at most 100|run --set=pinned-percent=101 a.vms
2|strict=o: |run --set=strict=o a.vms
2|--check only looks|fmt --check --in-place a.vms
3|vidmm: /proc: Is a directory|run -o /proc a.vms
3|vidmm: /dev/full: No space left on device|run -o /dev/full a.vms
3|could not be written|run --calls --verbose -o /dev/full many.vms
2|'1000' is no width|run --width=1000 a.vms
2|'xx' is no width|run --width=xx a.vms
2|is no number of events|run --most-events=5000000000 a.vms
2|'0' is no number of processes|test -j0 a.vms
2|'x' is no number of processes|test -jx a.vms
2|'99999' is no number of processes|test -j99999 a.vms
2|'=1' gives no parameter a value|run -D =1 a.vms
2|'x' gives no parameter a value|run -D x a.vms
2|'x=' gives no parameter a value|run -D x= a.vms
2|'=1' names no setting|run --set==1 a.vms
2|no setting is named 'p'; there are|run --set=p=1 a.vms
2|possible: pcie3|run --set=profile=zz9 a.vms
0|1 outcome as expected|run -- a.vms
3|-x: No such file or directory; options stand before FILE|run -- -x
3|Is a directory; name its files: ./*.vms|run ./
3|stdin:1:1: error: this is not a scenario|run -o spare.txt -
2|'--profile' is no option; there are|rules --profile=1
2|more than|run $(yes -- --set=page=4K | head -n 400) a.vms
2|more than|run $(yes -- -Dx=1 | head -n 400) a.vms
0|m: warning: |run --color=always -q warns.vms
END
# ---- converting ----------------------------------------------------------------------------------

printf '"a","0","1","4096"\n"b",1,2,4096\n' >quoted.csv
long=a-name-of-more-than-forty-letters-for-one-life
printf 'id,lower,upper,size\na\033b,0,1,4096\n\na,1,9,8192\n%s,2,3,4096\n' $long >lives.csv
printf 'id,lower,upper,size\n' >none.csv
printf 'id,lower,upper,size\na,0,1,\n' >nosize.csv
printf 'id,lower,upper,size\na,0,1,5000T\n' >large.csv
printf 'id,lower,upper,size\na,0,1,0\n' >zero.csv
printf 'id,lower,upper,size\na\177b,0,1,100\n' >control.csv
awk 'BEGIN { print "id,lower,upper,size"
    for (i = 0; i < 1025; i++) print i ",0,1,4503599627370496" }' >huge.csv
sed -n 1,2p huge.csv >most.csv
awk 'BEGIN { for (i = 0; i < 1025; i++) print i "," i ",4503599627370496" }' >vast.csv
printf '1:a:4096\n2:b:4096\n3:a:4096\n' >colon.csv
printf 'a  1\n\tb\001 2\n' >tabs.csv
printf '\n  \n 5.25, x ,4096\n6,x,4096\n6,y,100\n' >spaces.csv
printf '\357\273\277vidmm-scenario 1\nsegment vram id=1 kind=memory size=64M\n' >marked.vms
printf 'id,lower,upper,size\n"a,0,1,4096\n' >open.csv
printf 'id,lower,upper,size\n,0,1,4096\n' >nameless.csv
printf 'id\tlower\tupper\tsize\na\t0\177x\t1\t4096\n' >tabbed.csv
printf 'id,lower,upper\n%s,0\n' "$(yes x | head -n 300 | tr -d '\n')" >wide.csv
yes a | head -n 300 | tr '\n' ',' >columns.csv
printf 'a-column-whose-name-has-more-than-forty-letters,id\n1,b\n' >header.csv
printf '1.5,a\n2.x,b\n' >times.csv
printf '1,a,100\n2,b,100\n3,a,200\n' >sizes.csv
mkdir elsewhere inside
cp lives.csv inside/
cp lives.csv 'cafÃ©.csv'
csv='--from=csv --columns=time=1,id=2,size=3'
plain='--from=csv --delimiter=: --explain'
lives=--columns=id=1,lower=2,upper=3,size=4
rows <<'END'
0|columns:|convert --from=minimalloc --explain lives.csv
0|no header|convert --from=minimalloc --explain $lives quoted.csv
3|it has no allocation|convert --from=minimalloc none.csv
3|the size is missing here|convert --from=minimalloc nosize.csv
3|large.csv:2:7:|convert --from=minimalloc large.csv
3|an allocation has 1 byte to 4 PiB|convert --from=minimalloc zero.csv
3|a capacity of allocations is a size|convert --from=minimalloc --capacity=3objects lives.csv
0|for all (--object-size)|convert --from=minimalloc --object-size=4K --explain lives.csv
0|no more were read (--limit)|convert --limit=2 --delimiter=: $csv --explain colon.csv
0|another character|convert --delimiter=: $csv --explain colon.csv
2|is no delimiter|convert --delimiter='"' colon.csv
2|is no delimiter|convert --delimiter=xy colon.csv
2|--object-size=5000T|convert --object-size=5000T lives.csv
2|--object-size=0|convert --object-size=0 lives.csv
2|--limit=0|convert --limit=0 lives.csv
2|--limit=5000T|convert --limit=5000T lives.csv
2|--limit=many|convert --limit=many lives.csv
2|--object-size=big|convert --object-size=big lives.csv
2|--capacity='16KB': sizes are multiples of 1024: write 16K|convert --capacity=16KB lives.csv
2|--capacity='%'|convert --capacity=% lives.csv
3|it has no allocation|convert --from=minimalloc --explain none.csv
3|its allocations are too large|convert --from=minimalloc huge.csv
3|its allocations are too large|convert --from=minimalloc --unit=4K most.csv
3|its objects are too large|convert $csv vast.csv
0|as many objects as wanted|convert --capacity=2objects --columns=id=2 $plain colon.csv
0|object a?b, size|convert --unit=4K --from=csv --columns=id=1,size=4 --explain control.csv
0|id a?b, 0 to 1|convert --from=minimalloc --explain control.csv
0|requests: 3|convert --limit=1000 --delimiter=: $csv --explain colon.csv
3|column|convert --from=csv --columns=id=0 lives.csv
3|column|convert --from=csv --columns=id=999 lives.csv
2|write id=N with the number|convert --from=csv --columns=id= lives.csv
0|vidmm-scenario 1|convert --to=vms a.vmb
0|vidmm-scenario 1|convert --to=vms a.vms
0|segment vram|convert --to=vms marked.vms
0||convert --to=vmb a.vmb -o b.vmb
3|neither a scenario nor a binary twin|convert --from=vms lives.csv
3|elsewhere|convert elsewhere
3|vidmm|convert nowhere.csv
0||convert --from=csv --explain spaces.csv
0|input:    lives.csv, |convert --from=minimalloc --explain inside/lives.csv
0|caf|convert --from=minimalloc --explain caf*.csv
0|lives:    1, |convert --from=minimalloc --limit=1 --explain lives.csv
3|open.csv:2|convert --from=minimalloc open.csv
3|the id is missing here|convert --from=minimalloc nameless.csv
3|tabbed.csv:2|convert --from=minimalloc tabbed.csv
3|wide.csv|convert --from=minimalloc wide.csv
3|columns|convert --from=csv --delimiter=, columns.csv
0||convert --from=csv --columns=id=2 --header=yes --explain header.csv
3|times.csv:2:1|convert --from=csv --columns=time=1,id=2 times.csv
3|--object-size=SIZE|convert --capacity=2objects --from=csv --columns=time=1,id=2,size=3 sizes.csv
0||convert --capacity=2objects --object-size=4K $csv --explain sizes.csv
0|vidmm-scenario 1|convert a.vmb
3||convert --to=vmb --from=minimalloc none.csv -o none.vmb
0||convert --to=vmb --from=minimalloc lives.csv -o lives.vmb
0||convert --from=csv --columns=id=1,size=2 --explain tabs.csv
END

# ---- comparing -----------------------------------------------------------------------------------

cp a.vms 'a,"1_".vms'
printf 'vidmm-scenario 1\nsegment vram id=1 kind=memory size=16M\n' >idle.vms
echo 'create a size=4K segments=vram' >>idle.vms
cp fails.vms twice.vms
echo 'expect free(vram) == 2' >>twice.vms
rows <<'END'
0|wddm|compare --policies=wddm --policies=lru -j1 a.vms
1|lru|compare --policies=wddm,lru -j1 a.vms fails.vms
0|a.vms|compare --policies=wddm,lru -j1 a.vms b.vms
0|"a,""1_"".vms"|compare --policies=wddm --format=csv -j1 'a,"1_".vms'
0|## a,"1\_".vms|compare --policies=wddm --format=md -j1 'a,"1_".vms'
2|--plot writes SVG|compare --plot=x.png --policies=wddm a.vms
2|contradicts --policies|compare --policies=wddm --set=eviction=lru a.vms
0|wddm|compare --policies=wddm --set=profile=unit -j1 a.vms
0|wddm|compare --policies=wddm -j1 "$scenarios/rules/SEG-035.vms" "$scenarios/rules/FLAG-007.vms"
5|wddm|compare --policies=wddm -j1 stops.vms
3|wrong.vms:1:1: this is not a scenario|compare --policies=wddm -j1 wrong.vms
4|limit|compare --policies=wddm --limit=ops=1 -j1 a.vms
0|svg|compare --policies=wddm --plot=- -j1 a.vms
0||compare --policies=wddm --plot=x.svg -j1 a.vms
0|no references|compare --policies=wddm --plot=- -j1 idle.vms
3|"small">error<|compare --policies=wddm --plot=- -j1 wrong.vms
3|nowhere/x.svg|compare --policies=wddm --plot=nowhere/x.svg -j1 wrong.vms
3|this is not a scenario|compare --policies=wddm,lru -j1 wrong.vms
0|wddm|compare --policies=wddm -j1 warns.vms
1|wddm|compare --policies=wddm -j1 twice.vms
0|wddm|compare --policies=wddm --set=TdrDelay=3s -j1 a.vms
END

# ---- recording and comparing decisions -----------------------------------------------------------

"$vidmm" run --record=a.log a.vms >out
"$vidmm" run --format=jsonl a.vms >a.jsonl
sed 's/"offset":0,/"offset":4096,/' a.jsonl >moved.jsonl
: >empty.log
printf '# a comment\n' >comment.log
printf '{"type":"vidmm_events","vidmm_events":2}\nno JSON\n' >half.jsonl
{
    head -n 1 half.jsonl
    printf '{"type":{}}\n{type}\n{}\n{"type":"event","event":"place","text":"\\u00'
} >odd.jsonl
cat >tested.vms <<'END'
vidmm-scenario 1
segment vram id=1 kind=memory size=16M
golden
test "one"
  create a size=4K segments=vram
  page-in a
end
test "two"
  create b size=4K segments=vram
  page-in b
end
END
sed '/^golden/d' tested.vms >untested.vms
printf 'vidmm-scenario 1\nsegment vram id=1 kind=memory size=16M\n' | tee divides.vms >second.vms
printf 'create a size=4K\nrepeat 2 as i\n  expect $i == 1\nend\n' >>second.vms
printf 'create a size=4K\ncreate b size=4K/used(vram)\n' >>divides.vms
cat >several.vms <<'END'
vidmm-scenario 1
segment vram id=1 kind=memory size=16M
create a size=4K segments=vram
page-in a
reset pnp-stop
reset pnp-start
create b size=4K segments=vram
END
cat >param.vms <<'END'
vidmm-scenario 1
lesson "Größe"
param rounds = 1
segment vram id=1 kind=memory size=16M
note "There are $rounds rounds."
repeat $rounds
  note "One."
  note "Two."
  create a size=4K segments=vram
  destroy a
end
END
printf 'vidmm-scenario 1\ninclude "nothing.inc"\n' >lacks.vms
printf 'vidmm-scenario 1\n\n\nexpect findings == 0\n' >begun.inc
printf 'vidmm-scenario 1\ninclude "begun.inc"\nsegment s id=1 kind=memory size=1M\n' >late.vms
cat >pins.vms <<'END'
vidmm-scenario 1
segment vram id=1 kind=memory size=16M flags=CpuVisible
segment aper id=2 kind=aperture size=16M
create p primary size=4K segments=vram prefer=vram
create q primary size=4K segments=vram prefer=vram
display p
display q
submit f write=p
END
sed '/two/,$d' tested.vms >less.vms
printf 'vidmm-decisions 1\nkinds place,evict\n' | tee lines.log nameless.log other.log |
    tee bare.log short.log six.log seven.log >unknown.log
for i in 1 2 3 4 5 6; do echo "place $i"; done | tee -a six.log >>seven.log
echo 'place 7' >>seven.log
echo 'place' >>short.log
echo 'a-word-that-has-more-letters-than-the-longest-name-of-an-event x' >>unknown.log
printf '> 3: one\nplace a\n> 4: two\nplace b offset=0\n' >>lines.log
printf '> one\nplace a\n> two\nplace b offset=0\n' >>nameless.log
printf '> one\nplace a\n> two\nplace c\nplace b offset=4K\n' >>other.log
{ head -n 1 half.jsonl && echo; } >blank.log
{ cat a.jsonl && echo '{"type":"test_end"}' && tail -n 3 a.jsonl; } >ended.jsonl
"$vidmm" run --format=jsonl --set=ddi-ns=1ms a.vms >slow.jsonl
"$vidmm" run --format=jsonl a.vms >quick.jsonl
cp tested.vms new
mkdir ab
cp tested.vms ab/a.vms
sed 's/"two"/"three"/' tested.vms >other.vms
rows <<'END'
0|no difference: 8 decisions|diff a.log a.vms
0|no difference: 8 decisions|diff a.log a.jsonl
0|no difference: 8 decisions|diff ./a.vms inside/../a.vms
0|golden|test --golden=goldens --update ./a.vms inside/../b.vms "$PWD/warns.vms"
0|3 passed|test --golden=goldens ./a.vms inside/../b.vms "$PWD/warns.vms"
3|vidmm|diff - a.log
3|nothing.inc|compare --policies=wddm -j1 lacks.vms
3|'segment' has to stand above line 4 of begun.inc, which starts the adapter|check late.vms
0|wddm|compare --policies=wddm -j1 "$scenarios/rules/LINK-006.vms"
0|wddm|compare --policies=wddm,wddm+wddm -j1 pins.vms
1|offset|diff a.jsonl moved.jsonl
1|"differ|diff --format=jsonl a.jsonl moved.jsonl
3|the log is empty|diff empty.log a.log
3|log|diff comment.log a.log
3|no object of JSON|diff half.jsonl a.log
3|odd.jsonl|diff odd.jsonl a.log
1|test|diff tested.vms less.vms
1|1 test only on the first side; 1 test only on the second side|diff tested.vms other.vms
1|at another time|diff a.vms --with=ddi-ns=1ms --with=strict=on --times
2|no event is named|run --record=r.log --record-kinds= a.vms
2|no event is named|diff --kinds= a.vms b.vms
3|wrong.vms|diff wrong.vms a.vms
3|wrong.vms|diff a.vms wrong.vms
4|stopped: 1 operation is the limit|diff --limit=ops=1 a.vms b.vms
0|no difference|diff a.vms --with=ddi-ns=1ms --with=strict=on
1|place a|diff lines.log other.log
1|statement|diff nameless.log other.log
1|"before"|diff --format=jsonl lines.log other.log
3|no object of JSON|diff blank.log a.log
1|nothing|diff bare.log lines.log
1|nothing|diff lines.log bare.log
1|subject|diff short.log seven.log
1|event|diff --kinds=place short.log seven.log
1|"before":["place 1","place 2"|diff --format=jsonl six.log seven.log
3|unknown.log|diff unknown.log six.log
0|no difference|diff ended.jsonl a.jsonl
1|at another time|diff --times slow.jsonl quick.jsonl
0|golden|test --update new
0|2 passed|test new
0|golden|test --golden=goldens --update ab/a.vms
0|2 passed|test --golden=goldens ab/a.vms
0||run --record=r.log --record-kinds=times a.vms
3|nowhere|diff nowhere.log a.vms
END

# ---- workloads, pages, pictures, traces ----------------------------------------------------------

rows <<'END'
2|near is at most view, and view at most places|make game near=2 view=9 places=3
2|frames|make game frames=99999999999
2|card|make game card=1
0|vidmm make game|make game frames=2
0|vidmm make llm|make llm
0||view --calls -o calls.html a.vms
0||view -o twin.html a.vmb
0||view -o warned.html warns.vms
1||view -o second.html second.vms
3||view -o divides.html divides.vms
4||view --limit=ops=2 -o limited.html a.vms
1||view -o failed.html fails.vms
0||view --with=placement=best-fit -o tested.html untested.vms
1||view --with=placement=best-fit -o plain.html several.vms
3|wrong.vms|trace -o wrong.pftrace wrong.vms
2|--from does nothing with --format=jsonl|run --format=jsonl --from=1us a.vms
0|"end":"param.vms"|run --format=jsonl param.vms
0|Größe|run param.vms
0|left out; --verbose tells|run -D rounds=3 param.vms
5||view -o stopped.html stops.vms
0||view --with=placement=best-fit -o two.html a.vms
0||run --format=html -o early.html "$scenarios/drivers/early-fence.vms"
0||run --format=html -o shares.html "$scenarios/rules/LINK-006.vms"
0||run --format=html --most-events=40 -o short.html a.vms
2|--from is later than --to|run --from=2s --to=1s a.vms
0||run --format=svg -o a.svg a.vms
5||run --format=svg -o stopped.svg stops.vms
0||run --format=svg --from=1us --to=20us -o part.svg a.vms
0||run --format=svg --from=900s --to=901s -o after.svg a.vms
0||trace -o a.pftrace a.vms
0||trace --most-events=3 -o few.pftrace a.vms
0||run --format=html --most-events=3 -o few.html a.vms
0||run --format=svg --most-events=3 -o few.svg a.vms
END

# ---- tests ---------------------------------------------------------------------------------------

mkdir hollow 'odd[1]' links
deep=deep
for i in $(seq 70); do deep=$deep/d; done
mkdir -p $deep
cp a.vms $deep/a.vms
cp a.vms more.inc fails.vms 'odd[1]'
echo '- fails.vms *' >'odd[1]/known-failures.txt'
ln -s nowhere.vms links/lost.vms
ln -s ../hollow links/hollow.vms
ln -s ../a.vms links/a.vms
printf 'vidmm-scenario 1\nparam rounds = 1\nparam more = 2\n' >params.vms
echo 'segment vram id=1 kind=memory size=16M' >>params.vms
awk 'BEGIN { print "vidmm-scenario 1\nsegment vram id=1 kind=memory size=16M"
    for (i = 1; i < 10; i++) print "test \"test" i "\"\n  create a size=4K segments=vram\nend" }' \
    >crowd.vms
{ sed '/^golden/d' tested.vms && echo 'expect free(vram) == 1'; } >tested-fails.vms
sed 's/golden/tags x,y\n&/' tested.vms >tagged.vms
rows <<'END'
3|this is not a scenario|test --list wrong.vms a.vms
0|a.vms:1:|test --list a.vms
0|tagged.vms:|test --list tagged.vms
2|no parameter is named 'early'|test -D early=1 wrong.vms
2|no parameter is named 'none'|test -D none=1 a.vms
2|no parameter is named 'none'|test -D none=1 param.vms params.vms
2|did you mean|run --only=test0 crowd.vms
1||run --only=one tested-fails.vms
3|no file ends in .vms in this folder|test hollow
3|no file ends in .vms in this folder|test --list hollow
3|too many folders in each other|test deep
0|1 passed|test 'odd[1]/a.vms'
0|1 passed, 0 failed, 1 skipped|test --known='odd[1]/known-failures.txt' 'odd[1]'
3|lost.vms|test links
3|vidmm|test ''
2|names no file|test --report=junit a.vms
2|names no file|test --report=junit: a.vms
2|reports|test $(printf -- '--report=tap:%s ' 1 2 3 4 5 6 7 8 9) a.vms
2|has more than|test --seed=1..99999999999 a.vms
2|is no list of tags|test --tags=a,,b a.vms
2|is no list of tags|test --tags=a,- a.vms
2|is no list of tags|test --tags='a b' a.vms
3|/dev/full|test --report=junit:/dev/full a.vms
1|golden|test tagged.vms
0|not compared: with --seed or -D|test --seed=1 tagged.vms
0|2 goldens not compared|test --seed=1 tagged.vms tested.vms
1|kind: expectation|test --format=tap fails.vms
5|kind: bugcheck|test --format=tap stops.vms
3|kind: input|test --format=tap wrong.vms
4|kind: limit|test --limit=ops=1 --format=tap a.vms
END

finish
