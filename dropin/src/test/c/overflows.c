/* Overflows its stack, which only its own handler must notice, and then continues. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

#include "ends.h"

static char left_buffer[4096], right_buffer[4096];
static struct end left, right;
static __thread sigjmp_buf before_overflow;
static volatile int handled;

static void leave(int number, siginfo_t *info, void *context)
{
	sigset_t blocked;
	(void)context;
	MUST(number == SIGSEGV && info->si_code > 0);
	/* Blocked as by the kernel: the signal itself and the requested ones, and no more. */
	MUST(!pthread_sigmask(SIG_BLOCK, NULL, &blocked));
	MUST(sigismember(&blocked, SIGSEGV) && sigismember(&blocked, SIGUSR1));
	MUST(!sigismember(&blocked, SIGTERM));
	handled++;
	siglongjmp(before_overflow, 1);
}

static int deep(int levels)
{
	volatile char frame[1024];
	frame[levels % 1024] = 1;
	return levels < 0 ? 1 : deep(levels + 1) + frame[levels % 1024];
}

static void *overflow(void *argument)
{
	static __thread char memory[65536];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)};
	MUST(!sigaltstack(&stack, NULL));
	exchange(&left, &right);
	for (int i = 0; i < 2; i++) {
		volatile int depth = 0;
		if (!sigsetjmp(before_overflow, 1))
			depth = deep(0);
		MUST(!depth);
		exchange(&right, &left);
	}
	return argument;
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = leave, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	pthread_t thread;
	sigaddset(&action.sa_mask, SIGUSR1);
	MUST(!sigaction(SIGSEGV, &action, NULL));
	struct ibv_context *context = open_first();
	left = make_end(context, left_buffer, sizeof(left_buffer));
	right = make_end(context, right_buffer, sizeof(right_buffer));
	connect_ends(&left, &right);
	overflow(NULL);
	MUST(!pthread_create(&thread, NULL, overflow, NULL));
	MUST(!pthread_join(thread, NULL));
	MUST(handled == 4);
	puts("ok");
	return 0;
}
