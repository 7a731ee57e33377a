/* 64 threads on one context, each with its own pair of queue pairs, each message checked. */
#include <pthread.h>

#include "ends.h"

#define THREADS 64
#define ROUNDS 200
#define SIZE 8192

static struct ibv_context *context;

static uint32_t next(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static void fill(char *buffer, uint32_t length, uint32_t seed)
{
	for (uint32_t i = 0; i < length; i++)
		buffer[i] = (char)(next(&seed) & 0xff);
}

static void *run(void *argument)
{
	long number = (long)argument;
	uint32_t dice = (uint32_t)number;
	char *here = malloc(SIZE), *there = malloc(SIZE), *expected = malloc(SIZE);
	struct end left = make_end(context, here, SIZE);
	struct end right = make_end(context, there, SIZE);
	connect_ends(&left, &right);
	for (int round = 0; round < ROUNDS; round++) {
		uint32_t length = 1 + next(&dice) % SIZE, seed = next(&dice);
		fill(expected, length, seed);
		memcpy(here, expected, length);
		switch (next(&dice) % 3) {
		case 0:
			post_recv(&right, 0, SIZE);
			post(&left, IBV_WR_SEND, &right, 0, length);
			MUST(poll_one(&right).byte_len == length);
			poll_one(&left);
			break;
		case 1:
			post(&left, IBV_WR_RDMA_WRITE, &right, 0, length);
			await_one(&left);
			break;
		default:
			memset(there, 0, length);
			post(&right, IBV_WR_RDMA_READ, &left, 0, length);
			poll_one(&right);
		}
		MUST(!memcmp(there, expected, length));
	}
	close_end(&left);
	close_end(&right);
	free(here);
	free(there);
	free(expected);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	context = open_first();
	for (long i = 0; i < THREADS; i++)
		MUST(!pthread_create(&threads[i], NULL, run, (void *)i));
	for (long i = 0; i < THREADS; i++)
		MUST(!pthread_join(threads[i], NULL));
	MUST(!ibv_close_device(context));
	puts("ok");
	return 0;
}
