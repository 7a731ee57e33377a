/*
 * Signals belong to the program. The JVM does not get those it can do without. It does get the
 * faults, which it uses for its own purposes, but a program's own fault still calls the program's
 * handler, or ends the program as the kernel would.
 *
 * In C, because handlers run when Java cannot. on_fault calls only functions that are safe then.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <gnu/lib-names.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <ucontext.h>
#include <unistd.h>

#include "calls.h"
#include "environment.h"
#include "export.h"
#include "jvm_code.h"
#include "signals.h"
#include "vanished.h"

/* Prefix of the names of the device's own threads: Engine.threadName in Java. */
#define DEVICE_THREAD "verbena "

typedef int set_action(int, const struct sigaction *, struct sigaction *);

/* The JVM would only ignore them. */
static const int unneeded[] = {SIGPIPE, SIGXFSZ};
static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static struct sigaction before_unneeded[COUNT(unneeded)], before_faults[COUNT(faults)];
static const struct sigaction standard = {.sa_handler = SIG_DFL};

/*
 * The C library's function: libjsig, which is loaded first, only records a program's handlers for
 * faults.
 */
static set_action *real_sigaction;
/* libjsig's function, or without libjsig the C library's. */
static set_action *noting_sigaction;
/*
 * The action that libjsig has recorded; NULL without libjsig, and for signals that the JVM does not
 * handle.
 */
static struct sigaction *(*noted)(int);
/* Whether the shim has created the JVM; if not, this is a Java program. */
static int is_ours;
/* Whether the user wants to know why a call failed. */
static int is_verbose;
/* Offers a signal to the JVM, and to the program's handler; returns whether it was handled. */
static int (*judge)(int, siginfo_t *, void *, int abort_if_unrecognized);

static void ignore(int number)
{
	(void)number;
}

/*
 * Looks up each function in its own library: what the linker would find, and what comes after this
 * library, depends on how it was loaded. After a library loaded by the program there is nothing; in
 * a plugin that sees its own libraries first, the C library precedes libjsig.
 */
static void find_functions(void)
{
	void *libc = dlopen(LIBC_SO, RTLD_LAZY | RTLD_NOLOAD);
	real_sigaction = libc ? (set_action *)dlsym(libc, "sigaction") : NULL;
	noted = (struct sigaction * (*)(int)) dlsym(RTLD_DEFAULT, "JVM_get_signal_action");
	Dl_info jsig;
	void *notes = noted && dladdr((void *)noted, &jsig)
			      ? dlopen(jsig.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
			      : NULL;
	noting_sigaction = notes ? (set_action *)dlsym(notes, "sigaction") : real_sigaction;
}

/*
 * With the option AllowUserSignalHandlers the JVM leaves signals alone that have a handler. So
 * meanwhile the signals that it can do without get one, and the faults get none.
 */
void verbena_signals_before_vm(void)
{
	const struct sigaction occupied = {.sa_handler = ignore};
	find_functions();
	for (size_t i = 0; i < COUNT(unneeded); i++)
		real_sigaction(unneeded[i], &occupied, &before_unneeded[i]);
	for (size_t i = 0; i < COUNT(faults); i++)
		real_sigaction(faults[i], &standard, &before_faults[i]);
}

void verbena_signals_after_vm(void)
{
	is_ours = 1;
	for (size_t i = 0; i < COUNT(unneeded); i++)
		real_sigaction(unneeded[i], &before_unneeded[i], NULL);
	/* Through libjsig, which makes the JVM call it for faults that are not its own. */
	for (size_t i = 0; noted && i < COUNT(faults); i++)
		noting_sigaction(faults[i], &before_faults[i], NULL);
}

void verbena_signals_without_vm(void)
{
	for (size_t i = 0; i < COUNT(unneeded); i++)
		real_sigaction(unneeded[i], &before_unneeded[i], NULL);
	for (size_t i = 0; i < COUNT(faults); i++)
		real_sigaction(faults[i], &before_faults[i], NULL);
}

static int is_device_thread(void)
{
	char name[16] = "";
	prctl(PR_GET_NAME, name);
	return !strncmp(name, DEVICE_THREAD, sizeof(DEVICE_THREAD) - 1);
}

/* A repeated fault cannot be ignored. */
static int ignores(int number)
{
	struct sigaction *action = noted ? noted(number) : NULL;
	return action && action->sa_handler == SIG_IGN;
}

/* The program's action, which libjsig would have recorded. */
static const struct sigaction *programs_action(int number)
{
	const struct sigaction *action = noted ? noted(number) : NULL;
	for (size_t i = 0; !noted && i < COUNT(faults); i++)
		if (faults[i] == number)
			action = &before_faults[i];
	return action ? action : &standard;
}

/* Proceeds as if there were no JVM and no handler for the signal. */
static void take_its_course(int number, siginfo_t *info)
{
	real_sigaction(number, noted ? &standard : programs_action(number), NULL);
	/* A fault is repeated on return; a signal that was sent is not. */
	if (info->si_code <= 0)
		raise(number);
}

/* Calls the handler as the kernel would have done. */
static void call_program(int number, siginfo_t *info, ucontext_t *context)
{
	const struct sigaction action = *programs_action(number);
	if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) {
		take_its_course(number, info);
		return;
	}
	sigset_t mask;
	sigemptyset(&mask);
	/* The kernel's mask is shorter than the type. */
	memcpy(&mask, &context->uc_sigmask, _NSIG / 8);
	sigorset(&mask, &mask, &action.sa_mask);
	if (!(action.sa_flags & SA_NODEFER))
		sigaddset(&mask, number);
	if (action.sa_flags & SA_RESETHAND)
		noting_sigaction(number, &standard, NULL);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	if (action.sa_flags & SA_SIGINFO)
		action.sa_sigaction(number, info, context);
	else
		action.sa_handler(number);
}

