package dev.verbena.verbs;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A send queue and a receive queue with a transport service (struct ibv_qp). */
public interface QueuePair extends RecvTarget, AutoCloseable {
  /** The context. */
  Context context();

  /** The protection domain; a parent domain if it was created with one; null for XRC_RECV. */
  @Nullable ProtectionDomain pd();

  /** Number, 24 bits, unique among the existing queue pairs of its device. */
  int qpNum();

  /** Transport service. */
  QpType qpType();

  /** State as of the last modify or query of this object; call query for the current one. */
  QpState state();

  /** The completion queue of sends. */
  @Nullable CompletionQueue sendCq();

  /** The completion queue of receives. */
  @Nullable CompletionQueue recvCq();

  /** Shared receive queue, or null. */
  @Nullable SharedReceiveQueue srq();

  /** The application's own object. */
  @Nullable Object qpContext();

  /**
   * Changes the attributes that are set in {@code attr} (ibv_modify_qp). The manual page
   * ibv_modify_qp(3) lists the attributes that each step requires and allows.
   *
   * @throws VerbsException EINVAL for a transition that does not exist, or a missing, superfluous
   *     or bad attribute, in which case nothing changes; EOPNOTSUPP for a queue pair that hashes
   *     ({@link QpInitAttr#rxHash}): its work queues have the states
   * @throws IllegalStateException if this thread has a batch of the queue pair open; on devices of
   *     libibverbs also for a step to RESET while it has a cursor on one of its completion queues
   */
  default void modify(QpAttr attr) {
    modify(attr, attr.mask());
  }

  /** Changes the attributes that {@code mask} names; otherwise like {@link #modify(QpAttr)}. */
  void modify(QpAttr attr, int mask);

  /**
   * Reads the attributes (ibv_query_qp). The mask of the result is empty.
   *
   * @param mask the {@link QpAttrMask} bits needed; none for all. Others may be filled in as well:
   *     a software device always gives all, an adapter perhaps only these
   */
  QpAttr query(int... mask);

  /** The attributes it was created with, with the sizes granted (the init_attr of ibv_query_qp). */
  QpInitAttr queryInit();

  /**
   * Posts a list of send work requests (ibv_post_send). Allocates nothing. The payload is not
   * copied: it may change again only once the completion of the request, or of a later one, has
   * been polled, even if the peer's answer is there; with INLINE it may at once.
   *
   * <p>While another thread has a batch open, this thread waits for its end, uninterruptibly; with
   * a thread domain it does not.
   *
   * @throws WorkRequestException EINVAL for a bad request or in RESET, INIT, RTR; ENOMEM if the
   *     queue is full. Requests before the failing one are posted. Drivers of adapters may take
   *     what a software device refuses, such as a request before RTS, and never execute it.
   * @throws ObjectClosedException if the queue pair is closed, or is closed while this thread waits
   *     for another thread's batch; nothing is posted
   * @throws IllegalStateException if this thread is between wrStart and wrComplete on this queue
   *     pair; on a device of libibverbs, with a thread domain, also if another thread is
   */
  void postSend(@Nullable SendWr wr);

  /**
   * Posts a list of receives (ibv_post_recv). Allocates nothing. A buffer may be touched again only
   * after its completion has been polled.<a id="PR-011"></a>
   *
   * @throws WorkRequestException EINVAL for a bad receive, in RESET, or if it has a shared receive
   *     queue; ENOMEM if the queue is full. Receives before the failing one are posted.
   * @throws ObjectClosedException if the queue pair is closed
   */
  @Override
  void postRecv(@Nullable RecvWr wr);

  /**
   * The extended posting API of this queue pair (ibv_qp_to_qp_ex).
   *
   * @throws VerbsException EINVAL if it was created without send operations
   */
  QueuePairEx toQpEx();

