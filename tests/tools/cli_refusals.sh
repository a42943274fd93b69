#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_refusals.sh PROGRAM: refusals in words that help: the flag, the name, the missing part.
. "$(dirname "$0")/cli_lib.sh"

# A run of the preamble and the lines of stdin.
try() {
    wanted=$1
    shift
    write_try
    run "$wanted" run --width=200 "$@" try.vms
}

memory='segment vram id=1 kind=memory size=64M flags=CpuVisible
segment aper id=2 kind=aperture size=32M'

# ---- flags that are too new --------------------------------------------------------------------

try 0 <<'END'
adapter wddm=1.1
segment vram id=1 kind=memory size=64M flags=DirectFlip,Use64KBPages
segment aper id=2 kind=aperture size=32M
start -> fails by SEG-033
END
has out 'DirectFlip exists from WDDM 1.2 on, Use64KBPages exists from WDDM 2.0 on ('
try 0 <<END
adapter wddm=1.1
$memory
create a size=4K flags=AccessedPhysically -> fails by FLAG-003
create b size=4K flags=0x80000000 -> fails by FLAG-003
create c size=4K kmt=CrossAdapter -> fails by KMT-001
END
has out 'a: reserved flag bits are set: AccessedPhysically exists from WDDM 2.0 on ('
has out 'b: reserved flag bits are set: 0x80000000 ('
has out "version reserves: CrossAdapter exists from WDDM 1.3 on ("
try 0 <<END
adapter wddm=3.0
$memory
create d size=4K flags2=NotifyEviction,0x40000000 -> fails by FLAG-062
END
has out 'd: reserved bits of Flags2 are set: NotifyEviction exists from WDDM 3.2 on, 0x40000000 ('

# ---- the same rule twice, and missing parts ----------------------------------------------------

try 1 <<END
adapter wddm=1.3 CrossAdapterResource=1
$memory
create e size=4K kmt=CreateResource,CreateShared,CrossAdapter
create f size=4K standard=gdi width=64 height=64 -> fails by ALLOC-048
END
has err 'ALLOC-050'
lacks err 'ALLOC-050, ALLOC-050'
has out 'f: the type of the GDI surface is missing (gdi-type) ('

# ---- words that are nearly right ---------------------------------------------------------------

try 3 <<END
$memory
create a size=4K
inject no-entry=reset-enginee
inject hang=soon
show mep vram
show counters evictions,eviction,a[0]
expect state a resideny=resident
expect state a nonsense=1
END
has err "did you mean 'reset-engine'?"
has err 'it takes number; `vidmm explain inject` lists the switches'
has err "expected map, alloc, state, queue, counters or memory, found 'mep'"
has err "did you mean 'map'?"
has err "expected the name of a counter"
has err "did you mean 'evictions'?"
has err "did you mean 'residency'?"
has err '`vidmm explain state` lists all'

# ---- names of implicit objects -----------------------------------------------------------------

try 3 <<END
$memory
create a size=4K
device dev
END
has err "'dev' is there already"
try 3 <<END
$memory
repeat 2
  device d
end
END
has err 'destroy it first'
try 0 <<END
$memory
create a size=4K
destroy dev
device dev
context ctx
create b size=4K
submit s read=b
wait s
END

# ---- allocations open on several devices -------------------------------------------------------

# A refusal names the object as the statement did, and gives its other names.
try 0 <<END
adapter wddm=1.1
$memory
device maker
device user
context work device=user
resource pair device=maker kmt=CreateResource,CreateShared
  create left size=4K
  create right size=4K
end
open pair as both device=user
create alone size=4K device=maker kmt=CreateResource,CreateShared
open alone as mine device=user
lock both[1] device=user -> fails
lock mine device=user -> fails
lock left device=maker -> fails
share both -> fails
submit f ctx=work read=both[0],left -> fails
close both
END
has out 'resource pair was created for device maker'
has out 'a resource was created for device maker'
has out 'right was opened for device user, which calls it both[1]'
has out 'alone was opened for device user, which calls it mine'
lacks out 'opened for device maker'
has out 'refused: right was created without the flag CpuVisible; both[1] is right ('
has out 'refused: alone was created without the flag CpuVisible; mine is alone ('
has out 'refused: left was created without the flag CpuVisible ('
has out 'refused: both was created without NtSecuritySharing'
has out 'right was closed for device user, which called it both[1]'
try 0 <<END
adapter wddm=1.2
$memory
process one
device maker
process two
device user
create a size=4K device=maker kmt=CreateResource,CreateShared,NtSecuritySharing
share a access=read
create b size=4K device=maker kmt=CreateResource,CreateShared,RestrictSharedAccess
grant b device=user
END
has out 'an NT handle (0x4) was made for resource a: a process that opens it may only read'
has out 'device user was granted access to resource b'

