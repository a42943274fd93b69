/* SPDX-License-Identifier: MIT */
/*
 * mock_front.c: see mock_front.h.
 */
#include "tests/support/mock_front.h"

#include "tests/support/unit.h"

struct mock_front mock_front;

static NTSTATUS start_device(IN_CONST_PVOID context, IN_PDXGK_START_INFO info,
                             IN_PDXGKRNL_INTERFACE interface, OUT_PULONG sources,
                             OUT_PULONG children)
{
    static const DXGK_START_INFO nothing;
    assert_memory_equal(info, &nothing, sizeof nothing);
    mock_front.system = *interface;
    return mock_front.real.DxgkDdiStartDevice(context, info, interface, sources, children);
}

void mock_front_stand(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front = (struct mock_front){ .real = *table };
    table->DxgkDdiStartDevice = start_device;
}

struct vidmm_hardware *mock_front_hardware(struct mock_adapter *mock)
{
    mock_front.real_hardware = mock->config.miniport.hardware;
    mock_front.hardware = *mock_front.real_hardware;
    mock->config.miniport.hardware = &mock_front.hardware;
    return &mock_front.hardware;
}

void mock_front_start(struct mock_adapter *mock, uint32_t wddm,
                      void (*driver)(DRIVER_INITIALIZATION_DATA *table))
{
    mock_adapter_init(mock, wddm);
    mock->hook = driver;
    mock_adapter_start(mock);
}

void mock_front_interrupt(const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    mock_front.system.DxgkCbNotifyInterrupt(mock_front.system.DeviceHandle, data);
}

void mock_front_report(const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data)
{
    mock_front_interrupt(data);
    mock_front.system.DxgkCbNotifyDpc(mock_front.system.DeviceHandle);
}

vidmm_status mock_front_submit(struct mock_adapter *mock, uint64_t cost_ns,
                               struct vidmm_submission *submission)
{
    const struct vidmm_mock_command command = { .cost_ns = cost_ns };
    const struct vidmm_work work = {
        .context = mock->context,
        .label = "work",
        .command = &command,
        .command_bytes = sizeof command,
    };
    return vidmm_submit(mock->adapter, &work, submission);
}

void mock_front_work(struct mock_adapter *mock, uint64_t cost_ns)
{
    struct vidmm_submission submission;
    assert_int_equal(mock_front_submit(mock, cost_ns, &submission), 0);
}
