#!/bin/sh
# SPDX-License-Identifier: MIT
# cli.sh PROGRAM [MUTANT]: the program as a person meets it in a shell: exit codes, the split
# between stdout and stderr, help, colours, formats, files. MUTANT breaks a promise on request.
. "$(dirname "$0")/cli_lib.sh"
mutant=${2:-}

# ---- scenarios ---------------------------------------------------------------------------------

cat >good.vms <<'END'
vidmm-scenario 1
lesson "One texture"
adapter wddm=1.1
segment vram id=1 kind=memory   size=64M
segment aper id=2 kind=aperture size=32M

note "It is placed"
note "when it is used."
create grass size=24M segments=vram evict-to=aper content=1
submit frame1 read=grass
wait frame1
expect grass in vram at 0
ask "How large is it?" = size(grass)
show map vram
show alloc grass
show queue
show counters
show counters bytes_mdl_to_mem,evictions
END
sed 's/at 0$/at 4M/' good.vms >wrong.vms
sed 's/^create grass/creat grass/' good.vms >typo.vms
write_stop stop.vms
cat >tests.vms <<'END'
vidmm-scenario 1
segment vram id=1 kind=memory size=64M
test "first one"
  create a size=1M segments=vram
end
test "second one"
  create b size=1M segments=vram
  expect b in system
end
END

# ---- help and the command line -----------------------------------------------------------------

run 0 --help
has out 'Usage: vidmm FILE...'
has out 'Exit codes:'
empty err
cp out help
run 0 help
same out help
run 0 -h
run 0 --usage
same out help
run 0 --version
has out 'vidmm 0.'
run 2
has err 'Usage: vidmm'
empty out
run 2 rnu
has err "did you mean 'run'?"
run 2 completely-different
has err 'is no command and no file'
lacks err 'did you mean'
run 2 --bogus
has err 'bogus'
run 2 run --hlep good.vms
has err "'--hlep' is no option; did you mean '--help'?"
for command in run check fmt explain flags rules; do
    run 0 "$command" --help
    has out "Usage: vidmm $command"
    empty err
    run 0 help "$command"
    has out "Usage: vidmm $command"
    run 2 "$command" --bogus
    has err "vidmm $command"
    empty out
done
# argp ends a text that fills its line with a line of blanks.
run 0 help
sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' out >commands
for command in run compare manual help; do
    if grep -qx "$command" commands; then good; else complain "help lists no $command"; fi
done
while read -r command; do
    run 0 "$command" --help
    if grep -q ' $' out; then complain "vidmm $command --help: a line ends in blanks"; else good; fi
done <commands
run 2 help nothing
for command in run check fmt explain; do
    run 2 "$command"
    has err 'missing'
done
run 2 run --format=xml good.vms
has err "'xml' is no format"
run 2 run --color=blue good.vms
has err "'blue' is no choice of colour"
run 2 run --set=wdm=2.0 good.vms
has err "did you mean 'wddm'?"
run 2 run --set=foo=1 good.vms
has err 'there are wddm, page,'
lacks err 'did you mean'
run 2 run --set=wddm=9.9 good.vms
has err '2.0 to 2.7'
lacks err 'good.vms'
run 2 run --set=strict=maybe good.vms
has err 'off|on'

# ---- run ---------------------------------------------------------------------------------------

