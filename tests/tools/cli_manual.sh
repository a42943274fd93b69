#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_manual.sh PROGRAM SOURCE [man|bash|zsh|fish|vim]: what `vidmm manual` prints is what man,
# shells and editors read; without a third word, what the program alone can show.
. "$(dirname "$0")/cli_lib.sh"
source=$2
reader=${3-}

# need COMMAND...: one of them is there, and is $tool.
need() {
    for tool in "$@"; do
        command -v "$tool" >/dev/null && return 0
    done
    echo "skipped: there is no $1"
    exit 77
}

# The words of the tables of the language: the first name after the symbols of a row, unless the
# version does not have it yet (LATER).
statements() {
    tr '\n' ' ' <"$source/scenarios/lang/tables/statements.def" | sed 's/STATEMENT(/\n&/g
        s/OF_EACH(/\n&/g; s/LATER(/\n&/g' |
        sed -n 's/^\(STATEMENT\|OF_EACH\)([A-Z_]*, *"\([a-z-]*\)".*/\2/p'
    echo
}
attributes() {
    sed -n 's/^\(PLAIN\|ATTRIBUTE\)([A-Z_]*, [A-Z_0-9]*, "\([A-Za-z0-9-]*\)".*/\2/p' \
        "$source/scenarios/lang/tables/attributes.def"
}
functions() {
    sed -n 's/^FUNCTION([A-Z_]*, "\([a-z-]*\)".*/\1/p' \
        "$source/scenarios/lang/tables/functions.def"
}

# The file `out` has each of the words of a file, whatever marks are between them.
says() {
    sed 's/\\f[BR]/ /g; s/\\-/-/g; s/\\|/ /g' out | grep -oE '[A-Za-z0-9_.-]+' |
        LC_ALL=C sort -u >there
    grep -vx -e --usage -e --version "$1" | LC_ALL=C sort -u | LC_ALL=C comm -23 - there >missing
    cp missing out
    empty missing
}

case $reader in
'')
    # Each kind is printed, twice the same, and into a file.
    for kind in man scenario bash zsh fish vim textmate; do
        run 0 manual "$kind"
        cp out once
        run 0 manual "$kind" -o again
        empty out
        same once again
        if LC_ALL=C grep -q "[^ -~	]" once; then complain "$what: not ASCII"; else good; fi
    done
    run 2 manual nothing
    has err 'man, scenario, bash, zsh, fish, vim, textmate'
    run 2 manual
    run 2 manual bash zsh
    run 2 completion
    has err 'vidmm manual WHAT'

    # Every command and its options; every word of the language.
    "$vidmm" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' >commands
    cp commands words
    while read -r command; do
        [ "$command" = help ] || "$vidmm" "$command" --help |
            sed -n 's/^  .*\(--[a-z-]*\).*/\1/p' >>words
    done <commands
    run 0 manual man
    says words
    if [ "$(wc -l <commands)" -gt 15 ]; then good; else complain 'vidmm --help: few commands'; fi
    { statements && attributes && functions; } >words
    if [ "$(wc -l <words)" -gt 200 ]; then good; else complain 'the tables: few words'; fi
    for kind in scenario vim textmate; do
        run 0 manual "$kind"
        says words
    done

    # What the help calls a choice (--name=a|b|c) is what the command reads.
    while read -r command; do
        [ "$command" = help ] || "$vidmm" "$command" --help |
            sed -n "s/^ .*\(--[a-z-]*=[a-z][a-z0-9]*\(=[A-Z]*\)*|[^ ]*\).*/$command \1/p"
    done <commands >choices
    if [ "$(wc -l <choices)" -gt 20 ]; then good; else complain 'few choices'; fi
    while read -r command choice; do
        # Without a name all that can be measured is, which takes minutes where all is checked.
        name=
        [ "$command" != bench ] || name=none
        for word in $(echo "${choice#*=}" | tr '|' ' '); do
            what="vidmm $command ${choice%%=*}=$word"
            value=$(echo "$word" | sed 's/=T$/=5ms/; s/[A-Z]*$/5/; s/ms5$/ms/; /=/!s/5$//')
            "$vidmm" "$command" "${choice%%=*}=$value" \
                ${name:+"$name"} >out 2>err </dev/null
            lacks err ' is no '
        done
        run 2 "$command" "${choice%%=*}=x"
        word=${choice##*|}
        has err "${word%%=*}"
    done <choices
    ;;
man)
    need groff mandoc
    for kind in man scenario; do
        run 0 manual "$kind" -o "$kind.roff"
        if command -v groff >/dev/null; then
            groff -ww -man -z "$kind.roff" >out 2>&1
            empty out
        fi
        if command -v mandoc >/dev/null; then
            mandoc -Tlint -Werror "$kind.roff" >out 2>&1
            empty out
        fi
    done
    ;;
bash)
    need bash
    "$vidmm" manual bash -o complete.bash
    mkdir folder
    : >folder/a.vms >folder/a.txt >'folder/two words.vms' >only.txt
    cat >try.bash <<'END'
