package dev.verbena.tools.kit;

import java.io.PrintWriter;

/**
 * Tells the user of the progress of long runs.
 *
 * @param err where it tells it
 * @param ticker calls when it is time to tell
 */
public record ProgressReporter(PrintWriter err, Ticker ticker) {
  /**
   * The progress of a run that begins now.
   *
   * @param what description of the run
   * @param all the total number of messages; 0 if the clock ends the run
   */
  public Progress begin(String what, long all) {
    return new Progress(this, what, all);
  }
}
