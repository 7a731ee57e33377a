/* Work queues, and the tables from which hashing queue pairs select one. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdlib.h>

#include "events.h"
#include "objects.h"
#include "ops.h"
#include "results.h"
#include "stacks.h"

static int post_recv(struct ibv_wq *wq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	long result = CALL(post_wq_recv, wq->handle, wr, bad_wr);
	if (result < 0)
		*bad_wr = wr;
	return verbena_posted(result);
}

static struct ibv_wq *create_wq(struct ibv_context *context, struct ibv_wq_init_attr *attr)
{
	const uint32_t flags = attr->comp_mask & IBV_WQ_INIT_ATTR_FLAGS ? attr->create_flags : 0;
	if (flags || attr->comp_mask & ~IBV_WQ_INIT_ATTR_FLAGS) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	if (attr->wq_type != IBV_WQT_RQ || !attr->pd || !attr->cq) {
		errno = EINVAL;
		return NULL;
	}
	struct verbena_wq *wq = calloc(1, sizeof(*wq));
	if (!wq)
		return NULL;
	/* The program's inline function initialises the mutex and the condition. */
	wq->wq.context = context;
	wq->wq.pd = attr->pd;
	wq->wq.cq = attr->cq;
	wq->wq.state = IBV_WQS_RESET;
	wq->wq.wq_type = attr->wq_type;
	wq->wq.post_recv = post_recv;
	wq = verbena_object(wq, CALL(create_wq, verbena_handle(context), attr->pd->handle,
				     attr->cq->handle, attr->max_wr, attr->max_sge, wq));
	return wq ? &wq->wq : NULL;
}

static int modify_wq(struct ibv_wq *wq, struct ibv_wq_attr *attr)
{
	const uint32_t known = IBV_WQ_ATTR_STATE | IBV_WQ_ATTR_CURR_STATE;
	if (attr->attr_mask & ~known)
		return verbena_result(-EOPNOTSUPP);
	if (attr->attr_mask & IBV_WQ_ATTR_CURR_STATE && attr->curr_wq_state != wq->state)
		return verbena_result(-EINVAL);
	if (!(attr->attr_mask & IBV_WQ_ATTR_STATE))
		return 0;
	int error = verbena_result(CALL(modify_wq, wq->handle, attr->wq_state));
	if (!error)
		wq->state = attr->wq_state;
	return error;
}

static int destroy_wq(struct ibv_wq *wq)
{
	struct verbena_wq *own = (struct verbena_wq *)wq;
	int error = verbena_result(CALL(destroy_wq, wq->handle));
	if (!error) {
		verbena_await_acks(&wq->mutex, &wq->cond, &wq->events_completed,
				   own->reported.async);
		free(own);
	}
	return error;
}

static struct ibv_rwq_ind_table *
create_rwq_ind_table(struct ibv_context *context, struct ibv_rwq_ind_table_init_attr *attr)
{
	if (attr->comp_mask || attr->log_ind_tbl_size >= 32) {
		errno = attr->comp_mask ? EOPNOTSUPP : EINVAL;
		return NULL;
	}
	struct ibv_rwq_ind_table *table = calloc(1, sizeof(*table));
	if (!table)
		return NULL;
	table->context = context;
	return verbena_object(table, CALL(create_rwq_ind_table, verbena_handle(context),
					  attr->log_ind_tbl_size, attr->ind_tbl, table));
}

static int destroy_rwq_ind_table(struct ibv_rwq_ind_table *table)
{
	int error = verbena_result(CALL(destroy_rwq_ind_table, table->ind_tbl_handle));
	if (!error)
		free(table);
	return error;
}

void verbena_wq_ops(struct verbs_context *vctx)
{
	vctx->create_wq = create_wq;
	vctx->modify_wq = modify_wq;
	vctx->destroy_wq = destroy_wq;
	vctx->create_rwq_ind_table = create_rwq_ind_table;
	vctx->destroy_rwq_ind_table = destroy_rwq_ind_table;
}
