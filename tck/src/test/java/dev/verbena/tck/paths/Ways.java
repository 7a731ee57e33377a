package dev.verbena.tck.paths;

import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.path.Paths;

/** Completes paths in tests, which ask no subnet administrator. */
final class Ways {
  /** A life time that suits lossy links. */
  private static final int LIFE_TIME = 12;

  /**
   * Completes a path.
   *
   * @param path on InfiniBand with the LID of its destination
   */
  static IbPath resolved(IbPath path) {
    EndPort port = path.endPort();
    IbPath way =
        port.linkLayer() == LinkLayer.ETHERNET
            ? Paths.resolveLocally(path)
            : path.copy(b -> b.sgid(port.defaultGid()).slid(port.lid()).mtu(port.mtu()));
    return way.copy(b -> b.packetLifeTime(LIFE_TIME));
  }

  private Ways() {}
}
