# SPDX-License-Identifier: MIT
# headers.awk: the content of a header, and how much of it is allowed.
#
#   door       the lines of a header that others may include (those of vidmm/ddi are as documented)
#   header     the lines of a private header
#   prototype  the prototypes of a header that others may include
#   twice      a prototype that stands in two headers
#   state      the state of a folder, defined where others see its members
#   partly     a prototype in the header of a part
#   members    the members of a struct that tests/house/structs names
#   hook       a table of functions in a header that others may include, not in tests/house/hooks
#   hooks      the functions of such a table
#   stale      lines of these two lists that name no struct of a header
#
# Writes the headers of shared structs and parts into `shared`: path and struct.

BEGIN {
    # Its closing brace is not its end, other than that of a function.
    TYPE = "^[ \t]*(typedef |struct |enum |union )[^(]*[{]"
    read_floors()
    read_structs()
    read_hooks()
    while ((getline path < list) > 0) {
        header[++headers] = path
        read_header()
    }
    for (h = 1; h <= headers; h++)
        check_header(header[h])
    check_structs()
    check_twice()
    check_list(hook, "tests/house/hooks")
    check_list(kind, "tests/house/structs")
}

function read_hooks(    line, word, number) {
    while ((getline line < "tests/house/hooks") > 0) {
        number++
        if (line ~ /^#/ || !split(line, word, " "))
            continue
        hook[word[1]] = 1
        line_of[word[1]] = number
    }
    close("tests/house/hooks")
}

# The line without comments, strings and preprocessor directives.
function code_of(line,    out, end) {
    if (continued || line ~ /^[ \t]*#/) {
        continued = line ~ /\\$/
        return ""
    }
    while (line != "") {
        if (in_comment) {
            end = index(line, "*/")
            if (!end)
                return out
            in_comment = 0
            line = substr(line, end + 2)
        } else if (match(line, /"([^"\\]|\\.)*"|\/\*|\/\//)) {
            out = out substr(line, 1, RSTART - 1)
            end = substr(line, RSTART, 2)
            if (end == "//")
                return out
            if (end == "/*")
                in_comment = 1
            line = substr(line, RSTART + RLENGTH)
        } else {
            return out line
        }
    }
    return out
}

# Joins the code until a `;` outside of all braces, or the end of a function's body.
function read_header(    line, c) {
    number = depth = in_comment = continued = 0
    text = ""
    while ((getline line < path) > 0) {
        number++
        line = code_of(line)
        if (line ~ /^extern *\{/ || line ~ /^\}$/ && depth == 0)
            line = ""
        if (text ~ /^[ \t]*$/)
            begin = number
        while (match(line, /[{};]/)) {
            c = substr(line, RSTART, 1)
            text = text substr(line, 1, RSTART)
            line = substr(line, RSTART + 1)
            depth += (c == "{") - (c == "}")
            if (depth == 0 && (c == ";" || c == "}" && text !~ TYPE))
                statement()
        }
        text = text line " "
    }
    close(path)
    lines[path] = number
}

