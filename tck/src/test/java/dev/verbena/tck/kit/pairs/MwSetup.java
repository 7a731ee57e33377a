package dev.verbena.tck.kit.pairs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBind;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WrOpcode;

/** Common parts of tests of memory windows: the right end binds, the left end accesses. */
public final class MwSetup {
  /** Remote rights that a window of the tests has. */
  public static final int RIGHTS = PairSetup.REMOTE_ALL;

  /** Bytes of the region that {@link #region} makes. */
  static final int BYTES = 8192;

  private static final int WINDOW_OPS = SendOps.BIND_MW | SendOps.LOCAL_INV | SendOps.SEND_WITH_INV;

  /** Reliable connections whose queue pairs may do everything with windows. */
  public static PairSetup reliable(TckLink link) {
    return PairSetup.on(link).sendOps(PairSetup.RC_OPS, WINDOW_OPS);
  }

  /** The same for unreliable connections. */
  public static PairSetup unreliable(TckLink link) {
    return PairSetup.on(link).type(QpType.UC).sendOps(PairSetup.UC_OPS, WINDOW_OPS);
  }

  /** Memory of this end that peers reach through windows only. */
  public static MemoryRegion region(QpEnd end) {
    return end.pd().allocMr(BYTES, Access.LOCAL_WRITE, Access.MW_BIND);
  }

  /** A window of type 2 of this end. */
  public static MemoryWindow type2(QpEnd end) {
    return end.pd().allocMw(MwType.TYPE_2);
  }

  /** The key of a type 2 window with this tag. */
  public static int key(MemoryWindow mw, int tag) {
    return (mw.rkey() & ~0xff) | tag;
  }

  /** All of a region. */
  public static MwBindInfo all(MemoryRegion mr, int access) {
    return MwBindInfo.of(mr, access);
  }

  /** A signaled BIND_MW. */
  public static SendWr bind(long wrId, MemoryWindow mw, int tag, MwBindInfo info) {
    return signaled(wrId, WrOpcode.BIND_MW).mw(mw).bindRkey(key(mw, tag)).bindInfo(info);
  }

  /** A signaled LOCAL_INV. */
  public static SendWr invalidate(long wrId, int rkey) {
    return signaled(wrId, WrOpcode.LOCAL_INV).invalidateRkey(rkey);
  }

  /** A signaled SEND_WITH_INV. */
  public static SendWr sendInv(long wrId, int rkey, Sge... data) {
    return signaled(wrId, WrOpcode.SEND_WITH_INV).invalidateRkey(rkey).sgList(data);
  }

  /** A signaled ibv_bind_mw. */
  public static MwBind bind(long wrId, MwBindInfo info) {
    return new MwBind(wrId, SendFlags.SIGNALED, info);
  }

  /** A WRITE of 8 bytes from the start of the left end's memory to an address at the right end. */
  public static SendWr write(long wrId, QpPair pair, int rkey, long remoteAddr) {
    return SendWrs.write(wrId, pair.right(), 0, pair.left().sge(0, 8))
        .rkey(rkey)
        .remoteAddr(remoteAddr);
  }

  private static SendWr signaled(long wrId, WrOpcode opcode) {
    return new SendWr().wrId(wrId).opcode(opcode).sendFlags(SendFlags.SIGNALED);
  }

  /** Binds a window to all of a region, and returns its new key. */
  public static int bound(
      QpEnd end, PostingApi api, MemoryWindow mw, int tag, MemoryRegion mr, int access) {
    api.post(end.qp(), bind(tag, mw, tag, all(mr, access)));
    assertThat(end.sent(tag).opcode()).isEqualTo(WcOpcode.BIND_MW);
    return key(mw, tag);
  }

  private MwSetup() {}
}
