#!/bin/sh
# SPDX-License-Identifier: MIT
# canary.sh: shows that tests/repo/tidy.sh can fail.
#
# A small clean tree passes; then one breach at a time is planted in it, and the run must name that
# breach, by file, line and word, and nothing else. A check without a breach here is not trusted:
# the last step compares the words of the .awk files with those that were planted.
. "$(dirname "$0")/../../support/canary_lib.sh"

licence='SPDX-License-Identifier: MIT'

look() {
    "$here/../tidy.sh" --root "$tree" code text rules heads seeds coverage
}

rule_fields='- Rule: x
- Kind: behaviour
'

# One file from standard input. C files get their licence line here, so line 1 is taken.
file() {
    mkdir -p "$tree/$(dirname "$1")"
    case $1 in
    *.c | *.h) { printf '/* %s */\n' "$licence" && cat; } >"$tree/$1" ;;
    *) cat >"$tree/$1" ;;
    esac
}

# seeds.md with this as the end of its second row, and as many sentences as its heading says.
seeds_with() {
    printf '# %s\n## 000 A (2 sentences)\n| Id | x |\n| --- | --- |\n' "$licence" >"$work/seeds"
    printf '| S000-01 | It is. | SEG-003 | contradiction: Old and new |\n' >>"$work/seeds"
    printf '| S000-02 | It is. | %s |\n' "$1" >>"$work/seeds"
    file vidmm/rules/seeds.md <"$work/seeds"
}

make_clean_tree() {
    printf '# %s\n### SEG-001 A\n%s### SEG-002 B\n- Same as: SEG-001\n### SEG-003 C\n%s' \
        "$licence" "$rule_fields" "$rule_fields" | file vidmm/rules/a.md
    printf '# %s\nSEG-001 to 002\n' "$licence" | file vidmm/rules/scope.txt
    printf '# %s\n' "$licence" | file vidmm/rules/unobservable.txt
    printf '# %s\n| Subject | x |\n| --- | --- |\n| Old and new | x |\n' "$licence" |
        file vidmm/rules/contradictions.md
    printf '# %s\n## DXGK_ALLOCATIONINFO\n| Size, Flags | It is. | SEG-001 |\n' "$licence" |
        file vidmm/rules/members.md
    seeds_with 'SEG-001 | '
    printf 'vidmm-scenario 1\n# %s\nproves SEG-001\n' "$licence" | file scenarios/rules/a.vms
    printf '# %s\nadd_library(a a.c)\n' "$licence" | file vidmm/CMakeLists.txt
    # What looks like a breach and is none.
    file vidmm/a.c <<'END'
#include "paging/time/engine.h"
#include "segments/segment.h"
/* printf() and time() in a comment, RULE(SEG_999) too. */
static const char *const words[] = { "fopen(", "malloc(", "// free(" };
int a_run(struct ops *ops)
{
    ops->free(RULE(SEG_001), '"');
    return snprintf(ops->text, 1, "%s", words[0]);
}
END
    printf '#include "vidmm/ddi/wdm.h"\n#include "vidmm/vidmm_mock.h"\n' | file vidmm/mock/mock_a.c
    printf '#include "ntdef.h"\n' | file vidmm/ddi/ntddk.h
    printf '#include "vidmm/vidmm_types.h"\n' | file vidmm/vidmm.h
    printf '#include "vidmm/vidmm_policy.h"\n#include "vidmm/ddi/ntdef.h"\n' | file segments/a.c
    printf '#include "segments/a.h"\n#include "paging/time/a.h"\n' | file paging/time/a.c
    printf '#include "vidmm/vidmm.h"\n#include "scenarios/lang/text/text.h"\n' |
        file scenarios/lang/a.c
    printf '#include "scenarios/lang/scenario.h"\n#include "vidmm/base/base.h"\n' | file tools/a.c
    printf '#include "vidmm/a.h"\nint a(void)\n{\n    puts(getenv("A"));\n}\n' | file tests/a.c
    cp -R "$tree" "$clean"
}

# A line of code that may not stand in a file: file, word, code.
breach() {
    printf '%s\n' "$3" | file "$1"
    expect "$1:2: [$2]"
}

make_clean_tree
expect

# Includes.
breach vidmm/b.c folder '#include "adapter.h"'
breach tests/b.c folder '#include "test.h"'
breach vidmm/vidmm_b.h public '#include "vidmm/base/base.h"'
breach vidmm/vidmm_b.h public '#include <uthash.h>'
breach vidmm/b.c door '#include <uthash.h>'
printf 'int b(void)\n{\n}\n' | file vidmm/vidmm_b.h
expect 'vidmm/vidmm_b.h:3: [body]'

