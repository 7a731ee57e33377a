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
 * <p>A context that a program loses, with all that was made from it, is not closed by that. Some
 * time later the device notices, closes it and logs a warning. So a program that only lets peers
 * reach its memory must keep a reference to the context, or to anything made from it, as long as
 * that is to go on; so does a listener ({@link EventSource#onReadiness}). To keep the memory of a
 * region, or a value such as an endpoint, is not enough.
 *
 * <p>Which threads may use what at once is in the table of the {@linkplain dev.verbena.verbs
 * package}.
 */
public interface Context extends AutoCloseable {
  /** The device. */
  Device device();

  /** Completion vectors: the values from 0 that createCq takes (num_comp_vectors). At least 1. */
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
   * State and limits of {@link #endPort()}, which learns them, too.
   *
   * @throws VerbsException EINVAL if the device has no port
   */
  default PortAttr queryPort() {
    return endPort().query(this::queryPort);
  }

  /**
   * The end port that {@link Rdma#getVerbs(EndPort)} opened this for; otherwise the device's first.
   *
   * @throws VerbsException EINVAL if the device has no port
   */
  default EndPort endPort() {
    return EndPorts.of(this);
  }

  /**
   * What a port can carry in a second, in units of 100 Mbit/s (ibv_query_port_speed): by the width
   * and the speed of {@link #queryPort}, unless a device knows better.
   *
   * @throws VerbsException EINVAL unless 1 ≤ portNum ≤ the device's ports
   */
  default long queryPortSpeed(int portNum) {
    return queryPort(portNum).speed();
  }

  /**
   * Present values of the device (ibv_query_rt_values_ex).
   *
   * @param mask {@link ValuesMask}: what is asked for
   * @return what is known of it
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

  /** The entries of the GID tables of all ports that are not empty (ibv_query_gid_table). */
  List<GidEntry> queryGidTable();

  /**
   * An entry of the P_Key table (ibv_query_pkey): 16 bits, bit 15 for full members; 0xFFFF at index
   * 0.
   *
   * @throws VerbsException EINVAL for a port or an index that does not exist
   */
  int queryPkey(int portNum, int index);

  /**
   * The index of the first entry equal to this P_Key (ibv_get_pkey_index).
   *
   * @throws VerbsException EINVAL for a port that does not exist, ENOENT if no entry is equal
   */
  int getPkeyIndex(int portNum, int pkey);

  /**
   * The address to which to reply to what a UD queue pair has received (ibv_init_ah_from_wc): the
   * sender's GID, from the GID that it was sent to, with the traffic class and hop limit that it
   * came with. The service level is that of the completion ({@link WorkCompletion#sl()}): on
   * Ethernet, where it stands for the IP version, it has no effect on what is sent.
   *
   * @param portNum the port that it was received on
   * @param wc its completion
   * @param grh the first 40 bytes of the receive; not looked at unless the completion has {@link
   *     WcFlags#GRH}, and then required
   * @throws VerbsException EINVAL for a port that does not exist, an area of fewer bytes, and if it
   *     was sent to a multicast group, or to an address that is not in the port's GID table: then
   *     the source of a reply is the application's to choose; EPROTONOSUPPORT if the area holds
   *     neither an IPv4 nor an IPv6 header that carries RoCE; EFAULT if its memory is gone, because
   *     its arena was closed or its mapped file cut short
   */
  AhAttr initAhFromWc(int portNum, WorkCompletion wc, @Nullable MemorySegment grh);

  /**
   * The Ethernet address of a port: what RAW_PACKET queue pairs send from and are reached at. C
   * programs ask the network interface for it.
   *
   * @throws VerbsException EINVAL for a port that does not exist, EOPNOTSUPP if the device does not
   *     tell
   */
  MacAddress queryMac(int portNum);

  /** A new protection domain (ibv_alloc_pd). */
  ProtectionDomain allocPd();

  /**
   * Creates a work queue, in RESET: a receive queue that several queue pairs can share by a hash
   * (ibv_create_wq(3)). Owned by its protection domain, whose {@link ProtectionDomain#close()}
   * closes it; it cannot end while an indirection table uses it. Uses its completion queue.
   *
   * @throws VerbsException EOPNOTSUPP where the device has none (max_wq_type_rq is 0); EINVAL if a
   *     size is out of range, or a part belongs to another context; ENOMEM beyond max_qp
   */
  default WorkQueue createWq(WqInitAttr attr) {
    device();
    throw new VerbsException(
        "createWq", Errno.EOPNOTSUPP, "this device has no work queues: max_wq_type_rq is 0");
  }

  /**
   * Creates the table by which a hash of a frame's addresses and ports chooses a work queue
   * (ibv_create_rwq_ind_table(3)). Owned by the context; uses its work queues.
   *
   * @param indTbl its entries, a power of two of them; a queue may be several
   * @throws VerbsException EOPNOTSUPP where the device does not hash (max_rwq_indirection_tables of
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
   * The protection domain that another process has under this handle (ibv_import_pd).
   *
   * @throws VerbsException EOPNOTSUPP where devices cannot be shared like this; software devices
   *     cannot
   */
  default ProtectionDomain importPd(int pdHandle) {
    device();
    throw new VerbsException(
        "importPd", Errno.EOPNOTSUPP, "handle " + pdHandle + ": this device shares no objects");
  }

  /**
   * A new thread domain (ibv_alloc_td): the promise that one thread at a time uses the objects
   * created with it.
   */
  ThreadDomain allocTd();

  /**
   * A protection domain that adds a thread domain to another one, and is interchangeable with it
   * otherwise (ibv_alloc_parent_domain).
   *
   * @throws VerbsException EINVAL if {@code pd} is itself a parent domain or either belongs to
   *     another context
   */
  ParentDomain allocParentDomain(ProtectionDomain pd, @Nullable ThreadDomain td);

  /**
   * As {@link #createCq(int, Object, CompletionChannel, int)} without channel, on completion vector
   * 0.
   */
  default CompletionQueue createCq(int cqe) {
    return createCq(cqe, null, null, 0);
  }

  /** As {@link #createCq(int, Object, CompletionChannel, int)} on completion vector 0. */
  default CompletionQueue createCq(int cqe, CompletionChannel channel) {
    return createCq(cqe, null, channel, 0);
  }

  /**
   * A new completion queue (ibv_create_cq).
   *
   * @param cqe entries, 1 to max_cqe; the queue may get more
   * @param cqContext the application's own object, returned with events
   * @param channel where its events go, or null
   * @param compVector completion vector, from 0
   * @throws VerbsException EINVAL for a size or a vector out of range, or a channel of another
   *     context
   */
  CompletionQueue createCq(
      int cqe, @Nullable Object cqContext, @Nullable CompletionChannel channel, int compVector);

  /**
   * A new completion queue that is read with a cursor (ibv_create_cq_ex).
   *
   * @throws VerbsException EINVAL as createCq or for a parent domain of another context, EOPNOTSUPP
   *     for a field or a flag the device does not have
   */
  CompletionQueueEx createCqEx(CqInitAttrEx attr);

  /** A new completion channel (ibv_create_comp_channel). */
  CompletionChannel createCompChannel();

  /**
   * A new queue pair that has no protection domain: XRC_RECV (ibv_create_qp_ex with comp_mask
   * XRCD).
   *
   * <p><b>Not for the extended posting API:</b> an XRC_RECV queue pair posts nothing, so this
   * returns a plain {@link QueuePair} and refuses send operations. A {@link QueuePairEx} is made by
   * {@link ProtectionDomain#createQpEx}.
   *
   * <p>Its sizes and completion queues are ignored, since what arrives goes to shared receive
   * queues. Owned by the context; uses its XRC domain.
   *
   * @throws VerbsException EINVAL for another type, without an XRC domain of this context or with
   *     send operations; EOPNOTSUPP where the device has no XRC; ENOMEM beyond max_qp
   */
  QueuePair createQpEx(QpInitAttr attr);

  /**
   * Another handle of an existing XRC_RECV queue pair (ibv_open_qp). The queue pair lasts until its
   * last handle is destroyed. Whatever handle changes it, all see it; each handle's context gets
   * its asynchronous events.
   *
   * @throws VerbsException ENOENT if the XRC domain has no queue pair with this number, EINVAL for
   *     another type or a domain of another context, EOPNOTSUPP where the device has no XRC
   */
  QueuePair openQp(QpOpenAttr attr);

  /**
   * Opens a private XRC domain.
   *
   * @throws VerbsException EOPNOTSUPP where the device has no XRC
   */
  default XrcDomain openXrcd() {
    return openXrcd(XrcdInitAttr.anonymous());
  }

  /**
   * Opens an XRC domain (ibv_open_xrcd).
   *
   * @throws VerbsException ENOENT without CREAT if there is none yet for the file, EEXIST with
   *     CREAT and EXCL if there is one, EINVAL for a private domain without CREAT and for unknown
   *     flags, EBADF if the file does not exist or cannot be opened for reading (a C program meets
   *     these at its own open, and ibv_open_xrcd knows only a bad descriptor), EOPNOTSUPP where the
   *     device has no XRC
   */
  XrcDomain openXrcd(XrcdInitAttr attr);

  /**
   * Waits for the next asynchronous event (ibv_get_async_event). Interruptible. Each event goes to
   * one of the threads that wait.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   * @throws ObjectClosedException if the context is closed, or was while this thread waited: close
   *     wakes all who wait
   */
  AsyncEvent getAsyncEvent() throws InterruptedException;

  /**
   * The next asynchronous event, or null if none came in time; a zero timeout never waits, as with
   * O_NONBLOCK.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   * @throws ObjectClosedException as {@link #getAsyncEvent()}
   */
  @Nullable AsyncEvent getAsyncEvent(Duration timeout) throws InterruptedException;

  /** A source that is ready while asynchronous events wait; C's async_fd. */
  EventSource asyncEventSource();

  /**
   * Whether a selection found asynchronous events: the key is of {@link #asyncEventSource()}'s
   * channel, and readable. Another thread may take the event first.
   *
   * @param key any key; one of another channel is answered with false
   */
  default boolean checkPoll(SelectionKey key) {
    return asyncEventSource().isReady(key);
  }

  /**
   * Does what is usual for an asynchronous event: acknowledges it; has the end port that it is
   * about forget what it knows, and ask again; and throws if it tells of a failure of the device, a
   * queue or a queue pair.
   *
   * @throws AsyncException for DEVICE_FATAL, SRQ_ERR, CQ_ERR, QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR,
   *     PATH_MIG_ERR and WQ_FATAL
   */
  default void handleAsyncEvent(AsyncEvent event) {
    AsyncEventHandling.handle(event);
  }

  /**
   * The queue pair of this context with a number, as completions have it; null if there is none. A
   * search through all that is open: not for every completion.
   */
  @Nullable QueuePair fromQpNum(int qpNum);

  /**
   * The device's running counts, summed over all contexts that this process has open on it. They
   * start at 0 when the first of these is opened, and start over after the last one was closed.
   */
  Counters counters();

  /** Whether the context was closed. */
  boolean isClosed();

  /**
   * Closes the device and everything made from it, in a legal order (ibv_close_device). Idempotent.
   */
  @Override
  void close();
}
