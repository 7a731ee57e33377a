/* stacks.c: calls into Java, from any stack. */
#ifndef VERBENA_STACKS_H
#define VERBENA_STACKS_H

#include <stdint.h>

#include "calls.h"
#include "cancel.h"

/* The part of this thread's own stack on which Java can be entered. */
struct verbena_stack {
	uintptr_t low;
	uintptr_t size;
	int is_known;
};
extern __thread struct verbena_stack verbena_stack __attribute__((tls_model("initial-exec")));

/* verbena_invoke for calls that cannot be made directly. */
long verbena_invoke_elsewhere(verbena_call *call, long a, long b, long c, long d, long e, long f);
/* Whether Java can run at this thread's current stack position. */
int verbena_has_stack(void);
/* Starts a detached thread on which Java can run, and which gets no signals. Returns 0 or errno. */
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

#endif
