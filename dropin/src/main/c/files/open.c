/* open and its many names. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>

#include "files.h"

/* A device that takes whatever it is given, and gives nothing: nobody speaks to it. */
#define SILENT "/dev/null"

static int answer(const struct place *place, int flags)
{
	if (!place->row)
		return verbena_fail(flags & O_CREAT && place->error == ENOENT ? EACCES : place->error);
	if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
		return verbena_fail(EEXIST);
	if (S_ISDIR(place->row->mode))
		return verbena_fail(EACCES);
	if (flags & O_DIRECTORY)
		return verbena_fail(ENOTDIR);
	return NEXT(open)(SILENT, flags & ~(O_CREAT | O_TRUNC));
}

/* Whether a mode follows. */
static int creates(int flags)
{
	return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
}

#define OPEN(name)                                                                                 \
	EXPORT int name(const char *path, int flags, ...)                                          \
	{                                                                                          \
		struct place place;                                                                \
		if (verbena_is_ours(AT_FDCWD, path, &place))                                       \
			return answer(&place, flags);                                              \
		va_list more;                                                                      \
		va_start(more, flags);                                                             \
		mode_t mode = creates(flags) ? va_arg(more, mode_t) : 0;                           \
		va_end(more);                                                                      \
		return NEXT(name)(path, flags, mode);                                              \
	}

OPEN(open)
OPEN(open64)
int __open(const char *, int, ...);
OPEN(__open)
int __open64(const char *, int, ...);
OPEN(__open64)

#define OPENAT(name)                                                                               \
	EXPORT int name(int folder, const char *path, int flags, ...)                              \
	{                                                                                          \
		struct place place;                                                                \
		if (verbena_is_ours(folder, path, &place))                                         \
			return answer(&place, flags);                                              \
		va_list more;                                                                      \
		va_start(more, flags);                                                             \
		mode_t mode = creates(flags) ? va_arg(more, mode_t) : 0;                           \
		va_end(more);                                                                      \
		return NEXT(name)(folder, path, flags, mode);                                      \
	}

OPENAT(openat)
OPENAT(openat64)

/* Of programs that were compiled with _FORTIFY_SOURCE: those without a mode. */
#define OPEN_2(name)                                                                               \
	EXPORT int name(const char *path, int flags);                                              \
	EXPORT int name(const char *path, int flags)                                               \
	{                                                                                          \
		struct place place;                                                                \
		return verbena_is_ours(AT_FDCWD, path, &place) ? answer(&place, flags)              \
							       : NEXT(name)(path, flags);          \
	}

OPEN_2(__open_2)
OPEN_2(__open64_2)

#define OPENAT_2(name)                                                                             \
	EXPORT int name(int folder, const char *path, int flags);                                  \
	EXPORT int name(int folder, const char *path, int flags)                                   \
	{                                                                                          \
		struct place place;                                                                \
		return verbena_is_ours(folder, path, &place) ? answer(&place, flags)                \
							     : NEXT(name)(folder, path, flags);    \
	}

OPENAT_2(__openat_2)
OPENAT_2(__openat64_2)

/* The flags of a stream's mode; 0 reads. */
static int flags_of(const char *mode)
{
	int flags = strchr(mode, '+') ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
	flags |= mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT | O_APPEND : 0;
	flags |= strchr(mode, 'x') ? O_EXCL : 0;
	return flags | (strchr(mode, 'e') ? O_CLOEXEC : 0);
}

#define FOPEN(name)                                                                                \
	EXPORT FILE *name(const char *path, const char *mode)                                      \
	{                                                                                          \
		struct place place;                                                                \
		if (!verbena_is_ours(AT_FDCWD, path, &place))                                      \
			return NEXT(name)(path, mode);                                             \
		int fd = answer(&place, flags_of(mode));                                           \
		FILE *stream = fd < 0 ? NULL : fdopen(fd, mode);                                   \
		if (fd >= 0 && !stream)                                                            \
			close(fd);                                                                 \
		return stream;                                                                     \
	}

FOPEN(fopen)
FOPEN(fopen64)
