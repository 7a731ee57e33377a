/*
 * Two processes that exchange data by every method of UCX's protocol layer, and check all of it:
 * tagged messages, streams, active messages, puts, gets and atomics. Each prints "all data right"
 * at its end.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <ucp/api/ucp.h>
#include <unistd.h>

#define LARGEST (1 << 20)
#define AM_ID 7

static const size_t lengths[] = {1, 8, 100, 4096, 8193, 70001, LARGEST};
#define LENGTHS (sizeof(lengths) / sizeof(lengths[0]))

static ucp_worker_h worker;
static int me, peer_socket;

/* Memory that the other may write, read and add to. */
static struct {
	unsigned char put[LARGEST], get[LARGEST];
	uint64_t sum, swapped;
} window;

static unsigned char out[LARGEST], in[LARGEST];
static size_t am_arrived;

#define MUST(what)                                                                                 \
	do {                                                                                       \
		if (!(what)) {                                                                     \
			fprintf(stderr, "process %d, line %d: not true: %s\n", me, __LINE__, #what); \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static unsigned char byte_of(int from, size_t length, size_t at)
{
	uint32_t x = (uint32_t)(at * 2654435761u) ^ (uint32_t)(from * 40503 + length * 9176);
	return (unsigned char)(x >> 24 ^ x >> 11);
}

static void fill(unsigned char *data, int from, size_t length)
{
	for (size_t i = 0; i < length; i++)
		data[i] = byte_of(from, length, i);
}

static void check(const unsigned char *data, int from, size_t length)
{
	for (size_t i = 0; i < length; i++)
		MUST(data[i] == byte_of(from, length, i));
}

static void await_at(int line, ucs_status_ptr_t request)
{
	ucs_status_t status = UCS_OK;
	if (UCS_PTR_IS_PTR(request)) {
		while ((status = ucp_request_check_status(request)) == UCS_INPROGRESS)
			ucp_worker_progress(worker);
		ucp_request_free(request);
	} else if (request) {
		status = UCS_PTR_STATUS(request);
	}
	if (status != UCS_OK) {
		fprintf(stderr, "process %d, line %d: %s\n", me, line, ucs_status_string(status));
		exit(1);
	}
}

#define await(request) await_at(__LINE__, request)

static void tell(const void *data, size_t length)
{
	MUST(write(peer_socket, data, length) == (ssize_t)length);
}

/* Receives data from the other; both make progress meanwhile. */
static void hear(void *data, size_t length)
{
	for (size_t have = 0; have < length;) {
		ssize_t count = recv(peer_socket, (char *)data + have, length - have, MSG_DONTWAIT);
		MUST(count != 0);
		if (count > 0)
			have += (size_t)count;
		else
			ucp_worker_progress(worker);
	}
}

static void meet(void)
{
	char byte = 'm';
	tell(&byte, 1);
	hear(&byte, 1);
}

static ucp_ep_h connect_to_peer(void)
{
	ucp_address_t *mine;
	size_t length, theirs;
	ucp_ep_h endpoint;
	MUST(ucp_worker_get_address(worker, &mine, &length) == UCS_OK);
	tell(&length, sizeof(length));
	tell(mine, length);
	hear(&theirs, sizeof(theirs));
	void *address = malloc(theirs);
	MUST(address);
	hear(address, theirs);
	ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS,
				  .address = address};
	MUST(ucp_ep_create(worker, &params, &endpoint) == UCS_OK);
	ucp_worker_release_address(worker, mine);
	return endpoint;
}

static ucp_rkey_h exchange_keys(ucp_context_h context, ucp_mem_h memory, ucp_ep_h endpoint,
				uint64_t *address)
{
	void *packed;
	size_t length, theirs;
	uint64_t mine = (uintptr_t)&window;
	ucp_rkey_h key;
	MUST(ucp_rkey_pack(context, memory, &packed, &length) == UCS_OK);
	tell(&mine, sizeof(mine));
	tell(&length, sizeof(length));
	tell(packed, length);
	hear(address, sizeof(*address));
	hear(&theirs, sizeof(theirs));
	void *received = malloc(theirs);
	MUST(received);
	hear(received, theirs);
	MUST(ucp_ep_rkey_unpack(endpoint, received, &key) == UCS_OK);
	ucp_rkey_buffer_release(packed);
	free(received);
	return key;
}

static const ucp_request_param_t plain;

static void tags(ucp_ep_h endpoint)
{
	for (size_t i = 0; i < LENGTHS; i++) {
		fill(out, me, lengths[i]);
		void *receive = ucp_tag_recv_nbx(worker, in, lengths[i], i, ~0ull, &plain);
		await(ucp_tag_send_nbx(endpoint, out, lengths[i], i, &plain));
		await(receive);
		check(in, !me, lengths[i]);
		meet();
	}
}

static void streams(ucp_ep_h endpoint)
{
	const ucp_request_param_t all = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
					 .flags = UCP_STREAM_RECV_FLAG_WAITALL};
	for (size_t i = 0; i < LENGTHS; i++) {
		size_t length;
		fill(out, me, lengths[i]);
		void *send = ucp_stream_send_nbx(endpoint, out, lengths[i], &plain);
		await(ucp_stream_recv_nbx(endpoint, in, lengths[i], &length, &all));
		await(send);
		check(in, !me, lengths[i]);
		meet();
	}
}

static ucs_status_t on_message(void *unused, const void *header, size_t header_length, void *data,
			       size_t length, const ucp_am_recv_param_t *param)
{
	(void)unused;
	MUST(header_length == sizeof(length) && !memcmp(header, &length, sizeof(length)));
	MUST(!(param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV));
	memcpy(in, data, length);
	am_arrived = length;
	return UCS_OK;
}

static void active_messages(ucp_ep_h endpoint)
{
	/* Without rendezvous: the data is there when the handler is called. */
	const ucp_request_param_t eager = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
					   .flags = UCP_AM_SEND_FLAG_EAGER};
	for (size_t i = 0; i < LENGTHS; i++) {
		fill(out, me, lengths[i]);
		am_arrived = 0;
		meet();
		await(ucp_am_send_nbx(endpoint, AM_ID, &lengths[i], sizeof(lengths[i]), out,
				      lengths[i], &eager));
		while (!am_arrived)
			ucp_worker_progress(worker);
		MUST(am_arrived == lengths[i]);
		check(in, !me, lengths[i]);
		meet();
	}
}

