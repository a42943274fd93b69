#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_sweep.sh PROGRAM: `vidmm sweep`: plans, ids, shards, going on, merging, interruption.
. "$(dirname "$0")/cli_lib.sh"

mkdir files
write_try <<'END'
adapter wddm=1.1
segment vram id=1 kind=memory size=16M
segment aper id=2 kind=aperture size=16M
for i in 0..9
  create new segments=vram evict-to=aper size=4M content=$i
  page-in any
end
END
for name in a b c; do
    cp try.vms files/$name.vms
done
echo 'expect free(vram) == 1' >>files/c.vms
cat >p.vsw <<'END'
vidmm-sweep 1            # a comment
files    files/*.vms
set      profile = pcie3, unit
seeds    1..5
END

# ---- the runs of a plan -------------------------------------------------------------------------
run 0 sweep --list p.vsw
if [ "$(wc -l <out)" -eq 30 ]; then good; else complain "$what: not 30 runs"; fi
if [ "$(cut -c1-16 out | sort -u | wc -l)" -eq 30 ]; then good; else complain "$what: ids"; fi
has out 'files/a.vms profile=unit seed=3'
cp out list
# The same from elsewhere, and when the plan has grown.
(cd files && "$vidmm" sweep --list ../p.vsw) >out 2>err
sed 's|\.\./||' out >elsewhere
sed 's/^set .*/set TdrDelay = 1s,2s\n&/' p.vsw >other.vsw
sed 's/pcie3, unit/pcie5, unit, pcie3/; s/1\.\.5/1..9/' p.vsw >grown.vsw
run 0 sweep --list grown.vsw
if [ "$(sort list out | uniq -d | wc -l)" -eq 30 ]; then good; else complain "$what: ids moved"; fi
# Each run is in one shard, and stays there.
for i in 0 1 2; do
    run 0 sweep --list --shard=$i/3 p.vsw
    cat out >>shards
    cp out shard$i
    run 0 sweep --list --shard=$i/3 grown.vsw
    if [ "$(sort shard$i out | uniq -d | wc -l)" -eq "$(wc -l <shard$i)" ]; then good; else
        complain "$what: shard $i lost a run"
    fi
done
sort list >list.sorted
sort shards >shards.sorted
same list.sorted shards.sorted

# ---- one process --------------------------------------------------------------------------------
run 1 sweep p.vsw
has err '30 runs: 20 passed, 10 did not; the first of them:'
has err '  files/c.vms profile=pcie3 seed=1'
has err '  failed: files/c.vms:9:1: '
json_lines out
cp out all
if [ "$(sed 's/.*"run":"\([0-9a-f]*\)".*/\1/' all)" = "$(cut -c1-16 list)" ]; then good; else
    complain "$what: not in the order of the plan"
fi
has all '"settings":{"profile":"unit"},"seed":5,"verdict":"failed","exit":1,'
has all '"message":"files/c.vms:9:1: '
run 1 sweep --jobs=1 p.vsw
same out all

run 3 sweep --output=nowhere/all.jsonl p.vsw
has err 'vidmm: nowhere/all.jsonl: No such file or directory'

# ---- shards, and what they found put together ---------------------------------------------------
for i in 0 1 2; do
    "$vidmm" sweep --shard=$i/3 --output=s$i.jsonl p.vsw 2>err
done
run 1 sweep --merge p.vsw s2.jsonl s0.jsonl s1.jsonl
same out all
has err '30 runs: 20 passed, 10 did not; the first of them, '
has err '  files/c.vms profile=pcie3 seed=1'
# A run that two shards have is no mistake; one that is missing is.
run 1 sweep --merge p.vsw s2.jsonl s0.jsonl s1.jsonl all
same out all
run 1 sweep --merge p.vsw s0.jsonl s2.jsonl
empty out
has err 'of 30 runs are missing'
has err "$(head -n 1 shard1)"
run 1 sweep --merge grown.vsw s2.jsonl s0.jsonl s1.jsonl
has err 'runs are missing'
echo 'vidmm-sweep 1
files files/a.vms' >small.vsw
run 1 sweep --merge small.vsw all
has err '30 lines of runs that the plan does not have'
# Other versions are not mixed; nor results that contradict each other.
sed 's/"vidmm":"[^"]*"/"vidmm":"9.9.9"/' s1.jsonl >v.jsonl
run 3 sweep --merge p.vsw s0.jsonl s2.jsonl v.jsonl
empty out
has err 'v.jsonl:1: error: written by vidmm 9.9.9'
has err '= help: run the plan again with this program, into another --output, or go on with the one'
sed 's/"evictions":[0-9]*/"evictions":77/' s1.jsonl >w.jsonl
run 3 sweep --merge p.vsw s0.jsonl s1.jsonl s2.jsonl w.jsonl
has err 'w.jsonl:1: error: the same run ended otherwise in s1.jsonl:1'
# What crashed once may have ended well elsewhere.
sed 's/"verdict":"[a-z]*"/"verdict":"crashed"/' s1.jsonl >x.jsonl
run 1 sweep --merge p.vsw x.jsonl s0.jsonl s1.jsonl s2.jsonl
same out all
run 1 sweep --merge p.vsw s0.jsonl s1.jsonl s2.jsonl x.jsonl
same out all

