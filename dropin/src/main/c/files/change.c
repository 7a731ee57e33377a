/* Nothing can be made, removed or changed: EPERM, as a kernel's files of this kind say. */
#define _GNU_SOURCE
#include "files.h"

static int refuse_change(const struct place *place)
{
	return verbena_fail(place->row ? EPERM : place->error);
}

/* What is there already is there, whoever asks: mkdir -p goes on then. */
static int refuse_new(const struct place *place)
{
	return verbena_fail(place->row ? EEXIST : place->error == ENOENT ? EPERM : place->error);
}

/* The function behind ours takes the arguments as they are, but for the path, maybe. */
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
OF_FOLDER(unlinkat, refuse_change, KEEP, (int folder, const char *path, int how), (folder, path, how))

OF_PATH(mkdir, refuse_new, KEEP, (const char *path, mode_t mode), (path, mode))
OF_FOLDER(mkdirat, refuse_new, KEEP, (int folder, const char *path, mode_t mode), (folder, path, mode))
OF_PATH(symlink, refuse_new, KEEP, (const char *target, const char *path), (target, path))
OF_FOLDER(symlinkat, refuse_new, KEEP, (const char *target, int folder, const char *path),
	  (target, folder, path))

OF_PATH(chmod, refuse_change, 0, (const char *path, mode_t mode), (path, mode))
OF_FOLDER(fchmodat, refuse_change, how, (int folder, const char *path, mode_t mode, int how),
	  (folder, path, mode, how))
OF_PATH(chown, refuse_change, 0, (const char *path, uid_t user, gid_t group), (path, user, group))
OF_PATH(lchown, refuse_change, KEEP, (const char *path, uid_t user, gid_t group), (path, user, group))
OF_FOLDER(fchownat, refuse_change, how,
	  (int folder, const char *path, uid_t user, gid_t group, int how),
	  (folder, path, user, group, how))
OF_PATH(truncate, refuse_change, 0, (const char *path, off_t length), (path, length))
OF_PATH(truncate64, refuse_change, 0, (const char *path, off64_t length), (path, length))

/* Whether one of two paths is ours; the first one must be there. A path of others may come out shorter. */
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
