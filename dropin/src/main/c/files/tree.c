/* The files that there are. */
#define _GNU_SOURCE
#include <sys/sysmacros.h>
#include <time.h>

#include "files.h"

/* As with the kernel's. */
#define MAJOR_OF_VERBS 231
#define MINOR_OF_VERBS 192

/* A device number that no file system has. */
#define DEVICE makedev(0, 0xfffff)

static const struct row rows[] = {
	{"/dev/infiniband", S_IFDIR | 0755},
	{"/dev/infiniband/uverbs0", S_IFCHR | 0666},
};

/* What is below them is ours, too, or is not there. */
static const char *const roots[] = {"/dev/infiniband"};

const struct row *verbena_row(const char *path)
{
	for (size_t i = 0; i < COUNT(rows); i++)
		if (!strcmp(rows[i].path, path))
			return &rows[i];
	return NULL;
}

int verbena_is_inside(const char *path)
{
	for (size_t i = 0; i < COUNT(roots); i++) {
		size_t length = strlen(roots[i]);
		if (!strncmp(path, roots[i], length) && (!path[length] || path[length] == '/'))
			return 1;
	}
	return 0;
}

/* When this process began, more or less. */
static struct timespec born;

__attribute__((constructor)) static void note_time(void)
{
	clock_gettime(CLOCK_REALTIME_COARSE, &born);
}

void verbena_stat(const struct row *row, struct stat *to)
{
	*to = (struct stat){
		.st_dev = DEVICE,
		.st_ino = (ino_t)(row - rows) + 1,
		.st_mode = row->mode,
		.st_nlink = S_ISDIR(row->mode) ? 2 : 1,
		.st_rdev = S_ISCHR(row->mode) ? makedev(MAJOR_OF_VERBS, MINOR_OF_VERBS) : 0,
		.st_blksize = 4096,
		.st_atim = born,
		.st_mtim = born,
		.st_ctim = born,
	};
}
