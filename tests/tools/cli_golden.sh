#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_golden.sh PROGRAM: `golden` in a scenario and `vidmm test --golden`: missing, written,
# the same, changed; what is told, and what stays whole.
. "$(dirname "$0")/cli_lib.sh"

body='segment vram id=1 kind=memory   size=64M
segment aper id=2 kind=aperture size=64M
class tex size=24M segments=vram evict-to=aper
test "two fit"
  create a : tex
  create b : tex
  page-in a,b
end
test "the third takes the place of the oldest"
  create t[0..2] : tex
  page-in t[0..2]
end'
write() {
    printf 'vidmm-scenario 1\n%s\n%s\n' "$1" "$body" >a.vms
}

# ---- missing, written, the same ------------------------------------------------------------------

write golden
run 1 test a.vms
has out 'a.vms:2:1: failed: its golden a.golden is missing: `vidmm test --update` writes it'
# That is no fault of a test: the file fails, beside what passed.
has out '   again: vidmm test a.vms'
has out '2 passed, 1 failed'
run 1 test --format=junit a.vms
count 1 '<failure'
has out '<testcase name="a.vms"'
sed '/^golden/d' a.vms >none.vms
run 2 test --update none.vms
has err '--update wrote nothing: no file has the statement `golden`'
run 0 test --update none.vms a.vms
rm none.vms a.golden
run 0 test --update a.vms
has out 'golden a.golden written'
lacks out 'warning'
lacks out 'the run failed'
cp a.golden out
has out 'test "two fit"'
has out '> page-in t[0..2]'
has out 'evict t[0] segment=vram offset=0 bytes=24M reason=room'
has out '  pass-over t[0] segment=vram offset=0 bytes=24M cause=priority for=t[2]'
lacks out '> 12:'
cp a.golden before
run 0 test a.vms
lacks out 'golden'
run 0 test --update a.vms
lacks out 'golden'
same a.golden before
run 0 run -q a.vms
run 0 diff a.golden a.vms
# As git makes it where lines end with CRLF.
sed -i 's/$/\r/' a.golden
run 0 test a.vms
run 0 diff a.golden before
run 0 test --update a.vms
same a.golden before
sed -i '1s/1$/7/' a.golden
run 1 test a.vms
has out 'a.golden:1: it is of version 7 of `vidmm-decisions`, and this program reads version 1'
has out '`vidmm test --update` writes it anew'
cp before a.golden

# Comments and statements that decide nothing move nothing; an update tells so.
sed -i 's/^test "two/# a comment\nlet N = 3\n&/; s/page-in a,b/page-in  a,b/' a.vms
run 0 test a.vms
lacks out 'golden'
run 0 test --update a.vms
has out 'golden a.golden written anew: only statements or comments changed'
write golden
run 0 test --update a.vms

# ---- another decision ----------------------------------------------------------------------

body=$(printf '%s\n' "$body" | sed 's/page-in t\[0..2\]/page-in t[1],t[0],t[2]/')
write golden
run 1 test a.vms
has out 'a.vms:13:1: failed: other decisions than in a.golden: '
has out '2 placements and 1 victim differ; first: place t[0] -> place t[1] by PLACE-007'
has out 'in          test "the third takes the place of the oldest"'
has out 'line 13     page-in t[1],t[0],t[2]'
has out '              golden '
has out '1 passed, 1 failed, 0 skipped'
run 1 test --format=junit a.vms
has out '<failure type="golden" message="other decisions than in a.golden: '
run 1 test --format=tap a.vms
has out 'not ok 2 - '
run 1 test --only='two fit' --set=page=64K a.vms
run 0 test --only='two fit' a.vms
# Only a whole run is written, with the values of the file.
for option in --only='two fit' --seed=1 -Dn=1; do
    run 2 test --update "$option" a.vms
    has err '--update writes the goldens of whole files as they are: leave out '
done
run 0 test --update a.vms
has out 'golden a.golden written anew: 2 placements and 1 victim differ; first: place t[0]'
run 0 test a.vms
# Other values than those of the file lead elsewhere: nothing is compared.
run 0 test --seed=3 a.vms
has err '1 golden not compared: with --seed or -D a run decides otherwise'
run 0 test --seed=3..5 a.vms
has err '1 golden not compared'

# A test that the golden does not know, and one that is gone.
body="$body
test \"new\"
  create c : tex
  page-in c
end"
write golden
run 1 test a.vms
has out '1 test only now'
has out 'again: vidmm test --only=new a.vms'
has out '2 passed, 1 failed'
run 0 test --update a.vms
body=$(printf '%s\n' "$body" | sed '/^test "new"/,$d')
write golden
run 1 test a.vms
has out '1 test only in the golden'
run 0 test --update a.vms
run 0 test a.vms

# ---- only some tests ---------------------------------------------------------------------------

cat >some.vms <<'END'
vidmm-scenario 1
golden
param n = 2
segment vram id=1 kind=memory size=64M
create z size=24M segments=vram
page-in z
test "first" tags=early
  evict z
end
test "second"
  create a size=24M segments=vram
  page-in a
end
test "third"
  page-in z
  evict z