run 0 run good.vms
empty err
has out 'One texture'
has out 'It is placed when it is used.'
has out '> create grass size=24M'
has out '0.500 us  grass was placed in vram at 0 (bottom-up, first fit)'
has out 'ok  expect grass in vram at 0'
has out 'Question: How large is it?'
has out 'Answer: 24 MiB'
has out '    g  grass        0x0000000 to 0x1800000  24 MiB'
has out '    .  free         0x1800000 to 0x4000000  40 MiB'
has out 'good.vms: 1 expectation held, 3 operations'
has out '  evictions                                0  evictions of any cause'
has out 'more counters are not 0: the statement `show counters` lists them'
lacks out ' answered STATUS'
lacks out 'PLACE-'
if LC_ALL=C grep -q "[^ -~]" out; then complain 'more than ASCII in a file'; else good; fi
if awk 'length > 80 { exit 1 }' out; then good; else complain 'more than 80 columns'; fi
cp out story
run 0 good.vms
same out story
run 0 run --why good.vms
has out 'PLACE-007 Default direction is bottom-up [documented]'
has out '[our choice]'
run 0 --why good.vms
has out 'PLACE-007'
run 0 run --calls good.vms
has out 'DxgkDdiBuildPagingBuffer answered STATUS_SUCCESS'
has out 'SegmentId=1 (vram)'
# An argument and its value, a number and its unit stay together.
run 0 run "$here"/../../scenarios/rules/TDR-019.vms
has out 'a live dump 0x142 is recorded: process bad may no longer use the'
has out 'device other is in error: its process may no longer use the GPU'
run 0 run --calls "$here"/../../scenarios/lessons/03-no-room.vms
has out '(TransferStart,TransferEnd)'
if grep -qE '[a-z]=$|^ *([KMG]iB|bytes|us)([ ,]|$)' out; then complain 'torn apart'; else good; fi
run 0 run --verbose good.vms
has out 'vram was tried for grass between 0 and 64 MiB, bottom-up: there'
has out 'the miniport reported fence 1'
run 0 run --from=1us --to=7us good.vms
has out 'a paging buffer (fence 1) was submitted'

# A packet keeps its name when it comes back with another number.
cat >again.vms <<'EOF'
vidmm-scenario 1
adapter wddm=1.2
segment vram id=1 kind=memory size=64M
submit first cost=20ms
submit second cost=1ms
preempt render
wait idle
EOF
run 0 run --width=120 again.vms
has out 'second (fence 4) was submitted to node 0 again, before with fence 2'
has out 'node 0 finished second (fence 4)'
lacks out 'was placed in vram'
lacks out 'arrived'
run 0 run --quiet good.vms
if [ "$(wc -l <out)" -eq 1 ]; then good; else complain 'more than one line when quiet'; fi
run 0 run --width=60 good.vms
if grep ' us  ' out | awk 'length > 60 { exit 1 }'; then good; else complain 'width 60'; fi
run 0 run good.vms good.vms
if [ "$(grep -c '1 expectation held' out)" -eq 2 ]; then good; else complain 'two files'; fi
run 0 run --only='second' tests.vms
has out 'Test "second one" passed'
lacks out 'first one'
run 2 run --only=nosuch tests.vms
has err "no test has a name that contains 'nosuch'; there are 'first one', 'second one'"
run 2 run --only=secnd tests.vms
has err "did you mean 'second one'?"
run 2 run --only=nosuch good.vms
has err 'there are no tests'
run 3 run --only=nosuch typo.vms
lacks err 'no test has a name'
printf 'vidmm-scenario 1\ntest "secnd %0150d"\nend\n' 0 >near.vms
run 2 run --only=secund near.vms
has err "there is 'secnd 000"
{
    echo 'vidmm-scenario 1'
    for i in 1 2 3 4 5 6 7; do printf 'test "%s%0100d"\nend\n' "$i" 0; done
} >long.vms
run 2 run --only=nosuch long.vms
has err "00', '20"
has err "00' ..."
lacks err "'30"
run 0 run --only=second good.vms tests.vms
# What was written before stays.
echo before >kept
cp kept wanted
for command in 'run -o' 'run --format=html -o' 'trace -o' 'run --record'; do
    # shellcheck disable=SC2086 # words are meant
    run 2 $command kept --only=nosuch tests.vms
    same kept wanted
done
run 0 run --check --seed=7 --set=profile=unit --limit=ops=100 good.vms
for number in 24M 25165824 0x1800000 '24 MiB'; do
    printf '%s\n' "$number" >answer
    what="quiz answered with $number"
    "$vidmm" run --quiz good.vms >out 2>err <answer || complain "$what"
    has out 'Right: 24 MiB'
done
what='quiz answered wrongly'
printf '23M\n22M\n' | "$vidmm" run --quiz good.vms >out 2>err || complain "$what"
has out 'No, the answer is 24 MiB'
has out 'Quiz: 0 of 1 answers were right'
what='quiz answered with a word'
printf 'what\n24M\n' | "$vidmm" run --quiz good.vms >out 2>err || complain "$what"
has out 'A number is asked for'
has out 'Quiz: 1 of 1 answers were right'
run 0 run --quiz good.vms
has out 'The answer is 24 MiB'

