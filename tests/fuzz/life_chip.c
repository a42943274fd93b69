/* SPDX-License-Identifier: MIT */
/*
 * life_chip.c: the hardware of the driver that lies: it hangs, forgets, repeats itself, and reaches
 * for any address at any time.
 */
#include "tests/fuzz/life.h"

static struct vidmm_bus_place some_place(void)
{
    struct vidmm_bus_place place = { .segment = life_byte() % 6 };
    static const uint64_t bases[] = { 0, UINT64_C(0x40000000), UINT64_C(0x80000000),
                                      UINT64_C(0xC0000000) };
    place.system = life_chance(64);
    place.address = bases[life_byte() % ARRAY_COUNT(bases)];
    place.address += MOCK_PAGE * (life_byte() % 64ull);
    if (life_chance(64))
        place.address = life_long_number();
    return place;
}

/* Each byte has a name of its own, as in all of these files: compilers do not agree which argument
   of a call is evaluated first, and a record shall be the same life everywhere. */
static void touch(struct vidmm_bus *bus, uint32_t segment, uint64_t address)
{
    uint32_t node = life_byte() % 3, fence = life.last.fence + life_byte() % 2;
    uint32_t index = life_byte() % 4;
    bool write = life_chance(128);
    bus->touch(bus, node, fence, index, write, segment, address);
}

/* What becomes of the content is the hardware's affair; the manager has to stand. */
void life_reach(struct vidmm_bus *bus)
{
    struct vidmm_bus_place to = some_place();
    struct vidmm_bus_place from = some_place();
    uint64_t bytes = life_chance(224) ? MOCK_PAGE * (life_byte() % 16ull) : life_long_number();
    uint32_t segment = life_byte() % 6;
    uint64_t first = life_byte(), pages = life_byte() % 16;
    uint64_t system = life_chance(128) ? life_byte() : life_long_number();
    switch (life_byte() % 8) {
    case 0: bus->copy(bus, &to, &from, bytes); break;
    case 1: bus->fill(bus, &to, bytes, 7); break;
    case 2: bus->map_pages(bus, segment, first, pages, system); break;
    case 3: bus->unmap(bus, segment, first, pages, system); break;
    case 4: touch(bus, segment, to.address); break;
    case 5: (void)bus->cost(bus, (enum vidmm_bus_op)(life_byte() % 6), &to, &from, bytes, 3); break;
    case 6: bus->spend(bus, UINT64_C(1) << life_byte() % 34); break;
    default: (void)bus->of_adapter(bus, life_byte() % 6);
    }
}

static void meddle(void)
{
    const uint8_t *at = life_dice_only();
    if (life.bus && life_harm())
        life_reach(life.bus);
    life_bytes_again(at);
    life_meddle();
}

static void attach(void *self, struct vidmm_bus *bus)
{
    (void)self;
    life.bus = bus;
    life.real_hardware.attach(life.real_hardware.self, bus);
}

static vidmm_ns begin(void *self, uint32_t node, uint32_t fence)
{
    (void)self;
    vidmm_ns ns = life.real_hardware.begin(life.real_hardware.self, node, fence);
    meddle();
    if (!life_harm())
        return ns;
    uint32_t how = dice_throw(&life.dice) % 40;
    return how == 39 ? VIDMM_NEVER : how == 38 ? VIDMM_NEVER - 1 : UINT64_C(1) << how;
}

static void finish(void *self, uint32_t node, uint32_t fence)
{
    (void)self;
    meddle();
    if (!life_harm())
        life.real_hardware.finish(life.real_hardware.self, node, fence);
    meddle();
}

static void interrupt(void *self, uint32_t node, uint32_t fence)
{
    (void)self;
    if (!life_harm())
        life.real_hardware.interrupt(life.real_hardware.self, node, fence);
    meddle();
}

static bool fills_wddm2(void *self, HANDLE allocation)
{
    bool honest = vidmm_mock_miniport(life.mock.mock)->fills_wddm2(self, allocation);
    return life_harm() ? !honest : honest;
}

void life_stand_before_chip(struct vidmm_miniport *miniport)
{
    life.real_hardware = *miniport->hardware;
    life.hardware = (struct vidmm_hardware){
        .self = &life, .attach = attach, .begin = begin, .finish = finish, .interrupt = interrupt
    };
    miniport->hardware = &life.hardware;
    miniport->fills_wddm2 = life_chance(16) ? NULL : fills_wddm2;
}