end
END
printf 'vidmm-scenario 1\nparam other = 1\nsegment v id=1 kind=memory size=64M\n' >other.vms
run 0 test --update some.vms
for name in first second third; do
    run 0 test --only=$name some.vms
    has out '1 passed, 0 failed'
    lacks out 'golden'
done
run 0 test --tags=-early some.vms
run 0 test --tags=early --update some.vms
has out 'some.golden stays as it is: only some of the tests ran'
run 2 test --only=nowhere some.vms
has err "no test has a name that contains 'nowhere'"
run 2 test --tags=nowhere some.vms
lacks out 'FAILED'
# A value that the file does not have changes nothing in it.
run 1 test -D other=3 --set=page=64K --golden=none some.vms other.vms
has out 'its golden none/some.golden is missing'
lacks err 'not compared'
run 0 test -D n=3 some.vms
has err '1 golden not compared'
run 1 test --golden=none some.vms
has out '`vidmm test --update --golden=none` writes it'
run 1 test --limit=ops=1M --golden=none some.vms
has out 'again: vidmm test --limit=ops=1M --golden=none some.vms'
# One that is cut off says where, not that everything after it differs.
cp some.golden whole.golden
head -c -20 whole.golden >some.golden
run 1 test some.vms
has out "some.golden:$(wc -l <whole.golden | tr -d ' '): the log ends in the middle of a line"
lacks out 'differ'
has out '3 passed, 1 failed'
run 1 test --only=third some.vms
has out 'the log ends in the middle of a line'
lacks out 'differ'
sed -n 1,9p whole.golden | head -c -3 >some.golden
run 1 test some.vms
has out 'some.golden:9: the log ends in the middle of a line'
lacks out 'differ'

# ---- a failure is not remembered ----------------------------------------------------------------

cp some.vms bad.vms
run 0 test --update bad.vms
cp bad.golden before
sed -i 's/^  create a .*/&\n  expect a resident/' bad.vms
run 1 test --update bad.vms
has out 'bad.golden stays as it is: test "second" failed'
has out '2 passed, 1 failed'
same bad.golden before
rm bad.golden
run 1 test --update bad.vms
has out 'bad.golden is not written: test "second" failed'
# It stands at the statement, after the test, whose own command needs no golden.
sed '1,/^$/d' out >after
what='what is said after the tests'
has after 'bad.vms:2:1: golden bad.golden is not written: test "second" failed'
has out '   again: vidmm run --only=second bad.vms'
# Without an update the file fails, too, but for itself.
run 1 test bad.vms
has out '   again: vidmm run --only=second bad.vms'
has out '   again: vidmm test bad.vms'
has out '2 passed, 2 failed'
what='no golden of a test that fails'
if [ -e bad.golden ]; then complain 'it is there'; else good; fi
# A known failure is remembered: the decisions of a policy that a scenario is not made for.
echo '- bad.vms second' >bad.txt
run 0 test --known=bad.txt --update bad.vms
has out 'bad.golden written'
same bad.golden before
sed -i '/expect a resident/d; s/^golden/& kinds=evict/' bad.vms
sed -i 's/^golden.*/&\nproves PLACE-023(a)/' bad.vms
run 1 test --update bad.vms
has out 'bad.golden stays as it is: the run failed'
same bad.golden before
sed -i '/^proves/d' bad.vms

# A job that dies leaves nothing.
printf 'vidmm-scenario 1\ngolden\nsegment v id=1 kind=memory size=64M\n' >dies.vms
printf 'create a size=24M segments=v\nrepeat 1000\n  page-in a\n  evict a\nend\n' >>dies.vms
run 4 test --limit=work=1 --update dies.vms
lacks out 'dies.golden written'
find . -name 'dies.golden*' >out
empty out

# ---- other kinds, times ------------------------------------------------------------------------

write 'golden kinds=evict'
run 1 test a.vms
has out 'a.golden holds other kinds of events'
run 0 test --update a.vms
cp a.golden out
has out 'kinds evict'
lacks out 'place t['
run 0 test a.vms
write 'golden kinds=evict times'
run 0 test --update a.vms
cp a.golden out
has out ' time='
body=$(printf '%s\n' "$body" | sed 's/^  create t/  advance 1ms\n&/')
write 'golden kinds=evict times'
run 1 test a.vms
has out '1 decision at another time'
write 'golden trail'
run 0 test --update a.vms
run 0 test a.vms
sed -i 's/^  hole t\[0\] .*/&x/' a.golden
run 1 test a.vms
has out '1 decision after another look'
write golden
run 0 test a.vms
write 'golden kinds=evcit'
run 3 check a.vms
has err "'evcit' is no event"
has err 'did you mean '"'evict'?"

# ---- a folder for all --------------------------------------------------------------------------

mkdir -p sub/deep
write '# no golden here'
cp a.vms sub/deep/a.vms
run 0 test a.vms sub
run 1 test --golden=all a.vms sub
run 0 test --golden=all --update a.vms sub ../"$(basename "$PWD")"/sub
for file in all/a.golden all/sub/deep/a.golden; do
    what="$file"
    if [ -s "$file" ]; then good; else complain 'is missing'; fi
