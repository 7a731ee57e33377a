/*
 * The files of a kernel's RDMA device, for programs that look for them: /dev/infiniband, and the
 * files in /sys. This is a separate library, which is preloaded: it handles the C library's
 * functions for exactly these paths, and passes all others to the C library. So nothing is mounted,
 * and nothing is on disk.
 *
 * In C, and separate from the shim, because every program loads it, before and without libibverbs
 * and Java.
 *
 * What a program opens is real, so that everything works on it as usual: a file is a file in memory
 * with the text of that moment, a folder is an empty, already deleted one, and their names in
 * /proc/self/fd identify them. So descriptors and the current folder can be duplicated and
 * inherited.
 */
#ifndef VERBENA_FILES_H
#define VERBENA_FILES_H

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../export.h"
#include "../identity.h"
#include "next.h"

/* A word in all our paths, and in hardly any other. */
#define MARK "infiniband"

/* Prefixes of the names of open folders and files; the path follows, with "!" for "/". */
#define VERBENA_FOLDER ".verbena-"
#define VERBENA_FILE "verbena"

/*
 * A program that opens the character device gets this one, which accepts any input and returns
 * nothing, because programs do not talk to it. It is marked by the signal that it is set to send,
 * but never sends: that is a property of the open file, which duplicates and children share.
 */
#define SILENT "/dev/null"
#define MARK_OF_DEVICE 63

/* More than the length of any path of ours. */
#define ROOM 512

/* The text of a file. */
#define TEXT 4096

/* One file, or as many as there are indices. */
struct row {
	/* '@' stands for the name of the device and '#' for an index. */
	const char *path;
	mode_t mode;
	/* The target of a link; the text of a file, or the source of its text. */
	const char *text;
	/*
	 * Writes the text into TEXT bytes; 0 or errno. NULL if text is the text, without its line
	 * end.
	 */
	int (*write)(const struct row *row, int index, char *to);
	/* The number of files, if there is an index. */
	int indices;
	/* Of a counter. */
	unsigned int unit;
};

/* The file that a path names. */
struct place {
	/* NULL if there is no such file; then error says why. */
	const struct row *row;
	int index;
	int error;
	/* The full path, without ".", ".." and links of ours. */
	char path[ROOM];
};

/* tree.c: the row of an absolute path without ".", ".." and links of ours; or NULL. */
const struct row *verbena_row(const char *path, int *index);
/* Whether such a path is in a folder that is wholly ours. */
int verbena_is_inside(const char *path);
/* The folder's file after *position, which starts at 0; returns whether there is one. */
int verbena_next_child(const struct place *folder, int *position, struct dirent *to);
void verbena_stat(const struct place *place, struct stat *to);

/* text.c: the name of the device, and the contents of its files. */
const char *verbena_device_name(void);
int verbena_text_of_guid(const struct row *row, int index, char *to);
int verbena_text_of_name(const struct row *row, int index, char *to);
int verbena_text_of_gid(const struct row *row, int index, char *to);
int verbena_text_of_gid_type(const struct row *row, int index, char *to);
int verbena_text_of_gid_ndev(const struct row *row, int index, char *to);
int verbena_text_of_state(const struct row *row, int index, char *to);
int verbena_text_of_phys_state(const struct row *row, int index, char *to);
int verbena_text_of_parent(const struct row *row, int index, char *to);
int verbena_text_of_part(const struct row *row, int index, char *to);
int verbena_text_of_cpus(const struct row *row, int index, char *to);
int verbena_text_of_count(const struct row *row, int index, char *to);

/*
 * place.c: whether this process may have a descriptor of ours, and whether its current folder is
 * ours.
 */
extern atomic_int verbena_has_opened, verbena_is_within;

/*
 * Returns whether the path is ours; if so, place is the file that it names. Flags are those of
 * fstatat. If a path leads through a folder of ours and out of it, *path becomes one that the C
 * library can follow.
 */
int verbena_find(int folder, const char **path, int flags, struct place *place);
/* Finds the path of ours that a descriptor, or AT_FDCWD, stands for; returns whether it is ours. */
int verbena_path_of(int fd, char *to);

/* Whether the path may be ours; a quick test for all others. */
static inline int verbena_may_be_ours(int folder, const char *path)
{
	if (!path)
		return 0;
	atomic_int *ours = folder == AT_FDCWD ? &verbena_is_within : &verbena_has_opened;
	return (path[0] != '/' && atomic_load_explicit(ours, memory_order_relaxed)) ||
	       strstr(path, MARK);
}

static inline int verbena_is_ours(int folder, const char **path, int flags, struct place *place)
{
	return __builtin_expect(verbena_may_be_ours(folder, *path), 0) &&
	       verbena_find(folder, path, flags, place);
}

/* open.c: does what open does; always for a folder. */
int verbena_open_place(const struct place *place, int flags);

/* Fails in the way of C library functions. */
static inline int verbena_fail(int error)
{
	errno = error;
	return -1;
}

#endif
