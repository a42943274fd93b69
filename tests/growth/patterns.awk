# SPDX-License-Identifier: MIT
# patterns.awk: one pattern of use at size n, as a scenario.
#
#     awk -v name=NAME -v n=N -f patterns.awk        writes the text
#     awk -v list=1 -f patterns.awk                  writes each NAME, its exit code and command
#
# Each pattern does about n things, none of which has a reason to look at all the others. What is
# in `if (is(NAME))` is one; `is(NAME, COMMAND, EXIT)` is for another command than `run -q`, or ends
# with another code than 0.

function is(pattern, command, exit_code) {
    if (list)
        print pattern, exit_code + 0, command == "" ? "run -q" : command
    return !list && pattern == name
}

function say(line) { print line }

# The adapter: WDDM version, size of video memory in KiB; lines before and after its segment.
function begin(version, kib, more, after) {
    say("vidmm-scenario 1")
    say("limit ops=100000000 work=1000000000")
    say("adapter wddm=" version)
    if (more)
        say(more)
    say("segment vram id=1 kind=memory size=" kib "K flags=CpuVisible")
    if (after)
        say(after)
    say("class t size=4K segments=vram flags=CpuVisible")
}

function each(text,    i, j, line, parts, part) {
    parts = split(text, part, "%")
    for (i = 0; i < n; i++) {
        line = part[1]
        for (j = 2; j <= parts; j++)
            line = line i part[j]
        say(line)
    }
}

function residents() {
    begin("1.1", 4 * n + 64)
    each("create a% : t\npage-in a%")
}

