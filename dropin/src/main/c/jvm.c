/* The JVM inside the process: its start, what it must not change, and fork. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <jni.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "calls.h"
#include "environment.h"
#include "export.h"
#include "jvm.h"
#include "loader.h"
#include "results.h"
#include "signals.h"
#include "stacks.h"
#include "vanished.h"

/* More than the shim passes. */
#define OWN_OPTIONS 32

/* The JNI version of Java 24; Java 25 has no newer one. */
#define OLDEST_JNI 0x00180000

/* In KiB. A thread's stack is only reserved, so the maximum may be generous. */
#define DEFAULT_STACK 8192
#define MAX_STACK 65536

/*
 * Descriptors that the JVM and a device use, including some that are open only briefly at the
 * start.
 */
#define DESCRIPTORS 24
#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

static const char *const names[] = {
#define X(name) #name,
	VERBENA_CALLS(X)
#undef X
};

#define CALLS COUNT(names)

_Static_assert(sizeof(struct verbena_calls) == CALLS * sizeof(verbena_call *), "one each");

static struct verbena_calls calls;

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t watched = PTHREAD_ONCE_INIT;
/* begun is already set while starting is held: a child forked at that moment cannot have a JVM. */
static int begun, started;
/* The start of the JVM failed half-way, and cannot be repeated in this process. */
static atomic_int broken;

/* The results of the thread that starts the JVM. */
static struct {
	sem_t answered;
	int error;
	int is_java_program;
	jint (*create_vm)(JavaVM **, void **, void *);
	JavaVM *vm;
} opening;

static void after_fork(void)
{
	if (begun)
		verbena_calls_fork();
}

static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, after_fork);
}

/* A JVM that existed before the first open accepts no more calls once it calls exit. */
static int reports;

/*
 * A destructor, because programs use verbs in exit handlers, in destructors of C++ objects, and in
 * their own destructors: a library's destructors run after all of these. The JVM is still running
 * then.
 */
__attribute__((destructor)) static void report(void)
{
	if (reports && verbena_is_running())
		CALL(report, 0);
}

static int complain(const char *what, const char *detail)
{
	fprintf(stderr, "verbena: %s%s%s\n", what, detail ? ": " : "", detail ? detail : "");
	return ENOSYS;
}

/* The program's deepest recursion must fit above the JVM's guard pages. */
static long stack_kib(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return MAX_STACK;
	long kib = (long)(limit.rlim_cur / 1024);
	return kib < DEFAULT_STACK ? DEFAULT_STACK : kib > MAX_STACK ? MAX_STACK : kib;
}

static const char *user_options(void)
{
	const char *given = verbena_setting("VERBENA_JVM_OPTIONS");
	return given ? given : "";
}

static int did_not_start(void)
{
	const char *user = user_options();
	return *user ? complain("the JVM did not start; VERBENA_JVM_OPTIONS is", user)
		     : complain("the JVM did not start", NULL);
}

/*
 * When the JVM cannot start, it calls this and then ends the process. To let the program know
 * instead, this function does not return: one thread of our own, or of the JVM, waits for the end
 * of the process.
 */
static void ends_at_start(void)
{
	if (started)
		return;
	broken = 1;
	opening.error = did_not_start();
	sem_post(&opening.answered);
	for (;;)
		pause();
}

static void option(JavaVMInitArgs *args, char *text)
{
	args->options[args->nOptions++].optionString = text;
}

static void hook(JavaVMInitArgs *args, char *text, void (*function)(void))
{
	args->options[args->nOptions].extraInfo = (void *)function;
	option(args, text);
}

static void add_own_options(JavaVMInitArgs *args)
{
	hook(args, "abort", ends_at_start);
	/* Signals, limits and standard output belong to the program. */
	option(args, "-Xrs");
	option(args, "-XX:+AllowUserSignalHandlers");
	option(args, "-XX:-MaxFDLimit");
	option(args, "-Xlog:disable");
	option(args, "-Xlog:all=error:stderr");
	option(args, "-XX:-UsePerfData");
	/* Crash reports must not go to files in the current folder. */
	option(args, "-XX:+DisplayVMOutputToStderr");
	option(args, "-XX:+ErrorFileToStderr");
	/* No thread, descriptor and file in /tmp for jcmd. */
	option(args, "-XX:+DisableAttachMechanism");
	/* Keep it small: the process belongs to the program. */
	option(args, "-XX:+UseSerialGC");
	/* Threads that store references close to each other do not write to the same line for it. */
	option(args, "-XX:+UseCondCardMark");
	option(args, "-XX:CompressedClassSpaceSize=32m");
	option(args, "-XX:ReservedCodeCacheSize=48m");
	/*
	 * The heap starts as small as possible, instead of with a 64th of the computer's memory,
	 * all of which would be filled before any of it is reused. It grows when a program needs
	 * more; the data path needs none. A percentage, because -Xms would conflict with a smaller
	 * -Xmx of the user's.
	 */
	option(args, "-XX:InitialRAMPercentage=0");
	option(args, "--enable-native-access=ALL-UNNAMED");
}

