#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_quiz.sh PROGRAM: questions, tries, the score, and what cannot be seen before an answer.
. "$(dirname "$0")/cli_lib.sh"
root=$(cd "$here/../.." && pwd)

# quiz CODE ANSWERS ARGS...: each '|' of the answers ends a line.
quiz() {
    wanted=$1
    what="vidmm quiz, answers $2"
    printf '%s' "$2" | tr '|' '\n' >answers
    shift 2
    code=0
    "$vidmm" quiz "$@" >out 2>err <answers || code=$?
    if [ "$code" -eq "$wanted" ]; then good; else complain "$what: exit $code, not $wanted"; fi
}

write_try <<'END'
exercise "Where does it lie?"
param size = rand(3M..3M)
note "The card has 16 MiB."
segment vram id=1 kind=memory size=16M
create first size=$size segments=vram
create second size=4M segments=vram
page-in first,second
ask "Where does second begin?" = offset(second) by PLACE-007 hint "first lies below it"
expect second in vram at 3M
page-in second
ask "How long did it take?" = 1500us
ask "Is first dirty?" = first dirty
ask "Where is it?" = segment(first)
END
sed 's/^exercise/lesson/' try.vms >lesson.vms

# Of later rounds little is told, but each question and the note before it.
sed 's/^exercise.*/lesson "Rounds"/; s/^ask.*//' try.vms >rounds.vms
cat >>rounds.vms <<'END'
repeat 3 as i
  note "Some work."
  evict second
  note "Round $i."
  page-in second
  note "Look again."
  ask "How many rounds were there?" = $i
end
END
quiz 0 '0|1|2|' rounds.vms
if [ "$(grep -c '^How many rounds\|^Question: How many rounds' out)" -eq 3 ]; then
    good
else
    complain "$what: not every question"
fi
if [ "$(grep -c 'Look again' out)" -eq 3 ] && [ "$(grep -c 'Some work' out)" -eq 1 ]; then
    good
else
    complain "$what: not the notes before"
fi
has out 'Quiz: 3 of 3 answers were right'

# Each file has lines of its own: what is done after an include is no later round.
cat >body.vms <<'END'
vidmm-scenario 1
segment vram id=1 kind=memory size=16M


create a size=4M
page-in a
END
cat >included.vms <<'END'
vidmm-scenario 1
exercise "Included"
include "body.vms"
create c size=4M
page-in c
ask "How many MiB has a?" = 4M
END
quiz 0 '4|' included.vms
has out '> page-in c'
lacks out 'left out'

# A number alone counts what the question or its answer counts in, and the reply says so.
cat >units.vms <<'END'
vidmm-scenario 1
lesson "Units"
segment vram id=1 kind=memory size=16M
create first size=3M segments=vram
page-in first
ask "How large is first?" = used(vram)
ask "How many MiB are free?" = free(vram) / 1M
END
quiz 0 '5|3|12|13|' units.vms
has out 'No, not 5 MiB. A hint'
has out 'Right: 3 MiB'
has out 'No, not 12 MiB. A hint'
has out 'Right: 13 MiB.'

# ---- answers, tries, the score -----------------------------------------------------------------

quiz 0 '3M|1.5ms|no|vram|' try.vms
has out 'Quiz: 4 of 4 answers were right'
has out 'Right: 3 MiB'
has out 'PLACE-007 Default direction is bottom-up [documented]'
empty err
quiz 0 '0x300000|1500000|n|1|' try.vms
quiz 0 'what|3,145,728|1500 us|maybe|no|VRAM|' try.vms
has out 'A number is asked for'
has out 'Write yes or no'
quiz 0 '4M|3072K|1500us|no|vram|' try.vms
has out 'No, not 4 MiB. A hint: first lies below it'
# What was read is said, and what could not be read.
quiz 0 '4Mi|3 mebibytes|1500us|no|vram|' try.vms
has out 'No, not 4 MiB. A hint'
quiz 0 '2,5M|3M!|4,194,304|3M|1500us|no|vram|' try.vms
has out "'2,5M' is no size here: after ',' come three digits, after '.' a fraction."
has out "'3M!' is no size here. A number is asked for"
has out 'No, not 4 MiB. A hint'
quiz 0 '2s|3M|75%|1500us|perhaps|no|vram|' try.vms
has out 'No, not 2000000 us: a number of bytes is asked for. A hint'
has out 'No, not 75 percent: a time is asked for. A hint'
has out "'perhaps' is neither yes nor no. Write yes or no"
has out 'Quiz: 4 of 4 answers were right, 2 of them at the second try'
quiz 1 '4M|5M|1500us|no|vram|' try.vms
has out 'No, the answer is 3 MiB'
has out 'Quiz: 3 of 4 answers were right'
quiz 1 '3M|1500us|yes|vram|' try.vms
has out 'No, the answer is no.'
quiz 1 'skip|1500us|no|vram|' try.vms
has out 'Quiz: 3 of 4 answers were right, 1 skipped'
quiz 1 '4M|' try.vms
has out 'Quiz: 0 of 4 answers were right, 4 skipped'
quiz 1 '' try.vms
printf '3M\r\n1500us\r\nno\r\nvram' >answers
what='line ends of Windows, and none at the end'
"$vidmm" quiz try.vms >out 2>err <answers || complain "$what"
has out 'Quiz: 4 of 4'
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "3"; print "\n3M\n1500us\nno\nvram" }' >answers
what='a very long line is one answer, and no number'
"$vidmm" quiz try.vms >out 2>err <answers || complain "$what"
has out 'Quiz: 4 of 4'

