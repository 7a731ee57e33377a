package dev.verbena.wire.mad;

/** A node, at one of its ports; the fields of {@link NodeInfo} are part of it. */
public final class NodeRecord {
  private static final Format.Builder LAYOUT = Format.record("NodeRecord", 0x11);

  /** LID of the port. */
  public static final Field LID = LAYOUT.field("LID", 16);

  /** Text, padded with zeros. */
  public static final Field NODE_DESCRIPTION =
      LAYOUT.reserved(16).part(NodeInfo.FORMAT).field("NodeDescription", 512);

  /** All of them. */
  public static final Format FORMAT = LAYOUT.build();

  private NodeRecord() {}
}
