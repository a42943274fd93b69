#!/bin/sh
# SPDX-License-Identifier: MIT
# switches.sh PROGRAM: every misbehaviour that the table of BUG-005 lists is a switch of the mock,
# and a scenario uses it. The manager cannot raise the rule: it does not know what the mock is told.
set -eu
LC_ALL=C
export LC_ALL
program=$1
cd "$(dirname "$0")/.."
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
[ "$count" -gt 20 ] && exit "$failed"
