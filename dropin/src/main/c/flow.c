/* Steering rules. */
#include "verbena.h"

static struct ibv_flow *create_flow(struct ibv_qp *qp, struct ibv_flow_attr *attr)
{
	struct ibv_flow *flow = calloc(1, sizeof(*flow));
	if (!flow)
		return NULL;
	flow->context = qp->context;
	return verbena_object(flow, CALL(create_flow, qp->handle, attr, flow));
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