what='a scenario from stdin'
"$vidmm" run - <good.vms >out 2>err || complain "$what"
has out 'stdin: 1 expectation held'
what='bare - is stdin'
"$vidmm" - <good.vms >out 2>err || complain "$what"
has out 'stdin: 1 expectation held'

# ---- failures ----------------------------------------------------------------------------------

run 1 run wrong.vms
has err 'wrong.vms:12:1: failed: grass in vram at 4M'
has out '1 of 1 expectation failed'
lacks out 'ok  expect'
run 1 run -q good.vms wrong.vms
sed '$a\create huge size=1M segments=vram -> fails' good.vms >ended.vms
run 1 run ended.vms
has out '1 expectation held, 1 statement did not end as expected, 4 operations'
run 3 run typo.vms
has err "typo.vms:9:1: error: 'creat' is no"
has err "did you mean 'create'?"
has err '^^^^^'
empty out
run 3 run nowhere.vms
has err 'vidmm: nowhere.vms: No such file or directory'
run 3 nowhere.vms
mkdir folder
run 3 run folder
has err 'vidmm: folder: Is a directory'
: >nothing.vms
run 3 run nothing.vms
head -c 3000 /dev/urandom >random.vms
run 3 run random.vms
run 3 run typo.vms good.vms
has out 'good.vms: 1 expectation held'
run 4 run --limit=ops=1 good.vms
has err 'stopped'
has out 'stopped by a limit'
run 0 run --help
has out 'findings=fatal'
has out 'Exit codes:'
run 0 run -q "$here/../../scenarios/rules/MINI-025.vms"
has out ', 5 findings'
run 5 run stop.vms
has out 'bug check 0x119'
has out 'stopped by bug check 0x119, which was not expected'
if [ -c /dev/zero ]; then
    run 3 run /dev/zero
    has err 'File too large'
fi
if [ -c /dev/full ]; then
    what='a full disk'
    code=0
    "$vidmm" run good.vms >/dev/full 2>err || code=$?
    : >out
    if [ "$code" -eq 3 ]; then good; else complain "$what: exit $code"; fi
    has err 'the output could not be written'
    for words in --help 'help run' 'run --help' 'explain PLACE' rules 'check good.vms'; do
        what="a full disk: $words"
        code=0
        # shellcheck disable=SC2086 # words are meant
        "$vidmm" $words >/dev/full 2>err || code=$?
        if [ "$code" -eq 3 ]; then good; else complain "$what: exit $code"; fi
    done
    # What ended worse ends so.
    code=0
    "$vidmm" run stop.vms >/dev/full 2>err || code=$?
    if [ "$code" -eq 5 ]; then good; else complain "a bug check and a full disk: exit $code"; fi
fi

