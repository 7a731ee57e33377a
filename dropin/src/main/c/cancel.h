/*
 * A thread that is cancelled must not be unwound while it holds what others wait for, as Java does
 * when it makes a system call: the cancellation waits for the end of the call. Between these two.
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
