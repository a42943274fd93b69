#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_test.sh VIDMM MUTANT: `vidmm test`: choice, order, verdicts, reports, crashes, Ctrl-C.
# shellcheck source=tests/tools/cli_lib.sh
. "$(dirname "$0")/cli_lib.sh"
mutant=$2

# scenario FILE: the first line, two segments, and the lines of stdin.
scenario() {
    {
        echo 'vidmm-scenario 1'
        echo 'segment vram id=1 kind=memory size=16M flags=CpuVisible'
        echo 'segment aper id=2 kind=aperture size=16M'
        cat
    } >"$1"
}

last_is() {
    tail -n 1 out >last
    if [ "$(cat last)" = "$1" ]; then good; else complain "$what: the last line is not '$1'"; fi
}

counts() {
    number=$(grep -c -e "$2" "$1")
    if [ "$number" -eq "$3" ]; then good; else complain "$what: $number times '$2', not $3"; fi
}

mkdir -p suite/b suite/.hidden
scenario suite/b/good.vms <<'END'
tags slow
param n = 2
create a size=1M segments=vram
test "one" tags=flip
  page-in a
  expect a in vram at 0
  expect $n == 2
end
test "two # of all"
  expect live() == 1
end
END
scenario suite/bad.vms <<'END'
create a size=1M segments=vram
test "fine"
  expect a evicted
end
test "wrong <&' place"
  page-in a
  expect a in vram at 1M
end
END
scenario suite/plain.vms <<'END'
create a size=1M segments=vram
expect a evicted
END
printf 'vidmm-scenario 1\nsegment vram id=1 kind=memory size=16M\n' >suite/adapter.vms
cp suite/bad.vms suite/.hidden/x.vms
mkfifo suite/endless.vms
cp suite/bad.vms suite/vidmm-repro-1.vms
cp suite/bad.vms suite/notes.txt

# ---- what is found, and in which order ---------------------------------------------------------

run 0 test --list suite
cat >wanted <<'END'
suite/adapter.vms:1:  (nothing runs in it)
suite/b/good.vms:7: one  tags=slow,flip
suite/b/good.vms:12: two # of all  tags=slow
  param n = 2
suite/bad.vms:5: fine
suite/bad.vms:8: wrong <&' place
suite/plain.vms:1:
END
same out wanted
run 0 test suite/b suite/plain.vms
last_is '3 passed, 0 failed, 0 skipped'
counts out . 1
empty err
run 0 test -v suite/plain.vms suite/b/ suite/adapter.vms
cat >wanted <<'END'
passed suite/plain.vms
passed suite/b/good.vms: one
passed suite/b/good.vms: two # of all
skipped suite/adapter.vms (nothing runs in it)

skipped: 1 nothing runs in it
3 passed, 0 failed, 1 skipped
END
same out wanted
run 1 test -j 1 suite
mv out one
run 1 test -j 2 suite
same one out
run 3 test suite/b nowhere
has out 'nowhere: No such file or directory'
last_is '2 passed, 1 failed, 0 skipped'
mkdir nothing
run 3 test nothing suite/b
has err 'nothing: no file ends in .vms'
last_is '2 passed, 0 failed, 0 skipped'
run 0 test suite/b suite/b/good.vms ./suite/b suite/b
last_is '2 passed, 0 failed, 0 skipped'
run 3 test nothing
run 2 test
has err 'a file or folder is missing'

# ---- failures ------------------------------------------------------------------------------------

run 1 test suite/bad.vms
has out "FAILED suite/bad.vms: wrong <&' place"
has out 'suite/bad.vms:10:3: failed: a in vram at 1M'
has out 'a is in vram at 0'
has out "again: vidmm run --only='wrong <&'\\'' place' suite/bad.vms"
run 1 test --seed=1..20 -D n=2 --set=strict=on suite
has out 'in all 20 seeds'
has out 'again: vidmm run -D n=2 --set=strict=on --seed=1 --only='
counts out 'suite/bad.vms:10:3: failed' 1
has out 'failing seeds: all 20'
has out 'skipped: 20 nothing runs in it'
last_is '80 passed, 20 failed, 20 skipped'
run 1 test --limit=work=9M --limit=ops=2K suite/bad.vms
has out 'again: vidmm run --limit=work=9M --limit=ops=2K --only='
scenario seeds.vms <<'END'
test "now and then"
  let n = rand(0..1)
  expect $n == 0
end
END
run 1 test --seed=1..20 seeds.vms
counts out 'seeds.vms:6:3: failed' 1
seeds=$(sed -n 's/^failing seeds: \(.*\) (.* of 20)$/\1/p' out)
has out "of 20 seeds: $(echo "$seeds" | cut -d, -f1-4)"
wrong=0
for seed in $(echo "$seeds" | tr -d ,); do
    run 1 run -q "--seed=$seed" seeds.vms
    wrong=$((wrong + 1))