# A promise that vidmm breaks is written down for a report; here, one that the test plants.
if [ -n "$mutant" ]; then
    write_broken broken.vms
    what='a broken promise'
    code=0
    VIDMM_BREAKS=LOCK-057 "$mutant" run -q broken.vms >out 2>err || code=$?
    if [ "$code" -eq 70 ]; then good; else complain "$what: exit $code"; fi
    has err 'vidmm broke its own promise'
    has err 'The scenario was written to vidmm-repro-1.vms.'
    what='the scenario for the report'
    "$vidmm" check vidmm-repro-1.vms >out 2>err || complain "$what"
    if sed -n 2p vidmm-repro-1.vms | grep -qxF '# vidmm run -q vidmm-repro-1.vms'; then good
    else complain "$what: no command"; fi
    has vidmm-repro-1.vms '# Files that it includes are not part of this copy.'
    what='a broken promise, in JSON'
    code=0
    # The file is named from the root, and others are beside it.
    VIDMM_BREAKS=LOCK-057 "$mutant" run --format=jsonl --seed 7 --set checked=off good.vms \
        "$PWD/broken.vms" wrong.vms >out 2>err || code=$?
    if [ "$code" -eq 70 ]; then good; else complain "$what: exit $code"; fi
    tail -n 2 out >last
    has last '"stopped":"vidmm broke a promise of its own","file":"'
    has last 'broken.vms","exit":70}'
    tail -n 10000 out >end
    json_lines end
    wanted='# vidmm run --format=jsonl --seed 7 --set checked=off vidmm-repro-2.vms'
    if sed -n 2p vidmm-repro-2.vms | grep -qxF "$wanted"; then good
    else complain "$what: no command"; fi
    lacks vidmm-repro-2.vms "$PWD"
    what='a broken promise, in a binary twin'
    "$vidmm" convert broken.vms -o broken.vmb
    VIDMM_BREAKS=LOCK-057 "$mutant" run -q broken.vmb >out 2>err || code=$?
    has vidmm-repro-3.vms 'unlock x'
    has vidmm-repro-3.vms '# vidmm run -q vidmm-repro-3.vms'
    what='a broken invariant'
    code=0
    VIDMM_BREAKS=all "$mutant" run good.vms >out 2>err || code=$?
    if [ "$code" -eq 70 ]; then good; else complain "$what: exit $code"; fi
    # Where depends on the build: one with all checks looks after every step.
    has err ":1: stopped: an invariant of vidmm itself is broken: nothing holds any more"
    has err 'The scenario was written to vidmm-repro-4.vms.'
    what='a broken promise, and no name for it is left'
    for i in $(seq 99); do echo old >"vidmm-repro-$i.vms"; done
    code=0
    VIDMM_BREAKS=LOCK-057 "$mutant" run -q broken.vms >out 2>err || code=$?
    if [ "$code" -eq 70 ]; then good; else complain "$what: exit $code"; fi
    has err 'a reproducing scenario could not be written: File exists'
fi

# ---- JSON lines --------------------------------------------------------------------------------

