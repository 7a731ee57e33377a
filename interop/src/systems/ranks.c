/*
 * A program for MPI that checks all it receives: messages of several sizes, collectives, and access
 * to windows. Each rank has a device of its own, and the transport is what the environment says.
 *   ranks [ROUNDS]
 * Rank 0 prints "all data right", and how much that was.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 64

static int rank, size;
static long long checked;

static void fail(const char *what, size_t at)
{
	fprintf(stderr, "rank %d: wrong data: %s, at %zu\n", rank, what, at);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The byte at this offset of a message from this rank. */
static unsigned char byte_of(int from, int round, size_t at)
{
	uint32_t x = (uint32_t)(at * 2654435761u) ^ (uint32_t)(from * 40503 + round * 9176);
	return (unsigned char)(x >> 24 ^ x >> 11);
}

static void fill(unsigned char *data, size_t length, int round)
{
	for (size_t i = 0; i < length; i++)
		data[i] = byte_of(rank, round, i);
}

static void check(const unsigned char *data, size_t length, int from, int round, const char *what)
{
	for (size_t i = 0; i < length; i++)
		if (data[i] != byte_of(from, round, i))
			fail(what, i);
	checked += (long long)length;
}

/* Round the ring: eager and rendezvous, aligned and not. */
static void messages(int round)
{
	static const size_t lengths[] = {0, 1, 63, 1024, 4097, 65536, 300001, 1 << 20};
	int next = (rank + 1) % size, previous = (rank + size - 1) % size;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		size_t length = lengths[i];
		unsigned char *out = malloc(length + 1), *in = calloc(1, length + 1);
		MPI_Status status;
		int count;
		fill(out, length, round);
		MPI_Sendrecv(out, (int)length, MPI_BYTE, next, (int)i, in, (int)length + 1, MPI_BYTE,
			     previous, (int)i, MPI_COMM_WORLD, &status);
		MPI_Get_count(&status, MPI_BYTE, &count);
		if ((size_t)count != length)
			fail("length of a message", (size_t)count);
		check(in, length, previous, round, "a message");
		free(out);
		free(in);
	}
}

/* All to one at once, in the order of tags and not of arrival. */
static void out_of_order(int round)
{
	enum { MESSAGES = 32, LENGTH = 777 };
	static unsigned char out[MESSAGES][LENGTH], in[LENGTH];
	MPI_Request requests[MESSAGES];
	MPI_Status statuses[MESSAGES];
	if (rank == 0) {
		for (int from = size - 1; from > 0; from--)
			for (int tag = MESSAGES - 1; tag >= 0; tag--) {
				MPI_Recv(in, LENGTH, MPI_BYTE, from, tag, MPI_COMM_WORLD,
					 MPI_STATUS_IGNORE);
				check(in, LENGTH, from, round + tag, "a message by its tag");
			}
		return;
	}
	for (int tag = 0; tag < MESSAGES; tag++) {
		fill(out[tag], LENGTH, round + tag);
		MPI_Isend(out[tag], LENGTH, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &requests[tag]);
	}
	MPI_Waitall(MESSAGES, requests, statuses);
}

