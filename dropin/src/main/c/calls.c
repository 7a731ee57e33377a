/*
 * The calls into Java, and their replacements where there is no Java: before the first open, and in
 * the child of a fork.
 */
#include <errno.h>
#include <stdatomic.h>
#include <unistd.h>

#include "calls.h"
#include "results.h"

/* A JVM does not survive a fork, because its threads are missing: the child's calls fail. */
static int forked;

/*
 * Printed once, whatever the user's settings, because such a program works with an adapter's
 * library. With a single system call, because in the child of a process with threads most others
 * may hang.
 */
static void tell_of_fork(void)
{
	static const char text[] =
		"verbena: the child of a fork cannot use the device that its parent opened; fork "
		"first and open it in the child, or have the child execute a program\n";
	static atomic_flag told = ATOMIC_FLAG_INIT;
	if (!forked || atomic_flag_test_and_set(&told))
		return;
	/* Without standard error, nobody can be told. */
	ssize_t written = write(STDERR_FILENO, text, sizeof(text) - 1);
	(void)written;
}

int verbena_unreachable(void)
{
	tell_of_fork();
	return verbena_result(-VERBENA_UNREACHABLE);
}

static long unreachable(long a, long b, long c, long d, long e, long f)
{
	(void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
	return -verbena_unreachable();
}

/* For a process without a JVM: before the first open, and in the child of a fork. */
static const struct verbena_calls no_calls = {
#define X(name) .name = unreachable,
	VERBENA_CALLS(X)
#undef X
};

const struct verbena_calls *verbena = &no_calls;
__thread int verbena_inside;

int verbena_is_running(void)
{
	return verbena != &no_calls;
}

void verbena_calls_begin(const struct verbena_calls *calls)
{
	verbena = calls;
}

void verbena_calls_fork(void)
{
	forked = 1;
	verbena = &no_calls;
}

int verbena_calls_forked(void)
{
	return forked;
}
