#!/bin/sh
# SPDX-License-Identifier: MIT
# lines.sh: does a test notice when one token of a decision is wrong?
#
#     tests/mutate/lines.sh [OPTION...] BUILD
#
#     --sample=N         so many mutants that compile (default 100)
#     --seed=N           another sample of them (default 1)
#     --shard=I/N        every N-th of them, from the I-th on (1/1)
#     --files="F..."     of these sources only (default: segments/, paging/, decisions of vidmm/)
#     --only=FILE:LINE   every mutant of this line
#     --seconds=N        no other mutant is begun after so many seconds
#     --dev=BUILD        what survives meets sanitizers and slow checks, too (preset dev), in the
#                        scenarios of rules and the tests of its folder
#     --least=PERCENT    fail when a lower part of them is killed; without it, when one survives
#     --log=FILE         a line for each mutant; one that exists is continued
#     --control          no mistakes: which of the tests fail as they are run here?
#
# BUILD is a release build with its tests. sites.c says where a file could be wrong. For each of the
# sample the file is compiled with the mistake, and linked in front of the library with the right
# one; then the programs have to fail: first every scenario of a rule in one process, then the tests
# of its folder, then the rest of `killers`, until one fails. A program that takes more than 8
# seconds of processor time has failed: without a mistake none takes two. A mutant whose code is
# that of the original is equivalent, and so are those of equivalent.txt, which nothing can notice.
#
# Prints a line for each survivor, and a table by folder.
set -eu
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
sample=100 seed=1 shard=1/1 files='' only='' seconds=0 dev='' least='' log='' control=no
for word in "$@"; do
    case $word in
    --sample=*) sample=${word#*=} ;;
    --seed=*) seed=${word#*=} ;;
    --shard=*) shard=${word#*=} ;;
    --files=*) files=${word#*=} ;;
    --only=*) only=${word#*=} files=${only%:*} sample=1000 ;;
    --seconds=*) seconds=${word#*=} ;;
    --dev=*) dev=$(realpath "${word#*=}") ;;
    --least=*) least=${word#*=} ;;
    --control) control=yes sample=1 ;;
    --log=*) log=$(realpath -m "${word#*=}") ;;
    -*) sed -n '3,17s/^# \{0,1\}//p' "$0" && exit 2 ;;
    *) build=$(realpath "$word") ;;
    esac
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
started=$(date +%s)
cd "$root"

if [ -z "$files" ]; then
    for folder in adapter allocation allocation/check cpu device recovery share submit; do
        files="$files $(echo vidmm/$folder/*.c)"
    done
    files="$(echo segments/*.c segments/policies/*.c paging/*/*.c) $files"
fi

# Tests of the label `fast` in the order in which they are asked, by their name in ctest.
killers='trail scenarios-examples scenarios-lessons scenarios-drivers scenarios-adapters
    scenarios-workloads unit-.* goldens prop-engine prop-victims prop-ranges prop-eviction
    policy-rows policy-placement prop-manager'

# "NAME COMMAND" of each test of a build. Those of tools/ ask other questions.
tests_of() {
    find "$1" -name CTestTestfile.cmake -exec cat {} + |
        sed -n 's/^add_test(\[=\[\([^]]*\)\]=\] \(.*\))$/\1 \2/p' |
        grep -v '^unit-.*/tests/tools/'
}

# Names of the tests, in order: those of the folder first.
order_tests() { # build folder
    tests_of "$1" >"$work/tests"
    for pattern in $killers; do
        grep -E "^$pattern " "$work/tests" | grep -vE '^[^ ]*-long ' | sed 's/ .*//' || true
    done
}

# The command of a program's link with the mutant in front, without a compiler cache: once for each.
link_command() { # build program
    name=$(basename "$1")-$(echo "$2" | tr / _)
    if [ ! -f "$work/link-$name" ]; then
        ninja -C "$1" -t commands "$2" | tail -n 1 |
            sed "s#^: && [^ ]*/##; s# && :\$##; s# -o [^ ]* # -o \$into/$2 \$mutant #; s# -g1##" \
                >"$work/link-$name"
    fi
    cat "$work/link-$name"
}

