package dev.verbena.soft.engine.ether;

import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.soft.transport.frames.ToeplitzHash;
import dev.verbena.wire.EthernetFrame;
import java.util.List;

/**
 * Several queue pairs that share the frames by a hash: its lower bits are the index of one of them.
 */
public final class HashedTarget implements FrameTarget {
  private final QpRuntime[] table;
  private final ToeplitzHash hash;

  /**
   * @param table the queue pairs; their number is a power of two
   */
  public HashedTarget(List<QpRuntime> table, ToeplitzHash hash) {
    this.table = table.toArray(new QpRuntime[0]);
    this.hash = hash;
  }

  @Override
  public QpRuntime of(EthernetFrame frame) {
    return table[hash.of(frame) & table.length - 1];
  }
}