. ./complete.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_vidmm 2>&1
printf '%s\n' "${COMPREPLY[@]}"
END
    # complete WORD...: the last word is the one under the cursor
    complete() {
        what="bash: $*"
        bash try.bash "$@" >out 2>err
        empty err
    }
    # The file `out` is exactly these lines.
    offers() {
        printf '%s\n' "$@" | LC_ALL=C sort >wanted
        LC_ALL=C sort -o out out
        same out wanted
    }
    complete vidmm swee
    offers sweep
    complete vidmm fold
    offers folder
    complete vidmm run --wh
    offers --why
    complete vidmm run --form
    offers --format=
    complete vidmm run folder/
    offers folder/a.vms 'folder/two words.vms'
    complete vidmm run onl
    offers only.txt
    complete vidmm run --output = onl
    offers only.txt
    complete vidmm run -o onl
    offers only.txt
    complete vidmm run --format = p
    offers perfetto
    complete vidmm run --limit = o
    offers ops=
    complete vidmm run --set = pinned
    offers pinned-percent=
    complete vidmm folder/a.vms --ver
    offers --verbose
    complete vidmm events plac
    offers place
    complete vidmm help conv
    offers convert
    complete vidmm explain resourc
    has out resource
    complete vidmm explain PLACE-022
    offers PLACE-022
    complete vidmm rules --area = PLA
    offers PLACE
    complete vidmm make g
    offers game
    complete vidmm diff --onlyno
    offers ''
    ;;
zsh)
    need zsh
    "$vidmm" manual zsh -o _vidmm
    what='zsh -n'
    zsh -n _vidmm >out 2>&1
    empty out
    # On a terminal of its own: the words that compadd() finds fitting, before zsh shows them.
    cat >inner.zsh <<'END'
PROMPT=
fpath=($PWD $fpath)
autoload -Uz compinit
compinit -u -D
compadd() {
    local -a hits
    if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
        builtin compadd -O hits "$@"
        ((${#hits})) && print -rl -- $hits >>out
    fi
    builtin compadd "$@"
}
tell() { zle complete-word; print done }
zle -C complete-word complete-word _main_complete
zle -N tell
bindkey '^I' tell
print ready
END
    cat >try.zsh <<'END'
zmodload zsh/zpty || exit 77
zpty zsh zsh -f -i
zpty -w zsh 'source ./inner.zsh'
zpty -r zsh line '*ready*' || exit 1
zpty -w -n zsh "$1"$'\t'
zpty -r zsh line '*done*' || exit 1
zpty -d zsh
END
    ask() {
        : >out
        timeout 20 zsh -f try.zsh "$1" >err 2>&1 || complain "$what: zsh ends with $?"
    }
    shell=zsh
    ;;
fish)
    need fish
    "$vidmm" manual fish -o vidmm.fish
    ask() {
        # shellcheck disable=SC2016 # for fish
        HOME=$work fish --no-config -c 'source vidmm.fish; complete -C "$argv"' "$1" 2>err |
            sed 's/\t.*//; s/^--[a-z-]*=\(.\)/\1/; s/^--//; s/^folder.//' >out
        empty err
    }
    shell=fish
    ;;
vim)
    need vim
    mkdir -p home/syntax home/ftdetect
    "$vidmm" manual vim -o home/syntax/vidmm.vim
    cp "$source/tools/manual/vidmm-ftdetect.vim" home/ftdetect/vidmm.vim
    cat >try.vms <<'END'
vidmm-scenario 1
segment vram id=1 kind=memory size=64M # the card
submit frame read=grass
expect offset(grass) == 0
END
    # The group of the character in a line and column, one line for each.
    cat >ask.vim <<'END'
set nomore
syntax on
edit try.vms
let groups = []
for place in [[1,1], [2,1], [2,14], [2,36], [2,41], [3,1], [3,14], [4,8]]
  call add(groups, synIDattr(synID(place[0], place[1], 1), 'name'))
endfor
call writefile(groups, 'out')
quitall!
END
    what='vim'
    vim -u NONE -i NONE -N -es --cmd 'set runtimepath=home,$VIMRUNTIME' \
        --cmd 'filetype on' -S ask.vim >err 2>&1 </dev/null
    printf 'vidmm%s\n' Header Statement Attribute Number Comment Statement Attribute Function \
        >wanted
    same out wanted
    ;;
esac

# zsh and fish: LINE, then all that is offered for its last word, sorted.
if [ -n "${shell-}" ]; then
    mkdir folder
    : >folder/a.vms >only.txt
    while IFS='|' read -r line words; do
        what="$shell: $line"
        ask "$line"
        sed 's/^--//' out | LC_ALL=C sort -u >offered
        printf '%s\n' "$words" | tr ' ' '\n' | sed '/^$/d' >wanted
        mv offered out
        same out wanted
    done <<'END'
vidmm swee|sweep
vidmm run --wh|why
vidmm folder/a.vms --verb|verbose
vidmm --verb|verbose
vidmm run --format=|html jsonl perfetto svg text
vidmm run --format=j|jsonl
vidmm trace --limit=|live= memory= ops= time= work=
vidmm run --set=pinn|pinned-percent=
vidmm compare --policies=lr|lru
vidmm test --color=a|always auto
vidmm rules --area=PLA|PLACE
vidmm explain PLACE-022|PLACE-022
vidmm events plac|place
vidmm make g|game
vidmm manual z|zsh
vidmm help conv|convert
vidmm run -o onl|only.txt
vidmm run folder/|a.vms
vidmm diff --onlyno|
END
fi

# JSON, where something can read it.
if [ -z "$reader" ] && command -v python3 >/dev/null; then
    run 0 manual textmate
    python3 -c 'import json, re, sys
for pattern in json.load(sys.stdin)["patterns"]: re.compile(pattern["match"])' <out >page 2>&1
    what='the TextMate grammar'
    empty page
fi
finish
