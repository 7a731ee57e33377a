/* Goes through the device's files by all the ways that the C library has. */
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define CLASS "/sys/class/infiniband"
#define REAL "/sys/devices/virtual/infiniband/soft0"
#define TYPE CLASS "/soft0/node_type"
#define TYPE_TEXT "1: CA\n"
#define GIDS 16

static void expect_text(int fd, const char *expected)
{
	char text[4096] = "";
	assert(fd >= 0 && read(fd, text, sizeof(text) - 1) == (ssize_t)strlen(expected));
	assert(!strcmp(text, expected) && close(fd) == 0);
}

static void expect_stream(FILE *stream, const char *expected)
{
	char text[4096] = "";
	assert(stream && fgets(text, sizeof(text), stream) && !strcmp(text, expected));
	assert(fgetc(stream) == EOF && fclose(stream) == 0);
}

static void files_can_be_read_and_not_written(void)
{
	struct stat by_path, by_fd;
	expect_text(open(TYPE, O_RDONLY), TYPE_TEXT);
	expect_stream(fopen(TYPE, "r"), TYPE_TEXT);
	expect_stream(freopen(TYPE, "r", fopen("/dev/null", "r")), TYPE_TEXT);
	assert(open(TYPE, O_RDWR) == -1 && errno == EACCES && access(TYPE, W_OK) == -1);
	assert(fopen(TYPE, "w") == NULL && errno == EACCES);
	assert(open(CLASS "/new", O_WRONLY | O_CREAT, 0600) == -1 && errno == EACCES);
	assert(open(TYPE "/more", O_RDONLY) == -1 && errno == ENOTDIR);
	assert(open(CLASS "/soft1", O_RDONLY) == -1 && errno == ENOENT);
	int fd = open(TYPE, O_RDONLY);
	assert(stat(TYPE, &by_path) == 0 && fstat(fd, &by_fd) == 0);
	assert(S_ISREG(by_path.st_mode) && (by_path.st_mode & 0777) == 0444 && by_path.st_size == 4096);
	assert(by_fd.st_mode == by_path.st_mode && by_fd.st_ino == by_path.st_ino);
	assert(by_fd.st_dev == by_path.st_dev);
	assert(write(fd, "x", 1) == -1 && errno == EBADF);
	char again[8];
	assert(pread(fd, again, 1, 0) == 1 && pread(fd, again + 1, 1, 0) == 1 && again[0] == again[1]);
	assert(getxattr(TYPE, "security.selinux", NULL, 0) == -1 && errno == ENODATA);
	assert(listxattr(TYPE, NULL, 0) == 0);
	expect_text(fd, TYPE_TEXT);
}

static void expect_refusal(int result, int error)
{
	assert(result == -1 && errno == error);
}

static void nothing_can_be_made_removed_or_changed(void)
{
	int folder = open(CLASS "/soft0", O_RDONLY | O_DIRECTORY);
	expect_refusal(unlink(TYPE), EPERM);
	expect_refusal(remove(TYPE), EPERM);
	expect_refusal(unlinkat(folder, "node_type", 0), EPERM);
	expect_refusal(rmdir(CLASS "/soft0/ports"), EPERM);
	expect_refusal(unlink(CLASS "/none"), ENOENT);
	expect_refusal(mkdir(CLASS "/new", 0755), EPERM);
	expect_refusal(mkdir(CLASS, 0755), EEXIST);
	expect_refusal(mkdir(TYPE "/new", 0755), ENOTDIR);
	expect_refusal(mkdirat(folder, "new", 0755), EPERM);
	expect_refusal(symlink("/tmp", CLASS "/new"), EPERM);
	expect_refusal(chmod(TYPE, 0644), EPERM);
	expect_refusal(fchmodat(folder, "node_type", 0644, 0), EPERM);
	expect_refusal(chmod(CLASS "/none", 0644), ENOENT);
	expect_refusal(chown(TYPE, 0, 0), EPERM);
	expect_refusal(truncate(TYPE, 0), EPERM);
	expect_refusal(rename(TYPE, CLASS "/new"), EPERM);
	expect_refusal(rename(TYPE, "/tmp/new"), EPERM);
	expect_refusal(rename("/dev/null", CLASS "/new"), EPERM);
	expect_refusal(renameat(folder, "node_type", folder, "new"), EPERM);
	expect_refusal(link(TYPE, "/tmp/new"), EPERM);
	assert(access(TYPE, R_OK) == 0 && close(folder) == 0);
	/* Of others, all goes on; a name like ours is no reason to refuse. */
	char other[] = "infiniband_XXXXXX", moved[] = "infiniband_moved";
	assert(mkdtemp(other) && chmod(other, 0700) == 0 && rename(other, moved) == 0);
	assert(rmdir(moved) == 0);
}

