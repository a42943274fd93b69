# SPDX-License-Identifier: MIT
# readme.awk: does a page still show the output of the program?
#
#     awk -f readme.awk -v page=README.md -v block=N [-v list=1] [OUTPUT]
#
# A block is a fence that follows a line "<!-- output: ARGUMENTS -->". With list=1 the arguments of
# all blocks are printed, one a line. Otherwise block N must be found in the output, line by line
# and without gaps; a line "..." in it stands for any lines.

BEGIN {
    while ((getline line < page) > 0) {
        if (inside && line ~ /^```/) {
            inside = 0
            shown = 0
        } else if (inside) {
            if (shown == block)
                wanted[++count] = line
        } else if (line ~ /^<!-- output: .* -->$/) {
            shown = ++blocks
            gsub(/^<!-- output: | -->$/, "", line)
            if (list)
                print line
        } else if (shown && line ~ /^```/) {
            inside = 1
        }
    }
    if (list)
        exit
}

{
    output[++lines] = $0
}

# Does the output at line `at` have the wanted lines from number `from` on?
function stands(from, at,    gap) {
    for (; from <= count; from++) {
        if (wanted[from] == "...") {
            for (gap = at; gap <= lines + 1; gap++)
                if (stands(from + 1, gap))
                    return 1
            return 0
        }
        if (at > lines || output[at] != wanted[from])
            return 0
        at++
    }
    return 1
}

END {
    if (list)
        exit
    for (at = 1; count && at <= lines; at++)
        if (stands(1, at))
            exit
    for (at = 1; at <= lines && output[at] != wanted[1]; at++)
        continue
    for (i = 1; i <= count && output[at] == wanted[i]; i++)
        at++
    printf "%s: block %d is not what is printed; first difference:\n", page, block
    printf "    shown:   %s\n    printed: %s\n", wanted[i], output[at]
    exit 1
}
