package dev.verbena.soft.device.open;

import dev.verbena.soft.device.spec.Identity;
import dev.verbena.soft.device.spec.Limits;
import dev.verbena.soft.device.spec.NodeSpec;
import dev.verbena.soft.device.spec.SoftSpec;
import dev.verbena.soft.device.spec.SoftSubnet;
import dev.verbena.soft.device.spec.SubnetNode;
import dev.verbena.soft.engine.Engine;
import dev.verbena.soft.engine.EngineOptions;
import dev.verbena.soft.engine.ether.EtherPort;
import dev.verbena.soft.engine.qp.Fabric;
import dev.verbena.soft.link.EtherLink;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.shm.SharedMemoryLink;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.AsyncEvents;
import dev.verbena.verbs.provider.Population;
import java.lang.System.Logger.Level;
import java.lang.ref.Reference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A device that is open: one address, one engine, shared by its contexts. */
public final class OpenDevice {
  private static final System.Logger LOG = System.getLogger(OpenDevice.class.getName());

  private final Gid gid;
  private final SoftSpec spec;
  private final Tally tally = new Tally();
  private final Population population = new Population(Limits::most);

  /**
   * Identified by their events, so that the device's threads do not keep lost contexts reachable.
   */
  private final List<Reference<AsyncEvents>> contexts = new CopyOnWriteArrayList<>();

  private final FlightCounters flight;
  private final PublishedCounters published;
  private final boolean rehearses;
  private final boolean mayShareMemory;
  private final HostLink host;
  private final Runnable rehearsal;
  private final @Nullable SubnetNode node;
  private final SoftPort port;
  private final Engine engine;
  private final EtherPort ether;

  /**
   * Opens the device on this address.
   *
   * @param subnet the subnet that it joins if it is a node
   * @param rehearsal run before a queue pair is made, if packets travel in real time
   * @throws dev.verbena.verbs.VerbsException if the link cannot be opened
   */
  public OpenDevice(
      Gid gid, SoftSpec spec, SoftSubnet subnet, Surroundings surroundings, Runnable rehearsal) {
    this.gid = gid;
    this.spec = spec;
    this.rehearsal = rehearsal;
    this.rehearses =
        surroundings.threaded() && spec.packetLink(gid) != LinkKind.PACKET && spec.node() == null;
    this.mayShareMemory = rehearses && spec.allowsLoopback();
    Link link = surroundings.links().open(gid, spec, tally);
    this.node = enter(subnet, link);
    this.port = node == null ? new RocePort(gid, link, tally) : new IbPort(node, link, tally);
    this.published =
        surroundings.threaded()
            ? PublishedCounters.start(name(), population, tally)
            : PublishedCounters.start(name(), population, tally, null);
    PortWatch watched = new PortWatch(link, port, this::raisePort, published::answer);
    this.host = openOnHost(watched, surroundings);
    this.engine = start(watched, surroundings);
    this.ether = plugIn(surroundings);
    this.flight = new FlightCounters(name(), tally);
    flight.start();
  }

  private @Nullable SubnetNode enter(SoftSubnet subnet, Link link) {
    NodeSpec joining = spec.node();
    try {
      return joining == null ? null : subnet.enter(joining, this::raisePort);
    } catch (RuntimeException | Error e) {
      link.close();
      throw e;
    }
  }

  private void leave() {
    if (node != null) {
      node.subnet().leave(node);
    }
  }

  private EtherPort plugIn(Surroundings surroundings) {
    try {
      EtherLink link = surroundings.links().openEther(spec, tally);
      return new EtherPort(engine, Identity.mac(gid), link, surroundings.segment());
    } catch (RuntimeException | Error e) {
      leave();
      engine.close();
      published.close();
      throw e;
    }
  }

