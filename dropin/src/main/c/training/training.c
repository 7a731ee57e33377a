/*
 * Does what an ordinary program does with verbs: connect, register, send, write, read, wait for
 * events, poll. bin/verbena runs it once after a build, while Java records the classes and methods
 * used, so that later programs start faster. In C, so that the calls from C to Java are trained
 * too.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <infiniband/verbs.h>
#include <jni.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Enough for the JVM's compiler to compile the data path. */
#define ROUNDS 20000
#define EVENT_ROUNDS 50
#define SIZE 4096
#define ALL (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_mr *mr;
static struct ibv_comp_channel *channel;
static struct ibv_cq *cq;
static char memory[SIZE] __attribute__((aligned(SIZE)));

/* Exits with a message unless ok. */
static void need(int ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "training: ");
		perror(what);
		exit(1);
	}
}

static void open_device(void)
{
	int count;
	struct ibv_device **list = ibv_get_device_list(&count);
	need(list && count > 0, "ibv_get_device_list");
	context = ibv_open_device(list[0]);
	need(context != NULL, "ibv_open_device");
	ibv_free_device_list(list);

	struct ibv_device_attr attr;
	struct ibv_device_attr_ex attr_ex;
	struct ibv_query_device_ex_input input = {0};
	need(!ibv_query_device(context, &attr), "ibv_query_device");
	need(!ibv_query_device_ex(context, &input, &attr_ex), "ibv_query_device_ex");

	pd = ibv_alloc_pd(context);
	need(pd != NULL, "ibv_alloc_pd");
	int access = ALL;
	mr = ibv_reg_mr(pd, memory, SIZE, access);
	need(mr != NULL, "ibv_reg_mr");
	channel = ibv_create_comp_channel(context);
	need(channel != NULL, "ibv_create_comp_channel");
	cq = ibv_create_cq(context, 64, NULL, channel, 0);
	need(cq != NULL, "ibv_create_cq");
}

static struct ibv_qp *create(void)
{
	struct ibv_qp_init_attr init = {
	    .send_cq = cq,
	    .recv_cq = cq,
	    .cap = {.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1},
	    .qp_type = IBV_QPT_RC,
	};
	struct ibv_qp *qp = ibv_create_qp(pd, &init);
	need(qp != NULL, "ibv_create_qp");
	return qp;
}

static struct ibv_qp *create_ex(void)
{
	struct ibv_qp_init_attr_ex init = {
	    .send_cq = cq,
	    .recv_cq = cq,
	    .cap = {.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1},
	    .qp_type = IBV_QPT_RC,
	    .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
	    .pd = pd,
	    .send_ops_flags = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_RDMA_WRITE,
	};
	struct ibv_qp *qp = ibv_create_qp_ex(context, &init);
	need(qp != NULL, "ibv_create_qp_ex");
	return qp;
}

static void connect_to(struct ibv_qp *qp, uint32_t peer)
{
	struct ibv_port_attr port;
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = ALL};
	need(!ibv_query_port(context, 1, &port), "ibv_query_port");
	need(!ibv_modify_qp(qp, &attr,
			    IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
	     "ibv_modify_qp to INIT");

	attr = (struct ibv_qp_attr){
	    .qp_state = IBV_QPS_RTR,
	    .path_mtu = port.active_mtu,
	    .dest_qp_num = peer,
	    .max_dest_rd_atomic = 1,
	    .min_rnr_timer = 12,
	    .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.hop_limit = 1}},
	};
	need(!ibv_query_gid(context, 1, 0, &attr.ah_attr.grh.dgid), "ibv_query_gid");
	need(!ibv_modify_qp(qp, &attr,
			    IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER),
	     "ibv_modify_qp to RTR");

	attr.qp_state = IBV_QPS_RTS;
	attr.timeout = 14;
	attr.retry_cnt = 7;
	attr.rnr_retry = 7;
	attr.max_rd_atomic = 1;
	need(!ibv_modify_qp(qp, &attr,
			    IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
				IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC),
	     "ibv_modify_qp to RTS");
}

