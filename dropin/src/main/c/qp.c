/* Queue pairs. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "export.h"
#include "objects.h"
#include "ops.h"
#include "results.h"
#include "stacks.h"

static struct verbena_qp *allocate(struct ibv_context *context)
{
	struct verbena_qp *qp = calloc(1, sizeof(*qp));
	if (!qp)
		return NULL;
	struct ibv_qp *base = &qp->ex.qp_base;
	base->context = context;
	pthread_mutex_init(&base->mutex, NULL);
	pthread_cond_init(&base->cond, NULL);
	verbena_wr_ops(qp);
	return qp;
}

static struct ibv_qp *created(struct verbena_qp *qp, long result)
{
	struct ibv_qp *base = &qp->ex.qp_base;
	return verbena_object_with_events(qp, &base->mutex, &base->cond, result) ? base : NULL;
}

/* Handles of a queue pair's parts; -1 for none. */
struct parts {
	int64_t pd, send_cq, recv_cq, srq, xrcd, rwq_ind_tbl;
};

#define HANDLE(object) ((object) ? (int64_t)(object)->handle : -1)

static struct ibv_qp *create(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	struct verbena_qp *qp = allocate(context);
	if (!qp)
		return NULL;
	struct ibv_pd *pd = attr->comp_mask & IBV_QP_INIT_ATTR_PD ? attr->pd : NULL;
	struct verbena_xrcd *xrcd = attr->comp_mask & IBV_QP_INIT_ATTR_XRCD
					    ? (struct verbena_xrcd *)attr->xrcd
					    : NULL;
	struct ibv_rwq_ind_table *table =
		attr->comp_mask & IBV_QP_INIT_ATTR_IND_TABLE ? attr->rwq_ind_tbl : NULL;
	struct parts parts = {HANDLE(pd), HANDLE(attr->send_cq), HANDLE(attr->recv_cq),
			      HANDLE(attr->srq), HANDLE(xrcd),
			      table ? table->ind_tbl_handle : -1};
	struct ibv_qp *base = &qp->ex.qp_base;
	base->qp_context = attr->qp_context;
	base->pd = pd;
	base->send_cq = attr->send_cq;
	base->recv_cq = attr->recv_cq;
	base->srq = attr->srq;
	base->qp_type = attr->qp_type;
	base->state = IBV_QPS_RESET;
	qp->has_send_ops = !!(attr->comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS);
	return created(qp, CALL(create_qp, verbena_handle(context), attr, &parts, qp));
}

EXPORT struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	/* The two structs are the same up to this point. */
	struct ibv_qp_init_attr_ex ex = {0};
	memcpy(&ex, attr, offsetof(struct ibv_qp_init_attr_ex, comp_mask));
	ex.comp_mask = IBV_QP_INIT_ATTR_PD;
	ex.pd = pd;
	struct ibv_qp *qp = create(pd->context, &ex);
	if (qp)
		attr->cap = ex.cap;
	return qp;
}

static struct ibv_qp *create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	const uint32_t known = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_XRCD |
			       IBV_QP_INIT_ATTR_CREATE_FLAGS | IBV_QP_INIT_ATTR_MAX_TSO_HEADER |
			       IBV_QP_INIT_ATTR_IND_TABLE | IBV_QP_INIT_ATTR_RX_HASH |
			       IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
	if (attr->comp_mask & ~known) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	return create(context, attr);
}

static struct ibv_qp *open_qp(struct ibv_context *context, struct ibv_qp_open_attr *attr)
{
	const uint32_t needed = IBV_QP_OPEN_ATTR_NUM | IBV_QP_OPEN_ATTR_XRCD | IBV_QP_OPEN_ATTR_TYPE;
	if ((attr->comp_mask & needed) != needed ||
	    attr->comp_mask & ~(needed | IBV_QP_OPEN_ATTR_CONTEXT)) {
		errno = EINVAL;
		return NULL;
	}
	struct verbena_qp *qp = allocate(context);
	if (!qp)
		return NULL;
	struct ibv_qp *base = &qp->ex.qp_base;
	base->qp_context = attr->comp_mask & IBV_QP_OPEN_ATTR_CONTEXT ? attr->qp_context : NULL;
	base->qp_type = attr->qp_type;
	return created(qp, CALL(open_qp, verbena_handle(context),
				((struct verbena_xrcd *)attr->xrcd)->handle, attr->qp_num,
				attr->qp_type, qp));
}

EXPORT struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *qp)
{
	struct verbena_qp *own = (struct verbena_qp *)qp;
	return own->has_send_ops ? &own->ex : NULL;
}

EXPORT int ibv_destroy_qp(struct ibv_qp *qp)
{
	struct verbena_qp *own = (struct verbena_qp *)qp;
	return verbena_destroyed(CALL(destroy_qp, qp->handle), own, &qp->mutex, &qp->cond,
				 &qp->events_completed, &own->reported.async);
}

EXPORT int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	int error = verbena_result(CALL(modify_qp, qp->handle, attr, mask));
	if (!error && mask & IBV_QP_STATE)
		qp->state = attr->qp_state;
	return error;
}

EXPORT int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
			struct ibv_qp_init_attr *init_attr)
{
	struct ibv_qp_init_attr answer = {
		.qp_context = qp->qp_context,
		.send_cq = qp->send_cq,
		.recv_cq = qp->recv_cq,
		.srq = qp->srq,
		.qp_type = qp->qp_type,
	};
	memset(attr, 0, sizeof(*attr));
	int error = verbena_result(CALL(query_qp, qp->handle, attr, mask, &answer));
	if (!error) {
		*init_attr = answer;
		qp->state = attr->qp_state;
	}
	return error;
}

EXPORT int ibv_query_qp_data_in_order(struct ibv_qp *qp, enum ibv_wr_opcode op, uint32_t flags)
{
	long result = CALL(data_in_order, qp->handle, op, flags);
	return result < 0 ? 0 : (int)result;
}

EXPORT int ibv_set_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	(void)qp;
	/*
	 * Also refused for vendor 0, which has no options: libibverbs refuses it before calling the
	 * provider.
	 */
	(void)ece;
	return verbena_result(-EOPNOTSUPP);
}

EXPORT int ibv_query_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	(void)qp;
	memset(ece, 0, sizeof(*ece));
	return verbena_result(-EOPNOTSUPP);
}

EXPORT int ibv_attach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid)
{
	return verbena_result(CALL(attach_mcast, qp->handle, gid, lid));
}

EXPORT int ibv_detach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid)
{
	return verbena_result(CALL(detach_mcast, qp->handle, gid, lid));
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	long result = CALL(post_send, qp->handle, wr, bad_wr);
	if (result < 0)
		*bad_wr = wr;
	return verbena_posted(result);
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	long result = CALL(post_recv, qp->handle, wr, bad_wr);
	if (result < 0)
		*bad_wr = wr;
	return verbena_posted(result);
}

void verbena_qp_ops(struct verbs_context *vctx)
{
	vctx->create_qp_ex = create_qp_ex;
	vctx->open_qp = open_qp;
	vctx->context.ops.post_send = post_send;
	vctx->context.ops.post_recv = post_recv;
}
