/*
 * Functions of releases after 44, except for queue pairs: buffers, and features that no software
 * device has.
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "later.h"
#include "results.h"

/*
 * struct ibv_buf, which is opaque to programs. Ordinary memory, because the device can access all
 * of it.
 */
struct verbena_buf {
	struct ibv_pd *pd;
	void *addr;
	size_t size;
};

static void *refused(int error)
{
	errno = error;
	return NULL;
}

EXPORT void *ibv_alloc_buf(struct ibv_pd *pd, size_t size, struct ibv_buf **buf)
{
	struct verbena_buf *own = calloc(1, sizeof(*own));
	if (!own)
		return NULL;
	int error = posix_memalign(&own->addr, (size_t)sysconf(_SC_PAGESIZE), size);
	if (error) {
		free(own);
		return refused(error);
	}
	own->pd = pd;
	own->size = size;
	*buf = (struct ibv_buf *)own;
	return own->addr;
}

EXPORT void ibv_free_buf(struct ibv_buf *buf)
{
	struct verbena_buf *own = (struct verbena_buf *)buf;
	free(own->addr);
	free(own);
}

EXPORT int ibv_export_buf_dmabuf_fd(struct ibv_buf *buf)
{
	(void)buf;
	errno = ENODATA;
	return -1;
}

/* Whether a range of a buffer is being registered by the domain for which it was allocated. */
static int is_in(const struct verbena_mr_init_attr *attr, const struct ibv_pd *pd)
{
	const struct verbena_buf *buf = (const struct verbena_buf *)attr->buf;
	uintptr_t offset = (uintptr_t)attr->addr - (uintptr_t)buf->addr;
	return pd == buf->pd && attr->comp_mask & VERBENA_MR_ADDR &&
	       !(attr->comp_mask & (VERBENA_MR_FD | VERBENA_MR_FD_OFFSET)) && offset <= buf->size &&
	       attr->length <= buf->size - offset;
}

static struct ibv_mr *reg_dmabuf(struct ibv_pd *pd, const struct verbena_mr_init_attr *attr)
{
	const uint64_t needed = VERBENA_MR_FD | VERBENA_MR_FD_OFFSET | VERBENA_MR_IOVA;
	if (attr->comp_mask != needed)
		return refused(EINVAL);
	return ibv_reg_dmabuf_mr(pd, attr->fd_offset, attr->length, attr->iova, attr->fd, attr->access);
}

EXPORT struct ibv_mr *ibv_reg_mr_ex(struct ibv_pd *pd, struct ibv_mr_init_attr *init)
{
	const struct verbena_mr_init_attr *attr = (const struct verbena_mr_init_attr *)init;
	const uint64_t known = VERBENA_MR_IOVA | VERBENA_MR_ADDR | VERBENA_MR_FD | VERBENA_MR_FD_OFFSET |
			       VERBENA_MR_BUF;
	if (attr->comp_mask & ~known)
		return refused(EOPNOTSUPP);
	if (attr->comp_mask & VERBENA_MR_BUF && !is_in(attr, pd))
		return refused(EINVAL);
	if (attr->comp_mask & (VERBENA_MR_FD | VERBENA_MR_FD_OFFSET))
		return reg_dmabuf(pd, attr);
	if (!(attr->comp_mask & VERBENA_MR_ADDR))
		return refused(EINVAL);
	uint64_t iova = attr->comp_mask & VERBENA_MR_IOVA ? attr->iova : (uintptr_t)attr->addr;
	return ibv_reg_mr_iova2(pd, attr->addr, attr->length, iova, (unsigned int)attr->access);
}

EXPORT struct ibv_mr *ibv_reg_buf_mr(struct ibv_pd *pd, struct ibv_buf *buf, void *addr, size_t length,
				     int access)
{
	struct verbena_mr_init_attr attr = {
		.length = length,
		.access = access,
		.comp_mask = VERBENA_MR_BUF | VERBENA_MR_ADDR,
		.addr = addr,
		.buf = buf,
	};
	return ibv_reg_mr_ex(pd, (struct ibv_mr_init_attr *)&attr);
}

/* Handles say which processor's cache a PCI device should write to; here there is no bus. */
EXPORT struct ibv_dmah *ibv_alloc_dmah(struct ibv_context *context, struct ibv_dmah_init_attr *attr)
{
	(void)context, (void)attr;
	return refused(EOPNOTSUPP);
}

EXPORT int ibv_dealloc_dmah(struct ibv_dmah *dmah)
{
	(void)dmah;
	return verbena_result(-EOPNOTSUPP);
}

EXPORT int ibv_dm_export_dmabuf_fd(struct ibv_dm *dm)
{
	(void)dm;
	errno = EOPNOTSUPP;
	return -1;
}

/* Counters that programs read instead of completions. */
EXPORT int _ibv_query_comp_cntr_caps(struct ibv_context *context, struct ibv_comp_cntr_caps *caps,
				     size_t size)
{
	(void)context;
	memset(caps, 0, size);
	return verbena_result(-EOPNOTSUPP);
}

EXPORT struct ibv_comp_cntr *ibv_create_comp_cntr(struct ibv_context *context,
						  struct ibv_comp_cntr_init_attr *attr)
{
	(void)context, (void)attr;
	return refused(EOPNOTSUPP);
}

/* There is no counter with which to call the other functions. */
EXPORT int ibv_destroy_comp_cntr(struct ibv_comp_cntr *counter)
{
	(void)counter;
	return verbena_result(-EOPNOTSUPP);
}

#define COUNTER(name, type)                                                                        \
	EXPORT int name(struct ibv_comp_cntr *counter, type argument)                              \
	{                                                                                          \
		(void)counter, (void)argument;                                                     \
		return verbena_result(-EOPNOTSUPP);                                                \
	}

COUNTER(ibv_set_comp_cntr, uint64_t)
COUNTER(ibv_set_err_comp_cntr, uint64_t)
COUNTER(ibv_inc_comp_cntr, uint64_t)
COUNTER(ibv_inc_err_comp_cntr, uint64_t)
COUNTER(ibv_read_comp_cntr, uint64_t *)
COUNTER(ibv_read_err_comp_cntr, uint64_t *)

EXPORT int ibv_qp_attach_comp_cntr(struct ibv_qp *qp, struct ibv_comp_cntr *counter,
				   struct ibv_qp_attach_comp_cntr_attr *attr)
{
	(void)qp, (void)counter, (void)attr;
	return verbena_result(-EOPNOTSUPP);
}
