# SPDX-License-Identifier: MIT
# seeds.awk: vidmm/rules/seeds.md, the sentences of the first pages and the rules that carry them.
#
#   sentence   ids that leave a gap, a heading with another number of sentences than it says, a row
#              that has not four cells, or that says nothing
#   carried    a row that names no rule and gives no reason, or a rule that is none, or a pointer
#   reading    a note that is neither "contradiction: ..." with a subject that contradictions.md
#              has, nor the reason of a row without rules
#   member     a member of the structures that members.md describes without a row there

BEGIN {
    seeds = "vidmm/rules/seeds.md"
    while ((getline path < list) > 0) {
        if (path ~ /^vidmm\/rules\/[^\/]*\.md$/)
            read_catalogue()
        else if (path ~ /^vidmm\/ddi\/.*\.h$/)
            header[++headers] = path
    }
    check_seeds()
    for (h = 1; h <= headers; h++)
        check_header(header[h])
    exit found
}

function complain(word, text) {
    printf "%s:%d: [%s] %s\n", path, number, word, text
    found = 1
}

function read_catalogue(    line, cell, id) {
    id = ""
    while ((getline line < path) > 0) {
        if (line ~ /^### [A-Z]+-[0-9][0-9][0-9] /) {
            split(line, cell, " ")
            id = cell[2]
            exists[id] = 1
        } else if (line ~ /^- Same as: / && id != "") {
            same[id] = substr(line, 12)
        } else if (path ~ /\/contradictions\.md$/ && line ~ /^\| /) {
            split(line, cell, / *\| */)
            subject[cell[2]] = 1
        } else if (path ~ /\/members\.md$/) {
            read_members(line)
        }
    }
    close(path)
}

# "## Segment descriptors (DXGK_SEGMENTDESCRIPTOR, 3 and 4)": the newer forms have its name too.
function read_members(line,    cell, name, i, n) {
    if (line ~ /^## /) {
        structure = match(line, /DXGK_[A-Z]+/) ? substr(line, RSTART, RLENGTH) : ""
        described[structure] = structure != ""
    } else if (line ~ /^\| /) {
        split(line, cell, / *\| */)
        n = split(cell[2], name, ", ")
        for (i = 1; i <= n; i++)
            has_row[structure, name[i]] = 1
    }
}

# Bit fields with names of their own are flags; `vidmm flags` has them from another table.
function check_header(name,    line, structure, member) {
    path = name
    number = 0
    structure = ""
    while ((getline line < path) > 0) {
        number++
        if (line ~ /^typedef struct _DXGK_[A-Z]+[34]? \{/) {
            match(line, /DXGK_[A-Z]+/)
            structure = substr(line, RSTART, RLENGTH)
            if (structure !~ /_(ALLOCATIONINFO|ALLOCATIONLIST|SEGMENTDESCRIPTOR|QUERYSEGMENTOUT)$/)
                structure = ""
        } else if (line ~ /^}/) {
            structure = ""
        } else if (structure != "" && line ~ /;$/ && line !~ /}/) {
            member = line
            sub(/ *:.*|;.*/, "", member)
            sub(/.*[ *]/, "", member)
            if (member !~ /^Reserved/ && !((structure, member) in has_row))
                complain("member", member " of " structure " has no row in members.md")
        }
    }
    close(path)
}

# The heading of a document is "## 000 Title (84 sentences)".
function end_document() {
    if (page != "" && count != stated)
        complain("sentence", page " has " count " sentences, its heading says " stated)
}

function begin_document(line) {
    end_document()
    split(line, part, " ")
    page = part[2]
    stated = line
    sub(/ sentences?\)$/, "", stated)
    sub(/.*\(/, "", stated)
    count = 0
}

function check_rules(rules, note,    id, i, n) {
    if (rules == "none") {
        if (note !~ /^unseen: [^ ]/)
            complain("carried", "a row names a rule, or says \"unseen: \" and why")
        return
    }
    n = split(rules, id, ", ")
    if (n == 0)
        complain("carried", "a row names a rule, or \"none\"")
    for (i = 1; i <= n; i++) {
        if (!(id[i] in exists))
            complain("carried", "no catalogue has a rule " id[i])
        else if (id[i] in same)
            complain("carried", id[i] " only points: use " same[id[i]])
    }
}

function check_note(rules, note) {
    if (note == "" || (rules == "none" && note ~ /^unseen: /))
        return
    if (note !~ /^contradiction: /)
        complain("reading", "a note is \"contradiction: SUBJECT\", or \"unseen: \" without rules")
    else if (!(substr(note, 16) in subject))
        complain("reading", "contradictions.md has no line \"" substr(note, 16) "\"")
}

function check_row(line,    cell, cells, wanted) {
    cells = split(line, cell, / *\| */)
    wanted = sprintf("S%s-%02d", page, ++count)
    if (cells != 6 || cell[3] !~ /\.$/)
        complain("sentence", "a row is \"| id | what the page says. | rules | note |\"")
    else if (cell[2] != wanted)
        complain("sentence", "the row is " cell[2] ", " wanted " is next")
    check_rules(cell[4], cell[5])
    check_note(cell[4], cell[5])
}

function check_seeds(    line) {
    path = seeds
    number = 0
    page = ""
    while ((getline line < seeds) > 0) {
        number++
        if (line ~ /^## /)
            begin_document(line)
        else if (line ~ /^\| [^-I]/ || line ~ /^\| I[^d]/)
            check_row(line)
    }
    if (number == 0)
        complain("sentence", "there are no sentences")
    end_document()
    close(seeds)
}
