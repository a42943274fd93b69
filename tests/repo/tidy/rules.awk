# SPDX-License-Identifier: MIT
# rules.awk: the rule ids that code and scenarios use.
#
# With check=rules:
#   unknown    RULE(...) in code or an id after `proves` that no catalogue has
#   pointer    ... or that is only a pointer (`Same as`) to another rule
#   clause     a proof or an excuse of a rule with numbered clauses that does not name them as in
#              SEG-001(a,c), or names one that the rule does not have
# With check=coverage:
#   unproved   a rule that the code raises, or that vidmm/rules/scope.txt claims, which no scenario
#              proves and vidmm/rules/unobservable.txt does not excuse; of a rule with numbered
#              clauses, each of them
#   excuse     a line of unobservable.txt without a reason, for no rule, or for a proved one
#   scope      a line of scope.txt that names nothing
#   unclaimed  a rule that the code raises and scope.txt does not claim

BEGIN {
    while ((getline path < list) > 0) {
        if (path ~ /^vidmm\/rules\/[a-z][^\/]*\.md$/)
            read_catalogue()
        else if (path ~ /^(segments|paging|vidmm|scenarios\/lang|tools)\/.*\.(c|h|def)$/)
            read_code()
        else if (path ~ /^scenarios\/.*\.vms$/)
            read_scenario()
    }
    if (check == "rules") {
        check_used()
    } else {
        proofs = proof_count
        read_excuses()
        check_clauses(proofs + 1)
        read_scope()
        check_proved()
    }
    exit found
}

function complain(where, word, text) {
    printf "%s: [%s] %s\n", where, word, text
    found = 1
}

