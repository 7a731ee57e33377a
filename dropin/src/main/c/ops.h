/* The operations of a context, by the file that defines them. */
#ifndef VERBENA_OPS_H
#define VERBENA_OPS_H

#include "objects.h"

void verbena_memory_ops(struct verbs_context *vctx);
void verbena_cq_ops(struct verbs_context *vctx);
void verbena_srq_ops(struct verbs_context *vctx);
void verbena_wq_ops(struct verbs_context *vctx);
void verbena_qp_ops(struct verbs_context *vctx);
void verbena_flow_ops(struct verbs_context *vctx);
void verbena_wr_ops(struct verbena_qp *qp);

#endif
