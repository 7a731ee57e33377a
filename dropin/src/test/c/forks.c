/* Forks after opening a device: children that use verbs or execute a program, a parent that goes on. */
#include <sys/wait.h>
#include <unistd.h>

#include "ends.h"

static char left_buffer[4096], right_buffer[4096];
static struct ibv_context *context;
static struct end left, right;

/* Every verb answers, with an error; the clock ends a child that hangs. */
static void use_verbs(void)
{
	struct ibv_port_attr port;
	struct ibv_wc wc;
	struct ibv_recv_wr recv = {0}, *bad;
	alarm(20);
	errno = 0;
	MUST(!ibv_alloc_pd(context) && errno);
	MUST(!ibv_reg_mr(left.pd, left_buffer, 64, 0));
	MUST(ibv_query_port(context, 1, &port));
	MUST(ibv_poll_cq(left.cq, 1, &wc) < 0);
	MUST(ibv_post_recv(left.qp, &recv, &bad));
	MUST(ibv_req_notify_cq(left.cq, 0));
	struct ibv_device **list = ibv_get_device_list(NULL);
	MUST(list && !ibv_open_device(list[0]) && errno);
	MUST(!strcmp(ibv_wc_status_str(IBV_WC_SUCCESS), "success"));
}

static int status_of(pid_t child)
{
	int status;
	MUST(waitpid(child, &status, 0) == child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* In a program of its own everything works. */
static int executed(void)
{
	context = open_first();
	left = make_end(context, left_buffer, sizeof(left_buffer));
	right = make_end(context, right_buffer, sizeof(right_buffer));
	connect_ends(&left, &right);
	exchange(&left, &right);
	MUST(!ibv_query_gid(context, 1, 0, &(union ibv_gid){0}));
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return executed();
	context = open_first();
	left = make_end(context, left_buffer, sizeof(left_buffer));
	right = make_end(context, right_buffer, sizeof(right_buffer));
	connect_ends(&left, &right);
	exchange(&left, &right);

	pid_t user = fork();
	if (!user) {
		use_verbs();
		exit(0);
	}
	exchange(&right, &left);
	MUST(status_of(user) == 0);

	pid_t executes = fork();
	if (!executes) {
		alarm(60);
		execl("/proc/self/exe", argv[0], "executed", NULL);
		_exit(1);
	}
	exchange(&left, &right);
	MUST(status_of(executes) == 0);
	MUST(!system("exit 0"));

	exchange(&right, &left);
	close_end(&left);
	close_end(&right);
	MUST(!ibv_close_device(context));
	puts("ok");
	return 0;
}
