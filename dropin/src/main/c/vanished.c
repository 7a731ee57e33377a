/*
 * Registered memory that the program unmaps.
 *
 * An adapter pins the pages of a region: what the program unmaps stays in the adapter's reach, and
 * a peer that writes there succeeds. Here the device is threads of this process, which would fault.
 * So when one of them touches a registered address at which nothing is mapped any more, signals.c
 * has zero pages mapped there, and the access is repeated. They go away with the registration.
 *
 * What differs from pinned pages: they start as zeros, not with what the program left; the program
 * itself may touch them, too; and if the program, or malloc for it, has mapped something else at
 * the address meanwhile, that is what peers read and write. A page that is mapped but not
 * accessible (mprotect) is not touched: its rights are the program's will, which no thread of it
 * can pass by. The copy fails then, see signals.c. Behind the end of a mapped file that was cut
 * short there is no memory either; Java survives that by itself, and answers an access error.
 *
 * C, because a signal handler calls verbena_range_fill: that makes system calls and loads, no more.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cancel.h"
#include "vanished.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#define BUCKETS 4096
#define FILLER_NAME "verbena-vanished"
/* At most so much at once; a file takes no memory, but its size is under the limit for files. */
#define FILLER_SIZE (1ul << 30)

/*
 * One registration, of an open device. Ranges stay in their bucket's list for ever and are used
 * again there, so that a handler can walk the lists at any moment; one without an end is free.
 */
struct range {
	struct range *next;
	const void *owner;
	_Atomic uintptr_t begin;
	_Atomic uintptr_t end;
	atomic_int filled;
};

static _Atomic(struct range *) buckets[BUCKETS];
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;

/* Private mappings of an empty file, so that they can be told from what the program maps. */
static int filler = -1;
static size_t filler_size;
static ino_t filler_inode;
static uintptr_t page;

static _Atomic(struct range *) *bucket(uintptr_t begin)
{
	return &buckets[(begin >> 6 ^ begin >> 18) % BUCKETS];
}

/* As long as there are regions that begin there: few, but for a program that makes them a test. */
static struct range *find(const void *owner, uintptr_t begin, uintptr_t end)
{
	struct range *each = *bucket(begin);
	while (each && (each->end != end || each->begin != begin || each->owner != owner))
		each = each->next;
	return each;
}

int verbena_range_add(const void *owner, uintptr_t begin, uintptr_t end)
{
	if (begin >= end)
		return 0;
	_Atomic(struct range *) *head = bucket(begin);
	pthread_mutex_lock(&changing);
	/* A free one of the same bucket. */
	struct range *range = *head;
	while (range && range->end)
		range = range->next;
	int is_new = !range;
	if (is_new)
		range = calloc(1, sizeof(*range));
	if (range) {
		range->owner = owner;
		range->begin = begin;
		range->end = end;
		if (is_new) {
			range->next = *head;
			*head = range;
		}
	}
	pthread_mutex_unlock(&changing);
	return range ? 0 : ENOMEM;
}

static uintptr_t page_down(uintptr_t address)
{
	return address & -page;
}

static uintptr_t page_up(uintptr_t address)
{
	return page_down(address + page - 1);
}

/*
 * Where the pages end that begin here and of which all or none are some other range's, which then
 * is answerable for them, and in *is_used whether they are.
 */
static uintptr_t part(uintptr_t from, uintptr_t to, int *is_used)
{
	*is_used = 0;
	for (size_t i = 0; i < BUCKETS; i++) {
		for (struct range *each = buckets[i]; each; each = each->next) {
			if (!each->end)
				continue;
			uintptr_t begin = page_down(each->begin), end = page_up(each->end);
			if (begin <= from && from < end) {
				each->filled = 1;
				*is_used = 1;
				return end < to ? end : to;
			}
			if (from < begin && begin < to)
				to = begin;
		}
	}
	return to;
}

