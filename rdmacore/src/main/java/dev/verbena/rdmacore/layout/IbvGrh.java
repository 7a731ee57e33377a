package dev.verbena.rdmacore.layout;

/** A global route header as stored in front of a received datagram. */
public final class IbvGrh {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_grh", 40);

  /** Big-endian: version 4 bits, traffic class 8, flow label 20. */
  public static final long VERSION_TCLASS_FLOW = LAYOUT.field("version_tclass_flow", 0, 4);

  /** Bytes, big-endian. */
  public static final long PAYLEN = LAYOUT.field("paylen", 4, 2);

  public static final long NEXT_HDR = LAYOUT.field("next_hdr", 6, 1);
  public static final long HOP_LIMIT = LAYOUT.field("hop_limit", 7, 1);

  /** An {@link IbvGid}. */
  public static final long SGID = LAYOUT.field("sgid", 8, 16);

  /** An {@link IbvGid}. */
  public static final long DGID = LAYOUT.field("dgid", 24, 16);

  private IbvGrh() {}
}
