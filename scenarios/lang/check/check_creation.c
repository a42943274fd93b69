/* SPDX-License-Identifier: MIT */
/*
 * check_creation.c: one allocation that is to be made.
 *
 * Of the rules of the manager only those are checked here that the text decides: sizes, the
 * eviction set (ALLOC-025), preferred segments (ALLOC-024), and combinations of flags (FLAG-003,
 * 013, 021, 028, 050, 055). Which flags the interface version has is asked of flags by name: a
 * number says what it likes, so that every wrong call can be written.
 */
#include "scenarios/lang/check/parts.h"

#include <inttypes.h>
#include <string.h>

/* ---- flags by name --------------------------------------------------------------------------- */

enum { HELP_BYTES = 224 };

static bool check_flags_add(struct checker *checker, const struct item *item,
                            enum vidmm_flag_set set, uint32_t *flags)
{
    uint64_t value = 0;
    if (item->from->kind != EXPR_NAME) {
        bool constant = check_values_constant(checker, item->from, &value);
        *flags |= (uint32_t)value;
        return constant;
    }
    const struct vidmm_flag *flag = vidmm_flag_by_name(set, check_word(checker, item->from->name));
    if (flag)
        *flags |= flag->value;
    return flag != NULL;
}

/* FLAG-062, and FLAG-061 below 3.0, for the second word; KMT-001 for the flags of the call. */
static const char *version_rule(const struct checker *checker, enum vidmm_flag_set set)
{
    switch (set) {
    case VIDMM_FLAGS_SEGMENT: return "SEG-033";
    case VIDMM_FLAGS_KMT: return "KMT-001";
    case VIDMM_FLAGS_ALLOCATION2:
        return checker->now.wddm < VIDMM_WDDM_3_0 ? "FLAG-061" : "FLAG-062";
    default: return "FLAG-003";
    }
}

/* What the interface version lacks, with the version that has it. */
static const char *tell_version(const struct checker *checker, const struct attribute *list,
                                const char *name, enum vidmm_flag_set set, char help[HELP_BYTES])
{
    const struct vidmm_flag *flag = vidmm_flag_by_name(set, name);
    char since[96];
    if (!flag)
        flag = vidmm_flag_by_other_name(&set, name);
    CHECK(flag); /* the parser knows all names */
    if (flag->since > checker->now.wddm)
        (void)vidmm_flags_reserved_text(set, flag->value, checker->now.wddm, since, sizeof since);
    else
        snprintf(since, sizeof since, "only versions below 2.0 have it");
    snprintf(help, HELP_BYTES, "%s; %s=0x%" PRIX32 " writes its bits on purpose", since,
             list->row->name, flag->value);
    return help;
}

void check_flags_version(struct checker *checker, const struct attribute *list, struct place place,
                         enum vidmm_flag_set set)
{
    char help[HELP_BYTES];
    uint32_t defined = vidmm_flags_defined(set, checker->now.wddm);
    bool own = place.offset == list->whole.offset;
    for (const struct item *item = list->items; item; item = item->next) {
        uint32_t flags = 0;
        if (item->from->kind != EXPR_NAME)
            continue;
        if (check_flags_add(checker, item, set, &flags) && !(flags & ~defined))
            continue;
        const char *name = check_word(checker, item->from->name);
        check_report(checker, own ? item->at : place, tell_version(checker, list, name, set, help),
                     "'%s' is no flag of interface version %u.%u (%s)", name,
                     checker->now.wddm / 10, checker->now.wddm % 10, version_rule(checker, set));
    }
}

void check_flags_segments(struct checker *checker)
{
    for (size_t i = 0; i < checker->now.segment_count; i++) {
        const struct attribute *flags = checker->segments[i].flags;
        bool before = checker->problem;
        checker->problem = false;
        if (flags)
            check_flags_version(checker, flags, flags->whole, VIDMM_FLAGS_SEGMENT);
        /* Once is enough, however many tests begin with it. */
        if (checker->problem)
            checker->segments[i].flags = NULL;
        checker->problem |= before;
    }
}

/* ---- creations ------------------------------------------------------------------------------- */

void check_creation_begin(struct checker *checker, const struct statement *statement,
                          const struct expr *target, enum object object)
{
    if (target->kind == EXPR_CALL || target->name == checker->scenario->word_any)
        check_report(checker, target->at, NULL, "'any' names what exists, not something new");
    else
        check_names_create(checker, statement, target, object);
}