  /**
   * Binds a type 1 memory window (ibv_bind_mw): posts a request to the send queue, which completes
   * as BIND_MW, and gives the window its next key at once. Once the request has completed, the old
   * key is invalid and no access through it is in progress. A length of 0 unbinds ({@link
   * MwBindInfo#unbind()}). Threads that bind the same window concurrently get different keys; the
   * order of the completions shows which bind was the last. Errors that can only be detected when
   * the bind is executed are reported by the completion, as MW_BIND_ERR.
   *
   * @throws VerbsException EINVAL for a type 2 or ZERO_BASED window, address or length without a
   *     region, or a queue pair type that binds no windows; EPERM if region and window belong to
   *     different domains; EOPNOTSUPP if the device has no memory windows
   * @throws WorkRequestException as {@link #postSend}, with {@code bind} as the failing request
   *     ({@link WorkRequestException#badMwBind()}); the window keeps its key
   * @throws ObjectClosedException as {@link #postSend}, or if the window is closed
   */
  void bindMw(MemoryWindow mw, MwBind bind);

  /**
   * Joins a multicast group (ibv_attach_mcast), in any state. Joining a group again has no effect.
   * The queue pair then receives what is sent to the group, including its own datagrams unless it
   * was created with {@link QpCreateFlags#BLOCK_SELF_MCAST_LB}. Sending to a group, to queue pair
   * number {@link AddressHandle#MULTICAST_QPN}, needs no membership. Such a message reaches only
   * the local link, unless the address handle has a hop limit greater than 1 ({@link AhAttr#to}).
   *
   * @param gid {@code ::ffff:a.b.c.d} or {@code ff0e::ffff:a.b.c.d} for an IPv4 group, which a
   *     device with an IPv6 address cannot join; or another {@code ff..} for the IPv6 group of
   *     these 16 bytes. On a device with an IPv4 address the latter is mapped to an IPv4 group
   *     239.x.y.z, computed from all 16 bytes; the GRH of received messages has that group
   * @param lid ignored on Ethernet
   * @throws VerbsException EINVAL for a queue pair that is not UD, for any other GID, and for an
   *     IPv4 group on a device with an IPv6 address; ENOMEM beyond max_mcast_grp,
   *     max_mcast_qp_attach or max_total_mcast_qp_attach; the operating system's error if the
   *     network interface cannot join; EOPNOTSUPP if the device has no multicast
   */
  void attachMcast(Gid gid, int lid);

  /**
   * Joins a multicast group on Ethernet, where there are no LIDs; otherwise like {@link
   * #attachMcast(Gid, int)}.
   */
  default void attachMcast(Gid gid) {
    attachMcast(gid, 0);
  }

  /**
   * Leaves a multicast group (ibv_detach_mcast).
   *
   * @throws VerbsException EINVAL if it is not a member; EOPNOTSUPP if the device has no multicast
   */
  void detachMcast(Gid gid, int lid);

  /**
   * Leaves a multicast group on Ethernet, where there are no LIDs; otherwise like {@link
   * #detachMcast(Gid, int)}.
   */
  default void detachMcast(Gid gid) {
    detachMcast(gid, 0);
  }

  /**
   * Joins the multicast group that is the destination of a path; otherwise like {@link
   * #attachMcast(Gid, int)}.
   *
   * @throws VerbsException as for attachMcast
   */
  default void attachMcast(IbPath path) {
    attachMcast(path.dgid(), path.dlid());
  }

  /**
   * Leaves the multicast group that is the destination of a path; otherwise like {@link
   * #detachMcast(Gid, int)}.
   *
   * @throws VerbsException as for detachMcast
   */
  default void detachMcast(IbPath path) {
    detachMcast(path.dgid(), path.dlid());
  }

