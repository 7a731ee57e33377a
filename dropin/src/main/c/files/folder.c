/* Reading folders. */
#define _GNU_SOURCE
#include <pthread.h>

#include "files.h"

/* They are the same on 64 bits. */
_Static_assert(sizeof(struct dirent) == sizeof(struct dirent64), "one function serves both names");
_Static_assert(sizeof(glob_t) == sizeof(glob64_t), "one function serves both names");

/* Folders of ours have fewer entries. */
#define BEHIND_ALL 4096

/* A stream by which the program reads one of our folders, which the C library finds empty. */
struct stream {
	DIR *dir;
	struct place folder;
	int position;
	struct dirent entry;
	struct stream *next;
};

static _Atomic(struct stream *) streams;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
	pthread_mutex_lock(&mutex);
}

static void unlock(void)
{
	pthread_mutex_unlock(&mutex);
}

__attribute__((constructor)) static void watch_forks(void)
{
	pthread_atfork(lock, unlock, unlock);
}

/* NULL if it is not one of ours. */
static struct stream *stream_of(DIR *dir)
{
	struct stream *each = atomic_load_explicit(&streams, memory_order_acquire);
	if (__builtin_expect(!each, 1))
		return NULL;
	lock();
	for (each = streams; each && each->dir != dir;)
		each = each->next;
	unlock();
	return each;
}

/*
 * A stream for the descriptor of our folder, which it closes; on failure the descriptor stays open.
 */
static DIR *stream_by(int fd, const struct place *folder)
{
	struct stream *stream = calloc(1, sizeof(*stream));
	DIR *dir = stream ? NEXT(fdopendir)(fd) : NULL;
	if (!dir) {
		free(stream);
		return NULL;
	}
	stream->dir = dir;
	stream->folder = *folder;
	lock();
	stream->next = streams;
	streams = stream;
	unlock();
	return dir;
}

