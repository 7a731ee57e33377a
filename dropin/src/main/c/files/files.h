/*
 * The files of a kernel's RDMA device, for programs that look for them: /dev/infiniband, and what
 * there is in /sys. A library of its own, which is preloaded: it answers the C library's functions
 * for exactly these paths, and hands all others to the C library. So nothing is mounted, and
 * nothing is on disk.
 *
 * C, and apart from the shim, because it is in every program, before and without libibverbs and
 * Java.
 *
 * What a program opens is real, so that all goes on as usual with it: a file is a file in memory
 * with the text of that moment, a folder is an empty one that is deleted already, and their names
 * in /proc/self/fd say which of ours they are. So a descriptor can be duplicated and inherited, and
 * the current folder, too.
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

/* What all our paths contain, and hardly another. */
#define MARK "infiniband"

/* What a folder and a file that are opened are called, before their path with "!" for "/". */
#define VERBENA_FOLDER ".verbena-"
#define VERBENA_FILE "verbena"

/*
 * What a program gets that opens the character device: one that takes whatever it is given, and
 * gives nothing, since nobody speaks to it. A signal that it would have sent, and never does, marks
 * it: that belongs to what is open, as duplicates and children have it.
 */
#define SILENT "/dev/null"
#define MARK_OF_DEVICE 63

/* Longer than any path of ours. */
#define ROOM 512

/* The text of a file. */
#define TEXT 4096

/* One file, or as many as there are indices. */
struct row {
	/* With '@' for the name of the device and '#' for an index. */
	const char *path;
	mode_t mode;
	/* The target of a link; the text of a file, or what its text is made of. */
	const char *text;
	/*
	 * Makes the text, into TEXT bytes; 0 or errno. NULL if text is the text, but for its end of
	 * line.
	 */
	int (*write)(const struct row *row, int index, char *to);
	/* How many, if there is an index. */
	int indices;
	/* Of a counter. */
	unsigned int unit;
};

/* What a path names. */
struct place {
	/* NULL: there is no such file, as error says. */
	const struct row *row;
	int index;
	int error;
	/* The path in full, without ".", ".." and links of ours. */
	char path[ROOM];
};

/* tree.c: the row of an absolute path without ".", "..", and links of ours; or NULL. */
const struct row *verbena_row(const char *path, int *index);
/* Whether such a path is in a folder that is wholly ours. */
int verbena_is_inside(const char *path);
/* Of the folder's files the one behind *position, which is 0 at first; whether there is one. */
int verbena_next_child(const struct place *folder, int *position, struct dirent *to);
void verbena_stat(const struct place *place, struct stat *to);

/* text.c: the device, as it is called, and what its files say. */
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

/* place.c: whether this process may have a descriptor of ours, and whether its folder is ours. */
extern atomic_int verbena_has_opened, verbena_is_within;

/*
 * Whether the path is ours; if so, what it names is in place. Flags are those of fstatat. Of a path
 * that leads through a folder of ours and out of it, *path is then the way that the C library can
 * go.
 */
int verbena_find(int folder, const char **path, int flags, struct place *place);
/* The path of ours that a descriptor, or AT_FDCWD, stands for; whether it is ours. */
int verbena_path_of(int fd, char *to);

/* Whether the path may be ours; all others take this short way only. */
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

/* open.c: as open does; of a folder, always. */
int verbena_open_place(const struct place *place, int flags);

/* As a function of the C library fails. */
static inline int verbena_fail(int error)
{
	errno = error;
	return -1;
}

#endif
