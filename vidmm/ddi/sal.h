/* SPDX-License-Identifier: MIT */
/*
 * sal.h: source annotations of a Windows driver, all of them empty here.
 *
 * They tell static checkers about direction, size and interrupt level. Nothing in this project
 * reads them, so each one expands to nothing whatever stands in its brackets.
 */
#ifndef VIDMM_DDI_SAL_H
#define VIDMM_DDI_SAL_H

/* Direction of a parameter. */
#define _In_
#define _In_opt_
#define _In_z_
#define _In_opt_z_
#define _In_reads_(size)
#define _In_reads_opt_(size)
#define _In_reads_bytes_(size)
#define _In_reads_bytes_opt_(size)
#define _In_range_(low, high)
#define _In_count_(size)
#define _In_bytecount_(size)
#define _Inout_
#define _Inout_opt_
#define _Inout_updates_(size)
#define _Inout_updates_opt_(size)
#define _Inout_updates_bytes_(size)
#define _Inout_updates_bytes_opt_(size)
#define _Out_
#define _Out_opt_
#define _Out_writes_(size)
#define _Out_writes_opt_(size)
#define _Out_writes_to_(size, count)
#define _Out_writes_bytes_(size)
#define _Out_writes_bytes_opt_(size)
#define _Out_writes_bytes_to_(size, count)
#define _Out_writes_all_(size)
#define _Outptr_
#define _Outptr_opt_
#define _Outptr_result_maybenull_
#define _Outptr_result_bytebuffer_(size)
#define _Deref_out_
#define _Deref_out_opt_
#define _Reserved_
#define _Printf_format_string_
#define _Null_terminated_

/* What holds before and after a call. */
#define _Success_(expression)
#define _Return_type_success_(expression)
#define _When_(condition, annotations)
#define _At_(target, annotations)
#define _On_failure_(annotations)
#define _Always_(annotations)
#define _Post_
#define _Pre_
#define _Post_satisfies_(condition)
#define _Pre_satisfies_(condition)
#define _Ret_maybenull_
#define _Ret_notnull_
#define _Must_inspect_result_
#define _Check_return_
#define _Result_nullonfailure_
#define _Analysis_assume_(expression) ((void)0)
#define _Field_size_(size)
#define _Field_size_opt_(size)
#define _Field_size_bytes_(size)
#define _Field_size_bytes_opt_(size)
#define _Field_range_(low, high)
#define _Struct_size_bytes_(size)
#define _Use_decl_annotations_
#define _Function_class_(name)
#define _Enum_is_bitflag_

/* The older spelling; only for drivers, since C++ libraries use these names for parameters. */
#if __SIZEOF_WCHAR_T__ == 2
#define __in
#define __in_opt
#define __in_bcount(size)
#define __in_ecount(size)
#define __inout
#define __inout_opt
#define __inout_bcount(size)
#define __out
#define __out_opt
#define __out_bcount(size)
#define __out_ecount(size)
#define __deref_out
#define __checkReturn
#endif

/* Interrupt level and locks. */
#define _IRQL_requires_(level)
#define _IRQL_requires_max_(level)
#define _IRQL_requires_min_(level)
#define _IRQL_requires_same_
#define _IRQL_raises_(level)
#define _IRQL_saves_
#define _IRQL_restores_
#define _IRQL_saves_global_(kind, parameter)
#define _IRQL_restores_global_(kind, parameter)
#define _IRQL_uses_cancel_
#define _Requires_lock_held_(lock)
#define _Requires_lock_not_held_(lock)
#define _Acquires_lock_(lock)
#define _Releases_lock_(lock)
#define _Acquires_exclusive_lock_(lock)
#define _Releases_exclusive_lock_(lock)
#define _Guarded_by_(lock)
#define _Has_lock_level_(level)
#define _Interlocked_operand_
#define _Kernel_clear_do_init_(answer)
#define _Dispatch_type_(type)
#define _Function_class_DXGK_(name)
#define _IRQL_requires_DXGK_(level)
#define _Field_size_bytes_DXGK_(size)
#define __drv_aliasesMem
#define __drv_allocatesMem(kind)
#define __drv_freesMem(kind)
#define __drv_maxIRQL(level)
#define __drv_requiresIRQL(level)
#define __drv_sameIRQL
#define __drv_functionClass(name)
#define __drv_dispatchType(type)
#define __analysis_assume(expression) ((void)0)

#endif
