/* signals.c: whose signals are whose. */
#ifndef VERBENA_SIGNALS_H
#define VERBENA_SIGNALS_H

#include <signal.h>

/* Around the creation of the JVM, and then once. */
void verbena_signals_before_vm(void);
void verbena_signals_after_vm(void);
/* Instead, if it was created by half. */
void verbena_signals_without_vm(void);
/* 0 or errno. */
int verbena_signals_take(void);
/* Around what may start threads in Java. */
void verbena_signals_block(sigset_t *before);
void verbena_signals_restore(const sigset_t *before);

#endif
