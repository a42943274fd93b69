#!/bin/sh
# SPDX-License-Identifier: MIT
# switches.sh PROGRAM: every misbehaviour that the table of BUG-005 lists is a switch of the mock,
# and a scenario uses it. The manager cannot raise the rule: it does not know the switches of the
# mock. And each stop for which BUG-002 to BUG-004 blame a driver or a caller ends a scenario, which
# expects all four parameters of its record.
set -eu
LC_ALL=C
export LC_ALL
program=$1
cd "$(dirname "$0")/../../.."
failed=0 count=0
for name in $("$program" explain BUG-005 | awk -F' *[|] *' '
    /^ *[|] [a-z]/ {
        cells = split($2, name, /, | or /)
        for (i = 1; i <= cells; i++)
            if (match(name[i], /^[a-z]+(-[a-z]+)*/) && (i == 1 || name[i] ~ /=/))
                print substr(name[i], RSTART, RLENGTH)
    }' | sort -u); do
    count=$((count + 1))
    if ! "$program" explain "$name" 2>/dev/null | grep -q 'is a switch of the mock'; then
        echo "$name: no switch of the mock has this name"
        failed=1
    elif ! grep -rqE "^ *(inject|miniport mock) (.* )?$name(=|@| |\$)" scenarios; then
        echo "$name: no scenario uses it"
        failed=1
    fi
done
echo "$count switches of BUG-005"
[ "$count" -gt 20 ] || exit 1

# RULE COLUMN PATTERN: the rows of a table whose column says so; PATTERN has @ for the number.
stops() {
    for number in $("$program" explain "$1" | awk -F' *[|] *' -v raised="$2" '
            /^ *[|] 0x/ && $raised ~ /^(driver|caller)/ { print $2 }'); do
        count=$((count + 1))
        pattern=$(printf '%s' "$3" | sed "s/@/$number/g")
        if ! grep -qE "^ +(next )?$pattern" scenarios/rules/*.vms; then
            echo "$1: no scenario expects the whole record of $number"
            failed=1
        fi
    done
}
count=0
parameters='p2=[^ ]+ p3=[^ ]+ p4='
stops BUG-002 4 "bugcheck code=0x10E p1=@ $parameters"
stops BUG-003 4 "bugcheck code=0x119 p1=@ $parameters"
stops BUG-004 5 "(bugcheck code=@ p1=[^ ]+ $parameters|tdr .*phase=live-dump code=@ )"
echo "$count stops of BUG-002 to BUG-004"
[ "$count" -gt 20 ] && exit "$failed"
