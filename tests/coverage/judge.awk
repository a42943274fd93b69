# SPDX-License-Identifier: MIT
# judge.awk: counts the sides by folder and compares them with tests/coverage/limits.

BEGIN {
    while ((getline line < limits) > 0) {
        number++
        if (line ~ /^#/ || split(line, part, " ") == 0)
            continue
        if (part[1] == "moving") {
            moving = 1
        } else if (part[3] == "debt") {
            debt[part[1]] = part[2]
            owed_at[part[1]] = number
        } else {
            rule[part[1]] = part[2]
            rule_at[part[1]] = number
        }
    }
}

{
    sides[$1]++
    taken[$1] += $6 > 0
}

# The folder whose line is the rule of this one: itself, one above it, or "*".
function ruled_by(folder) {
    while (!(folder in rule))
        if (!sub(/\/[^\/]*$/, "", folder))
            return "*"
    return folder
}

function complain(number, text) {
    said = said sprintf("%s:%d: %s\n", limits, number, text)
    bad = 1
}

# While several people move in, a debt that has shrunk is a mere remark.
function remark(number, text) {
    complain(number, text)
    bad = moving ? was_bad : 1
}

function judge(folder,    percent, owes, by) {
    was_bad = bad
    percent = 100 * taken[folder] / sides[folder]
    owes = folder in debt
    by = ruled_by(folder)
    printf "%-24s %6d of %6d %7.2f %%   limit %g %%%s\n", folder, taken[folder], sides[folder],
        percent, rule[by], owes ? ", for now " debt[folder] " %" : ""
    all_taken += taken[folder]
    all_sides += sides[folder]
    if (percent < (owes ? debt[folder] : rule[by]))
        complain(owes ? owed_at[folder] : rule_at[by], folder " is below its limit")
    else if (owes && percent >= rule[by])
        remark(owed_at[folder], folder " has paid its debt: take the line out")
    else if (owes && percent >= debt[folder] + 1)
        remark(owed_at[folder], folder " has more now: raise the line to " int(percent))
}

END {
    for (folder in sides) {
        for (i = ++folders; i > 1 && names[i - 1] > folder; i--)
            names[i] = names[i - 1]
        names[i] = folder
    }
    for (i = 1; i <= folders; i++)
        judge(names[i])
    printf "%-24s %6d of %6d %7.2f %%\n", "coverage of all", all_taken, all_sides,
        100 * all_taken / all_sides
    for (folder in debt)
        if (!(folder in sides))
            complain(owed_at[folder], "there is no folder " folder " with conditions")
    printf "%s", said
    exit bad
}
