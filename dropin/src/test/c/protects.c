/* Takes the rights of registered memory away while peers use it: they are told, nobody dies. */
#include <sys/mman.h>

#include "ends.h"

#define SIZE 65536

static char *map(void)
{
	char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	MUST(memory != MAP_FAILED);
	return memory;
}

/* The peer learns that its access was refused, and the device lives on. */
static void refused(struct ibv_context *context, enum ibv_wr_opcode opcode, int rights)
{
	struct end ends[2];
	ends[0] = make_end(context, map(), SIZE);
	ends[1] = make_end(context, map(), SIZE);
	connect_ends(&ends[0], &ends[1]);
	MUST(!mprotect(ends[1].buffer, SIZE, rights));
	post(&ends[0], opcode, &ends[1], 0, SIZE);
	struct ibv_wc wc;
	int found;
	while ((found = ibv_poll_cq(ends[0].cq, 1, &wc)) == 0)
		;
	MUST(found == 1 && wc.status != IBV_WC_SUCCESS);
	close_end(&ends[0]);
	close_end(&ends[1]);
}

int main(void)
{
	struct ibv_context *context = open_first();
	refused(context, IBV_WR_RDMA_WRITE, PROT_READ);
	refused(context, IBV_WR_RDMA_WRITE, PROT_NONE);
	refused(context, IBV_WR_RDMA_READ, PROT_NONE);
	MUST(!ibv_close_device(context));
	puts("ok");
	return 0;
}
