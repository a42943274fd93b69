/* SPDX-License-Identifier: MIT */
/*
 * paging_job.c: what the scheduler asks of a paging packet, and what follows when it ends.
 */
#include "paging/buffer/buffer_state.h"
#include "paging/buffer/paging.h"
#include "paging/store/store.h"

static struct paging_packet *packet_of(struct job *job)
{
    return CONTAINER_OF(job, struct paging_packet, job);
}

static const char *kind(const struct job *job)
{
    (void)job;
    return "paging";
}

static const struct pageable *subject(const struct job *job)
{
    const struct paging_packet *packet = (const struct paging_packet *)job;
    for (size_t i = 0; i < packet->count; i++)
        if (packet->ops[i].allocation)
            return packet->ops[i].allocation;
    return NULL;
}

/* Paging serves everybody. */
static struct device *device(const struct job *job)
{
    (void)job;
    return NULL;
}

static void ended(adapter_t *adapter, struct job *job)
{
    paging_verify(adapter, packet_of(job));
    bus_watch_dummy(adapter);
}

static void give_back(adapter_t *adapter, struct paging_packet *packet)
{
    packet->count = 0;
    packet->job.next = (struct job *)adapter->buffers->paging->free;
    adapter->buffers->paging->free = packet;
}

static void done(adapter_t *adapter, struct job *job)
{
    struct paging_packet *packet = packet_of(job);
    for (size_t i = 0; i < packet->count; i++)
        paging_op_done(adapter, &packet->ops[i]);
    give_back(adapter, packet);
}

static void aborted(adapter_t *adapter, struct job *job)
{
    struct paging_packet *packet = packet_of(job);
    for (size_t i = 0; i < packet->count; i++)
        paging_op_aborted(adapter, &packet->ops[i]);
    give_back(adapter, packet);
}

static vidmm_status again(adapter_t *adapter, struct job *job)
{
    const struct paging_packet *packet = (const struct paging_packet *)job;
    const struct paging_span span = { packet->start, packet->end, packet->private_start,
                                      packet->private_end, packet->adapter };
    const struct paging_buffer *buffer = &adapter->buffers->paging->buffers[packet->buffer];
    EMIT(adapter, SUBMIT, RULE(SUBMIT_056), 0, f_node("node", job->node),
         f_number("fence", job->fence), f_word("kind", "paging"),
         f_bytes("bytes", span.end - span.start), f_number("was", job->packet->fence));
    return paging_give(adapter, buffer, &span, job->fence, true);
}

const struct job_ops paging_job_ops = {
    .kind = kind,
    .subject = subject,
    .device = device,
    .ended = ended,
    .done = done,
    .aborted = aborted,
    .again = again,
    .of_system = true,
};
