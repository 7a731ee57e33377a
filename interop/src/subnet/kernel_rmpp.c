/*
 * The kernel's part of RMPP, for programs on a simulated subnet: ibsim takes the kernel's place
 * under libibumad, but carries only single datagrams. This library is loaded in front of it into
 * OpenSM, which sends whole tables, and into saquery, which expects whole tables. As in Linux'
 * rmpp.c, the sender's first window is one segment, and the receiver acknowledges the first
 * segment, the last, and the last of each window. ibsim loses nothing, so nothing is sent twice.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <infiniband/umad.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAD = 256,
  SA_HEADER = 56,
  SEGMENT = MAD - SA_HEADER, /* data of the attribute in a segment */
  RMPP_DATA = 220,           /* what a segment counts as: the SA header's own part, too */
  SA_CLASS = 3,
  RESPONSE = 0x80,
  WINDOW = 5, /* small, so that tables of a small subnet need several */
  SENDERS = 64,
  AGENTS = 1024,
};
enum { DATA = 1, ACK = 2 };
enum { ACTIVE = 1, FIRST = 2, LAST = 4 };

struct mad {
  uint8_t base_version, mgmt_class, class_version, method;
  uint16_t status, class_specific;
  uint64_t tid;
  uint16_t attribute, reserved;
  uint32_t modifier;
  uint8_t rmpp_version, rmpp_type, rmpp_flags, rmpp_status;
  uint32_t segment, length_or_window;
  uint8_t sa[20];
  uint8_t data[SEGMENT];
} __attribute__((packed));

_Static_assert(sizeof(struct mad) == MAD, "a MAD has 256 bytes");

/* A table being sent. */
struct sender {
  int port, agent;
  void *umad; /* header, first datagram, the rest of the data */
  uint32_t bytes, segments, sent;
};

/* A table being received, or a complete one that is too large for the caller's buffer. */
struct receiver {
  uint8_t *umad;
  uint32_t segments, bytes;
  int agent, complete;
};

static int (*real_register)(int, int, int, uint8_t, long *);
static int (*real_send)(int, int, void *, int, int, int);
static int (*real_recv)(int, void *, int *, int);
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct sender senders[SENDERS];
static unsigned next_sender;
static struct receiver receiver; /* saquery asks for one table at a time */
static uint8_t does_rmpp[AGENTS];

__attribute__((constructor)) static void start(void)
{
  real_register = dlsym(RTLD_NEXT, "umad_register");
  real_send = dlsym(RTLD_NEXT, "umad_send");
  real_recv = dlsym(RTLD_NEXT, "umad_recv");
}

int umad_register(int port, int mgmt_class, int version, uint8_t rmpp_version,
                  long methods[16 / sizeof(long)])
{
  int agent = real_register(port, mgmt_class, version, rmpp_version, methods);
  if (agent >= 0 && agent < AGENTS)
    does_rmpp[agent] = mgmt_class == SA_CLASS && rmpp_version != 0;
  return agent;
}

static int send_segment(struct sender *s)
{
  uint8_t umad[umad_size() + MAD];
  struct mad *m = (struct mad *)(umad + umad_size());
  uint32_t at = s->sent++ * SEGMENT, n = s->bytes - at < SEGMENT ? s->bytes - at : SEGMENT;
  memset(umad, 0, sizeof umad);
  memcpy(umad, s->umad, umad_size() + SA_HEADER);
  memcpy(m->data, (uint8_t *)umad_get_mad(s->umad) + SA_HEADER + at, n);
  uint32_t pad = s->segments * SEGMENT - s->bytes, length = 0;
  m->rmpp_version = 1;
  m->rmpp_type = DATA;
  m->rmpp_flags |= ACTIVE;
  if (s->sent == 1) {
    m->rmpp_flags |= FIRST;
    length = s->segments * RMPP_DATA - pad;
  }
  if (s->sent == s->segments) {
    m->rmpp_flags |= LAST;
    length = RMPP_DATA - pad;
  }
  m->segment = htobe32(s->sent);
  m->length_or_window = htobe32(length);
  return real_send(s->port, s->agent, umad, MAD, 0, 0);
}

