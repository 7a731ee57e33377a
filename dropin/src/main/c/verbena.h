/*
 * What the files of the shim share: the structs behind libibverbs' objects and the way to Java.
 *
 * The shim is C where a program sees memory (it reads and writes the fields of these structs, and
 * the inline functions of verbs.h jump through their pointers), where a call has to work without a
 * virtual machine, or where it has to block. Everything else is Java.
 */
#ifndef VERBENA_H
#define VERBENA_H

#include <errno.h>
#include <infiniband/verbs.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

#include "calls.h"

/* Everything else is hidden; the version script says which of these get which version. */
#define EXPORT __attribute__((visibility("default")))

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What a context has in common with those that import it; shared.c. */
struct verbena_opened {
	long handle;
	int cmd_fd;
	int async_fd;
	int num_comp_vectors;
	int contexts;
	struct verbena_opened *next;
};

struct verbena_context {
	long handle;
	struct verbena_opened *opened;
	struct verbs_context vctx;
};

/* What Java counts of an object's events, for destroy to wait for their acknowledgement. */
struct verbena_reported {
	uint32_t comp;
	uint32_t async;
};

/* What the readers of an ibv_cq_ex read; Java fills it for each completion. */
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

/* Later releases append functions to ibv_qp_ex; what Java counts stays where it is. */
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

/* access is what Java knows, too: the pages of a region that changes are touched accordingly. */
struct verbena_mr {
	struct ibv_mr mr;
	int access;
};

struct verbena_srq {
	struct ibv_srq srq;
	struct verbena_reported reported;
	/* By which requests name it; 0 unless it is one of XRC. */
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

/* What the library gives out is a pointer to the part that programs know. */
_Static_assert(offsetof(struct verbena_cq, ex) == 0, "an ibv_cq is a verbena_cq");
_Static_assert(offsetof(struct verbena_qp, ex) == 0, "an ibv_qp is a verbena_qp");
_Static_assert(offsetof(struct verbena_qp, reported) == QP_EX_ROOM, "Java counts there");
_Static_assert(offsetof(struct verbena_mr, mr) == 0, "an ibv_mr is a verbena_mr");
_Static_assert(offsetof(struct verbena_srq, srq) == 0, "an ibv_srq is a verbena_srq");
_Static_assert(offsetof(struct verbena_wq, wq) == 0, "an ibv_wq is a verbena_wq");

/* Of all the errors that a verb may answer, the one that says nothing about its arguments. */
#define VERBENA_UNREACHABLE EIO

/* The table in force; after a fork the child has one whose calls all fail. */
extern const struct verbena_calls *verbena;

/*
 * How many calls of this thread are in Java. initial-exec: the access must be cheap and must not
 * allocate, since a signal handler reads it.
 */
extern __thread int verbena_inside __attribute__((tls_model("initial-exec")));

/* The part of this thread's own stack on which Java can be entered. */
struct verbena_stack {
	uintptr_t low;
	uintptr_t size;
	int is_known;
};
extern __thread struct verbena_stack verbena_stack __attribute__((tls_model("initial-exec")));

/*
 * A thread that is cancelled must not be unwound while it holds what others wait for, as Java does
 * when it makes a system call: the cancellation waits for the end of the call. Between these two.
 */
static inline int verbena_cancel_never(void)
{
	int before;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	return before;
}

static inline void verbena_cancel_again(int before)
{
	pthread_setcancelstate(before, NULL);
}

/* stacks.c: the same call where it cannot be made at once. */
long verbena_invoke_elsewhere(verbena_call *call, long a, long b, long c, long d, long e, long f);
/* Whether Java can run where this thread is. */
int verbena_has_stack(void);
/* A detached thread on which Java can run, and which gets no signals. Returns 0 or errno. */
int verbena_thread(void *(*run)(void *), void *argument);

static inline long verbena_invoke(verbena_call *call, long a, long b, long c, long d, long e,
				  long f)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	if (__builtin_expect(here - verbena_stack.low >= verbena_stack.size || verbena_inside, 0))
		return verbena_invoke_elsewhere(call, a, b, c, d, e, f);
	int cancel = verbena_cancel_never();
	verbena_inside++;
	long result = call(a, b, c, d, e, f);
	verbena_inside--;
	verbena_cancel_again(cancel);
	return result;
}

