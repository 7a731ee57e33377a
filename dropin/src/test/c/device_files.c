/* Goes through the device's files with all functions of the C library. */
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
#include <linux/magic.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#define CLASS "/sys/class/infiniband"
#define REAL "/sys/devices/virtual/infiniband/soft0"
#define TYPE CLASS "/soft0/node_type"
#define TYPE_TEXT "1: CA\n"
#define NEW CLASS "/new"
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
	expect_refusal(lchmod(TYPE, 0644), EPERM);
	expect_refusal(lchown(TYPE, 0, 0), EPERM);
	expect_refusal(fchownat(folder, "node_type", 0, 0, 0), EPERM);
	expect_refusal(truncate64(TYPE, 0), EPERM);
	expect_refusal(symlinkat("/tmp", folder, "new"), EPERM);
	expect_refusal(renameat2(folder, "node_type", folder, "new", 0), EPERM);
	expect_refusal(linkat(folder, "node_type", AT_FDCWD, "/tmp/new", 0), EPERM);
	assert(access(TYPE, R_OK) == 0 && close(folder) == 0);
	/* Other files work as usual; a name similar to ours is no reason to refuse. */
	char other[] = "infiniband_XXXXXX", moved[] = "infiniband_moved";
	assert(mkdtemp(other) && chmod(other, 0700) == 0 && rename(other, moved) == 0);
	assert(rmdir(moved) == 0);
}

static void no_time_and_no_attribute_can_be_set(void)
{
	int folder = open(CLASS "/soft0", O_RDONLY | O_DIRECTORY);
	const char label[] = "user.label";
	expect_refusal(utime(TYPE, NULL), EPERM);
	expect_refusal(utime(CLASS "/none", NULL), ENOENT);
	expect_refusal(utimes("/dev/infiniband/uverbs0", NULL), EPERM);
	expect_refusal(lutimes(CLASS "/soft0", NULL), EPERM);
	expect_refusal(futimesat(folder, "node_type", NULL), EPERM);
	expect_refusal(utimensat(folder, "node_type", NULL, 0), EPERM);
	expect_refusal(utimensat(AT_FDCWD, CLASS "/none", NULL, 0), ENOENT);
	expect_refusal(setxattr(TYPE, label, "x", 1, 0), EPERM);
	expect_refusal(lsetxattr(CLASS "/soft0", label, "x", 1, 0), EPERM);
	expect_refusal(removexattr(TYPE, label), EPERM);
	expect_refusal(lremovexattr(CLASS "/soft0", label), EPERM);
	assert(close(folder) == 0);
}

/* For programs linked with an earlier C library. */
int __xmknod(int version, const char *path, mode_t mode, dev_t *device);
int __xmknodat(int version, int folder, const char *path, mode_t mode, dev_t *device);

static int bind_to(const char *path)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	assert(strlen(path) < sizeof(name.sun_path));
	strcpy(name.sun_path, path);
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	int result = bind(fd, (const struct sockaddr *)&name, sizeof(name));
	int saved = errno;
	assert(fd >= 0 && close(fd) == 0);
	errno = saved;
	return result;
}

static void no_node_can_be_made(void)
{
	int folder = open(CLASS, O_RDONLY | O_DIRECTORY);
	dev_t null = makedev(1, 3);
	expect_refusal(mknod(NEW, S_IFCHR | 0600, null), EPERM);
	expect_refusal(mknod("/dev/infiniband/new", S_IFCHR | 0600, null), EPERM);
	expect_refusal(mknod("/dev/infiniband/uverbs0", S_IFCHR | 0600, null), EEXIST);
	expect_refusal(mknodat(folder, "new", S_IFREG | 0600, 0), EPERM);
	expect_refusal(__xmknod(0, NEW, S_IFREG | 0600, &null), EPERM);
	expect_refusal(__xmknodat(0, folder, "new", S_IFREG | 0600, &null), EPERM);
	expect_refusal(mkfifo(NEW, 0600), EPERM);
	expect_refusal(mkfifo(TYPE, 0600), EEXIST);
	expect_refusal(mkfifoat(folder, "new", 0600), EPERM);
	expect_refusal(bind_to(NEW), EPERM);
	expect_refusal(bind_to(TYPE), EADDRINUSE);
	assert(bind_to("socket") == 0 && unlink("socket") == 0 && close(folder) == 0);
	assert(mkfifo("fifo-infiniband", 0600) == 0 && unlink("fifo-infiniband") == 0);
}

/* As open says. */
static void no_file_can_be_made(void)
{
	char new[] = "/dev/infiniband/XXXXXX", ended[] = CLASS "/XXXXXX.txt";
	expect_refusal(creat(NEW, 0600), EACCES);
	expect_refusal(creat64("/dev/infiniband/new", 0600), EACCES);
	expect_refusal(creat(TYPE, 0600), EACCES);
	expect_refusal(mkstemp(new), EACCES);
	expect_refusal(mkstemp64(new), EACCES);
	expect_refusal(mkostemp(new, O_CLOEXEC), EACCES);
	expect_refusal(mkostemp64(new, O_CLOEXEC), EACCES);
	expect_refusal(mkstemps(ended, 4), EACCES);
	expect_refusal(mkstemps64(ended, 4), EACCES);
	expect_refusal(mkostemps(ended, 4, O_CLOEXEC), EACCES);
	expect_refusal(mkostemps64(ended, 4, O_CLOEXEC), EACCES);
	assert(mkdtemp(new) == NULL && errno == EPERM);
	assert(!strcmp(new, "/dev/infiniband/XXXXXX"));
	/* A device can be opened for writing. */
	int fd = creat("/dev/infiniband/uverbs0", 0600);
	assert(fd >= 0 && close(fd) == 0);
}

