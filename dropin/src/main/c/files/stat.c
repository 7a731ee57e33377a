/* stat and its many variants, access. */
#define _GNU_SOURCE
#include <linux/magic.h>
#include <sys/sysmacros.h>

#include "files.h"

/* They are the same on 64 bits. */
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "one function serves both names");
_Static_assert(sizeof(struct statfs) == sizeof(struct statfs64), "one function serves both names");
_Static_assert(sizeof(struct statvfs) == sizeof(struct statvfs64),
	       "one function serves both names");

/* The device number of SILENT. */
#define DEVICE_OF_SILENT makedev(1, 3)

static int answer(const struct place *place, struct stat *to)
{
	if (!place->row)
		return verbena_fail(place->error);
	verbena_stat(place, to);
	return 0;
}

#define STAT(name, type, flags)                                                                    \
	EXPORT int name(const char *path, struct type *to)                                         \
	{                                                                                          \
		struct place place;                                                                \
		return verbena_is_ours(AT_FDCWD, &path, flags, &place)                             \
			       ? answer(&place, (struct stat *)to)                                 \
			       : NEXT(name)(path, to);                                             \
	}

STAT(stat, stat, 0)
STAT(stat64, stat64, 0)
STAT(lstat, stat, AT_SYMLINK_NOFOLLOW)
STAT(lstat64, stat64, AT_SYMLINK_NOFOLLOW)

/* For programs linked before glibc 2.33. */
#define XSTAT(name, type, flags)                                                                   \
	EXPORT int name(int version, const char *path, struct type *to)                            \
	{                                                                                          \
		struct place place;                                                                \
		return verbena_is_ours(AT_FDCWD, &path, flags, &place)                             \
			       ? answer(&place, (struct stat *)to)                                 \
			       : NEXT(name)(version, path, to);                                    \
	}

XSTAT(__xstat, stat, 0)
XSTAT(__xstat64, stat64, 0)
XSTAT(__lxstat, stat, AT_SYMLINK_NOFOLLOW)
XSTAT(__lxstat64, stat64, AT_SYMLINK_NOFOLLOW)

#define FSTATAT(name, type)                                                                        \
	EXPORT int name(int folder, const char *path, struct type *to, int flags)                  \
	{                                                                                          \
		struct place place;                                                                \
		return verbena_is_ours(folder, &path, flags, &place)                               \
			       ? answer(&place, (struct stat *)to)                                 \
			       : NEXT(name)(folder, path, to, flags);                              \
	}

FSTATAT(fstatat, stat)
FSTATAT(fstatat64, stat64)

#define FXSTATAT(name, type)                                                                       \
	EXPORT int name(int version, int folder, const char *path, struct type *to, int flags)     \
	{                                                                                          \
		struct place place;                                                                \
		return verbena_is_ours(folder, &path, flags, &place)                               \
			       ? answer(&place, (struct stat *)to)                                 \
			       : NEXT(name)(version, folder, path, to, flags);                     \
	}

FXSTATAT(__fxstatat, stat)
FXSTATAT(__fxstatat64, stat64)

/* Replaces the kernel's data about a descriptor of ours, which is deleted or the silent device. */
static int correct(int fd, struct stat *found)
{
	struct place place;
	int saved = errno;
	if (atomic_load_explicit(&verbena_has_opened, memory_order_relaxed) &&
	    (!found->st_nlink || found->st_rdev == DEVICE_OF_SILENT) &&
	    verbena_path_of(fd, place.path)) {
		off_t size = found->st_size;
		place.row = verbena_row(place.path, &place.index);
		if (place.row)
			verbena_stat(&place, found);
		/* Some programs that copy files rely on the reported size. */
		if (S_ISREG(found->st_mode))
			found->st_size = size;
	}
	errno = saved;
	return 0;
}

#define FSTAT(name, type)                                                                          \
	EXPORT int name(int fd, struct type *to)                                                   \
	{                                                                                          \
		return NEXT(name)(fd, to) ? -1 : correct(fd, (struct stat *)to);                   \
	}

FSTAT(fstat, stat)
FSTAT(fstat64, stat64)

#define FXSTAT(name, type)                                                                         \
	EXPORT int name(int version, int fd, struct type *to)                                      \
	{                                                                                          \
		return NEXT(name)(version, fd, to) ? -1 : correct(fd, (struct stat *)to);          \
	}

