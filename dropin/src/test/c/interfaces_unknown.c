/* Reads files of the port while the network interfaces cannot be listed. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <stdio.h>
#include <unistd.h>

#define PORT "/sys/class/infiniband/soft0/ports/1/"

__attribute__((visibility("default"))) int getifaddrs(struct ifaddrs **list)
{
	*list = NULL;
	errno = ENOBUFS;
	return -1;
}

int main(void)
{
	static const char *const files[] = {
		PORT "state",          PORT "phys_state",        PORT "gids/0",
		PORT "gid_attrs/types/0", PORT "gid_attrs/ndevs/0", PORT "../../parent",
	};
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		assert(open(files[i], O_RDONLY) == -1 && errno == ENOBUFS);
	/* These files do not need them. */
	int fd = open(PORT "gids/1", O_RDONLY);
	assert(fd >= 0 && close(fd) == 0);
	assert(open(PORT "gid_attrs/types/1", O_RDONLY) == -1 && errno == EINVAL);
	puts("ok");
	return 0;
}
