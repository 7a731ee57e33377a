/*
 * libibverbs with what the software device lacks, as a driver of an adapter adds it: memory of the
 * device, which is ordinary memory here; regions of dma-bufs, which are files of memfd_create that
 * may be sealed; on-demand regions, which are ordinary ones, and advice about them: a prefetch for
 * writing shows in the first byte; options of connections (ECE), which it keeps, those of one
 * queue pair; the order of data, of which it promises something of each kind; VLAN and flow tag of
 * completions, which are parts of the number of the request; and forks, for which it only knows
 * whether it was asked to prepare. As mlx5 it keeps a queue locked while its cursor is open, and
 * needs the lock to end or to reset a queue pair; it waits for some seconds only, and then aborts.
 * As an old driver it leaves some refusals in errno and returns -1. Its binding of a window can be
 * held up, and then it counts who else posts to that queue pair, or binds that window.
 * Everything else is the library's that it stands before.
 *
 * What the kernel and mlx5 refuse it refuses with their error numbers. It does not imitate that the
 * device runs out of memory or gives it in larger units, that an exporter takes back a dma-buf,
 * that a page of an on-demand region is missing, that advice without FLUSH comes to nothing, nor
 * what ibv_rereg_mr changes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	MAX_DM_SIZE = 8192,
	/* What it refuses as an old driver: requests of this number, armed queues and copies of this size. */
	OLD_WR_ID = 0x01dd1d,
	OLD_CQE = 77,
	OLD_LENGTH = 76,
	/* Newer than the headers of rdma-core 44. */
	FLUSH_PERSISTENT = 1 << 9,
	IN_ORDER_RETURN_CAPS = 1,
	IN_ORDER_WHOLE_MSG = 1,
	IN_ORDER_ALIGNED_128_BYTES = 1 << 1,
	DMABUF_RIGHTS = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
			IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_RELAXED_ORDERING,
};

/* What the library does not know of a region, until it ends. */
struct region {
	struct ibv_mr *mr;
	/* Of its first byte, in requests. */
	uint64_t address;
	unsigned int access;
	/* Of a dma-buf. */
	void *mapped;
	size_t mapped_length;
	struct region *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct region *regions;
static enum ibv_fork_status forks = IBV_FORK_DISABLED;
static int (*query_device_ex)(struct ibv_context *, const struct ibv_query_device_ex_input *,
			      struct ibv_device_attr_ex *, size_t);

static int (*query_port)(struct ibv_context *, uint8_t, struct ibv_port_attr *, size_t);

static struct ibv_cq_ex *(*create_cq_ex)(struct ibv_context *, struct ibv_cq_init_attr_ex *);

/* Those of all queues, and the queues that they have locked. */
static int (*start_poll)(struct ibv_cq_ex *, struct ibv_poll_cq_attr *);
static void (*end_poll)(struct ibv_cq_ex *);
static const void *locked[16];

/* Those of all queue pairs, or queues. */
static int (*post_send)(struct ibv_qp *, struct ibv_send_wr *, struct ibv_send_wr **);
static int (*post_recv)(struct ibv_qp *, struct ibv_recv_wr *, struct ibv_recv_wr **);
static int (*req_notify)(struct ibv_cq *, int);
static int (*wr_complete)(struct ibv_qp_ex *);
static int (*bind_mw)(struct ibv_qp *, struct ibv_mw *, struct ibv_mw_bind *);

/* What a test has of a call that is held up, by the number of the request. */
struct gate {
	uint64_t begun;
	uint64_t open;
	uint64_t intruders;
};

static struct {
	struct gate *gate;
	const struct ibv_qp *qp;
	const struct ibv_mw *mw;
} held;

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

/* Registers memory with the library; of the model all is set but what this sets. */
static struct ibv_mr *reg(struct ibv_pd *pd, void *addr, size_t length, struct region model)
{
	struct ibv_mr *(*reg_mr)(struct ibv_pd *, void *, size_t, uint64_t, unsigned int) =
		behind("ibv_reg_mr_iova2");
	struct region *region = malloc(sizeof(*region));
	if (!region)
		return failed(ENOMEM);
	*region = model;
	region->mr = reg_mr(pd, addr, length, model.address,
			    model.access & ~(unsigned int)IBV_ACCESS_ON_DEMAND);
	if (!region->mr) {
		int error = errno;
		free(region);
		return failed(error);
	}
	if (model.access & IBV_ACCESS_ZERO_BASED)
		region->address = 0;
	pthread_mutex_lock(&lock);
	region->next = regions;
	regions = region;
	pthread_mutex_unlock(&lock);
	return region->mr;
}

__attribute__((visibility("default"))) int ibv_fork_init(void)
{
	forks = IBV_FORK_ENABLED;
	return 0;
}

__attribute__((visibility("default"))) enum ibv_fork_status ibv_is_fork_initialized(void)
{
	return forks;
}

__attribute__((visibility("default"))) struct ibv_mr *
ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova, unsigned int access)
{
	/* Of a right that it does not know the kernel says no more. */
	if (access & FLUSH_PERSISTENT)
		return failed(EINVAL);
	return reg(pd, addr, length, (struct region){ .address = iova, .access = access });
}

