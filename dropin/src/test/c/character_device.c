/* Queries the device's file in /dev, with all variants of the C library's functions. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <infiniband/verbs.h>

#define FOLDER "/dev/infiniband/"

/* For programs linked with an earlier C library. */
int __xstat(int version, const char *path, struct stat *to);
int __lxstat(int version, const char *path, struct stat *to);
int __fxstatat(int version, int folder, const char *path, struct stat *to, int flags);
#ifdef __x86_64__
#define VERSION 1
#else
#define VERSION 0
#endif

static char path[PATH_MAX];

/* Whether a call left in an emptied struct what it should. */
#define EXPECT_DEVICE(call)                                                                        \
	do {                                                                                       \
		struct stat found = {0};                                                           \
		struct stat *to = &found;                                                          \
		assert(call == 0);                                                                 \
		assert(S_ISCHR(found.st_mode) && (found.st_mode & 0666) == 0666);                  \
		assert(found.st_rdev == makedev(231, 192));                                        \
	} while (0)

static void expect_device(void)
{
	EXPECT_DEVICE(stat(path, to));
	EXPECT_DEVICE(lstat(path, to));
	EXPECT_DEVICE(fstatat(AT_FDCWD, path, to, 0));
	EXPECT_DEVICE(stat64(path, (struct stat64 *)to));
	EXPECT_DEVICE(lstat64(path, (struct stat64 *)to));
	EXPECT_DEVICE(fstatat64(AT_FDCWD, path, (struct stat64 *)to, 0));
	EXPECT_DEVICE(__xstat(VERSION, path, to));
	EXPECT_DEVICE(__lxstat(VERSION, path, to));
	EXPECT_DEVICE(__fxstatat(VERSION, AT_FDCWD, path, to, 0));
	struct statx found = {0};
	assert(statx(AT_FDCWD, path, 0, STATX_BASIC_STATS, &found) == 0);
	assert(S_ISCHR(found.stx_mode) && found.stx_rdev_major == 231);
	assert(found.stx_rdev_minor == 192);
}

static void expect_access(void)
{
	assert(access(path, R_OK | W_OK) == 0);
	assert(faccessat(AT_FDCWD, path, R_OK | W_OK, 0) == 0);
	assert(eaccess(path, F_OK) == 0 && euidaccess(path, W_OK) == 0);
	assert(access(path, X_OK) == -1 && errno == EACCES);
}

static void expect_to_be_open(int fd)
{
	char byte = 1;
	struct stat found;
	assert(fd >= 0 && fstat(fd, &found) == 0 && S_ISCHR(found.st_mode));
	assert(found.st_rdev == makedev(231, 192));
	assert(fstatat(fd, "", &found, AT_EMPTY_PATH) == 0 && found.st_rdev == makedev(231, 192));
	int copy = dup(fd);
	assert(fstat(copy, &found) == 0 && found.st_rdev == makedev(231, 192) && close(copy) == 0);
	assert(write(fd, &byte, 1) == 1);
	assert(read(fd, &byte, 1) == 0);
	assert(close(fd) == 0);
}

static void expect_to_open(void)
{
	expect_to_be_open(open(path, O_RDWR | O_CLOEXEC));
	expect_to_be_open(open64(path, O_RDWR));
	expect_to_be_open(openat(AT_FDCWD, path, O_RDWR));
	expect_to_be_open(openat64(AT_FDCWD, path, O_RDWR));
	FILE *stream = fopen(path, "r+");
	assert(stream && fputc('x', stream) == 'x' && fclose(stream) == 0);
	stream = fopen64(path, "r");
	assert(stream && fgetc(stream) == EOF && fclose(stream) == 0);
	assert(open(path, O_RDONLY | O_DIRECTORY) == -1 && errno == ENOTDIR);
	assert(open(path, O_RDWR | O_CREAT | O_EXCL, 0600) == -1 && errno == EEXIST);
}

/* By a path with another spelling, relative to an open folder, and relative to the current one. */
static void expect_by_any_path(const char *name)
{
	struct stat found;
	int folder = open("/dev", O_RDONLY | O_DIRECTORY);
	char relative[PATH_MAX];
	snprintf(relative, sizeof(relative), "./infiniband//../infiniband/%s", name);
	assert(fstatat(folder, relative, &found, 0) == 0 && S_ISCHR(found.st_mode));
	expect_to_be_open(openat(folder, relative, O_RDWR));
	assert(stat(relative, &found) == -1 && errno == ENOENT);
	assert(fchdir(folder) == 0);
	assert(stat(relative, &found) == 0 && S_ISCHR(found.st_mode));
	assert(chdir("/") == 0 && stat(relative, &found) == -1 && close(folder) == 0);
	assert(stat("dev/infiniband", &found) == 0 && S_ISDIR(found.st_mode));
}

static void expect_others_not_to_be(void)
{
	struct stat found;
	int null = open("/dev/null", O_RDWR);
	assert(fstat(null, &found) == 0 && found.st_rdev == makedev(1, 3) && close(null) == 0);
	assert(stat(FOLDER "uverbs1", &found) == -1 && errno == ENOENT);
	assert(open(FOLDER "uverbs1", O_RDWR) == -1 && errno == ENOENT);
	assert(access(FOLDER "uverbs", F_OK) == -1 && errno == ENOENT);
	strcat(path, "/");
	assert(stat(path, &found) == -1 && errno == ENOTDIR);
}

int main(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	snprintf(path, sizeof(path), FOLDER "%s", list[0]->dev_name);
	expect_device();
	expect_access();
	expect_to_open();
	expect_by_any_path(list[0]->dev_name);
	expect_others_not_to_be();
	ibv_free_device_list(list);
	puts("ok");
	return 0;
}
