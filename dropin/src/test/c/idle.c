/* Is linked with libibverbs but never calls a verb: nothing changes for it, and signals end it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	struct sigaction action;
	for (int number = 1; number < 32; number++) {
		if (sigaction(number, NULL, &action))
			return 2;
		if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) {
			printf("somebody handles signal %d\n", number);
			return 1;
		}
	}
	if (!dlopen("libibverbs.so.1", RTLD_NOW | RTLD_NOLOAD)) {
		printf("without libibverbs\n");
		return 1;
	}
	if (!strcmp(what, "terminate")) {
		raise(SIGTERM);
		pause();
	}
	printf("ok\n");
	return 0;
}
