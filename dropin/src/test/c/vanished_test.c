/* Tests vanished.c by itself: with a JVM that handles no signal, in a process of its own. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"
#include "signals.h"
#include "vanished.h"

#define PAGE 4096ul
#define REPORTED 99

__thread int verbena_inside;

int JVM_handle_linux_signal(int number, siginfo_t *info, void *context, int abort_if_unrecognized);
int JVM_handle_linux_signal(int number, siginfo_t *info, void *context, int abort_if_unrecognized)
{
	(void)number, (void)info, (void)context;
	if (abort_if_unrecognized)
		_exit(REPORTED);
	return 0;
}

static int failures;

/* Open devices: only their addresses matter. */
static const char owner, other_owner;

#define CHECK(what)                                                                                \
	do {                                                                                       \
		if (!(what)) {                                                                     \
			printf("line %d: not true: %s\n", __LINE__, #what);                        \
			failures++;                                                                \
		}                                                                                  \
	} while (0)

static char *map(size_t pages)
{
	return mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static int is_mapped(char *address)
{
	unsigned char resident;
	return mincore(address, PAGE, &resident) == 0;
}

static char *registered(size_t pages)
{
	char *memory = map(pages);
	CHECK(verbena_range_add(&owner, (uintptr_t)memory, (uintptr_t)memory + pages * PAGE) == 0);
	return memory;
}

static void deregister(char *memory, size_t pages)
{
	verbena_range_remove(&owner, (uintptr_t)memory, (uintptr_t)memory + pages * PAGE);
}

/* Returns how a child ends that does this. */
static int fate(void (*what)(char *), char *memory)
{
	int status;
	pid_t child = fork();
	if (!child) {
		what(memory);
		_exit(0);
	}
	waitpid(child, &status, 0);
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* Opaque, like a call into Java, so that the compiler does not move it. */
__attribute__((noipa)) static void touch(char *memory)
{
	*(volatile char *)memory = 1;
}

static void touch_inside(char *memory)
{
	verbena_inside++;
	touch(memory);
	verbena_inside--;
}

static void divide(char *memory)
{
	volatile int zero = 0;
	memory[0] = (char)(memory[1] / zero);
}

static void send_to_self(char *memory)
{
	(void)memory;
	kill(getpid(), SIGSEGV);
}

static pthread_barrier_t unmapped;

static void *touch_all(void *memory)
{
	prctl(PR_SET_NAME, "verbena soft_127_0_0_1");
	pthread_barrier_wait(&unmapped);
	errno = 42;
	for (size_t i = 0; i < 1024; i++)
		__atomic_fetch_add((char *)memory + i * PAGE, 1, __ATOMIC_RELAXED);
	return (void *)(long)errno;
}

/* Eight threads of a device, with the smallest possible stacks. */
static void test_threads_of_the_device(void)
{
	char *memory = registered(1024);
	pthread_barrier_init(&unmapped, NULL, 9);
	pthread_t threads[8];
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 16384);
	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], &small, touch_all, memory);
	/* Only now, so that their stacks are not mapped there. */
	munmap(memory, 1024 * PAGE);
	pthread_barrier_wait(&unmapped);
	for (int i = 0; i < 8; i++) {
		void *error;
		pthread_join(threads[i], &error);
		CHECK((long)error == 42);
	}
	for (size_t i = 0; i < 1024; i++)
		CHECK(memory[i * PAGE] == 8);
	deregister(memory, 1024);
	CHECK(!is_mapped(memory));
}

