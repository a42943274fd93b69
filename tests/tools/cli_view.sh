#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_view.sh PROGRAM: the page of a run: when it is written, under which name, what it may hold.
# What it shows in a browser is tested in tests/tools/view/.
. "$(dirname "$0")/cli_lib.sh"

cat >good.vms <<'END'
vidmm-scenario 1
lesson "</title><script>alert(1)</script><img src=x onerror=alert(2)>"
segment vram id=1 kind=memory size=64M
param size = 4M
create grass size=$size segments=vram
page-in grass
expect grass in vram at 0
END
sed 's/at 0/at 4K/' good.vms >bad.vms
sed 's/kind=memory/kind=none/' good.vms >wrong.vms

# ---- the page and its name ---------------------------------------------------------------------

run 0 view good.vms -o page.html
empty out
has page.html '</html>'
run 0 run --format=html good.vms
same out page.html
run 0 run --format=html good.vms -o again.html
same again.html page.html
run 0 view good.vms
same out page.html

# A failed expectation is shown in the page; a file with errors has none, and the old one stays.
run 1 view bad.vms -o page.html
has err 'bad.vms:7:1'
cp page.html before.html
run 3 view wrong.vms -o page.html
has err "wrong.vms:3:"
has err 'vidmm: page.html is not written: not every file ran to its end'
same page.html before.html
run 3 view none.vms -o none.html
has err 'none.vms: No such file or directory'
if [ -e none.html ] || [ -e none.html.new ]; then complain "$what: a page"; else good; fi
run 3 view good.vms -o nowhere/page.html
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    for path in - /dev/stdout; do
        what="-o $path on a terminal"
        script -qec "$vidmm view good.vms -o $path" /dev/null >out 2>err </dev/null
        has out 'a page is for a browser, not for the terminal'
    done
fi

# ---- nothing from outside, nothing that a scenario says ----------------------------------------

run 0 view good.vms -o page.html
has page.html "default-src 'none'"
has page.html '&lt;script&gt;alert(1)'
lacks page.html '<script>alert'
lacks page.html '<img'
lacks page.html 'http://'
lacks page.html 'https://'

# ---- two runs ----------------------------------------------------------------------------------

run 0 view good.vms
lacks out 'id="scene-b"'
run 0 view --with=eviction=fifo good.vms
has out 'id="scene-b"'
run 1 view good.vms bad.vms
has out 'id="scene-b"'
run 0 view -D size=8M --set pinned-percent=10 --seed=3 good.vms
run 2 view good.vms bad.vms good.vms
has err 'a page has one run, or two'
# Of two that say the same, which one said it.
run 1 view --with=eviction=fifo bad.vms
grep -n 'so says run' err >said
printf '%s\n' 'vidmm view: so says run 1 of the page, bad.vms' \
    'vidmm view: so says run 2 of the page, bad.vms eviction=fifo' >wanted
cut -d: -f2- said >seen
same seen wanted
run 1 view good.vms bad.vms
has err 'so says run 2 of the page, bad.vms'
lacks err 'run 1'
run 1 view bad.vms
lacks err 'so says'
run 2 view
has err 'a scenario to show is missing'
run 2 view --most-events=0 good.vms
has err "'0' is no number of events"
run 0 view --most-events=12 good.vms
cp out short
run 0 run --format=html --most-events=12 good.vms
same out short
run 0 view good.vms
if cmp -s out short; then complain 'all events, and twelve: the same page'; else good; fi
run 2 view --only=nothing good.vms
has err "no test has a name that contains 'nothing'"
run 2 view -D colour=2 good.vms
has err 'no parameter'
# Nothing of the second side is dropped.
# shellcheck disable=SC2046 # words are meant
run 2 view $(yes -- --set=strict=on | head -n 64) --with=strict=off good.vms
has err "more than 64 settings, those of '--with' counted"
# A run that a limit ended has no page, as it has no other file.
echo good >kept.html
cp kept.html before.html
run 4 view --limit=ops=1 -o kept.html good.vms
same before.html kept.html
has err 'vidmm: kept.html is not written: not every file ran to its end'

# The address in the help shows an event that its page has, and an allocation that it is about.
run 0 view --help
address=$(grep -o '#e=[0-9]*&a=@[0-9]*' out)
event=${address#*=}
run 0 run --format=jsonl "$here/../../scenarios/workloads/llm.vms"
has out "\"seq\":${event%%&*},"
grep -F "\"seq\":${event%%&*}," out >row
has row '"event":"evict"'
has row "\"label\":\"${address##*=}\""

# A pipe has one run in it, and stdin is one pipe.
mkfifo pipe
for path in - pipe; do
    run 2 view --with=eviction=fifo $path -o kept.html
    has err 'is read more than once, so it has to be a file'
done
run 2 view - -
has err "stdin can be read once, and '-' asks for it twice"

finish
