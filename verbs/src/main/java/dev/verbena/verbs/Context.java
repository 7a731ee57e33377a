package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An open device (struct ibv_context). Owns protection domains, completion queues, completion
 * channels, indirection tables, XRC domains, XRC_RECV queue pairs and thread domains. {@link
 * #close()} is ibv_close_device, and closes all of them first, in a legal order, with the events
 * that were retrieved acknowledged.
 *
 * <p>Dropping the last reference to a context, and to everything made from it, does not close it at
 * once: some time later the device notices, closes it and logs a warning. So a program that does
 * nothing but let peers access its memory must keep a reference to the context, or to anything made
 * from it, for as long as they may; a listener ({@link EventSource#onReadiness}) counts as such a
 * reference. Keeping the memory of a region, or a value such as an endpoint, is not enough.
 *
 * <p>The table in the {@linkplain dev.verbena.verbs package} description says which threads may use
 * what concurrently.
 */
public interface Context extends AutoCloseable {
  /** The device. */
  Device device();

  /**
   * The number of completion vectors (num_comp_vectors), at least 1; createCq takes 0 to this
   * number minus 1.
   */
  int numCompVectors();

  /** Identity and limits (ibv_query_device). */
  DeviceAttr queryDevice();

  /** Identity, limits and optional capabilities (ibv_query_device_ex). */
  DeviceAttrEx queryDeviceEx();

  /**
   * State and limits of a port (ibv_query_port).
   *
   * @throws VerbsException EINVAL unless 1 ≤ portNum ≤ the device's ports
   */
  PortAttr queryPort(int portNum);

  /**
   * State and limits of {@link #endPort()}, which caches them too.
   *
   * @throws VerbsException EINVAL if the device has no port
   */
  default PortAttr queryPort() {
    return endPort().query(this::queryPort);
  }

  /**
   * The end port for which {@link Rdma#getVerbs(EndPort)} opened this context; otherwise the
   * device's first.
   *
   * @throws VerbsException EINVAL if the device has no port
   */
  default EndPort endPort() {
    return EndPorts.of(this);
  }

  /**
   * The speed of a port in units of 100 Mbit/s (ibv_query_port_speed), computed from the width and
   * speed of {@link #queryPort} unless the device knows better.
   *
   * @throws VerbsException EINVAL unless 1 ≤ portNum ≤ the device's ports
   */
  default long queryPortSpeed(int portNum) {
    return queryPort(portNum).speed();
  }

  /**
   * Current values of the device (ibv_query_rt_values_ex).
   *
   * @param mask {@link ValuesMask} bits of the values to query
   * @return those of the values that the device knows
   */
  ValuesEx queryRtValuesEx(int... mask);

  /**
   * An entry of the GID table (ibv_query_gid); {@link Gid#ZERO} for an empty one.
   *
   * @throws VerbsException EINVAL for a port or an index that does not exist
   */
  Gid queryGid(int portNum, int index);

  /**
   * An entry of the GID table with its type (ibv_query_gid_ex).
   *
   * @throws VerbsException EINVAL for a port or an index that does not exist, ENODATA for an empty
   *     entry
   */
  GidEntry queryGidEx(int portNum, int index);

  /** The non-empty entries of the GID tables of all ports (ibv_query_gid_table). */
  List<GidEntry> queryGidTable();

  /**
   * An entry of the P_Key table (ibv_query_pkey): 16 bits, bit 15 for full members; 0xFFFF at index
   * 0.
   *
   * @throws VerbsException EINVAL for a port or an index that does not exist
   */
  int queryPkey(int portNum, int index);

  /**
   * The index of the first P_Key table entry that equals this P_Key (ibv_get_pkey_index).
   *
   * @throws VerbsException EINVAL for a port that does not exist, ENOENT if no entry is equal
   */
  int getPkeyIndex(int portNum, int pkey);

  /**
   * The address for a reply to a message that a UD queue pair received (ibv_init_ah_from_wc): to
   * the sender's GID, from the GID that the message was sent to, with the message's traffic class
   * and hop limit. The service level comes from the completion ({@link WorkCompletion#sl()}): on
   * Ethernet, where it holds the IP version, it has no effect on the reply.
   *
   * @param portNum the port that received the message
   * @param wc the completion of the receive
   * @param grh the first 40 bytes of the receive; required if the completion has {@link
   *     WcFlags#GRH}, otherwise ignored
   * @throws VerbsException EINVAL for a port that does not exist, for a GRH area of fewer than 40
   *     bytes, and if the message was sent to a multicast group or to an address that is not in the
   *     port's GID table, in which case the application must choose the source of its reply;
   *     EPROTONOSUPPORT if the area holds neither an IPv4 nor an IPv6 header that carries RoCE;
   *     EFAULT if its memory is gone, because its arena was closed or its mapped file cut short
   */
  AhAttr initAhFromWc(int portNum, WorkCompletion wc, @Nullable MemorySegment grh);

  /**
   * The Ethernet address of a port, at which its RAW_PACKET queue pairs send and receive. C
   * programs query the network interface for it.
   *
   * @throws VerbsException EINVAL for a port that does not exist, EOPNOTSUPP if the device does not
   *     report one
   */
  MacAddress queryMac(int portNum);

  /** A new protection domain (ibv_alloc_pd). */
  ProtectionDomain allocPd();

  /**
   * Creates a work queue, in RESET: a receive queue that several queue pairs can share by a hash
   * (ibv_create_wq(3)). It is owned by its protection domain, whose {@link
   * ProtectionDomain#close()} closes it, cannot be destroyed while an indirection table uses it,
   * and uses its completion queue.
   *
   * @throws VerbsException EOPNOTSUPP if the device has no work queues (max_wq_type_rq is 0), or
   *     not what a flag asks for; EINVAL if a size is out of range, or an object given belongs to
   *     another context; ENOMEM beyond max_qp
   */
  default WorkQueue createWq(WqInitAttr attr) {
    device();
    throw new VerbsException(
        "createWq", Errno.EOPNOTSUPP, "this device has no work queues: max_wq_type_rq is 0");
  }

  /**
   * Creates an indirection table, which selects a work queue by a hash of a frame's addresses and
   * ports (ibv_create_rwq_ind_table(3)). It is owned by the context and uses its work queues.
   *
   * @param indTbl the entries; their number is a power of two, and a queue may appear more than
   *     once
   * @throws VerbsException EOPNOTSUPP if the device does not hash (max_rwq_indirection_tables of
   *     rss_caps is 0); EINVAL for any other number of entries, more than
   *     max_rwq_indirection_table_size, or queues of another context; ENOMEM if there are too many
   */
  default RwqIndTable createRwqIndTable(List<WorkQueue> indTbl) {
    device();
    throw new VerbsException(
        "createRwqIndTable",
        Errno.EOPNOTSUPP,
        "this device has no such tables: max_rwq_indirection_tables is 0");
  }

  /**
   * Imports the protection domain that has this handle in another process (ibv_import_pd).
   *
   * @throws VerbsException EOPNOTSUPP: no device of this release shares objects between processes
   */
  default ProtectionDomain importPd(int pdHandle) {
    device();
    throw new VerbsException(
        "importPd", Errno.EOPNOTSUPP, "handle " + pdHandle + ": this device shares no objects");
  }

  /**
   * Allocates memory of the adapter (ibv_alloc_dm). It is owned by the context.
   *
   * @param length bytes, 1 to max_dm_size; adapters allocate more than was asked for where they
   *     have larger units
   * @param logAlignReq base-2 logarithm of the alignment of its address in the adapter: 3 for
   *     atomics, which need that of their 8 bytes, otherwise 0
   * @throws VerbsException EOPNOTSUPP if the device has no such memory (max_dm_size is 0), as
   *     software devices have not; EINVAL for a length or an alignment out of range; ENOMEM if not
   *     as much is free
   */
  default DeviceMemory allocDm(long length, int logAlignReq) {
    device();
    throw new VerbsException(
        "allocDm", Errno.EOPNOTSUPP, "this device has no memory of its own: max_dm_size is 0");
  }

  /** Allocates memory of the adapter at any address; otherwise like {@link #allocDm(long, int)}. */
  default DeviceMemory allocDm(long length) {
    return allocDm(length, 0);
  }

  /**
   * Imports the device memory that has this handle in another process (ibv_import_dm).
   *
   * @throws VerbsException EOPNOTSUPP: no device of this release shares objects between processes
   */
  default DeviceMemory importDm(int dmHandle) {
    device();
    throw new VerbsException(
        "importDm", Errno.EOPNOTSUPP, "handle " + dmHandle + ": this device shares no objects");
  }

  /**
   * Allocates a thread domain (ibv_alloc_td): the caller's promise that only one thread at a time
   * uses the objects created with it.
   */
  ThreadDomain allocTd();

  /**
   * Allocates a protection domain that adds a thread domain to an existing one and is otherwise
   * interchangeable with it (ibv_alloc_parent_domain).
   *
   * @throws VerbsException EINVAL if {@code pd} is itself a parent domain or either belongs to
   *     another context
   */
  ParentDomain allocParentDomain(ProtectionDomain pd, @Nullable ThreadDomain td);

  /**
   * Creates a completion queue without a channel, on completion vector 0; see {@link #createCq(int,
   * Object, CompletionChannel, int)}.
   */
  default CompletionQueue createCq(int cqe) {
    return createCq(cqe, null, null, 0);
  }

  /**
   * Creates a completion queue on completion vector 0; see {@link #createCq(int, Object,
   * CompletionChannel, int)}.
   */
  default CompletionQueue createCq(int cqe, CompletionChannel channel) {
    return createCq(cqe, null, channel, 0);
  }

  /**
   * Creates a completion queue (ibv_create_cq). It needs room for each receive that is posted, and
   * each send that may complete (SIGNALED or failed), of all queue pairs that use it: at most
   * max_recv_wr and max_send_wr of each. One completion more than fits is an overrun, which ends
   * the queue and its queue pairs.
   *
   * @param cqe entries, 1 to max_cqe; the queue may get more
   * @param cqContext the application's own object, available from {@link
   *     CompletionQueue#cqContext()}
   * @param channel where its events go, or null
   * @param compVector completion vector, from 0
   * @throws VerbsException EINVAL for a size or a vector out of range, or a channel of another
   *     context
   */
  CompletionQueue createCq(
      int cqe, @Nullable Object cqContext, @Nullable CompletionChannel channel, int compVector);

  /**
   * Creates a completion queue that is read with a cursor (ibv_create_cq_ex).
   *
   * @throws VerbsException EINVAL as for createCq, or for a parent domain of another context;
   *     EOPNOTSUPP for a field or flag that the device does not have
   */
  CompletionQueueEx createCqEx(CqInitAttrEx attr);

  /** Creates a completion channel (ibv_create_comp_channel). */
  CompletionChannel createCompChannel();

  /**
   * Creates a queue pair that has no protection domain, which is XRC_RECV (ibv_create_qp_ex with
   * comp_mask XRCD).
   *
   * <p><b>Not for the extended posting API:</b> an XRC_RECV queue pair posts nothing, so this
   * returns a plain {@link QueuePair} and refuses send operations. For a {@link QueuePairEx} call
   * {@link ProtectionDomain#createQpEx}.
   *
   * <p>Its sizes and completion queues are ignored, because its messages go to shared receive
   * queues. It is owned by the context and uses its XRC domain.
   *
   * @throws VerbsException EINVAL for another type, without an XRC domain of this context or with
   *     send operations; EOPNOTSUPP if the device has no XRC; ENOMEM beyond max_qp
   */
  QueuePair createQpEx(QpInitAttr attr);

  /**
   * Opens another handle to an existing XRC_RECV queue pair (ibv_open_qp). The queue pair exists
   * until its last handle is destroyed. A change through one handle is visible through all, and the
   * context of each handle receives the queue pair's asynchronous events.
   *
   * @throws VerbsException ENOENT if the XRC domain has no queue pair with this number, EINVAL for
   *     another type or a domain of another context, EOPNOTSUPP if the device has no XRC
   */
  QueuePair openQp(QpOpenAttr attr);

  /**
   * Opens a private XRC domain.
   *
   * @throws VerbsException EOPNOTSUPP if the device has no XRC
   */
  default XrcDomain openXrcd() {
    return openXrcd(XrcdInitAttr.anonymous());
  }

  /**
   * Opens an XRC domain (ibv_open_xrcd).
   *
   * @throws VerbsException ENOENT without CREAT if the file has no domain yet, EEXIST with CREAT
   *     and EXCL if it has one, EINVAL for a private domain without CREAT and for unknown flags,
   *     EBADF if the file does not exist or cannot be opened for reading (in C the program's own
   *     open fails, and ibv_open_xrcd only sees a bad descriptor), EOPNOTSUPP if the device has no
   *     XRC
   */
  XrcDomain openXrcd(XrcdInitAttr attr);

  /**
   * Waits for the next asynchronous event (ibv_get_async_event). Interruptible. Each event wakes
   * one of the waiting threads.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   * @throws ObjectClosedException if the context is closed, or is closed while this thread waits:
   *     closing wakes all waiting threads
   */
  AsyncEvent getAsyncEvent() throws InterruptedException;

  /**
   * Returns the next asynchronous event, or null if none arrives in time. With a zero timeout it
   * never waits, as with O_NONBLOCK.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   * @throws ObjectClosedException as {@link #getAsyncEvent()}
   */
  @Nullable AsyncEvent getAsyncEvent(Duration timeout) throws InterruptedException;

  /** An event source that is ready while asynchronous events are waiting (async_fd in C). */
  EventSource asyncEventSource();

  /**
   * Whether a selection found asynchronous events: the key belongs to the channel of {@link
   * #asyncEventSource()} and is readable. Another thread may still take the event first.
   *
   * @param key any key; for a key of another channel the result is false
   */
  default boolean checkPoll(SelectionKey key) {
    return asyncEventSource().isReady(key);
  }

  /**
   * Handles an asynchronous event by default: acknowledges it, makes the end port concerned discard
   * its cached values so that they are queried again, and throws if the event reports a failure of
   * the device, a queue or a queue pair.
   *
   * @throws AsyncException for DEVICE_FATAL, SRQ_ERR, CQ_ERR, QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR,
   *     PATH_MIG_ERR and WQ_FATAL
   */
  default void handleAsyncEvent(AsyncEvent event) {
    AsyncEventHandling.handle(event);
  }

  /**
   * The queue pair of this context with a number found in a completion; null if there is none.
   * Searches all open queue pairs, so it is not meant to be called for every completion.
   */
  @Nullable QueuePair fromQpNum(int qpNum);

  /**
   * The device's counters.
   *
   * <p>A software device sums them over all contexts that this process has open on it. They start
   * at 0 when the first of these is opened, and start over after the last one is closed.
   *
   * <p>A device of libibverbs has those that its driver counts ({@link Counters#has}): summed over
   * all its ports, for all programs, and since the driver was loaded. Where a driver counts in
   * several files what is one counter here, as notifications that were heeded and ignored, it is
   * their sum. Bytes, and packets of a driver without a count of its own, are those of the ports:
   * BYTES_SENT is port_xmit_data times 4, and includes the headers before the BTH. {@link
   * Counters#byFile} has all that the driver counts.
   */
  Counters counters();

  /**
   * How a software device reaches its peers, in words for people, the first way that is possible
   * first: "calls within this process, memory shared with other processes of this user on this
   * computer, UDP". Where one of the ways of {@link LinkKind#AUTO} is missing, it says why.
   * Datagrams use shared memory only where nothing else is. What a connected queue pair uses is in
   * {@link QueuePair#dump}. Empty for a device of libibverbs.
   */
  default String links() {
    return "";
  }

  /** Whether the context was closed. */
  boolean isClosed();

  /**
   * Closes the device and everything made from it, in a legal order (ibv_close_device). Idempotent.
   * Peers are told nothing, and each {@link dev.verbena.verbs.connect.Connection} of its queue
   * pairs stays open: close those, too.
   */
  @Override
  void close();
}
