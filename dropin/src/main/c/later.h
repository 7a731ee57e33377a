/*
 * Additions of rdma-core releases after 44, for programs compiled with their headers; our own
 * headers may be those of 44. The declarations are the same as theirs: if the headers have them,
 * the compiler compares.
 */
#ifndef VERBENA_LATER_H
#define VERBENA_LATER_H

#include <infiniband/verbs.h>
#include <stddef.h>
#include <stdint.h>

#include "export.h"

struct ibv_buf;
struct ibv_comp_cntr;
struct ibv_comp_cntr_caps;
struct ibv_comp_cntr_init_attr;
struct ibv_dmah;
struct ibv_dmah_init_attr;
struct ibv_mr_init_attr;
struct ibv_qp_attach_comp_cntr_attr;

/* 59 */
EXPORT struct ibv_dmah *ibv_alloc_dmah(struct ibv_context *context, struct ibv_dmah_init_attr *attr);
EXPORT int ibv_dealloc_dmah(struct ibv_dmah *dmah);
EXPORT struct ibv_mr *ibv_reg_mr_ex(struct ibv_pd *pd, struct ibv_mr_init_attr *attr);
/* 62 */
EXPORT int ibv_dm_export_dmabuf_fd(struct ibv_dm *dm);
EXPORT int ibv_query_port_speed(struct ibv_context *context, uint32_t port_num, uint64_t *port_speed);
/* 64 */
EXPORT void *ibv_alloc_buf(struct ibv_pd *pd, size_t size, struct ibv_buf **buf);
EXPORT void ibv_free_buf(struct ibv_buf *buf);
EXPORT struct ibv_mr *ibv_reg_buf_mr(struct ibv_pd *pd, struct ibv_buf *buf, void *addr, size_t length,
				     int access);
/* 65 */
EXPORT int ibv_export_buf_dmabuf_fd(struct ibv_buf *buf);
EXPORT int _ibv_query_comp_cntr_caps(struct ibv_context *context, struct ibv_comp_cntr_caps *caps,
				     size_t size);
EXPORT struct ibv_comp_cntr *ibv_create_comp_cntr(struct ibv_context *context,
						  struct ibv_comp_cntr_init_attr *attr);
EXPORT int ibv_destroy_comp_cntr(struct ibv_comp_cntr *counter);
EXPORT int ibv_set_comp_cntr(struct ibv_comp_cntr *counter, uint64_t value);
EXPORT int ibv_set_err_comp_cntr(struct ibv_comp_cntr *counter, uint64_t value);
EXPORT int ibv_inc_comp_cntr(struct ibv_comp_cntr *counter, uint64_t amount);
EXPORT int ibv_inc_err_comp_cntr(struct ibv_comp_cntr *counter, uint64_t amount);
EXPORT int ibv_read_comp_cntr(struct ibv_comp_cntr *counter, uint64_t *value);
EXPORT int ibv_read_err_comp_cntr(struct ibv_comp_cntr *counter, uint64_t *value);
EXPORT int ibv_qp_attach_comp_cntr(struct ibv_qp *qp, struct ibv_comp_cntr *counter,
				   struct ibv_qp_attach_comp_cntr_attr *attr);

/* struct ibv_mr_init_attr of 64 */
struct verbena_mr_init_attr {
	size_t length;
	int access;
	uint64_t comp_mask;
	/* Each of these is valid only if its bit is in comp_mask. */
	uint64_t iova;
	void *addr;
	int fd;
	uint64_t fd_offset;
	struct ibv_dmah *dmah;
	struct ibv_buf *buf;
};

enum {
	VERBENA_MR_IOVA = 1 << 0,
	VERBENA_MR_ADDR = 1 << 1,
	VERBENA_MR_FD = 1 << 2,
	VERBENA_MR_FD_OFFSET = 1 << 3,
	VERBENA_MR_BUF = 1 << 5,
};

/*
 * For a parent domain, since 64: buffers may be memory that a confidential guest shares with its
 * host.
 */
#define VERBENA_PARENT_DOMAIN_ALLOW_CC_UNPROTECTED_ALLOC (1 << 2)

#endif
