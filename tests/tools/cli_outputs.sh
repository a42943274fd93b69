#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_outputs.sh PROGRAM: the story, the messages, the JSON lines and the counts report each
# failure, and they agree.
. "$(dirname "$0")/cli_lib.sh"

# A run of the preamble and the lines of stdin: as text in `out` and `err`, as JSON lines in `json`.
try() {
    wanted=$1
    shift
    write_try
    run "$wanted" run --format=jsonl "$@" try.vms
    cp out json
    what='whole lines of JSON'
    json_lines json
    run "$wanted" run --width=200 "$@" try.vms
}

memory='segment vram id=1 kind=memory size=64M flags=CpuVisible
segment aper id=2 kind=aperture size=32M'

# ---- an expectation that starts the adapter ------------------------------------------------------
try 1 <<END
$memory
expect live() == 1
expect live() == 0
END
lacks out 'ok  expect live() == 1'
has out 'ok  expect live() == 0'
has err 'failed: live() == 1'
try 1 <<END
expect live() == 0
END
lacks out 'ok  expect'
has err 'failed: the adapter does not start'

# ---- ends of a test ----------------------------------------------------------------------------

# Line 4 needs the adapter first.
try 1 <<'END'
segment vram id=1 kind=memory size=64M
segment late id=2 kind=memory size=64M flags=0x80000000
create a size=4K segments=vram
END
has err 'try.vms:4:1: failed: the adapter does not start'
has out '0 expectations held, 1 statement did not end as expected'
has json '"unexpected":"create a size=4K segments=vram","file":"try.vms","line":4,"why":"'
has json '"why":"the adapter does not start\u000athe call gave '
has json '"failures":0,"unexpected":1'
try 5 <<END
miniport mock patch-status=STATUS_UNSUCCESSFUL
$memory
create a size=1M segments=vram
submit f read=a
END
has err 'try.vms:6:1: failed: the simulated system stopped'
has out '0 expectations held, 1 statement did not end as expected'
has json '"unexpected":"submit f read=a","file":"try.vms","line":6,"why":"'
has json '"why":"the simulated system stopped\u000abug check 0x119'
has json '"unexpected":1'

# ---- messages at the end of a test -------------------------------------------------------------

try 1 <<END
$memory
create a size=1M segments=vram
test "good"
  expect a in system
end
test "an expectation"
  expect a in vram
  expect a resident
end
test "a statement"
  create b size=1M segments=vram -> fails
  expect b in vram
end
test "an expected refusal"
  create b size=1M flags=0x80000000 -> fails
end
END
has json '"test_end":"good","failures":0,"unexpected":0,"passed":true,"reached":true}'
has json '"test_end":"an expectation","failures":2,"unexpected":0,"passed":false,"reached":true}'
has json '"test_end":"a statement","failures":1,"unexpected":1,"passed":false,"reached":true}'
has json '"test_end":"an expected refusal","failures":0,"unexpected":0,"passed":true,'
has json '"tests":4,"tests_failed":2,'
has json '"failures":3,"unexpected":1,'
has out 'Test "an expectation" failed'
has out 'Test "an expected refusal" passed'
has out '3 of 4 expectations failed, 1 statement did not end as expected'

# ---- objects that were never made --------------------------------------------------------------

try 1 <<END
$memory
create a size=40M segments=vram
create b size=40M segments=vram
test "one"
  advance 1us
  submit s read=a,b
  wait s
  wait s -> fails
  expect fence(s) > 0
  for i in 0..1
    submit t[\$i] read=a,b
  end
  wait t[1]
end
test "two"
  choose
    case 0
      submit u read=a
    case 1
      advance 1us
  end
  wait u
end
test "three"
  expect a in system
end
END
has err 'try.vms:9:3: failed: wait s'
has err 'there is nothing to wait for: s was refused in line 8'
has err 'try.vms:10:3: failed: wait s -> fails'
has err 'try.vms:11:3: failed: fence(s) > 0'
has err '   s was refused in line 8'
has err 'there is nothing to wait for: t[1] was refused in line 13'
has err 'there is nothing to wait for: no statement that ran made u'
has json '"unexpected":"wait s","file":"try.vms","line":9,"why":"there is nothing'
has json '"tests":3,"tests_failed":2,'
has out 'Test "three" passed'

try 1 <<END
$memory
create a size=1M segments=vram
destroy dev
create b[0..3] size=40M segments=aper flags=0x80000000 -> fails
expect a in vram
expect b[2] in aper
expect offset(b[3]) == 0
expect a in system
END
has err 'try.vms:7:1: failed: a in vram'
has err '   there is no such allocation any more'
has err '   b[2] was refused in line 6'
has err '   b[3] was refused in line 6'

