/* Resolves a path in any spelling, or a descriptor, to a file of ours. */
#define _GNU_SOURCE
#include "files.h"

/* Limit for links that lead to links; ours do so at most twice. */
#define MOST_LINKS 8

/* The suffix in /proc of a file without a name. */
#define DELETED " (deleted)"

atomic_int verbena_has_opened, verbena_is_within;

/* The name of the descriptor, or AT_FDCWD, in /proc; 0 if it cannot be determined. */
static size_t name_of(int fd, char *to, size_t size)
{
	char link[32];
	snprintf(link, sizeof(link), fd == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", fd);
	ssize_t length = NEXT(readlink)(link, to, size - 1);
	if (length <= 0 || (size_t)length >= size - 1)
		return 0;
	to[length] = '\0';
	return (size_t)length;
}

/*
 * Turns "/memfd:verbena!sys!class (deleted)" into "/sys/class"; returns whether it was one of ours.
 */
static int decode(char *name, size_t length)
{
	const size_t tail = strlen(DELETED);
	char *path = strstr(name, "/" VERBENA_FOLDER);
	if (!strncmp(name, "/memfd:" VERBENA_FILE, strlen("/memfd:" VERBENA_FILE)))
		path = name;
	path = path ? strchr(path, '!') : NULL;
	if (!path || length < tail || strcmp(name + length - tail, DELETED))
		return 0;
	name[length - tail] = '\0';
	memmove(name, path, strlen(path) + 1);
	for (char *each = name; *each; each++)
		if (*each == '!')
			*each = '/';
	return 1;
}

/* Turns the name of a descriptor in /proc into a path of ours; returns whether it is one. */
static int translate(int fd, char *name, size_t length)
{
	if (strcmp(name, SILENT))
		return decode(name, length);
	if (fd == AT_FDCWD || fcntl(fd, F_GETSIG) != MARK_OF_DEVICE)
		return 0;
	strcpy(name, "/dev/infiniband/uverbs0");
	return 1;
}

int verbena_path_of(int fd, char *to)
{
	size_t length = name_of(fd, to, ROOM);
	return length && translate(fd, to, length);
}

__attribute__((constructor)) static void note_folder(void)
{
	char path[ROOM];
	int saved = errno;
	verbena_is_within = verbena_path_of(AT_FDCWD, path);
	if (verbena_is_within)
		verbena_has_opened = 1;
	errno = saved;
}

/* The resolution of a path: the part resolved, and the rest. */
struct way {
	struct place *place;
	size_t length;
	char left[ROOM];
	int links;
	/* Whether it goes through a folder of ours, so that the kernel cannot follow it. */
	int needs_us;
};

static void leave(struct way *way)
{
	char *path = way->place->path;
	while (way->length && path[--way->length] != '/')
		;
	path[way->length] = '\0';
}

/* Continues with the target of a link, and then with the rest. */
static int follow(struct way *way, const char *target, const char *rest)
{
	char longer[ROOM];
	const char *variable = strchr(target, '@');
	int length = snprintf(longer, sizeof(longer), "%.*s%s%s/%s",
			      variable ? (int)(variable - target) : (int)strlen(target), target,
			      variable ? verbena_device_name() : "", variable ? variable + 1 : "",
			      rest);
	if (length >= ROOM || ++way->links > MOST_LINKS)
		return ELOOP;
	/* A link at the end must not look like a request for a folder. */
	if (!*rest)
		longer[length - 1] = '\0';
	strcpy(way->left, longer);
	leave(way);
	return 0;
}

/* Resolves the next part of the path. 0 or errno. */
static int step(struct way *way, int follows)
{
	struct place *place = way->place;
	char *part = way->left + strspn(way->left, "/");
	size_t length = strcspn(part, "/");
	const char *rest = part + length;
	if (length == 2 && !strncmp(part, "..", 2)) {
		leave(way);
	} else if (length && !(length == 1 && part[0] == '.')) {
		if (way->length + length + 2 > ROOM)
			return ENAMETOOLONG;
		place->path[way->length++] = '/';
		memcpy(place->path + way->length, part, length);
		way->length += length;
		place->path[way->length] = '\0';
	}
	place->row = verbena_row(place->path, &place->index);
	way->needs_us |= place->row != NULL;
	if (place->row && S_ISLNK(place->row->mode) && (*rest || follows))
		return follow(way, place->row->text, rest + strspn(rest, "/"));
	if (place->row && *rest && !S_ISDIR(place->row->mode))
		return ENOTDIR;
	memmove(way->left, rest, strlen(rest) + 1);
	return 0;
}

/* Resolves the path; returns whether it ends in a folder of ours. */
static int go(struct way *way, int follows)
{
	int error = 0;
	while (way->left[0] && !error)
		error = step(way, follows);
	struct place *place = way->place;
	if (!verbena_is_inside(place->path))
		return 0;
	if (error)
		place->row = NULL;
	place->error = error ? error : ENOENT;
	return 1;
}

int verbena_find(int folder, const char **path, int flags, struct place *place)
{
	struct way way = {.place = place};
	int saved = errno;
	place->path[0] = '\0';
	place->row = NULL;
	if ((!**path && !(flags & AT_EMPTY_PATH)) || strlen(*path) >= ROOM)
		return 0;
	strcpy(way.left, *path);
	if (**path != '/') {
		way.length = name_of(folder, place->path, ROOM);
		way.needs_us = way.length && translate(folder, place->path, way.length);
		/* Only files have a path. */
		if (place->path[0] != '/')
			way.length = 0;
		errno = saved;
		if (!way.length)
			return 0;
		way.length = strlen(place->path);
		if (way.length == 1)
			way.length = 0;
		if (!**path)
			place->row = verbena_row(place->path, &place->index);
	}
	int ours = go(&way, !(flags & AT_SYMLINK_NOFOLLOW));
	if (!ours && way.needs_us)
		*path = place->path[0] ? place->path : "/";
	return ours;
}
