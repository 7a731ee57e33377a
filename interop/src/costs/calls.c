/*
 * What calls of the data path take in C: the other half of dev.verbena.interop.CallCosts, which says what the rows
 * are. Prints "NAME NANOSECONDS" for each, the best of as many parts as argv[1] says.
 */
#include <time.h>

#include "ends.h"

#define CALLS 640000
#define LIST 32
#define SIGNALED_EACH 8

static char here[4096], there[4096];

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

static double empty_poll(struct end *end)
{
	struct ibv_wc wc;
	double begin = now();
	for (int i = 0; i < CALLS; i++)
		MUST(ibv_poll_cq(end->cq, 1, &wc) == 0);
	return (now() - begin) / CALLS;
}

static double post_one(struct end *end, struct end *peer)
{
	struct ibv_sge sge = {(uintptr_t)here, 8, end->mr->lkey};
	struct ibv_send_wr wr = {.sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE}, *bad;
	wr.wr.rdma.remote_addr = (uintptr_t)there;
	wr.wr.rdma.rkey = peer->mr->rkey;
	double begin = now();
	for (int i = 1; i <= CALLS; i++) {
		wr.send_flags = i % SIGNALED_EACH ? 0 : IBV_SEND_SIGNALED;
		MUST(!ibv_post_send(end->qp, &wr, &bad));
		if (wr.send_flags)
			poll_one(end);
	}
	return (now() - begin) / CALLS;
}

static double batch(struct end *end, struct end *peer)
{
	struct ibv_qp_ex *qp = ibv_qp_to_qp_ex(end->qp);
	double begin = now();
	for (int i = 0; i < CALLS / LIST; i++) {
		ibv_wr_start(qp);
		for (int n = 1; n <= LIST; n++) {
			qp->wr_id = n;
			qp->wr_flags = n % LIST ? 0 : IBV_SEND_SIGNALED;
			ibv_wr_rdma_write(qp, peer->mr->rkey, (uintptr_t)there);
			ibv_wr_set_sge(qp, end->mr->lkey, (uintptr_t)here, 8);
		}
		MUST(!ibv_wr_complete(qp));
		poll_one(end);
	}
	return (now() - begin) / (CALLS / LIST);
}

int main(int argc, char **argv)
{
	double best[3] = {1e9, 1e9, 1e9};
	struct ibv_context *context = open_first();
	struct end left = make_end(context, here, sizeof(here)), right = make_end(context, there, sizeof(there));
	struct ibv_qp_init_attr_ex init = {.send_cq = left.cq, .recv_cq = left.cq, .qp_type = IBV_QPT_RC, .pd = left.pd,
		.cap = {.max_send_wr = 2 * LIST, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1},
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS, .send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE};
	MUST(left.qp = ibv_create_qp_ex(context, &init));
	connect_ends(&left, &right);
	for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 10); i++) {
		double part[3] = {empty_poll(&left), post_one(&left, &right), batch(&left, &right)};
		for (int row = 0; row < 3; row++)
			best[row] = part[row] < best[row] ? part[row] : best[row];
	}
	printf("empty-poll %.1f\npost-one %.1f\nbatch-of-32 %.1f\n", best[0], best[1], best[2]);
	return 0;
}
