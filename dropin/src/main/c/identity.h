/* The identity of the device; for this library and for the one with the device's files. */
#ifndef VERBENA_IDENTITY_H
#define VERBENA_IDENTITY_H

#include <stdint.h>

/* Equals IBV_SYSFS_NAME_MAX. */
#define VERBENA_NAME 64
#define VERBENA_ADDRESS 64

struct verbena_identity {
	char name[VERBENA_NAME];
	/* As text. */
	char address[VERBENA_ADDRESS];
	/* In host order. */
	uint64_t guid;
};

/*
 * The device that a specification names, such as "soft0", "soft:ADDRESS" or its name; NULL means
 * soft0. If the specification leaves the address open, it is the one that opening the device would
 * take now. A device that cannot be opened has no address, or an invalid one, and the GUID 0.
 *
 * Finding a free address takes a socket that is bound to it briefly, and at that moment another
 * process cannot get it. So callers that need only the name ask only for that.
 */
void verbena_identify(const char *spec, struct verbena_identity *to);
void verbena_name(const char *spec, char name[VERBENA_NAME]);

/*
 * The identity, by its GUID, of a device on the loopback that has taken an address other than
 * expected.
 */
void verbena_identity_moved(uint64_t guid, struct verbena_identity *to);

/*
 * The data that libibverbs.so.1 gives the library with the files, if both are in a process. Neither
 * needs the other: libibverbs.so.1 looks up this function by its name.
 */
#define VERBENA_FILES_ATTACH "verbena_files_attach"
struct verbena_source {
	/* The identity in the program's list of devices, or of its open device. */
	void (*identity)(struct verbena_identity *to);
	/* The open device's counter with this name, such as "packets_sent"; 0 if none is open. */
	uint64_t (*count)(const char *name);
};
typedef void verbena_attach(const struct verbena_source *source);

#endif
