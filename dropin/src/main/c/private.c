/*
 * What libibverbs exports to the providers of its own release, and of all up to 56. Programs are linked
 * with libmlx5 and libefa, which need these symbols to be loaded; there is no provider whose device
 * could call them.
 */
#include <stdbool.h>

#include "verbena.h"

#define UNSUPPORTED(name)                                                                          \
	EXPORT int name(void);                                                                     \
	EXPORT int name(void)                                                                      \
	{                                                                                          \
		errno = EOPNOTSUPP;                                                                \
		return EOPNOTSUPP;                                                                 \
	}

/* Those answer with a pointer. */
#define UNSUPPORTED_OBJECT(name)                                                                   \
	EXPORT void *name(void);                                                                   \
	EXPORT void *name(void)                                                                    \
	{                                                                                          \
		errno = EOPNOTSUPP;                                                                \
		return NULL;                                                                       \
	}

/* And those with a number, of which a negative one is an error. */
#define UNSUPPORTED_COUNT(name)                                                                    \
	EXPORT int name(void);                                                                     \
	EXPORT int name(void)                                                                      \
	{                                                                                          \
		errno = EOPNOTSUPP;                                                                \
		return -1;                                                                         \
	}

UNSUPPORTED_OBJECT(_verbs_init_and_alloc_context)
UNSUPPORTED_OBJECT(verbs_open_device)

UNSUPPORTED_COUNT(ibv_cmd_poll_cq)
UNSUPPORTED_COUNT(ibv_read_ibdev_sysfs_file)

UNSUPPORTED(execute_ioctl)
UNSUPPORTED(ibv_cmd_advise_mr)
UNSUPPORTED(ibv_cmd_alloc_dm)
UNSUPPORTED(ibv_cmd_alloc_mw)
UNSUPPORTED(ibv_cmd_alloc_pd)
UNSUPPORTED(ibv_cmd_attach_mcast)
UNSUPPORTED(ibv_cmd_close_xrcd)
UNSUPPORTED(ibv_cmd_create_ah)
UNSUPPORTED(ibv_cmd_create_counters)
UNSUPPORTED(ibv_cmd_create_cq)
UNSUPPORTED(ibv_cmd_create_cq_ex)
UNSUPPORTED(ibv_cmd_create_cq_ex2)
UNSUPPORTED(ibv_cmd_create_flow)
UNSUPPORTED(ibv_cmd_create_flow_action_esp)
UNSUPPORTED(ibv_cmd_create_qp)
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
UNSUPPORTED(ibv_cmd_post_recv)
UNSUPPORTED(ibv_cmd_post_send)
UNSUPPORTED(ibv_cmd_post_srq_recv)
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
UNSUPPORTED(ibv_cmd_req_notify_cq)
UNSUPPORTED(ibv_cmd_rereg_mr)
UNSUPPORTED(ibv_cmd_resize_cq)
UNSUPPORTED(verbs_init_cq)
UNSUPPORTED(verbs_set_ops)
UNSUPPORTED(verbs_uninit_context)

/* Whether a provider's objects may be destroyed after the kernel has let go of the device. */
EXPORT extern bool verbs_allow_disassociate_destroy;
EXPORT bool verbs_allow_disassociate_destroy = false;

/* How many attributes a command of a provider has. */
EXPORT unsigned int __ioctl_final_num_attrs(unsigned int count, const void *link);
EXPORT unsigned int __ioctl_final_num_attrs(unsigned int count, const void *link)
{
	(void)link;
	return count;
}

/* Called when such a library is loaded: a provider more, of which no device will ever be found. */
EXPORT void verbs_register_driver_34(const void *ops);
EXPORT void verbs_register_driver_34(const void *ops)
{
	(void)ops;
}

/* The same in releases of long ago. */
EXPORT void ibv_register_driver(const char *name, const void *init);
EXPORT void ibv_register_driver(const char *name, const void *init)
{
	(void)name, (void)init;
}

/* The log of providers. */
EXPORT void __verbs_log(void *vctx, uint32_t level, const char *format, ...);
EXPORT void __verbs_log(void *vctx, uint32_t level, const char *format, ...)
{
	(void)vctx, (void)level, (void)format;
}
