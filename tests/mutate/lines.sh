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
#     --kinds="WORD..."  mistakes of these kinds only, as example.txt names them
#     --seconds=N        no other mutant is begun after so many seconds
#     --dev=BUILD        what survives meets sanitizers and slow checks, too (preset dev), in the
#                        scenarios of rules and the tests of its folder
#     --least=PERCENT    fail when a lower part of them is killed; without it, when one survives
#     --log=FILE         a line for each mutant; one that exists is continued
#     --again=LOG        only those that survived there
#     --control          no mistake: does a test fail as it is run here?
#
# BUILD is a release build. Beside it, in BUILD-shared, another one is made, in which every floor is
# a shared library. sites.c says where a file could be wrong. For each of the sample the file is
# compiled with the mistake, and the library of its floor linked once more; the programs find that
# one first. Then they have to fail: the scenarios of the rules, an area in one process, first the
# area that noticed the last mistake of this file; then the tests of its folder, then the rest of
# `killers`, until one fails. A test that has a function of its own in front of one of ours is
# linked once more as BUILD has it, without shared libraries. A program that takes more than 8
# seconds of processor time has failed: without a mistake none takes two. A mutant whose code is
# that of the original is equivalent, and so are those of equivalent.txt, which nothing can notice.
#
# Prints a line for each survivor, and a table by folder.
set -eu
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
sample=100 seed=1 shard=1/1 files='' only='' kinds=''
seconds=0 dev='' least='' log='' again='' control=no
for word in "$@"; do
    case $word in
    --sample=*) sample=${word#*=} ;;
    --seed=*) seed=${word#*=} ;;
    --shard=*) shard=${word#*=} ;;
    --files=*) files=${word#*=} ;;
    --only=*) only=${word#*=} files=${only%:*} sample=1000 ;;
    --kinds=*) kinds=${word#*=} ;;
    --seconds=*) seconds=${word#*=} ;;
    --dev=*) dev=$(realpath "${word#*=}") ;;
    --least=*) least=${word#*=} ;;
    --again=*) again=$(realpath "${word#*=}") sample=1000000 ;;
    --control) control=yes sample=1 ;;
    --log=*) log=$(realpath -m "${word#*=}") ;;
    -*) sed -n '3,20s/^# \{0,1\}//p' "$0" && exit 2 ;;
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

# Tests of the label `fast` by their names in ctest, the cheap ones first.
killers='trail unit-.* scenarios-adapters scenarios-workloads scenarios-lessons scenarios-drivers
    scenarios-examples policy-rows policy-placement prop-victims prop-engine prop-eviction goldens
    narration event-fields nothing-left prop-manager prop-ranges'

# "NAME COMMAND" of each test of a build.
all_tests_of() { # build
    find "$1" -name CTestTestfile.cmake -exec cat {} + |
        sed -n 's/^add_test(\[=\[\([^]]*\)\]=\] \(.*\))$/\1 \2/p'
}

# Those of tools/ ask other questions, and a program that puts a function of its own before one of
# ours (--wrap) cannot do so in a shared library.
tests_of() { # build
    all_tests_of "$1" | grep -v '^unit-.*/tests/tools/' |
        grep -vFf "$work/wrapped-$(basename "$1")"
}

# "NAME COMMAND" of each test that uses a library, in order: those of its folder first.
order_tests() { # build library folder
    tests_of "$1" >"$work/tests"
    {
        grep -F "/tests/$3/" "$work/tests" || true
        [ "$1" = "$dev" ] || for pattern in $killers; do
            grep -E "^$pattern " "$work/tests" | grep -vF "/tests/$3/" || true
        done
    } | grep -vE '^[^ ]*-long ' | while read -r test command; do
        for program in $(printf '%s' "$command" | grep -o "\"$1/[^\"]*\"" | tr -d '"'); do
            if [ -f "$program" ] && ldd "$program" 2>&1 | grep -qF "lib$2.so"; then
                printf '%s %s\n' "$test" "$command"
                break
            fi
        done
    done
}