# ---- going on -----------------------------------------------------------------------------------
head -n 7 all >half.jsonl
printf '{"run":"0123' >>half.jsonl
run 1 sweep --output=half.jsonl p.vsw
has err '7 were there'
empty out
same half.jsonl all
# A machine without power leaves zeros where the line would have been.
head -n 7 all >half.jsonl
head -c 5000 /dev/zero >>half.jsonl
run 1 sweep --output=half.jsonl p.vsw
has err '7 were there'
same half.jsonl all
run 1 sweep --output=half.jsonl p.vsw
has err '30 were there'
same half.jsonl all
# Once more what did not pass: the later line counts.
run 1 sweep --output=half.jsonl --retry-failed p.vsw
if [ "$(wc -l <half.jsonl)" -eq 40 ]; then good; else complain "$what: not 40 lines"; fi
run 1 sweep --merge p.vsw half.jsonl
same out all
# A file that has changed is run again.
cp all half.jsonl
sed 's/free(vram) == 1/free(vram) != 1/' files/c.vms >new.vms
cp files/c.vms c.vms
cp new.vms files/c.vms
run 1 sweep --merge p.vsw half.jsonl
has err '10 lines of files that have changed since'
run 0 sweep --output=half.jsonl p.vsw
has err '30 runs: 30 passed, 0 did not; 20 were there'
run 0 sweep --merge p.vsw half.jsonl
lacks err "did not"
cp c.vms files/c.vms
# Anything else in the file is not touched.
echo 'my notes' >notes.txt
run 3 sweep --output=notes.txt p.vsw
has err 'notes.txt:1: error: this is no line of results'
if [ "$(cat notes.txt)" = 'my notes' ]; then good; else complain "$what: touched"; fi
printf 'my notes' >notes.txt
run 3 sweep --output=notes.txt p.vsw
has err 'notes.txt:1: error: this is no line of results'
if [ "$(cat notes.txt)" = 'my notes' ]; then good; else complain "$what: touched"; fi
run 3 sweep --output=v.jsonl p.vsw
has err 'written by vidmm 9.9.9'

# ---- runs that end badly ------------------------------------------------------------------------
cp files/a.vms files/d.vms
echo 'creat x' >>files/d.vms
cat >bad.vsw <<'END'
vidmm-sweep 1
files files/a.vms files/d.vms
limit ops=10
END
run 1 sweep bad.vsw
has out '"verdict":"limit","exit":4'
has out '"verdict":"error","exit":3'
has err '2 runs: 0 passed, 2 did not'
# The limit is the reason, and not what failed before.
sed 's/^end/  expect free(vram) == 1\n&/' files/a.vms >late.vms
sed 's/^files.*/files late.vms/' bad.vsw >late.vsw
run 1 sweep late.vsw
has out '"verdict":"limit","exit":4,"message":"late.vms:5:1: 10 rounds of loops'
has err '  limit: late.vms:5:1: 10 rounds of loops'

# ---- parameters ---------------------------------------------------------------------------------
sed 's/^adapter/param SIZE = 4M\n&/; s/size=4M/size=$SIZE/' files/a.vms >param.vms
cat >param.vsw <<'END'
vidmm-sweep 1
files param.vms files/a.vms
param SIZE = 1M, 2M
END
run 1 sweep param.vsw
has out '"parameters":{"SIZE":"1M"},"verdict":"passed"'
has out '"parameters":{"SIZE":"2M"},"verdict":"passed"'
has out "\"message\":\"files/a.vms: no parameter is named 'SIZE'"
run 0 sweep --list param.vsw
has out 'param.vms SIZE=2M'

