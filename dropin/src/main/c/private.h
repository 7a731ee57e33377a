/*
 * The versions in which libibverbs exports what is for providers only. Such a version has the number of the
 * release that last changed the private interface: 34 goes up to 56, 57 up to 58, 59 up to 63. All but the
 * names that came later are in every one of them; a version script can name a symbol once only.
 */
#ifndef VERBENA_PRIVATE_H
#define VERBENA_PRIVATE_H

/* For the assembler: a version more of a function or variable of the file, by this or another name. */
#define EXPORTED_AS(name, exported, version)                                                       \
	__asm__(".symver " #name ", " #exported "IBVERBS_PRIVATE_" #version);

/* Providers are linked with one version each; the default is for who is linked with this library. */
#define SINCE_65(name) EXPORTED_AS(name, name@@, 65)
#define SINCE_64(name) EXPORTED_AS(name, name@, 64) SINCE_65(name)
#define SINCE_59(name) EXPORTED_AS(name, name@, 59) SINCE_64(name)
#define SINCE_57(name) EXPORTED_AS(name, name@, 57) SINCE_59(name)
#define SINCE_34(name) EXPORTED_AS(name, name@, 34) SINCE_57(name)

/* One function that has the version at the end of its name, too. */
#define NAMED_BY_VERSION(name)                                                                     \
	EXPORTED_AS(name, name##_34@, 34)                                                          \
	EXPORTED_AS(name, name##_57@, 57)                                                          \
	EXPORTED_AS(name, name##_59@, 59)                                                          \
	EXPORTED_AS(name, name##_64@, 64)                                                          \
	EXPORTED_AS(name, name##_65@@, 65)

#endif
