/*
 * Measures the nanoseconds of an empty ibv_poll_cq, and of a 64-byte ping-pong within the process.
 */
#include <time.h>

#include "ends.h"

static char left_buffer[4096], right_buffer[4096];

static long now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000 + time.tv_nsec;
}

static double empty_poll(struct end *end, int calls)
{
	struct ibv_wc wc;
	long begin = now();
	for (int i = 0; i < calls; i++)
		MUST(ibv_poll_cq(end->cq, 1, &wc) == 0);
	return (double)(now() - begin) / calls;
}

/* There and back; every message has a receive, and every request a completion. */
static double pingpong(struct end *left, struct end *right, int rounds)
{
	long begin = now();
	for (int i = 0; i < rounds; i++) {
		post_recv(right, 0, 64);
		post_recv(left, 0, 64);
		post(left, IBV_WR_SEND, right, 0, 64);
		poll_one(right);
		poll_one(left);
		post(right, IBV_WR_SEND, left, 0, 64);
		poll_one(left);
		poll_one(right);
	}
	return (double)(now() - begin) / rounds;
}

/*
 * argv[1]: the number of parts; the best is reported, because other processes use the processors
 * too.
 */
int main(int argc, char **argv)
{
	int parts = argc > 1 ? atoi(argv[1]) : 10;
	double poll = 1e9, trip = 1e9;
	struct ibv_context *context = open_first();
	struct end left = make_end(context, left_buffer, sizeof(left_buffer));
	struct end right = make_end(context, right_buffer, sizeof(right_buffer));
	connect_ends(&left, &right);
	for (int i = 0; i < parts; i++) {
		double nanos = empty_poll(&left, 1000000);
		poll = nanos < poll ? nanos : poll;
		nanos = pingpong(&left, &right, 100000);
		trip = nanos < trip ? nanos : trip;
	}
	printf("empty ibv_poll_cq: %.0f ns\n64 B SEND ping-pong: %.0f ns\n", poll, trip);
	return 0;
}
