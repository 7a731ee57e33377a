/*
 * The files of a kernel's RDMA device, for programs that look for them: /dev/infiniband. A library of its
 * own, which is preloaded: it answers the C library's functions for exactly these paths, and hands all
 * others to the C library. So nothing is mounted, and nothing is on disk.
 *
 * C, and apart from the shim, because it is in every program, before and without libibverbs and Java.
 */
#ifndef VERBENA_FILES_H
#define VERBENA_FILES_H

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What all our paths contain, and hardly another. */
#define MARK "infiniband"

/* The function of this name behind ours, which is the C library's unless the user preloads one, too. */
#define NEXT(name)                                                                                 \
	({                                                                                         \
		static _Atomic(void *) next;                                                       \
		void *found = atomic_load_explicit(&next, memory_order_relaxed);                   \
		if (!found) {                                                                      \
			found = dlsym(RTLD_NEXT, #name);                                           \
			atomic_store_explicit(&next, found, memory_order_relaxed);                 \
		}                                                                                  \
		(__typeof__(&name))found;                                                          \
	})

/* One file, or a row of them. */
struct row {
	const char *path;
	mode_t mode;
};

/* What a path names. */
struct place {
	/* NULL: it is not ours, or there is no such file, as error says. */
	const struct row *row;
	int error;
};

/* tree.c: the row of an absolute path without "." and "..", or NULL. */
const struct row *verbena_row(const char *path);
/* Whether such a path is in a folder that is wholly ours. */
int verbena_is_inside(const char *path);
void verbena_stat(const struct row *row, struct stat *to);

/* place.c: whether the path is ours; if so, what it names is in place. */
int verbena_find(int folder, const char *path, struct place *place);

/* Whether the path may be ours; all others take this short way only. */
static inline int verbena_may_be_ours(const char *path)
{
	return path && strstr(path, MARK);
}

static inline int verbena_is_ours(int folder, const char *path, struct place *place)
{
	return __builtin_expect(verbena_may_be_ours(path), 0) && verbena_find(folder, path, place);
}

/* As a function of the C library fails. */
static inline int verbena_fail(int error)
{
	errno = error;
	return -1;
}

#endif
