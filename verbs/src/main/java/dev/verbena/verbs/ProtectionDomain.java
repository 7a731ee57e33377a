package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Groups objects that may be used together (struct ibv_pd). Owns queue pairs, work queues ({@link
 * Context#createWq}), memory windows, address handles, shared receive queues, memory regions and
 * parent domains; {@link #close()} closes them first, in that order.
 */
public interface ProtectionDomain extends AutoCloseable {
  /** The context. */
  Context context();

  /**
   * Registers memory (ibv_reg_mr). Addresses in work requests are those of the segment, or offsets
   * from its start with ZERO_BASED.
   *
   * <p>The memory must live until the region has ended: close the region before the arena, and
   * leave a mapped file its length until then. A software device notices if that was forgotten:
   * once the arena is closed, access to the region fails as with an invalid key, and so does access
   * beyond the end of a file that was cut short. A driver of libibverbs has the address only: once
   * the arena is closed, requests that name the region are refused with EINVAL when they are
   * posted, or in a batch when their data is set, but peers, and requests that were posted before,
   * go on reading and writing what is there by then, which may belong to others. Memory of {@link
   * #allocMr}, a direct buffer, and memory of an automatic arena live as long as the region.
   *
   * @param memory native memory that any thread may access: from a shared, automatic or global
   *     arena, or a mapped file. Bytes beyond its end cannot be accessed.
   * @param access {@link Access} bits
   * @throws VerbsException EINVAL for a segment that is on the heap, from a confined arena, empty,
   *     or from a closed arena, for a read-only segment with a write right, REMOTE_WRITE or
   *     REMOTE_ATOMIC without LOCAL_WRITE, or for an unknown right; EOPNOTSUPP for ON_DEMAND if the
   *     device does not support it; ENOMEM beyond max_mr; EFAULT for a segment made from a bare
   *     address if part of it is not mapped, provided that native access lets the device check
   */
  MemoryRegion regMr(MemorySegment memory, int... access);

  /**
   * Registers a direct buffer from position to limit, and keeps it reachable; otherwise like {@link
   * #regMr(MemorySegment, int...)}.
   */
  default MemoryRegion regMr(ByteBuffer buffer, int... access) {
    return regMr(MemorySegment.ofBuffer(buffer), access);
  }

  /**
   * Registers memory like {@link #regMr(MemorySegment, int...)}, but adds LOCAL_WRITE where
   * REMOTE_WRITE or REMOTE_ATOMIC needs it. So {@code pd.mr(buffer, REMOTE_WRITE)} does what it
   * says.
   *
   * @throws VerbsException as {@link #regMr(MemorySegment, int...)}
   */
  default MemoryRegion mr(MemorySegment memory, int... access) {
    return regMr(memory, Access.withLocalWrite(Access.of(access)));
  }

  /**
   * Registers a direct buffer from position to limit, and keeps it reachable; otherwise like {@link
   * #mr(MemorySegment, int...)}.
   */
  default MemoryRegion mr(ByteBuffer buffer, int... access) {
    return mr(MemorySegment.ofBuffer(buffer), access);
  }

  /**
   * Registers memory at an address of the caller's choice (ibv_reg_mr_iova): in work requests its
   * first byte has the address {@code iova}.
   *
   * @param memory as for {@link #regMr(MemorySegment, int...)}
   * @param iova any number; with ZERO_BASED 0. Devices of libibverbs want it at the same place in a
   *     page as the memory's own address.
   * @param access {@link Access} bits
   * @throws VerbsException as for regMr; EINVAL for an iova other than 0 with ZERO_BASED, if the
   *     addresses would exceed 2^64-1, and for a place in a page that the device does not want
   */
  MemoryRegion regMrIova(MemorySegment memory, long iova, int... access);

  /**
   * Allocates zeroed memory, aligned to 4096, and registers it; deregistering frees it.
   *
   * @param bytes at least 1
   * @param access {@link Access} bits
   * @throws VerbsException EINVAL for fewer bytes, and for rights as for regMr; ENOMEM if there is
   *     not enough memory outside the heap, and beyond max_mr
   */
  MemoryRegion allocMr(long bytes, int... access);

  /**
   * Registers the memory that {@code attr} describes (ibv_reg_mr_ex): memory as with {@link #regMr}
   * and {@link #regMrIova}, or a dma-buf as with {@link #regDmabufMr}.
   *
   * @throws VerbsException EINVAL unless it has exactly one of them, and for a dma-buf without an
   *     iova; as for these methods, by their names
   */
  default MemoryRegion regMrEx(MrInitAttr attr) {
    context();
    MemorySegment memory = attr.memory();
    Integer fd = attr.fd();
    Long iova = attr.iova();
    if (memory != null && fd == null) {
      return iova == null ? regMr(memory, attr.access()) : regMrIova(memory, iova, attr.access());
    }
    if (memory != null || fd == null) {
      throw new VerbsException("regMrEx", Errno.EINVAL, "give either memory or a file descriptor");
    }
    if (iova == null) {
      throw new VerbsException(
          "regMrEx", Errno.EINVAL, "a dma-buf has no address of its own: set an iova");
    }
    return regDmabufMr(attr.fdOffset(), attr.fdLength(), iova, fd, attr.access());
  }

  /**
   * Registers a dma-buf (ibv_reg_dmabuf_mr): memory of another device, such as a GPU, which exports
   * it as a file. The region is the adapter's only: {@link MemoryRegion#memory} is {@link
   * MemorySegment#NULL}, inline data cannot be read from it, and it cannot be changed. The
   * descriptor may be closed afterwards.
   *
   * @param offset of the first byte in the dma-buf; drivers may want that of a page
   * @param length bytes, at least 1
   * @param iova address of the first byte in work requests, at the same place in a page as {@code
   *     offset}; 0 will do if that is of a page
   * @param fd descriptor of the dma-buf, as the exporter has it; Java's files do not show theirs
   * @param access of the {@link Access} bits only LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE,
   *     REMOTE_ATOMIC, and RELAXED_ORDERING
   * @throws VerbsException EOPNOTSUPP if the device cannot access one, as software devices and rxe
   *     cannot; EBADF for a descriptor that is not open; EINVAL for one of something else, a range
   *     beyond its end or the address space, an iova at another place in a page than the offset,
   *     any other right, and for rights as for regMr; ENOMEM beyond max_mr
   */
  default MemoryRegion regDmabufMr(long offset, long length, long iova, int fd, int... access) {
    context();
    throw new VerbsException(
        "regDmabufMr", Errno.EOPNOTSUPP, "this device cannot access a dma-buf");
  }

  /**
   * Registers memory of the adapter (ibv_reg_dm_mr). Requests address it from 0. The region is the
   * adapter's only, like one of a dma-buf: see {@link #regDmabufMr}.
   *
   * @param dm memory of this context, which cannot be freed before the region ends
   * @param dmOffset of the first byte in it
   * @param length bytes, at least 1
   * @param access {@link Access} bits, with ZERO_BASED
   * @throws VerbsException EINVAL without ZERO_BASED, for memory of another context, a part that is
   *     not inside it, and for rights as for regMr; EOPNOTSUPP if the device has no such memory
   *     (max_dm_size is 0); ENOMEM beyond max_mr
   */
  default MemoryRegion regDmMr(DeviceMemory dm, long dmOffset, long length, int... access) {
    context();
    throw new VerbsException(
        "regDmMr", Errno.EOPNOTSUPP, "this device has no memory of its own: max_dm_size is 0");
  }

  /**
   * Advises the device how on-demand memory will be used (ibv_advise_mr).
   *
   * @param advice what will be done with it
   * @param flags {@link AdviseMrFlags} bits, or 0
   * @param list the memory: at least one element, all of regions of this domain that were
   *     registered with {@link Access#ON_DEMAND}
   * @throws VerbsException EOPNOTSUPP if the device has no on-demand regions (odp_general_caps is
   *     0), as software devices do not, and for an advice that it does not know; EINVAL for unknown
   *     flags, no element, or one that is a segment; EFAULT for addresses outside the region, or of
   *     which the process has no memory. For a key of something else, and for PREFETCH_WRITE
   *     without LOCAL_WRITE, drivers differ: mlx5 answers ENOENT and EPERM, others EINVAL or EFAULT
   */
  default void adviseMr(AdviseMrAdvice advice, int flags, Sge... list) {
    context();
    throw new VerbsException(
        "adviseMr", Errno.EOPNOTSUPP, "on-demand regions are not supported: odp_general_caps is 0");
  }

  /**
   * Allocates a region that reads as zeros and discards writes, at any address and of any length
   * (ibv_alloc_null_mr). Only its lkey is useful: it has no memory, its rkey is 0, its length is
   * reported as Long.MAX_VALUE, and it can neither be changed nor have windows bound to it.
   *
   * @throws VerbsException EOPNOTSUPP if the device has none
   */
  MemoryRegion allocNullMr();

  /**
   * Allocates a memory window, not yet bound (ibv_alloc_mw).
   *
   * @throws VerbsException ENOMEM beyond max_mw; EOPNOTSUPP if the device has none of this type
   */
  MemoryWindow allocMw(MwType type);

  /**
   * Creates a queue pair in RESET (ibv_create_qp, ibv_create_qp_ex). {@code attr} is not changed:
   * {@link QueuePair#queryInit()} returns the sizes granted. If send operations were given, the
   * result is a {@link QueuePairEx}.
   *
   * @throws VerbsException EINVAL for a missing completion queue, an object of another context, or
   *     sizes beyond the device's limits; EOPNOTSUPP for a type or send operation that the device
   *     does not have; ENOMEM beyond max_qp. With hashing ({@link QpInitAttr#rxHash}) also EINVAL
   *     for a table without a hash or the reverse, a shared receive queue or send operations, a key
   *     of wrong length, or fields that exclude each other; EOPNOTSUPP for a type, function or
   *     field that is not in {@link RssCaps}
   */
  QueuePair createQp(QpInitAttr attr);

  /**
   * Creates a queue pair with the extended posting API; otherwise like {@link #createQp}.
   *
   * <p><b>Not the same as {@link Context#createQpEx}</b>, which creates XRC_RECV, the only type
   * that has no protection domain and posts nothing.
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
   * The queue pair with this number that belongs to this domain or to a parent domain over it; null
   * if there is none. See {@link Context#fromQpNum}.
   */
  @Nullable QueuePair fromQpNum(int qpNum);

  /**
   * Creates an address handle (ibv_create_ah).
   *
   * @throws VerbsException EINVAL without a global route, for a source GID index that is empty or
   *     out of range, or a port that does not exist
   */
  AddressHandle createAh(AhAttr attr);

  /** Same as {@link #createAh}. */
  default AddressHandle ah(AhAttr attr) {
    return createAh(attr);
  }

  /**
   * The address handle of a path's destination. The path caches it: the next call returns the same
   * one while it is open, until {@link IbPath#dropCache}.
   *
   * @throws VerbsException EINVAL if the path has no end port, or one of another device; ENOENT if
   *     its source GID is not in the end port's table; as for createAh
   */
  default AddressHandle ah(IbPath path) {
    return path.handles().of(this, path);
  }

  /**
   * Creates an address handle for the sender of a message that a UD queue pair received
   * (ibv_create_ah_from_wc): {@link #createAh} of {@link Context#initAhFromWc}. Send a reply to
   * {@link WorkCompletion#srcQp()}.
   *
   * @param wc the completion of the receive
   * @param grh the first 40 bytes of the receive
   * @param portNum the port that received the message
   * @throws VerbsException as for both methods
   */
  default AddressHandle createAhFromWc(
      WorkCompletion wc, @Nullable MemorySegment grh, int portNum) {
    return createAh(context().initAhFromWc(portNum, wc, grh));
  }

  /**
   * Creates a shared receive queue (ibv_create_srq, ibv_create_srq_ex).
   *
   * @throws VerbsException EINVAL unless 1 ≤ max_wr ≤ max_srq_wr and 0 ≤ max_sge ≤ max_srq_sge, for
   *     type XRC if the XRC domain or completion queue is missing or belongs to another context,
   *     and for type BASIC with either of them; EOPNOTSUPP for type TM (tag matching), and if the
   *     device has no shared receive queues; ENOMEM beyond max_srq
   */
  SharedReceiveQueue createSrq(SrqInitAttr attr);

  /**
   * Frees the domain (ibv_dealloc_pd).
   *
   * @throws VerbsException EBUSY while objects created from it exist
   */
  void dealloc();

  /**
   * Imports the region that has this handle in another process (ibv_import_mr).
   *
   * @throws VerbsException EOPNOTSUPP: no device of this release shares objects between processes
   */
  default MemoryRegion importMr(int mrHandle) {
    context();
    throw new VerbsException(
        "importMr", Errno.EOPNOTSUPP, "handle " + mrHandle + ": this device shares no objects");
  }

  /** Whether the domain was closed. */
  boolean isClosed();

  /**
   * Closes everything created from it, then the domain. Idempotent.
   *
   * @throws VerbsException EBUSY if an object outside the domain uses one inside, such as a queue
   *     pair of another domain that uses a shared receive queue of this one, or an indirection
   *     table that uses a work queue; in this case nothing changes
   */
  @Override
  void close();
}
