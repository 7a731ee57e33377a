/* Derives the name, the address and the GUID of a device from its specification, without Java. */
#define _GNU_SOURCE
#include "identity.h"

#include <arpa/inet.h>
#include <endian.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ROCE_PORT 4791
#define LAST_LOOPBACK 31
#define PREFIX "soft_"

/* As on the Java side, dev.verbena.soft.device.open.Identity: locally administered EUI-64. */
#define LOCAL_EUI64 0x0200000000000000ull
#define GROUP_AND_LOCAL 0x0300000000000000ull
#define FILLER 0x000000fffe000000ull
#define FOLD 0x9e3779b97f4a7c15ull

static uint64_t load64(const uint8_t *bytes)
{
	uint64_t value;
	memcpy(&value, bytes, sizeof(value));
	return be64toh(value);
}

static uint64_t guid_of(const char *address)
{
	struct in_addr v4;
	struct in6_addr v6;
	if (inet_pton(AF_INET, address, &v4) == 1) {
		uint64_t host = ntohl(v4.s_addr);
		return LOCAL_EUI64 | FILLER | (host >> 24) << 40 | (host & 0xffffff);
	}
	if (inet_pton(AF_INET6, address, &v6) != 1)
		return 0;
	uint64_t folded = (load64(v6.s6_addr) * FOLD) ^ load64(v6.s6_addr + 8);
	return (folded & ~GROUP_AND_LOCAL) | LOCAL_EUI64;
}

static int is_free(const char *address)
{
	struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(ROCE_PORT)};
	if (inet_pton(AF_INET, address, &v4.sin_addr) != 1)
		return 0;
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int bound = fd >= 0 && bind(fd, (struct sockaddr *)&v4, sizeof(v4)) == 0;
	if (fd >= 0)
		close(fd);
	return bound;
}

/* The loopback address that soft0 would take. */
static void first_free(char *address, size_t size)
{
	for (int host = 1; host <= LAST_LOOPBACK; host++) {
		snprintf(address, size, "127.0.0.%d", host);
		if (is_free(address))
			return;
	}
	snprintf(address, size, "::1");
}

static void replace(char *text, const char *any, char by)
{
	for (char *each = strpbrk(text, any); each; each = strpbrk(each, any))
		*each = by;
}

/*
 * The address of the device with this name, such as soft_10_77_0_1 or soft_fd00__1; returns whether
 * there is one.
 */
static int address_of_name(const char *name, char *address, size_t size)
{
	if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
		return 0;
	snprintf(address, size, "%s", name + strlen(PREFIX));
	replace(address, "_", '.');
	if (guid_of(address))
		return 1;
	replace(address, ".", ':');
	return guid_of(address) != 0;
}

/*
 * Reads the name, and the address if the specification has one. Returns whether it leaves the
 * address open, as soft0 does.
 */
static int read_spec(const char *spec, struct verbena_identity *to)
{
	char text[VERBENA_NAME - 8];
	if (!spec || !*spec)
		spec = "soft0";
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(spec, "?"), spec);
	char *address = strchr(text, ':');
	if (!address) {
		snprintf(to->name, sizeof(to->name), "%s", text);
		if (!address_of_name(text, to->address, sizeof(to->address)))
			to->address[0] = '\0';
		return !strcmp(text, "soft0");
	}
	address++;
	struct in6_addr v6;
	if (inet_pton(AF_INET6, address, &v6) == 1)
		inet_ntop(AF_INET6, &v6, address, sizeof(text) - (size_t)(address - text));
	snprintf(to->address, sizeof(to->address), "%s", address);
	snprintf(to->name, sizeof(to->name), PREFIX "%s", address);
	replace(to->name, ".:", '_');
	return 0;
}

void verbena_name(const char *spec, char name[VERBENA_NAME])
{
	struct verbena_identity found;
	read_spec(spec, &found);
	strcpy(name, found.name);
}

void verbena_identify(const char *spec, struct verbena_identity *to)
{
	if (read_spec(spec, to))
		first_free(to->address, sizeof(to->address));
	to->guid = guid_of(to->address);
}

void verbena_identity_moved(uint64_t guid, struct verbena_identity *to)
{
	for (int host = 1; host <= LAST_LOOPBACK; host++) {
		snprintf(to->address, sizeof(to->address), "127.0.0.%d", host);
		if (guid_of(to->address) == guid) {
			to->guid = guid;
			return;
		}
	}
	snprintf(to->address, sizeof(to->address), "::1");
	to->guid = guid;
}
