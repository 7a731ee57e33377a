/* Finds the functions behind ours: all at once, since a signal handler or a fork may be who needs one. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "next.h"

struct verbena_next verbena_next;

__attribute__((constructor)) void verbena_find_next(void)
{
#define X(name) verbena_next.name = (__typeof__(verbena_next.name))dlsym(RTLD_NEXT, #name);
	VERBENA_ANSWERED(X)
#undef X
	verbena_next.is_filled = 1;
}
