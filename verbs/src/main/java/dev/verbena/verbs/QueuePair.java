package dev.verbena.verbs;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A send queue and a receive queue with a transport service (struct ibv_qp). */
public interface QueuePair extends RecvTarget, AutoCloseable {
  /** The context. */
  Context context();

  /** The protection domain; a parent domain if it was created with one; null for XRC_RECV. */
  @Nullable ProtectionDomain pd();

  /** Number, 24 bits, unique on its device among those alive. */
  int qpNum();

  /** Transport service. */
  QpType qpType();

  /** State as of the last modify or query of this object; query for the truth. */
  QpState state();

  /** Where completions of sends go. */
  @Nullable CompletionQueue sendCq();

  /** Where completions of receives go. */
  @Nullable CompletionQueue recvCq();

  /** Shared receive queue, or null. */
  @Nullable SharedReceiveQueue srq();

  /** The application's own object. */
  @Nullable Object qpContext();

  /**
   * Changes what was set in {@code attr} (ibv_modify_qp). The manual page ibv_modify_qp(3) lists
   * the attributes that each step requires and allows.
   *
   * @throws VerbsException EINVAL for a transition that does not exist, a missing, superfluous or
   *     bad attribute: nothing is changed then; EOPNOTSUPP for a queue pair that hashes ({@link
   *     QpInitAttr#rxHash}), whose work queues have the states
   */
  default void modify(QpAttr attr) {
    modify(attr, attr.mask());
  }

  /** As {@link #modify(QpAttr)} with an explicit mask of {@link QpAttrMask} bits. */
  void modify(QpAttr attr, int mask);

  /**
   * Reads attributes (ibv_query_qp). All are filled; the mask of the result is empty.
   *
   * @param mask {@link QpAttrMask} bits that are wanted; a device may need less work for fewer
   */
  QpAttr query(int... mask);

  /** What it was created with, sizes as granted (the init_attr of ibv_query_qp). */
  QpInitAttr queryInit();

  /**
   * Posts a list of send work requests (ibv_post_send). Allocates nothing.
   *
   * @throws WorkRequestException EINVAL for a bad request or in RESET, INIT, RTR; ENOMEM if the
   *     queue is full. Requests before the failing one are posted.
   * @throws ObjectClosedException if the queue pair is closed, or was while this thread waited for
   *     another one's batch; nothing is posted
   * @throws IllegalStateException if this thread is between wrStart and wrComplete on this queue
   *     pair
   */
  void postSend(@Nullable SendWr wr);

  /**
   * Posts a list of receives (ibv_post_recv). Allocates nothing. A buffer may be touched again only
   * when its completion was polled.<a id="PR-011"></a>
   *
   * @throws WorkRequestException EINVAL for a bad receive, in RESET, or if it has a shared receive
   *     queue; ENOMEM if the queue is full. Receives before the failing one are posted.
   * @throws ObjectClosedException as {@link #postSend}
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
   * as BIND_MW, and gives the window its next key at once. Once it has completed, the old key is
   * invalid and no access through it is under way. A length of 0 unbinds ({@link
   * MwBindInfo#unbind()}). Threads that bind one window at the same time get different keys; the
   * order of their completions shows which bind was the last. What can only be checked when the
   * bind is executed fails in the completion: MW_BIND_ERR.
   *
   * @throws VerbsException EINVAL for a type 2 or ZERO_BASED window, address or length without a
   *     region, or a queue pair type that binds no windows; EPERM if region and window are of
   *     different domains; EOPNOTSUPP where the device has no memory windows
   * @throws WorkRequestException as {@link #postSend}, with {@code bind} as the failing request
   *     ({@link WorkRequestException#badMwBind()}); the window keeps its key
   * @throws ObjectClosedException as {@link #postSend}, or if the window is closed
   */
  void bindMw(MemoryWindow mw, MwBind bind);

  /**
   * Joins a multicast group (ibv_attach_mcast), in any state. Joining a group twice is joining it
   * once. From then on the queue pair gets what is sent to the group, its own datagrams too unless
   * it was created with {@link QpCreateFlags#BLOCK_SELF_MCAST_LB}. Sending to a group, to queue
   * pair number {@link AddressHandle#MULTICAST_QPN}, needs no membership. It reaches the local link
   * only, unless the address handle has a hop limit beyond 1 ({@link AhAttr#to}).
   *
   * @param gid {@code ::ffff:a.b.c.d} or {@code ff0e::ffff:a.b.c.d} for an IPv4 group, which a
   *     device with an IPv6 address cannot join; or another {@code ff..} for the IPv6 group of
   *     these 16 bytes. On a device with an IPv4 address the latter stands for an IPv4 group
   *     239.x.y.z, which is computed from all 16 bytes: the GRH of what is received shows that one
   * @param lid ignored on Ethernet
   * @throws VerbsException EINVAL unless UD and such a GID, and for an IPv4 group on a device with
   *     an IPv6 address; ENOMEM beyond max_mcast_grp, max_mcast_qp_attach or
   *     max_total_mcast_qp_attach; what the system says if the network interface cannot join;
   *     EOPNOTSUPP where the device has no multicast
   */
  void attachMcast(Gid gid, int lid);