function statement(    name) {
    sub(/^[ \t]+/, "", text)
    if (match(text, /^(typedef )?struct [A-Za-z0-9_]+ *\{/)) {
        name = text
        sub(/^(typedef )?struct /, "", name)
        sub(/ *\{.*/, "", name)
        text = substr(text, RLENGTH + 1)
        sub(/\}[^}]*$/, "", text)
        structs[path] = structs[path] " " name
        defined[name] = path !~ /^(vidmm\/ddi|vidmm\/mock|scenarios|tools)\//
        members[path, name] = members_of(text)
        functions[path, name] = gsub(/\(\*[A-Za-z0-9_]+\)\(/, "", text)
        struct_at[path, name] = begin
    } else if (text ~ /\(.*\)[ A-Z_]*;$/ && text !~ /^(static|typedef|_Static_assert) *|=/) {
        name = text
        gsub(/__attribute__ *\(\([^)]*\)*\)/, "", name)
        sub(/^VIDMM_[A-Z_]+\([^)]*\) */, "", name)
        sub(/ *\(.*/, "", name)
        sub(/.*[ *]/, "", name)
        if (path ~ /^vidmm\/ddi\// || name !~ /^[a-z]/)
            name = "-"
        prototypes[path] = prototypes[path] " " name
        prototype_at[path, name] = begin
        prototype_count[path]++
    }
    text = ""
}

# Declarators: `a, *b;` are two members, as many as in the struct of `struct { a, b; };`.
function members_of(body,    total, end, c, inner, rest) {
    while (match(body, /[{;]/)) {
        c = substr(body, RSTART, 1)
        rest = substr(body, 1, RSTART - 1)
        body = substr(body, RSTART + 1)
        if (c == ";") {
            total += declarators(rest)
            continue
        }
        end = closing(body)
        inner = substr(body, 1, end - 1)
        body = substr(body, end + 1)
        match(body, /;/)
        rest = substr(body, 1, RSTART - 1)
        body = substr(body, RSTART + 1)
        total += rest ~ /[a-z]/ ? declarators(rest) : members_of(inner)
    }
    return total
}

function closing(body,    at, depth, c) {
    depth = 1
    while (match(body, /[{}]/)) {
        depth += substr(body, RSTART, 1) == "{" ? 1 : -1
        at += RSTART
        if (depth == 0)
            return at
        body = substr(body, RSTART + 1)
    }
    return at
}

function declarators(text) {
    while (gsub(/\([^()]*\)/, "", text))
        continue
    return text ~ /[^ \t]/ ? gsub(/,/, "", text) + 1 : 0
}

function check_header(path,    folder, part, i, n, public, shares) {
    folder = folder_of(path)
    n = split(structs[path], part, " ")
    for (i = 1; i <= n; i++)
        if (part[i] in kind && kind[part[i]] != "state") {
            shares = 1
            print path, part[i] >shared
            if (kind[part[i]] == "part" && prototype_count[path])
                finding("partly", part[i], path ":" prototype_at[path, first(prototypes[path])],
                        "a header of a part holds no prototype")
        }
    public = is_door(path) || shares
    if (folder == "vidmm/ddi" || !(folder in rank))
        return
    if (!public) {
        measure("header", path, lines[path])
        return
    }
    measure("door", path, lines[path])
    measure("prototype", path, prototype_count[path])
    if (path ~ /^vidmm\/vidmm/ || folder ~ /^(scenarios|tools)/)
        return
    for (i = 1; i <= n; i++)
        if (functions[path, part[i]])
            check_hooks(path, part[i])
}

function first(names) {
    sub(/^ /, "", names)
    sub(/ .*/, "", names)
    return names
}

function check_hooks(path, name) {
    if (!(name in hook))
        finding("hook", name, path ":" struct_at[path, name],
                "struct " name " is not in tests/house/hooks")
    measure("hook", name, count["hook", name])
    measure("hooks", name, functions[path, name])
}

function check_structs(    h, i, n, part) {
    for (h = 1; h <= headers; h++) {
        n = split(structs[header[h]], part, " ")
        for (i = 1; i <= n; i++)
            if (part[i] in kind && header[h] !~ /^(scenarios|tools)/)
                check_struct(header[h], part[i])
    }
}

function check_struct(path, name) {
    if (kind[name] == "shared") {
        measure("members", name, members[path, name])
    } else if (kind[name] == "part") {
        measure("part-members", name, members[path, name])
        measure("partly", name, count["partly", name])
    } else {
        measure("state-members", name, members[path, name])
        if (folder_of(path) != owner[name] || is_door(path))
            finding("state", name, path ":" struct_at[path, name],
                    "belongs into a private header of " owner[name])
        measure("state", name, count["state", name])
    }
}

function check_list(names, file,    name) {
    for (name in names)
        if (!defined[name])
            finding("stale", file, file ":" line_of[name],
                    "no header of the house defines struct " name)
    measure("stale", file, count["stale", file])
}

function check_twice(    h, i, n, name) {
    for (h = 1; h <= headers; h++) {
        n = split(prototypes[header[h]], name, " ")
        for (i = 1; i <= n; i++) {
            if (name[i] == "-")
                continue
            if (name[i] in declared)
                finding("twice", "house", header[h] ":" prototype_at[header[h], name[i]],
                        name[i] " stands in " declared[name[i]] " too")
            declared[name[i]] = header[h]
        }
    }
    measure("twice", "house", count["twice", "house"])
}
