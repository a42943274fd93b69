/* SPDX-License-Identifier: MIT */
/*
 * check_members.c: two attributes of one creation that write the same bits of the interface.
 *
 * A member has a word of ours and its documented name (`prefer=`, `PreferredSegment=`), and some
 * members are one union (`Flags=`, `FlagsWddm2=`). The later one would win without a word, so both
 * in one statement are an error of the text. A creation that writes what its class writes, too, is
 * none: there the later one is meant to win.
 *
 * Not here: pAllocationInfo and pAllocationInfo2, two members of a call whose rule refuses both
 * (KMT-007).
 */
#include "scenarios/lang/check/parts.h"

enum member {
    MEMBER_PREFERRED = 1 << 0,
    MEMBER_READ_SET = 1 << 1,
    MEMBER_WRITE_SET = 1 << 2,
    MEMBER_EVICTION_SET = 1 << 3,
    MEMBER_BANK = 1 << 4,
    MEMBER_PRIORITY = 1 << 5,
    MEMBER_FLAGS = 1 << 6,
    MEMBER_LIMIT_OR_INDEX = 1 << 7,
    MEMBER_FORMAT = 1 << 8,
};

static const struct {
    enum member member;
    const char *text;
} names[] = {
    { MEMBER_PREFERRED, "the member PreferredSegment" },
    { MEMBER_READ_SET, "the member SupportedReadSegmentSet" },
    { MEMBER_WRITE_SET, "the member SupportedWriteSegmentSet" },
    { MEMBER_EVICTION_SET, "the member EvictionSegmentSet" },
    { MEMBER_BANK, "the member HintedBank" },
    { MEMBER_PRIORITY, "the member AllocationPriority" },
    { MEMBER_FLAGS, "the union of Flags and FlagsWddm2" },
    { MEMBER_LIMIT_OR_INDEX, "the union of MaximumRenamingListLength and PhysicalAdapterIndex" },
    { MEMBER_FORMAT, "the union of Format and PrivateFormat" },
};

static const struct {
    enum attribute_id attribute;
    unsigned members;
} writers[] = {
    { ATTRIBUTE_CREATE_PREFER, MEMBER_PREFERRED },
    { ATTRIBUTE_CREATE_MEMBER_PREFERRED_SEGMENT, MEMBER_PREFERRED },
    { ATTRIBUTE_CREATE_SEGMENTS, MEMBER_READ_SET | MEMBER_WRITE_SET },
    { ATTRIBUTE_CREATE_READ, MEMBER_READ_SET },
    { ATTRIBUTE_CREATE_MEMBER_SUPPORTED_READ_SEGMENT_SET, MEMBER_READ_SET },
    { ATTRIBUTE_CREATE_WRITE, MEMBER_WRITE_SET },
    { ATTRIBUTE_CREATE_MEMBER_SUPPORTED_WRITE_SEGMENT_SET, MEMBER_WRITE_SET },
    { ATTRIBUTE_CREATE_EVICT_TO, MEMBER_EVICTION_SET },
    { ATTRIBUTE_CREATE_MEMBER_EVICTION_SEGMENT_SET, MEMBER_EVICTION_SET },
    { ATTRIBUTE_CREATE_BANKS, MEMBER_BANK },
    { ATTRIBUTE_CREATE_MEMBER_HINTED_BANK, MEMBER_BANK },
    { ATTRIBUTE_CREATE_PRIORITY, MEMBER_PRIORITY },
    { ATTRIBUTE_CREATE_MEMBER_ALLOCATION_PRIORITY, MEMBER_PRIORITY },
    { ATTRIBUTE_CREATE_FLAGS, MEMBER_FLAGS },
    { ATTRIBUTE_CREATE_MEMBER_FLAGS, MEMBER_FLAGS },
    { ATTRIBUTE_CREATE_MEMBER_FLAGS_WDDM2, MEMBER_FLAGS },
    { ATTRIBUTE_CREATE_RENAME_LIMIT, MEMBER_LIMIT_OR_INDEX },
    { ATTRIBUTE_CREATE_ADAPTER_INDEX, MEMBER_LIMIT_OR_INDEX },
    { ATTRIBUTE_CREATE_USAGE_FORMAT, MEMBER_FORMAT },
    { ATTRIBUTE_CREATE_USAGE_PRIVATE_FORMAT, MEMBER_FORMAT },
};

unsigned check_members_of(const struct attribute_row *row)
{
    for (size_t i = 0; row && i < ARRAY_COUNT(writers); i++)
        if (writers[i].attribute == row->id)
            return writers[i].members;
    return 0;
}

static const char *name_of(unsigned members)
{
    size_t i = 0;
    while (!(names[i].member & members))
        i++;
    return names[i].text;
}

static void report(struct checker *checker, const struct attribute *earlier,
                   const struct attribute *later, unsigned members)
{
    char spelled[120], help[240];
    struct scenario_span span;
    message_where(checker->scenario, earlier->whole, &span);
    snprintf(help, sizeof help, "'%s' in column %" PRIu32 " writes it already: leave one out",
             check_spelled(checker, earlier->whole, spelled, sizeof spelled), span.column);
    check_report(checker, later->whole, help, "'%s' and '%s' both write %s", earlier->row->name,
                 later->row->name, name_of(members));
}

void check_members(struct checker *checker, const struct statement *statement)
{
    unsigned written = 0;
    for (const struct attribute *later = statement->attributes; later; later = later->next) {
        unsigned members = check_members_of(later->row);
        for (const struct attribute *at = statement->attributes; written & members && at != later;
             at = at->next) {
            unsigned both = check_members_of(at->row) & members;
            if (!both)
                continue;
            report(checker, at, later, both);
            break;
        }
        written |= members;
    }
}