done
run 0 test --golden=all a.vms sub
what='nothing half written'
find . -name '*.new' >out
empty out

# ---- a golden that is none ---------------------------------------------------------------------

echo hello >all/a.golden
run 1 test --golden=all a.vms
has out 'all/a.golden:1: no log'
head -c 300 all/sub/deep/a.golden >all/a.golden
run 1 test --golden=all a.vms
has out 'the log ends in the middle of a line'
run 0 test --golden=all --update a.vms
run 0 test --golden=all a.vms
mkdir -p locked/a.golden
run 3 test --golden=locked --update a.vms
has out 'locked/a.golden: Is a directory'
has out '   again: vidmm test --update --golden=locked a.vms'
if [ "$(id -u)" -ne 0 ]; then
    mkdir -m 555 shut
    run 3 test --golden=shut/new --update a.vms
    has out 'failed: shut/new: Permission denied'
fi

# ---- known failures ------------------------------------------------------------------------------

rm -r all
run 0 test --golden=all --update a.vms sub
run 1 test --golden=all --set=pinned-percent=90 --set=page=64K a.vms sub
cat >all/known-failures.txt <<'END'
# policies that are not meant for this
page=64K,pinned-percent=90   ../a.vms       *
page=64K                     ../sub/*.vms   the third takes*
page=8K                      *           *
END
run 1 test --golden=all --set=pinned-percent=90 --set=page=64K a.vms sub
has out 'FAILED sub/deep/a.vms: two fit'
lacks out 'FAILED a.vms'
lacks out 'FAILED sub/deep/a.vms: the third'
has out '0 passed, 1 failed, 3 skipped'
# The same from inside of a folder.
cd sub || exit 1
mv ../out ../err .
run 1 test --golden=../all/sub --known=../all/known-failures.txt --set=pinned-percent=90 \
    --set=page=64K deep/a.vms
has out '0 passed, 1 failed, 1 skipped'
lacks err 'no file is called'
mv out err ..
cd ..
echo '- */a.vms two fit' >>all/known-failures.txt
run 0 test --golden=all --set=pinned-percent=90 --set=page=64K a.vms sub
has out '0 passed, 0 failed, 4 skipped'
run 0 test --golden=all --set=pinned-percent=90 --set=page=64K --format=tap a.vms
has out 'not ok 1 - a.vms: two fit # TO''DO a known failure'
has out 'options: "--set=pinned-percent=90 --set=page=64K"'
run 0 test --golden=all --set=pinned-percent=90 --set=page=64K a.vms
has out 'known failure: a.vms: two fit'
lacks out 'FAILED'
run 4 test --golden=all --update --limit=ops=1 a.vms
has out 'all/a.golden stays as it is: the run was broken off'
# Slips of the pen.
printf -- '- ./a.vms *\n- sub/none.vms *\n- su*/deep/b*.vms *\n- sub/deep/a.vms *\n' >slips
run 0 test --golden=all --known=slips --set=pinned-percent=90 --set=page=64K a.vms
has err 'slips:2: no file is called sub/none.vms (seen from the folder of this list)'
has err 'slips:3: no file is called su'
lacks err 'slips:1'
lacks err 'slips:4'
# A file that is there has no test of that name; one that does not run, or is left out, may.
cat >slips <<'END'
- a.vms tow fit
- a.vms the third*
- a.vms nothing of the kind
- *.vms tow fit
- sub/deep/a.vms tow fit
page=8K a.vms tow fit
END
run 0 test --known=slips a.vms
has err "slips:1: no test of a.vms is called 'tow fit'; did you mean 'two fit'?"
has err 'slips:2: no failure any more'
has err "slips:3: no test of a.vms is called 'nothing of the kind'"
cp err out
count 2 'no test of'
run 0 test --known=slips --only=two a.vms
lacks err 'no test of'
echo 'creat x' >>a.vms
run 3 test --known=slips a.vms
lacks err 'no test of'
sed -i '$d' a.vms
echo 'placement=best-fti a.vms *' >slips
run 3 test --known=slips a.vms
has err "slips:1: "
has err "did you mean 'best-fit'?"
echo 'pge=64K a.vms *' >slips
run 3 test --known=slips a.vms
has err "slips:1: "
# Gone, and told.
run 0 test --golden=all a.vms sub
has err 'all/known-failures.txt:5: no failure any more: each of its tests passes'
run 0 test --golden=all sub/deep/a.vms
has err 'all/known-failures.txt:5: no failure any more: its test passes, take the line out'
run 0 test --known=all/known-failures.txt sub
has err 'known-failures.txt:5: no failure any more'
echo 'a.vms two fit' >>all/known-failures.txt
run 3 test --golden=all a.vms
has err 'all/known-failures.txt:6: write SETTING=VALUE (or -), the scenario and its test'
printf -- '- * %5000s\n' x >long.txt
run 3 test --known=long.txt a.vms
has err 'long.txt:1: the line is too long'
run 3 test --known=nowhere.txt a.vms
has err 'nowhere.txt: No such file or directory'

finish
