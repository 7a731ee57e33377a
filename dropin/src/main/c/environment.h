/* environment.c: the environment, which the JVM changes. */
#ifndef VERBENA_ENVIRONMENT_H
#define VERBENA_ENVIRONMENT_H

/* What a variable of ours was when the library was loaded, or is now. */
const char *verbena_setting(const char *name);
/* Around the creation of the JVM. */
void verbena_environment_before_vm(void);
void verbena_environment_after_vm(void);

#endif
