#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_words.sh PROGRAM: explanations and lists of the program: rules, flags, statuses, stop codes.
. "$(dirname "$0")/cli_lib.sh"

# ---- explain and rules -------------------------------------------------------------------------

run 0 explain PLACE-006
has out 'Standing'
run 0 explain PLACE-012
has out 'Standing    our choice'
has out 'Raised by'
lacks out 'PLACE-012  Victims'
run 0 explain PLACE-010
has out 'Proves (b)  scenarios/examples/example-05.vms'
lacks out 'Proved by'
run 0 explain MINI-065
has out 'Proved by   no scenario: every transfer of this version names an allocation'
run 0 explain place-006
run 0 explain h2d
has out "'h2d' has no entry of its own"
has out 'Rules that speak of it'
run 2 explain palce
has err "'palce' is unknown; did you mean 'place'?"
run 2 events evcit
has err "'evcit' is not an event; did you mean 'evict'?"
# Nobody asks for the rules that have such a word.
run 2 explain which
empty out
run 0 explain any
lacks out 'Rules that speak of it'
run 0 explain LOCK
has out 'LOCK-001'
run 0 explain lock
has out 'lock is a statement'
has out 'lock is an event'
lacks out 'LOCK-001'
run 0 explain --verbose evict
has out 'evict is a statement'
has out 'evict is an event'
has out 'migration'
run 0 events
narrow out
if grep '^[a-z]*$' out | sort | uniq -d | grep -q .; then complain 'a group twice'; else good; fi
has out 'evict                   story    an allocation leaves its segment'
lacks out 'migration'
for word in golden evict-to; do
    run 0 explain $word
    narrow out
done
run 0 events place evict
has out '    [kind]         word        what it is, if it is no allocation'
has out 'Told        always'
lacks out 'arrive'
narrow out
run 0 events cpu
has out 'lock is an event'
has out 'unlock is an event'
lacks out 'arrive is an event'
run 0 events --fields
has out 'arrive is an event'
run 2 events evict plac
has err "'plac' is not an event; did you mean 'place'?"
run 2 events hybrid
has err "'hybrid' is not an event; 'vidmm events' lists them"
run 0 events --format=jsonl
cp out events
what='the events as JSON lines'
json_lines events
run 0 explain CpuVisible
has out 'of DXGK_SEGMENTFLAGS'
has out 'LOCK-013'
run 0 explain create
has out 'evict-to=SEGS|none'
run 0 explain expect
has out 'A in SEGMENT [at OFFSET]'
has out 'largest-free(SEGMENT)'
has out 'vidmm explain state'
run 0 explain state
has out '  DEVICE      state'
has out 'residency segment offset'
lacks out 'reservation'
narrow out
# A word of the field: its meaning, its other kinds, and rules, those that mention it too.
for word in fence MDL bank 'paging buffer' dirty copy whole eviction; do
    run 0 explain "$word"
    has out 'Rules that speak of it'
    narrow out
done
has out 'eviction: An allocation gives up its place in a segment'
has out "eviction is an attribute of 'policy'"
has out 'PLACE-012   Victims'
has out 'More: vidmm explain --verbose eviction'
# In short, unless asked for more: attributes by name, as messages promise; no fields of events.
for word in segment miniport adapter lock fence; do
    run 0 explain "$word"
    has out "$word: "
    has out "More: vidmm explain --verbose $word"
    lacks out 'more: vidmm rules'
    lacks out 'none is'
    what="the lines of $word"
    if [ "$(wc -l <out)" -lt 40 ]; then good; else complain "$what"; fi
    short=$(($(wc -l <out) + 9))
    run 0 explain --verbose "$word"
    lacks out 'More: vidmm explain'
    what="the lines of $word with --verbose"
    if [ "$(wc -l <out)" -gt "$short" ]; then good; else complain "$what"; fi