# Sizes.
lines 499 'int b;' | file tools/b.c
expect
lines 500 'int b;' | file tools/b.c
expect 'tools/b.c:501: [lines]'
{ printf '# %s\n' "$licence" && lines 500 ':'; } | file tests/b.sh
expect 'tests/b.sh:501: [lines]'
{ printf '// %s\n' "$licence" && lines 500 ';'; } | file tools/b.js
expect 'tools/b.js:501: [lines]'
{ printf '/* %s */\n' "$licence" && printf '/* %098d */\n' 0; } | file tools/b.css
expect 'tools/b.css:2: [columns]'
breach tools/b.c columns "$(printf 'int b; // %091d' 0)"
{ printf '# %s\n# %099d\n' "$licence" 0; } | file tools/CMakeLists.txt
expect 'tools/CMakeLists.txt:2: [columns]'
{ printf 'int b(void)\n{\n' && lines 68 '    b();' && printf '}\n'; } | file tools/b.c
expect
{ printf 'int b(void)\n{\n' && lines 69 '    b();' && printf '}\n'; } | file tools/b.c
expect 'tools/b.c:73: [function]'

# Calls.
for name in strcpy strcat sprintf vsprintf gets strtok atoi atol rand srand \
    setjmp longjmp alloca; do
    breach tests/b.c banned "    $name(b);"
done
for name in time clock gettimeofday clock_gettime getenv fopen; do
    breach scenarios/lang/b.c banned "    x = $name (b);"
done
for name in malloc calloc realloc free; do
    breach tools/b.c banned "    $name(b);"
done
for name in printf fprintf puts exit abort; do
    breach paging/b.c banned "    $name(b); /* no */"
done
breach segments/b.c float '    double b = 0;'
breach vidmm/b.c global 'static int b;'
breach vidmm/b.c global 'static struct b *b = NULL;'

# Texts.
printf 'no licence\n' | file vidmm/b.md
expect 'vidmm/b.md:1: [licence]'
for word in "TO""DO" "FIX""ME" "XX""X"; do
    breach vidmm/b.c unfinished "/* $word: more */"
done
printf '# %s\nfile(GLOB b *.c)\n' "$licence" | file tools/CMakeLists.txt
expect 'tools/CMakeLists.txt:2: [glob]'

# Rule ids.
breach vidmm/b.c unknown '    f(RULE(SEG_009));'
breach tools/b.c unknown '    f(VIDMM_RULE_SEG_009);'
breach vidmm/b.c pointer '    f(RULE(SEG_002));'
printf 'vidmm-scenario 1\n# %s\n  proves SEG-001,SEG-009\n' "$licence" | file scenarios/b.vms
expect 'scenarios/b.vms:3: [unknown]'
printf 'vidmm-scenario 1\n# %s\nproves SEG-002\n' "$licence" | file scenarios/b.vms
expect 'scenarios/b.vms:3: [pointer]'

# Clauses.
clauses() {
    printf '# %s\n### SEG-001 A\n- Rule: it\n  (a) is,\n  (b) was.\n' "$licence" |
        file vidmm/rules/a.md
    printf '### SEG-002 B\n- Same as: SEG-001\n### SEG-003 C\n%s' "$rule_fields" \
        >>"$tree/vidmm/rules/a.md"
    printf 'vidmm-scenario 1\n# %s\nproves %s\n' "$licence" "$1" | file scenarios/rules/a.vms
}
clauses 'SEG-001(a,b)'
expect
clauses 'SEG-001'
expect 'scenarios/rules/a.vms:3: [clause]' 'vidmm/a.c:8: [unproved]' 'vidmm/a.c:8: [unproved]'
clauses 'SEG-001(a,b,c)'
expect 'scenarios/rules/a.vms:3: [clause]'
clauses 'SEG-001(b)'
expect 'vidmm/a.c:8: [unproved]'
printf '# %s\nSEG-001(a): no way to see it\n' "$licence" | file vidmm/rules/unobservable.txt
clauses 'SEG-001(b)'
expect
printf '# %s\nSEG-001(b): no way to see it\nSEG-001: nor that\n' "$licence" |
    file vidmm/rules/unobservable.txt
clauses 'SEG-001(a,b)'
expect 'vidmm/rules/unobservable.txt:2: [excuse]' 'vidmm/rules/unobservable.txt:3: [clause]' \
    'vidmm/rules/unobservable.txt:3: [excuse]'
printf 'vidmm-scenario 1\n# %s\nproves SEG-001(a)\n' "$licence" | file scenarios/rules/a.vms
expect 'scenarios/rules/a.vms:3: [clause]'

