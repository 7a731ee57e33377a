/* Registers memory that does not exist: EFAULT, as when an adapter cannot pin it; and continues. */
#include <sys/mman.h>

#include "ends.h"

#define PAGE 4096

static char left_buffer[4096], right_buffer[4096];
static struct ibv_pd *pd;

static int refusal(void *address, size_t length, int access)
{
	errno = 0;
	struct ibv_mr *mr = ibv_reg_mr(pd, address, length, access);
	if (!mr)
		return errno;
	MUST(!ibv_dereg_mr(mr));
	return 0;
}

/* Registers a page with these rights and then changes the region; returns 0 or errno. */
static int change(char *from, int rights, int flags, char *to, int access)
{
	struct ibv_mr *mr = ibv_reg_mr(pd, from, PAGE, rights);
	MUST(mr);
	errno = 0;
	int answer = ibv_rereg_mr(mr, flags, NULL, to, PAGE, access);
	int error = errno;
	MUST(!ibv_dereg_mr(mr));
	MUST(answer == (error ? IBV_REREG_MR_ERR_CMD : 0));
	return error;
}

/* Memory that a peer may write to afterwards exists and is writable. */
static void test_changes(char *variable, char *constant, char *nowhere)
{
	const int writable = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE;
	const int place = IBV_REREG_MR_CHANGE_TRANSLATION, rights = IBV_REREG_MR_CHANGE_ACCESS;
	MUST(change(variable, writable, place, constant, 0) == EFAULT);
	MUST(change(variable, writable, place, nowhere, 0) == EFAULT);
	MUST(change(variable, writable, place | rights, constant, 0) == 0);
	MUST(change(variable, 0, place, constant, 0) == 0);
	MUST(change(constant, 0, rights, NULL, writable) == EFAULT);
	MUST(change(constant, 0, place | rights, variable, writable) == 0);
	MUST(change(variable, 0, rights, NULL, writable) == 0);
	/* A change takes effect for the next change. */
	struct ibv_mr *mr = ibv_reg_mr(pd, variable, PAGE, 0);
	MUST(!ibv_rereg_mr(mr, rights, NULL, NULL, 0, writable));
	MUST(ibv_rereg_mr(mr, place, NULL, constant, PAGE, 0) == IBV_REREG_MR_ERR_CMD);
	MUST(!ibv_rereg_mr(mr, rights, NULL, NULL, 0, 0));
	MUST(!ibv_rereg_mr(mr, place, NULL, constant, PAGE, 0));
	MUST(ibv_rereg_mr(mr, rights, NULL, NULL, 0, writable) == IBV_REREG_MR_ERR_CMD);
	MUST(!ibv_dereg_mr(mr));
}

int main(void)
{
	struct ibv_context *context = open_first();
	struct end left = make_end(context, left_buffer, sizeof(left_buffer));
	struct end right = make_end(context, right_buffer, sizeof(right_buffer));
	pd = left.pd;
	char *three = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *constant = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *closed = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const int writable = IBV_ACCESS_LOCAL_WRITE;

	MUST(refusal(NULL, 64, writable) == EFAULT);
	MUST(refusal((void *)16, 64, 0) == EFAULT);
	MUST(refusal((void *)0xdeadbeef000, 64, writable) == EFAULT);
	MUST(refusal((void *)0xdead000000000000, 64, writable) == EFAULT);
	MUST(refusal((void *)-4096, 64, writable) == EFAULT);
	MUST(refusal((void *)-64, 4096, writable) != 0);
	MUST(refusal(left_buffer, (size_t)1 << 46, writable) == EFAULT);
	MUST(refusal(left_buffer, SIZE_MAX, writable) != 0);
	MUST(refusal(closed, 64, 0) == EFAULT);
	MUST(refusal(constant, 64, 0) == 0);
	MUST(refusal(constant, 64, writable) == EFAULT);
	MUST(refusal((void *)"a constant", 8, 0) == 0);
	MUST(refusal((void *)"a constant", 8, writable) == EFAULT);
	MUST(refusal(three, 3 * PAGE, writable) == 0);
	MUST(!munmap(three + PAGE, PAGE));
	MUST(refusal(three, 3 * PAGE, writable) == EFAULT);
	MUST(refusal(three, PAGE, writable) == 0);
	MUST(refusal(three + PAGE - 1, 2, writable) == EFAULT);
	test_changes(three, constant, closed);

	connect_ends(&left, &right);
	exchange(&left, &right);
	close_end(&left);
	close_end(&right);
	MUST(!ibv_close_device(context));
	puts("ok");
	return 0;
}
