/* The functions that handle our paths; for all others each calls the next function of that name. */
#ifndef VERBENA_NEXT_H
#define VERBENA_NEXT_H

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

/* Functions that no header declares: names hidden by macros, and names of earlier C libraries. */
int __open(const char *path, int flags, ...);
int __open64(const char *path, int flags, ...);
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);
int __xstat(int version, const char *path, struct stat *to);
int __xstat64(int version, const char *path, struct stat64 *to);
int __lxstat(int version, const char *path, struct stat *to);
int __lxstat64(int version, const char *path, struct stat64 *to);
int __fxstat(int version, int fd, struct stat *to);
int __fxstat64(int version, int fd, struct stat64 *to);
int __fxstatat(int version, int folder, const char *path, struct stat *to, int flags);
int __fxstatat64(int version, int folder, const char *path, struct stat64 *to, int flags);
int __xmknod(int version, const char *path, mode_t mode, dev_t *device);
int __xmknodat(int version, int folder, const char *path, mode_t mode, dev_t *device);
ssize_t __readlink_chk(const char *path, char *to, size_t size, size_t room);
ssize_t __readlinkat_chk(int folder, const char *path, char *to, size_t size, size_t room);
char *__realpath_chk(const char *path, char *to, size_t room);
char *__getcwd_chk(char *to, size_t size, size_t room);

#define VERBENA_ANSWERED(X)                                                                        \
	/* open.c */                                                                               \
	X(open) X(open64) X(__open) X(__open64) X(__open_2) X(__open64_2)                          \
	X(openat) X(openat64) X(__openat_2) X(__openat64_2)                                        \
	X(creat) X(creat64) X(fopen) X(fopen64) X(freopen) X(freopen64)                            \
	/* stat.c */                                                                               \
	X(stat) X(stat64) X(lstat) X(lstat64) X(fstat) X(fstat64) X(fstatat) X(fstatat64)          \
	X(__xstat) X(__xstat64) X(__lxstat) X(__lxstat64) X(__fxstat) X(__fxstat64)                \
	X(__fxstatat) X(__fxstatat64) X(statx)                                                     \
	X(access) X(eaccess) X(euidaccess) X(faccessat)                                            \
	X(statfs) X(statfs64) X(statvfs) X(statvfs64) X(pathconf)                                  \
	/* folder.c */                                                                             \
	X(opendir) X(fdopendir) X(closedir) X(readdir) X(readdir64) X(readdir_r) X(readdir64_r)    \
	X(rewinddir) X(telldir) X(seekdir)                                                         \
	X(scandir) X(scandir64) X(scandirat) X(scandirat64) X(glob) X(glob64)                      \
	/* links.c */                                                                              \
	X(readlink) X(readlinkat) X(__readlink_chk) X(__readlinkat_chk)                            \
	X(realpath) X(__realpath_chk) X(canonicalize_file_name)                                    \
	X(chdir) X(fchdir) X(getcwd) X(__getcwd_chk) X(get_current_dir_name)                       \
	X(getxattr) X(lgetxattr) X(listxattr) X(llistxattr)                                        \
	/* change.c */                                                                             \
	X(unlink) X(unlinkat) X(rmdir) X(remove) X(mkdir) X(mkdirat) X(symlink) X(symlinkat)       \
	X(chmod) X(fchmodat) X(chown) X(lchown) X(fchownat) X(truncate) X(truncate64)              \
	X(rename) X(renameat) X(renameat2) X(link) X(linkat)                                       \
	X(lchmod) X(utime) X(utimes) X(lutimes) X(futimesat) X(utimensat)                          \
	X(setxattr) X(lsetxattr) X(removexattr) X(lremovexattr)                                    \
	X(mknod) X(mknodat) X(__xmknod) X(__xmknodat) X(mkfifo) X(mkfifoat) X(bind)                \
	X(mkstemp) X(mkstemp64) X(mkostemp) X(mkostemp64) X(mkdtemp)                               \
	X(mkstemps) X(mkstemps64) X(mkostemps) X(mkostemps64)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
struct verbena_next {
#define X(name) __typeof__(&name) name;
	VERBENA_ANSWERED(X)
#undef X
	atomic_int is_filled;
};
#pragma GCC diagnostic pop

extern struct verbena_next verbena_next;
void verbena_find_next(void);

/* The next function of this name, which is the C library's unless the user preloads another. */
#define NEXT(name) (*next_functions()->name)

static inline const struct verbena_next *next_functions(void)
{
	/* May be called by another library's constructor, before ours. */
	int is_filled = atomic_load_explicit(&verbena_next.is_filled, memory_order_acquire);
	if (__builtin_expect(!is_filled, 0))
		verbena_find_next();
	return &verbena_next;
}

#endif