/* A creation: its own attributes over those of its class. */
struct creation {
    const struct statement *statement, *class;
};

static const struct attribute *creation_find(const struct creation *creation, enum attribute_id id)
{
    return attribute_inherited(creation->statement, creation->class, id);
}

static const struct statement *find_class(struct checker *checker,
                                          const struct statement *statement)
{
    if (!statement->name)
        return NULL;
    size_t index;
    if (scope_find(&checker->classes, statement->name, &index))
        return checker->class_statements[index];
    struct expr name = { .kind = EXPR_NAME, .name = statement->name, .at = statement->name_at };
    check_names_use(checker, NULL, &name, OBJECT_CLASS);
    return NULL;
}

/* The largest segment that the lists of the creation name, all when none does. */
static const struct segment_info *largest_segment(struct checker *checker,
                                                  const struct creation *creation)
{
    static const enum attribute_id lists[] = { ATTRIBUTE_CREATE_SEGMENTS, ATTRIBUTE_CREATE_READ,
                                               ATTRIBUTE_CREATE_WRITE };
    static const enum attribute_id raw[] = {
        ATTRIBUTE_CREATE_MEMBER_SUPPORTED_READ_SEGMENT_SET,
        ATTRIBUTE_CREATE_MEMBER_SUPPORTED_WRITE_SEGMENT_SET,
    };
    const struct segment_info *largest = NULL;
    bool named = false;
    for (size_t i = 0; i < ARRAY_COUNT(raw); i++) {
        if (creation_find(creation, raw[i]))
            return NULL;
    }
    for (size_t i = 0; i < ARRAY_COUNT(lists); i++) {
        const struct attribute *list = creation_find(creation, lists[i]);
        for (const struct item *item = list ? list->items : NULL; item; item = item->next) {
            const struct segment_info *info = check_states_segment(checker, item->from->name);
            named = true;
            if (!info || !info->sized)
                return NULL;
            if (!largest || info->bytes > largest->bytes)
                largest = info;
        }
    }
    for (size_t i = 0; i < checker->now.segment_count && !named; i++) {
        if (!checker->segments[i].sized)
            return NULL;
        if (!largest || checker->segments[i].bytes > largest->bytes)
            largest = &checker->segments[i];
    }
    return largest;
}

/* Where to tell what is wrong with an attribute: itself, or the use of the class that has it. */
static struct place creation_place(const struct creation *creation,
                                   const struct attribute *attribute)
{
    /* What is wrong in a class is told where it is used when only this use is wrong. */
    for (const struct attribute *own = creation->statement->attributes; own; own = own->next) {
        if (own == attribute)
            return own->whole;
    }
    return creation->statement->name_at;
}

static void check_size(struct checker *checker, const struct creation *creation)
{
    enum { SMALLEST_PAGE = 4096 };
    uint64_t bytes = 0;
    const struct attribute *size = creation_find(creation, ATTRIBUTE_CREATE_SIZE);
    if (!size && (creation_find(creation, ATTRIBUTE_CREATE_STANDARD) ||
                  creation_find(creation, ATTRIBUTE_CREATE_MEMBER_HEAP_SIZE)))
        return; /* the miniport says how large the picture is */
    if (!size) {
        check_report(checker, creation->statement->at, "write size=4M, here or in its class",
                     "an allocation needs a size");
        return;
    }
    if (!check_values_constant(checker, size->items->from, &bytes))
        return;
    if (!bytes) {
        check_report(checker, creation_place(creation, size),
                     "write size=4K, or `-> fails` where that is meant",
                     "an allocation of size zero is refused (ALLOC-013)");
        return;
    }
    const struct segment_info *largest = largest_segment(checker, creation);
    char help[160] = "a smaller size, or a larger segment above";
    if (largest && largest->bytes && largest->bytes < SMALLEST_PAGE)
        snprintf(help, sizeof help,
                 "'%.60s' has %" PRIu64 " bytes: without a unit a size counts bytes, as in "
                 "size=%" PRIu64 "M",
                 check_word(checker, largest->name), largest->bytes, largest->bytes);
    if (largest && bytes > largest->bytes)
        check_report(
            checker, creation_place(creation, size), help,
            "this is larger than every segment it may use; '%s' is the largest (ALLOC-015)",
            check_word(checker, largest->name));
}