printf '3\0M\n3M\n1500us\nno\nvram\n' >answers
what='a byte that is no character spoils its answer alone'
"$vidmm" quiz try.vms >out 2>err <answers || complain "$what"
has out "'3�M'"
has out 'Quiz: 4 of 4'

# Questions of several files count together; a file that fails is a failure.
quiz 0 '3M|1500us|no|vram|3M|1500us|no|vram|' try.vms lesson.vms
quiz 1 '3M|1500us|no|vram|3M|1500us|no|skip|' try.vms lesson.vms
sed 's/at 3M/at 4M/' try.vms >bad.vms
quiz 1 '3M|1500us|no|vram|' bad.vms
has out 'Quiz: 4 of 4'
quiz 3 '' nowhere.vms
quiz 2 '' -
has err 'has to be a file'
quiz 2 ''
quiz 2 '' -D nothing=3 try.vms

# ---- nothing before the answer -----------------------------------------------------------------

# Up to the first prompt: what is given, and no effect, no expectation, no answer.
quiz 1 '' try.vms
sed '/^?/,$d' out >before
for given in 'Given: $size is 3 MiB' 'The card has 16 MiB.' '> page-in first,second' \
    'Question: Where'; do
    has before "$given"
done
for secret in 'placed' 'expect' '3 MiB (bottom' 'first lies below' 'PLACE-007' 'us  '; do
    lacks before "$secret"
done
has out 'second was placed in vram at 3 MiB'
# The second page-in belongs to the second question.
sed -n '/^?/,/Question: How long/p' out >between
has between 'second was placed in vram at 3 MiB'
has between 'ok  expect second in vram at 3M'
# A note has the values, of a loop the first round is listed, and a name that is no parameter stays.
cat >loop.vms <<'END'
vidmm-scenario 1
exercise "Loops"
param size = rand(2M..2M)
param sizes = rand(3..3)
note "There are $sizes of $size, $sized."
adapter wddm=1.1
segment vram id=1 kind=memory size=16M
for i in 1..$sizes
  create a[$i] size=$size segments=vram
end
ask "How many MiB have they?" = $sizes * size(a[1])
END
quiz 0 '6|' loop.vms
has out 'There are 3 of 2 MiB, $sized.'
has out '(2 statements of loops left out)'
sed '/^?/,$d' out >before
what='a loop is listed once'
if [ "$(grep -c '> create a' before)" -eq 1 ]; then good; else complain "$what"; fi
# In a lesson the run goes on up to the question.
quiz 1 '' lesson.vms
sed '/^?/,$d' out >before
has before 'second was placed in vram at 3 MiB'
lacks before 'expect second'
lacks before 'Answer'
lacks before 'first lies below'

# JSON lines: the same, and no `ask` with the answer in it.
quiz 1 '4M|' --format=jsonl try.vms
json_lines out
lacks out '"type":"ask"'
sed '/"type":"question"/q' out >before
has before '"given":"size"'
lacks before '"type":"event"'
lacks before '"type":"expect"'
has out '"type":"hint","hint":"first lies below it"'
has out '"answered":"","right":false,"skipped":true,"tries":1,"answer":"3 MiB (0x300000)"'
has out '"value":3145728,"rules":["PLACE-007"]}'
has out '{"type":"score","score":0,"second":0,"asked":4,"skipped":4}'

