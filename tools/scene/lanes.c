/* SPDX-License-Identifier: MIT */
/*
 * lanes.c: what each node did, and what the CPU waited for.
 *
 * A packet is known by its node and its fence from `submit` to `end`. One that was preempted or
 * reset comes again with another fence, or does not; what it did until then is a slice of its own.
 */
#include "tools/scene/scene_state.h"

#include <stdlib.h>
#include <string.h>

/* ---- lanes ---------------------------------------------------------------------------------- */

static scene_index add_lane(struct scene_sink *self, enum scene_lane_kind kind, const char *name)
{
    *SCENE_ADD(self, lanes, lane_count) =
        (struct scene_lane){ .kind = kind, .name = texts_add(self, name) };
    return (scene_index)(self->scene.lane_count - 1);
}

/* Nodes have lanes in their order. */
static void add_nodes(struct scene_sink *self, uint64_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (self->node_lanes[i] == SCENE_NONE)
            self->node_lanes[i] =
                add_lane(self, SCENE_LANE_NODE, names_node(&self->narrator.names, i).it);
}

void lanes_begin(struct scene_sink *self)
{
    for (size_t i = 0; i < ARRAY_COUNT(self->node_lanes); i++)
        self->node_lanes[i] = SCENE_NONE;
    self->cpu_lane = SCENE_NONE;
}

/* Some nodes may have worked already, while the adapter started. */
void lanes_start(struct scene_sink *self)
{
    struct vidmm_adapter_view view;
    vidmm_adapter_view(self->adapter, &view);
    CHECK(view.nodes <= ARRAY_COUNT(self->node_lanes));
    add_nodes(self, view.nodes);
    for (uint32_t i = 0; i < view.nodes; i++)
        self->scene.lanes[self->node_lanes[i]] = (struct scene_lane){
            .kind = i == view.paging_node && view.nodes > 1 ? SCENE_LANE_PAGING : SCENE_LANE_NODE,
            .name = texts_add(self, names_node(&self->narrator.names, i).it),
        };
    self->cpu_lane = add_lane(self, SCENE_LANE_CPU, "CPU");
}

static scene_index lane_of(struct scene_sink *self, uint64_t node)
{
    CHECK(node < ARRAY_COUNT(self->node_lanes));
    add_nodes(self, node + 1);
    return self->node_lanes[node];
}

/* ---- packets -------------------------------------------------------------------------------- */

static struct packet *find_packet(struct scene_sink *self, uint64_t node, uint64_t fence)
{
    const struct packet_key key = { node, fence };
    struct packet *packet = NULL;
    HASH_FIND(hh, self->packets, &key, sizeof key, packet);
    return packet;
}

static struct packet *packet_of(struct scene_sink *self, const struct tale *tale)
{
    return find_packet(self, tale_number(tale, "node"), tale_number(tale, "fence"));
}

/* It runs no longer, whether it ended or not. */
static void stop_slice(struct scene_sink *self, struct packet *packet, scene_index event)
{
    if (packet->slice == SCENE_NONE)
        return;
    self->scene.slices[packet->slice].end = self->now;
    self->scene.slices[packet->slice].ended = event;
    packet->slice = SCENE_NONE;
}

static void drop_packet(struct scene_sink *self, struct packet *packet, scene_index event)
{
    stop_slice(self, packet, event);
    HASH_DEL(self->packets, packet);
    base_free(packet);
}

static scene_text packet_name(struct scene_sink *self, const struct tale *tale)
{
    const char *name = tale_word(tale, "name"), *kind = tale_word(tale, "kind");
    if (*name)
        return texts_add(self, name);
    return texts_add(self, strcmp(kind, "switch") == 0 ? "context switch"
                           : *kind                     ? text_print("%s buffer", kind).it
                                                       : "packet");
}

static struct packet *add_packet(struct scene_sink *self, const struct heard *heard)
{
    const struct tale *tale = &heard->tale;
    struct packet *packet = packet_of(self, tale);
    if (packet)
        drop_packet(self, packet, SCENE_NONE);
    packet = base_alloc(1, sizeof *packet);
    *packet = (struct packet){ .at = { tale_number(tale, "node"), tale_number(tale, "fence") },
                               .queued = self->now,
                               .name = packet_name(self, tale),
                               .submitted = heard->row,
                               .slice = SCENE_NONE };
    HASH_ADD(hh, self->packets, at, sizeof packet->at, packet);
    return packet;
}

