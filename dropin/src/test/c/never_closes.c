/* Ends with work in progress, a thread sleeping in a verb, and nothing closed. */
#include <pthread.h>
#include <unistd.h>

#include "ends.h"

static char left_buffer[65536], right_buffer[65536];
static struct end left, right;

static void *sleeps(void *argument)
{
	struct end *end = argument;
	struct ibv_cq *cq;
	void *cq_context;
	MUST(!ibv_get_cq_event(end->channel, &cq, &cq_context));
	return NULL;
}

static void *spins(void *argument)
{
	struct end *end = argument;
	struct ibv_wc wc;
	for (;;)
		ibv_poll_cq(end->cq, 1, &wc);
	return NULL;
}

int main(int argc, char **argv)
{
	struct ibv_context *context = open_first();
	/* Not on the stack: threads keep using them until the process is gone. */
	left = make_end(context, left_buffer, sizeof(left_buffer));
	right = make_end(context, right_buffer, sizeof(right_buffer));
	connect_ends(&left, &right);
	exchange(&left, &right);
	pthread_t thread;
	MUST(!pthread_create(&thread, NULL, sleeps, &right));
	MUST(!pthread_create(&thread, NULL, spins, &left));
	for (int i = 0; i < DEPTH; i++)
		post(&left, IBV_WR_RDMA_WRITE, &right, 0, sizeof(left_buffer));
	puts("ok");
	fflush(stdout);
	/* Each way of ending. */
	if (argc > 1 && !strcmp(argv[1], "_exit"))
		_exit(0);
	if (argc > 1 && !strcmp(argv[1], "exit"))
		exit(0);
	return 0;
}