# `vidmm run --quiz` asks the same; its exit code is that of the run.
what='run --quiz'
printf '3M\n1500us\nno\n' | "$vidmm" run --quiz try.vms >out 2>err || complain "$what"
has out 'Quiz: 3 of 4 answers were right, 1 skipped'

# On a terminal: a question is waited for, and Ctrl-C ends the wait.
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    what='answers on a terminal'
    { sleep 0.5 && printf '3M\n1500us\nno\nvram\n' && sleep 0.5; } |
        script -qec "$vidmm quiz try.vms" typed >out 2>err || complain "$what"
    has out 'Quiz: 4 of 4 answers were right'
    what='Ctrl-C at a question on a terminal'
    code=0
    { sleep 0.5 && printf '3M\n' && sleep 0.5 && printf '\003' && sleep 0.5; } |
        script -qec "$vidmm quiz try.vms" typed >out 2>err || code=$?
    if [ "$code" -eq 130 ]; then good; else complain "$what: exit $code, not 130"; fi
    has out 'Right'
    lacks out 'It is '
fi

# ---- exercises ---------------------------------------------------------------------------------

quiz 2 '' --seed=3 lesson.vms
has err 'it has no statement `exercise`'
mkdir exercises
sed 's/3M..3M/1M..15M,step=1M/; /^expect/d' try.vms >exercises/lesson.vms
quiz 1 '' --seed=3 lesson.vms
has out 'exercises/lesson.vms'
mv out third
quiz 1 '' --seed=3 lesson.vms
same out third
quiz 1 '' --seed=4 lesson.vms
if cmp -s out third; then complain 'another seed gives the same exercise'; else good; fi

# Each lesson with an exercise: any seed runs, its own answers are right, and seeds differ.
for file in "$root"/scenarios/lessons/exercises/*.vms; do
    [ -e "$file" ] || continue
    name=$(basename "$file")
    [ -e "$root/scenarios/lessons/$name" ] || complain "no lesson is named like the exercise $name"
    : >kinds
    for seed in 1 2 3 4 5; do
        what="$name, seed $seed"
        "$vidmm" run --format=jsonl --seed=$seed "$file" >lines 2>err || complain "$what"
        empty err
        sed -n 's/.*"type":"ask".*"answer":"\([^"(]*[^"( ]\).*/\1/p' lines >answers
        tr '\n' ' ' <answers >>kinds
        echo >>kinds
        "$vidmm" quiz --seed=$seed "$root/scenarios/lessons/$name" >out 2>err <answers ||
            complain "$what: its own answers are wrong"
        lacks out 'No, '
    done
    differ=$(sort -u kinds | wc -l)
    if [ "$differ" -ge 3 ]; then good; else complain "$name: seeds change little"; fi
done

# An unlock that fails, for its lock did, is no lock that fails.
printf '3\n2\n' | "$vidmm" quiz --seed=7 "$root/scenarios/lessons/11-locks.vms" >out 2>err ||
    complain 'exercise 11: two of four locks fail'

# What is no answer says which form one has, and --why by which rule.
write_try <<'END'
segment vram id=1 kind=memory size=16M
create first size=4M segments=vram content=1
page-in first
ask "Is first dirty?" = first dirty
ask "Where is it?" = segment(first)
ask "How long did it take?" = 1500us
ask "How many are there?" = 1
END
blank=$(printf '\t')
times='1,5us|0x|18446744073709551615s|2ms'
quiz 1 "|perhaps|no||?|nowhere|system|$blank|$times||1.|one|2|" --why try.vms
has out "'perhaps' is neither yes nor no. Write yes or no"
has out 'The name of a segment is asked for, or system'
has out "'1,5us' is no "
has out "after '.' a fraction"
has out "'one' is no "
printf 'vidmm-scenario 1\nsegment vram id=1 kind=memory size=1M\n' >silent.vms
quiz 0 '' silent.vms
has out 'Quiz: silent.vms asks nothing'
quiz 4 '|yes|' --limit=ops=1 try.vms
quiz 3 '|yes|' wrong.vms

# Words, nothing at all, and as much as there can be.
write_try <<'END'
segment vram id=1 kind=memory size=16M
segment aper id=2 kind=aperture size=16M
create first size=4M segments=vram
page-in first
ask "What is it called?" = "first"
ask "How much lies in aper?" = used(aper)
ask "How much could there be?" = 18446744073709551615
END
quiz 0 '|second|first|5M|0|5|18446744073709551615|' try.vms
has out "A word is asked for; 'skip' goes on without an answer."
has out 'it is a number of bytes'

finish
