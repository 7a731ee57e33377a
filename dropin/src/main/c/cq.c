/* Completion queues. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "export.h"
#include "objects.h"
#include "ops.h"
#include "results.h"
#include "stacks.h"

static struct verbena_cq *extended(struct ibv_cq_ex *cq)
{
	return (struct verbena_cq *)cq;
}

/* Readers of the entry that start_poll or next_poll found. */
static enum ibv_wc_opcode read_opcode(struct ibv_cq_ex *cq)
{
	return extended(cq)->current.wc.opcode;
}

static uint32_t read_vendor_err(struct ibv_cq_ex *cq)
{
	return extended(cq)->current.wc.vendor_err;
}

static uint32_t read_byte_len(struct ibv_cq_ex *cq)
{
	return extended(cq)->current.wc.byte_len;
}

static __be32 read_imm_data(struct ibv_cq_ex *cq)
{
	return extended(cq)->current.wc.imm_data;
}

static uint32_t read_qp_num(struct ibv_cq_ex *cq)
{
	return extended(cq)->current.wc.qp_num;
}

static uint32_t read_src_qp(struct ibv_cq_ex *cq)
{
	return extended(cq)->current.wc.src_qp;
}

static unsigned int read_wc_flags(struct ibv_cq_ex *cq)
{
	return extended(cq)->current.wc.wc_flags;
}

static uint32_t read_slid(struct ibv_cq_ex *cq)
{
	return extended(cq)->current.wc.slid;
}

static uint8_t read_sl(struct ibv_cq_ex *cq)
{
	return extended(cq)->current.wc.sl;
}

static uint8_t read_dlid_path_bits(struct ibv_cq_ex *cq)
{
	return extended(cq)->current.wc.dlid_path_bits;
}

static uint64_t read_completion_ts(struct ibv_cq_ex *cq)
{
	return extended(cq)->current.ts;
}

static uint64_t read_completion_wallclock_ns(struct ibv_cq_ex *cq)
{
	return extended(cq)->current.wallclock_ns;
}

static int start_poll(struct ibv_cq_ex *cq, struct ibv_poll_cq_attr *attr)
{
	if (attr && attr->comp_mask)
		return EINVAL;
	return verbena_posted(CALL(start_poll, cq->handle, cq, &extended(cq)->current));
}

static int next_poll(struct ibv_cq_ex *cq)
{
	return verbena_posted(CALL(next_poll, cq->handle, cq, &extended(cq)->current));
}

static void end_poll(struct ibv_cq_ex *cq)
{
	CALL(end_poll, cq->handle);
}

static struct verbena_cq *create(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr,
				 int is_extended)
{
	struct verbena_cq *cq = calloc(1, sizeof(*cq));
	if (!cq)
		return NULL;
	cq->ex.context = context;
	cq->ex.channel = attr->channel;
	cq->ex.cq_context = attr->cq_context;
	pthread_mutex_init(&cq->ex.mutex, NULL);
	pthread_cond_init(&cq->ex.cond, NULL);
	cq->ex.start_poll = start_poll;
	cq->ex.next_poll = next_poll;
	cq->ex.end_poll = end_poll;
	cq->ex.read_opcode = read_opcode;
	cq->ex.read_vendor_err = read_vendor_err;
	cq->ex.read_byte_len = read_byte_len;
	cq->ex.read_imm_data = read_imm_data;
	cq->ex.read_qp_num = read_qp_num;
	cq->ex.read_src_qp = read_src_qp;
	cq->ex.read_wc_flags = read_wc_flags;
	cq->ex.read_slid = read_slid;
	cq->ex.read_sl = read_sl;
	cq->ex.read_dlid_path_bits = read_dlid_path_bits;
	cq->ex.read_completion_ts = read_completion_ts;
	cq->ex.read_completion_wallclock_ns = read_completion_wallclock_ns;
	long channel = attr->channel ? ((struct verbena_channel *)attr->channel)->handle : -1;
	long domain = attr->comp_mask & IBV_CQ_INIT_ATTR_MASK_PD && attr->parent_domain
			      ? (long)attr->parent_domain->handle
			      : -1;
	long result = CALL(create_cq, verbena_handle(context), attr, channel, domain, is_extended,
			   cq);
	cq = verbena_object_with_events(cq, &cq->ex.mutex, &cq->ex.cond, result);
	if (cq && attr->channel) {
		pthread_mutex_lock(&context->mutex);
		attr->channel->refcnt++;
		pthread_mutex_unlock(&context->mutex);
	}
	return cq;
}

EXPORT struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context,
				    struct ibv_comp_channel *channel, int comp_vector)
{
	/* Negative numbers stay out of range when converted to unsigned. */
	struct ibv_cq_init_attr_ex attr = {
		.cqe = (uint32_t)cqe,
		.cq_context = cq_context,
		.channel = channel,
		.comp_vector = (uint32_t)comp_vector,
	};
	return (struct ibv_cq *)create(context, &attr, 0);
}

static struct ibv_cq_ex *create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr)
{
	const uint32_t known = IBV_CQ_INIT_ATTR_MASK_FLAGS | IBV_CQ_INIT_ATTR_MASK_PD;
	if (attr->comp_mask & ~known) {
		errno = EINVAL;
		return NULL;
	}
	return (struct ibv_cq_ex *)create(context, attr, 1);
}

EXPORT int ibv_resize_cq(struct ibv_cq *cq, int cqe)
{
	long result = CALL(resize_cq, cq->handle, cqe);
	if (result >= 0)
		cq->cqe = (int)result;
	return verbena_result(result);
}

static int modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr)
{
	if (attr->attr_mask != IBV_CQ_ATTR_MODERATE)
		return verbena_result(-EINVAL);
	return verbena_result(
		CALL(modify_cq, cq->handle, attr->moderate.cq_count, attr->moderate.cq_period));
}

EXPORT int ibv_destroy_cq(struct ibv_cq *cq)
{
	struct verbena_cq *own = (struct verbena_cq *)cq;
	int error = verbena_result(CALL(destroy_cq, cq->handle));
	if (error)
		return error;
	verbena_await_acks(&cq->mutex, &cq->cond, &cq->comp_events_completed, own->reported.comp);
	verbena_await_acks(&cq->mutex, &cq->cond, &cq->async_events_completed, own->reported.async);
	if (cq->channel) {
		pthread_mutex_lock(&cq->context->mutex);
		cq->channel->refcnt--;
		pthread_mutex_unlock(&cq->context->mutex);
	}
	pthread_cond_destroy(&cq->cond);
	pthread_mutex_destroy(&cq->mutex);
	free(own);
	return 0;
}

static int req_notify_cq(struct ibv_cq *cq, int solicited_only)
{
	return verbena_result(CALL(req_notify_cq, cq->handle, solicited_only));
}

static int poll_cq(struct ibv_cq *cq, int num_entries, struct ibv_wc *wc)
{
	return (int)CALL(poll_cq, cq->handle, num_entries, wc);
}

void verbena_cq_ops(struct verbs_context *vctx)
{
	vctx->create_cq_ex = create_cq_ex;
	vctx->modify_cq = modify_cq;
	vctx->context.ops.poll_cq = poll_cq;
	vctx->context.ops.req_notify_cq = req_notify_cq;
}
