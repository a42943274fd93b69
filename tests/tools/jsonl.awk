# SPDX-License-Identifier: MIT
# jsonl.awk: is the page about JSON lines right?
#
#     awk -f jsonl.awk PAGE EVENTS LINES
#
# PAGE is tools/jsonl.md, EVENTS the output of `vidmm events --format=jsonl`, LINES that of many
# runs. Every member of every line has to be in the tables with its type; where they say "always" it
# is in each line of its kind; and every member that they list has to occur.

function complain(text) {
    if (!(text in said)) {
        print text
        said[text] = bad = 1
    }
}

# ---- one value: `at` moves after it, and member() gets everything in it -------------------------

function read_string(    text) {
    if (!match(substr(line, at), /^"([^"\\]|\\.)*"/))
        RLENGTH = length(line)
    text = substr(line, at + 1, RLENGTH - 2)
    at += RLENGTH
    return text
}

function read_object(path,    key) {
    objects[kind, path]++
    if (substr(line, ++at, 1) == "}")
        at++
    else
        do {
            key = read_string()
            at++
            if (path == "" && first == "")
                first = key
            read_value(path == "" ? key : path "." key)
        } while (substr(line, at++, 1) == ",")
}

function read_array(path) {
    if (substr(line, ++at, 1) == "]")
        at++
    else
        do
            read_value(path "[]")
        while (substr(line, at++, 1) == ",")
}

function read_value(path,    c, text) {
    c = substr(line, at, 1)
    if (c == "{") {
        read_object(path)
        text = "object"
    } else if (c == "[") {
        read_array(path)
        text = "array"
    } else if (c == "\"") {
        value = read_string()
        text = "string"
    } else {
        if (!match(substr(line, at), /^[a-z0-9-]+/))
            RLENGTH = length(line)
        value = substr(line, at, RLENGTH)
        at += RLENGTH
        text = c ~ /[tf]/ ? "boolean" : "number"
    }
    if (path != "" && path !~ /\[\]$/)
        member(path, text)
}

# ---- members ------------------------------------------------------------------------------------

function member(path, type) {
    if (reading == "lines" && path == "type" && type == "string")
        return # the first member of every line
    if (reading == "events")
        learn(path)
    else if (kind == "event" && !((kind, path) in row))
        event_field(path, type)
    else
        meet(path ~ /^(counters|state)\./ ? any_name(path) : path, type)
}

# counters.evictions: one row represents all of them.
function any_name(path) {
    sub(/\..*/, ".NAME", path)
    return path
}

function learn(path) {
    if (path == "event")
        event = value
    else if (path == "fields[].name")
        field = value
    else if (path == "fields[].type")
        types[event, field] = value
    else if (path == "fields[].unit")
        units[event, field] = value
}

function event_field(path, type,    name) {
    name = path
    if (sub(/_name$/, "", name) && units[event, name] ~ /^(segment|allocation)$/)
        meet("FIELD_name", type)
    else if (event == "driver-call" || types[event, path] == type)
        meet("FIELD", "any")
    else
        complain("vidmm events says nothing of " event ", " path ", " type)
}

function meet(path, type) {
    met[kind, path]++
    if (!((kind, path) in row))
        complain("no row for " kind ", " path)
    else if (row[kind, path] != type)
        complain(kind ", " path " is not a " row[kind, path] " but a " type)
}

FNR == 1 {
    reading = ++files == 1 ? "page" : files == 2 ? "events" : "lines"
}

reading == "page" && /^\| [a-z_]+( [a-z]+)? \| / {
    split($0, cell, / *\| */)
    row[cell[2], cell[3]] = cell[4]
    always[cell[2], cell[3]] = cell[5] == "always"
    if (cell[5] !~ /^(always|sometimes)$/)
        complain("neither always nor sometimes: " $0)
}

reading == "events" {
    line = $0
    at = 1
    kind = first = "events"
    read_value("")
}

reading == "lines" {
    line = $0
    at = 1
    first = ""
    kind = "nothing"
    if (match(line, /^\{"type":"[a-z_]+"/))
        kind = substr(line, 10, RLENGTH - 10)
    else
        complain("no type: " line)
    if (kind == "event") {
        match(line, /"event":"[a-z0-9-]+"/)
        event = substr(line, RSTART + 9, RLENGTH - 10)
    } else if (kind == "show") {
        match(line, /"show":"[a-z]+"/)
        kind = "show " substr(line, RSTART + 8, RLENGTH - 9)
    }
    read_value("")
    if (at != length(line) + 1)
        complain("no whole line: " line)
}

END {
    for (key in row) {
        split(key, part, SUBSEP)
        kind = part[1]
        parent = part[2]
        if (!sub(/\.[^.]*$/, "", parent))
            parent = ""
        if (!met[key])
            complain("never came: " kind ", " part[2])
        else if (always[key] && met[key] != objects[kind, parent])
            complain("not always: " kind ", " part[2])
    }
    exit bad
}
