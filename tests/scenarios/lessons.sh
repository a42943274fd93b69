#!/bin/sh
# SPDX-License-Identifier: MIT
# lessons.sh PROGRAM: what every lesson promises, and scenarios/lessons/README.md says of them.
#
# A lesson has its number and its question in its title, a picture, a question to the reader,
# notes of three sentences at most between two things that are shown, words that `explain` knows,
# and a last note that names the next lesson. What it prints can be read in one go.
set -u
LC_ALL=C
export LC_ALL
program=$1
cd "$(dirname "$0")/../../scenarios/lessons"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

complain() {
    echo "lessons.sh: $*"
    failed=$((failed + 1))
}

number=0
for lesson in [0-9]*.vms; do
    number=$((number + 1))
    [ "${lesson%%-*}" = "$(printf %02d $number)" ] || complain "$lesson: is lesson $number"
    title=$(sed -n 's/^lesson "\(.*\)"$/\1/p' "$lesson")
    case $title in
        "Lesson $number: "*'?') ;;
        *) complain "$lesson: '$title' is not 'Lesson $number: ... ?'" ;;
    esac
    grep -qF "| [$lesson]($lesson) | ${title#*[.:] }" README.md ||
        grep -qF "| [$lesson]($lesson) | $(echo "$title" | sed 's/^.*[.:] //') |" README.md ||
        complain "$lesson: README.md does not have its question"
    grep -qE '^show (map|queue)' "$lesson" || complain "$lesson: no picture"
    grep -q '^ask ' "$lesson" || complain "$lesson: no question"

    "$program" run "$lesson" >"$work/out" 2>&1 || complain "$lesson: an expectation fails"
    lines=$(grep -cv '^    [^ ]  ' "$work/out") # but for the rows of maps, 27 in lesson 12
    [ "$lines" -le 80 ] || complain "$lesson: $lines lines of output"
    # Paragraphs: lines in column 0 between empty ones; titles and answers are none.
    awk -v file="$lesson" '
        /^$/ { if (n > 3) print file ": " n " sentences: " text; n = 0; text = ""; next }
        /^[A-Za-z]/ && !/^(Lesson|Question|Answer)/ {
            text = text $0 " "
            rest = text
            n = gsub(/[.?!] /, "", rest)
        }' "$work/out" >"$work/long"
    [ ! -s "$work/long" ] || complain "$(cat "$work/long")"
    next=$(printf '%02d-' $((number + 1)))
    last=$(grep '^note' "$lesson" | tail -n 2)
    named=$(echo "$last" | sed -n 's/^note "Next: \([^ ]*\.vms\)\. .*/\1/p')
    case ${named:-none} in
        "$next"*) [ -e "$named" ] || complain "$lesson: there is no $named" ;;
        *) [ $number -eq 16 ] || complain "$lesson: does not name the next lesson last" ;;
    esac
done
[ $number -eq 16 ] || complain "$number lessons"

# "vidmm explain FILE --event=N tells why A was placed at 0.": N is still that event.
sed -n 's/.*vidmm explain \([^ ]*\) --event=\([0-9]*\) tells why \(.*\)\."$/\1 \2 \3/p' [0-9]*.vms \
    >"$work/told"
while read -r file event fact; do
    "$program" explain "../../$file" "--event=$event" </dev/null 2>&1 | tr -s ' \n' ' ' >"$work/out"
    case $(head -c 80 "$work/out") in
        *" us ${fact%% at *} "*" at ${fact##* at } "*) ;;
        *) complain "$file --event=$event is not why $fact: $(head -c 80 "$work/out")" ;;
    esac
done <"$work/told"
[ "$(grep -c . "$work/told")" -eq "$(cat [0-9]*.vms | grep -c 'explain .*--event=')" ] ||
    complain 'an --event is named in other words than "tells why A was placed at B"'

# No lesson uses a word before the one that explains it, by the table of README.md; a sentence that
# names the other lesson may. Each word of the glossary that a lesson uses is in the table, but for
# those that mean what they mean everywhere.
cat >"$work/words.awk" <<'END'
function plain(text) {
    text = tolower(text)
    gsub(/for instance|vidmm explain [^ ]+|[^a-z0-9_-]+/, " ", text)
    return " " text " "
}
BEGIN {
    split("page,copy,place,paging,wait,lost,rule,whole,pass,virtual time,display", list, ",")
    for (i in list)
        known[list[i]] = 1
}
FILENAME ~ /glossary/ && /^\| [^W-]/ {
    forms = split(substr($0, 3, index(substr($0, 3), " |") - 1), form, ", ")
    for (i = 1; i <= forms; i++)
        head[tolower(form[i])] = tolower(form[1])
}
FILENAME == "README.md" && /^\| \[[0-9]/ {
    split($0, column, " \\| ")
    sub(/ \|$/, "", column[3])
    words = split(tolower(column[3]), list, ", ")
    for (i = 1; i <= words; i++) {
        taught[list[i]] = substr($0, 4, 2) + 0
        if (!(list[i] in head)) # a flag, explained as such
            head[list[i]] = list[i]
        if (!(head[list[i]] in first) || taught[list[i]] < first[head[list[i]]])
            first[head[list[i]]] = taught[list[i]]
    }
}
FILENAME ~ /vms$/ && /^ *(note|ask|lesson) "/ {
    number = substr(FILENAME, 1, 2) + 0
    sub(/^lesson "Lesson [0-9]+: /, "\"")
    gsub(/" [^"]* "/, " ") # between a question and its hint
    count = split($0, sentence, /[.?] |"/)
    for (i = 1; i <= count; i++)
        if (sentence[i] !~ /[Ll]esson [0-9]/ || sentence[i] ~ /\.vms/)
            said[number] = said[number] plain(sentence[i])
}
END {
    for (word in taught)
        if (!(index(said[taught[word]], " " word)))
            print "README.md: " taught[word] " does not use the word \"" word "\""
    for (word in head)
        for (number in said)
            if (!(head[word] in known) && index(said[number], " " word " ") &&
                (!(head[word] in first) || number + 0 < first[head[word]]))
                print number ": uses \"" word "\", " (head[word] in first ? "which lesson " \
                    first[head[word]] " explains" : "which no lesson explains")
}
END
awk -f "$work/words.awk" ../../vidmm/rules/glossary.md README.md [0-9]*.vms | sort -n >"$work/early"
[ ! -s "$work/early" ] || complain "$(cat "$work/early")"
sed -n 's/^| \[[0-9].* | \(.*\) |$/\1/p' README.md | sed 's/, /\n/g' >"$work/words"
while read -r word; do
    "$program" explain "$word" </dev/null >"$work/out" 2>&1 &&
        ! grep -q 'no entry of its own' "$work/out" || complain "'$word' is not explained"
done <"$work/words"
echo "$number lessons, $failed complaints"
[ "$failed" -eq 0 ]
