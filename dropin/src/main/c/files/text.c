/* The contents of the files. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <pthread.h>

#include "files.h"

/* The kernel's names. */
#define ACTIVE "4: ACTIVE\n"
#define DOWN "1: DOWN\n"
#define LINK_UP "5: LinkUp\n"
#define DISABLED "3: Disabled\n"

/* As many as have a mask that fits into a text. */
#define MOST_CPUS 8192

/* "VB": dev.verbena.soft.device.life.Limits.VENDOR_PART_ID. */
#define PART 0x5642
#define PART_OPTION "vendor_part_id="

/* Set by libibverbs.so.1 if it is in this process. */
static _Atomic(const struct verbena_source *) source;

/* Used without libibverbs.so.1; recorded because the program may remove the variable later. */
static char *spec;
static char name[VERBENA_NAME];
static struct verbena_identity alone;
static pthread_once_t named = PTHREAD_ONCE_INIT, identified = PTHREAD_ONCE_INIT;

__attribute__((constructor)) static void note_spec(void)
{
	const char *given = getenv("VERBENA_DEVICE");
	if (!spec && given)
		spec = strdup(given);
}

EXPORT verbena_attach verbena_files_attach;
EXPORT void verbena_files_attach(const struct verbena_source *given)
{
	source = given;
}

static void find_name(void)
{
	note_spec(); /* May be called by another library's constructor. */
	verbena_name(spec, name);
}

/* It depends only on the specification, and does not change. */
const char *verbena_device_name(void)
{
	pthread_once(&named, find_name);
	return name;
}

static void identify(void)
{
	note_spec();
	verbena_identify(spec, &alone);
}

/*
 * Only for files that show an address or depend on it: finding a free one disturbs other processes.
 */
static struct verbena_identity identity(void)
{
	struct verbena_identity found;
	const struct verbena_source *told = source;
	if (told) {
		told->identity(&found);
		return found;
	}
	pthread_once(&identified, identify);
	return alone;
}

int verbena_text_of_name(const struct row *row, int index, char *to)
{
	(void)index;
	snprintf(to, TEXT, "%s%s\n", row->text, verbena_device_name());
	return 0;
}

int verbena_text_of_guid(const struct row *row, int index, char *to)
{
	(void)row, (void)index;
	uint64_t guid = identity().guid;
	snprintf(to, TEXT, "%04x:%04x:%04x:%04x\n", (unsigned int)(guid >> 48),
		 (unsigned int)(guid >> 32 & 0xffff), (unsigned int)(guid >> 16 & 0xffff),
		 (unsigned int)(guid & 0xffff));
	return 0;
}

/* An IPv4 address is mapped into IPv6. */
static struct in6_addr gid_of(const char *address)
{
	struct in6_addr gid = IN6ADDR_ANY_INIT;
	struct in_addr v4;
	if (inet_pton(AF_INET, address, &v4) == 1) {
		memset(gid.s6_addr + 10, 0xff, 2);
		memcpy(gid.s6_addr + 12, &v4, sizeof(v4));
	} else {
		inet_pton(AF_INET6, address, &gid);
	}
	return gid;
}

static struct in6_addr gid_of_interface(const struct sockaddr *address)
{
	struct in6_addr gid = IN6ADDR_ANY_INIT;
	if (address && address->sa_family == AF_INET6) {
		gid = ((const struct sockaddr_in6 *)address)->sin6_addr;
	} else if (address && address->sa_family == AF_INET) {
		memset(gid.s6_addr + 10, 0xff, 2);
		memcpy(gid.s6_addr + 12, &((const struct sockaddr_in *)address)->sin_addr, 4);
	}
	return gid;
}

/* The interface that has the device's address. */
struct interface {
	char name[IF_NAMESIZE];
	int is_up;
};

/* All of 127.0.0.0/8 is on the loopback interface, although only its first address is listed. */
static int has_address(const struct ifaddrs *each, const struct in6_addr *gid)
{
	struct in6_addr candidate = gid_of_interface(each->ifa_addr);
	if (!memcmp(&candidate, gid, sizeof(candidate)))
		return 1;
	return each->ifa_flags & IFF_LOOPBACK && IN6_IS_ADDR_V4MAPPED(gid) &&
	       gid->s6_addr[12] == IN_LOOPBACKNET;
}

