/* Receives frames, for which the device starts a thread: only this thread may receive a signal. */
#include <dirent.h>
#include <signal.h>

#include "ends.h"

static char buffer[4096];

static void receive(struct ibv_context *context)
{
	struct end end = make_end(context, buffer, sizeof(buffer));
	struct ibv_qp_init_attr init = {
		.send_cq = end.cq,
		.recv_cq = end.cq,
		.cap = {.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1},
		.qp_type = IBV_QPT_RAW_PACKET,
	};
	struct ibv_qp *qp = ibv_create_qp(end.pd, &init);
	MUST(qp);
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1};
	MUST(!ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PORT));
	attr.qp_state = IBV_QPS_RTR;
	MUST(!ibv_modify_qp(qp, &attr, IBV_QP_STATE));
	struct ibv_flow_attr all = {
		.size = sizeof(all), .type = IBV_FLOW_ATTR_ALL_DEFAULT, .port = 1};
	MUST(ibv_create_flow(qp, &all));
}

/* The mask of the signals that a thread blocks. */
static unsigned long blocked(const char *thread)
{
	char path[300], line[256];
	unsigned long mask = 0;
	snprintf(path, sizeof(path), "/proc/self/task/%s/status", thread);
	FILE *status = fopen(path, "r");
	while (status && fgets(line, sizeof(line), status))
		sscanf(line, "SigBlk: %lx", &mask);
	if (status)
		fclose(status);
	return mask;
}

int main(void)
{
	const unsigned long wanted = 1ul << (SIGTERM - 1) | 1ul << (SIGUSR1 - 1);
	int open_to_signals = 0, threads = 0;
	receive(open_first());
	DIR *all = opendir("/proc/self/task");
	MUST(all);
	for (struct dirent *each; (each = readdir(all));) {
		if (each->d_name[0] == '.')
			continue;
		threads++;
		open_to_signals += (blocked(each->d_name) & wanted) != wanted;
	}
	MUST(threads > 2);
	MUST(open_to_signals == 1);
	puts("ok");
	return 0;
}
