/* For all files, the ones of the library with the device's files, too. */
#ifndef VERBENA_EXPORT_H
#define VERBENA_EXPORT_H

/* Everything else is hidden; the version script says which of these get which version. */
#define EXPORT __attribute__((visibility("default")))

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