static void test_what_the_program_maps_stays(void)
{
	char *memory = registered(8);
	munmap(memory + PAGE, 6 * PAGE);
	char *own = mmap(memory + 3 * PAGE, PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	own[0] = 'o';
	memory[0] = 'f';
	touch_inside(memory + PAGE);
	touch_inside(memory + 4 * PAGE + 17);
	CHECK(memory[PAGE] == 1 && memory[4 * PAGE] == 0 && memory[4 * PAGE + 17] == 1);
	munmap(memory + 6 * PAGE, PAGE);
	own = mmap(memory + 6 * PAGE, PAGE, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	own[0] = 'p';
	deregister(memory, 8);
	CHECK(memory[0] == 'f' && memory[3 * PAGE] == 'o' && memory[6 * PAGE] == 'p');
	CHECK(!is_mapped(memory + PAGE) && !is_mapped(memory + 4 * PAGE));
	CHECK(is_mapped(memory + 7 * PAGE));
}

/* Those in Java end so. */
static void test_other_faults_take_their_course(int inside)
{
	char *memory = registered(4);
	char *protected = registered(1);
	char *never = map(1);
	munmap(memory, 2 * PAGE);
	munmap(never, PAGE);
	mprotect(protected, PAGE, PROT_READ);
	CHECK(fate(touch_inside, memory) == 0);
	CHECK(fate(touch, memory) == -SIGSEGV);
	CHECK(fate(touch, never) == -SIGSEGV);
	CHECK(fate(touch_inside, never) == inside);
	CHECK(fate(touch_inside, protected) == inside);
	CHECK(fate(divide, memory + 2 * PAGE) == -SIGFPE);
	CHECK(fate(send_to_self, memory) == -SIGSEGV);
	deregister(memory, 4);
	CHECK(fate(touch_inside, memory) == inside);
}

static void test_many_registrations(void)
{
	char *memory = map(64);
	for (uintptr_t i = 0; i < 64 * PAGE; i += 4)
		CHECK(verbena_range_add(&owner, (uintptr_t)memory + i, (uintptr_t)memory + i + 64) == 0);
	munmap(memory, 64 * PAGE);
	touch_inside(memory + 33 * PAGE);
	for (uintptr_t i = 0; i < 64 * PAGE; i += 4)
		verbena_range_remove(&owner, (uintptr_t)memory + i, (uintptr_t)memory + i + 64);
	CHECK(!is_mapped(memory + 33 * PAGE));
	CHECK(fate(touch_inside, memory) == -SIGSEGV);
}

/* Two regions share pages: the pages that one leaves belong to the other. */
static void test_what_another_region_needs_stays(void)
{
	char *memory = map(8);
	uintptr_t begin = (uintptr_t)memory;
	CHECK(verbena_range_add(&owner, begin, begin + 5 * PAGE) == 0);
	CHECK(verbena_range_add(&owner, begin + 3 * PAGE + 8, begin + 7 * PAGE + 8) == 0);
	munmap(memory, 8 * PAGE);
	for (int i = 0; i < 5; i++)
		touch_inside(memory + i * PAGE);
	verbena_range_remove(&owner, begin, begin + 5 * PAGE);
	CHECK(!is_mapped(memory) && !is_mapped(memory + 2 * PAGE));
	CHECK(is_mapped(memory + 3 * PAGE) && memory[3 * PAGE] == 1 && memory[4 * PAGE] == 1);
	verbena_range_remove(&owner, begin + 3 * PAGE + 8, begin + 7 * PAGE + 8);
	for (int i = 0; i < 8; i++)
		CHECK(!is_mapped(memory + i * PAGE));
}

/* Two devices have the same memory registered. */
static void test_what_a_device_leaves_is_removed_with_it(void)
{
	char *memory = registered(2);
	char *shared = registered(2);
	uintptr_t begin = (uintptr_t)shared;
	CHECK(verbena_range_add(&other_owner, begin, begin + 2 * PAGE) == 0);
	munmap(memory, 2 * PAGE);
	munmap(shared, 2 * PAGE);
	touch_inside(memory);
	touch_inside(shared);
	verbena_range_remove_all(&owner);
	CHECK(!is_mapped(memory) && is_mapped(shared));
	CHECK(fate(touch_inside, memory) == -SIGSEGV);
	munmap(shared, 2 * PAGE);
	touch_inside(shared);
	verbena_range_remove_all(&other_owner);
	CHECK(!is_mapped(shared));
	CHECK(fate(touch_inside, shared) == -SIGSEGV);
}

int main(void)
{
	verbena_signals_before_vm();
	verbena_signals_after_vm();
	CHECK(verbena_vanished_init() == 0 && verbena_signals_take() == 0);
	test_threads_of_the_device();
	test_what_the_program_maps_stays();
	test_other_faults_take_their_course(-SIGSEGV);
	test_many_registrations();
	test_what_another_region_needs_stays();
	test_what_a_device_leaves_is_removed_with_it();
	/* Read once. */
	setenv("VERBENA_VERBOSE", "1", 1);
	verbena_signals_take();
	test_other_faults_take_their_course(REPORTED);
	puts(failures ? "failed" : "ok");
	return failures != 0;
}