static void questions_about_file_systems_are_answered(void)
{
	struct statfs system;
	struct statfs64 system64;
	struct statvfs limits;
	struct statvfs64 limits64;
	assert(statfs(TYPE, &system) == 0 && system.f_type == SYSFS_MAGIC);
	assert(statfs64("/dev/infiniband", &system64) == 0 && system64.f_type == TMPFS_MAGIC);
	assert(statvfs(CLASS, &limits) == 0 && limits.f_namemax == NAME_MAX && !limits.f_bfree);
	assert(statvfs64(TYPE, &limits64) == 0 && limits64.f_namemax == NAME_MAX);
	assert(pathconf(CLASS "/soft0", _PC_NAME_MAX) == NAME_MAX);
	expect_refusal(statfs(CLASS "/none", &system), ENOENT);
	expect_refusal(statvfs(CLASS "/none", &limits), ENOENT);
	errno = 0;
	assert(pathconf(TYPE "/more", _PC_NAME_MAX) == -1 && errno == ENOTDIR);
	assert(statvfs(".", &limits) == 0 && limits.f_blocks && pathconf(".", _PC_PATH_MAX) > 0);
}

/* Descriptors for queries only: the file need not be readable, and may be a link. */
static void what_is_opened_as_a_path_cannot_be_read(void)
{
	static const char *const paths[] = {TYPE, CLASS "/soft0/ports", "/dev/infiniband/uverbs0",
					    CLASS "/soft0/ports/1/gid_attrs/types/9"};
	char byte, target[PATH_MAX] = "";
	struct stat by_path, by_fd;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		int fd = open(paths[i], O_PATH | O_RDWR | O_CREAT);
		assert(fd >= 0 && fcntl(fd, F_GETFL) & O_PATH);
		assert(read(fd, &byte, 1) == -1 && errno == EBADF);
		assert(stat(paths[i], &by_path) == 0 && fstat(fd, &by_fd) == 0);
		assert(by_fd.st_ino == by_path.st_ino && by_fd.st_mode == by_path.st_mode);
		assert(by_fd.st_rdev == by_path.st_rdev && close(fd) == 0);
	}
	int folder = open(CLASS "/soft0", O_PATH | O_DIRECTORY);
	expect_text(openat(folder, "node_type", O_RDONLY), TYPE_TEXT);
	assert(close(folder) == 0);
	int link = open(CLASS "/soft0", O_PATH | O_NOFOLLOW);
	assert(link >= 0 && fstat(link, &by_fd) == 0 && S_ISLNK(by_fd.st_mode));
	assert(readlinkat(link, "", target, sizeof(target)) > 0 && close(link) == 0);
	assert(!strcmp(target, "../../devices/virtual/infiniband/soft0"));
	expect_refusal(open(CLASS "/soft0", O_PATH | O_NOFOLLOW | O_DIRECTORY), ENOTDIR);
	expect_refusal(open(CLASS "/none", O_PATH | O_CREAT), ENOENT);
}

static int is_gid(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Counts the entries, and those that are folders. */
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
	/* After a link, ".." is the parent of its target, and may lead out of our folders. */
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

/*
 * The kernel cannot follow a path out of our folders, but a created file gets the requested name.
 */
static void files_can_be_made_by_ways_through_our_folders(void)
{
	char here[PATH_MAX], file[2 * PATH_MAX], folder[2 * PATH_MAX], name[2 * PATH_MAX];
	assert(getcwd(here, sizeof(here)) && chdir(CLASS "/soft0") == 0);
	snprintf(file, sizeof(file), "../../../../..%s/made-XXXXXX.txt", here);
	snprintf(folder, sizeof(folder), "../../../../..%s/folder-XXXXXX", here);
	snprintf(name, sizeof(name), "../../../../..%s/socket", here);
	int fd = mkstemps(file, 4);
	assert(fd >= 0 && close(fd) == 0 && mkdtemp(folder) == folder && bind_to(name) == 0);
	assert(!strstr(file, "XXXXXX") && !strstr(folder, "XXXXXX") && chdir(here) == 0);
	assert(unlink(strstr(file, "made-")) == 0 && rmdir(strstr(folder, "folder-")) == 0);
	assert(unlink("socket") == 0);
}

int main(void)
{
	files_can_be_read_and_not_written();
	nothing_can_be_made_removed_or_changed();
	no_time_and_no_attribute_can_be_set();
	no_node_can_be_made();
	no_file_can_be_made();
	questions_about_file_systems_are_answered();
	what_is_opened_as_a_path_cannot_be_read();
	files_can_be_made_by_ways_through_our_folders();
	folders_can_be_listed();
	links_can_be_followed();
	descriptors_of_folders_work_and_so_do_their_duplicates();
	one_can_be_in_a_folder();
	puts("ok");
	return 0;
}
