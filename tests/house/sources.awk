# SPDX-License-Identifier: MIT
# sources.awk: checks of the lines of sources and headers.
#
#   private   headers of a folder, neither its doors nor those of shared structs, that other folders
#             include: each one as often as folders do
#   layer     headers that a folder includes from above, or that its line of the floors does not
#             allow
#   doors     the lines of all headers that other folders may include, or do
#   part      a member of a part of an allocation, written outside of its owner's folder
#   stale     a line of the floors that names no folder
#   files     the .c files of a folder
#   lines     ... and their lines
#
# headers.awk has listed before, in the file `shared`, the headers that define shared structs and
# parts.

BEGIN {
    read_floors()
    read_structs()
    while ((getline line < shared) > 0) {
        split(line, word, " ")
        is_shared[word[1]] = 1
        defined[word[2]] = 1
    }
    for (name in struct_of)
        if (struct_of[name] in defined)
            parts = parts (parts == "" ? "" : "|") name
    place = "(->|\\.)(" parts ")(->|\\.|\\[)"
    change = "[]A-Za-z0-9_.>[-]* *([-+*/%&|^]|<<|>>)?=[^=]|[]A-Za-z0-9_.>[-]* *(\\+\\+|--)"
    while ((getline path < list) > 0)
        check_file()
    for (name in public)
        door_lines += length_of[name]
    measure("doors", "house", door_lines)
    for (i = 1; i <= floors; i++) {
        name = floor[i]
        if (!(name in exists))
            finding("stale", "tests/house/floors", "tests/house/floors:" line_of[name],
                    name " has no .c file and no header")
        measure("private", name, count["private", name])
        measure("layer", name, count["layer", name])
        if (files[name] && name != "tools") {
            measure("files", name, files[name])
            measure("lines", name, lines[name])
        }
    }
    measure("stale", "tests/house/floors", count["stale", "tests/house/floors"])
    for (name in struct_of)
        if (struct_of[name] in defined)
            measure("part", struct_of[name], count["part", struct_of[name]])
}

function may_include(name, there,    below) {
    below = (there in open) || rank[there] < rank[folder]
    if (folder in only)
        return listed(name, only[folder]) || below && listed(there, only[folder])
    return below || name in is_shared
}

function check_include(line,    name, there) {
    name = line
    sub(/^[^"]*"/, "", name)
    sub(/".*/, "", name)
    there = folder_of(name)
    if (there == folder || !(there in rank || name in is_shared))
        return
    public[name] = 1
    if (!is_door(name) && !(name in is_shared))
        finding("private", there, path ":" number, "includes " name ", which is no door",
                folder " " name)
    if (!may_include(name, there))
        finding("layer", folder, path ":" number, "includes " name, name)
}

# `a->place.x = 1` and `++a->place.x` write, `a->place.x == 1` does not.
function check_write(line,    name, before) {
    if (line ~ /^ *(\/?\*|\/\/)/)
        return
    while (match(line, place)) {
        name = substr(line, RSTART, RLENGTH)
        before = substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + RLENGTH)
        gsub(/[^a-z]/, "", name)
        if ((match(line, change) == 1 || before ~ /(\+\+|--)[A-Za-z0-9_.>-]*$/) &&
            folder != owner[struct_of[name]])
            finding("part", struct_of[name], path ":" number,
                    "writes a member of " struct_of[name] ", which " owner[struct_of[name]] " owns")
    }
}

function check_file(    line) {
    folder = folder_of(path)
    exists[folder] = 1
    number = 0
    while ((getline line < path) > 0) {
        number++
        if (line ~ /^[ \t]*#[ \t]*include[ \t]*"/)
            check_include(line)
        else if (parts != "" && line ~ place)
            check_write(line)
    }
    close(path)
    if (path ~ /\.c$/) {
        files[folder]++
        lines[folder] += number
    } else if (folder != "vidmm/ddi") {
        length_of[path] = number
        if (is_door(path) || path in is_shared)
            public[path] = 1
    }
}
