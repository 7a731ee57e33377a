/* jvm_code.c: the location of the JVM's code. */
#ifndef VERBENA_MACHINE_CODE_H
#define VERBENA_MACHINE_CODE_H

/* Finds it, given a function of the JVM. */
void verbena_jvm_code_find(void *within);
/* For a signal handler: whether its context is, or may be, in the JVM's code. */
int verbena_jvm_code_has(const void *context);

#endif