done
run 0 explain adapter
has out '  Words       wddm page system-wddm '
has out ' command-per-page'
run 0 explain segment lock
has out '  Attributes  id kind size base '
has out '  Attributes  flags pages device data api'
run 0 explain paging\ buffer
has out "More: vidmm explain --verbose 'paging buffer'"
# Nothing more there is of this one; the head is the word that was asked for.
run 0 explain token
has out 'token: A language model is '
lacks out 'More:'
run 2 explain --verbose --event=1 try.vms
has err '--verbose is about a word'
run 0 explain fence
has out 'fence: A number that rises with each packet of a node.'
has out 'fence is an event'
has out 'SUBMIT-050  Fence numbers'
run 0 rules --about=fence
has out 'SUBMIT-055'
lacks out 'SEG-037'
# Words to which lessons send their readers.
for word in $(sed -n 's/.*explain \([A-Za-z-]*\)[^A-Za-z/-].*/\1/p' \
    "$here"/../../scenarios/lessons/*.vms); do
    run 0 explain "$word"
    has out "$word"
done
run 0 explain EvictionSegmentSet Size PagingBufferSegmentId hDeviceSpecificAllocation
has out 'EvictionSegmentSet of DXGK_ALLOCATIONINFO: '
has out 'PAGE-021    Eviction from memory without an aperture'
has out 'Size of DXGK_ALLOCATIONINFO: '
has out 'SUBMIT-014  NULL handle unbinds'
run 0 explain backing
has out 'stale: pages that only wait for their release'
narrow out
run 0 explain cpu-dirty
has out 'ALLOCATION  How many pages of its backing store are newer'
has out 'expect state ALLOCATION cpu-dirty=VALUE'
run 0 explain TdrDelay
has out 'Values      a time such as 200us; ns without a unit'
run 0 explain advance
has out 'ns without a unit'
run 0 explain no-entry
has out 'Read        when the driver is loaded: `miniport mock`'
run 0 explain query-status
has out 'Read        at the start: `miniport mock`, or `inject` and `reset pnp-start`'
run 0 explain standby 'Context Switch'
has out 'SEG-043     Standby and hibernate preservation table'
has out 'SUBMIT-047  Context switch packet'
has out 'evict reason=standby'
# A policy; "wddm" is one of placement and one of eviction.
run 0 explain sieve best-fit belady
has out 'sieve is a policy of eviction: the first unused one that a hand meets'
has out 'Zhang et al., SIEVE'
has out '`policy eviction=sieve` in a scenario, or --set=eviction=sieve'
has out 'best-fit is a policy of placement: '
has out 'Needs       the references to come'
narrow out
run 0 explain wddm
has out 'wddm is a policy of placement: '
has out 'wddm is a policy of eviction: '
run 2 explain lfu
has err "'lfu' is unknown; did you mean 'lru'?"
# Another number is another rule; an area can be mistyped.
run 2 explain LOCK-999
has err "there is no rule 'LOCK-999'; \`vidmm explain LOCK\` lists those there are"
run 2 explain PALCE-022
has err "'PALCE-022' is unknown; did you mean 'PLACE-022'?"
run 2 explain FOO-001
lacks err 'did you mean'
# A question ends a message.
run 2 run --set=findings=cout try.vms
has err "possible: count|fatal; did you mean 'count'?"
run 0 explain room
narrow out
run 0 explain hung video_tdr_failure VIDEO_SCHEDULER_INTERNAL_ERROR
has out 'device-state state=hung'
has out '0x116 is a bug check: VIDEO_TDR_FAILURE'
has out '0x119/0xC          driver'
run 0 explain -v reset power
has out 'level two synchronisation: the GPU comes to rest'
has out 'the machine wakes up'
lacks out 'the driver takes the adapter for itself'
run 0 explain TdrDelay sync-scope wddm page h2d-rate
has out '  Values      a time such as 200us'
has out '  Default     2s'
has out '  Default     adapter'
has out '  Default     1.1'
has out '  Default     4 KiB'
has out '12000000000 with pcie3, '
run 0 explain device context
has out 'without device= the last one'
has out 'without ctx= the last one'
run 0 explain inject
has out 'DxgkDdiPatch answers this status'
run 0 explain page-fault
has out '0x8 reset the engine'
narrow out
run 0 explain evict-to
has out "evict-to is an attribute of 'create'"
run 0 explain segments largest-free forget-patch
run 0 explain NO_VIDEO_MEMORY
has out 'STATUS_GRAPHICS_NO_VIDEO_MEMORY is a status, 0xC01E0100'
run 0 explain 0xC000000D
has out 'STATUS_INVALID_PARAMETER is a status, 0xC000000D'
run 0 explain 0x8876017C
has out 'STATUS_GRAPHICS_NO_VIDEO_MEMORY is a status'
run 2 explain 0xC0FFEE00
for cap in CrossAdapterResource MaxOverlays ApertureSegmentCommitLimit; do
    run 0 explain $cap
    has out "$cap is a cap"
    has out "adapter $cap=N"
done
run 0 explain NumberOfSwizzlingRanges
has out 'Default     8; from WDDM 2.0 on 0'
has out 'Rules that speak of it'
run 0 explain HighestAcceptableAddress
has out 'no limit'
run 2 explain CrossAdapterResorce
has err "did you mean 'CrossAdapterResource'?"
run 0 explain -v adapter
has out 'CrossAdapterResource'
has out 'MaxOverlays'
narrow out
run 0 explain profile
has out 'pcie3|pcie4'
run 0 explain evictions
has out 'evictions is a counter'
run 0 explain PermanentSysMem
has out 'bit  1  0x00000002  from WDDM 1.0 on'
has out 'FLAG-013   PermanentSysMem requires CpuVisible'
has out 'scenarios/rules/FLAG-013.vms'
has out 'FLAG-008   PermanentSysMem keeps the backing store: see PAGE-011, PAGE-012'
run 0 explain 0x10E/0xB 0x119/1
has out '0x10E/0xB is a bug check: VIDEO_MEMORY_MANAGEMENT_INTERNAL'
has out 'bpb-status=S@n: n-th BuildPagingBuffer returns S'
has out 'scenarios/rules/MINI-055.vms'
has out 'invalid fence id reported'
run 0 explain 0x10E/0x19
has out 'reported as 0x119 / 0x3'
lacks out '.vms'
run 0 explain 0x117
has out '0x117 is a live dump: VIDEO_TDR_TIMEOUT_DETECTED'
run 0 explain 0x10e
has out '  0x10E/0x12         driver    DMA buffer overrun by the driver'
lacks out '|'
narrow out
run 0 explain 0x119
has out '  0x119/0x1'
lacks out '|'
narrow out
run 2 explain 0x10E/0x99
has err 'VIDEO_MEMORY_MANAGEMENT_INTERNAL, which has no subcode 0x99'
empty out
# As JSON lines print them.
run 0 explain 0x10E
cp out hex
run 0 explain 270
same out hex
run 0 explain 270/11
has out '0x10E/0xB is a bug check'
run 2 explain 0x123
run 2 explain CpuVisble
has err "did you mean 'CpuVisible'?"
narrow err
run 2 explain STATUS_INVALID_PARAMTER
has err "'STATUS_INVALID_PARAMETER'?"
narrow err
run 2 explain nothing-at-all 4294967296 99999999999999999999/1
narrow err
has err 'no rule, statement, attribute,'
run 2 explain PLACE-999
# A member that only rules speak of.
run 0 explain PagingBufferSize
has out 'TIME-019'
narrow out
run 0 flags
has out 'bit 15  0x00008000  2.0     AccessedPhysically'
has out 'D3DDDICB_LOCKFLAGS'
run 0 flags --wddm=1.3 dxgk_segmentflags
has out '1.2     DirectFlip'
lacks out 'Use64KBPages'
has out 'reserved in 1.3: 0xFFFFF800'
lacks out 'DXGK_ALLOCATIONINFOFLAGS'
run 0 flags --rules DXGK_TRANSFERFLAGS
has out 'SWIZ-026'
run 2 flags DXGK_NOTHING
has err 'DXGK_SEGMENTFLAGS'
run 2 flags --wddm=13
has err 'write 1.3'
versions='1.0 to 1.3, 2.0 to 2.7, 2.9, 3.0 to 3.2'
for version in 9.9 0.1 2.8 1.4; do
    run 2 flags --wddm=$version
    has err "'$version' is no interface version: write 1.3; there are $versions"
done
run 2 run --set=wddm=1.4 nothing.vms
has err "no interface version has this number; there are $versions"
lacks err 'possible'
run 0 flags --format=jsonl
cp out flags
what='the flags as JSON lines'
json_lines flags
run 0 rules --area=PLACE
has out 'PLACE-006'
lacks out 'LOCK-001'
run 0 rules --area=PLACE --coverage
has out 'by (b)     scenarios/examples/example-05.vms,'
has out ' clauses, '
run 0 rules --format=jsonl
cp out rules
what='the rules as JSON lines'
json_lines rules

finish
