package dev.verbena.rdmacore.umad;

import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.NodeProvider;
import dev.verbena.verbs.RdmaDevice;
import dev.verbena.verbs.spi.MadProvider;
import dev.verbena.verbs.spi.MadTransport;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The nodes that libibumad knows; none where it is not installed. */
public final class UmadProvider implements NodeProvider, MadProvider {
  private static final ConcurrentMap<String, RdmaDevice> DEVICES = new ConcurrentHashMap<>();

  /** For {@link java.util.ServiceLoader}. */
  public UmadProvider() {}

  @Override
  public List<RdmaDevice> devices() {
    return names().stream().map(UmadProvider::device).toList();
  }

  private static RdmaDevice device(String name) {
    return DEVICES.computeIfAbsent(name, key -> new RdmaDevice(key, new UmadNode(key)));
  }

  @Override
  public boolean reaches(EndPort port) {
    return names().contains(port.device().name());
  }

  private static List<String> names() {
    return Libibumad.mayFindNodes() ? Nodes.names() : List.of();
  }

  @Override
  public MadTransport open(EndPort port) {
    Libibumad.require("umad_open_port");
    return UmadTransport.open(port.device().name(), port.portId());
  }
}