/* Again, with another number: its name stays, and what it did before is over. */
static void submitted(struct scene_sink *self, const struct heard *heard)
{
    uint64_t was = tale_number(&heard->tale, "was");
    struct packet *before = was ? find_packet(self, tale_number(&heard->tale, "node"), was) : NULL;
    scene_text name = before ? before->name : 0;
    if (before)
        drop_packet(self, before, heard->row);
    struct packet *packet = add_packet(self, heard);
    packet->name = name ? name : packet->name;
}

static void began(struct scene_sink *self, const struct heard *heard)
{
    const struct tale *tale = &heard->tale;
    scene_index lane = lane_of(self, tale_number(tale, "node"));
    struct packet *packet = packet_of(self, tale);
    packet = packet ? packet : add_packet(self, heard);
    stop_slice(self, packet, heard->row);
    packet->slice = (scene_index)self->scene.slice_count;
    *SCENE_ADD(self, slices, slice_count) = (struct scene_slice){
        .queued = packet->queued,
        .begin = self->now,
        .end = self->now,
        .lane = lane,
        .name = packet->name,
        .fence = packet->at.fence,
        .submitted = packet->submitted,
        .ended = SCENE_NONE,
    };
}

static void waited(struct scene_sink *self, const struct heard *heard)
{
    uint64_t span = min_u64(tale_number(&heard->tale, "ns"), self->now);
    if (self->cpu_lane == SCENE_NONE)
        return;
    *SCENE_ADD(self, slices, slice_count) = (struct scene_slice){
        .queued = self->now - span,
        .begin = self->now - span,
        .end = self->now,
        .lane = self->cpu_lane,
        .name = texts_add(self, tale_word(&heard->tale, "reason")),
        .fence = tale_number(&heard->tale, "fence"),
        .submitted = SCENE_NONE,
        .ended = heard->row,
    };
}

/* The node stopped in the middle of something: that goes on later, if at all. */
static void node_stopped(struct scene_sink *self, uint64_t node, scene_index event)
{
    struct packet *packet, *next;
    HASH_ITER(hh, self->packets, packet, next)
    if (packet->at.node == node)
        stop_slice(self, packet, event);
}

static void all_stopped(struct scene_sink *self, scene_index event)
{
    struct packet *packet, *next;
    HASH_ITER(hh, self->packets, packet, next)
    drop_packet(self, packet, event);
}

void lanes_hear(struct scene_sink *self, const struct heard *heard)
{
    const struct tale *tale = &heard->tale;
    struct packet *packet;
    switch (heard->event->kind) {
    case VIDMM_EVENT_SUBMIT: submitted(self, heard); break;
    case VIDMM_EVENT_BEGIN: began(self, heard); break;
    case VIDMM_EVENT_END:
        packet = packet_of(self, tale);
        if (packet)
            drop_packet(self, packet, heard->row);
        break;
    case VIDMM_EVENT_WAIT: waited(self, heard); break;
    case VIDMM_EVENT_PREEMPT:
        if (tale_is(tale, "phase", "answer"))
            node_stopped(self, tale_number(tale, "node"), heard->row);
        break;
    case VIDMM_EVENT_TDR:
        if (tale_is(tale, "phase", "engine-reset"))
            node_stopped(self, tale_number(tale, "node"), heard->row);
        if (tale_is(tale, "phase", "reset"))
            all_stopped(self, heard->row);
        break;
    case VIDMM_EVENT_PNP:
        if (tale_is(tale, "state", "stopped"))
            all_stopped(self, heard->row);
        break;
    default: break;
    }
}

/* ---- the end -------------------------------------------------------------------------------- */

/* A wait is told when it is over, so it comes late in the list. */
static int compare_slices(const void *a, const void *b)
{
    const struct scene_slice *left = a, *right = b;
    if (left->begin != right->begin)
        return left->begin < right->begin ? -1 : 1;
    if (left->lane != right->lane)
        return left->lane < right->lane ? -1 : 1;
    if (left->end != right->end)
        return left->end < right->end ? -1 : 1;
    return (left->fence > right->fence) - (left->fence < right->fence);
}

void lanes_end(struct scene_sink *self)
{
    struct scene *scene = &self->scene;
    size_t first = scene->acts[scene->act_count - 1].slices.first;
    all_stopped(self, SCENE_NONE);
    if (scene->slice_count > first)
        qsort(scene->slices + first, scene->slice_count - first, sizeof *scene->slices,
              compare_slices);
}