  /**
   * Adds a steering rule: this queue pair receives the frames that match it (ibv_create_flow). A
   * RAW_PACKET queue pair receives nothing else.
   *
   * <p>Rules are tried in the order of their priority; among equals the oldest comes first. The
   * first matching NORMAL rule takes the frame, unless it has {@link FlowFlags#DONT_TRAP}. A frame
   * that none takes goes to the first MC_DEFAULT rule if it is multicast, or else to the first
   * ALL_DEFAULT rule. Every SNIFFER rule gets a copy of every frame, received and sent. A frame for
   * another station's address reaches only SNIFFER and ALL_DEFAULT rules, and NORMAL rules with a
   * condition on the destination MAC address.
   *
   * @throws VerbsException EINVAL for a queue pair that is neither RAW_PACKET nor UD, a bad port,
   *     priority or flag, or specifications that are missing, superfluous or contradictory;
   *     EOPNOTSUPP if the device has no steering (DeviceCap.MANAGED_FLOW_STEERING), or none of this
   *     kind; ENOMEM for too many rules
   */
  Flow createFlow(FlowAttr attr);

  /**
   * The data that peers need to reach this queue pair: its number, its start PSN, and its GID at
   * index 0. The start PSN is chosen at random at creation and at each transition to RESET, so that
   * late packets of an old connection do not match the next one: exchange endpoints again after a
   * RESET.
   */
  default QpEndpoint endpoint() {
    return endpoint(0);
  }

  /** The endpoint with the GID at another index of port 1; otherwise like {@link #endpoint()}. */
  default QpEndpoint endpoint(int gidIndex) {
    return endpoint(1, gidIndex);
  }

  /**
   * The endpoint with a GID of another port; otherwise like {@link #endpoint()}. To use it, {@link
   * #connect(QpEndpoint, QpEndpoint, QpAttr, int...)} needs the port as well: {@code new
   * QpAttr().portNum(2)}.
   *
   * @param portNum from 1
   * @param gidIndex from 0
   * @throws VerbsException EINVAL if there is no such port, or no such entry in its GID table
   */
  QpEndpoint endpoint(int portNum, int gidIndex);

  /**
   * Takes a queue pair that has a connection (RC, UC, XRC_SEND, XRC_RECV) from RESET or INIT to
   * RTS, connected to {@code remote}, with default values: the smaller path MTU of both ends,
   * timeout {@value QpAttr#DEFAULT_TIMEOUT} (67 ms; from a device with faults to itself 10, which
   * is 4 ms), {@value QpAttr#DEFAULT_RETRY_CNT} retries, unlimited RNR retries, min_rnr_timer
   * {@value QpAttr#DEFAULT_MIN_RNR_TIMER}, READ and atomic depth up to 16 as granted by the device,
   * and {@code access} for incoming requests. The start PSN is the one in {@link #endpoint()}. UC
   * and XRC queue pairs use only the values that apply to them.
   *
   * <p>The kernel's soft-RoCE (rxe) takes 7 retries as "for ever", so a peer that is gone is not
   * noticed there without {@code new QpAttr().retryCnt(6)} as overrides. The address has a GRH
   * always, which InfiniBand needs between subnets only; {@link AhAttr#withoutGrh} leaves it out.
   *
   * <p>With unlimited RNR retries (rnr_retry 7) a SEND to a peer that posts no receive waits for
   * ever; {@link #connect(QpEndpoint, QpEndpoint, QpAttr, int...)} can set another number. A READ,
   * WRITE or atomic needs the right in the <em>target's</em> connect and in its region.
   *
   * <p>If a step fails, the queue pair stays in the state that it had reached. From INIT this can
   * be called again, for instance with another address; from RTR a modify to RESET comes first.
   *
   * @param remote the endpoint that the peer's {@link #endpoint()} returned
   * @param access {@link Access} bits that gate incoming requests; none for sends only
   * @throws VerbsException EINVAL unless it has a connection and is in RESET or INIT; as for modify
   */
  default void connect(QpEndpoint remote, int... access) {
    connect(endpoint(), remote, new QpAttr(), access);
  }