static void unmap_unused(uintptr_t from, uintptr_t to)
{
	while (from < to) {
		int is_used;
		uintptr_t end = part(from, to, &is_used);
		if (!is_used)
			munmap((void *)from, end - from);
		from = end;
	}
}

/* Only what is ours: the program may have mapped something else there. */
static void unmap_filler(uintptr_t begin, uintptr_t end)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	if (!maps)
		return;
	char line[512];
	while (fgets(line, sizeof(line), maps)) {
		uintptr_t from, to;
		unsigned long inode;
		if (sscanf(line, "%lx-%lx %*s %*s %*s %lu", &from, &to, &inode) == 3 &&
		    inode == filler_inode && strstr(line, FILLER_NAME) && from < end &&
		    to > begin) {
			unmap_unused(from < begin ? begin : from, to < end ? to : end);
		}
	}
	fclose(maps);
}

static void remove_range(struct range *range)
{
	uintptr_t end = range->end;
	range->end = 0;
	if (atomic_exchange(&range->filled, 0))
		unmap_filler(page_down(range->begin), page_up(end));
}

void verbena_range_remove(const void *owner, uintptr_t begin, uintptr_t end)
{
	if (begin >= end)
		return;
	int cancel = verbena_cancel_never();
	pthread_mutex_lock(&changing);
	struct range *range = find(owner, begin, end);
	if (range)
		remove_range(range);
	pthread_mutex_unlock(&changing);
	verbena_cancel_again(cancel);
}

void verbena_range_remove_all(const void *owner)
{
	int cancel = verbena_cancel_never();
	pthread_mutex_lock(&changing);
	for (size_t i = 0; i < BUCKETS; i++)
		for (struct range *each = buckets[i]; each; each = each->next)
			if (each->end && each->owner == owner)
				remove_range(each);
	pthread_mutex_unlock(&changing);
	verbena_cancel_again(cancel);
}

static struct range *registered(uintptr_t address)
{
	for (size_t i = 0; i < BUCKETS; i++) {
		for (struct range *each = buckets[i]; each; each = each->next) {
			uintptr_t end = each->end;
			if (address < end && address >= each->begin && end == each->end)
				return each;
		}
	}
	return NULL;
}

/* Whether an address is registered. */
int verbena_range_has(uintptr_t address)
{
	return registered(address) != NULL;
}

int verbena_range_fill(uintptr_t address)
{
	struct range *range = registered(address);
	struct stat stat;
	/* A program that closes all descriptors may have opened another file under our number. */
	if (!range || fstat(filler, &stat) || stat.st_ino != filler_inode)
		return 0;
	uintptr_t begin = page_down(address), end = page_up(range->end);
	if (end <= begin)
		return 0;
	size_t size = end - begin < filler_size ? end - begin : filler_size;
	/* Before the pages are there, lest a removal miss them. */
	range->filled = 1;
	for (;;) {
		void *mapped = mmap((void *)begin, size, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED_NOREPLACE, filler, 0);
		if (mapped == (void *)begin)
			return 1;
		if (mapped != MAP_FAILED) {
			/* A kernel before 4.17 takes the address for a wish. */
			munmap(mapped, size);
			return 0;
		}
		/* Something is mapped further on, or by another thread just now. */
		if (size == page)
			return errno == EEXIST;
		size = page_up(size / 2);
	}
}

static int open_filler(void)
{
	struct rlimit limit;
	struct stat stat;
	filler_size = FILLER_SIZE;
	if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur < filler_size)
		filler_size = limit.rlim_cur & -page;
	if (!filler_size)
		return EFBIG;
	filler = memfd_create(FILLER_NAME, MFD_CLOEXEC);
	if (filler < 0 || ftruncate(filler, (off_t)filler_size) || fstat(filler, &stat))
		return errno;
	filler_inode = stat.st_ino;
	return 0;
}

int verbena_vanished_init(void)
{
	page = (uintptr_t)sysconf(_SC_PAGESIZE);
	return open_filler();
}
