/*
 * Loses packets until some arrive out of order, and compares rxe's counter of these with Verbena's
 * own.
 */
#include "ends.h"

#define LENGTH 65536
#define MOST 1000

static char left_buffer[LENGTH], right_buffer[LENGTH];

static unsigned long long counter(const char *name)
{
	char path[128];
	unsigned long long value;
	snprintf(path, sizeof(path), "/sys/class/infiniband/soft_127_0_0_27/ports/1/hw_counters/%s", name);
	FILE *stream = fopen(path, "r");
	MUST(stream && fscanf(stream, "%llu", &value) == 1 && !fclose(stream));
	return value;
}

int main(void)
{
	struct ibv_context *context = open_first();
	struct end left = make_end(context, left_buffer, LENGTH);
	struct end right = make_end(context, right_buffer, LENGTH);
	connect_ends(&left, &right);
	int writes = 0;
	while (!counter("sequence_naks_sent") || !counter("dropped_out_of_order")) {
		MUST(writes++ < MOST);
		post(&left, IBV_WR_RDMA_WRITE, &right, 0, LENGTH);
		poll_one(&left);
	}
	/* rxe does not count the requests that follow the first one out of order. */
	unsigned long long before, found;
	do {
		before = counter("sequence_naks_sent");
		found = counter("out_of_seq_request");
	} while (before != counter("sequence_naks_sent"));
	MUST(found == before);
	close_end(&left);
	close_end(&right);
	MUST(!ibv_close_device(context));
	puts("ok");
	return 0;
}
