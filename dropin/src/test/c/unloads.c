/* Loads the library, uses it, and unloads it; then handles a fault of its own. */
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>

#include "ends.h"

static sigjmp_buf after_fault;

static void on_fault(int number)
{
	(void)number;
	siglongjmp(after_fault, 1);
}

static void use(void *library)
{
	struct ibv_device **(*list_devices)(int *) = dlsym(library, "ibv_get_device_list");
	struct ibv_context *(*open_device)(struct ibv_device *) = dlsym(library, "ibv_open_device");
	int (*close_device)(struct ibv_context *) = dlsym(library, "ibv_close_device");
	MUST(list_devices && open_device && close_device);
	struct ibv_device **list = list_devices(NULL);
	MUST(list && list[0]);
	struct ibv_context *context = open_device(list[0]);
	MUST(context);
	MUST(!close_device(context));
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_fault};
	MUST(!sigaction(SIGSEGV, &action, NULL));
	for (int i = 0; i < 2; i++) {
		void *library = dlopen("libibverbs.so.1", RTLD_NOW);
		MUST(library);
		use(library);
		MUST(!dlclose(library));
	}
	volatile int *nowhere = NULL;
	if (!sigsetjmp(after_fault, 1))
		*nowhere = 1;
	puts("ok");
	return 0;
}
