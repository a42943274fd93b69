#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_interrupt.sh PROGRAM: Ctrl-C (SIGINT) and SIGTERM while a scenario runs.
. "$(dirname "$0")/cli_lib.sh"

# interrupt LINE SIGNAL ARGS...: one signal while that line of try.vms runs (a pattern); the process
# has a quarter of a minute to end by itself. A busy machine may take longer to get to the line, so
# a signal that came too early is sent again later. --foreground, because timeout otherwise signals
# its whole group, and so the process twice: a second signal ends it at once, as it should.
interrupt() {
    line=$1
    signal=$2
    shift 2
    what="vidmm $* ($signal)"
    for later in 0.5 1 2 4 8 16; do
        code=0
        timeout --foreground --preserve-status -k 15 -s "$signal" "$later" \
            "$vidmm" "$@" >out 2>err </dev/null || code=$?
        # Before the program listens, a signal ends it as it ends every program.
        if [ "$code" -ne 130 ] && [ "$code" -ne 143 ]; then break; fi
        if grep -q -e "^try\.vms:$line:[0-9]*: stopped: interrupted" \
            -e '"stopped":"interrupted","file":"try.vms","line":'"$line," err out; then
            break
        fi
    done
    if [ "$code" -eq 130 ]; then good; else complain "$what: exit $code, not 130"; fi
}

matches() {
    if grep -q -e "$2" "$1"; then good; else complain "$what: no '$2' in $1"; fi
}

# ---- between statements ------------------------------------------------------------------------

write_try <<'END'
segment vram id=1 kind=memory size=64M
create a size=4K segments=vram
repeat 9000000000
  page-in a
  evict a
end
END
echo 'vidmm-scenario 1' >after.vms
for signal in INT TERM; do
    interrupt '[4-6]' "$signal" run --limit=ops=10G --limit=work=100G try.vms after.vms
    matches err '^try\.vms:[4-6]:[0-9]*: stopped: interrupted$'
    has err 'vidmm: not run: 1 file after try.vms'
    tail -n 1 out >last
    matches last '^try\.vms: .* operations; interrupted$'
    lacks out 'after.vms'
done
interrupt '[4-6]' INT run -q --limit=ops=10G --limit=work=100G try.vms
has out '; interrupted'
interrupt '[4-6]' INT run --format=jsonl --limit=ops=10G --limit=work=100G try.vms
tail -n 2 out >last
has last '"stopped":"interrupted","file":"try.vms","line":'
has last '"end":"try.vms","exit":130,'

# A test that is interrupted is the last one.
write_try <<'END'
segment vram id=1 kind=memory size=64M
test "long"
  create a size=4K segments=vram
  repeat 9000000000
    page-in a
    evict a
  end
end
test "next"
  expect live() == 0
end
END
interrupt '[5-7]' INT run --limit=ops=10G --limit=work=100G try.vms
lacks out 'Test "next"'

# Files that were there before stay, one for all and one for each picture.
write_try <<'END'
segment vram id=1 kind=memory size=64M
create a size=4K segments=vram
show map vram
repeat 9000000000
  expect live() == 1
end
END
for name in keep.svg keep-1.svg; do
    echo precious >$name
    interrupt '[56]' INT run --format=svg --maps -o "$(echo $name | sed 's/-1/-%d/')" \
        --limit=ops=10G --limit=work=100G try.vms
    has err 'is not written: not every file ran to its end'
    has $name precious
done

# ---- in the middle of an operation -------------------------------------------------------------

# Thousands of millions of pieces in one transfer.
write_try <<'END'
adapter max-transfer=4K
machine memory=64T
segment v id=1 kind=memory size=16T
segment a id=2 kind=aperture size=1T
create x size=8T segments=v evict-to=a content=1
page-in x
evict x
END
interrupt 7 INT run --limit=work=1000G --limit=memory=2G try.vms
has err 'try.vms:7:1: stopped: interrupted'
has out '; interrupted'
# The file is lost, and that is said.
echo precious >keep.txt
interrupt 7 INT run -o keep.txt --record=keep.log --limit=work=1000G --limit=memory=2G try.vms
has err 'vidmm: keep.txt is not written: not every file ran to its end'
has err 'vidmm: keep.log is not written: not every file ran to its end'
has keep.txt precious
interrupt 7 TERM run --format=jsonl --limit=work=1000G --limit=memory=2G try.vms
tail -n 2 out >last
has last '"stopped":"interrupted","file":"try.vms","line":7,"column":1}'
has last '"end":"try.vms","exit":130,'

# ---- at the last question ----------------------------------------------------------------------

# Nothing comes after it that would notice. The signal is sent when the question is there.
write_try <<'END'
segment vram id=1 kind=memory size=64M
ask "How many?" = 1
END
mkfifo answers
: >out
what='vidmm run --quiz (INT)'
(
    exec 3>answers
    for _ in $(seq 200); do
        if grep -q '^? ' out; then break; fi
        sleep 0.1
    done
    kill -INT "$(cat pid)"
) &
code=0
timeout -k 15 60 sh -c 'echo $$ >pid && exec "$0" run --quiz try.vms' "$vidmm" \
    <answers >out 2>err || code=$?
wait
if [ "$code" -eq 130 ]; then good; else complain "$what: exit $code, not 130"; fi
lacks out 'It is '
finish
