/* Domains, regions, windows and address handles. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "calls.h"
#include "export.h"
#include "later.h"
#include "objects.h"
#include "ops.h"
#include "results.h"
#include "stacks.h"
#include "vanished.h"

/* Kernel headers since Debian 12 have these; an older kernel returns EINVAL. */
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

EXPORT struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct ibv_pd *pd = calloc(1, sizeof(*pd));
	if (!pd)
		return NULL;
	pd->context = context;
	return verbena_object(pd, CALL(alloc_pd, verbena_handle(context), pd));
}

EXPORT int ibv_dealloc_pd(struct ibv_pd *pd)
{
	int error = verbena_result(CALL(dealloc_pd, pd->handle));
	if (!error)
		free(pd);
	return error;
}

static struct ibv_td *alloc_td(struct ibv_context *context, struct ibv_td_init_attr *attr)
{
	struct verbena_td *td = calloc(1, sizeof(*td));
	if (!td)
		return NULL;
	td->td.context = context;
	td->handle = attr->comp_mask ? -EINVAL : CALL(alloc_td, verbena_handle(context));
	return verbena_object(td, td->handle);
}

static int dealloc_td(struct ibv_td *td)
{
	int error = verbena_result(CALL(dealloc_td, ((struct verbena_td *)td)->handle));
	if (!error)
		free(td);
	return error;
}

/*
 * The program's allocators are for a provider's queues in its memory; ours are in Java. The
 * permission need not be used: the device is part of the program and can access all its memory, in
 * a confidential guest too.
 */
static struct ibv_pd *alloc_parent_domain(struct ibv_context *context,
					  struct ibv_parent_domain_init_attr *attr)
{
	const uint32_t known = IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS |
			       IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT |
			       VERBENA_PARENT_DOMAIN_ALLOW_CC_UNPROTECTED_ALLOC;
	if (!attr->pd || attr->comp_mask & ~known) {
		errno = EINVAL;
		return NULL;
	}
	struct ibv_pd *pd = calloc(1, sizeof(*pd));
	if (!pd)
		return NULL;
	pd->context = context;
	long td = attr->td ? ((struct verbena_td *)attr->td)->handle : -1;
	return verbena_object(
		pd, CALL(alloc_parent_domain, verbena_handle(context), attr->pd->handle, td, pd));
}

static uintptr_t page_size(void)
{
	return (uintptr_t)sysconf(_SC_PAGESIZE);
}

/* Touches every page, as pinning would: EFAULT if one is missing or not writable. 0 or errno. */
static int probe(void *addr, size_t length, int access)
{
	if (!length || access & IBV_ACCESS_ON_DEMAND)
		return 0;
	uintptr_t page = page_size();
	uintptr_t begin = (uintptr_t)addr & ~(page - 1);
	uintptr_t end = ((uintptr_t)addr + length + page - 1) & ~(page - 1);
	if ((uintptr_t)addr + length < (uintptr_t)addr || end < begin)
		return EFAULT;
	int advice = access & IBV_ACCESS_LOCAL_WRITE ? MADV_POPULATE_WRITE : MADV_POPULATE_READ;
	if (!madvise((void *)begin, end - begin, advice))
		return 0;
	if (errno != EINVAL)
		return errno == ENOMEM ? EFAULT : errno;
	/*
	 * Either the memory is mapped with too few rights, or the kernel is older than 5.14: then
	 * this fails for a page of the stack too.
	 */
	if (!madvise((void *)((uintptr_t)&page & ~(page - 1)), page, MADV_POPULATE_READ))
		return EFAULT;
	unsigned char *resident = malloc((end - begin) / page);
	int error = !resident ? ENOMEM
		    : mincore((void *)begin, end - begin, resident) ? EFAULT : 0;
	free(resident);
	return error;
}

static int add_range(struct ibv_context *context, const void *addr, size_t length)
{
	uintptr_t begin = (uintptr_t)addr;
	return verbena_range_add(verbena_context(context)->opened, begin, begin + length);
}

static void remove_range(struct ibv_context *context, const void *addr, size_t length)
{
	uintptr_t begin = (uintptr_t)addr;
	verbena_range_remove(verbena_context(context)->opened, begin, begin + length);
}

static struct ibv_mr *reg_mr(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
			     unsigned int access)
{
	/*
	 * The kernel makes the adapter map whole pages, and requires the same offset in the first
	 * one.
	 */
	int is_shifted = (((uintptr_t)addr ^ iova) & (page_size() - 1)) != 0;
	int error = is_shifted ? EINVAL : probe(addr, length, (int)access);
	if (error) {
		errno = error;
		return NULL;
	}
	struct verbena_mr *own = calloc(1, sizeof(*own));
	if (!own)
		return NULL;
	own->access = (int)access;
	struct ibv_mr *mr = &own->mr;
	mr->context = pd->context;
	mr->pd = pd;
	mr->addr = addr;
	mr->length = length;
	mr = verbena_object(mr, CALL(reg_mr, pd->handle, addr, length, iova, access, mr));
	if (mr && add_range(mr->context, addr, length)) {
		CALL(dereg_mr, mr->handle);
		return verbena_object(mr, -ENOMEM);
	}
	return mr;
}

#undef ibv_reg_mr
EXPORT struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access)
{
	return reg_mr(pd, addr, length, (uintptr_t)addr, (unsigned int)access);
}

