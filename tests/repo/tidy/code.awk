# SPDX-License-Identifier: MIT
# code.awk: how C files include, how long they are, what they may call. tests/house.sh checks
# which folder may include which.
#
#   folder     a quoted include names its folder
#   public     vidmm/vidmm*.h, all that is installed, includes only installed headers
#   door       ... and uthash is included in one place
#   body       ... and holds no function bodies
#   lines      a file has at most 500 lines
#   columns    a line has at most 100 columns
#   function   a function has at most 70 lines, braces included
#   banned     calls that no folder may make, or only some
#   float      no floating point where results must not depend on the machine
#   global     no variable that outlives a call in a library; but for which adapter a thread is in

BEGIN {
    FILE_LINES = 500
    COLUMNS = 100
    FUNCTION_LINES = 70
    ban("strcpy strcat sprintf vsprintf gets strtok atoi atol atof rand srand random srandom", "")
    ban("setjmp longjmp sigsetjmp siglongjmp alloca", "")
    ban("time clock gettimeofday clock_gettime", "host")
    ban("getenv setenv fopen freopen dlopen opendir", "host")
    ban("malloc calloc realloc free strdup strndup", "heap")
    ban("printf fprintf vprintf vfprintf puts fputs putchar putc fputc perror", "library")
    ban("exit abort _Exit quick_exit", "library")
    while ((getline path < list) > 0)
        check_file(path)
    exit found
}

function ban(names, where,    i, count, name) {
    count = split(names, name, " ")
    for (i = 1; i <= count; i++)
        banned[name[i]] = where == "" ? "everywhere" : where
}

function complain(word, text) {
    printf "%s:%d: [%s] %s\n", path, number, word, text
    found = 1
}

function check_include(line,    name) {
    if (public_header && line ~ /<ut[a-z]*\.h>/)
        complain("public", "a public header does not include uthash")
    else if (line ~ /<ut[a-z]*\.h>/ && path != "vidmm/base/base_hash.h")
        complain("door", "uthash comes through vidmm/base/base_hash.h")
    if (line !~ /^[ \t]*#[ \t]*include[ \t]*"/)
        return
    name = line
    sub(/^[^"]*"/, "", name)
    sub(/".*$/, "", name)
    # The DDI headers are used without the rest, so they name each other without a folder.
    if (name !~ /\// && path ~ /^vidmm\/ddi\//)
        return
    if (name !~ /\//)
        complain("folder", "\"" name "\" does not name its folder")
    else if (public_header && name !~ /^vidmm\/(vidmm[^\/]*|ddi\/.*)$/)
        complain("public", "a public header includes " name ", which is not installed")
}

# The line without comments and with empty strings.
function code_of(line,    out, end) {
    out = ""
    while (line != "") {
        if (in_comment) {
            end = index(line, "*/")
            if (!end)
                return out
            in_comment = 0
            line = substr(line, end + 2)
        } else if (match(line, /"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|\/\*|\/\//)) {
            out = out substr(line, 1, RSTART - 1)
            end = substr(line, RSTART, 2)
            if (end == "//")
                return out
            if (end == "/*")
                in_comment = 1
            else
                out = out "\"\""
            line = substr(line, RSTART + RLENGTH)
        } else {
            return out line
        }
    }
    return out
}

function check_call(name,    where) {
    where = banned[name]
    if (where == "everywhere")
        complain("banned", name "() is not used here")
    else if (where == "host" && !outside)
        complain("banned", name "() reaches for the host: only tools/ and tests/ may")
    else if (where == "heap" && path != "vidmm/base/base.c" && path !~ /^tests\//)
        complain("banned", name "(): host memory comes from vidmm/base/base.h")
    else if (where == "library" && !outside && path != "vidmm/base/base.c")
        complain("banned", name "() is not for a library: only tools/ and tests/ may")
}

function check_calls(code,    name, before) {
    while (match(code, /[A-Za-z_][A-Za-z0-9_]*[ \t]*\(/)) {
        before = RSTART > 1 ? substr(code, RSTART - 1, 1) : ""
        name = substr(code, RSTART, RLENGTH - 1)
        code = substr(code, RSTART + RLENGTH)
        sub(/[ \t]+$/, "", name)
        # A member of that name is something else.
        if (name in banned && before != "." && before != ">")
            check_call(name)
    }
}

function check_line(line,    code, plain) {
    plain = line
    gsub(/[\200-\277]/, "", plain)
    if (length(plain) > COLUMNS)
        complain("columns", length(plain) " columns, " COLUMNS " are the limit")
    check_include(line)
    if (!in_comment && line !~ /["'\/]/)
        code = line
    else
        code = code_of(line)
    check_calls(code)
    if (!outside && path !~ /^vidmm\/ddi\// &&
        (" " code " ") ~ /[^A-Za-z0-9_](float|double)[^A-Za-z0-9_]/)
        complain("float", "results may not depend on the machine's floating point")
    # Of a thread, not of a simulation: its account of host memory and work in base.c, and in door.c
    # the adapter that it is in, set and taken back like a frame of the stack.
    thread = path ~ /^vidmm\/(base\/base|tell\/door)\.c$/ && code ~ /^static _Thread_local /
    if (!outside && !thread && code ~ /^static [^(]*(;|=)/ && code !~ /const|^static inline/)
        complain("global", "no library keeps state between calls")
    if (line ~ /^\{/) {
        body = number
        if (public_header && !inline_header)
            complain("body", "a public header holds no function bodies")
    } else if (line ~ /^\}/ && body) {
        if (number - body + 1 > FUNCTION_LINES)
            complain("function", (number - body + 1) " lines, " FUNCTION_LINES " are the limit")
        body = 0
    }
}

function check_file(name,    line) {
    path = name
    number = 0
    in_comment = 0
    body = 0
    outside = path ~ /^(tools|tests)\//
    public_header = path ~ /^vidmm\/vidmm[^\/]*\.h$/
    # Of shared objects that are linked with nothing of ours.
    inline_header = path ~ /^vidmm\/vidmm_(policy|eviction)\.h$/
    while ((getline line < path) > 0) {
        number++
        check_line(line)
    }
    close(path)
    if (number > FILE_LINES)
        complain("lines", number " lines, " FILE_LINES " are the limit")
}