gold=''
! command -v ld.gold >/dev/null || gold=-fuse-ld=gold

# Links a program of the build with the mutant; fails when it has no part of its library.
link_program() { # build program
    command=$(link_command "$1" "$2")
    case $command in *"/$library.a"*) ;; *) return 1 ;; esac
    into=$work/$(basename "$1")
    export into mutant
    [ -f "$into/$2" ] || (mkdir -p "$into/${2%/*}" && cd "$1" && eval "$command $gold")
}

# Runs a command with processor seconds as its limit; false: it noticed something.
run_limited() { # seconds, command...
    limits="--cpu=$1"
    shift
    [ "${sanitized-}" = yes ] || limits="$limits --as=4000000000"
    # shellcheck disable=SC2086 # words are meant
    prlimit $limits "$@" </dev/null >/dev/null 2>&1
}

# Every scenario of a rule, in one process.
meets_rules() { # build
    into=$work/$(basename "$1")
    link_program "$1" bin/vidmm || { echo "$where: cannot be linked" >&2 && exit 2; }
    cd "$work/run"
    run_limited "$2" "$into/bin/vidmm" run --quiet "$root"/scenarios/rules/*.vms
    answer=$?
    cd "$root"
    return $answer
}

# A test of ctest, its programs linked with the mutant.
meets_test() { # build test seconds
    most=$3
    line=$(grep "^$2 " "$work/tests-$(basename "$1")")
    into=$work/$(basename "$1")
    applies=no
    for program in $(echo "$line" | grep -o "\"$1/[^\"]*\"" | sed "s#\"$1/##; s#\"##"); do
        if [ -f "$1/$program" ] && [ -x "$1/$program" ] && link_program "$1" "$program"; then
            applies=yes
        fi
    done
    [ $applies = yes ] || return 0
    eval "set -- $(echo "$line" | sed "s#^[^ ]* ##; s#\"$1/#\"$into/#g")"
    cd "$root"
    run_limited "$most" "$@"
}

# Compiles "$work/mutant.c" in place of a source; fails when it does not compile.
compile() { # build object
    command=$(grep -F -- "-c $root/$file" "$work/compile-$(basename "$1")" |
        sed 's#^[^ ]*/##; s# -MD .*##; s# -g1##; s# -O2# -O1#; s# -W[^ ]*##g')
    strict='-Werror=incompatible-pointer-types -Werror=int-conversion'
    (cd "$1" && eval "$command $strict -c -o '$2' '$work/mutant.c'") 2>/dev/null
}

