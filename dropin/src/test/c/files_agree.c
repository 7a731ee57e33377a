/*
 * Compares the device's files with the verbs, before it is opened, while it works, and afterwards.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <dirent.h>
#include <endian.h>
#include <fcntl.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/verbs.h>

#define QKEY 7
#define PACKETS 10
#define PAYLOAD 64
/* Headers of a datagram in memory: BTH, DETH and ICRC. */
#define HEADERS (12 + 8 + 4)

static char folder[IBV_SYSFS_PATH_MAX];

/* The text of a file without its line end; NULL if it cannot be read. */
static const char *text(const char *file)
{
	static char found[4096];
	char path[2 * IBV_SYSFS_PATH_MAX];
	snprintf(path, sizeof(path), "%s/%s", folder, file);
	FILE *stream = fopen(path, "r");
	size_t length = stream ? fread(found, 1, sizeof(found) - 1, stream) : 0;
	if (stream)
		fclose(stream);
	if (!length)
		return NULL;
	assert(found[length - 1] == '\n');
	found[length - 1] = '\0';
	return found;
}

static uint64_t number(const char *file)
{
	const char *found = text(file);
	assert(found);
	return strtoull(found, NULL, 0);
}

static void expect(const char *file, const char *expected)
{
	const char *found = text(file);
	if (!found || strcmp(found, expected)) {
		fprintf(stderr, "%s: %s, not %s\n", file, found ? found : "(none)", expected);
		exit(1);
	}
}

static const char *guid_text(__be64 guid)
{
	static char to[32];
	const uint8_t *octet = (const uint8_t *)&guid;
	snprintf(to, sizeof(to), "%02x%02x:%02x%02x:%02x%02x:%02x%02x", octet[0], octet[1], octet[2],
		 octet[3], octet[4], octet[5], octet[6], octet[7]);
	return to;
}

static void expect_gid(const union ibv_gid *gid)
{
	char to[64] = "";
	for (int i = 0; i < 16; i += 2)
		sprintf(to + strlen(to), "%02x%02x:", gid->raw[i], gid->raw[i + 1]);
	to[strlen(to) - 1] = '\0';
	expect("ports/1/gids/0", to);
}

static void expect_device(struct ibv_context *context)
{
	struct ibv_device_attr attr;
	char to[64];
	assert(ibv_query_device(context, &attr) == 0);
	expect("fw_ver", attr.fw_ver);
	expect("node_guid", guid_text(attr.node_guid));
	expect("sys_image_guid", guid_text(attr.sys_image_guid));
	snprintf(to, sizeof(to), "0x%x", attr.vendor_id);
	expect("device/vendor", to);
	snprintf(to, sizeof(to), "0x%04x", attr.vendor_part_id);
	expect("device/device", to);
	assert(number("hw_rev") == attr.hw_ver && number("node_type") == IBV_NODE_CA);
}

static void expect_port(struct ibv_context *context)
{
	struct ibv_port_attr port;
	union ibv_gid gid;
	struct ibv_gid_entry entry;
	__be16 pkey;
	char name[IF_NAMESIZE], file[64];
	assert(ibv_query_port(context, 1, &port) == 0);
	assert(number("ports/1/state") == port.state && number("ports/1/phys_state") == port.phys_state);
	assert(number("ports/1/cap_mask") == port.port_cap_flags && number("ports/1/lid") == port.lid);
	assert(number("ports/1/sm_lid") == port.sm_lid && number("ports/1/sm_sl") == port.sm_sl);
	assert(number("ports/1/lid_mask_count") == port.lmc);
	assert(port.active_speed == 1 && port.active_width == 1);
	expect("ports/1/rate", "2.5 Gb/sec (1X SDR)");
	expect("ports/1/link_layer", "Ethernet");
	assert(ibv_query_gid(context, 1, 0, &gid) == 0);
	expect_gid(&gid);
	assert(ibv_query_gid_ex(context, 1, 0, &entry, 0) == 0);
	expect("ports/1/gid_attrs/types/0", "RoCE v2");
	expect("ports/1/gid_attrs/ndevs/0", if_indextoname(entry.ndev_ifindex, name));
	for (int i = 0; i < port.gid_tbl_len + 1; i++) {
		snprintf(file, sizeof(file), "ports/1/gids/%d", i);
		assert(!text(file) == (i == port.gid_tbl_len));
		snprintf(file, sizeof(file), "ports/1/gid_attrs/types/%d", i);
		assert(!text(file) == (i > 0));
	}
	assert(ibv_query_pkey(context, 1, 0, &pkey) == 0 && number("ports/1/pkeys/0") == be16toh(pkey));
	assert(port.pkey_tbl_len == 1 && !text("ports/1/pkeys/1"));
}

