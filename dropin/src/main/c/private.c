/*
 * The symbols that libibverbs exports to the providers of its own release, in the version of that
 * release's private interface. Programs are linked with libmlx5 and libefa, which cannot be loaded
 * without these symbols; no provider has a device that could call them.
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>

#include "export.h"
#include "private.h"

#define UNSUPPORTED(name, versions)                                                                \
	EXPORT int name(void);                                                                     \
	EXPORT int name(void)                                                                      \
	{                                                                                          \
		errno = EOPNOTSUPP;                                                                \
		return EOPNOTSUPP;                                                                 \
	}                                                                                          \
	versions(name)

/* Functions that return a pointer. */
#define UNSUPPORTED_OBJECT(name, versions)                                                         \
	EXPORT void *name(void);                                                                   \
	EXPORT void *name(void)                                                                    \
	{                                                                                          \
		errno = EOPNOTSUPP;                                                                \
		return NULL;                                                                       \
	}                                                                                          \
	versions(name)

/* Functions that return a number; a negative one is an error. */
#define UNSUPPORTED_COUNT(name, versions)                                                          \
	EXPORT int name(void);                                                                     \
	EXPORT int name(void)                                                                      \
	{                                                                                          \
		errno = EOPNOTSUPP;                                                                \
		return -1;                                                                         \
	}                                                                                          \
	versions(name)

UNSUPPORTED_OBJECT(_verbs_init_and_alloc_context, SINCE_34)
UNSUPPORTED_OBJECT(verbs_open_device, SINCE_34)

UNSUPPORTED_COUNT(ibv_cmd_poll_cq, SINCE_34)
UNSUPPORTED_COUNT(ibv_read_ibdev_sysfs_file, SINCE_34)

UNSUPPORTED(execute_ioctl, SINCE_34)
UNSUPPORTED(ibv_cmd_advise_mr, SINCE_34)
UNSUPPORTED(ibv_cmd_alloc_dm, SINCE_34)
UNSUPPORTED(ibv_cmd_alloc_mw, SINCE_34)
UNSUPPORTED(ibv_cmd_alloc_pd, SINCE_34)
UNSUPPORTED(ibv_cmd_attach_mcast, SINCE_34)
UNSUPPORTED(ibv_cmd_close_xrcd, SINCE_34)
UNSUPPORTED(ibv_cmd_create_ah, SINCE_34)
UNSUPPORTED(ibv_cmd_create_counters, SINCE_34)
UNSUPPORTED(ibv_cmd_create_cq, SINCE_34)
UNSUPPORTED(ibv_cmd_create_cq_ex, SINCE_34)
UNSUPPORTED(ibv_cmd_create_cq_ex2, SINCE_34)
UNSUPPORTED(ibv_cmd_create_flow, SINCE_34)
UNSUPPORTED(ibv_cmd_create_flow_action_esp, SINCE_34)
UNSUPPORTED(ibv_cmd_create_qp, SINCE_34)
UNSUPPORTED(ibv_cmd_create_qp_ex, SINCE_34)
UNSUPPORTED(ibv_cmd_create_qp_ex2, SINCE_34)
UNSUPPORTED(ibv_cmd_create_rwq_ind_table, SINCE_34)
UNSUPPORTED(ibv_cmd_create_srq, SINCE_34)
UNSUPPORTED(ibv_cmd_create_srq_ex, SINCE_34)
UNSUPPORTED(ibv_cmd_create_wq, SINCE_34)
UNSUPPORTED(ibv_cmd_dealloc_mw, SINCE_34)
UNSUPPORTED(ibv_cmd_dealloc_pd, SINCE_34)
UNSUPPORTED(ibv_cmd_dereg_mr, SINCE_34)
UNSUPPORTED(ibv_cmd_destroy_ah, SINCE_34)
UNSUPPORTED(ibv_cmd_destroy_counters, SINCE_34)
UNSUPPORTED(ibv_cmd_destroy_cq, SINCE_34)
UNSUPPORTED(ibv_cmd_destroy_flow, SINCE_34)
UNSUPPORTED(ibv_cmd_destroy_flow_action, SINCE_34)
UNSUPPORTED(ibv_cmd_destroy_qp, SINCE_34)
UNSUPPORTED(ibv_cmd_destroy_rwq_ind_table, SINCE_34)
UNSUPPORTED(ibv_cmd_destroy_srq, SINCE_34)
UNSUPPORTED(ibv_cmd_destroy_wq, SINCE_34)
UNSUPPORTED(ibv_cmd_detach_mcast, SINCE_34)
UNSUPPORTED(ibv_cmd_free_dm, SINCE_34)
UNSUPPORTED(ibv_cmd_get_context, SINCE_34)
UNSUPPORTED(ibv_cmd_modify_cq, SINCE_34)
UNSUPPORTED(ibv_cmd_modify_flow_action_esp, SINCE_34)
UNSUPPORTED(ibv_cmd_modify_qp, SINCE_34)
UNSUPPORTED(ibv_cmd_modify_qp_ex, SINCE_34)
UNSUPPORTED(ibv_cmd_modify_srq, SINCE_34)
UNSUPPORTED(ibv_cmd_modify_wq, SINCE_34)
UNSUPPORTED(ibv_cmd_open_qp, SINCE_34)
UNSUPPORTED(ibv_cmd_open_xrcd, SINCE_34)
UNSUPPORTED(ibv_cmd_post_recv, SINCE_34)
UNSUPPORTED(ibv_cmd_post_send, SINCE_34)
UNSUPPORTED(ibv_cmd_post_srq_recv, SINCE_34)
UNSUPPORTED(ibv_cmd_query_context, SINCE_34)
UNSUPPORTED(ibv_cmd_query_device_any, SINCE_34)
UNSUPPORTED(ibv_cmd_query_mr, SINCE_34)
UNSUPPORTED(ibv_cmd_query_port, SINCE_34)
UNSUPPORTED(ibv_cmd_query_qp, SINCE_34)
UNSUPPORTED(ibv_cmd_query_srq, SINCE_34)
UNSUPPORTED(ibv_cmd_read_counters, SINCE_34)
UNSUPPORTED(ibv_cmd_reg_dm_mr, SINCE_34)
UNSUPPORTED(ibv_cmd_reg_dmabuf_mr, SINCE_34)
UNSUPPORTED(ibv_cmd_reg_mr, SINCE_34)
UNSUPPORTED(ibv_cmd_req_notify_cq, SINCE_34)
UNSUPPORTED(ibv_cmd_rereg_mr, SINCE_34)
UNSUPPORTED(ibv_cmd_resize_cq, SINCE_34)
UNSUPPORTED(verbs_init_cq, SINCE_34)
UNSUPPORTED(verbs_set_ops, SINCE_34)
UNSUPPORTED(verbs_uninit_context, SINCE_34)