/* Returns 0 or errno; without a name if none has the address. */
static int find_interface(struct interface *to)
{
	struct ifaddrs *list;
	struct in6_addr gid = gid_of(identity().address);
	*to = (struct interface){.is_up = 0};
	if (getifaddrs(&list))
		return errno;
	const struct ifaddrs *each = list;
	while (each && !has_address(each, &gid))
		each = each->ifa_next;
	if (each) {
		snprintf(to->name, sizeof(to->name), "%s", each->ifa_name);
		to->is_up = (each->ifa_flags & (IFF_UP | IFF_RUNNING)) == (IFF_UP | IFF_RUNNING);
	}
	freeifaddrs(list);
	return 0;
}

int verbena_text_of_gid(const struct row *row, int index, char *to)
{
	(void)row;
	struct interface interface = {.is_up = 0};
	struct in6_addr gid = IN6ADDR_ANY_INIT;
	int error = index ? 0 : find_interface(&interface);
	if (error)
		return error;
	if (interface.name[0])
		gid = gid_of(identity().address);
	for (int i = 0; i < 16; i += 2)
		to += sprintf(to, "%02x%02x%s", gid.s6_addr[i], gid.s6_addr[i + 1],
			      i < 14 ? ":" : "\n");
	return 0;
}

/*
 * The interface of an entry of the table. As in the kernel, an empty one cannot be read: 0 or
 * errno.
 */
static int interface_of_entry(int index, struct interface *to)
{
	int error = index ? EINVAL : find_interface(to);
	return error || to->name[0] ? error : EINVAL;
}

int verbena_text_of_gid_type(const struct row *row, int index, char *to)
{
	(void)row;
	struct interface interface;
	strcpy(to, "RoCE v2\n");
	return interface_of_entry(index, &interface);
}

int verbena_text_of_gid_ndev(const struct row *row, int index, char *to)
{
	(void)row;
	struct interface interface;
	int error = interface_of_entry(index, &interface);
	if (!error)
		snprintf(to, TEXT, "%s\n", interface.name);
	return error;
}

int verbena_text_of_parent(const struct row *row, int index, char *to)
{
	return verbena_text_of_gid_ndev(row, index, to);
}

static int write_state(const char *up, const char *down, char *to)
{
	struct interface interface;
	int error = find_interface(&interface);
	strcpy(to, interface.is_up ? up : down);
	return error;
}

int verbena_text_of_state(const struct row *row, int index, char *to)
{
	(void)row, (void)index;
	return write_state(ACTIVE, DOWN, to);
}

int verbena_text_of_phys_state(const struct row *row, int index, char *to)
{
	(void)row, (void)index;
	return write_state(LINK_UP, DISABLED, to);
}

/* Parsed as on the Java side: a leading 0 does not mean octal. */
static unsigned long number(const char *text)
{
	return strtoul(text, NULL, strncasecmp(text, "0x", 2) ? 10 : 16);
}

int verbena_text_of_part(const struct row *row, int index, char *to)
{
	(void)row, (void)index;
	const char *options = spec ? strchr(spec, '?') : NULL;
	const char *given = options ? strstr(options, PART_OPTION) : NULL;
	unsigned long part = given ? number(given + strlen(PART_OPTION)) : PART;
	snprintf(to, TEXT, "0x%04lx\n", part);
	return 0;
}

/* The device is equally near to all processors. */
int verbena_text_of_cpus(const struct row *row, int index, char *to)
{
	(void)index;
	if (row->text) {
		int fd = NEXT(open)(row->text, O_RDONLY | O_CLOEXEC);
		ssize_t length = fd < 0 ? -1 : read(fd, to, TEXT - 1);
		int error = errno;
		if (fd >= 0)
			close(fd);
		to[length < 0 ? 0 : length] = '\0';
		return length < 0 ? error : 0;
	}
	long told = sysconf(_SC_NPROCESSORS_CONF);
	long count = told < 1 ? 1 : told < MOST_CPUS ? told : MOST_CPUS;
	for (long group = (count - 1) / 32; group >= 0; group--) {
		long in_group = count - group * 32;
		uint32_t mask = in_group >= 32 ? ~0u : (1u << in_group) - 1;
		to += sprintf(to, "%08x%s", mask, group ? "," : "\n");
	}
	return 0;
}

int verbena_text_of_count(const struct row *row, int index, char *to)
{
	(void)index;
	const struct verbena_source *told = source;
	uint64_t sum = 0;
	for (const char *each = row->text; told && *each; each += strspn(each, " ")) {
		char key[64];
		size_t length = strcspn(each, " ");
		snprintf(key, sizeof(key), "%.*s", (int)length, each);
		sum += told->count(key);
		each += length;
	}
	snprintf(to, TEXT, "%llu\n", (unsigned long long)(sum / row->unit));
	return 0;
}
