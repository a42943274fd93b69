#!/bin/sh
# SPDX-License-Identifier: MIT
# canary.sh: shows that tests/house.sh can fail.
#
# A small house passes; then one breach at a time is planted in it, and the run must name that
# breach, by file, line and word, and nothing else. A check without a breach here is not trusted:
# the last step compares the words of the .awk files with those that were planted.
. "$(dirname "$0")/../support/canary_lib.sh"
lists=tests/house

look() {
    "$here/../house.sh" --root "$tree" "$tree/build"
}

if ! command -v nm >/dev/null || ! command -v "${CC:-cc}" >/dev/null; then
    echo "skipped: there is no compiler, or no nm"
    exit 77
fi

# One file from standard input. A .c file is compiled, into a library named like its folder.
file() {
    mkdir -p "$tree/$(dirname "$1")"
    cat >"$tree/$1"
    case $1 in *.c) compile "$1" "$(dirname "$1" | tr / _)" ;; esac
}

# A file, a library.
compile() {
    object=CMakeFiles/$2.dir/$1.o
    mkdir -p "$tree/build/$(dirname "$object")"
    (cd "$tree" && "${CC:-cc}" -O1 -I. -w -c "$1" -o "build/$object")
    printf '{\n  "directory": "%s",\n  "command": "cc -o %s -c %s",\n  "file": "%s"\n},\n' \
        "$tree/build" "$object" "$tree/$1" "$tree/$1" >>"$tree/build/compile_commands.json"
}

# The finding of a word, and the limit that it breaks.
breach() {
    word=$1
    at=$(grep -n "^$word  *\* " "$tree/$lists/limits" | cut -d: -f1)
    shift
    expect "$@" "$lists/limits:$at: [$word]"
}

members() {
    printf 'struct %s {\n' "$1" && lines "$2" '    int a;' && echo '};'
}

make_clean_tree() {
    mkdir -p "$tree/scenarios" "$tree/$lists" "$tree/build"
    echo "CMAKE_HOME_DIRECTORY:INTERNAL=$tree" >"$tree/build/CMakeCache.txt"
    # The limits of every other subject are those of the real house.
    sed -n '/^[a-z-]*  *\* /p' "$here/limits" | sed 's/^doors .*/doors * 400/' \
        >"$tree/$lists/limits"
    file $lists/floors <<'END'
# A comment.
vidmm/ddi       door=*.h open only=
vidmm/base      door=base.h,base_hash.h only=
segments        only=vidmm/base
paging/store
paging/buffer
vidmm/cpu/check in=vidmm/cpu
vidmm/cpu
vidmm/mock      door= only=vidmm/base,vidmm/vidmm_mock.h
vidmm           door=vidmm*,adapter.h open
tools
    only=vidmm/base,vidmm/vidmm*,vidmm_*
END
    printf '%s\n' 'setup vidmm shared' 'store paging/store state' \
        'kept_part paging/store part=kept' | file $lists/structs
    echo 'hooks vidmm: why' | file $lists/hooks
    printf 'foreach(floor vidmm/base\n    segments paging/store)\n  add_subdirectory(x)\n' |
        file CMakeLists.txt
    echo 'int wdm(void);' | file vidmm/ddi/wdm.h
    echo 'int base(void);' | file vidmm/base/base.h
    echo '#include "vidmm/base/base.h"' | file vidmm/base/base_hash.h
    printf '#include "vidmm/base/base.h"\nint base(void)\n{\n    return 1;\n}\n' |
        file vidmm/base/base.c
    echo 'int room(void);' | file segments/segments.h
    printf '#include "segments/segments.h"\n#include "vidmm/base/base.h"\n%s\n' \
        'int room(void) { return base(); }' | file segments/room.c
    echo 'int keep(void);' | file paging/store/store.h
    printf '/* Private. */\nstruct store {\n    int a, b;\n};\n' | file paging/store/page.h
    printf 'struct kept_part {\n    int pages[2], old;\n};\n' | file paging/store/kept.h
    file vidmm/adapter.h <<'END'
#include "paging/store/kept.h"
struct setup { int a; struct { int b; } c; };
struct object { struct kept_part kept; };
struct hooks { void (*flush)(int a, int b); };
static inline int one(void) { return 1; }
extern int wired;
END
    # What looks like a breach and is none: the owner writes, and everybody reads.
    file paging/store/store.c <<'END'
#include "paging/store/page.h"
#include "segments/segments.h"
#include "vidmm/adapter.h"
void kept_become(struct object *o) { o->kept.pages[1] = room(); }
END
    echo 'int build(struct object *o);' | file paging/buffer/buffer.h
    file paging/buffer/build.c <<'END'
#include "vidmm/adapter.h"
int build(struct object *o) { return o->kept.old == 1 && o->kept.pages[0] <= 3; }
END
    file vidmm/vidmm.h <<'END'
#define CHECKED __attribute__((warn_unused_result))
CHECKED int vidmm_run(void);
struct caller { int (*load)(void); };
END
    echo 'int vidmm_mock(void);' | file vidmm/vidmm_mock.h
    printf '#include "%s"\n#include "%s"\nint vidmm_run(void) { return build(0); }\n' \
        paging/buffer/buffer.h vidmm/vidmm.h | file vidmm/run.c
    echo 'int vidmm_mock(void) { return 1; }' | file vidmm/mock/mock.c
    printf '#include "vidmm/vidmm.h"\nint main(void) { return vidmm_run(); }\n' | file tools/main.c
    echo 'int cpu;' | file vidmm/cpu/cpu.c
    mkdir "$tree/vidmm/cpu/check"
    echo 'int check;' >"$tree/vidmm/cpu/check/check.c"
    compile vidmm/cpu/check/check.c vidmm_cpu
    cp -R "$tree" "$clean"
}

