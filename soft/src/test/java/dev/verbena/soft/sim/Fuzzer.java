package dev.verbena.soft.sim;

/**
 * Runs one seed after the other until attackers have sent a number of packets; {@code bin/fuzz}
 * starts it. See {@link AttackRun}.
 */
final class Fuzzer {
  private static final double NANOS = 1e9;

  /** Arguments: the number of packets, and the first seed. */
  public static void main(String[] arguments) {
    long packets = Long.parseLong(arguments[0]);
    long first = Long.parseLong(arguments[1]);
    long start = System.nanoTime();
    AttackRun run = new AttackRun();
    long seed = first;
    while (run.sent() < packets) {
      Throwable problem = run.apply(seed);
      if (problem != null) {
        throw new AssertionError("seed " + seed + ", after " + run.sent() + " packets", problem);
      }
      seed++;
    }
    double seconds = (System.nanoTime() - start) / NANOS;
    System.out.printf(
        "%,d packets, seeds %d to %d, %.0f s, %,.0f packets a second%n",
        run.sent(), first, seed - 1, seconds, run.sent() / seconds);
  }

  private Fuzzer() {}
}
