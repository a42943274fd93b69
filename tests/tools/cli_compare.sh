#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_compare.sh: `vidmm compare`: tables, formats, exit codes.
. "$(dirname "$0")/cli_lib.sh"

# One segment of 8 MiB, five textures of 2 MiB: 64K at the front keeps two holes apart.
write_try <<'END'
adapter wddm=1.1
segment vram id=1 kind=memory size=16M
segment aper id=2 kind=aperture size=16M
class tex segments=vram evict-to=aper
for i in 0..4
  create t[$i] : tex size=4M content=$i
  page-in t[$i]
end
page-in t[0]
destroy t[1]
END
cp try.vms one.vms
sed 's/size=4M/size=2M/' try.vms >two.vms
cp try.vms fails.vms
echo 'expect t[0] in system' >>fails.vms

# ---- what is in a table -------------------------------------------------------------------------
run 0 compare one.vms
has out 'one.vms'
has out 'policy'
has out 'touched/peak'
has out 'passed'
has out '--policies=wddm,lru or --policies=all sets policies side by side'
lacks out 'What failed'
narrow out
empty err

run 0 compare one.vms two.vms
has out 'all 2 files'
narrow out

# A sum is of what was measured, once.
echo bogus >bogus.vms
run 3 compare one.vms bogus.vms two.vms
has out '2 of 3 files'
run 3 compare one.vms bogus.vms
lacks out 'files'
run 0 compare one.vms two.vms ./one.vms
has out 'all 2 files'

# Nothing depends on the number of processes.
run 0 compare --jobs=1 one.vms two.vms
cp out first
run 0 compare --jobs=3 one.vms two.vms
same out first

# What is taken before anything runs was touched, too.
write_try <<'END'
adapter wddm=2.0
segment vram id=1 kind=memory size=1M invalid=128K..192K
segment aper id=2 kind=aperture size=1M
create a segments=vram size=64K
page-in a
END
run 0 compare --format=jsonl try.vms
has out '"peak_bytes":131072,"reach_bytes":131072,"reach_ratio":1.000000'

# What the file waits for is no price of a policy; the counter has it.
write_try <<'END'
segment vram id=1 kind=memory size=1M
create a segments=vram size=64K
submit f read=a
wait f
expect stall_ns > 1000
END
run 0 compare --format=jsonl try.vms
has out '"forced_wait_ns":0,'

# ---- policies -----------------------------------------------------------------------------------
# Three textures in turn where two have room: LRU misses each time, and so does FIFO; the optimum
# is to miss the first round, and then one of two.
write_try <<'END'
adapter wddm=1.1
segment vram id=1 kind=memory size=8M
segment aper id=2 kind=aperture size=16M
for i in 0..2
  create t[$i] segments=vram evict-to=aper size=4M content=$i
end
repeat 3
  page-in t[0]
  page-in t[1]
  page-in t[2]
end
END
run 0 compare --policies=lru,fifo,wddm --format=jsonl try.vms
least='"misses_least":6,"misses_over_least":1.500000,'
if [ "$(grep -c "\"use_misses\":9,.*$least" out)" -eq 3 ]; then
    good
else
    complain "$what: 9 misses, 6 at least"
fi
has out '"policy":"lru"'
has out '"eviction":"lru"'
run 0 compare --policies=lru,belady,best-fit+fifo try.vms
lacks out 'side by side'
has out 'The optimum is 6 misses.'
has out 'best-fit+fifo'
# Several that know the future: the best of them, once. Half of a run: nothing.
run 0 compare --policies=belady,best-fit+belady try.vms
if [ "$(grep -c 'The optimum' out)" -eq 1 ]; then good; else complain "$what: not one optimum"; fi
run 4 compare --policies=belady --limit=ops=5 try.vms
lacks out 'The optimum'
# A longer one, of one size: two ways to find the optimum agree.
write_try <<'END'
adapter wddm=1.1
segment vram id=1 kind=memory size=32M
segment aper id=2 kind=aperture size=16M
for i in 0..99
  create t[$i] segments=vram evict-to=aper size=1M content=1
end
repeat 1000
  let k = rand(0..99)
  page-in t[$k]
end
END
run 0 compare --policies=wddm,belady --format=csv --seed=5 try.vms
if awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) name[$i] = i }
    $2 == "belady" { exit !($name["use_misses"] > 300 &&
        $name["use_misses"] == $name["misses_least"]) }' out; then
    good
