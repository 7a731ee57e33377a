/*
 * libibverbs with what the software device lacks, as a driver of an adapter adds it: memory of the
 * device, which is ordinary memory here; regions of dma-bufs, which are ordinary files; advice
 * about memory, which a prefetch shows in its first byte here; and options of connections (ECE),
 * which it keeps, those of one queue pair. Everything else is the library's that it stands before.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_DM_SIZE = 8192 };

/* What is mapped for a region, until it ends. */
struct mapping {
	struct ibv_mr *mr;
	void *start;
	size_t length;
	struct mapping *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mapping *mappings;
static int (*query_device_ex)(struct ibv_context *, const struct ibv_query_device_ex_input *,
			      struct ibv_device_attr_ex *, size_t);

struct own_dm {
	struct ibv_dm dm;
	uint64_t length;
	char *memory;
};

static void *behind(const char *name)
{
	static void *library;
	if (!library)
		library = dlopen("libibverbs.so.1", RTLD_NOW | RTLD_NOLOAD);
	void *function = library ? dlsym(library, name) : NULL;
	if (!function)
		abort();
	return function;
}

static struct ibv_mr *failed(int error)
{
	errno = error;
	return NULL;
}

static struct ibv_mr *reg(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
			  unsigned int access)
{
	struct ibv_mr *(*reg_mr)(struct ibv_pd *, void *, size_t, uint64_t, unsigned int) =
		behind("ibv_reg_mr_iova2");
	return reg_mr(pd, addr, length, iova, access);
}

__attribute__((visibility("default"))) struct ibv_mr *
ibv_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t iova, int fd, int access)
{
	uint64_t shift = offset & (uint64_t)(sysconf(_SC_PAGESIZE) - 1);
	struct mapping *mapping = calloc(1, sizeof(*mapping));
	if (!mapping)
		return failed(ENOMEM);
	mapping->length = length + shift;
	mapping->start = mmap(NULL, mapping->length, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			      (off_t)(offset - shift));
	if (mapping->start == MAP_FAILED) {
		free(mapping);
		return NULL;
	}
	mapping->mr = reg(pd, (char *)mapping->start + shift, length, iova, (unsigned int)access);
	if (!mapping->mr) {
		int error = errno;
		munmap(mapping->start, mapping->length);
		free(mapping);
		return failed(error);
	}
	pthread_mutex_lock(&lock);
	mapping->next = mappings;
	mappings = mapping;
	pthread_mutex_unlock(&lock);
	return mapping->mr;
}

__attribute__((visibility("default"))) int ibv_dereg_mr(struct ibv_mr *mr)
{
	int (*dereg_mr)(struct ibv_mr *) = behind("ibv_dereg_mr");
	/* Afterwards another region may have the same address. */
	pthread_mutex_lock(&lock);
	int error = dereg_mr(mr);
	for (struct mapping **at = &mappings; !error && *at; at = &(*at)->next) {
		struct mapping *mapping = *at;
		if (mapping->mr == mr) {
			*at = mapping->next;
			munmap(mapping->start, mapping->length);
			free(mapping);
			break;
		}
	}
	pthread_mutex_unlock(&lock);
	return error;
}

static struct {
	const struct ibv_qp *qp;
	struct ibv_ece ece;
} kept;

__attribute__((visibility("default"))) int ibv_set_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	if (ece->comp_mask)
		return EINVAL;
	pthread_mutex_lock(&lock);
	kept.qp = qp;
	kept.ece = *ece;
	pthread_mutex_unlock(&lock);
	return 0;
}

__attribute__((visibility("default"))) int ibv_query_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	pthread_mutex_lock(&lock);
	int is_kept = kept.qp == qp;
	if (is_kept)
		*ece = kept.ece;
	pthread_mutex_unlock(&lock);
	return is_kept ? 0 : EOPNOTSUPP;
}