static void collectives(int round)
{
	enum { LENGTH = 5000 };
	static long long mine[LENGTH], sums[LENGTH];
	for (int i = 0; i < LENGTH; i++)
		mine[i] = (long long)(rank + 1) * (i + round);
	MPI_Allreduce(mine, sums, LENGTH, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
	for (int i = 0; i < LENGTH; i++)
		if (sums[i] != (long long)size * (size + 1) / 2 * (i + round))
			fail("a sum", (size_t)i);
	checked += (long long)sizeof(sums);

	unsigned char *out = malloc((size_t)LENGTH * size), *in = malloc((size_t)LENGTH * size);
	for (int to = 0; to < size; to++)
		fill(out + (size_t)LENGTH * to, LENGTH, round + to);
	MPI_Alltoall(out, LENGTH, MPI_BYTE, in, LENGTH, MPI_BYTE, MPI_COMM_WORLD);
	for (int from = 0; from < size; from++)
		check(in + (size_t)LENGTH * from, LENGTH, from, round + rank, "all to all");
	int root = round % size;
	if (rank == root)
		fill(in, LENGTH, round);
	MPI_Bcast(in, LENGTH, MPI_BYTE, root, MPI_COMM_WORLD);
	check(in, LENGTH, root, round, "a broadcast");
	free(out);
	free(in);
}

/* Every rank writes to, reads from and adds to the windows of the others. */
static void windows(int round)
{
	struct {
		unsigned char bytes[8][4096];
		int64_t cells[CELLS];
	} *memory;
	MPI_Win window;
	if (size > 8)
		fail("more ranks than this program is made for", (size_t)size);
	MPI_Win_allocate(sizeof(*memory), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
	memset(memory, 0, sizeof(*memory));
	MPI_Barrier(MPI_COMM_WORLD);

	unsigned char out[4096], in[4096];
	fill(out, sizeof(out), round);
	MPI_Win_lock_all(0, window);
	for (int to = 0; to < size; to++)
		MPI_Put(out, sizeof(out), MPI_BYTE, to, (MPI_Aint)rank * sizeof(out), sizeof(out),
			MPI_BYTE, window);
	MPI_Win_flush_all(window);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int from = 0; from < size; from++) {
		int whose = (rank + from) % size;
		MPI_Get(in, sizeof(in), MPI_BYTE, whose, (MPI_Aint)from * sizeof(in), sizeof(in),
			MPI_BYTE, window);
		MPI_Win_flush(whose, window);
		check(in, sizeof(in), from, round, "what was put and got");
	}

	MPI_Aint cells = sizeof(memory->bytes);
	int64_t one = 1, old, last = -1;
	for (int i = 0; i < CELLS; i++) {
		MPI_Fetch_and_op(&one, &old, MPI_INT64_T, 0, cells, MPI_SUM, window);
		MPI_Win_flush(0, window);
		if (old <= last)
			fail("a counter that goes back", (size_t)i);
		last = old;
	}
	/* A lock of one cell; whoever has it writes the next without an atomic. */
	int64_t free_cell = 0, taken = rank + 1, seen;
	for (int i = 0; i < 5; i++) {
		do {
			MPI_Compare_and_swap(&taken, &free_cell, &seen, MPI_INT64_T, 0,
					     cells + 8, window);
			MPI_Win_flush(0, window);
		} while (seen != 0);
		int64_t value;
		MPI_Get(&value, 1, MPI_INT64_T, 0, cells + 16, 1, MPI_INT64_T, window);
		MPI_Win_flush(0, window);
		value++;
		MPI_Put(&value, 1, MPI_INT64_T, 0, cells + 16, 1, MPI_INT64_T, window);
		MPI_Win_flush(0, window);
		MPI_Accumulate(&free_cell, 1, MPI_INT64_T, 0, cells + 8, 1, MPI_INT64_T,
			       MPI_REPLACE, window);
		MPI_Win_flush(0, window);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	int64_t counted, locked;
	MPI_Get(&counted, 1, MPI_INT64_T, 0, cells, 1, MPI_INT64_T, window);
	MPI_Get(&locked, 1, MPI_INT64_T, 0, cells + 16, 1, MPI_INT64_T, window);
	MPI_Win_flush(0, window);
	MPI_Win_unlock_all(window);
	if (counted != (int64_t)CELLS * size)
		fail("additions that are lost", (size_t)counted);
	if (locked != (int64_t)5 * size)
		fail("a lock that two have", (size_t)locked);
	MPI_Win_free(&window);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 2;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int round = 0; round < rounds; round++) {
		messages(round);
		out_of_order(round);
		collectives(round);
		windows(round);
	}
	long long all = 0;
	MPI_Reduce(&checked, &all, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("all data right: %d ranks, %lld bytes\n", size, all);
	MPI_Finalize();
	return 0;
}
