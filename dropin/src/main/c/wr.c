/*
 * The extended posting API. wr_id and wr_flags are sampled when the builder is called, so each
 * builder passes them on; Java keeps errors of a request until wr_complete.
 */
#include <infiniband/verbs.h>
#include <stddef.h>
#include <stdint.h>

#include "objects.h"
#include "ops.h"
#include "results.h"
#include "stacks.h"

#define BUILD(name, ...) CALL(name, qp->qp_base.handle, qp->wr_id, qp->wr_flags, __VA_ARGS__)
#define SET(name, ...) CALL(name, qp->qp_base.handle, __VA_ARGS__)

static void wr_start(struct ibv_qp_ex *qp)
{
	SET(wr_start, 0);
}

static int wr_complete(struct ibv_qp_ex *qp)
{
	return verbena_result(SET(wr_complete, 0));
}

static void wr_abort(struct ibv_qp_ex *qp)
{
	SET(wr_abort, 0);
}

/* There are seven operands; swap follows in memory. */
static void wr_atomic_cmp_swp(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr,
			      uint64_t compare, uint64_t swap)
{
	const uint64_t operands[] = {compare, swap};
	BUILD(wr_atomic_cmp_swp, rkey, remote_addr, operands);
}

static void wr_atomic_fetch_add(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr,
				uint64_t add)
{
	BUILD(wr_atomic_fetch_add, rkey, remote_addr, add);
}

static void wr_bind_mw(struct ibv_qp_ex *qp, struct ibv_mw *mw, uint32_t rkey,
		       const struct ibv_mw_bind_info *bind_info)
{
	BUILD(wr_bind_mw, mw, rkey, bind_info);
}

static void wr_local_inv(struct ibv_qp_ex *qp, uint32_t invalidate_rkey)
{
	BUILD(wr_local_inv, invalidate_rkey);
}

static void wr_rdma_read(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr)
{
	BUILD(wr_rdma_read, rkey, remote_addr);
}

static void wr_rdma_write(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr)
{
	BUILD(wr_rdma_write, rkey, remote_addr);
}

static void wr_rdma_write_imm(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr,
			      __be32 imm_data)
{
	BUILD(wr_rdma_write_imm, rkey, remote_addr, be32toh(imm_data));
}

static void wr_send(struct ibv_qp_ex *qp)
{
	BUILD(wr_send, 0);
}

static void wr_send_imm(struct ibv_qp_ex *qp, __be32 imm_data)
{
	BUILD(wr_send_imm, be32toh(imm_data));
}

static void wr_send_inv(struct ibv_qp_ex *qp, uint32_t invalidate_rkey)
{
	BUILD(wr_send_inv, invalidate_rkey);
}

static void wr_send_tso(struct ibv_qp_ex *qp, void *hdr, uint16_t hdr_sz, uint16_t mss)
{
	BUILD(wr_send_tso, hdr, hdr_sz, mss);
}

static void wr_atomic_write(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr,
			    const void *atomic_wr)
{
	BUILD(wr_atomic_write, rkey, remote_addr, atomic_wr);
}

/* Again too many operands: the last four follow in memory. */
static void wr_flush(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr, size_t len, uint8_t type,
		     uint8_t level)
{
	const uint64_t range[] = {remote_addr, len, type, level};
	BUILD(wr_flush, rkey, range);
}

static void wr_set_ud_addr(struct ibv_qp_ex *qp, struct ibv_ah *ah, uint32_t remote_qpn,
			   uint32_t remote_qkey)
{
	SET(wr_set_ud_addr, ah, remote_qpn, remote_qkey);
}

static void wr_set_xrc_srqn(struct ibv_qp_ex *qp, uint32_t remote_srqn)
{
	SET(wr_set_xrc_srqn, remote_srqn);
}

static void wr_set_inline_data(struct ibv_qp_ex *qp, void *addr, size_t length)
{
	SET(wr_set_inline_data, addr, length);
}

static void wr_set_inline_data_list(struct ibv_qp_ex *qp, size_t num_buf,
				    const struct ibv_data_buf *buf_list)
{
	SET(wr_set_inline_data_list, num_buf, buf_list);
}

static void wr_set_sge(struct ibv_qp_ex *qp, uint32_t lkey, uint64_t addr, uint32_t length)
{
	SET(wr_set_sge, lkey, addr, length);
}

static void wr_set_sge_list(struct ibv_qp_ex *qp, size_t num_sge, const struct ibv_sge *sg_list)
{
	SET(wr_set_sge_list, num_sge, sg_list);
}

_Static_assert(offsetof(struct ibv_qp_ex, wr_atomic_write) + sizeof(void *) == QP_EX_OF_44,
	       "wr_flush is next");

void verbena_wr_ops(struct verbena_qp *own)
{
	struct ibv_qp_ex *qp = &own->ex;
	qp->wr_start = wr_start;
	qp->wr_complete = wr_complete;
	qp->wr_abort = wr_abort;
	qp->wr_atomic_cmp_swp = wr_atomic_cmp_swp;
	qp->wr_atomic_fetch_add = wr_atomic_fetch_add;
	qp->wr_bind_mw = wr_bind_mw;
	qp->wr_local_inv = wr_local_inv;
	qp->wr_rdma_read = wr_rdma_read;
	qp->wr_rdma_write = wr_rdma_write;
	qp->wr_rdma_write_imm = wr_rdma_write_imm;
	qp->wr_send = wr_send;
	qp->wr_send_imm = wr_send_imm;
	qp->wr_send_inv = wr_send_inv;
	qp->wr_send_tso = wr_send_tso;
	qp->wr_atomic_write = wr_atomic_write;
	own->later.wr_flush = wr_flush;
	qp->wr_set_ud_addr = wr_set_ud_addr;
	qp->wr_set_xrc_srqn = wr_set_xrc_srqn;
	qp->wr_set_inline_data = wr_set_inline_data;
	qp->wr_set_inline_data_list = wr_set_inline_data_list;
	qp->wr_set_sge = wr_set_sge;
	qp->wr_set_sge_list = wr_set_sge_list;
}
