#!/bin/sh
# SPDX-License-Identifier: MIT
# example.sh PROGRAM BUILD COMPILER: does the example of segments/policies/README.md do what it
# says, with the installed headers and the command that stands there? And what is told of shared
# objects that cannot be used?
set -eu
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
program=$(realpath "$1")
build=$(realpath "$2")
compiler=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work"

fail() {
    printf 'failed: %s\n' "$*"
    [ ! -f out ] || sed 's/^/    /' out
    exit 1
}

# The code block after <!-- example: NAME -->.
block() {
    awk -v mark="<!-- example: $1 -->" '
        $0 == mark { wanted = 1; next }
        wanted && /^```/ { if (inside) exit; inside = 1; next }
        inside' "$root/segments/policies/README.md"
}

# run CODE WORD...: the program exits with CODE; its words are in `out`.
run() {
    code=$1
    shift
    answer=0
    "$program" "$@" >out 2>&1 || answer=$?
    [ "$answer" -eq "$code" ] || fail "vidmm $*: exit code $answer instead of $code"
}

has() {
    tr -s ' \n' '  ' <out | grep -qF -- "$1" || fail "no '$1' in the output"
}

has_not() {
    ! tr -s ' \n' '  ' <out | grep -qF -- "$1" || fail "'$1' in the output"
}

block mine.c >mine.c
block compile >compile
[ "$(wc -l <mine.c)" -le 60 ] || fail "the example has more than sixty lines"
cmake --install "$build" --prefix "$work/prefix" >/dev/null
sed "s|^cc |$compiler -Werror -I$work/prefix/include |" compile >command
sh ./command

cat >try.vms <<'END'
vidmm-scenario 1
adapter wddm=1.1
segment vram id=1 kind=memory size=64K
create a size=16K segments=vram
create b size=4K segments=vram
create c size=12K segments=vram
create d size=8K segments=vram
page-in a
page-in b
page-in c
destroy a
page-in d
END

# Holes of 16K at 0 and of 32K at 32K: first fit takes the first one, the example the second.
run 0 run try.vms
has 'd was placed in vram at 0 (bottom-up, first fit)'
run 0 run --policy=./mine.so try.vms
has 'd was placed in vram at 32 KiB = 0x8000 (bottom-up, second-fit)'
run 0 run --policy=mine.so --set=placement=wddm try.vms
has 'd was placed in vram at 0 (bottom-up, first fit)'
run 0 run --set=placement=best-fit --policy=mine.so try.vms
has 'd was placed in vram at 0 (bottom-up, best-fit)'
run 0 run --policy=mine.so --set=placement=second-fit try.vms
has 'second-fit'
run 0 test --policy=mine.so try.vms

# Under the documented order the older b leaves too; under the example the largest two are enough.
cat >>try.vms <<'END'
create e size=36K segments=vram
page-in e
END
run 0 run try.vms
has 'b was evicted'
run 0 run --policy=./mine.so try.vms
has 'c was evicted'
has_not 'b was evicted'

run 0 compare --policy=mine.so --policies=wddm,bulky,second-fit+lru --format=csv try.vms
has 'try.vms,bulky,passed,'
has 'try.vms,second-fit+lru,passed,'
run 0 compare --policy=mine.so try.vms
has 'second-fit '
has 'bulky '
run 1 diff --policy=mine.so try.vms
has 'first: '
printf 'vidmm-sweep 1\nfiles try.vms\npolicies lru,bulky\n' >plan
run 0 sweep --policy=mine.so --output=all.jsonl plan
[ "$(wc -l <all.jsonl)" -eq 2 ] || fail 'two runs of the plan'
run 0 sweep --policy=mine.so --output=all.jsonl plan
[ "$(wc -l <all.jsonl)" -eq 2 ] || fail 'runs that are there are left out'
# What was compiled again is another policy.
cp mine.c again.c
echo 'static const int other __attribute__((used)) = 7;' >>again.c
$compiler -std=c17 -w -shared -fPIC -I"$work/prefix/include" -o mine.so again.c
run 0 sweep --policy=mine.so --output=all.jsonl plan
[ "$(wc -l <all.jsonl)" -eq 4 ] || fail 'results of another build were kept'
$compiler -std=c17 -w -shared -fPIC -I"$work/prefix/include" -o mine.so mine.c

# A sweep that was killed goes on at once, although a process of one of its runs lives on; beside
# one that lives there is no second.
sed -e '1i #include <fcntl.h>\n#include <sys/prctl.h>\n#include <unistd.h>' \
    -e 's/^    (void)state;/    linger();/' \
    -e '/^static uint64_t key/i static void linger(void)\
{\
    (void)prctl(PR_SET_PDEATHSIG, 0);\
    (void)close(open("busy", O_CREAT | O_WRONLY, 0666));\
    while (access("linger", F_OK) == 0)\
        (void)usleep(10000);\
}' mine.c >linger.c
$compiler -std=gnu17 -w -shared -fPIC -I"$work/prefix/include" -o linger.so linger.c

# A sweep that is at a run which does not end; its output is in `out`.
begin_sweep() {
    rm -f busy
    "$program" sweep --jobs=1 --policy=linger.so --output=killed.jsonl plan >out 2>&1 &
    sweep=$!
    for _ in $(seq 500); do
        [ ! -e busy ] || return 0
        kill -0 "$sweep" 2>/dev/null || break
        sleep 0.01
    done
    fail 'the sweep did not come to a run'
}
: >linger
begin_sweep
kill -9 "$sweep"
wait "$sweep" 2>/dev/null || true
begin_sweep
run 3 sweep --jobs=1 --policy=linger.so --output=killed.jsonl plan
has 'killed.jsonl: another sweep is writing to it'
rm linger
wait "$sweep" || fail 'the sweep that went on'
[ "$(wc -l <killed.jsonl)" -eq 2 ] || fail 'two runs of the plan, after one sweep was killed'

# A file may name what is loaded: its own choice then, of several loaded ones, too.
{
    sed 2q try.vms
    echo 'policy eviction=bulky placement=second-fit'
    sed 1,2d try.vms
} >names.vms
sed -e 's/"bulky"/"other"/' -e 's/&second_fit/0/' \
    -e 's/return UINT.*/return resident->arrival;/' mine.c >other.c
$compiler -std=c17 -w -shared -fPIC -I"$work/prefix/include" -o other.so other.c
run 0 check --policy=mine.so names.vms
run 0 report --policy=mine.so names.vms
run 0 fmt --check names.vms
run 0 run --policy=mine.so names.vms
has 'd was placed in vram at 32 KiB = 0x8000 (bottom-up, second-fit)'
run 0 run --policy=mine.so --policy=other.so --set=placement=wddm try.vms
has 'b was evicted'
run 0 run --policy=mine.so --policy=other.so --set=placement=wddm names.vms
has_not 'b was evicted'
run 0 run --policy=mine.so --set=placement=wddm names.vms
has 'd was placed in vram at 0 (bottom-up, first fit)'
run 0 test --policy=mine.so names.vms
run 0 compare --policy=mine.so --policies=file,wddm --format=csv names.vms
has 'names.vms,file,passed,'
run 0 diff --policy=mine.so names.vms
sed 's/^policy .*/adapter eviction=bulky/; 2d' names.vms >set.vms
run 0 run --policy=mine.so set.vms
printf 'vidmm-sweep 1\nfiles names.vms\n' >plan
run 0 sweep --policy=mine.so plan
run 0 policies --policy=mine.so --format=jsonl
has '{"kind":"placement","name":"second-fit"'
has '{"kind":"eviction","name":"bulky"'
run 0 policies bulky --policy=mine.so
has_not 'second-fit'
run 2 policies bulky
for command in check run test report; do
    run 3 $command names.vms
    has "no policy of eviction is named 'bulky'"
    has '--policy=FILE loads others'
done
sed 's/=bulky/=bulki/' names.vms >near.vms
run 3 check --policy=mine.so near.vms
has "no policy of eviction is named 'bulki'"
has "did you mean 'bulky'?"

# ---- what cannot be used -----------------------------------------------------------------------

run 3 run --policy=missing.so try.vms
has '--policy=missing.so cannot be loaded'
run 3 run --policy=lru try.vms
has "'lru' is built in; write --set=eviction=lru"
echo text >text.so
run 3 run --policy=text.so try.vms
has '--policy=text.so cannot be loaded'

# broken NAME: the example with the edit of stdin.
broken() {
    sed "$2" mine.c >"$1.c"
    cmp -s mine.c "$1.c" && fail "$1: nothing was changed"
    $compiler -std=c17 -w -shared -fPIC -I"$work/prefix/include" -o "$1.so" "$1.c"
    run 3 run --policy="$1.so" try.vms
    has "$3"
}
broken nothing 's/ vidmm_policies = {/ my_policies = {/' 'defines no `vidmm_policies`'
broken version 's/{ VIDMM_POLICIES,/{ 99, 1,/' 'was built for version 99.1 of vidmm_policy.h'
broken sizes 's/{ VIDMM_POLICIES,/{ VIDMM_POLICY_VERSION, 8,/' 'compile it again with the headers'
broken none 's/&second_fit, &bulky/0, 0/' 'holds neither a placement policy nor an eviction policy'
broken nopick 's/^    .pick = pick,//' 'has no function `pick`'
broken nokey 's/^    .key = key,//' 'needs one of the functions `key` and `next`'
broken taken 's/"second-fit"/"buddy"/' 'is the name of one that is built in'
broken state 's/sizeof(struct counts),/(size_t)1 << 40,/' \
    'its placement policy second-fit asks for a state of 1099511627776 bytes (state_bytes)'
broken name 's/"bulky"/"Bulky One"/' "is called 'Bulky One', which is no name"

broken nobody 's/"bulky"/0/' "is called '', which is no name"
broken nameless 's/"second-fit"/0/' "its placement policy is called '', which is no name"
broken empty 's/"second-fit"/""/' "is called '', which is no name"
broken long 's/"second-fit"/"a-name-that-has-more-than-31-letters"/' 'which is no name: up to 31'
broken mute 's/"the second hole that fits"/0/' 'its policies need a summary and a source'
broken blind 's/"the largest for its age"/0/' 'its policies need a summary and a source'
broken alien '/"bulky"/,$s/"an example"/0/' 'its policies need a summary and a source'
broken stray '/"second-fit"/,/};/s/"an example"/0/' 'its policies need a summary and a source'

# Of one kind alone, too.
sed 's/&bulky/0/' mine.c >single.c
$compiler -std=c17 -w -shared -fPIC -I"$work/prefix/include" -o single.so single.c
for twice in mine single other; do
    run 3 run --policy=$twice.so --policy=$twice.so try.vms
    has 'the name of one that was loaded before'
done
run 3 run --policy=other.so --policy=single.so --policy=other.so try.vms
run 0 compare --policy=other.so --policy=single.so try.vms
has 'other '
has 'second-fit '
run 0 view -o page.html --policy=single.so --policy=other.so try.vms
# They count among the settings; a limit that ends a run is none of theirs.
many=
for i in $(seq 64); do many="$many --set=checked=off"; done
# shellcheck disable=SC2086 # words are meant
run 2 run $many --policy=single.so try.vms
has 'more than 64 of an option'
run 4 run --policy=mine.so --limit=ops=1 try.vms
has_not 'by a policy of'
many=
for i in $(seq 20); do
    sed "s/\"other\"/\"other-$i\"/" other.c >"many$i.c"
    $compiler -std=c17 -w -shared -fPIC -I"$work/prefix/include" -o "many$i.so" "many$i.c"
    many="$many --policy=many$i.so"
done
# shellcheck disable=SC2086 # words are meant
run 2 run $many try.vms
has 'more than 16 of --policy'

# What ends the process: the file that was loaded is named, and it is no success.
ends() {
    sed -e '1i #include <stdlib.h>\n#include <unistd.h>' \
        -e "s/^    return UINT64_MAX - .*/    return $2;/" mine.c >"$1.c"
    $compiler -std=gnu17 -w -shared -fPIC -I"$work/prefix/include" -o "$1.so" "$1.c"
    answer=0
    "$program" run --policy="$1.so" try.vms >out 2>&1 || answer=$?
    ended "$3" "vidmm run --policy=$1.so"
    has "$4"
    for command in test 'compare --policies=bulky'; do
        answer=0
        # shellcheck disable=SC2086 # words are meant
        "$program" $command --policy="$1.so" try.vms >out 2>&1 || answer=$?
        ended 70 "vidmm $command --policy=$1.so"
        has_not 'vidmm: vidmm:'
        grep -q Sanitizer out || has "$4" # only the end of a long report is shown
    done
}
# With a sanitizer in the program a crash ends it otherwise, and not well.
ended() {
    [ "$answer" -eq "$1" ] || { [ "$answer" -ne 0 ] && grep -q Sanitizer out; } ||
        fail "$2: exit code $answer instead of $1"
}
ends crash '*(volatile int *)0' 139 'crashed by SIGSEGV; policies of crash.so were loaded'
ends abort '(abort(), 0)' 134 'crashed by SIGABRT; policies of abort.so were loaded'
ends recurs 'key(state, resident) + 1 + *(volatile char *)__builtin_alloca(4096)' 139 \
    'crashed by SIGSEGV; policies of recurs.so were loaded'
ends leave '(exit(0), 0)' 70 'the middle of the run, with the exit code 0, by a policy of leave.so'
ends bug '(exit(70), 0)' 70 'Policies of bug.so were loaded: without them it is a bug of vidmm.'
sed -e '1i #include <unistd.h>' -e 's/^    return UINT64_MAX - .*/    _exit(0);/' mine.c >silent.c
$compiler -std=gnu17 -w -shared -fPIC -I"$work/prefix/include" -o silent.so silent.c
run 70 test --policy=silent.so try.vms
has 'the process ended before its run did, with the exit code 0'
run 70 compare --policy=silent.so --policies=bulky try.vms
has 'the process ended before its run did, with the exit code 0'

# An eviction policy that breaks its word is caught, and what it did is said (POLICY-011).
flaw() {
    cat >"$1.c" <<END
#include <vidmm/vidmm_policy.h>
static struct vidmm_resident *next(const void *state, struct vidmm_eviction_walk *walk)
{
    static struct vidmm_resident none;
    struct vidmm_queue *const *queue = state;
    (void)queue, (void)none, (void)walk;
    $2;
}
static struct vidmm_queue all;
static void arrived(void *state, struct vidmm_resident *resident)
{
    *(struct vidmm_queue **)state = &all;
    vidmm_queue_append(&all, resident);
}
static void left(void *state, struct vidmm_resident *resident, bool victim)
{
    (void)state, (void)victim;
    vidmm_queue_remove(&all, resident);
}
static const struct vidmm_eviction_policy liar = {
    .name = "liar", .summary = "breaks its word", .source = "this test",
    .state_bytes = sizeof(struct vidmm_queue *), .next = next, .arrived = arrived, .left = left,
};
const struct vidmm_policies vidmm_policies = { VIDMM_POLICIES, .eviction = &liar };
END
    $compiler -std=c17 -w -shared -fPIC -I"$work/prefix/include" -o "$1.so" "$1.c"
    run 0 run --why --policy="./$1.so" try.vms
    has "eviction policy liar named $3"
    has POLICY-011
}
flaw early 'return NULL' 'less than all residents'
flaw stranger 'return &none' 'what is no resident of that segment and priority'
flaw twice 'return (*queue)->oldest' 'a resident twice'

run 2 run --set=placement=second-fit try.vms
has 'the setting has no such value'

# A policy that breaks a rule is caught: it runs on, with the documented place.
sed 's/\*offset = fit.place;/*offset = fit.place + 4096;/' mine.c >off.c
$compiler -std=c17 -w -shared -fPIC -I"$work/prefix/include" -o off.so off.c
run 0 run --why --policy=off.so try.vms
has 'placement policy second-fit chose offset'
has 'POLICY-005'
run 5 run --policy=off.so --set=findings=fatal try.vms
