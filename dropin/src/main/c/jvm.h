/* jvm.c: the JVM. */
#ifndef VERBENA_JVM_H
#define VERBENA_JVM_H

/* Starts it and makes it fill the table of calls, once. Returns 0 or errno. */
int verbena_start(void);

#endif
