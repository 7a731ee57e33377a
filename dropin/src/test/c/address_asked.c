/*
 * Checks which files make the process bind a socket, to find a free address: bind is a function of
 * this program.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CLASS "/sys/class/infiniband"
#define DEVICE CLASS "/soft0"

static int binds;

__attribute__((visibility("default"))) int bind(int fd, const struct sockaddr *to, socklen_t size)
{
	binds++;
	return (int)syscall(SYS_bind, fd, to, size);
}

/* Reads a file, and complains if that did not bind a socket as expected. */
static int differs(const char *path, int expected)
{
	char text[4096];
	int before = binds;
	FILE *file = fopen(path, "r");
	int is_read = file && fgets(text, sizeof(text), file);
	if (file)
		fclose(file);
	int did = binds > before;
	if (!is_read || did != expected)
		printf("%s: is read: %d, binds: %d\n", path, is_read, did);
	return !is_read || did != expected;
}

int main(void)
{
	static const char *const without[] = {
		DEVICE "/node_type", DEVICE "/node_desc",	DEVICE "/fw_ver",
		DEVICE "/uevent",    DEVICE "/ports/1/pkeys/0", DEVICE "/ports/1/counters/port_xmit_data",
	};
	int failures = 0;
	struct stat found;
	char target[256];
	DIR *dir = opendir(CLASS);
	while (dir && readdir(dir))
		;
	if (!dir || closedir(dir) || stat(DEVICE "/node_guid", &found) || access("/dev/infiniband", R_OK) ||
	    readlink(DEVICE, target, sizeof(target)) < 0 || !access("/tmp/no-infiniband/x", F_OK) || binds) {
		printf("names alone: %d sockets bound\n", binds);
		failures++;
	}
	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++)
		failures += differs(without[i], 0);
	failures += differs(DEVICE "/node_guid", 1);
	/* Once is enough. */
	failures += differs(DEVICE "/ports/1/gids/0", 0);
	if (!failures)
		puts("ok");
	return failures != 0;
}