/* Why these bytes are no part of a dma-buf, or 0. */
static int refuse_dmabuf(int fd, uint64_t offset, size_t length)
{
	struct stat file;
	if (fstat(fd, &file))
		return errno;
	/* Of an ordinary file it is an error, or a seal against seals. */
	if (fcntl(fd, F_GET_SEALS))
		return EINVAL;
	uint64_t size = (uint64_t)file.st_size;
	return offset > size || length > size - offset ? EINVAL : 0;
}

__attribute__((visibility("default"))) struct ibv_mr *
ibv_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t iova, int fd, int access)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t shift = offset % page;
	if (iova % page != shift || access & ~DMABUF_RIGHTS)
		return failed(EINVAL);
	int error = refuse_dmabuf(fd, offset, length);
	if (error)
		return failed(error);
	struct region region = {
		.address = iova,
		.access = (unsigned int)access,
		.mapped_length = length + shift,
	};
	region.mapped = mmap(NULL, region.mapped_length, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			     (off_t)(offset - shift));
	if (region.mapped == MAP_FAILED)
		return NULL;
	struct ibv_mr *mr = reg(pd, (char *)region.mapped + shift, length, region);
	if (!mr) {
		error = errno;
		munmap(region.mapped, region.mapped_length);
		return failed(error);
	}
	return mr;
}

