/*
 * files/next.c on a C library without stat and mknod, but with __xstat and __xmknod, which are
 * here.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "files/next.h"

#ifdef __x86_64__
#define VERSION 1
#else
#define VERSION 0
#endif

static int is_version(int version, struct stat *to, nlink_t which)
{
	to->st_nlink = which;
	return version == VERSION ? 0 : -1;
}

static int of_path(int version, const char *path, struct stat *to)
{
	return is_version(version, to, (nlink_t)path[0]);
}

static int of_fd(int version, int fd, struct stat *to)
{
	return is_version(version, to, (nlink_t)fd);
}

static int of_folder(int version, int folder, const char *path, struct stat *to, int flags)
{
	return is_version(version, to, (nlink_t)folder + (nlink_t)path[0] + (nlink_t)flags);
}

static int make(int version, const char *path, mode_t mode, dev_t *device)
{
	return version ? -1 : path[0] + (int)mode + (int)*device;
}

static int make_in(int version, int folder, const char *path, mode_t mode, dev_t *device)
{
	return version ? -1 : folder + path[0] + (int)mode + (int)*device;
}

__attribute__((visibility("default"))) void *dlsym(void *handle, const char *name)
{
	static const char *const gone[] = {"stat",    "stat64",  "lstat",     "lstat64", "fstat",
					   "fstat64", "fstatat", "fstatat64", "mknod",   "mknodat"};
	for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++)
		if (!strcmp(name, gone[i]))
			return NULL;
	if (strstr(name, "xmknodat"))
		return (void *)make_in;
	if (strstr(name, "xmknod"))
		return (void *)make;
	if (strstr(name, "fxstatat"))
		return (void *)of_folder;
	if (strstr(name, "fxstat"))
		return (void *)of_fd;
	return strstr(name, "xstat") ? (void *)of_path : dlvsym(handle, name, "GLIBC_2.2.5");
}

static int failures;

#define CHECK(call, expected)                                                                      \
	do {                                                                                       \
		struct stat found = {0};                                                           \
		struct stat64 found64 = {0};                                                       \
		(void)&found, (void)&found64;                                                      \
		int result = call;                                                                 \
		if (result || found.st_nlink + found64.st_nlink != (expected)) {                   \
			printf("line %d: %s\n", __LINE__, #call);                                  \
			failures++;                                                                \
		}                                                                                  \
	} while (0)

int main(void)
{
	CHECK(NEXT(stat)("a", &found), 'a');
	CHECK(NEXT(stat64)("b", &found64), 'b');
	CHECK(NEXT(lstat)("c", &found), 'c');
	CHECK(NEXT(lstat64)("d", &found64), 'd');
	CHECK(NEXT(fstat)(5, &found), 5);
	CHECK(NEXT(fstat64)(6, &found64), 6);
	CHECK(NEXT(fstatat)(1, "e", &found, 2), 'e' + 3);
	CHECK(NEXT(fstatat64)(3, "f", &found64, 4), 'f' + 7);
	if (NEXT(mknod)("g", 1, 2) != 'g' + 3 || NEXT(mknodat)(1, "h", 2, 3) != 'h' + 6) {
		puts("mknod or mknodat is not made by the older one");
		failures++;
	}
	if (!failures)
		puts("ok");
	return failures != 0;
}