run 0 run --format=jsonl good.vms
empty err
cp out events
header='{"type":"vidmm_events","vidmm_events":2}'
if [ "$(head -n 1 out)" = "$header" ]; then good; else complain 'first line of JSON'; fi
has out '"event":"place","rule":"PLACE-007"'
has out '"segment":1,"segment_name":"vram"'
has out '"lesson":"One texture"'
has out '"spans":[{"offset":0,"bytes":25165824,"what":"allocation","label":"grass"}'
has out '"residency":"resident"'
has out '"end":"good.vms","exit":0'
what='JSON lines are JSON'
json_lines events
what='the check of JSON can fail'
if echo '{"a":[1,2],"a":3}' | awk -f "$here/json.awk" >out; then complain "$what"; else good; fi
run 0 run --format=jsonl good.vms
same out events
has out '"expect":"grass in vram at 0","file":"good.vms","line":12,"held":true}'
run 1 run --format=jsonl wrong.vms
has out '"held":false,"why":"grass is in vram at 0'
has out '"end":"wrong.vms","exit":1'
run 1 run --format=jsonl ended.vms
has out '"unexpected":"create huge size=1M segments=vram -> fails"'
has out '"file":"ended.vms","line":19,"why"'
run 3 run --format=jsonl typo.vms nowhere.vms
has out '"file":"typo.vms","line":9,"column":1,"help":'
has out '"end":"typo.vms","exit":3}'
has out '"file":"nowhere.vms"}'
has out '"end":"nowhere.vms","exit":3}'
what='JSON lines of errors are JSON'
json_lines out
run 5 run --format=jsonl stop.vms
has out '"bugcheck":281,'
# Several tests are several adapters, several files too.
run 0 run --format=jsonl tests.vms good.vms "$here"/../../scenarios/lessons/*.vms
cp out events
what='JSON lines of many adapters are JSON'
json_lines events
run 0 run --why --calls --verbose tests.vms good.vms "$here"/../../scenarios/lessons/*.vms
has out 'Test "first one" passed'

# ---- colours -----------------------------------------------------------------------------------

escape=$(printf '\033')
run 0 run good.vms
lacks out "$escape"
run 0 run --color=always good.vms
has out "$escape"
run 0 run --color=never good.vms
lacks out "$escape"
run 3 run --color=always typo.vms
has err "$escape"

# A terminal decides for itself.
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    on_terminal() {
        what="on a terminal: $*"
        script -qec "$*" /dev/null >out 2>err </dev/null || complain "$what"
    }
    on_terminal env TERM=xterm "$vidmm" run good.vms
    has out "$escape"
    on_terminal env TERM=xterm NO_COLOR=1 "$vidmm" run good.vms
    lacks out "$escape"
    on_terminal env TERM=xterm NO_COLOR= "$vidmm" run good.vms
    has out "$escape"
    on_terminal env TERM=dumb "$vidmm" run good.vms
    lacks out "$escape"
    on_terminal env TERM=xterm LC_ALL=C.UTF-8 "$vidmm" run --color=never good.vms
    has out "$(printf '\302\267\302\267\302\267')"
    on_terminal env TERM=xterm LC_ALL=C.UTF-8 "$vidmm" run --ascii --color=never good.vms
    has out '...|'
    on_terminal env TERM=xterm COLUMNS=120 "$vidmm" run --ascii --color=never good.vms
    if awk 'length > 110 { long = 1 } END { exit !long }' out; then good; else complain "$what"; fi
    # Its own width counts where COLUMNS says nothing of use, and 80 where it has none.
    for columns in 20 500 ''; do
        on_terminal env TERM=xterm COLUMNS=$columns "$vidmm" run --ascii --color=never good.vms
        if awk 'length > 82 { exit 1 }' out; then good; else complain "$what: wide"; fi
    done
    for columns in 120 900; do
        on_terminal "stty cols $columns; TERM=xterm $vidmm run --ascii --color=never good.vms"
        if awk -v most=$columns 'length > 110 { long = 1 } length > most + 2 { exit }
                END { exit !long }' out; then good; else complain "$what"; fi
    done
    # How far the tests have come is said while they run, and taken away after.
    long=a-scenario-whose-name-is-longer-than-forty-letters.vms
    cp good.vms $long
    on_terminal env TERM=xterm "$vidmm" test -j1 good.vms $long tests.vms
    has out '1 of 3, 0 failed'
    has out "$escape[K"
    has out '4 passed, 0 failed'
fi

# ---- check and fmt -----------------------------------------------------------------------------

run 0 check good.vms tests.vms
has out 'good.vms: no errors'
run 0 check -q good.vms
empty out
run 3 check typo.vms good.vms
has err "did you mean 'create'?"
has out 'good.vms: no errors'
run 0 fmt good.vms
cp out once.vms
run 0 fmt once.vms
same out once.vms
run 0 fmt --check once.vms
empty out
printf 'vidmm-scenario 1\nsegment   vram id=1   kind=memory size=64M\n' >crooked.vms
cp crooked.vms before.vms
run 1 fmt --check crooked.vms
has out 'crooked.vms: not in canonical layout'
same crooked.vms before.vms
chmod 640 crooked.vms
run 0 fmt -i crooked.vms
empty out
has crooked.vms 'segment vram id=1 kind=memory size=64M'
case $(ls -l crooked.vms) in -rw-r-----*) good ;; *) complain 'fmt -i changes the mode' ;; esac
run 0 fmt --check crooked.vms
run 3 fmt -i typo.vms
has typo.vms 'creat grass'
if ls ./*.new >/dev/null 2>&1; then complain 'fmt leaves files behind'; else good; fi

# ---- report -------------------------------------------------------------------------------------

run 0 report good.vms
has out 'at most 4 GiB'
run 0 report --format=jsonl good.vms
has out '"dedicated_video":67108864,"dedicated_system":0'
has out '"shared":33554432,"total":100663296'
run 0 report tests.vms
run 3 report typo.vms
run 2 report
run 2 report --format=xml good.vms

# ---- findings are counted, with or without a listener --------------------------------------------

cat >odd.vms <<'END'
vidmm-scenario 1
adapter wddm=1.1
segment a id=1 kind=memory size=4M
create p size=1M segments=a content=1
submit f read=p,p
wait idle
END
run 0 run odd.vms
has out '0 expectations held, 3 operations, 1 finding'
run 0 run --format=jsonl odd.vms
has out '"findings":1'
run 5 run --set=findings=fatal odd.vms
has out 'stopped by a finding (findings=fatal)'
lacks err 'bug check 0x0'
run 5 run --set=findings=fatal --format=jsonl odd.vms
has out '"bugcheck":0'

finish