# Rules in the heads of files.
head() {
    printf '/*\n * Rules not named below: %s\n */\nint b = RULE(SEG_001);\n' "$1" | file vidmm/b.c
}
printf '/*\n * Rules: SEG-003.\n */\n' | file vidmm/b.c
expect 'vidmm/b.c:3: [listed]'
printf '/*\n * Rules: SEG-003.\n */\n' | file vidmm/tell/b.c
expect 'vidmm/tell/b.c:3: [listed]'
head 'SEG-003, SEG-001.'
expect 'vidmm/b.c:3: [named]'
head 'SEG-000 to SEG-003.'
expect 'vidmm/b.c:3: [named]'
head 'SEG-003.'
expect

# Sentences of the first pages.
seeds_with 'none | unseen: nobody looks'
expect
for end in 'none | ' ' | ' 'SEG-009 | ' 'SEG-001, SEG-002 | ' 'SEG-001,SEG-003 | '; do
    seeds_with "$end"
    expect 'vidmm/rules/seeds.md:6: [carried]'
done
seeds_with 'none | contradiction: New'
expect 'vidmm/rules/seeds.md:6: [carried]' 'vidmm/rules/seeds.md:6: [reading]'
for end in 'SEG-001 | so' 'SEG-001 | contradiction: New' 'SEG-001 | unseen: why'; do
    seeds_with "$end"
    expect 'vidmm/rules/seeds.md:6: [reading]'
done
seeds_with 'SEG-001 | | more'
expect 'vidmm/rules/seeds.md:6: [sentence]'
for edit in 's/(2 /(3 /' 's/S000-02/S000-03/' 's/S000-02/S001-02/' '6s/It is\./It is/'; do
    seeds_with 'SEG-001 | '
    sed "$edit" "$work/seeds" | file vidmm/rules/seeds.md
    expect 'vidmm/rules/seeds.md:6: [sentence]'
done
sed 6d "$work/seeds" | file vidmm/rules/seeds.md
expect 'vidmm/rules/seeds.md:5: [sentence]'
rm "$tree/vidmm/rules/seeds.md"
expect 'vidmm/rules/seeds.md:0: [sentence]'
printf 'typedef struct _DXGK_%s {\n    UINT *Size;\n    UINT Flags : 3;\n    A B;\n};\n' \
    ALLOCATIONINFO | file vidmm/ddi/b.h
expect 'vidmm/ddi/b.h:5: [member]'

# Coverage.
printf '    f(RULE(SEG_003));\n' | file vidmm/b.c
expect 'vidmm/b.c:2: [unclaimed]' 'vidmm/b.c:2: [unproved]'
mkdir -p "$tree/vidmm/tell"
printf '    f(RULE(SEG_003));\n' | file vidmm/tell/b.c
printf '# %s\nproves SEG-003\n' "$licence" | file scenarios/rules/b.vms
expect 'vidmm/tell/b.c:2: [unclaimed]'
printf '# %s\nSEG-001\nSEG-003\n' "$licence" | file vidmm/rules/scope.txt
expect 'vidmm/rules/scope.txt:3: [unproved]'
printf '# %s\nSEG all\n-SEG-003\n' "$licence" | file vidmm/rules/scope.txt
expect
rm "$tree/scenarios/rules/a.vms" "$tree/vidmm/a.c"
printf '# %s\nSEG-002\n' "$licence" | file vidmm/rules/scope.txt
expect 'vidmm/rules/scope.txt:2: [unproved]'
rm "$tree/vidmm/a.c"
printf '# %s\nSEG-002\n-SEG-001\n' "$licence" | file vidmm/rules/scope.txt
expect
printf '# %s\nSEG-001\nSEG-007 to 009\n' "$licence" | file vidmm/rules/scope.txt
expect 'vidmm/rules/scope.txt:3: [scope]'
printf '# %s\nSEG-001\nSEG-003\n' "$licence" | file vidmm/rules/scope.txt
printf '# %s\nSEG-003: no way to see it\n' "$licence" | file vidmm/rules/unobservable.txt
expect
printf '# %s\nSEG-003\nSEG-009: why\nSEG-001: why\n' "$licence" | file vidmm/rules/unobservable.txt
expect 'vidmm/rules/unobservable.txt:2: [excuse]' 'vidmm/rules/unobservable.txt:3: [excuse]' \
    'vidmm/rules/unobservable.txt:4: [excuse]'

# Every word that a check can print was planted at least once.
sed -n -e 's/.*complain(\(.*":" number, \)*"\([a-z]*\)".*/\2/p' \
    -e 's/.*complain([a-z_]*[^"]*, "\([a-z]*\)".*/\1/p' "$here"/*.awk | all_planted
