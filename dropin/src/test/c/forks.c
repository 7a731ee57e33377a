/*
 * Forks after opening a device: children use verbs or execute a program, and the parent continues.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ends.h"

static char left_buffer[4096], right_buffer[4096];
static struct ibv_context *context;
static struct end left, right;

/* Every verb returns, with an error; an alarm ends a child that hangs. */
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

/*
 * Verbs that lock a mutex in the library, which a thread of the parent may hold for ever here:
 * called while the parent's threads are busy with the same calls, and with the mutexes that
 * programs can see locked.
 */
static void use_verbs_that_lock(void)
{
	struct ibv_cq *cq;
	void *cq_context;
	struct ibv_async_event event;
	alarm(20);
	MUST(ibv_destroy_comp_channel(left.channel) == EIO);
	MUST(ibv_get_cq_event(left.channel, &cq, &cq_context) && errno == EIO);
	MUST(ibv_get_async_event(context, &event) && errno == EIO);
	ibv_ack_cq_events(left.cq, 1);
	MUST(ibv_rereg_mr(left.mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, left_buffer, 64, 0));
	MUST(!ibv_import_device(context->cmd_fd));
	MUST(ibv_close_device(context) == EIO);
}

static atomic_int is_over;

static void *lock_often(void *unused)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_pd *pd = ibv_alloc_pd(context);
	char *memory = malloc(8192);
	struct ibv_mr *mr = ibv_reg_mr(pd, memory, 4096, IBV_ACCESS_LOCAL_WRITE);
	MUST(list && mr);
	while (!is_over) {
		MUST(!ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, memory + 4096, 4096, 0));
		MUST(!ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, memory, 4096, 0));
		struct ibv_context *other = ibv_import_device(dup(context->cmd_fd));
		MUST(other && !ibv_close_device(other));
	}
	MUST(!ibv_dereg_mr(mr) && !ibv_dealloc_pd(pd));
	ibv_free_device_list(list);
	free(memory);
	return unused;
}

static int status_of(pid_t child)
{
	int status;
	MUST(waitpid(child, &status, 0) == child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void fork_while_others_lock(void)
{
	pthread_t thread;
	MUST(!pthread_create(&thread, NULL, lock_often, NULL));
	for (int i = 0; i < 100; i++) {
		MUST(!pthread_mutex_lock(&context->mutex));
		MUST(!pthread_mutex_lock(&left.cq->mutex));
		pid_t child = fork();
		if (!child) {
			use_verbs_that_lock();
			_exit(0);
		}
		pthread_mutex_unlock(&left.cq->mutex);
		pthread_mutex_unlock(&context->mutex);
		MUST(status_of(child) == 0);
	}
	is_over = 1;
	MUST(!pthread_join(thread, NULL));
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

	fork_while_others_lock();

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