done
run 1 test --seed=1..20 seeds.vms
last_is "$((20 - wrong)) passed, $wrong failed, 0 skipped"
first=$(echo "$seeds" | cut -d, -f1)
run 1 test --fail-fast --seed=1..20 seeds.vms
if [ "$first" -gt 1 ]; then
    has out "in 1 of $first seeds: $first"
    has out "failing seeds: $first (1 of $first)"
fi
run 1 test --fail-fast --seed="$first..20" seeds.vms
has out "in 1 of 1 seeds: $first"
run 1 test --fail-fast -j 1 suite/bad.vms suite/b
has err 'stopped, 1 of 2 not finished'
last_is '1 passed, 1 failed, 0 skipped'

# A mistake in the text, a limit: they end one file, and the others go on.
printf 'vidmm-scenario 1\nnonsense\n' >wrong.vms
scenario endless.vms <<'END'
test "before"
  expect live() == 0
end
test "endless"
  repeat 1000000
    expect live() == 0
  end
end
test "after"
  expect live() == 0
end
END
run 4 test --limit=ops=1000 wrong.vms endless.vms suite/plain.vms
has out "'nonsense' is not a statement"
has out 'FAILED endless.vms: endless'
has out 'skipped: 1 not reached'
last_is '2 passed, 2 failed, 1 skipped'
run 4 test --limit=memory=100K suite/plain.vms
has out 'stopped: '
last_is '0 passed, 1 failed, 0 skipped'
# Rules that never came into play are nobody's but the file's.
scenario proves.vms <<'END'
proves LOCK-021(a)
test "fine"
  expect live() == 0
end
END
run 1 test proves.vms
has out 'FAILED proves.vms'
has out 'LOCK-021 never came into play'
last_is '1 passed, 1 failed, 0 skipped'

# ---- complaints --------------------------------------------------------------------------------

scenario complaint.vms <<'END'
create a size=1M segments=vram
create b size=1M segments=vram
test "silent"
  submit f read=a,a
  for i in 0..4
    submit new read=b,b
  end
  wait idle
end
END
run 0 test complaint.vms
counts out 'finding: .*SUBMIT-008' 2
has out 'and 4 more of this rule here'
last_is '1 passed, 0 failed, 0 skipped'
run 5 test --set=findings=fatal complaint.vms suite/plain.vms
last_is '1 passed, 1 failed, 0 skipped'
{
    sed '$d' complaint.vms
    echo '  expect findings >= 1'
    echo end
} >foreseen.vms
run 0 test foreseen.vms
counts out . 1

# ---- tags, parameters ----------------------------------------------------------------------------

run 0 test --tags=slow,-flip suite
last_is '1 passed, 0 failed, 5 skipped'
run 0 test --tags=flip suite/b
last_is '1 passed, 0 failed, 1 skipped'
run 0 test --tags=-flip suite/b suite/plain.vms
last_is '2 passed, 0 failed, 1 skipped'
run 2 test --tags=flap suite/b
has err "no file has the tag 'flap'; did you mean 'flip'?"
has err 'no test was chosen'
run 2 test --tags=a,,b suite
has err 'is no list of tags'
run 2 test --only=zzz suite/b
has err "no test has a name that contains 'zzz'; there "
run 2 test --only=silnet complaint.vms suite
has err "did you mean 'silent'?"
run 2 test --only=silent --tags=slow complaint.vms suite
has err 'no test was chosen'
run 2 test --only=any suite/plain.vms
has err 'there are no tests'
run 1 test -D n=3 suite/b suite/plain.vms
has out '$n == 2'
run 0 check suite/b/good.vms
has out '  param n = 2'
run 1 run -q -D n=3 suite/b/good.vms
run 2 compare -D nn=3 suite/b/good.vms
has err "no parameter is named 'nn'; did you mean 'n'?"
run 2 compare -D nn=3 --format=jsonl suite/b/good.vms
has out '"verdict":"error","exit":2,'
run 2 run --format=jsonl -D nn=3 suite/b/good.vms
has out '"exit":2'
echo before >log
run 2 run -q --record=log -D nn=3 suite/b/good.vms
has err 'log is not written: not every file ran to its end'
has log before
run 2 run -q -D nn=3 suite/b/good.vms
has err "no parameter is named 'nn'; did you mean 'n'?"
run 2 test -D nn=3 suite
has err "no parameter is named 'nn'; did you mean 'n'?"
run 2 test -D 'n=3 4' suite/b
has out '-D:1:5: error: expected the end of the value'
# A value that is none is a wrong command line, too, unless the file is wrong as well.
for value in huge 4q -1 99999999999999999999; do
    for command in run test step compare; do
        run 2 $command -D "n=$value" suite/b/good.vms
    done
