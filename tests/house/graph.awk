# SPDX-License-Identifier: MIT
# graph.awk: calls between files and folders, from the objects of a build.
#
#   arrow     symbols of floors above that a folder uses
#   only      ... and those that its line of the floors does not allow
#   circle    files of a folder that call each other in a circle: how many are in the largest one
#   ring      folders that do
#   floor     a source that lies in no folder of the house
#   library   a folder whose objects are not one library, with nothing else in it
#   order     a folder that CMakeLists.txt links in another order than that of the floors
#
# Reads "object source target" of every object from `objects`, and `nm -A -P -g` of them.

BEGIN {
    read_floors()
    while ((getline line < objects) > 0) {
        split(line, word, " ")
        source[word[1]] = word[2]
        target[word[1]] = word[3]
    }
}

{
    name = $1
    sub(/:$/, "", name)
    if ($3 == "U" || $3 == "w")
        used[name] = used[name] " " $2
    else
        defined_in[$2] = source[name]
}

END {
    for (name in source) {
        file = source[name]
        folder = folder_of(file)
        if (folder in rank)
            look_at(name)
        else
            finding("floor", folder, file ":1", "lies in no folder of tests/house/floors")
    }
    for (i = 1; i <= floors; i++) {
        if (!(floor[i] in seen))
            continue
        measure("arrow", floor[i], count["arrow", floor[i]])
        measure("only", floor[i], count["only", floor[i]])
        if (floor[i] != "tools")
            libraries(floor[i])
        circles("circle", floor[i], files[floor[i]])
    }
    circles("ring", "house", all_folders())
    order()
    for (key in count)
        if (sub("^floor" SUBSEP, "", key))
            measure("floor", key, count["floor", key])
}

function all_folders(    i, names) {
    for (i = 1; i <= floors; i++)
        if (floor[i] in seen)
            names = names " " floor[i]
    return names
}

# The first line of the file that names the symbol.
function place_of(symbol,    line, number, at) {
    while (!at && (getline line < file) > 0) {
        number++
        if ((" " line " ") ~ ("[^A-Za-z0-9_]" symbol "[^A-Za-z0-9_]"))
            at = number
    }
    close(file)
    return file ":" (at ? at : 1)
}

function look_at(object,    symbol, i, n, to, there) {
    seen[folder] = 1
    files[folder] = files[folder] " " file
    targets[folder, target[object]] = 1
    folders[target[object], folder] = 1
    n = split(used[object], symbol, " ")
    for (i = 1; i <= n; i++) {
        to = defined_in[symbol[i]]
        if (to == "" || to == file)
            continue
        there = folder_of(to)
        if (there == folder) {
            calls[file] = calls[file] " " to
        } else if (there in rank) {
            calls[folder] = calls[folder] " " there
            judge_call(symbol[i], to, there)
        }
    }
}

function judge_call(symbol, to, there,    above) {
    above = rank[there] > rank[folder]
    if (above)
        finding("arrow", folder, place_of(symbol), "calls " symbol " of " to ", above", symbol)
    else if (folder in only && !listed(there, only[folder]) && !listed(symbol, only[folder]))
        finding("only", folder, place_of(symbol), "calls " symbol " of " to, symbol)
}

function libraries(name,    key, part, wrong) {
    for (key in targets) {
        split(key, part, SUBSEP)
        if (part[1] == name && ++libs[name] > 1)
            wrong = "is in several libraries"
    }
    for (key in folders) {
        split(key, part, SUBSEP)
        if (part[2] != name && (name, part[1]) in targets && within[name] != part[2] &&
            within[part[2]] != name)
            wrong = "shares the library " part[1] " with " part[2]
    }
    if (wrong != "")
        finding("library", name, name "/CMakeLists.txt:1", name " " wrong)
    measure("library", name, wrong != "")
}

# The linker looks at libraries in the order in which CMakeLists.txt adds their folders.
function order(    line, number, part, i, n, last, inside) {
    while ((getline line < "CMakeLists.txt") > 0) {
        number++
        if (sub(/^foreach\(floor/, "", line))
            inside = 1
        n = inside ? split(line, part, /[ \t()]+/) : 0
        for (i = 1; i <= n; i++) {
            if (part[i] == "")
                continue
            if (!(part[i] in rank) || rank[part[i]] < last)
                finding("order", "house", "CMakeLists.txt:" number,
                        part[i] " stands elsewhere in tests/house/floors")
            last = rank[part[i]]
        }
        if (line ~ /\)/)
            inside = 0
    }
    close("CMakeLists.txt")
    measure("order", "house", count["order", "house"])
}

# Tarjan: the largest set of `names` of which each one reaches each other one.
function circles(word, subject, names,    node, i, n) {
    split("", index_of)
    split("", low)
    split("", on_stack)
    next_index = stack_size = largest = 0
    n = split(names, node, " ")
    for (i = 1; i <= n; i++)
        if (!(node[i] in index_of))
            visit(node[i])
    measure(word, subject, largest)
    n = largest > 1 ? split(members, node, " ") : 0
    for (i = 1; i <= n; i++)
        finding(word, subject, node[i] ":1", "in a circle of " n)
}

function visit(name,    to, i, n, size, circle) {
    index_of[name] = low[name] = ++next_index
    stack[++stack_size] = name
    on_stack[name] = 1
    n = split(calls[name], to, " ")
    for (i = 1; i <= n; i++) {
        if (!(to[i] in index_of)) {
            visit(to[i])
            if (low[to[i]] < low[name])
                low[name] = low[to[i]]
        } else if (on_stack[to[i]] && index_of[to[i]] < low[name]) {
            low[name] = index_of[to[i]]
        }
    }
    if (low[name] != index_of[name])
        return
    do {
        circle = circle " " stack[stack_size]
        on_stack[stack[stack_size]] = 0
        size++
    } while (stack[stack_size--] != name)
    if (size > largest) {
        largest = size
        members = circle
    }
}
