/*
 * The versions in which libibverbs exports its symbols for providers. Such a version has the number
 * of the release that last changed the private interface: 34 lasts up to 56, 57 up to 58, 59 up to
 * 63. Each has all names except those added later; a version script can name a symbol only once.
 */
#ifndef VERBENA_PRIVATE_H
#define VERBENA_PRIVATE_H

/*
 * For the assembler: another version of a function or variable of the file, with the same or
 * another name.
 */
#define EXPORTED_AS(name, exported, version)                                                       \
	__asm__(".symver " #name ", " #exported "IBVERBS_PRIVATE_" #version);

/*
 * Each provider is linked with one version; the default is for programs linked with this library.
 */
#define SINCE_65(name) EXPORTED_AS(name, name@@, 65)
#define SINCE_64(name) EXPORTED_AS(name, name@, 64) SINCE_65(name)
#define SINCE_59(name) EXPORTED_AS(name, name@, 59) SINCE_64(name)
#define SINCE_57(name) EXPORTED_AS(name, name@, 57) SINCE_59(name)
#define SINCE_34(name) EXPORTED_AS(name, name@, 34) SINCE_57(name)

/* A function that also has the version at the end of its name. */
#define NAMED_BY_VERSION(name)                                                                     \
	EXPORTED_AS(name, name##_34@, 34)                                                          \
	EXPORTED_AS(name, name##_57@, 57)                                                          \
	EXPORTED_AS(name, name##_59@, 59)                                                          \
	EXPORTED_AS(name, name##_64@, 64)                                                          \
	EXPORTED_AS(name, name##_65@@, 65)

#endif
