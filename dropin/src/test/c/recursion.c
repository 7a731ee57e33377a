/* Uses nearly all of its stack of 8 MB after the first verb, on the main thread and on others. */
#include <pthread.h>
#include <sys/resource.h>

#include "ends.h"

static char left_buffer[4096], right_buffer[4096];

static int deep(int levels)
{
	volatile char frame[1024];
	memset((char *)frame, levels, sizeof(frame));
	return levels ? deep(levels - 1) + frame[levels % 1024] * 0 : 1;
}

static void *small(void *argument)
{
	struct end *ends = argument;
	exchange(&ends[0], &ends[1]);
	MUST(deep(150));
	return NULL;
}

int main(void)
{
	struct rlimit limit;
	struct end ends[2];
	MUST(!getrlimit(RLIMIT_STACK, &limit));
	MUST(limit.rlim_cur == 8ul << 20);
	struct ibv_context *context = open_first();
	ends[0] = make_end(context, left_buffer, sizeof(left_buffer));
	ends[1] = make_end(context, right_buffer, sizeof(right_buffer));
	connect_ends(&ends[0], &ends[1]);
	exchange(&ends[0], &ends[1]);
	/* 7.6 MB. */
	MUST(deep(7000));
	exchange(&ends[0], &ends[1]);
	MUST(deep(7000));

	pthread_attr_t attr;
	pthread_t thread;
	MUST(!pthread_attr_init(&attr));
	MUST(!pthread_attr_setstacksize(&attr, 256 << 10));
	MUST(!pthread_create(&thread, &attr, small, ends));
	MUST(!pthread_join(thread, NULL));
	exchange(&ends[1], &ends[0]);
	puts("ok");
	return 0;
}
