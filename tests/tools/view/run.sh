#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh PROGRAM TEST: the tests of the page, with Node 20 or newer. `page` also needs Chromium,
# and the packages of package-lock.json: npm ci --prefix tests/tools/view
set -eu
cd "$(dirname "$0")"

skip() {
    echo "skipped: $*"
    exit 77
}

command -v node >/dev/null || skip 'there is no node'
node -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)' || skip 'node is too old'
VIDMM=$1
CHROMIUM=$(command -v chromium || command -v chromium-browser || true)
export VIDMM CHROMIUM
if [ "$2" = page ]; then
    [ -n "$CHROMIUM" ] || skip 'there is no chromium'
    [ -d node_modules/playwright-core ] && [ -d node_modules/axe-core ] ||
        skip 'npm ci --prefix tests/tools/view was not called'
fi
case $2 in
page) node --test page.test.mjs page-work.test.mjs page-told.test.mjs ;;
*) node --test "$2.test.mjs" ;;
esac
