#!/bin/sh
# SPDX-License-Identifier: MIT
# limits.sh PROGRAM [SANITIZED]: small texts that ask for everything. Each ends with exit code 4 and
# names the statement, within the limits of memory and work that are set here; none writes a
# scenario for a report, because nothing is wrong with vidmm.
. "$(dirname "$0")/cli_lib.sh"
sanitized=${2:-OFF}
machine_kib=60000

memory='adapter
segment v id=1 kind=memory size=64M flags=CpuVisible
segment a id=2 kind=aperture size=64M'
huge='machine memory=64T
segment v id=1 kind=memory size=16T
segment a id=2 kind=aperture size=1T
create x size=8T segments=v evict-to=a content=1
page-in x
evict x'

# Of a sanitizer build the size says nothing.
try() {
    write_try
    code=0
    what="vidmm run $*"
    (
        # shellcheck disable=SC3045 # every sh of Debian has it
        [ "$sanitized" = ON ] || ulimit -v "$machine_kib"
        exec "$vidmm" run "$@" try.vms
    ) >out 2>err </dev/null || code=$?
    if [ "$code" -eq 4 ]; then good; else complain "$what: exit $code, not 4"; fi
    lacks err 'vidmm-repro'
}

# ---- memory ------------------------------------------------------------------------------------

# DMA buffers of submissions that never begin.
try -q --limit=memory=32M <<END
$memory
create x size=4K segments=v
repeat 4000000000
  submit auto write=x cost=1000000s
end
END
has err 'try.vms:7:3: stopped: 32 MiB of memory is the limit'
has out '; stopped by a limit'
try -q <<END
$memory
limit memory=16M
repeat 4000000000
  create new size=4K segments=v
end
END
has err 'try.vms:7:3: stopped: 16 MiB of memory is the limit'
# One operation: the limit ends it early.
try --format=jsonl --limit=memory=8M <<END
$memory
context big DmaBufferSize=60M
submit auto ctx=big bytes=60M
END
has err 'try.vms:6:1: stopped: 8 MiB of memory is the limit'
tail -n 2 out >last
has last '"stopped":"8 MiB of memory is the limit","file":"try.vms","line":6,"column":1}'
has last '"end":"try.vms","exit":4,'
json_lines out
# While a text is read and checked there is no statement yet, and no next file afterwards.
{
    echo "$memory"
    awk 'BEGIN { for (i = 0; i < 60000; i++) print "create a" i " size=4K segments=v" }'
} >many
cp many many.vms
try --format=jsonl --limit=memory=4M many.vms <many
has err 'many.vms:1:1: error: '
try --format=jsonl --limit=memory=4M <many
has err 'try.vms: stopped: 4 MiB of memory is the limit'
has out '"end":"try.vms","exit":4}'

# ---- a machine with less -----------------------------------------------------------------------

if [ "$sanitized" != ON ]; then
    try -q <<END
$memory
repeat 4000000000
  create new size=4K segments=v
end
END
    has err ' of memory is the limit'
    has err 'three quarters of what this machine had left'
    # A text asks for more memory than there is: malloc() fails, and there is still a last line.
    # A text that fills a small machine ends soon.
    machine_kib=20000
    try --format=jsonl --limit=memory=8G <<END
$memory
repeat 4000000000
  create new size=4K segments=v
end
END
    has err 'try.vms:6:3: stopped: this machine has no memory left'
    tail -n 2 out >last
    has last '"stopped":"this machine has no memory left","file":"try.vms","line":6,"column":3}'
    has last '"end":"try.vms","exit":4,'
    json_lines out
    machine_kib=60000
    write_try <many
    code=0
    what='vidmm check without memory'
    # shellcheck disable=SC3045
    (ulimit -v 20000 && exec "$vidmm" check try.vms) >out 2>err || code=$?
    if [ "$code" -eq 4 ]; then good; else complain "$what: exit $code, not 4"; fi
    has err 'try.vms: stopped: '
fi

# ---- work --------------------------------------------------------------------------------------

# Thousands of millions of pieces, commands or members in one operation.
try --limit=work=100000 <<END
adapter max-transfer=4K
$huge
END
has err 'try.vms:7:1: stopped: 100000 steps of work are the limit'
has out '1 operation; stopped by a limit'
# A text says how many as the command line does.
try -q <<END
$memory
limit ops=1K
repeat 4000000000
  wait idle
end
END
has err 'stopped: 1024 '
try --limit=work=100000 <<END
adapter command-per-page=1
$huge
END
has err 'try.vms:7:1: stopped: 100000 steps of work are the limit'
try -q --limit=ops=100000 <<END
$memory
create t[0..2047] size=4K segments=v
repeat 100000000
  priority any(2000) 1
end
END
has err 'stopped: 100000 rounds of loops, members of ranges and lines told are the limit'
# Victims that are considered in vain, thousands in each operation.
try -q <<END
limit work=100000
$memory
create t[0..2047] size=4K segments=v
create b size=64M segments=v
repeat 100000
  page-in t[0..2047]
  page-in b
end
END
has err 'stopped: 100000 steps of work are the limit'
# Printed lines are work too.
try --limit=ops=2000 <<END
$memory
repeat 4000000000
  show memory
  note "again"
end
END
has err 'stopped: 2000 rounds of loops, members of ranges and lines told are the limit'
lines=$(wc -l <out)
if [ "$lines" -lt 10000 ]; then good; else complain "$what: $lines lines"; fi
# In the middle of an operation there is no next file.
cp try.vms next.vms
write_try <<END
adapter max-transfer=4K
$huge
END
run 4 run --limit=work=100000 --limit=ops=2000 next.vms try.vms next.vms next.vms
has err 'vidmm: not run: 2 files after try.vms'

run 2 run --limit=works=3 try.vms
has err "'works=3' is no limit: write --limit=ops=N, work=N, live=N, time=T or memory=SIZE"

finish