  /**
   * Connects with a local endpoint of the caller's choice and with values other than the defaults;
   * otherwise like {@link #connect(QpEndpoint, int...)}.
   *
   * @param local the endpoint that the peer was given: its psn becomes sq_psn, its gidIndex the
   *     index of the source GID, and its mtu limits the path MTU
   * @param remote the peer's endpoint
   * @param overrides the attributes set in its mask replace the default values in the step to INIT,
   *     RTR or RTS to which they belong
   * @param access {@link Access} bits that gate incoming requests, unless overrides set
   *     qp_access_flags
   * @throws VerbsException EINVAL unless it has a connection and is in RESET or INIT, and if
   *     overrides set an attribute that belongs to none of these steps (then nothing changes); as
   *     for modify
   */
  default void connect(QpEndpoint local, QpEndpoint remote, QpAttr overrides, int... access) {
    Connector.connect(
        this,
        Objects.requireNonNull(local, "local"),
        Objects.requireNonNull(remote, "remote"),
        Objects.requireNonNull(overrides, "overrides"),
        Access.of(access));
  }

  /**
   * Takes a UD queue pair from RESET or INIT to RTS, on port 1 with the first P_Key and the start
   * PSN of {@link #endpoint()}.
   *
   * @param qkey the Q_Key that datagrams must carry to be received; it replaces one that was set
   *     before
   * @throws VerbsException EINVAL unless it is a UD queue pair in RESET or INIT
   */
  default void toRts(int qkey) {
    Connector.toRts(this, qkey);
  }

  /**
   * Goes from RESET to INIT for a path: port_num comes from its end port, pkey_index from its
   * P_Key, and qkey, on UD, from the path. After that, receives may be posted.
   *
   * @param access {@link Access} bits that gate incoming requests; ignored on UD
   * @throws VerbsException EINVAL if the path has no end port, or one of another device; ENOENT if
   *     the P_Key is not in the end port's table; as for modify
   */
  default void modifyToInit(IbPath path, int... access) {
    PathAttributes.requireDevice("modifyToInit", context(), path);
    QpSteps.toInit(this, PathAttributes.init(path, Access.of(access)));
  }

  /**
   * Goes from INIT to RTR for a path, with the attributes that this type of queue pair needs: the
   * path's destination ({@link QpAttr#ahAttr(IbPath)}), MTU, dqpn as dest_qp_num, dqpsn as rq_psn,
   * drdatomic as max_dest_rd_atomic, and min_rnr_timer; none on UD.
   *
   * @throws VerbsException EINVAL if the path has no end port, or one of another device; ENOENT if
   *     its source GID is not in the end port's table; as for modify
   */
  default void modifyToRtr(IbPath path) {
    PathAttributes.requireDevice("modifyToRtr", context(), path);
    QpSteps.toRtr(this, QpSteps.hasConnection(qpType()) ? PathAttributes.rtr(path) : new QpAttr());
  }

  /**
   * Goes from RTR to RTS for a path, with the attributes that this type of queue pair needs: sqpsn
   * as sq_psn, the timer code of {@link IbPath#qpTimeout()} as timeout, retries as retry_cnt,
   * srdatomic as max_rd_atomic; rnr_retry is 7, without limit. On UC and UD only sq_psn.
   *
   * @throws VerbsException as for modify
   */
  default void modifyToRts(IbPath path) {
    QpSteps.toRts(this, PathAttributes.rts(path));
  }

  /**
   * Goes to RTS for a path: {@link #modifyToInit}, {@link #modifyToRtr} and {@link #modifyToRts}. A
   * queue pair already in INIT continues from there, so that receives can be posted before the peer
   * sends: {@code modifyToInit}, {@code postRecv}, {@code establish}.
   *
   * @param access {@link Access} bits that gate incoming requests; ignored on UD. A queue pair
   *     already in INIT keeps its current ones if none are given
   * @throws VerbsException as for these three
   */
  default void establish(IbPath path, int... access) {
    if (state() != QpState.INIT || access.length > 0) {
      modifyToInit(path, access);
    }
    modifyToRtr(path);
    modifyToRts(path);
  }

