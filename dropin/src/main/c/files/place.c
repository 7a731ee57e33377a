/* From a path, as programs spell it, to a file of ours. */
#define _GNU_SOURCE
#include <stdio.h>

#include "files.h"

/* Where a relative path begins; 0 if that cannot be told. */
static size_t base(int folder, char *to, size_t size)
{
	char link[32];
	snprintf(link, sizeof(link), folder == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d",
		 folder);
	ssize_t length = NEXT(readlink)(link, to, size);
	return length <= 0 || (size_t)length >= size || to[0] != '/' ? 0 : (size_t)length;
}

/* The path in full without ".", ".." and more slashes than needed. 0 if it is too long. */
static int spell_out(int folder, const char *path, char *to, size_t size)
{
	size_t length = path[0] == '/' ? 0 : base(folder, to, size);
	if (path[0] != '/' && !length)
		return 0;
	if (length == 1)
		length = 0;
	for (const char *part = path; *part; part += strcspn(part, "/")) {
		part += strspn(part, "/");
		size_t more = strcspn(part, "/");
		if (!more || (more == 1 && part[0] == '.'))
			continue;
		if (more == 2 && !strncmp(part, "..", 2)) {
			while (length && to[--length] != '/')
				;
			continue;
		}
		if (length + more + 2 > size)
			return 0;
		to[length++] = '/';
		memcpy(to + length, part, more);
		length += more;
	}
	to[length] = '\0';
	return 1;
}

int verbena_find(int folder, const char *path, struct place *place)
{
	char full[PATH_MAX];
	int saved = errno;
	int ours = spell_out(folder, path, full, sizeof(full)) && verbena_is_inside(full);
	errno = saved;
	if (!ours)
		return 0;
	place->row = verbena_row(full);
	place->error = ENOENT;
	if (place->row && !S_ISDIR(place->row->mode) && path[strlen(path) - 1] == '/') {
		place->row = NULL;
		place->error = ENOTDIR;
	}
	return 1;
}
