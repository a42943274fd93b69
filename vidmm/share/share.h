/* SPDX-License-Identifier: MIT */
/*
 * share.h: the door of vidmm/share: what a handle stands for, and who has a shared resource open.
 *
 * A shared resource is opened and closed as a whole, by one opening for each call that opened it;
 * the first in the list is the owner's: the creator's while it lives, then the earliest remaining
 * one (MINI-072). `creator`, `open_handle` and the device list of an allocation follow the owner.
 * The handles of the creation name resource and allocations for as long as they live, so events
 * have one subject; what a device may use are the handles of its openings.
 *
 * Resources that are not shared have none of this: their creator is their only user.
 */
#ifndef VIDMM_SHARE_SHARE_H
#define VIDMM_SHARE_SHARE_H

#include "vidmm/base/base_hash.h"
#include "vidmm/tell/tell.h"

struct vidmm_use;
struct vidmm_work;

/* ---- shared resources ----------------------------------------------------------------------- */

/* An allocation as one device has it open. */
struct opened {
    struct opening *opening;
    vidmm_handle handle;
    HANDLE driver_handle; /* hDeviceSpecificAllocation */
    char *label;          /* NULL: that of the creation */
    bool offered;         /* by this device (OFFER-007) */
    bool discarded;       /* another one reclaimed it, and this one has not heard of the loss */
    UT_hash_handle hh;    /* by handle */
};

/* One DxgkDdiOpenAllocation. */
struct opening {
    struct resource *resource;
    struct device *device;
    vidmm_handle handle; /* of the resource */
    char *label;         /* NULL: that of the creation */
    bool read_only;
    uint64_t offered_in;             /* the last call that offered or reclaimed it */
    struct opened *members;          /* in the order of the parts */
    struct opening *next, *previous; /* of the resource, in the order of opening */
    struct opening *device_next, *device_previous;
    struct opener *opener;
    struct opening *opener_next, *opener_previous;
    UT_hash_handle hh; /* by handle */
};

/* A device that has it open, perhaps several times. */
struct opener {
    const struct device *device;
    struct opening *openings;
    UT_hash_handle hh; /* by device */
};

struct shared_part {
    struct allocation *allocation;
    void *private_data; /* as creation left it: every open brings it again (ALLOC-008) */
    uint32_t private_bytes;
    uint32_t offered; /* openings whose member has it set */
};

struct sharing {
    vidmm_handle process;      /* that created it: the only one that locks (LOCK-016) */
    bool secure;               /* was it a secure one? (KMT-011) */
    uint32_t flags;            /* D3DKMT_CREATEALLOCATIONFLAGS */
    uint32_t global;           /* hGlobalShare, 0 with NtSecuritySharing (KMT-016) */
    uint32_t nt_handle;        /* of the last D3DKMTShareObjects; 0: none (KMT-017) */
    bool nt_read_only;         /* it gives no write access */
    struct opening *first;     /* the last is its `previous` */
    struct opening *openings;  /* the same, by their handles */
    struct opened *opened;     /* what they name, by handle */
    struct opener *openers;    /* whose they are */
    struct shared_part *parts; /* part i is the allocation whose `part` is i */
    size_t part_count;
    vidmm_handle *granted; /* devices (KMT-014) */
    size_t granted_count, granted_capacity;
};

/* One more share: which one it is (KMT-016, KMT-017). */
uint32_t shared_number(adapter_t *adapter);
bool allocation_is_shared(const struct allocation *allocation);
/* The device that `handle` names it for; closed by that one: NULL, and the creator as caller. */
struct device *shared_device(const struct allocation *allocation, vidmm_handle handle);
struct device *shared_caller(const struct allocation *allocation, vidmm_handle handle);
/* hDeviceSpecificAllocation of that device. */
HANDLE shared_driver_handle(const struct allocation *allocation, vidmm_handle handle);
/* The opening to which a handle of a resource or of one of its allocations belongs; NULL: none. */
struct opening *shared_opening(const struct resource *resource, vidmm_handle handle);
/* KMT-018: may it only be read through this handle? */
bool shared_read_only(const struct allocation *allocation, vidmm_handle handle);
/* LOCK-016: of a shared one only the process that created it. */
bool shared_may_lock(const struct allocation *allocation, const struct device *device);
/* Who has it open, and what this handle stands for. */
void shared_view(const struct allocation *allocation, vidmm_handle handle,
                 struct vidmm_allocation_view *view);
