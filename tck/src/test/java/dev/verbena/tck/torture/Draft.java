package dev.verbena.tck.torture;

import dev.verbena.verbs.ConnectionData;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/** A packet, from BTH to the room for its ICRC, that an attacker makes up or changes. */
final class Draft {
  private static final int BTH = 12;
  private static final int DETH = 8;
  private static final int XRCETH = 4;
  private static final int FETH = 4;
  private static final int ICRC = 4;
  private static final int MIGRATED = 0x40;
  private static final int WHOLE_PARTITION = 0xffff;
  private static final int ACK_REQUEST = 1 << 31;
  private static final int LOW_24 = 0xff_ffff;
  private static final int MOST_CHANGES = 3;
  private static final int MOST_LENGTH = 8192;

  /** The lower five bits of an opcode, which mean the same for all services; the others name it. */
  private static final int OPERATION = 0x1f;

  private static final int SEND_ONLY = 0x04;
  private static final int READ_REQUEST = 0x0c;
  private static final int READ_RESPONSE_FIRST = 0x0d;
  private static final int ATOMIC_ACKNOWLEDGE = 0x12;
  private static final int SEND_LAST_INV = 0x16;
  private static final int FLUSH = 0x1c;
  private static final int ATOMIC_WRITE = 0x1d;

  /** The opcodes around CNP, the only one without a number that protects. */
  private static final int CNPS = 0x80;

  /** Bytes of the headers after the BTH, but DETH and XRCETH, by operation. */
  private static final int[] HEADERS = {
    0, 0, 0, 4, 0, 4, 16, 0, 0, 4, 16, 20, 16, 4, 0, 4,
    4, 4, 12, 28, 28, 0, 4, 4, 0, 0, 0, 0, 20, 16, 0, 0
  };

  private byte[] bytes;
  private ByteBuffer fields;

  private Draft(byte[] bytes) {
    this.bytes = bytes;
    fields = ByteBuffer.wrap(bytes);
  }

  /** A packet of the traffic, which the caller gives away. */
  static Draft of(byte[] packet) {
    return new Draft(packet);
  }

  /**
   * Any packet of a queue pair's service, for it: with the headers that belong to its opcode, and
   * mostly with the memory that the lane uses. The rest is random, so it may have an unknown
   * syndrome, a wrong key, or addresses beyond all.
   *
   * @param psn its sequence number
   */
  static Draft invent(Victim victim, int psn, SplittableRandom random) {
    int operation = operation(victim.service(), random);
    int front = front(victim.service(), operation);
    int payload = payload(operation, victim.lane().mtu(), random);
    byte[] bytes = new byte[BTH + front + HEADERS[operation] + payload + ICRC];
    random.nextBytes(bytes);
    Draft draft = new Draft(bytes);
    draft.fields.put(0, (byte) (victim.service().opcodes() | operation));
    draft.fields.put(1, (byte) MIGRATED);
    draft.pkey(WHOLE_PARTITION);
    draft.qpn(victim.qpn());
    draft.fields.putInt(8, (random.nextBoolean() ? ACK_REQUEST : 0) | psn);
    if (victim.service() == Service.UD) {
      draft.qkey(Traffic.QKEY);
    } else if (front > 0) {
      draft.fields.putInt(BTH, victim.lane().srqNum());
    }
    if (hasPlace(operation) && random.nextInt(4) > 0) {
      int at = BTH + front + (operation == FLUSH ? FETH : 0);
      draft.place(at, victim.target(), payload, random);
    }
    return draft;
  }

  private static int operation(Service service, SplittableRandom random) {
    if (random.nextInt(16) == 0) {
      return random.nextInt(OPERATION + 1);
    }
    return switch (service) {
      case RC, XRC -> random.nextInt(ATOMIC_WRITE + 1);
      case UC ->
          random.nextInt(8) > 0 ? random.nextInt(READ_REQUEST) : SEND_LAST_INV + random.nextInt(2);
      case UD -> SEND_ONLY + random.nextInt(2);
    };
  }

  /** Bytes of the header that only this service has. */
  private static int front(Service service, int operation) {
    boolean answers = operation >= READ_RESPONSE_FIRST && operation <= ATOMIC_ACKNOWLEDGE;
    return switch (service) {
      case UD -> DETH;
      case XRC -> answers ? 0 : XRCETH;
      case RC, UC -> 0;
    };
  }

