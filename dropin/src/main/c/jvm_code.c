/*
 * The location of the JVM's code: its library, and the code that it has compiled. A fault in other
 * code is not the JVM's.
 *
 * In C, because a signal handler calls it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include "jvm_code.h"

static struct {
	uintptr_t begin, end;
} library, compiled;

/* Finds the object that contains the address library.begin. */
static int is_library(struct dl_phdr_info *info, size_t size, void *unused)
{
	uintptr_t begin = UINTPTR_MAX, end = 0;
	(void)size, (void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t from = info->dlpi_addr + part->p_vaddr;
		if (part->p_type != PT_LOAD)
			continue;
		begin = from < begin ? from : begin;
		end = from + part->p_memsz > end ? from + part->p_memsz : end;
	}
	if (library.begin < begin || library.begin >= end)
		return 0;
	library.begin = begin;
	library.end = end;
	return 1;
}

static size_t exported(const char *name)
{
	const uint64_t *value = dlsym(RTLD_DEFAULT, name);
	return value ? (size_t)*value : 0;
}

/*
 * A static field of the JVM, from the description that its library has for debuggers; 0 if there is
 * none.
 */
static uintptr_t field(const char *type, const char *name)
{
	const char *const *table = dlsym(RTLD_DEFAULT, "gHotSpotVMStructs");
	size_t stride = exported("gHotSpotVMStructEntryArrayStride");
	size_t type_at = exported("gHotSpotVMStructEntryTypeNameOffset");
	size_t name_at = exported("gHotSpotVMStructEntryFieldNameOffset");
	size_t address_at = exported("gHotSpotVMStructEntryAddressOffset");
	if (!table || !stride)
		return 0;
	for (const char *each = *table;; each += stride) {
		const char *of = *(const char *const *)(each + type_at);
		const char *called = *(const char *const *)(each + name_at);
		if (!of || !called)
			return 0;
		if (!strcmp(of, type) && !strcmp(called, name))
			return **(const uintptr_t *const *)(each + address_at);
	}
}

void verbena_jvm_code_find(void *within)
{
	library.begin = (uintptr_t)within;
	dl_iterate_phdr(is_library, NULL);
	compiled.begin = field("CodeCache", "_low_bound");
	compiled.end = field("CodeCache", "_high_bound");
}

int verbena_jvm_code_has(const void *context)
{
	const ucontext_t *at = context;
#if defined(__x86_64__)
	uintptr_t pc = (uintptr_t)at->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	uintptr_t pc = (uintptr_t)at->uc_mcontext.pc;
#else
#error "where is the program counter?"
#endif
	/* If the JVM does not describe them, the JVM itself is asked. */
	if (!library.end || !compiled.end)
		return 1;
	return (pc >= library.begin && pc < library.end) ||
	       (pc >= compiled.begin && pc < compiled.end);
}
