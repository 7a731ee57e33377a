/* open and its many variants. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <sys/mman.h>

#include "files.h"

/* Where to create a folder briefly; in memory first. */
static const char *const makers[] = {"/dev/shm", "/tmp", "/var/tmp", "."};

/* Encodes a path as a file name. */
static void encode(const char *path, char *to)
{
	for (; *path; path++)
		*to++ = *path == '/' ? '!' : *path;
	*to = '\0';
}

/* A file in memory that cannot be changed through the descriptor. */
static int open_text(const struct place *place, const char *text, int flags)
{
	char name[ROOM + 16] = VERBENA_FILE, again[32];
	encode(place->path, name + strlen(name));
	int made = memfd_create(name, MFD_CLOEXEC);
	if (made < 0)
		return -1;
	size_t length = strlen(text);
	int fd = -1;
	if (write(made, text, length) == (ssize_t)length &&
	    !fchmod(made, place->row->mode & 0777)) {
		snprintf(again, sizeof(again), "/proc/self/fd/%d", made);
		fd = NEXT(open)(again, flags & (O_PATH | O_CLOEXEC | O_NONBLOCK));
	}
	int saved = errno;
	close(made);
	errno = saved;
	return fd;
}

static int text_of(const struct row *row, int index, char *to)
{
	if (row->write)
		return row->write(row, index, to);
	snprintf(to, TEXT, "%s\n", row->text);
	return 0;
}