FXSTAT(__fxstat, stat)
FXSTAT(__fxstat64, stat64)

static struct statx_timestamp time_of(const struct timespec *from)
{
	return (struct statx_timestamp){.tv_sec = from->tv_sec,
					.tv_nsec = (uint32_t)from->tv_nsec};
}

EXPORT int statx(int folder, const char *path, int flags, unsigned int mask, struct statx *to)
{
	struct place place;
	struct stat found;
	if (!verbena_is_ours(folder, &path, flags, &place))
		return NEXT(statx)(folder, path, flags, mask, to);
	if (answer(&place, &found))
		return -1;
	*to = (struct statx){
		.stx_mask = STATX_BASIC_STATS,
		.stx_blksize = (uint32_t)found.st_blksize,
		.stx_nlink = (uint32_t)found.st_nlink,
		.stx_mode = (uint16_t)found.st_mode,
		.stx_ino = found.st_ino,
		.stx_size = (uint64_t)found.st_size,
		.stx_atime = time_of(&found.st_atim),
		.stx_ctime = time_of(&found.st_ctim),
		.stx_mtime = time_of(&found.st_mtim),
		.stx_rdev_major = major(found.st_rdev),
		.stx_rdev_minor = minor(found.st_rdev),
		.stx_dev_major = major(found.st_dev),
		.stx_dev_minor = minor(found.st_dev),
	};
	return 0;
}

/* There is no superuser here: a file's mode for others decides. */
static int answer_access(const struct place *place, int wanted)
{
	if (!place->row)
		return verbena_fail(place->error);
	return wanted & ~(int)(place->row->mode & S_IRWXO) ? verbena_fail(EACCES) : 0;
}

#define ACCESS(name)                                                                               \
	EXPORT int name(const char *path, int wanted)                                              \
	{                                                                                          \
		struct place place;                                                                \
		return verbena_is_ours(AT_FDCWD, &path, 0, &place)                                 \
			       ? answer_access(&place, wanted)                                     \
			       : NEXT(name)(path, wanted);                                         \
	}

ACCESS(access)
ACCESS(eaccess)
ACCESS(euidaccess)

EXPORT int faccessat(int folder, const char *path, int wanted, int flags)
{
	struct place place;
	return verbena_is_ours(folder, &path, flags, &place) ? answer_access(&place, wanted)
						     : NEXT(faccessat)(folder, path, wanted, flags);
}

/* File systems without any space, like sysfs. */
static int answer_statfs(const struct place *place, struct statfs *to)
{
	if (!place->row)
		return verbena_fail(place->error);
	*to = (struct statfs){
		.f_type = strncmp(place->path, "/sys/", 5) ? TMPFS_MAGIC : SYSFS_MAGIC,
		.f_bsize = 4096,
		.f_frsize = 4096,
		.f_namelen = NAME_MAX,
		.f_flags = ST_NOSUID | ST_NOEXEC,
	};
	return 0;
}

static int answer_statvfs(const struct place *place, struct statvfs *to)
{
	if (!place->row)
		return verbena_fail(place->error);
	*to = (struct statvfs){
		.f_bsize = 4096,
		.f_frsize = 4096,
		.f_namemax = NAME_MAX,
		.f_flag = ST_NOSUID | ST_NOEXEC,
	};
	return 0;
}

#define STATFS(name, base)                                                                         \
	EXPORT int name(const char *path, struct name *to)                                         \
	{                                                                                          \
		struct place place;                                                                \
		return verbena_is_ours(AT_FDCWD, &path, 0, &place)                                 \
			       ? answer_##base(&place, (struct base *)to)                          \
			       : NEXT(name)(path, to);                                             \
	}

STATFS(statfs, statfs)
STATFS(statfs64, statfs)
STATFS(statvfs, statvfs)
STATFS(statvfs64, statvfs)

/* The limits are the same as for any file system. */
EXPORT long pathconf(const char *path, int limit)
{
	struct place place;
	if (!verbena_is_ours(AT_FDCWD, &path, 0, &place))
		return NEXT(pathconf)(path, limit);
	return place.row ? NEXT(pathconf)("/", limit) : verbena_fail(place.error);
}
