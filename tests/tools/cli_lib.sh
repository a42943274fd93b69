# SPDX-License-Identifier: MIT
# cli_lib.sh: for tests of the program in a shell; read in by them with the program as $1.
#
# Each case runs in an empty folder. `run CODE ARGS...` keeps stdout in `out` and stderr in `err`;
# `finish` at the end prints how many checks passed.
set -u
LC_ALL=C
export LC_ALL
unset NO_COLOR COLUMNS TERM 2>/dev/null

here=$(cd "$(dirname "$0")" && pwd)
vidmm=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

complain() {
    failed=$((failed + 1))
    printf 'failed: %s\n' "$*"
    sed 's/^/    out: /' out | head -n 5
    sed 's/^/    err: /' err | head -n 5
}

good() {
    passed=$((passed + 1))
}

# Scenarios that several of them need: the system stops; a promise is broken, where VIDMM_BREAKS
# says LOCK-057.
write_stop() {
    cat >"$1" <<'END'
vidmm-scenario 1
segment vram id=1 kind=memory size=64M
miniport mock patch-status=STATUS_UNSUCCESSFUL
create grass size=1M segments=vram
submit frame1 read=grass
END
}

write_broken() {
    cat >"$1" <<'END'
vidmm-scenario 1
segment vram id=1 kind=memory size=64M flags=CpuVisible
create x size=4K segments=vram
unlock x
END
}

run() {
    wanted=$1
    shift
    what="vidmm $*"
    code=0
    "$vidmm" "$@" >out 2>err </dev/null || code=$?
    if [ "$code" -eq "$wanted" ]; then good; else complain "$what: exit $code, not $wanted"; fi
}

# step CODE ARGS...: `vidmm step`, its commands from stdin.
step() {
    wanted=$1
    shift
    what="vidmm step $*"
    code=0
    "$vidmm" step "$@" >out 2>err || code=$?
    if [ "$code" -eq "$wanted" ]; then good; else complain "$what: exit $code, not $wanted"; fi
}

# The file `out` or `err` holds this text.
has() {
    if grep -qF -e "$2" "$1"; then good; else complain "$what: no '$2' in $1"; fi
}

lacks() {
    if grep -qF -e "$2" "$1"; then complain "$what: '$2' in $1"; else good; fi
}

# `out` has this many lines with the text.
count() {
    found=$(grep -cF -e "$2" out)
    if [ "$found" -eq "$1" ]; then good; else complain "$what: $found times '$2', not $1"; fi
}

# No line is wider than a terminal.
narrow() {
    if awk 'length($0) > 80 { exit 1 }' "$1"; then good; else complain "$what: wide lines in $1"; fi
}

empty() {
    if [ -s "$1" ]; then complain "$what: $1 is not empty"; else good; fi
}

same() {
    if cmp -s "$1" "$2"; then good; else complain "$what: $1 and $2 differ"; fi
}

# Each line is JSON, and no member occurs twice in an object.
json_lines() {
    if awk -f "$here/json.awk" "$1" >last 2>&1; then good; else complain "$what: no JSON in $1"; fi
}

# Rows of stdin, "EXIT|WORDS|COMMAND LINE" as a shell has it: the words, if any, stand in `out` or
# `err`.
rows() {
    while IFS='|' read -r code words line; do
        case $code in '' | '#'*) continue ;; esac
        eval "run $code $line"
        cat out err >both
        [ -z "$words" ] || has both "$words"
    done
}

finish() {
    printf '%d checks passed, %d failed\n' "$passed" "$failed"
    [ "$failed" -eq 0 ]
}

# The first line of a scenario and the lines of stdin, as try.vms.
write_try() {
    {
        echo 'vidmm-scenario 1'
        cat
    } >try.vms
}
