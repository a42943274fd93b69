#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_files.sh PROGRAM: `--output`: a file appears when it is whole, and not otherwise.
. "$(dirname "$0")/cli_lib.sh"

memory='segment vram id=1 kind=memory size=64M'

write_try <<END
$memory
create a size=1M segments=vram
END
for format in text jsonl; do
    run 0 run --format=$format try.vms
    cp out told
    run 0 run --format=$format -o file try.vms
    empty out
    same told file
done
# What cannot be made leaves what is there alone.
echo 'no scenario' >bad.vms
run 3 run -o file try.vms bad.vms
has err 'file is not written'
same told file
what='no other name stays'
if [ ! -e file.new ]; then good; else complain "$what"; fi
run 3 run -o nowhere/file try.vms
has err 'vidmm: nowhere/file: there is no folder nowhere'
run 3 view -o no/where/file try.vms
has err 'vidmm: no/where/file: there is no folder no/where'
run 3 trace -o '' try.vms
has err 'a file needs a name'
# What is read is not what is written.
cp try.vms kept.vms
ln -s try.vms same.vms
for words in 'run -o ./try.vms' 'run -o same.vms' 'run --record=try.vms' 'view -o try.vms' \
    'trace -o try.vms' 'convert -o try.vms'; do
    run 2 $words try.vms
    has err 'try.vms is read: it would be replaced by what is written to'
done
same kept.vms try.vms
# Nor is what is read on the way.
printf 'vidmm-scenario 1\ninclude "kept.vms"\n' >top.vms
run 0 convert -o kept.vmb try.vms
cp kept.vmb twin.vmb
printf '\177ELF' >policy.so
for name in kept.vms kept.vmb policy.so; do
    for words in "run -o $name" "run --record=$name" "view -o $name" "trace -o $name" \
        "test --report=tap:$name" "test --report=junit:./$name"; do
        run 3 $words top.vms
        has err "$name is a scenario or a program: it would be replaced"
    done
done
same kept.vms try.vms
same kept.vmb twin.vmb
run 0 convert -o kept.vmb try.vms
run 3 run -o - bad.vms
lacks err 'is not written'
# A link stays one, and what it leads to keeps its rights.
mkdir elsewhere
echo old >elsewhere/real
chmod 640 elsewhere/real
ln -s elsewhere/real link
ln -s elsewhere/none dangling
for name in link dangling; do
    run 0 run --format=jsonl -o $name try.vms
    if [ -L $name ]; then good; else complain "$what: $name is no link any more"; fi
    same told $name
done
same told elsewhere/none
what='the rights of the file'
if [ "$(stat -c %a elsewhere/real)" = 640 ]; then good; else complain "$what are others"; fi
ln -s ring ring
run 3 run -o ring try.vms
has err 'ring: Too many levels of symbolic links'
if [ "$(id -u)" -ne 0 ]; then
    chmod 440 elsewhere/real
    echo old >shut
    chmod 440 shut
    run 3 run -o shut try.vms
    has err 'shut: Permission denied'
fi
# What stdout goes to already is written as it is, under whatever name.
if [ -e /proc/self/fd/1 ]; then
    what='/proc/self/fd/1'
    for name in /proc/self/fd/1 straight; do
        "$vidmm" run --format=jsonl -o $name try.vms >straight
        same told straight
    done
    "$vidmm" run --format=jsonl -o /proc/self/fd/1 try.vms | cat >straight
    same told straight
fi
# A device, a pipe and a file whose name is gone are written where they are, under any name.
run 0 run --format=jsonl -o /dev/null try.vms
empty out
if [ -c /dev/null ]; then good; else complain "$what: no device any more"; fi
mkfifo pipe
cat pipe >piped &
run 0 run --format=jsonl -o pipe try.vms
wait
same told piped
if [ -p pipe ]; then good; else complain "$what: no pipe any more"; fi
if [ -e /proc/self/fd/1 ]; then
    exec 3>gone 4<gone
    rm gone
    for name in nothing 'gone (deleted)'; do
        echo other >"$name"
        run 0 run --format=jsonl -o /dev/fd/3 try.vms
        cat <&4 >found
        exec 4</dev/fd/4
        same told found
        has "$name" other
    done
    exec 3>&- 4<&-
