package dev.verbena.verbs;

import dev.verbena.verbs.path.PathConnector;
import dev.verbena.verbs.path.Paths;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;

/** Any bytes as what a peer says to both sides of a path's agreement; for bin/fuzz. */
public final class PathConnectorFuzz {
  private static final EndPort PORT = Ports.ethernet();

  /** Either they agree, or they say why not by one of the documented exceptions. */
  public static void fuzzerTestOneInput(byte[] data) {
    try {
      connector(data).accept(PathPeer.qp(QpType.RC, 1).queuePair(), PORT);
    } catch (IOException | VerbsException documented) {
      requireReason(documented);
    }
    try {
      connector(data).connect(PathPeer.qp(QpType.RC, 1).queuePair(), Paths.from(PORT));
    } catch (IOException | VerbsException documented) {
      requireReason(documented);
    }
  }

  private static void requireReason(Exception e) {
    if (e.getMessage() == null) {
      throw new AssertionError("it says nothing", e);
    }
  }

  private static PathConnector connector(byte[] data) {
    return new PathConnector(
        Channels.newChannel(new ByteArrayInputStream(data)),
        Channels.newChannel(OutputStream.nullOutputStream()));
  }

  private PathConnectorFuzz() {}
}