/*
 * Whether the fault belongs to the program, so that the JVM need not be asked: on a stack overflow
 * the JVM prints a message and lets the program continue in the pages that it has protected at the
 * end of the stack. Outside calls, a program's thread is in Java only when it ends and is detached,
 * or if the program itself uses Java; then, as on the JVM's own threads, the JVM handles only
 * faults in its own code.
 */
static int is_programs_own(int number, const siginfo_t *info, const void *context)
{
	return is_ours && number == SIGSEGV && info->si_code > 0 &&
	       !verbena_jvm_code_has(context);
}

/*
 * The JVM handles its own faults, and calls the program's handler for the rest. A fault that
 * neither handles is the program's, even in Java, where it comes from a pointer that the program
 * passed to a verb. The JVM would take that for an error of its own and end with a report and
 * SIGABRT; so it is asked only if the user wants details.
 */
static void on_fault(int number, siginfo_t *info, void *context)
{
	int saved = errno;
	int in_device = verbena_inside > 0 || is_device_thread();
	int vanished = in_device && number == SIGSEGV && info->si_code == SEGV_MAPERR;
	if (vanished && verbena_range_fill((uintptr_t)info->si_addr)) {
		errno = saved;
		return;
	}
	/*
	 * Registered memory that exists but is not accessible to the device: its rights were
	 * changed, or something else is mapped there now. As with a truncated mapped file, the copy
	 * fails and not the process, and the peer gets an error.
	 */
	if (in_device && number == SIGSEGV && verbena_range_has((uintptr_t)info->si_addr) &&
	    judge(SIGBUS, info, context, 0)) {
		errno = saved;
		return;
	}
	if (!in_device && is_programs_own(number, info, context)) {
		call_program(number, info, context);
		errno = saved;
		return;
	}
	int forced = !in_device && info->si_code > 0 && ignores(number);
	if (forced || !judge(number, info, context, !is_ours)) {
		if (in_device && is_verbose) {
			/* The JVM can print the head of its report only here. */
			dup2(STDERR_FILENO, STDOUT_FILENO);
			judge(number, info, context, 1);
		}
		take_its_course(number, info);
	}
	errno = saved;
}

int verbena_signals_take(void)
{
	find_functions();
	judge = (int (*)(int, siginfo_t *, void *, int))dlsym(RTLD_DEFAULT,
								"JVM_handle_linux_signal");
	if (!judge || !real_sigaction)
		return ENOSYS;
	verbena_jvm_code_find((void *)judge);
	const char *verbose = verbena_setting("VERBENA_VERBOSE");
	is_verbose = verbose && !strcmp(verbose, "1");
	for (size_t i = 0; i < COUNT(faults); i++) {
		/* With the JVM's mask, and on the program's alternate signal stack. */
		struct sigaction action;
		real_sigaction(faults[i], NULL, &action);
		action.sa_sigaction = on_fault;
		action.sa_flags |= SA_SIGINFO | SA_ONSTACK;
		real_sigaction(faults[i], &action, NULL);
	}
	return 0;
}

/*
 * Threads inherit the mask of their creator. Threads of the JVM and the device must not receive a
 * signal that the program's threads have blocked in order to wait for it in another way.
 */
void verbena_signals_block(sigset_t *before)
{
	sigset_t all;
	sigfillset(&all);
	for (size_t i = 0; i < COUNT(faults); i++)
		sigdelset(&all, faults[i]);
	pthread_sigmask(SIG_BLOCK, &all, before);
}

void verbena_signals_restore(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}