/* Polls until there have been count completions, all successful. */
static void complete(int count)
{
	struct ibv_wc wc[2];
	while (count > 0) {
		int polled = ibv_poll_cq(cq, 2, wc);
		need(polled >= 0, "ibv_poll_cq");
		for (int i = 0; i < polled; i++)
			need(wc[i].status == IBV_WC_SUCCESS, ibv_wc_status_str(wc[i].status));
		count -= polled;
	}
}

static void post(struct ibv_qp *qp, enum ibv_wr_opcode opcode)
{
	struct ibv_sge sge = {.addr = (uintptr_t)memory, .length = 64, .lkey = mr->lkey};
	struct ibv_send_wr *bad, wr = {.sg_list = &sge,
				       .num_sge = 1,
				       .opcode = opcode,
				       .send_flags = IBV_SEND_SIGNALED,
				       .wr.rdma = {(uintptr_t)memory + SIZE / 2, mr->rkey}};
	need(!ibv_post_send(qp, &wr, &bad), "ibv_post_send");
}

static void post_ex(struct ibv_qp *qp)
{
	struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(qp);
	ibv_wr_start(ex);
	ex->wr_id = 1;
	ex->wr_flags = IBV_SEND_SIGNALED;
	ibv_wr_rdma_write(ex, mr->rkey, (uintptr_t)memory + SIZE / 2);
	ibv_wr_set_sge(ex, mr->lkey, (uintptr_t)memory, 64);
	need(!ibv_wr_complete(ex), "ibv_wr_complete");
}

static void receive(struct ibv_qp *qp)
{
	struct ibv_sge sge = {.addr = (uintptr_t)memory + SIZE / 2, .length = 64, .lkey = mr->lkey};
	struct ibv_recv_wr *bad, wr = {.sg_list = &sge, .num_sge = 1};
	need(!ibv_post_recv(qp, &wr, &bad), "ibv_post_recv");
}

static void by_event(struct ibv_qp *qp)
{
	struct ibv_cq *ready;
	void *cookie;
	need(!ibv_req_notify_cq(cq, 0), "ibv_req_notify_cq");
	post(qp, IBV_WR_RDMA_WRITE);
	need(!ibv_get_cq_event(channel, &ready, &cookie), "ibv_get_cq_event");
	ibv_ack_cq_events(ready, 1);
	complete(1);
}

static void traffic(struct ibv_qp *a, struct ibv_qp *b)
{
	for (int i = 0; i < ROUNDS; i++) {
		receive(b);
		post(a, IBV_WR_SEND);
		complete(2);
		if (i % 8 == 0) {
			post(a, IBV_WR_RDMA_WRITE);
			complete(1);
			post(a, IBV_WR_RDMA_READ);
			complete(1);
			post_ex(b);
			complete(1);
		}
	}
	for (int i = 0; i < EVENT_ROUNDS; i++)
		by_event(a);
}

/* The JVM writes its record when it ends, but not when its process ends. */
static void end_java(void)
{
	jint (*present)(JavaVM **, jsize, jsize *) =
	    (jint(*)(JavaVM **, jsize, jsize *))dlsym(RTLD_DEFAULT, "JNI_GetCreatedJavaVMs");
	JavaVM *vm;
	jsize count = 0;
	need(present && present(&vm, 1, &count) == JNI_OK && count == 1, "JNI_GetCreatedJavaVMs");
	need((*vm)->DestroyJavaVM(vm) == JNI_OK, "DestroyJavaVM");
	/* Skip exit handlers, which would call Java. */
	_Exit(0);
}

int main(void)
{
	open_device();
	struct ibv_qp *a = create(), *b = create_ex();
	connect_to(a, b->qp_num);
	connect_to(b, a->qp_num);
	traffic(a, b);
	need(!ibv_destroy_qp(a), "ibv_destroy_qp");
	need(!ibv_destroy_qp(b), "ibv_destroy_qp");
	need(!ibv_destroy_cq(cq), "ibv_destroy_cq");
	need(!ibv_destroy_comp_channel(channel), "ibv_destroy_comp_channel");
	need(!ibv_dereg_mr(mr), "ibv_dereg_mr");
	need(!ibv_dealloc_pd(pd), "ibv_dealloc_pd");
	need(!ibv_close_device(context), "ibv_close_device");
	end_java();
}
