/*
 * What libibverbs exports to the providers of its own release. Programs are linked with libmlx5 and
 * libefa, which need these symbols to be loaded; there is no provider whose device could call them.
 */
#include "verbena.h"

#define UNSUPPORTED(name)                                                                          \
	EXPORT int name(void);                                                                     \
	EXPORT int name(void)                                                                      \
	{                                                                                          \
		errno = EOPNOTSUPP;                                                                \
		return EOPNOTSUPP;                                                                 \
	}

UNSUPPORTED(_verbs_init_and_alloc_context)
UNSUPPORTED(execute_ioctl)
UNSUPPORTED(ibv_cmd_advise_mr)
UNSUPPORTED(ibv_cmd_alloc_dm)
UNSUPPORTED(ibv_cmd_alloc_mw)
UNSUPPORTED(ibv_cmd_alloc_pd)
UNSUPPORTED(ibv_cmd_attach_mcast)
UNSUPPORTED(ibv_cmd_close_xrcd)
UNSUPPORTED(ibv_cmd_create_ah)
UNSUPPORTED(ibv_cmd_create_counters)
UNSUPPORTED(ibv_cmd_create_cq_ex)
UNSUPPORTED(ibv_cmd_create_flow)
UNSUPPORTED(ibv_cmd_create_flow_action_esp)
UNSUPPORTED(ibv_cmd_create_qp_ex)
UNSUPPORTED(ibv_cmd_create_qp_ex2)
UNSUPPORTED(ibv_cmd_create_rwq_ind_table)
UNSUPPORTED(ibv_cmd_create_srq)
UNSUPPORTED(ibv_cmd_create_srq_ex)
UNSUPPORTED(ibv_cmd_create_wq)
UNSUPPORTED(ibv_cmd_dealloc_mw)
UNSUPPORTED(ibv_cmd_dealloc_pd)
UNSUPPORTED(ibv_cmd_dereg_mr)
UNSUPPORTED(ibv_cmd_destroy_ah)
UNSUPPORTED(ibv_cmd_destroy_counters)
UNSUPPORTED(ibv_cmd_destroy_cq)
UNSUPPORTED(ibv_cmd_destroy_flow)
UNSUPPORTED(ibv_cmd_destroy_flow_action)
UNSUPPORTED(ibv_cmd_destroy_qp)
UNSUPPORTED(ibv_cmd_destroy_rwq_ind_table)
UNSUPPORTED(ibv_cmd_destroy_srq)
UNSUPPORTED(ibv_cmd_destroy_wq)
UNSUPPORTED(ibv_cmd_detach_mcast)
UNSUPPORTED(ibv_cmd_free_dm)
UNSUPPORTED(ibv_cmd_get_context)
UNSUPPORTED(ibv_cmd_modify_cq)
UNSUPPORTED(ibv_cmd_modify_flow_action_esp)
UNSUPPORTED(ibv_cmd_modify_qp)
UNSUPPORTED(ibv_cmd_modify_qp_ex)
UNSUPPORTED(ibv_cmd_modify_srq)
UNSUPPORTED(ibv_cmd_modify_wq)
UNSUPPORTED(ibv_cmd_open_qp)
UNSUPPORTED(ibv_cmd_open_xrcd)
UNSUPPORTED(ibv_cmd_query_context)
UNSUPPORTED(ibv_cmd_query_device_any)
UNSUPPORTED(ibv_cmd_query_mr)
UNSUPPORTED(ibv_cmd_query_port)
UNSUPPORTED(ibv_cmd_query_qp)
UNSUPPORTED(ibv_cmd_query_srq)
UNSUPPORTED(ibv_cmd_read_counters)
UNSUPPORTED(ibv_cmd_reg_dm_mr)
UNSUPPORTED(ibv_cmd_reg_dmabuf_mr)
UNSUPPORTED(ibv_cmd_reg_mr)
UNSUPPORTED(ibv_cmd_rereg_mr)
UNSUPPORTED(ibv_cmd_resize_cq)
UNSUPPORTED(verbs_allow_disassociate_destroy)
UNSUPPORTED(verbs_init_cq)
UNSUPPORTED(verbs_open_device)
UNSUPPORTED(verbs_set_ops)
UNSUPPORTED(verbs_uninit_context)

/* Called when such a library is loaded: a provider more, of which no device will ever be found. */
EXPORT void verbs_register_driver_34(const void *ops);
EXPORT void verbs_register_driver_34(const void *ops)
{
	(void)ops;
}

/* The log of providers. */
EXPORT void __verbs_log(void *vctx, uint32_t level, const char *format, ...);
EXPORT void __verbs_log(void *vctx, uint32_t level, const char *format, ...)
{
	(void)vctx, (void)level, (void)format;
}
