package dev.verbena.tck.torture;

import dev.verbena.verbs.ConnectionData;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
  private static final int BTH = 12;
  private static final int RETH = 16;
  private static final int ICRC = 4;
  private static final int LAST_OPCODE = 0x17;
  private static final int PSN_MASK = 0xff_ffff;

  /** The distance to keep from PSNs in use on both sides: more than are ever under way. */
  private static final int MARGIN = 1 << 10;

  /** How much further {@link Attack#AHEAD} goes. */
  private static final int CLOSE = 1 << 16;

  private final Context device;
  private final Context peer;
  private final boolean atLeft;
  private final List<Lane> lanes;
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
    this.atLeft = atLeft;
    this.lanes = lanes;
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
      case STRANGER -> asStranger.sendSealed(blind(attack));
      case BLIND, AHEAD -> asPeer.sendSealed(blind(attack));
      case NOWHERE -> asPeer.sendSealed(toNobody());
      case MUTATED, REPLAYED -> {
        byte[] packet = overheard.any(random);
        if (packet == null) {
          return false;
        }
        if (attack == Attack.MUTATED) {
          asPeer.send(mutated(packet));
        } else {
          asPeer.sendSealed(packet);
        }
      }
    }
    return true;
  }

  private Lane lane() {
    return lanes.get(random.nextInt(lanes.size()));
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** For a queue pair number that no lane has. */
  private byte[] toNobody() {
    byte[] packet = blind(Attack.NOWHERE);
    ByteBuffer fields = ByteBuffer.wrap(packet);
    do {
      fields.putInt(4, random.nextInt(1 << 24));
    } while (lanes.stream().anyMatch(lane -> isOf(lane, fields.getInt(4))));
    return packet;
  }

  private static boolean isOf(Lane lane, int qpn) {
    return qpn == lane.qp().qpNum() || qpn == target(lane).endpoint().qpNum();
  }

  private byte[] mutated(byte[] packet) {
    byte[] other =
        switch (random.nextInt(4)) {
          case 0 -> Arrays.copyOf(packet, random.nextInt(packet.length));
          case 1 -> Arrays.copyOf(packet, packet.length + 1 + random.nextInt(64));
          default -> packet;
        };
    for (int i = random.nextInt(4); i >= 0 && other.length > 0; i--) {
      other[random.nextInt(other.length)] ^= (byte) (1 + random.nextInt(255));
    }
    return other;
  }

  /**
   * Any RC packet for a queue pair of this device: with the memory that the lane uses, or with any
   * header behind the first, such as an unknown syndrome, a wrong key, or addresses beyond all.
   */
  private byte[] blind(Attack attack) {
    Lane lane = lane();
    ConnectionData target = target(lane);
    int mtu = 256 << random.nextInt(3);
    byte[] packet = bytes(BTH + RETH + 4 * random.nextInt(mtu / 4 + 1) + ICRC);
    ByteBuffer fields = ByteBuffer.wrap(packet);
    int qpn = atLeft ? lane.qp().qpNum() : target.endpoint().qpNum();
    fields.put(0, (byte) random.nextInt(LAST_OPCODE + 1));
    fields.put(1, (byte) 0x40).putShort(2, (short) 0xffff);
    fields.putInt(4, qpn);
    fields.putInt(8, (random.nextBoolean() ? 1 << 31 : 0) | guess(attack, lane));
    if (random.nextInt(4) > 0) {
      fields.putLong(BTH, target.addr() + random.nextInt(4096));
      fields.putInt(BTH + 8, target.rkey()).putInt(BTH + 12, random.nextInt(8192));
    }
    return packet;
  }

  /** A PSN that neither the lane nor its target uses now. */
  private int guess(Attack attack, Lane lane) {
    int back = target(lane).endpoint().psn();
    int psn;
    do {
      psn =
          attack == Attack.AHEAD
              ? lane.nextPsn() + MARGIN + 1 + random.nextInt(CLOSE) & PSN_MASK
              : random.nextInt(PSN_MASK + 1);
    } while (isNear(psn, lane.batchPsn(), lane.nextPsn()) || isNear(psn, back, back));
    return psn;
  }

  private static boolean isNear(int psn, int first, int last) {
    return (psn - first + MARGIN & PSN_MASK) <= (last - first & PSN_MASK) + 2 * MARGIN;
  }

  private static ConnectionData target(Lane lane) {
    return Objects.requireNonNull(lane.target(), "the lane has connected");
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
