/* The descriptors of events: poll, O_NONBLOCK, interruption, acknowledgement. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <unistd.h>

#include "ends.h"

static char left_buffer[4096], right_buffer[4096];
static atomic_int acknowledged;

static void nothing(int number)
{
	(void)number;
}

static int is_readable(int fd, int milliseconds)
{
	struct pollfd entry = {.fd = fd, .events = POLLIN};
	MUST(poll(&entry, 1, milliseconds) >= 0);
	return entry.revents == POLLIN;
}

static void raise_event(struct end *from, struct end *to)
{
	MUST(!ibv_req_notify_cq(to->cq, 0));
	exchange(from, to);
}

static void completion_channel(struct end *left, struct end *right)
{
	struct ibv_cq *cq;
	void *cq_context;
	int fd = right->channel->fd;
	MUST(!is_readable(fd, 0));
	raise_event(left, right);
	MUST(is_readable(fd, 10000));
	MUST(!ibv_get_cq_event(right->channel, &cq, &cq_context));
	MUST(cq == right->cq && cq_context == right_buffer);
	MUST(!is_readable(fd, 0));

	MUST(!fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK));
	errno = 0;
	MUST(ibv_get_cq_event(right->channel, &cq, &cq_context) == -1 && errno == EAGAIN);
	raise_event(left, right);
	MUST(is_readable(fd, 10000));
	MUST(!ibv_get_cq_event(right->channel, &cq, &cq_context));
	MUST(ibv_get_cq_event(right->channel, &cq, &cq_context) == -1 && errno == EAGAIN);
	MUST(!fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK));

	/* A handler without SA_RESTART ends the wait. */
	struct sigaction action = {.sa_handler = nothing};
	struct itimerval often = {{0, 10000}, {0, 10000}}, never = {0};
	MUST(!sigaction(SIGALRM, &action, NULL));
	MUST(!setitimer(ITIMER_REAL, &often, NULL));
	MUST(ibv_get_cq_event(right->channel, &cq, &cq_context) == -1 && errno == EINTR);
	MUST(!setitimer(ITIMER_REAL, &never, NULL));
}

static void *acknowledge(void *argument)
{
	struct end *end = argument;
	acknowledged = 1;
	ibv_ack_cq_events(end->cq, 2);
	return NULL;
}

static void async_events(struct ibv_context *context, struct end *left, struct end *right)
{
	struct ibv_async_event event;
	MUST(!is_readable(context->async_fd, 0));
	int flags = fcntl(context->async_fd, F_GETFL);
	MUST(!fcntl(context->async_fd, F_SETFL, flags | O_NONBLOCK));
	errno = 0;
	MUST(ibv_get_async_event(context, &event) == -1 && errno == EAGAIN);
	MUST(!fcntl(context->async_fd, F_SETFL, flags));
	/* A write with an invalid key is an error at the other end too. */
	struct ibv_sge sge = {(uintptr_t)left->buffer, 8, left->mr->lkey};
	struct ibv_send_wr wr = {.sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE}, *bad;
	wr.wr.rdma.remote_addr = (uintptr_t)right->buffer;
	wr.wr.rdma.rkey = right->mr->rkey ^ 1;
	MUST(!ibv_post_send(left->qp, &wr, &bad));
	MUST(is_readable(context->async_fd, 10000));
	MUST(!ibv_get_async_event(context, &event));
	MUST(event.event_type == IBV_EVENT_QP_ACCESS_ERR && event.element.qp == right->qp);
	MUST(!is_readable(context->async_fd, 0));
	ibv_ack_async_event(&event);
}

int main(void)
{
	struct ibv_context *context = open_first();
	struct end left = make_end(context, left_buffer, sizeof(left_buffer));
	struct end right = make_end(context, right_buffer, sizeof(right_buffer));
	connect_ends(&left, &right);
	completion_channel(&left, &right);
	async_events(context, &left, &right);

	/* The queue is not destroyed before its two events are acknowledged. */
	pthread_t thread;
	MUST(!ibv_destroy_qp(right.qp));
	MUST(!pthread_create(&thread, NULL, acknowledge, &right));
	MUST(!ibv_destroy_cq(right.cq));
	MUST(acknowledged);
	MUST(!pthread_join(thread, NULL));
	MUST(!ibv_destroy_comp_channel(right.channel));
	close_end(&left);
	puts("ok");
	return 0;
}