make_clean_tree
expect

# Calls.
echo 'int up(void) { return build(0); }' | file paging/store/up.c
breach arrow 'paging/store/up.c:1: [arrow]'
printf 'int a(void) { return\nkept_become(0); }\n' | file segments/up.c
at=$(grep -n '^ring ' "$tree/$lists/limits" | cut -d: -f1)
breach arrow 'segments/up.c:2: [arrow]' \
    'segments:1: [ring]' 'paging/store:1: [ring]' "$lists/limits:$at: [ring]"
for code in 'vidmm/mock/b.c room' 'tools/b.c build' 'segments/b.c wdm_call'; do
    printf 'int wdm_call(void) { return 1; }\n' | file vidmm/ddi/wdm.c
    echo "int b(void) { return ${code#* }(); }" | file "${code% *}"
    breach only "${code% *}:1: [only]"
done
circle() {
    for i in $(seq "$1"); do
        echo "int c$i(void) { return c$((i % $1 + 1))(); }" | file "paging/buffer/c$i.c"
    done
}
circle 4
expect
circle 5
breach circle 'paging/buffer/c1.c:1: [circle]' 'paging/buffer/c2.c:1: [circle]' \
    'paging/buffer/c3.c:1: [circle]' 'paging/buffer/c4.c:1: [circle]' \
    'paging/buffer/c5.c:1: [circle]'
echo 'int loose;' | file paging/loose.c
breach floor 'paging/loose.c:1: [floor]'
echo 'int second;' | file segments/second.c
compile segments/second.c vidmm_base
at=$(grep -n '^library ' "$tree/$lists/limits" | cut -d: -f1)
breach library 'segments/CMakeLists.txt:1: [library]' 'vidmm/base/CMakeLists.txt:1: [library]' \
    "$lists/limits:$at: [library]"
# Two files of a folder that call the same function are one arrow.
echo 'int one(void) { return build(0); }' | file paging/store/one.c
echo 'int two(void) { return build(0); }' | file paging/store/two.c
echo 'arrow paging/store 1' >>"$tree/$lists/limits"
expect
sed 's, in=.*,,' "$clean/$lists/floors" | file $lists/floors
breach library 'vidmm/cpu/CMakeLists.txt:1: [library]' \
    'vidmm/cpu/check/CMakeLists.txt:1: [library]' "$lists/limits:$at: [library]"
# What an older build left is not looked at.
echo 'int old(void) { return build(0); }' | file segments/old.c
cp "$clean/build/compile_commands.json" "$tree/build/compile_commands.json"
expect

echo 'foreach(floor vidmm/base paging/store segments paging/new)' |
    file CMakeLists.txt
breach order 'CMakeLists.txt:1: [order]' 'CMakeLists.txt:1: [order]'

# Includes.
include() {
    echo "#include \"$3\"" | file "$2"
    if [ "$1" = none ]; then expect; else breach "$1" "$2:1: [$1]"; fi
}
include none vidmm/b.h vidmm/base/base_hash.h
include none paging/store/b.c vidmm/vidmm.h
include none segments/b.h segments/segments.h
include private vidmm/b.c paging/store/page.h
include private paging/buffer/b.h paging/store/page.h
include layer paging/store/b.c paging/buffer/buffer.h
include layer segments/b.c vidmm/vidmm.h
include layer segments/b.h paging/store/kept.h
include layer vidmm/mock/b.c vidmm/vidmm.h
include layer vidmm/base/b.h vidmm/ddi/wdm.h
include layer tools/b.c paging/buffer/buffer.h

# Members of a part.
for code in 'o->kept.old = 1;' 'o->kept.pages[1] |= 2;' 'o->a.kept.old++;' '--o->kept.old;'; do
    echo "$code" | file paging/buffer/b.h
    breach part 'paging/buffer/b.h:1: [part]'
