/*
 * Registered memory that the program unmaps.
 *
 * An adapter pins the pages of a region: pages that the program unmaps stay accessible to the
 * adapter, and a peer's write succeeds. Here the device consists of threads of this process, which
 * would fault. So when one of them accesses a registered address at which nothing is mapped any
 * more, signals.c has zero pages mapped there, and the access is repeated. They are unmapped with
 * the registration.
 *
 * They differ from pinned pages: they start as zeros, not with the program's data; the program
 * itself may access them too; and if the program, or malloc, has mapped something else at the
 * address meanwhile, peers read and write that. A page that is mapped but not accessible (mprotect)
 * is left alone: the program has set its rights, which no thread of it can bypass. The copy fails
 * then, see signals.c. There is no memory beyond the end of a truncated mapped file either; Java
 * survives that by itself and reports an access error.
 *
 * In C, because a signal handler calls verbena_range_fill, which makes only system calls and loads.
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
/*
 * Maximum size mapped at once; the file takes no memory, but its size is subject to the limit for
 * files.
 */
#define FILLER_SIZE (1ul << 30)

/*
 * A registration, of an open device. Ranges stay in their bucket's list for ever and are reused
 * there, so that a signal handler can walk the lists at any moment; a range without an end is free.
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

/*
 * Source of the zero pages: private mappings of an empty file, which can be told from the program's
 * mappings.
 */
static int filler = -1;
static size_t filler_size;
static ino_t filler_inode;
static uintptr_t page;

static _Atomic(struct range *) *bucket(uintptr_t begin)
{
	return &buckets[(begin >> 6 ^ begin >> 18) % BUCKETS];
}

/*
 * The list is as long as there are regions that begin there: short, except in programs that test
 * this.
 */
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
	/* A free range of the same bucket. */
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
 * Returns the end of the pages from here on that all belong, or all do not belong, to other ranges,
 * which are then responsible for them; stores in *is_used whether they do.
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

/* Unmaps only our own pages: the program may have mapped something else there. */
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
	/* A program that closes all descriptors may have opened another file with our number. */
	if (!range || fstat(filler, &stat) || stat.st_ino != filler_inode)
		return 0;
	uintptr_t begin = page_down(address), end = page_up(range->end);
	if (end <= begin)
		return 0;
	size_t size = end - begin < filler_size ? end - begin : filler_size;
	/* Set before the pages are mapped, so that a removal does not miss them. */
	range->filled = 1;
	for (;;) {
		void *mapped = mmap((void *)begin, size, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED_NOREPLACE, filler, 0);
		if (mapped == (void *)begin)
			return 1;
		if (mapped != MAP_FAILED) {
			/* A kernel before 4.17 treats the address as a hint. */
			munmap(mapped, size);
			return 0;
		}
		/* Something is mapped further on, or another thread has just mapped it. */
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
