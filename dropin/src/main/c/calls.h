/*
 * calls.c: the calls into Java, by name. Java fills the table with upcall stubs; it refuses a name that it
 * does not know, so the list is in one place only. All have one signature, because the start-up of
 * the JVM depends on the number of different ones.
 */
#ifndef VERBENA_CALLS_H
#define VERBENA_CALLS_H

#include <errno.h>

#define VERBENA_CALLS(X)                                                                           \
	/* device */                                                                               \
	X(open_device) X(close_device) X(query_device) X(query_port) X(query_gid) X(query_gid_ex)  \
	X(query_gid_table) X(query_pkey) X(get_pkey_index) X(query_rt_values) X(init_ah_from_wc)   \
	X(query_port_speed) X(counter) X(report)                                                   \
	/* domains and memory */                                                                   \
	X(alloc_pd) X(import_pd) X(dealloc_pd) X(alloc_td) X(dealloc_td) X(alloc_parent_domain)    \
	X(reg_mr) X(import_mr) X(rereg_mr) X(dereg_mr) X(alloc_null_mr) X(alloc_mw) X(dealloc_mw)  \
	X(bind_mw) X(create_ah) X(destroy_ah) X(open_xrcd) X(close_xrcd)                           \
	/* completion queues */                                                                    \
	X(create_cq) X(destroy_cq) X(resize_cq) X(modify_cq) X(req_notify_cq) X(poll_cq)           \
	X(start_poll) X(next_poll) X(end_poll)                                                     \
	/* events */                                                                               \
	X(create_comp_channel) X(destroy_comp_channel) X(next_cq_event) X(next_async_event)        \
	/* shared receive queues */                                                                \
	X(create_srq) X(destroy_srq) X(modify_srq) X(query_srq) X(post_srq_recv)                   \
	/* work queues */                                                                          \
	X(create_wq) X(modify_wq) X(destroy_wq) X(post_wq_recv) X(create_rwq_ind_table)            \
	X(destroy_rwq_ind_table)                                                                   \
	/* queue pairs */                                                                          \
	X(create_qp) X(open_qp) X(destroy_qp) X(modify_qp) X(query_qp) X(data_in_order)            \
	X(attach_mcast) X(detach_mcast) X(create_flow) X(destroy_flow)                             \
\
	X(post_send) X(post_recv)                                                                  \
	X(wr_start) X(wr_complete) X(wr_abort) X(wr_atomic_cmp_swp) X(wr_atomic_fetch_add)         \
	X(wr_bind_mw) X(wr_local_inv) X(wr_rdma_read) X(wr_rdma_write) X(wr_rdma_write_imm)        \
	X(wr_send) X(wr_send_imm) X(wr_send_inv) X(wr_send_tso) X(wr_atomic_write) X(wr_flush)     \
	X(wr_set_ud_addr) X(wr_set_xrc_srqn) X(wr_set_inline_data) X(wr_set_inline_data_list)      \
	X(wr_set_sge) X(wr_set_sge_list)

/* Negative results are -errno. */
typedef long verbena_call(long, long, long, long, long, long);

struct verbena_calls {
#define X(name) verbena_call *name;
	VERBENA_CALLS(X)
#undef X
};

/* The one error of verbs that says nothing about their arguments. */
#define VERBENA_UNREACHABLE EIO

/* The table in force; after a fork the child has one whose calls all fail. */
extern const struct verbena_calls *verbena;

/*
 * The number of this thread's calls that are in Java. initial-exec: the access must be cheap and
 * must not allocate, because a signal handler reads it.
 */
extern __thread int verbena_inside __attribute__((tls_model("initial-exec")));

/*
 * Whether calls reach Java, as they do not before the first open and in the child of a fork. In the
 * child, a thread of the parent may hold a mutex for ever, so calls that lock one check this first.
 */
int verbena_is_running(void);
/* The result of calls that do not; prints why, if the user has to know. */
int verbena_unreachable(void);

/* From now on calls reach Java through this table. */
void verbena_calls_begin(const struct verbena_calls *calls);
/* Called in the child of a fork: from now on calls do not reach Java. */
void verbena_calls_fork(void);
/* Whether this is such a child. */
int verbena_calls_forked(void);

#endif
