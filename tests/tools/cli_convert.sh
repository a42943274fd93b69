#!/bin/sh
# SPDX-License-Identifier: MIT
# cli_convert.sh PROGRAM: traces become scenarios, and every mistake in them has a place.
. "$(dirname "$0")/cli_lib.sh"

# VALUE BYTES, little endian.
bytes() {
    value=$1
    for _ in $(seq "$2"); do
        # shellcheck disable=SC2059 # the format is the byte
        printf "\\$(printf %03o $((value & 255)))"
        value=$((value >> 8))
    done
}

# A record of oracleGeneral: TIME OBJECT SIZE NEXT
record() {
    bytes "$1" 4
    bytes "$2" 8
    bytes "$3" 4
    bytes "$4" 8
}

# What the run of a scenario says of a counter.
counter() {
    run 0 run --width=120 "$1"
    found=$(awk -v name="$2" '$1 == name { print $2 }' out)
    if [ "${found:-none}" = "$3" ]; then good; else complain "$1: $2 is ${found:-none}, not $3"; fi
}

# ---- cache traces ------------------------------------------------------------------------------

# Objects A B A C B A with room for two: by LRU only the second A is a hit.
A=1099511627777
{
    record 5 $A 100 2
    record 6 2 100 4
    record 6 $A 100 5
    record 7 3 100 -1
    record 8 2 100 -1
    record 9 $A 100 -1
} >t.bin
run 0 convert --explain --capacity='2 objects' t.bin -o t.vms
empty out
has err 'format:   oracleGeneral, records of 24 bytes, because it is no text'
has err 'requests: 6 for 3 objects, 3 of them not the first'
has err 'times:    5 to 9; not used'
has err 'sizes:    100 to 100, in units of a byte, rounded up to pages of 4 KiB'
has err "first:    time 5, object $A, size 100 -> page-in @1"
has err 'segment:  8 KiB, as many objects as wanted'
has err 'content:  none: a miss fills with a pattern, an eviction copies nothing'
has err '          (so compare misses, or missed bytes)'
lacks err 'foretell'
cp t.vms out
has out '# input:    t.bin, 144 bytes read, FNV-1a '
has out 'segment cache id=1 kind=memory size=8K'
run 0 check t.vms
counter t.vms use_misses 5

run 0 convert --capacity='2 objects' --limit=3 t.bin -o three.vms
counter three.vms use_misses 2
run 0 convert --capacity=100% t.bin
has out 'segment cache id=1 kind=memory size=12K'
run 0 convert --object-size=64K --capacity=1M t.bin
has out 'class object segments=cache size=64K'
has out 'size=1024K'

# The same as CSV: with a header, without one, by number and by name, other delimiters.
printf 'time,obj_id,obj_size\n5,A,100\n6,B,100\n6,A,100\n7,C,100\n8,B,100\n9,A,100\n' >t.csv
run 0 convert --capacity='2 objects' t.csv -o csv.vms
counter csv.vms use_misses 5
grep -v '^#' t.vms >t.body
grep -v '^#' csv.vms >csv.body
same t.body csv.body
tail -n +2 t.csv >bare.csv
run 0 convert --capacity='2 objects' bare.csv
grep -v '^#' out >other.body
same csv.body other.body
tr ',' '\t' <t.csv >tab.tsv
for columns in id=2,size=3 id=obj_id,size=obj_size; do
    run 0 convert --columns=$columns --delimiter=tab --header=yes --capacity='2 objects' tab.tsv
    grep -v '^#' out >other.body
    same csv.body other.body
done
cut -d, -f2 bare.csv >ids.txt
run 0 convert ids.txt
has out '# sizes:    there are none: every object is one page of 4 KiB'
"$vidmm" convert - <t.csv >out 2>err
has out '# input:    stdin, '

# Sizes that differ.
printf 'id,size\na,1\nb,5000\na,1\n' >sizes.csv
run 0 convert --capacity=1M sizes.csv
has out 'create @1 : object size=4K'
has out 'create @2 : object size=8K'
printf 'id,size\nnone,0\na,1\nb,2\n' >none.csv
run 0 convert none.csv -o none.vms
run 0 check none.vms
cp none.vms out
has out 'left out: 1 request of size 0'
run 3 convert --capacity='2 objects' sizes.csv
has err 'sizes.csv: error: objects differ in size'
printf 'id,size\na,1\na,5000\nb,5000\n' >one.csv
run 0 convert --capacity=1M one.csv
has err '1 request has another size than the first of the same object'
run 3 convert --capacity=4K sizes.csv
has err 'object 2 (its first request is `page-in @2`) needs 8 KiB, more than the capacity of 4 KiB'

