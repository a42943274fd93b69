#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_refused.sh PROGRAM LIBRARY MUTANT: the machine refuses one call (LIBRARY is refuse.c): no
# process, no temporary file, no folder, no memory for a stream. The program says so and ends, or
# does without; what stood in a file before stays.
. "$(dirname "$0")/cli_lib.sh"
library=$2
mutant=$3

cp "$here/../../scenarios/lessons/03-no-room.vms" a.vms
mkdir folder goldens
cp a.vms folder/b.vms
cp a.vms folder/c.vms
"$vidmm" diff a.vms --with=eviction=fifo >wanted.diff
"$vidmm" run --record=a.log a.vms >wanted.run
"$vidmm" run --format=jsonl a.vms >a.jsonl
"$vidmm" test --golden=goldens --update a.vms >out 2>err
# A golden that no longer fits.
write_try <<'END'
segment vram id=1 kind=memory size=64M
create a size=4K segments=vram
page-in a
END
mv try.vms changed.vms
"$vidmm" test --golden=goldens --update changed.vms >out 2>err
sed -i 's/size=4K/size=8K/' changed.vms
printf 'vidmm-sweep 1\nfiles a.vms\n' >plan
"$vidmm" sweep --output=all.jsonl plan >out 2>err

# The call | the exit code | what stands in `out` or `err`; nothing: as without | the command.
cat >table <<'END'
fork:1+|4|no process for a job: Input/output error|test -j2 folder
fork:2|0||test -j2 folder
tmpfile:1|4|no process for a job: Input/output error|test -j2 folder
ftruncate:1|4|no process for a job: Input/output error|test -j2 folder
lseek:1|4|no process for a job: Input/output error|test -j2 folder
lseek:3|4|a temporary file: Input/output error|test -j1 a.vms
ftruncate:3|4|a temporary file: Input/output error|test -j1 a.vms
mmap:1|4|a temporary file: Input/output error|test -j1 a.vms
mmap:2|4|a temporary file: Input/output error|test -j1 a.vms
dup2:1|4|the process ended before its run did, with the exit code 4|test -j1 a.vms
dup2:2|4|the process ended before its run did, with the exit code 4|test -j1 a.vms
dup2:3|4|the process ended before its run did, with the exit code 4|test -j1 a.vms
setvbuf:1|4|the process ended before its run did, with the exit code 4|test -j1 a.vms
getppid:1|130|the process ended before its run did, with the exit code 130|test -j1 a.vms
prctl:1|0|1 passed|test -j1 a.vms
sigaction:1+|0|1 passed|test -j1 a.vms
dup2:1|4|the process ended before its run did|compare -j1 --policies=wddm a.vms
opendir:1|3|vidmm: folder: Input/output error|test folder
stat:1:a.vms|0|1 passed|test a.vms
tmpfile:1|4|a temporary file: Input/output error|test --format=junit a.vms
fstat:1|0||run a.vms
fopen:1:a.vms|3|vidmm: a.vms: Input/output error|run a.vms
ferror:1|3|vidmm: a.vms: |run a.vms
fchmod:1|3|vidmm: old: Input/output error|run -o old a.vms
fopen:1:/dev/null|3|vidmm: /dev/null: Input/output error|run -o /dev/null a.vms
fstat:1+|0||run -o - a.vms
stat:2:old|3|vidmm: old|run -o old/ a.vms
access:1:old|3|vidmm: old: Input/output error|run -o old a.vms
fopen:1:old.new|3|vidmm: old: Input/output error|run -o old a.vms
rename:1|3|vidmm: old: Input/output error|run -o old a.vms
fclose:1+|3|vidmm: old: Input/output error|run -o old a.vms
rename:1|3|vidmm: old: Input/output error|trace -o old a.vms
fopencookie:1|4|this machine has no memory left|step a.vms
tmpfile:1|3|a temporary file cannot be made: |diff a.vms --with=eviction=fifo
fopen:1:a.log|3|vidmm: a.log: Input/output error|diff a.log a.vms
fopen:1:.golden|1|Input/output error|test --golden=goldens a.vms
tmpfile:3|3|a temporary file: Input/output error|test --golden=goldens --update a.vms
tmpfile:3|1|other decisions than in|test --golden=goldens changed.vms
fflush:2|3|a.golden stays as it is: Input/output error|test --golden=goldens --update a.vms
fopen:1:.new|3|Input/output error|test --golden=goldens --update changed.vms
rename:1:.new|3|Input/output error|test --golden=goldens --update changed.vms
fclose:1+|3|Input/output error|test --golden=goldens --update changed.vms
mkdir:1|3|failed: other: Input/output error|test --golden=other/deep --update a.vms
fopen:1:known-failures.txt|3|goldens/known-failures.txt|test --golden=goldens a.vms
fdopen:1|3|vidmm: rows: Input/output error|sweep --output=rows plan
ftruncate:5|3|vidmm: rows: Input/output error|sweep --output=rows plan
fseeko:1|3|vidmm: rows: Input/output error|sweep --output=rows plan
fclose:1+|3|vidmm: rows: Input/output error|sweep --output=rows plan
fseeko:2|3|vidmm: all.jsonl changed while it was read|sweep --merge plan all.jsonl
fork:1+|4|no process for a job: Input/output error|sweep plan
clock_gettime:1+|0||sweep --progress plan
END
while IFS='|' read -r call code text command; do
    echo before >old
    what="$call: vidmm $command"
    found=0
    # shellcheck disable=SC2086 # words are meant
    VIDMM_REFUSE=$call LD_PRELOAD=$library "$vidmm" $command >out 2>err </dev/null || found=$?
    if [ "$found" -eq "$code" ]; then good; else complain "$what: exit $found, not $code"; fi
    cat out err >both
    if [ -n "$text" ]; then
        has both "$text"
    else
        # shellcheck disable=SC2086 # words are meant
        "$vidmm" $command >wanted 2>/dev/null </dev/null
        same out wanted
    fi
    if [ "$(cat old)" = before ]; then good; else complain "$what: another file"; fi
    if ls ./*.new goldens/*.new >/dev/null 2>&1; then complain "$what: leaves a file behind"; fi
done <table

what='tmpfile:1: vidmm diff of a pipe'
found=0
cat a.log | VIDMM_REFUSE=tmpfile:1 LD_PRELOAD=$library "$vidmm" diff - a.vms >out 2>err || found=$?
if [ "$found" -eq 3 ]; then good; else complain "$what: exit $found, not 3"; fi
has err 'Input/output error'

# The scenario of a broken promise, which cannot be written.
echo 'another one' >vidmm-repro-1.vms
write_broken broken.vms
while IFS='|' read -r call text; do
    what="$call: a broken promise"
    found=0
    VIDMM_BREAKS=LOCK-057 VIDMM_REFUSE=$call LD_PRELOAD=$library "$mutant" run -q broken.vms \
        >out 2>err || found=$?
    if [ "$found" -eq 70 ]; then good; else complain "$what: exit $found, not 70"; fi
    has err "$text: Input/output error"
    lacks err 'was written to'
    if [ -e vidmm-repro-2.vms ]; then complain "$what: a part is left"; else good; fi
done <<'END'
fopen:1:vidmm-repro-2.vms|a reproducing scenario could not be written
fclose:1+|vidmm-repro-2.vms could not be written
END
finish
