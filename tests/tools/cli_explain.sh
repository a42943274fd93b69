#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_explain.sh PROGRAM: the reasons that `vidmm explain FILE` gives for what lessons are about.
. "$(dirname "$0")/cli_lib.sh"

scenarios=$here/../../scenarios

# Of a lesson and an event, all in one line.
reason() {
    run 0 explain "$scenarios/lessons/$1.vms" --event="$2"
    narrow out
    tr -s ' \n' ' ' <out >flat
}

says() {
    if grep -q -e "$1" flat; then good; else complain "$what: does not say $1"; fi
}

reason 06-overlays 17
has out '- a hole of 20 MiB at 80 MiB takes video'
run 0 explain "$scenarios"/lessons/06-overlays.vms --allocation=logo
has out 'refused: no place for logo'
has out 'no place was found for logo'
lacks out 'no place was found for video'
# A preference that no search can honour.
write_try <<'END'
segment vram id=1 kind=memory size=64M
segment small id=2 kind=memory size=4M
create a size=8M segments=vram,small prefer=small
page-in a
END
run 0 explain try.vms --event='place a'
tr -s '\n ' '  ' <out >flat
says 'small is preferred, but never searched: it has 4 MiB, and a needs 8 MiB'
# A shortage is explained like the refusal after it; a refusal has no name to ask for.
write_try <<'END'
segment vram id=1 kind=memory size=16M
create a size=8M segments=vram
create big size=12M segments=vram
page-in a
pin a
page-in big -> fails
END
for event in refuse 'shortage big'; do
    run 0 explain try.vms --event="$event"
    tr -s '\n ' '  ' <out >flat
    says 'no place was found for big 1\. vram from 0 .*a (8 MiB at 0) stays: it is pinned'
    says 'a hole of 8 MiB at 8 MiB is too small for big'
done
run 2 explain try.vms --event='refuse big'
has err "'refuse' names nothing; --event=refuse explains the first one, --allocation=big those of"
run 2 explain try.vms --event='shortage bog'
has err "did you mean 'shortage big'?"
# A refused list leaves for its second try, not for the one that found no place.
write_try <<'END'
segment vram id=1 kind=memory size=16M
segment aper id=2 kind=aperture size=16M
create t[0..2] size=6M segments=vram evict-to=aper
submit f read=t[0..2]
END
run 0 explain try.vms --event=fail
tr -s '\n ' '  ' <out >flat
says 'no place was found for t\[2\]'
says 'leaving for a second try: - t\[0\] was evicted'
lacks out 'leaving for t'
# Of an expectation that fails: which, what is wrong with it, and the last decision before it.
write_try <<'END'
segment vram id=1 kind=memory size=16M
create a size=4K segments=vram
page-in a
advance 1us
expect a evicted
END
run 0 explain try.vms --event=fail
has out 'try.vms:6:1: failed: a evicted'
has out '   a is in vram at 0'
has out 'The last decision before it:'
has out 'line 4: page-in a'
run 0 explain try.vms --event=end
has out 'line 4: page-in a'
write_try <<'END'
segment vram id=1 kind=memory size=16M
expect used(vram) == 1
END
run 0 explain try.vms --event=fail
has out 'try.vms:3:1: failed: used(vram) == 1'
has out 'Nothing was decided before it.'
# Whose turn it was: one paragraph above the searches, and nothing is said twice.
reason 03-no-room 82
says 'Only 4 MiB were free, the largest hole 4 MiB, and target needs 10 MiB\. '
turns='The longest unused leaves first: sky (last used or brought in at 0\.000 us), then'
turns="$turns the largest hole has 8 MiB, too small; grass (last used or brought in at 6\\.000 us),"
says "$turns then the largest hole has 20 MiB, enough\\. rocks was not reached\\. 1\\. vram"
count 1 'a hole of 4 MiB at 28 MiB'
reason 13-priorities-and-offers 78
says 'What is offered leaves first: mask, then the largest hole has 8 MiB, enough\.'
says 'only lower priorities and what is offered may leave'
reason 13-priorities-and-offers 'evict log'
says ' log leaves, whose priority is lower than that of film\[2\], then'
# Content that cannot be saved: the numbers, and the rule that counts most, come first.
reason 05-eviction-sets 89
says '36 MiB (aper: at most 32 MiB in one piece beside video) .*PAGE-024 Evi.*PAGE-027'
reason 14-splitting 68
says ' 2\. vram .*the buffer was split at 512 bytes.* 3\. vram .*leaving for trees'
reason 12-fragmentation 578
count 13 'stays: it is pinned'
count 1 '(PLACE-012)'
# Which word decided a direction.
reason 07-from-the-end 'place up'
says 'bottom-up (as its preference says, which beats FromEndOfSegment): '
reason 07-from-the-end 'place font'
says 'top-down (as FromEndOfSegment says): '
reason 07-from-the-end 'place dest'
says 'top-down (a hinted bank, which beats preference and flag): '
reason 07-from-the-end 'place plain'
says 'bottom-up: there is room (PLACE-007)'
write_try <<'END'
segment vram id=1 kind=memory size=64M
create a size=4K segments=vram prefer=vram:top flags=FromEndOfSegment
page-in a
END
run 0 explain try.vms --event='place a'
tr -s ' \n' ' ' <out >flat
says 'top-down (as its preference and FromEndOfSegment say): '
# A hang: what runs, since when, who waits, and when the node was asked to stop.
reason 15-a-hang preempt
says 'frame1 (fence 1) has run on node 0 for 100000 us, since 1662\.862 us, and redraw (fence 2)'
says 'If it still runs when TdrDelay is over'
lacks out 'The last decision'
reason 15-a-hang tdr
says 'asked at 101662\.862 us to stop it, and still runs it 2000000 us later'
lacks out 'The last decision'
# A rule that says what a callback answers says what a run calls it, too.
run 0 rules --format=jsonl
grep -oE '"id":"[^"]*"|"violation":"[^"]*"' out | paste -d' ' - - >violations
while read -r callback kernel; do
    what="rules about $callback"
    if grep -qF "$callback" violations; then good; else complain "$what: there are none"; fi
    grep -F "$callback" violations | grep -vF "$kernel" >out
    empty out
done <<'END'
E_INVALIDARG STATUS_INVALID_PARAMETER
E_OUTOFMEMORY STATUS_NO_MEMORY
D3DERR_NOTAVAILABLE STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE
D3DERR_WASSTILLDRAWING STATUS_GRAPHICS_ALLOCATION_BUSY
D3DERR_OUTOFVIDEOMEMORY STATUS_GRAPHICS_NO_VIDEO_MEMORY
D3DDDIERR_DEVICEREMOVED STATUS_DEVICE_REMOVED
D3DDDIERR_CANTEVICTPINNEDALLOCATION STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION
D3DDDIERR_CANTRENDERLOCKEDALLOCATION STATUS_GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION
END
run 0 explain E_INVALIDARG
has out 'STATUS_INVALID_PARAMETER is a status'
has out 'a scenario may write either'
finish