else
    complain "$what: belady misses more than MIN"
fi
run 0 compare --policies=all try.vms
has out 'segregated'
has out 's3-fifo'
run 2 compare --policies=lru --set=eviction=fifo try.vms
has err 'contradicts --policies'
run 2 compare --policies=lru,lrv try.vms
has err "no policy is named 'lrv'; did you mean 'lru'?"
run 0 compare --set=eviction=fifo --format=jsonl try.vms
has out '"policy":"file","settings":{"eviction":"fifo"}'

# ---- formats ------------------------------------------------------------------------------------
run 0 compare --format=jsonl one.vms two.vms
json_lines out
has out '"verdict":"passed"'
# 4M by 4M fill 16M: one byte of five allocations has to leave.
has out '"evictions":2,'
has out '"peak_bytes":16777216'

run 0 compare --format=csv one.vms two.vms
if awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad || NR != 3 }' out; then
    good
else
    complain "$what: rows of different length"
fi
has out 'one.vms,file,passed,'

run 0 compare --format=md one.vms
has out '## one.vms'
has out '| policy |'
cp one.vms 'one_*.vms'
run 0 compare --format=md 'one_*.vms'
has out '## one\_\*.vms'

# ---- a picture ----------------------------------------------------------------------------------
cp one.vms 'a<b & "c".vms'
run 0 compare --policies=wddm,lru --plot=p.svg --jobs=3 'a<b & "c".vms' two.vms
run 0 compare --policies=wddm,lru --plot=q.svg --jobs=1 'a<b & "c".vms' two.vms
same p.svg q.svg
has p.svg 'a&lt;b &amp; &quot;c&quot;.vms'
has p.svg '>lru</text>'
has p.svg 'prefers-color-scheme: dark'
# Each policy has a row of its own, in each of two files.
if [ "$(grep -c '<path class="full"' p.svg)" -eq 4 ]; then good; else complain "$what: bands"; fi
if command -v xmllint >/dev/null; then
    if xmllint --noout p.svg 2>err; then good; else complain "$what: no XML"; fi
fi
# A name that is no text leaves it XML.
name=$(printf 'caf\351.vms')
cp one.vms "$name"
run 0 compare --policies=wddm --plot=p.svg "$name"
has p.svg "$(printf '>caf\357\277\275.vms</text>')"
if command -v xmllint >/dev/null; then
    if xmllint --noout p.svg 2>err; then good; else complain "$what: no XML"; fi
fi
run 0 compare --plot=p. one.vms
has p. '<svg '
run 3 compare --plot=nowhere/p.svg one.vms
has err 'nowhere/p.svg'
has out 'passed'
run 2 compare --plot=p.svg 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17
has err '16 files at most'
run 2 compare --plot=p.png one.vms
has err "--plot writes SVG: name a file *.svg, not 'p.png'"

# ---- what has no numbers ------------------------------------------------------------------------
{ cat one.vms; echo 'creat x'; } >broken.vms
for format in text md csv jsonl; do
    run 3 compare --format=$format --policies=wddm,lru one.vms broken.vms nofile.vms
    has err ": 'creat' is not a statement"
    has err 'vidmm: nofile.vms: '
    if [ "$(wc -l <err)" -eq 2 ]; then good; else complain "$what: told more than once"; fi
done

# A run that cannot go on has none either, and one that is broken off is not told.
write_try <<'END'
segment vram id=1 kind=memory size=16M
create a size=4K segments=vram
for i in 0..1
  page-in a
  advance ($i - 1) * 1us
end
END
run 3 compare --policies=wddm try.vms
has err 'vidmm: try.vms:6:12: this is less than zero'
has out 'no run of it was measured'
write_try <<'END'
segment vram id=1 kind=memory size=16M
create a size=4K segments=vram
repeat 9000000000
  page-in a
end
END
what='compare, interrupted'
code=0
timeout --foreground --preserve-status -k 15 -s INT 1 "$vidmm" compare --limit=ops=10G \
    --limit=work=100G --policies=wddm,lru --jobs=1 one.vms try.vms >out 2>err </dev/null || code=$?
if [ "$code" -eq 130 ]; then good; else complain "$what: exit $code, not 130"; fi
has err 'vidmm: interrupted after 1 of 2 files'
lacks out 'try.vms'
lacks out 'all 2 files'