  /** As {@link #attachMcast(Gid, int)} on Ethernet, where there are no LIDs. */
  default void attachMcast(Gid gid) {
    attachMcast(gid, 0);
  }

  /**
   * Leaves a multicast group (ibv_detach_mcast).
   *
   * @throws VerbsException EINVAL if it is not a member; EOPNOTSUPP where the device has no
   *     multicast
   */
  void detachMcast(Gid gid, int lid);

  /** As {@link #detachMcast(Gid, int)} on Ethernet, where there are no LIDs. */
  default void detachMcast(Gid gid) {
    detachMcast(gid, 0);
  }

  /**
   * As {@link #attachMcast(Gid, int)} with the destination of a path.
   *
   * @throws VerbsException as attachMcast
   */
  default void attachMcast(IbPath path) {
    attachMcast(path.dgid(), path.dlid());
  }

  /**
   * As {@link #detachMcast(Gid, int)} with the destination of a path.
   *
   * @throws VerbsException as detachMcast
   */
  default void detachMcast(IbPath path) {
    detachMcast(path.dgid(), path.dlid());
  }

  /**
   * Adds a steering rule: frames that match it are received by this queue pair (ibv_create_flow). A
   * RAW_PACKET queue pair receives nothing else.
   *
   * <p>Rules are asked in the order of their priority, the oldest first among equals. The first
   * NORMAL rule that matches takes the frame, unless it has {@link FlowFlags#DONT_TRAP}; what none
   * takes goes to the first MC_DEFAULT rule, if it is for a group, or else to the first ALL_DEFAULT
   * rule. Every SNIFFER rule gets a copy of every frame, received and sent. What is for another
   * station's address reaches only rules that say so: SNIFFER, ALL_DEFAULT, and NORMAL ones that
   * ask for a destination MAC address.
   *
   * @throws VerbsException EINVAL for a queue pair that is neither RAW_PACKET nor UD, a bad port,
   *     priority or flag, or specifications that are missing, superfluous or contradict each other;
   *     EOPNOTSUPP where the device has no steering (DeviceCap.MANAGED_FLOW_STEERING) or not of
   *     this kind; ENOMEM for too many
   */
  Flow createFlow(FlowAttr attr);

  /**
   * How peers reach this queue pair: its number, its start PSN, and its GID at index 0. The start
   * PSN is drawn at creation and again by each transition to RESET, so that late packets of an old
   * connection do not fit the next: exchange endpoints again after a RESET.
   */
  default QpEndpoint endpoint() {
    return endpoint(0);
  }

  /** As {@link #endpoint()} with the GID at another index of port 1. */
  QpEndpoint endpoint(int gidIndex);

  /**
   * Takes a queue pair that has a connection (RC, UC, XRC_SEND, XRC_RECV) from RESET to RTS,
   * connected to {@code remote}, with usual values: path MTU the smaller of both ends', timeout 14,
   * 7 retries, RNR without limit, min_rnr_timer 12, READ and atomic depth as granted by the device
   * up to 16, and {@code access} for incoming requests. The start PSN is {@link #endpoint()}'s. UC
   * and XRC queue pairs take what they have of these.
   *
   * <p>RNR without limit (rnr_retry 7) means that a SEND to a peer that posts no receive waits for
   * ever; {@link #connect(QpEndpoint, QpEndpoint, QpAttr, int...)} sets another number. A READ,
   * WRITE or atomic needs the right in the <em>target's</em> connect and in its region.
   *
   * @param remote what the peer's {@link #endpoint()} gave
   * @param access {@link Access} bits that gate incoming requests; none for sends only
   * @throws VerbsException EINVAL unless it has a connection and is in RESET, or as modify
   */
  default void connect(QpEndpoint remote, int... access) {
    connect(endpoint(), remote, new QpAttr(), access);
  }

  /**
   * As {@link #connect(QpEndpoint, int...)} with an endpoint of one's own choice and other values
   * than the usual ones.
   *
   * @param local what the peer was told: its psn becomes sq_psn, its gidIndex the index of the
   *     source GID, its mtu bounds the path MTU
   * @param remote what the peer told
   * @param overrides what is set in it, by its mask, replaces the usual value in the step to INIT,
   *     RTR or RTS in which it belongs
   * @param access {@link Access} bits that gate incoming requests, unless overrides set
   *     qp_access_flags
   * @throws VerbsException EINVAL unless it has a connection and is in RESET, if overrides set
   *     something that belongs in none of these steps (nothing is changed then), or as modify
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
   * Takes a UD queue pair from RESET to RTS, on port 1 with the first P_Key and the start PSN of
   * {@link #endpoint()}.
   *
   * @param qkey what datagrams must bring to be received
   * @throws VerbsException EINVAL unless it is a UD queue pair in RESET
   */
  default void toRts(int qkey) {
    Connector.toRts(this, qkey);
  }

