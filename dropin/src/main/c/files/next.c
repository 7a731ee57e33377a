/*
 * Finds the functions that ours replace, all at once, because a signal handler or a forked child
 * may need one.
 */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "next.h"

struct verbena_next verbena_next;

/*
 * Before release 2.33, stat, mknod and similar functions are inline, and call others with a version
 * of the types.
 */
#ifdef __x86_64__
#define VERSION 1
#else
#define VERSION 0
#endif

#define VERSION_OF_MKNOD 0

#define OLD_ONES(X)                                                                                \
	X(stat, __xstat, (const char *path, struct stat *to), (VERSION, path, to))                 \
	X(stat64, __xstat64, (const char *path, struct stat64 *to), (VERSION, path, to))           \
	X(lstat, __lxstat, (const char *path, struct stat *to), (VERSION, path, to))               \
	X(lstat64, __lxstat64, (const char *path, struct stat64 *to), (VERSION, path, to))         \
	X(fstat, __fxstat, (int fd, struct stat *to), (VERSION, fd, to))                           \
	X(fstat64, __fxstat64, (int fd, struct stat64 *to), (VERSION, fd, to))                     \
	X(fstatat, __fxstatat, (int folder, const char *path, struct stat *to, int flags),         \
	  (VERSION, folder, path, to, flags))                                                      \
	X(fstatat64, __fxstatat64, (int folder, const char *path, struct stat64 *to, int flags),   \
	  (VERSION, folder, path, to, flags))                                                      \
	X(mknod, __xmknod, (const char *path, mode_t mode, dev_t device),                          \
	  (VERSION_OF_MKNOD, path, mode, &device))                                                 \
	X(mknodat, __xmknodat, (int folder, const char *path, mode_t mode, dev_t device),          \
	  (VERSION_OF_MKNOD, folder, path, mode, &device))

#define X(name, old, parameters, arguments)                                                        \
	static int old_##name parameters                                                           \
	{                                                                                          \
		return verbena_next.old arguments;                                                 \
	}
OLD_ONES(X)
#undef X

__attribute__((constructor)) void verbena_find_next(void)
{
#define X(name) verbena_next.name = (__typeof__(verbena_next.name))dlsym(RTLD_NEXT, #name);
	VERBENA_ANSWERED(X)
#undef X
#define X(name, old, parameters, arguments)                                                        \
	if (!verbena_next.name)                                                                    \
		verbena_next.name = old_##name;
	OLD_ONES(X)
#undef X
	atomic_store_explicit(&verbena_next.is_filled, 1, memory_order_release);
}
