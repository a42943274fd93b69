/* SPDX-License-Identifier: MIT */
/*
 * refs.c: every place where an index stands, in rows and in what is under way, by what it is an
 * index of. Whoever takes rows out of an array changes all of these, and no others.
 */
#include "tools/scene/scene_state.h"

struct ref {
    size_t array, count, row_bytes, member;
    enum ref_to to;
};

#define REF(array, count, row, member, to)                                                         \
    {                                                                                              \
        offsetof(struct scene, array), offsetof(struct scene, count), sizeof(struct row),          \
            offsetof(struct row, member), (to)                                                     \
    }

static const struct ref refs[] = {
    REF(acts, act_count, scene_act, file, REF_TEXT),
    REF(acts, act_count, scene_act, name, REF_TEXT),
    REF(events, event_count, scene_event, allocation, REF_ALLOCATION),
    REF(events, event_count, scene_event, other, REF_ALLOCATION),
    REF(events, event_count, scene_event, sentence, REF_TEXT),
    REF(events, event_count, scene_event, facts, REF_TEXT),
    REF(statements, statement_count, scene_statement, file, REF_TEXT),
    REF(statements, statement_count, scene_statement, text, REF_TEXT),
    REF(statements, statement_count, scene_statement, message, REF_TEXT),
    REF(statements, statement_count, scene_statement, first, REF_NEXT_EVENT),
    REF(said, said_count, scene_said, text, REF_TEXT),
    REF(said, said_count, scene_said, answer, REF_TEXT),
    REF(said, said_count, scene_said, value, REF_TEXT),
    REF(said, said_count, scene_said, hint, REF_TEXT),
    REF(said, said_count, scene_said, rules, REF_TEXT),
    REF(said, said_count, scene_said, event, REF_NEXT_EVENT),
    REF(segments, segment_count, scene_segment, name, REF_TEXT),
    REF(segments, segment_count, scene_segment, kind, REF_TEXT),
    REF(segments, segment_count, scene_segment, flags, REF_TEXT),
    REF(allocations, allocation_count, scene_allocation, label, REF_TEXT),
    REF(allocations, allocation_count, scene_allocation, process, REF_TEXT),
    REF(allocations, allocation_count, scene_allocation, flags, REF_TEXT),
    REF(allocations, allocation_count, scene_allocation, format, REF_TEXT),
    REF(allocations, allocation_count, scene_allocation, created, REF_EVENT),
    REF(allocations, allocation_count, scene_allocation, destroyed, REF_EVENT),
    REF(stays, stay_count, scene_stay, allocation, REF_ALLOCATION),
    REF(stays, stay_count, scene_stay, came, REF_EVENT),
    REF(stays, stay_count, scene_stay, left, REF_EVENT),
    REF(stays, stay_count, scene_stay, gone, REF_EVENT),
    REF(stays, stay_count, scene_stay, why_left, REF_TEXT),
    REF(marks, mark_count, scene_mark, allocation, REF_ALLOCATION),
    REF(marks, mark_count, scene_mark, began, REF_EVENT),
    REF(marks, mark_count, scene_mark, ended, REF_EVENT),
    REF(lanes, lane_count, scene_lane, name, REF_TEXT),
    REF(slices, slice_count, scene_slice, name, REF_TEXT),
    REF(slices, slice_count, scene_slice, submitted, REF_EVENT),
    REF(slices, slice_count, scene_slice, ended, REF_EVENT),
    REF(arrows, arrow_count, scene_arrow, from, REF_EVENT),
    REF(arrows, arrow_count, scene_arrow, to, REF_EVENT),
    REF(counters, counter_count, scene_counter, name, REF_TEXT),
    REF(counters, counter_count, scene_counter, unit, REF_TEXT),
    REF(points, point_count, scene_point, event, REF_EVENT),
    REF(sources, source_count, scene_source, name, REF_TEXT),
    REF(sources, source_count, scene_source, text, REF_TEXT),
};

static void visit_rows(struct scene_sink *self, const struct ref *ref, const struct visitor *visit)
{
    char *scene = (char *)&self->scene;
    char *rows = *(char **)(void *)(scene + ref->array);
    size_t count = *(size_t *)(void *)(scene + ref->count);
    for (size_t i = 0; i < count; i++)
        visit->one(visit, (uint32_t *)(void *)(rows + i * ref->row_bytes + ref->member));
}

/* ---- what is under way ----------------------------------------------------------------------- */

static void visit_held(struct scene_sink *self, enum ref_to to, const struct visitor *visit)
{
    for (size_t i = 0; i < self->held_count; i++) {
        if (to == REF_TEXT) {
            visit->one(visit, &self->held[i].sentence);
            visit->one(visit, &self->held[i].facts);
        }
        if (to == REF_ALLOCATION) {
            visit->one(visit, &self->held[i].allocation);
            visit->one(visit, &self->held[i].other);
        }
    }
    if (to == REF_TEXT)
        visit->one(visit, &self->file);
    if (to == REF_ALLOCATION)
        visit->one(visit, &self->seeker);
}

static void visit_live(struct scene_sink *self, enum ref_to to, const struct visitor *visit)
{
    for (size_t i = 0; i < self->live_count; i++) {
        struct live_counter *live = &self->live[i];
        if (to == REF_TEXT) {
            visit->one(visit, &live->row.name);
            visit->one(visit, &live->row.unit);
        }
        for (size_t k = 0; k < live->count && to == REF_EVENT; k++)
            visit->one(visit, &live->points[k].event);
    }
}

static void visit_causes(struct causes *causes, enum ref_to to, const struct visitor *visit)
{
    for (size_t i = 0; i < causes->count; i++) {
        if (to == REF_EVENT)
            visit->one(visit, &causes->at[i].event);
        if (to == REF_ALLOCATION)
            visit->one(visit, &causes->at[i].allocation);
    }
}

static void visit_packets(struct scene_sink *self, enum ref_to to, const struct visitor *visit)
{
    for (struct packet *packet = self->packets; packet; packet = packet->hh.next) {
        if (to == REF_TEXT)
            visit->one(visit, &packet->name);
        if (to == REF_EVENT)
            visit->one(visit, &packet->submitted);
        if (to == REF_SLICE)
            visit->one(visit, &packet->slice);
    }
}

static void visit_known(struct scene_sink *self, enum ref_to to, const struct visitor *visit)
{
    for (struct known *known = self->known; known; known = known->hh.next) {
        if (to == REF_ALLOCATION)
            visit->one(visit, &known->index);
        if (to == REF_EVENT)
            visit->one(visit, &known->moved_from);
        if (to == REF_STAY)
            visit->one(visit, &known->freed);
        for (int kind = 0; kind < SCENE_MARKS && to == REF_MARK; kind++)
            visit->one(visit, &known->marks[kind]);
    }
    for (struct open_stay *open = self->open; open && to == REF_STAY; open = open->hh.next)
        visit->one(visit, &open->stay);
}

void refs_visit(struct scene_sink *self, enum ref_to to, const struct visitor *visit)
{
    for (size_t i = 0; i < ARRAY_COUNT(refs); i++)
        if (refs[i].to == to)
            visit_rows(self, &refs[i], visit);
    visit_held(self, to, visit);
    visit_live(self, to, visit);
    visit_causes(&self->victims, to, visit);
    visit_causes(&self->paging, to, visit);
    visit_packets(self, to, visit);
    visit_known(self, to, visit);
    for (size_t i = 0; i < ARRAY_COUNT(self->last_ends) && to == REF_EVENT; i++)
        visit->one(visit, &self->last_ends[i].event);
}