/* What is wrong with the books of a shared allocation, or NULL. */
const char *shared_problem(const adapter_t *adapter, const struct allocation *allocation);

/* ---- names ---------------------------------------------------------------------------------- */

/* The label of a resource, as the owner of this handle calls it. */
const char *resource_label(const struct resource *resource, vidmm_handle handle);
/* A call names the allocation by this handle. */
void shared_spoken(adapter_t *adapter, vidmm_handle handle);
/* The adapter goes away: no name is added any more. */
void shared_forget_spoken(adapter_t *adapter);
/* What the caller gave vidmm_name_next(); NULL: nothing. */
const char *shared_next_label(const adapter_t *adapter);
/* What the caller calls a handle that names nothing, else its number; by value, as words_size(). */
struct shared_word {
    char it[80];
};
struct shared_word shared_word(const adapter_t *adapter, vidmm_handle handle);
/* After a sentence that names an allocation otherwise than the call did: "; s[0] is left". */
void shared_add_names(const adapter_t *adapter, char *text, size_t bytes);
/* Names of an opening; `named` is the allocation that the opener named, NULL: the resource. */
void shared_name(struct opening *opening, const struct allocation *named, const char *label);

/* All of them, the youngest first. */
struct device *device_first(const adapter_t *adapter);
void device_list(adapter_t *adapter, struct device *device);
void device_unlist(adapter_t *adapter, struct device *device);
/* Any but active is final; event device-state. */
void device_fail(adapter_t *adapter, struct device *device, enum device_state state,
                 enum vidmm_rule rule);
/* Empty, on its device; NULL when no handle is left. */
struct resource *resource_new(adapter_t *adapter, struct device *device);
/* Nothing is in it any more. */
void resource_free(adapter_t *adapter, struct resource *resource);
void resource_move(struct resource *resource, struct device *device); /* to another device */

/* ---- instances of a renamed allocation ------------------------------------------------------ */

/* An allocation that was never renamed has none. */
struct rename_list {
    struct allocation *original;
    struct allocation *first; /* in the order in which they were handed out; before it the last */
    struct allocation *live;  /* those that are not retired, in the same order */
    uint32_t count, made;
    uint64_t generation; /* of the last */
    /* While the list of a submission is checked: the newest instance so far. */
    uint64_t checking, newest;
};

/* The allocation that the driver knows. */
static inline struct allocation *rename_original(struct allocation *allocation)
{
    return rename_of(allocation)->list ? rename_of(allocation)->list->original : allocation;
}

/* Some other instance than the original, NULL: there is none. */
struct allocation *rename_other(const struct allocation *original);
/* The one after it that is not the original. */
struct allocation *rename_next_other(const struct allocation *instance);

/* Has the CPU an address of the allocation now? */
bool range_has_address(const adapter_t *adapter, const struct allocation *source);
/* Does its address mean the memory for this process, now (FLAG-022)? */
bool system_range_valid(const adapter_t *adapter, const struct system_range *range,
                        const struct process *process);

/* In the list of this device, which is its owner from now on. */
void allocation_list(struct allocation *allocation, struct device *device);
void allocation_unlist(struct allocation *allocation);
/* Every allocation, with renaming instances, and copies in a link after theirs. */
struct allocation *allocation_first(const adapter_t *adapter);
struct allocation *allocation_after(struct allocation *allocation);

/* ---- offer_owners.c ------------------------------------------------------------------------- */

/* A device has closed it: perhaps all others have offered it. */
void offer_closed(adapter_t *adapter, struct allocation *allocation);
/* Refused by `rule`, OFFER-005 or LOCK-017, while it is offered by way of this handle. */
vidmm_status offer_check_use(adapter_t *adapter, const struct allocation *allocation,
                             vidmm_handle handle, enum vidmm_rule rule);

/* offer_calls.c: OfferPriority in an allocation list (OFFER-004). */
vidmm_status offer_check_listed(adapter_t *adapter, const struct allocation *allocation,
                                const struct vidmm_use *use);
/* The whole buffer has been handed over. */
void offer_listed(adapter_t *adapter, const struct vidmm_work *work);

struct share *share_new(void); /* the state of this folder, empty (base_free) */

#endif
