# SPDX-License-Identifier: MIT
# judge.awk: compares the measures of the checks with tests/house/limits.
#
#   (the word of a measure)  a number is above its limit: the findings that it counts, then itself
#   limit                    a number is below its limit, a limit is no better than the one of every
#                            other subject, or nothing has that name
#
# With want=limits: the lines that the limits need for this tree, without those of "*".
# With a line "moving" among the limits, a number below its limit is reported but is no failure.

BEGIN {
    FS = "\t"
    limits = "tests/house/limits"
    while ((getline line < limits) > 0) {
        number++
        if (line ~ /^#/ || split(line, part, " ") == 0)
            continue
        if (part[1] == "moving")
            moving = 1
        limit[part[1], part[2]] = part[3]
        at[part[1], part[2]] = number
    }
    close(limits)
}

$1 == "F" { found[$2, $3] = found[$2, $3] sprintf("%s: [%s] %s\n", $4, $2, $5) }

$1 == "M" {
    word[++measures] = $2
    subject[measures] = $3
    measured[$2, $3] = $4
}

function complain(number, name, text) {
    printf "%s:%d: [%s] %s\n", limits, number, name, text
    if (name != "limit" || !moving)
        bad = 1
}

function judge(name, whose,    number, own, allowed) {
    number = measured[name, whose]
    own = (name SUBSEP whose) in at
    allowed = limit[name, own ? whose : "*"] + 0
    if (number > allowed) {
        printf "%s", found[name, whose]
        complain(at[name, own ? whose : "*"], name,
                 whose " has " number ", the limit is " allowed)
    } else if (own && number <= limit[name, "*"] + 0) {
        complain(at[name, whose], "limit",
                 name " of " whose " is as low as every other: take the line out")
    } else if (number < allowed && own) {
        complain(at[name, whose], "limit",
                 name " of " whose " is only " number " now: lower the limit")
    }
}

END {
    for (i = 1; i <= measures; i++) {
        if (want != "limits")
            judge(word[i], subject[i])
        else if (measured[word[i], subject[i]] > limit[word[i], "*"] + 0)
            printf "%-12s %-38s %d\n", word[i], subject[i], measured[word[i], subject[i]]
    }
    for (key in at) {
        split(key, part, SUBSEP)
        if (want != "limits" && part[1] != "moving" && part[2] != "*" && !(key in measured))
            complain(at[key], "limit", "nothing measures a " part[1] " of " part[2])
    }
    exit bad
}
