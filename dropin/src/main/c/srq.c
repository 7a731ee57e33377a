/* Shared receive queues and XRC domains. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "events.h"
#include "export.h"
#include "objects.h"
#include "ops.h"
#include "results.h"
#include "stacks.h"

static struct ibv_srq *create(struct ibv_context *context, struct ibv_srq_init_attr_ex *attr)
{
	struct verbena_srq *srq = calloc(1, sizeof(*srq));
	if (!srq)
		return NULL;
	srq->srq.context = context;
	srq->srq.srq_context = attr->srq_context;
	srq->srq.pd = attr->pd;
	pthread_mutex_init(&srq->srq.mutex, NULL);
	pthread_cond_init(&srq->srq.cond, NULL);
	long xrcd = attr->comp_mask & IBV_SRQ_INIT_ATTR_XRCD && attr->xrcd
			    ? ((struct verbena_xrcd *)attr->xrcd)->handle
			    : -1;
	long cq = attr->comp_mask & IBV_SRQ_INIT_ATTR_CQ && attr->cq ? (long)attr->cq->handle : -1;
	long result = CALL(create_srq, attr->pd->handle, attr, xrcd, cq, srq, &srq->srq_num);
	srq = verbena_object_with_events(srq, &srq->srq.mutex, &srq->srq.cond, result);
	return srq ? &srq->srq : NULL;
}

EXPORT struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *attr)
{
	struct ibv_srq_init_attr_ex ex = {
		.srq_context = attr->srq_context,
		.attr = attr->attr,
		.pd = pd,
	};
	struct ibv_srq *srq = create(pd->context, &ex);
	if (srq)
		attr->attr = ex.attr;
	return srq;
}

static struct ibv_srq *create_srq_ex(struct ibv_context *context,
				     struct ibv_srq_init_attr_ex *attr)
{
	const uint32_t known = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD |
			       IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ;
	if (!(attr->comp_mask & IBV_SRQ_INIT_ATTR_PD) || !attr->pd || attr->comp_mask & ~known) {
		errno = attr->comp_mask & ~known ? EOPNOTSUPP : EINVAL;
		return NULL;
	}
	return create(context, attr);
}

EXPORT int ibv_destroy_srq(struct ibv_srq *srq)
{
	struct verbena_srq *own = (struct verbena_srq *)srq;
	return verbena_destroyed(CALL(destroy_srq, srq->handle), own, &srq->mutex, &srq->cond,
				 &srq->events_completed, &own->reported.async);
}

EXPORT int ibv_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask)
{
	return verbena_result(CALL(modify_srq, srq->handle, attr, mask));
}

EXPORT int ibv_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr)
{
	return verbena_result(CALL(query_srq, srq->handle, attr));
}

static int get_srq_num(struct ibv_srq *srq, uint32_t *srq_num)
{
	struct verbena_srq *own = (struct verbena_srq *)srq;
	if (!own->srq_num)
		return verbena_result(-EOPNOTSUPP);
	*srq_num = own->srq_num;
	return 0;
}

static int post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	long result = CALL(post_srq_recv, srq->handle, wr, bad_wr);
	if (result < 0)
		*bad_wr = wr;
	return verbena_posted(result);
}

static struct ibv_xrcd *open_xrcd(struct ibv_context *context, struct ibv_xrcd_init_attr *attr)
{
	const uint32_t both = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS;
	if ((attr->comp_mask & both) != both || attr->comp_mask & ~both) {
		errno = EINVAL;
		return NULL;
	}
	struct verbena_xrcd *xrcd = calloc(1, sizeof(*xrcd));
	if (!xrcd)
		return NULL;
	xrcd->xrcd.context = context;
	xrcd->handle = CALL(open_xrcd, verbena_handle(context), attr->fd, attr->oflags);
	return verbena_object(xrcd, xrcd->handle);
}

static int close_xrcd(struct ibv_xrcd *xrcd)
{
	int error = verbena_result(CALL(close_xrcd, ((struct verbena_xrcd *)xrcd)->handle));
	if (!error)
		free(xrcd);
	return error;
}

void verbena_srq_ops(struct verbs_context *vctx)
{
	vctx->create_srq_ex = create_srq_ex;
	vctx->get_srq_num = get_srq_num;
	vctx->open_xrcd = open_xrcd;
	vctx->close_xrcd = close_xrcd;
	vctx->context.ops.post_srq_recv = post_srq_recv;
}
