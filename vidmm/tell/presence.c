/* SPDX-License-Identifier: MIT */
/* presence.c: is the adapter there, and may anything agree with anything now? */
#include "vidmm/tell/tell.h"
#include "vidmm/tell/tell_state.h"

bool adapter_stopped(const adapter_t *adapter)
{
    return adapter->tell->stopped;
}

bool adapter_started(const adapter_t *adapter)
{
    return adapter->tell->started;
}

void adapter_has_started(adapter_t *adapter, bool started)
{
    adapter->tell->started = started;
}

bool adapter_ending(const adapter_t *adapter)
{
    return adapter->tell->ending;
}

void adapter_ends(adapter_t *adapter)
{
    adapter->tell->ending = true;
}

enum adapter_presence adapter_presence(const adapter_t *adapter)
{
    return adapter->tell->presence;
}

void adapter_becomes(adapter_t *adapter, enum adapter_presence presence)
{
    adapter->tell->presence = presence;
}

void books_open(adapter_t *adapter)
{
    adapter->tell->open_books++;
}

void books_close(adapter_t *adapter)
{
    CHECK(adapter->tell->open_books);
    adapter->tell->open_books--;
}
