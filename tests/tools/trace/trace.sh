#!/bin/sh
# SPDX-License-Identifier: MIT
# trace.sh PROGRAM: what `vidmm trace` writes is what Perfetto's schema says, by protoc.
#
# trace_check.awk looks at traces of many scenarios; of one the whole text is known (trace.txt).
# With --update as the second word trace.txt becomes what there is now.
. "$(dirname "$0")/../cli_lib.sh"
root=$(cd "$here/../../.." && pwd)

if ! command -v protoc >/dev/null; then
    echo 'skipped: protoc is not installed'
    exit 77
fi

decode() {
    protoc -I"$here" --decode=Trace perfetto.proto <"$1"
}

# A packet on a line.
decode_lines() {
    decode "$1" | awk '{ gsub(/^ +/, ""); line = line $0 }
        /{$/ { depth++ }
        /^}$/ { depth-- }
        { if (depth) line = line " "; else { print line; line = "" } }'
}

# ---- one trace, word for word --------------------------------------------------------------------

cp "$here/trace.vms" .
run 0 trace -o trace.pftrace trace.vms
empty out
empty err
what='trace.txt'
decode_lines trace.pftrace >out
licence='# SPDX-License-Identifier: MIT'
[ "${2-}" != --update ] || { echo "$licence" && cat out; } >"$here/trace.txt"
sed 1d "$here/trace.txt" >wanted
if cmp -s out wanted; then good; else
    complain "the trace of trace.vms is another one"
    diff wanted out | cut -c1-200 | head -n 30
fi
what='other files give other bytes, the same one the same'
run 0 run --format=perfetto trace.vms
same out trace.pftrace

# ---- many ---------------------------------------------------------------------------------------

cd "$root" || exit 1
for file in scenarios/lessons/*.vms scenarios/examples/*.vms scenarios/rules/SUBMIT-05*.vms; do
    what="vidmm trace $file"
    "$vidmm" trace "$file" >"$work/x.pftrace" 2>"$work/err" </dev/null ||
        complain "$what: it fails"
    if decode "$work/x.pftrace" | awk -f "$here/trace_check.awk" >"$work/out"; then
        good
    else
        (cd "$work" && complain "$what")
    fi
done
cd "$work" || exit 1

# ---- names are data, and the command line 

write_try <<END
segment vram id=1 kind=memory size=64M
note "$(printf '\303\251') <a>"
END
run 0 trace try.vms -o try.pftrace
decode try.pftrace >out
has out '\303\251 <a>'
cp try.pftrace before
echo 'no scenario' >bad.vms
run 3 trace try.vms bad.vms -o try.pftrace
same try.pftrace before
run 2 trace
has err 'missing'
run 2 trace --from=1us try.vms
has err '--from'
run 2 trace --to=1us try.vms
run 2 run --most-events=many try.vms
has err 'is no number of events'
run 2 perfetto
has err 'vidmm trace FILE -o'

# The place of a statement is whole, however long the name of its file.
long=$(printf '%0100d' 0)-$(printf '\303\251').vms
cp "$here/trace.vms" "$long"
run 0 trace "$long" -o long.pftrace
decode long.pftrace >out
has out "\"${long%-*}-\\303\\251.vms:9\""

# ---- what is left out is said --------------------------------------------------------------------

# arrows FILE: how many begin in a trace
arrows() {
    decode "$1" | grep -c '^ *flow_ids'
}

# Events and arrows: what is there and what is said to be missing are all there are. What events
# looked at is counted too.
all=$(arrows trace.pftrace)
for most in 5 12 20 30; do
    run 0 trace --most-events=$most -o few.pftrace trace.vms
    has err 'left out'
    cp err said
    decode few.pftrace >out
    has out "$(sed 's/.*trace: \(.*\); --most.*/\1/' said)"
    awk -f "$here/trace_check.awk" out >last || complain "--most-events=$most: $(cat last)"
    missing=$(sed -n 's/.* \([0-9]*\) arrows*[;,].*/\1/p' said)
    if [ $(($(arrows few.pftrace) + ${missing:-0})) -eq "$all" ]; then good; else
        complain "$what: arrows are missing, which is not said"
    fi
    missing=$(sed -n 's/.*trace: \([0-9]*\) events.*/\1/p' said)
    kinds=$(decode_lines few.pftrace | tail -n 1 | grep -o 'name_iid: 15 string_value: "[0-9]*' |
        awk -F'"' '{ events += $2 } END { print events }')
    if [ "$missing" -eq "$kinds" ]; then good; else
        complain "$what: $missing events are left out, of all kinds $kinds"
    fi
done

# Of what a decision looked at, sixteen things are told, and how many more there were.
write_try <<'END'
segment vram id=1 kind=memory size=60M
for i in 1..30
  create pinned[$i] size=1M segments=vram
  create gone[$i] size=1M segments=vram
  page-in pinned[$i],gone[$i]
  pin pinned[$i]
end
destroy gone[1..30]
create big size=2M segments=vram
page-in big -> fails
END
run 0 trace try.vms -o try.pftrace
decode try.pftrace >out
has out 'string_value: "90 more"'
run 0 trace --most-events=60 try.vms -o try.pftrace
decode try.pftrace >out
has out 'string_value: "2, left out here"'

# A hundred packets wait for a node, which has rows for 32.
run 0 trace "$root/scenarios/rules/SUBMIT-048.vms" -o try.pftrace
has err 'for want of a lane'
lacks err '--most-events'
decode try.pftrace >out
has out 'not drawn: too many at once.'
awk -f "$here/trace_check.awk" out >last || complain "$what: $(cat last)"

# ---- half a run ----------------------------------------------------------------------------------

write_try <<'END'
segment vram id=1 kind=memory size=64M
create a size=64K segments=vram
repeat 1000
  page-in a
  evict a
end
END
cp trace.pftrace good.pftrace
for limit in ops=50 memory=2M work=2000; do
    run 4 trace --limit=$limit try.vms -o good.pftrace
    same good.pftrace trace.pftrace
done
run 0 trace try.vms -o good.pftrace
finish
