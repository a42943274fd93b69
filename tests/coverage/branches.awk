# SPDX-License-Identifier: MIT
# branches.awk: the sides of the conditions of the tree, from what llvm-cov exports as JSON.
#
#     llvm-cov export ... | awk -f branches.awk >SIDES
#
# A line for each side of each condition: "FOLDER FILE LINE COLUMN true|false COUNT". A condition in
# a header or in a macro counts once, whoever includes or expands it; its counts are added. Left out
# are
# - conditions inside CHECK, whose failing side cannot be reached by promise;
# - those inside sizeof, which are never evaluated: one side of each would seem to be taken;
# - that none of its cases has the value of a switch without a default: it is over an enum, all of
#   whose constants the compiler wants named. A switch over a number says so: (int);
# - those of other people's headers.
#
# A record is a function: its branches, then its files, its name and its regions. A branch is
# [line, column, to line, to column, true, false, file, -, -]; a region that is an expansion of a
# macro is [line, column, to line, to column, count, file, file of the expansion, 1].

BEGIN { RS = "{\"branches\":" }

function name_of(path) {
    sub(/^build[^\/]*\/(\.\.\/)?/, "", path) # as the compiler saw it, from its folder
    return path
}

# Remembers for each line which columns are inside a CHECK or a sizeof, and where the value of a
# switch begins.
function learn(path,    rs, line, number, at, depth, from, c) {
    known[path] = 1
    rs = RS
    RS = "\n"
    depth = 0
    while ((getline line < path) > 0) {
        number++
        if (match(line, /(^|[^A-Z_a-z])switch \(/) && line !~ /\(int\)/)
            switched[path, number, RSTART + RLENGTH] = line
        at = 1
        while (depth || match(substr(line, at), /(^|[^A-Z_a-z])(CHECK(_SLOW)?|sizeof( \*)?)\(/)) {
            from = depth ? 1 : at += RSTART - 1
            for (; at <= length(line); at++) {
                c = substr(line, at, 1)
                if (c == "(")
                    depth++
                else if (c == ")" && --depth == 0)
                    break
            }
            spans[path, number] = spans[path, number] from " " at " "
            if (depth)
                break
        }
    }
    close(path)
    RS = rs
}

function left_out(path, line, column,    span, count, i) {
    if (!(path in known))
        learn(path)
    count = split(spans[path, line], span, " ")
    for (i = 1; i < count; i += 2)
        if (column >= span[i] + 0 && column <= span[i + 1] + 0)
            return 1
    return 0
}

# Is this the value of a switch as a whole, up to its parenthesis?
function is_default(path, line, column, end) {
    if (!(path in known))
        learn(path)
    return (path, line, column) in switched &&
        substr(switched[path, line, column], end, 1) == ")"
}

# The brackets of "[[1,2,3],[4,5,6]]..." into `list`.
function brackets(text, list,    end) {
    end = index(text, "]]")
    return end ? split(substr(text, 3, end - 3), list, /\],\[/) : 0
}

# A condition of file `id`, and the macros around it.
function take(line, column, end, yes, no, id,    path, key, at) {
    path = name_of(file[id + 1])
    if (path !~ /^(segments|paging|vidmm|scenarios|tools)\//)
        return
    key = path " " line " " column
    if (is_default(path, line, column, end))
        return
    for (;;) {
        if (left_out(name_of(file[id + 1]), line, column))
            return
        if (!(id in parent))
            break
        split(site[id], at, " ")
        line = at[1] + 0
        column = at[2] + 0
        id = parent[id]
    }
    true_count[key] += yes
    false_count[key] += no
}

index($0, "\"regions\":") && index($0, "\"name\":") && !/^\[\]/ {
    at = index($0, "\"filenames\":[\"") + 14
    rest = substr($0, at)
    at = index(rest, "\"],\"name\":")
    split(substr(rest, 1, at - 1), file, /","/)
    split("", parent)
    regions = brackets(substr(rest, index(rest, "\"regions\":") + 10), region)
    for (i = 1; i <= regions; i++)
        if (split(region[i], part, ",") >= 8 && part[8] == 1) {
            parent[part[7] + 0] = part[6] + 0
            site[part[7] + 0] = part[1] " " part[2]
        }
    branches = brackets($0, branch)
    for (i = 1; i <= branches; i++) {
        split(branch[i], part, ",")
        take(part[1] + 0, part[2] + 0, part[4] + 0, part[5], part[6], part[7] + 0)
    }
}

END {
    for (key in true_count) {
        folder = key
        sub(/\/[^\/]*$/, "", folder)
        print folder, key, "true", true_count[key]
        print folder, key, "false", false_count[key]
    }
}