# Runs a command with the library of the mutant, and processor seconds as its limit; false: it
# noticed something.
run_limited() { # build seconds command...
    libraries=$work/lib-$(basename "$1")
    limits="--cpu=$2"
    [ "$1" = "$dev" ] || limits="$limits --as=4000000000"
    shift 2
    # shellcheck disable=SC2086 # words are meant
    LD_LIBRARY_PATH=$libraries prlimit $limits "$@" </dev/null >/dev/null 2>&1
}

# The scenarios of the rules.
meets_rules() { # build seconds
    areas=$work/areas-$(echo "$file" | tr / _)
    [ -f "$areas" ] ||
        find scenarios/rules -name '*.vms' | sed 's#.*/##; s#-.*##' | sort -u >"$areas"
    # shellcheck disable=SC2013 # words are meant
    for area in $(cat "$areas"); do
        by=rules/$area
        (cd "$work/run" &&
            run_limited "$1" "$2" "$1/bin/vidmm" run --quiet --check \
                "$root/scenarios/rules/$area"-*.vms) ||
            { (echo "$area" && grep -vx "$area" "$areas") >"$work/areas" &&
                mv "$work/areas" "$areas" && return 1; }
    done
}

# The tests of ctest.
meets_tests() { # build seconds
    folder=${file%/*}
    tests=$work/tests-$(basename "$1")-$(echo "$folder" | tr / _)
    [ -f "$tests" ] || order_tests "$1" "$library" "$folder" >"$tests"
    while read -r by command; do
        eval "run_limited '$1' $2 $command" || return 1
    done <"$tests"
}

# The tests with a function of their own in front of one of ours: an object before the archives
# takes the place of the one that is in there.
meets_wrapped() { # object
    while read -r command; do
        case $command in *"/lib$library.a"*) ;; *) continue ;; esac
        program=$static/$(printf '%s' "$command" | sed 's#.* -o \([^ ]*\) .*#\1#')
        command=$(printf '%s' "$command" |
            sed "s#^: && [^ ]*/##; s# && :\$##; s# -o [^ ]* # -o $work/wrapped-test $1 #")
        (cd "$static" && eval "$command") || { echo "$where: cannot be linked" >&2 && exit 2; }
        grep -F "\"$program\"" "$work/static-tests" >"$work/wrapped-tests"
        while read -r by command; do
            command=$(printf '%s' "$command" | sed "s#\"$program\"#$work/wrapped-test#")
            (cd "$work/run" && eval "prlimit --cpu=60 $command" </dev/null >/dev/null 2>&1) ||
                return 1
        done <"$work/wrapped-tests"
    done <"$work/wrapped-programs"
}

# The command that builds an object, from the folder of the build on.
command_of() { # build
    grep -F -- "-c $root/$file" "$work/commands-$(basename "$1")"
}

# Compiles "$work/mutant.c" in place of a source; fails when it does not compile.
compile() { # build object
    command=$(command_of "$1" |
        sed 's#^[^ ]*/##; s# -MD .*##; s# -g1##; s# -O2# -O1#; s# -W[^ ]*##g')
    strict='-fno-semantic-interposition -Werror=incompatible-pointer-types -Werror=int-conversion'
    (cd "$1" && eval "$command $strict -c -o '$2' '$work/mutant.c'") 2>/dev/null
}

gold=''
! command -v ld.gold >/dev/null || gold=-fuse-ld=gold

# Links the library with an object in place of its own.
link_library() { # build object
    own=$(command_of "$1" | sed 's#.* -o \([^ ]*\) .*#\1#')
    path=${own%%CMakeFiles*}lib$library.so
    into=$work/lib-$(basename "$1")
    rm -rf "$into" && mkdir "$into"
    command=$(grep -F -- " -o $path " "$work/commands-$(basename "$1")" |
        sed "s#^: && [^ ]*/##; s# && :\$##; s# -g1##; s# -o [^ ]* # -o $into/lib$library.so #
            s#$own#$2#")
    (cd "$1" && eval "$command $gold") || { echo "$where: cannot be linked" >&2 && exit 2; }
}

# The tests of a build, one after the other. False: one noticed; `by` is its name.
meets_all() { # build object seconds
    link_library "$1" "$2"
    meets_rules "$1" "$3" || return 1
    meets_tests "$1" "$3"
}

# A build of the same kind, with shared libraries. Every program names all of them: a function of
# ours has the name of one of the C library.
make_shared() { # build
    options=$(sed -n 's/^\(CMAKE_BUILD_TYPE\|CMAKE_C_COMPILER\|VIDMM_[A-Z]*\):[A-Z]*=/-D\1=/p' \
        "$1/CMakeCache.txt")
    # shellcheck disable=SC2086 # words are meant
    cmake -G Ninja -S . -B "$1-shared" $options -DBUILD_SHARED_LIBS=ON \
        -DCMAKE_EXE_LINKER_FLAGS=-Wl,--no-as-needed >/dev/null
    cmake --build "$1-shared" >/dev/null
}

prepare() { # build
    ninja -C "$1" -t commands >"$work/commands"
    grep -E -- ' -c | -shared ' "$work/commands" >"$work/commands-$(basename "$1")"
    grep -F -- ' -Wl,--wrap=' "$work/commands" | sed 's#.* -o \([^ ]*\) .*#/\1"#' \
        >"$work/wrapped-$(basename "$1")"
}

# ---- the sample ----------------------------------------------------------------------------------

static=$build
ninja -C "$static" -t commands |
    grep -E -- ' -Wl,--wrap=.* -o [^ ]*/(test_[a-z_]*|vidmm_handed|fault_every_request) ' \
        >"$work/wrapped-programs"
all_tests_of "$static" | grep -vE '^[^ ]*-long(-[0-9]+)? ' >"$work/static-tests"
make_shared "$build"
build=$build-shared
if [ -n "$dev" ]; then
    make_shared "$dev"
    dev=$dev-shared
fi
mkdir "$work/run" # a mutant that breaks a promise leaves its scenario where it runs
prepare "$build"
[ -z "$dev" ] || prepare "$dev"
# shellcheck disable=SC2086 # words are meant
"$build/tests/mutate/mutate_sites" list "$seed" $files | sort >"$work/sites"
[ -z "$kinds" ] || awk -F '\t' -v k=" $kinds " 'index(k, " " $5 " ")' "$work/sites" >"$work/some"
[ -z "$kinds" ] || mv "$work/some" "$work/sites"
[ -z "$only" ] || awk -F '\t' -v l="${only#*:}" '$4 == l' "$work/sites" >"$work/some"
[ -z "$only" ] || mv "$work/some" "$work/sites"
# shellcheck disable=SC2016 # of awk
survivors='NR == FNR { sub(":[0-9]*$", "", $2); asked[$2 $4 $5] = $1 == "survived"; next }
    asked[$2 $6 $7]'
[ -z "$again" ] || awk -F '\t' "$survivors" "$again" "$work/sites" >"$work/some"
[ -z "$again" ] || mv "$work/some" "$work/sites"
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

# What becomes of the mutant of $number in $file: a word and who noticed.
verdict() {
    library=$(command_of "$build" | sed 's#.* -o [^ ]*/\([^/ ]*\)\.dir/.*#\1#')
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
        { meets_all "$build" "$original" 60 && meets_wrapped "$original"; } ||
            echo "$by fails without a mistake" >&2
        echo 'equivalent control' && return
    fi
    meets_all "$build" "$mutant" 8 || { echo "killed $by" && return; }
    meets_wrapped "$mutant" || { echo "killed $by" && return; }
    if grep -qxF "$file	$before	$after" "$work/known"; then
        echo 'equivalent judged'
    elif [ -n "$dev" ] && compile "$dev" "$mutant" && ! meets_all "$dev" "$mutant" 90; then
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
