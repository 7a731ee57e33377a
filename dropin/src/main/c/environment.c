/*
 * The environment belongs to the program: it may be emptied before the first device is opened, and
 * may have options for Java programs, although this is not one. So Verbena's variables are recorded
 * when the library is loaded. While the JVM starts it sees these, and not the options; then
 * everything is restored.
 *
 * C, because the JVM reads the environment itself.
 */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "environment.h"
#include "export.h"

#define NOTED 32

/* The signal with which Java suspends threads; SIGUSR2, its default, belongs to the program. */
#define SUSPENDS "_JAVA_SR_SIGNUM"
#define OURS "VERBENA_"

/* NAME=VALUE. */
static char *noted[NOTED];
/* The recorded variables that the program has removed. */
static int lent[NOTED];

/* Variables with the JVM's options for any Java program; no option makes the JVM ignore them. */
static const struct {
	const char *name;
	char *instead;
} hidden[] = {
	{"JAVA_TOOL_OPTIONS", "VERBENA_HIDES_1="},
	{"_JAVA_OPTIONS", "VERBENA_HIDES_2="},
};
static char *hidden_text[COUNT(hidden)];

static int is_named(const char *text, const char *name)
{
	size_t length = strlen(name);
	return !strncmp(text, name, length) && text[length] == '=';
}

static int is_noteworthy(const char *text)
{
	return !strncmp(text, OURS, sizeof(OURS) - 1) || is_named(text, SUSPENDS);
}

__attribute__((constructor)) static void note(void)
{
	size_t count = 0;
	for (char **each = environ; each && *each && count < NOTED; each++)
		if (is_noteworthy(*each) && (noted[count] = strdup(*each)))
			count++;
}

const char *verbena_setting(const char *name)
{
	const char *present = getenv(name);
	for (size_t i = 0; !present && i < NOTED && noted[i]; i++)
		if (is_named(noted[i], name))
			present = noted[i] + strlen(name) + 1;
	return present;
}

/*
 * Stores a single pointer, because other threads may read the environment meanwhile, and start
 * programs: the list keeps its address and its length, and all its strings stay complete.
 */
static char *replace(const char *name, char *by)
{
	for (char **each = environ; each && *each; each++) {
		char *text = *each;
		if (is_named(text, name)) {
			atomic_store((_Atomic(char *) *)each, by);
			return text;
		}
	}
	return NULL;
}

static void put_back(char *text, const char *instead)
{
	for (char **each = environ; each && *each; each++) {
		if (*each == instead) {
			atomic_store((_Atomic(char *) *)each, text);
			return;
		}
	}
}

static void lend(size_t i)
{
	char *name = strndup(noted[i], strcspn(noted[i], "="));
	lent[i] = name && !getenv(name) && !setenv(name, noted[i] + strlen(name) + 1, 0);
	free(name);
}

static void take_back(size_t i)
{
	char *name = strndup(noted[i], strcspn(noted[i], "="));
	if (name && lent[i])
		unsetenv(name);
	free(name);
}

void verbena_environment_before_vm(void)
{
	for (size_t i = 0; i < NOTED && noted[i]; i++)
		lend(i);
	for (size_t i = 0; i < COUNT(hidden); i++)
		hidden_text[i] = replace(hidden[i].name, hidden[i].instead);
}

void verbena_environment_after_vm(void)
{
	for (size_t i = 0; i < COUNT(hidden); i++)
		if (hidden_text[i])
			put_back(hidden_text[i], hidden[i].instead);
	for (size_t i = 0; i < NOTED && noted[i]; i++)
		take_back(i);
}
