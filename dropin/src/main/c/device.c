/* Devices and contexts. The list needs no JVM, because programs fork after reading it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"
#include "cancel.h"
#include "environment.h"
#include "export.h"
#include "identity.h"
#include "jvm.h"
#include "later.h"
#include "objects.h"
#include "ops.h"
#include "private.h"
#include "results.h"
#include "shared.h"
#include "signals.h"
#include "stacks.h"

static struct ibv_device device = {
	.node_type = IBV_NODE_CA,
	.transport_type = IBV_TRANSPORT_IB,
	.dev_name = "uverbs0",
	.dev_path = "/sys/class/infiniband_verbs/uverbs0",
};
static pthread_once_t described = PTHREAD_ONCE_INIT;

/* In host order; of the open device, or of the one that would be opened now. */
static uint64_t guid;
/* The identity when the list was made. */
static struct verbena_identity listed;

static const char *spec(void)
{
	const char *given = verbena_setting("VERBENA_DEVICE");
	return given && *given ? given : "soft0";
}

static void describe(void)
{
	verbena_identify(spec(), &listed);
	guid = listed.guid;
	snprintf(device.name, sizeof(device.name), "%s", listed.name);
	snprintf(device.ibdev_path, sizeof(device.ibdev_path), "/sys/class/infiniband/%s",
		 device.name);
}

/* For the files of the device. */
static void identity(struct verbena_identity *to)
{
	pthread_once(&described, describe);
	*to = listed;
	if (guid != listed.guid)
		verbena_identity_moved(guid, to);
}

static uint64_t count(const char *name)
{
	long handle = verbena_is_running() ? verbena_any_handle() : -1;
	long result = handle < 0 ? handle : CALL(counter, handle, name);
	return result < 0 ? 0 : (uint64_t)result;
}

/* Having nothing to attach to is not an error: the program was not started by verbena run. */
__attribute__((constructor)) static void attach_files(void)
{
	static const struct verbena_source source = {.identity = identity, .count = count};
	verbena_attach *attach = (verbena_attach *)dlsym(RTLD_DEFAULT, VERBENA_FILES_ATTACH);
	if (attach)
		attach(&source);
}

#undef ibv_get_device_list
EXPORT struct ibv_device **ibv_get_device_list(int *num_devices)
{
	pthread_once(&described, describe);
	struct ibv_device **list = calloc(2, sizeof(*list));
	if (!list) {
		errno = ENOMEM;
		return NULL;
	}
	list[0] = &device;
	if (num_devices)
		*num_devices = 1;
	return list;
}

EXPORT void ibv_free_device_list(struct ibv_device **list)
{
	free(list);
}

EXPORT const char *ibv_get_device_name(struct ibv_device *dev)
{
	return dev->name;
}

EXPORT int ibv_get_device_index(struct ibv_device *dev)
{
	(void)dev;
	return 0;
}

EXPORT __be64 ibv_get_device_guid(struct ibv_device *dev)
{
	(void)dev;
	return htobe64(guid);
}

static int query_port(struct ibv_context *context, uint8_t port_num, struct ibv_port_attr *attr,
		      size_t size)
{
	struct ibv_port_attr whole = {0};
	int error = verbena_result(CALL(query_port, verbena_handle(context), port_num, &whole));
	if (!error) {
		memset(attr, 0, size);
		memcpy(attr, &whole, size < sizeof(whole) ? size : sizeof(whole));
	}
	return error;
}

/* For programs whose headers have no port_cap_flags2. */
#undef ibv_query_port
EXPORT int ibv_query_port(struct ibv_context *context, uint8_t port_num,
			  struct _compat_ibv_port_attr *attr)
{
	return query_port(context, port_num, (struct ibv_port_attr *)attr,
			  offsetof(struct ibv_port_attr, port_cap_flags2));
}

EXPORT int ibv_query_port_speed(struct ibv_context *context, uint32_t port_num, uint64_t *port_speed)
{
	long result = CALL(query_port_speed, verbena_handle(context), port_num);
	if (result >= 0)
		*port_speed = (uint64_t)result;
	return verbena_result(result);
}

EXPORT int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	struct ibv_device_attr_ex whole = {0};
	int error = verbena_result(CALL(query_device, verbena_handle(context), &whole));
	if (!error)
		*attr = whole.orig_attr;
	return error;
}

static int query_device_ex(struct ibv_context *context,
			   const struct ibv_query_device_ex_input *input,
			   struct ibv_device_attr_ex *attr, size_t size)
{
	struct ibv_device_attr_ex whole = {0};
	if ((input && input->comp_mask) || size < sizeof(attr->orig_attr))
		return EINVAL;
	int error = verbena_result(CALL(query_device, verbena_handle(context), &whole));
	if (!error) {
		memset(attr, 0, size);
		memcpy(attr, &whole, size < sizeof(whole) ? size : sizeof(whole));
	}
	return error;
}

static int query_rt_values(struct ibv_context *context, struct ibv_values_ex *values)
{
	return verbena_result(CALL(query_rt_values, verbena_handle(context), values));
}

static struct verbena_context *new_context(struct ibv_device *dev)
{
	struct verbena_context *context = calloc(1, sizeof(*context));
	if (!context)
		return NULL;
	struct verbs_context *vctx = &context->vctx;
	vctx->sz = sizeof(*vctx);
	vctx->query_port = query_port;
	vctx->query_device_ex = query_device_ex;
	vctx->query_rt_values = query_rt_values;
	verbena_memory_ops(vctx);
	verbena_cq_ops(vctx);
	verbena_srq_ops(vctx);
	verbena_wq_ops(vctx);
	verbena_qp_ops(vctx);
	verbena_flow_ops(vctx);
	vctx->context.device = dev;
	vctx->context.abi_compat = __VERBS_ABI_IS_EXTENDED;
	pthread_mutex_init(&vctx->context.mutex, NULL);
	return context;
}