# ---- allocation traces -------------------------------------------------------------------------

printf 'id,lower,upper,size\nx,0,10,4\ny,0,5,2\nz,5,9,3\n' >lives.csv
run 0 convert --explain lives.csv -o lives.vms
has err 'format:   MiniMalloc CSV, delimiter: comma, the first line is a header'
has err 'lives:    3, from 0 up to 10'
has err 'sizes:    2 to 4; one unit is 4 KiB, so that all are whole pages'
has err 'peak:     28 KiB live at once: no policy needs less'
has err 'segment:  36 KiB, all allocations together'
counter lives.vms resident_bytes_max 28
grep -E '^(create|destroy)' lives.vms >body
cat >wanted <<'END'
create @1 : life size=16K
create @2 : life size=8K
destroy @2
create @3 : life size=12K
destroy @3
destroy @1
END
same wanted body
run 0 convert --capacity=7 lives.csv
has out 'segment memory id=1 kind=memory size=28K'
run 0 convert --unit=64K lives.csv
has out 'create @1 : life size=256K'
run 3 convert --capacity=3 lives.csv
has err 'a segment of 12 KiB cannot hold its largest allocation of 16 KiB'
printf 'id,lower,upper,size\nx,0,10,4096\ny,10,10,2\n' >bad.csv
run 3 convert bad.csv -o bad.vms
cat >wanted <<'END'
bad.csv:3:6: error: it dies at 10, not after its birth at 10
   y,10,10,2
        ^^
END
same wanted err
[ ! -e bad.vms ] && [ ! -e bad.vms.new ] || complain 'a file is left behind'
printf 'id,lower,upper,size\nx,0,10,4\nx,2,3,2\n' >bad.csv
run 3 convert bad.csv
has err 'bad.csv:3:1: error: this id has another line already'

# ---- what cannot be a trace --------------------------------------------------------------------

head -c 130 t.bin >short.bin
run 3 convert short.bin
has err 'short.bin: byte 120: error: the last record has 10 of 24 bytes'
empty out
{ cat t.bin; record 1 2 3 -2; } >wrong.bin
run 3 convert wrong.bin
has err 'wrong.bin: byte 160: error: the next access of record 6 is -2'
run 3 convert --from=oracle t.csv
has err 't.csv: byte '
{ record 0 1 0 -1; record 0 2 0 -1; } >zero.bin
run 3 convert zero.bin
has err 'each of its 2 requests has the size 0: --object-size=SIZE'
run 0 convert --object-size=4K zero.bin
{ record 0 1 9 7; record 0 1 9 -1; } >lie.bin
run 0 convert lie.bin
has err 'lie.bin: warning: all 2 requests are for one object'
has err 'lie.bin: warning: 1 of 1 records foretell another next access'
has err 'no object has more than 9 bytes'
{ record 9 1 9999 -1; record 2 2 9999 -1; } >once.bin
run 0 convert once.bin
has err 'no object is asked for twice'
has err 'the time goes back 1 time;'
: >nothing
run 3 convert nothing
has err 'nothing: error: it is empty'
run 3 convert missing.csv
has err 'vidmm: missing.csv: No such file or directory'