function all() {
    # ---- owners ----
    if (is("devices")) {
        begin("1.1", 4096)
        each("device d%")
        each("destroy d%")
    }
    if (is("devices-used")) {
        begin("1.1", 4 * n + 64)
        each("device d%\ncreate a% : t device=d%")
    }
    if (is("devices-of-one")) {
        begin("1.1", 4 * n + 64)
        each("device d%\ncreate a% : t device=d%")
        each("destroy d%")
    }
    if (is("processes-of-all")) {
        begin("1.1", 4 * n + 64)
        each("process p%\ndevice d% process=p%\ncontext c% device=d%")
        each("create a% : t device=d%\nsubmit f% ctx=c% read=a% cost=1us")
        say("wait idle")
        each("destroy p%")
    }
    if (is("processes")) {
        begin("1.1", 4096)
        each("process p%")
        each("device d% process=p%")
        each("destroy p%")
    }
    if (is("contexts")) {
        begin("1.1", 4096)
        say("create a : t")
        each("context c%\nsubmit f% ctx=c% read=a cost=1us")
        say("wait idle")
        each("destroy c%")
    }
    if (is("resources-of-one")) {
        begin("1.1", 4 * n + 64)
        each("resource r%\ncreate a% : t\nend")
        each("destroy r%")
    }
    if (is("resource-add")) {
        begin("1.1", 4 * n + 64)
        say("resource r\nend")
        each("resource r add\ncreate a% : t\nend")
        say("destroy r")
    }
    if (is("resource-members")) {
        begin("1.1", 4 * n + 64)
        for (i = 0; i < n; i++) {
            if (i % 1000 == 0)
                say((i ? "end\n" : "") "resource r" i)
            say("create a" i " : t")
        }
        if (n)
            say("end")
        each("destroy a%")
    }
    if (is("openings")) {
        begin("1.1", 4096)
        say("resource r kmt=CreateResource,CreateShared\ncreate a : t\nend\ndevice e")
        each("open a as b% device=e")
        each("close b%")
    }
    if (is("openers")) {
        begin("1.1", 4096)
        say("device m\nresource r kmt=CreateResource,CreateShared device=m\ncreate a : t\nend")
        each("device d%\nopen a as b% device=d%")
        each("destroy d%")
    }
    if (is("offers-of-openers")) {
        begin("1.2", 4096)
        say("device m\nresource r kmt=CreateResource,CreateShared device=m\ncreate a : t\nend")
        each("device d%\nopen a as b% device=d%")
        say("offer a priority=low device=m")
        each("offer b% priority=low device=d%")
        each("reclaim b% device=d%")
    }
    if (is("offers")) {
        begin("1.2", 4 * n + 64)
        each("create a% : t")
        each("page-in a%")
        each("offer a% priority=low")
        each("reclaim a%")
    }
    if (is("shares")) {
        begin("1.2", 4 * n + 64)
        say("device e")
        each("resource r% kmt=CreateResource,CreateShared,NtSecuritySharing\ncreate a% : t\nend")
        each("share r%")
        each("open r% as o% device=e")
        each("destroy r%")
    }
    if (is("context-allocations")) {
        begin("1.2", 4 * n + 64)
        each("context c%\ncreate a% : t context=c%")
        each("destroy c%")
    }
    # ---- access of the CPU ----
    if (is("locks-nested")) {
        begin("1.1", 4096)
        say("create a : t")
        each("lock a")
        each("unlock a")
    }
    if (is("locks-of-many")) {
        begin("1.1", 4 * n + 64)
        each("create a% : t")
        each("lock a%")
        each("unlock a%")
    }
    if (is("locks-of-devices")) {
        begin("1.1", 4096)
        say("device m\nresource r kmt=CreateResource,CreateShared device=m\ncreate a : t\nend")
        each("device d%\nopen a as b% device=d%\nlock b% device=d%")
        each("unlock b% device=d%")
    }
    if (is("swizzling-ranges")) {
        begin("1.1", 4 * n + 4096, "",
              "segment aper id=2 kind=aperture base=0x100000000 size=" 4 * n + 64 "K")
        each("create s% size=4K segments=aper,vram prefer=aper flags=CpuVisible,Swizzled")
        each("lock s% flags=AcquireAperture")
        each("unlock s%")
    }
    if (is("renaming")) {
        begin("1.1", 64 * n + 4096)
        say("create a : t")
        for (i = 0; i < n; i++) {
            say("submit f" i " read=a cost=100us\nlock a flags=Discard\nunlock a")
            if (i % 4000 == 3999) # no allocation has more than 4,096 instances
                say("wait f" i)
        }
    }
    if (is("renaming-of-many")) {
        begin("1.1", 16 * n + 4096)
        each("create a% : t")
        each("submit f% read=a% cost=100us\nlock a% flags=Discard\nunlock a%")
    }
    if (is("renaming-by-instance")) {
        begin("1.1", 64 * n + 4096)
        each("create a% : t")
        each("submit f% read=a% cost=10us\nlock a% flags=Discard as i%\nunlock a%")
        each("lock i% flags=Discard\nunlock last")
    }
    if (is("lock2")) {
        begin("2.0", 4 * n + 4096, "", "segment aper id=2 kind=aperture size=64M")
        each("create s% size=4K segments=vram flags=CpuVisible,AccessedPhysically")
        each("lock s% api=lock2")
        each("unlock s%")
    }
    if (is("dirty-pages")) {
        begin("1.1", 4 * n + 64)
        say("create a size=" 4 * n "K segments=vram flags=CpuVisible,PermanentSysMem")
        say("page-in a")
        each("lock a pages=%\nunlock a")
    }
    # ---- residency ----
    if (is("creations")) {
        begin("1.1", 4 * n + 64)
        each("create a% : t")
        each("page-in a%")
        each("destroy a%")
    }
    if (is("evictions")) {
        begin("1.1", 2 * n + 64)
        each("create a% : t")
        each("page-in a%")
        each("page-in a%")
    }
    if (is("evictions-by-priority")) {
        begin("1.1", 4 * n + 64)
        for (i = 0; i < n; i++)
            say("create a" i " : t priority=" (i % 2 ? "0x78000000" : "0x50000000") "\npage-in a" i)
        for (i = 0; i < n / 4; i++)
            say("create b" i " size=8K segments=vram\npage-in b" i)
    }
    if (is("evictions-each-priority")) { # in no order, so that few neighbours leave together
        begin("1.1", 4 * n + 64)
        for (i = 0; i < n; i++)
            say("create a" i " : t priority=" 268435456 + (i * 7919) % 1048573 "\npage-in a" i)
        for (i = 0; i < n / 4; i++)
            say("create b" i " size=8K segments=vram\npage-in b" i)
    }
    if (is("evictions-by-use")) {
        residents()
        for (i = 1; i < n; i += 2)
            say("page-in a" i)
        for (i = 0; i < n / 4; i++)
            say("create b" i " size=8K segments=vram\npage-in b" i)
    }
    if (is("linked")) {
        begin("1.1", 4 * n + 64, "link adapters=2")
        each("create a% : t")
        each("submit f% read=a% cost=1us adapters=0,1")
        say("wait idle")
        each("evict a%")
    }
    if (is("linked-evictions")) {
        begin("1.1", 2 * n + 64, "link adapters=2")
        each("create a% : t")
        each("submit f% read=a% cost=1us adapters=0,1\nwait f%")
    }
    if (is("packets-in-flight")) {
        begin("1.1", 4096)
        say("create a : t")
        each("submit f% read=a cost=1ms")
        say("wait idle")
    }
    if (is("packets-of-nodes")) {
        begin("1.1", 4 * n + 64, "", "node 0 name=gfx paging\nnode 1 name=two")
        say("context one\ncontext other node=two")
        each("create a% : t")
        each("submit f% read=a% cost=1ms ctx=one\nsubmit g% read=a% cost=1ms ctx=other")
        say("wait idle")
    }
    if (is("system-ranges")) {
        begin("1.1", 4096)
        each("sysmem m% size=4K")
        each("create a% size=4K segments=vram flags=CpuVisible,ExistingSysMem from=m%")
        each("destroy a%\nfree m%")
    }
    if (is("linked-mirrored")) {
        begin("1.1", 4 * n + 64, "link adapters=4")
        each("create s% size=4K segments=vram flags=LinkMirrored")
        each("page-in s%")
        each("evict s%")
        each("destroy s%")
    }
    if (is("fragmented")) {
        begin("1.1", 8 * n + 64)
        each("create a% : t\ncreate b% : t\npage-in a%\npage-in b%")
        each("evict b%")
        say("create big size=" 4 * n "K segments=vram\npage-in big")
        each("page-in b%")
    }
    if (is("exclusions")) {
        begin("1.1", 4 * n + 64)
        each("create a% : t")
        each("exclude on\nexclude off")
    }
    if (is("findings")) {
        begin("1.1", 4 * n + 64)
        each("create a% : t")
        each("inject forget-patch\nsubmit f% read=a%\nwait f% -> either")
    }
    if (is("checked", "run -q --check")) {
        residents()
    }
    # ---- language ----
    if (is("tests")) {
        begin("1.1", 4096)
        each("test \"test %\"\ncreate a : t\nexpect live() == 1\nend")
    }
    if (is("tests-that-count")) {
        begin("1.1", 4096)
        each("test \"test %\"\ncreate a% : t\npage-in a%\nexpect count(place,subject=a%) == 1\nend")
    }
    if (is("tests-tagged", "test --tags=odd")) {
        begin("1.1", 4096)
        say("tags all\ntest \"first\" tags=odd\nend")
        for (i = 0; i < n; i++)
            say("test \"test " i "\"" (i % 2 ? " tags=odd" : "") "\ncreate a : t\nend")
    }
    if (is("tests-chosen", "run -q --only=test~1~")) {
        begin("1.1", 4096)
        each("test \"test~%~\"\ncreate a : t\nend")
    }
    if (is("preamble")) {
        begin("1.1", 4 * n + 64)
        each("create a% : t")
        for (i = 0; i < 8; i++)
            say("test \"test " i "\"\npage-in a" i "\nend")
    }
    if (is("events-in-order")) {
        residents()
        say("expect events")
        each("place a% segment=vram")
        say("end")
    }
    if (is("events-any-order")) {
        residents()
        say("expect events any-order")
        for (i = n - 1; i >= 0; i--)
            say("place a" i)
        say("end")
    }
    if (is("events-any-order-by-field")) {
        residents()
        say("expect events any-order")
        for (i = n - 1; i >= 0; i--)
            say("place offset=" 4 * i "K")
        say("end")
    }
    if (is("events-absent")) {
        residents()
        say("expect events any-order")
        each("not evict a%")
        say("end")
    }
    if (is("count-of-events")) {
        begin("1.1", 4 * n + 64)
        for (i = 0; i < n; i++)
            say("create a" i " : t\npage-in a" i "\nexpect count(place) == " i + 1)
    }
    if (is("count-by-subject")) {
        begin("1.1", 4 * n + 64)
        each("create a% : t\npage-in a%\nexpect count(place,subject=a%) == 1")
    }
    if (is("no-event")) {
        begin("1.1", 4 * n + 64)
        each("create a% : t\npage-in a%\nexpect no evict")
    }
    if (is("no-event-by-subject")) {
        begin("1.1", 4 * n + 64)
        each("create a% : t\npage-in a%\nexpect no evict a%")
    }
    if (is("events-of-names")) {
        begin("1.1", 4 * n + 64)
        each("create a% : t\ncreate b% : t\npage-in a%\nexpect no place b%")
    }
    if (is("no-event-since")) {
        begin("1.1", 4 * n + 64)
        each("create a% : t\nmark m%\npage-in a%\nexpect no evict since m%")
    }
    if (is("bytes-and-stall")) {
        residents()
        each("expect bytes(bytes_filled) > %\nexpect stall(sync_after) < 1s")
    }
    if (is("classes")) {
        begin("1.1", 4 * n + 64)
        each("class c% size=4K segments=vram")
        each("create a% : c%")
    }
    if (is("lets")) {
        begin("1.1", 4096)
        each("let v% = %")
        each("expect live() + $v% == %")
    }
    if (is("names-unknown", "check", 3)) {
        begin("1.1", 4096)
        each("create a% : t")
        say("evict b")
        each("evict b%")
    }
    if (is("loops")) {
        begin("1.1", 4096)
        each("repeat 2 as i%\nlet w = $i% + 1\nend")
    }
    if (is("always")) {
        begin("1.1", 4 * n + 64)
        say("always\nexpect live() >= 1\nend")
        each("create a% : t")
    }
    if (is("pick-any")) {
        begin("1.1", 4 * n + 64)
        each("create a% : t")
        each("page-in any")
        each("destroy any")
    }
    if (is("map-expected")) {
        begin("1.1", 4 * n)
        each("create a% : t\npage-in a%")
        say("expect map vram")
        for (i = 0; i < n; i++)
            say(4 * i "K.." 4 * (i + 1) "K a" i)
        say("end")
    }
    if (is("family")) {
        begin("1.1", 4 * n + 64)
        say("create t[0.." n - 1 "] : t\npage-in t[0.." n - 1 "]")
        each("expect t[%] resident\nlet w = % + 1\nevict t[$w - 1]")
        say("destroy t[0.." n - 1 "]")
    }
    # ---- other commands ----
    if (is("map-shown", "run")) {
        residents()
        say("show map vram\nshow memory")
    }
    if (is("jsonl", "run --format=jsonl")) {
        residents()
    }
    if (is("html", "run --format=html")) {
        residents()
    }
    if (is("svg", "run --format=svg")) {
        residents()
    }
    if (is("perfetto", "run --format=perfetto")) {
        residents()
    }
    if (is("story", "run --verbose --why --calls")) {
        residents()
    }
    if (is("recorded", "run -q --record=/dev/null")) {
        residents()
    }
    if (is("checks", "check")) {
        begin("1.1", 4 * n + 64)
        each("create a% : t\npage-in a%\nexpect a% in vram")
    }
    if (is("checks-bulk", "check")) {
        begin("1.1", 4 * n + 64)
        for (i = 1; i <= n; i++)
            say("create @" i " : t\npage-in @" i)
    }
    if (is("layout", "fmt")) {
        begin("1.1", 4 * n + 64)
        each("create a% : t\npage-in a%\nexpect a% in vram")
    }
    if (is("mistakes", "check", 3)) {
        begin("1.1", 4096)
        say("crate b : t")
        each("crate a% : t")
    }
    if (is("show-alloc", "run")) {
        residents()
        each("show alloc a%\nshow state a%")
    }
    if (is("failures", "run -q", 1)) {
        begin("1.1", 4096)
        each("create a% : t\nexpect a% resident")
    }
    if (is("tests-failing", "test", 1)) {
        begin("1.1", 4096)
        each("test \"test %\"\ncreate a : t\nexpect a resident\nend")
    }
    if (is("questions", "quiz", 1)) {
        begin("1.1", 4096)
        say("lesson \"x\"")
        each("create a% : t\nask \"How many?\" = live()")
    }
    if (is("compare", "compare --policies=wddm,lru,sieve")) {
        begin("1.1", 2 * n + 64)
        each("create a% : t")
        each("page-in a%")
        each("page-in a%")
    }
    if (is("diff", "diff --with=pinned-percent=10")) {
        residents()
    }
    if (is("explain-allocation", "explain --allocation=a5")) {
        residents()
    }
    if (is("viewed", "view -o /dev/null")) {
        begin("1.1", 4 * n + 64)
        each("create a% : t\npage-in a%\nevict a%")
    }
    if (is("traced", "trace -o /dev/null")) {
        begin("1.1", 4 * n + 64)
        each("create a% : t\nsubmit f% write=a% cost=10us\nwait f%")
    }
}

BEGIN { all() }
