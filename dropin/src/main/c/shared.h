/* shared.c: open devices. */
#ifndef VERBENA_SHARED_H
#define VERBENA_SHARED_H

#include <stdint.h>

#include "objects.h"

/* These return 0 or errno. */
int verbena_open(struct verbena_context *context, const char *spec, uint64_t *guid);
int verbena_import(struct verbena_context *context, int cmd_fd);
int verbena_close(struct verbena_context *context);
/* The handle of an open device, or -1. If it is closed meanwhile, Java refuses it. */
long verbena_any_handle(void);

#endif
