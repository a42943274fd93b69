/* SPDX-License-Identifier: MIT */
/*
 * submit_job.c: what the scheduler asks of a packet of rendering, and what follows when it ends.
 */
#include "paging/residency/offer.h"
#include "vidmm/submit/packet.h"

static const struct render_packet *packet_of(const struct job *job)
{
    return CONTAINER_OF(job, const struct render_packet, job);
}

static const char *kind(const struct job *job)
{
    const struct render_packet *packet = packet_of(job);
    return packet->switches ? "switch" : packet->present ? "present" : "render";
}

static const struct pageable *subject(const struct job *job)
{
    const struct render_packet *packet = packet_of(job);
    return packet->count ? &packet->bindings[0].allocation->pageable : NULL;
}

static struct device *device(const struct job *job)
{
    return packet_of(job)->context->device;
}

static void ended(adapter_t *adapter, struct job *job)
{
    (void)job;
    bus_watch_dummy(adapter);
}

static void done(adapter_t *adapter, struct job *job)
{
    struct render_packet *packet = CONTAINER_OF(job, struct render_packet, job);
    for (size_t i = 0; i < packet->count; i++) {
        struct allocation *allocation = packet->bindings[i].allocation;
        if (packet->bindings[i].again)
            continue;
        CHECK(allocation->pageable.packet_refs); /* SUBMIT-063 */
        if (!--allocation->pageable.packet_refs)
            offer_unreferenced(adapter, &allocation->pageable);
    }
    submit_give_packet(adapter, packet);
}

void submit_tell(adapter_t *adapter, const struct render_packet *packet, const char *name,
                 uint32_t fence)
{
    enum vidmm_rule rule = name ? RULE(SUBMIT_001) : RULE(SUBMIT_056);
    struct vidmm_field fields[8] = {
        f_node("node", packet->context->node),
        f_number("fence", fence),
        f_word("kind", kind(&packet->job)),
        f_bytes("bytes", packet->end - packet->start),
    };
    size_t count = 4;
    applies(adapter, rule);
    if (name)
        fields[count++] = f_text("name", name);
    fields[count++] = f_hex("start", packet->start);
    fields[count++] = f_hex("end", packet->end);
    if (!name)
        fields[count++] = f_number("was", packet->job.packet->fence);
    if (adapter->setup->link_count > 1 && packet->adapters)
        fields[count++] = f_hex("adapters", packet->adapters);
    if (heard(adapter))
        emit_fields(adapter, VIDMM_EVENT_SUBMIT, rule, packet->context->handle, fields, count);
}

static vidmm_status again(adapter_t *adapter, struct job *job)
{
    struct render_packet *packet = CONTAINER_OF(job, struct render_packet, job);
    submit_tell(adapter, packet, NULL, job->fence);
    vidmm_status status = STATUS_SUCCESS;
    if (!packet->switches)
        status = submit_patch_again(adapter, packet, job->fence);
    return status ? status : submit_command(adapter, packet, job->fence, true);
}

const struct job_ops submit_job_ops = {
    .kind = kind,
    .subject = subject,
    .device = device,
    .ended = ended,
    .done = done,
    .aborted = done,
    .again = again,
    .touch = submit_touch,
};

const struct job_ops switch_job_ops = {
    .kind = kind,
    .subject = subject,
    .device = device,
    .ended = ended,
    .done = done,
    .aborted = done,
    .again = again,
    .touch = submit_touch,
    .of_system = true,
};
