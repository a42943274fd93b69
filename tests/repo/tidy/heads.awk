# SPDX-License-Identifier: MIT
# heads.awk: which rules the head of a file of segments/, paging/ or vidmm/ may list.
#
# The rules that code names are found in it (`vidmm rules --coverage`): a list of them in the head
# would only go stale. A head can add rules that the file carries out without naming them.
#
#   listed     a paragraph "Rules: ...": it says "Rules not named below: ...", and only those
#   named      such a rule is named below after all

BEGIN {
    while ((getline path < list) > 0)
        if (path ~ /^(segments|paging|vidmm)\/.*\.[ch]$/)
            check_file()
    exit found
}

function complain(word, text) {
    printf "%s:%d: [%s] %s\n", path, number, word, text
    found = 1
}

# "SEG-001, SEG-004 to SEG-006." of one line; `until` waits for the end of a range.
function read_ids(line,    id, area, i, end) {
    while (match(line, /[A-Z]+-[0-9][0-9][0-9]| to |[a-z]+/)) {
        id = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (id !~ /-/) {
            range = id ~ /^ ?to ?$/ && last != ""
            continue
        }
        area = id
        sub(/-.*/, "", area)
        listed[id] = number
        end = substr(id, length(area) + 2) + 0
        for (i = substr(last, length(area) + 2) + 1; range && i < end; i++)
            listed[sprintf("%s-%03d", area, i)] = number
        last = id
        range = 0
    }
}

function read_code(line,    id) {
    while (match(line, /RULE\([A-Z]+_[0-9][0-9][0-9]\)/)) {
        id = substr(line, RSTART + 5, RLENGTH - 6)
        line = substr(line, RSTART + RLENGTH)
        sub(/_/, "-", id)
        if (id in listed) {
            number = listed[id]
            complain("named", id " is named in the code: the head leaves it out")
            delete listed[id]
        }
    }
}

function check_file(    line, at, inside, head) {
    split("", listed)
    at = inside = range = 0
    head = 1
    last = ""
    while ((getline line < path) > 0) {
        number = ++at
        if (head && line ~ /^ \* Rules: /)
            complain("listed", "write \"Rules not named below:\", and only those")
        if (head && line ~ /^ \* Rules not named below: /)
            inside = 1
        if (line ~ /^ \*\/?$/)
            inside = 0
        if (inside)
            read_ids(line)
        if (line == " */")
            head = 0
        if (!head)
            read_code(line)
    }
    close(path)
}
