package dev.verbena.soft.fuzz;

import dev.verbena.soft.link.Link;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.wire.Address;
import dev.verbena.wire.Deth;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Psn;
import dev.verbena.wire.RocePacket;
import dev.verbena.wire.RocePorts;
import dev.verbena.wire.Transport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Hears the packets of two devices, and sends them changed ones, mostly in each other's name. All
 * have a right ICRC, but for a few of one who knows everything.
 */
public final class Attacker {
  /** What an attacker uses of what he hears. */
  public enum Knowledge {
    /**
     * No sequence number of RC and XRC and no Q_Key, and not the peer's address on UC, where a
     * queue pair number is all that one needs. What he sends may change nothing.
     */
    GUESSES,
    /** Everything; he also overtakes packets that are on their way. */
    KNOWS
  }

  /** The distance of guessed sequence numbers from those in use: more than are ever under way. */
  private static final int MARGIN = 1 << 10;

  /** Half of the guesses are no further than this from those in use, on either side. */
  private static final int CLOSE = 1 << 17;

  /** One packet in so many goes to the group, if there is one. */
  private static final int GROUPED = 32;

  private static final int LOW_24 = 0xff_ffff;
  private static final int STRANGER = 0x0a_00_00_63;

  /** One device under attack: its link, and what was sent to it. */
  private record Victim(Tap tap, Overheard heard) {}

  private final Knowledge knowledge;
  private final RandomGenerator random;
  private final int mtu;
  private final Mutator mutator;
  private final List<Victim> victims = new ArrayList<>();
  private final Address stranger = Address.ofIpv4(STRANGER);
  private final Draft draft = new Draft();
  private final Icrc icrc = new Icrc();
  private Consumer<RocePacket> witness = packet -> {};
  private @Nullable Address group;
  private boolean awake;
  private long sent;
  private long heard;

  /**
   * One who does nothing yet.
   *
   * @param mtu of the connections, bytes
   */
  public Attacker(Knowledge knowledge, RandomGenerator random, int mtu) {
    this.knowledge = knowledge;
    this.random = random;
    this.mtu = mtu;
    mutator = new Mutator(random);
  }

  /** Taps the link of one device, and then that of the other. */
  public Link tap(Link link) {
    int own = victims.size();
    Tap tap = new Tap(link, (datagram, length) -> hear(1 - own, datagram, length));
    victims.add(new Victim(tap, new Overheard(mtu, !link.needsIcrc())));
    return tap;
  }

  /** Shows each packet of the devices to somebody else, too. */
  void witness(Consumer<RocePacket> other) {
    witness = other;
  }

  /** Sends some datagrams to this group, too. */
  void joined(Address address) {
    group = address;
  }

  /** What to put into packets. */
  Mutator mutator() {
    return mutator;
  }

  /** Connections are new: he begins again. */
  public void forget() {
    victims.forEach(victim -> victim.heard.forget());
  }

  /** Packets that he has sent. */
  public long sent() {
    return sent;
  }

  /** Packets that the devices have sent. */
  long heard() {
    return heard;
  }

  /** The latest packet that he has sent. */
  String last() {
    return draft.toString();
  }

  /** Overtakes packets from now on, or no longer. */
  void awake(boolean whether) {
    awake = whether;
  }

  private void hear(int to, MemorySegment datagram, int length) {
    heard++;
    Victim victim = victims.get(to);
    victim.heard.hear(datagram, length);
    witness.accept(victim.heard.last());
    if (awake && random.nextInt(8) == 0 && victim.tap.hasRoom()) {
      victim.heard.copyAny(random, draft);
      mutator.change(draft);
      deliver(victim);
    }
  }

  /** Sends some packets, if he has heard any. */
  public void act(int packets) {
    for (int i = 0; i < packets; i++) {
      Victim victim = victims.get(random.nextInt(victims.size()));
      if (!victim.heard.isEmpty() && victim.tap.hasRoom()) {
        victim.heard.copyAny(random, draft);
        if (knowledge == Knowledge.KNOWS) {
          forge(victim);
          deliver(victim);
        } else {
          guess(victim);
        }
      }
    }
  }

  /** One packet in eight is a repeated one, one in two has the next sequence number. */
  private void forge(Victim victim) {
    int choice = random.nextInt(8);
    if (choice < 4) {
      draft.psn(victim.heard.next(draft.qpn(), draft.row().isRequest, draft.psn()));
    }
    if (choice < 7) {
      mutator.change(draft);
    }
  }

  private void deliver(Victim victim) {
    boolean sealed = random.nextInt(16) != 0;
    Address source = random.nextInt(16) == 0 ? stranger : other(victim).tap.address();
    send(victim, source, sealed, random.nextInt(64) == 0 ? 3 : 0);
    if (random.nextInt(8) == 0 && victim.tap.hasRoom()) {
      send(victim, source, sealed, 0);
    }
  }

  private Victim other(Victim victim) {
    return victims.get(1 - victims.indexOf(victim));
  }

  private void send(Victim victim, Address source, boolean sealed, int trafficClass) {
    Address to = victim.tap.address();
    if (group != null && random.nextInt(GROUPED) == 0) {
      to = group;
      if (random.nextInt(8) != 0) {
        draft.qpn(AddressHandle.MULTICAST_QPN);
      }
    }
    if (sealed && draft.hasFrame()) {
      icrc.addresses(source, to, RocePorts.UDP_PORT, RocePorts.UDP_PORT);
      icrc.seal(draft.memory(), 0, draft.length());
    }
    victim.tap.put(draft, source, to, trafficClass);
    sent++;
  }

  /**
   * Sends a packet that may change nothing: from a stranger, if it is right otherwise, or with a
   * wrong sequence number or Q_Key.
   */
  private void guess(Victim victim) {
    int qpn = draft.qpn();
    int psn = draft.psn();
    int qkey = draft.row().has(Deth.BIT) ? draft.getInt(draft.row().offset(Deth.BIT)) : 0;
    boolean isRight = random.nextInt(8) == 0;
    if (!isRight || random.nextBoolean()) {
      mutator.change(draft);
    }
    if (!isRight) {
      draft.qpn(random.nextInt(8) == 0 ? LOW_24 * random.nextInt(2) : qpn);
      draft.psn(unused(psn));
    }
    Transport transport = draft.isKnown() ? draft.row().transport : Transport.CNP;
    if (transport == Transport.UD) {
      draft.setInt(draft.row().offset(Deth.BIT), qkey ^ (random.nextInt() | 0x10));
    }
    boolean fromPeer = !isRight && transport != Transport.UC;
    boolean asks = draft.isKnown() && draft.row().isRequest && draft.qpn() == qpn;
    if (fromPeer && asks && !victim.heard.hasRequests(qpn)) {
      // Nobody knows yet which sequence number is the next one, so one in 2^24 guesses is right.
      return;
    }
    send(victim, fromPeer ? other(victim).tap.address() : stranger, true, 0);
  }

  private int unused(int nearby) {
    int psn;
    do {
      psn =
          random.nextBoolean()
              ? random.nextInt(LOW_24 + 1)
              : Psn.add(nearby, random.nextInt(-CLOSE, CLOSE));
    } while (victims.get(0).heard.isInUse(psn, MARGIN)
        || victims.get(1).heard.isInUse(psn, MARGIN));
    return psn;
  }
}
