/*
 * The structs behind libibverbs' objects. The library returns pointers to the part that programs
 * know.
 */
#ifndef VERBENA_OBJECTS_H
#define VERBENA_OBJECTS_H

#include <errno.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The state that a context shares with those that import it; see shared.c. */
struct verbena_opened;

struct verbena_context {
	long handle;
	struct verbena_opened *opened;
	struct verbs_context vctx;
};

/* Java's counts of an object's events, so that destroying it can wait for their acknowledgement. */
struct verbena_reported {
	uint32_t comp;
	uint32_t async;
};

/* The data for the readers of an ibv_cq_ex; Java fills it in for each completion. */
struct verbena_completion {
	struct ibv_wc wc;
	uint64_t ts;
	uint64_t wallclock_ns;
};

struct verbena_cq {
	struct ibv_cq_ex ex;
	struct verbena_reported reported;
	struct verbena_completion current;
};

/* Later releases append functions to ibv_qp_ex; the offset of Java's counts stays the same. */
#define QP_EX_ROOM 512
#define QP_EX_OF_44 352

struct verbena_qp {
	union {
		struct ibv_qp_ex ex;
		/* Since 47. */
		struct {
			char of_44[QP_EX_OF_44];
			void (*wr_flush)(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr,
					 size_t len, uint8_t type, uint8_t level);
		} later;
		char room[QP_EX_ROOM];
	};
	struct verbena_reported reported;
	int has_send_ops;
};

/* access is also known to Java: when a region changes, its pages are touched accordingly. */
struct verbena_mr {
	struct ibv_mr mr;
	int access;
};

struct verbena_srq {
	struct ibv_srq srq;
	struct verbena_reported reported;
	/* The number by which requests name it; 0 unless it is an XRC queue. */
	uint32_t srq_num;
};

struct verbena_wq {
	struct ibv_wq wq;
	struct verbena_reported reported;
};

struct verbena_xrcd {
	struct ibv_xrcd xrcd;
	long handle;
};

struct verbena_td {
	struct ibv_td td;
	long handle;
};

struct verbena_channel {
	struct ibv_comp_channel channel;
	long handle;
};

_Static_assert(offsetof(struct verbena_cq, ex) == 0, "an ibv_cq is a verbena_cq");
_Static_assert(offsetof(struct verbena_qp, ex) == 0, "an ibv_qp is a verbena_qp");
_Static_assert(offsetof(struct verbena_qp, reported) == QP_EX_ROOM, "Java counts there");
_Static_assert(offsetof(struct verbena_mr, mr) == 0, "an ibv_mr is a verbena_mr");
_Static_assert(offsetof(struct verbena_srq, srq) == 0, "an ibv_srq is a verbena_srq");
_Static_assert(offsetof(struct verbena_wq, wq) == 0, "an ibv_wq is a verbena_wq");

/*
 * Returns the object if Java could create it; otherwise frees it and returns NULL with errno set.
 */
static inline void *verbena_object(void *object, long result)
{
	if (result >= 0)
		return object;
	free(object);
	errno = (int)-result;
	return NULL;
}

/* The same for an object with events, whose mutex and condition have been initialised. */
static inline void *verbena_object_with_events(void *object, pthread_mutex_t *mutex,
					       pthread_cond_t *cond, long result)
{
	if (result < 0) {
		pthread_cond_destroy(cond);
		pthread_mutex_destroy(mutex);
	}
	return verbena_object(object, result);
}

static inline struct verbena_context *verbena_context(struct ibv_context *context)
{
	return (struct verbena_context *)((char *)context -
					  offsetof(struct verbena_context, vctx.context));
}

static inline long verbena_handle(struct ibv_context *context)
{
	return verbena_context(context)->handle;
}

#endif
