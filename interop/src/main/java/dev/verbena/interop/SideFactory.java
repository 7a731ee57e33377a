package dev.verbena.interop;

import java.io.IOException;

/** Makes ends of connections on one device. */
interface SideFactory extends AutoCloseable {
  Side open(PairSettings settings) throws IOException;

  @Override
  void close();
}
