/* events.c: events of objects. */
#ifndef VERBENA_EVENTS_H
#define VERBENA_EVENTS_H

#include <pthread.h>
#include <stdint.h>

/* Waits until the program has acknowledged what was reported (S10.2). */
void verbena_await_acks(pthread_mutex_t *mutex, pthread_cond_t *cond, const uint32_t *completed,
			uint32_t reported);

/*
 * The end of an object, by the result of the call that destroyed it: waits for acknowledgements and
 * frees the object, or leaves it alone if the call failed. Returns 0 or an errno.
 */
int verbena_destroyed(long result, void *object, pthread_mutex_t *mutex, pthread_cond_t *cond,
		      const uint32_t *completed, const uint32_t *reported);

#endif