# An allocation, however it is used.
try 1 <<END
$memory
create b size=8M segments=vram flags=0x80000000
create c[0..3] size=128K segments=vram flags=0x80000000
submit t read=b
page-in b
lock b
priority b 3
expect b in vram
expect size(b) > 0
expect state b residency=resident
page-in c[2]
destroy b
END
if [ "$(grep -cF '   b was refused in line 4' err)" -eq 8 ]; then good
else complain 'not each of them says where b was refused'; fi
has err '   c[2] was refused in line 5'
has out 'refused: the list names an unknown handle (b) ('
has out 'refused: b names no live allocation ('
has out 'refused: c[2] names no live allocation ('
lacks out '0xffffff'
has json '"text":"b names no live allocation"'
has json '\u000ab was refused in line 4"'

# Set again to what it is, a priority does not change; and an access begins somewhere.
try 0 <<END
$memory
create b size=8K segments=vram flags=CpuVisible content=1
priority b high
priority b high
page-in b
lock b
read b range=1..2
END
has out 'the priority of b changed from 0x78000000 to 0xA0000000'
has out 'the priority of b stays 0xA0000000'
has out 'the CPU read 1 byte of b from offset 1 byte = 0x1'

# ---- limits ------------------------------------------------------------------------------------

# Every member of a range is work.
try 4 --limit=ops=5 <<END
$memory
create a[0..9] size=4K segments=vram
END
has err 'try.vms:4:1: stopped: 5 rounds of loops, members of ranges and lines told are the limit'
has out 'a[5] was created'
lacks out 'a[6] was created'
try 0 --limit=ops=10 <<END
$memory
create a[0..9] size=4K segments=vram
END
try 4 --limit=memory=2M <<END
$memory
create a[0..9999] size=4K segments=vram
END
has err 'try.vms:4:1: stopped: 2 MiB of memory is the limit'
has out 'a[800] was created'
lacks out 'a[2400] was created'

# ---- sizes and counts in words -----------------------------------------------------------------

try 1 <<END
$memory
create rt size=60M segments=vram flags=CpuVisible
create sky size=12M segments=vram evict-to=aper
create tile size=4K segments=aper
create more size=40K segments=aper
page-in tile
page-in more
lock rt
write rt range=59M..61M
unlock rt
wait idle
submit g read=tile cost=1ms
show queue
submit f read=rt,sky
END
has out 'mapping 1 system page of tile'
has out 'mapping 10 system pages of more'
has out '2 MiB from 59 MiB on are not all inside rt, which has 60 MiB'
has out 'no place for sky (12 MiB); vram: 4 MiB free, rt (60 MiB) is needed at the same time'
has err 'no place for sky (12 MiB); vram: 4 MiB free, rt (60 MiB) is needed at the same time'
has out ', 1 buffer queued or running'
has out ', 0 buffers queued or running'
lacks out '1 buffers'

# ---- lessons: later rounds of a loop -----------------------------------------------------------

rounds='for i in 1..3
create t[$i] size=1M
note "round $i"
expect t[$i] in system
end
create last size=1M'
try 0 <<END
lesson "Rounds"
$memory
$rounds
END
has out 't[1] was created'
lacks out 't[2] was created'
has out '(6 statements of later rounds left out; --verbose tells them)'
has out 'last was created'
run 0 run --verbose try.vms
has out 't[3] was created'
lacks out 'left out'
try 0 <<END
$memory
$rounds
END
has out 't[3] was created'
lacks out 'left out'

# What stands in `quietly` is not told, in no file; its findings are.
quietly='note "before"
quietly
create a size=1M
for i in 1..2
create b[$i] size=1M
end
expect a in system
end
create c size=1M'
for lesson in 'lesson "Quiet"' ''; do
    try 0 <<END
$lesson
$memory
$quietly
END
    has out 'before'
    lacks out 'the adapter started'
    lacks out 'a was created'
    lacks out 'b[1] was created'
    lacks out 'expect a in system'
    has out '(4 statements left out; --verbose tells them)'
    has out 'c was created'
    has out '1 expectation held'
    run 0 run --verbose try.vms
    has out 'b[2] was created'
    lacks out 'left out'
done
try 1 <<END
$memory
quietly
  create a size=1M
  expect a in vram
end
END
has err 'failed: a in vram'
try 0 <<END
$memory
quietly
  quietly
    create a size=1M
  end
  create b size=1M
end
END
lacks out 'b was created'
has out '(2 statements left out; --verbose tells them)'

# A failure is told in whatever round it comes; a wait that a statement asks for is no news.
try 1 <<END
lesson "Rounds"
$memory
for i in 1..2
  create t[\$i] size=1M
  page-in t[\$i]
  wait idle
  expect used(vram) == 1M
end
END
has err 'failed: used(vram) == 1M'
lacks out 'as the scenario asked'

# ---- nodes and adapters of a link --------------------------------------------------------------

