#!/bin/sh
# SPDX-License-Identifier: MIT
# setup.sh: the decisions of ./setup, on made-up machines.
#
# A machine is a folder with a few real tools (sh, sed ...), an os-release, and scripts that
# replace the compiler, CMake and the package manager: they do their work as far as setup can see
# it, and record their calls. Nothing is compiled or installed here; `.ci/bare` runs the real
# commands.
set -eu
LC_ALL=C
export LC_ALL
unset CC 2>/dev/null || true

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
checked=0

complain() {
    failed=$((failed + 1))
    printf 'failed: %s\n' "$*"
    sed 's/^/    /' "$work/said" "$machine/log"
}

# ---- tools that pretend -------------------------------------------------------------------------

# name; the script is standard input
tool() {
    { printf '#!/bin/sh\nprintf "%%s\\n" "%s $*" >>"%s/log"\n' "$1" "$machine" && cat; } \
        >"$machine/bin/$1"
    chmod +x "$machine/bin/$1"
}

have() {
    for thing in "$@"; do
        case $thing in
        cc) # compiles what includes a header that is there
            tool cc <<END
for word; do case \$word in *.c) source=\$word ;; esac; done
[ -e "$machine/\$(sed -n 's/^#include <\(.*\)>/\1/p' "\$source" | tail -n 1)" ]
END
            touch "$machine/argp.h"
            ;;
        cmake) have cmake=3.25.1 ;;
        cmake=*)
            tool cmake <<END
case \$1 in
--version) echo "cmake version ${thing#*=}" ;;
--build)
    mkdir -p build/bin "\$2/bin"
    printf '#!/bin/sh\\necho "vidmm \$*"\\n' >"\$2/bin/vidmm"
    chmod +x "\$2/bin/vidmm"
    ;;
*)
    mkdir -p build
    touch "$machine/tree/build/build.ninja"
    for word; do last=\$word; done
    printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\\n%s\\n' "$machine/tree" \
        "\$(echo "\$last" | sed 's/^-D//; s/=/:BOOL=/')" >"$machine/tree/build/CMakeCache.txt"
    ;;
esac
END
            tool ctest <<END
printf '\ttests="3"\n\tfailures="0"\n\tskipped="1"\n<testcase name="one" >
<skipped message="SKIP_RETURN_CODE=77"/>
<system-out>skipped: no moon\n<testcase name="two"\n' >"$machine/tree/build/tests.xml"
END
            ;;
        *.h) touch "$machine/$thing" ;;
        *) tool "$thing" </dev/null ;;
        esac
    done
}

# id of the system; then the packages that are present
machine() {
    machine=$work/$((checked += 1))
    mkdir -p "$machine/bin" "$machine/tree/scenarios/lessons"
    for real in sh sed grep head tail tr dirname mktemp rm env cat mkdir touch chmod awk nproc; do
        ln -s "$(command -v $real)" "$machine/bin/$real"
    done
    cp "$here/../../setup" "$machine/tree"
    printf 'ID=%s\nVERSION_ID="12"\n' "$1" >"$machine/os-release"
    : >"$machine/log"
    # Of the libraries, uthash stands for all: the others are there.
    mkdir "$machine/cjson"
    touch "$machine/zlib.h" "$machine/zstd.h" "$machine/histedit.h" "$machine/cjson/cJSON.h"
    # Packages never want sudo here.
    printf '#!/bin/sh\necho 0\n' >"$machine/bin/id"
    chmod +x "$machine/bin/id"
    shift
    have "$@"
}

# Installs the packages of its list; update fails on a machine with a broken source.
apt() {
    tool apt-get <<END
case " \$* " in
*' update '*) [ ! -e "$machine/broken-source" ] || exit 100 ;;
*' install '*) [ ! -e "$machine/no-network" ] || exit 100 ;;
esac
END
    for thing in "$@"; do
        # Each package is prepared and is moved in.
        mv "$machine/bin/$thing" "$machine/$thing.deb" 2>/dev/null ||
            mv "$machine/$thing" "$machine/$thing.deb"
    done
    cat >>"$machine/bin/apt-get" <<END
case " \$* " in
*' install '*)
    for deb in "$machine"/*.deb; do
        [ -e "\$deb" ] || continue
        name=\${deb##*/} name=\${name%.deb}
        case \$name in *.h) to="$machine/\$name" ;; *) to="$machine/bin/\$name" ;; esac
        cat "\$deb" >"\$to"
        chmod +x "\$to"
    done
    ;;
esac
END
}

# ---- expectations -------------------------------------------------------------------------------

# exit code, words of setup
setup() {
    wanted=$1 what="setup $2 ($(sed -n 's/^ID=//p' "$machine/os-release"))"
    shift
    code=0
    (cd "$machine" && PATH=$machine/bin VIDMM_OS_RELEASE=$machine/os-release \
        "$machine/bin/sh" "$machine/tree/setup" "$@") >"$work/said" 2>&1 </dev/null || code=$?
    [ "$code" -eq "$wanted" ] || complain "$what: exit $code, not $wanted"
}