static int open_file(const struct place *place, int flags)
{
	char text[TEXT];
	if ((flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC)
		return verbena_fail(EACCES);
	int error = text_of(place->row, place->index, text);
	return error ? verbena_fail(error) : open_text(place, text, flags);
}

/* Only for queries, even of an unreadable file. Opening it again through /proc shows the text. */
static int open_path(const struct place *place, int flags)
{
	char text[TEXT];
	if (!S_ISREG(place->row->mode) || text_of(place->row, place->index, text))
		text[0] = '\0';
	return open_text(place, text, flags);
}

static int open_device(int flags)
{
	int fd = NEXT(open)(SILENT, flags & ~(O_CREAT | O_TRUNC));
	/* If that is not possible, fstat shows the other device, and all else works. */
	if (fd >= 0)
		fcntl(fd, F_SETSIG, MARK_OF_DEVICE);
	return fd;
}

/* An empty folder, deleted as soon as it is open. */
static int open_folder(const struct place *place, int flags)
{
	static atomic_uint count;
	char name[ROOM], path[2 * ROOM];
	encode(place->path, name);
	for (size_t i = 0; i < COUNT(makers); i++) {
		snprintf(path, sizeof(path), "%s/" VERBENA_FOLDER "%d-%u%s", makers[i], getpid(),
			 count++, name);
		if (NEXT(mkdir)(path, 0755))
			continue;
		int fd = NEXT(open)(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
					     (flags & (O_PATH | O_CLOEXEC)));
		int saved = errno;
		NEXT(rmdir)(path);
		errno = saved;
		return fd;
	}
	return -1;
}

int verbena_open_place(const struct place *place, int flags)
{
	/* With O_PATH the kernel ignores all others. */
	if (flags & O_PATH)
		flags &= O_PATH | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW;
	if (!place->row)
		return verbena_fail(flags & O_CREAT && place->error == ENOENT ? EACCES
									      : place->error);
	mode_t mode = place->row->mode;
	if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
		return verbena_fail(EEXIST);
	if (S_ISLNK(mode) && !(flags & O_PATH))
		return verbena_fail(ELOOP);
	if (!S_ISDIR(mode) && flags & O_DIRECTORY)
		return verbena_fail(ENOTDIR);
	verbena_has_opened = 1;
	if (S_ISDIR(mode))
		return (flags & O_ACCMODE) == O_RDONLY ? open_folder(place, flags)
						       : verbena_fail(EISDIR);
	if (flags & O_PATH)
		return open_path(place, flags);
	return S_ISCHR(mode) ? open_device(flags) : open_file(place, flags);
}

static int flags_of_find(int flags)
{
	int keeps = flags & O_NOFOLLOW || (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
	return keeps ? AT_SYMLINK_NOFOLLOW : 0;
}

static int is_ours(int folder, const char **path, int flags, struct place *place)
{
	return verbena_is_ours(folder, path, flags_of_find(flags), place);
}

/* Whether a mode argument follows. */
static int creates(int flags)
{
	return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
}

#define OPEN(name)                                                                                 \
	EXPORT int name(const char *path, int flags, ...)                                          \
	{                                                                                          \
		struct place place;                                                                \
		if (is_ours(AT_FDCWD, &path, flags, &place))                                       \
			return verbena_open_place(&place, flags);                                  \
		va_list more;                                                                      \
		va_start(more, flags);                                                             \
		mode_t mode = creates(flags) ? va_arg(more, mode_t) : 0;                           \
		va_end(more);                                                                      \
		return NEXT(name)(path, flags, mode);                                              \
	}

OPEN(open)
OPEN(open64)
OPEN(__open)
OPEN(__open64)

#define OPENAT(name)                                                                               \
	EXPORT int name(int folder, const char *path, int flags, ...)                              \
	{                                                                                          \
		struct place place;                                                                \
		if (is_ours(folder, &path, flags, &place))                                         \
			return verbena_open_place(&place, flags);                                  \
		va_list more;                                                                      \
		va_start(more, flags);                                                             \
		mode_t mode = creates(flags) ? va_arg(more, mode_t) : 0;                           \
		va_end(more);                                                                      \
		return NEXT(name)(folder, path, flags, mode);                                      \
	}

OPENAT(openat)
OPENAT(openat64)

/* For programs compiled with _FORTIFY_SOURCE: the variants without a mode. */
#define OPEN_2(name)                                                                               \
	EXPORT int name(const char *path, int flags)                                               \
	{                                                                                          \
		struct place place;                                                                \
		return is_ours(AT_FDCWD, &path, flags, &place)                                     \
			       ? verbena_open_place(&place, flags)                                 \
			       : NEXT(name)(path, flags);                                          \
	}

OPEN_2(__open_2)
OPEN_2(__open64_2)

#define OPENAT_2(name)                                                                             \
	EXPORT int name(int folder, const char *path, int flags)                                   \
	{                                                                                          \
		struct place place;                                                                \
		return is_ours(folder, &path, flags, &place)                                       \
			       ? verbena_open_place(&place, flags)                                 \
			       : NEXT(name)(folder, path, flags);                                  \
	}

OPENAT_2(__openat_2)
OPENAT_2(__openat64_2)

#define CREAT(name)                                                                                \
	EXPORT int name(const char *path, mode_t mode)                                             \
	{                                                                                          \
		const int flags = O_CREAT | O_WRONLY | O_TRUNC;                                    \
		struct place place;                                                                \
		return is_ours(AT_FDCWD, &path, flags, &place)                                     \
			       ? verbena_open_place(&place, flags)                                 \
			       : NEXT(name)(path, mode);                                           \
	}

CREAT(creat)
CREAT(creat64)

/* The open flags for a stream's mode; 0 for reading. */
static int flags_of_mode(const char *mode)
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
		if (!verbena_is_ours(AT_FDCWD, &path, 0, &place))                                  \
			return NEXT(name)(path, mode);                                             \
		int fd = verbena_open_place(&place, flags_of_mode(mode));                          \
		FILE *stream = fd < 0 ? NULL : fdopen(fd, mode);                                   \
		if (fd >= 0 && !stream)                                                            \
			close(fd);                                                                 \
		return stream;                                                                     \
	}

FOPEN(fopen)
FOPEN(fopen64)

/* The stream already exists: the C library opens our open file through its name in /proc. */
#define FREOPEN(name)                                                                              \
	EXPORT FILE *name(const char *path, const char *mode, FILE *stream)                        \
	{                                                                                          \
		struct place place;                                                                \
		if (!verbena_is_ours(AT_FDCWD, &path, 0, &place))                                  \
			return NEXT(name)(path, mode, stream);                                     \
		int fd = verbena_open_place(&place, flags_of_mode(mode) | O_CLOEXEC);              \
		char again[32];                                                                    \
		snprintf(again, sizeof(again), "/proc/self/fd/%d", fd);                            \
		int error = errno;                                                                 \
		FILE *opened = NEXT(name)(fd < 0 ? "" : again, mode, stream);                      \
		if (fd >= 0)                                                                       \
			close(fd);                                                                 \
		else                                                                               \
			errno = error;                                                             \
		return opened;                                                                     \
	}

FREOPEN(freopen)
FREOPEN(freopen64)
