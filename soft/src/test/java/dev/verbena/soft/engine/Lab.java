package dev.verbena.soft.engine;

import dev.verbena.soft.engine.qp.Fabric;
import dev.verbena.soft.engine.qp.Multicast;
import dev.verbena.soft.engine.tx.PeerWindows;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.local.MemoryLink;
import dev.verbena.soft.link.local.MemoryNetwork;
import dev.verbena.soft.transport.Clock;
import dev.verbena.soft.transport.CongestionControls;
import dev.verbena.soft.transport.Tally;
import dev.verbena.wire.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** Engines on a separate network. */
public final class Lab implements AutoCloseable {
  /** Takes every datagram to a group. */
  static final Multicast.Admission ALL = datagram -> true;

  private final MemoryNetwork network = new MemoryNetwork();
  private final Fabric fabric = new Fabric();
  private final List<Engine> engines = new ArrayList<>();
  private final Clock clock;
  private final boolean threaded;
  private final boolean loopback;

  public Lab(Clock clock, boolean threaded, boolean loopback) {
    this.clock = clock;
    this.threaded = threaded;
    this.loopback = loopback;
  }

  public static Lab threaded(boolean loopback) {
    return new Lab(realTime(), true, loopback);
  }

  /** Time since now: never negative. */
  static Clock realTime() {
    long start = System.nanoTime();
    return () -> System.nanoTime() - start;
  }

  Engine engine() {
    return engine(fabric, (link, counters) -> link, PeerWindows::new);
  }

  /** An engine that seems to be in another process, with a decorated link. */
  Engine farEngine(BiFunction<Link, LinkCounters, Link> decoration) {
    return farEngine(decoration, PeerWindows::new);
  }

  /** The same, with a congestion control of its own. */
  Engine farEngine(
      BiFunction<Link, LinkCounters, Link> decoration, Supplier<CongestionControls> congestion) {
    return engine(new Fabric(), decoration, congestion);
  }

  /** A member of the network that is not a device. */
  Link stranger() {
    return network.open(Address.ofIpv4(0x0A0000FF), (counter, count) -> {});
  }

  private Engine engine(
      Fabric of,
      BiFunction<Link, LinkCounters, Link> decoration,
      Supplier<CongestionControls> congestion) {
    int number = engines.size() + 1;
    Tally tally = new Tally();
    MemoryLink link = network.open(Address.ofIpv4(0x0A000000 + number), tally::add);
    Engine engine =
        new Engine(
            new EngineOptions(
                "lab" + number,
                clock,
                new SplittableRandom(number),
                tally,
                threaded,
                loopback,
                true,
                ALL,
                congestion.get()),
            decoration.apply(link, tally::add),
            of);
    engines.add(engine);
    return engine;
  }

  @Override
  public void close() {
    engines.forEach(Engine::close);
  }
}
