package dev.verbena.tck.processes;

import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A separate process, in which nothing else opens descriptors or starts threads. */
final class EnduranceVictim {
  private static final int CYCLES = 1_000;

  /** Opens and closes, or opens until there are no descriptors left. */
  public static void main(String[] arguments) throws IOException {
    TckLink link = TckLink.valueOf(arguments[1]);
    if (arguments[0].equals("cycles")) {
      cycles(link);
    } else {
      exhaust(link);
    }
  }

  private static void cycles(TckLink link) throws IOException {
    // Descriptors that the first use leaves open for the whole process do not count.
    cycle(link);
    cycle(link);
    String before = "descriptors " + descriptors() + " threads " + engines();
    for (int i = 0; i < CYCLES; i++) {
      cycle(link);
    }
    System.out.println("before " + before);
    System.out.println("after " + "descriptors " + descriptors() + " threads " + engines());
  }

  /** A pair of devices with all that they have, a WRITE, and the end of it. */
  private static void cycle(TckLink link) {
    try (QpPair pair = PairSetup.on(link).mrBytes(4096).open()) {
      QpEnd left = pair.left();
      left.context().createCompChannel();
      left.qp().postSend(SendWrs.write(1, pair.right(), 0, left.sge(0, 100)));
      left.sent(1);
    }
  }

  private static void exhaust(TckLink link) throws IOException {
    // Once before, success and failure, so that nothing else is loaded when there are no
    // descriptors.
    cycle(link);
    try {
      Devices.open("soft:192.0.2.1").close();
    } catch (VerbsException e) {
      System.out.println("nobody has that address: " + e.getMessage());
    }
    long before = descriptors();
    for (int round = 0; round < 5; round++) {
      List<Context> open = new ArrayList<>();
      try {
        while (true) {
          open.add(Devices.open(link.device()));
        }
      } catch (VerbsException e) {
        System.out.println("round " + round + " " + e.getMessage());
      }
      open.forEach(Context::close);
    }
    cycle(link);
    System.out.println("before " + before + " after " + descriptors());
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    }
  }

  private static long engines() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("verbena "))
        .count();
  }

  private EnduranceVictim() {}
}
