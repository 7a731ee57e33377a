/*
 * Opens folders of the device while there is no memory: calloc and close are functions of this
 * program.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FOLDER "/sys/class/infiniband/soft0/ports"
#define EXPORT __attribute__((visibility("default")))

static int is_short, closed_in_vain;

void *__libc_calloc(size_t count, size_t size);

EXPORT void *calloc(size_t count, size_t size)
{
	if (!is_short)
		return __libc_calloc(count, size);
	errno = ENOMEM;
	return NULL;
}

EXPORT int close(int fd)
{
	long result = syscall(SYS_close, fd);
	closed_in_vain += result < 0;
	return (int)result;
}

static int failures;

#define CHECK(what)                                                                                \
	do {                                                                                       \
		if (!(what)) {                                                                     \
			printf("line %d: not true: %s\n", __LINE__, #what);                        \
			failures++;                                                                \
		}                                                                                  \
	} while (0)

int main(void)
{
	int fd = open(FOLDER, O_RDONLY | O_DIRECTORY);
	int next = dup(fd);
	close(next);

	is_short = 1;
	errno = 0;
	CHECK(!opendir(FOLDER) && errno == ENOMEM);
	CHECK(closed_in_vain == 0);
	errno = 0;
	CHECK(!fdopendir(fd) && errno == ENOMEM);
	is_short = 0;

	/* It still belongs to the program; and none is left open. */
	CHECK(fcntl(fd, F_GETFD) >= 0);
	int again = dup(fd);
	CHECK(again == next);
	DIR *dir = fdopendir(fd);
	CHECK(dir && readdir(dir) && closedir(dir) == 0);
	if (!failures)
		puts("ok");
	return failures != 0;
}