static int create(JNIEnv **env)
{
	const char *class_path = verbena_setting("VERBENA_CLASSPATH");
	if (!class_path)
		return complain("VERBENA_CLASSPATH is not set; start the program by verbena run", NULL);
	const char *aot = verbena_setting("VERBENA_AOT_CACHE");
	char *path = NULL, *stack = NULL, *cache = NULL, *user = strdup(user_options());
	/* Each of the user's options has at least a character and, except the last, a space. */
	JavaVMOption *options =
		user ? calloc(OWN_OPTIONS + (strlen(user) + 1) / 2, sizeof(*options)) : NULL;
	JavaVMInitArgs args = {.version = JNI_VERSION_21, .options = options};
	if (!options || asprintf(&path, "-Djava.class.path=%s", class_path) < 0 ||
	    asprintf(&stack, "-XX:ThreadStackSize=%ld", stack_kib()) < 0)
		return ENOMEM;
	option(&args, path);
	option(&args, stack);
	add_own_options(&args);
	if (aot && access(aot, R_OK) == 0 && asprintf(&cache, "-XX:AOTCache=%s", aot) > 0)
		option(&args, cache);
	char *rest = user;
	for (char *each = strsep(&rest, " "); each; each = strsep(&rest, " "))
		if (*each)
			option(&args, each);
	verbena_signals_before_vm();
	jint result = opening.create_vm(&opening.vm, (void **)env, &args);
	verbena_signals_after_vm();
	free(path);
	free(stack);
	free(cache);
	free(user);
	free(options);
	return result == JNI_OK ? 0 : did_not_start();
}

/* Makes Java fill the table. In a Java program, Java itself prints the final report. */
static int attach(JNIEnv *env, int is_java_program)
{
	if (is_java_program && (*env)->GetVersion(env) < OLDEST_JNI)
		return complain("the device needs a JDK 25, and this Java program runs on an older one",
				NULL);
	jclass class = verbena_entry(env, is_java_program);
	jmethodID method = (*env)->ExceptionCheck(env)
				   ? NULL
				   : (*env)->GetStaticMethodID(env, class, "attach", "(JJIZ)V");
	if (method)
		(*env)->CallStaticVoidMethod(env, class, method, (jlong)(intptr_t)names,
					     (jlong)(intptr_t)&calls, (jint)CALLS,
					     (jboolean)is_java_program);
	if ((*env)->ExceptionCheck(env)) {
		(*env)->ExceptionDescribe(env);
		(*env)->ExceptionClear(env);
		return complain("VERBENA_CLASSPATH does not name the jars of this libibverbs; start the "
				"program by verbena run",
				NULL);
	}
	return 0;
}

/* Whether this library has a JVM, which is then that of a Java program. */
static int has_jvm(void *jvm)
{
	jint (*present)(JavaVM **, jsize, jsize *) = dlsym(jvm, "JNI_GetCreatedJavaVMs");
	jsize count = 0;
	opening.is_java_program =
		present && present(&opening.vm, 1, &count) == JNI_OK && count > 0;
	return opening.is_java_program;
}

/* Loads the library of the JVM; in a Java program it may belong to another JDK. 0 or errno. */
static int load(void)
{
	if (has_jvm(RTLD_DEFAULT))
		return 0;
	const char *path = verbena_setting("VERBENA_LIBJVM");
	void *jvm = path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
	if (!jvm)
		return complain("VERBENA_LIBJVM names no JVM; start the program by "
				"verbena run",
				path ? dlerror() : NULL);
	opening.create_vm = dlsym(jvm, "JNI_CreateJavaVM");
	return has_jvm(jvm) || opening.create_vm ? 0
						     : complain("not a JVM", path);
}

