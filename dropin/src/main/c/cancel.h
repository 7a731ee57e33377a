/*
 * Between these two, cancellation of the thread is deferred. A cancelled thread must not be unwound
 * while it holds something that others wait for, as Java does in system calls: the cancellation
 * waits for the end of the call.
 */
#ifndef VERBENA_CANCEL_H
#define VERBENA_CANCEL_H

#include <pthread.h>

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

#endif
