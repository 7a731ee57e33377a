/*
 * Signals belong to the program. The JVM is kept from those it can do without, and given
 * the faults, which it uses for its own ends, in such a way that a program's own fault still calls
 * the program's handler, or ends the program as the kernel does.
 *
 * C, because handlers run at moments at which Java cannot. on_fault calls only what is safe then.
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

/* What the names of the device's own threads begin with: Engine.threadName in Java. */
#define DEVICE_THREAD "verbena "

typedef int set_action(int, const struct sigaction *, struct sigaction *);

/* The JVM would only ignore them. */
static const int unneeded[] = {SIGPIPE, SIGXFSZ};
static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static struct sigaction before_unneeded[COUNT(unneeded)], before_faults[COUNT(faults)];
static const struct sigaction standard = {.sa_handler = SIG_DFL};

/* The C library's: libjsig, which is loaded first, only notes what a program sets for faults. */
static set_action *real_sigaction;
/* Libjsig's, and without that the C library's. */
static set_action *noting_sigaction;
/* What libjsig has noted; NULL without libjsig, and for what the JVM does not handle. */
static struct sigaction *(*noted)(int);
/* Whether the shim has created the JVM; if not, the program is one in Java. */
static int is_ours;
/* Whether the user wants to know why a call failed. */
static int is_verbose;
/* The JVM's opinion of a signal, or the program's handler's: whether it is handled. */
static int (*judge)(int, siginfo_t *, void *, int abort_if_unrecognized);

static void ignore(int number)
{
	(void)number;
}

/*
 * Each is looked up where it is: what the linker would find, and what follows this library, depends on
 * who has loaded it, and how. Behind a library of the program nothing follows; in a plugin that sees
 * its own libraries first, the C library's stands before libjsig's.
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
 * The option AllowUserSignalHandlers has the JVM leave alone what has a handler: so what it can
 * do without gets one, and the faults get none, meanwhile.
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
	/* By libjsig, which has the JVM call it for what is not its own. */
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

/* A fault that is repeated cannot be ignored. */
static int ignores(int number)
{
	struct sigaction *action = noted ? noted(number) : NULL;
	return action && action->sa_handler == SIG_IGN;
}

/* What the program has set, of which libjsig would have known. */
static const struct sigaction *programs_action(int number)
{
	const struct sigaction *action = noted ? noted(number) : NULL;
	for (size_t i = 0; !noted && i < COUNT(faults); i++)
		if (faults[i] == number)
			action = &before_faults[i];
	return action ? action : &standard;
}

/* As if there were no JVM, and nobody to handle the signal. */
static void take_its_course(int number, siginfo_t *info)
{
	real_sigaction(number, noted ? &standard : programs_action(number), NULL);
	/* A fault is repeated on return; what somebody has sent is not. */
	if (info->si_code <= 0)
		raise(number);
}

/* As the kernel would have done it, had the signal come to the program. */
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
 * Whether the JVM need not be asked, which says something of its own when a stack overflows, and
 * lets the program go on in the pages that it has protected at the end of the stack. Outside calls a
 * program's thread is in Java only when it ends and is detached, or if the program itself uses Java;
 * and then, as on the JVM's own threads, what the JVM handles are faults of its own code.
 */
static int is_programs_own(int number, const siginfo_t *info, const void *context)
{
	return is_ours && number == SIGSEGV && info->si_code > 0 &&
	       !verbena_jvm_code_has(context);
}

/*
 * The JVM handles what is its own, and calls a handler of the program for the rest. What nobody
 * handles is a fault of the program, in Java, too: there it is of a pointer that the program gave to
 * a verb. The JVM takes that for a mistake of its own, and ends with a report of it and SIGABRT:
 * only if the user asked for details.
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
	 * Registered memory that is there, but not for the device: its rights were changed, or something
	 * else lies there now. As the end of a mapped file that was cut short it fails the copy, not the
	 * process, and the peer is told.
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
			/* The JVM knows no other place for the head of its report. */
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
		/* With the JVM's mask, and on the stack that a program has given for signals. */
		struct sigaction action;
		real_sigaction(faults[i], NULL, &action);
		action.sa_sigaction = on_fault;
		action.sa_flags |= SA_SIGINFO | SA_ONSTACK;
		real_sigaction(faults[i], &action, NULL);
	}
	return 0;
}

/*
 * Threads inherit what is blocked where they are made. Those of the JVM and the device must not
 * be who gets a signal that the program's threads have blocked, to wait for it in another way.
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
