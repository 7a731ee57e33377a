/* All files, one in each row: those of the kernel's rxe, and those that adapters add. */
#define _GNU_SOURCE
#include <sys/sysmacros.h>
#include <time.h>

#include "files.h"
#include "text_tables.h"

/* The same as the kernel's. */
#define MAJOR_OF_VERBS 231
#define MINOR_OF_VERBS 192

/* A device number that no file system has. */
#define FILE_SYSTEM makedev(0, 0xfffff)

/* The inodes of a row with indices are consecutive. */
#define MOST_INDICES 1024

#define GIDS 16
#define PKEYS 1

#define FOLDER S_IFDIR | 0755
#define READABLE S_IFREG | 0444
#define LINK S_IFLNK | 0777

#define DEVICE "/sys/devices/virtual/infiniband/@"
#define PARENT DEVICE "/device"
#define PORT DEVICE "/ports/1"
#define VERBS "/sys/devices/virtual/infiniband_verbs/uverbs0"

#define COUNTER_ROW(name, key) COUNTER_IN_UNITS(name, key, 1)
#define COUNTER_IN_UNITS(name, key, unit)                                                          \
	{PORT "/counters/" name, READABLE, key, verbena_text_of_count, 0, unit}
/* rxe's names for values that are also counted here. */
#define RXE_COUNTER(name, key)                                                                     \
	{PORT "/hw_counters/" name, READABLE, key, verbena_text_of_count, 0, 1}
#define OWN_COUNTER(key) RXE_COUNTER(#key, #key),