static int enter(JNIEnv **env)
{
	if (!opening.is_java_program)
		return create(env);
	JavaVM *vm = opening.vm;
	return (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)env, NULL) == JNI_OK
		       ? 0
		       : complain("a thread could not be made one of Java", NULL);
}

/*
 * Java does not start in a deleted folder. This thread, and the JVM's threads that descend from it,
 * change to another one by themselves; the program stays. Returns whether they had to.
 */
static int leave_deleted_folder(void)
{
	char folder[PATH_MAX];
	return !getcwd(folder, sizeof(folder)) && errno == ENOENT && !unshare(CLONE_FS) && !chdir("/");
}

/*
 * Makes Java look up the current folder, which it does once, while this thread is in an existing
 * one.
 */
static void find_folder(JNIEnv *env)
{
	jclass class = (*env)->FindClass(env, "java/nio/file/FileSystems");
	jmethodID method = (*env)->GetStaticMethodID(env, class, "getDefault",
						     "()Ljava/nio/file/FileSystem;");
	(*env)->CallStaticObjectMethod(env, class, method);
}

/*
 * Runs in a thread of our own, with the stack that Java needs; the program's first thread, which
 * opens the device, may have less. It ends when its work is done: the JVM does not need the thread
 * that created it.
 */
static void *start(void *unused)
{
	JNIEnv *env;
	int elsewhere = leave_deleted_folder();
	int error = load();
	if (!error && !(error = enter(&env))) {
		if (elsewhere)
			find_folder(env);
		error = attach(env, opening.is_java_program);
		(*opening.vm)->DetachCurrentThread(opening.vm);
	}
	opening.error = error;
	sem_post(&opening.answered);
	return unused;
}

/* Whether Java will find the descriptors that it needs to start. */
static int has_descriptors(void)
{
	struct rlimit limit;
	int available = 0;
	if (getrlimit(RLIMIT_NOFILE, &limit))
		return 1;
	for (rlim_t fd = 0; fd < limit.rlim_cur && available < DESCRIPTORS; fd++)
		available += fcntl((int)fd, F_GETFD) < 0;
	return available == DESCRIPTORS;
}

/*
 * A thread attached by its first call would be detached when it calls exit; in the child of a fork
 * this would wait for ever for the JVM. So we attach the program's first thread permanently.
 */
static void attach_first_thread(void)
{
	JNIEnv *env;
	if (getpid() == gettid() && verbena_has_stack())
		(*opening.vm)->AttachCurrentThreadAsDaemon(opening.vm, (void **)&env, NULL);
}

static int start_elsewhere(void)
{
	if (broken)
		return did_not_start();
	if (!has_descriptors()) {
		complain("the JVM needs " TEXT(DESCRIPTORS) " free descriptors, and "
			 "this process may not have as many (ulimit -n)",
			 NULL);
		return EMFILE;
	}
	char *locale = strdup(setlocale(LC_ALL, NULL));
	verbena_environment_before_vm();
	sem_init(&opening.answered, 0, 0);
	int error = verbena_thread(start, NULL);
	if (!error) {
		while (sem_wait(&opening.answered))
			;
		error = opening.error;
	}
	if (broken)
		verbena_signals_without_vm();
	if (!error)
		attach_first_thread();
	verbena_environment_after_vm();
	if (locale)
		setlocale(LC_ALL, locale);
	free(locale);
	reports = !error && !opening.is_java_program;
	/* quick_exit does not call destructors. */
	if (reports)
		at_quick_exit(report);
	return error;
}

/* Watches the memory of regions, which the program may unmap or make inaccessible. */
static void watch_memory(void)
{
	int error = verbena_vanished_init();
	if (!error)
		error = verbena_signals_take();
	if (error)
		fprintf(stderr,
			"verbena: memory that is unmapped while it is registered will end the "
			"program: %s\n",
			strerror(error));
}

int verbena_start(void)
{
	if (verbena_calls_forked())
		return verbena_unreachable();
	pthread_once(&watched, watch_forks);
	pthread_mutex_lock(&starting);
	int error = 0;
	if (!started) {
		begun = 1;
		error = start_elsewhere();
		if (error) {
			begun = 0;
		} else {
			started = 1;
			verbena_calls_begin(&calls);
			watch_memory();
		}
	}
	pthread_mutex_unlock(&starting);
	if (error)
		errno = error;
	return error;
}
