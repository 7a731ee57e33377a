/*
 * A program that loads a library that uses libibverbs, but knows nothing of it itself: PATH, its
 * arguments.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND) : NULL;
	int (*program)(int, char **) = library ? dlsym(library, "program") : NULL;
	if (!program) {
		printf("%s\n", dlerror());
		return 1;
	}
	return program(argc - 1, argv + 1);
}
