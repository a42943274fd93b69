# SPDX-License-Identifier: MIT
# change.awk: makes the change of one exercise in the text of a lesson.
#
#     awk -f change.awk -v page=answers.md -v answer=3.1 [-v unchanged=1] LESSON
#
# The page has, under a heading "### 3.1", a block ```diff with lines of the lesson in their
# order: "-" takes a line out, "+" puts one in, " " shows one that stays, "..." stands for any
# lines that stay; notes and empty lines stay of themselves. Where the block ends the lesson
# ends, unless its last line is "...". With unchanged=1 only the expectations are put in: what
# the change makes true is not true without it.

BEGIN {
    while ((getline line < page) > 0) {
        if (line ~ /^### /)
            mine = line == "### " answer || index(line, "### " answer ".") == 1
        else if (line ~ /^```/)
            inside = mine && line == "```diff"
        else if (inside)
            block[++count] = line
    }
    if (!count)
        fail("no block ```diff")
    at = 1
    any = 1
}

function fail(why)
{
    printf "%s: %s: %s\n", page, answer, why >"/dev/stderr"
    failed = 1
    exit 1
}

function put_in(    text)
{
    while (at <= count && substr(block[at], 1, 1) == "+") {
        text = substr(block[at++], 2)
        if (!unchanged || text ~ /^ *expect/)
            print text
    }
    if (at <= count && block[at] == "...") {
        any = 1
        at++
    }
}

{
    if (at > count) {
        if (any)
            print
        next
    }
    if (substr(block[at], 2) == $0) {
        any = 0
        if (unchanged || substr(block[at], 1, 1) == " ")
            print
        at++
        put_in()
    } else if (any || $0 == "" || /^note /)
        print
    else
        fail("\"" block[at] "\" does not follow")
}

END {
    if (!failed && at <= count)
        fail("no line \"" block[at] "\"")
}