__attribute__((visibility("default"))) int ibv_dereg_mr(struct ibv_mr *mr)
{
	int (*dereg_mr)(struct ibv_mr *) = behind("ibv_dereg_mr");
	/* Afterwards another region may have the same address. */
	pthread_mutex_lock(&lock);
	int error = dereg_mr(mr);
	for (struct region **at = &regions; !error && *at; at = &(*at)->next) {
		struct region *region = *at;
		if (region->mr == mr) {
			*at = region->next;
			if (region->mapped)
				munmap(region->mapped, region->mapped_length);
			free(region);
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

/* In RTS, as mlx5: WRITEs arrive in order, of READs only blocks, of others nothing is known. */
__attribute__((visibility("default"))) int
ibv_query_qp_data_in_order(struct ibv_qp *qp, enum ibv_wr_opcode op, uint32_t flags)
{
	int caps = op == IBV_WR_RDMA_WRITE  ? IN_ORDER_WHOLE_MSG | IN_ORDER_ALIGNED_128_BYTES
		   : op == IBV_WR_RDMA_READ ? IN_ORDER_ALIGNED_128_BYTES
					    : 0;
	if (qp->state != IBV_QPS_RTS || flags & ~(uint32_t)IN_ORDER_RETURN_CAPS)
		return 0;
	return flags ? caps : caps & IN_ORDER_WHOLE_MSG;
}

static int is_outside(const struct own_dm *dm, uint64_t offset, size_t length)
{
	return offset > dm->length || length > dm->length - offset;
}

static int refuse_copy(const struct own_dm *dm, uint64_t offset, size_t length)
{
	if (is_outside(dm, offset, length))
		return EFAULT;
	return (offset | length) % 4 ? EINVAL : 0;
}

static int refuse_as_old(void)
{
	errno = ENODEV;
	return -1;
}

static int memcpy_to(struct ibv_dm *ibdm, uint64_t offset, const void *host, size_t length)
{
	struct own_dm *dm = (struct own_dm *)ibdm;
	if (length == OLD_LENGTH)
		return refuse_as_old();
	int error = refuse_copy(dm, offset, length);
	if (!error)
		memcpy(dm->memory + offset, host, length);
	return error;
}

static int memcpy_from(void *host, struct ibv_dm *ibdm, uint64_t offset, size_t length)
{
	struct own_dm *dm = (struct own_dm *)ibdm;
	int error = refuse_copy(dm, offset, length);
	if (!error)
		memcpy(host, dm->memory + offset, length);
	return error;
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
	return reg(pd, start, length,
		   (struct region){ .address = (uintptr_t)start, .access = access });
}

/* The region of an element, or NULL. */
static const struct region *region_of(uint32_t lkey)
{
	const struct region *region = regions;
	while (region && region->mr->lkey != lkey)
		region = region->next;
	return region;
}

/* Why an element cannot be prefetched, or 0. */
static int refuse_prefetch(const struct ibv_pd *pd, const struct ibv_sge *sge, int for_writing)
{
	const struct region *region = region_of(sge->lkey);
	if (!region || !(region->access & IBV_ACCESS_ON_DEMAND))
		return ENOENT;
	if (region->mr->pd != pd || (for_writing && !(region->access & IBV_ACCESS_LOCAL_WRITE)))
		return EPERM;
	uint64_t offset = sge->addr - region->address;
	size_t length = region->mr->length;
	return offset > length || sge->length > length - offset ? EFAULT : 0;
}

/* As a driver from before PREFETCH_NO_FAULT. */
static int advise_mr(struct ibv_pd *pd, enum ibv_advise_mr_advice advice, uint32_t flags,
		     struct ibv_sge *list, uint32_t count)
{
	int for_writing = advice == IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE;
	if (flags & ~(uint32_t)IBV_ADVISE_MR_FLAG_FLUSH || !count)
		return EINVAL;
	if (!for_writing && advice != IBV_ADVISE_MR_ADVICE_PREFETCH)
		return EOPNOTSUPP;
	int error = 0;
	pthread_mutex_lock(&lock);
	for (uint32_t i = 0; i < count && !error; i++)
		error = refuse_prefetch(pd, &list[i], for_writing);
	for (uint32_t i = 0; i < count && for_writing && !error; i++) {
		const struct region *region = region_of(list[i].lkey);
		char *start = region->mr->addr;
		start[list[i].addr - region->address] = (char)list[i].length;
	}
	pthread_mutex_unlock(&lock);
	return error;
}

/*
 * Bits beyond those of the result may be anything. A pointer to one of them becomes one to the reader
 * that verbs.h has by way of void *, because their types differ.
 */
static uint64_t cvlan(struct ibv_cq_ex *cq)
{
	return ~(uint64_t)UINT16_MAX | (cq->wr_id & UINT16_MAX);
}

static uint64_t flow_tag(struct ibv_cq_ex *cq)
{
	return ~(uint64_t)UINT32_MAX | cq->wr_id >> 32;
}

/* Puts one queue in the place of another, or aborts. */
static void replace_locked(const void *old, const void *by)
{
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < sizeof(locked) / sizeof(*locked); i++) {
		if (locked[i] == old) {
			locked[i] = by;
			pthread_mutex_unlock(&lock);
			return;
		}
	}
	abort();
}

static int start_and_lock(struct ibv_cq_ex *cq, struct ibv_poll_cq_attr *attr)
{
	int error = start_poll(cq, attr);
	if (!error)
		replace_locked(NULL, cq);
	return error;
}

static void unlock_and_end(struct ibv_cq_ex *cq)
{
	replace_locked(cq, NULL);
	end_poll(cq);
}

static int is_locked(const void *cq)
{
	int found = 0;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < sizeof(locked) / sizeof(*locked); i++)
		found |= cq && locked[i] == cq;
	pthread_mutex_unlock(&lock);
	return found;
}

static void await_cursors(const struct ibv_qp *qp)
{
	for (int waited = 0; is_locked(qp->send_cq) || is_locked(qp->recv_cq); waited++) {
		if (waited == 5000)
			abort();
		usleep(1000);
	}
}

/* Counts a call that meets the one that is held up. */
static void intrude(const struct ibv_qp *qp, const struct ibv_mw *mw)
{
	pthread_mutex_lock(&lock);
	if (held.gate && (held.qp == qp || held.mw == mw))
		__atomic_add_fetch(&held.gate->intruders, 1, __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&lock);
}

static void hold(struct gate *gate, const struct ibv_qp *qp, const struct ibv_mw *mw)
{
	pthread_mutex_lock(&lock);
	held.gate = gate;
	held.qp = qp;
	held.mw = mw;
	pthread_mutex_unlock(&lock);
}

static int bind_window(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *mw_bind)
{
	intrude(qp, mw);
	if (mw_bind->wr_id > UINT32_MAX) {
		struct gate *gate = (struct gate *)(uintptr_t)mw_bind->wr_id;
		hold(gate, qp, mw);
		__atomic_store_n(&gate->begun, 1, __ATOMIC_SEQ_CST);
		for (int waited = 0; !__atomic_load_n(&gate->open, __ATOMIC_SEQ_CST); waited++) {
			if (waited == 30000)
				abort();
			usleep(1000);
		}
		hold(NULL, NULL, NULL);
	}
	return bind_mw(qp, mw, mw_bind);
}

static int send_request(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	intrude(qp, NULL);
	if (wr->wr_id != OLD_WR_ID)
		return post_send(qp, wr, bad);
	*bad = wr;
	return refuse_as_old();
}

static int receive(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	if (wr->wr_id != OLD_WR_ID)
		return post_recv(qp, wr, bad);
	*bad = wr;
	refuse_as_old();
	return -errno;
}

static int notify(struct ibv_cq *cq, int solicited_only)
{
	return cq->cqe == OLD_CQE ? refuse_as_old() : req_notify(cq, solicited_only);
}

static int complete(struct ibv_qp_ex *qp)
{
	if (qp->wr_id != OLD_WR_ID)
		return wr_complete(qp);
	qp->wr_abort(qp);
	return refuse_as_old();
}

__attribute__((visibility("default"))) int ibv_destroy_qp(struct ibv_qp *qp)
{
	int (*destroy_qp)(struct ibv_qp *) = behind("ibv_destroy_qp");
	await_cursors(qp);
	return destroy_qp(qp);
}

__attribute__((visibility("default"))) int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	int (*modify_qp)(struct ibv_qp *, struct ibv_qp_attr *, int) = behind("ibv_modify_qp");
	if (mask & IBV_QP_STATE && attr->qp_state == IBV_QPS_RESET)
		await_cursors(qp);
	return modify_qp(qp, attr, mask);
}