static void puts_and_gets(ucp_ep_h endpoint, ucp_rkey_h key, uint64_t peer)
{
	uint64_t put = peer + ((char *)window.put - (char *)&window);
	uint64_t get = peer + ((char *)window.get - (char *)&window);
	for (size_t i = 0; i < LENGTHS; i++) {
		fill(out, me, lengths[i]);
		fill(window.get, me, lengths[i]);
		meet();
		await(ucp_put_nbx(endpoint, out, lengths[i], put, key, &plain));
		await(ucp_get_nbx(endpoint, in, lengths[i], get, key, &plain));
		await(ucp_ep_flush_nbx(endpoint, &plain));
		meet();
		check(window.put, !me, lengths[i]);
		check(in, !me, lengths[i]);
		meet();
	}
}

static void atomics(ucp_ep_h endpoint, ucp_rkey_h key, uint64_t peer)
{
	enum { TIMES = 50 };
	uint64_t sum = peer + ((char *)&window.sum - (char *)&window);
	uint64_t swapped = peer + ((char *)&window.swapped - (char *)&window);
	uint64_t add = 3, old = ~0ull;
	const ucp_request_param_t fetch = {
		.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE | UCP_OP_ATTR_FIELD_REPLY_BUFFER,
		.datatype = ucp_dt_make_contig(8),
		.reply_buffer = &old};
	const ucp_request_param_t post = {.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE,
					  .datatype = ucp_dt_make_contig(8)};
	for (uint64_t i = 0; i < TIMES; i++) {
		await(ucp_atomic_op_nbx(endpoint, UCP_ATOMIC_OP_ADD, &add, 1, sum, key, &fetch));
		MUST(old == 2 * i * add);
		await(ucp_atomic_op_nbx(endpoint, UCP_ATOMIC_OP_ADD, &add, 1, sum, key, &post));
		await(ucp_ep_flush_nbx(endpoint, &plain));
		/* Of two that expect the same, the one that is right. */
		uint64_t wrong = i + 1000, right = i;
		old = i + 1;
		await(ucp_atomic_op_nbx(endpoint, UCP_ATOMIC_OP_CSWAP, &wrong, 1, swapped, key,
					&fetch));
		MUST(old == i);
		old = i + 1;
		await(ucp_atomic_op_nbx(endpoint, UCP_ATOMIC_OP_CSWAP, &right, 1, swapped, key,
					&fetch));
		MUST(old == i);
	}
	meet();
	MUST(window.sum == 2 * TIMES * add && window.swapped == TIMES);
	meet();
}

int main(void)
{
	int ends[2];
	MUST(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	/* Before a device is opened: a child cannot use its parent's. */
	pid_t child = fork();
	MUST(child >= 0);
	me = child == 0;
	peer_socket = ends[me];
	close(ends[!me]);

	ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES,
			       .features = UCP_FEATURE_TAG | UCP_FEATURE_STREAM | UCP_FEATURE_AM |
					   UCP_FEATURE_RMA | UCP_FEATURE_AMO64};
	ucp_worker_params_t worker_params = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
					     .thread_mode = UCS_THREAD_MODE_SINGLE};
	ucp_am_handler_param_t handler = {.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID |
							UCP_AM_HANDLER_PARAM_FIELD_CB,
					  .id = AM_ID,
					  .cb = on_message};
	ucp_mem_map_params_t map = {.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS |
						  UCP_MEM_MAP_PARAM_FIELD_LENGTH,
				    .address = &window,
				    .length = sizeof(window)};
	ucp_context_h context;
	ucp_mem_h memory;
	uint64_t peer;
	MUST(ucp_init(&params, NULL, &context) == UCS_OK);
	MUST(ucp_worker_create(context, &worker_params, &worker) == UCS_OK);
	MUST(ucp_worker_set_am_recv_handler(worker, &handler) == UCS_OK);
	MUST(ucp_mem_map(context, &map, &memory) == UCS_OK);
	ucp_ep_h endpoint = connect_to_peer();
	ucp_rkey_h key = exchange_keys(context, memory, endpoint, &peer);

	tags(endpoint);
	streams(endpoint);
	active_messages(endpoint);
	puts_and_gets(endpoint, key, peer);
	atomics(endpoint, key, peer);

	ucp_rkey_destroy(key);
	await(ucp_ep_flush_nbx(endpoint, &plain));
	meet();
	await(ucp_ep_close_nbx(endpoint, &plain));
	meet();
	ucp_mem_unmap(context, memory);
	ucp_worker_destroy(worker);
	ucp_cleanup(context);
	printf("all data right: process %d\n", me);
	fflush(stdout);
	int status = 0;
	MUST(me || (wait(&status) == child && status == 0));
	return 0;
}
