/* environment.c: the environment, which the JVM changes. */
#ifndef VERBENA_ENVIRONMENT_H
#define VERBENA_ENVIRONMENT_H

/* The value of a variable of ours when the library was loaded, or now. */
const char *verbena_setting(const char *name);
/* Called before and after the creation of the JVM. */
void verbena_environment_before_vm(void);
void verbena_environment_after_vm(void);

#endif
