#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_maps.sh PROGRAM: `show map`: letters by name, and what came, moved or left since the last map.
. "$(dirname "$0")/cli_lib.sh"

# The lines of `out` about movement.
moved() {
    grep 'since the last map' out | sed 's/^ *//' >moved
    printf '%s\n' "$@" >wanted
    same moved wanted
}

setup='adapter wddm=1.1
segment vram id=1 kind=memory   size=64M
segment aper id=2 kind=aperture size=128M
class tex segments=vram evict-to=aper content=1'

# ---- came, stayed, left ------------------------------------------------------------------------

write_try <<END
$setup
show map vram
create grass : tex size=24M
submit f read=grass
wait f
show map vram
create rock : tex size=40M
submit g read=rock
wait g
show map vram
show map vram
evict grass
destroy rock
show map vram
END
run 0 run try.vms
# The first map has nothing to compare with, the fourth shows what the third did.
moved 'since the last map: came grass at 0' \
    'since the last map: came rock at 24 MiB' \
    'since the last map: left grass, rock (destroyed)'
narrow out

# Each segment has its own last map, and each test begins anew.
write_try <<END
$setup
create a : tex size=1M
create b size=1M segments=aper
show map vram
submit f read=a,b
wait f
show map aper
show map vram
test "one"
  show map vram
  evict a
  show map vram
end
test "two"
  show map vram
end
END
run 0 run try.vms
moved 'since the last map: came a at 0' \
    'since the last map: left a'

# ---- moved -------------------------------------------------------------------------------------

write_try <<END
$setup
create a : tex size=8M
create b : tex size=8M
submit f read=a,b
wait f
show map vram
evict a,b
submit g read=b,a
wait g
show map vram
END
run 0 run try.vms
moved 'since the last map: moved b from 8 MiB to 0, a from 0 to 8 MiB'

# ---- many --------------------------------------------------------------------------------------

write_try <<END
$setup
show map vram
create t[0..19] : tex size=1M
submit f read=t[0..19]
wait f
show map vram
END
run 0 run try.vms
has out 'came t[0] at 0, t[1] at 1 MiB'
lacks out 't[8] at'
tr -s ' \n' '  ' <out >words
has words 't[7] at 7 MiB and 12 more'

# ---- letters -----------------------------------------------------------------------------------

write_try <<END
$setup
create sky : tex size=16M
create sand : tex size=16M
create s : tex size=16M
submit f read=sky,sand,s
wait f
show map vram
END
run 0 run try.vms
has out '    s  sky '
has out '    S  sand '
cp out once
run 0 run try.vms
same out once
sed -n 's/^    \([A-Za-z0-9]\)  s.* 0x.*/\1/p' out | LC_ALL=C sort | uniq -d >twice
empty twice

# Neighbours differ in colour, also when one of them comes later.
write_try <<END
$setup
create sky : tex size=16M
create hill : tex size=16M
create grass : tex size=16M
create moss : tex size=16M
submit f read=sky,hill,grass,moss
wait f
show map vram
evict hill
destroy hill
evict grass
show map vram
page-in grass
show map vram
END
run 0 run --color=always try.vms
escape=$(printf '\033')
grep '^  |' out | sed "s/$escape\[0m//g; s/$escape\[\(30;4.\)m\(.\)/ \1 \2/g" | tr -d '|' |
    awk '{ for (i = 1; i < NF; i += 2) print $i, substr($(i + 1), 1, 1) }' | uniq >cells
awk '$2 != letter && $1 == colour { print letter, $2 } { colour = $1; letter = $2 }' cells >alike
empty alike
if [ "$(wc -l <cells)" -gt 8 ]; then good; else complain "$what: no coloured map"; fi

# ---- cells -------------------------------------------------------------------------------------

lacks out 'a cell'
write_try <<END
$setup
create few : tex size=64K
create t[0..7] : tex size=192K
submit f read=few,t[0..7]
wait f
evict few
show map vram
END
run 0 run try.vms
has out '    *  a cell that several share, none with half of it'
lacks out '    :  '
sed 's/192K/32K/' try.vms >less.vms
run 0 run less.vms
has out '    :  a cell of which less than half is used'

# What `show` prints of objects that few scenarios have.
cp "$here/shows.vms" .
run 0 run --from=10s --width=120 shows.vms
sed 1d "$here/shows.txt" >wanted
same out wanted
run 0 run --format=jsonl shows.vms
json_lines out
has out '{"type":"show","show":"alloc"}'
has out '{"type":"show","show":"map"}'
has out '{"type":"show","show":"queue","nodes":[]}'

finish
