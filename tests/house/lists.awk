# SPDX-License-Identifier: MIT
# lists.awk: tests/house/floors and tests/house/structs, and how findings are written.
#
# A measure is "M word subject number", a finding that belongs to it "F word subject where text",
# with tabs between; judge.awk puts them beside the limits.

function read_floors(    line, part, number, i, n) {
    while ((getline line < "tests/house/floors") > 0) {
        number++
        n = split(line, part, " ")
        if (!n || line ~ /^#/)
            continue
        if (line !~ /^ /)
            add_floor(part[1], number)
        for (i = line ~ /^ / ? 1 : 2; i <= n; i++) {
            if (part[i] ~ /^door=/)
                door[name] = substr(part[i], 6)
            else if (part[i] ~ /^only=/)
                only[name] = only[name] "," substr(part[i], 6)
            else if (part[i] ~ /^in=/)
                within[name] = substr(part[i], 4)
            else if (part[i] == "open")
                open[name] = 1
        }
    }
    close("tests/house/floors")
}

function add_floor(folder, number) {
    name = folder
    line_of[name] = number
    rank[name] = ++floors
    floor[floors] = name
    door[name] = name ".h"
    sub(/.*\//, "", door[name])
}

function read_structs(    line, part, number) {
    while ((getline line < "tests/house/structs") > 0) {
        number++
        if (line ~ /^#/ || split(line, part, " ") < 3)
            continue
        line_of[part[1]] = number
        owner[part[1]] = part[2]
        kind[part[1]] = part[3]
        if (sub(/^part=/, "", part[3])) {
            kind[part[1]] = "part"
            struct_of[part[3]] = part[1]
        }
    }
    close("tests/house/structs")
}

function folder_of(path) {
    return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : "."
}

# Does one of the patterns of a list, with commas between, fit the whole name?
function listed(name, list,    part, i, n) {
    n = split(list, part, ",")
    for (i = 1; i <= n; i++) {
        gsub(/\./, "\\.", part[i])
        gsub(/\*/, ".*", part[i])
        if (name ~ ("^" part[i] "$"))
            return 1
    }
    return 0
}

function is_door(path,    folder) {
    folder = folder_of(path)
    return folder in rank && listed(substr(path, length(folder) + 2), door[folder])
}

function measure(word, subject, number) {
    printf "M\t%s\t%s\t%d\n", word, subject, number
}

# A finding that is counted once for a subject has a key: a call from two files is one arrow, with
# two places.
function finding(word, subject, where, text, key) {
    printf "F\t%s\t%s\t%s\t%s\n", word, subject, where, text
    if (key == "" || !((word, subject, key) in counted))
        count[word, subject]++
    counted[word, subject, key] = 1
}