/* What writes a set, the later one first: a creation over its class, its own word over both. */
static const struct attribute *creation_list(const struct creation *creation, enum attribute_id own)
{
    const struct statement *const writers[] = { creation->statement, creation->class };
    for (size_t i = 0; i < ARRAY_COUNT(writers); i++) {
        const struct attribute *list = writers[i] ? attribute_find(writers[i], own) : NULL;
        if (!list && writers[i])
            list = attribute_find(writers[i], ATTRIBUTE_CREATE_SEGMENTS);
        if (list)
            return list;
    }
    return NULL;
}

/* No list at all names every segment. */
static bool list_holds(const struct attribute *list, word segment)
{
    const struct item *item = list ? list->items : NULL;
    while (item && item->from->name != segment)
        item = item->next;
    return !list || item;
}

static bool has_large_pages(struct checker *checker, const struct segment_info *info)
{
    uint32_t flags = 0;
    for (const struct item *item = info->flags ? info->flags->items : NULL; item; item = item->next)
        (void)check_flags_add(checker, item, VIDMM_FLAGS_SEGMENT, &flags);
    return flags & VIDMM_SEGMENT_Use64KBPages;
}

/* An allocation that may lie in pages of 64 KiB says so itself (ALLOC-012). */
static void check_alignment(struct checker *checker, const struct creation *creation)
{
    enum { LARGE_PAGE = 64 << 10 };
    uint64_t bytes = 0;
    const struct attribute *alignment = creation_find(creation, ATTRIBUTE_CREATE_ALIGNMENT);
    const struct attribute *read = creation_list(creation, ATTRIBUTE_CREATE_READ);
    const struct attribute *write = creation_list(creation, ATTRIBUTE_CREATE_WRITE);
    if (checker->now.wddm < VIDMM_WDDM_2_0 || creation_find(creation, ATTRIBUTE_CREATE_STANDARD) ||
        creation_find(creation, ATTRIBUTE_CREATE_MEMBER_SUPPORTED_READ_SEGMENT_SET) ||
        creation_find(creation, ATTRIBUTE_CREATE_MEMBER_SUPPORTED_WRITE_SEGMENT_SET))
        return;
    if (alignment && (!check_values_constant(checker, alignment->items->from, &bytes) ||
                      (bytes && bytes % LARGE_PAGE == 0)))
        return;
    for (size_t i = 0; i < checker->now.segment_count; i++) {
        const struct segment_info *info = &checker->segments[i];
        if (!has_large_pages(checker, info) ||
            !(list_holds(read, info->name) || list_holds(write, info->name)))
            continue;
        check_report(checker,
                     alignment ? creation_place(creation, alignment) : creation->statement->at,
                     "write alignment=64K, or `-> fails` where that is meant",
                     "'%s' has pages of 64 KiB, and the alignment is no multiple of that "
                     "(ALLOC-012)",
                     check_word(checker, info->name));
        return;
    }
}

/* The aperture segments, by name, as many as there is room for. */
static const char *name_apertures(const struct checker *checker, char *help, size_t bytes)
{
    size_t length = 0;
    for (size_t i = 0; i < checker->now.segment_count && length + 42 < bytes; i++)
        if (checker->segments[i].aperture)
            length += (size_t)snprintf(help + length, bytes - length, "%s%.40s",
                                       length ? "," : "write evict-to=",
                                       check_word(checker, checker->segments[i].name));
    return length ? help : "this adapter has none: leave evict-to out";
}

static void check_eviction(struct checker *checker, const struct creation *creation)
{
    char help[160];
    const struct attribute *list = creation_find(creation, ATTRIBUTE_CREATE_EVICT_TO);
    for (const struct item *item = list ? list->items : NULL; item; item = item->next) {
        const struct segment_info *info = check_states_segment(checker, item->from->name);
        if (info && !info->aperture)
            check_report(
                checker, creation_place(creation, list), name_apertures(checker, help, sizeof help),
                "'%s' is a memory segment: an eviction goes to aperture segments (ALLOC-025)",
                check_word(checker, info->name));
    }
}