done
run 2 test --format=jsonl -D n=huge suite/b
has out '"kind":"input"'
sed 's/page-in a/page-in z/' suite/b/good.vms >mistake.vms
run 3 run -D n=huge mistake.vms
run 2 test --seed=5..1 suite
for seeds in 1..x 1.. ..3 .. ''; do
    run 2 test --seed=$seeds suite
    has err "'$seeds' is no seed and no range of seeds: write --seed=7 or --seed=1..100"
done
for limit in ops=0 work=0 live=0 time=0ns memory=0; do
    run 2 test --limit=$limit suite
    has err "'$limit' is no limit: write --limit=ops=N"
    has err 'each from 1'
done
run 2 test --golden= suite
has err 'a folder is missing: write --golden=DIR'
run 2 test --tags= suite
has err 'a tag is missing: write --tags=a,b,-c'
sed 's/page-in a/page-in z/' suite/b/good.vms >mistake.vms
run 3 test -D n=3 mistake.vms
has out "there is no allocation 'z' here"
run 2 test -
has err '`vidmm run -` reads stdin'
run 2 test -j 0 suite
has err 'write -j N'
run 2 test --format=xml suite
has err 'text, tap, tap13, junit or jsonl'
run 2 test --report=junit suite
has err 'names no file'

# ---- reports -------------------------------------------------------------------------------------

run 1 test --format=tap --report=junit:r.xml --report=jsonl:r.jsonl --report=text:r.txt suite
cat >wanted <<'END'
TAP version 14
ok 1 - suite/adapter.vms # SKIP nothing runs in it
ok 2 - suite/b/good.vms: one
ok 3 - suite/b/good.vms: two \# of all
ok 4 - suite/bad.vms: fine
not ok 5 - suite/bad.vms: wrong <&' place
  ---
  message: "a in vram at 1M"
  severity: fail
  kind: expectation
  file: "suite/bad.vms"
  line: 10
  test: "wrong <&' place"
  output: |
    suite/bad.vms:10:3: failed: a in vram at 1M
       a is in vram at 0
       in test "wrong <&' place"
  ...
ok 6 - suite/plain.vms
1..6
# 4 passed, 1 failed, 1 skipped
END
sed '/was placed by event/d' out >told
same told wanted
if command -v prove >/dev/null; then
    what='prove'
    "$vidmm" test --format=tap13 suite >tap
    prove -e cat tap >out 2>err
    cat err >>out
    has out 'Failed test:  5'
    has out 'Tests: 6 Failed: 1'
    lacks out 'Parse errors'
fi
run 1 test --seed=1..3 --format=junit suite
has out '<testcase name="wrong &lt;&amp;'"' place [seed 3]"'"'
has out '<failure type="expectation" message="a in vram at 1M: a is in vram at 0; a was placed '
if command -v xmllint >/dev/null; then
    for file in r.xml out; do
        what="xmllint $file"
        if xmllint --noout "$file" 2>err; then good; else complain "$what"; fi
    done
    what='the counts of JUnit'
    for path in 'string(/testsuites/@tests)=6' 'count(//testcase)=6' 'count(//failure)=1' \
        'string(/testsuites/testsuite[@name="suite/bad.vms"]/@failures)=1' \
        'string(//testcase[failure]/@line)=8' 'count(//skipped)=1'; do
        if [ "$(xmllint --xpath "$path" r.xml)" = true ]; then good
        else complain "$what: $path"; fi
    done
fi
json_lines r.jsonl
has r.jsonl '{"type":"verdict","verdict":"failed","file":"suite/bad.vms","line":8,'
has r.jsonl '{"type":"verdicts","passed":4,"failed":1,"skipped":1,"whole":true}'
tail -n 1 r.txt >last
has last '4 passed, 1 failed, 1 skipped'
run 3 test --report=tap:nowhere/r.tap suite
has err 'nowhere/r.tap'
# Two reports in one file would be none.
run 2 test --report=junit:both --report=tap:both suite
has err "'both' is where the junit goes: each report needs a file of its own"
run 2 test --report=junit:- suite
run 3 test --report=junit:both --report=tap:./both suite
has err './both.new is in the way: ./both begins there'
what='nothing is left of either'
if [ -e both ] || [ -e both.new ]; then complain 'a file is there'; else good; fi
echo mine >both.new
run 3 test --report=junit:both suite
has err 'both.new is in the way'
cp both.new out
has out mine
rm both.new

# ---- crashes -------------------------------------------------------------------------------------

scenario long.vms <<'END'
test "short"
  expect live() == 0