static const struct row rows[] = {
	{.path = "/dev/infiniband", .mode = FOLDER},
	{.path = "/dev/infiniband/uverbs0", .mode = S_IFCHR | 0666},

	{.path = "/sys/class/infiniband", .mode = FOLDER},
	{"/sys/class/infiniband/@", LINK, "../../devices/virtual/infiniband/@", NULL, 0, 0},
	{.path = "/sys/class/infiniband_verbs", .mode = FOLDER},
	{"/sys/class/infiniband_verbs/abi_version", READABLE, "6", NULL, 0, 0},
	{"/sys/class/infiniband_verbs/uverbs0", LINK,
	 "../../devices/virtual/infiniband_verbs/uverbs0", NULL, 0, 0},
	/* There are no devices for management datagrams. */
	{.path = "/sys/class/infiniband_mad", .mode = FOLDER},
	{"/sys/class/infiniband_mad/abi_version", READABLE, "5", NULL, 0, 0},

	{.path = "/sys/devices/virtual/infiniband_verbs", .mode = FOLDER},
	{.path = VERBS, .mode = FOLDER},
	{VERBS "/abi_version", READABLE, "1", NULL, 0, 0},
	{VERBS "/dev", READABLE, "231:192", NULL, 0, 0},
	{VERBS "/device", LINK, "../../infiniband/@/device", NULL, 0, 0},
	{VERBS "/ibdev", READABLE, "", verbena_text_of_name, 0, 0},
	{VERBS "/subsystem", LINK, "../../../../class/infiniband_verbs", NULL, 0, 0},
	{VERBS "/uevent", READABLE,
	 "MAJOR=231\nMINOR=192\nDEVNAME=infiniband/uverbs0\nDEVMODE=0666", NULL, 0, 0},

	{.path = "/sys/devices/virtual/infiniband", .mode = FOLDER},
	{.path = DEVICE, .mode = FOLDER},
	{DEVICE "/board_id", READABLE, "VERBENA0", NULL, 0, 0},
	{.path = PARENT, .mode = FOLDER},
	{PARENT "/device", READABLE, NULL, verbena_text_of_part, 0, 0},
	{PARENT "/local_cpulist", READABLE, "/sys/devices/system/cpu/online", verbena_text_of_cpus,
	 0, 0},
	{PARENT "/local_cpus", READABLE, NULL, verbena_text_of_cpus, 0, 0},
	{PARENT "/numa_node", READABLE, "-1", NULL, 0, 0},
	{PARENT "/vendor", READABLE, "0xffffff", NULL, 0, 0},
	{DEVICE "/fw_ver", READABLE, "0.1.0", NULL, 0, 0},
	{DEVICE "/hca_type", READABLE, "VERBENA", NULL, 0, 0},
	{DEVICE "/hw_rev", READABLE, "1", NULL, 0, 0},
	{DEVICE "/node_desc", READABLE, "", verbena_text_of_name, 0, 0},
	{DEVICE "/node_guid", READABLE, NULL, verbena_text_of_guid, 0, 0},
	{DEVICE "/node_type", READABLE, "1: CA", NULL, 0, 0},
	{DEVICE "/parent", READABLE, NULL, verbena_text_of_parent, 0, 0},
	{.path = DEVICE "/ports", .mode = FOLDER},
	{DEVICE "/subsystem", LINK, "../../../../class/infiniband", NULL, 0, 0},
	{DEVICE "/sys_image_guid", READABLE, NULL, verbena_text_of_guid, 0, 0},
	{DEVICE "/uevent", READABLE, "NAME=", verbena_text_of_name, 0, 0},

	{.path = PORT, .mode = FOLDER},
	{PORT "/cap_mask", READABLE, "0x04010000", NULL, 0, 0},
	{.path = PORT "/counters", .mode = FOLDER},
	{.path = PORT "/gid_attrs", .mode = FOLDER},
	{.path = PORT "/gid_attrs/ndevs", .mode = FOLDER},
	{PORT "/gid_attrs/ndevs/#", READABLE, NULL, verbena_text_of_gid_ndev, GIDS, 0},
	{.path = PORT "/gid_attrs/types", .mode = FOLDER},
	{PORT "/gid_attrs/types/#", READABLE, NULL, verbena_text_of_gid_type, GIDS, 0},
	{.path = PORT "/gids", .mode = FOLDER},
	{PORT "/gids/#", READABLE, NULL, verbena_text_of_gid, GIDS, 0},
	{.path = PORT "/hw_counters", .mode = FOLDER},
	{PORT "/lid", READABLE, "0x0", NULL, 0, 0},
	{PORT "/lid_mask_count", READABLE, "0", NULL, 0, 0},
	{PORT "/link_layer", READABLE, "Ethernet", NULL, 0, 0},
	{PORT "/phys_state", READABLE, NULL, verbena_text_of_phys_state, 0, 0},
	{.path = PORT "/pkeys", .mode = FOLDER},
	{PORT "/pkeys/#", READABLE, "0xffff", NULL, PKEYS, 0},
	{PORT "/rate", READABLE, "2.5 Gb/sec (1X SDR)", NULL, 0, 0},
	{PORT "/sm_lid", READABLE, "0x0", NULL, 0, 0},
	{PORT "/sm_sl", READABLE, "0", NULL, 0, 0},
	{PORT "/state", READABLE, NULL, verbena_text_of_state, 0, 0},

	/* Data is counted in words of four bytes. */
	COUNTER_IN_UNITS("port_rcv_data", "bytes_received", 4),
	COUNTER_IN_UNITS("port_xmit_data", "bytes_sent", 4),
	COUNTER_ROW("port_rcv_packets", "packets_received"),
	COUNTER_ROW("port_xmit_packets", "packets_sent"),
	COUNTER_ROW("port_rcv_errors", "dropped_malformed dropped_icrc"),
	COUNTER_ROW("port_rcv_constraint_errors", "dropped_pkey"),
	COUNTER_ROW("port_xmit_discards", "send_lost faults_dropped"),
	COUNTER_ROW("port_xmit_wait", "send_blocked"),
	COUNTER_ROW("excessive_buffer_overrun_errors", "socket_overflows"),
	/* Events that cannot happen here. */
	COUNTER_ROW("VL15_dropped", ""),
	COUNTER_ROW("link_downed", ""),
	COUNTER_ROW("link_error_recovery", ""),
	COUNTER_ROW("local_link_integrity_errors", ""),
	COUNTER_ROW("port_rcv_remote_physical_errors", ""),
	COUNTER_ROW("port_rcv_switch_relay_errors", ""),
	COUNTER_ROW("port_xmit_constraint_errors", ""),
	COUNTER_ROW("symbol_error", ""),

	/* Includes late ones of UC; rxe counts RC only. */
	RXE_COUNTER("duplicate_request", "duplicate_requests"),
	RXE_COUNTER("out_of_seq_request", "sequence_naks_sent"),
	RXE_COUNTER("rcvd_pkts", "packets_received"),
	RXE_COUNTER("rcvd_rnr_err", "rnr_naks_received"),
	RXE_COUNTER("rcvd_seq_err", "sequence_naks_received"),
	RXE_COUNTER("send_rnr_err", "rnr_naks_sent"),
	RXE_COUNTER("sent_pkts", "packets_sent"),
	/* Counters are never older than this many milliseconds. */
	{PORT "/hw_counters/lifespan", READABLE, "0", NULL, 0, 0},
	COUNTER(OWN_COUNTER)
};

/* Everything below them is ours or does not exist. */
static const char *const roots[] = {
	"/dev/infiniband",
	"/sys/class/infiniband",
	"/sys/class/infiniband_mad",
	"/sys/class/infiniband_verbs",
	"/sys/devices/virtual/infiniband",
	"/sys/devices/virtual/infiniband_verbs",
};