__attribute__((visibility("default"))) struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *qp)
{
	struct ibv_qp_ex *(*to_qp_ex)(struct ibv_qp *) = behind("ibv_qp_to_qp_ex");
	struct ibv_qp_ex *ex = to_qp_ex(qp);
	if (ex && ex->wr_complete != complete) {
		pthread_mutex_lock(&lock);
		wr_complete = ex->wr_complete;
		pthread_mutex_unlock(&lock);
		ex->wr_complete = complete;
	}
	return ex;
}

static struct ibv_cq_ex *create_cq(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr)
{
	struct ibv_cq_init_attr_ex plain = *attr;
	plain.wc_flags &= ~(uint64_t)(IBV_WC_EX_WITH_CVLAN | IBV_WC_EX_WITH_FLOW_TAG | IBV_WC_EX_WITH_TM_INFO);
	struct ibv_cq_ex *cq = create_cq_ex(context, &plain);
	if (!cq)
		return NULL;
	pthread_mutex_lock(&lock);
	start_poll = cq->start_poll;
	end_poll = cq->end_poll;
	pthread_mutex_unlock(&lock);
	cq->start_poll = start_and_lock;
	cq->end_poll = unlock_and_end;
	if (attr->wc_flags & IBV_WC_EX_WITH_CVLAN)
		cq->read_cvlan = (uint16_t (*)(struct ibv_cq_ex *))(void *)cvlan;
	if (attr->wc_flags & IBV_WC_EX_WITH_FLOW_TAG)
		cq->read_flow_tag = (uint32_t (*)(struct ibv_cq_ex *))(void *)flow_tag;
	return cq;
}

