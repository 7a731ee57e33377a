/* Steering rules. */
#include <infiniband/verbs.h>
#include <signal.h>
#include <stdlib.h>

#include "objects.h"
#include "ops.h"
#include "results.h"
#include "signals.h"
#include "stacks.h"

static struct ibv_flow *create_flow(struct ibv_qp *qp, struct ibv_flow_attr *attr)
{
	struct ibv_flow *flow = calloc(1, sizeof(*flow));
	if (!flow)
		return NULL;
	flow->context = qp->context;
	/* The first rule of a device with ?ether= starts the receiving thread. */
	sigset_t before;
	verbena_signals_block(&before);
	long result = CALL(create_flow, qp->handle, attr, flow);
	verbena_signals_restore(&before);
	return verbena_object(flow, result);
}

static int destroy_flow(struct ibv_flow *flow)
{
	int error = verbena_result(CALL(destroy_flow, flow->handle));
	if (!error)
		free(flow);
	return error;
}

void verbena_flow_ops(struct verbs_context *vctx)
{
	vctx->ibv_create_flow = create_flow;
	vctx->ibv_destroy_flow = destroy_flow;
}