UNSUPPORTED(ibv_cmd_alloc_dmah, SINCE_59)
UNSUPPORTED_COUNT(ibv_cmd_export_dmabuf_fd, SINCE_59)
UNSUPPORTED(ibv_cmd_free_dmah, SINCE_59)
UNSUPPORTED(ibv_cmd_query_port_speed, SINCE_59)
UNSUPPORTED(ibv_cmd_reg_mr_ex, SINCE_59)

UNSUPPORTED(ibv_dmabuf_heap_alloc, SINCE_64)
UNSUPPORTED(ibv_dmabuf_heap_cc_shared_init, SINCE_64)
UNSUPPORTED(ibv_dmabuf_heap_destroy, SINCE_64)
UNSUPPORTED(ibv_dmabuf_heap_free, SINCE_64)

UNSUPPORTED(ibv_cmd_create_comp_cntr, SINCE_65)
UNSUPPORTED(ibv_cmd_destroy_comp_cntr, SINCE_65)
UNSUPPORTED(ibv_cmd_inc_comp_cntr, SINCE_65)
UNSUPPORTED(ibv_cmd_inc_err_comp_cntr, SINCE_65)
UNSUPPORTED(ibv_cmd_qp_attach_comp_cntr, SINCE_65)
UNSUPPORTED(ibv_cmd_query_comp_cntr_caps, SINCE_65)
UNSUPPORTED(ibv_cmd_read_comp_cntr, SINCE_65)
UNSUPPORTED(ibv_cmd_read_err_comp_cntr, SINCE_65)
UNSUPPORTED(ibv_cmd_set_comp_cntr, SINCE_65)
UNSUPPORTED(ibv_cmd_set_err_comp_cntr, SINCE_65)

/* Whether a provider's objects may be destroyed after the kernel has released the device. */
EXPORT extern bool verbs_allow_disassociate_destroy;
EXPORT bool verbs_allow_disassociate_destroy = false;
SINCE_34(verbs_allow_disassociate_destroy)

/* The number of attributes of a provider's command. */
EXPORT unsigned int __ioctl_final_num_attrs(unsigned int count, const void *link);
EXPORT unsigned int __ioctl_final_num_attrs(unsigned int count, const void *link)
{
	(void)link;
	return count;
}
SINCE_34(__ioctl_final_num_attrs)

/* Called when such a library is loaded: registers a provider that will never have a device. */
EXPORT void verbs_register_driver(const void *ops);
EXPORT void verbs_register_driver(const void *ops)
{
	(void)ops;
}
NAMED_BY_VERSION(verbs_register_driver)

/* The same function in very old releases. */
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
SINCE_34(__verbs_log)
