/* Nothing can be created, removed or changed: EPERM, as for the kernel's files of this kind. */
#define _GNU_SOURCE
#include <sys/un.h>

#include "files.h"

static int refuse_change(const struct place *place)
{
	return verbena_fail(place->row ? EPERM : place->error);
}

/* Existing files are reported as existing to any user, so that mkdir -p continues. */
static int refuse_new(const struct place *place)
{
	return verbena_fail(place->row ? EEXIST : place->error == ENOENT ? EPERM : place->error);
}

/* The next function gets the arguments unchanged, except perhaps the path. */
#define OF_PATH(name, refuse, flags, parameters, arguments)                                        \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		struct place place;                                                                \
		return verbena_is_ours(AT_FDCWD, &path, flags, &place) ? refuse(&place)            \
								       : NEXT(name) arguments;     \
	}

#define OF_FOLDER(name, refuse, flags, parameters, arguments)                                      \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		struct place place;                                                                \
		return verbena_is_ours(folder, &path, flags, &place) ? refuse(&place)              \
								     : NEXT(name) arguments;       \
	}

#define KEEP AT_SYMLINK_NOFOLLOW

OF_PATH(unlink, refuse_change, KEEP, (const char *path), (path))
OF_PATH(rmdir, refuse_change, KEEP, (const char *path), (path))
OF_PATH(remove, refuse_change, KEEP, (const char *path), (path))
OF_FOLDER(unlinkat, refuse_change, KEEP, (int folder, const char *path, int how),
	  (folder, path, how))

OF_PATH(mkdir, refuse_new, KEEP, (const char *path, mode_t mode), (path, mode))
OF_FOLDER(mkdirat, refuse_new, KEEP, (int folder, const char *path, mode_t mode),
	  (folder, path, mode))
OF_PATH(symlink, refuse_new, KEEP, (const char *target, const char *path), (target, path))
OF_FOLDER(symlinkat, refuse_new, KEEP, (const char *target, int folder, const char *path),
	  (target, folder, path))

OF_PATH(chmod, refuse_change, 0, (const char *path, mode_t mode), (path, mode))
OF_FOLDER(fchmodat, refuse_change, how, (int folder, const char *path, mode_t mode, int how),
	  (folder, path, mode, how))
OF_PATH(chown, refuse_change, 0, (const char *path, uid_t user, gid_t group), (path, user, group))
OF_PATH(lchown, refuse_change, KEEP, (const char *path, uid_t user, gid_t group),
	(path, user, group))
OF_FOLDER(fchownat, refuse_change, how,
	  (int folder, const char *path, uid_t user, gid_t group, int how),
	  (folder, path, user, group, how))
OF_PATH(truncate, refuse_change, 0, (const char *path, off_t length), (path, length))
OF_PATH(truncate64, refuse_change, 0, (const char *path, off64_t length), (path, length))

OF_PATH(lchmod, refuse_change, KEEP, (const char *path, mode_t mode), (path, mode))
OF_PATH(utime, refuse_change, 0, (const char *path, const struct utimbuf *times), (path, times))
OF_PATH(utimes, refuse_change, 0, (const char *path, const struct timeval times[2]), (path, times))
OF_PATH(lutimes, refuse_change, KEEP, (const char *path, const struct timeval times[2]),
	(path, times))
OF_FOLDER(futimesat, refuse_change, 0,
	  (int folder, const char *path, const struct timeval times[2]), (folder, path, times))
OF_FOLDER(utimensat, refuse_change, how,
	  (int folder, const char *path, const struct timespec times[2], int how),
	  (folder, path, times, how))
OF_PATH(setxattr, refuse_change, 0,
	(const char *path, const char *attribute, const void *value, size_t size, int how),
	(path, attribute, value, size, how))
OF_PATH(lsetxattr, refuse_change, KEEP,
	(const char *path, const char *attribute, const void *value, size_t size, int how),
	(path, attribute, value, size, how))
OF_PATH(removexattr, refuse_change, 0, (const char *path, const char *attribute), (path, attribute))
OF_PATH(lremovexattr, refuse_change, KEEP, (const char *path, const char *attribute),
	(path, attribute))

OF_PATH(mkfifo, refuse_new, KEEP, (const char *path, mode_t mode), (path, mode))
OF_FOLDER(mkfifoat, refuse_new, KEEP, (int folder, const char *path, mode_t mode),
	  (folder, path, mode))
OF_PATH(mknod, refuse_new, KEEP, (const char *path, mode_t mode, dev_t device),
	(path, mode, device))
OF_FOLDER(mknodat, refuse_new, KEEP, (int folder, const char *path, mode_t mode, dev_t device),
	  (folder, path, mode, device))
/* For programs linked before glibc 2.33. */
OF_PATH(__xmknod, refuse_new, KEEP, (int version, const char *path, mode_t mode, dev_t *device),
	(version, path, mode, device))
OF_FOLDER(__xmknodat, refuse_new, KEEP,
	  (int version, int folder, const char *path, mode_t mode, dev_t *device),
	  (version, folder, path, mode, device))