  /**
   * The connection establishment options that this queue pair supports (ibv_query_ece).
   *
   * @throws VerbsException EOPNOTSUPP if the device has none, such as the software device
   */
  default Ece queryEce() {
    context();
    throw new VerbsException("queryEce", Errno.EOPNOTSUPP, "this device has no ECE options");
  }

  /**
   * Sets the options that both ends support (ibv_set_ece).
   *
   * @throws VerbsException EOPNOTSUPP if the device has none, such as the software device
   */
  default void setEce(Ece ece) {
    context();
    throw new VerbsException("setEce", Errno.EOPNOTSUPP, "this device has no ECE options: " + ece);
  }

  /**
   * Whether the bytes of a message are written to memory in order (ibv_query_qp_data_in_order, and
   * its manual page), so that a program may poll the memory in place of the completion queue. Says
   * nothing about the order of several messages, nor about memory that a device reads, or that was
   * registered with RELAXED_ORDERING. It is about the side that gets the data: SENDs and WRITEs of
   * the peer, and READs of this queue pair.
   *
   * <p>0 promises nothing and is no error, so it is also the answer to flags and operations that
   * the device does not know, of an installed libibverbs before release 36, which has no such
   * function, and of drivers that promise only what a queue pair in RTS does. The software device
   * returns 0: it writes the last byte of a message last, but promises nothing about the bytes
   * before it.
   *
   * @param opcode SEND, RDMA_WRITE or RDMA_READ, or one of these with immediate data or a key to
   *     invalidate; of others no answer is of use
   * @param flags 0 to return yes (1) or no (0) for whole messages; {@link DataInOrder#RETURN_CAPS}
   *     to return the {@link DataInOrder} bits that hold, of which WHOLE_MSG comes with
   *     ALIGNED_128_BYTES. Drivers of rdma-core before release 46 may answer 0 to it.
   * @throws ObjectClosedException if the queue pair is closed
   */
  default int queryDataInOrder(WrOpcode opcode, int flags) {
    context();
    return 0;
  }

  /**
   * A few lines that tell a human reader what the queue pair is waiting for: its state, why it is
   * in error, which way its messages go, packet sequence numbers, queues, retries and timers. Any
   * thread may call this at any time, even between {@code wrStart} and {@code wrComplete}. It may
   * wait for a thread that is working on the queue pair, and finish work that such a thread left
   * behind. The format may change, and differs from device to device.
   *
   * @return lines, each ending with a line break; for a closed queue pair a line that says so: this
   *     method never throws
   */
  default String dump() {
    return this + "\n";
  }

  /**
   * Counts of what this queue pair has sent, received, retransmitted and dropped since it was
   * created. {@link Counter} says which counters queue pairs have; the others stay 0 here. Each
   * count is also included in the device's ({@link Context#counters()}). The counters can still be
   * read after the queue pair is closed, through an object obtained before.
   *
   * @throws VerbsException EOPNOTSUPP on devices of libibverbs, which count nothing for one queue
   *     pair
   */
  Counters counters();

  /**
   * Destroys the queue pair (ibv_destroy_qp). Waits, interruptibly, until all asynchronous events
   * taken have been acknowledged. Outstanding work is dropped without completions, and drivers of
   * adapters drop completions that have not been polled. Threads that wait to post end by {@link
   * ObjectClosedException}; those that wait for completions go on waiting, since their queue is
   * still there. To miss nothing, modify to ERR and poll what is flushed before.
   *
   * @throws VerbsException EBUSY while it is a member of a multicast group or has a flow; EINTR if
   *     the thread is interrupted while it waits, in which case the queue pair is unchanged and the
   *     thread's interrupt status stays set
   */
  void destroy();

  /** Whether the queue pair was closed. */
  boolean isClosed();

  /**
   * Leaves its multicast groups, removes its flows, acknowledges the events taken, and destroys the
   * queue pair. Idempotent. The peer is told nothing, and a {@link
   * dev.verbena.verbs.connect.Connection} of the queue pair stays open: close that, too.
   */
  @Override
  void close();
}
