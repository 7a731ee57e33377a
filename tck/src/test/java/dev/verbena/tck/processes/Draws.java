package dev.verbena.tck.processes;

import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The random values of a device for a queue pair and a region.
 *
 * @param qpn 24 bits
 * @param psn 24 bits
 * @param lkey 32 bits
 * @param rkey 32 bits
 */
record Draws(int qpn, int psn, int lkey, int rkey) {
  /** How often a device is opened in one process. */
  static final int OPENS = 60;

  /** Queue pairs and regions each time. */
  static final int EACH = 24;

  /** Opens a device again and again, and records the values. */
  static List<Draws> collect() {
    List<Draws> all = new ArrayList<>();
    for (int i = 0; i < OPENS; i++) {
      try (Context context = Devices.open(TckLink.PACKET.device())) {
        ProtectionDomain pd = context.allocPd();
        CompletionQueue cq = context.createCq(1);
        for (int j = 0; j < EACH; j++) {
          QueuePair qp = pd.createQp(QpInitAttr.rc(cq).cap(new QpCap(1, 1, 1, 1, 0)));
          MemoryRegion mr = pd.allocMr(1, Access.LOCAL_WRITE);
          all.add(new Draws(qp.qpNum(), qp.endpoint().psn(), mr.lkey(), mr.rkey()));
        }
      }
    }
    return all;
  }

  /** Prints them for the parent process. */
  public static void main(String[] arguments) {
    collect().forEach(System.out::println);
  }

  /** Parses the output of {@link #main}. */
  static List<Draws> parse(String output) {
    return output.lines().map(Draws::ofLine).filter(Objects::nonNull).toList();
  }

  private static Draws ofLine(String line) {
    String[] words = line.split(" ", -1);
    return words.length == 5 && words[0].equals("draws")
        ? new Draws(number(words[1]), number(words[2]), number(words[3]), number(words[4]))
        : null;
  }

  private static int number(String hex) {
    return Integer.parseUnsignedInt(hex, 16);
  }

  @Override
  public String toString() {
    return "draws %x %x %x %x".formatted(qpn, psn, lkey, rkey);
  }
}