static int is_gid(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* How many entries, and whether one of them is a folder's. */
static int count(DIR *dir, int *folders)
{
	int entries = 0;
	*folders = 0;
	for (struct dirent *each = readdir(dir); each; each = readdir(dir), entries++)
		*folders += each->d_type == DT_DIR;
	return entries;
}

static void folders_can_be_listed(void)
{
	int folders;
	DIR *dir = opendir(CLASS "/soft0/ports/1/gids");
	assert(count(dir, &folders) == GIDS + 2 && folders == 2);
	rewinddir(dir);
	struct dirent *first = readdir(dir);
	assert(first && !strcmp(first->d_name, "."));
	long here = telldir(dir);
	assert(!strcmp(readdir(dir)->d_name, "..") && !strcmp(readdir(dir)->d_name, "0"));
	seekdir(dir, here);
	assert(!strcmp(readdir(dir)->d_name, ".."));
	seekdir(dir, -3);
	assert(!strcmp(readdir(dir)->d_name, "."));
	seekdir(dir, LONG_MAX);
	assert(readdir(dir) == NULL && readdir(dir) == NULL);
	seekdir(dir, 1L << 32);
	assert(readdir(dir) == NULL && closedir(dir) == 0);

	struct dirent **list;
	int entries = scandir(CLASS "/soft0/ports/1/gids", &list, is_gid, versionsort);
	assert(entries == GIDS && !strcmp(list[10]->d_name, "10") && list[0]->d_type == DT_REG);
	while (entries)
		free(list[--entries]);
	free(list);
	assert(scandir(TYPE, &list, NULL, NULL) == -1 && errno == ENOTDIR);
	assert(opendir(TYPE) == NULL && errno == ENOTDIR);
	assert(opendir(CLASS "/none") == NULL && errno == ENOENT);

	glob_t found;
	assert(glob(CLASS "/*/ports/[0-9]/stat?", 0, NULL, &found) == 0 && found.gl_pathc == 1);
	assert(!strcmp(found.gl_pathv[0], CLASS "/soft0/ports/1/state"));
	globfree(&found);
}

static void expect_path(char *path, const char *expected)
{
	assert(path && !strcmp(path, expected));
	free(path);
}

static void links_can_be_followed(void)
{
	char target[PATH_MAX] = "", path[PATH_MAX];
	struct stat found;
	assert(lstat(CLASS "/soft0", &found) == 0 && S_ISLNK(found.st_mode));
	assert(stat(CLASS "/soft0", &found) == 0 && S_ISDIR(found.st_mode));
	assert(readlink(CLASS "/soft0", target, sizeof(target)) > 0);
	assert(!strcmp(target, "../../devices/virtual/infiniband/soft0"));
	assert(readlink(CLASS "/soft0", target, 5) == 5 && readlink(TYPE, target, 5) == -1);
	assert(readlink(CLASS "/soft0", target, 0) == -1 && errno == EINVAL);
	assert(realpath(CLASS "/soft0/../soft0/subsystem", path) && !strcmp(path, CLASS));
	expect_path(realpath("/sys/class/infiniband_verbs/uverbs0/device", NULL), REAL "/device");
	expect_path(canonicalize_file_name(CLASS "/soft0/ports/.."), REAL);
	assert(open(CLASS "/soft0", O_RDONLY | O_NOFOLLOW) == -1 && errno == ELOOP);
	/* Behind a link, ".." is above its target, and may lead out of what is ours. */
	assert(stat(CLASS "/soft0/../../../../class/net", &found) == 0 && S_ISDIR(found.st_mode));
	assert(stat(CLASS "/soft0/..", &found) == 0 && stat(CLASS "/soft0/../../net", &found) == 0);
}

static void descriptors_of_folders_work_and_so_do_their_duplicates(void)
{
	struct stat by_path, by_fd;
	int folders, fd = open(CLASS "/soft0", O_RDONLY | O_DIRECTORY);
	int copy = dup(fd);
	assert(fd >= 0 && copy >= 0 && close(fd) == 0);
	expect_text(openat(copy, "node_type", O_RDONLY), TYPE_TEXT);
	expect_text(openat(copy, "../soft0/ports/1/lid", O_RDONLY), "0x0\n");
	assert(fstatat(copy, "ports", &by_path, 0) == 0 && S_ISDIR(by_path.st_mode));
	assert(faccessat(copy, "none", F_OK, 0) == -1 && errno == ENOENT);
	assert(stat(REAL, &by_path) == 0 && fstat(copy, &by_fd) == 0);
	assert(S_ISDIR(by_fd.st_mode) && by_fd.st_ino == by_path.st_ino);
	assert(fstatat(copy, "", &by_fd, AT_EMPTY_PATH) == 0 && by_fd.st_ino == by_path.st_ino);
	assert(open(CLASS, O_WRONLY) == -1 && errno == EISDIR);
	DIR *dir = fdopendir(copy);
	assert(count(dir, &folders) > 10 && folders == 4);
	assert(dirfd(dir) == copy && closedir(dir) == 0);
}

static void one_can_be_in_a_folder(void)
{
	char path[PATH_MAX];
	struct stat found;
	assert(chdir(CLASS "/soft0") == 0 && getcwd(path, sizeof(path)) && !strcmp(path, REAL));
	expect_path(getcwd(NULL, 0), REAL);
	expect_path(get_current_dir_name(), REAL);
	assert(getcwd(path, 4) == NULL && errno == ERANGE);
	expect_text(open("node_type", O_RDONLY), TYPE_TEXT);
	assert(stat("", &found) == -1 && errno == ENOENT);
	assert(access("../../../../class/net", F_OK) == 0);
	assert(chdir("ports/1/gids") == 0 && access("15", R_OK) == 0 && access("16", R_OK) == -1);
	assert(system("read gid <0 && test $(cat 0) = $gid && cd ../pkeys && test $(ls) = 0") == 0);
	pid_t child = fork();
	if (!child)
		_exit(chdir("../..") || access("1/state", R_OK) || !getcwd(path, sizeof(path)) ||
		      strcmp(path, REAL "/ports"));
	int status;
	assert(waitpid(child, &status, 0) == child && status == 0);
	int fd = open("..", O_RDONLY | O_DIRECTORY);
	assert(chdir("../../../../../../..") == 0 && getcwd(path, sizeof(path)));
	assert(!strcmp(path, "/sys") && access("class/net", F_OK) == 0);
	assert(fchdir(fd) == 0 && close(fd) == 0 && access("gids/0", R_OK) == 0);
	assert(chdir("/") == 0 && access("gids/0", R_OK) == -1 && access("tmp", F_OK) == 0);
	assert(chdir(TYPE) == -1 && errno == ENOTDIR && getcwd(path, sizeof(path)) && !path[1]);
}

int main(void)
{
	files_can_be_read_and_not_written();
	nothing_can_be_made_removed_or_changed();
	folders_can_be_listed();
	links_can_be_followed();
	descriptors_of_folders_work_and_so_do_their_duplicates();
	one_can_be_in_a_folder();
	puts("ok");
	return 0;
}