# A parameter that no file has is found before the first run.
sed 's/SIZE/SZIE/' param.vsw >typo.vsw
for option in '' --list --shard=0/9; do
    # shellcheck disable=SC2086 # none is none
    run 3 sweep $option typo.vsw
    empty out
    has err "typo.vsw:3:7: error: no parameter is named 'SZIE'; did you mean 'SIZE'?"
    has err '      |       ^^^^'
done

# ---- interrupted --------------------------------------------------------------------------------
write_try <<'END'
adapter wddm=1.1
segment vram id=1 kind=memory size=16M
segment aper id=2 kind=aperture size=16M
repeat 20000
  create x segments=vram evict-to=aper size=4M
  page-in x
  destroy x
end
END
mv try.vms long.vms
cat >long.vsw <<'END'
vidmm-sweep 1
files long.vms
seeds 1..200
END
code=0
what='an interrupted sweep'
# In a session of its own: what runs in the background of a script ignores Ctrl-C.
timeout --foreground -s INT 0.6 "$vidmm" sweep --output=long.jsonl long.vsw >out 2>err || code=$?
if [ "$code" -eq 130 ] || [ "$code" -eq 124 ]; then good; else complain "$what: exit $code"; fi
has err 'are open: the same command goes on'
lines=$(wc -l <long.jsonl)
if [ "$lines" -lt 200 ]; then good; else complain "$what: was not interrupted"; fi
json_lines long.jsonl

# ---- no room for results ------------------------------------------------------------------------
if [ -w /dev/full ]; then
    what='a sweep to a full disk'
    code=0
    "$vidmm" sweep p.vsw >/dev/full 2>err || code=$?
    if [ "$code" -eq 3 ]; then good; else complain "$what: exit $code"; fi
    has err 'vidmm: stdout: No space left on device'
fi

# ---- progress -----------------------------------------------------------------------------------
run 1 sweep p.vsw
lacks err '/s'

# ---- mistakes of a plan -------------------------------------------------------------------------
cat >bad.vsw <<'END'
vidmm-sweep 1
file x.vms
files nope*.vms
policies nothing-like-it
set profil = pcie3
set profile = pcie3,pcie3
set profile = pcie9
set cpu-va = x
seeds 10..1,x
limit foo
set x
policy wddm
param n = 3,48MB, 4M,abc,"x",$k,$k + 1
END
run 3 sweep bad.vsw
empty out
has err "bad.vsw:2:1: error: 'file' is no statement of a plan"
has err "= help: did you mean 'files'?"
has err "bad.vsw:3:7: error: no file has the name 'nope*.vms'"
has err "bad.vsw:4:10: error: no policy is named 'nothing-like-it'"
has err "bad.vsw:5:5: error: no setting is named 'profil'; did you mean 'profile'?"
has err 'bad.vsw:6:21: error: this value stands here twice'
has err "bad.vsw:7:5: error: 'profile' has values already"
has err 'bad.vsw:8:14: error: '
has err 'bad.vsw:9:7: error: the range ends before it begins'
has err "bad.vsw:9:13: error: 'x' is no seed"
has err "bad.vsw:10:7: error: 'foo' is no limit"
has err "bad.vsw:11:6: error: '=' is missing"
has err "bad.vsw:12:1: error: 'policy' is no statement of a plan"
has err "= help: did you mean 'policies'?"
has err "bad.vsw:13:13: error: 'MB' is not a unit"
has err '= help: write 48M'
has err "bad.vsw:13:22: error: 'abc' is not a function or a counter"
has err 'bad.vsw:13:26: error: a text is not a number'
lacks err "variable 'k'"
has err '    6 | set profile = pcie3,pcie3'
has err '      |                     ^^^^^'
printf 'vidmm-sweep 1\nfiles "files/a.vms\nfiles files/.. files\n' >quote.vsw
run 3 sweep --list quote.vsw
has err "quote.vsw:2:7: error: this '\"' has no end"
has err "quote.vsw:3:7: error: 'files/../' is a folder"
has err "quote.vsw:3:16: error: 'files/' is a folder"
has err '= help: its files: FOLDER/*.vms'
: >empty.vsw
run 3 sweep empty.vsw
has err 'the file is empty'
echo 'files x' >first.vsw
run 3 sweep first.vsw
has err "first.vsw:1:1: error: a plan begins with 'vidmm-sweep 1'"
printf 'vidmm-sweep 1\nseeds 1..2\n' >none.vsw
run 3 sweep none.vsw
has err 'the plan has no file'
printf 'vidmm-sweep 1\nfiles files/a.vms\nseeds\nseeds 1..\n' >open.vsw
run 3 sweep --list open.vsw
has err 'open.vsw:3:6: error: a seed or a range FIRST..LAST is missing'
has err "open.vsw:4:7: error: '1..' is no seed and no range FIRST..LAST"
printf 'vidmm-sweep 1\nfiles files/a.vms\nseeds 1,1\n' >twice.vsw
run 3 sweep twice.vsw
has err 'the plan has a run twice'
{ printf 'vidmm-sweep 1\nfiles files/a.vms\nparam N = 0'; seq -s '' -f ',%.0f' 20000; } >many.vsw
run 3 sweep many.vsw
has err 'more than 10000 values'
printf 'vidmm-sweep 1\nfiles files/*.vms\nseeds 1..900000\n' >large.vsw
run 3 sweep large.vsw
has err 'more than 1000000'
run 3 sweep nothing.vsw
has err 'nothing.vsw: No such file'
run 3 sweep --merge p.vsw nothing.jsonl
has err 'nothing.jsonl: No such file'
mkfifo pipe
cat all >pipe 2>/dev/null &
run 3 sweep --merge p.vsw pipe
has err 'pipe: a file was expected, and this is a pipe'
run 2 sweep
has err 'a plan is missing'
for shard in 3/3 x/2 1 -1/2; do
    run 2 sweep --shard=$shard p.vsw
    has err 'is no shard'
