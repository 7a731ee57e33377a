/*
 * Events on file descriptors. The count of an eventfd is above zero while events are waiting; its
 * reader may take one of them, and Java writes the count again if there are more. So the kernel
 * does the waiting: poll, O_NONBLOCK, EINTR and restarting work as with the genuine descriptors.
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "calls.h"
#include "events.h"
#include "export.h"
#include "objects.h"
#include "results.h"
#include "stacks.h"

EXPORT struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context)
{
	struct verbena_channel *channel = calloc(1, sizeof(*channel));
	int fd = eventfd(0, EFD_CLOEXEC);
	if (!channel || fd < 0) {
		free(channel);
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	channel->channel.context = context;
	channel->channel.fd = fd;
	channel->handle = CALL(create_comp_channel, verbena_handle(context), fd);
	long result = channel->handle;
	if (result < 0)
		close(fd);
	return verbena_object(channel, result);
}

EXPORT int ibv_destroy_comp_channel(struct ibv_comp_channel *channel)
{
	if (!verbena_is_running())
		return verbena_unreachable();
	pthread_mutex_lock(&channel->context->mutex);
	int in_use = channel->refcnt > 0;
	pthread_mutex_unlock(&channel->context->mutex);
	if (in_use)
		return verbena_result(-EBUSY);
	int error = verbena_result(
		CALL(destroy_comp_channel, ((struct verbena_channel *)channel)->handle));
	if (!error) {
		close(channel->fd);
		free(channel);
	}
	return error;
}

EXPORT int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq,
			    void **cq_context)
{
	long handle = ((struct verbena_channel *)channel)->handle;
	long event = 0;
	/* Reading would take the parent's event or wait for it. */
	if (!verbena_is_running() && verbena_unreachable())
		return -1;
	while (!event) {
		eventfd_t count;
		if (eventfd_read(channel->fd, &count))
			return -1;
		/* No event if its completion queue was destroyed meanwhile. */
		event = CALL(next_cq_event, handle);
	}
	if (event < 0 && verbena_result(event))
		return -1;
	*cq = (struct ibv_cq *)event;
	*cq_context = (*cq)->cq_context;
	return 0;
}

static void acknowledge(pthread_mutex_t *mutex, pthread_cond_t *cond, uint32_t *completed,
			uint32_t count)
{
	if (!verbena_is_running())
		return;
	pthread_mutex_lock(mutex);
	*completed += count;
	pthread_cond_signal(cond);
	pthread_mutex_unlock(mutex);
}

void verbena_await_acks(pthread_mutex_t *mutex, pthread_cond_t *cond, const uint32_t *completed,
			uint32_t reported)
{
	pthread_mutex_lock(mutex);
	while (*completed != reported)
		pthread_cond_wait(cond, mutex);
	pthread_mutex_unlock(mutex);
}

int verbena_destroyed(long result, void *object, pthread_mutex_t *mutex, pthread_cond_t *cond,
		      const uint32_t *completed, const uint32_t *reported)
{
	int error = verbena_result(result);
	if (!error) {
		verbena_await_acks(mutex, cond, completed, *reported);
		pthread_cond_destroy(cond);
		pthread_mutex_destroy(mutex);
		free(object);
	}
	return error;
}

EXPORT void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int nevents)
{
	if (nevents)
		acknowledge(&cq->mutex, &cq->cond, &cq->comp_events_completed, nevents);
}

EXPORT int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event)
{
	long result = 0;
	if (!verbena_is_running() && verbena_unreachable())
		return -1;
	while (!result) {
		eventfd_t count;
		if (eventfd_read(context->async_fd, &count))
			return -1;
		result = CALL(next_async_event, verbena_handle(context), event);
	}
	return result < 0 && verbena_result(result) ? -1 : 0;
}

/* S10.2: an object cannot be destroyed before its events are acknowledged. */
EXPORT void ibv_ack_async_event(struct ibv_async_event *event)
{
	switch (event->event_type) {
	case IBV_EVENT_CQ_ERR: {
		struct ibv_cq *cq = event->element.cq;
		acknowledge(&cq->mutex, &cq->cond, &cq->async_events_completed, 1);
		break;
	}
	case IBV_EVENT_QP_FATAL:
	case IBV_EVENT_QP_REQ_ERR:
	case IBV_EVENT_QP_ACCESS_ERR:
	case IBV_EVENT_COMM_EST:
	case IBV_EVENT_SQ_DRAINED:
	case IBV_EVENT_PATH_MIG:
	case IBV_EVENT_PATH_MIG_ERR:
	case IBV_EVENT_QP_LAST_WQE_REACHED: {
		struct ibv_qp *qp = event->element.qp;
		acknowledge(&qp->mutex, &qp->cond, &qp->events_completed, 1);
		break;
	}
	case IBV_EVENT_SRQ_ERR:
	case IBV_EVENT_SRQ_LIMIT_REACHED: {
		struct ibv_srq *srq = event->element.srq;
		acknowledge(&srq->mutex, &srq->cond, &srq->events_completed, 1);
		break;
	}
	case IBV_EVENT_WQ_FATAL: {
		struct ibv_wq *wq = event->element.wq;
		acknowledge(&wq->mutex, &wq->cond, &wq->events_completed, 1);
		break;
	}
	default:
		break;
	}
}
