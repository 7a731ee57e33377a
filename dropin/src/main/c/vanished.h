/* vanished.c: registered memory that the program unmaps. Its owner is an open device. */
#ifndef VERBENA_VANISHED_H
#define VERBENA_VANISHED_H

#include <stdint.h>

/* 0 or errno. */
int verbena_vanished_init(void);
int verbena_range_add(const void *owner, uintptr_t begin, uintptr_t end);
void verbena_range_remove(const void *owner, uintptr_t begin, uintptr_t end);
/* Removes the registrations that the program left when it closed the device. */
void verbena_range_remove_all(const void *owner);
/* For a signal handler: whether an address is registered. */
int verbena_range_has(uintptr_t address);
/*
 * For a signal handler: maps zeros where memory is gone; returns whether the access can be
 * repeated.
 */
int verbena_range_fill(uintptr_t address);

#endif
