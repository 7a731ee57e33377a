/* jvm_code.c: where the code of the JVM is. */
#ifndef VERBENA_MACHINE_CODE_H
#define VERBENA_MACHINE_CODE_H

/* Notes where it is, by a function of the JVM. */
void verbena_jvm_code_find(void *within);
/* Of a signal handler: whether its context is in the JVM's code, or may be. */
int verbena_jvm_code_has(const void *context);

#endif
