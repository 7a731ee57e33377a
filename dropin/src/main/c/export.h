/* For all files, including those of the library with the device's files. */
#ifndef VERBENA_EXPORT_H
#define VERBENA_EXPORT_H

/* Everything else is hidden; the version script assigns versions to these symbols. */
#define EXPORT __attribute__((visibility("default")))

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