static void expect_packets(uint64_t packets)
{
	uint64_t words = packets * (PAYLOAD + HEADERS) / 4;
	assert(number("ports/1/hw_counters/sent_pkts") == packets);
	assert(number("ports/1/hw_counters/packets_received") == packets);
	assert(number("ports/1/counters/port_xmit_packets") == packets);
	assert(number("ports/1/counters/port_rcv_packets") == packets);
	assert(number("ports/1/counters/port_xmit_data") == words);
	assert(number("ports/1/counters/port_rcv_data") == words);
	assert(number("ports/1/counters/symbol_error") == 0);
}

/* All of them are numbers. */
static void expect_counters(const char *name)
{
	char path[2 * IBV_SYSFS_PATH_MAX];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	DIR *dir = opendir(path);
	int count = 0;
	for (struct dirent *each = readdir(dir); each; each = readdir(dir)) {
		if (each->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", name, each->d_name);
		char *end;
		const char *found = text(path);
		assert(found && *found);
		strtoull(found, &end, 10);
		assert(!*end);
		count++;
	}
	assert(count > 15 && closedir(dir) == 0);
}

static void send_to_itself(struct ibv_context *context)
{
	static char memory[2 * (PAYLOAD + 40)];
	struct ibv_pd *pd = ibv_alloc_pd(context);
	struct ibv_mr *mr = ibv_reg_mr(pd, memory, sizeof(memory), IBV_ACCESS_LOCAL_WRITE);
	struct ibv_cq *cq = ibv_create_cq(context, 2 * PACKETS, NULL, NULL, 0);
	struct ibv_qp_init_attr init = {.send_cq = cq,
					.recv_cq = cq,
					.qp_type = IBV_QPT_UD,
					.cap = {PACKETS, PACKETS, 1, 1, 0}};
	struct ibv_qp *qp = ibv_create_qp(pd, &init);
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = QKEY};
	assert(mr && qp);
	assert(!ibv_modify_qp(qp, &attr,
			      IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY));
	attr.qp_state = IBV_QPS_RTR;
	assert(!ibv_modify_qp(qp, &attr, IBV_QP_STATE));
	attr.qp_state = IBV_QPS_RTS;
	assert(!ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN));
	struct ibv_ah_attr to = {.is_global = 1, .port_num = 1, .grh = {.hop_limit = 1}};
	assert(!ibv_query_gid(context, 1, 0, &to.grh.dgid));
	struct ibv_ah *ah = ibv_create_ah(pd, &to);
	struct ibv_sge out = {(uintptr_t)memory, PAYLOAD, mr->lkey};
	struct ibv_sge in = {(uintptr_t)memory + PAYLOAD, PAYLOAD + 40, mr->lkey};
	struct ibv_send_wr send = {.sg_list = &out,
				   .num_sge = 1,
				   .opcode = IBV_WR_SEND,
				   .send_flags = IBV_SEND_SIGNALED,
				   .wr.ud = {ah, qp->qp_num, QKEY}};
	struct ibv_recv_wr receive = {.sg_list = &in, .num_sge = 1};
	struct ibv_send_wr *bad_send;
	struct ibv_recv_wr *bad_receive;
	for (int i = 0; i < PACKETS; i++) {
		assert(!ibv_post_recv(qp, &receive, &bad_receive));
		assert(!ibv_post_send(qp, &send, &bad_send));
	}
	struct ibv_wc wc;
	for (int done = 0; done < 2 * PACKETS;) {
		int polled = ibv_poll_cq(cq, 1, &wc);
		assert(polled >= 0 && (!polled || wc.status == IBV_WC_SUCCESS));
		done += polled;
	}
	assert(!ibv_destroy_qp(qp) && !ibv_destroy_cq(cq) && !ibv_destroy_ah(ah) && !ibv_dereg_mr(mr));
	assert(!ibv_dealloc_pd(pd));
}

int main(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	snprintf(folder, sizeof(folder), "%s", list[0]->ibdev_path);
	expect("node_guid", guid_text(ibv_get_device_guid(list[0])));
	expect("uevent", "NAME=soft_127_0_0_23");
	expect("ports/1/gids/0", "0000:0000:0000:0000:0000:ffff:7f00:0017");
	expect_packets(0);

	struct ibv_context *context = ibv_open_device(list[0]);
	assert(context);
	expect_device(context);
	expect_port(context);
	expect_packets(0);
	int early = open("/sys/class/infiniband/soft_127_0_0_23/ports/1/counters/port_xmit_packets",
			 O_RDONLY);
	send_to_itself(context);
	expect_packets(PACKETS);
	expect_counters("ports/1/counters");
	expect_counters("ports/1/hw_counters");
	/* A file opened earlier has the text of that moment. */
	char zero[2];
	assert(read(early, zero, sizeof(zero)) == 2 && zero[0] == '0' && zero[1] == '\n');
	close(early);
	/* Another process has another device. */
	assert(system("test $(cat /sys/class/infiniband/*/ports/1/hw_counters/sent_pkts) = 0") == 0);
	assert(ibv_close_device(context) == 0);
	expect_packets(0);
	ibv_free_device_list(list);
	puts("ok");
	return 0;
}
