/* Registers what is not there: EFAULT, as when an adapter cannot pin it; and goes on. */
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

	connect_ends(&left, &right);
	exchange(&left, &right);
	close_end(&left);
	close_end(&right);
	MUST(!ibv_close_device(context));
	puts("ok");
	return 0;
}
