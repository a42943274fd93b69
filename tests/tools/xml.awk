# SPDX-License-Identifier: MIT
# xml.awk: is this XML as our programs write it? Tags nest and have the form that they should, one
# element holds all, `&` begins a reference that XML knows, and no attribute stands twice.
# Exit code 1, and a line on stdout, where it is not.

function fail(why) {
    print FILENAME ":" FNR ": " why
    failed = 1
    exit 1
}

function check_text(text) {
    gsub(/&(amp|lt|gt|quot|apos|#[0-9]+);/, "", text)
    if (text ~ /[&<>]/)
        fail("a sign that stands for itself: " text)
    if (depth == 0 && text !~ /^[ \t]*$/)
        fail("text outside of the element: " text)
}

function check_attributes(rest, name, seen) {
    split("", seen)
    while (match(rest, /^[ \t]+[A-Za-z_:][-A-Za-z0-9_:.]*="[^"<]*"/)) {
        name = substr(rest, 1, RLENGTH)
        rest = substr(rest, RLENGTH + 1)
        sub(/^[ \t]+/, "", name)
        text = name
        sub(/="[^"]*"$/, "", name)
        if (name in seen)
            fail("attribute twice: " name)
        seen[name] = 1
        gsub(/&(amp|lt|gt|quot|apos|#[0-9]+);/, "", text)
        if (text ~ /&/)
            fail("a sign that stands for itself: " text)
    }
    if (rest !~ /^[ \t]*$/)
        fail("no attribute: " rest)
}

function check_tag(tag, name, empty) {
    if (substr(tag, 1, 1) == "/") {
        if (depth == 0 || stack[depth] != substr(tag, 2))
            fail("</" substr(tag, 2) "> ends " (depth ? "<" stack[depth] ">" : "nothing"))
        depth--
        return
    }
    empty = sub(/\/$/, "", tag)
    if (!match(tag, /^[A-Za-z_][-A-Za-z0-9_:.]*/))
        fail("no tag: <" tag ">")
    name = substr(tag, 1, RLENGTH)
    check_attributes(substr(tag, RLENGTH + 1))
    if (depth == 0 && roots++)
        fail("a second element: " name)
    if (!empty)
        stack[++depth] = name
}

{
    line = $0
    while ((at = index(line, "<")) > 0) {
        check_text(substr(line, 1, at - 1))
        end = index(line, ">")
        if (end < at)
            fail("a tag without end: " line)
        check_tag(substr(line, at + 1, end - at - 1))
        line = substr(line, end + 1)
    }
    check_text(line)
}

END {
    if (failed)
        exit 1
    if (depth)
        fail("<" stack[depth] "> has no end")
    if (!roots)
        fail("it is empty")
}
