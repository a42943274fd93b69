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
run 2 run --most-events=many try.vms
has err 'is no number of events'
run 2 perfetto
has err 'vidmm trace FILE -o'

# ---- a limit, and what it leaves out -------------------------------------------------------------

run 0 trace --most-events=20 -o few.pftrace trace.vms
has err 'left out'
decode few.pftrace >out
has out 'left out'
awk -f "$here/trace_check.awk" out >last || complain "--most-events=20: $(cat last)"
finish