# The tests of a build, one after the other. False: one noticed; `by` is its name.
meets_all() { # build seconds
    rm -rf "${work:?}/$(basename "$1")"
    by=rules
    meets_rules "$1" "$2" || return 1
    folder=${file%/*}
    own=$(grep -F "/tests/$folder/" "$work/tests-$(basename "$1")" | sed 's/ .*//' | grep -v long)
    rest=$(cat "$work/order-$(basename "$1")")
    [ "$1" != "$dev" ] || rest=
    for by in $own $rest; do
        meets_test "$1" "$by" "$2" || return 1
    done
}

prepare() { # build
    order_tests "$1" >"$work/order-$(basename "$1")"
    cp "$work/tests" "$work/tests-$(basename "$1")"
    ninja -C "$1" -t commands | grep -- ' -c ' >"$work/compile-$(basename "$1")"
}

# ---- the sample ----------------------------------------------------------------------------------

mkdir "$work/run" # a mutant that breaks a promise leaves its scenario where it runs
prepare "$build"
[ -z "$dev" ] || prepare "$dev"
# shellcheck disable=SC2086 # words are meant
"$build/tests/mutate/mutate_sites" list "$seed" $files | sort >"$work/sites"
[ -z "$only" ] || awk -F '\t' -v l="${only#*:}" '$4 == l' "$work/sites" >"$work/some"
[ -z "$only" ] || mv "$work/some" "$work/sites"
awk -v i="${shard%/*}" -v n="${shard#*/}" 'NR % n == i % n' "$work/sites" >"$work/shard"
sample=$(((sample + ${shard#*/} - ${shard%/*}) / ${shard#*/}))

# "FILE TAB BEFORE TAB AFTER" of those that nothing can notice.
awk '/^[^-+=# ].*\.c$/ { file = $0 }
    /^- / { before = substr($0, 3) }
    /^\+/ { after = substr($0, 3) }
    /^= / { print file "\t" before "\t" after }' "$here/equivalent.txt" >"$work/known"

# The file with a mistake, which still says that it is the file.
make_source() { # number
    printf '#line 1 "%s"\n' "$root/$file" >"$work/mutant.c"
    "$build/tests/mutate/mutate_sites" make "$file" "$1" >>"$work/mutant.c"
}

# The library of the file, from the folder of its object.
library_of() {
    grep -F -- "-c $root/$file" "$work/compile-$(basename "$build")" |
        sed 's#.* -o [^ ]*/\([^/ ]*\)\.dir/.*#lib\1#'
}

# What becomes of the mutant of $number in $file: a word and who noticed.
verdict() {
    library=$(library_of)
    original=$work/original-$(echo "$file" | tr / _).o
    if [ ! -f "$original" ]; then
        make_source 0
        compile "$build" "$original"
    fi
    [ $control = yes ] || make_source "$number"
    mutant=$work/mutant.o
    compile "$build" "$mutant" || { echo broken && return; }
    if [ $control = no ] && cmp -s "$original" "$mutant"; then
        echo 'equivalent same-code'
        return
    fi
    if [ $control = yes ]; then
        for by in $(cat "$work/order-$(basename "$build")"); do
            meets_test "$build" "$by" 60 || echo "$by fails without a mistake" >&2
        done
    fi
    meets_all "$build" 8 || { echo "killed $by" && return; }
    if grep -qxF "$file	$before	$after" "$work/known"; then
        echo 'equivalent judged'
    elif [ -n "$dev" ] && compile "$dev" "$mutant" && ! sanitized=yes meets_all "$dev" 90; then
        echo "killed sanitizers:$by"
    else
        echo survived
    fi
}

tab=$(printf '\t')
[ -n "$log" ] || log=$work/log
touch "$log"
done=$(grep -vc ^broken "$log" || true)
tail -n +$(($(wc -l <"$log") + 1)) "$work/shard" >"$work/rest"
while IFS=$tab read -r _ file number line operator before after; do
    [ "$done" -lt "$sample" ] || break
    [ "$seconds" -eq 0 ] || [ $(($(date +%s) - started)) -lt "$seconds" ] || break
    where=$file:$line
    answer=$(verdict)
    printf '%s\t%s\t%s\t%s\t%s\n' "$answer" "$where" "$operator" "$before" "$after" >>"$log"
    [ "$answer" = broken ] || done=$((done + 1))
    [ "$answer" != survived ] ||
        printf '%s: survived: %s\n- %s\n+ %s\n' "$where" "$operator" "$before" "$after"
done <"$work/rest"

awk -F '\t' '
    function rate(killed, all) { return all ? sprintf("%.1f %%", 100 * killed / all) : "-" }
    {
        split($1, word, " ")
        if (word[1] == "broken")
            next
        folder = $2
        sub("/[^/]*$", "", folder)
        all[folder]++
        count[folder, word[1]]++
        total[word[1]]++
        sum++
    }
    END {
        printf "%-28s %7s %7s %10s %8s %8s\n", "folder", "mutants", "killed", "equivalent",
               "survived", "rate"
        for (folder in all)
            printf "%-28s %7d %7d %10d %8d %8s\n", folder, all[folder], count[folder, "killed"],
                   count[folder, "equivalent"], count[folder, "survived"],
                   rate(count[folder, "killed"], all[folder] - count[folder, "equivalent"]) | "sort"
        close("sort")
        printf "%-28s %7d %7d %10d %8d %8s\n", "all", sum, total["killed"], total["equivalent"],
               total["survived"], rate(total["killed"], sum - total["equivalent"])
    }' "$log"
awk -F '\t' -v least="${least:-100}" '
    $1 ~ /^killed/ { killed++ } $1 == "survived" { survived++ }
    END { exit !(killed && 100 * killed >= least * (killed + survived)) }' "$log"
