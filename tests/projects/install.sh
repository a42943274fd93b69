#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh BUILD COMPILER [FLAG...]: installs a build into an empty folder, moves that folder, and
# uses it from there as another project would: with CMake, with pkg-config, and from the shell.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
compiler=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" >"$work/log"
mv "$work/first" "$work/prefix"
prefix=$work/prefix

fail() {
    echo "$*" >&2
    exit 1
}

# Exactly the public headers: all that begin with vidmm, and the driver's interface.
(cd "$prefix/include" && find . -type f | LC_ALL=C sort) >"$work/headers"
if grep -vE '^\./vidmm/(vidmm[a-z_]*\.(h|def)|ddi/[a-z0-9_]*\.h)$' "$work/headers"; then
    fail 'these headers are not public'
fi
for header in "$here"/../../vidmm/vidmm*.h "$here"/../../vidmm/vidmm*.def; do
    [ -f "$prefix/include/vidmm/${header##*/}" ] || fail "${header##*/} is not installed"
done

# What man, shells and Vim read lies where they look for it.
for file in man/man1/vidmm.1 man/man5/vidmm-scenario.5 bash-completion/completions/vidmm \
    zsh/site-functions/_vidmm fish/vendor_completions.d/vidmm.fish vim/vimfiles/syntax/vidmm.vim \
    vim/vimfiles/ftdetect/vidmm.vim vidmm/vidmm.tmLanguage.json; do
    [ -s "$prefix/share/$file" ] || fail "share/$file is not installed"
done

# What is a part of the program comes with its notice; what is loaded brings its own.
ldd "$prefix/bin/vidmm" >"$work/loaded"
for name in z zstd edit tinfo bsd md; do
    if grep -q "lib$name\.so" "$work/loaded"; then
        [ ! -e "$prefix/share/doc/vidmm/LICENSE.lib$name" ] || fail "a notice of lib$name"
    else
        grep -qi 'permi' "$prefix/share/doc/vidmm/LICENSE.lib$name" || fail "no notice of lib$name"
    fi
done

# The manager does not need the language: the program that is linked below has none of it.
if find "$prefix/lib" -name '*scenario*' | grep .; then
    fail 'the language is installed with the manager'
fi

# Nothing that is installed knows where it was built, but for what sanitizers say of variables.
case " $* " in
*fsanitize*) ;;
*)
    if grep -rlF -e "$build" -e "$work/first" "$prefix/lib" "$prefix/include"; then
        fail 'these files name a folder of the build'
    fi
    ;;
esac

wanted='grass is at 0 of segment 1'
judge() {
    "$2" >"$work/out" || fail "$1: the client failed: $(cat "$work/out")"
    grep -qxF "$wanted" "$work/out" || fail "$1: no '$wanted' in: $(cat "$work/out")"
    grep -q '^place by PLACE-' "$work/out" || fail "$1: no event in: $(cat "$work/out")"
}

flags="$*"
generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt")
compile() { # folder of the source, of the build
    cmake -G "$generator" -S "$1" -B "$2" -DCMAKE_PREFIX_PATH="$prefix" \
        -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="$flags" >"$work/log" ||
        fail "$(cat "$work/log")"
    cmake --build "$2" >"$work/log" || fail "$(cat "$work/log")"
}
compile "$here/install" "$work/client"
judge CMake "$work/client/client"

# A driver of one's own; and with a mistake in it, which does not go unnoticed.
"$work/client/own" >"$work/out" || fail "its own driver fails: $(cat "$work/out")"
grep -q ' evict sky (PLACE-012)$' "$work/out" || fail "its own driver: $(cat "$work/out")"
cp -r "$here/install" "$work/wrong"
sed 's/ADDRESS_OF(arg, Source, page)/ADDRESS_OF(arg, Source, 0)/' "$here/install/driver.c" \
    >"$work/wrong/driver.c"
compile "$work/wrong" "$work/wrong-build"
if "$work/wrong-build/own" >"$work/out"; then
    fail "a driver that copies the wrong pages: $(cat "$work/out")"
fi
grep -q '^sky: ' "$work/out" || fail "a driver that copies the wrong pages: $(cat "$work/out")"

if ! command -v pkg-config >/dev/null; then
    echo 'skipped: no pkg-config (CMake finds and uses the installed copy)'
    exit 77
fi
pc=$(find "$prefix" -name vidmm.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046 # words are meant
"$compiler" "$@" -std=c17 -Wall -Wextra -Werror $(pkg-config --cflags vidmm) \
    "$here/install/client.c" -o "$work/pc-client" $(pkg-config --libs vidmm)
judge pkg-config "$work/pc-client"

"$prefix/bin/vidmm" --version >"$work/out"
[ "$(cat "$work/out")" = "vidmm $(pkg-config --modversion vidmm)" ] || fail 'versions differ'
lesson=$(find "$prefix" -path '*/lessons/01-*.vms')
"$prefix/bin/vidmm" run -q "$lesson" >"$work/out" || fail "the installed lesson fails"
echo "installed, moved, used: $(wc -l <"$work/headers") headers"