# ---- expectations and outcomes -----------------------------------------------------------------

try 1 <<END
$memory
miniport mock bpb-status=0xC0000001@1
create a size=4K segments=vram prefer=vram evict-to=aper content=1
submit s read=a -> bugcheck 0x10E/0xB
expect no bugcheck
END
has err 'there was such an event: the last one is event'
has err ', bugcheck: '
has err ' (MINI-0'
try 0 <<END
$memory
miniport mock bpb-status=0xC0000001@1
create a size=4K segments=vram prefer=vram evict-to=aper content=1
submit s read=a -> bugcheck 0x10E/0xB
END
has out '0 expectations held, 1 outcome as expected, 2 operations'
try 0 <<END
$memory
sysmem shelf size=4K
create p primary size=4K segments=vram prefer=vram
display p
END
has out 'system memory shelf was created'
has out 'p was pinned in vram, because it is displayed'

# ---- the end of time ---------------------------------------------------------------------------

try 4 <<END
adapter wddm=1.1 cpu-sys-rate=1
$memory
create a size=4K segments=vram flags=CpuVisible
advance 18446744073000000000ns
lock a
write a
unlock a
END
has err 'try.vms:8:1: stopped: virtual time ends: it has no more than 64 bits of ns (TIME-002)'
try 4 <<END
adapter wddm=1.1
$memory
advance 1ns
advance 18446744073709551614ns
END
has err 'try.vms:6:1: stopped: virtual time ends: it has no more than 64 bits of ns (TIME-002)'
has out '; stopped by a limit'
try 0 <<END
adapter wddm=1.1
$memory
advance 18446744073709551614ns
END

# POLICY-013: whether a lock is a reference depends on what was evicted, so nobody can foretell it.
cat >departs.vms <<'END'
vidmm-scenario 1
adapter wddm=1.1 eviction=belady
segment vram id=1 kind=memory size=8K flags=CpuVisible
class page segments=vram size=4K flags=CpuVisible
create a[0..2] : page
page-in a[0]
page-in a[1]
page-in a[2]
lock a[0]
unlock a[0]
page-in a[0]
END
run 3 run --quiet departs.vms
has err 'departs.vms: error: reference 5: the run departs from the references that were foretold'
run 0 run --quiet --set=eviction=lru departs.vms
# The same where nothing follows: the last reference that was foretold never comes.
cat >fewer.vms <<'END'
vidmm-scenario 1
adapter wddm=1.1 eviction=belady
segment vram id=1 kind=memory size=8K flags=CpuVisible
class page segments=vram size=4K flags=CpuVisible
create a[0..2] : page
page-in a[1]
page-in a[0]
page-in a[2]
destroy a[2]
page-in a[1]
lock a[0]
END
run 3 run --quiet fewer.vms
has err 'fewer.vms: error: reference 5: the run departs from the references that were foretold'
run 0 run --quiet --set=eviction=lru fewer.vms

run 0 policies lru
has out 'eviction:'
has out '  lru         the least recently used'
lacks out 'placement:'
lacks out 'fifo'
run 0 policies --format=jsonl wddm
json_lines out
[ "$(wc -l <out)" -eq 2 ] || complain "$what: not one of each kind"
run 2 policies lur
has err "no policy is named 'lur'; did you mean 'lru'?"
run 2 policies lru fifo
has err "one policy at a time: 'lru' and 'fifo'"

# Of a file that is no scenario, an include shows nothing; a pipe is not waited for.
echo 'the secret of the house' >secret
mkfifo pipe
for name in secret pipe; do
    printf 'vidmm-scenario 1\ninclude "%s"\n' $name >nosy.vms
    run 3 check nosy.vms
    has err "nosy.vms:2:9: error: '$name'"
    lacks err 'of the house'
done
sed -i 's/pipe/secret/' nosy.vms
run 3 check nosy.vms
has err "error: 'secret' is no scenario: its first line is not 'vidmm-scenario 1'"

# What a terminal would obey does not come back in a message.
for word in "$(printf 'a\033[31m.vms')" "$(printf 'a\302\233.vms')" "$(printf 'a\177')"; do
    run 2 run "$word"
    has err 'word 2 of the command line has a control character in it'
done
run 3 run "$(printf 'caf\303\251.vms')"
has err 'No such file'

finish
