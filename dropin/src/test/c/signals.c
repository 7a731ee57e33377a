/* Signal handlers, set before or after a device is opened, and what happens without them. */
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "ends.h"

static char left_buffer[4096], right_buffer[4096];
static volatile sig_atomic_t called[65];
static char *bad_page;

static void count(int number)
{
	called[number]++;
}

/* Repairs the fault, as programs with their own memory barriers do. */
static void mend(int number, siginfo_t *info, void *context)
{
	(void)context;
	called[number]++;
	if (info->si_addr != bad_page)
		_exit(3);
	mprotect(bad_page, 4096, PROT_READ | PROT_WRITE);
}

static void leave_with_success(int number)
{
	(void)number;
	(void)!write(STDOUT_FILENO, "ok\n", 3);
	_exit(0);
}

static void set_handlers(void)
{
	struct sigaction simple = {.sa_handler = count, .sa_flags = SA_RESTART};
	struct sigaction fault = {.sa_sigaction = mend, .sa_flags = SA_SIGINFO};
	MUST(!sigaction(SIGINT, &simple, NULL));
	MUST(!sigaction(SIGTERM, &simple, NULL));
	MUST(!sigaction(SIGALRM, &simple, NULL));
	MUST(!sigaction(SIGPIPE, &simple, NULL));
	MUST(!sigaction(SIGUSR2, &simple, NULL));
	MUST(!sigaction(SIGSEGV, &fault, NULL));
}

static void use_handlers(struct end *left, struct end *right)
{
	struct itimerval often = {{0, 1000}, {0, 1000}}, never = {0};
	bad_page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	raise(SIGINT);
	kill(getpid(), SIGTERM);
	raise(SIGPIPE);
	raise(SIGUSR2);
	*(volatile char *)bad_page = 1;
	MUST(bad_page[0] == 1);
	/* A timer that fires while verbs are called. */
	MUST(!setitimer(ITIMER_REAL, &often, NULL));
	while (called[SIGALRM] < 50)
		exchange(left, right);
	MUST(!setitimer(ITIMER_REAL, &never, NULL));
	MUST(called[SIGINT] == 1 && called[SIGTERM] == 1 && called[SIGPIPE] == 1);
	MUST(called[SIGUSR2] == 1 && called[SIGSEGV] == 1);
}

/* Blocks signals after the device has started threads, and waits for the signals instead. */
static void wait_for_blocked(void)
{
	sigset_t set;
	int number;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGUSR2);
	MUST(!sigprocmask(SIG_BLOCK, &set, NULL));
	for (int i = 0; i < 3; i++) {
		MUST(!kill(getpid(), i == 0 ? SIGINT : i == 1 ? SIGTERM : SIGUSR2));
		MUST(!sigwait(&set, &number));
	}
	MUST(number == SIGUSR2);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	/* A shell makes background processes, perhaps this build, ignore it. */
	signal(SIGINT, SIG_DFL);
	if (!strcmp(what, "before"))
		set_handlers();
	struct ibv_context *context = open_first();
	struct end left = make_end(context, left_buffer, sizeof(left_buffer));
	struct end right = make_end(context, right_buffer, sizeof(right_buffer));
	connect_ends(&left, &right);
	exchange(&left, &right);
	if (!strcmp(what, "after"))
		set_handlers();
	if (!strcmp(what, "before") || !strcmp(what, "after")) {
		use_handlers(&left, &right);
	} else if (!strcmp(what, "interrupt")) {
		raise(SIGINT);
	} else if (!strcmp(what, "terminate")) {
		kill(getpid(), SIGTERM);
		pause();
	} else if (!strcmp(what, "blocked")) {
		wait_for_blocked();
	} else if (!strcmp(what, "ignored")) {
		struct sigaction ignored = {.sa_handler = SIG_IGN};
		MUST(!sigaction(SIGSEGV, &ignored, NULL));
		raise(SIGSEGV);
		puts("ignored what was sent");
		fflush(stdout);
		char *volatile nowhere = (char *)16;
		*nowhere = 1;
	} else if (!strcmp(what, "pipe")) {
		raise(SIGPIPE);
	} else if (!strcmp(what, "fault")) {
		char *volatile nowhere = (char *)16;
		*nowhere = 1;
	} else if (!strcmp(what, "list")) {
		struct ibv_recv_wr wr = {.sg_list = (void *)0xdeadbeef000, .num_sge = 1}, *bad;
		ibv_post_recv(left.qp, &wr, &bad);
	} else if (!strcmp(what, "next")) {
		struct ibv_recv_wr wr = {.next = (void *)0xdeadbeef000}, *bad;
		ibv_post_recv(left.qp, &wr, &bad);
	} else if (!strcmp(what, "attributes")) {
		ibv_modify_qp(left.qp, NULL, IBV_QP_STATE);
	} else if (!strcmp(what, "handled")) {
		struct sigaction leave = {.sa_handler = leave_with_success};
		MUST(!sigaction(SIGSEGV, &leave, NULL));
		ibv_modify_qp(left.qp, NULL, IBV_QP_STATE);
	} else if (!strcmp(what, "divide")) {
		volatile int zero = 0;
		printf("%d\n", argc / zero);
	} else if (!strcmp(what, "user")) {
		raise(SIGUSR2);
	} else if (!strcmp(what, "abort")) {
		abort();
	}
	exchange(&right, &left);
	close_end(&left);
	close_end(&right);
	MUST(!ibv_close_device(context));
	puts("ok");
	return 0;
}