static DIR *open_stream(const struct place *place)
{
	int fd = verbena_open_place(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : stream_by(fd, place);
	if (!dir && fd >= 0) {
		int saved = errno;
		close(fd);
		errno = saved;
	}
	return dir;
}

EXPORT DIR *opendir(const char *path)
{
	struct place place;
	return verbena_is_ours(AT_FDCWD, &path, 0, &place) ? open_stream(&place)
							   : NEXT(opendir)(path);
}

EXPORT DIR *fdopendir(int fd)
{
	struct place place;
	if (!verbena_has_opened || !verbena_path_of(fd, place.path))
		return NEXT(fdopendir)(fd);
	place.row = verbena_row(place.path, &place.index);
	return place.row ? stream_by(fd, &place) : NEXT(fdopendir)(fd);
}

EXPORT int closedir(DIR *dir)
{
	struct stream *stream = stream_of(dir);
	if (stream) {
		lock();
		struct stream *before = streams;
		if (before == stream) {
			streams = stream->next;
		} else {
			while (before->next != stream)
				before = before->next;
			before->next = stream->next;
		}
		unlock();
		free(stream);
	}
	return NEXT(closedir)(dir);
}

static struct dirent *read_entry(struct stream *stream)
{
	struct dirent *entry = &stream->entry;
	return verbena_next_child(&stream->folder, &stream->position, entry) ? entry : NULL;
}

EXPORT struct dirent *readdir(DIR *dir)
{
	struct stream *stream = stream_of(dir);
	return stream ? read_entry(stream) : NEXT(readdir)(dir);
}

EXPORT struct dirent64 *readdir64(DIR *dir)
{
	struct stream *stream = stream_of(dir);
	return stream ? (struct dirent64 *)read_entry(stream) : NEXT(readdir64)(dir);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define READDIR_R(name, type)                                                                      \
	EXPORT int name(DIR *dir, struct type *entry, struct type **result)                        \
	{                                                                                          \
		struct stream *stream = stream_of(dir);                                            \
		if (!stream)                                                                       \
			return NEXT(name)(dir, entry, result);                                     \
		*result = verbena_next_child(&stream->folder, &stream->position,                   \
					     (struct dirent *)entry)                               \
				  ? entry                                                          \
				  : NULL;                                                          \
		return 0;                                                                          \
	}

READDIR_R(readdir_r, dirent)
READDIR_R(readdir64_r, dirent64)
#pragma GCC diagnostic pop

EXPORT void rewinddir(DIR *dir)
{
	struct stream *stream = stream_of(dir);
	if (stream)
		stream->position = 0;
	NEXT(rewinddir)(dir);
}

EXPORT long telldir(DIR *dir)
{
	struct stream *stream = stream_of(dir);
	return stream ? stream->position : NEXT(telldir)(dir);
}

EXPORT void seekdir(DIR *dir, long position)
{
	struct stream *stream = stream_of(dir);
	long most = position < BEHIND_ALL ? position : BEHIND_ALL;
	if (stream)
		stream->position = most < 0 ? 0 : (int)most;
	else
		NEXT(seekdir)(dir, position);
}

typedef int select_entry(const struct dirent *);
typedef int compare_entries(const struct dirent **, const struct dirent **);

static int compare(const void *left, const void *right, void *with)
{
	return (*(compare_entries **)with)((const struct dirent **)left,
					   (const struct dirent **)right);
}

/* The C library's own function reads folders in ways that cannot be intercepted. */
static int scan(const struct place *place, struct dirent ***list, select_entry *selects,
		compare_entries *compares)
{
	if (!place->row)
		return verbena_fail(place->error);
	if (!S_ISDIR(place->row->mode))
		return verbena_fail(ENOTDIR);
	struct dirent **found = NULL, entry;
	int count = 0, position = 0;
	while (verbena_next_child(place, &position, &entry)) {
		if (selects && !selects(&entry))
			continue;
		struct dirent **more = realloc(found, sizeof(*found) * (size_t)(count + 1));
		found = more ? more : found;
		struct dirent *copy = more ? malloc(sizeof(entry)) : NULL;
		if (!copy) {
			while (count)
				free(found[--count]);
			free(found);
			return verbena_fail(ENOMEM);
		}
		*copy = entry;
		found[count++] = copy;
	}
	if (compares && count)
		qsort_r(found, (size_t)count, sizeof(*found), compare, &compares);
	*list = found;
	return count;
}

#define SCANDIRAT(name, type)                                                                      \
	EXPORT int name(int folder, const char *path, struct type ***list,                         \
			int (*selects)(const struct type *),                                       \
			int (*compares)(const struct type **, const struct type **))               \
	{                                                                                          \
		struct place place;                                                                \
		return verbena_is_ours(folder, &path, 0, &place)                                   \
			       ? scan(&place, (struct dirent ***)list, (select_entry *)selects,    \
				      (compare_entries *)compares)                                 \
			       : NEXT(name)(folder, path, list, selects, compares);                \
	}

SCANDIRAT(scandirat, dirent)
SCANDIRAT(scandirat64, dirent64)

#define SCANDIR(name, type)                                                                        \
	EXPORT int name(const char *path, struct type ***list,                                     \
			int (*selects)(const struct type *),                                       \
			int (*compares)(const struct type **, const struct type **))               \
	{                                                                                          \
		struct place place;                                                                \
		return verbena_is_ours(AT_FDCWD, &path, 0, &place)                                 \
			       ? scan(&place, (struct dirent ***)list, (select_entry *)selects,    \
				      (compare_entries *)compares)                                 \
			       : NEXT(name)(path, list, selects, compares);                        \
	}

SCANDIR(scandir, dirent)
SCANDIR(scandir64, dirent64)

static void *glob_open(const char *path)
{
	return opendir(path);
}

static struct dirent *glob_read(void *dir)
{
	return readdir(dir);
}

static struct dirent64 *glob_read64(void *dir)
{
	return readdir64(dir);
}

static void glob_close(void *dir)
{
	closedir(dir);
}

/* The C library's own function can be given the functions to read with. */
#define GLOB(name, glob_type, read, stat_name, lstat_name)                                         \
	EXPORT int name(const char *pattern, int flags, int (*failed)(const char *, int),          \
			glob_type *to)                                                             \
	{                                                                                          \
		if (!verbena_may_be_ours(AT_FDCWD, pattern) || flags & GLOB_ALTDIRFUNC)            \
			return NEXT(name)(pattern, flags, failed, to);                             \
		to->gl_opendir = glob_open;                                                        \
		to->gl_readdir = read;                                                             \
		to->gl_closedir = glob_close;                                                      \
		to->gl_stat = stat_name;                                                           \
		to->gl_lstat = lstat_name;                                                         \
		return NEXT(name)(pattern, flags | GLOB_ALTDIRFUNC, failed, to);                   \
	}

GLOB(glob, glob_t, glob_read, stat, lstat)
GLOB(glob64, glob64_t, glob_read64, stat64, lstat64)
