# SPDX-License-Identifier: MIT
# json.awk: is every line of the input one JSON value, without a member named twice in an object?
#
# Prints "FILE:LINE: what is wrong" and exits with 1 at the first line that is not; else prints the
# number of lines.

BEGIN {
    hex = "[0-9a-fA-F]"
    string = "^\"([^\"\\\\]|\\\\[\"\\\\\/bfnrt]|\\\\u" hex hex hex hex ")*\""
}

function fail(text) {
    if (!bad)
        printf "%s:%d: %s at character %d\n", FILENAME, FNR, text, at
    bad = 1
    return 0
}

function expect_string() {
    if (!match(substr(line, at), string))
        return fail("no string")
    last = substr(line, at, RLENGTH)
    if (last ~ /[\001-\037]/)
        return fail("a control character")
    at += RLENGTH
    return 1
}

function expect_members(depth,    names) {
    names = "\n"
    if (substr(line, at, 1) == "}") {
        at++
        return 1
    }
    for (;;) {
        if (!expect_string())
            return 0
        if (index(names, "\n" last "\n"))
            return fail("a second " last)
        names = names last "\n"
        if (substr(line, at++, 1) != ":")
            return fail("no colon")
        if (!expect_value(depth + 1))
            return 0
        if (substr(line, at, 1) == "}") {
            at++
            return 1
        }
        if (substr(line, at++, 1) != ",")
            return fail("no comma")
    }
}

function expect_elements(depth) {
    if (substr(line, at, 1) == "]") {
        at++
        return 1
    }
    for (;;) {
        if (!expect_value(depth + 1))
            return 0
        if (substr(line, at, 1) == "]") {
            at++
            return 1
        }
        if (substr(line, at++, 1) != ",")
            return fail("no comma")
    }
}

function expect_value(depth,    first) {
    first = substr(line, at, 1)
    if (depth > 20)
        return fail("too deep")
    if (first == "{") {
        at++
        return expect_members(depth)
    }
    if (first == "[") {
        at++
        return expect_elements(depth)
    }
    if (first == "\"")
        return expect_string()
    if (match(substr(line, at), /^(true|false|null|-?(0|[1-9][0-9]*)(\.[0-9]+)?)/)) {
        at += RLENGTH
        return 1
    }
    return fail("no value")
}

{
    line = $0
    at = 1
    if (expect_value(0) && at <= length(line))
        fail("something behind the value")
    if (bad)
        exit 1
}

END {
    if (!bad)
        print NR
    exit bad
}
