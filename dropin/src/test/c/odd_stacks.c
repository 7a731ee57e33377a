/*
 * Calls verbs from stacks that do not belong to a thread, from small ones, and from signal
 * handlers.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

#include "ends.h"

#define ROUNDS 2000

static char left_buffer[4096], right_buffer[4096], other_buffer[4096];
static struct end left, right, other;
static ucontext_t caller, coroutine;
static volatile sig_atomic_t handled, refused;

static void many(void)
{
	for (int i = 0; i < ROUNDS; i++)
		exchange(&left, &right);
}

static void on_own_stack(size_t size)
{
	void *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	MUST(!getcontext(&coroutine));
	coroutine.uc_stack.ss_sp = stack;
	coroutine.uc_stack.ss_size = size;
	coroutine.uc_link = &caller;
	makecontext(&coroutine, many, 0);
	MUST(!swapcontext(&caller, &coroutine));
	MUST(!munmap(stack, size));
}

static void *run(void *argument)
{
	(void)argument;
	exchange(&left, &right);
	exchange(&right, &left);
	return NULL;
}

static void on_thread(size_t size)
{
	pthread_attr_t attr;
	pthread_t thread;
	MUST(!pthread_attr_init(&attr));
	MUST(!pthread_attr_setstacksize(&attr, size));
	MUST(!pthread_create(&thread, &attr, run, NULL));
	MUST(!pthread_join(thread, NULL));
}

/* Refused if it interrupts a call, for which it might have to wait; otherwise finds nothing. */
static void poll_other(int number)
{
	struct ibv_wc wc;
	(void)number;
	int count = ibv_poll_cq(other.cq, 1, &wc);
	MUST(count == 0 || count == -EDEADLK);
	handled++;
	refused += count != 0;
}

static void in_handlers(void)
{
	struct sigaction action = {.sa_handler = poll_other, .sa_flags = SA_RESTART};
	struct itimerval often = {{0, 1000}, {0, 1000}}, never = {0};
	MUST(!sigaction(SIGALRM, &action, NULL));
	MUST(!setitimer(ITIMER_REAL, &often, NULL));
	while (handled - refused < 10 || refused < 10)
		exchange(&left, &right);
	MUST(!setitimer(ITIMER_REAL, &never, NULL));
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	struct ibv_context *context = open_first();
	left = make_end(context, left_buffer, sizeof(left_buffer));
	right = make_end(context, right_buffer, sizeof(right_buffer));
	other = make_end(context, other_buffer, sizeof(other_buffer));
	connect_ends(&left, &right);
	if (!strcmp(what, "coroutine")) {
		on_own_stack(1 << 20);
		on_own_stack(32 << 10);
	} else if (!strcmp(what, "small")) {
		for (size_t size = PTHREAD_STACK_MIN; size <= 1 << 20; size *= 2)
			on_thread(size);
	} else if (!strcmp(what, "handler")) {
		in_handlers();
	}
	exchange(&right, &left);
	close_end(&left);
	close_end(&right);
	close_end(&other);
	MUST(!ibv_close_device(context));
	puts("ok");
	return 0;
}