#undef ibv_reg_mr_iova
EXPORT struct ibv_mr *ibv_reg_mr_iova(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
				      int access)
{
	return reg_mr(pd, addr, length, iova, (unsigned int)access);
}

EXPORT struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
				       unsigned int access)
{
	return reg_mr(pd, addr, length, iova, access);
}

EXPORT struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length,
					uint64_t iova, int fd, int access)
{
	(void)pd, (void)offset, (void)length, (void)iova, (void)fd, (void)access;
	errno = EOPNOTSUPP;
	return NULL;
}

EXPORT int ibv_rereg_mr(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *addr, size_t length,
			int access)
{
	int moves = flags & IBV_REREG_MR_CHANGE_TRANSLATION;
	if (!verbena_is_running() && verbena_unreachable())
		return IBV_REREG_MR_ERR_CMD;
	/* Only the context that registered a region has its address; a null region has none. */
	if (!mr->addr || flags & ~IBV_REREG_MR_FLAGS_SUPPORTED || (moves && (!addr || !length)) ||
	    (access && !(flags & IBV_REREG_MR_CHANGE_ACCESS))) {
		errno = EINVAL;
		return IBV_REREG_MR_ERR_INPUT;
	}
	int *present = &((struct verbena_mr *)mr)->access;
	int wanted = flags & IBV_REREG_MR_CHANGE_ACCESS ? access : *present;
	/*
	 * Check before a peer may access it: memory that the device cannot write would end the
	 * process.
	 */
	int error = moves			? probe(addr, length, wanted)
		    : wanted & ~*present	? probe(mr->addr, mr->length, wanted)
						: 0;
	if (!error && moves)
		error = add_range(mr->context, addr, length);
	if (error) {
		errno = error;
		return IBV_REREG_MR_ERR_CMD;
	}
	long pd_handle = flags & IBV_REREG_MR_CHANGE_PD && pd ? (long)pd->handle : -1;
	error = verbena_result(CALL(rereg_mr, mr->handle, flags, pd_handle, addr, length, access));
	if (moves)
		remove_range(mr->context, error ? addr : mr->addr, error ? length : mr->length);
	if (error)
		return error == EINVAL ? IBV_REREG_MR_ERR_INPUT : IBV_REREG_MR_ERR_CMD;
	*present = wanted;
	if (flags & IBV_REREG_MR_CHANGE_PD)
		mr->pd = pd;
	if (moves) {
		mr->addr = addr;
		mr->length = length;
	}
	return 0;
}

EXPORT int ibv_dereg_mr(struct ibv_mr *mr)
{
	int error = verbena_result(CALL(dereg_mr, mr->handle));
	if (!error) {
		if (mr->addr)
			remove_range(mr->context, mr->addr, mr->length);
		free(mr);
	}
	return error;
}

static struct ibv_mr *alloc_null_mr(struct ibv_pd *pd)
{
	struct ibv_mr *mr = calloc(1, sizeof(struct verbena_mr));
	if (!mr)
		return NULL;
	mr->context = pd->context;
	mr->pd = pd;
	mr->length = SIZE_MAX;
	return verbena_object(mr, CALL(alloc_null_mr, pd->handle, mr));
}

static struct ibv_mw *alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type)
{
	struct ibv_mw *mw = calloc(1, sizeof(*mw));
	if (!mw)
		return NULL;
	mw->context = pd->context;
	mw->pd = pd;
	mw->type = type;
	return verbena_object(mw, CALL(alloc_mw, pd->handle, type, mw));
}

static int dealloc_mw(struct ibv_mw *mw)
{
	int error = verbena_result(CALL(dealloc_mw, mw->handle));
	if (!error)
		free(mw);
	return error;
}

/* Java writes the new rkey into the window. */
static int bind_mw(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind)
{
	return verbena_result(CALL(bind_mw, qp->handle, mw, bind));
}

EXPORT struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	struct ibv_ah *ah = calloc(1, sizeof(*ah));
	if (!ah)
		return NULL;
	ah->context = pd->context;
	ah->pd = pd;
	return verbena_object(ah, CALL(create_ah, pd->handle, attr, ah));
}

EXPORT int ibv_destroy_ah(struct ibv_ah *ah)
{
	int error = verbena_result(CALL(destroy_ah, ah->handle));
	if (!error)
		free(ah);
	return error;
}

EXPORT int ibv_init_ah_from_wc(struct ibv_context *context, uint8_t port_num, struct ibv_wc *wc,
			       struct ibv_grh *grh, struct ibv_ah_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	return verbena_result(
		       CALL(init_ah_from_wc, verbena_handle(context), port_num, wc, grh, attr))
		       ? -1
		       : 0;
}

EXPORT struct ibv_ah *ibv_create_ah_from_wc(struct ibv_pd *pd, struct ibv_wc *wc,
					    struct ibv_grh *grh, uint8_t port_num)
{
	struct ibv_ah_attr attr;
	return ibv_init_ah_from_wc(pd->context, port_num, wc, grh, &attr) ? NULL
									  : ibv_create_ah(pd, &attr);
}

void verbena_memory_ops(struct verbs_context *vctx)
{
	vctx->alloc_td = alloc_td;
	vctx->dealloc_td = dealloc_td;
	vctx->alloc_parent_domain = alloc_parent_domain;
	vctx->alloc_null_mr = alloc_null_mr;
	vctx->context.ops.alloc_mw = alloc_mw;
	vctx->context.ops.dealloc_mw = dealloc_mw;
	vctx->context.ops.bind_mw = bind_mw;
}
