#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_refusals.sh PROGRAM: refusals in words that help: which flag, whose name, what is missing.
. "$(dirname "$0")/cli_lib.sh"

# A run of the preamble and the lines of stdin.
try() {
    wanted=$1
    shift
    {
        echo 'vidmm-scenario 1'
        cat
    } >try.vms
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

finish
