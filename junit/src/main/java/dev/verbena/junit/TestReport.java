package dev.verbena.junit;

/** What the device of a test has to say about its failure, which carries it along, suppressed. */
final class TestReport extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TestReport(String report) {
    super(report, null, false, false);
  }
}
