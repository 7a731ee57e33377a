/* Cancels threads: they are never cancelled within a verb, except while waiting for an event. */
#include <limits.h>
#include <pthread.h>

#include "ends.h"

static char left_buffer[4096], right_buffer[4096];
static struct ibv_device *device;
static struct ibv_context *context;
static struct end left, right;
static int done;

static void *use(void *argument)
{
	char memory[64];
	(void)argument;
	/* From now on the first cancellation point ends the thread. */
	MUST(!pthread_cancel(pthread_self()));
	if (!context)
		MUST(context = ibv_open_device(device));
	struct ibv_pd *pd = ibv_alloc_pd(context);
	MUST(pd);
	struct ibv_mr *mr = ibv_reg_mr(pd, memory, sizeof(memory), IBV_ACCESS_LOCAL_WRITE);
	MUST(mr);
	MUST(!ibv_dereg_mr(mr));
	MUST(!ibv_dealloc_pd(pd));
	if (left.qp)
		exchange(&left, &right);
	done++;
	pthread_testcancel();
	return NULL;
}

static void *wait_for_event(void *argument)
{
	struct ibv_cq *cq;
	void *cq_context;
	(void)argument;
	ibv_get_cq_event(left.channel, &cq, &cq_context);
	return NULL;
}

static void *wait_for_async_event(void *argument)
{
	struct ibv_async_event event;
	(void)argument;
	ibv_get_async_event(context, &event);
	return NULL;
}

static void expect_cancelled(void *(*work)(void *), const pthread_attr_t *attr)
{
	pthread_t thread;
	void *result;
	MUST(!pthread_create(&thread, attr, work, NULL));
	MUST(!pthread_cancel(thread));
	MUST(!pthread_join(thread, &result));
	MUST(result == PTHREAD_CANCELED);
}

/* The thread has cancelled itself before its first verb, and ends after the last. */
static void expect_done(const pthread_attr_t *attr)
{
	pthread_t thread;
	void *result;
	int before = done;
	MUST(!pthread_create(&thread, attr, use, NULL));
	MUST(!pthread_join(thread, &result));
	MUST(result == PTHREAD_CANCELED);
	MUST(done == before + 1);
}

int main(void)
{
	pthread_attr_t small;
	MUST(!pthread_attr_init(&small));
	MUST(!pthread_attr_setstacksize(&small, 64 << 10));
	struct ibv_device **list = ibv_get_device_list(NULL);
	MUST(list && (device = list[0]));
	expect_done(NULL);
	ibv_free_device_list(list);
	left = make_end(context, left_buffer, sizeof(left_buffer));
	right = make_end(context, right_buffer, sizeof(right_buffer));
	connect_ends(&left, &right);
	expect_done(NULL);
	expect_done(&small);
	expect_cancelled(wait_for_event, NULL);
	expect_cancelled(wait_for_async_event, NULL);
	exchange(&right, &left);
	close_end(&left);
	close_end(&right);
	MUST(!ibv_close_device(context));
	puts("ok");
	return 0;
}
