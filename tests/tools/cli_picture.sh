#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_picture.sh PROGRAM: pictures of runs: what is in them, and in which file.
. "$(dirname "$0")/cli_lib.sh"
root=$(cd "$here/../.." && pwd)

# Ours says that tags nest; xmllint knows the rest of XML.
valid() {
    if awk -f "$here/xml.awk" "$1" >last; then good; else complain "$what: $(cat last)"; fi
    command -v xmllint >/dev/null || return 0
    if xmllint --noout "$1" 2>last; then good; else complain "$what: $1 is no XML"; fi
}

matches() {
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
has out 'class="label t0">a</text>'
has out '<title>a: 10 MiB at 0 in vram, from '
has out '(room)'
has out '>from here on: room for what is pinned</text>'
has out '>dirty</text>'
has out 'class="flagged">2</text>'
lacks out 'us us'
# Who left points to who came, here and in the legend.
matches 2 'class="arrow"'
has out '>left, to make room</text>'
cp out first
run 0 run --format=svg -o file.svg try.vms
same first file.svg
run 0 run --format=svg -q try.vms
same first out

# ---- maps ----------------------------------------------------------------------------------------

run 0 run --format=svg --maps try.vms
valid out
matches 2 'class="title">vram at '
has out '10 MiB used, 6 MiB free, largest hole 6 MiB'
run 0 run --format=svg --maps -o 'map-%d.svg' try.vms
empty out
for map in 1 2; do
    cp map-$map.svg out
    valid out
    count 1 'class="title">vram at '
done
has out 'label t1">b</text>'
lacks out 'label t0">a</text>'
what='there are two maps'
if [ ! -e map-3.svg ]; then good; else complain "$what"; fi
# What belongs to no allocation has a row of its own.
cp try.vms map.vms
write_try <<'END'
adapter wddm=2.0
segment vram id=1 kind=memory size=1M invalid=128K..192K
segment aper id=2 kind=aperture size=1M
create a segments=vram size=64K
page-in a
show map vram
END
run 0 run --format=svg --maps try.vms
valid out
has out '<text x="46" y="258" class="cell">broken memory</text>'
has out '<text x="554" y="258" class="cell end">0x00020000</text>'
lacks out '<text x="280" y="258"'
has out 'class="small">no allocation</text>'
mv map.vms try.vms
# With any other '%' in it, it is the name of one file.
run 0 run --format=svg --maps -o all.svg try.vms
for name in 'two-%d-%d.svg' '5%-%d.svg'; do
    run 0 run --format=svg --maps -o "$name" try.vms
    same all.svg "$name"
done
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

# ---- how it ended --------------------------------------------------------------------------------

write_try <<'END'
segment vram id=1 kind=memory size=16M
test "good"
  create a size=10M segments=vram
  expect a in system
  page-in a
  expect a in vram at 0
end
test "bad"
  create b size=10M segments=vram
  expect b in vram at 0
  expect b in system
end
END
run 1 run --format=svg try.vms
valid out
matches 1 'class="sub end">all 2 expectations hold</text>'
matches 1 'class="bad end">1 failed: try.vms:11</text>'
run 0 run --format=svg --only=good try.vms
lacks out ' failed: '

# From where on room is for what is pinned is said of apertures, too. What is mapped there for the
# time of a move to system memory is not leaving.
run 0 run --format=svg "$root/scenarios/lessons/05-eviction-sets.vms"
matches 3 'class="pin"'
matches 3 'class="leaving"'

# A hang has its mark on the lanes, with the sentence of its event, and in the legend.
run 0 run --format=svg "$root/scenarios/lessons/15-a-hang.vms"
matches 1 'class="hung"'
matches 1 'class="hang"><title>'
has out '>a hang is noticed</text>'
run 0 run --format=svg "$root/scenarios/lessons/03-no-room.vms"
lacks out 'class="hang"'

# ---- how it looks --------------------------------------------------------------------------------

# One table of colours: an allocation has a hue of the page when it is light.
sed -n 's/^ *--hue\([0-7]\): light-dark(\(#[0-9a-f]*\),.*/.c\1 { fill: \2;/p' \
    "$root/tools/view/page/tokens.css" >hues
what='the hues of tokens.css'
if [ "$(wc -l <hues)" -eq 8 ]; then good; else complain "$what: not eight"; fi
while read -r hue; do has first "$hue"; done <hues
what='hues in palette.js'
palette=$root/tools/view/page/palette.js
if grep -q '^const HUES = 7;' "$palette"; then good; else complain "$what"; fi

# There are seven colours: the eighth allocation has that of the first, which it does not touch. A
# thin box bears a frame. A long name is cut.
long=a_name_that_is_longer_than_its_box_could_ever_be_in_a_picture
{
    echo 'segment vram id=1 kind=memory size=256M'
    for name in a b c d e f g $long; do
        echo "create $name size=4M segments=vram"
        echo "page-in $name"
    done
    echo 'create wide size=200M segments=vram'
    echo 'page-in wide'
    echo 'pin b'
    echo 'wait idle'
    echo 'show map vram'
} | write_try
run 0 run --format=svg try.vms
has out 'class="pinned thin"'
run 0 run --format=svg --maps try.vms
valid out
has out 'class="cell">a_name_that_is_longer_than_its'
has out "$(printf '\342\200\246')</text>"
lacks out "cell\">$long"
has out "<title>$long: 4 MiB at 28 MiB = 0x1C00000</title>"
if grep -q 'class="c0"><title>a_name_that' out; then good; else complain "$what: another hue"; fi

# A name that does not fit is cut between its words, far behind the begin of one, or not there.
run 0 run --format=svg "$root/scenarios/lessons/15-a-hang.vms"
matches 0 ">[a-z]\{1,5\}$(printf '\342\200\246')<"

# What decided it stands above: who left, and for what.
run 0 run --format=svg "$root/scenarios/lessons/03-no-room.vms"
matches 1 'class="why">At 2.892 ms sky and grass left to make room: target was placed in vram at 0'
run 0 run --format=svg "$root/scenarios/lessons/01-segments.vms"
matches 0 'class="why"'

# A map is of the moment that the events have, to the last digit.
run 0 run --format=svg --maps "$root/scenarios/lessons/03-no-room.vms"
has out 'class="title">vram at 2903.758 us<'

# The last one has its name behind the plot, which ends at 1052.
run 0 run --format=svg "$root/scenarios/lessons/12-fragmentation.vms"
matches 1 '<text x="1060" y="[0-9.]*" class="label on-paper">late</text>'

# Too many arrows are none, and that is said.
write_try <<'END'
segment vram id=1 kind=memory size=16M
create a size=10M segments=vram
create b size=10M segments=vram
repeat 20
  submit one write=a
  submit two write=b
end
wait idle
END
run 0 run --format=svg try.vms
valid out
matches 0 'class="arrow'
has out 'Not drawn: arrows from cause to effect'

# Work points to the paging that it needed.
run 0 run --format=svg "$root/scenarios/lessons/03-no-room.vms"
matches 2 'class="arrow needs"'
has out '>needed this to be moved</text>'

# One moment, at which nothing ends: what is there has its box.
write_try <<'END'
segment vram id=1 kind=memory size=16M
create a size=8M segments=vram
page-in a
END
run 0 run --format=svg --to=0ns try.vms
valid out
has out 'label t0">a</text>'

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
run 2 run --format=svg --maps -o file.svg empty.vms
kept file.svg
run 2 run --maps try.vms
has err '--maps does nothing with --format=text; it belongs to --format=svg'
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

# As a page and a trace do, a picture says of a run without adapter that there was none.
for words in '' 'lesson "Words <only>"' 'note "hello"'; do
    echo "$words" | write_try
    run 0 run --format=svg try.vms
    valid out
    empty err
    has out '>Nothing happened: no adapter started.</text>'
    lacks out 'virtual time'
    run 0 view try.vms
    run 0 trace -o try.pftrace try.vms
done

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
