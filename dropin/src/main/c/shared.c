/*
 * Contexts that share an open device: those that a program imports with a duplicate of the command
 * descriptor (ibv_import_device). Only within the process, because the device ends with it.
 *
 * The descriptor does not lead to a kernel driver. It is the key to the open device, for programs
 * that duplicate it and pass it on: a file in memory, because its inode is unique.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calls.h"
#include "export.h"
#include "objects.h"
#include "results.h"
#include "shared.h"
#include "stacks.h"
#include "vanished.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct verbena_opened {
	long handle;
	int cmd_fd;
	int async_fd;
	int num_comp_vectors;
	int contexts;
	struct verbena_opened *next;
};

static struct verbena_opened *all;

static void close_descriptors(int cmd_fd, int async_fd)
{
	if (cmd_fd >= 0)
		close(cmd_fd);
	if (async_fd >= 0)
		close(async_fd);
}

static void destroy(struct verbena_opened *opened)
{
	close_descriptors(opened->cmd_fd, opened->async_fd);
	free(opened);
}

static struct verbena_opened *create(void)
{
	struct verbena_opened *opened = calloc(1, sizeof(*opened));
	if (!opened)
		return NULL;
	opened->cmd_fd = memfd_create("verbena", MFD_CLOEXEC);
	opened->async_fd = eventfd(0, EFD_CLOEXEC);
	if (opened->cmd_fd < 0 || opened->async_fd < 0) {
		destroy(opened);
		return NULL;
	}
	return opened;
}

int verbena_open(struct verbena_context *context, const char *spec, uint64_t *guid)
{
	struct verbena_opened *opened = create();
	if (!opened)
		return errno;
	struct ibv_context *base = &context->vctx.context;
	long result = CALL(open_device, spec, base->device->name, base, opened->async_fd, guid);
	if (result < 0) {
		destroy(opened);
		return verbena_result(result);
	}
	context->handle = result;
	context->opened = opened;
	base->cmd_fd = opened->cmd_fd;
	base->async_fd = opened->async_fd;
	opened->handle = result;
	opened->num_comp_vectors = base->num_comp_vectors;
	opened->contexts = 1;
	pthread_mutex_lock(&mutex);
	opened->next = all;
	all = opened;
	pthread_mutex_unlock(&mutex);
	return 0;
}

static struct verbena_opened *find(int cmd_fd)
{
	struct stat wanted, present;
	if (fstat(cmd_fd, &wanted))
		return NULL;
	for (struct verbena_opened *each = all; each; each = each->next)
		if (!fstat(each->cmd_fd, &present) && present.st_dev == wanted.st_dev &&
		    present.st_ino == wanted.st_ino)
			return each;
	errno = EOPNOTSUPP;
	return NULL;
}

int verbena_import(struct verbena_context *context, int cmd_fd)
{
	if (!verbena_is_running())
		return verbena_unreachable();
	pthread_mutex_lock(&mutex);
	struct verbena_opened *opened = find(cmd_fd);
	/* A descriptor of its own, because the program may close the other context first. */
	int async_fd = opened ? fcntl(opened->async_fd, F_DUPFD_CLOEXEC, 0) : -1;
	if (async_fd >= 0)
		opened->contexts++;
	pthread_mutex_unlock(&mutex);
	if (async_fd < 0)
		return errno;
	struct ibv_context *base = &context->vctx.context;
	context->handle = opened->handle;
	context->opened = opened;
	base->cmd_fd = cmd_fd;
	base->async_fd = async_fd;
	base->num_comp_vectors = opened->num_comp_vectors;
	return 0;
}

static int release(struct verbena_opened *opened)
{
	pthread_mutex_lock(&mutex);
	int last = --opened->contexts == 0;
	if (last) {
		struct verbena_opened **link = &all;
		while (*link != opened)
			link = &(*link)->next;
		*link = opened->next;
	}
	pthread_mutex_unlock(&mutex);
	return last;
}

int verbena_close(struct verbena_context *context)
{
	struct verbena_opened *opened = context->opened;
	struct ibv_context *base = &context->vctx.context;
	if (!verbena_is_running())
		return verbena_unreachable();
	if (base->cmd_fd != opened->cmd_fd)
		close_descriptors(base->cmd_fd, base->async_fd);
	if (!release(opened))
		return 0;
	int error = verbena_result(CALL(close_device, opened->handle));
	verbena_range_remove_all(opened);
	destroy(opened);
	return error;
}

long verbena_any_handle(void)
{
	pthread_mutex_lock(&mutex);
	long handle = all ? all->handle : -1;
	pthread_mutex_unlock(&mutex);
	return handle;
}

EXPORT struct ibv_pd *ibv_import_pd(struct ibv_context *context, uint32_t pd_handle)
{
	struct ibv_pd *pd = calloc(1, sizeof(*pd));
	if (!pd)
		return NULL;
	pd->context = context;
	pd->handle = pd_handle;
	return verbena_object(pd, CALL(import_pd, verbena_handle(context), pd_handle));
}

EXPORT void ibv_unimport_pd(struct ibv_pd *pd)
{
	free(pd);
}

/* Its address is NULL: only the context that registered the region knows it. */
EXPORT struct ibv_mr *ibv_import_mr(struct ibv_pd *pd, uint32_t mr_handle)
{
	struct ibv_mr *mr = calloc(1, sizeof(struct verbena_mr));
	if (!mr)
		return NULL;
	mr->context = pd->context;
	mr->pd = pd;
	mr->handle = mr_handle;
	return verbena_object(mr, CALL(import_mr, pd->handle, mr_handle, mr));
}

EXPORT void ibv_unimport_mr(struct ibv_mr *mr)
{
	free(mr);
}

/* There is no device memory to import. */
EXPORT struct ibv_dm *ibv_import_dm(struct ibv_context *context, uint32_t dm_handle)
{
	(void)context, (void)dm_handle;
	errno = EOPNOTSUPP;
	return NULL;
}

EXPORT void ibv_unimport_dm(struct ibv_dm *dm)
{
	(void)dm;
}
