# SPDX-License-Identifier: MIT
# text.awk: rules for every text file.
#
#   licence    one of the first five lines has the SPDX identifier
#   unfinished no word that announces work still to be done
#   glob       CMake lists every source by hand
#   columns    scripts, build files and what runs in a browser keep to 100 columns, as code does
#   lines      scripts and what runs in a browser have at most 500 lines, as code has

BEGIN {
    # Put together here, so that this file does not find itself.
    unfinished = "TO" "DO|FIX" "ME|XX" "X|HA" "CK"
    while ((getline path < list) > 0) {
        if (!is_data(path))
            check_file(path)
    }
    exit found
}

# Files that cannot hold a comment, or whose bytes are the point.
function is_data(name) {
    return name ~ /(^|\/)LICENSE$/ || name ~ /\/(corpus|golden|bad)\// ||
           name ~ /\.(json|jsonl|golden|expected|out|err|svg|png|jpg|gif|gz|bin|pc\.in|patch)$/
}

function complain(word, text) {
    printf "%s:%d: [%s] %s\n", path, number, word, text
    found = 1
}

function check_line(line) {
    if ((" " line " ") ~ ("[^A-Za-z0-9_](" unfinished ")[^A-Za-z0-9_]"))
        complain("unfinished", "work still to be done belongs into an issue")
    if (build && tolower(line) ~ /^[^#]*file[ \t]*\([ \t]*glob/)
        complain("glob", "sources are listed by hand")
    if (build || script) {
        gsub(/[\200-\277]/, "", line)
        if (length(line) > 100)
            complain("columns", length(line) " columns, 100 are the limit")
    }
}

function check_file(name,    line, licensed) {
    path = name
    number = 0
    build = path ~ /(^|\/)CMakeLists\.txt$|\.cmake$/
    script = path ~ /\.(sh|awk|js|css)$/
    while ((getline line < path) > 0) {
        number++
        if (number <= 5 && line ~ /SPDX-License-Identifier: MIT/)
            licensed = 1
        check_line(line)
    }
    close(path)
    if (script && number > 500)
        complain("lines", number " lines, 500 are the limit")
    if (!licensed && number > 0) {
        number = 1
        complain("licence", "the SPDX line is missing")
    }
}