static int is_outside(const struct own_dm *dm, uint64_t offset, size_t length)
{
	return offset > dm->length || length > dm->length - offset;
}

static int memcpy_to(struct ibv_dm *ibdm, uint64_t offset, const void *host, size_t length)
{
	struct own_dm *dm = (struct own_dm *)ibdm;
	if (is_outside(dm, offset, length) || (offset | length) % 4)
		return EINVAL;
	memcpy(dm->memory + offset, host, length);
	return 0;
}

static int memcpy_from(void *host, struct ibv_dm *ibdm, uint64_t offset, size_t length)
{
	struct own_dm *dm = (struct own_dm *)ibdm;
	if (is_outside(dm, offset, length) || (offset | length) % 4)
		return EINVAL;
	memcpy(host, dm->memory + offset, length);
	return 0;
}

static struct ibv_dm *alloc_dm(struct ibv_context *context, struct ibv_alloc_dm_attr *attr)
{
	if (attr->comp_mask || attr->length > MAX_DM_SIZE || attr->log_align_req > 12) {
		errno = attr->comp_mask ? EOPNOTSUPP : EINVAL;
		return NULL;
	}
	struct own_dm *dm = calloc(1, sizeof(*dm));
	if (dm)
		dm->memory = aligned_alloc(4096, MAX_DM_SIZE);
	if (!dm || !dm->memory) {
		free(dm);
		errno = ENOMEM;
		return NULL;
	}
	dm->length = attr->length;
	dm->dm.context = context;
	dm->dm.memcpy_to_dm = memcpy_to;
	dm->dm.memcpy_from_dm = memcpy_from;
	return &dm->dm;
}

static int free_dm(struct ibv_dm *ibdm)
{
	struct own_dm *dm = (struct own_dm *)ibdm;
	free(dm->memory);
	free(dm);
	return 0;
}

static struct ibv_mr *reg_dm_mr(struct ibv_pd *pd, struct ibv_dm *ibdm, uint64_t offset, size_t length,
				unsigned int access)
{
	struct own_dm *dm = (struct own_dm *)ibdm;
	if (!(access & IBV_ACCESS_ZERO_BASED) || is_outside(dm, offset, length))
		return failed(EINVAL);
	char *start = dm->memory + offset;
	return reg(pd, start, length, (uintptr_t)start, access);
}

static int advise_mr(struct ibv_pd *pd, enum ibv_advise_mr_advice advice, uint32_t flags,
		     struct ibv_sge *list, uint32_t count)
{
	(void)pd;
	if (advice != IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE || flags & ~IBV_ADVISE_MR_FLAG_FLUSH)
		return EOPNOTSUPP;
	for (uint32_t i = 0; i < count; i++)
		if (!list[i].lkey)
			return ENOENT;
	for (uint32_t i = 0; i < count; i++)
		*(char *)list[i].addr = (char)list[i].length;
	return 0;
}

static int query(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
		 struct ibv_device_attr_ex *attr, size_t size)
{
	int error = query_device_ex(context, input, attr, size);
	if (!error && size >= offsetof(struct ibv_device_attr_ex, max_dm_size) + sizeof(attr->max_dm_size))
		attr->max_dm_size = MAX_DM_SIZE;
	return error;
}

__attribute__((visibility("default"))) struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	struct ibv_context *(*open_device)(struct ibv_device *) = behind("ibv_open_device");
	struct ibv_context *context = open_device(device);
	struct verbs_context *ops = context ? verbs_get_ctx(context) : NULL;
	if (ops) {
		pthread_mutex_lock(&lock);
		query_device_ex = ops->query_device_ex;
		pthread_mutex_unlock(&lock);
		ops->query_device_ex = query;
		ops->advise_mr = advise_mr;
		ops->alloc_dm = alloc_dm;
		ops->free_dm = free_dm;
		ops->reg_dm_mr = reg_dm_mr;
	}
	return context;
}
