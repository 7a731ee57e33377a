/* machine_code.c: where the code of the virtual machine is. */
#ifndef VERBENA_MACHINE_CODE_H
#define VERBENA_MACHINE_CODE_H

/* Notes where it is, by a function of the JVM. */
void verbena_machine_code_find(void *machine);
/* Of a signal handler: whether its context is in the JVM's code, or may be. */
int verbena_machine_code_has(const void *context);

#endif
