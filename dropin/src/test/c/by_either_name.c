/*
 * A program that looks up libibverbs at run time, as NCCL does: both names refer to the same
 * library.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *load(const char *name)
{
	void *library = dlopen(name, RTLD_NOW);
	if (!library) {
		printf("%s\n", dlerror());
		exit(1);
	}
	return library;
}

int main(void)
{
	void *unversioned = load("libibverbs.so");
	if (unversioned != load("libibverbs.so.1")) {
		printf("two libraries\n");
		return 1;
	}
	printf("ok\n");
	return 0;
}