#define CALL6(name, a, b, c, d, e, f, ...)                                                         \
	verbena_invoke(verbena->name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e),       \
		       (long)(f))
/* Calls Java; missing arguments are 0. */
#define CALL(name, ...) CALL6(name, __VA_ARGS__, 0, 0, 0, 0, 0, 0)

/* Starts the virtual machine and fills the table, once. Returns 0 or errno. */
int verbena_start(void);
/*
 * Whether calls come to Java: not before the first open, and not in the child of a fork. There, a
 * mutex may be held for ever by a thread of the parent, so calls that lock one ask this first.
 */
int verbena_is_running(void);
/* What they answer if not; says why, if the user has to know. */
int verbena_unreachable(void);

/* In libibverbs a call that returns an errno sets errno, too. */
static inline int verbena_result(long result)
{
	if (result >= 0)
		return 0;
	errno = (int)-result;
	return errno;
}

/* On the data path an errno is an ordinary answer; a negative one is of a call that broke off. */
static inline int verbena_posted(long result)
{
	return result < 0 ? verbena_result(result) : (int)result;
}

/* The object that Java made, or NULL with errno set, and no object. */
static inline void *verbena_object(void *object, long result)
{
	if (result >= 0)
		return object;
	free(object);
	errno = (int)-result;
	return NULL;
}

/* The same of an object with events, whose mutex and condition have been made. */
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

/* shared.c. They return 0 or errno. */
int verbena_open(struct verbena_context *context, const char *spec, uint64_t *guid);
int verbena_import(struct verbena_context *context, int cmd_fd);
int verbena_close(struct verbena_context *context);
/* The handle of an open device, or -1. It may be closed meanwhile: Java refuses it then. */
long verbena_any_handle(void);

/* vanished.c: registered memory that the program unmaps. Its owner is an open device. */
void verbena_vanished_init(void);
/* 0 or errno. */
int verbena_range_add(const void *owner, uintptr_t begin, uintptr_t end);
void verbena_range_remove(const void *owner, uintptr_t begin, uintptr_t end);
/* What the program has left registered when it closed the device. */
void verbena_range_remove_all(const void *owner);
/* Of a signal handler: whether an address is registered. */
int verbena_range_has(uintptr_t address);
/* Of a signal handler: puts zeros where memory is gone; whether the access can be repeated. */
int verbena_range_fill(uintptr_t address);

/* environment.c: what a variable of ours was when the library was loaded, or is now. */
const char *verbena_setting(const char *name);
/* Around the creation of the virtual machine. */
void verbena_environment_before_vm(void);
void verbena_environment_after_vm(void);

/* machine_code.c: notes where it is, by a function of the machine. */
void verbena_machine_code_find(void *machine);
/* Of a signal handler: whether its context is in the machine's code, or may be. */
int verbena_machine_code_has(const void *context);

/* signals.c: around the creation of the virtual machine, and then once. */
void verbena_signals_before_vm(void);
void verbena_signals_after_vm(void);
/* Instead, if it was created by half. */
void verbena_signals_without_vm(void);
/* 0 or errno. */
int verbena_signals_take(void);
/* Around what may start threads in Java. */
void verbena_signals_block(sigset_t *before);
void verbena_signals_restore(const sigset_t *before);

/* The operations of a context, by the file that has them. */
void verbena_memory_ops(struct verbs_context *vctx);
void verbena_cq_ops(struct verbs_context *vctx);
void verbena_srq_ops(struct verbs_context *vctx);
void verbena_wq_ops(struct verbs_context *vctx);
void verbena_qp_ops(struct verbs_context *vctx);
void verbena_flow_ops(struct verbs_context *vctx);
void verbena_wr_ops(struct verbena_qp *qp);

/* events.c: waits until the program has acknowledged what was reported (S10.2). */
void verbena_await_acks(pthread_mutex_t *mutex, pthread_cond_t *cond, const uint32_t *completed,
			uint32_t reported);

#endif
