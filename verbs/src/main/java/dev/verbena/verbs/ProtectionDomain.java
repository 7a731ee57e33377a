package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What may be used together (struct ibv_pd). Owns queue pairs, work queues ({@link
 * Context#createWq}), memory windows, address handles, shared receive queues, memory regions and
 * parent domains; {@link #close()} closes them first, in that order.
 */
public interface ProtectionDomain extends AutoCloseable {
  /** The context. */
  Context context();

  /**
   * Registers memory (ibv_reg_mr). Addresses in work requests are those of the segment, or offsets
   * from its start with ZERO_BASED. The memory must stay alive; access to a region whose arena was
   * closed fails as with an invalid key.
   *
   * @param memory native memory that any thread may access: a shared, automatic or global arena's,
   *     or a mapped file. Bytes beyond its end are unreachable.
   * @param access {@link Access} bits
   * @throws VerbsException EINVAL for a heap segment or one of a confined arena, an empty one or
   *     one whose arena is closed, a read-only one with a write right, REMOTE_WRITE or
   *     REMOTE_ATOMIC without LOCAL_WRITE, or an unknown right; EOPNOTSUPP for ON_DEMAND where the
   *     device has none; ENOMEM beyond max_mr; EFAULT for a segment made from a bare address if
   *     part of it is not mapped, where native access allows the device to find out
   */
  MemoryRegion regMr(MemorySegment memory, int... access);

  /**
   * As {@link #regMr(MemorySegment, int...)} for a direct buffer, from position to limit; keeps it
   * reachable.
   */
  default MemoryRegion regMr(ByteBuffer buffer, int... access) {
    return regMr(MemorySegment.ofBuffer(buffer), access);
  }

  /**
   * As {@link #regMr(MemorySegment, int...)}, with the right that others need: REMOTE_WRITE and
   * REMOTE_ATOMIC bring LOCAL_WRITE along. So that {@code pd.mr(buffer, REMOTE_WRITE)} does what it
   * says.
   *
   * @throws VerbsException as {@link #regMr(MemorySegment, int...)}
   */
  default MemoryRegion mr(MemorySegment memory, int... access) {
    return regMr(memory, Access.withLocalWrite(Access.of(access)));
  }

  /**
   * As {@link #mr(MemorySegment, int...)} for a direct buffer, from position to limit; keeps it
   * reachable.
   */
  default MemoryRegion mr(ByteBuffer buffer, int... access) {
    return mr(MemorySegment.ofBuffer(buffer), access);
  }

  /**
   * Registers memory under addresses of the caller's choice (ibv_reg_mr_iova): work requests
   * address its first byte as {@code iova}.
   *
   * @param memory as of {@link #regMr(MemorySegment, int...)}
   * @param iova any number; with ZERO_BASED 0
   * @param access {@link Access} bits
   * @throws VerbsException as regMr; EINVAL for an iova other than 0 with ZERO_BASED, and if the
   *     addresses would exceed 2^64-1
   */
  MemoryRegion regMrIova(MemorySegment memory, long iova, int... access);

  /**
   * Allocates zeroed memory, aligned to 4096, and registers it; deregistering frees it.
   *
   * @param bytes at least 1
   * @param access {@link Access} bits
   * @throws VerbsException EINVAL for fewer bytes and for rights as regMr; ENOMEM if there is not
   *     enough memory outside the heap, and beyond max_mr
   */
  MemoryRegion allocMr(long bytes, int... access);

  /**
   * Registers what {@code attr} says (ibv_reg_mr_ex): memory as {@link #regMr} and {@link
   * #regMrIova} do, or a dma-buf.
   *
   * @throws VerbsException EINVAL unless it says exactly one of them; EOPNOTSUPP for a dma-buf
   *     where the device cannot reach it; as regMr
   */
  default MemoryRegion regMrEx(MrInitAttr attr) {
    context();
    MemorySegment memory = attr.memory();
    if ((memory == null) == (attr.fd() == null)) {
      throw new VerbsException("regMrEx", Errno.EINVAL, "give either memory or a file descriptor");
    }
    if (memory == null) {
      throw new VerbsException("regMrEx", Errno.EOPNOTSUPP, "this device reaches no dma-buf");
    }
    Long iova = attr.iova();
    return iova == null ? regMr(memory, attr.access()) : regMrIova(memory, iova, attr.access());
  }

  /**
   * Registers a dma-buf (ibv_reg_dmabuf_mr).
   *
   * @param offset of the first byte behind the descriptor
   * @param length bytes
   * @param iova address of the first byte in work requests
   * @param fd file descriptor
   * @param access {@link Access} bits
   * @throws VerbsException EOPNOTSUPP where the device reaches none, as software devices
   */
  default MemoryRegion regDmabufMr(long offset, long length, long iova, int fd, int... access) {
    context();
    throw new VerbsException("regDmabufMr", Errno.EOPNOTSUPP, "this device reaches no dma-buf");
  }

  /**
   * Tells how on-demand memory will be used (ibv_advise_mr).
   *
   * @param advice number of an ibv_advise_mr_advice
   * @param flags 0, or 1 to wait until it is done
   * @param list the memory
   * @throws VerbsException EOPNOTSUPP where the device has no on-demand regions (odp_general_caps
   *     is 0), as software devices
   */
  default void adviseMr(int advice, int flags, Sge... list) {
    context();
    throw new VerbsException(
        "adviseMr", Errno.EOPNOTSUPP, "on-demand regions are not supported: odp_general_caps is 0");
  }

  /**
   * A region that reads as zeros and swallows writes, at any address and in any length
   * (ibv_alloc_null_mr). Only its lkey is of use: it has no memory, its rkey is 0, its length is
   * reported as Long.MAX_VALUE, and it cannot be changed or have windows.
   *
   * @throws VerbsException EOPNOTSUPP where the device has none
   */
  MemoryRegion allocNullMr();

  /**
   * A new memory window, not bound (ibv_alloc_mw).
   *
   * @throws VerbsException ENOMEM beyond max_mw; EOPNOTSUPP where the device has none of this type
   */
  MemoryWindow allocMw(MwType type);

  /**
   * A new queue pair in RESET (ibv_create_qp, ibv_create_qp_ex); {@code attr} is not changed:
   * {@link QueuePair#queryInit()} returns the sizes granted. One for which send operations were
   * given is a {@link QueuePairEx}.
   *
   * @throws VerbsException EINVAL for a missing completion queue, an object of another context, or
   *     sizes beyond the device's limits; EOPNOTSUPP for a type or a send operation the device does
   *     not have; ENOMEM beyond max_qp. For one that hashes ({@link QpInitAttr#rxHash}) also EINVAL
   *     for a table without a hash or the reverse, a shared receive queue or send operations, a key
   *     of another length, or fields that exclude each other; EOPNOTSUPP for another type, function
   *     or field than {@link RssCaps} has
   */
  QueuePair createQp(QpInitAttr attr);

  /**
   * As {@link #createQp} for a queue pair with the extended posting API.
   *
   * <p><b>Not the same as {@link Context#createQpEx}</b>, which makes XRC_RECV, the one type that
   * has no protection domain and posts nothing.
   *
   * @throws VerbsException EINVAL if {@link QpInitAttr#sendOps(int...)} was not called
   */
  default QueuePairEx createQpEx(QpInitAttr attr) {
    if (!attr.hasSendOps()) {
      throw new VerbsException(
          "createQpEx",
          Errno.EINVAL,
          "no send operations were given: call sendOps(...) on the QpInitAttr");
    }
    return createQp(attr).toQpEx();
  }

  /**
   * The queue pair of this domain, or of a parent domain over it, with a number; null if there is
   * none. As {@link Context#fromQpNum}.
   */
  @Nullable QueuePair fromQpNum(int qpNum);

  /**
   * A new address handle (ibv_create_ah).
   *
   * @throws VerbsException EINVAL without a global route, for a source GID index that is empty or
   *     out of range, or a port that does not exist
   */
  AddressHandle createAh(AhAttr attr);

  /** As {@link #createAh}. */
  default AddressHandle ah(AhAttr attr) {
    return createAh(attr);
  }

  /**
   * The address handle of a path's destination. The path keeps it: the next call gives the same one
   * as long as it is open, until {@link IbPath#dropCache}.
   *
   * @throws VerbsException EINVAL if the path has no end port; ENOENT if its source GID is not the
   *     end port's; as createAh
   */
  default AddressHandle ah(IbPath path) {
    return path.handles().of(this, path);
  }

  /**
   * A new address handle for the sender of what a UD queue pair has received
   * (ibv_create_ah_from_wc): {@link #createAh} of {@link Context#initAhFromWc}. A reply goes to
   * {@link WorkCompletion#srcQp()}.
   *
   * @param wc its completion
   * @param grh the first 40 bytes of the receive
   * @param portNum the port that it was received on
   * @throws VerbsException as the two
   */
  default AddressHandle createAhFromWc(
      WorkCompletion wc, @Nullable MemorySegment grh, int portNum) {
    return createAh(context().initAhFromWc(portNum, wc, grh));
  }

  /**
   * A new shared receive queue (ibv_create_srq, ibv_create_srq_ex).
   *
   * @throws VerbsException EINVAL unless 1 ≤ max_wr ≤ max_srq_wr and 0 ≤ max_sge ≤ max_srq_sge, for
   *     kind XRC without XRC domain or completion queue or with one of another context, and for
   *     kind BASIC with one of them; EOPNOTSUPP for kind TM (tag matching), and where the device
   *     has no shared receive queues; ENOMEM beyond max_srq
   */
  SharedReceiveQueue createSrq(SrqInitAttr attr);

  /**
   * Frees the domain (ibv_dealloc_pd).
   *
   * @throws VerbsException EBUSY while anything was made from it
   */
  void dealloc();

  /**
   * The region that another process has under this handle (ibv_import_mr).
   *
   * @throws VerbsException EOPNOTSUPP where devices cannot be shared so, as software devices
   */
  default MemoryRegion importMr(int mrHandle) {
    context();
    throw new VerbsException(
        "importMr", Errno.EOPNOTSUPP, "handle " + mrHandle + ": this device shares no objects");
  }

  /** Whether the domain was closed. */
  boolean isClosed();

  /**
   * Closes everything made from it, then the domain. Idempotent.
   *
   * @throws VerbsException EBUSY if something outside uses a part of it, as a queue pair of another
   *     domain uses a shared receive queue of this one, or an indirection table a work queue:
   *     nothing is changed then
   */
  @Override
  void close();
}