/*
 * Whether the text begins with the name of the device, or with one of the row's indices; returns
 * the length.
 */
static size_t match_variable(const struct row *row, char variable, const char *text, int *index)
{
	if (variable == '@') {
		size_t length = strlen(verbena_device_name());
		return strncmp(text, verbena_device_name(), length) ? 0 : length;
	}
	size_t digits = strspn(text, "0123456789");
	if (!digits || digits > 4 || (text[0] == '0' && digits > 1))
		return 0;
	int value = 0;
	for (size_t i = 0; i < digits; i++)
		value = value * 10 + text[i] - '0';
	*index = value;
	return value < row->indices ? digits : 0;
}

/*
 * Whether the path is one of the row's; returns how much of it matches: all of it, or its first
 * folders.
 */
static int matches(const struct row *row, const char *path, int *index)
{
	const char *each = row->path;
	*index = 0;
	for (; *each; each++) {
		if (*each == '@' || *each == '#') {
			size_t length = match_variable(row, *each, path, index);
			if (!length)
				return 0;
			path += length;
		} else if (*each != *path++) {
			return 0;
		}
	}
	return !*path;
}

const struct row *verbena_row(const char *path, int *index)
{
	for (size_t i = 0; i < COUNT(rows); i++)
		if (matches(&rows[i], path, index))
			return &rows[i];
	return NULL;
}

int verbena_is_inside(const char *path)
{
	for (size_t i = 0; i < COUNT(roots); i++) {
		size_t length = strlen(roots[i]);
		if (!strncmp(path, roots[i], length) && (!path[length] || path[length] == '/'))
			return 1;
	}
	return 0;
}

static int is_child(const struct row *row, const struct row *folder)
{
	size_t length = strlen(folder->path);
	return !strncmp(row->path, folder->path, length) && row->path[length] == '/' &&
	       !strchr(row->path + length + 1, '/');
}

static ino_t inode(const struct row *row, int index)
{
	return (ino_t)((row - rows + 1) * MOST_INDICES + index);
}

static void enter(const struct row *row, int index, const char *name, struct dirent *to)
{
	memset(to, 0, offsetof(struct dirent, d_name));
	to->d_ino = inode(row, index);
	to->d_type = (unsigned char)IFTODT(row->mode);
	if (!strcmp(name, "#"))
		snprintf(to->d_name, sizeof(to->d_name), "%d", index);
	else
		snprintf(to->d_name, sizeof(to->d_name), "%s",
			 strcmp(name, "@") ? name : verbena_device_name());
	to->d_reclen = sizeof(*to);
}

int verbena_next_child(const struct place *folder, int *position, struct dirent *to)
{
	static const char *const itself[] = {".", ".."};
	int at = (*position)++;
	to->d_off = *position;
	if (at < (int)COUNT(itself)) {
		enter(folder->row, 0, itself[at], to);
		to->d_off = *position;
		return 1;
	}
	at -= (int)COUNT(itself);
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct row *row = &rows[i];
		if (!is_child(row, folder->row))
			continue;
		int many = row->indices ? row->indices : 1;
		if (at < many) {
			enter(row, at, strrchr(row->path, '/') + 1, to);
			to->d_off = *position;
			return 1;
		}
		at -= many;
	}
	(*position)--;
	return 0;
}

/* Approximate start time of this process. */
static struct timespec born;

__attribute__((constructor)) static void note_time(void)
{
	clock_gettime(CLOCK_REALTIME_COARSE, &born);
}

/* For a folder: its name, its own "." entry, and one for each folder in it. */
static nlink_t links(const struct row *row)
{
	nlink_t count = S_ISDIR(row->mode) ? 2 : 1;
	for (size_t i = 0; S_ISDIR(row->mode) && i < COUNT(rows); i++)
		count += S_ISDIR(rows[i].mode) && is_child(&rows[i], row);
	return count;
}

void verbena_stat(const struct place *place, struct stat *to)
{
	const struct row *row = place->row;
	*to = (struct stat){
		.st_dev = FILE_SYSTEM,
		.st_ino = inode(row, place->index),
		.st_mode = row->mode,
		.st_nlink = links(row),
		.st_rdev = S_ISCHR(row->mode) ? makedev(MAJOR_OF_VERBS, MINOR_OF_VERBS) : 0,
		/* The same as in sysfs, whatever the text. */
		.st_size = S_ISREG(row->mode) ? TEXT : 0,
		.st_blksize = 4096,
		.st_atim = born,
		.st_mtim = born,
		.st_ctim = born,
	};
}