# ---- the optimum --------------------------------------------------------------------------------
# Whatever row is best is the upper end.
write_try <<'END'
adapter wddm=1.1
segment vram id=1 kind=memory size=16M
segment aper id=2 kind=aperture size=64M
for i in 0..9
  create t[$i] segments=vram evict-to=aper size=1M*(1+$i) content=1
end
repeat 300
  let k = rand(0..9)
  page-in t[$k]
end
END
for seed in 1 2 3 4 5 6 7 8; do
    run 0 compare --policies=all --seed=$seed try.vms
    if awk '/^The optimum lies/ { end = $9 } $1 == "policy" { part++ }
        part == 1 && $4 ~ /^[0-9]+$/ && (!least || $4 < least) { least = $4 }
        END { exit !(end && end == least) }' out; then
        good
    else
        complain "$what: not the best row"
    fi
done

# ---- what goes wrong ----------------------------------------------------------------------------
run 1 compare one.vms fails.vms
has out 'failed'
has out 'file: fails.vms:12:1: t[0] in system: '
lacks out 'under its own policy'
run 1 compare --policies=wddm fails.vms
has out 'What a file expects may hold under its own policy only. What failed:'
run 1 compare --policies=file,largest "$here/../../scenarios/lessons/16-a-model-too-large.vms"
has out "These policies fail an expectation that the file's own policy meets:"
# What its own policy fails, too, says nothing of it.
run 1 compare --policies=file,wddm fails.vms
has out 'wddm: fails.vms:12:1: t[0] in system: '
lacks out 'own policy'
run 1 compare --policies=wddm,largest "$here/../../scenarios/lessons/16-a-model-too-large.vms"
has out 'What a file expects may hold under its own policy only. What failed:'
write_try <<'END'
segment vram id=1 kind=memory size=16M
create a segments=vram size=9M
create b segments=vram size=9M flags=Overlay
END
run 1 compare try.vms
has out 'Overlay: expected success; the call gave STATUS_GRAPHICS_NO_VIDEO_MEMORY (0xC01E0100): '
run 3 compare nothing.vms one.vms
has err 'vidmm: nothing.vms: No such file or directory'
has out 'no run of it was measured'
has out 'passed'
lacks out 'error'
echo 'vidmm-scenario 1' >bad.vms
echo 'creat x' >>bad.vms
run 3 compare --policies=wddm,lru bad.vms
has err "vidmm: bad.vms:2:1: 'creat' is not a statement (did you mean 'create'?)"
lacks err 'shows all'
printf 'bad.vms\n\nno run of it was measured\n' >wanted
same out wanted
run 3 compare bad.vms
same out wanted
echo 'lok x' >>bad.vms
run 3 compare --policies=wddm,lru bad.vms
has err "(did you mean 'create'?); \`vidmm check bad.vms\` shows all 2 mistakes"
if [ "$(wc -l <err)" -eq 1 ]; then good; else complain "$what: said twice"; fi
# A parameter that is not there hides none of them.
run 2 compare -D none=1 bad.vms
has err "no parameter is named 'none'"
has err "\`vidmm check bad.vms\` shows all 2 mistakes"
run 2 run -D none=1 bad.vms
has err "no parameter is named 'none'"
has err "'creat' is not a statement"
has err "'lok' is not a statement"
run 4 compare --limit=ops=3 one.vms
has out 'limit'

run 2 compare
has err 'a file to compare is missing'
run 2 compare --policies=nothing-like-it one.vms
has err "no policy is named 'nothing-like-it'"
run 2 compare --format=xml one.vms
has err "'xml' is no format"
run 2 compare --set=wddm one.vms
has err 'has no value'
run 2 compare --jobs=0 one.vms
has err 'no number of processes'

# A pair has an order.
run 2 compare --policies=lru+best-fit one.vms
has err "a pair is PLACEMENT+EVICTION: did you mean 'best-fit+lru'?"
run 2 compare --policies=lru+arc one.vms
has err "'lru' decides about eviction; a pair is PLACEMENT+EVICTION"
run 2 compare --policies=best-fit+buddy one.vms
has err "'buddy' decides about placement; a pair is PLACEMENT+EVICTION"
run 2 compare --policies=best-fit+lro one.vms
has err "no policy is named 'lro'; did you mean 'lru'?"

# Each policy reads the file.
mkfifo pipe
for path in - pipe; do
    run 2 compare $path
    has err 'is read more than once, so it has to be a file'
done

finish
