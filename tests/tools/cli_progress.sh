#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_progress.sh PROGRAM: how far a long run has come, on a terminal and nowhere else.
. "$(dirname "$0")/cli_lib.sh"

write_try <<'END'
segment vram id=1 kind=memory size=64M
create a size=4K segments=vram
for i in 1..8000000000 step=2
  page-in a
  evict a
end
END

# A run of three seconds, which Ctrl-C then ends.
limits='--limit=ops=10G --limit=work=100G'
long="timeout --foreground --preserve-status -s INT 3 $vidmm run $limits"

# Without a terminal nothing is written but what a run ends with.
what='a long run without a terminal'
# shellcheck disable=SC2086 # words are meant
$long -q try.vms >out 2>err </dev/null
lacks out '/s'
lacks err '/s'
has err 'stopped: interrupted'

command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 </dev/null || {
    echo 'skipped: no terminal can be had (script)'
    exit 77
}
TERM=xterm
on_terminal() {
    what="on a terminal: $*"
    TERM=$TERM script -qec "$*" /dev/null >typed 2>err </dev/null
    tr '\r' '\n' <typed >out
}

# Place, operations, rate, rounds and the time that is left; nothing of it stays.
on_terminal "$long -q try.vms >told"
line='try\.vms:[4-6]: [0-9]+ operations, [0-9]+/s, [0-9]+ of 4000000000, [0-9:]{7,} left'
if grep -Eq "$line" out; then good; else complain "$what: no progress"; fi
erased=$(printf '\033[K')
if [ "$(grep -c '/s, ' out)" -eq "$(grep -c -F "$erased" out)" ]; then
    good
else
    complain "$what: it stays"
fi
has told '; interrupted'
lacks told '/s'

# Where the run itself is told, it is progress enough.
on_terminal "$long try.vms"
has out 'page-in a'
lacks out '/s, '

# Not where the cursor cannot go back.
TERM=dumb
on_terminal "$long -q try.vms >told"
has told '; interrupted'
lacks out '/s, '
finish