try 0 <<END
$memory
node 0 name=gfx
node 1 name=copy paging
create a size=1M segments=vram content=1
submit f read=a
show queue
wait f
END
run 0 run --verbose --width=200 try.vms
has out 'context ctx was created on device dev for node gfx'
has out 'f (fence 1) was submitted to node gfx'
has out 'a paging buffer (fence 1) was submitted to node copy (paging)'
has out '  node gfx: newest fence 1, completed 0, 1 buffer queued'
has json '"event":"submit","rule":"SUBMIT-001"'
lacks json '"adapters":'
try 0 <<'END'
link adapters=3
segment vram id=1 kind=memory size=16M
create m size=4M segments=vram flags=LinkMirrored
submit all read=m
submit some read=m adapters=0,2
submit one read=m adapters=1
wait idle
END
has out 'all (fence 1) was submitted to node 0 of adapters 0, 1 and 2'
has out 'some (fence 2) was submitted to node 0 of adapters 0 and 2'
has out 'one (fence 3) was submitted to node 0 of adapter 1'
has json '"adapters":7'
has json '"adapters":5'

# ---- several tests -----------------------------------------------------------------------------

# The preamble runs for each of them, and is printed once.
cat >tests.vms <<END
vidmm-scenario 1
$memory
create a size=1M segments=vram
test "one"
  create b size=2M segments=vram
end
test "two"
  create c size=3M segments=vram
end
END
told() {
    if [ "$(grep -cF -e "$2" out)" -eq "$1" ]; then good
    else complain "$what: not $1 times '$2'"; fi
}
run 0 run tests.vms
told 1 'a was created'
told 1 'the adapter started'
told 1 'b was created'
told 1 'c was created'
run 0 run --verbose tests.vms
told 2 'a was created'
told 1 'What comes before every test, once more'
run 0 run --format=jsonl tests.vms
told 2 '"event":"start-adapter"'
run 0 run tests.vms tests.vms
told 2 'a was created'

# No test runs when it stops.
write_stop tests.vms
printf '%s\n' 'test "one"' 'end' 'test "two"' 'end' >>tests.vms
run 5 run tests.vms
told 1 'Test "one" did not run'
told 1 'Test "two" did not run'
run 5 run --format=jsonl tests.vms
told 1 '"test_end":"two","failures":0,"unexpected":0,"passed":false,"reached":false}'

# ---- warnings and findings of a quiet run ------------------------------------------------------

write_try <<'END'
segment vram id=1 kind=memory   size=32M
segment aper id=2 kind=aperture size=32M
repeat 3
  create t size=1M segments=aper prefer=vram -> fails by ALLOC-024
end
END
run 0 run -q try.vms
has err 'try.vms:5:3: finding: t: PreferredSegment names a segment outside of the supp'
has err 'try.vms:5:3: finding: and 2 more like it'
lacks out 'PreferredSegment'
run 0 run try.vms
lacks err 'finding'
run 0 run -q --format=jsonl try.vms
empty err
has out '"event":"finding"'
# They differ in the name of the allocation alone.
write_try <<'END'
segment vram id=1 kind=memory size=32M
create t size=1M
create u size=1M
submit s read=t,t,u,u
END
run 0 run -q try.vms
has err 'try.vms:5:1: finding: t appears more than once in the allocation list; one element is'
lacks err 'u appears more than once'
has err 'try.vms:5:1: finding: and 1 more like it'
write_try <<'END'
segment vram id=1 kind=memory size=32M
create t size=1M
repeat 52 as i
  expect $i == 60
end
expect t in vram
END
run 1 run -q try.vms
has err 'try.vms:5:3: failed: 3 more failures are not shown'
lacks err 'failed: t in vram'
lacks out 'failed  '
run 1 run try.vms
lacks out 'ok  '
count 1 '        failed  expect t in vram'

# ---- outcomes without a reason -----------------------------------------------------------------

write_try <<'END'
segment vram id=1 kind=memory size=32M
create a size=1M segments=vram alignment=3 -> fails
create b size=1M segments=vram alignment=3 -> fails by ALLOC-011
create c size=1M segments=vram alignment=3 -> fails STATUS_INVALID_PARAMETER
create d size=1M segments=vram -> warns
END
run 0 check try.vms
run 3 check --strict try.vms
has err 'try.vms:3:47: error: any failure is accepted here'
has err 'try.vms:6:35: error: any warning or finding is accepted here'
lacks err 'try.vms:4'
lacks err 'try.vms:5'

# What a value of the command line stops shows its line, too.
write_try <<'END'
param count = 2
let final = 1 + ($count - 1)
END
mv try.vms value.vms
run 3 run -q -D count=0 value.vms
cat >wanted <<'END'
value.vms:3:18: stopped: this is less than zero
    3 | let final = 1 + ($count - 1)
      |                  ^^^^^^^^^^
END
head -n 3 err >seen
same wanted seen

# A run whose output is lost is over at once: it does not come to its limit.
write_try <<'END'
segment v id=1 kind=memory size=64M
repeat 4000000000
    create x size=4K segments=v
    destroy x
end
END
for words in "" "-o /dev/full"; do
    what="a lost output, $words"
    code=0
    "$vidmm" run --format=jsonl --limit work=200000 $words try.vms >/dev/full 2>err || code=$?
    [ $code -eq 3 ] || complain "$what: exit $code, not 3"
    has err 'the output could not be written: No space left'
    lacks err stopped
done

finish