wrong_csv() {
    printf 'time,id,size\n%s\n' "$1" >w.csv
    run 3 convert w.csv
    has err "$2"
    empty out
}
wrong_csv '1,a,-5' 'w.csv:2:5: error: this is no size: a whole number from 0 to'
wrong_csv '1,a,nan' 'w.csv:2:5: error: this is no size'
wrong_csv '1,a,1.5' 'w.csv:2:5: error: this is no size'
wrong_csv 'now,a,1' 'w.csv:2:1: error: this is no time'
wrong_csv '1,,1' 'w.csv:2:3: error: the id is missing here'
wrong_csv '1,a' 'w.csv:2:4: error: this line has 2 columns, and column 3 is the size'
wrong_csv '1,a,9223372036854775808' 'w.csv:2:5: error: no object is larger than 4 PiB'
wrong_csv '1,a,99999999999999999999' 'w.csv:2:5: error: this is no size'
printf 'id,size\na,1\nb\0,2\n' >nul.csv
run 3 convert --from=csv nul.csv
has err 'nul.csv:3:2: error: a byte 0 stands here, at byte 13: this is no text'
head -c 70000 /dev/zero | tr '\0' 'x' >long.csv
run 3 convert long.csv
has err 'long.csv:1:1: error: this line is longer than 65536 bytes'
printf 'x,y,z,w\n1,2,3,4\n' >names.csv
run 3 convert --header=yes names.csv
has err 'names.csv:1:1: error: no column of this header is known to be the object'
run 3 convert --columns=id=9 t.csv
has err 't.csv:2:8: error: this line has 3 columns, and column 9 is the id'
for file in t.csv bare.csv; do
    run 3 convert --columns=id=0 $file
    has err "$file:1:1: error: --columns: columns count from 1, and not from 0"
done
run 3 convert --columns=id=nine t.csv
has err "t.csv:1:1: error: --columns: there is no column 'nine' in this header"
run 3 convert --columns=id=nine bare.csv
has err "bare.csv:1:1: error: --columns: there is no column 'nine': this line is no header"
printf 'a,1\nb,2\n' >two.csv
run 3 convert two.csv
has err 'write --columns=id=N,size=N'
# A blank at the end of a line is no column.
printf 'a \nb \na \n' >blank.csv
run 0 convert blank.csv
has out 'requests: 3 for 2 objects'
# What was found is said where it cannot be true.
run 3 convert nul.csv
has err 'it was read as oracleGeneral, because it is no text; --from=FORMAT says what it is'
run 3 convert --object-size=8K --capacity=4K t.bin
has err 'more than the capacity of 4 KiB'
lacks err 'it was read as'
run 3 convert --object-size=8K --capacity=1K t.bin
has err 'more than the capacity of 1 KiB'
# A part of very much is too much, not a remainder of it.
printf '1,%d,4503599627370496\n' 1 2 3 4 5 >much.csv
run 3 convert --capacity=100000% much.csv
has err 'the capacity is too large for any segment'
printf 'id,lower,upper,size\n' >much.csv
printf '%d,0,9,4503599627370496\n' 1 2 3 4 5 >>much.csv
run 3 convert --capacity=100000% much.csv
has err 'the capacity is too large for any segment'

# ---- zstd --------------------------------------------------------------------------------------

if command -v zstd >/dev/null; then
    zstd -q t.bin -o t.bin.zst
    run 0 convert --capacity='2 objects' t.bin.zst
    grep -v '^#' out >other.body
    same t.body other.body
    # pzstd begins with a frame that is to be skipped.
    { printf 'P*M\030\004\000\000\000size'; cat t.bin.zst; } >parallel.zst
    run 0 convert --capacity='2 objects' parallel.zst
    grep -v '^#' out >other.body
    same t.body other.body
    head -c 40 t.bin.zst >cut.zst
    run 3 convert cut.zst
    has err 'cut.zst: byte 40: error: the file ends in the middle of a zstd frame'
    { cat t.bin.zst; echo garbage; } >garbage.zst
    run 3 convert garbage.zst
    has err 'garbage.zst: byte '
    # Records of size 0 for ever: they take no memory, and must not take for ever.
    head -c 300000000 /dev/zero | zstd -q -o bomb.zst
    run 3 convert bomb.zst
    has err 'were unpacked from'
else
    echo 'without zstd, the tests of packed traces are left out'
fi

# ---- binary twins ------------------------------------------------------------------------------

run 0 convert t.vms -o t.vmb
run 0 convert t.vmb -o back.vms
same t.vms back.vms
counter t.vmb use_misses 5
run 0 convert --capacity='2 objects' t.bin -o direct.vmb
same t.vmb direct.vmb
run 0 convert --to=vmb t.vms
same t.vmb out
# A terminal gets no binary.
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    on_terminal() {
        what="on a terminal, exit $1: vidmm convert $2"
        script -qec "$vidmm convert $2" /dev/null >out 2>err </dev/null
        if [ $? -eq "$1" ]; then good; else complain "$what"; fi
    }
    for words in t.vms '-o - t.vms' '--to=vmb --capacity=1M t.bin'; do
        on_terminal 2 "$words"
        has out 'a binary twin is nothing for a terminal: write -o FILE.vmb or redirect stdout;'
    done
    on_terminal 0 t.vmb
    has out 'vidmm-scenario 1'
    on_terminal 0 't.vms -o terminal.vmb'
    same t.vmb terminal.vmb
