#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_habits.sh VIDMM: command lines as other tools would have them, and the suggestions for them.
# shellcheck source=tests/tools/cli_lib.sh
. "$(dirname "$0")/cli_lib.sh"

write_try <<END
adapter wddm=1.1
segment vram id=1 kind=memory size=16M flags=CpuVisible
create tex size=1M segments=vram
ask "How many seconds?" = 2
test "a"
expect tex evicted
end
END

# `says TEXT ARGS...`: exit code 2, and this on stderr.
says() {
    text=$1
    shift
    run 2 "$@"
    has err "$text"
}

# ---- commands ----------------------------------------------------------------------------------

says 'scenarios/lessons/01-segments.vms' lesson
says "did you mean 'explain'?" explane X
says "did you mean 'run'?" Run try.vms
says "did you mean 'try.vms'?" try
says 'write `vidmm --version`' version
says 'write `vidmm check FILE`' lint try.vms
says 'write `vidmm run FILE`' exec try.vms
says 'write `vidmm test PATH`' suite
says 'write `vidmm explain WORD`' rule PLACE-001
says 'that is a statement of a scenario' create a
run 3 run nofile.vms
has err 'nofile.vms: No such file or directory'
run 3 run ./try
has err "did you mean './try.vms'?"
mkdir folder
run 3 check folder
has err 'folder: Is a directory; name its files: folder/*.vms or */*.vms'

# ---- options -----------------------------------------------------------------------------------

says "'--foo' is no option; there are --quiet" run --foo try.vms
says "did you mean '--verbose'?" --verbsoe try.vms
says "did you mean '--format'?" run --formta try.vms
says '--format=jsonl' run --json try.vms
says '--only=TEST' run --test a try.vms
says "'--tags' is no option; what it does here: the command \`vidmm test --tags=A,-B PATH\`" \
    run --tags=a try.vms
says 'vidmm test --report=junit:FILE PATH' run --junit=x.xml try.vms
says 'vidmm test --update PATH' diff --update try.vms
says 'vidmm test --jobs=N PATH' run --jobs=2 try.vms
says '--quiet' run --silent try.vms
says 'a setting is --set=TdrDelay=VALUE' run --TdrDelay=5 try.vms
says '`> FILE` keeps' run --file=x try.vms
says '-D NAME=VALUE' run --param=n=1 try.vms
says "did you mean '--check'?" fmt --chek try.vms
says "did you mean '--area'?" rules --aera=PLACE
run 0 run --quiet --only=a --set=findings=count try.vms
run 0 run --set findings=count --quie try.vms

# ---- values ------------------------------------------------------------------------------------

says "'findings' has no value: write findings=VALUE" run --set findings try.vms
says 'did you mean' run --set=findngs=fatal try.vms
says 'possible: count|fatal' run --set=findings=x try.vms
says 'write -D NAME=VALUE' run -D n try.vms
run 2 run -D n=1 try.vms
has err '`param n = DEFAULT` in a scenario makes one'
says 'write --limit=ops=N' run --limit=5 try.vms
says 'write --format=text (for people), --format=jsonl' run --format=json try.vms
says 'write 500ns, 1.5us, 2ms or 3s' run --from=5x try.vms
says 'is no seed: a number from 0 to' run --seed=abc try.vms
says 'write --width=N, 40 to 400 columns' run --width=abc try.vms
says 'write --width=N, 40 to 400 columns' run --width=0 try.vms
says '--from is later than --to' run --from=5ms --to=2ms try.vms
# An option that a format cannot honour says who can.
says '--most-events does nothing with --format=text; it belongs to --format=html, --format=svg, ' \
    run --most-events=5 try.vms
says '--from does nothing with --format=html; it belongs to --format=text, --format=svg' \
    run --format=html --from=1ms try.vms
says '--to does nothing with --format=jsonl' run --format=jsonl --to=1ms try.vms
says '--to does nothing with --format=perfetto' trace --to=1ms -o none try.vms
says '--maps does nothing with --format=html; it belongs to --format=svg' \
    run --format=html --maps try.vms
says 'write --most-events=N' trace --most-events=none -o none try.vms
says "did you mean 'PLACE'?" rules --area=PLAC
says 'the areas are SEG, ' rules --area=NOWHERE
says '`vidmm explain PLACE-001` tells a rule' rules PLACE-001
says 'lists them, `vidmm explain CpuVisible` tells this one' flags CpuVisible
says "no test has a name that contains 'zzz'; there is 'a'" run --only=zzz try.vms
says 'such as scenarios/lessons/01-segments.vms' run

# ---- a quiz ------------------------------------------------------------------------------------

says 'leave one of them out' run --quiz -q try.vms
says 'leave one of them out' run --quiz --format=jsonl try.vms
says 'the scenario has to be a file' run --quiz -
for answer in 2 2s 2000ms; do
    what="quiz: $answer"
    echo "$answer" | "$vidmm" run --quiz try.vms >out 2>err
    has out 'Right:'
done
printf '2ms\n2us\n' | "$vidmm" run --quiz try.vms >out 2>err
has out 'No, the answer is'

# ---- tests -------------------------------------------------------------------------------------

cat >>try.vms <<END
test "a"
expect tex evicted
end
END
run 3 check try.vms
has err 'there is another test with this name'
has err 'the other is in line 6'

finish
