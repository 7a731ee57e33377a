package dev.verbena.interop;

import dev.verbena.interop.sides.CaseFailure;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints one line for each case, {@code ok|FAIL NAME SECONDS}, and logs failures. */
public final class Report {
  private final PrintStream out;
  private final PrintStream log;
  private int passed;
  private int failed;

  public Report(PrintStream out, PrintStream log) {
    this.out = out;
    this.log = log;
  }

  /** The result of a case; {@code failure} is null if it passed. */
  public void add(String name, Duration took, @Nullable Throwable failure) {
    if (failure == null) {
      passed++;
    } else {
      failed++;
      log.println(name + ": " + failure.getMessage());
      if (!(failure instanceof CaseFailure)) {
        failure.printStackTrace(log);
      }
    }
    String result = failure == null ? "ok" : "FAIL";
    out.printf(Locale.ROOT, "%s %s %.2f%n", result, name, took.toMillis() / 1000.0);
    out.flush();
  }

  /** Whether at least one case ran and none failed. */
  public boolean isGood() {
    return failed == 0 && passed > 0;
  }
}