/* A socket with a name is a file. */
EXPORT int bind(int fd, __CONST_SOCKADDR_ARG address, socklen_t length)
{
	const struct sockaddr_un *given = address.__sockaddr_un__;
	const size_t before = offsetof(struct sockaddr_un, sun_path);
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	char spelled[sizeof(name.sun_path) + 1] = "";
	struct place place;
	if (!given || length <= before || length > sizeof(name) ||
	    given->sun_family != AF_UNIX)
		return NEXT(bind)(fd, address, length);
	memcpy(spelled, given->sun_path, length - before);
	const char *path = spelled;
	if (verbena_is_ours(AT_FDCWD, &path, KEEP, &place)) {
		int result = refuse_new(&place);
		errno = errno == EEXIST ? EADDRINUSE : errno;
		return result;
	}
	if (path == spelled)
		return NEXT(bind)(fd, address, length);
	size_t size = strlen(path) + 1;
	if (size > sizeof(name.sun_path))
		return verbena_fail(ENAMETOOLONG);
	memcpy(name.sun_path, path, size);
	return NEXT(bind)(fd, (const struct sockaddr *)&name, (socklen_t)(before + size));
}

/* The part of a template that the C library replaces. */
#define BLANK strlen("XXXXXX")

/* The C library created the file with this name; the template is another path to it. */
static void take_name(char *template, const char *made, int suffix)
{
	size_t tail = BLANK + (size_t)suffix;
	memcpy(template + strlen(template) - tail, made + strlen(made) - tail, BLANK);
}

/*
 * The C library creates these without calling our functions. The path through a folder of ours and
 * out of it is not the template.
 */
#define MKSTEMP(name, suffix, parameters, arguments)                                               \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		struct place place;                                                                \
		char *given = template;                                                            \
		const char *path = template;                                                       \
		if (verbena_is_ours(AT_FDCWD, &path, KEEP, &place))                                \
			return verbena_open_place(&place, O_CREAT | O_EXCL | O_RDWR);              \
		if (path == given)                                                                 \
			return NEXT(name) arguments;                                               \
		template = place.path;                                                             \
		int fd = NEXT(name) arguments;                                                     \
		if (fd >= 0)                                                                       \
			take_name(given, template, suffix);                                        \
		return fd;                                                                         \
	}

MKSTEMP(mkstemp, 0, (char *template), (template))
MKSTEMP(mkstemp64, 0, (char *template), (template))
MKSTEMP(mkostemp, 0, (char *template, int flags), (template, flags))
MKSTEMP(mkostemp64, 0, (char *template, int flags), (template, flags))
MKSTEMP(mkstemps, suffix, (char *template, int suffix), (template, suffix))
MKSTEMP(mkstemps64, suffix, (char *template, int suffix), (template, suffix))
MKSTEMP(mkostemps, suffix, (char *template, int suffix, int flags),
	  (template, suffix, flags))
MKSTEMP(mkostemps64, suffix, (char *template, int suffix, int flags),
	  (template, suffix, flags))

EXPORT char *mkdtemp(char *template)
{
	struct place place;
	const char *path = template;
	if (verbena_is_ours(AT_FDCWD, &path, KEEP, &place)) {
		refuse_new(&place);
		return NULL;
	}
	if (path == template)
		return NEXT(mkdtemp)(template);
	if (!NEXT(mkdtemp)(place.path))
		return NULL;
	take_name(template, place.path, 0);
	return template;
}

/* Whether one of two paths is ours; the first must exist. Another path may be shortened. */
static int concerns(int from_folder, const char **from, int to_folder, const char **to, int *result)
{
	struct place one, other;
	int is_one = verbena_is_ours(from_folder, from, KEEP, &one);
	int is_other = verbena_is_ours(to_folder, to, KEEP, &other);
	if (is_one)
		*result = refuse_change(&one);
	else if (is_other)
		*result = verbena_fail(EPERM);
	return is_one || is_other;
}

EXPORT int rename(const char *from, const char *to)
{
	int result;
	return concerns(AT_FDCWD, &from, AT_FDCWD, &to, &result) ? result : NEXT(rename)(from, to);
}

EXPORT int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
	int result;
	return concerns(from_folder, &from, to_folder, &to, &result)
		       ? result
		       : NEXT(renameat)(from_folder, from, to_folder, to);
}

EXPORT int renameat2(int from_folder, const char *from, int to_folder, const char *to,
		     unsigned int how)
{
	int result;
	return concerns(from_folder, &from, to_folder, &to, &result)
		       ? result
		       : NEXT(renameat2)(from_folder, from, to_folder, to, how);
}

EXPORT int link(const char *from, const char *to)
{
	int result;
	return concerns(AT_FDCWD, &from, AT_FDCWD, &to, &result) ? result : NEXT(link)(from, to);
}

EXPORT int linkat(int from_folder, const char *from, int to_folder, const char *to, int how)
{
	int result;
	return concerns(from_folder, &from, to_folder, &to, &result)
		       ? result
		       : NEXT(linkat)(from_folder, from, to_folder, to, how);
}
