/*
 * Calls from stacks on which Java cannot run. The JVM identifies a thread by the stack that the
 * thread started with, and needs room on it: coroutines with their own stacks and threads with
 * small ones get another thread that makes their calls for them, while they wait. That costs
 * microseconds per call, but only where it is needed.
 *
 * This cannot help a signal handler that has interrupted a call, because its own call might wait
 * for the interrupted one. It gets EDEADLK.
 *
 * In C, because it runs before Java can be entered.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

#include "calls.h"
#include "cancel.h"
#include "signals.h"
#include "stacks.h"

/*
 * The room that Java and the guard pages below it need, with a margin for the first call of each
 * kind.
 */
#define ROOM (256ul << 10)

/* Stack size of our own threads; the default is the program's limit, which may be too small. */
#define STACK (1ul << 20)

struct stand_in {
	sem_t asked, answered;
	verbena_call *call;
	long arguments[6];
	long result;
};

__thread struct verbena_stack verbena_stack;

/*
 * This thread's stand-in, if it needed one; a second one only while a signal handler interrupts the
 * wait for the first.
 */
static __thread struct stand_in *idle;
static pthread_key_t ends_with_thread;
static pthread_once_t prepared = PTHREAD_ONCE_INIT;

static void await(sem_t *sem)
{
	while (sem_wait(sem))
		;
}

/* The stand-in ends when it has no call to make. */
static void end(void *argument)
{
	struct stand_in *other = argument;
	other->call = NULL;
	sem_post(&other->asked);
}

static void prepare(void)
{
	pthread_key_create(&ends_with_thread, end);
}

static void *serve(void *argument)
{
	struct stand_in *self = argument;
	for (;;) {
		await(&self->asked);
		if (!self->call)
			break;
		const long *of = self->arguments;
		self->result = verbena_invoke(self->call, of[0], of[1], of[2], of[3], of[4], of[5]);
		sem_post(&self->answered);
	}
	free(self);
	return NULL;
}

int verbena_thread(void *(*run)(void *), void *argument)
{
	pthread_attr_t attr;
	pthread_t thread;
	sigset_t before;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	/* Signals must go to the threads that the program knows. */
	verbena_signals_block(&before);
	int error = pthread_create(&thread, &attr, run, argument);
	verbena_signals_restore(&before);
	pthread_attr_destroy(&attr);
	return error;
}

/* NULL if there is no memory for one. */
static struct stand_in *make(void)
{
	struct stand_in *other = calloc(1, sizeof(*other));
	if (!other)
		return NULL;
	sem_init(&other->asked, 0, 0);
	sem_init(&other->answered, 0, 0);
	if (verbena_thread(serve, other)) {
		free(other);
		return NULL;
	}
	return other;
}

static void keep(struct stand_in *other)
{
	if (idle) {
		end(other);
		return;
	}
	idle = other;
	pthread_once(&prepared, prepare);
	pthread_setspecific(ends_with_thread, other);
}

static long delegate(verbena_call *call, const long *arguments)
{
	struct stand_in *other = idle ? idle : make();
	if (!other)
		return -ENOMEM;
	idle = NULL;
	other->call = call;
	for (int i = 0; i < 6; i++)
		other->arguments[i] = arguments[i];
	sem_post(&other->asked);
	await(&other->answered);
	long result = other->result;
	keep(other);
	return result;
}

/* Determines where this thread's own stack has room for Java. */
static void measure(void)
{
	pthread_attr_t attr;
	void *begin;
	size_t size;
	verbena_stack.is_known = 1;
	if (pthread_getattr_np(pthread_self(), &attr))
		return;
	pthread_attr_getstack(&attr, &begin, &size);
	pthread_attr_destroy(&attr);
	if (size > ROOM) {
		verbena_stack.low = (uintptr_t)begin + ROOM;
		verbena_stack.size = size - ROOM;
	}
}

int verbena_has_stack(void)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	if (!verbena_stack.is_known)
		measure();
	return here - verbena_stack.low < verbena_stack.size;
}

long verbena_invoke_elsewhere(verbena_call *call, long a, long b, long c, long d, long e, long f)
{
	/* Without the JVM, as in the child of a fork, calls need no room and no stand-in. */
	if (!verbena_is_running())
		return call(a, b, c, d, e, f);
	if (verbena_inside)
		return -EDEADLK;
	int cancel = verbena_cancel_never();
	long result;
	if (!verbena_stack.is_known) {
		measure();
		result = verbena_invoke(call, a, b, c, d, e, f);
	} else {
		result = delegate(call, (const long[]){a, b, c, d, e, f});
	}
	verbena_cancel_again(cancel);
	return result;
}
