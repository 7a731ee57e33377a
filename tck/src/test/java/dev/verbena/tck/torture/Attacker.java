package dev.verbena.tck.torture;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Sends one device of a session packets that no honest peer sends. It sends no more than the device
 * takes at once, because an overflow of the socket would lose everybody's packets, which this does
 * not test.
 */
final class Attacker implements AutoCloseable {
  /** Datagrams under way to the device at a time, including the peer's. */
  private static final int MOST_UNDER_WAY = 64;

  private static final int AT_A_TIME = 16;

  private final Context device;
  private final Context peer;
  private final List<Lane> lanes;
  private final List<Victim> victims;
  private final List<Attack> attacks;
  private final SplittableRandom random;
  private final Overheard overheard;
  private final Forgery asPeer;
  private final Forgery asStranger;
  private final Map<Attack, Long> sent = new EnumMap<>(Attack.class);
  private long total;

  /**
   * Prepares an attack.
   *
   * @param device the device under attack
   * @param peer the other device of the session
   * @param atLeft whether it is the device that posts
   * @param capture the file with the traffic
   * @param stranger an address that neither device has
   */
  Attacker(
      Context device,
      Context peer,
      boolean atLeft,
      List<Lane> lanes,
      Set<Attack> attacks,
      long seed,
      Path capture,
      InetAddress stranger) {
    this.device = device;
    this.peer = peer;
    this.lanes = lanes;
    victims = lanes.stream().map(lane -> new Victim(lane, atLeft)).toList();
    this.attacks = List.copyOf(attacks);
    random = new SplittableRandom(seed);
    InetAddress address = address(device);
    overheard = new Overheard(capture, address);
    asPeer = new Forgery(address(peer), address);
    asStranger = new Forgery(stranger, address);
  }

  /** The address of a device. */
  static InetAddress address(Context context) {
    return context.queryGid(1, 0).toInetAddress();
  }

  /** Sends some packets, if the device has taken the last ones. */
  void act() {
    if (lanes.stream().anyMatch(lane -> lane.target() == null) || underWay() > MOST_UNDER_WAY) {
      return;
    }
    overheard.readOn();
    for (int i = 0; i < AT_A_TIME; i++) {
      Attack attack = attacks.get(random.nextInt(attacks.size()));
      if (send(attack)) {
        sent.merge(attack, 1L, Long::sum);
        total++;
      }
    }
  }

  private long underWay() {
    return total
        + peer.counters().get(Counter.PACKETS_SENT)
        - peer.counters().get(Counter.FAULTS_DROPPED)
        + peer.counters().get(Counter.FAULTS_DUPLICATED)
        - device.counters().get(Counter.SOCKET_OVERFLOWS)
        - device.counters().get(Counter.PACKETS_RECEIVED);
  }

  /** False if there was nothing to send. */
  private boolean send(Attack attack) {
    switch (attack) {
      case NOISE -> asStranger.send(bytes(random.nextInt(300)));
      case STRANGER, BLIND, AHEAD, NOWHERE -> sendInvented(attack);
      case MUTATED, REPLAYED, SEALED -> {
        byte[] packet = overheard.any(random);
        if (packet == null) {
          return false;
        }
        sendOverheard(attack, Draft.of(packet));
      }
    }
    return true;
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private Victim victim() {
    return victims.get(random.nextInt(victims.size()));
  }

  private void sendInvented(Attack attack) {
    Victim victim = victim();
    boolean isInUse = attack == Attack.STRANGER || attack == Attack.NOWHERE;
    int psn = isInUse ? victim.psnInUse(random) : victim.unusedPsn(random, attack == Attack.AHEAD);
    Draft draft = Draft.invent(victim, psn, random);
    if (attack == Attack.NOWHERE) {
      draft.qpn(nobody());
    } else {
      draft.spoilQkey(random);
    }
    (attack == Attack.STRANGER ? asStranger : asPeer).sendSealed(draft.bytes());
  }

  private void sendOverheard(Attack attack, Draft draft) {
    if (attack == Attack.SEALED) {
      draft.change(random);
      sendMissing(draft);
      return;
    }
    draft.spoilQkey(random);
    if (attack == Attack.MUTATED) {
      draft.damage(random);
      asPeer.send(draft.bytes());
    } else {
      asPeer.sendSealed(draft.bytes());
    }
  }

  /** Sends a packet, mostly to whom it was for, that is right but for one number. */
  private void sendMissing(Draft draft) {
    Victim victim =
        victims.stream()
            .filter(any -> any.qpn() == draft.qpn() && random.nextInt(8) > 0)
            .findFirst()
            .orElseGet(this::victim);
    draft.qpn(victim.qpn());
    draft.psn(victim.psnInUse(random));
    List<Victim.Miss> misses = List.copyOf(victim.misses());
    Victim.Miss miss = misses.get(random.nextInt(misses.size()));
    switch (miss) {
      case PSN -> draft.psn(victim.unusedPsn(random, random.nextBoolean()));
      case QKEY -> draft.spoilQkey(random);
      case PARTITION -> draft.spoilPartition(random);
      case SERVICE -> draft.spoilService(victim.service(), random);
      case NUMBER -> draft.qpn(nobody());
      case SOURCE -> {
        // As nothing else is wrong.
      }
    }
    (miss == Victim.Miss.SOURCE ? asStranger : asPeer).sendSealed(draft.bytes());
  }

  /** A queue pair number that no lane has. */
  private int nobody() {
    int qpn;
    do {
      qpn = random.nextInt(1 << 24);
    } while (hasNumber(qpn));
    return qpn;
  }

  private boolean hasNumber(int qpn) {
    return victims.stream().anyMatch(victim -> victim.hasNumber(qpn));
  }

  /** How many packets of a kind have been sent. */
  long sent(Attack attack) {
    return sent.getOrDefault(attack, 0L);
  }

  /** Whether the device has received everything that was sent to it. */
  boolean isSettled() {
    return underWay() <= 0;
  }

  @Override
  public void close() {
    overheard.close();
    asPeer.close();
    asStranger.close();
  }
}