  /** Bytes of payload, mostly as many as there have to be. */
  private static int payload(int operation, int mtu, SplittableRandom random) {
    int any = 4 * random.nextInt(mtu / 4 + 1);
    if (random.nextInt(8) == 0) {
      return any;
    }
    return switch (operation) {
      case 0x00, 0x01, 0x06, 0x07, READ_RESPONSE_FIRST, 0x0e -> mtu;
      case READ_REQUEST, 0x11, ATOMIC_ACKNOWLEDGE, 0x13, 0x14, FLUSH -> 0;
      case ATOMIC_WRITE -> Long.BYTES;
      default -> any;
    };
  }

  /** Whether a request names memory. */
  private static boolean hasPlace(int operation) {
    return HEADERS[operation] >= 16;
  }

  /** Names memory of a lane, at its start or at its word of the atomics, and some length. */
  private void place(int at, ConnectionData target, int payload, SplittableRandom random) {
    long offset = random.nextInt(8) == 0 ? target.length() - Long.BYTES : 4L * random.nextInt(1024);
    fields.putLong(at, target.addr() + offset).putInt(at + 8, target.rkey());
    fields.putInt(at + 12, random.nextBoolean() ? payload : random.nextInt(MOST_LENGTH));
  }

  /** Whether its opcode is one of datagrams. */
  boolean isDatagram() {
    return isOf(Service.UD.opcodes());
  }

  private boolean isOf(int opcodes) {
    return (bytes[0] & 0xff & ~OPERATION) == opcodes;
  }

  int qpn() {
    return fields.getInt(4) & LOW_24;
  }

  void qpn(int qpn) {
    fields.putInt(4, (fields.getInt(4) & ~LOW_24) | qpn);
  }

  void psn(int psn) {
    fields.putInt(8, (fields.getInt(8) & ~LOW_24) | psn);
  }

  private void pkey(int pkey) {
    fields.putShort(2, (short) pkey);
  }

  private void qkey(int qkey) {
    fields.putInt(BTH, qkey);
  }

  /** Gives it a wrong Q_Key, if it is a datagram. */
  void spoilQkey(SplittableRandom random) {
    if (isDatagram()) {
      int wrong = random.nextBoolean() ? 1 << random.nextInt(Integer.SIZE) : 1 + random.nextInt(99);
      qkey(Traffic.QKEY ^ wrong);
    }
  }

  /** Gives it the P_Key of another partition. */
  void spoilPartition(SplittableRandom random) {
    pkey((WHOLE_PARTITION ^ (1 + random.nextInt(0x7fff))) & (random.nextBoolean() ? -1 : 0x7fff));
  }

  /** Makes it a packet of any other service than this one, or of none. */
  void spoilService(Service right, SplittableRandom random) {
    do {
      bytes[0] = (byte) ((bytes[0] & OPERATION) | random.nextInt(8) << 5);
    } while (isOf(right.opcodes()) || isOf(CNPS));
  }

  /** Changes some fields, but no number that could protect a queue pair from it. */
  void change(SplittableRandom random) {
    for (int i = random.nextInt(MOST_CHANGES); i >= 0; i--) {
      changeOnce(random);
    }
  }

  private void changeOnce(SplittableRandom random) {
    int behind = isDatagram() ? BTH + DETH : BTH;
    switch (random.nextInt(8)) {
      case 0 -> bytes[0] = (byte) ((bytes[0] & ~OPERATION) | random.nextInt(OPERATION + 1));
      case 1 -> bytes[1] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      case 2 -> bytes[4] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      case 3 -> bytes[8] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      case 4 -> resize(Math.max(behind + ICRC, bytes.length + 4 * random.nextInt(-8, 9)));
      case 5, 6 -> {
        int at = behind + 4 * random.nextInt(7);
        if (at + ICRC < bytes.length) {
          fields.putInt(at, fields.getInt(at) + random.nextInt(-4096, 4097));
        }
      }
      default -> {
        if (bytes.length > behind) {
          bytes[random.nextInt(behind, bytes.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        }
      }
    }
  }

  private void resize(int length) {
    bytes = Arrays.copyOf(bytes, length);
    fields = ByteBuffer.wrap(bytes);
  }

  /** The same with some random bytes changed, missing or added, as by an accident. */
  void damage(SplittableRandom random) {
    switch (random.nextInt(4)) {
      case 0 -> resize(random.nextInt(bytes.length));
      case 1 -> resize(bytes.length + 1 + random.nextInt(64));
      default -> {
        // Keeps its length.
      }
    }
    for (int i = random.nextInt(4); i >= 0 && bytes.length > 0; i--) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
    }
  }

  /** What to send; the last four bytes are no ICRC yet. */
  byte[] bytes() {
    return bytes;
  }
}