else
    echo 'without script(1), the tests of a terminal are left out'
fi
run 0 convert --from=vms --to=vmb t.vmb -o again.vmb
same t.vmb again.vmb
run 3 convert --from=vms t.csv
has err 'neither a scenario nor a binary twin begins like this'
run 3 fmt -i t.vmb
has err 't.vmb: a binary twin has no layout'
sed '/^page-in @3/s/3/30/' t.vms >wrong.vms
run 3 check wrong.vms
sed 's/wrong.vms/wrong.vmb/' err >wanted
run 0 convert wrong.vms -o wrong.vmb
run 3 check wrong.vmb
same wanted err

# Wherever a scenario file can stand.
run 0 test t.vmb
has out '1 passed, 0 failed'
mkdir -p folder && cp t.vmb folder
run 0 test folder
has out '1 passed, 0 failed'
run 0 compare --policies=wddm t.vmb
has out 'passed'

# Bytes that are missing, that changed, that are too many.
head -c 50 t.vmb >cut.vmb
run 3 run cut.vmb
has err 'it has 50 bytes, and its header alone has 64'
size=$(wc -c <t.vmb)
head -c -3 t.vmb >cut.vmb
run 3 run cut.vmb
cat >wanted <<END
cut.vmb:1:1: error: this binary twin ends early: it has $((size - 3)) of $size bytes
      = help: \`vidmm convert\` makes a new one from its text
END
same wanted err
run 3 convert cut.vmb
has err "cut.vmb: error: this binary twin ends early: it has $((size - 3)) of $size bytes"
{ cat t.vmb; echo; } >more.vmb
run 3 run more.vmb
has err "this binary twin has $((size + 1)) bytes, and ends after $size"
{ head -c -1 t.vmb; echo; } >changed.vmb
run 3 run changed.vmb
has err 'this binary twin is damaged: its bytes are not those that were written'
{ head -c 8 t.vmb; bytes 7 4; tail -c +13 t.vmb; } >version.vmb
run 3 run version.vmb
has err 'this binary twin is of version 7, this program knows version 2: make it again'

# ---- the command line --------------------------------------------------------------------------

run 2 convert
has err 'a trace to convert is missing'
run 2 convert --from=vscsi t.bin
has err "'vscsi' is no format: auto, oracle, csv, minimalloc or vms"
run 2 convert --capacity=many t.bin
has err "--capacity='many': a size such as 64M, a number of objects such as '1000 objects', or"
run 2 convert --capacity='3 things' t.bin
has err "--capacity='3 things': a size such as 64M"
run 2 convert --capacity=0% t.bin
has err "or a part such as 10% was expected"
run 2 convert --capacity=100001% t.bin
has err 'and 100000% of all objects'
run 2 convert --object-size=0 t.bin
has err '--object-size=0: a size from 1 to 4096T was expected'
run 2 convert --limit=0 t.bin
has err '--limit=0: a number from 1 was expected, such as 1000'
# A wrong role is a wrong command line, whatever the file has.
run 2 convert --columns=key=2 t.csv
has err "--columns=key=2: 'key' is no role of a column; did you mean 'id'? the roles are time, id,"
has err 'size, lower, upper'
run 2 convert --columns=id=2,sizes=3 t.csv
has err "'sizes' is no role of a column; did you mean 'size'?"
run 2 convert --columns=2 t.csv
has err "'2' is no role of a column; the roles are time"
run 2 convert --columns=id= t.csv
has err 'write id=N with the number of the column, from 1, or id=NAME'
run 2 convert --columns=id=1,id=2 t.csv
has err "'id' stands there twice"
for columns in '' id=2, =2; do
    run 2 convert --columns=$columns t.csv
    has err 'a role is missing; the roles are time'
done
run 2 convert --delimiter=ab t.csv
has err "'ab' is no delimiter"
run 2 convert t.bin t.csv
has err 'one file at a time'
run 3 convert t.bin -o no/such/folder.vms
has err 'vidmm: no/such/folder.vms: there is no folder no/such'
run 0 convert --help
narrow out
finish