done
run 2 sweep --merge p.vsw
run 2 sweep p.vsw grown.vsw
run 2 sweep --retry-failed p.vsw
run 2 sweep --merge --shard=0/2 p.vsw all

# ---- mistakes in a plan, and in results ----------------------------------------------------------

# The lines of a plan after its first one, with ';' between them | what is said of it.
cat >table <<'END'
files|names of files are missing
files files/a.vms;set = 1|3:5: error: a name is missing
files files/a.vms;set profile|'=' is missing
files files/a.vms;seeds 1..2000000000|more than 999999 seeds
files files/a.vms;set TdrDelay = 1s;set TdrDelay = 2s|'TdrDelay' has values already
files files/a.vms;param ab = 1;param a = 2|no parameter is named 'ab'
files files/a.vms;policies wddm;set profile = unit;set eviction = lru|contradicts 'policies'
END
while IFS='|' read -r lines words; do
    { echo 'vidmm-sweep 1' && echo "$lines" | tr ';' '\n'; } >wrong.vsw
    run 3 sweep --list wrong.vsw
    has err "$words"
done <table
# A file counts once, however it is found, and a plan may name it from the root.
printf 'vidmm-sweep 1\nfiles files/a.vms files/a.v*s %s/files/b.vms\n' "$PWD" >twice.vsw
run 0 sweep --list twice.vsw
if [ "$(wc -l <out)" -eq 2 ]; then good; else complain "$what: not 2 runs"; fi
run 0 sweep --progress --jobs=1 twice.vsw
{
    echo 'vidmm-sweep 1' && echo 'files files/a.vms'
    for i in $(seq 33); do echo "param p$i = 1"; done
} >wrong.vsw
run 3 sweep --list wrong.vsw
has err 'more than 32 lines of values'
{ echo 'vidmm-sweep 1' && for i in $(seq 60); do echo "word$i"; done; } >wrong.vsw
run 3 sweep --list wrong.vsw
has err wrong.vsw:51:
lacks err wrong.vsw:52:
for line in '{"lab":-1,"vidmm":"x","verdict":"y"}' '{"lab":1,"verdict":"y"}' \
    '{"lab":1,"vidmm":"y"}' '[]'; do
    echo "$line" >rows.jsonl
    run 3 sweep --merge small.vsw rows.jsonl
    has err 'rows.jsonl:1: error: this is no line of results of a sweep'
done
run 2 sweep --list --merge p.vsw all
has err 'are two things'
run 2 sweep --merge --shard=0/2 p.vsw all
run 2 sweep --merge --retry-failed p.vsw all
run 2 sweep --merge --output=rows.jsonl p.vsw all
has err '--merge writes all results to stdout'
# What the machine decided, another one may have decided otherwise.
printf 'vidmm-sweep 1\nfiles files/c.vms\n' >one.vsw
run 1 sweep one.vsw
cp out one
for verdict in limit broken crashed; do
    sed "s/\"verdict\":\"failed\"/\"verdict\":\"$verdict\"/" one >other.jsonl
    run 1 sweep --merge one.vsw one other.jsonl
    same out one
    run 1 sweep --merge one.vsw other.jsonl one
    same out one
done
for shard in 2/2 0/x x/2 1; do
    run 2 sweep --shard=$shard p.vsw
    has err 'is no shard'
done

finish
