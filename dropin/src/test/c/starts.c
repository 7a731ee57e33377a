/* Opens the first device in conditions in which a JVM would not start by itself, and uses it. */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ends.h"

static char left_buffer[4096], right_buffer[4096];

static void *use(void *argument)
{
	struct ibv_context *context = open_first();
	struct end left = make_end(context, left_buffer, sizeof(left_buffer));
	struct end right = make_end(context, right_buffer, sizeof(right_buffer));
	connect_ends(&left, &right);
	exchange(&left, &right);
	close_end(&left);
	close_end(&right);
	MUST(!ibv_close_device(context));
	return argument;
}

static void use_on_small_stack(void)
{
	pthread_attr_t attr;
	pthread_t thread;
	MUST(!pthread_attr_init(&attr));
	MUST(!pthread_attr_setstacksize(&attr, 64 << 10));
	MUST(!pthread_create(&thread, &attr, use, NULL));
	MUST(!pthread_join(thread, NULL));
}

static void delete_folder(void)
{
	char somewhere[PATH_MAX];
	MUST(!mkdir("deleted", 0700) && !chdir("deleted") && !rmdir("../deleted"));
	use(NULL);
	/* The program is still in its folder. */
	MUST(!getcwd(somewhere, sizeof(somewhere)) && errno == ENOENT);
}

static void clear_environment(void)
{
	MUST(!clearenv());
	use(NULL);
	MUST(!environ || !environ[0]);
}

/* The options would end the process at once. */
static void keep_environment(void)
{
	static char tool[] = "JAVA_TOOL_OPTIONS=-XX:NoSuchOption";
	static char all[] = "_JAVA_OPTIONS=-XX:NoSuchOption";
	MUST(!putenv(tool) && !putenv(all));
	char **list = environ;
	size_t count = 0;
	while (list[count])
		count++;
	char **before = calloc(count + 1, sizeof(*before));
	memcpy(before, list, count * sizeof(*before));
	use(NULL);
	MUST(environ == list);
	MUST(!memcmp(before, list, (count + 1) * sizeof(*before)));
	free(before);
}

static void refuse(int expected)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	MUST(list && list[0]);
	for (int i = 0; i < 2; i++) {
		errno = 0;
		MUST(!ibv_open_device(list[0]) && errno == expected);
	}
	ibv_free_device_list(list);
}

/*
 * A program that can do without a device, like those that look for one only to choose a transport.
 */
static void go_on(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	MUST(list && list[0]);
	MUST(!ibv_open_device(list[0]) && errno);
	ibv_free_device_list(list);
	puts("goes on");
	fflush(stdout);
	kill(getpid(), SIGTERM);
	pause();
}

/* The user loses patience while the device is being opened. */
static void hang(void)
{
	struct sigevent terminate = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGTERM};
	struct itimerspec second = {.it_value = {.tv_sec = 1}};
	timer_t timer;
	MUST(!timer_create(CLOCK_MONOTONIC, &terminate, &timer));
	MUST(!timer_settime(timer, 0, &second, NULL));
	open_first();
	puts("opened");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	if (!strcmp(what, "small"))
		use_on_small_stack();
	else if (!strcmp(what, "deleted"))
		delete_folder();
	else if (!strcmp(what, "cleared"))
		clear_environment();
	else if (!strcmp(what, "options"))
		keep_environment();
	else if (!strcmp(what, "descriptors"))
		refuse(EMFILE);
	else if (!strcmp(what, "goes on"))
		go_on();
	else if (!strcmp(what, "hangs"))
		hang();
	else if (!strcmp(what, "refused"))
		refuse(ENOSYS);
	else
		use(NULL);
	puts("ok");
	return 0;
}
