#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_outputs.sh PROGRAM: what went wrong stands in the story, the messages, the JSON lines and the
# counts, and they agree.
. "$(dirname "$0")/cli_lib.sh"

# A run of the preamble and the lines of stdin: as text in `out` and `err`, as JSON lines in `json`.
try() {
    wanted=$1
    shift
    {
        echo 'vidmm-scenario 1'
        cat
    } >try.vms
    run "$wanted" run --format=jsonl "$@" try.vms
    cp out json
    what='whole lines of JSON'
    if awk -f "$here/json.awk" json >out 2>err; then good; else complain "$what"; fi
    run "$wanted" run --width=200 "$@" try.vms
}

memory='segment vram id=1 kind=memory size=64M flags=CpuVisible
segment aper id=2 kind=aperture size=32M'

# ---- what ends a test --------------------------------------------------------------------------

# Line 4 needs the adapter first.
try 1 <<'END'
segment vram id=1 kind=memory size=64M
segment late id=2 kind=memory size=64M flags=0x80000000
create a size=4K segments=vram
END
has err 'try.vms:4:1: failed: the adapter does not start'
has out '0 expectations held, 1 statement did not end as expected'
has json '{"unexpected":"create a size=4K segments=vram","file":"try.vms","line":4,"why":"'
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
has json '{"unexpected":"submit f read=a","file":"try.vms","line":6,"why":"'
has json '"why":"the simulated system stopped\u000abug check 0x119'
has json '"unexpected":1'

# ---- what a test says at its end ---------------------------------------------------------------

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
has json '{"test_end":"good","failures":0,"unexpected":0,"passed":true}'
has json '{"test_end":"an expectation","failures":2,"unexpected":0,"passed":false}'
has json '{"test_end":"a statement","failures":1,"unexpected":1,"passed":false}'
has json '{"test_end":"an expected refusal","failures":0,"unexpected":0,"passed":true}'
has json '"tests":4,"tests_failed":2,'
has json '"failures":3,"unexpected":1,'
has out 'Test "an expectation" failed'
has out 'Test "an expected refusal" passed'
has out '3 of 4 expectations failed, 1 statement did not end as expected'

finish