int umad_send(int port, int agent, void *umad, int length, int timeout_ms, int retries)
{
  struct mad *m = umad_get_mad(umad);
  if (agent < 0 || agent >= AGENTS || !does_rmpp[agent] || !(m->method & RESPONSE) ||
      !(m->rmpp_flags & ACTIVE))
    return real_send(port, agent, umad, length, timeout_ms, retries);

  pthread_mutex_lock(&guard);
  struct sender *s = &senders[next_sender++ % SENDERS];
  free(s->umad);
  s->umad = malloc(umad_size() + length);
  memcpy(s->umad, umad, umad_size() + length);
  s->port = port;
  s->agent = agent;
  s->bytes = length - SA_HEADER;
  s->segments = s->bytes ? (s->bytes + SEGMENT - 1) / SEGMENT : 1;
  s->sent = 0;
  int result = send_segment(s);
  pthread_mutex_unlock(&guard);
  return result;
}

/* Continues the table that this acknowledges. */
static void acknowledged(const struct mad *ack, const ib_mad_addr_t *from)
{
  pthread_mutex_lock(&guard);
  for (struct sender *s = senders; s < senders + SENDERS; s++) {
    if (!s->umad)
      continue;
    const struct mad *m = umad_get_mad(s->umad);
    if (m->tid != ack->tid || umad_get_mad_addr(s->umad)->lid != from->lid)
      continue;
    if (be32toh(ack->segment) >= s->segments) {
      free(s->umad);
      s->umad = NULL;
      continue;
    }
    while (s->sent < s->segments && s->sent < be32toh(ack->length_or_window))
      send_segment(s);
  }
  pthread_mutex_unlock(&guard);
}

/* Adds a segment to the table that is being received. */
static void take_segment(int port, int agent, const uint8_t *umad)
{
  const struct mad *m = (const struct mad *)(umad + umad_size());
  uint32_t segment = be32toh(m->segment), length = be32toh(m->length_or_window);
  if (m->rmpp_flags & FIRST) {
    free(receiver.umad);
    receiver = (struct receiver){.umad = malloc(umad_size() + SA_HEADER), .agent = agent};
    memcpy(receiver.umad, umad, umad_size() + SA_HEADER);
  }
  if (!receiver.umad || segment != receiver.segments + 1)
    return;
  uint32_t n = m->rmpp_flags & LAST ? length - (RMPP_DATA - SEGMENT) : SEGMENT;
  if (n > SEGMENT)
    return;
  receiver.umad = realloc(receiver.umad, umad_size() + SA_HEADER + receiver.bytes + n);
  memcpy(receiver.umad + umad_size() + SA_HEADER + receiver.bytes, m->data, n);
  receiver.bytes += n;
  receiver.segments++;
  receiver.complete = (m->rmpp_flags & LAST) != 0;
  if (segment != 1 && !receiver.complete && (segment - 1) % WINDOW != 0)
    return;

  uint8_t answer[umad_size() + MAD];
  struct mad *ack = (struct mad *)(answer + umad_size());
  memcpy(answer, umad, sizeof answer);
  memset(ack->data, 0, sizeof ack->data);
  ack->method ^= RESPONSE;
  ack->rmpp_type = ACK;
  ack->rmpp_flags = ACTIVE;
  ack->length_or_window = htobe32(segment + WINDOW);
  umad_get_mad_addr(answer)->qkey = htobe32(0x80010000);
  real_send(port, agent, answer, MAD, 0, 0);
}

/* Delivers the received table, or says how much room it needs. */
static int deliver(void *umad, int *length)
{
  int bytes = SA_HEADER + receiver.bytes, room = *length;
  *length = bytes;
  if (bytes > room) {
    errno = ENOSPC;
    return -ENOSPC;
  }
  memcpy(umad, receiver.umad, umad_size() + bytes);
  free(receiver.umad);
  receiver.umad = NULL;
  receiver.complete = 0;
  return receiver.agent;
}

int umad_recv(int port, void *umad, int *length, int timeout_ms)
{
  if (receiver.complete)
    return deliver(umad, length);
  for (;;) {
    uint8_t one[umad_size() + MAD];
    struct mad *m = (struct mad *)(one + umad_size());
    int bytes = MAD, agent = real_recv(port, one, &bytes, timeout_ms);
    if (agent < 0)
      return agent;
    int is_rmpp = agent < AGENTS && does_rmpp[agent] && m->mgmt_class == SA_CLASS &&
                  m->rmpp_version == 1 && (m->rmpp_flags & ACTIVE);
    if (is_rmpp && m->rmpp_type == ACK) {
      acknowledged(m, umad_get_mad_addr(one));
    } else if (is_rmpp && m->rmpp_type == DATA && (m->method & RESPONSE)) {
      take_segment(port, agent, one);
      if (receiver.complete)
        return deliver(umad, length);
    } else {
      memcpy(umad, one, umad_size() + (*length < MAD ? *length : MAD));
      *length = MAD;
      return agent;
    }
  }
}
