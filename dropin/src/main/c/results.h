/* Converts Java's results to libibverbs'. */
#ifndef VERBENA_RESULTS_H
#define VERBENA_RESULTS_H

#include <errno.h>

/* In libibverbs a call that returns an errno sets errno, too. */
static inline int verbena_result(long result)
{
	if (result >= 0)
		return 0;
	errno = (int)-result;
	return errno;
}

/*
 * On the data path an errno is an ordinary result; a negative one comes from a call that broke off.
 */
static inline int verbena_posted(long result)
{
	return result < 0 ? verbena_result(result) : (int)result;
}

#endif
