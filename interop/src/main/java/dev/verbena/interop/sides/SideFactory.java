package dev.verbena.interop.sides;

import java.io.IOException;

/** Creates ends of connections on one device. */
public interface SideFactory extends AutoCloseable {
  /** The name of its sides, {@link Side#name}. */
  String name();

  Side open(PairSettings settings) throws IOException;

  @Override
  void close();
}
