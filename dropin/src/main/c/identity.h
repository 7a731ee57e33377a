/* Which device there is; for the library, and for the one with the device's files. */
#ifndef VERBENA_IDENTITY_H
#define VERBENA_IDENTITY_H

#include <stdint.h>

/* As IBV_SYSFS_NAME_MAX. */
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
 * The device that a specification names, as "soft0", "soft:ADDRESS" or its name; NULL is soft0. Where
 * that leaves the address open, it is the one that opening the device would take now. What cannot be
 * opened has no address, or none that is one, and the GUID 0.
 *
 * To learn which address is free takes a socket that is bound to it for a moment, and in that moment
 * another process does not get it. So whoever needs the name only asks for that.
 */
void verbena_identify(const char *spec, struct verbena_identity *to);
void verbena_name(const char *spec, char name[VERBENA_NAME]);

/* The same for a device on the loopback that has taken another address than it said, by its GUID. */
void verbena_identity_moved(uint64_t guid, struct verbena_identity *to);

/*
 * What libibverbs.so.1 tells the library with the files, where both are in a process. Neither needs the
 * other: libibverbs.so.1 looks for this function by its name.
 */
#define VERBENA_FILES_ATTACH "verbena_files_attach"
struct verbena_source {
	/* As the program's list of devices has it, or its open device. */
	void (*identity)(struct verbena_identity *to);
	/* What the open device has counted by this name, as "packets_sent"; 0 if none is open. */
	uint64_t (*count)(const char *name);
};
typedef void verbena_attach(const struct verbena_source *source);

#endif
