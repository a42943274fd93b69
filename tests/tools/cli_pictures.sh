#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_pictures.sh PROGRAM: pictures of runs with more than a lesson has: boxes that share a pixel,
# banks, memory of no allocation, hangs, parts of a run, maps of all that.
. "$(dirname "$0")/cli_lib.sh"
scenarios=$here/../../scenarios

# A picture of the file, as XML, with the words: picture CODE FILE OPTIONS WORDS
picture() {
    # shellcheck disable=SC2086 # words are meant
    run "$1" run --format=svg $3 "$2"
    if awk -f "$here/xml.awk" out >last; then good; else complain "$what: $(cat last)"; fi
    [ -z "$4" ] || has out "$4"
}

cat >many.vms <<'END'
vidmm-scenario 1
adapter wddm=1.1
segment vram id=1 kind=memory size=64M
segment aper id=2 kind=aperture size=64M
for i in 0..119
  create t[$i] size=4K segments=vram evict-to=aper content=$i
  page-in t[$i]
end
wait idle
show map vram
create huge size=64M segments=vram
page-in huge
show map vram
show map vram
wait idle
show map vram
expect huge in vram at 0
END
sed '/^expect/d' many.vms >unasked.vms
sed 's/at 0$/at 4K/' many.vms >wrong.vms
echo 'expect huge in vram at 8K' >>wrong.vms
mkdir below
cp wrong.vms below/
cat >leaving.vms <<'END'
vidmm-scenario 1
segment vram id=1 kind=memory size=16M
segment aper id=2 kind=aperture size=16M
create gone size=10M segments=vram evict-to=aper content=1
create comes size=10M segments=vram evict-to=aper content=2
page-in gone
wait idle
evict gone
show map vram
show map aper
wait idle
submit f write=comes
show map vram
END
cat >banks.vms <<'END'
vidmm-scenario 1
adapter wddm=1.1 pinned-percent=0
segment vram id=1 kind=memory size=1M banks=256K,512K,1M
segment back id=2 kind=memory size=1M
segment more id=3 kind=memory size=1M
segment rest id=4 kind=memory size=1M
create a size=4K prefer=vram,back banks=2
create b size=4K segments=back
create c size=4K segments=more
create d size=4K segments=rest
page-in a,b,c,d
wait idle
show map vram
show map back
END

rows='many.vms unasked.vms leaving.vms banks.vms'
for file in $rows; do
    picture 0 $file '' ''
    picture 0 $file --maps ''
    picture 0 $file '--from=20us --to=60us' ''
    picture 0 $file '--from=20us --to=60us --maps' ''
    picture 0 $file '--from=900s' ''
    picture 0 $file --most-events=40 ''
done
picture 0 many.vms --maps ' more<'
picture 0 many.vms '' 'the expectation holds'
picture 0 many.vms '' 'others are in the same pixels'
picture 0 many.vms --most-events=40 'Not kept'
picture 0 leaving.vms --maps 'leaving'
picture 1 wrong.vms '' '2 failed: wrong.vms:17'
picture 1 below/wrong.vms '' '2 failed: wrong.vms:17'
picture 0 banks.vms '' 'bank 0'

# The scenario | options | words.
while IFS='|' read -r name options words; do
    picture 0 "$scenarios/$name.vms" "$options" "$words"
done <<'END'
rules/FLAG-059||reserve
rules/MINI-002||
rules/PLACE-020||broken memory
rules/SEG-061||reserve
lessons/15-a-hang||hung
lessons/15-a-hang|--to=2s|
lessons/15-a-hang|--from=3s|
examples/link-split||
examples/link-lives||
policy/half-way||hung
policy/locks-2.0||
END
finish