/* Requirements and conflicts of DXGK_ALLOCATIONINFOFLAGS; bits are the same in both sets. */
static const struct flag_rule {
    uint32_t flag, needs_any, excludes;
    bool below_2_0;
    const char *text;
} flag_rules[] = {
    { VIDMM_ALLOCATION_PermanentSysMem,
      VIDMM_ALLOCATION_CpuVisible | VIDMM_ALLOCATION_CpuVisibleOnDemand, 0, false,
      "PermanentSysMem needs CpuVisible (FLAG-013)" },
    { VIDMM_ALLOCATION_Protected, 0,
      VIDMM_ALLOCATION_PermanentSysMem | VIDMM_ALLOCATION_ExistingSysMem |
          VIDMM_ALLOCATION_ExistingKernelSysMem,
      false,
      "Protected excludes PermanentSysMem, ExistingSysMem and ExistingKernelSysMem (FLAG-021)" },
    { VIDMM_ALLOCATION_ExistingSysMem, 0,
      VIDMM_ALLOCATION_PermanentSysMem | VIDMM_ALLOCATION_ExistingKernelSysMem, false,
      "ExistingSysMem excludes PermanentSysMem and ExistingKernelSysMem (FLAG-028)" },
    { VIDMM_ALLOCATION_ExistingKernelSysMem, 0, VIDMM_ALLOCATION_PermanentSysMem, false,
      "ExistingKernelSysMem excludes PermanentSysMem (FLAG-028)" },
    { VIDMM_ALLOCATION_LinkMirrored, 0, VIDMM_ALLOCATION_LinkInstanced, true,
      "LinkMirrored excludes LinkInstanced (FLAG-050)" },
    { VIDMM_ALLOCATION_ExplicitResidencyNotification, VIDMM_ALLOCATION_AccessedPhysically, 0, false,
      "ExplicitResidencyNotification needs AccessedPhysically (FLAG-055)" },
};

static void check_flags(struct checker *checker, const struct creation *creation)
{
    uint32_t flags = 0;
    const struct attribute *list = creation_find(creation, ATTRIBUTE_CREATE_FLAGS);
    const struct attribute *second = creation_find(creation, ATTRIBUTE_CREATE_FLAGS2);
    enum vidmm_flag_set set =
        checker->now.wddm >= VIDMM_WDDM_2_0 ? VIDMM_FLAGS_ALLOCATION2_0 : VIDMM_FLAGS_ALLOCATION;
    const struct attribute *call = creation_find(creation, ATTRIBUTE_CREATE_KMT);
    if (second)
        check_flags_version(checker, second, creation_place(creation, second),
                            VIDMM_FLAGS_ALLOCATION2);
    if (call)
        check_flags_version(checker, call, creation_place(creation, call), VIDMM_FLAGS_KMT);
    if (!list)
        return;
    check_flags_version(checker, list, creation_place(creation, list), set);
    for (const struct item *item = list->items; item; item = item->next) {
        if (!check_flags_add(checker, item, set, &flags))
            return;
    }
    for (size_t i = 0; i < ARRAY_COUNT(flag_rules); i++) {
        const struct flag_rule *rule = &flag_rules[i];
        bool applies =
            flags & rule->flag && !(rule->below_2_0 && checker->now.wddm >= VIDMM_WDDM_2_0);
        bool lacks = rule->needs_any && !(flags & rule->needs_any);
        if (applies && (lacks || flags & rule->excludes))
            check_report(checker, creation_place(creation, list), NULL, "%s", rule->text);
    }
}

/* ALLOC-038: one union, whose member goes by the interface version. */
static void check_union(struct checker *checker, const struct creation *creation)
{
    bool from_2_0 = checker->now.wddm >= VIDMM_WDDM_2_0;
    const struct attribute *wrong =
        creation_find(creation,
                      from_2_0 ? ATTRIBUTE_CREATE_RENAME_LIMIT : ATTRIBUTE_CREATE_ADAPTER_INDEX);
    if (!wrong)
        return;
    check_report(checker, creation_place(creation, wrong),
                 from_2_0 ? "nothing is renamed there; the adapter of a link is adapter-index="
                          : "the length of a renaming list is rename-limit=",
                 "interface version %u.%u has no %s: these bits are %s (ALLOC-038)",
                 checker->now.wddm / 10, checker->now.wddm % 10,
                 from_2_0 ? "rename-limit= (MaximumRenamingListLength)"
                          : "adapter-index= (PhysicalAdapterIndex)",
                 from_2_0 ? "PhysicalAdapterIndex" : "MaximumRenamingListLength");
}