  private Engine start(Link link, Surroundings surroundings) {
    EngineOptions options =
        new EngineOptions(
            name(),
            surroundings.clock(),
            surroundings.random(),
            tally,
            surroundings.threaded(),
            spec.allowsLoopback(),
            spec.checkIcrc(),
            node == null ? datagram -> true : node);
    try {
      return new Engine(options, link, host.link(), fabric(spec));
    } catch (RuntimeException | Error e) {
      leave();
      if (host.link() != null) {
        host.link().close();
      }
      link.close();
      published.close();
      throw e;
    }
  }

  /**
   * How other processes of this computer are reached.
   *
   * @param link the link to them; null if they are reached as all others
   * @param obstacle why, in words for people
   */
  private record HostLink(@Nullable SharedMemoryLink link, String obstacle) {}

  private HostLink openOnHost(Link network, Surroundings surroundings) {
    if (!mayShareMemory) {
      return new HostLink(null, "");
    }
    try {
      return new HostLink(surroundings.links().openOnHost(network, tally), "");
    } catch (VerbsException e) {
      return new HostLink(null, e.detail());
    } catch (RuntimeException | Error e) {
      LOG.log(Level.WARNING, name() + " shares no memory with other processes", e);
      return new HostLink(null, e.toString());
    }
  }

  /** How it reaches its peers, in words for people. */
  public String links() {
    String inMemory = "packets in the memory of this process";
    String packets =
        switch (spec.packetLink(gid)) {
          case PACKET -> inMemory;
          case SHM -> "memory shared with processes of this user on this computer";
          case UDP -> "UDP";
          case AUTO -> node != null ? inMemory : onHostOrUdp();
        };
    return (spec.allowsLoopback() ? "calls within this process, " : "") + packets;
  }

  private String onHostOrUdp() {
    if (host.link() != null) {
      return "memory shared with other processes of this user on this computer, UDP";
    }
    return "UDP, also to other processes of this computer ("
        + (mayShareMemory ? host.obstacle() : "a device with faults or a capture shares no memory")
        + ")";
  }

  private static Fabric fabric(SoftSpec spec) {
    return spec.node() == null ? Fabric.shared() : Fabric.infiniBand();
  }

  /** Its name. */
  public String name() {
    return spec.deviceName(gid);
  }

  /** The subnet node that it is, or null. */
  public @Nullable SubnetNode node() {
    return node;
  }

  /** The options with which it was opened. */
  public SoftSpec spec() {
    return spec;
  }

  /** Its address. */
  public Gid gid() {
    return gid;
  }

  /** Its engine. */
  public Engine engine() {
    return engine;
  }

  /** Its Ethernet side. */
  public EtherPort ether() {
    return ether;
  }

  /** Its port. */
  public SoftPort port() {
    return port;
  }

  /**
   * Called before a queue pair is made, so that the JVM has loaded the code for its first packet.
   */
  public void rehearse() {
    if (rehearses) {
      rehearsal.run();
    }
  }

  /** How many objects it has. */
  public Population population() {
    return population;
  }

  /** A context was opened, with these events. */
  public void add(Reference<AsyncEvents> context) {
    contexts.add(context);
  }

  /** The context with these events was closed; returns true if it was the last. */
  public boolean remove(Reference<AsyncEvents> context) {
    contexts.remove(context);
    return contexts.isEmpty();
  }

  private void raisePort(EventType type) {
    SharedMemoryLink onHost = host.link();
    if (type == EventType.GID_CHANGE && onHost != null) {
      if (port.hasAddress()) {
        onHost.show();
      } else {
        onHost.hide();
      }
    }
    // DEVICE_FATAL is the only one that does not concern the port (S10.3).
    int portNum = type == EventType.DEVICE_FATAL ? 0 : SoftPort.NUMBER;
    for (Reference<AsyncEvents> context : contexts) {
      AsyncEvents events = context.get();
      if (events != null) {
        events.raiseUnaffiliated(type, portNum);
      }
    }
  }

  /** Frees the address, and leaves the subnet. */
  public void close() {
    flight.stop();
    leave();
    ether.close();
    engine.close();
    published.close();
  }
}
