#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_picture.sh PROGRAM: pictures of runs: what is in them, and in which file.
. "$(dirname "$0")/cli_lib.sh"
root=$(cd "$here/../.." && pwd)

valid() {
    command -v xmllint >/dev/null || return 0
    if xmllint --noout "$1" 2>last; then good; else complain "$what: $1 is no XML"; fi
}

count() {
    found=$(grep -c -e "$2" out)
    if [ "$found" -eq "$1" ]; then good; else complain "$what: $found times $2, not $1"; fi
}

write_try <<'END'
segment vram id=1 kind=memory size=16M
segment aper id=2 kind=aperture size=16M
lesson "a<b & c"
create a size=10M segments=vram evict-to=aper
create b size=10M segments=vram evict-to=aper
submit one write=a
show map vram
submit two write=b
show map vram
END
run 0 run --format=svg try.vms
valid out
empty err
has out '<title>a&lt;b &amp; c</title>'
has out '<desc>'
has out 'class="label">a</text>'
has out '<title>a: 10 MiB at 0 in vram, from '
has out '(room)'
has out '>80 %</text>'
has out '>dirty</text>'
has out 'class="flagged">2</text>'
lacks out 'us us'
cp out first
run 0 run --format=svg -o file.svg try.vms
same first file.svg
run 0 run --format=svg -q try.vms
same first out

# ---- maps ----------------------------------------------------------------------------------------

run 0 run --format=svg --maps try.vms
valid out
count 2 'class="title">vram at '
has out '10 MiB used, 6 MiB free, largest hole 6 MiB'
run 0 run --format=svg --maps -o 'map-%d.svg' try.vms
empty out
for map in 1 2; do
    cp map-$map.svg out
    valid out
    count 1 'class="title">vram at '
done
has out 'label">b</text>'
lacks out 'label">a</text>'
what='there are two maps'
if [ ! -e map-3.svg ]; then good; else complain "$what"; fi
run 3 run --format=svg --maps -o 'nowhere/%d.svg' try.vms
has err 'nowhere/1.svg'

# ---- a part, several tests, nothing --------------------------------------------------------------

run 0 run --format=svg --from=1us --to=20us try.vms
valid out
has out 'virtual time 1 us to 20 us'
write_try <<'END'
segment vram id=1 kind=memory size=16M
test "one"
  create a size=10M segments=vram
  page-in a
end
test "two"
  create b size=10M segments=vram
  page-in b
end
END
run 0 run --format=svg try.vms
valid out
has out 'class="title">one</text>'
has out 'class="title">two</text>'
run 0 run --format=svg --only=two try.vms
lacks out 'class="title">one</text>'

# ---- nothing that was good is lost ---------------------------------------------------------------

# kept FILE...: each still has the line that it had.
kept() {
    for file in "$@"; do
        if [ "$(cat "$file")" = precious ]; then good; else complain "$what: $file is lost"; fi
        if [ ! -e "$file.new" ]; then good; else complain "$what: $file.new is left"; fi
    done
}

for file in file map-1 map-2 map-3; do echo precious >$file.svg; done
run 2 run --format=svg --maps try.vms
empty out
has err 'there is nothing to draw: --maps is a picture of each `show map SEGMENT`'
run 2 run --format=svg --maps -o file.svg try.vms
kept file.svg
run 2 run --format=svg --maps -o 'map-%d.svg' try.vms
kept map-1.svg
lacks err 'is not written'
run 2 run --format=svg --only=three -o file.svg try.vms
has err "no test has a name that contains 'three'"
kept file.svg
echo 'vidmm-scenario 1' >empty.vms
run 2 run --format=svg -o file.svg empty.vms
has err 'there is nothing to draw: no adapter started'
kept file.svg
run 2 run --maps try.vms
has err '--maps are pictures: add --format=svg'
echo 'no scenario' >bad.vms
run 3 run --format=svg -o file.svg bad.vms
kept file.svg
run 3 run --format=svg -o 'map-%d.svg' try.vms bad.vms
kept map-1.svg map-2.svg map-3.svg
has err 'map-%d.svg is not written: not every file ran to its end'
# One of them cannot be written: none is.
mkdir map-9.svg
write_try <<'END'
segment vram id=1 kind=memory size=16M
repeat 12
  show map vram
end
END
run 3 run --format=svg --maps -o 'map-%d.svg' try.vms
kept map-1.svg map-2.svg map-3.svg
has err 'map-9.svg'
what='none of the others is there'
if [ ! -e map-4.svg ]; then good; else complain "$what"; fi
rmdir map-9.svg
run 0 run --format=svg --maps -o 'map-%d.svg' try.vms
what='there are twelve maps'
if [ -e map-12.svg ] && [ ! -e map-13.svg ]; then good; else complain "$what"; fi

# ---- lessons and workloads -----------------------------------------------------------------------

for file in "$root"/scenarios/lessons/*.vms "$root"/scenarios/workloads/game.vms; do
    run 0 run --format=svg "$file"
    valid out
done

# The states of a map at the very end, one of them noticed between events.
write_try <<'END'
segment vram id=1 kind=memory size=16M flags=CpuVisible
create a size=1M segments=vram flags=CpuVisible
create b size=1M segments=vram
submit one write=b
page-in a
pin a
wait idle
lock a
show map vram
END
run 0 run --format=svg --maps try.vms
for state in pinned locked dirty; do
    has out ">$state"
done

finish
