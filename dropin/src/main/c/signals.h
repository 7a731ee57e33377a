/* signals.c: shares the signals between the program and the JVM. */
#ifndef VERBENA_SIGNALS_H
#define VERBENA_SIGNALS_H

#include <signal.h>

/* Called before and after the creation of the JVM, once. */
void verbena_signals_before_vm(void);
void verbena_signals_after_vm(void);
/* Called instead if its creation failed half-way. */
void verbena_signals_without_vm(void);
/* 0 or errno. */
int verbena_signals_take(void);
/* Called around code that may start threads in Java. */
void verbena_signals_block(sigset_t *before);
void verbena_signals_restore(const sigset_t *before);

#endif
