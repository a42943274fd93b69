#!/bin/sh
# SPDX-License-Identifier: MIT
# twin.sh PROGRAM FOLDER...: a binary twin is its text: the same bytes come back from it, and it
# runs with the same output, messages and exit code, as a file and as an included one.
#
# FOLDER is one of scenarios/, or "made": a text with everything that bulk lines can be.
set -eu
LC_ALL=C
export LC_ALL
program=$1
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/text" "$work/twin"
failed=0
count=0

complain() {
    echo "twin.sh: $*"
    failed=$((failed + 1))
}

# Lines of every kind, and mistakes between them: PART is what changes.
make() {
    cat <<'END'
vidmm-scenario 1
adapter wddm=1.1
segment vram id=1 kind=memory size=1M flags=CpuVisible
segment aper id=2 kind=aperture size=1M
class tex segments=vram,aper evict-to=aper flags=CpuVisible
END
    awk -v part="$1" 'BEGIN {
        for (i = 1; i <= 60; i++) {
            printf "create @%d : tex size=%dK\n", i, 4 * (1 + i % 7)
            if (part == "errors" && i == 40)
                print "submit @7 read=@777 write=@12"
            if (part == "errors" && i % 20 == 0)
                printf "create @%d : tex size=%dX\n", i + 1000, i
        }
        for (i = 1; i <= 60; i++)
            printf "submit @%d read=@%d,@%d cost=%dus\n", i + 4000000000, i, 1 + i % 60, i % 13
        for (i = 1; i <= 20; i++)
            printf "page-in @%04d\npage-in @%d\r\npage-in @%d # why\n\tpage-in  @%d\n", i, i, i, i
        for (i = 1; i <= 20; i++)
            printf "lock @%d data=0x%x\nunlock @%d\n", i + 30, i, i + 30
        print "resource block"
        for (i = 1; i <= 20; i++)
            printf "  create @%d : tex size=%dK\n", i + 100, i
        print "end\nrepeat 3"
        for (i = 1; i <= 30; i++)
            printf "  page-in @%d\n", i
        print "end"
        for (i = 1; i <= 10; i++)
            printf "submit @%d read=@%d with\n  at 0 slot 0 read @%d\nend\n", i + 70, i, i
        print "wait idle"
        for (i = 1; i <= 30; i++)
            printf "destroy @%d\n", i
        if (part == "unknown")
            print "destroy @1\npage-in @2"
        print "expect @31 in vram\ndestroy @31\ntest \"inside\""
        for (i = 32; i <= 60; i++)
            printf "  evict @%d -> either\n  page-in @%d\n", i, i
        if (part != "open")
            print "end"
    }'
}

# The file of each folder that has a name, in both forms.
fill() {
    mkdir -p "$work/text/$(dirname "$1")" "$work/twin/$(dirname "$1")"
    cp "$2" "$work/text/$1"
    "$program" convert --from=vms --to=vmb "$2" -o "$work/twin/$1"
    "$program" convert --from=vms --to=vms "$work/twin/$1" -o "$work/back"
    cmp -s "$2" "$work/back" || complain "$1: another text comes back"
}

# FILE OPTION...: from both folders.
compare() {
    file=$1
    shift
    for form in text twin; do
        code=0
        (cd "$work/$form" && "$program" "$@" "$file" >../$form.out 2>../$form.err) || code=$?
        echo "exit $code" >>"$work/$form.out"
    done
    count=$((count + 1))
    for end in out err; do
        cmp -s "$work/text.$end" "$work/twin.$end" ||
            complain "vidmm $* $file: $(diff "$work/text.$end" "$work/twin.$end" | head -n 3)"
    done
}

for folder in "$@"; do
    if [ "$folder" = made ]; then
        for part in plain errors open unknown; do
            make "$part" >"$work/made"
            fill "made/$part.vms" "$work/made"
            compare "made/$part.vms" check
            compare "made/$part.vms" run --format=jsonl
            compare "made/$part.vms" run -q
            compare "made/$part.vms" run --check --verbose --calls --why
            compare "made/$part.vms" fmt
        done
        # Without text to read nothing is written down; what is then told has its line all the same.
        bytes=$(wc -c <"$work/twin/made/plain.vms")
        [ "$bytes" -lt "$(wc -c <"$work/text/made/plain.vms")" ] || complain "no smaller: $bytes"
        printf 'vidmm-scenario 1\ninclude "plain.vms"\npage-in @9999\n' >"$work/made"
        fill made/including.vms "$work/made"
        compare made/including.vms run
        continue
    fi
    for file in "$root/scenarios/$folder"/*.vms "$root"/scenarios/adapters/*.vms; do
        name=${file#"$root/scenarios/"}
        [ -f "$work/text/$name" ] || fill "$name" "$file"
    done
    for file in "$root/scenarios/$folder"/*.vms; do
        compare "${file#"$root/scenarios/"}" run --verbose --why
    done
done
echo "$count runs compared, $failed complaints"
[ $failed -eq 0 ]
