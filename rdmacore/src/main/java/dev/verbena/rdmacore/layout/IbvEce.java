package dev.verbena.rdmacore.layout;

/** A vendor's connection options, for ibv_set_ece and ibv_query_ece. */
public final class IbvEce {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_ece", 12);

  /** An IEEE OUI; 0 for none. */
  public static final long VENDOR_ID = LAYOUT.field("vendor_id", 0, 4);

  public static final long OPTIONS = LAYOUT.field("options", 4, 4);
  public static final long COMP_MASK = LAYOUT.field("comp_mask", 8, 4);

  private IbvEce() {}
}