static void destroy(struct verbena_context *context)
{
	pthread_mutex_destroy(&context->vctx.context.mutex);
	free(context);
}

/* The context, or NULL if it could not be opened. */
static struct ibv_context *living(struct verbena_context *context, int error)
{
	if (!error)
		return &context->vctx.context;
	destroy(context);
	errno = error;
	return NULL;
}

static struct ibv_context *open_device(struct ibv_device *dev)
{
	struct verbena_context *context = new_context(dev);
	if (!context)
		return NULL;
	sigset_t before;
	verbena_signals_block(&before);
	int error = verbena_open(context, spec(), &guid);
	verbena_signals_restore(&before);
	return living(context, error);
}

EXPORT struct ibv_context *ibv_open_device(struct ibv_device *dev)
{
	int cancel = verbena_cancel_never();
	/*
	 * In this thread a signal ends the program, however long this takes: other threads start
	 * the JVM.
	 */
	struct ibv_context *context = verbena_start() ? NULL : open_device(dev);
	verbena_cancel_again(cancel);
	return context;
}

EXPORT struct ibv_context *ibv_import_device(int cmd_fd)
{
	struct verbena_context *context = new_context(&device);
	return context ? living(context, verbena_import(context, cmd_fd)) : NULL;
}

/* As with the genuine library, objects left open are closed, and their memory is not freed. */
EXPORT int ibv_close_device(struct ibv_context *context)
{
	int error = verbena_close(verbena_context(context));
	destroy(verbena_context(context));
	return error;
}

EXPORT int ibv_query_gid(struct ibv_context *context, uint8_t port_num, int index,
			 union ibv_gid *gid)
{
	return verbena_result(CALL(query_gid, verbena_handle(context), port_num, index, gid)) ? -1
											      : 0;
}

EXPORT int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port_num, uint32_t index,
			     struct ibv_gid_entry *entry, uint32_t flags, size_t entry_size)
{
	struct ibv_gid_entry whole = {0};
	if (flags)
		return verbena_result(-EOPNOTSUPP);
	int error =
		verbena_result(CALL(query_gid_ex, verbena_handle(context), port_num, index, &whole));
	if (!error)
		memcpy(entry, &whole, entry_size < sizeof(whole) ? entry_size : sizeof(whole));
	return error;
}

EXPORT ssize_t _ibv_query_gid_table(struct ibv_context *context, struct ibv_gid_entry *entries,
				    size_t max_entries, uint32_t flags, size_t entry_size)
{
	if (flags)
		return -EOPNOTSUPP;
	return CALL(query_gid_table, verbena_handle(context), entries, max_entries, entry_size);
}

/* The values in sysfs. */
enum { IB_OR_ROCE_V1, ROCE_V2 };

/* For librdmacm, perftest and providers. An empty entry has a type too, and is not an error. */
EXPORT int ibv_query_gid_type(struct ibv_context *context, uint8_t port_num, unsigned int index,
			      int *type);
EXPORT int ibv_query_gid_type(struct ibv_context *context, uint8_t port_num, unsigned int index,
			      int *type)
{
	struct ibv_gid_entry entry = {.gid_type = IBV_GID_TYPE_IB};
	int error =
		verbena_result(CALL(query_gid_ex, verbena_handle(context), port_num, index, &entry));
	if (error && error != ENODATA)
		return -1;
	*type = entry.gid_type == IBV_GID_TYPE_ROCE_V2 ? ROCE_V2 : IB_OR_ROCE_V1;
	return 0;
}
SINCE_34(ibv_query_gid_type)

EXPORT int ibv_query_pkey(struct ibv_context *context, uint8_t port_num, int index, __be16 *pkey)
{
	long result = CALL(query_pkey, verbena_handle(context), port_num, index);
	if (verbena_result(result))
		return -1;
	*pkey = htobe16((uint16_t)result);
	return 0;
}

EXPORT int ibv_get_pkey_index(struct ibv_context *context, uint8_t port_num, __be16 pkey)
{
	long result = CALL(get_pkey_index, verbena_handle(context), port_num, be16toh(pkey));
	return verbena_result(result) ? -1 : (int)result;
}

EXPORT const char *ibv_get_sysfs_path(void);
EXPORT const char *ibv_get_sysfs_path(void)
{
	const char *given = getenv("SYSFS_PATH");
	return given ? given : "/sys";
}

EXPORT int ibv_read_sysfs_file(const char *dir, const char *file, char *buf, size_t size);
EXPORT int ibv_read_sysfs_file(const char *dir, const char *file, char *buf, size_t size)
{
	char path[IBV_SYSFS_PATH_MAX * 2];
	if ((size_t)snprintf(path, sizeof(path), "%s/%s", dir, file) >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ssize_t length = read(fd, buf, size);
	close(fd);
	if (length > 0 && buf[length - 1] == '\n')
		buf[--length] = '\0';
	else if (length >= 0 && (size_t)length < size)
		buf[length] = '\0';
	return (int)length;
}

/* The memory of a forked child is a copy; the device always accesses the parent's. */
EXPORT int ibv_fork_init(void)
{
	return 0;
}

EXPORT enum ibv_fork_status ibv_is_fork_initialized(void)
{
	return IBV_FORK_UNNEEDED;
}

EXPORT int ibv_dontfork_range(void *base, size_t size);
EXPORT int ibv_dontfork_range(void *base, size_t size)
{
	(void)base, (void)size;
	return 0;
}

EXPORT int ibv_dofork_range(void *base, size_t size);
EXPORT int ibv_dofork_range(void *base, size_t size)
{
	(void)base, (void)size;
	return 0;
}
