/* Shared by the test programs: queue pairs of one process that are connected with each other. */
#ifndef ENDS_H
#define ENDS_H

#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REMOTE (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC)
#define DEPTH 16

/* Ends the program unless this is true. */
#define MUST(what)                                                                                 \
	do {                                                                                       \
		if (!(what)) {                                                                     \
			printf("%s:%d: not true: %s (errno: %s)\n", __FILE__, __LINE__, #what,     \
			       strerror(errno));                                                   \
			fflush(stdout);                                                            \
			_exit(1);                                                                  \
		}                                                                                  \
	} while (0)

struct end {
	struct ibv_pd *pd;
	struct ibv_comp_channel *channel;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	char *buffer;
	size_t size;
};

void _exit(int status);

static inline struct ibv_context *open_first(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	MUST(list && list[0]);
	struct ibv_context *context = ibv_open_device(list[0]);
	MUST(context);
	ibv_free_device_list(list);
	return context;
}

/* An RC queue pair with its own objects; the memory belongs to the caller. */
static inline struct end make_end(struct ibv_context *context, char *buffer, size_t size)
{
	struct end end = {.buffer = buffer, .size = size};
	MUST(end.pd = ibv_alloc_pd(context));
	MUST(end.channel = ibv_create_comp_channel(context));
	MUST(end.cq = ibv_create_cq(context, 2 * DEPTH, buffer, end.channel, 0));
	MUST(end.mr = ibv_reg_mr(end.pd, buffer, size, IBV_ACCESS_LOCAL_WRITE | REMOTE));
	struct ibv_qp_init_attr init = {
		.send_cq = end.cq,
		.recv_cq = end.cq,
		.cap = {.max_send_wr = DEPTH, .max_recv_wr = DEPTH, .max_send_sge = 1,
			.max_recv_sge = 1},
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
	};
	MUST(end.qp = ibv_create_qp(end.pd, &init));
	return end;
}

static inline void connect_to(struct end *end, uint32_t qpn)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = REMOTE};
	MUST(!ibv_modify_qp(end->qp, &attr,
			    IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
	attr = (struct ibv_qp_attr){
		.qp_state = IBV_QPS_RTR,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = qpn,
		.max_dest_rd_atomic = 4,
		.min_rnr_timer = 1,
		.ah_attr = {.is_global = 1, .port_num = 1, .grh = {.hop_limit = 64}},
	};
	MUST(!ibv_query_gid(end->qp->context, 1, 0, &attr.ah_attr.grh.dgid));
	MUST(!ibv_modify_qp(end->qp, &attr,
			    IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				    IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
				    IBV_QP_MIN_RNR_TIMER));
	attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7,
				    .rnr_retry = 7, .max_rd_atomic = 4};
	MUST(!ibv_modify_qp(end->qp, &attr,
			    IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
				    IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC));
}

static inline void connect_ends(struct end *a, struct end *b)
{
	connect_to(a, b->qp->qp_num);
	connect_to(b, a->qp->qp_num);
}

static inline void post_recv(struct end *end, size_t offset, uint32_t length)
{
	struct ibv_sge sge = {(uintptr_t)end->buffer + offset, length, end->mr->lkey};
	struct ibv_recv_wr wr = {.wr_id = offset, .sg_list = &sge, .num_sge = 1}, *bad;
	MUST(!ibv_post_recv(end->qp, &wr, &bad));
}

/* Transfers from an offset of one buffer to the same offset of the other; in reverse for READ. */
static inline void post(struct end *end, enum ibv_wr_opcode opcode, struct end *peer, size_t offset,
			uint32_t length)
{
	struct ibv_sge sge = {(uintptr_t)end->buffer + offset, length, end->mr->lkey};
	struct ibv_send_wr wr = {
		.wr_id = offset, .sg_list = &sge, .num_sge = 1, .opcode = opcode}, *bad;
	wr.wr.rdma.remote_addr = (uintptr_t)peer->buffer + offset;
	wr.wr.rdma.rkey = peer->mr->rkey;
	MUST(!ibv_post_send(end->qp, &wr, &bad));
}

/* Adds 1 at an offset of the peer's memory, or swaps 0 for 0; into its own first bytes. */
static inline void post_atomic(struct end *end, enum ibv_wr_opcode opcode, struct end *peer,
			       size_t offset)
{
	struct ibv_sge sge = {(uintptr_t)end->buffer, 8, end->mr->lkey};
	struct ibv_send_wr wr = {.wr_id = offset, .sg_list = &sge, .num_sge = 1, .opcode = opcode},
			   *bad;
	wr.wr.atomic.remote_addr = (uintptr_t)peer->buffer + offset;
	wr.wr.atomic.rkey = peer->mr->rkey;
	wr.wr.atomic.compare_add = opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
	MUST(!ibv_post_send(end->qp, &wr, &bad));
}

/* The next completion, which must be a success. */
static inline struct ibv_wc poll_one(struct end *end)
{
	struct ibv_wc wc;
	int count;
	while ((count = ibv_poll_cq(end->cq, 1, &wc)) == 0)
		;
	MUST(count == 1);
	if (wc.status) {
		printf("completion: %s\n", ibv_wc_status_str(wc.status));
		fflush(stdout);
		_exit(1);
	}
	return wc;
}

/* The same, but sleeps until it arrives: meanwhile only the device's own threads work. */
static inline struct ibv_wc await_one(struct end *end)
{
	struct ibv_wc wc;
	int count;
	while ((count = ibv_poll_cq(end->cq, 1, &wc)) == 0) {
		struct ibv_cq *cq;
		void *cq_context;
		MUST(!ibv_req_notify_cq(end->cq, 0));
		if ((count = ibv_poll_cq(end->cq, 1, &wc)) != 0)
			break;
		MUST(!ibv_get_cq_event(end->channel, &cq, &cq_context));
		MUST(cq == end->cq && cq_context == end->buffer);
		ibv_ack_cq_events(cq, 1);
	}
	MUST(count == 1);
	MUST(wc.status == IBV_WC_SUCCESS);
	return wc;
}

static inline void close_end(struct end *end)
{
	MUST(!ibv_destroy_qp(end->qp));
	MUST(!ibv_destroy_cq(end->cq));
	MUST(!ibv_destroy_comp_channel(end->channel));
	MUST(!ibv_dereg_mr(end->mr));
	MUST(!ibv_dealloc_pd(end->pd));
}

/* One message from one end to the other, checked. */
static inline void exchange(struct end *from, struct end *to)
{
	memset(to->buffer, 0, 64);
	snprintf(from->buffer, 64, "from queue pair %u", from->qp->qp_num);
	post_recv(to, 0, 64);
	post(from, IBV_WR_SEND, to, 0, 64);
	MUST(poll_one(to).byte_len == 64);
	poll_one(from);
	MUST(!memcmp(from->buffer, to->buffer, 64));
}

#endif