static int query(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
		 struct ibv_device_attr_ex *attr, size_t size)
{
	int error = query_device_ex(context, input, attr, size);
	/* It comes after the other. */
	if (!error && size >= offsetof(struct ibv_device_attr_ex, max_dm_size) + sizeof(attr->max_dm_size)) {
		attr->max_dm_size = MAX_DM_SIZE;
		attr->odp_caps.general_caps = IBV_ODP_SUPPORT;
		attr->odp_caps.per_transport_caps.rc_odp_caps = IBV_ODP_SUPPORT_SEND | IBV_ODP_SUPPORT_READ;
		attr->odp_caps.per_transport_caps.uc_odp_caps = IBV_ODP_SUPPORT_WRITE;
		attr->odp_caps.per_transport_caps.ud_odp_caps = IBV_ODP_SUPPORT_RECV;
		attr->packet_pacing_caps.qp_rate_limit_min = 1;
		attr->packet_pacing_caps.qp_rate_limit_max = UINT32_MAX;
		attr->packet_pacing_caps.supported_qpts = 1 << IBV_QPT_RAW_PACKET;
	}
	if (!error && size >= offsetof(struct ibv_device_attr_ex, xrc_odp_caps) + sizeof(attr->xrc_odp_caps))
		attr->xrc_odp_caps = IBV_ODP_SUPPORT_SRQ_RECV;
	return error;
}

/* As of a port whose speed has room in the newer field only, which is behind those of rdma-core 44. */
static int query_speed(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr, size_t size)
{
	enum { NDR = 128, SPEED_EX = 52 };
	int error = query_port(context, port, attr, size);
	uint32_t speed = attr->active_speed;
	if (error)
		return error;
	attr->active_speed = NDR;
	if (size >= SPEED_EX + sizeof(speed))
		memcpy((char *)attr + SPEED_EX, &speed, sizeof(speed));
	return 0;
}

__attribute__((visibility("default"))) struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	struct ibv_context *(*open_device)(struct ibv_device *) = behind("ibv_open_device");
	struct ibv_context *context = open_device(device);
	struct verbs_context *ops = context ? verbs_get_ctx(context) : NULL;
	if (ops) {
		pthread_mutex_lock(&lock);
		query_device_ex = ops->query_device_ex;
		create_cq_ex = ops->create_cq_ex;
		query_port = ops->query_port;
		post_send = context->ops.post_send;
		post_recv = context->ops.post_recv;
		req_notify = context->ops.req_notify_cq;
		bind_mw = context->ops.bind_mw;
		pthread_mutex_unlock(&lock);
		ops->query_device_ex = query;
		ops->create_cq_ex = create_cq;
		ops->query_port = query_speed;
		context->ops.post_send = send_request;
		context->ops.post_recv = receive;
		context->ops.req_notify_cq = notify;
		context->ops.bind_mw = bind_window;
		ops->advise_mr = advise_mr;
		ops->alloc_dm = alloc_dm;
		ops->free_dm = free_dm;
		ops->reg_dm_mr = reg_dm_mr;
	}
	return context;
}
