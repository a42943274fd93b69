#!/bin/sh
# SPDX-License-Identifier: MIT
# machines.sh COMPILER: base.h refuses machines that are big-endian or have no 64 bits, in one
# sentence, and takes this one. Its own macros make the compiler see another machine.
set -eu
compiler=$1
cd "$(dirname "$0")/../../.."
sentence='vidmm needs a 64-bit little-endian machine'
messages=$(mktemp)
trap 'rm -f "$messages"' EXIT

failed=0
refused() {
    what=$1
    shift
    if "$compiler" -std=c17 -w -I. "$@" -fsyntax-only -x c vidmm/base/base.h 2>"$messages"; then
        echo "$what is not refused"
        failed=1
    elif [ "$(grep -c 'error:' "$messages")" -ne 1 ] || ! grep -qF "$sentence" "$messages"; then
        echo "$what: not one sentence, but:"
        cat "$messages"
        failed=1
    fi
}

"$compiler" -std=c17 -w -I. -fsyntax-only -x c vidmm/base/base.h
refused 'a big-endian machine' -U__BYTE_ORDER__ -D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__
refused 'a 32-bit machine' -U__SIZEOF_POINTER__ -D__SIZEOF_POINTER__=4
exit $failed
