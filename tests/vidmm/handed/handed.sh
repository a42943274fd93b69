#!/bin/sh
# SPDX-License-Identifier: MIT
# handed.sh PROGRAM: whatever a driver is handed is in an event, or something looks at it.
#
# PROGRAM is vidmm on the driver of handed.c, which compares members with fields in each scenario of
# a rule. handed.def has a row for every member of every structure that a call takes and that the
# manager makes: the headers say which there are. A member that is itself a structure needs a row,
# or rows for what is in it. A file that a row names has to speak of the member.
set -eu
LC_ALL=C
export LC_ALL
program=$1
cd "$(dirname "$0")/../../.."
rows=tests/vidmm/handed/handed.def
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# "STRUCT MEMBER" of each structure; a member of a union or structure without a name is one of the
# whole, that of one with a name is NAME.MEMBER, and so is that of the structures in `opened`.
members() {
    sed 's#/\*.*\*/##; /\/\*/,/\*\//d' vidmm/ddi/*.h |
        awk -v opened='^(DXGK_BUILDPAGINGBUFFER_[A-Z]+|DXGK_ADL|D3DGPU_PHYSICAL_ADDRESS)$' '
        function show(struct, before,    i, list, n, word) {
            n = split(of[struct], list, " ")
            for (i = 1; i <= n; i++) {
                split(list[i], word, ":")
                if (word[2] ~ opened && word[2] in of)
                    show(word[2], before word[1] ".")
                else
                    print name, before word[1]
            }
        }
        /VIDMM_DDI_PAGING_END [A-Z]/ { sub(/VIDMM_DDI_PAGING_END/, "END") }
        /^typedef struct _[A-Z0-9_]+ [{]$/ { name = substr($3, 2); depth = 1; count = 0; next }
        !depth { next }
        /^}/ {
            for (i = 1; i <= count; i++)
                of[name] = of[name] " " member[i] ":" type[i]
            names[++structs] = name
            depth = 0
            next
        }
        /[{]$/ { depth++; first[depth] = count + 1; next }
        /^ *}/ {
            gsub(/[} ;]/, "")
            for (i = first[depth]; $0 != "" && i <= count; i++)
                member[i] = $0 "." member[i]
            depth--
            next
        }
        /;/ {
            sub(/ *[:;[].*/, "")
            member[++count] = $NF
            type[count] = $1
            sub(/^[*]*/, "", member[count])
        }
        END {
            for (s = 1; s <= structs; s++) {
                name = names[s]
                show(name, "")
            }
        }'
}
members >"$work/members"

# "CALL STRUCT MEMBER FILE" of each row.
tr -d '\n' <"$rows" | sed 's#/\*[^/]*\*/##g; s/) *\([A-Z]\)/)\n\1/g' | sed 's/ *//; s/, */,/g' |
    awk -F'[(,)]' '
        /^PAGING/ { print "BuildPagingBuffer DXGKARG_BUILDPAGINGBUFFER " $3 "." $4; next }
        /^CREATED/ { print "CreateContext DXGKARG_CREATECONTEXT ContextInfo." $2; next }
        /^BY/ { gsub(/"/, ""); print $2, $3, $4, $5; next }
        /^[A-Z]+[(]/ { print $2, $3, $4 }' >"$work/rows"

# What no operation of this version uses (GPU virtual addresses, and a write that nobody asks for).
unused='TransferVirtual FillVirtual UpdatePageTable FlushTlb CopyPageTableEntries
    UpdateContextAllocation SignalMonitoredFence WritePhysical Reserved'

calls=$(grep -rhoE '(DRIVER|SCHEDULER)_CALL\(adapter,[^;]*' vidmm paging --include='*.c' -A1 |
    tr -d '\n' | grep -oE '_CALL\(adapter, *[^,]*, *[A-Z][A-Za-z]+, *[^()]*&?arg' |
    sed -E 's/.*, *([A-Z][A-Za-z]+),.*/\1/' | sort -u)
for call in $calls; do
    grep -q "^$call " "$work/rows" && continue
    grep -qE "DXGKDDI_$(echo "$call" | tr '[:lower:]' '[:upper:]'),.*,.*DXGKARG" vidmm/ddi/*.h ||
        continue
    echo "$call: the manager makes this call, and $rows has no row for it"
    failed=1
done

count=0
for struct in $(cut -d' ' -f2 "$work/rows" | sort -u); do
    for member in $(sed -n "s/^$struct //p" "$work/members"); do
        count=$((count + 1))
        case " $(echo $unused) " in *" ${member%%.*} "*) continue ;; esac
        case $member in Reserved | *.Reserved) continue ;; esac
        grep -qE "^[A-Za-z]+ $struct $(echo "$member" | sed 's/[.]/[.]/g')([. ]|\$)" "$work/rows" &&
            continue
        echo "$struct: $member is handed to a driver, and $rows says nothing of it"
        failed=1
    done
done
echo "$count members of $(cut -d' ' -f2 "$work/rows" | sort -u | wc -l) structures"
[ "$count" -gt 200 ] || exit 1

while read -r call struct member file; do
    grep -qE "^$struct (${member%.*}|$member([.].*)?)\$" "$work/members" || {
        echo "$rows: $struct has no member $member"
        failed=1
    }
    [ -z "$file" ] || grep -qE "assert.*(->|[.])$member|(->|[.])$member.*assert" "$file" || {
        echo "$rows: no assertion of $file looks at $member of $call"
        failed=1
    }
done <"$work/rows"

if ! "$program" run --calls scenarios/rules/*.vms scenarios/examples/*.vms scenarios/drivers/*.vms \
    >"$work/said" 2>"$work/wrong"; then
    grep -vE '^scenarios/|^ ' "$work/wrong" || cat "$work/wrong"
    failed=1
fi
exit "$failed"
