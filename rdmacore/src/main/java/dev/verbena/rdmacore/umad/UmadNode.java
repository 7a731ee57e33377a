package dev.verbena.rdmacore.umad;

import dev.verbena.verbs.NodeSnapshot;
import dev.verbena.verbs.NodeSource;
import dev.verbena.verbs.PortSnapshot;

/** A node, read anew at each query. */
final class UmadNode implements NodeSource {
  private final String name;

  UmadNode(String name) {
    this.name = name;
  }

  @Override
  public NodeSnapshot node() {
    return Nodes.read(name, Nodes::node);
  }

  @Override
  public PortSnapshot port(int portNum) {
    return Nodes.read(name, ca -> Nodes.port(ca, portNum));
  }
}
