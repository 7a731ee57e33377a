/* Links, the current folder, and extended attributes, of which there are none. */
#define _GNU_SOURCE
#include "files.h"

static ssize_t read_link(const struct place *place, char *to, size_t size)
{
	char target[ROOM];
	if (!place->row)
		return verbena_fail(place->error);
	if (!S_ISLNK(place->row->mode) || !size)
		return verbena_fail(EINVAL);
	const char *text = place->row->text, *variable = strchr(text, '@');
	snprintf(target, sizeof(target), "%.*s%s%s",
		 variable ? (int)(variable - text) : (int)strlen(text), text,
		 variable ? verbena_device_name() : "", variable ? variable + 1 : "");
	size_t length = strlen(target);
	length = length < size ? length : size;
	memcpy(to, target, length);
	return (ssize_t)length;
}

EXPORT ssize_t readlink(const char *path, char *to, size_t size)
{
	struct place place;
	return verbena_is_ours(AT_FDCWD, &path, AT_SYMLINK_NOFOLLOW, &place)
		       ? read_link(&place, to, size)
		       : NEXT(readlink)(path, to, size);
}

EXPORT ssize_t readlinkat(int folder, const char *path, char *to, size_t size)
{
	struct place place;
	return verbena_is_ours(folder, &path, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH, &place)
		       ? read_link(&place, to, size)
		       : NEXT(readlinkat)(folder, path, to, size);
}

/* For programs compiled with _FORTIFY_SOURCE. */
EXPORT ssize_t __readlink_chk(const char *path, char *to, size_t size, size_t room)
{
	return size > room ? NEXT(__readlink_chk)(path, to, size, room) : readlink(path, to, size);
}

EXPORT ssize_t __readlinkat_chk(int folder, const char *path, char *to, size_t size, size_t room)
{
	return size > room ? NEXT(__readlinkat_chk)(folder, path, to, size, room)
			   : readlinkat(folder, path, to, size);
}

static char *copy(const char *path, char *to)
{
	return to ? strcpy(to, path) : strdup(path);
}

EXPORT char *realpath(const char *path, char *to)
{
	struct place place;
	if (!verbena_is_ours(AT_FDCWD, &path, 0, &place))
		return NEXT(realpath)(path, to);
	if (place.row)
		return copy(place.path, to);
	errno = place.error;
	return NULL;
}

EXPORT char *__realpath_chk(const char *path, char *to, size_t room)
{
	return to && room < PATH_MAX ? NEXT(__realpath_chk)(path, to, room) : realpath(path, to);
}

EXPORT char *canonicalize_file_name(const char *path)
{
	return realpath(path, NULL);
}

EXPORT int chdir(const char *path)
{
	struct place place;
	if (!verbena_is_ours(AT_FDCWD, &path, 0, &place)) {
		int result = NEXT(chdir)(path);
		if (!result)
			verbena_is_within = 0;
		return result;
	}
	int fd = verbena_open_place(&place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	int result = NEXT(fchdir)(fd);
	close(fd);
	if (!result)
		verbena_is_within = 1;
	return result;
}

EXPORT int fchdir(int fd)
{
	char path[ROOM];
	int result = NEXT(fchdir)(fd);
	if (!result)
		verbena_is_within = verbena_has_opened && verbena_path_of(AT_FDCWD, path);
	return result;
}

/* The path of the current folder, if it is ours. */
static int within(char *path)
{
	return verbena_is_within && verbena_path_of(AT_FDCWD, path);
}

EXPORT char *getcwd(char *to, size_t size)
{
	char path[ROOM];
	if (!within(path))
		return NEXT(getcwd)(to, size);
	size_t length = strlen(path) + 1;
	if (!to && !size)
		return strdup(path);
	if (size < length) {
		errno = size ? ERANGE : EINVAL;
		return NULL;
	}
	return copy(path, to ? to : malloc(size));
}

EXPORT char *__getcwd_chk(char *to, size_t size, size_t room)
{
	return size > room ? NEXT(__getcwd_chk)(to, size, room) : getcwd(to, size);
}

EXPORT char *get_current_dir_name(void)
{
	char path[ROOM];
	return within(path) ? strdup(path) : NEXT(get_current_dir_name)();
}

/* ls queries them, and fails if the file does not exist. */
static ssize_t no_attributes(const struct place *place, int error)
{
	return place->row ? (error ? verbena_fail(error) : 0) : verbena_fail(place->error);
}

#define GETXATTR(name, flags)                                                                      \
	EXPORT ssize_t name(const char *path, const char *attribute, void *to, size_t size)        \
	{                                                                                          \
		struct place place;                                                                \
		return verbena_is_ours(AT_FDCWD, &path, flags, &place)                             \
			       ? no_attributes(&place, ENODATA)                                    \
			       : NEXT(name)(path, attribute, to, size);                            \
	}

GETXATTR(getxattr, 0)
GETXATTR(lgetxattr, AT_SYMLINK_NOFOLLOW)

#define LISTXATTR(name, flags)                                                                     \
	EXPORT ssize_t name(const char *path, char *to, size_t size)                               \
	{                                                                                          \
		struct place place;                                                                \
		return verbena_is_ours(AT_FDCWD, &path, flags, &place)                             \
			       ? no_attributes(&place, 0)                                          \
			       : NEXT(name)(path, to, size);                                       \
	}

LISTXATTR(listxattr, 0)
LISTXATTR(llistxattr, AT_SYMLINK_NOFOLLOW)
