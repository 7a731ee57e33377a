package dev.verbena.wire.mad;

/** A service that a port offers. */
public final class ServiceRecord {
  private static final Format.Builder LAYOUT = Format.record("ServiceRecord", 0x31);

  /** Number of the service. */
  public static final Field SERVICE_ID = LAYOUT.field("ServiceID", 64);

  /** GID of the port that offers it. */
  public static final Field SERVICE_GID = LAYOUT.field("ServiceGID", 128);

  /** P_Key to reach it with. */
  public static final Field SERVICE_PKEY = LAYOUT.field("ServiceP_Key", 16);

  /** How long the record lives, in seconds; all bits set: for ever. */
  public static final Field SERVICE_LEASE = LAYOUT.reserved(16).field("ServiceLease", 32);

  /** The key for changing the record. */
  public static final Field SERVICE_KEY = LAYOUT.field("ServiceKey", 128);

  /** Name, UTF-8, padded with zeros. */
  public static final Field SERVICE_NAME = LAYOUT.field("ServiceName", 512);

  /** 16 bytes for the service to use. */
  public static final Field SERVICE_DATA8 = LAYOUT.field("ServiceData8", 128, 16);

  /** 8 numbers of 16 bits for the service to use. */
  public static final Field SERVICE_DATA16 = LAYOUT.field("ServiceData16", 128, 8);

  /** 4 numbers of 32 bits for the service to use. */
  public static final Field SERVICE_DATA32 = LAYOUT.field("ServiceData32", 128, 4);

  /** 2 numbers of 64 bits for the service to use. */
  public static final Field SERVICE_DATA64 = LAYOUT.field("ServiceData64", 128, 2);

  /** All of them. */
  public static final Format FORMAT = LAYOUT.build();

  /** Lease of a record that lives until it is deleted. */
  public static final int FOR_EVER = -1;

  private ServiceRecord() {}
}
