/*
 * Unmaps registered memory while a peer writes to it, reads from it and adds to it: both continue.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "ends.h"

#define SIZE (1ul << 20)
#define ROUNDS 8

static atomic_int rounds, unmapped;

/*
 * Uses addresses that are assigned only on request, because the kernel assigns them from the top.
 * Otherwise malloc or Java would soon reuse a free address, and the peer would write to their
 * memory.
 */
static char *map(void)
{
	static char *next = (char *)(1ul << 40);
	char *memory = mmap(next, SIZE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	MUST(memory == next);
	next += 2 * SIZE;
	return memory;
}

/* Sleeps between its messages, so that the device's threads copy; or polls. */
static void *peer(void *argument)
{
	struct end *ends = argument;
	struct ibv_wc (*next)(struct end *) = ends[0].channel->fd % 2 ? await_one : poll_one;
	for (int without = 0; without < ROUNDS;) {
		/* Rounds that began when the memory was gone. */
		without += unmapped;
		memset(ends[0].buffer, 'w', SIZE);
		post(&ends[0], IBV_WR_RDMA_WRITE, &ends[1], 0, SIZE);
		next(&ends[0]);
		post(&ends[0], IBV_WR_RDMA_READ, &ends[1], 0, SIZE);
		next(&ends[0]);
		rounds++;
	}
	return NULL;
}

static int is_mapped(char *memory)
{
	unsigned char resident[SIZE / 4096];
	return mincore(memory, SIZE, resident) == 0;
}

static void run(struct ibv_context *context)
{
	struct end ends[2];
	ends[0] = make_end(context, map(), SIZE);
	ends[1] = make_end(context, map(), SIZE);
	connect_ends(&ends[0], &ends[1]);
	pthread_t thread;
	int before = rounds;
	unmapped = 0;
	MUST(!pthread_create(&thread, NULL, peer, ends));
	while (rounds - before < ROUNDS)
		;
	MUST(ends[1].buffer[0] == 'w' && ends[1].buffer[SIZE - 1] == 'w');
	MUST(!munmap(ends[1].buffer, SIZE));
	unmapped = 1;
	MUST(!pthread_join(thread, NULL));
	/* Data written after that is read after that. */
	MUST(ends[0].buffer[0] == 'w' && ends[0].buffer[SIZE - 1] == 'w');

	/* The sender's own buffer is unmapped too, and zeros arrive. */
	char *own = ends[0].buffer;
	MUST(!munmap(own, SIZE));
	post(&ends[0], IBV_WR_RDMA_WRITE, &ends[1], 0, SIZE);
	await_one(&ends[0]);
	char *into = ends[1].buffer;
	close_end(&ends[0]);
	close_end(&ends[1]);
	MUST(!is_mapped(own) && !is_mapped(into));
}

/* Leaves everything else open. */
static void close_only_the_device(void)
{
	struct ibv_context *context = open_first();
	struct end ends[2];
	ends[0] = make_end(context, map(), SIZE);
	ends[1] = make_end(context, map(), SIZE);
	connect_ends(&ends[0], &ends[1]);
	MUST(!munmap(ends[1].buffer, SIZE));
	post_atomic(&ends[0], IBV_WR_ATOMIC_FETCH_AND_ADD, &ends[1], 0);
	await_one(&ends[0]);
	MUST(ends[0].buffer[0] == 0 && ends[1].buffer[0] == 1);
	post(&ends[0], IBV_WR_RDMA_WRITE, &ends[1], 0, SIZE);
	await_one(&ends[0]);
	MUST(is_mapped(ends[1].buffer));
	MUST(!ibv_close_device(context));
	MUST(!is_mapped(ends[1].buffer));
}

int main(void)
{
	struct ibv_context *context = open_first();
	/* One of them has an odd descriptor. */
	run(context);
	struct ibv_comp_channel *other = ibv_create_comp_channel(context);
	run(context);
	MUST(!ibv_destroy_comp_channel(other));
	MUST(!ibv_close_device(context));
	close_only_the_device();
	puts("ok");
	return 0;
}