says() {
    for text in "$@"; do
        grep -qF -e "$text" "$work/said" || complain "$what: does not say '$text'"
    done
}

calls() {
    grep -qF -e "$1" "$machine/log" || complain "$what: does not call '$1'"
}

never_calls() {
    ! grep -q "^$1" "$machine/log" || complain "$what: calls $1"
}

# ---- everything is there: no package manager is asked, on any system ----------------------------

for system in debian fedora arch void; do
    machine $system cc cmake ninja uthash.h apt-get dnf pacman
    setup 0 run
    says 'vidmm run scenarios/lessons/01-segments.vms' 'next, in ' 'second lesson'
    calls '-DBUILD_TESTING=OFF'
    calls '-G Ninja'
    calls '--target vidmm vidmm_manual'
    for manager in apt-get dnf pacman; do never_calls $manager; done
done
machine nixos cc cmake make uthash.h cmocka.h g++ pkg-config protoc
setup 0 test
calls 'cmake --preset release -G Unix Makefiles -DBUILD_TESTING=ON'
calls 'ctest --test-dir'
calls '-LE long'
says '2 tests passed, 0 failed, 1 skipped' 'skipped one: no moon'
setup 0 test -R unit
! grep '^ctest' "$machine/log" | tail -n 1 | grep -q long || complain "$what: adds a label"
setup 0 run my.vms
says 'vidmm run my.vms' 'next: '
setup 1 fly
says "'fly' is not one of them" './setup test'

# The build that `run` made is used by `test`, and gets the tests.
machine arch cc cmake ninja uthash.h cmocka.h
setup 0 run
setup 0 test
calls "cmake $machine/tree/build -DBUILD_TESTING=ON"
says 'without a C++ compiler, pkg-config, protoc some tests are skipped'
never_calls 'cmake --preset release -G Ninja -DBUILD_TESTING=ON'

# ---- missing packages are named, with the command to type ---------------------------------------

machine fedora cc cmake=3.25.0 dnf
setup 1 run
says 'missing: Ninja (or make), uthash' 'as root: dnf install ninja-build uthash-devel' 'then: '
never_calls dnf
setup 1 test
says 'as root: dnf install ninja-build uthash-devel libcmocka-devel'
machine arch cmake ninja pacman uthash.h
setup 1 run
says 'missing: a C compiler' 'as root: pacman -S --needed gcc'
machine opensuse-leap cc cmake ninja zypper
printf 'ID=opensuse-leap\nID_LIKE="suse opensuse"\n' >"$machine/os-release"
setup 1 run
says 'as root: zypper install uthash-devel'
machine alpine ninja cmake
setup 1 run
says 'missing: a C compiler with the GNU C library' "knows no package manager of 'alpine'"
for old in 3.18.4 3.24.9 2.30.1; do
    machine ubuntu cc cmake=$old ninja uthash.h
    apt
    setup 1 run
    says "missing: CMake 3.25 (found $old)" 'pip install --user cmake'
done
for new in 3.25.0 3.30.2 4.0.1; do
    machine ubuntu cc cmake=$new ninja uthash.h
    setup 0 run
done

# ---- Debian: only missing packages are installed, and only those that the command needs ---------

machine debian cc cmake ninja uthash.h cmocka.h g++ pkg-config protoc
apt cc ninja uthash.h
setup 0 run
calls 'install gcc libc6-dev ninja-build uthash-dev'
machine debian cc cmake ninja uthash.h cmocka.h g++ pkg-config protoc
apt cmocka.h g++ pkg-config protoc
setup 0 run
never_calls apt-get
setup 0 test
calls 'install libcmocka-dev g++ pkg-config protobuf-compiler'

# A broken source is a warning when the packages can be had all the same.
machine debian cc cmake ninja uthash.h
apt uthash.h
touch "$machine/broken-source"
setup 0 run
says 'warning: apt-get update failed' 'next, in '
touch "$machine/no-network"
rm "$machine/uthash.h"
setup 1 run
says 'missing: uthash' 'as root: apt-get install uthash-dev'

# A package that only a test wants may fail to come.
machine debian cc cmake ninja uthash.h cmocka.h g++
apt g++
touch "$machine/no-network"
setup 0 test
says 'without a C++ compiler, pkg-config, protoc some tests are skipped'

# ---- a tree that cannot be written --------------------------------------------------------------

machine debian cc cmake ninja uthash.h
: >"$machine/tree/build"
setup 1 run
says "cannot write to $machine/tree/build" 'cp -R'
[ "$(wc -l <"$work/said")" -eq 1 ] || complain "$what: more than one line"
never_calls cc

echo "$checked machines, $failed failures"
[ $failed -eq 0 ]