# The clauses are lines of the text of a rule that begin with (a), (b), ...
function read_catalogue(    line, id) {
    id = ""
    in_text = 0
    while ((getline line < path) > 0) {
        if (line ~ /^### [A-Z]+-[0-9][0-9][0-9] /) {
            split(line, word, " ")
            id = word[2]
            exists[id] = ++rule_count
            rule[rule_count] = id
        } else if (line ~ /^- Same as: / && id != "") {
            same[id] = substr(line, 12)
        }
        if (line ~ /^(- |#)/)
            in_text = line ~ /^- Rule:/
        sub(/^- Rule:/, "", line)
        if (in_text && line ~ /^ *\([a-z]\) /) {
            sub(/^ */, "", line)
            clauses[id] = clauses[id] substr(line, 2, 1)
        }
    }
    close(path)
}

function use(id, where) {
    used[++used_count] = id
    used_at[used_count] = where
}

# Comments may say RULE(...) for the reader; a string may not, it would be found here.
function read_code(    line, number, id, in_comment) {
    number = 0
    in_comment = 0
    while ((getline line < path) > 0) {
        number++
        if (line ~ /^[ \t]*\/\*/)
            in_comment = 1
        while (!in_comment && match(line, /RULE[_(][A-Z]+_[0-9][0-9][0-9]/)) {
            id = substr(line, RSTART + 5, RLENGTH - 5)
            line = substr(line, RSTART + RLENGTH)
            sub(/_/, "-", id)
            use(id, path ":" number)
            if (!(id in raised))
                raised[id] = path ":" number
        }
        if (line ~ /\*\//)
            in_comment = 0
    }
    close(path)
}

function read_scenario(    line, number, id) {
    number = 0
    while ((getline line < path) > 0) {
        number++
        if (line !~ /^[ \t]*proves[ \t]/)
            continue
        sub(/#.*/, "", line)
        while (match(line, /[A-Z]+-[0-9]+/)) {
            id = substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH)
            use(id, path ":" number)
            note_named(id, line, proved, path ":" number)
        }
    }
    close(path)
}

# Notes the id and, if `rest` begins with "(a,c)", these clauses of it.
function note_named(id, rest, named, where,    i, count, letter) {
    named[id] = 1
    proof[++proof_count] = id
    proof_at[proof_count] = where
    proof_of[proof_count] = ""
    if (!match(rest, /^\([a-z, ]*\)/))
        return
    count = split(substr(rest, 2, RLENGTH - 2), letter, /, */)
    for (i = 1; i <= count; i++) {
        named[id "(" letter[i] ")"] = 1
        proof_of[proof_count] = proof_of[proof_count] letter[i]
    }
}

# Proofs from one on, and excuses, which follow them.
function check_clauses(from,    i, j, id) {
    for (i = from; i <= proof_count; i++) {
        id = proof[i]
        if ((clauses[id] == "") != (proof_of[i] == ""))
            complain(proof_at[i], "clause", id (clauses[id] == "" ? " has no numbered clauses" : \
                " has the clauses " clauses[id] ": name those that are meant"))
        for (j = 1; clauses[id] != "" && j <= length(proof_of[i]); j++)
            if (!index(clauses[id], substr(proof_of[i], j, 1)))
                complain(proof_at[i], "clause", id " has no clause " substr(proof_of[i], j, 1))
    }
}

function check_used(    i) {
    check_clauses(1)
    for (i = 1; i <= used_count; i++) {
        if (!(used[i] in exists))
            complain(used_at[i], "unknown", "no catalogue has a rule " used[i])
        else if (used[i] in same)
            complain(used_at[i], "pointer", used[i] " only points: use " same[used[i]])
    }
}

function read_excuses(    line, number, id) {
    path = "vidmm/rules/unobservable.txt"
    number = 0
    while ((getline line < path) > 0) {
        number++
        if (line ~ /^(#|[ \t]*$)/)
            continue
        id = line
        sub(/[(:].*/, "", id)
        if (line !~ /^[A-Z]+-[0-9][0-9][0-9](\([a-z](,[a-z])*\))?: [^ ]/)
            complain(path ":" number, "excuse",
                     "a line is \"AREA-NNN: reason\" or \"AREA-NNN(a,c): reason\"")
        else if (!(id in exists) || id in same)
            complain(path ":" number, "excuse", id " is no rule")
        else
            excuse(id, substr(line, length(id) + 1), path ":" number)
    }
    close(path)
}

function excuse(id, rest, where,    of, i) {
    note_named(id, rest, excused, where)
    of = proof_of[proof_count]
    if (of == "" && id in proved)
        complain(where, "excuse", id " is proved after all: take it off")
    for (i = 1; i <= length(of); i++)
        if ((id "(" substr(of, i, 1) ")") in proved)
            complain(where, "excuse",
                     id "(" substr(of, i, 1) ") is proved after all: take it off")
}

# Marks AREA-from..to, all headings between; how many there were is the result. A rule that is left
# out is not demanded through a pointer either; a rule that the code raises always is.
function mark(area, from, to, value, number,    i, part, count) {
    count = 0
    for (i = 1; i <= rule_count; i++) {
        split(rule[i], part, "-")
        if (part[1] == area && part[2] + 0 >= from && part[2] + 0 <= to) {
            scope[rule[i]] = value
            left_out[rule[i]] = !value
            claimed_at[rule[i]] = path ":" number
            count++
        }
    }
    return count
}

function read_scope(    line, number, word, part, value, to, count) {
    path = "vidmm/rules/scope.txt"
    number = 0
    while ((getline line < path) > 0) {
        number++
        if (line ~ /^(#|[ \t]*$)/)
            continue
        value = line !~ /^-/
        sub(/^-/, "", line)
        split(line, word, " ")
        split(word[1], part, "-")
        to = line ~ / to / ? word[3] + 0 : part[2] + 0
        if (line ~ / all$/)
            count = mark(word[1], 0, 999, value, number)
        else
            count = mark(part[1], part[2] + 0, to, value, number)
        if (!count)
            complain(path ":" number, "scope", "\"" line "\" names no rule")
    }
    close(path)
}

function demand(id, where, why,    i) {
    if (id in demanded)
        return
    demanded[id] = 1
    if (clauses[id] == "")
        demand_one(id, where, why)
    for (i = 1; i <= length(clauses[id]); i++)
        demand_one(id "(" substr(clauses[id], i, 1) ")", where, why)
}

function demand_one(what, where, why) {
    if (!(what in proved) && !(what in excused))
        complain(where, "unproved", "no scenario proves " what why)
}

function check_proved(    i, j, count, target) {
    for (i = 1; i <= rule_count; i++) {
        if (rule[i] in raised && !(rule[i] in same)) {
            demand(rule[i], raised[rule[i]], ", raised here")
            if (!scope[rule[i]])
                complain(raised[rule[i]], "unclaimed",
                         "vidmm/rules/scope.txt does not claim " rule[i] ", raised here")
        }
        if (!scope[rule[i]])
            continue
        if (!(rule[i] in same)) {
            demand(rule[i], claimed_at[rule[i]], "")
            continue
        }
        count = split(same[rule[i]], target, ", ")
        for (j = 1; j <= count; j++)
            if (!left_out[target[j]])
                demand(target[j], claimed_at[rule[i]], ", claimed as " rule[i])
    }
}
