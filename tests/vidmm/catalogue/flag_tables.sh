#!/bin/sh
# SPDX-License-Identifier: MIT
# flag_tables.sh PROGRAM: the tables of flags that people read in the catalogue say the same as the
# table of the program: names, values and, where a table gives a version, first versions.
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/../../.."
"$1" flags --format=jsonl | awk '
    function text(name) {
        if (!match($0, "\"" name "\":\"[^\"]*\""))
            return ""
        return substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5)
    }
    function number(name) {
        if (!match($0, "\"" name "\":[0-9]+"))
            return ""
        return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) + 0
    }
    function hex(digits,    value, i) {
        digits = toupper(substr(digits, 3))
        for (i = 1; i <= length(digits); i++)
            value = value * 16 + index("0123456789ABCDEF", substr(digits, i, 1)) - 1
        return value + 0
    }
    function complain(what) {
        print FILENAME ":" FNR ": " what
        failed = 1
    }
    # One cell that may name a flag: "CreateInVpr (2.1), before that Reserved00".
    function check(set, cell, value, version,    name) {
        name = cell
        sub(/[ ,(].*/, "", name)
        if (name ~ /^(Reserved[0-9]*$|DXGK_ALLOC_RESERVED|same$)/ || name == "")
            return
        if (!((set, name) in values))
            complain(set " has no " name)
        else if (values[set, name] != value)
            complain(name " is " values[set, name] " in the program, " value " here")
        else if (version ~ /^[0-9]\.[0-9]/ && since[set, name] != substr(version, 1, 3))
            complain(name " begins with " since[set, name] " in the program, " version " here")
        seen[set, name] = 1
        rows++
    }
    FILENAME == "-" {
        key = text("structure") SUBSEP text("name")
        values[key] = number("value")
        since[key] = text("since")
        next
    }
    /^#/ { set = "" }
    /^### 2\.1 .*DXGK_SEGMENTFLAGS/ { set = "DXGK_SEGMENTFLAGS" }
    /^### 3\.1 / { set = "views" }
    /^DXGK_ALLOCATIONINFOFLAGS2 \(member/ { set = "DXGK_ALLOCATIONINFOFLAGS2" }
    /^### 6\.1 .*D3DKMT_CREATEALLOCATIONFLAGS/ { set = "D3DKMT_CREATEALLOCATIONFLAGS" }
    !set || !/^\| *[0-9]+ \|/ { next }
    { count = split($0, cell, / *\| */) }
    set == "views" {
        value = hex(cell[3])
        check("DXGK_ALLOCATIONINFOFLAGS", cell[5], value, "")
        check("DXGK_ALLOCATIONINFOFLAGS_WDDM2_0", cell[6], value, "")
        next
    }
    cell[5] != "as above" {
        above = cell[5]
        sub(/.* taken as /, "", above) # our choice, where the page gives none
    }
    { check(set, cell[3], hex(cell[4]), above) }
    END {
        for (key in values) {
            split(key, part, SUBSEP)
            if (part[1] ~ /^(DXGK_SEGMENTFLAGS|DXGK_ALLOCATIONINFOFLAGS|D3DKMT_CREATEALLOC)/ &&
                !(key in seen)) {
                print part[1] ": the catalogue does not list " part[2]
                failed = 1
            }
        }
        print rows + 0 " rows compared"
        exit failed || !rows
    }' - vidmm/rules/segments-and-allocations.md