end
test "long"
  create a size=4K segments=vram
  repeat 9000000000
    page-in a
    evict a
  end
end
END
long='--limit=ops=10G --limit=work=100G'
what='a crash'
# shellcheck disable=SC2086 # words are meant
"$vidmm" test -j 1 $long long.vms suite/plain.vms >out 2>err </dev/null &
parent=$!
child=
while [ -z "$child" ] && kill -0 "$parent"; do
    sleep 0.3
    child=$(cat "/proc/$parent/task/$parent/children")
done
kill -s KILL "$child"
code=0
wait "$parent" || code=$?
if [ "$code" -eq 70 ]; then good; else complain "$what: exit $code, not 70"; fi
has out 'FAILED long.vms: long'
has out 'SIGKILL'
last_is '2 passed, 1 failed, 0 skipped'
if [ -n "$mutant" ]; then
    scenario broken.vms <<'END'
create x size=4K segments=vram
unlock x
END
    what='a broken promise'
    code=0
    VIDMM_BREAKS=LOCK-057 "$mutant" test --seed=7 -D n=2 broken.vms suite/b >out 2>err || code=$?
    if [ "$code" -eq 70 ]; then good; else complain "$what: exit $code, not 70"; fi
    has out 'vidmm broke its own promise'
    has out 'vidmm-repro-1.vms'
    last_is '2 passed, 1 failed, 0 skipped'
    has vidmm-repro-1.vms '# vidmm run --define=n=2 --seed=7 vidmm-repro-1.vms'
    what='a comparison that breaks a promise'
    code=0
    VIDMM_BREAKS=LOCK-057 "$mutant" compare --policies=lru broken.vms >out 2>err || code=$?
    if [ "$code" -eq 70 ]; then good; else complain "$what: exit $code, not 70"; fi
    has err 'The scenario was written to vidmm-repro-2.vms'
    has vidmm-repro-2.vms '# vidmm compare --policies=lru vidmm-repro-2.vms'
fi

# ---- Ctrl-C --------------------------------------------------------------------------------------

# What is known is told, also of the file that was on its way, and nothing is left running.
for signal in INT TERM; do
    what="an interrupt ($signal)"
    code=0
    # shellcheck disable=SC2086 # words are meant
    timeout --foreground --preserve-status -k 15 -s "$signal" 1 \
        "$vidmm" test -j 2 --report=junit:cut.xml \
        $long suite/b long.vms suite/plain.vms >out 2>err </dev/null || code=$?
    if [ "$code" -eq 130 ]; then good; else complain "$what: exit $code, not 130"; fi
    has err 'interrupted, 1 of 3 not finished'
    has cut.xml 'tests="6" failures="0" errors="2" skipped="0"'
    has cut.xml '<testsuite name="long.vms" tests="2" failures="0" errors="1" skipped="0">'
    has cut.xml '<error type="interrupted" message="broken off"/>'
    has cut.xml '<error type="unfinished" message="not all files were run"/>'
    last_is '4 passed, 0 failed, 0 skipped'
done

# A job that cannot end by itself is ended.
if [ -e /proc/self/stat ]; then
    what='a job that stands still'
    code=0
    # shellcheck disable=SC2086 # words are meant
    "$vidmm" test -j 1 $long long.vms >out 2>err </dev/null &
    all=$!
    job=
    for _ in $(seq 100); do
        job=$(awk -v all=$all '$4 == all { print $1 }' /proc/[0-9]*/stat 2>/dev/null)
        [ -z "$job" ] || break
        sleep 0.1
    done
    kill -STOP "$job"
    kill -TERM $all
    wait $all || code=$?
    if [ "$code" -eq 130 ]; then good; else complain "$what: exit $code, not 130"; fi
    if kill -0 "$job" 2>/dev/null; then complain "$what: it is still there"; else good; fi
fi

# What fails before the tests is a failure of the file, whichever of them run.
scenario beside.vms <<'END'
create a size=1M segments=vram
page-in a
expect a evicted
test "one"
  expect a in vram
end
test "two"
  expect a evicted
end
END
run 1 test beside.vms
last_is '1 passed, 2 failed, 0 skipped'
has out 'FAILED beside.vms: two'
counts out 'beside.vms:6:1: failed' 1
run 1 test --only=one beside.vms
last_is '1 passed, 1 failed, 0 skipped'
echo '- beside.vms *o*' >known
run 1 test --known=known beside.vms
last_is '1 passed, 1 failed, 1 skipped'
has out 'beside.vms:6:1: failed'

# With few files a job begins when the one before it has been told.
what='few files'
(ulimit -n 40 && "$vidmm" test -j 2 suite/b suite/plain.vms) >out 2>err
last_is '3 passed, 0 failed, 0 skipped'
finish
