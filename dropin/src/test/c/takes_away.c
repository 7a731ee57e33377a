/*
 * Takes registered memory away while peers use it: its rights, or its end, like that of a truncated
 * file. The peers get errors, and no process ends. The arguments are the atomic that is executed
 * many times before, so that the JVM has compiled it, or none; and the one that fails first.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "ends.h"

#define SIZE 65536
/* The JVM may survive one fault and discard compiled code because of it. */
#define TIMES 5
/* Enough for an atomic to be compiled. */
#define MANY 50000

static const enum ibv_wr_opcode atomics[] = {IBV_WR_ATOMIC_CMP_AND_SWP,
					     IBV_WR_ATOMIC_FETCH_AND_ADD};
static const enum ibv_wr_opcode others[] = {IBV_WR_RDMA_WRITE, IBV_WR_RDMA_READ, IBV_WR_SEND};

/* Anonymous memory, or a mapped file. */
static char *map(int file)
{
	int flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
	char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags, file, 0);
	MUST(memory != MAP_FAILED);
	return memory;
}

/* Accesses the last bytes of the peer's memory if it is an atomic; otherwise all of it. */
static struct ibv_wc request(struct end *ends, enum ibv_wr_opcode opcode)
{
	struct ibv_wc wc;
	int found;
	if (opcode == IBV_WR_SEND)
		post_recv(&ends[1], 0, SIZE);
	if (opcode == IBV_WR_ATOMIC_CMP_AND_SWP || opcode == IBV_WR_ATOMIC_FETCH_AND_ADD)
		post_atomic(&ends[0], opcode, &ends[1], SIZE - 8);
	else
		post(&ends[0], opcode, &ends[1], 0, SIZE);
	while ((found = ibv_poll_cq(ends[0].cq, 1, &wc)) == 0)
		;
	MUST(found == 1);
	return wc;
}

static void open_ends(struct ibv_context *context, struct end *ends, char *memory)
{
	ends[0] = make_end(context, map(-1), SIZE);
	ends[1] = make_end(context, memory, SIZE);
	connect_ends(&ends[0], &ends[1]);
}

static void close_ends(struct end *ends)
{
	for (int i = 0; i < 2; i++) {
		char *memory = ends[i].buffer;
		close_end(&ends[i]);
		MUST(!munmap(memory, SIZE));
	}
}

/* The peer's access is refused, and the device keeps working. */
static void expect_refusal(struct end *ends, enum ibv_wr_opcode opcode)
{
	enum ibv_wc_status expected =
		opcode == IBV_WR_SEND ? IBV_WC_REM_OP_ERR : IBV_WC_REM_ACCESS_ERR;
	struct ibv_wc wc = request(ends, opcode);
	if (wc.status != expected)
		printf("opcode %d: %s\n", opcode, ibv_wc_status_str(wc.status));
	MUST(wc.status == expected);
	close_ends(ends);
}

static void without_rights(struct ibv_context *context, enum ibv_wr_opcode opcode, int rights)
{
	struct end ends[2];
	open_ends(context, ends, map(-1));
	MUST(!mprotect(ends[1].buffer, SIZE, rights));
	expect_refusal(ends, opcode);
}

static void behind_the_end(struct ibv_context *context, enum ibv_wr_opcode opcode)
{
	int file = memfd_create("cut", MFD_CLOEXEC);
	MUST(file >= 0 && !ftruncate(file, SIZE));
	struct end ends[2];
	open_ends(context, ends, map(file));
	MUST(!ftruncate(file, SIZE / 2));
	expect_refusal(ends, opcode);
	MUST(!close(file));
}

static void change(struct ibv_context *context, enum ibv_wr_opcode opcode)
{
	struct end ends[2];
	open_ends(context, ends, map(-1));
	for (int i = 0; i < MANY; i++)
		MUST(!request(ends, opcode).status);
	close_ends(ends);
}

static void refuse(struct ibv_context *context, enum ibv_wr_opcode opcode)
{
	for (int i = 0; i < TIMES; i++) {
		if (opcode != IBV_WR_RDMA_READ)
			without_rights(context, opcode, PROT_READ);
		without_rights(context, opcode, PROT_NONE);
		behind_the_end(context, opcode);
	}
}

int main(int count, char **arguments)
{
	MUST(count == 3);
	int first = !strcmp(arguments[2], "add");
	struct ibv_context *context = open_first();
	if (strcmp(arguments[1], "none"))
		change(context, atomics[!strcmp(arguments[1], "add")]);
	refuse(context, atomics[first]);
	refuse(context, atomics[!first]);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		refuse(context, others[i]);
	MUST(!ibv_close_device(context));
	puts("ok");
	return 0;
}