  /**
   * Goes from RESET to INIT by a path: port_num is the end port's, pkey_index that of the path's
   * P_Key, and qkey the path's on UD. From then on receives may be posted.
   *
   * @param access {@link Access} bits that gate incoming requests; they do not count on UD
   * @throws VerbsException EINVAL if the path has no end port; ENOENT if the P_Key is not in the
   *     end port's table; as modify
   */
  default void modifyToInit(IbPath path, int... access) {
    QpSteps.toInit(this, PathAttributes.init(path, Access.of(access)));
  }

  /**
   * Goes from INIT to RTR by a path, with what this type of queue pair needs: its destination
   * ({@link QpAttr#ahAttr(IbPath)}), MTU, dqpn as dest_qp_num, dqpsn as rq_psn, drdatomic as
   * max_dest_rd_atomic, and min_rnr_timer; nothing on UD.
   *
   * @throws VerbsException EINVAL if the path has no end port; ENOENT if its source GID is not the
   *     end port's; as modify
   */
  default void modifyToRtr(IbPath path) {
    QpSteps.toRtr(this, QpSteps.hasConnection(qpType()) ? PathAttributes.rtr(path) : new QpAttr());
  }

  /**
   * Goes from RTR to RTS by a path, with what this type of queue pair needs: sqpsn as sq_psn, the
   * timer code of {@link IbPath#qpTimeout()} as timeout, retries as retry_cnt, srdatomic as
   * max_rd_atomic; rnr_retry is 7, without limit. On UC and UD sq_psn only.
   *
   * @throws VerbsException as modify
   */
  default void modifyToRts(IbPath path) {
    QpSteps.toRts(this, PathAttributes.rts(path));
  }

  /**
   * Goes to RTS by a path: {@link #modifyToInit}, {@link #modifyToRtr} and {@link #modifyToRts}.
   * One that is in INIT already goes on from there, so that receives can be posted before the peer
   * sends: {@code modifyToInit}, {@code postRecv}, {@code establish}.
   *
   * @param access {@link Access} bits that gate incoming requests; they do not count on UD. One
   *     that is in INIT already keeps those it has if none are given
   * @throws VerbsException as these three
   */
  default void establish(IbPath path, int... access) {
    if (state() != QpState.INIT || access.length > 0) {
      modifyToInit(path, access);
    }
    modifyToRtr(path);
    modifyToRts(path);
  }

  /**
   * The options for a connection that this queue pair supports (ibv_query_ece).
   *
   * @throws VerbsException EOPNOTSUPP where the device has none, such as the software device
   */
  default Ece queryEce() {
    context();
    throw new VerbsException("queryEce", Errno.EOPNOTSUPP, "this device has no ECE options");
  }

  /**
   * Sets the options that both ends support (ibv_set_ece).
   *
   * @throws VerbsException EOPNOTSUPP where the device has none, such as the software device
   */
  default void setEce(Ece ece) {
    context();
    throw new VerbsException("setEce", Errno.EOPNOTSUPP, "this device has no ECE options: " + ece);
  }

  /**
   * Whether the bytes of a message are written in their order (ibv_query_qp_data_in_order). The
   * software device answers 0: the last byte of a message is written last, and nothing is promised
   * of those before it.
   *
   * @param opcode the operation
   * @param flags 0 for a yes (1) or no (0) about whole messages; {@link DataInOrder#RETURN_CAPS}
   *     for the bits of {@link DataInOrder} that hold
   */
  default int queryDataInOrder(WrOpcode opcode, int flags) {
    context();
    return 0;
  }

  /**
   * A few lines for a person who wants to know what it is waiting for: its state, why it is in
   * error, packet sequence numbers, queues, retries and timers. Any thread may call this at any
   * time, even between {@code wrStart} and {@code wrComplete}. It may wait for a thread that is
   * working on the queue pair, and finish work that such a thread has left. The lines may change,
   * and differ from device to device.
   *
   * @return lines, each with a line break at its end; for a closed queue pair one that says so:
   *     this method throws nothing
   */
  default String dump() {
    return this + (isClosed() ? " is closed\n" : "\n");
  }

  /**
   * What this queue pair has sent, received, sent again and dropped since it was created. A {@link
   * Counter} says whether queue pairs count it; the others stay 0 here. Each count is the device's
   * ({@link Context#counters()}) as well. What was counted can still be read once it is closed,
   * from an object taken before.
   */
  Counters counters();

  /**
   * Destroys the queue pair (ibv_destroy_qp). Waits, interruptibly, until all async events that
   * were taken have been acknowledged. Outstanding work is dropped without completions.
   *
   * @throws VerbsException EBUSY while it is a member of a multicast group or has a flow; EINTR if
   *     the thread is interrupted while it waits: the queue pair is then as it was, and the
   *     thread's interrupt status stays set
   */
  void destroy();

  /** Whether the queue pair was closed. */
  boolean isClosed();

  /**
   * As destroy, with groups left, flows removed and events that were taken acknowledged.
   * Idempotent.
   */
  @Override
  void close();
}