/* Preferred segments are some of those that it may lie in (ALLOC-024). */
static void check_preferred(struct checker *checker, const struct creation *creation)
{
    bool from_2_0 = checker->now.wddm >= VIDMM_WDDM_2_0;
    const struct attribute *list = creation_find(creation, ATTRIBUTE_CREATE_PREFER);
    if (attribute_find(creation->statement, ATTRIBUTE_CREATE_MEMBER_PREFERRED_SEGMENT) ||
        creation_find(creation, ATTRIBUTE_CREATE_MEMBER_SUPPORTED_READ_SEGMENT_SET) ||
        creation_find(creation, ATTRIBUTE_CREATE_MEMBER_SUPPORTED_WRITE_SEGMENT_SET))
        return;
    const struct attribute *read = creation_list(creation, ATTRIBUTE_CREATE_READ);
    const struct attribute *write = creation_list(creation, ATTRIBUTE_CREATE_WRITE);
    for (const struct item *item = list ? list->items : NULL; item; item = item->next) {
        char help[192];
        word name = item->from->name;
        if (!check_states_segment(checker, name) || list_holds(write, name) ||
            (!from_2_0 && list_holds(read, name)))
            continue;
        snprintf(help, sizeof help,
                 "add '%.60s' to segments=, or write `-> fails` where that is "
                 "meant",
                 check_word(checker, name));
        check_report(checker, creation_place(creation, list), help,
                     "'%s' is preferred and is none of the segments that the allocation may %s "
                     "(ALLOC-024)",
                     check_word(checker, name),
                     from_2_0 ? "be written in; in 2.0 and later no others count" : "use");
    }
}

/* ---- members written twice ------------------------------------------------------------------- */

static void members_report(struct checker *checker, const struct attribute *earlier,
                           const struct attribute *later, unsigned members)
{
    char spelled[120], help[240];
    struct scenario_span span;
    message_where(checker->scenario, earlier->whole, &span);
    snprintf(help, sizeof help, "'%s' in column %" PRIu32 " writes it already: leave one out",
             source_copy(checker->scenario, earlier->whole, spelled, sizeof spelled), span.column);
    check_report(checker, later->whole, help, "'%s' and '%s' both write %s", earlier->row->name,
                 later->row->name, attribute_member_name(members));
}

/*
 * A member has a word of ours and its documented name (`prefer=`, `PreferredSegment=`), and some
 * members are one union (`Flags=`, `FlagsWddm2=`). The later one would win without a word, so both
 * in one statement are an error of the text. A creation that writes what its class writes, too, is
 * none: there the later one is meant to win.
 *
 * Not here: pAllocationInfo and pAllocationInfo2, two members of a call whose rule refuses both
 * (KMT-007).
 */
void check_members(struct checker *checker, const struct statement *statement)
{
    unsigned written = 0;
    for (const struct attribute *later = statement->attributes; later; later = later->next) {
        unsigned members = attribute_members(later->row);
        const struct attribute *at = statement->attributes;
        while (written & members && !(attribute_members(at->row) & members))
            at = at->next;
        if (written & members)
            members_report(checker, at, later, attribute_members(at->row) & members);
        written |= members;
    }
}

/* ---- create ---------------------------------------------------------------------------------- */

void check_operation_create(struct checker *checker, struct statement *statement)
{
    const struct expr *target = statement->subjects->from;
    struct creation creation = { .statement = statement, .class = find_class(checker, statement) };
    check_values_attributes(checker, statement, statement->attributes);
    check_members(checker, statement);
    const struct statement *silent = checker->call ? checker->call : statement;
    bool classless = statement->name && !creation.class;
    if (!check_silent(statement) && !check_silent(silent) && !classless) {
        check_size(checker, &creation);
        check_alignment(checker, &creation);
        check_eviction(checker, &creation);
        check_flags(checker, &creation);
        check_union(checker, &creation);
        check_preferred(checker, &creation);
    }
    const struct attribute *context = creation_find(&creation, ATTRIBUTE_CREATE_CONTEXT);
    if (!context)
        context = creation_find(&creation, ATTRIBUTE_CREATE_SHARED_ACROSS_CONTEXTS);
    if (context && checker->call)
        check_report(checker, creation_place(&creation, context), NULL,
                     "the driver makes allocations of contexts one by one, not in a resource");
    check_creation_begin(checker, silent, target, OBJECT_ALLOCATION);
}