fi
# A stream that is closed is no file that is written.
sed 's/^create.*/&\nexpect a in vram/' try.vms >fails.vms
run 1 run --format=jsonl -o wanted fails.vms
what='closed streams'
"$vidmm" run --format=jsonl -o file fails.vms 2>&- >out
same wanted file
"$vidmm" run --format=jsonl -o file fails.vms >&- 2>err
same wanted file
has err 'failed: a in vram'
"$vidmm" test try.vms >out 2>err <&-
has out '1 passed'
code=0
"$vidmm" run try.vms >&- 2>err || code=$?
if [ "$code" -eq 3 ]; then good; else complain "$what: exit $code, not 3"; fi
has err 'the output could not be written'
what='the file that stdout goes to'
code=0
"$vidmm" run -o - --record=straight try.vms >straight 2>err || code=$?
if [ "$code" -eq 2 ]; then good; else complain "$what: exit $code, not 2"; fi
has err 'are the same file'
# What is read later has the reason of a failure, once; so has a place that gets both.
{
    cat try.vms
    echo 'expect live() == 3'
} >fails.vms
for words in '' -q; do
    run 1 run $words fails.vms
    cp out story
    has out 'fails.vms:4:1: failed: live() == 3'
    has out '   live() = 1'
    has err 'fails.vms:4:1: failed: live() == 3'
    run 1 run $words -o file fails.vms
    empty out
    same story file
    what='stdout and stderr into one file'
    "$vidmm" run $words fails.vms >both 2>&1
    same story both
done
run 0 run --format=jsonl -o file try.vms
# Whatever ends the process takes the half file with it.
run 4 run --limit=memory=1K -o file try.vms
has err 'vidmm: file is not written'
same told file
mkfifo slow
# A shell has SIGQUIT ignored by what it starts in the background.
for ending in 1 13 15 25; do
    what="signal $ending while the text is read"
    "$vidmm" run -o file slow 2>err &
    for tick in 1 2 3 4 5 6 7 8 9; do
        [ -e file.new ] || sleep 0.$tick
    done
    if [ -e file.new ]; then good; else complain "$what: it does not write"; fi
    kill -$ending $!
    wait $! 2>/dev/null
    if [ $? -eq $((128 + ending)) ]; then good; else complain "$what: it went on"; fi
    same told file
    if [ ! -e file.new ]; then good; else complain "$what: file.new stays"; fi
done
if [ -c /dev/full ]; then
    run 3 run -o /dev/full try.vms
    has err '/dev/full: No space left on device'
    run 3 run --record=/dev/full try.vms
    has err '/dev/full: No space left on device'
fi
ln -s . here
for name in file ./file here/file alias; do
    ln -sf file alias
    run 2 run -o file --record=$name try.vms
    has err '--record and --output are'
    same told file
done
run 0 run -o file --record=elsewhere/file try.vms
what='--record is what stdout goes to'
"$vidmm" run --record=both try.vms >both 2>err
if [ $? -eq 2 ]; then good; else complain "$what"; fi
has err '--record and what stdout goes to are'
run 2 run --quiz -o file try.vms
has err '--output is a file: leave one of them out'
run 2 run --quiz --format=jsonl try.vms
has err 'which --format=jsonl does not: leave one of them out'
run 2 run --format=xml try.vms
has err '--format=text (for people), --format=jsonl (for programs)'
# Help does not offer what is refused.
run 0 trace --help
has out '--most-events'
for option in maps from to quiz; do
    lacks out "--$option"
done
run 2 trace --maps -o file try.vms
has err '--maps does nothing with --format=perfetto'
run 0 run --help
has out '--quiz'
# Named twice, a file runs twice, and is tested and compared once.
has out 'one that is named twice runs twice'
run 0 run -q try.vms ./try.vms
count 2 'try.vms: '
run 0 test try.vms ./try.vms
has out '1 passed, 0 failed'
run 0 test --help
tr -s ' \n' ' ' <out >flat
has flat 'named twice is tested once'

finish