done
echo '/* o->kept.old = 1 */ int b = a->kept.old <= 1;' | file paging/buffer/b.h
expect

# Sizes.
for i in $(seq 14); do : >"$tree/segments/$i.c"; done
expect
for i in $(seq 15); do : >"$tree/segments/$i.c"; done
breach files
lines 3497 '' >"$tree/segments/long.c"
expect
lines 3498 '' >"$tree/segments/long.c"
breach lines
lines 200 '' | file vidmm/vidmm_b.h
expect
lines 201 '' | file vidmm/vidmm_b.h
breach door
lines 200 '' | file vidmm/vidmm_b.h
lines 200 '' | file vidmm/vidmm_c.h
breach doors
lines 151 '' | file paging/store/b.h
breach header
for i in $(seq 46); do echo "struct b *b$i(int a, void (*call)(int));"; done | file vidmm/vidmm_b.h
breach prototype

# What a header holds.
printf '\nint room(void);\n' | file vidmm/vidmm_b.h
breach twice 'vidmm/vidmm_b.h:2: [twice]'
rm "$tree/paging/store/page.h"
printf '\nstruct store { int a; };\n' | file paging/store/store.h
breach state 'paging/store/store.h:2: [state]'
rm "$tree/paging/store/page.h"
echo 'struct store { int a; };' | file paging/buffer/b.h
breach state 'paging/buffer/b.h:1: [state]'
echo 'int kept_become(int page);' >>"$tree/paging/store/kept.h"
breach partly 'paging/store/kept.h:4: [partly]'
members kept_part 16 | file paging/store/kept.h
expect
members kept_part 17 | file paging/store/kept.h
breach part-members
members store 26 | file paging/store/page.h
breach state-members
members setup 19 >>"$tree/vidmm/vidmm.h"
sed '/^struct setup/d' "$clean/vidmm/adapter.h" | file vidmm/adapter.h
breach members
printf 'struct way {\n    int a;\n    int (*up)(int a);\n};\n' >>"$tree/vidmm/adapter.h"
breach hook 'vidmm/adapter.h:7: [hook]'
sed '/^struct hooks/d' "$clean/vidmm/adapter.h" | file vidmm/adapter.h
{ echo 'struct hooks {' && lines 9 '    void (*a)(void);' && echo '};'; } >>"$tree/vidmm/adapter.h"
breach hooks

# Lines of the lists that name nothing.
rm "$tree/vidmm/cpu/check/check.c"
breach stale "$lists/floors:7: [stale]"
echo 'no_hooks vidmm: why' >>"$tree/$lists/hooks"
breach stale "$lists/hooks:2: [stale]"
echo 'no_part vidmm part=no' >>"$tree/$lists/structs"
breach stale "$lists/structs:4: [stale]"

# Limits.
more() {
    echo "$1" >>"$tree/$lists/limits"
    expect "$lists/limits:$(wc -l <"$tree/$lists/limits"): [limit]"
}
more 'files segments 16'
more 'circle paging/buffer 1'
more 'arrow paging/nowhere 2'
more 'what segments 2'
echo 'circle segments 5' >>"$tree/$lists/limits"
circle 5
echo 'circle paging/buffer 5' >>"$tree/$lists/limits"
expect "$lists/limits:$(($(wc -l <"$tree/$lists/limits") - 1)): [limit]"
circle 5
echo 'circle paging/buffer 6' >>"$tree/$lists/limits"
expect "$lists/limits:$(wc -l <"$tree/$lists/limits"): [limit]"

# A build whose objects say nothing about this tree.
ends() {
    checked=$((checked + 1))
    status=0
    "$here/../house.sh" --root "$tree" "$tree/build" >"$work/said" 2>&1 || status=$?
    if [ "$status" -ne "$1" ] || ! grep -q "$2" "$work/said"; then
        failed=$((failed + 1))
        echo "expected (exit $1): $2" && echo "got (exit $status):" && cat "$work/said"
    fi
    clean_tree
}
echo 'CMAKE_BUILD_TYPE:STRING=Debug' >>"$tree/build/CMakeCache.txt"
ends 77 '^skipped: '
sed "s|$tree|/elsewhere|" "$clean/build/compile_commands.json" >"$tree/build/compile_commands.json"
ends 1 'names no file of'

# Every word that a check can print was planted at least once.
sed -n -e 's/.*\(finding\|measure\)("\([a-z-]*\)".*/\2/p' -e 's/.*circles("\([a-z]*\)".*/\1/p' \
    -e 's/.*complain([^"]*"\([a-z]*\)".*/\1/p' "$here"/*.awk | all_planted
